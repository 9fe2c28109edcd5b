//! [`Listener`] and [`Connection`]: sockets of the standard library.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Instant;

use crate::command::Command;
use crate::error::SendError;
use crate::event::Event;
use crate::session::{Session, SessionOptions};

/// The bytes that one read takes at most.
pub(crate) const READ: usize = 16 << 10;

/// Listens for games on the loopback interface. [`Listener::accept`] takes one connection, so that several games are
/// several calls, and several sessions.
///
/// ```no_run
/// use variant_debugger::{Listener, SessionOptions};
///
/// let listener = Listener::loopback(6007)?; // godot --remote-debug tcp://127.0.0.1:6007
/// let mut game = listener.accept(SessionOptions::default())?;
/// while let Some(event) = game.next_event()? {
///     println!("{:?}", event.message());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
}

impl Listener {
    /// Listens on `127.0.0.1`. Port 0 chooses a free one; 6007 is the editor's.
    ///
    /// # Errors
    /// The port is taken.
    pub fn loopback(port: u16) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind((Ipv4Addr::LOCALHOST, port))? })
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
    pub fn accept(&self, options: SessionOptions) -> io::Result<Connection> {
        let (stream, _) = self.listener.accept()?;
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

    /// Waits for the next message; `None` if the game has closed the connection. With a read timeout on
    /// [`Connection::stream`], the error of a call that waited too long is [`io::ErrorKind::WouldBlock`] or
    /// [`io::ErrorKind::TimedOut`]; the next call continues.
    ///
    /// # Errors
    /// Those of the socket. Errors of the session are in the [`io::Error`] as [`Error`](crate::Error): the next call
    /// continues, unless it is fatal: after a fatal one there is no further event.
    pub fn next_event(&mut self) -> io::Result<Option<Event<'_>>> {
        let (most, start) = (self.stream.read_timeout()?, Instant::now());
        while !self.session.is_ready() {
            if self.session.has_failed() {
                return Ok(None);
            }
            let read = match self.stream.read(&mut self.place) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                return Ok(None);
            }
            let now = Instant::now();
            self.session.handle(self.place.get(..read).unwrap_or_default(), now);
            // Each byte of a message that arrives slowly starts the timeout of the socket again.
            let is_late = most.is_some_and(|most| now.saturating_duration_since(start) >= most);
            if is_late && !self.session.is_ready() && !self.session.has_failed() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        event(&mut self.session)
    }

    /// Sends a command to the thread that stopped last, else to the main thread.
    ///
    /// # Errors
    /// Those of the socket, and [`SendError`](crate::SendError) in the [`io::Error`].
    pub fn send(&mut self, command: &Command<'_>) -> io::Result<()> {
        let bytes = written(self.session.send(command))?;
        self.stream.write_all(&bytes)
    }

    /// The session.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// The socket, for timeouts, and for a second handle that writes.
    pub const fn stream(&self) -> &TcpStream {
        &self.stream
    }
}

/// The next event of a session that is ready.
pub(crate) fn event(session: &mut Session) -> io::Result<Option<Event<'_>>> {
    let event = session.next_event().transpose();
    event.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The bytes of a command.
pub(crate) fn written(bytes: Result<Vec<u8>, SendError>) -> io::Result<Vec<u8>> {
    bytes.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}
