//! [`PathCache`]: the ids that peers and this side assign to paths (docs/spec/multiplayer.md, section 4).

use core::fmt;
use std::collections::{BTreeMap, HashMap};

use crate::path::{Checksum, ConfirmPath, SimplifyPath, path_of_id};
use crate::peer::PeerId;
use crate::rpc::NodeRef;

/// Bounds on the paths that a [`PathCache`] keeps for one peer.
///
/// ```
/// use variant_multiplayer::{Checksum, PathCache, PathError, PathLimits, PeerId, SimplifyPath};
///
/// let mut cache = PathCache::new(PathLimits::SERVER.paths(1));
/// let path = |id, path| SimplifyPath::new(id, path, Checksum::NO_METHODS);
/// cache.receive(PeerId::SERVER, &path(1, "World"))?;
/// let refused = cache.receive(PeerId::SERVER, &path(2, "Menu"));
/// assert_eq!(refused, Err(PathError::LimitExceeded));
/// # Ok::<(), PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathLimits {
    /// The maximum number of paths to which the peer has assigned ids.
    pub paths: usize,
    /// The maximum number of bytes of these paths together.
    pub bytes: usize,
}

impl PathLimits {
    /// 1,024 paths: most games have fewer nodes with remote methods. 64 KiB: 64 bytes for each path.
    pub const SERVER: Self = Self { paths: 1_024, bytes: 64 << 10 };

    /// Returns the limits with this number of paths.
    #[must_use]
    pub const fn paths(mut self, paths: usize) -> Self {
        self.paths = paths;
        self
    }

    /// Returns the limits with this number of bytes.
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }
}

impl Default for PathLimits {
    fn default() -> Self {
        Self::SERVER
    }
}

/// The ids that peers have assigned to paths, and the ids that this side has assigned to paths.
///
/// Each sender has separate ids. A connected peer uses memory up to the limits, and a map entry for each path that this
/// side has announced to it. [`PathCache::forget`] removes a peer that has left.
///
/// ```
/// use variant_multiplayer::{Checksum, ConfirmPath, NodeRef, PathCache, PeerId, SimplifyPath};
///
/// let mut cache = PathCache::default();
/// let peer = PeerId::new(77).unwrap();
/// // The peer announces an id.
/// cache.receive(peer, &SimplifyPath::new(9, "World", Checksum::NO_METHODS))?;
/// assert_eq!(cache.path(peer, 9), Some("World"));
/// // This side announces an id.
/// let told = cache.tell(peer, "World").unwrap();
/// assert!(told.is_new);
/// assert_eq!(cache.node(peer, "World"), NodeRef::Path("World"));
/// assert!(cache.confirm(peer, &ConfirmPath::new(told.id, true)));
/// assert_eq!(cache.node(peer, "World"), NodeRef::id(told.id));
/// # Ok::<(), variant_multiplayer::PathError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathCache {
    limits: PathLimits,
    /// The ids that this side has assigned.
    own: HashMap<Box<str>, u32>,
    /// The last id that this side has assigned.
    last: u32,
    peers: BTreeMap<PeerId, Peer>,
}

/// The state of a peer.
#[derive(Clone, Debug, Default)]
struct Peer {
    /// The ids that the peer has assigned. The map is ordered, since a hostile peer could choose ids that collide in a
    /// hash map.
    paths: BTreeMap<u32, Given>,
    /// The number of bytes of these paths.
    bytes: usize,
    /// The ids announced to the peer, and whether it has confirmed them.
    told: BTreeMap<u32, bool>,
    /// Whether the peer has confirmed a path by its text.
    confirms_paths: bool,
}

/// A path to which a peer has assigned an id.
#[derive(Clone, Debug)]
struct Given {
    path: Box<str>,
    /// Whether the peer's node has other remote methods than the node of this side.
    differs: bool,
}

/// An id that this side has assigned to a path and announced to a peer.
///
/// ```
/// use variant_multiplayer::{Checksum, Message, Packet, PathCache, PeerId};
///
/// let (mut cache, peer) = (PathCache::default(), PeerId::SERVER);
/// let told = cache.tell(peer, "World").expect("ids are left");
/// assert_eq!((told.id, told.is_new, told.is_confirmed), (1, true, false));
/// let packet = Packet::new(Message::SimplifyPath(told.packet("World", Checksum::NO_METHODS)));
/// assert!(packet.to_vec().ends_with(b"World\0"));
/// assert!(!cache.tell(peer, "World").expect("ids are left").is_new);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// The id.
    pub id: u32,
    /// Whether the id is new to the peer: a [`SimplifyPath`] must be sent now.
    pub is_new: bool,
    /// Whether the peer has confirmed the id.
    pub is_confirmed: bool,
}

/// The reason why a [`SimplifyPath`] is refused.
///
/// ```
/// use variant_multiplayer::{Checksum, PathCache, PathError, PeerId, SimplifyPath};
///
/// let (mut cache, peer) = (PathCache::default(), PeerId::SERVER);
/// let path = SimplifyPath::new(9, "World", Checksum::NO_METHODS);
/// cache.receive(peer, &path)?;
/// assert_eq!(cache.receive(peer, &path), Err(PathError::Duplicate { id: 9 }));
/// cache.forget(peer); // it left, and comes again
/// cache.receive(peer, &path)?;
/// # Ok::<(), PathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// The peer has assigned this id before. Engines also refuse it.
    Duplicate {
        /// The id.
        id: u32,
    },
    /// The peer has more paths, or longer paths, than the limits allow.
    LimitExceeded,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { id } => write!(f, "the peer has given the id {id} to a path before"),
            Self::LimitExceeded => f.write_str("more paths of one peer than the limits allow"),
        }
    }
}

impl core::error::Error for PathError {}

impl PathCache {
    /// An empty cache. O(1).
    pub fn new(limits: PathLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Stores an id that a peer assigns to a path. O(log n + bytes of the path). If the path would exceed the limits,
    /// first removes an older id of the same path, in O(paths).
    ///
    /// # Errors
    /// [`PathError`]; the id is not stored then.
    pub fn receive(&mut self, from: PeerId, simplify: &SimplifyPath<'_>) -> Result<(), PathError> {
        self.replace(from, simplify).1
    }

    /// Works as [`PathCache::receive`], but also returns the older id that was removed.
    pub(crate) fn replace(
        &mut self,
        from: PeerId,
        simplify: &SimplifyPath<'_>,
    ) -> (Option<u32>, Result<(), PathError>) {
        let SimplifyPath { id, path, .. } = *simplify;
        let peer = self.peers.entry(from).or_default();
        if peer.paths.contains_key(&id) {
            return (None, Err(PathError::Duplicate { id }));
        }
        let mut older = None;
        if !peer.has_room(path, self.limits) {
            // Engines assign another id to a recreated node, and no longer use its earlier id.
            older = peer.drop_one(path);
        }
        if !peer.has_room(path, self.limits) {
            return (older, Err(PathError::LimitExceeded));
        }
        peer.bytes = peer.bytes.saturating_add(path.len());
        peer.paths.insert(id, Given { path: path.into(), differs: false });
        (older, Ok(()))
    }

    /// The answer to a received [`SimplifyPath`]. The answer contains the path if the peer has confirmed a path by its
    /// text, as Godot 4.0 to 4.2 do. Otherwise it contains the id. O(log n).
    ///
    /// ```
    /// use variant_multiplayer::{Checksum, ConfirmPath, PathCache, PeerId, SimplifyPath};
    ///
    /// let (mut cache, peer) = (PathCache::default(), PeerId::SERVER);
    /// let path = SimplifyPath::new(9, "World", Checksum::NO_METHODS);
    /// assert_eq!(cache.answer(peer, &path, true), ConfirmPath::new(9, true));
    /// cache.tell(peer, "World");
    /// assert!(cache.confirm(peer, &ConfirmPath::by_path("World", true)));
    /// assert_eq!(cache.answer(peer, &path, true), ConfirmPath::by_path("World", true));
    /// ```
    pub fn answer<'p>(
        &self,
        to: PeerId,
        simplify: &SimplifyPath<'p>,
        agree: bool,
    ) -> ConfirmPath<'p> {
        if self.confirms_paths(to) {
            ConfirmPath::by_path(simplify.path, agree)
        } else {
            ConfirmPath::new(simplify.id, agree)
        }
    }

    /// Whether a peer has confirmed a path by its text, as Godot 4.0 to 4.2 do. O(log n).
    pub fn confirms_paths(&self, peer: PeerId) -> bool {
        self.peers.get(&peer).is_some_and(|peer| peer.confirms_paths)
    }

    /// Records that a peer's node has other remote methods than the node of this side.
    pub(crate) fn note_difference(&mut self, from: PeerId, id: u32) {
        let given = self.peers.get_mut(&from).and_then(|peer| peer.paths.get_mut(&id));
        if let Some(given) = given {
            given.differs = true;
        }
    }

    /// For each path to which a peer has assigned an id, an answer that contains the path.
    pub(crate) fn answers(&self, to: PeerId) -> impl Iterator<Item = ConfirmPath<'_>> {
        let given = self.peers.get(&to).into_iter().flat_map(|peer| peer.paths.values());
        given.map(|given| ConfirmPath::by_path(&given.path, !given.differs))
    }

    /// The path to which a peer has assigned an id. O(log n).
    pub fn path(&self, from: PeerId, id: u32) -> Option<&str> {
        Some(&self.peers.get(&from)?.paths.get(&id)?.path)
    }

    /// The path of the node in a call of a peer. O(log n).
    ///
    /// ```
    /// use variant_multiplayer::{Checksum, NodeRef, PathCache, PeerId, SimplifyPath};
    ///
    /// let (mut cache, peer) = (PathCache::default(), PeerId::SERVER);
    /// cache.receive(peer, &SimplifyPath::new(9, "World", Checksum::NO_METHODS))?;
    /// assert_eq!(cache.resolve(peer, NodeRef::id(9)), Some("World"));
    /// assert_eq!(cache.resolve(peer, NodeRef::Path("Menu")), Some("Menu"));
    /// assert_eq!(cache.resolve(peer, NodeRef::id(1)), None); // never announced
    /// # Ok::<(), variant_multiplayer::PathError>(())
    /// ```
    pub fn resolve<'c>(&'c self, from: PeerId, node: NodeRef<'c>) -> Option<&'c str> {
        match node {
            NodeRef::Path(path) => Some(path),
            NodeRef::Id { id, .. } => self.path(from, id),
        }
    }

    /// Returns the id of a path, and counts the id as announced to the peer. `None` if there are 2^31 paths. O(log n).
    ///
    /// Ids count from 1. No other limit applies, since this side chooses its paths.
    pub fn tell(&mut self, to: PeerId, path: &str) -> Option<Told> {
        let id = self.own_id(path)?;
        let told = &mut self.peers.entry(to).or_default().told;
        let is_confirmed = told.get(&id).copied();
        told.entry(id).or_insert(false);
        Some(Told { id, is_new: is_confirmed.is_none(), is_confirmed: is_confirmed == Some(true) })
    }

    /// The id that this side has assigned to a path. Assigns an id if necessary. `None` if there are 2^31 paths. O(1).
    pub fn own_id(&mut self, path: &str) -> Option<u32> {
        if let Some(id) = self.own.get(path) {
            return Some(*id);
        }
        let id = id_behind(self.last)?;
        self.last = id;
        self.own.insert(path.into(), id);
        Some(id)
    }

    /// Forgets the id that this side has assigned to a path. The path gets another id when it is announced again.
    /// O(peers).
    pub fn forget_own(&mut self, path: &str) {
        let Some(id) = self.own.remove(path) else { return };
        for peer in self.peers.values_mut() {
            peer.told.remove(&id);
        }
    }

    /// Records that a peer has confirmed an id, or a path if the peer is Godot 4.0 to 4.2. Returns whether the id or
    /// path was announced to the peer. Other ids and paths are ignored. The bytes of an id may also be a path of three
    /// bytes. They count as the id if that id was announced, otherwise as the path. O(log n + bytes of the path).
    ///
    /// ```
    /// use variant_multiplayer::{Message, NodeRef, Packet, PathCache, PeerId};
    ///
    /// let (mut cache, peer) = (PathCache::default(), PeerId::SERVER);
    /// let told = cache.tell(peer, "Foo").expect("ids are left");
    /// let Message::ConfirmPath(old) = Packet::parse(b"\x02\x01Foo\0")?.message else { panic!() };
    /// assert!(cache.confirm(peer, &old) && cache.confirms_paths(peer));
    /// assert_eq!(cache.node(peer, "Foo"), NodeRef::id(told.id));
    /// # Ok::<(), variant_multiplayer::Error>(())
    /// ```
    pub fn confirm(&mut self, from: PeerId, confirm: &ConfirmPath<'_>) -> bool {
        let Some(peer) = self.peers.get_mut(&from) else { return false };
        let by_id = peer.told.get_mut(&confirm.id).filter(|_| confirm.path.is_none());
        if let Some(is_confirmed) = by_id {
            *is_confirmed = true;
            return true;
        }
        let bytes = confirm.id.to_le_bytes();
        let path = confirm.path.or_else(|| path_of_id(&bytes));
        let id = path.and_then(|path| self.own.get(path));
        let Some(is_confirmed) = id.and_then(|id| peer.told.get_mut(id)) else { return false };
        *is_confirmed = true;
        peer.confirms_paths = true;
        true
    }

    /// The reference that names a node in a call to a peer: an id if the peer has confirmed the id, otherwise the path.
    /// O(log n).
    pub fn node<'p>(&self, to: PeerId, path: &'p str) -> NodeRef<'p> {
        let id = self.own.get(path).copied();
        let told = self.peers.get(&to).map(|peer| &peer.told);
        match (id, told) {
            (Some(id), Some(told)) if told.get(&id) == Some(&true) => NodeRef::id(id),
            _ => NodeRef::Path(path),
        }
    }

    /// Forgets all ids and paths of a peer, in both directions. O(paths of the peer).
    pub fn forget(&mut self, peer: PeerId) {
        self.peers.remove(&peer);
    }
}

impl Peer {
    fn has_room(&self, path: &str, limits: PathLimits) -> bool {
        let bytes = self.bytes.saturating_add(path.len());
        self.paths.len() < limits.paths && bytes <= limits.bytes
    }

    /// Forgets one id of a path, if the path has one, and returns that id. O(paths).
    fn drop_one(&mut self, path: &str) -> Option<u32> {
        let id = self.paths.iter().find(|(_, one)| *one.path == *path).map(|(id, _)| *id)?;
        let given = self.paths.remove(&id)?;
        self.bytes = self.bytes.saturating_sub(given.path.len());
        Some(id)
    }
}

/// The next id. `None` if bit 31 of the next id is set: in a call, that bit marks the offset of a path.
fn id_behind(last: u32) -> Option<u32> {
    last.checked_add(1).filter(|id| id >> 31 == 0)
}

impl Told {
    /// The packet that announces the path to a peer.
    pub const fn packet<'p>(&self, path: &'p str, checksum: Checksum) -> SimplifyPath<'p> {
        SimplifyPath::new(self.id, path, checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a call, bit 31 marks the offset of a path, so ids do not have this bit.
    #[test]
    fn ids_end_in_front_of_paths() {
        assert_eq!(id_behind(0), Some(1));
        assert_eq!(id_behind(0x7fff_fffe), Some(0x7fff_ffff));
        assert_eq!(id_behind(0x7fff_ffff), None);
        assert_eq!(id_behind(u32::MAX), None);
    }
}
