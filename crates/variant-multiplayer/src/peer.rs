//! [`PeerId`] and [`Target`]: the sender and the receivers of a packet.

use core::fmt;

/// The number of a peer: 1 is the server, clients have 2 to 2,147,483,647.
///
/// ```
/// use variant_multiplayer::PeerId;
///
/// let client = PeerId::client(77).expect("2 or more");
/// assert_eq!((client.get(), client.is_client()), (77, true));
/// assert_eq!(PeerId::client(1), None); // the server
/// assert!(!PeerId::SERVER.is_client());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(i32);

impl PeerId {
    /// The server.
    pub const SERVER: Self = Self(1);

    /// A peer by its number; `None` for 0 and negative numbers, which are targets, not peers. O(1).
    ///
    /// ```
    /// use variant_multiplayer::PeerId;
    ///
    /// assert_eq!(PeerId::new(1), Some(PeerId::SERVER));
    /// assert_eq!(PeerId::new(-1), None);
    /// ```
    pub const fn new(id: i32) -> Option<Self> {
        if id > 0 { Some(Self(id)) } else { None }
    }

    /// A client by its number; `None` below 2. O(1).
    pub const fn client(id: i32) -> Option<Self> {
        if id > 1 { Some(Self(id)) } else { None }
    }

    /// The number, 1 or more.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Whether the peer is a client.
    pub const fn is_client(self) -> bool {
        self.0 > 1
    }
}

impl fmt::Display for PeerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The receivers of a packet, as the engine's `rpc_id` and `set_target_peer` name them.
///
/// ```
/// use variant_multiplayer::{PeerId, Target};
///
/// let target = Target::AllBut(PeerId::SERVER);
/// assert!(!target.includes(PeerId::SERVER));
/// assert_eq!((target.to_wire(), Target::All.to_wire()), (-1, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// All peers: 0.
    All,
    /// One peer.
    Peer(PeerId),
    /// All peers except one: the negated number of this peer.
    AllBut(PeerId),
}

impl Target {
    /// The target of a number on the wire. -2,147,483,648, which is not the negation of a peer, means all peers. O(1).
    ///
    /// ```
    /// use variant_multiplayer::{PeerId, Target};
    ///
    /// assert_eq!(Target::from_wire(-1), Target::AllBut(PeerId::SERVER));
    /// ```
    pub const fn from_wire(id: i32) -> Self {
        match (PeerId::new(id), PeerId::new(id.wrapping_neg())) {
            (Some(peer), _) => Self::Peer(peer),
            (None, Some(peer)) => Self::AllBut(peer),
            (None, None) => Self::All,
        }
    }

    /// The target as the number on the wire. O(1).
    pub const fn to_wire(self) -> i32 {
        match self {
            Self::All => 0,
            Self::Peer(peer) => peer.0,
            Self::AllBut(peer) => peer.0.wrapping_neg(),
        }
    }

    /// Whether the target includes `peer`. O(1).
    pub fn includes(self, peer: PeerId) -> bool {
        match self {
            Self::All => true,
            Self::Peer(one) => one == peer,
            Self::AllBut(one) => one != peer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_numbers() {
        for id in [i32::MIN, i32::MIN + 1, -77, -2, -1, 0, 1, 2, 77, i32::MAX] {
            let target = Target::from_wire(id);
            let back = if id == i32::MIN { 0 } else { id };
            assert_eq!((target.to_wire(), Target::from_wire(back)), (back, target));
            let Some(peer) = PeerId::new(id.saturating_abs()) else { continue };
            // A target names a peer: alone, or as the only one that it leaves out.
            assert_eq!(target.includes(peer), id > 0 || id == i32::MIN, "{id}");
            assert_eq!(target.includes(PeerId(5)), id < 0, "{id}");
        }
    }

    #[test]
    fn clients_have_numbers_from_two() {
        for id in [i32::MIN, -2, -1, 0, 1, 2, 3, i32::MAX] {
            let peer = PeerId::new(id);
            assert_eq!(peer.map(PeerId::get), (id >= 1).then_some(id));
            assert_eq!(peer.is_some_and(PeerId::is_client), id >= 2);
            assert_eq!(PeerId::client(id), peer.filter(|_| id >= 2));
        }
    }
}
