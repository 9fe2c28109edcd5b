//! Servers over `ENet` on loopback: the service for valid clients, and the limits for hostile clients.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::missing_panics_doc)]

#[path = "../common/mod.rs"]
mod common;
mod hostile;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use common::{Echo, Server, chat, long_call};
use rusty_enet::{Event, Host, HostSettings};
use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use variant_multiplayer::TransferMode::{Reliable, Unreliable, UnreliableOrdered};
use variant_multiplayer::enet::Client;
use variant_multiplayer::{Delivery, Departure, Driver, PeerId, Service, TransportLimits};
use variant_testkit::corpus;

impl<S: Service<Event = ()> + Send + 'static> Server<S> {
    async fn start(limits: TransportLimits, service: S) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        Self::run(address, |stopped| async move {
            let shutdown = async { drop(stopped.await) };
            Driver::new(service).limits(limits).enet(socket).run(shutdown).await.unwrap()
        })
    }

    async fn join(&self, id: i32) -> Client {
        Client::connect(self.address, PeerId::client(id).unwrap()).await.unwrap()
    }
}

/// ENet drops unreliable packets if answers are slow, as on a busy machine. This function then sends the packet again.
async fn echo(client: &mut Client, packet: &[u8], delivery: Delivery) {
    let received = loop {
        client.send(packet, delivery).unwrap();
        match timeout(Duration::from_secs(5), client.recv()).await {
            Err(_) if delivery.mode != Reliable => {}
            received => break received.expect("no answer"),
        }
    };
    let (bytes, came) = received.expect("the connection is closed");
    assert_eq!((bytes.len(), came), (packet.len(), delivery));
    assert!(bytes == packet);
}

#[tokio::test]
async fn modes_and_channels_are_kept() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut client = server.join(7).await;
    for mode in [Reliable, Unreliable, UnreliableOrdered] {
        for channel in [0, 1, 2, 100, 253] {
            echo(&mut client, &[1, channel], Delivery { mode, channel }).await;
        }
    }
    echo(&mut client, &vec![5; 65_535], Delivery::RELIABLE).await;
    let ordered = Delivery { mode: UnreliableOrdered, channel: 0 };
    echo(&mut client, &vec![6; 20_000], ordered).await;
    client.close().await;
    let service = server.stop().await;
    let id = PeerId::client(7).unwrap();
    assert_eq!((service.connected, service.disconnected), (vec![id], vec![id]));
}

#[tokio::test]
async fn queued_packets_are_sent_before_a_client_closes() {
    let mut limits = TransportLimits::SERVER;
    limits.backlog = 16 << 20;
    let server = Server::start(limits, Echo::default()).await;
    let mut client = server.join(7).await;
    for _ in 0..60 {
        client.send(&vec![5; 60_000], Delivery::RELIABLE).unwrap();
    }
    // The answer ends the close, not the limit of five seconds.
    timeout(Duration::from_millis(4_900), client.close()).await.expect("the server answers");
    let service = server.stop().await;
    assert_eq!((service.received.len(), service.reasons), (60, vec![Departure::Left]));
}

/// A client of `rusty_enet`, without this crate, receives the channels and kinds that are on the wire.
#[tokio::test]
async fn channels_on_the_wire() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let address = server.address;
    let seen = tokio::task::spawn_blocking(move || {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let settings = HostSettings { peer_limit: 1, ..HostSettings::default() };
        let mut host = Host::new(socket, settings).unwrap();
        host.connect(address, 255, 9).unwrap();
        let mut seen = Vec::new();
        let until = Instant::now() + Duration::from_secs(10);
        while seen.len() < 4 && Instant::now() < until {
            match host.service().unwrap() {
                Some(Event::Connect { peer, .. }) => {
                    let reliable = rusty_enet::Packet::reliable(&b"r"[..]);
                    let unsequenced = rusty_enet::Packet::always_unreliable_unsequenced(&b"u"[..]);
                    peer.send(0, &reliable).unwrap();
                    // For packets of every kind, ENet's channels 0 and 1 are both channel 0 of the engine.
                    peer.send(1, &reliable).unwrap();
                    peer.send(1, &unsequenced).unwrap();
                    peer.send(4, &reliable).unwrap();
                }
                Some(Event::Receive { channel_id, packet, .. }) => {
                    seen.push((channel_id, packet.data().to_vec()));
                }
                Some(Event::Disconnect { .. }) => break,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        seen.sort();
        seen
    });
    let expected = [(0, b"r"), (0, b"r"), (1, b"u"), (4, b"r")];
    assert_eq!(seen.await.unwrap(), expected.map(|(at, bytes)| (at, bytes.to_vec())));
    server.stop().await;
}

/// Each client has a socket. The server has one socket for all clients. Datagrams wait in this socket while the server
/// is busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clients_at_once() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let clients: Vec<_> = (0..200_u8)
        .map(|number| {
            let (address, id) = (server.address, PeerId::client(100 + i32::from(number)));
            tokio::spawn(async move {
                let mut client = Client::connect(address, id.unwrap()).await.unwrap();
                for round in 0..5 {
                    echo(&mut client, &[number, round], Delivery::RELIABLE).await;
                }
                client.close().await;
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let service = server.stop().await;
    assert_eq!((service.received.len(), service.connected.len()), (1_000, 200));
}

/// The server runs on the thread of this test, so it reads nothing while the test sends datagrams. No datagram that the
/// system can buffer is dropped.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn datagrams_wait_for_a_busy_server() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut client = server.join(2).await;
    echo(&mut client, b"it runs", Delivery::RELIABLE).await;
    let allowed = std::fs::read_to_string("/proc/sys/net/core/rmem_max").unwrap();
    let kept = allowed.trim().parse::<usize>().unwrap().min(4 << 20) / 1_024;
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    for _ in 0..kept {
        socket.send_to(&[0; 64], server.address).unwrap();
    }
    assert_eq!(drops(server.address), 0, "of {kept} datagrams");
    echo(&mut client, b"still here", Delivery::RELIABLE).await;
    server.stop().await;
}

/// The datagrams that the system has dropped at a socket.
#[cfg(target_os = "linux")]
fn drops(address: SocketAddr) -> usize {
    let sockets = std::fs::read_to_string("/proc/net/udp").unwrap();
    let port = format!(":{:04X} ", address.port());
    let socket = sockets.lines().find(|line| line.contains(&port)).unwrap();
    socket.split_whitespace().last().unwrap().parse().unwrap()
}

#[tokio::test]
async fn ids_in_use_and_of_nobody_are_refused() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut first = server.join(5).await;
    let mut second = server.join(5).await;
    assert_eq!(second.recv().await, None);
    echo(&mut first, b"still here", Delivery::RELIABLE).await;
    let address = server.address;
    for data in [0, 1, 0x8000_0000, u32::MAX] {
        let refused = tokio::task::spawn_blocking(move || refused(address, data));
        assert!(refused.await.unwrap(), "{data}");
    }
    first.close().await;
    // The number can be reused.
    let mut third = server.join(5).await;
    echo(&mut third, b"hello", Delivery::RELIABLE).await;
    let service = server.stop().await;
    assert_eq!(service.connected.len(), 2, "the service never hears of those refused");
    assert_eq!(service.disconnected.len(), 1);
}

/// Whether a server disconnects a client that connects with this number.
fn refused(address: SocketAddr, data: u32) -> bool {
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut host =
        Host::new(socket, HostSettings { peer_limit: 1, ..HostSettings::default() }).unwrap();
    host.connect(address, 255, data).unwrap();
    let until = Instant::now() + Duration::from_secs(3);
    while Instant::now() < until {
        match host.service().unwrap() {
            Some(Event::Disconnect { .. }) => return true,
            Some(_) => {}
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    false
}

#[tokio::test]
async fn oversize_is_for_what_is_received() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut good = server.join(2).await;
    good.send(b"large", Delivery::RELIABLE).unwrap();
    assert_eq!(good.recv().await.unwrap().0.len(), 100_000);
    let mut bad = server.join(3).await;
    bad.send(&vec![1; 65_536], Delivery::RELIABLE).unwrap();
    assert_eq!(bad.recv().await, None);
    echo(&mut good, b"still here", Delivery::RELIABLE).await;
    let service = server.stop().await;
    assert_eq!(service.disconnected, [PeerId::client(3).unwrap()]);
}

#[tokio::test]
async fn half_open_connections_count_and_end() {
    let mut limits = TransportLimits::SERVER;
    limits.peers = 4;
    limits.handshake = Duration::from_millis(500);
    let server = Server::start(limits, Echo::default()).await;
    let mut good = server.join(2).await;
    let mut sockets = Vec::new();
    for _ in 0..8 {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        socket.send_to(&hex(CONNECT), server.address).await.unwrap();
        sockets.push(socket);
    }
    echo(&mut good, b"served meanwhile", Delivery::RELIABLE).await;
    // ENet repeats the connection request of this client. So the client is admitted as soon as a half-open connection
    // has ended.
    let mut late = server.join(3).await;
    echo(&mut late, b"hello", Delivery::RELIABLE).await;
    let service = server.stop().await;
    assert_eq!((service.connected.len(), service.disconnected.len()), (2, 0));
}

#[tokio::test]
async fn peer_that_does_not_acknowledge_is_closed() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut good = server.join(2).await;
    let mut deaf = server.join(3).await;
    deaf.send(b"flood", Delivery::RELIABLE).unwrap();
    for round in 0..100 {
        echo(&mut good, &[round], Delivery::RELIABLE).await;
    }
    let gone = server.join(4).await;
    let lost = gone.id();
    // The port is now closed. The system reports this to the server at each datagram.
    drop(gone);
    for round in 0..100 {
        echo(&mut good, &[round], Delivery::RELIABLE).await;
        sleep(Duration::from_millis(5)).await;
    }
    let service = server.stop().await;
    // On a busy machine, ENet may consider the other client lost by now.
    assert_eq!(service.disconnected.first(), Some(&deaf.id()));
    assert!(service.disconnected.iter().all(|id| [deaf.id(), lost].contains(id)));
}

/// Consecutive calls to all clients. No client that acknowledges is closed, and all receive packets.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_to_all_close_nobody() {
    let server = Server::start(TransportLimits::SERVER, chat()).await;
    let (heard, mut all_heard) = mpsc::unbounded_channel();
    for id in 0..60 {
        let mut client = server.join(100 + id).await;
        let heard = heard.clone();
        tokio::spawn(async move {
            while let Some((packet, _)) = client.recv().await {
                if packet.len() > 60_000 {
                    let _ = heard.send(id);
                }
            }
        });
    }
    let mut loud = server.join(2).await;
    let call = long_call();
    for _ in 0..40 {
        loud.send(&call, Delivery::RELIABLE).unwrap();
    }
    // The loud client also acknowledges.
    tokio::spawn(async move { while loud.recv().await.is_some() {} });
    let mut ids = BTreeSet::new();
    while ids.len() < 60 {
        ids.insert(all_heard.recv().await.unwrap());
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!(server.stop().await.into_handler().left, []);
}

#[tokio::test]
async fn a_close_comes_after_queued_packets() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut client = server.join(2).await;
    client.send(b"close", Delivery::RELIABLE).unwrap();
    assert_eq!(client.recv().await.unwrap().0, vec![8; 20_000]);
    assert_eq!(client.recv().await, None);
    let mut other = server.join(3).await;
    echo(&mut other, b"hello", Delivery::RELIABLE).await;
    let reader = tokio::spawn(async move { other.recv().await });
    let _deaf = server.join(4).await;
    let started = Instant::now();
    let service = server.stop().await;
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(service.disconnected, [], "the service knows that it has closed the peer");
    assert_eq!(timeout(Duration::from_secs(9), reader).await.unwrap().unwrap(), None);
}

/// The server's answers arrive while the client still sends.
#[tokio::test]
async fn a_close_of_a_client_comes_after_its_packets() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut client = server.join(2).await;
    for number in 0..20 {
        client.send(&vec![number; 30_000], Delivery::RELIABLE).unwrap();
    }
    client.close().await;
    let service = server.stop().await;
    assert_eq!(service.received, [30_000; 20]);
    assert_eq!(service.reasons, [Departure::Left]);
}

/// An engine's first datagram.
const CONNECT: &str = "8fff008182ff00010000ffff0000057000010000000000ff0000000000000000000013880000000200\
                       0000023d3e89fd2e768ac0";

fn hex(text: &str) -> Vec<u8> {
    corpus::from_hex(text).unwrap()
}

/// A client that vanishes is disconnected. A client that only waits stays connected, because ENet answers pings
/// automatically.
#[tokio::test]
async fn clients_that_vanish_are_disconnected() {
    let mut limits = TransportLimits::SERVER;
    // The round trips on the loopback are short. So ENet disconnects a silent client already after a sixth of `idle`.
    (limits.ping, limits.idle) = (Duration::from_secs(1), Duration::from_secs(9));
    let server = Server::start(limits, Echo::default()).await;
    let mut client = server.join(7).await;
    let mut vanished = server.join(8).await;
    echo(&mut vanished, b"hello", Delivery::RELIABLE).await;
    // ENet does not run in `vanished` from here on, because nothing polls it. So it neither acknowledges packets nor
    // reports that it leaves.
    let client_id = client.id();
    let silence = timeout(Duration::from_secs(4), client.recv()).await;
    assert!(silence.is_err(), "pings are no packets");
    echo(&mut client, b"still here", Delivery::RELIABLE).await;
    client.close().await;
    let service = server.stop().await;
    assert_eq!(service.disconnected, [8, 7].map(|id| PeerId::client(id).unwrap()));
    assert_eq!(service.reasons, [Departure::Silent, Departure::Left]);
    assert!(service.measured.contains(&client_id));
}

/// A client of one socket has vanished. It does not delay the clients of the other socket.
#[tokio::test]
async fn a_lost_client_does_not_delay_the_end_of_another_socket() {
    let sockets = [UdpSocket::bind("127.0.0.1:0").await, UdpSocket::bind("127.0.0.1:0").await];
    let sockets = sockets.map(Result::unwrap);
    let [first, second] = sockets.each_ref().map(|socket| socket.local_addr().unwrap());
    let [one, other] = sockets;
    let driver = Driver::new(Echo::default()).enet(one).enet(other);
    let server = Server::run(first, |stopped| async move {
        driver.run(async { drop(stopped.await) }).await.unwrap()
    });
    let vanished = Client::connect(first, PeerId::client(7).unwrap()).await.unwrap();
    let mut client = Client::connect(second, PeerId::client(8).unwrap()).await.unwrap();
    echo(&mut client, b"hello", Delivery::RELIABLE).await;
    drop(vanished);
    let closed = tokio::spawn(async move { (client.recv().await, Instant::now()) });
    let service = server.stop().await;
    let ended = Instant::now();
    let (last, at) = timeout(Duration::from_secs(20), closed).await.unwrap().unwrap();
    assert!(last.is_none() && at < ended, "it is closed before the server gives the other up");
    assert_eq!(service.connected.len(), 2);
}
