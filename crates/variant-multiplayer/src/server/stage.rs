//! [`Stage`]: the nodes that the server has spawned, for peers that join later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::actor::Actor;
use super::audience::Audience;
use crate::bytes::size;
use crate::peer::PeerId;
use crate::spawn::NetId;

/// The nodes that the server has spawned.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// The nodes by their net ids. The ids are in the order of spawning.
    nodes: BTreeMap<NetId, Actor>,
    /// The names of the nodes, by the paths of their spawners.
    names: BTreeMap<Arc<str>, BTreeSet<Box<str>>>,
    /// The last net id. Nodes and synchronizers have one counter.
    last: u32,
    /// Whether an audience was ever [`Audience::Viewers`].
    has_followers: bool,
}

impl Stage {
    /// A new net id; `None` after 2^31 ids.
    pub(crate) fn next_id(&mut self) -> Option<NetId> {
        let id = self.last.checked_add(1).filter(|id| id >> 31 == 0)?;
        self.last = id;
        Some(NetId::new(id))
    }

    pub(crate) fn insert(&mut self, id: NetId, actor: Actor) {
        self.has_followers |= matches!(actor.audience, Audience::Viewers(_));
        self.names.entry(Arc::clone(&actor.spawner)).or_default().insert(actor.name.clone());
        self.nodes.insert(id, actor);
    }

    /// Whether a node with this name is below a spawner. O(log nodes).
    pub(crate) fn has(&self, spawner: &str, name: &str) -> bool {
        self.names.get(spawner).is_some_and(|names| names.contains(name))
    }

    pub(crate) fn remove(&mut self, id: NetId) -> Option<Actor> {
        let actor = self.nodes.remove(&id)?;
        if let Some(names) = self.names.get_mut(&actor.spawner) {
            names.remove(&actor.name);
            if names.is_empty() {
                self.names.remove(&actor.spawner);
            }
        }
        Some(actor)
    }

    pub(crate) fn get_mut(&mut self, id: NetId) -> Option<&mut Actor> {
        self.nodes.get_mut(&id)
    }

    pub(crate) fn get(&self, id: NetId) -> Option<&Actor> {
        self.nodes.get(&id)
    }

    /// Sets the audience of a node. Returns false if the node does not exist.
    pub(crate) fn set_audience(&mut self, id: NetId, audience: Audience) -> bool {
        self.has_followers |= matches!(audience, Audience::Viewers(_));
        self.get_mut(id).map(|actor| actor.audience = audience).is_some()
    }

    pub(crate) fn is_seen(&self, node: NetId, peer: PeerId) -> bool {
        self.get(node).is_some_and(|actor| actor.viewers.contains(&peer))
    }

    /// The node and the index of a synchronizer. The id of a node also finds the node's first synchronizer.
    pub(crate) fn find(&self, id: NetId) -> Option<(NetId, usize)> {
        let (node, actor) = self.nodes.range(..=id).next_back()?;
        let index = id.to_wire().checked_sub(node.to_wire())?.saturating_sub(1);
        let index = size(index);
        (index < actor.synchronizers.len()).then_some((*node, index))
    }

    /// The nodes that the server has adopted from this peer.
    pub(crate) fn owned(&self, peer: PeerId) -> Vec<NetId> {
        let owned = self.nodes.iter().filter(|(_, actor)| actor.is_of(peer));
        owned.map(|(id, _)| *id).collect()
    }

    /// Removes a peer that has left from the viewers of all nodes.
    pub(crate) fn forget(&mut self, peer: PeerId) {
        for actor in self.nodes.values_mut() {
            actor.viewers.remove(&peer);
        }
    }

    /// A node, and its followers: the nodes whose audience is the viewers of this node. O(nodes) if any node has
    /// followers.
    pub(crate) fn with_followers(&self, node: NetId) -> Vec<NetId> {
        if !self.has_followers {
            return vec![node];
        }
        let mut found = BTreeSet::from([node]);
        for (id, actor) in self.nodes.range(node..) {
            if matches!(actor.audience, Audience::Viewers(leader) if found.contains(&leader)) {
                found.insert(*id);
            }
        }
        found.into_iter().collect()
    }

    /// The ids of the nodes, in the order of spawning.
    pub(crate) fn ids(&self) -> Vec<NetId> {
        self.nodes.keys().copied().collect()
    }
}
