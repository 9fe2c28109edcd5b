//! [`Rpc`]: a remote call (docs/spec/multiplayer.md, section 2).

use variant_view::Options;

use crate::arguments::{Arguments, BYTE_ONLY};
use crate::bytes::{Cursor, size, word};
use crate::command::Command;
use crate::error::{Error, ErrorKind, Part};

/// The two bits for the width of the node id.
const NODE_WIDTH: u8 = 0x30;
/// The value of these bits for a node id of 32 bits.
const NODE_32: u8 = 0x20;
/// The bit for a method id of 16 bits.
const WIDE_METHOD: u8 = 0x40;
/// The highest bit of a 32-bit node id. If it is set, the other bits are the offset of a path.
const PATH: u32 = 1 << 31;

/// A remote call: a node, a method and arguments.
///
/// ```
/// use variant_multiplayer::{Arguments, Message, MethodId, NodeRef, Packet, Rpc};
///
/// // World.method 8 (a PackedByteArray)
/// let call = Rpc::new(NodeRef::Path("World"), MethodId::new(8), Arguments::Bytes(b"data"));
/// let packet = Packet::new(Message::Rpc(call)).to_vec();
/// let Message::Rpc(read) = Packet::parse(&packet)?.message else { panic!("not a call") };
/// assert_eq!((read.node, read.method), (call.node, call.method));
/// assert!(matches!(read.arguments, Arguments::Bytes(b"data")));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rpc<'a> {
    /// The node.
    pub node: NodeRef<'a>,
    /// The method.
    pub method: MethodId,
    /// The arguments.
    pub arguments: Arguments<'a>,
}

/// A node, as a call names it.
///
/// ```
/// use variant_multiplayer::{IdWidth, NodeRef};
///
/// assert_eq!(NodeRef::id(300), NodeRef::Id { id: 300, width: IdWidth::W16 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRef<'a> {
    /// The id that the sender has assigned to the path of the node ([`SimplifyPath`](crate::SimplifyPath)).
    Id {
        /// The id; 31 bits.
        id: u32,
        /// The width of the id on the wire.
        width: IdWidth,
    },
    /// The path of the node, such as `World/Level`. It is used until the id is confirmed.
    Path(&'a str),
}

/// The width of a node id on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdWidth {
    /// 8 bits.
    W8,
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
}

impl NodeRef<'_> {
    /// A node by its id, in the narrowest width. An id of 2^31 or more cannot be written and loses its highest bit.
    /// O(1).
    pub const fn id(id: u32) -> Self {
        let width = match id {
            0..=0xff => IdWidth::W8,
            0x100..=0xffff => IdWidth::W16,
            _ => IdWidth::W32,
        };
        Self::Id { id: id & !PATH, width }
    }

    pub(crate) const fn is_path(&self) -> bool {
        matches!(self, Self::Path(_))
    }

    const fn bits(&self) -> u8 {
        match self {
            Self::Id { width: IdWidth::W8, .. } => 0,
            Self::Id { width: IdWidth::W16, .. } => 0x10,
            Self::Id { width: IdWidth::W32, .. } | Self::Path(_) => NODE_32,
        }
    }

    /// Appends the id, or space for the offset of the path.
    fn write(&self, bytes: &mut Vec<u8>) {
        match *self {
            Self::Id { id, width } => {
                let [a, b, c, d] = id.to_le_bytes();
                match width {
                    IdWidth::W8 => bytes.push(a),
                    IdWidth::W16 => bytes.extend_from_slice(&[a, b]),
                    IdWidth::W32 => bytes.extend_from_slice(&[a, b, c, d & 0x7f]),
                }
            }
            Self::Path(_) => bytes.extend_from_slice(&[0; 4]),
        }
    }
}

/// The id of a method: its index among the sorted names of a node's remote methods ([`RpcTable`](crate::RpcTable)).
///
/// ```
/// use variant_multiplayer::MethodId;
///
/// assert!(!MethodId::new(8).is_wide());
/// assert!(MethodId::wide(8).is_wide() && MethodId::new(300).is_wide());
/// assert_eq!(MethodId::wide(8).id(), 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodId {
    id: u16,
    is_wide: bool,
}

impl MethodId {
    /// An id in the narrowest width.
    pub const fn new(id: u16) -> Self {
        Self { id, is_wide: id > 0xff }
    }

    /// An id with 16 bits on the wire, even if 8 are enough.
    pub const fn wide(id: u16) -> Self {
        Self { id, is_wide: true }
    }

    /// The id. Bit 15 is set for methods that were configured on the node instead of in its script.
    pub const fn id(self) -> u16 {
        self.id
    }

    /// Whether the id has 16 bits on the wire.
    pub const fn is_wide(self) -> bool {
        self.is_wide
    }
}

impl<'a> Rpc<'a> {
    /// The bits of the header that have a meaning.
    pub(crate) const BITS: u8 = 0xf7;

    /// A call.
    pub const fn new(node: NodeRef<'a>, method: MethodId, arguments: Arguments<'a>) -> Self {
        Self { node, method, arguments }
    }

    #[inline]
    pub(crate) fn parse(
        header: u8,
        cursor: &mut Cursor<'a>,
        options: &Options,
    ) -> Result<Self, Error> {
        // Offsets count from the header, which was already read.
        let packet = cursor.offset().wrapping_sub(1);
        let at = *cursor;
        let (id, width) = match header & NODE_WIDTH {
            0 => (u32::from(cursor.u8(Part::NodeId)?), IdWidth::W8),
            0x10 => (u32::from(cursor.u16(Part::NodeId)?), IdWidth::W16),
            NODE_32 => (cursor.u32(Part::NodeId)?, IdWidth::W32),
            _ => return Err(at.error(ErrorKind::NodeIdWidth)),
        };
        let method = match header & WIDE_METHOD {
            0 => MethodId { id: cursor.u8(Part::MethodId)?.into(), is_wide: false },
            _ => MethodId { id: cursor.u16(Part::MethodId)?, is_wide: true },
        };
        let (node, mut arguments) = if id & PATH == 0 {
            let arguments = *cursor;
            cursor.take_rest();
            (NodeRef::Id { id, width }, arguments)
        } else {
            path_form(at, cursor, packet, id & !PATH)?
        };
        let arguments = Arguments::parse(header & BYTE_ONLY != 0, &mut arguments, options)?;
        Ok(Self { node, method, arguments })
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        write_head(self.node, self.method, bytes);
        if let Some(header) = bytes.get_mut(start) {
            *header |= self.arguments.bits();
        }
        self.arguments.write(bytes);
        write_path(self.node, start, bytes);
    }
}

/// The path and the arguments of a call whose path follows its arguments.
fn path_form<'a>(
    at: Cursor<'a>,
    cursor: &mut Cursor<'a>,
    packet: usize,
    path: u32,
) -> Result<(NodeRef<'a>, Cursor<'a>), Error> {
    let start = cursor.offset();
    let read = start.wrapping_sub(packet);
    let bytes = cursor.rest();
    let split = size(path).checked_sub(read).and_then(|len| bytes.split_at_checked(len));
    match split {
        Some((arguments, path)) if !path.is_empty() => {
            *cursor = Cursor::new(path, start.wrapping_add(arguments.len()));
            let path = cursor.path()?;
            Ok((NodeRef::Path(path), Cursor::new(arguments, start)))
        }
        _ => Err(at.error(ErrorKind::PathOffset { path })),
    }
}

/// Appends header, node and method.
pub(crate) fn write_head(node: NodeRef<'_>, method: MethodId, bytes: &mut Vec<u8>) {
    let wide = if method.is_wide { WIDE_METHOD } else { 0 };
    bytes.push(Command::RemoteCall.bits() | node.bits() | wide);
    node.write(bytes);
    let [low, high] = method.id.to_le_bytes();
    bytes.push(low);
    if method.is_wide {
        bytes.push(high);
    }
}

/// If the call names the node by its path, appends the path, and writes the path's offset into the head of the packet.
/// The packet starts at `start`.
pub(crate) fn write_path(node: NodeRef<'_>, start: usize, bytes: &mut Vec<u8>) {
    let NodeRef::Path(path) = node else { return };
    let offset = word(bytes.len().saturating_sub(start)) | PATH;
    let place = bytes.get_mut(start.saturating_add(1)..);
    if let Some(place) = place.and_then(|bytes| bytes.first_chunk_mut::<4>()) {
        *place = offset.to_le_bytes();
    }
    bytes.extend_from_slice(path.as_bytes());
}
