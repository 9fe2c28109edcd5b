//! Godot 4's own multiplayer: engines as clients of the arena, two of them through it, and an engine as the server.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::oneshot;
use variant_multiplayer::server::{Server, ServerOptions};
use variant_multiplayer::{
    ConfirmPath, Delivery, Driver, Message, MethodId, NetId, NodeRef, Packet, PathCache, PeerId,
    Rpc, RpcTable, RpcWriter, SimplifyPath, SpawnSource, TransportLimits, WriteError, enet,
    from_row, websocket,
};
use variant_owned::Variant;
use variant_testkit::corpus;
use variant_testkit::live::{LiveEngine, engines};
use variant_view::{Dialect, Document, Kind};

#[path = "../../../variant-multiplayer/examples/multiplayer_server.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod multiplayer_server;

use multiplayer_server::{Arena, arena};

fn godot4() -> Option<&'static LiveEngine> {
    engines().iter().find(|engine| engine.dialect() == Dialect::Godot4)
}

/// A server that runs until `end` is sent.
struct Running {
    port: u16,
    end: oneshot::Sender<()>,
    server: tokio::task::JoinHandle<std::io::Result<Server<Arena>>>,
}

async fn start(transport: &str, options: ServerOptions) -> Running {
    let (end, ended) = oneshot::channel();
    let ended = async { drop(ended.await) };
    let driver = Driver::new(arena(options));
    let (port, driver) = if transport == "enet" {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        (socket.local_addr().unwrap().port(), driver.enet(socket))
    } else {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        (listener.local_addr().unwrap().port(), driver.websocket(listener))
    };
    Running { port, end, server: tokio::spawn(driver.run(ended)) }
}

/// The fields that a peer has reported, each once.
fn answers(folder: &Path) -> Vec<BTreeMap<String, Value>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files =
        files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("answers-"));
    files
        .map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let lines =
                text.lines().map(|line| serde_json::from_str::<BTreeMap<_, _>>(line).unwrap());
            lines.flatten().collect()
        })
        .collect()
}

/// Checks the report of a client that met `others`.
fn assert_played(report: &BTreeMap<String, Value>, others: usize) {
    assert!(!report.contains_key("lost"), "{report:#?}");
    assert_eq!(report["different"], Value::Array(Vec::new()));
    assert!(report["echoed"].as_u64().unwrap() > 50);
    for done in ["others", "spawned", "moved", "hit", "greeted", "said", "done"] {
        assert_eq!(report[done], true, "{done}");
    }
    assert_eq!(report["hp"], 100);
    assert_eq!(report["forged"], false, "the server alone may call it");
    assert_eq!(report["greetings"].as_array().unwrap().len(), others);
    assert_eq!(report["packets"].as_array().unwrap().len(), others);
}

/// Several engines as clients of one server, all at once.
async fn clients(transport: &'static str, count: usize) {
    let Some(engine) = godot4() else { return };
    let running = start(transport, ServerOptions::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        format!("--transport={transport}"),
        format!("--port={}", running.port),
        format!("--others={}", count - 1),
        format!("--folder={}", folder.path().display()),
    ];
    let clients: Vec<_> = (0..count)
        .map(|number| {
            let arguments = arguments.clone();
            let own = folder.path().join(number.to_string());
            fs::create_dir(&own).unwrap();
            tokio::task::spawn_blocking(move || engine.play(&own, &arguments).unwrap())
        })
        .collect();
    for client in clients {
        assert!(client.await.unwrap(), "{transport}: the engine did not end in peace");
    }
    let report = answers(folder.path());
    assert_eq!(report.len(), count);
    for report in report {
        assert_played(&report, count - 1);
    }
    running.end.send(()).unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(10), running.server);
    let server = ended.await.unwrap().unwrap().unwrap();
    assert_eq!(server.handler().players().count(), 0, "all have left");
    println!("Godot 4: {count} clients by {transport}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn engines_join_and_meet() {
    for transport in ["websocket", "enet"] {
        clients(transport, 1).await;
        clients(transport, 2).await;
    }
}

/// An engine that sends a token, to a server that knows the valid one.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn an_engine_authenticates_itself() {
    let Some(engine) = godot4() else { return };
    for transport in ["websocket", "enet"] {
        for (token, is_good) in [("token", true), ("nonsense", false)] {
            let running = start(transport, ServerOptions::default().authentication(true)).await;
            let folder = tempfile::tempdir().unwrap();
            let arguments = [
                format!("--transport={transport}"),
                format!("--port={}", running.port),
                format!("--token={token}"),
            ];
            let path = folder.path().to_owned();
            let client =
                tokio::task::spawn_blocking(move || engine.play(&path, &arguments).unwrap());
            assert_eq!(client.await.unwrap(), is_good, "{transport}: {token}");
            let report = answers(folder.path());
            if is_good {
                assert_played(&report[0], 0);
            } else {
                assert!(report.is_empty(), "{report:?}");
            }
            running.end.send(()).unwrap();
            running.server.await.unwrap().unwrap();
        }
    }
    println!("Godot 4: a client with a good token, and one with a bad one");
}

/// A client of ours.
enum Client {
    WebSocket(Box<websocket::Client>),
    Enet(enet::Client),
}

/// The state that a client of ours knows.
struct Bot {
    client: Client,
    id: PeerId,
    table: RpcTable,
    paths: PathCache,
    /// Whether the engine has confirmed this side's id of `World`.
    is_known: bool,
    /// The synchronizer of this client's own player.
    player: Option<NetId>,
    position: Option<(f32, f32)>,
    hp: Option<i64>,
    heard: Vec<(String, Vec<Variant>)>,
}

/// The id that this side assigns to the path `World`.
const WORLD: u32 = 7;

impl Bot {
    async fn join(transport: &str, server: SocketAddr) -> Self {
        let client = if transport == "enet" {
            let id = PeerId::client(77).unwrap();
            Client::Enet(enet::Client::connect(server, id).await.unwrap())
        } else {
            let limits = TransportLimits::SERVER;
            Client::WebSocket(Box::new(websocket::Client::connect(server, limits).await.unwrap()))
        };
        let id = match &client {
            Client::WebSocket(client) => client.id(),
            Client::Enet(client) => client.id(),
        };
        let table = RpcTable::new(["say", "move_to", "hit", "echo", "greet", "said", "echoed"]);
        let paths = PathCache::default();
        let (is_known, player, position, hp, heard) = (false, None, None, None, Vec::new());
        let mut bot = Self { client, id, table, paths, is_known, player, position, hp, heard };
        let checksum = bot.table.checksum();
        bot.say(Message::SimplifyPath(SimplifyPath::new(WORLD, "World", checksum))).await;
        bot
    }

    async fn send(&mut self, packet: Vec<u8>) {
        match &mut self.client {
            Client::WebSocket(client) => client.send(packet).await.unwrap(),
            Client::Enet(client) => client.send(&packet, Delivery::RELIABLE).unwrap(),
        }
    }

    async fn say(&mut self, message: Message<'_>) {
        self.send(Packet::new(message).to_vec()).await;
    }

    async fn call<F>(&mut self, method: &str, write: F)
    where
        F: for<'b, 'n> FnOnce(RpcWriter<'b, 'n>) -> Result<RpcWriter<'b, 'n>, WriteError>,
    {
        let node = if self.is_known { NodeRef::id(WORLD) } else { NodeRef::Path("World") };
        let method: MethodId = self.table.id(method).unwrap();
        let mut packet = Vec::new();
        write(RpcWriter::new(node, method, &mut packet)).unwrap().finish().unwrap();
        self.send(packet).await;
    }

    /// Reads packets until `wanted` returns a result.
    async fn until<T>(&mut self, wanted: impl Fn(&mut Self) -> Option<T>) -> T {
        let found = async {
            loop {
                if let Some(found) = wanted(self) {
                    return found;
                }
                let packet = match &mut self.client {
                    Client::WebSocket(client) => client.recv().await.unwrap().unwrap(),
                    Client::Enet(client) => client.recv().await.unwrap().0,
                };
                self.take(&packet).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), found).await.unwrap()
    }

    async fn take(&mut self, bytes: &[u8]) {
        let packet = Packet::parse(bytes).unwrap();
        assert_eq!(packet.to_vec(), bytes);
        match packet.message {
            Message::SimplifyPath(path) => {
                self.paths.receive(PeerId::SERVER, &path).unwrap();
                self.say(Message::ConfirmPath(ConfirmPath::new(path.id, true))).await;
            }
            Message::ConfirmPath(confirm) => {
                assert_eq!((confirm.id, confirm.checksums_agree()), (WORLD, true));
                self.is_known = true;
            }
            Message::Rpc(rpc) => self.hear(&rpc),
            Message::Spawn(spawn) => {
                let SpawnSource::Function(argument) = spawn.source else { panic!("{spawn:?}") };
                let (peer,): (i32,) = from_row(argument).unwrap();
                assert_eq!(self.paths.path(PeerId::SERVER, spawn.spawner), Some("Spawner"));
                if peer == self.id.get() {
                    let mut state = spawn.state.iter();
                    assert!(state.next().unwrap().unwrap().as_vector2().is_ok());
                    self.hp = Some(state.next().unwrap().unwrap().as_i64().unwrap());
                    self.player = spawn.synchronizers.iter().next();
                }
            }
            Message::Sync(sync) => {
                for state in sync.states {
                    let state = state.unwrap();
                    if Some(state.synchronizer) == self.player {
                        let position = state.values.iter().next().unwrap().unwrap();
                        let position = position.as_vector2().unwrap();
                        self.position = Some((position.x, position.y));
                    }
                }
            }
            Message::Delta(delta) => {
                for change in delta.changes {
                    let change = change.unwrap();
                    if Some(change.synchronizer) == self.player {
                        assert_eq!(change.mask, 1);
                        (self.hp,) =
                            from_row::<(i64,)>(change.values).map(|(hp,)| (Some(hp),)).unwrap();
                    }
                }
            }
            _ => {}
        }
    }

    fn hear(&mut self, rpc: &Rpc<'_>) {
        assert_eq!(self.paths.resolve(PeerId::SERVER, rpc.node), Some("World"));
        let method = self.table.name(rpc.method.id()).unwrap().to_owned();
        self.heard.push((method, rpc.arguments.to_variants().unwrap()));
    }

    async fn close(self) {
        match self.client {
            Client::WebSocket(client) => client.close().await.unwrap(),
            Client::Enet(client) => client.close().await,
        }
    }
}

/// Values of all types, as the engine writes them.
fn values() -> Vec<Variant> {
    let text = fs::read_to_string(corpus::root().join("multiplayer/compact.jsonl")).unwrap();
    let hex = |text: &str| {
        let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
        pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect::<Vec<u8>>()
    };
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let bytes = records.map(|record| hex(record["ordinary"].as_str().unwrap()));
    bytes
        .map(|bytes| Variant::from_document(&Document::new(&bytes, Dialect::Godot4)).unwrap())
        // The engine sends an empty array of bytes as no argument.
        .filter(|value| *value != Variant::PackedByteArray(Vec::new()))
        .collect()
}

/// A client of ours with an engine as the server.
async fn joins_an_engine(transport: &'static str) {
    let Some(engine) = godot4() else { return };
    let folder = tempfile::tempdir().unwrap();
    let port = match transport {
        "enet" => UdpSocket::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port(),
        _ => TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port(),
    };
    let arguments =
        ["--role=server".to_owned(), format!("--transport={transport}"), format!("--port={port}")];
    let path = folder.path().to_owned();
    let server = tokio::task::spawn_blocking(move || engine.play(&path, &arguments).unwrap());
    let ready = folder.path().join("ready");
    let is_ready = async {
        while !ready.exists() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), is_ready).await.unwrap();

    let mut bot = Bot::join(transport, SocketAddr::from(([127, 0, 0, 1], port))).await;
    bot.until(|bot| bot.player).await;
    assert_eq!(bot.hp, Some(100));
    let mut count = 0;
    for value in values() {
        bot.call("echo", |call| call.value(&value)).await;
        let (method, came) = bot.until(|bot| bot.heard.pop()).await;
        assert_eq!((&*method, came.len()), ("echoed", 1));
        // The engine replaces an unknown object by another.
        let is_object = value.kind() == Kind::Object && came[0].kind() == Kind::Object;
        assert!(is_object || came == [value], "{came:?}");
        count += 1;
    }
    bot.call("move_to", |call| Ok(call.vector2([3.0, -4.0]))).await;
    bot.until(|bot| bot.position.filter(|position| *position == (3.0, -4.0))).await;
    let id = bot.id.get();
    bot.call("hit", |call| call.arguments(&(id,))).await;
    bot.until(|bot| bot.hp.filter(|hp| *hp == 90)).await;
    bot.call("say", |call| call.arguments(&("hello",))).await;
    let (method, said) = bot.until(|bot| bot.heard.pop()).await;
    assert_eq!(method, "said");
    assert_eq!(said, [Variant::from(id), Variant::from("hello")]);
    assert!(bot.is_known, "the engine has confirmed the id, and calls went by it");
    bot.close().await;
    let ended = tokio::time::timeout(Duration::from_secs(60), server).await.unwrap().unwrap();
    assert!(ended, "the engine did not end in peace");
    println!("Godot 4: a server by {transport}, with {count} values there and back");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn an_engine_serves() {
    for transport in ["websocket", "enet"] {
        joins_an_engine(transport).await;
    }
}
