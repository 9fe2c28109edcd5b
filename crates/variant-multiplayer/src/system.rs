//! [`System`]: peers, authentication, relays (docs/multiplayer.md, section 8).

use variant_view::{Dialect, Options};

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, Part};
use crate::packet::{Command, Packet, payload};

/// The messages about peers between server and clients.
///
/// ```
/// use variant_multiplayer::{Message, Packet, System};
///
/// let packet = Packet::new(Message::System(System::AddPeer(77))).to_vec();
/// assert_eq!(packet, [7, 1, 77, 0, 0, 0]);
/// match Packet::parse(&packet)?.message {
///     Message::System(System::AddPeer(peer)) => assert_eq!(peer, 77),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum System<'a> {
    /// Before a peer is admitted: data of its `send_auth`; empty when a side has completed.
    Auth(&'a [u8]),
    /// From the server: a peer is there. The number is what the packet claims.
    AddPeer(i32),
    /// From the server: a peer left.
    DelPeer(i32),
    /// A packet of or for another peer.
    Relay(Relay<'a>),
}

/// A packet of or for another peer.
///
/// ```
/// use variant_multiplayer::{Message, Packet, Relay, System};
///
/// let relay = Relay::new(77, b"\x03hello"); // what follows the head is a packet
/// let packet = Packet::new(Message::System(System::Relay(relay))).to_vec();
/// let Message::System(System::Relay(read)) = Packet::parse(&packet)?.message else { panic!() };
/// assert!(matches!(read.parse()?.message, Message::Raw(b"hello")));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Relay<'a> {
    /// To the server: the target ([`Target::from_wire`](crate::Target::from_wire)). From the server: the sender.
    pub peer: i32,
    /// The packet, at least one byte; not a system packet.
    pub packet: &'a [u8],
    offset: usize,
}

impl<'a> Relay<'a> {
    /// A packet of or for `peer`.
    pub const fn new(peer: i32, packet: &'a [u8]) -> Self {
        Self { peer, packet, offset: 0 }
    }

    /// Decodes the untrusted inner packet. Offsets of errors count from the start of the relay. Costs as much as
    /// [`Packet::parse`].
    ///
    /// # Errors
    /// [`ErrorKind::NestedSystem`]; those of [`Packet::parse`].
    pub fn parse(&self) -> Result<Packet<'a>, Error> {
        self.parse_with(&Options::server(Dialect::Godot4))
    }

    /// [`Relay::parse`] with other options for values. Costs the same.
    ///
    /// # Errors
    /// Those of [`Relay::parse`].
    pub fn parse_with(&self, options: &Options) -> Result<Packet<'a>, Error> {
        let cursor = Cursor::new(self.packet, self.offset);
        match self.packet.first() {
            Some(&header) if Command::of(header) == Command::System => {
                Err(cursor.error(ErrorKind::NestedSystem))
            }
            _ => Packet::parse_at(cursor, options),
        }
    }
}

impl<'a> System<'a> {
    pub(crate) fn parse(cursor: &mut Cursor<'a>) -> Result<Self, Error> {
        let at = *cursor;
        match cursor.u8(Part::SystemCommand)? {
            0 => Ok(Self::Auth(cursor.take_rest())),
            1 => Ok(Self::AddPeer(cursor.i32(Part::Peer)?)),
            2 => Ok(Self::DelPeer(cursor.i32(Part::Peer)?)),
            3 => {
                let peer = cursor.i32(Part::Peer)?;
                let offset = cursor.offset();
                let packet = payload(cursor)?;
                Ok(Self::Relay(Relay { peer, packet, offset }))
            }
            number => Err(at.error(ErrorKind::SystemCommand { number })),
        }
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let mut head = |number: u8, peer: i32| {
            bytes.extend_from_slice(&[Command::System.bits(), number]);
            bytes.extend_from_slice(&peer.to_le_bytes());
        };
        match self {
            Self::Auth(data) => {
                bytes.extend_from_slice(&[Command::System.bits(), 0]);
                bytes.extend_from_slice(data);
            }
            Self::AddPeer(peer) => head(1, *peer),
            Self::DelPeer(peer) => head(2, *peer),
            Self::Relay(relay) => {
                head(3, relay.peer);
                bytes.extend_from_slice(relay.packet);
            }
        }
    }
}
