//! Godot 4's own multiplayer: engines as clients of the arena, two of them through it, and an engine as the server.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::oneshot;
use variant_multiplayer::server::{Server, ServerOptions};
use variant_multiplayer::{TransportLimits, enet, websocket};
use variant_testkit::live::{LiveEngine, engines};
use variant_view::Dialect;

#[path = "../../variant-multiplayer/examples/multiplayer_server.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod multiplayer_server;

use multiplayer_server::{Arena, arena};

fn godot4() -> Option<&'static LiveEngine> {
    engines().iter().find(|engine| engine.dialect() == Dialect::Godot4)
}

/// A server that runs until it is told to end.
struct Running {
    port: u16,
    end: oneshot::Sender<()>,
    server: tokio::task::JoinHandle<std::io::Result<Server<Arena>>>,
}

async fn start(transport: &str) -> Running {
    let (end, ended) = oneshot::channel();
    let ended = async { drop(ended.await) };
    let (server, limits) = (arena(ServerOptions::default()), TransportLimits::SERVER);
    if transport == "enet" {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let port = socket.local_addr().unwrap().port();
        Running { port, end, server: tokio::spawn(enet::serve(socket, server, limits, ended)) }
    } else {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        Running {
            port,
            end,
            server: tokio::spawn(websocket::serve(listener, server, limits, ended)),
        }
    }
}

/// What a peer has told, each field once.
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

/// What a client tells that met `others`.
fn assert_played(told: &BTreeMap<String, Value>, others: usize) {
    println!("{told:#?}");
    assert!(!told.contains_key("lost"), "{told:#?}");
    assert_eq!(told["different"], Value::Array(Vec::new()));
    assert!(told["echoed"].as_u64().unwrap() > 50);
    for done in ["others", "spawned", "moved", "hit", "greeted", "said", "done"] {
        assert_eq!(told[done], true, "{done}");
    }
    assert_eq!(told["hp"], 100);
    assert_eq!(told["forged"], false, "the server alone may call it");
    assert_eq!(told["greetings"].as_array().unwrap().len(), others);
    assert_eq!(told["packets"].as_array().unwrap().len(), others);
}

/// As many engines as clients of one server, all at once.
async fn clients(transport: &'static str, count: usize) {
    let Some(engine) = godot4() else { return };
    let running = start(transport).await;
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
    let told = answers(folder.path());
    assert_eq!(told.len(), count);
    for told in told {
        assert_played(&told, count - 1);
    }
    running.end.send(()).unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(10), running.server);
    let server = ended.await.unwrap().unwrap().unwrap();
    assert_eq!(server.handler().players().count(), 0, "all have left");
    println!("Godot 4: {count} clients by {transport}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn an_engine_joins_by_websocket() {
    clients("websocket", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn an_engine_joins_by_enet() {
    clients("enet", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn two_engines_meet_by_websocket() {
    clients("websocket", 2).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs engines that run"]
async fn two_engines_meet_by_enet() {
    clients("enet", 2).await;
}
