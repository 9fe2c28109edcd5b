//! [`SimplifyPath`] and [`ConfirmPath`]: assign an id to the path of a node, and confirm it (docs/spec/multiplayer.md,
//! section 4).

use core::fmt;

use crate::bytes::Cursor;
use crate::command::Command;
use crate::error::{Error, Part};

/// The MD5 of the names of a node's remote methods, as 32 characters. [`RpcTable`](crate::RpcTable) computes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checksum([u8; 32]);

impl Checksum {
    /// The checksum of a node without remote methods.
    pub const NO_METHODS: Self = Self(*b"d41d8cd98f00b204e9800998ecf8427e");

    /// The 32 characters on the wire. Engines send lower case hexadecimal digits. A checksum with other characters
    /// never equals a checksum of an engine.
    pub const fn new(digits: [u8; 32]) -> Self {
        Self(digits)
    }

    /// The 32 characters.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_ascii().fmt(f)
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Assigns an id to the path of a node. Later packets of the sender refer to the path by `id`.
///
/// ```
/// use variant_multiplayer::{Message, Packet, RpcTable, SimplifyPath};
///
/// let checksum = RpcTable::new(["shoot"]).checksum();
/// let packet = Packet::new(Message::SimplifyPath(SimplifyPath::new(1, "World", checksum))).to_vec();
/// let Message::SimplifyPath(told) = Packet::parse(&packet)?.message else { panic!("no path") };
/// assert_eq!((told.id, told.path, told.checksum), (1, "World", checksum));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SimplifyPath<'a> {
    /// The checksum of the remote methods of the node at the sender.
    pub checksum: Checksum,
    /// The byte after the checksum. Engines send 0 and ignore it.
    pub separator: u8,
    /// The id. Each sender chooses its own ids.
    pub id: u32,
    /// The path, relative to the root of the multiplayer interface: `World/Level`.
    pub path: &'a str,
}

impl<'a> SimplifyPath<'a> {
    /// A new id for a path.
    pub const fn new(id: u32, path: &'a str, checksum: Checksum) -> Self {
        Self { checksum, separator: 0, id, path }
    }

    pub(crate) fn parse(cursor: &mut Cursor<'a>) -> Result<Self, Error> {
        let checksum = Checksum(cursor.array(Part::Checksum)?);
        let separator = cursor.u8(Part::Checksum)?;
        let id = cursor.u32(Part::PathId)?;
        let path = cursor.path()?;
        Ok(Self { checksum, separator, id, path })
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(Command::SimplifyPath.bits());
        bytes.extend_from_slice(&self.checksum.0);
        bytes.push(self.separator);
        bytes.extend_from_slice(&self.id.to_le_bytes());
        bytes.extend_from_slice(self.path.as_bytes());
    }
}

/// Confirms that the receiver of a [`SimplifyPath`] knows the id.
///
/// Godot 4.3 and later send the id, Godot 4.0 to 4.2 the path. With its final NUL, a path of three bytes is as long as
/// an id, so it is read as an id. [`PathCache::confirm`](crate::PathCache::confirm) chooses between id and path by the
/// paths that were announced to the peer.
///
/// ```
/// use variant_multiplayer::{ConfirmPath, Message, Packet};
///
/// let answer = ConfirmPath::new(7, true);
/// assert!(answer.checksums_agree());
/// assert_eq!(Packet::new(Message::ConfirmPath(answer)).to_vec(), [2, 1, 7, 0, 0, 0]);
///
/// let Message::ConfirmPath(old) = Packet::parse(b"\x02\x01World\0")?.message else { panic!() };
/// assert_eq!(old, ConfirmPath::by_path("World", true));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfirmPath<'a> {
    /// The byte on the wire: 0 if the checksums differ. Both sides continue in either case.
    pub confirmation: u8,
    /// The id; 0 if the answer has the path.
    pub id: u32,
    /// The path, if the answer has it: Godot 4.0 to 4.2.
    pub path: Option<&'a str>,
}

impl<'a> ConfirmPath<'a> {
    /// An answer to Godot 4.3 and later. `agree`: whether both sides have the same remote methods.
    pub const fn new(id: u32, agree: bool) -> Self {
        Self { confirmation: if agree { 1 } else { 0 }, id, path: None }
    }

    /// An answer to Godot 4.0 to 4.2. `agree`: whether both sides have the same remote methods.
    pub const fn by_path(path: &'a str, agree: bool) -> Self {
        Self { confirmation: if agree { 1 } else { 0 }, id: 0, path: Some(path) }
    }

    /// Whether both sides have the same remote methods.
    pub const fn checksums_agree(&self) -> bool {
        self.confirmation != 0
    }

    /// Parses the answer. Bytes are a path if their length differs from that of an id, and the last byte is their only
    /// NUL.
    pub(crate) fn parse(cursor: &mut Cursor<'a>) -> Result<Self, Error> {
        let confirmation = cursor.u8(Part::Confirmation)?;
        if let [text @ .., 0] = cursor.rest()
            && text.len() != ID_PATH
            && !text.contains(&0)
        {
            return Ok(Self { confirmation, id: 0, path: Some(cursor.path()?) });
        }
        let id = cursor.u32(Part::PathId)?;
        cursor.end()?;
        Ok(Self { confirmation, id, path: None })
    }

    pub(crate) fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&[Command::ConfirmPath.bits(), self.confirmation]);
        match self.path {
            Some(path) => bytes.extend_from_slice(path.as_bytes()),
            None => bytes.extend_from_slice(&self.id.to_le_bytes()),
        }
    }
}

/// The length of a path that, with its NUL, is as long as an id.
const ID_PATH: usize = 3;

/// The bytes of an id as a path of three bytes; `None` if they cannot be a path.
pub(crate) fn path_of_id(bytes: &[u8; 4]) -> Option<&str> {
    let [text @ .., 0] = bytes else { return None };
    str::from_utf8(text).ok().filter(|text| !text.contains('\0'))
}

/// Whether a text can be the name of a node: not empty, and without `. : @ / " %` (docs/spec/multiplayer.md, section 7).
/// O(bytes).
///
/// ```
/// use variant_multiplayer::is_node_name;
///
/// assert!(is_node_name("Player 2"));
/// assert!(!is_node_name("World/Player") && !is_node_name(""));
/// ```
pub fn is_node_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', ':', '@', '/', '"', '%', '\0'])
}
