//! Load test of the echo server: many peers with many packets in flight. Prints throughput, and compares every received
//! byte.
//!
//! ```sh
//! cargo run --release -p variant-io --features tokio --example load -- 1000 2000 50
//! ```
//!
//! The arguments: 1,000 connections, 2,000 packets each, 50 in flight. Server and peers share this process and the
//! loopback interface. The processor time of a packet includes both sides.

use std::env;
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::codec::Framed;
use tokio_util::sync::CancellationToken;
use variant_io::VariantCodec;
use variant_owned::{array, dictionary, encode};
use variant_view::Dialect;

#[allow(dead_code, reason = "the example has a program around it")]
#[path = "echo_server.rs"]
mod echo_server;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// The time limit of the whole test.
const PATIENCE: Duration = Duration::from_secs(600);

#[tokio::main]
async fn main() -> Outcome {
    let mut numbers = env::args().skip(1).map(|number| number.parse::<u64>());
    let mut number = |otherwise| numbers.next().unwrap_or(Ok(otherwise));
    let (connections, packets, ahead) = (number(1000)?, number(2000)?, number(50)?);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let stop = CancellationToken::new();
    let server = tokio::spawn(echo_server::serve(listener, Dialect::Godot4, stop.clone()));

    let (started, processor) = (Instant::now(), processor_time()?);
    let mut peers = JoinSet::new();
    for number in 0..connections {
        peers.spawn(peer(TcpStream::connect(address).await?, number, packets, ahead));
    }
    let mut bytes = 0_u64;
    timeout(PATIENCE, async {
        while let Some(peer) = peers.join_next().await {
            bytes = bytes.saturating_add(peer??);
        }
        Outcome::Ok(())
    })
    .await??;
    let (took, processor) = (started.elapsed(), processor_time()?.saturating_sub(processor));
    stop.cancel();
    server.await??;

    let all = connections.saturating_mul(packets);
    let second = Duration::from_secs(1);
    println!("{connections} connections, {all} packets, {bytes} bytes, all of which came back");
    println!("{:.0} packets a second", rate(all, took));
    println!(
        "{:.2} us of processor time a packet",
        second.as_secs_f64() / rate(all, processor) * 1e6
    );
    Ok(())
}

fn rate(count: u64, time: Duration) -> f64 {
    // The conversion is exact for numbers below 2^53.
    #[expect(
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "the number is only printed"
    )]
    let count = count as f64;
    count / time.as_secs_f64().max(1e-9)
}

/// Sends packets with at most `ahead` in flight, and compares the answers. Returns the number of bytes received.
async fn peer(stream: TcpStream, number: u64, packets: u64, ahead: u64) -> Outcome<u64> {
    stream.set_nodelay(true)?;
    let mut stream = Framed::new(stream, VariantCodec::new(Dialect::Godot4));
    let bytes = |packet: u64| {
        let value = dictionary! {
            "from" => i64::try_from(number).unwrap_or(0),
            "number" => i64::try_from(packet).unwrap_or(0),
            "at" => array![1.5, -2.5, 0.25],
            "name" => "a packet such as games send",
        };
        encode(&value.into(), Dialect::Godot4)
    };
    let (mut sent, mut total) = (0, 0_u64);
    for packet in 0..packets {
        // Refills in batches of at least half of `ahead`.
        if sent < packets && sent.saturating_sub(packet) <= ahead / 2 {
            let until = packet.saturating_add(ahead).min(packets);
            for next in sent..until {
                stream.feed(&*bytes(next)?).await?;
            }
            sent = sent.max(until);
            SinkExt::<&[u8]>::flush(&mut stream).await?;
        }
        let answer = stream.next().await.ok_or("the server closed the connection")??;
        if answer != bytes(packet)? {
            return Err(format!("packet {packet} of peer {number} came back changed").into());
        }
        total = total.saturating_add(answer.len().try_into()?);
    }
    Ok(total)
}

fn processor_time() -> Outcome<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no name")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks: u64 = ticks.collect::<Result<Vec<_>, _>>()?.into_iter().sum();
    // Linux reports processor time in ticks of 10 ms on every machine.
    Ok(Duration::from_millis(ticks.saturating_mul(10)))
}
