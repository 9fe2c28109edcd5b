//! [`Listener`] and [`Connection`] over tokio: several games at once, each with its own [`Session`].
//!
//! ```no_run
//! use variant_debugger::SessionOptions;
//! use variant_debugger::tokio::Listener;
//!
//! # async fn run() -> std::io::Result<()> {
//! let listener = Listener::loopback(6007).await?; // godot --remote-debug tcp://127.0.0.1:6007
//! loop {
//!     let mut game = listener.accept(SessionOptions::default()).await?;
//!     tokio::spawn(async move {
//!         while let Ok(Some(event)) = game.next_event().await {
//!             println!("{:?}", event.message());
//!         }
//!     });
//! }
//! # }
//! ```

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::command::Command;
use crate::event::Event;
use crate::listener::{READ, event, written};
use crate::session::{Session, SessionOptions};

/// Listens for games on the loopback interface. [`Listener::accept`] takes one connection.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
}

impl Listener {
    /// Listens on `127.0.0.1`. Port 0 chooses a free one; 6007 is the editor's.
    ///
    /// # Errors
    /// The port is taken.
    pub async fn loopback(port: u16) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await? })
    }

    /// The address, for `--remote-debug`.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits for a game. The first program that connects is the game: there is no authentication.
    ///
    /// # Errors
    /// Those of the socket.
    pub async fn accept(&self, options: SessionOptions) -> io::Result<Connection> {
        let (stream, _) = self.listener.accept().await?;
        Connection::new(stream, options)
    }
}

/// The connection of one game: a socket and its [`Session`].
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    session: Session,
    /// Where bytes arrive.
    place: Box<[u8]>,
}

impl Connection {
    /// A connection over a socket of a game, for a listener of the program's own.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn new(stream: TcpStream, options: SessionOptions) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let place = vec![0; READ].into_boxed_slice();
        Ok(Self { stream, session: Session::new(options), place })
    }

    /// Waits for the next message; `None` if the game has closed the connection. Safe to cancel: no bytes are lost.
    ///
    /// # Errors
    /// Those of the socket. Errors of the session are in the [`io::Error`] as [`Error`](crate::Error): the next call
    /// continues, unless it is fatal: after a fatal one there is no further event.
    pub async fn next_event(&mut self) -> io::Result<Option<Event<'_>>> {
        while !self.session.is_ready() {
            if self.session.has_failed() {
                return Ok(None);
            }
            let read = self.stream.read(&mut self.place).await?;
            if read == 0 {
                return Ok(None);
            }
            self.session.handle(self.place.get(..read).unwrap_or_default(), Instant::now());
        }
        event(&mut self.session)
    }

    /// Sends a command to the thread that stopped last, else to the main thread. Not safe to cancel: a command that is
    /// cut puts the stream out of step.
    ///
    /// # Errors
    /// Those of the socket, and [`SendError`](crate::SendError) in the [`io::Error`].
    pub async fn send(&mut self, command: &Command<'_>) -> io::Result<()> {
        let bytes = written(self.session.send(command))?;
        self.stream.write_all(&bytes).await
    }

    /// The session.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// The socket.
    pub const fn stream(&self) -> &TcpStream {
        &self.stream
    }
}
