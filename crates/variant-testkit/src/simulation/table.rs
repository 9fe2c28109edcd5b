//! [`Table`]: the server, the network and the clients.

use std::collections::BTreeMap;
use std::mem;
use std::time::{Duration, Instant};

use variant_multiplayer::server::{Audience, RoomId, Server};
use variant_multiplayer::{Delivery, Departure, Input, Output, PeerId, Service as _};

use super::action::{Act, Action, Step, Weather};
use super::bot::Bot;
use super::client::{Client, Order};
use super::network::{Network, Parcel, Way};
use super::setup::{Setup, nodes};
use super::world::World;

pub(super) struct Table {
    server: Server<World>,
    start: Instant,
    network: Network,
    /// The server's ends of the connections.
    ends: BTreeMap<PeerId, End>,
    /// The clients' ends.
    bots: BTreeMap<PeerId, Bot>,
    connections: u64,
    /// The number of packets that the server had skipped before the current input.
    skipped: u64,
}

/// The server's end of a connection.
struct End {
    connection: u64,
    /// The state that the client will know after it has received all packets that were sent to it.
    sent: Client,
}

impl Table {
    pub(super) fn new(setup: Setup) -> Self {
        let mut table = Self {
            server: Server::new(World::new(setup), setup.options(), nodes()),
            start: Instant::now(),
            network: Network::new(),
            ends: BTreeMap::new(),
            bots: BTreeMap::new(),
            connections: 0,
            skipped: 0,
        };
        table.handle(Input::Tick);
        table
    }

    pub(super) fn step(&mut self, step: Step) {
        self.network.random = step.luck();
        let passed = self.network.random.pick(&[0, 0, 1, 7, 20]);
        self.wait(Duration::from_millis(passed));
        match step.action() {
            Action::Program(command) => self.program(|world, network| world.obey(command, network)),
            Action::Later(command) => self.server.handler_mut().later = Some(command),
            Action::Client(peer, act) => self.client(peer, act),
            Action::Link(peer, weather) => self.weather(peer, weather),
            Action::Wait(time) => self.wait(Duration::from_millis(time)),
            Action::Jump(time) => {
                self.network.now += Duration::from_millis(time);
                self.wait(Duration::ZERO);
            }
        }
    }

    /// The program acts between two inputs.
    fn program(&mut self, act: impl FnOnce(&mut World, &mut variant_multiplayer::server::Network)) {
        let mut world = mem::take(self.server.handler_mut());
        act(&mut world, self.server.network());
        *self.server.handler_mut() = world;
        self.send();
    }

    fn handle(&mut self, input: Input<'_>) {
        self.server.handle(input, self.start + self.network.now);
        self.send();
    }

    /// Takes the outputs of the server, and checks them.
    fn send(&mut self) {
        let mut crowded = Vec::new();
        let now = self.server.network().now();
        while let Some(output) = self.server.output() {
            match output {
                Output::Send { to, bytes, delivery } => {
                    let end = self.ends.get_mut(&to).expect("a connected peer");
                    let world = self.server.handler_mut();
                    for word in end.sent.read(&bytes, Order::Sent) {
                        world.hear(to, word, bytes.len(), now);
                    }
                    if !self.network.send(end.connection, Way::Down, bytes, delivery) {
                        crowded.push((to, end.connection));
                    }
                }
                Output::Close(peer) => {
                    let end = self.ends.remove(&peer).expect("a connected peer");
                    self.network.close(end.connection);
                }
                other => panic!("{other:?}"),
            }
        }
        self.check();
        for (peer, connection) in crowded {
            if self.ends.get(&peer).is_some_and(|end| end.connection == connection) {
                self.network.cut_off(connection);
                self.end(peer, Departure::Backlog);
            }
        }
    }

    /// Checks that each client will know exactly the peers of its rooms, and the nodes whose audiences include it.
    fn check(&mut self) {
        let skipped = self.server.network().totals().skipped;
        let has_skipped = mem::replace(&mut self.skipped, skipped) != skipped;
        self.server.handler_mut().settle(has_skipped);
        let model = &self.server.handler().model;
        for (peer, end) in &self.ends {
            if model.peers.contains(peer) {
                assert_eq!(end.sent.peers, model.acquaintances(*peer), "the peers of {peer}");
                assert!(
                    end.sent.nodes.keys().copied().eq(model.scene(*peer)),
                    "the nodes of {peer}"
                );
            } else {
                assert!(
                    end.sent.peers.is_empty() && end.sent.nodes.is_empty(),
                    "{peer} is not admitted"
                );
            }
        }
        let expected: Vec<_> = model.peers.iter().copied().collect();
        let lobby: Vec<_> =
            model.rooms.get(&RoomId::LOBBY).into_iter().flatten().copied().collect();
        let network = self.server.network();
        assert!(network.peers().eq(expected), "the admitted peers");
        assert!(network.members(RoomId::LOBBY).eq(lobby), "the members of the lobby");
    }

    /// The transport reports the end of a connection.
    fn end(&mut self, peer: PeerId, why: Departure) {
        if self.ends.remove(&peer).is_some() {
            self.handle(Input::Disconnected { peer, why });
        }
    }

    fn client(&mut self, peer: PeerId, act: Act) {
        match act {
            Act::Come { manners } if !self.bots.contains_key(&peer) => self.come(peer, manners),
            Act::Go => {
                if let Some(bot) = self.bots.remove(&peer) {
                    self.network.leave(bot.connection);
                }
            }
            Act::Vanish => {
                if let Some(bot) = self.bots.remove(&peer) {
                    self.network.vanish(bot.connection);
                }
            }
            _ => {
                let Some(bot) = self.bots.get_mut(&peer) else { return };
                let world = self.server.handler_mut();
                if matches!(act, Act::Damage { .. }) {
                    world.damaging.insert(peer);
                }
                let largest = world.setup.limits().packet;
                let (connection, sent) =
                    (bot.connection, bot.act(act, largest, &mut self.network.random));
                self.upload(connection, sent);
            }
        }
    }

    fn upload(&mut self, connection: u64, sent: impl IntoIterator<Item = (Vec<u8>, Delivery)>) {
        for (bytes, delivery) in sent {
            self.network.send(connection, Way::Up, bytes.into(), delivery);
        }
    }

    fn come(&mut self, peer: PeerId, manners: u8) {
        // The transport may have missed the end of an earlier connection.
        if self.network.random.below(2) == 0 {
            self.end(peer, Departure::Lost);
        }
        if let Some(end) = self.ends.remove(&peer) {
            self.network.forget(end.connection);
        }
        self.connections += 1;
        self.network.open(self.connections, peer);
        let world = self.server.handler_mut();
        world.damaging.remove(&peer);
        let (bot, sent) = Bot::new(peer, self.connections, manners, world.setup.authentication);
        self.bots.insert(peer, bot);
        self.ends.insert(peer, End { connection: self.connections, sent: Client::new(peer) });
        self.handle(Input::Connected { peer, address: None });
        self.upload(self.connections, sent);
    }

    fn weather(&mut self, peer: PeerId, weather: Weather) {
        let Some(End { connection, .. }) = self.ends.get(&peer) else { return };
        match weather {
            Weather::Cut => self.network.cut(*connection),
            Weather::Stall => self.network.stall(*connection),
            Weather::Mend => self.network.mend(*connection),
            Weather::Break => {
                self.network.cut_off(*connection);
                self.end(peer, Departure::Lost);
            }
            Weather::Measure => {
                let (round_trip, waiting) =
                    (Duration::from_millis(5), self.network.waiting(*connection));
                self.handle(Input::Measured { peer, round_trip, waiting });
                let stats = self.server.network().stats(peer).expect("it is connected");
                assert_eq!((stats.round_trip, stats.waiting), (Some(round_trip), waiting));
            }
        }
    }

    /// Lets time pass. Everything due happens at its time, or now if that time is past.
    fn wait(&mut self, time: Duration) {
        let until = self.network.now + time;
        loop {
            let wake = self.server.wake_at().map(|at| at.saturating_duration_since(self.start));
            let arrival = self.network.next_at();
            let Some(at) = wake.into_iter().chain(arrival).min().filter(|at| *at <= until) else {
                break;
            };
            self.network.now = self.network.now.max(at);
            if wake == Some(at) {
                self.handle(Input::Tick);
                let now = self.start + self.network.now;
                assert!(self.server.wake_at().is_none_or(|at| at > now), "it wakes at once");
            } else {
                self.arrive();
            }
        }
        self.network.now = until;
    }

    /// Delivers the next arrival.
    fn arrive(&mut self) {
        let Some((connection, peer, parcel)) = self.network.next() else { return };
        let is_open = self.ends.get(&peer).is_some_and(|end| end.connection == connection);
        let bot = self.bots.get_mut(&peer).filter(|bot| bot.connection == connection);
        match parcel {
            Parcel::Packet { way: Way::Up, bytes, delivery, .. } if is_open => {
                self.receive(peer, &bytes, delivery);
            }
            Parcel::Packet { way: Way::Down, bytes, .. } => {
                let answer = bot.and_then(|bot| bot.receive(&bytes));
                self.upload(connection, answer);
            }
            Parcel::Left if is_open => self.end(peer, Departure::Left),
            Parcel::Silent if is_open => self.end(peer, Departure::Silent),
            Parcel::Ended => {
                if bot.is_some() {
                    self.bots.remove(&peer);
                }
                self.network.forget(connection);
            }
            _ => {}
        }
    }

    fn receive(&mut self, from: PeerId, bytes: &[u8], delivery: Delivery) {
        let now = self.network.now;
        let world = self.server.handler_mut();
        world.expect(from, bytes);
        let limits = world.setup.limits();
        self.server.handle(Input::Received { from, bytes, delivery }, self.start + now);
        let world = self.server.handler_mut();
        let is = |refusal: &str| world.refusals.iter().any(|one| one == refusal);
        let (is_large, is_flood) = (is("TooLarge"), is("Flood"));
        if let Some(guest) = world.guests.get_mut(&from) {
            assert_eq!(is_large, bytes.len() > limits.packet, "a packet of {} bytes", bytes.len());
            if !is_large && !is_flood {
                guest.accept(bytes.len(), &limits, now);
            }
        }
        self.send();
    }

    /// Repairs the network, lets time pass, and checks that every client knows the state of the server.
    pub(super) fn finish(mut self) {
        self.network.is_calm = true;
        for connection in 1..=self.connections {
            self.network.mend(connection);
        }
        self.server.handler_mut().is_quiet = true;
        self.wait(Duration::from_secs(10));
        let skipped = |server: &mut Server<World>, peer| {
            server.network().stats(peer).is_some_and(|stats| stats.skipped > 0)
        };
        for peer in self.server.handler().model.peers.clone() {
            if skipped(&mut self.server, peer) {
                self.program(|world, network| world.repeat(peer, network));
            }
        }
        self.program(|world, network| world.sync(&Audience::EVERYONE, network));
        self.wait(Duration::from_secs(1));
        assert!(self.network.is_empty(), "something waits for ever");
        let now = self.start + self.network.now;
        assert!(self.server.wake_at().is_none_or(|at| at > now), "the server waits for the past");
        let world = self.server.handler();
        assert!(world.guests.values().all(|guest| guest.is_admitted), "an authentication goes on");
        assert!(world.guests.keys().eq(self.ends.keys()), "the server's ends");
        assert!(self.bots.keys().eq(self.ends.keys()), "the clients' ends");
        for (peer, bot) in &self.bots {
            compare(world, *peer, &bot.client);
        }
    }
}

/// Checks that a client knows the state of the server.
fn compare(world: &World, peer: PeerId, client: &Client) {
    assert_eq!(client.peers, world.model.acquaintances(peer), "the peers of {peer}");
    assert!(client.nodes.keys().copied().eq(world.model.scene(peer)), "the nodes of {peer}");
    for (id, puppet) in &client.nodes {
        let actor = world.model.actors.get(id).expect("a node of its scene");
        let known = (&puppet.name, &puppet.spawner, &puppet.parts);
        assert_eq!(known, (&actor.name, &actor.spawner, &actor.parts), "{id:?} at {peer}");
    }
}
