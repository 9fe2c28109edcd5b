//! Several transports with one service: numbers, messages of other tasks, streams that the program accepts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::missing_panics_doc)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(all(feature = "serde", feature = "tracing"))]
mod lobby;
mod orders;

use std::future::{pending, ready};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use common::{Echo, Server};
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::{PrivatePkcs8KeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use variant_multiplayer::server::{
    self, Call, CallResult, Handler, Method, Network, Node, ServerOptions,
};
use variant_multiplayer::{
    Delivery, Departure, Driver, NodeRef, Packet, PeerId, RpcTable, RpcWriter, Target,
    TransportLimits, enet, websocket,
};

/// A call of `say`, and a message of another task, reach all clients.
struct Chat;

impl Handler for Chat {
    type Event = &'static str;

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        let (text,): (&str,) = call.arguments.decode()?;
        Ok(network.rpc(Target::All, "World", "said", &(call.from.get(), text))?)
    }

    fn event(&mut self, event: &'static str, network: &mut Network) {
        network.rpc(Target::All, "World", "said", &(1, event)).unwrap();
    }
}

fn chat() -> server::Server<Chat> {
    let world =
        Node::new("World").method("say", Method::ANY_PEER).method("said", Method::AUTHORITY);
    server::Server::new(Chat, ServerOptions::default(), [world])
}

/// The text of a call of `said`, and the number of its author.
fn said(packet: &[u8]) -> Option<(i32, String)> {
    match Packet::parse(packet).unwrap().message {
        variant_multiplayer::Message::Rpc(rpc) => Some(rpc.arguments.decode().unwrap()),
        _ => None,
    }
}

fn say(text: &str) -> Vec<u8> {
    let (mut call, say) = (Vec::new(), RpcTable::new(["say", "said"]).id("say").unwrap());
    RpcWriter::new(NodeRef::Path("World"), say, &mut call).string(text).finish().unwrap();
    call
}

async fn hear_by_websocket(client: &mut websocket::Client) -> (i32, String) {
    loop {
        let packet = timeout(Duration::from_secs(20), client.recv()).await.unwrap();
        if let Some(heard) = said(&packet.unwrap().unwrap()) {
            return heard;
        }
    }
}

async fn hear_by_enet(client: &mut enet::Client) -> (i32, String) {
    loop {
        let (packet, _) = timeout(Duration::from_secs(20), client.recv()).await.unwrap().unwrap();
        if let Some(heard) = said(&packet) {
            return heard;
        }
    }
}

#[tokio::test]
async fn clients_of_both_transports_and_other_tasks_meet() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let socket = UdpSocket::bind(address).await.unwrap();
    let (events, inbox) = mpsc::channel(4);
    let driver = Driver::new(chat()).websocket(listener).enet(socket).inbox(inbox);
    let server = Server::run(address, |stopped| async move {
        driver.run(async { drop(stopped.await) }).await.unwrap()
    });
    let mut web = websocket::Client::connect(address, TransportLimits::SERVER).await.unwrap();
    let number = PeerId::client(77).filter(|id| *id != web.id()).unwrap();
    let mut udp = enet::Client::connect(address, number).await.unwrap();
    udp.send(&say("by ENet"), Delivery::RELIABLE).unwrap();
    let heard = (77, "by ENet".to_owned());
    assert_eq!(
        (hear_by_websocket(&mut web).await, hear_by_enet(&mut udp).await),
        (heard.clone(), heard)
    );
    web.send(say("by web")).await.unwrap();
    let heard = (web.id().get(), "by web".to_owned());
    assert_eq!(
        (hear_by_websocket(&mut web).await, hear_by_enet(&mut udp).await),
        (heard.clone(), heard)
    );
    events.send("by a task").await.unwrap();
    let heard = (1, "by a task".to_owned());
    assert_eq!(
        (hear_by_websocket(&mut web).await, hear_by_enet(&mut udp).await),
        (heard.clone(), heard)
    );

    // A number that a peer has over web sockets is refused over ENet.
    let mut thief = enet::Client::connect(address, web.id()).await.unwrap();
    assert_eq!(thief.recv().await, None);
    web.send(say("still here")).await.unwrap();
    assert_eq!(hear_by_websocket(&mut web).await.1, "still here");

    // The server continues after the program has dropped the sender of messages.
    drop(events);
    udp.send(&say("the end"), Delivery::RELIABLE).unwrap();
    assert_eq!(hear_by_websocket(&mut web).await.1, "the end");
    server.stop().await;
    assert_eq!(web.recv().await.unwrap(), None, "closed, not lost");
}

/// A server over streams that the program accepts. `Server::address` is unused.
fn over_streams(limits: TransportLimits) -> (websocket::Acceptor, Server<Echo>) {
    let (acceptor, source) = websocket::channel();
    let driver = Driver::new(Echo::default()).limits(limits).websocket(source);
    let nobody = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = Server::run(nobody, |stopped| async move {
        driver.run(async { drop(stopped.await) }).await.unwrap()
    });
    (acceptor, server)
}

async fn echo(client: &mut websocket::Client, packet: &[u8]) {
    client.send(packet).await.unwrap();
    let answer = timeout(Duration::from_secs(20), client.recv()).await.unwrap();
    assert_eq!(answer.unwrap().as_deref(), Some(packet));
}

/// A server's configuration with a new certificate, and a configuration of a client that trusts the certificate.
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

#[tokio::test]
async fn clients_join_over_tls() {
    let (acceptor, server) = over_streams(TransportLimits::SERVER);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (tls, connector) = tls();
    tokio::spawn(async move {
        while let Ok((stream, from)) = listener.accept().await {
            acceptor.accept_later(tls.accept(stream), Some(from)).await.unwrap();
        }
    });
    // A client that does not start its handshake delays no other client.
    let _silent = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TcpStream::connect(address).await.unwrap();
    let stream = connector.connect(name, stream).await.unwrap();
    let mut client =
        websocket::Client::over(stream, "wss://localhost/", TransportLimits::SERVER).await.unwrap();
    echo(&mut client, b"over TLS").await;
    client.close().await.unwrap();
    assert_eq!(server.stop().await.connected.len(), 1);
}

#[tokio::test]
async fn an_upgraded_stream_sends_no_upgrade() {
    let (acceptor, server) = over_streams(TransportLimits::SERVER);
    let (here, there) = duplex(4_096);
    acceptor.accept_upgraded(ready(Ok(there)), None).await.unwrap();
    let mut socket = WebSocketStream::from_raw_socket(here, Role::Client, None).await;
    let Message::Binary(number) = socket.next().await.unwrap().unwrap() else {
        panic!("no number")
    };
    assert_eq!(number.len(), 4);
    assert_eq!(server.stop().await.connected.len(), 1);
}

/// Streams that do not open in time, or fail, are half-open connections. Their number and their time are bounded.
#[tokio::test]
async fn streams_that_do_not_open_are_bounded() {
    let mut limits = TransportLimits::SERVER;
    (limits.peers, limits.handshake) = (1, Duration::from_millis(300));
    let (acceptor, server) = over_streams(limits);
    let never = || pending::<io::Result<DuplexStream>>();
    acceptor.accept_later(never(), None).await.unwrap();
    // The limit is one connection, so the next stream is dropped.
    let (here, there) = duplex(4_096);
    acceptor.accept_upgraded(ready(Ok(there)), None).await.unwrap();
    let mut refused = WebSocketStream::from_raw_socket(here, Role::Client, None).await;
    assert!(refused.next().await.is_none_or(|message| message.is_err()));
    // The next stream is accepted after the time of the handshake.
    let started = Instant::now();
    loop {
        let (here, there) = duplex(4_096);
        acceptor.accept(there, None).await.unwrap();
        let joined = websocket::Client::over(here, "ws://localhost/", TransportLimits::SERVER);
        if let Ok(mut client) = joined.await {
            echo(&mut client, b"at last").await;
            client.close().await.unwrap();
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(20));
    }
    let service = server.stop().await;
    assert_eq!((service.connected.len(), service.disconnected.len()), (1, 1));
    // The driver has ended, so the acceptor returns an error.
    let late = acceptor.accept_later(never(), None).await.unwrap_err();
    assert_eq!(late.kind(), io::ErrorKind::NotConnected);
}

/// A stream that panics after the switch is set.
struct Fragile(DuplexStream, Arc<AtomicBool>);

impl AsyncRead for Fragile {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        assert!(!self.1.load(Ordering::Relaxed), "as the test asks");
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Fragile {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// The server discards the rest of a message above the limit, so the client can send it and then read the close.
#[tokio::test]
async fn the_rest_of_a_long_message_is_read() {
    let (acceptor, server) = over_streams(TransportLimits::SERVER);
    let (here, there) = duplex(4_096);
    acceptor.accept(there, None).await.unwrap();
    let joined = websocket::Client::over(here, "ws://localhost/", TransportLimits::SERVER);
    let mut client = joined.await.unwrap();
    client.send(vec![1; 650_000]).await.unwrap();
    assert_eq!(client.recv().await.unwrap(), None, "closed, not lost");
    assert_eq!(server.stop().await.reasons, [Departure::TooLarge]);
}

/// The limit is one connection. After each stream that fails, the next stream is accepted.
#[tokio::test]
async fn streams_that_fail_or_panic_are_gone() {
    let mut limits = TransportLimits::SERVER;
    limits.peers = 1;
    let (acceptor, server) = over_streams(limits);
    let join = async || {
        let is_broken = Arc::new(AtomicBool::new(false));
        for _ in 0..1_000 {
            let (here, there) = duplex(4_096);
            acceptor.accept(Fragile(there, Arc::clone(&is_broken)), None).await.unwrap();
            let joined = websocket::Client::over(here, "ws://localhost/", TransportLimits::SERVER);
            if let Ok(client) = joined.await {
                return (client, is_broken);
            }
        }
        panic!("the place stays taken");
    };
    let failed = async { Err::<DuplexStream, _>(io::Error::from(io::ErrorKind::InvalidData)) };
    acceptor.accept_later(failed, None).await.unwrap();
    let (mut client, is_broken) = join().await;
    is_broken.store(true, Ordering::Relaxed);
    client.send(*b"read this").await.unwrap();
    let (mut client, _) = join().await;
    echo(&mut client, b"after it").await;
    assert_eq!(server.stop().await.reasons, [Departure::Lost]);
}

#[tokio::test]
async fn limits_are_checked() {
    let mut limits = TransportLimits::SERVER;
    limits.idle = Duration::from_secs(1);
    let driver = Driver::new(Echo::default()).limits(limits);
    let refused = driver.run(ready(())).await.unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
    // A driver without transports waits for its shutdown, which never happens here.
    let never = timeout(Duration::from_millis(20), Driver::new(Echo::default()).run(pending()));
    assert!(never.await.is_err());
}
