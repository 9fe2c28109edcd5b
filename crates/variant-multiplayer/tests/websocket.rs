//! Servers over web sockets on loopback: the service for valid clients, and the limits for hostile clients.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::missing_panics_doc)]

mod common;

use std::time::{Duration, Instant};

use common::{Echo, Server, chat, long_call};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{Frame, FrameHeader};
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use variant_multiplayer::websocket::Client;
use variant_multiplayer::{Departure, Driver, PeerId, Service, TransportLimits};

impl<S: Service<Event = ()> + Send + 'static> Server<S> {
    async fn start(limits: TransportLimits, service: S) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Self::run(address, |stopped| async move {
            let shutdown = async { drop(stopped.await) };
            Driver::new(service).limits(limits).websocket(listener).run(shutdown).await.unwrap()
        })
    }

    async fn join(&self) -> Client {
        Client::connect(self.address, TransportLimits::SERVER).await.unwrap()
    }

    /// A connection of the library, without this crate's client.
    async fn raw(&self) -> WebSocketStream<TcpStream> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let url = format!("ws://{}/", self.address);
        let mut socket = client_async(url, stream).await.unwrap().0;
        let first = socket.next().await.unwrap().unwrap();
        let Message::Binary(id) = first else { panic!("{first:?}") };
        let id = i32::from_le_bytes(id[..].try_into().unwrap());
        assert!(PeerId::client(id).is_some(), "{id}");
        socket
    }
}

/// A fragment of a message.
fn part(bytes: impl Into<Bytes>, data: Data, is_final: bool) -> Message {
    let opcode = OpCode::Data(data);
    let header = FrameHeader { is_final, opcode, ..FrameHeader::default() };
    Message::Frame(Frame::from_payload(header, bytes.into()))
}

/// The code of the next message, which must be a close.
async fn close_code(socket: &mut WebSocketStream<TcpStream>) -> CloseCode {
    let answer = socket.next().await.unwrap().unwrap();
    let Message::Close(Some(frame)) = answer else { panic!("{answer:?}") };
    frame.code
}

async fn echo(client: &mut Client, packet: &[u8]) {
    client.send(packet).await.unwrap();
    assert_eq!(client.recv().await.unwrap().unwrap(), packet);
}

#[tokio::test]
async fn id_comes_first_then_packets() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut client = server.join().await;
    let id = client.id();
    assert_eq!(format!("{client:?}"), format!("Client {{ id: {id:?}, .. }}"));
    echo(&mut client, b"hello").await;
    echo(&mut client, &vec![9; 65_535]).await;
    client.send(*b"gone").await.unwrap();
    client.send(Vec::new()).await.unwrap();
    echo(&mut client, b"still here").await;
    client.close().await.unwrap();
    let service = server.stop().await;
    assert_eq!((service.connected, service.disconnected), (vec![id], vec![id]));
    assert_eq!(service.received.len(), 4, "the empty message is dropped");
}

#[tokio::test]
async fn fragments_text_and_pings_are_taken() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut socket = server.raw().await;
    socket.send(part(&b"in "[..], Data::Binary, false)).await.unwrap();
    socket.send(Message::Ping(Bytes::from_static(b"?"))).await.unwrap();
    socket.send(part(&b"two"[..], Data::Continue, true)).await.unwrap();
    socket.send(Message::text("text")).await.unwrap();
    let mut answers = Vec::new();
    while answers.len() < 3 {
        answers.push(socket.next().await.unwrap().unwrap());
    }
    assert!(answers.contains(&Message::Pong(Bytes::from_static(b"?"))), "{answers:?}");
    assert!(answers.contains(&Message::binary(&b"in two"[..])), "{answers:?}");
    assert_eq!(answers[2], Message::binary(&b"text"[..]));
    socket.close(None).await.unwrap();
    let answer = socket.next().await.unwrap().unwrap();
    assert!(answer.is_close(), "a close is echoed: {answer:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_clients_at_once() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let clients: Vec<_> = (0..50_u8)
        .map(|number| {
            let address = server.address;
            tokio::spawn(async move {
                let mut client = Client::connect(address, TransportLimits::SERVER).await.unwrap();
                for round in 0..100 {
                    echo(&mut client, &[number, round]).await;
                }
                client.close().await.unwrap();
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let service = server.stop().await;
    assert_eq!(service.received.len(), 5_000);
    assert_eq!(service.disconnected.len(), 50);
    let mut ids = service.connected;
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 50, "each has its own number");
}

#[tokio::test]
async fn oversize_closes_with_1009() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut good = server.join().await;
    let mut socket = server.raw().await;
    socket.send(Message::binary(vec![1; 65_536])).await.unwrap();
    assert_eq!(close_code(&mut socket).await, CloseCode::Size);
    let read = socket.get_mut().read(&mut [0; 16]).await;
    assert!(matches!(read, Ok(0)), "the stream ends, and is not reset: {read:?}");
    // Each fragment is below the limit.
    let mut socket = server.raw().await;
    for (data, is_final) in [(Data::Binary, false), (Data::Continue, true)] {
        socket.send(part(vec![1; 40_000], data, is_final)).await.unwrap();
    }
    assert_eq!(close_code(&mut socket).await, CloseCode::Size);
    echo(&mut good, b"still here").await;
    assert_eq!(server.stop().await.disconnected.len(), 2);
}

/// The client's packets arrive at once, and the answers to them are larger than the backlog. The server lets the
/// connection send before it handles more packets.
#[tokio::test]
async fn a_peer_that_reads_is_not_closed_for_its_backlog() {
    let mut limits = TransportLimits::SERVER;
    limits.backlog = 32 << 10;
    let server = Server::start(limits, Echo::default()).await;
    let mut socket = server.raw().await;
    for number in 0..200 {
        socket.feed(Message::binary(vec![number; 1_000])).await.unwrap();
    }
    socket.flush().await.unwrap();
    for number in 0..200 {
        let answer = socket.next().await.unwrap().unwrap();
        assert_eq!(answer, Message::binary(vec![number; 1_000]));
    }
    socket.close(None).await.unwrap();
    assert!(socket.next().await.unwrap().unwrap().is_close());
    assert_eq!(server.stop().await.reasons, [Departure::Left]);
}

/// The code of the close is the fault: 1007 for a text, 1002 for a frame.
#[tokio::test]
async fn faults_of_a_message_are_in_the_close() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    for (message, code) in [
        (part(&b"\xff"[..], Data::Text, true), CloseCode::Invalid),
        (part(&b"without a start"[..], Data::Continue, true), CloseCode::Protocol),
    ] {
        let mut socket = server.raw().await;
        socket.send(message).await.unwrap();
        assert_eq!(close_code(&mut socket).await, code);
    }
    assert_eq!(server.stop().await.reasons, [Departure::Lost; 2]);
}

#[tokio::test]
async fn half_open_connections_count_and_end() {
    let mut limits = TransportLimits::SERVER;
    limits.peers = 8;
    // The test must do its first steps within this time, even on a busy machine.
    limits.handshake = Duration::from_millis(1_500);
    let server = Server::start(limits, Echo::default()).await;
    let mut good = server.join().await;
    let mut half_open = Vec::new();
    for _ in 0..7 {
        half_open.push(TcpStream::connect(server.address).await.unwrap());
    }
    echo(&mut good, b"served meanwhile").await;
    let refused = Client::connect(server.address, TransportLimits::SERVER).await;
    assert!(refused.is_err(), "all places are taken");
    for stream in &mut half_open {
        let read = stream.read(&mut [0; 16]).await;
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
    }
    let mut late = server.join().await;
    echo(&mut late, b"a place is free").await;
    echo(&mut good, b"still here").await;
    let service = server.stop().await;
    assert_eq!((service.connected.len(), service.disconnected.len()), (2, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peer_that_does_not_read_is_closed() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut good = server.join().await;
    let mut deaf = server.join().await;
    deaf.send(*b"flood").await.unwrap();
    // The flooding connection is slowed, and does not block other connections.
    let flood = tokio::spawn(async move {
        while deaf.send(vec![3; 1_000]).await.is_ok() {}
        deaf.id()
    });
    for round in 0..100 {
        echo(&mut good, &[round]).await;
    }
    let deaf = flood.await.unwrap();
    let service = server.stop().await;
    assert_eq!(service.disconnected, [deaf]);
}

/// Consecutive calls to all clients. No client that reads is closed, and all receive the first four calls.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_to_all_close_nobody() {
    let server = Server::start(TransportLimits::SERVER, chat()).await;
    let (heard, mut all_heard) = mpsc::unbounded_channel();
    for _ in 0..60 {
        let mut client = server.join().await;
        let heard = heard.clone();
        tokio::spawn(async move {
            while let Ok(Some(packet)) = client.recv().await {
                if packet.len() > 60_000 {
                    let _ = heard.send(());
                }
            }
        });
    }
    let mut loud = server.join().await;
    let call = long_call();
    for _ in 0..40 {
        loud.send(call.clone()).await.unwrap();
    }
    for _ in 0..4 * 60 {
        all_heard.recv().await.unwrap();
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!(server.stop().await.into_handler().left, []);
}

#[tokio::test]
async fn a_close_comes_after_queued_packets() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut socket = server.raw().await;
    socket.send(Message::binary(&b"close"[..])).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Message::binary(vec![8; 20_000]));
    assert_eq!(close_code(&mut socket).await, CloseCode::Normal);
    let service = server.stop().await;
    assert_eq!(service.disconnected, [], "the service knows that it has closed the peer");
}

#[tokio::test]
async fn shutdown_closes_all_in_bounded_time() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut client = server.join().await;
    echo(&mut client, b"hello").await;
    let _half_open = TcpStream::connect(server.address).await.unwrap();
    let _deaf = server.join().await;
    let reader = tokio::spawn(async move { client.recv().await });
    let address = server.address;
    let started = Instant::now();
    let service = server.stop().await;
    assert!(started.elapsed() < Duration::from_secs(7));
    assert_eq!(service.connected.len(), 2);
    let read = timeout(Duration::from_secs(9), reader).await.unwrap().unwrap();
    assert_eq!(read.unwrap(), None, "closed, not lost");
    assert!(TcpStream::connect(address).await.is_err(), "no longer listens");
}

#[tokio::test]
async fn ticks_come_when_they_are_due() {
    let tick_at = Some(Instant::now());
    let server = Server::start(TransportLimits::SERVER, Echo { tick_at, ..Echo::default() }).await;
    sleep(Duration::from_millis(200)).await;
    let ticks = server.stop().await.ticks;
    assert!((5..=41).contains(&ticks), "{ticks} in 200 ms, of one each 5 ms");
}

/// A client that reads answers pings automatically. A client that has vanished is disconnected.
#[tokio::test]
async fn clients_that_vanish_are_disconnected() {
    let mut limits = TransportLimits::SERVER;
    (limits.ping, limits.idle) = (Duration::from_millis(50), Duration::from_millis(400));
    let server = Server::start(limits, Echo::default()).await;
    let vanished = server.raw().await;
    let mut client = server.join().await;
    let client_id = client.id();
    let silence = timeout(Duration::from_secs(1), client.recv()).await;
    assert!(silence.is_err(), "pings are no packets");
    echo(&mut client, b"still here").await;
    client.close().await.unwrap();
    drop(vanished);
    let service = server.stop().await;
    assert_eq!(service.reasons, [Departure::Silent, Departure::Left]);
    assert!(service.measured.contains(&client_id));
}
