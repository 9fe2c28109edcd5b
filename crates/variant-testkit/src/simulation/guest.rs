//! [`Guest`]: what the server's program knows about a connection, and the bounds on what the connection may cause.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use variant_multiplayer::NetId;
use variant_multiplayer::server::ServerLimits;

/// The cost of a packet besides its bytes, as in the server.
const OVERHEAD: usize = 64;

/// A connection.
#[expect(clippy::struct_excessive_bools, reason = "each has its own event")]
#[derive(Debug, Default)]
pub(super) struct Guest {
    pub is_admitted: bool,
    /// The program has accepted the peer.
    pub is_accepted: bool,
    /// The peer has completed the authentication.
    pub has_completed: bool,
    /// The server is closing the connection, but has not yet reported its end to the program.
    pub is_leaving: bool,
    pub since: Duration,
    /// The nodes that the peer has spawned.
    pub spawned: BTreeSet<NetId>,
    /// The paths to which the peer has assigned ids.
    pub paths: BTreeSet<String>,
    /// The last value of each of the peer's synchronizers.
    pub values: BTreeMap<NetId, i64>,
    offences: usize,
    packets: usize,
    bytes: usize,
    relayed: usize,
}

/// Whether `used` is within a rate of `each` a second, with bursts of twice that number.
fn allows(each: u32, used: usize, time: Duration) -> bool {
    let most = u128::from(each) * (2_000 + time.as_millis());
    u128::try_from(used).is_ok_and(|used| used * 1_000 <= most)
}

impl Guest {
    pub(super) fn new(since: Duration) -> Self {
        Self { since, ..Self::default() }
    }

    /// Counts an offence.
    pub(super) fn offend(&mut self, limits: &ServerLimits, now: Duration) {
        self.offences += 1;
        let forgiven =
            usize::try_from((now.saturating_sub(self.since)).as_secs()).unwrap_or(usize::MAX);
        // The last offence exceeds the limit, and closes the peer.
        let most = usize::try_from(limits.offences).unwrap_or(usize::MAX).saturating_add(1);
        assert!(self.offences <= most.saturating_add(forgiven), "offences: {self:?}");
    }

    pub(super) fn has_offended(&self, limits: &ServerLimits) -> bool {
        self.offences > usize::try_from(limits.offences).unwrap_or(usize::MAX)
    }

    /// Counts a packet from this peer, unless the server has refused it as too large or as part of a flood.
    pub(super) fn accept(&mut self, bytes: usize, limits: &ServerLimits, now: Duration) {
        self.packets += 1;
        self.bytes += bytes;
        let time = now.saturating_sub(self.since);
        assert!(allows(limits.packets, self.packets, time), "packets: {self:?}");
        assert!(allows(limits.bytes, self.bytes, time), "bytes: {self:?}");
    }

    /// Counts a packet that the server relays to this peer.
    pub(super) fn relay(&mut self, bytes: usize, limits: &ServerLimits, now: Duration) {
        self.relayed += bytes + OVERHEAD;
        assert!(
            allows(limits.received, self.relayed, now.saturating_sub(self.since)),
            "relays: {self:?}"
        );
    }
}
