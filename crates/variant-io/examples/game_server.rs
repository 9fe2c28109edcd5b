//! A game server with Rust types. Two enums are the messages, one from clients and one to clients, by serde.
//!
//! ```sh
//! cargo run --release -p variant-io --features serde,tokio --example game_server -- 127.0.0.1:4242 godot4
//! ```
//!
//! A client sends `{"type": "join", "name": "Ada"}` by `StreamPeerTCP.put_var`, then `move` and `say`. All clients
//! receive the events. Limits of time and of peers are in the example `echo_server`.

use std::env;
use std::error::Error;

use futures_util::{SinkExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio_util::codec::Framed;
use variant_io::{Typed, VariantCodec};
use variant_serde::as_vector3;
use variant_view::{Dialect, Options};

/// The longest frame in bytes.
const MAX_FRAME: u32 = 1 << 12;
/// The number of messages by which a slow client may lag.
const BEHIND: usize = 256;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// A message from a client. Texts are borrowed from the frame.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Said<'a> {
    Join {
        name: &'a str,
    },
    Move {
        #[serde(with = "as_vector3")]
        to: [f32; 3],
    },
    Say {
        text: &'a str,
    },
}

/// A message to all clients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Heard {
    Joined {
        id: u32,
        name: String,
    },
    Moved {
        id: u32,
        #[serde(with = "as_vector3")]
        to: [f32; 3],
    },
    Chat {
        id: u32,
        text: String,
    },
    /// The first message to each client.
    Welcome {
        id: u32,
    },
}

impl Heard {
    /// The event of a client's message.
    fn of(id: u32, said: &Said<'_>) -> Self {
        match *said {
            Said::Join { name } => Self::Joined { id, name: name.to_owned() },
            Said::Move { to } => Self::Moved { id, to },
            Said::Say { text } => Self::Chat { id, text: text.to_owned() },
        }
    }
}

#[tokio::main]
async fn main() -> Outcome {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4242".to_owned());
    let dialect = arguments.next().map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let listener = TcpListener::bind(&address).await?;
    println!("{address}: {dialect}; Ctrl-C ends it");
    let (to_all, _) = broadcast::channel(BEHIND);
    for id in 1.. {
        let (stream, address) = listener.accept().await?;
        let to_all = to_all.clone();
        tokio::spawn(async move {
            if let Err(error) = serve_peer(stream, dialect, id, to_all).await {
                eprintln!("{address}: {error}");
            }
        });
    }
    Ok(())
}

/// Sends the events of one client to all, and all events to the client.
///
/// # Errors
/// An invalid frame or message, which ends the connection.
async fn serve_peer(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    dialect: Dialect,
    id: u32,
    to_all: broadcast::Sender<Heard>,
) -> Outcome {
    let mut peer = Framed::new(stream, VariantCodec::server(dialect).max_in(MAX_FRAME));
    let mut told = to_all.subscribe();
    peer.send(Typed(&Heard::Welcome { id })).await?;
    loop {
        tokio::select! {
            packet = peer.next() => {
                let Some(packet) = packet.transpose()? else { return Ok(()) };
                // `said` borrows from the packet.
                let said: Said<'_> = variant_serde::from_slice(&packet, Options::server(dialect))?;
                let _ = to_all.send(Heard::of(id, &said));
            }
            heard = told.recv() => match heard {
                Ok(heard) => peer.send(Typed(&heard)).await?,
                Err(RecvError::Lagged(missed)) => return Err(format!("{missed} messages missed").into()),
                Err(RecvError::Closed) => return Ok(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use variant_io::TypedCodec;

    use super::*;

    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Client {
        Join { name: &'static str },
        Say { text: &'static str },
    }

    #[tokio::test]
    async fn what_one_says_all_hear() {
        for dialect in [Dialect::Godot3, Dialect::Godot4] {
            let (to_all, _) = broadcast::channel(BEHIND);
            let join = |id| {
                let (client, server) = tokio::io::duplex(1 << 10);
                tokio::spawn(serve_peer(server, dialect, id, to_all.clone()));
                let codec = TypedCodec::<Heard, Client>::new(VariantCodec::server(dialect));
                Framed::new(client, codec)
            };
            let (mut one, mut two) = (join(1), join(2));
            for peer in [&mut one, &mut two] {
                assert!(matches!(peer.next().await, Some(Ok(Heard::Welcome { .. }))));
            }
            one.send(Client::Join { name: "Ada" }).await.unwrap();
            let joined = Heard::Joined { id: 1, name: "Ada".to_owned() };
            assert_eq!(one.next().await.unwrap().unwrap(), joined);
            assert_eq!(two.next().await.unwrap().unwrap(), joined);
            two.send(Client::Say { text: "hello" }).await.unwrap();
            let chat = Heard::Chat { id: 2, text: "hello".to_owned() };
            assert_eq!(one.next().await.unwrap().unwrap(), chat);
        }
    }
}
