//! Nodes that the server spawns and synchronises on all clients.

use std::sync::Arc;

use variant_view::{Dialect, Options};

use super::network::{Network, SendError};
use super::stage::{Actor, ActorSource};
use crate::packet::{Message, Packet};
use crate::path::is_node_name;
use crate::peer::{PeerId, Target};
use crate::spawn::{NetId, NetIds, Spawn, SpawnSource};
use crate::sync::{Delta, Sync, push_change, push_state};
use crate::transport::Delivery;
use crate::values::CompactValues;

/// The ids of a node that was spawned.
///
/// ```
/// use variant_multiplayer::{Target, to_row};
/// use variant_multiplayer::server::{Call, CallResult, Handler, Network, Node};
/// use variant_multiplayer::server::{Server, ServerOptions};
///
/// struct Quiet;
///
/// impl Handler for Quiet {
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
/// }
///
/// let mut server = Server::new(Quiet, ServerOptions::default(), [Node::new("Spawner")]);
/// let network = server.network();
/// let player = network.spawn("Spawner", 0, "Player", 1, to_row(&(10.0, 20.0))?)?;
/// network.sync(Target::All, &[(player.synchronizers[0], &to_row(&(11.0, 20.0))?)]);
/// network.despawn(player.node)?;
/// assert!(network.despawn(player.node).is_err()); // it is gone
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spawned {
    /// The node.
    pub node: NetId,
    /// Its synchronizers, in the order of the scene.
    pub synchronizers: Vec<NetId>,
}

/// The bytes of states in one packet of a synchronization: 1,350, as in the engine, minus 3 bytes of the head.
const SYNC_SIZE: usize = 1_347;
/// The length of the id and the size that precede a state.
const STATE_HEAD: usize = 8;

impl Network {
    /// Spawns a node on all clients, including those that join later, below the spawner at `spawner`.
    ///
    /// The spawner is a node of the server ([`Network::add_node`]) and a `MultiplayerSpawner` on the clients.
    /// `synchronizers` is the number of synchronizers in the scene that the server has authority over. Synchronizers of
    /// clients get no id here, and are separate nodes ([`Network::add_node`],
    /// [`Node::authority`](super::Node::authority)). `state` has the spawn properties of the server's synchronizers, in
    /// the compact form ([`to_row`](crate::to_row)). O(bytes + peers).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::Scene`], [`SendError::Name`], [`SendError::Values`], [`SendError::NoIds`].
    pub fn spawn(
        &mut self,
        spawner: &str,
        scene: u8,
        name: &str,
        synchronizers: usize,
        state: Vec<u8>,
    ) -> Result<Spawned, SendError> {
        self.put_on_stage(spawner, ActorSource::Scene(scene), name, synchronizers, state)
    }

    /// Spawns a node by the spawner's custom function, as `MultiplayerSpawner.spawn(argument)` does. `argument` is one
    /// value in the compact form. Costs as much as [`Network::spawn`].
    ///
    /// # Errors
    /// Those of [`Network::spawn`].
    pub fn spawn_with(
        &mut self,
        spawner: &str,
        argument: Vec<u8>,
        name: &str,
        synchronizers: usize,
        state: Vec<u8>,
    ) -> Result<Spawned, SendError> {
        self.put_on_stage(spawner, ActorSource::Function(argument), name, synchronizers, state)
    }

    fn put_on_stage(
        &mut self,
        spawner: &str,
        source: ActorSource,
        name: &str,
        synchronizers: usize,
        state: Vec<u8>,
    ) -> Result<Spawned, SendError> {
        let unknown = || SendError::UnknownNode(spawner.into());
        let spawner = self.nodes.get(spawner).ok_or_else(unknown)?.path.clone();
        // This number marks a custom function, so it cannot be the index of a scene.
        if matches!(source, ActorSource::Scene(0xff)) {
            return Err(SendError::Scene);
        }
        if !is_node_name(name) || self.stage.has(&spawner, name) {
            return Err(SendError::Name(name.into()));
        }
        if let ActorSource::Function(argument) = &source {
            are_values(argument, Some(1)).then_some(()).ok_or(SendError::Values)?;
        }
        are_values(&state, None).then_some(()).ok_or(SendError::Values)?;
        let node = self.stage.next_id().ok_or(SendError::NoIds)?;
        let ids = std::iter::repeat_with(|| self.stage.next_id()).take(synchronizers);
        let synchronizers: Vec<_> = ids.collect::<Option<_>>().ok_or(SendError::NoIds)?;
        let actor = Actor {
            spawner,
            source,
            name: name.into(),
            synchronizers: synchronizers.clone(),
            state,
        };
        self.stage.insert(node, actor);
        self.show(&self.receivers(Target::All), node).ok_or(SendError::NoIds)?;
        Ok(Spawned { node, synchronizers })
    }

    /// Sets the spawn properties of a node for clients that join later. O(bytes).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn set_spawn_state(&mut self, node: NetId, state: Vec<u8>) -> Result<(), SendError> {
        self.stage.get_mut(node).map(|actor| actor.state = state).ok_or(SendError::NotSpawned)
    }

    /// Removes a spawned node from all clients. O(peers).
    ///
    /// # Errors
    /// [`SendError::NotSpawned`].
    pub fn despawn(&mut self, node: NetId) -> Result<(), SendError> {
        if !self.stage.remove(node) {
            return Err(SendError::NotSpawned);
        }
        self.send_message(Target::All, Message::Despawn(node), Delivery::RELIABLE);
        Ok(())
    }

    /// Sends states of synchronizers unreliably, in as many packets as needed. A state is all always-sent properties in
    /// the compact form. O(bytes x peers): each receiver has a separate clock.
    ///
    /// A receiver drops states older than its newest state. If it receives no state of a synchronizer during 32,767
    /// calls, it drops the next state as old.
    pub fn sync(&mut self, target: Target, states: &[(NetId, &[u8])]) {
        if states.is_empty() {
            return;
        }
        let packets = packets_of(states);
        for id in self.receivers(target) {
            let Some(peer) = self.peers.get_mut(&id) else { continue };
            peer.sent_time = peer.sent_time.wrapping_add(1);
            let time = peer.sent_time;
            for states in &packets {
                let mut bytes = Vec::new();
                Sync::begin(time, &mut bytes);
                bytes.extend_from_slice(states);
                self.send(id, bytes.into(), Delivery::UNRELIABLE);
            }
        }
    }

    /// Sends changed properties of a synchronizer: the values of the bits set in `mask`, in the compact form. O(bytes +
    /// peers).
    pub fn delta(&mut self, target: Target, synchronizer: NetId, mask: u64, values: &[u8]) {
        let mut bytes = Vec::new();
        Delta::begin(&mut bytes);
        push_change(synchronizer, mask, values, &mut bytes);
        self.broadcast(target, &bytes.into(), Delivery::RELIABLE);
    }

    /// The id, for [`Network::sync`] and [`Network::delta`], of a synchronizer that is part of the clients' scenes, and
    /// the targets that know the id. The id is announced to the other targets. O(peers).
    ///
    /// # Errors
    /// [`SendError::UnknownNode`], [`SendError::NoIds`].
    pub fn synchronizer(
        &mut self,
        target: Target,
        path: &str,
    ) -> Result<(NetId, Vec<PeerId>), SendError> {
        if self.nodes.get(path).is_none() {
            return Err(SendError::UnknownNode(path.into()));
        }
        let id = self.cache.own_id(path).ok_or(SendError::NoIds)?;
        let mut ready = Vec::new();
        for peer in self.receivers(target) {
            if self.introduce(peer, path).ok_or(SendError::NoIds)? {
                ready.push(peer);
            }
        }
        Ok((NetId::of_path(id), ready))
    }

    /// Sends a spawned node to peers.
    fn show(&mut self, peers: &[PeerId], node: NetId) -> Option<()> {
        let spawner = self.stage.get(node)?.spawner.clone();
        let id = self.cache.own_id(&spawner)?;
        let packet: Arc<[u8]> = self.stage.get(node)?.packet(id, node).into();
        for peer in peers {
            self.introduce(*peer, &spawner)?;
            self.send(*peer, Arc::clone(&packet), Delivery::RELIABLE);
        }
        Some(())
    }

    /// Sends all spawned nodes to a peer.
    pub(super) fn show_all(&mut self, peer: PeerId) {
        for node in self.stage.ids() {
            self.show(&[peer], node);
        }
    }
}

/// Whether the program's bytes are `count` values in the compact form, and nothing after them. No limits for peers apply.
fn are_values(bytes: &[u8], count: Option<u32>) -> bool {
    let options = Options::engine(Dialect::Godot4);
    let values = match count {
        Some(count) => CompactValues::counted(bytes, options, count),
        None => CompactValues::new(bytes, options),
    };
    values.validate().is_ok_and(|sum| sum.consumed == bytes.len())
}

/// Groups states into the bodies of packets. Each body has as many states as fit.
fn packets_of(states: &[(NetId, &[u8])]) -> Vec<Vec<u8>> {
    let mut packets = vec![Vec::new()];
    for (id, values) in states {
        let len = values.len().saturating_add(STATE_HEAD);
        let is_full =
            |packet: &Vec<u8>| !packet.is_empty() && packet.len().saturating_add(len) > SYNC_SIZE;
        if packets.last().is_some_and(is_full) {
            packets.push(Vec::new());
        }
        if let Some(packet) = packets.last_mut() {
            push_state(*id, values, packet);
        }
    }
    packets
}

impl Actor {
    fn packet(&self, spawner: u32, node: NetId) -> Vec<u8> {
        let words: Vec<[u8; 4]> =
            self.synchronizers.iter().map(|id| id.to_wire().to_le_bytes()).collect();
        let dialect = Dialect::Godot4;
        let source = match &self.source {
            ActorSource::Scene(scene) => SpawnSource::Scene(*scene),
            ActorSource::Function(argument) => {
                SpawnSource::Function(CompactValues::new(argument, dialect))
            }
        };
        let spawn = Spawn {
            synchronizers: NetIds::new(&words),
            state: CompactValues::new(&self.state, dialect),
            ..Spawn::new(source, spawner, node, &self.name)
        };
        Packet::new(Message::Spawn(spawn)).to_vec()
    }
}
