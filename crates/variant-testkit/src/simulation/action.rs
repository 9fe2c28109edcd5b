//! [`Step`] and [`Action`]: one step of a simulation.

use std::fmt;

use variant_multiplayer::PeerId;

use crate::random::Random;

pub(super) const CLIENTS: u8 = 5;

/// The client with this index.
pub(super) fn client(index: u8) -> PeerId {
    PeerId::client(i32::from(index % CLIENTS) + 2).expect("2 or more")
}

/// One step of a script. All bytes are valid. They determine the action and the random events of the network during the
/// step. So the step stays meaningful if earlier steps are removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Step(pub [u8; 5]);

/// An action, decoded from the bytes of a step. Its numbers pick among the existing peers, nodes and rooms.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// The program of the server runs the command between two inputs.
    Program(Command),
    /// The program runs the command while it handles the next event.
    Later(Command),
    Client(PeerId, Act),
    /// The connection of a client changes.
    Link(PeerId, Weather),
    /// This number of milliseconds passes. Everything due in this time happens when it is due.
    Wait(u64),
    /// The clock jumps by this number of milliseconds. Everything due in this time happens late.
    Jump(u64),
}

/// An action of the server's program. Clients can request it by a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Command {
    Open,
    Close {
        room: u8,
    },
    Join {
        peer: u8,
        room: u8,
    },
    Leave {
        peer: u8,
        room: u8,
    },
    Spawn {
        audience: u8,
    },
    Despawn {
        node: u8,
    },
    /// Sets the audience of a node.
    Show {
        node: u8,
        audience: u8,
    },
    /// Changes a node's on-change values.
    Change {
        node: u8,
        mask: u8,
    },
    /// Sends the always-sent values.
    Sync {
        audience: u8,
    },
    Call {
        audience: u8,
        method: u8,
    },
    Bytes {
        audience: u8,
    },
    /// Changes the rule of audiences, and evaluates the rules again.
    Refresh {
        least: u8,
    },
    Kick {
        peer: u8,
    },
    /// Accepts a peer that is being authenticated.
    Accept {
        peer: u8,
    },
    /// Gives a peer the authority over a slot (a node of `SLOTS`).
    Grant {
        slot: u8,
        peer: u8,
    },
    /// Removes the node `Extra`, or adds it.
    Replace,
}

/// A command as bytes.
#[derive(Clone, Copy)]
pub(super) struct Request(pub [u8; 3]);

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Command::of(self.0).fmt(f)
    }
}

/// An action of a client.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// Connects, even if the server does not know yet that the earlier connection has ended.
    Come {
        manners: u8,
    },
    /// Closes its connection.
    Go,
    /// Disappears without closing its connection.
    Vanish,
    /// Calls the server's method that executes the command in the bytes.
    Ask(Request),
    Relay {
        target: u8,
    },
    Bytes,
    /// Assigns an id to a path.
    Name {
        path: u8,
    },
    Spawn {
        slot: u8,
    },
    Despawn {
        which: u8,
    },
    State {
        slot: u8,
    },
    Delta {
        slot: u8,
    },
    Authenticate {
        data: u8,
    },
    Damage {
        kind: u8,
    },
    /// Sends many packets, or a packet that is larger than the server allows.
    Flood {
        count: u8,
    },
}

/// A change of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Weather {
    /// No packets pass until the connection is repaired.
    Cut,
    /// The client does not read.
    Stall,
    /// Ends a cut and a stall.
    Mend,
    /// The connection breaks.
    Break,
    /// The transport reports the round-trip time and the number of waiting bytes.
    Measure,
}

impl Step {
    /// Any step.
    pub(super) fn random(random: &mut Random) -> Self {
        Self(std::array::from_fn(|_| random.byte()))
    }

    /// The random events of the network during this step.
    pub(super) fn luck(self) -> Random {
        let number = self.0.iter().fold(1_u64, |sum, byte| sum << 8 | u64::from(*byte));
        Random::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn action(self) -> Action {
        let [class, who, kind, a, b] = self.0;
        match class % 32 {
            0..=7 => Action::Program(Command::of([kind, a, b])),
            8..=9 => Action::Later(Command::of([kind, a, b])),
            10..=25 => Action::Client(client(who), Act::of(kind, a, b)),
            26..=27 => Action::Link(client(who), Weather::of(kind)),
            28..=30 => Action::Wait([0, 10, 30, 100, 300, 1_000][usize::from(kind % 6)]),
            _ => Action::Jump([0, 1, 700, 5_000, 40_000, 4_000_000][usize::from(kind % 6)]),
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.0, self.action())
    }
}

impl Command {
    pub(super) fn of([kind, a, b]: [u8; 3]) -> Self {
        match kind % 26 {
            0 => Self::Open,
            1 => Self::Close { room: a },
            2..=4 => Self::Join { peer: a, room: b },
            5 => Self::Leave { peer: a, room: b },
            6..=8 => Self::Spawn { audience: a },
            9 => Self::Despawn { node: a },
            10 | 11 => Self::Show { node: a, audience: b },
            12..=14 => Self::Change { node: a, mask: b },
            15 => Self::Sync { audience: a },
            16 | 17 => Self::Call { audience: a, method: b },
            18 => Self::Bytes { audience: a },
            19 => Self::Refresh { least: a },
            20 => Self::Kick { peer: a },
            21 | 22 => Self::Accept { peer: a },
            23 | 24 => Self::Grant { slot: a, peer: b },
            _ => Self::Replace,
        }
    }
}

impl Act {
    fn of(kind: u8, a: u8, b: u8) -> Self {
        match kind % 32 {
            0..=6 => Self::Come { manners: a },
            7 => Self::Go,
            8 => Self::Vanish,
            9..=12 => Self::Ask(Request([a, b, a ^ kind])),
            13..=16 => Self::Relay { target: a },
            17 => Self::Bytes,
            18..=20 => Self::Name { path: a },
            21..=23 => Self::Spawn { slot: a },
            24 => Self::Despawn { which: a },
            25 | 26 => Self::State { slot: a },
            27 => Self::Delta { slot: a },
            28 => Self::Authenticate { data: a },
            29 | 30 => Self::Damage { kind: a },
            _ => Self::Flood { count: a },
        }
    }
}

impl Weather {
    fn of(kind: u8) -> Self {
        match kind % 8 {
            0 | 1 => Self::Cut,
            2 => Self::Stall,
            3..=5 => Self::Mend,
            6 => Self::Break,
            _ => Self::Measure,
        }
    }
}
