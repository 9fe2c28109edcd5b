//! Godot 4's own multiplayer: engines as clients of the arena, two engines that communicate through it, and an engine
//! as the server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::rustls::pki_types::{PrivatePkcs8KeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};
use variant_multiplayer::server::{Server, ServerOptions};
use variant_multiplayer::{
    ConfirmPath, Delivery, Driver, Input, Message, MethodId, NetId, NodeRef, Output, Packet,
    PathCache, PeerId, Rpc, RpcTable, RpcWriter, Service, SimplifyPath, SpawnSource, System,
    TransportLimits, WriteError, enet, from_row, websocket,
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

/// The arena, and the number of its players after each input.
struct Counted {
    server: Server<Arena>,
    players: watch::Sender<usize>,
}

impl Service for Counted {
    type Event = ();

    fn handle(&mut self, input: Input<'_>, now: Instant) {
        self.server.handle(input, now);
        self.players.send_replace(self.server.handler().count());
    }

    fn output(&mut self) -> Option<Output> {
        self.server.output()
    }

    fn wake_at(&self) -> Option<Instant> {
        self.server.wake_at()
    }
}

/// A server that runs until `end` is sent.
struct Running {
    end: oneshot::Sender<()>,
    players: watch::Receiver<usize>,
    server: JoinHandle<io::Result<Counted>>,
}

impl Running {
    fn new(
        options: ServerOptions,
        listen: impl FnOnce(Driver<Counted>) -> Driver<Counted>,
    ) -> Self {
        let (end, ended) = oneshot::channel();
        let (sender, players) = watch::channel(0);
        let driver = Driver::new(Counted { server: arena(options), players: sender });
        let server = tokio::spawn(listen(driver).run(async { drop(ended.await) }));
        Self { end, players, server }
    }

    /// Waits until all players have left. A server reads the last packets of a client after the client has ended.
    async fn until_empty(&mut self) {
        let empty = self.players.wait_for(|count| *count == 0);
        let empty = tokio::time::timeout(Duration::from_secs(10), empty);
        assert!(empty.await.is_ok_and(|left| left.is_ok()), "some players have not left");
    }

    async fn end(self) {
        self.end.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(10), self.server).await.unwrap().unwrap().unwrap();
    }
}

/// A server of one transport, and its port.
async fn start(transport: &str, options: ServerOptions) -> (u16, Running) {
    if transport == "enet" {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let port = socket.local_addr().unwrap().port();
        (port, Running::new(options, |driver| driver.enet(socket)))
    } else {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        (port, Running::new(options, |driver| driver.websocket(listener)))
    }
}

/// The fields that a peer has reported, without duplicates.
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

/// Several engines as simultaneous clients of one server.
async fn clients(transport: &'static str, count: usize) {
    let Some(engine) = godot4() else { return };
    let (port, mut running) = start(transport, ServerOptions::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        format!("--transport={transport}"),
        format!("--port={port}"),
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
    running.until_empty().await;
    running.end().await;
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

/// An engine that sends a token, and a server that knows the valid token.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn an_engine_authenticates_itself() {
    let Some(engine) = godot4() else { return };
    for transport in ["websocket", "enet"] {
        for (token, is_good) in [("token", true), ("nonsense", false)] {
            let options = ServerOptions::default().authentication(true);
            let (port, running) = start(transport, options).await;
            let folder = tempfile::tempdir().unwrap();
            let arguments = [
                format!("--transport={transport}"),
                format!("--port={port}"),
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
            running.end().await;
        }
    }
    println!("Godot 4: a client with a good token, and one with a bad one");
}

/// A client of this workspace.
enum Client {
    WebSocket(Box<websocket::Client>),
    Enet(enet::Client),
}

/// The state that a client of this workspace knows.
struct Bot {
    client: Client,
    id: PeerId,
    table: RpcTable,
    paths: PathCache,
    /// Whether the engine has confirmed this side's id of `World`.
    is_known: bool,
    /// The synchronizer of this client's player.
    player: Option<NetId>,
    position: Option<(f32, f32)>,
    hp: Option<i64>,
    heard: Vec<(String, Vec<Variant>)>,
    /// The other peers that the client sees.
    peers: BTreeSet<i32>,
    /// The players in its tree, by the ids of their nodes.
    players: BTreeMap<NetId, i32>,
}

/// The id that this side assigns to the path `World`.
const WORLD: u32 = 7;

impl Bot {
    async fn join(transport: &str, server: SocketAddr) -> Self {
        if transport == "enet" {
            let id = PeerId::client(77).unwrap();
            return Self::over(Client::Enet(enet::Client::connect(server, id).await.unwrap()))
                .await;
        }
        let client = websocket::Client::connect(server, TransportLimits::SERVER).await.unwrap();
        Self::over(Client::WebSocket(Box::new(client))).await
    }

    async fn over(client: Client) -> Self {
        let id = match &client {
            Client::WebSocket(client) => client.id(),
            Client::Enet(client) => client.id(),
        };
        let mut bot = Self {
            client,
            id,
            table: RpcTable::new(["say", "move_to", "hit", "echo", "greet", "said", "echoed"]),
            paths: PathCache::default(),
            is_known: false,
            player: None,
            position: None,
            hp: None,
            heard: Vec::new(),
            peers: BTreeSet::new(),
            players: BTreeMap::new(),
        };
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
                self.players.insert(spawn.node, peer);
                if peer == self.id.get() {
                    let mut state = spawn.state.iter();
                    assert!(state.next().unwrap().unwrap().as_vector2().is_ok());
                    self.hp = Some(state.next().unwrap().unwrap().as_i64().unwrap());
                    self.player = spawn.synchronizers.iter().next();
                }
            }
            Message::Despawn(node) => assert!(self.players.remove(&node).is_some()),
            Message::System(System::AddPeer(peer)) => assert!(self.peers.insert(peer)),
            Message::System(System::DelPeer(peer)) => assert!(self.peers.remove(&peer)),
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

/// The peers and players that a client saw in the rooms that it entered.
type Visits = BTreeMap<String, (BTreeSet<i32>, BTreeSet<i32>)>;

/// A server's end of TLS with a new certificate, and a client's end that trusts the certificate.
fn tls() -> (TlsAcceptor, TlsConnector) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let server = ServerConfig::builder().with_no_client_auth();
    let server = server.with_single_cert(vec![made.cert.der().clone()], key.into()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let client = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    (TlsAcceptor::from(Arc::new(server)), TlsConnector::from(Arc::new(client)))
}

/// The rooms of four clients, over web sockets with TLS and over ENet. The last client changes rooms.
const VISITS: [(&str, &str); 4] =
    [("wss", "red:2"), ("wss", "blue:3"), ("enet", "blue:3"), ("enet", "red:2,blue:3")];

/// Enters rooms as a client of this workspace, as `visit` of `multiplayer.gd` does.
async fn visit(mut bot: Bot, rooms: &str) -> (i32, Visits) {
    let mut visits = Visits::new();
    for room in rooms.split(',') {
        let (name, count) = room.split_once(':').unwrap();
        let count: usize = count.parse().unwrap();
        bot.call("say", |call| call.arguments(&(format!("/room {name}"),))).await;
        let seen = bot.until(|bot| {
            let is_whole = bot.peers.len() + 1 == count && bot.players.len() == count;
            is_whole.then(|| (bot.peers.clone(), bot.players.values().copied().collect()))
        });
        visits.insert(name.to_owned(), seen.await);
        // The other clients also need time to see the room.
        let _ = tokio::time::timeout(Duration::from_secs(2), bot.until(|_| None::<()>)).await;
    }
    let id = bot.id.get();
    bot.close().await;
    (id, visits)
}

/// The visits that an engine has reported.
fn reported(report: &BTreeMap<String, Value>) -> (i32, Visits) {
    let id = report["id"].as_i64().unwrap();
    let number = |value: &Value| i32::try_from(value.as_i64().unwrap()).unwrap();
    let player =
        |value: &Value| value.as_str().unwrap().strip_prefix("Player").unwrap().parse().unwrap();
    let rooms = report.iter().filter(|(_, value)| value.is_object());
    let visits = rooms.map(|(room, seen)| {
        let peers = seen["peers"].as_array().unwrap().iter().map(number).collect();
        let players = seen["players"].as_array().unwrap().iter().map(player).collect();
        (room.clone(), (peers, players))
    });
    (i32::try_from(id).unwrap(), visits.collect())
}

/// Clients in two rooms of one server, over TLS and `ENet` in one process. Each client sees only its room, and the tree
/// of the client that changes rooms is updated. Without an engine, the clients are of this workspace.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs with the tests that need engines"]
async fn rooms_are_apart_over_both_transports() {
    let (acceptor, source) = websocket::channel();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let socket = UdpSocket::bind(address).await.unwrap();
    let (tls, connector) = tls();
    tokio::spawn(async move {
        while let Ok((stream, from)) = listener.accept().await {
            acceptor.accept_later(tls.accept(stream), Some(from)).await.unwrap();
        }
    });
    let listen = |driver: Driver<_>| driver.websocket(source).enet(socket);
    let mut server = Running::new(ServerOptions::default(), listen);

    let folder = tempfile::tempdir().unwrap();
    let mut running = JoinSet::new();
    for (number, (transport, rooms)) in (0..).zip(VISITS) {
        if let Some(engine) = godot4() {
            let own = folder.path().join(number.to_string());
            fs::create_dir(&own).unwrap();
            let arguments = [
                format!("--transport={transport}"),
                format!("--port={}", address.port()),
                format!("--rooms={rooms}"),
                format!("--folder={}", own.display()),
            ];
            running.spawn_blocking(move || {
                assert!(engine.play(&own, &arguments).unwrap(), "the engine did not end in peace");
                reported(&answers(&own)[0])
            });
        } else {
            let client = if transport == "wss" {
                let name = ServerName::try_from("localhost").unwrap();
                let stream = TcpStream::connect(address).await.unwrap();
                let stream = connector.connect(name, stream).await.unwrap();
                let limits = TransportLimits::SERVER;
                let client = websocket::Client::over(stream, "wss://localhost/", limits).await;
                Client::WebSocket(Box::new(client.unwrap()))
            } else {
                let id = PeerId::client(70 + number).unwrap();
                Client::Enet(enet::Client::connect(address, id).await.unwrap())
            };
            let bot = Bot::over(client).await;
            running.spawn(visit(bot, rooms));
        }
    }
    let visits = tokio::time::timeout(Duration::from_secs(120), running.join_all()).await.unwrap();
    for (room, count) in [("red", 2), ("blue", 3)] {
        let here: BTreeSet<i32> =
            visits.iter().filter(|(_, seen)| seen.contains_key(room)).map(|(id, _)| *id).collect();
        assert_eq!(here.len(), count, "{visits:#?}");
        for (id, seen) in &visits {
            let Some((peers, players)) = seen.get(room) else { continue };
            assert_eq!(players, &here, "{id} in {room}");
            assert_eq!(
                peers,
                &here.iter().copied().filter(|peer| peer != id).collect(),
                "{id} in {room}"
            );
        }
    }
    server.until_empty().await;
    server.end().await;
    let clients = if godot4().is_some() {
        "engines"
    } else {
        "clients of ours, since VARIANT_GODOT4 names no engine"
    };
    println!("two rooms over TLS and ENet: {clients}");
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
        // The engine sends a call with an empty array of bytes as a call without an argument.
        .filter(|value| *value != Variant::PackedByteArray(Vec::new()))
        .collect()
}

/// A client of this workspace with an engine as the server.
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
        // The engine replaces an unknown object by another object.
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
