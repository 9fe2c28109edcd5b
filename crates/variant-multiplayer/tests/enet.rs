//! Servers over `ENet`, on loopback: what clients that behave get, and what others cannot do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::missing_panics_doc)]

use std::collections::VecDeque;
use std::future::Future;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use rusty_enet::{Event, Host, HostSettings};
use tokio::net::UdpSocket;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use variant_multiplayer::TransferMode::{Reliable, Unreliable, UnreliableOrdered};
use variant_multiplayer::enet::{self, Client};
use variant_multiplayer::{Delivery, Input, Output, PeerId, Service, TransportLimits};

/// Sends back what it gets, the way it came. `close` closes the sender behind an answer, `flood` sends ten megabytes,
/// `large` sends more than a packet that is received may have.
#[derive(Debug, Default)]
struct Echo {
    outputs: VecDeque<Output>,
    connected: Vec<PeerId>,
    disconnected: Vec<PeerId>,
    received: usize,
    lengths: Vec<usize>,
}

impl Echo {
    fn send(&mut self, to: PeerId, bytes: &[u8], delivery: Delivery) {
        self.outputs.push_back(Output::Send { to, bytes: bytes.into(), delivery });
    }
}

impl Service for Echo {
    fn handle(&mut self, input: Input<'_>, _: Instant) {
        match input {
            Input::Connected(id) => self.connected.push(id),
            Input::Disconnected(id) => self.disconnected.push(id),
            Input::Received { from, bytes, delivery } => {
                assert!(!bytes.is_empty());
                self.received += 1;
                self.lengths.push(bytes.len());
                match bytes {
                    b"close" => {
                        self.send(from, &vec![8; 20_000], delivery);
                        self.outputs.push_back(Output::Close(from));
                        self.send(from, b"too late", delivery);
                    }
                    b"flood" => (0..10_240).for_each(|_| self.send(from, &[7; 1_024], delivery)),
                    b"large" => self.send(from, &vec![9; 100_000], delivery),
                    _ => self.send(from, bytes, delivery),
                }
            }
            _ => {}
        }
    }

    fn output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }
}

struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Echo>,
}

impl Server {
    async fn start(limits: TransportLimits) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let shutdown = async { drop(stopped.await) };
            enet::serve(socket, Echo::default(), limits, shutdown).await.unwrap()
        });
        Self { address, stop, task }
    }

    async fn stop(self) -> Echo {
        self.stop.send(()).unwrap();
        self.task.await.unwrap()
    }

    async fn join(&self, id: i32) -> Client {
        Client::connect(self.address, PeerId::client(id).unwrap()).await.unwrap()
    }
}

async fn bounded<T>(work: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(30), work).await.expect("the test takes too long")
}

async fn echo(client: &mut Client, packet: &[u8], delivery: Delivery) {
    client.send(packet, delivery).unwrap();
    let (bytes, came) = client.recv().await.expect("the connection is closed");
    assert_eq!((bytes.len(), came), (packet.len(), delivery));
    assert!(bytes == packet);
}

#[tokio::test]
async fn modes_and_channels_are_kept() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
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
    })
    .await;
}

/// The channels and kinds on the wire, seen by a client of the library.
#[tokio::test]
async fn channels_on_the_wire() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
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
                        let unsequenced =
                            rusty_enet::Packet::always_unreliable_unsequenced(&b"u"[..]);
                        peer.send(0, &reliable).unwrap();
                        // Also channel 0 of the engine, whatever the kind.
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
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_clients_at_once() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
        let clients: Vec<_> = (0..50_u8)
            .map(|number| {
                let address = server.address;
                tokio::spawn(async move {
                    let id = PeerId::client(100 + i32::from(number)).unwrap();
                    let mut client = Client::connect(address, id).await.unwrap();
                    for round in 0..40 {
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
        assert_eq!(service.received, 2_000);
        assert_eq!((service.connected.len(), service.disconnected.len()), (50, 50));
    })
    .await;
}

#[tokio::test]
async fn ids_in_use_and_of_nobody_are_refused() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
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
        // The number is free again.
        let mut third = server.join(5).await;
        echo(&mut third, b"hello", Delivery::RELIABLE).await;
        let service = server.stop().await;
        assert_eq!(service.connected.len(), 2, "the service never hears of those refused");
        assert_eq!(service.disconnected.len(), 1);
    })
    .await;
}

/// Whether a server disconnects who connects with this number.
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
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
        let mut good = server.join(2).await;
        good.send(b"large", Delivery::RELIABLE).unwrap();
        assert_eq!(good.recv().await.unwrap().0.len(), 100_000);
        let mut bad = server.join(3).await;
        bad.send(&vec![1; 65_536], Delivery::RELIABLE).unwrap();
        assert_eq!(bad.recv().await, None);
        echo(&mut good, b"still here", Delivery::RELIABLE).await;
        let service = server.stop().await;
        assert_eq!(service.disconnected, [PeerId::client(3).unwrap()]);
    })
    .await;
}

#[tokio::test]
async fn half_open_connections_count_and_end() {
    bounded(async {
        let mut limits = TransportLimits::SERVER;
        limits.peers = 4;
        limits.handshake = Duration::from_millis(500);
        let server = Server::start(limits).await;
        let mut good = server.join(2).await;
        let mut sockets = Vec::new();
        for _ in 0..8 {
            let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
            socket.send_to(&hex(CONNECT), server.address).await.unwrap();
            sockets.push(socket);
        }
        echo(&mut good, b"served meanwhile", Delivery::RELIABLE).await;
        // Comes in when a place is free: ENet asks again.
        let mut late = server.join(3).await;
        echo(&mut late, b"hello", Delivery::RELIABLE).await;
        let service = server.stop().await;
        assert_eq!((service.connected.len(), service.disconnected.len()), (2, 0));
    })
    .await;
}

#[tokio::test]
async fn peer_that_does_not_acknowledge_is_closed() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
        let mut good = server.join(2).await;
        let mut deaf = server.join(3).await;
        deaf.send(b"flood", Delivery::RELIABLE).unwrap();
        for round in 0..100 {
            echo(&mut good, &[round], Delivery::RELIABLE).await;
        }
        let gone = server.join(4).await;
        // Its port is closed from now on, which the system tells the server at each datagram.
        drop(gone);
        for round in 0..100 {
            echo(&mut good, &[round], Delivery::RELIABLE).await;
            sleep(Duration::from_millis(5)).await;
        }
        let service = server.stop().await;
        assert_eq!(service.disconnected, [deaf.id()]);
    })
    .await;
}

#[tokio::test]
async fn closes_behind_what_is_queued() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
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
        assert_eq!(reader.await.unwrap(), None);
    })
    .await;
}

/// An engine's first datagram.
const CONNECT: &str = "8fff008182ff00010000ffff0000057000010000000000ff0000000000000000000013880000000200\
                       0000023d3e89fd2e768ac0";

/// All datagrams of a session of engines.
fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/multiplayer");
    let text = std::fs::read_to_string(format!("{folder}/enet-main.datagrams.jsonl")).unwrap();
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    records.map(|record: serde_json::Value| hex(record["hex"].as_str().unwrap())).collect()
}

fn hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks_exact(2);
    digits.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Without the guard, the service gets 1,000 bytes of which 999 were never written.
#[tokio::test]
async fn fragments_with_gaps_are_dropped() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        socket.connect(server.address).await.unwrap();
        socket.send(&hex(CONNECT)).await.unwrap();
        let mut answer = [0; 64];
        assert_eq!(socket.recv(&mut answer).await.unwrap(), 48, "VERIFY_CONNECT");
        // The place and the session of the client, which all its datagrams name.
        let head = [0x80 | answer[11] << 4 | answer[8], answer[9], 0, 1];
        let ack = [&head[..], &hex("01ff00010001"), &answer[2..4]].concat();
        socket.send(&ack).await.unwrap();
        // One fragment of one, at 0 of 1,000 bytes, with one byte. Then the same that is whole.
        let gap = "88000001000100010000000100000000000003e80000000007";
        let whole = "8800000100010001000000010000000000000001000000002a";
        for _ in 0..5 {
            socket.send(&[&head[..], &hex(gap)].concat()).await.unwrap();
            sleep(Duration::from_millis(10)).await;
        }
        socket.send(&[&head[..], &hex(whole)].concat()).await.unwrap();
        sleep(Duration::from_millis(100)).await;
        let service = server.stop().await;
        assert_eq!(service.connected.len(), 1);
        assert_eq!(service.lengths, [1]);
    })
    .await;
}

/// Numbers at random, the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 1).unwrap() % bound
    }

    fn mutate(&mut self, datagram: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(datagram.len().max(1));
            match self.below(5) {
                0 => datagram.truncate(at),
                1 => datagram.extend_from_within(at.min(datagram.len())..),
                2 => datagram.push(self.next().to_le_bytes()[0]),
                _ if at < datagram.len() => datagram[at] = self.next().to_le_bytes()[1],
                _ => {}
            }
            datagram.truncate(4_096);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_datagrams_do_no_harm() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
        let mut good = server.join(2).await;
        let address = server.address;
        let noise = tokio::spawn(async move {
            let seeds = seeds();
            let mut random = Random(0x1234_5678_9ABC_DEF1);
            let sockets = [(); 8].map(|()| std::net::UdpSocket::bind("127.0.0.1:0").unwrap());
            for round in 0..20_000 {
                let mut datagram = seeds[random.below(seeds.len())].clone();
                if round % 4 == 0 {
                    datagram =
                        (0..random.below(64)).map(|_| random.next().to_le_bytes()[0]).collect();
                }
                random.mutate(&mut datagram);
                let _ = sockets[random.below(8)].send_to(&datagram, address);
                if round % 64 == 0 {
                    sleep(Duration::from_millis(1)).await;
                }
            }
        });
        for round in 0..200_u8 {
            echo(&mut good, &[round], Delivery::RELIABLE).await;
        }
        noise.await.unwrap();
        echo(&mut good, b"still here", Delivery::RELIABLE).await;
        server.stop().await;
    })
    .await;
}

/// Clients whose datagrams are changed on the way: `ENet` takes them for those of a peer that it knows, so that they get
/// further than noise does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutated_connections_do_no_harm() {
    bounded(async {
        let server = Server::start(TransportLimits::SERVER).await;
        let mut good = server.join(2).await;
        let address = server.address;
        let until = Instant::now() + Duration::from_secs(5);
        let hostile: Vec<_> =
            (0..4_u8).map(|number| tokio::spawn(mutated_client(address, number, until))).collect();
        while Instant::now() < until {
            echo(&mut good, b"served meanwhile", Delivery::RELIABLE).await;
            sleep(Duration::from_millis(5)).await;
        }
        for hostile in hostile {
            hostile.await.unwrap();
        }
        echo(&mut good, b"still here", Delivery::RELIABLE).await;
        let service = server.stop().await;
        assert!(service.connected.len() > 4, "{}", service.connected.len());
    })
    .await;
}

/// Sends all kinds of packets through a relay that changes some.
async fn mutated_client(server: SocketAddr, number: u8, until: Instant) {
    let mut random = Random(0x9E37_79B9 + u64::from(number));
    while Instant::now() < until {
        let front = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let back = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let relay_address = front.local_addr().unwrap();
        let mut relay_random = Random(random.next() | 1);
        let relay = tokio::spawn(async move {
            let (mut there, mut here) = ([0; 4_096], [0; 4_096]);
            let mut client = None;
            let mut count = 0;
            loop {
                tokio::select! {
                    Ok((length, from)) = front.recv_from(&mut there) => {
                        client = Some(from);
                        count += 1;
                        let mut datagram = there[..length].to_vec();
                        if count > 3 && relay_random.below(3) == 0 {
                            let _ = back.send_to(&datagram, server).await;
                            relay_random.mutate(&mut datagram);
                        }
                        let _ = back.send_to(&datagram, server).await;
                    }
                    Ok((length, _)) = back.recv_from(&mut here) => {
                        if let Some(client) = client {
                            let _ = front.send_to(&here[..length], client).await;
                        }
                    }
                }
            }
        });
        let id = i32::try_from(random.below(1 << 30)).unwrap() + 10;
        let connected = Client::connect(relay_address, PeerId::client(id).unwrap()).await;
        if let Ok(mut client) = connected {
            let end = Instant::now() + Duration::from_millis(400);
            while Instant::now() < end.min(until) {
                let mode = [Reliable, Unreliable, UnreliableOrdered][random.below(3)];
                let channel = u8::try_from(random.below(5)).unwrap();
                let most = [30, 30, 3_000, 30_000][random.below(4)];
                let packet = vec![3; 1 + random.below(most)];
                if client.send(&packet, Delivery { mode, channel }).is_err() {
                    break;
                }
                let _ = timeout(Duration::from_millis(3), client.recv()).await;
            }
        }
        relay.abort();
    }
}
