//! The example servers, with well-behaved and hostile peers.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test may panic"
)]

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::codec::Framed;
use tokio_util::sync::CancellationToken;
use variant_io::VariantCodec;
use variant_owned::{Variant, array, dictionary};
use variant_view::{Dialect, Document};

use chopped::Chopped;
use relay_server::{Peers, Room};

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

    async fn relay(room: Room) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        let task = tokio::spawn(relay_server::serve(listener, Dialect::Godot4, room, stop.clone()));
        Self { address, stop, task }
    }

    async fn connect(&self) -> Framed<TcpStream, VariantCodec> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        Framed::new(stream, VariantCodec::new(Dialect::Godot4))
    }

    /// Stops the server and waits for its end.
    async fn stop(self) {
        self.stop.cancel();
        timeout(PATIENCE, self.task).await.unwrap().unwrap().unwrap();
    }
}

async fn next(peer: &mut Framed<TcpStream, VariantCodec>) -> Variant {
    let packet = timeout(PATIENCE, peer.next()).await.unwrap().unwrap().unwrap();
    value(&packet)
}

fn value(packet: &Bytes) -> Variant {
    Variant::from_document(&Document::new(packet, Dialect::Godot4)).unwrap()
}

fn greeting() -> Variant {
    dictionary! { "name" => "Åsa", "at" => array![1, 2.5], "none" => Variant::Nil }.into()
}

#[tokio::test]
async fn valid_packets_come_back() {
    let server = Server::echo().await;
    let mut peer = server.connect().await;
    for _ in 0..3 {
        peer.send(greeting()).await.unwrap();
        assert_eq!(next(&mut peer).await, greeting());
    }
    for i in 0..1000 {
        peer.feed(Variant::from(i)).await.unwrap();
    }
    SinkExt::<Variant>::flush(&mut peer).await.unwrap();
    for i in 0..1000 {
        assert_eq!(next(&mut peer).await, Variant::from(i));
    }
    server.stop().await;
}

/// Invalid data of one peer closes its connection and does not affect others.
#[tokio::test]
async fn an_invalid_packet_ends_a_peer() {
    let server = Server::echo().await;
    let mut witness = server.connect().await;
    let frames: [&[u8]; 9] = [
        // Lengths 0 to 3, each with that number of bytes.
        &[0, 0, 0, 0],
        &[1, 0, 0, 0, 2],
        &[2, 0, 0, 0, 2, 0],
        &[3, 0, 0, 0, 2, 0, 0],
        // Garbage.
        &[8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
        // A length above the limit, and a length above the available memory.
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

#[tokio::test]
async fn valid_packets_before_an_invalid_one_come_back() {
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

/// A peer sends one byte at a time, closes one direction, or closes in the middle of a frame.
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
            assert_eq!(value(&packet), greeting());
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
    // Invalid datagrams do not get an answer, and valid datagrams come back.
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
    let server = Server::relay(Room::default()).await;
    let join = |name: &str| Variant::from(dictionary! { "join" => name });
    let (mut ann, mut bob) = (server.connect().await, server.connect().await);
    ann.send(join("ann")).await.unwrap();
    bob.send(join("bob")).await.unwrap();
    // The packet is sent until it arrives, since one of the peers may not have joined yet.
    let body = || dictionary! { "to" => "ann", "body" => greeting(), "more" => 1 };
    let answer = loop {
        bob.send(Variant::from(body())).await.unwrap();
        if let Ok(Some(packet)) = timeout(Duration::from_millis(200), ann.next()).await {
            break value(&packet.unwrap());
        }
    };
    assert_eq!(answer, greeting());
    // An unknown name, a taken name, no name.
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

/// Packets from before the shutdown reach a slow peer, even if they exceed the buffers of sockets.
#[tokio::test]
async fn waiting_packets_come_before_the_end() {
    const COUNT: i32 = 250;
    // The limits are large enough for all packets.
    let server = Server::relay(Room { each: 16 << 20, all: 16 << 20 }).await;
    let (mut ann, mut bob) = (server.connect().await, server.connect().await);
    for (peer, name) in [(&mut ann, "ann"), (&mut bob, "bob")] {
        peer.send(Variant::from(dictionary! { "join" => name })).await.unwrap();
        // The peer has joined when it receives a packet that it sent to itself.
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

/// Queues stay within the limits per peer and in total, and free their bytes.
#[tokio::test]
async fn waiting_packets_are_bounded_in_bytes() {
    let peers = Peers::new(Room { each: 1 << 20, all: 3 << 20 });
    let body = Bytes::from(vec![7; 60_000]);
    let send_all = |name: &str| (0..1_000).filter(|_| peers.send(name, &body)).count();
    let mut inboxes: Vec<_> =
        (0..30).map(|number| peers.join(&number.to_string()).unwrap()).collect();
    let sent: Vec<_> = (0..30).map(|number| send_all(&number.to_string())).collect();
    let (each, all) = ((1 << 20) / 60_000, (3 << 20) / 60_000);
    assert_eq!(sent[0], each);
    assert_eq!(sent.iter().sum::<usize>(), all);
    assert_eq!(sent[29], 0, "others have taken all there is");
    // Small packets also count, and their number is limited.
    peers.leave("0");
    drop(inboxes.remove(0));
    let small = Bytes::from_static(&[0; 4]);
    assert_eq!((0..10_000).filter(|_| peers.send("29", &small)).count(), 256);
    // A received packet frees its bytes.
    let taken = inboxes.pop().unwrap().recv().await.unwrap();
    assert_eq!(taken.body, small);
    drop((taken, inboxes));
    (0..30).for_each(|number| peers.leave(&number.to_string()));
    let _inbox = peers.join("0").unwrap();
    assert_eq!(send_all("0"), each);
}

#[tokio::test]
async fn waiting_packets_keep_only_their_bytes() {
    let peers = Peers::new(Room::default());
    let mut inbox = peers.join("ann").unwrap();
    let packet = Bytes::from(vec![7; 60_000]);
    assert!(peers.send("ann", &packet.slice(8..12)));
    assert!(packet.is_unique());
    assert_eq!(inbox.recv().await.unwrap().body, [7; 4][..]);
}

/// A peer that does not read gets the packets that fit into its queue. Other peers are served meanwhile.
#[tokio::test]
async fn a_peer_that_does_not_read_costs_no_more_than_its_room() {
    const COUNT: usize = 400;
    let server = Server::relay(Room { each: 1 << 20, all: 2 << 20 }).await;
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(1 << 12).unwrap();
    let deaf = socket.connect(server.address).await.unwrap();
    let mut deaf = Framed::new(deaf, VariantCodec::new(Dialect::Godot4));
    let mut bob = server.connect().await;
    for (peer, name) in [(&mut deaf, "deaf"), (&mut bob, "bob")] {
        peer.send(Variant::from(dictionary! { "join" => name })).await.unwrap();
        peer.send(Variant::from(dictionary! { "to" => name, "body" => name })).await.unwrap();
        assert_eq!(next(peer).await, name);
    }
    let body = || Variant::PackedByteArray(vec![0; 60_000]);
    for _ in 0..COUNT {
        bob.send(Variant::from(dictionary! { "to" => "deaf", "body" => body() })).await.unwrap();
    }
    bob.send(Variant::from(dictionary! { "to" => "bob", "body" => "served" })).await.unwrap();
    assert_eq!(next(&mut bob).await, "served");
    // The peer `deaf` receives the packets of its queue, and also those that the sockets have buffered.
    drop(bob);
    let reading = async {
        let mut received = 0;
        while let Some(Ok(_)) = timeout(PATIENCE, deaf.next()).await.unwrap() {
            received += 1;
        }
        received
    };
    let ((), received) = tokio::join!(server.stop(), reading);
    assert!((1..COUNT / 2).contains(&received), "{received}");
}
