//! The example servers, and what peers of every kind can do to them.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may stop"
)]

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::codec::Framed;
use tokio_util::sync::CancellationToken;
use variant_io::VariantCodec;
use variant_owned::{Variant, array, dictionary};
use variant_view::Dialect;

use chopped::Chopped;

#[path = "common/chopped.rs"]
mod chopped;
#[allow(dead_code, reason = "the example has a program around it")]
#[path = "../examples/echo_server.rs"]
mod echo_server;
#[allow(dead_code, reason = "the example has a program around it")]
#[path = "../examples/relay_server.rs"]
mod relay_server;

const PATIENCE: Duration = Duration::from_secs(10);

struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn echo() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        let task = tokio::spawn(echo_server::serve(listener, Dialect::Godot4, stop.clone()));
        Self { address, stop, task }
    }

    async fn relay() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        let task = tokio::spawn(relay_server::serve(listener, Dialect::Godot4, stop.clone()));
        Self { address, stop, task }
    }

    async fn connect(&self) -> Framed<TcpStream, VariantCodec> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        Framed::new(stream, VariantCodec::new(Dialect::Godot4))
    }

    /// It ends by itself.
    async fn stop(self) {
        self.stop.cancel();
        timeout(PATIENCE, self.task).await.unwrap().unwrap().unwrap();
    }
}

async fn next(peer: &mut Framed<TcpStream, VariantCodec>) -> Variant {
    let packet = timeout(PATIENCE, peer.next()).await.unwrap().unwrap().unwrap();
    Variant::from_document(&packet.view()).unwrap()
}

fn greeting() -> Variant {
    dictionary! { "name" => "Åsa", "at" => array![1, 2.5], "none" => Variant::Nil }.into()
}

#[tokio::test]
async fn what_is_sound_comes_back() {
    let server = Server::echo().await;
    let mut peer = server.connect().await;
    for _ in 0..3 {
        peer.send(greeting()).await.unwrap();
        assert_eq!(next(&mut peer).await, greeting());
    }
    // Many at once.
    for i in 0..1000 {
        peer.feed(Variant::from(i)).await.unwrap();
    }
    SinkExt::<Variant>::flush(&mut peer).await.unwrap();
    for i in 0..1000 {
        assert_eq!(next(&mut peer).await, Variant::from(i));
    }
    server.stop().await;
}

/// What a peer may send, after which it is hung up on; the others never notice.
#[tokio::test]
async fn what_is_not_sound_ends_a_peer() {
    let server = Server::echo().await;
    let mut witness = server.connect().await;
    let frames: [&[u8]; 9] = [
        // Lengths 0 to 3, with as many bytes.
        &[0, 0, 0, 0],
        &[1, 0, 0, 0, 2],
        &[2, 0, 0, 0, 2, 0],
        &[3, 0, 0, 0, 2, 0, 0],
        // Garbage.
        &[8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
        // Longer than allowed, and longer than there is memory.
        &[0xfd, 0xff, 0, 0],
        &[0xff, 0xff, 0xff, 0x7f],
        &[0, 0, 0, 0x80],
        &[0xff, 0xff, 0xff, 0xff],
    ];
    for frame in frames {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(frame).await.unwrap();
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
        assert!(answer.is_empty(), "{frame:?}");
        witness.send(greeting()).await.unwrap();
        assert_eq!(next(&mut witness).await, greeting());
    }
    server.stop().await;
}

/// Answers to what was sound before it are sent.
#[tokio::test]
async fn what_was_sound_before_comes_back() {
    let server = Server::echo().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let sound = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    let unsound = [8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4];
    stream.write_all(&[sound, sound, unsound].concat()).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    assert_eq!(answer, sound.repeat(2));
    server.stop().await;
}

/// One byte at a time, half closed, or closed in the middle of a frame.
#[tokio::test]
async fn slow_and_half_closed_peers() {
    let server = Server::echo().await;
    let frame = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    for byte in frame {
        stream.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    assert_eq!(answer, frame);

    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(&frame[..9]).await.unwrap();
    stream.shutdown().await.unwrap();
    answer.clear();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    assert!(answer.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn pieces_of_any_length() {
    for most in [1, 7, 1000] {
        let (ours, theirs) = tokio::io::duplex(64);
        let stop = CancellationToken::new();
        let peer = echo_server::serve_peer(Chopped(theirs, most), Dialect::Godot4, stop);
        let peer = tokio::spawn(peer);
        let mut ours = Framed::new(ours, VariantCodec::new(Dialect::Godot4));
        for _ in 0..20 {
            ours.send(greeting()).await.unwrap();
            let packet = timeout(PATIENCE, ours.next()).await.unwrap().unwrap().unwrap();
            assert_eq!(Variant::from_document(&packet.view()).unwrap(), greeting());
        }
        drop(ours);
        timeout(PATIENCE, peer).await.unwrap().unwrap().unwrap();
    }
}

#[tokio::test]
async fn datagrams() {
    let server = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (server.local_addr().unwrap(), CancellationToken::new());
    let task = tokio::spawn(echo_server::serve_datagrams(server, Dialect::Godot4, stop.clone()));
    let peer = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    peer.connect(address).await.unwrap();
    let seven = [2, 0, 0, 0, 7, 0, 0, 0];
    // What is not sound is not answered, and what is comes back.
    peer.send(&[0xff; 8]).await.unwrap();
    peer.send(&[]).await.unwrap();
    peer.send(&seven).await.unwrap();
    let mut answer = [0; 64];
    let len = timeout(PATIENCE, peer.recv(&mut answer)).await.unwrap().unwrap();
    assert_eq!(answer[..len], seven);
    stop.cancel();
    timeout(PATIENCE, task).await.unwrap().unwrap();
}

#[tokio::test]
async fn packets_are_passed_on() {
    let server = Server::relay().await;
    let join = |name: &str| Variant::from(dictionary! { "join" => name });
    let (mut ann, mut bob) = (server.connect().await, server.connect().await);
    ann.send(join("ann")).await.unwrap();
    bob.send(join("bob")).await.unwrap();
    // The server may not have heard of both yet.
    let body = || dictionary! { "to" => "ann", "body" => greeting(), "more" => 1 };
    let answer = loop {
        bob.send(Variant::from(body())).await.unwrap();
        if let Ok(Some(packet)) = timeout(Duration::from_millis(200), ann.next()).await {
            break Variant::from_document(&packet.unwrap().view()).unwrap();
        }
    };
    assert_eq!(answer, greeting());
    // Nobody is there of that name; a name is taken; nobody is named.
    bob.send(Variant::from(dictionary! { "to" => "eve", "body" => 1 })).await.unwrap();
    for bad in [join("ann"), Variant::from(7), Variant::from(dictionary! { "to" => "ann" })] {
        let mut other = server.connect().await;
        other.send(bad).await.unwrap();
        assert!(timeout(PATIENCE, other.next()).await.unwrap().is_none());
    }
    bob.send(Variant::from(dictionary! { "to" => "ann", "body" => 8 })).await.unwrap();
    loop {
        let answer = next(&mut ann).await;
        if answer == 8 {
            break;
        }
        assert_eq!(answer, greeting());
    }
    server.stop().await;
}

/// What was taken from one peer before the end gets to another that is slow, more than sockets hold.
#[tokio::test]
async fn what_waits_is_given_before_the_end() {
    const COUNT: i32 = 250;
    let server = Server::relay().await;
    let (mut ann, mut bob) = (server.connect().await, server.connect().await);
    for (peer, name) in [(&mut ann, "ann"), (&mut bob, "bob")] {
        peer.send(Variant::from(dictionary! { "join" => name })).await.unwrap();
        // What it sends to itself tells that it has joined.
        peer.send(Variant::from(dictionary! { "to" => name, "body" => name })).await.unwrap();
        assert_eq!(next(peer).await, name);
    }
    for number in 0..COUNT {
        let body = array![number, Variant::PackedByteArray(vec![0; 60_000])];
        bob.send(Variant::from(dictionary! { "to" => "ann", "body" => body })).await.unwrap();
    }
    bob.send(Variant::from(dictionary! { "to" => "bob", "body" => "all" })).await.unwrap();
    assert_eq!(next(&mut bob).await, "all");
    let reading = async {
        for number in 0..COUNT {
            let packet = next(&mut ann).await;
            assert_eq!(packet.as_array().and_then(|array| array.get(0)), Some(&number.into()));
        }
        assert!(timeout(PATIENCE, ann.next()).await.unwrap().is_none());
        drop((ann, bob));
    };
    tokio::join!(server.stop(), reading);
}
