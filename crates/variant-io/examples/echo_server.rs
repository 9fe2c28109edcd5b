//! Echoes valid values over TCP and UDP on one port: `StreamPeerTCP.put_var`, `PacketPeerStream`, `PacketPeerUDP`.
//!
//! ```sh
//! cargo run --release -p variant-io --features tokio --example echo_server -- 127.0.0.1:4242 godot3
//! ```
//!
//! The example has what a public server needs: limits for frames, values, time and the number of peers, and a graceful
//! shutdown by Ctrl-C.

use std::env;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::codec::Framed;
use tokio_util::sync::CancellationToken;
use variant_io::{ByteOrder, VariantCodec, frames};
use variant_view::{Dialect, Document, Options};

/// The longest frame in bytes. The engine's `PacketPeerStream` receives at most 65,531 bytes, and the length of a value
/// is a multiple of 4.
const MAX_FRAME: u32 = 65_528;
/// The time after which a peer that neither sends nor reads is disconnected.
const IDLE: Duration = Duration::from_secs(30);
/// The time that running tasks get after Ctrl-C.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum number of peers at once. Further connections wait.
const PEERS: usize = 10_000;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4242".to_owned());
    let dialect = arguments.next().map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let tcp = TcpListener::bind(&address).await?;
    let udp = UdpSocket::bind(&address).await?;
    println!("{address}: {dialect}, TCP and UDP; Ctrl-C ends it");

    let stop = CancellationToken::new();
    tokio::spawn(serve_datagrams(udp, dialect, stop.clone()));
    let server = tokio::spawn(serve(tcp, dialect, stop.clone()));
    tokio::signal::ctrl_c().await?;
    stop.cancel();
    server.await??;
    Ok(())
}

/// Serves peers until `stop`, then waits for the connected ones.
pub(crate) async fn serve(
    listener: TcpListener,
    dialect: Dialect,
    stop: CancellationToken,
) -> io::Result<()> {
    let slots = Arc::new(Semaphore::new(PEERS));
    let mut peers = JoinSet::new();
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            () = stop.cancelled() => break,
            next = next => next,
        };
        // Frees the tasks of disconnected peers.
        while peers.try_join_next().is_some() {}
        match accepted {
            Ok((stream, address)) => {
                let stop = stop.clone();
                peers.spawn(async move {
                    let outcome = match stream.set_nodelay(true) {
                        Ok(()) => serve_peer(stream, dialect, stop).await,
                        Err(error) => Err(error.into()),
                    };
                    if let Err(error) = outcome {
                        eprintln!("{address}: {error}");
                    }
                    drop(slot);
                });
            }
            // An error, such as too many open files, does not end the server: later connections may succeed.
            Err(error) => {
                eprintln!("cannot accept: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    let _ = timeout(GRACE, async { while peers.join_next().await.is_some() {} }).await;
    peers.shutdown().await;
    Ok(())
}

/// Echoes the packets of one peer.
///
/// # Errors
/// A frame that is cut or above `MAX_FRAME`, an invalid value, or a peer slower than `IDLE`. Each ends the connection.
pub(crate) async fn serve_peer(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    dialect: Dialect,
    stop: CancellationToken,
) -> Outcome {
    let mut peer = Framed::new(stream, VariantCodec::server(dialect).max_in(MAX_FRAME));
    let outcome = answer(&mut peer, dialect, stop).await;
    // Answers before the error are still sent.
    timeout(GRACE, SinkExt::<Bytes>::flush(&mut peer)).await??;
    outcome
}

async fn answer<S: AsyncRead + AsyncWrite + Unpin>(
    peer: &mut Framed<S, VariantCodec>,
    dialect: Dialect,
    stop: CancellationToken,
) -> Outcome {
    loop {
        let received = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            received = timeout(IDLE, peer.next()) => received?,
        };
        let Some(packet) = received.transpose()? else { return Ok(()) };
        Document::new(&packet, Options::server(dialect)).validate()?;
        timeout(IDLE, peer.feed(packet)).await??;
        // Flushes only after the last complete frame of the buffer, so that answers leave together.
        let mut waiting = frames(peer.read_buffer(), ByteOrder::Little);
        if waiting.next().is_none_or(|frame| frame.is_err()) {
            timeout(IDLE, SinkExt::<Bytes>::flush(peer)).await??;
        }
    }
}

/// Echoes valid datagrams. Others are dropped silently, because their sender address may be forged.
pub(crate) async fn serve_datagrams(socket: UdpSocket, dialect: Dialect, stop: CancellationToken) {
    let options = Options::server(dialect);
    let mut buffer = vec![0; 65_536];
    loop {
        let received = tokio::select! {
            () = stop.cancelled() => return,
            received = socket.recv_from(&mut buffer) => received,
        };
        // An error of `recv_from` is ignored, because it may only report that an earlier answer was not delivered.
        let Ok((len, address)) = received else { continue };
        let datagram = buffer.get(..len).unwrap_or_default();
        if Document::new(datagram, options).validate().is_ok() {
            let _ = socket.send_to(datagram, address).await;
        }
    }
}
