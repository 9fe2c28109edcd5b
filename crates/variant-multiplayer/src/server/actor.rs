//! [`Actor`]: a node that the server has spawned.

use std::collections::BTreeSet;
use std::sync::Arc;

use variant_view::Dialect;

use super::audience::Audience;
use super::synchronizer::Synchronizer;
use crate::bytes::word;
use crate::packet::{Message, Packet};
use crate::peer::PeerId;
use crate::spawn::{NetId, NetIds, Spawn, SpawnSource};
use crate::sync::{Delta, push_change};
use crate::values::CompactValues;

/// A node that was spawned. Its synchronizers have the ids after the node's.
#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) spawner: Arc<str>,
    pub(crate) source: ActorSource,
    pub(crate) name: Box<str>,
    pub(crate) synchronizers: Vec<Synchronizer>,
    /// The values that are set on spawning, in the compact form: a row for each synchronizer, or one row for all.
    pub(crate) rows: Vec<Vec<u8>>,
    pub(crate) audience: Audience,
    /// The peers that have the node from the server.
    pub(crate) viewers: BTreeSet<PeerId>,
    /// The peer that the server has adopted the node from.
    pub(crate) owner: Option<Owner>,
}

/// The peer of an adopted node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) peer: PeerId,
    /// The memory of the node, which is deducted from the peer's.
    pub(crate) size: usize,
}

/// The index of a node's scene, or the argument of the custom function in the compact form.
#[derive(Clone, Debug)]
pub(crate) enum ActorSource {
    Scene(u8),
    Function(Vec<u8>),
}

impl Actor {
    pub(crate) fn is_of(&self, peer: PeerId) -> bool {
        self.owner.is_some_and(|owner| owner.peer == peer)
    }

    /// The ids of the synchronizers.
    pub(crate) fn ids(&self, node: NetId) -> Vec<NetId> {
        (0..self.synchronizers.len()).map(|index| Self::synchronizer(node, index)).collect()
    }

    /// The id of a synchronizer.
    pub(crate) fn synchronizer(node: NetId, index: usize) -> NetId {
        node.after(word(index).saturating_add(1))
    }

    /// The packets for a peer for which the node appears. Like an engine's, they are the spawn and then the on-change
    /// properties, here without those that spawning has set.
    pub(crate) fn packets(&self, spawner: u32, node: NetId) -> Vec<Arc<[u8]>> {
        let ids = self.ids(node);
        let mut packets = vec![self.spawn(spawner, node, &ids)];
        for (id, synchronizer) in ids.iter().zip(&self.synchronizers) {
            if let Some((mask, row)) = synchronizer.late() {
                let mut packet = Vec::new();
                Delta::begin(&mut packet);
                push_change(*id, mask, &row, &mut packet);
                packets.push(packet.into());
            }
        }
        packets
    }

    fn spawn(&self, spawner: u32, node: NetId, ids: &[NetId]) -> Arc<[u8]> {
        let words: Vec<_> = ids.iter().map(|id| id.to_wire().to_le_bytes()).collect();
        let (dialect, state) = (Dialect::Godot4, self.rows.concat());
        let source = match &self.source {
            ActorSource::Scene(scene) => SpawnSource::Scene(*scene),
            ActorSource::Function(argument) => {
                SpawnSource::Function(CompactValues::new(argument, dialect))
            }
        };
        let spawn = Spawn {
            synchronizers: NetIds::new(&words),
            state: CompactValues::new(&state, dialect),
            ..Spawn::new(source, spawner, node, &self.name)
        };
        Packet::new(Message::Spawn(spawn)).to_vec().into()
    }
}
