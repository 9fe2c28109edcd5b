//! Nodes that the server spawns and synchronises on clients.

use std::collections::BTreeSet;
use std::sync::Arc;

use variant_view::{Dialect, Options};

use super::actor::{Actor, ActorSource, Owner};
use super::audience::Audience;
use super::network::Network;
use super::new_node::{NewNode, Spawned};
use super::send_error::SendError;
use crate::packet::Message;
use crate::path::is_node_name;
use crate::peer::PeerId;
use crate::spawn::NetId;
use crate::transport::Delivery;
use crate::values::CompactValues;

impl Network {
    /// Spawns a node below the spawner at `spawner`, on all clients of its audience, including those that join later.
    ///
    /// The spawner is a node of the server ([`Network::add_node`]) and a `MultiplayerSpawner` on the clients. O(bytes +
    /// peers + spawned nodes).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::Scene`], [`SendError::Name`], [`SendError::Values`],
    /// [`SendError::NoIds`], and [`SendError::NotSpawned`] if the audience is the viewers of a missing node.
    pub fn spawn(&mut self, spawner: &str, node: NewNode) -> Result<Spawned, SendError> {
        self.place(spawner, node, None)
    }

    /// Spawns a node of the server, or a node that the server adopts from a peer.
    pub(super) fn place(
        &mut self,
        spawner: &str,
        node: NewNode,
        owner: Option<Owner>,
    ) -> Result<Spawned, SendError> {
        let NewNode { source, name, synchronizers, rows, audience } = node;
        let unknown = || SendError::UnknownNode(spawner.into());
        let spawner = self.nodes.get(spawner).ok_or_else(unknown)?.path.clone();
        // This number means a custom function, so it cannot be the index of a scene.
        if matches!(source, ActorSource::Scene(0xff)) {
            return Err(SendError::Scene);
        }
        if !is_node_name(&name) || self.stage.has(&spawner, &name) {
            return Err(SendError::Name(name));
        }
        if let ActorSource::Function(argument) = &source {
            are_values(argument, Some(1)).then_some(()).ok_or(SendError::Values)?;
        }
        rows.iter().all(|row| are_values(row, None)).then_some(()).ok_or(SendError::Values)?;
        self.can_follow(&audience, None)?;
        self.cache.own_id(&spawner).ok_or(SendError::NoIds)?;
        let node = self.stage.next_id().ok_or(SendError::NoIds)?;
        for _ in &synchronizers {
            self.stage.next_id().ok_or(SendError::NoIds)?;
        }
        let viewers = BTreeSet::new();
        let actor = Actor { spawner, source, name, synchronizers, rows, audience, viewers, owner };
        let ids = Spawned { node, synchronizers: actor.ids(node) };
        self.stage.insert(node, actor);
        self.update_nodes(&[node]);
        Ok(ids)
    }

    /// Changes the audience of a spawned node. The node appears for new peers of the audience, and disappears for peers
    /// that are no longer in it. O(peers) for the node, and for each node whose audience is the viewers of this node.
    /// O(spawned nodes) more if any node has ever had an [`Audience::Viewers`].
    ///
    /// # Errors
    /// [`SendError::NotSpawned`], [`SendError::NotEarlier`].
    #[doc(alias = "set_visibility_for")]
    #[doc(alias = "add_visibility_filter")]
    pub fn set_audience(
        &mut self,
        node: NetId,
        audience: impl Into<Audience>,
    ) -> Result<(), SendError> {
        let audience = audience.into();
        self.can_follow(&audience, Some(node))?;
        if !self.stage.set_audience(node, audience) {
            return Err(SendError::NotSpawned);
        }
        self.update_nodes(&self.stage.with_followers(node));
        Ok(())
    }

    /// If an audience is the viewers of another node, checks that `node` was spawned after the other node: nodes appear
    /// in the order of spawning.
    fn can_follow(&self, audience: &Audience, node: Option<NetId>) -> Result<(), SendError> {
        match audience {
            Audience::Viewers(leader) if node.is_some_and(|node| *leader >= node) => {
                Err(SendError::NotEarlier)
            }
            Audience::Viewers(leader) if self.stage.get(*leader).is_none() => {
                Err(SendError::NotSpawned)
            }
            _ => Ok(()),
        }
    }

    /// Evaluates the rules of all audiences again ([`Audience::Rule`]). O(peers * spawned nodes).
    #[doc(alias = "update_visibility")]
    pub fn refresh(&mut self) {
        self.update_nodes(&self.stage.ids());
    }

    /// The peers that have a spawned node, in the order of their numbers. O(peers) in all.
    pub fn viewers(&self, node: NetId) -> impl Iterator<Item = PeerId> + '_ {
        self.stage.get(node).into_iter().flat_map(|actor| actor.viewers.iter().copied())
    }

    /// Removes a spawned node from all clients that have it. If the audience of other nodes is the viewers of this
    /// node, the other nodes also disappear, but stay spawned. O(peers + spawned nodes).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn despawn(&mut self, node: NetId) -> Result<(), SendError> {
        self.set_audience(node, Audience::nobody())?;
        if let Some(actor) = self.stage.remove(node) {
            self.release(node, &actor);
        }
        Ok(())
    }

    /// Shows a peer the nodes whose audience contains it, and hides the other nodes from it. O(nodes).
    pub(super) fn update_peer(&mut self, peer: PeerId) {
        let is_admitted = self.has_peer(peer);
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for node in self.stage.ids() {
            let Some(actor) = self.stage.get(node) else { continue };
            let is_in = is_admitted && !actor.is_of(peer) && self.includes(&actor.audience, peer);
            let Some(actor) = self.stage.get_mut(node) else { continue };
            if is_in && actor.viewers.insert(peer) {
                new.push((node, peer));
            } else if !is_in && actor.viewers.remove(&peer) {
                gone.push((node, peer));
            }
        }
        self.send_views(gone, new);
    }

    /// Shows nodes to the peers in their audiences, and hides them from other peers. O(peers) for each node.
    fn update_nodes(&mut self, nodes: &[NetId]) {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for node in nodes {
            let Some(actor) = self.stage.get(*node) else { continue };
            let wanted = self.receivers(&actor.audience).into_iter();
            let wanted = wanted.filter(|peer| !actor.is_of(*peer)).collect();
            let Some(actor) = self.stage.get_mut(*node) else { continue };
            let old = std::mem::replace(&mut actor.viewers, wanted);
            gone.extend(old.difference(&actor.viewers).map(|peer| (*node, *peer)));
            new.extend(actor.viewers.difference(&old).map(|peer| (*node, *peer)));
        }
        self.send_views(gone, new);
    }

    /// Sends the despawns of nodes that disappear, in reverse order, and then the spawns of nodes that appear, in
    /// order: a node may be below an earlier node.
    fn send_views(&mut self, gone: Vec<(NetId, PeerId)>, new: Vec<(NetId, PeerId)>) {
        for (node, peer) in gone.into_iter().rev() {
            self.send_surely(peer, Message::Despawn(node));
        }
        let mut last: Option<(NetId, Vec<Arc<[u8]>>)> = None;
        for (node, peer) in new {
            let packets = match last {
                Some((id, packets)) if id == node => packets,
                _ => self.spawn_packets(node),
            };
            if !self.show(node, peer, &packets)
                && let Some(actor) = self.stage.get_mut(node)
            {
                actor.viewers.remove(&peer);
            }
            last = Some((node, packets));
        }
    }

    /// Sends a spawned node to a peer. Returns false if the node of the spawner was removed.
    fn show(&mut self, node: NetId, peer: PeerId, packets: &[Arc<[u8]>]) -> bool {
        let spawner = self.stage.get(node).map(|actor| Arc::clone(&actor.spawner));
        let is_known = spawner.is_some_and(|path| self.introduce(peer, &path).is_some());
        for packet in packets.iter().filter(|_| is_known) {
            self.push(peer, Arc::clone(packet), Delivery::RELIABLE, true);
        }
        is_known
    }

    fn spawn_packets(&mut self, node: NetId) -> Vec<Arc<[u8]>> {
        let Some(actor) = self.stage.get(node) else { return Vec::new() };
        // Spawning has assigned an id to the path.
        let id = self.cache.own_id(&actor.spawner).unwrap_or_default();
        actor.packets(id, node)
    }
}

/// Whether the program's bytes are exactly `count` values in the compact form. The limits for values of
/// peers do not apply.
fn are_values(bytes: &[u8], count: Option<u32>) -> bool {
    let options = Options::engine(Dialect::Godot4);
    let values = match count {
        Some(count) => CompactValues::counted(bytes, options, count),
        None => CompactValues::new(bytes, options),
    };
    values.validate().is_ok_and(|sum| sum.consumed == bytes.len())
}
