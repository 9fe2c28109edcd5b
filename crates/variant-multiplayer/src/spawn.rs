//! [`Spawn`]: spawns a node (docs/spec/multiplayer.md, section 7).

use variant_view::Options;

use crate::arguments::validate_values;
use crate::bytes::{Cursor, size, word};
use crate::command::Command;
use crate::error::{Error, ErrorKind, Part};
use crate::values::CompactValues;

/// The id of a replicated node or of a synchronizer.
///
/// ```
/// use variant_multiplayer::NetId;
///
/// assert_eq!(NetId::new(5).path_id(), None); // of a spawned node
/// assert_eq!(NetId::of_path(5).path_id(), Some(5));
/// assert_eq!(NetId::of_path(5).to_wire(), 0x8000_0005);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetId(u32);

/// The bit that marks an id as the id of a path.
const OF_PATH: u32 = 1 << 31;

impl NetId {
    /// The id with this number on the wire.
    pub const fn new(id: u32) -> Self {
        Self(id)
    }

    /// The id of a synchronizer that was not spawned: the confirmed id of its path.
    pub const fn of_path(id: u32) -> Self {
        Self(id | OF_PATH)
    }

    /// The number on the wire.
    pub const fn to_wire(self) -> u32 {
        self.0
    }

    /// The id that is greater by `count`.
    pub(crate) const fn after(self, count: u32) -> Self {
        Self(self.0.saturating_add(count))
    }

    /// The id of the path; `None` for other ids.
    pub const fn path_id(self) -> Option<u32> {
        if self.0 & OF_PATH == 0 { None } else { Some(self.0 & !OF_PATH) }
    }
}

/// Spawns a node below a spawner.
///
/// ```
/// use variant_multiplayer::{Message, NetId, Packet, Spawn, SpawnSource};
///
/// let spawn = Spawn::new(SpawnSource::Scene(0), 1, NetId::new(5), "Player");
/// let packet = Packet::new(Message::Spawn(spawn)).to_vec();
/// let Message::Spawn(read) = Packet::parse(&packet)?.message else { panic!("no spawn") };
/// assert_eq!((read.name, read.spawner, read.node), ("Player", 1, NetId::new(5)));
/// assert!(read.synchronizers.is_empty() && matches!(read.source, SpawnSource::Scene(0)));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Spawn<'a> {
    /// The source of the node.
    pub source: SpawnSource<'a>,
    /// The id that the same sender has assigned to the spawner's path, by [`SimplifyPath`](crate::SimplifyPath).
    pub spawner: u32,
    /// The id of the node, not 0.
    pub node: NetId,
    /// The ids of the node's synchronizers, in the order of the scene.
    pub synchronizers: NetIds<'a>,
    /// The name of the node. [`is_node_name`](crate::is_node_name) returns whether engines accept it.
    pub name: &'a str,
    /// The properties that are set on spawning: synchronizer by synchronizer, in the order of their configuration.
    pub state: CompactValues<'a>,
}

/// The source of a spawned node.
#[derive(Clone, Copy, Debug)]
pub enum SpawnSource<'a> {
    /// A scene, by its index in the spawner's list.
    Scene(u8),
    /// The spawner's custom function, with this argument: one value.
    Function(CompactValues<'a>),
}

/// The number on the wire that marks a custom spawn instead of a scene.
const FUNCTION: u8 = 0xff;

/// Consecutive ids of 4 bytes each.
///
/// ```
/// use variant_multiplayer::{NetId, NetIds};
///
/// let ids = NetIds::new(&[[5, 0, 0, 0], [6, 0, 0, 0]]);
/// assert_eq!(ids.iter().collect::<Vec<_>>(), [NetId::new(5), NetId::new(6)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetIds<'a>(&'a [[u8; 4]]);

impl<'a> NetIds<'a> {
    /// Ids as they are in a packet, each little-endian.
    pub const fn new(words: &'a [[u8; 4]]) -> Self {
        Self(words)
    }

    /// The number of ids. O(1).
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no ids.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ids in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = NetId> + 'a {
        self.0.iter().map(|word| NetId(u32::from_le_bytes(*word)))
    }
}

impl<'a> Spawn<'a> {
    /// A node without synchronizers and without properties.
    pub fn new(source: SpawnSource<'a>, spawner: u32, node: NetId, name: &'a str) -> Self {
        let state = CompactValues::new(&[], variant_view::Dialect::Godot4);
        Self { source, spawner, node, synchronizers: NetIds::default(), name, state }
    }

    pub(crate) fn parse(cursor: &mut Cursor<'a>, options: &Options) -> Result<Self, Error> {
        let scene = cursor.u8(Part::Scene)?;
        let spawner = cursor.u32(Part::Spawner)?;
        let node = NetId(cursor.u32(Part::NetId)?);
        let synchronizers = cursor.u32(Part::SynchronizerCount)?;
        let name = cursor.u32(Part::NameLength)?;
        let ids = cursor.take(size(synchronizers).saturating_mul(4), Part::NetId)?;
        let (ids, _) = ids.as_chunks::<4>();
        let name = terminated(cursor, size(name))?;
        let source = match scene {
            FUNCTION => {
                let len = cursor.u32(Part::ArgumentSize)?;
                let start = cursor.offset();
                let argument = cursor.take(size(len), Part::Argument)?;
                let values = CompactValues::counted(argument, *options, 1);
                SpawnSource::Function(values.in_buffer(start))
            }
            scene => SpawnSource::Scene(scene),
        };
        let start = cursor.offset();
        let state = CompactValues::new(cursor.take_rest(), *options).in_buffer(start);
        Ok(Self { source, spawner, node, synchronizers: NetIds(ids), name, state })
    }

    /// Validates the values in the message.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        if let SpawnSource::Function(argument) = &self.source {
            validate_values(argument)?;
        }
        validate_values(&self.state)
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let scene = match self.source {
            SpawnSource::Scene(scene) => scene,
            SpawnSource::Function(_) => FUNCTION,
        };
        bytes.extend_from_slice(&[Command::Spawn.bits(), scene]);
        let name = word(self.name.len()).saturating_add(1);
        let ids = word(self.synchronizers.len());
        for number in [self.spawner, self.node.0, ids, name] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(self.synchronizers.0.as_flattened());
        bytes.extend_from_slice(self.name.as_bytes());
        bytes.push(0);
        if let SpawnSource::Function(argument) = self.source {
            bytes.extend_from_slice(&word(argument.bytes().len()).to_le_bytes());
            bytes.extend_from_slice(argument.bytes());
        }
        bytes.extend_from_slice(self.state.bytes());
    }
}

/// The text of the next `len` bytes. The last byte must be its only NUL.
fn terminated<'a>(cursor: &mut Cursor<'a>, len: usize) -> Result<&'a str, Error> {
    let start = *cursor;
    match cursor.take(len, Part::Name)? {
        [name @ .., 0] if !name.contains(&0) => start.utf8(name, Part::Name),
        _ => Err(start.error(ErrorKind::Unterminated { part: Part::Name })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The highest bit marks an id of a path. The other bits are the id.
    #[test]
    fn ids_of_paths_have_31_bits() {
        for id in [0, 1, 5, 0x7fff_ffff] {
            assert_eq!(NetId::of_path(id).path_id(), Some(id));
            assert_eq!(NetId::of_path(NetId::of_path(id).to_wire()), NetId::of_path(id));
            assert_eq!(NetId::new(id).path_id(), None);
        }
    }
}
