//! Compares states with the states that were last sent.

use super::actor::Actor;
use super::audience::Audience;
use super::network::Network;
use super::new_node::NewNode;
use super::send_error::SendError;
use super::synchronizer::{Synchronizer, mask_of};
use crate::replicated::{Encoded, Replicated, Replication};
use crate::rpc_writer::WriteError;
use crate::spawn::NetId;

impl NewNode {
    /// Adds a synchronizer with this state. The spawn properties have the values of this state, and the first
    /// [`Network::replicate`] compares the on-change properties with it. O(bytes).
    ///
    /// # Errors
    /// [`SendError::Arguments`]: the format of Godot 4 cannot represent a property's value.
    pub fn replicated<T: Replicated>(mut self, state: &T) -> Result<Self, SendError> {
        let mut encoded = Encoded::default();
        encoded.encode(state).map_err(WriteError::Serde)?;
        let (mut row, mut synchronizer) = (Vec::new(), Synchronizer::default());
        encoded.write_spawn(&mut row);
        synchronizer.keep(&encoded);
        self.rows.push(row);
        self.synchronizers.push(synchronizer);
        Ok(self)
    }
}

impl Network {
    /// Sends the state of each node to the peers that have the node. The always-sent properties are sent as
    /// [`Network::sync`] sends them, in as few packets as possible. The on-change properties that have changed since
    /// the last call are sent as [`Network::delta`] sends them. Peers that get a node later get its last state. Call
    /// the method at a fixed rate, in [`Handler::tick`](super::Handler::tick).
    ///
    /// A state belongs to a synchronizer of a spawned node. The id of a node is also the id of its first synchronizer.
    /// The server keeps the bytes of the on-change properties until the node is despawned. If the node was spawned
    /// without [`NewNode::replicated`], the first call sends all on-change properties. If the node has several
    /// synchronizers and one spawn state for them ([`NewNode::state`]), the spawn state does not change.
    ///
    /// O(bytes), and the costs of `sync` and `delta`.
    ///
    /// ```
    /// use variant_multiplayer::Replicated;
    /// use variant_multiplayer::server::{Call, CallResult, Handler, Network, NewNode, Node};
    /// use variant_multiplayer::server::{Server, ServerOptions};
    ///
    /// #[derive(Replicated)]
    /// struct Orc {
    ///     #[replicated(spawn, always)]
    ///     at: f64,
    ///     #[replicated(spawn, on_change)]
    ///     hp: i64,
    /// }
    ///
    /// struct Quiet;
    ///
    /// impl Handler for Quiet {
    ///     type Event = ();
    ///
    ///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut server = Server::new(Quiet, ServerOptions::default(), [Node::new("Spawner")]);
    /// let network = server.network();
    /// let mut state = Orc { at: 0.0, hp: 9 };
    /// let orc = network.spawn("Spawner", NewNode::scene(0, "Orc").replicated(&state)?)?;
    /// state.hp -= 1;
    /// network.replicate([(orc.node, &state)])?;
    /// # Ok::<(), variant_multiplayer::server::SendError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault of a state: its node is not spawned ([`SendError::NotSpawned`]), or Godot 4 cannot hold a
    /// property ([`SendError::Arguments`]). The other states are sent.
    pub fn replicate<'s, T: Replicated + 's>(
        &mut self,
        states: impl IntoIterator<Item = (NetId, &'s T)>,
    ) -> Result<(), SendError> {
        let (mut encoded, mut outcome) = (Encoded::default(), Ok(()));
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for (id, state) in states {
            let done = encoded.encode(state).map_err(|error| WriteError::Serde(error).into());
            match done.and_then(|()| self.change(id, &encoded)) {
                Ok(synchronizer) => {
                    let always = encoded.sent(Replication::Always);
                    always.for_each(|(_, value)| bytes.extend_from_slice(value));
                    ends.push((synchronizer, bytes.len()));
                }
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        self.sync(Audience::EVERYONE, &rows(&bytes, &ends));
        outcome
    }

    /// Sends and stores the changes of a state. Returns the id of the synchronizer.
    fn change(&mut self, id: NetId, state: &Encoded) -> Result<NetId, SendError> {
        let (node, index) = self.stage.find(id).ok_or(SendError::NotSpawned)?;
        let actor = self.stage.get_mut(node).ok_or(SendError::NotSpawned)?;
        let (mask, values) = actor.keep(index, state).ok_or(SendError::NotSpawned)?;
        let synchronizer = Actor::synchronizer(node, index);
        if mask != 0 {
            // The change must be sent, since the next change would not repeat it.
            self.send_changes(&Audience::Viewers(node), synchronizer, mask, &values, true);
        }
        Ok(synchronizer)
    }
}

/// The states that are not empty, each with the id of its synchronizer.
fn rows<'b>(bytes: &'b [u8], ends: &[(NetId, usize)]) -> Vec<(NetId, &'b [u8])> {
    let starts = std::iter::once(0).chain(ends.iter().map(|(_, end)| *end));
    let rows = starts.zip(ends).map(|(start, (id, end))| (*id, bytes.get(start..*end)));
    let rows = rows.map(|(id, row)| (id, row.unwrap_or_default()));
    rows.filter(|(_, row)| !row.is_empty()).collect()
}

impl Actor {
    /// Stores the state of a synchronizer. Returns its changes: a mask and the values.
    fn keep(&mut self, index: usize, state: &Encoded) -> Option<(u64, Vec<u8>)> {
        if self.rows.is_empty() {
            self.rows.resize(self.synchronizers.len(), Vec::new());
        }
        let is_separate = self.rows.len() == self.synchronizers.len();
        let synchronizer = self.synchronizers.get_mut(index)?;
        let changes = synchronizer.keep(state);
        match self.rows.get_mut(index).filter(|_| is_separate) {
            Some(row) => {
                row.clear();
                state.write_spawn(row);
            }
            None => synchronizer.late = u64::MAX,
        }
        Some(changes)
    }
}

impl Synchronizer {
    /// Stores the on-change properties of a state. Returns their changes: a mask and the values.
    fn keep(&mut self, state: &Encoded) -> (u64, Vec<u8>) {
        let (mut mask, mut values, mut spawned) = (0, Vec::new(), 0);
        for (index, (property, value)) in state.sent(Replication::OnChange).enumerate() {
            let bit = mask_of(index);
            if self.set(index, value) {
                mask |= bit;
                values.extend_from_slice(value);
            }
            if property.spawn {
                spawned |= bit;
            }
        }
        self.late = !spawned;
        (mask, values)
    }
}
