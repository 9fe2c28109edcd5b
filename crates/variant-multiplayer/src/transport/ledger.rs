//! [`Ledger`]: the peers of a transport.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
#[cfg(feature = "websocket")]
use std::hash::{BuildHasher as _, RandomState};

use crate::peer::PeerId;

/// The peers of a transport, and the state of each.
#[derive(Debug)]
pub(crate) struct Ledger<C> {
    peers: HashMap<PeerId, C>,
    /// The source of numbers: a hash with random keys from the system. Earlier numbers do not predict the next number.
    #[cfg(feature = "websocket")]
    random: RandomState,
    #[cfg(feature = "websocket")]
    drawn: u64,
}

impl<C> Ledger<C> {
    /// A ledger without peers.
    pub(crate) fn new() -> Self {
        Self {
            peers: HashMap::new(),
            #[cfg(feature = "websocket")]
            random: RandomState::new(),
            #[cfg(feature = "websocket")]
            drawn: 0,
        }
    }

    #[cfg(feature = "websocket")]
    pub(crate) fn unused(&mut self) -> PeerId {
        loop {
            self.drawn = self.drawn.wrapping_add(1);
            let bits = self.random.hash_one(self.drawn) & 0x7FFF_FFFF;
            let drawn = i32::try_from(bits).ok().and_then(PeerId::client);
            if let Some(id) = drawn.filter(|id| !self.peers.contains_key(id)) {
                return id;
            }
        }
    }

    /// Adds a peer. Returns false if the number is in use.
    pub(crate) fn insert(&mut self, id: PeerId, connection: C) -> bool {
        match self.peers.entry(id) {
            Entry::Occupied(_) => false,
            Entry::Vacant(vacant) => {
                vacant.insert(connection);
                true
            }
        }
    }

    pub(crate) fn get_mut(&mut self, id: PeerId) -> Option<&mut C> {
        self.peers.get_mut(&id)
    }

    pub(crate) fn remove(&mut self, id: PeerId) -> Option<C> {
        self.peers.remove(&id)
    }

    #[cfg(feature = "enet")]
    pub(crate) fn values(&self) -> impl Iterator<Item = &C> {
        self.peers.values()
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = C> {
        self.peers.drain().map(|(_, connection)| connection)
    }
}

#[cfg(all(test, feature = "websocket"))]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_of_clients_and_differ() {
        let mut ledger = Ledger::new();
        for _ in 0..1_000 {
            let id = ledger.unused();
            assert!(id.is_client());
            assert!(ledger.insert(id, ()));
            assert!(!ledger.insert(id, ()));
        }
    }
}
