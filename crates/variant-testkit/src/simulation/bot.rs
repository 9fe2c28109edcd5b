//! [`Bot`]: a client at its end of the network.

use variant_multiplayer::{
    Arguments, Checksum, ConfirmPath, Delivery, Delta, Message, NetId, NodeRef, Packet, PeerId,
    Relay, RpcWriter, SimplifyPath, Spawn, SpawnSource, Sync, System, Target, TransferMode,
    push_change, push_state, to_row,
};

use super::action::{Act, Request, client};
use super::client::{Client, Order};
use super::setup::{CALLS, EXTRA, OBEY, SLOTS, SPAWNER, WORLD, table};
use crate::mutate::mutate;
use crate::random::Random;

/// The paths to which clients assign ids.
const PATHS: [&str; 8] = [WORLD, EXTRA, SPAWNER, SLOTS[0], SLOTS[1], SLOTS[2], SLOTS[3], "Unknown"];

/// Authentication data. The server accepts [`TICKET`], replies to [`WHO`], and refuses other data. Empty data ends the
/// authentication.
pub(super) const TICKET: &[u8] = b"ticket";
pub(super) const WHO: &[u8] = b"who?";
const DATA: [&[u8]; 4] = [TICKET, WHO, b"wrong", b""];

/// The size of a large packet. Even the low limits allow this size.
const BULK: usize = 600;

/// A packet to send.
pub(super) type Sent = (Vec<u8>, Delivery);

/// A client and its behaviour.
#[derive(Debug)]
pub(super) struct Bot {
    pub client: Client,
    pub connection: u64,
    /// Whether the client confirms by paths, as Godot 4.0 to 4.2 do.
    is_old: bool,
    /// Whether the client completes the authentication only after the server has completed it.
    is_late: bool,
    /// Whether the client has completed the authentication.
    has_completed: bool,
    /// The ids that the client has assigned, and whether the server has confirmed them.
    ids: Vec<(u32, &'static str, bool)>,
    spawned: Vec<NetId>,
    /// The last number that the client used for an id, a time or a value.
    last: u16,
}

fn packet(message: Message<'_>) -> Vec<u8> {
    Packet::new(message).to_vec()
}

fn reliable(message: Message<'_>) -> Sent {
    (packet(message), Delivery::RELIABLE)
}

impl Bot {
    /// A client, and its first packets.
    pub(super) fn new(
        id: PeerId,
        connection: u64,
        manners: u8,
        is_asked: bool,
    ) -> (Self, Vec<Sent>) {
        let mut bot = Self {
            client: Client::new(id),
            connection,
            is_old: manners & 0x80 != 0,
            is_late: manners & 0x40 != 0,
            has_completed: false,
            ids: Vec::new(),
            spawned: Vec::new(),
            last: 0,
        };
        // Most clients that must authenticate themselves do so.
        let data: &[&[u8]] = match manners % 8 {
            0..=4 => &[TICKET],
            5 => &[WHO, TICKET],
            6 => &[b"wrong"],
            _ => &[],
        };
        let mut sent = Vec::new();
        if is_asked {
            sent.extend(data.iter().map(|data| reliable(Message::System(System::Auth(data)))));
            if !bot.is_late {
                sent.extend(bot.complete());
            }
        }
        (bot, sent)
    }

    fn complete(&mut self) -> Option<Sent> {
        let is_first = !std::mem::replace(&mut self.has_completed, true);
        is_first.then(|| reliable(Message::System(System::Auth(&[]))))
    }

    fn number(&mut self) -> u16 {
        self.last = self.last.wrapping_add(1);
        self.last
    }

    /// Reads a packet, and answers it.
    pub(super) fn receive(&mut self, bytes: &[u8]) -> Option<Sent> {
        self.client.read(bytes, Order::Arrived);
        match Packet::parse(bytes).expect("it was read").message {
            Message::SimplifyPath(path) if self.is_old => {
                Some(reliable(Message::ConfirmPath(ConfirmPath::by_path(path.path, true))))
            }
            Message::SimplifyPath(path) => {
                Some(reliable(Message::ConfirmPath(ConfirmPath::new(path.id, true))))
            }
            Message::ConfirmPath(answer) => {
                for (id, path, is_confirmed) in &mut self.ids {
                    *is_confirmed |= answer.path.map_or(*id == answer.id, |text| text == *path);
                }
                None
            }
            Message::System(System::Auth([])) => self.complete(),
            _ => None,
        }
    }

    /// The packets that the client sends for an action.
    pub(super) fn act(&mut self, act: Act, largest: usize, random: &mut Random) -> Vec<Sent> {
        match act {
            Act::Ask(request) => vec![self.ask(request, random)],
            Act::Relay { target } => vec![self.relay(target, random)],
            Act::Bytes => vec![(self.raw(), delivery(random))],
            Act::Name { path } => vec![self.name(path)],
            Act::Spawn { slot } => self.spawn(slot),
            Act::Despawn { which } => {
                let at = usize::from(which).checked_rem(self.spawned.len());
                let node = at.map(|at| self.spawned.remove(at));
                node.map(|node| reliable(Message::Despawn(node))).into_iter().collect()
            }
            // Sends three states, so that some of them arrive in another order.
            Act::State { slot } => (0..3).flat_map(|_| self.state(slot, None)).collect(),
            Act::Delta { slot } => self.state(slot, Some(0b101)),
            Act::Authenticate { data } => {
                let data = DATA[usize::from(data) % DATA.len()];
                vec![reliable(Message::System(System::Auth(data)))]
            }
            Act::Damage { kind } => self.damaged(kind, largest, random),
            Act::Flood { count } if count % 16 == 0 => {
                vec![(vec![3; largest + 1], Delivery::RELIABLE)]
            }
            Act::Flood { count } if count % 4 == 1 => {
                let packet = vec![3; BULK];
                (0..count % 32).map(|_| relayed(Target::All, &packet, random)).collect()
            }
            Act::Flood { count } => {
                (0..count % 64).map(|_| (self.raw(), Delivery::UNRELIABLE)).collect()
            }
            Act::Come { .. } | Act::Go | Act::Vanish => Vec::new(),
        }
    }

    /// Spawns some nodes below a slot.
    fn spawn(&mut self, slot: u8) -> Vec<Sent> {
        let mut sent = Vec::new();
        let path = self.owned(slot, &mut sent);
        for _ in 0..=slot / 16 % 4 {
            let (node, name) = (NetId::new(self.number().into()), format!("Pet{}", self.last));
            let spawn = Spawn::new(SpawnSource::Scene(0), path, node, &name);
            self.spawned.push(node);
            sent.push(reliable(Message::Spawn(spawn)));
        }
        sent
    }

    fn raw(&mut self) -> Vec<u8> {
        let number = self.number().to_le_bytes();
        packet(Message::Raw(&number))
    }

    /// A call by id if the server knows the id, otherwise by path.
    fn ask(&self, Request([kind, a, b]): Request, random: &mut Random) -> Sent {
        let known = self.ids.iter().find(|(_, path, is_known)| *path == WORLD && *is_known);
        let node = known.map_or(NodeRef::Path(WORLD), |(id, ..)| NodeRef::id(*id));
        let mut bytes = Vec::new();
        let call = RpcWriter::new(node, table(WORLD).id(OBEY).expect("a method"), &mut bytes);
        call.int(kind.into()).int(a.into()).int(b.into()).finish().expect("a call");
        (bytes, delivery(random))
    }

    /// A relay of bytes or of a call.
    fn relay(&mut self, target: u8, random: &mut Random) -> Sent {
        let peer = client(target / 8);
        let target = match target % 8 {
            0..=3 => Target::Peer(peer),
            4 => Target::AllBut(peer),
            5 => Target::AllBut(PeerId::SERVER),
            6 => Target::Peer(PeerId::SERVER),
            _ => Target::All,
        };
        let inner = if random.below(2) == 0 {
            self.raw()
        } else {
            let (mut bytes, (name, _)) = (Vec::new(), random.pick(&CALLS));
            let method = table(EXTRA).id(name).expect("a method");
            let call = RpcWriter::new(NodeRef::Path(EXTRA), method, &mut bytes);
            call.int(self.number().into()).finish().expect("a call");
            bytes
        };
        relayed(target, &inner, random)
    }

    /// Assigns an id to a path, sometimes with a wrong checksum of the node's methods.
    fn name(&mut self, path: u8) -> Sent {
        let name = PATHS[usize::from(path) % PATHS.len()];
        let checksum =
            if path & 0x70 == 0 { Checksum::new([b'x'; 32]) } else { table(name).checksum() };
        // Sometimes the id already has a path.
        let id = if path & 0x78 == 0x78 { self.last.max(1) } else { self.number() };
        self.ids.push((id.into(), name, false));
        reliable(Message::SimplifyPath(SimplifyPath::new(id.into(), name, checksum)))
    }

    /// The id of a slot's path. Announces the path if necessary. Usually picks the slot that the program gives to new
    /// clients.
    fn owned(&mut self, slot: u8, sent: &mut Vec<Sent>) -> u32 {
        let own = usize::try_from(self.client.id.get() - 2).expect("2 or more");
        let at = if slot % 8 < 6 { own } else { slot.into() } % SLOTS.len();
        if let Some((id, ..)) = self.ids.iter().rev().find(|(_, path, _)| *path == SLOTS[at]) {
            return *id;
        }
        let path = PATHS.iter().position(|path| *path == SLOTS[at]).expect("it is one of them");
        sent.push(self.name(0x10 | u8::try_from(path).expect("few paths")));
        self.last.into()
    }

    /// The state of a slot. Its value grows with its time.
    fn state(&mut self, slot: u8, mask: Option<u64>) -> Vec<Sent> {
        let mut sent = Vec::new();
        let id = NetId::of_path(self.owned(slot, &mut sent));
        let (time, mut bytes) = (self.number(), Vec::new());
        if let Some(mask) = mask {
            Delta::begin(&mut bytes);
            // Two changes of one synchronizer.
            for value in [time, time.wrapping_neg()] {
                push_change(id, mask, &to_row(&(value, value)).expect("numbers"), &mut bytes);
            }
            sent.push((bytes, Delivery::RELIABLE));
        } else {
            Sync::begin(time, &mut bytes);
            push_state(id, &to_row(&(time,)).expect("a number"), &mut bytes);
            sent.push((bytes, Delivery::UNRELIABLE));
        }
        sent
    }

    /// Damaged packets of the kinds that other acts or a server send.
    fn damaged(&mut self, kind: u8, largest: usize, random: &mut Random) -> Vec<Sent> {
        let mut sent = match kind % 8 {
            0 => vec![self.relay(kind, random)],
            1 => vec![self.name(kind)],
            2 => self.act(Act::Spawn { slot: kind }, largest, random),
            3 => self.state(kind, None),
            4 => self.state(kind, Some(3)),
            5 => vec![reliable(Message::System(System::AddPeer(i32::from(kind))))],
            6 => vec![reliable(Message::Rpc(variant_multiplayer::Rpc::new(
                NodeRef::Path(WORLD),
                variant_multiplayer::MethodId::new(kind.into()),
                Arguments::Bytes(&[kind]),
            )))],
            _ => vec![self.ask(Request([kind, kind, kind]), random)],
        };
        for (bytes, _) in &mut sent {
            mutate(random, bytes);
        }
        sent
    }
}

fn relayed(target: Target, inner: &[u8], random: &mut Random) -> Sent {
    let relay = System::Relay(Relay::new(target.to_wire(), inner));
    (packet(Message::System(relay)), delivery(random))
}

fn delivery(random: &mut Random) -> Delivery {
    random.pick(&[
        Delivery::RELIABLE,
        Delivery::UNRELIABLE,
        Delivery { mode: TransferMode::UnreliableOrdered, channel: 1 },
        Delivery { mode: TransferMode::Reliable, channel: 2 },
    ])
}
