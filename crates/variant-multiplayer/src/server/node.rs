//! [`Node`]: a node of the server, with its remote methods and its authority.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::peer::PeerId;
use crate::rpc::MethodId;
use crate::rpc_table::RpcTable;
use crate::transport::Delivery;

/// The peers that may call a method: the mode in an `@rpc` annotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RpcMode {
    /// Only the authority of the node. This is the default of the annotation.
    #[default]
    Authority,
    /// All peers.
    AnyPeer,
}

/// A remote method: its permitted callers, and the delivery of calls.
///
/// ```
/// use variant_multiplayer::Delivery;
/// use variant_multiplayer::server::{Method, RpcMode};
///
/// // @rpc("any_peer", "unreliable")
/// let aim = Method::ANY_PEER.delivery(Delivery::UNRELIABLE);
/// assert_eq!((aim.mode, aim.delivery), (RpcMode::AnyPeer, Delivery::UNRELIABLE));
/// assert_eq!(Method::default(), Method::AUTHORITY); // @rpc
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Method {
    /// The peers that may call the method.
    pub mode: RpcMode,
    /// The delivery of calls from this server. Peers choose the delivery of their calls.
    pub delivery: Delivery,
}

impl Method {
    /// `@rpc("any_peer")`: all peers may call the method. Calls are reliable.
    pub const ANY_PEER: Self = Self { mode: RpcMode::AnyPeer, delivery: Delivery::RELIABLE };
    /// `@rpc("authority")`: the authority of the node may call the method. Calls are reliable.
    pub const AUTHORITY: Self = Self { mode: RpcMode::Authority, delivery: Delivery::RELIABLE };

    /// Returns the method with another delivery.
    #[must_use]
    pub const fn delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }
}

/// A node of the server's tree: its path, its remote methods, its authority.
///
/// Clients have a node at the same path. Its script has remote methods of the same names.
///
/// ```
/// use variant_multiplayer::server::{Method, Node};
///
/// // @rpc("any_peer") func shoot(at); @rpc func hit(hp)
/// let world = Node::new("World").method("shoot", Method::ANY_PEER).method("hit", Method::AUTHORITY);
/// assert_eq!(world.path(), "World");
/// ```
#[derive(Clone, Debug)]
pub struct Node {
    path: Arc<str>,
    methods: Vec<(Box<str>, Method)>,
    authority: PeerId,
}

impl Node {
    /// A node without remote methods, such as a spawner or synchronizer. The server has the authority over the node.
    /// The path is relative to the root of the tree: `World/Level`.
    pub fn new(path: &str) -> Self {
        Self { path: path.into(), methods: Vec::new(), authority: PeerId::SERVER }
    }

    /// Returns the node with an additional remote method. Add all remote methods of the client's script, since all
    /// names determine the ids.
    #[must_use]
    pub fn method(mut self, name: &str, method: Method) -> Self {
        self.methods.retain(|(one, _)| **one != *name);
        self.methods.push((name.into(), method));
        self
    }

    /// Returns the node with another authority, as `set_multiplayer_authority` sets it.
    #[must_use]
    pub const fn authority(mut self, peer: PeerId) -> Self {
        self.authority = peer;
        self
    }

    /// The path.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// A node with methods that can be found by id.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) path: Arc<str>,
    pub(crate) table: RpcTable,
    /// The methods in the order of their ids.
    methods: Vec<Method>,
    pub(crate) authority: PeerId,
}

impl Entry {
    fn new(mut node: Node) -> Self {
        node.methods.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let table = RpcTable::new(node.methods.iter().map(|(name, _)| name.clone()));
        let methods = node.methods.iter().map(|(_, method)| *method).collect();
        Self { path: node.path, table, methods, authority: node.authority }
    }

    /// The name and the settings of a method, by its id.
    #[inline]
    pub(crate) fn method(&self, id: u16) -> Option<(&str, Method)> {
        Some((self.table.name(id)?, *self.methods.get(usize::from(id))?))
    }

    pub(crate) fn named(&self, name: &str) -> Option<(MethodId, Method)> {
        let id = self.table.id(name)?;
        Some((id, *self.methods.get(usize::from(id.id()))?))
    }
}

/// The nodes by their paths. Only the program chooses paths, so peers cannot choose paths that collide.
#[derive(Debug, Default)]
pub(crate) struct Nodes(HashMap<Arc<str>, Arc<Entry>>);

impl Nodes {
    pub(crate) fn insert(&mut self, node: Node) {
        let entry = Entry::new(node);
        self.0.insert(entry.path.clone(), Arc::new(entry));
    }

    pub(crate) fn remove(&mut self, path: &str) -> bool {
        self.0.remove(path).is_some()
    }

    #[inline]
    pub(crate) fn get(&self, path: &str) -> Option<&Arc<Entry>> {
        self.0.get(path)
    }

    pub(crate) fn set_authority(&mut self, path: &str, peer: PeerId) -> bool {
        self.0.get_mut(path).map(|entry| Arc::make_mut(entry).authority = peer).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_settings_of_a_method_count() {
        let node = Node::new("World").method("b", Method::AUTHORITY).method("a", Method::ANY_PEER);
        let node = node.method("b", Method::ANY_PEER).method("a", Method::AUTHORITY);
        assert_eq!(node.path(), "World");
        let entry = Entry::new(node);
        assert_eq!((entry.table.len(), entry.methods.len()), (2, 2));
        assert_eq!(entry.method(0), Some(("a", Method::AUTHORITY)));
        assert_eq!(entry.method(1), Some(("b", Method::ANY_PEER)));
        assert_eq!(entry.named("b"), Some((MethodId::new(1), Method::ANY_PEER)));
    }
}
