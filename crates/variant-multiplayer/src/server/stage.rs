//! [`Stage`]: the nodes that the server has spawned, for peers that join later.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::spawn::NetId;

/// The nodes that the server has spawned.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// The nodes by their net ids. The order of the ids is that of spawning.
    nodes: BTreeMap<NetId, Actor>,
    /// The last net id. Nodes and synchronizers have one counter.
    last: u32,
}

/// A node that was spawned.
#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) spawner: Arc<str>,
    /// The index of the node's scene, or the argument of the custom function in the compact form.
    pub(crate) source: ActorSource,
    pub(crate) name: Box<str>,
    pub(crate) synchronizers: Vec<NetId>,
    /// The values that are set on spawning, in the compact form.
    pub(crate) state: Vec<u8>,
}

#[derive(Debug)]
pub(crate) enum ActorSource {
    Scene(u8),
    Function(Vec<u8>),
}

impl Stage {
    /// A new net id; `None` after 2^31 ids.
    pub(crate) fn next_id(&mut self) -> Option<NetId> {
        let id = self.last.checked_add(1).filter(|id| id >> 31 == 0)?;
        self.last = id;
        Some(NetId::new(id))
    }

    pub(crate) fn insert(&mut self, id: NetId, actor: Actor) {
        self.nodes.insert(id, actor);
    }

    /// Whether a node with this name is below a spawner. O(nodes).
    pub(crate) fn has(&self, spawner: &str, name: &str) -> bool {
        self.nodes.values().any(|actor| *actor.name == *name && *actor.spawner == *spawner)
    }

    pub(crate) fn remove(&mut self, id: NetId) -> bool {
        self.nodes.remove(&id).is_some()
    }

    pub(crate) fn get_mut(&mut self, id: NetId) -> Option<&mut Actor> {
        self.nodes.get_mut(&id)
    }

    pub(crate) fn get(&self, id: NetId) -> Option<&Actor> {
        self.nodes.get(&id)
    }

    /// The ids of the nodes, in the order of spawning.
    pub(crate) fn ids(&self) -> Vec<NetId> {
        self.nodes.keys().copied().collect()
    }
}
