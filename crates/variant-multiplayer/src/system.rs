//! [`System`]: peers, authentication, relays (docs/spec/multiplayer.md, section 8).

use crate::bytes::Cursor;
use crate::command::Command;
use crate::error::{Error, ErrorKind, Part};

/// The messages between server and clients about peers.
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
    /// Data of `send_auth`, before a peer is admitted. With empty data, the sender has completed the authentication.
    Auth(&'a [u8]),
    /// From the server: a peer is connected. The number is untrusted.
    AddPeer(i32),
    /// From the server: a peer left.
    DelPeer(i32),
    /// A packet from another peer, or for another peer.
    Relay(Relay<'a>),
}

/// A packet from another peer, or for another peer.
///
/// ```
/// use variant_multiplayer::{Message, Packet, Relay, System};
///
/// let relay = Relay::new(77, b"\x03hello"); // a packet follows the head
/// let packet = Packet::new(Message::System(System::Relay(relay))).to_vec();
/// let Message::System(System::Relay(read)) = Packet::parse(&packet)?.message else { panic!() };
/// assert!(matches!(read.parse()?.message, Message::Raw(b"hello")));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Relay<'a> {
    /// In a relay to the server, the target ([`Target::from_wire`](crate::Target::from_wire)). In a relay from the
    /// server, the sender.
    pub peer: i32,
    /// The packet. It has at least one byte, and is not a system packet.
    pub packet: &'a [u8],
    offset: usize,
}

impl<'a> Relay<'a> {
    /// A relay of `packet`. `peer` is its target, or its sender.
    pub const fn new(peer: i32, packet: &'a [u8]) -> Self {
        Self { peer, packet, offset: 0 }
    }

    /// The offset of the inner packet in the packet that was read.
    pub(crate) const fn offset(&self) -> usize {
        self.offset
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
                let packet = cursor.payload()?;
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
