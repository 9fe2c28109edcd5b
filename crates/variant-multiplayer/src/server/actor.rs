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

/// A spawned node. The ids of its synchronizers follow the node's id.
#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) spawner: Arc<str>,
    pub(crate) source: ActorSource,
    pub(crate) name: Box<str>,
    pub(crate) synchronizers: Vec<Synchronizer>,
    /// The values that are set on spawning, in the compact form: a row for each synchronizer, or one row for all.
    pub(crate) rows: Vec<Vec<u8>>,
    pub(crate) audience: Audience,
    /// The peers to which the server has sent the node.
    pub(crate) viewers: BTreeSet<PeerId>,
    /// The peer whose node the server has adopted.
    pub(crate) owner: Option<Owner>,
}

/// The peer whose node the server has adopted, and the memory of the node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) peer: PeerId,
    /// The memory of the node. It is deducted from the peer's allowance.
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

    pub(crate) fn ids(&self, node: NetId) -> Vec<NetId> {
        (0..self.synchronizers.len()).map(|index| Self::synchronizer(node, index)).collect()
    }

    pub(crate) fn synchronizer(node: NetId, index: usize) -> NetId {
        node.after(word(index).saturating_add(1))
    }

    /// The packets for a peer that starts to see the node. Like an engine's packets, they are the spawn and then the
    /// on-change properties. Properties that spawning has set are left out.
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
