//! [`World`]: the program that uses the server. It knows the consequences of each event.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicI32;
use std::time::Duration;

use variant_multiplayer::server::{
    Authentication, Call, CallResult, Handler, Network, ReceivedState, Refusal, RoomId, SendError,
};
use variant_multiplayer::{
    Delivery, Departure, Message, NetId, Packet, PeerId, Spawn, System, Target, from_row,
    is_node_name,
};

use super::action::Command;
use super::bot::{TICKET, WHO};
use super::client::Word;
use super::guest::Guest;
use super::model::Model;
use super::setup::{OBEY, SLOTS, Setup, WORLD};

/// The program of the server.
#[derive(Debug, Default)]
pub(super) struct World {
    pub model: Model,
    pub setup: Setup,
    pub guests: BTreeMap<PeerId, Guest>,
    /// How often the server must send each [`Word`] to each peer because of the current input.
    pub owed: BTreeMap<(PeerId, Word), usize>,
    /// The refusals of the current input.
    pub refusals: Vec<String>,
    /// The path to which the current input assigns an id.
    pub naming: Option<(PeerId, String)>,
    /// The peers that have sent damaged packets.
    pub damaging: BTreeSet<PeerId>,
    /// An audience that is given by a rule contains the peers whose number is at least this.
    pub least: Arc<AtomicI32>,
    /// The node `Extra` is absent.
    pub lacks_extra: bool,
    /// The peers with the authority over the slots.
    pub slots: [Option<PeerId>; SLOTS.len()],
    /// All ids of nodes and synchronizers so far.
    pub ids: BTreeSet<NetId>,
    /// The last number that the program used for a name, a value or a token.
    pub last: i64,
    /// The command that the program runs while it handles the next event.
    pub later: Option<Command>,
    /// Ticks do nothing.
    pub is_quiet: bool,
    /// The time of the first tick and of the last tick.
    ticked: Option<(Duration, Duration)>,
}

impl World {
    pub(super) fn new(setup: Setup) -> Self {
        let mut world = Self { setup, ..Self::default() };
        world.model.rooms.insert(RoomId::LOBBY, BTreeSet::new());
        world
    }

    /// Records that the server must send a [`Word`] to these peers.
    pub(super) fn owe(&mut self, peers: impl IntoIterator<Item = PeerId>, word: &Word) {
        for peer in peers {
            *self.owed.entry((peer, word.clone())).or_default() += 1;
        }
    }

    /// Records the consequences of a packet that is not refused.
    pub(super) fn expect(&mut self, from: PeerId, bytes: &[u8]) {
        let Some(guest) = self.guests.get_mut(&from) else { return };
        let Ok(packet) = Packet::parse(bytes) else { return };
        match packet.message {
            Message::System(System::Auth([])) => guest.has_completed = true,
            Message::System(System::Relay(relay))
                if guest.is_admitted
                    && relay.parse().is_ok_and(|packet| packet.validate().is_ok()) =>
            {
                let receivers = self.model.relayed(from, Target::from_wire(relay.peer));
                self.owe(receivers, &Word::Relay(from, relay.packet.to_vec()));
            }
            Message::SimplifyPath(path) => self.naming = Some((from, path.path.to_owned())),
            _ => {}
        }
    }

    /// Checks that a peer may get a [`Word`].
    pub(super) fn hear(&mut self, peer: PeerId, word: Word, len: usize, now: Duration) {
        let limits = self.setup.limits();
        match &word {
            Word::Path => {
                // The server later repeats its confirmations to a peer that confirms by paths. `naming` is then `None`.
                if let Some((_, path)) = self.naming.take_if(|(from, _)| *from == peer)
                    && let Some(guest) = self.guests.get_mut(&peer)
                {
                    guest.paths.insert(path);
                    assert!(guest.paths.len() <= limits.paths.paths, "paths: {guest:?}");
                }
                return;
            }
            Word::Relay(..) => {
                // If the receiver is closed by now, it has no entry.
                if let Some(guest) = self.guests.get_mut(&peer) {
                    guest.relay(len, &limits, now);
                }
            }
            _ => {}
        }
        let key = (peer, word);
        let Some(count) = self.owed.get_mut(&key) else { panic!("{key:?} is not for the peer") };
        *count -= 1;
        if *count == 0 {
            self.owed.remove(&key);
        }
    }

    /// Checks that the server has sent everything that it must send.
    pub(super) fn settle(&mut self, may_lack: bool) {
        self.naming = None;
        let owed = std::mem::take(&mut self.owed);
        let refusals = std::mem::take(&mut self.refusals);
        let mut lacking = owed.keys().filter(|(peer, _)| self.model.peers.contains(peer));
        if !may_lack && refusals.is_empty() {
            assert!(lacking.next().is_none(), "not sent: {owed:?}");
        }
        for (peer, guest) in &self.guests {
            assert!(!guest.is_leaving, "{peer} is closed, and is not reported as gone");
        }
        let admitted = self.guests.iter().filter(|(_, guest)| guest.is_admitted);
        assert!(admitted.map(|(peer, _)| peer).eq(&self.model.peers), "{self:?}");
    }

    /// Runs the command that was kept for this event.
    fn interrupt(&mut self, network: &mut Network) {
        if let Some(command) = self.later.take() {
            self.obey(command, network);
        }
    }

    fn guest(&mut self, peer: PeerId) -> &mut Guest {
        self.guests.get_mut(&peer).expect("a connected peer")
    }

    fn is_owner(&self, peer: PeerId, path: &str) -> bool {
        let at = SLOTS.iter().position(|slot| *slot == path);
        at.is_some_and(|at| self.slots[at] == Some(peer))
    }
}

impl Handler for World {
    type Event = ();

    fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
        assert_eq!((call.node, call.method), (WORLD, OBEY), "others need the authority");
        assert!(self.model.peers.contains(&call.from), "{} is not admitted", call.from);
        self.interrupt(network);
        let (kind, a, b) = call.arguments.decode()?;
        self.obey(Command::of([kind, a, b]), network);
        Ok(())
    }

    fn connected(&mut self, peer: PeerId, network: &mut Network) {
        if self.setup.authentication {
            let guest = self.guest(peer);
            assert!(guest.is_accepted && guest.has_completed && !guest.is_leaving, "{guest:?}");
        }
        let guest = self.guests.entry(peer).or_insert_with(|| Guest::new(network.now()));
        assert!(!std::mem::replace(&mut guest.is_admitted, true), "{peer} is admitted twice");
        assert!(network.has_peer(peer) && self.model.peers.insert(peer));
        if self.setup.lobby {
            self.model.rooms.entry(RoomId::LOBBY).or_default().insert(peer);
        }
        self.interrupt(network);
        if self.setup.reacts {
            let index = u8::try_from(peer.get() - 2).expect("a client");
            self.obey(Command::Grant { slot: index, peer: index }, network);
            self.obey(Command::Join { peer: index, room: index }, network);
            self.obey(Command::Spawn { audience: index }, network);
        }
    }

    fn disconnected(&mut self, peer: PeerId, why: Departure, network: &mut Network) {
        let guest = self.guests.remove(&peer).expect("it was connected");
        assert!(guest.is_admitted, "{peer} was not admitted");
        assert!(!network.has_peer(peer) && network.stats(peer).is_some());
        if why == Departure::Offences {
            assert!(guest.has_offended(&self.setup.limits()), "{guest:?}");
        }
        self.model.leave(peer);
        for (slot, path) in self.slots.iter_mut().zip(SLOTS) {
            if slot.take_if(|owner| *owner == peer).is_some() {
                network.set_authority(path, PeerId::SERVER);
            }
        }
        self.interrupt(network);
        if self.setup.reacts {
            self.obey(Command::Despawn { node: 0 }, network);
        }
        // The server despawns adopted nodes after this event.
        self.model.abandon(peer, None);
    }

    fn authenticating(&mut self, peer: PeerId, network: &mut Network) {
        assert!(self.setup.authentication && !network.has_peer(peer));
        let guest = Guest::new(network.now());
        assert!(self.guests.insert(peer, guest).is_none(), "{peer} is connected twice");
        network.send_auth(peer, WHO);
        self.interrupt(network);
    }

    fn authenticate(&mut self, peer: PeerId, data: &[u8], network: &mut Network) -> Authentication {
        let guest = self.guest(peer);
        assert!(!guest.is_accepted && !guest.is_admitted && !guest.is_leaving, "{guest:?}");
        self.interrupt(network);
        let guest = self.guest(peer);
        match data {
            TICKET => {
                guest.is_accepted = true;
                Authentication::Accept
            }
            WHO => {
                network.send_auth(peer, b"you");
                Authentication::Wait
            }
            _ => {
                guest.is_leaving = true;
                Authentication::Refuse
            }
        }
    }

    fn authentication_failed(&mut self, peer: PeerId) {
        let guest = self.guests.remove(&peer).expect("it was authenticating");
        assert!(!guest.is_admitted, "{peer} was admitted");
    }

    fn bytes(&mut self, from: PeerId, _: &[u8], _: Delivery, network: &mut Network) {
        assert!(self.model.peers.contains(&from), "{from} is not admitted");
        self.interrupt(network);
    }

    fn state(&mut self, state: ReceivedState<'_>, network: &mut Network) {
        assert!(self.model.peers.contains(&state.from), "{} is not admitted", state.from);
        assert!(self.is_owner(state.from, state.path), "{state:?}");
        // A client sends a greater value with each later time, and the server accepts only later times.
        if state.mask.is_none() && !self.damaging.contains(&state.from) {
            let (value,): (i64,) = from_row(state.values).expect("a number");
            let last = self.guest(state.from).values.insert(state.synchronizer, value);
            assert!(last.is_none_or(|last| last < value), "{value} after {last:?}");
        }
        self.interrupt(network);
    }

    fn spawned(&mut self, from: PeerId, spawner: &str, spawn: &Spawn<'_>, network: &mut Network) {
        assert!(self.is_owner(from, spawner) && is_node_name(spawn.name), "{from}: {spawn:?}");
        let most = self.setup.limits().paths.paths;
        let guest = self.guest(from);
        assert!(guest.spawned.insert(spawn.node), "{from} spawns {spawn:?} twice");
        assert!(guest.spawned.len() <= most, "nodes: {guest:?}");
        if self.setup.adopts {
            self.adopt(from, spawner, spawn, network);
        }
        self.interrupt(network);
    }

    fn despawned(&mut self, from: PeerId, node: NetId, network: &mut Network) {
        assert!(self.guest(from).spawned.remove(&node), "{from} removes {node:?}");
        self.interrupt(network);
        // The server despawns an adopted node after this event.
        self.model.abandon(from, Some(node));
    }

    fn refused(&mut self, peer: PeerId, refusal: &Refusal, network: &mut Network) {
        self.refusals.push(format!("{refusal:?}"));
        let is_offence = match refusal {
            Refusal::Call { error, .. } => !error.is::<SendError>(),
            other => !matches!(other, Refusal::Overload),
        };
        let limits = self.setup.limits();
        if is_offence && let Some(guest) = self.guests.get_mut(&peer) {
            guest.offend(&limits, network.now());
        }
        self.interrupt(network);
    }

    fn tick(&mut self, step: Duration, network: &mut Network) {
        let now = network.now();
        let (first, last) = self.ticked.unwrap_or((now, now));
        assert_eq!(last + step, now, "ticks lose no time");
        self.ticked = Some((first, now));
        self.interrupt(network);
        if !self.is_quiet {
            self.obey(Command::Sync { audience: 0 }, network);
        }
    }
}
