//! Datagrams that no engine sends.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::net::UdpSocket;
use tokio::time::{sleep, timeout};
use variant_multiplayer::TransferMode::{Reliable, Unreliable, UnreliableOrdered};
use variant_multiplayer::enet::Client;
use variant_multiplayer::{Delivery, PeerId, TransportLimits};
use variant_testkit::corpus;
use variant_testkit::mutate::mutate;
use variant_testkit::random::Random;

use super::{CONNECT, Echo, Server, echo, hex};

/// All datagrams of a session of engines.
fn seeds() -> Vec<Vec<u8>> {
    let file = corpus::bytes("multiplayer/enet-main.datagrams.jsonl").unwrap();
    let text = str::from_utf8(&file).unwrap();
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    records.map(|record: serde_json::Value| hex(record["hex"].as_str().unwrap())).collect()
}

/// A fragment of one byte claims to be a whole packet of 1,000 bytes. The guard (`src/enet/guard.rs`) drops it.
/// Otherwise the service would get 999 uninitialised bytes.
#[tokio::test]
async fn fragments_with_gaps_are_dropped() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    socket.connect(server.address).await.unwrap();
    socket.send(&hex(CONNECT)).await.unwrap();
    let mut answer = [0; 64];
    assert_eq!(socket.recv(&mut answer).await.unwrap(), 48, "VERIFY_CONNECT");
    // The client's peer id in the ENet host, and its session id. All datagrams of the client contain both.
    let head = [0x80 | answer[11] << 4 | answer[8], answer[9], 0, 1];
    let ack = [&head[..], &hex("01ff00010001"), &answer[2..4]].concat();
    socket.send(&ack).await.unwrap();
    // The only fragment of a packet of 1,000 bytes, with one byte. A complete packet of one byte follows.
    let gap = "88000001000100010000000100000000000003e80000000007";
    let whole = "8800000100010001000000010000000000000001000000002a";
    for _ in 0..5 {
        socket.send(&[&head[..], &hex(gap)].concat()).await.unwrap();
        sleep(Duration::from_millis(10)).await;
    }
    socket.send(&[&head[..], &hex(whole)].concat()).await.unwrap();
    sleep(Duration::from_millis(500)).await;
    let service = server.stop().await;
    assert_eq!(service.connected.len(), 1);
    assert_eq!(service.received, [1]);
}

fn damage(random: &mut Random, datagram: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        mutate(random, datagram);
    }
    datagram.truncate(4_096);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_datagrams_do_no_harm() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
    let mut good = server.join(2).await;
    let address = server.address;
    let noise = tokio::spawn(async move {
        let seeds = seeds();
        let mut random = Random::new(0x1234_5678_9ABC_DEF1);
        let sockets = [(); 8].map(|()| std::net::UdpSocket::bind("127.0.0.1:0").unwrap());
        for round in 0..20_000 {
            let mut datagram = seeds[random.below(seeds.len())].clone();
            if round % 4 == 0 {
                let len = random.below(64);
                datagram = random.bytes(len);
            }
            damage(&mut random, &mut datagram);
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
}

/// Clients whose datagrams are changed on the way. `ENet` assigns these datagrams to a known peer, so they reach code
/// that random bytes do not reach.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mutated_connections_do_no_harm() {
    let server = Server::start(TransportLimits::SERVER, Echo::default()).await;
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
}

/// Sends all kinds of packets through a relay that changes some datagrams.
async fn mutated_client(server: SocketAddr, number: u8, until: Instant) {
    let mut random = Random::new(0x9E37_79B9 + u64::from(number));
    while Instant::now() < until {
        let front = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let back = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let relay_address = front.local_addr().unwrap();
        let mut relay_random = random.clone();
        random.byte();
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
                            damage(&mut relay_random, &mut datagram);
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
