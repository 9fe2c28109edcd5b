//! [`Packet`]: one packet, decoded except for its values.

use variant_view::{Dialect, Options};

use crate::arguments::validate_values;
use crate::bytes::Cursor;
use crate::command::{Command, DELTA};
use crate::error::{Error, ErrorKind, Part};
use crate::path::{ConfirmPath, SimplifyPath};
use crate::rpc::Rpc;
use crate::spawn::{NetId, Spawn};
use crate::sync::{Delta, Sync};
use crate::system::{Relay, System};

/// A packet, borrowed, and decoded except for its values (docs/spec/multiplayer.md).
///
/// Values are decoded on request. [`Packet::write`] writes the same bytes again.
///
/// ```
/// use variant_multiplayer::{Message, NodeRef, Packet};
///
/// // World.method 8 (5), the node by its path
/// let bytes = b"\x20\x09\0\0\x80\x08\x01\x02\x05World\0";
/// let packet = Packet::parse(bytes)?;
/// let Message::Rpc(rpc) = packet.message else { panic!("not a call") };
/// assert_eq!(rpc.node, NodeRef::Path("World"));
/// assert_eq!(rpc.method.id(), 8);
/// let values = rpc.arguments.values().expect("not bare bytes");
/// assert_eq!(values.iter().next().unwrap()?.as_i64()?, 5);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Packet<'a> {
    /// The message of the packet.
    pub message: Message<'a>,
    /// The bits of the first byte that the command does not use. Engines send 0 and ignore the bits.
    pub unused_bits: u8,
    /// The bytes after the message. Engines ignore them. The only such byte that engines send is the NUL after a path.
    pub trailing: &'a [u8],
}

/// The message of a packet, by its command.
///
/// ```
/// use variant_multiplayer::{Message, Packet};
///
/// match Packet::parse(b"\x03hello")?.message {
///     Message::Raw(bytes) => assert_eq!(bytes, b"hello"),
///     Message::Rpc(rpc) => println!("a call of method {}", rpc.method.id()),
///     other => println!("{other:?}"),
/// }
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// A remote call.
    Rpc(Rpc<'a>),
    /// An id is assigned to a path.
    SimplifyPath(SimplifyPath<'a>),
    /// The receiver knows the id of a path.
    ConfirmPath(ConfirmPath<'a>),
    /// At least one raw byte, sent by the engine's `send_bytes`. The program defines what the bytes mean.
    Raw(&'a [u8]),
    /// A node is spawned.
    Spawn(Spawn<'a>),
    /// A node is removed.
    Despawn(NetId),
    /// States of nodes.
    Sync(Sync<'a>),
    /// Changed properties of nodes.
    Delta(Delta<'a>),
    /// Peers, authentication, relays.
    System(System<'a>),
}

impl<'a> Packet<'a> {
    /// Decodes an untrusted packet: values are read with [`Options::server`] of Godot 4.
    ///
    /// O(1) plus the checks of texts and of the sizes of states. Values are not checked.
    ///
    /// # Errors
    /// The first wrong byte. Engines refuse the same packets. This crate also refuses texts that are not UTF-8, and
    /// names of spawned nodes that lack the NUL at the end or contain another NUL.
    #[inline]
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(bytes, &Options::server(Dialect::Godot4))
    }

    /// [`Packet::parse`] with other options for values. Costs the same.
    ///
    /// # Errors
    /// Those of [`Packet::parse`].
    #[inline]
    pub fn parse_with(bytes: &'a [u8], options: &Options) -> Result<Self, Error> {
        Self::parse_at(Cursor::new(bytes, 0), options)
    }

    #[inline]
    pub(crate) fn parse_at(mut cursor: Cursor<'a>, options: &Options) -> Result<Self, Error> {
        let header = cursor.u8(Part::Header)?;
        let (message, used) = Message::parse(header, &mut cursor, options)?;
        Ok(Self { message, unused_bits: header & !used, trailing: cursor.rest() })
    }

    /// Wraps a message in a packet, as engines send it. O(1).
    ///
    /// ```
    /// use variant_multiplayer::{Message, Packet};
    ///
    /// let packet = Packet::new(Message::Raw(b"hello"));
    /// assert_eq!(packet.to_vec(), b"\x03hello");
    /// ```
    pub const fn new(message: Message<'a>) -> Self {
        let trailing: &[u8] = match &message {
            Message::Rpc(rpc) if rpc.node.is_path() => NUL,
            Message::SimplifyPath(_) | Message::ConfirmPath(ConfirmPath { path: Some(_), .. }) => {
                NUL
            }
            _ => &[],
        };
        Self { message, unused_bits: 0, trailing }
    }

    /// Validates all values in the packet, except in a relayed packet: structure, limits and text. O(bytes), no allocation.
    ///
    /// # Errors
    /// The first violation.
    pub fn validate(&self) -> Result<(), Error> {
        match &self.message {
            Message::Rpc(rpc) => rpc.arguments.validate(),
            Message::Spawn(spawn) => spawn.validate(),
            Message::Sync(sync) => {
                sync.states.iter().try_for_each(|state| validate_values(&state?.values))
            }
            Message::Delta(delta) => {
                delta.changes.iter().try_for_each(|change| validate_values(&change?.values))
            }
            _ => Ok(()),
        }
    }

    /// Appends the bytes of the packet. O(bytes).
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        self.message.write(bytes);
        if let Some(header) = bytes.get_mut(start) {
            *header |= self.unused_bits;
        }
        bytes.extend_from_slice(self.trailing);
    }

    /// The bytes of the packet. O(bytes).
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }
}

/// The end of a path.
const NUL: &[u8] = &[0];

impl<'a> Message<'a> {
    /// Decodes the bytes after the header. Also returns the mask of the header's meaningful bits.
    #[inline]
    fn parse(header: u8, cursor: &mut Cursor<'a>, options: &Options) -> Result<(Self, u8), Error> {
        let message = match Command::of(header) {
            Command::RemoteCall => {
                return Ok((Self::Rpc(Rpc::parse(header, cursor, options)?), Rpc::BITS));
            }
            Command::SimplifyPath => Self::SimplifyPath(SimplifyPath::parse(cursor)?),
            Command::ConfirmPath => Self::ConfirmPath(ConfirmPath::parse(cursor)?),
            Command::Raw => Self::Raw(cursor.payload()?),
            Command::Spawn => Self::Spawn(Spawn::parse(cursor, options)?),
            Command::Despawn => Self::Despawn(NetId::new(cursor.u32(Part::NetId)?)),
            Command::Sync if header & DELTA == 0 => {
                return Ok((Self::Sync(Sync::parse(cursor, options)?), 7 | DELTA));
            }
            Command::Sync => {
                return Ok((Self::Delta(Delta::parse(cursor, options)?), 7 | DELTA));
            }
            Command::System => Self::System(System::parse(cursor)?),
        };
        Ok((message, 7))
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Rpc(rpc) => rpc.write(bytes),
            Self::SimplifyPath(path) => path.write(bytes),
            Self::ConfirmPath(path) => path.write(bytes),
            Self::Raw(payload) => {
                bytes.push(Command::Raw.bits());
                bytes.extend_from_slice(payload);
            }
            Self::Spawn(spawn) => spawn.write(bytes),
            Self::Despawn(id) => {
                bytes.push(Command::Despawn.bits());
                bytes.extend_from_slice(&id.to_wire().to_le_bytes());
            }
            Self::Sync(sync) => sync.write(bytes),
            Self::Delta(delta) => delta.write(bytes),
            Self::System(system) => system.write(bytes),
        }
    }
}

impl<'a> Relay<'a> {
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
        let cursor = Cursor::new(self.packet, self.offset());
        match self.packet.first() {
            Some(&header) if Command::of(header) == Command::System => {
                Err(cursor.error(ErrorKind::NestedSystem))
            }
            _ => Packet::parse_at(cursor, options),
        }
    }
}
