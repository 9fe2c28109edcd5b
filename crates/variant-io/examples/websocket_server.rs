//! Echoes valid values over WebSocket: `WebSocketPeer.put_var` of Godot 4, `WebSocketClient` of Godot 3 and
//! Pandemonium. A message is one value without a length prefix.
//!
//! ```sh
//! cargo run --release -p variant-io --features tokio --example websocket_server -- 127.0.0.1:4244 godot4
//! ```
//!
//! The limits are those of `echo_server`.

use std::env;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::{Message, protocol::WebSocketConfig};
use tokio_tungstenite::{WebSocketStream, accept_async_with_config};
use tokio_util::sync::CancellationToken;
use variant_view::{Dialect, Document, Options};

/// The longest message in bytes: the size of the engine's buffers.
const MAX_MESSAGE: usize = 65_535;
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
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4244".to_owned());
    let dialect = arguments.next().map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let listener = TcpListener::bind(&address).await?;
    println!("ws://{address}: {dialect}; Ctrl-C ends it");

    let stop = CancellationToken::new();
    let server = tokio::spawn(serve(listener, dialect, stop.clone()));
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
                    if let Err(error) = serve_peer(stream, dialect, stop).await {
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
/// A message above `MAX_MESSAGE`, a text message, an invalid value, or a peer slower than `IDLE`. Each ends the
/// connection.
pub(crate) async fn serve_peer(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    dialect: Dialect,
    stop: CancellationToken,
) -> Outcome {
    let config = WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(0)
        .max_write_buffer_size(4 * MAX_MESSAGE)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let mut peer = timeout(IDLE, accept_async_with_config(stream, Some(config))).await??;
    let outcome = answer(&mut peer, dialect, stop).await;
    // An error is ignored, because the connection may already be closed.
    let _ = timeout(GRACE, peer.close(None)).await;
    outcome
}

async fn answer<S: AsyncRead + AsyncWrite + Unpin>(
    peer: &mut WebSocketStream<S>,
    dialect: Dialect,
    stop: CancellationToken,
) -> Outcome {
    loop {
        let received = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            received = timeout(IDLE, peer.next()) => received?,
        };
        match received.transpose()? {
            None | Some(Message::Close(_)) => return Ok(()),
            Some(Message::Binary(bytes)) => {
                Document::new(&bytes, Options::server(dialect)).validate()?;
                timeout(IDLE, peer.send(Message::Binary(bytes))).await??;
            }
            Some(Message::Text(_)) => return Err("a value is a binary message, not text".into()),
            // Other messages, such as pings, need no answer here, because the library answers pings.
            Some(_) => {}
        }
    }
}
