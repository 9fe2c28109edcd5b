//! [`Client`]: the state that a client knows from its packets.

use std::collections::{BTreeMap, BTreeSet};

use variant_multiplayer::{
    Change, Message, NetId, NodeRef, Packet, PeerId, Rpc, Spawn, State, System, from_row,
};

use super::model::{CHANGES, Part};
use super::setup::table;

/// The state that a client knows.
#[derive(Debug)]
pub(super) struct Client {
    pub id: PeerId,
    pub peers: BTreeSet<PeerId>,
    pub nodes: BTreeMap<NetId, Puppet>,
    /// The ids that the server has assigned to paths.
    pub paths: BTreeMap<u32, String>,
}

/// A spawned node at a client.
#[derive(Debug)]
pub(super) struct Puppet {
    pub name: String,
    pub spawner: String,
    pub parts: Vec<Part>,
    /// For each synchronizer, the time of the last state.
    times: Vec<Option<u16>>,
}

/// A call, bytes, values or a confirmation that a client receives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    Call(String, String, i64),
    Bytes(Vec<u8>),
    Relay(PeerId, Vec<u8>),
    State(NetId, Vec<i64>),
    Change(NetId, u64, Vec<i64>),
    /// The server has confirmed a path.
    Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The order in which the server sends the packets.
    Sent,
    /// An order in which packets of several channels arrive.
    Arrived,
}

impl Client {
    pub(super) fn new(id: PeerId) -> Self {
        let (peers, nodes, paths) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        Self { id, peers, nodes, paths }
    }

    /// Reads a packet. Nodes and peers that appear must be new. Those that disappear must be known.
    pub(super) fn read(&mut self, bytes: &[u8], order: Order) -> Vec<Word> {
        let packet = Packet::parse(bytes).expect("a packet of the server");
        packet.validate().expect("values of the server");
        let is_sent = order == Order::Sent;
        match packet.message {
            Message::System(System::AddPeer(id)) => {
                let peer = PeerId::client(id).expect("a client");
                assert!(peer != self.id && self.peers.insert(peer), "{peer} is added: {self:?}");
            }
            Message::System(System::DelPeer(id)) => {
                let peer = PeerId::client(id).expect("a client");
                assert!(self.peers.remove(&peer), "{peer} is removed: {self:?}");
            }
            Message::System(System::Relay(relay)) => {
                let from = PeerId::client(relay.peer).expect("a client");
                let is_known = from == self.id || self.peers.contains(&from);
                assert!(is_known || !is_sent, "{from} relays: {self:?}");
                return vec![Word::Relay(from, relay.packet.to_vec())];
            }
            Message::System(System::Auth(_)) => {}
            Message::Spawn(spawn) => self.spawn(&spawn),
            Message::Despawn(node) => {
                assert!(self.nodes.remove(&node).is_some(), "{node:?} is despawned: {self:?}");
            }
            Message::Sync(sync) => {
                let states = sync.states.iter().map(|state| state.expect("a state"));
                return states.map(|state| self.state(&state, sync.time, is_sent)).collect();
            }
            Message::Delta(delta) => {
                let changes = delta.changes.iter().map(|change| change.expect("a change"));
                return changes.map(|change| self.change(&change)).collect();
            }
            Message::SimplifyPath(path) => {
                let earlier = self.paths.insert(path.id, path.path.to_owned());
                assert_eq!(earlier, None, "an id is given twice");
                assert_eq!(path.checksum, table(path.path).checksum());
            }
            Message::ConfirmPath(_) => return vec![Word::Path],
            Message::Rpc(rpc) => return vec![self.call(&rpc)],
            Message::Raw(bytes) => return vec![Word::Bytes(bytes.to_vec())],
        }
        Vec::new()
    }

    fn spawn(&mut self, spawn: &Spawn<'_>) {
        let spawner = self.paths.get(&spawn.spawner).expect("an announced path").clone();
        let values: Vec<i64> = from_row(spawn.state).expect("numbers");
        let count = spawn.synchronizers.len();
        let each = values.len().checked_div(count).unwrap_or_default().max(1);
        let part = |(id, row): (NetId, &[i64])| {
            let (always, changes) = row.split_last_chunk::<CHANGES>().expect("all values");
            Part { id, always: always.to_vec(), changes: *changes }
        };
        let parts: Vec<_> = spawn.synchronizers.iter().zip(values.chunks(each)).map(part).collect();
        assert_eq!(parts.len(), count);
        let puppet =
            Puppet { name: spawn.name.to_owned(), spawner, times: vec![None; count], parts };
        assert!(self.nodes.insert(spawn.node, puppet).is_none(), "{:?} is spawned", spawn.node);
    }

    /// The values of a synchronizer, and the time of the last state that was received for it.
    fn part(&mut self, id: NetId) -> Option<(&mut Part, &mut Option<u16>)> {
        let parts =
            self.nodes.values_mut().flat_map(|node| node.parts.iter_mut().zip(&mut node.times));
        parts.into_iter().find(|(part, _)| part.id == id)
    }

    fn state(&mut self, state: &State<'_>, time: u16, is_sent: bool) -> Word {
        let (id, values) =
            (state.synchronizer, from_row::<Vec<i64>>(state.values).expect("numbers"));
        match self.part(id) {
            Some((part, last)) => {
                let is_new = last.is_none_or(|last| is_newer(time, last));
                assert!(is_new || !is_sent, "time {time} after {last:?}");
                assert_eq!(part.always.len(), values.len());
                if is_new {
                    (part.always, *last) = (values.clone(), Some(time));
                }
            }
            // A state may arrive while its node does not exist, but the server sends it only while its node exists.
            None => assert!(!is_sent, "a state of an unknown node {id:?}"),
        }
        Word::State(id, values)
    }

    fn change(&mut self, change: &Change<'_>) -> Word {
        let (id, mask) = (change.synchronizer, change.mask);
        let values: Vec<i64> = from_row(change.values).expect("numbers");
        let (part, _) = self.part(id).expect("the node of a change is known");
        let bits = (0..u64::BITS).filter(|bit| mask >> bit & 1 != 0);
        assert_eq!(bits.clone().count(), values.len());
        for (bit, value) in bits.zip(&values) {
            let at = usize::try_from(bit).expect("below 64");
            *part.changes.get_mut(at).expect("a bit of a value") = *value;
        }
        Word::Change(id, mask, values)
    }

    fn call(&self, rpc: &Rpc<'_>) -> Word {
        let path = match rpc.node {
            NodeRef::Path(path) => path,
            NodeRef::Id { id, .. } => self.paths.get(&id).expect("an announced path"),
        };
        let methods = table(path);
        let method = methods.name(rpc.method.id()).expect("a method");
        let (token,) = rpc.arguments.decode().expect("a number");
        Word::Call(path.to_owned(), method.to_owned(), token)
    }
}

/// Whether a time is after another, on a clock that wraps.
const fn is_newer(time: u16, last: u16) -> bool {
    time > last || (time < last && last.wrapping_sub(time) >= 32_767)
}
