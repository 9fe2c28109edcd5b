//! The example server for WebSocket, with well-behaved and hostile peers.

#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "a test may panic")]

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::DuplexStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use tokio_util::sync::CancellationToken;
use variant_owned::{Variant, array, encode};
use variant_view::Dialect;

#[allow(dead_code, reason = "the example has a program around it")]
#[path = "../examples/websocket_server.rs"]
mod websocket_server;

const PATIENCE: Duration = Duration::from_secs(10);

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

struct Peer {
    socket: WebSocketStream<DuplexStream>,
    server: JoinHandle<Outcome>,
    stop: CancellationToken,
}

impl Peer {
    async fn connect() -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        let stop = CancellationToken::new();
        let serve = websocket_server::serve_peer(far, Dialect::Godot4, stop.clone());
        let server = tokio::spawn(serve);
        let (socket, _) = client_async("ws://127.0.0.1/", near).await.unwrap();
        Self { socket, server, stop }
    }

    /// The answer, unless the server closes the connection.
    async fn echo(&mut self, message: Message) -> Option<Message> {
        self.socket.send(message).await.unwrap();
        let next = timeout(PATIENCE, self.socket.next()).await.unwrap();
        next.and_then(Result::ok).filter(|message| !message.is_close())
    }

    /// Waits for the server to end.
    async fn end(self) -> Outcome {
        drop(self.socket);
        timeout(PATIENCE, self.server).await.unwrap().unwrap()
    }
}

fn bytes(value: impl Into<Variant>) -> Vec<u8> {
    encode(&value.into(), Dialect::Godot4).unwrap()
}

#[tokio::test]
async fn values_come_back_and_pings_are_answered() {
    let mut peer = Peer::connect().await;
    for value in [bytes(5), bytes("text"), bytes(array![1, "a"]), bytes(vec![7_u8; 60_000])] {
        let echo = peer.echo(Message::Binary(value.clone().into())).await;
        assert_eq!(echo, Some(Message::Binary(value.into())));
    }
    let pong = peer.echo(Message::Ping(vec![1, 2].into())).await;
    assert_eq!(pong, Some(Message::Pong(vec![1, 2].into())));
    peer.socket.close(None).await.unwrap();
    assert!(peer.end().await.is_ok());
}

#[tokio::test]
async fn bytes_that_are_not_a_value_end_the_connection() {
    let too_long = Message::Binary(vec![0; 65_536].into());
    let unsound = Message::Binary(vec![255, 0, 0, 0].into());
    let text = Message::Text("{}".into());
    for (message, reason) in [(too_long, "65536"), (unsound, "0x000000ff"), (text, "binary")] {
        let mut peer = Peer::connect().await;
        assert_eq!(peer.echo(message).await, None);
        let error = peer.end().await.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_is_to_stop_says_goodbye() {
    let mut peer = Peer::connect().await;
    assert!(peer.echo(Message::Binary(bytes(1).into())).await.is_some());
    peer.stop.cancel();
    let last = timeout(PATIENCE, peer.socket.next()).await.unwrap().unwrap().unwrap();
    assert!(last.is_close(), "{last:?}");
    assert!(peer.end().await.is_ok());
}
