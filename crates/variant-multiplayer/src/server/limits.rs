//! [`ServerLimits`]: what one peer may take of a server.

use std::time::{Duration, Instant};

use crate::path_cache::PathLimits;

/// Bounds on what one peer may take of a server. What exceeds them is dropped and counts as an offence.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// The paths that it may give ids.
    pub paths: PathLimits,
    /// Packets a second. Twice as many may come at once.
    pub packets: u32,
    /// Bytes a second. Twice as many may come at once.
    pub bytes: u32,
    /// Bytes a second that are passed on to other peers, counted for each receiver. Twice as many may come at once.
    pub relayed: u32,
    /// The size of a packet in bytes.
    pub packet: usize,
    /// The offences after which it is closed: damaged packets, forbidden calls, floods.
    pub offences: u32,
    /// How long it may take to authenticate itself, where the server wants that.
    pub authentication: Duration,
}

impl ServerLimits {
    /// The limits that a server has unless it is told otherwise.
    ///
    /// * `packets` 1,000: sixteen in each of 60 frames a second;
    /// * `bytes` 1 MiB, `relayed` 8 MiB: what a game of many players sends, and far below what fills a network;
    /// * `packet` 65,535: what the engine's web sockets take;
    /// * `offences` 100: some come from calls on their way while rights change;
    /// * `authentication` 3 seconds: the engine's.
    pub const DEFAULT: Self = Self {
        paths: PathLimits::SERVER,
        packets: 1_000,
        bytes: 1 << 20,
        relayed: 8 << 20,
        packet: 65_535,
        offences: 100,
        authentication: Duration::from_secs(3),
    };
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A bucket of allowances, which fills with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    left: u64,
    /// When it was filled last.
    at: Instant,
}

/// Allowances are counted in parts of this, so that a short time fills something.
const PARTS: u64 = 1_000;

impl Allowance {
    pub(crate) fn new(rate: u32, now: Instant) -> Self {
        Self { left: most(rate), at: now }
    }

    /// Takes `amount`, if there is as much.
    pub(crate) fn take(&mut self, amount: usize, rate: u32, now: Instant) -> bool {
        let millis = now.saturating_duration_since(self.at).as_millis();
        if millis > 0 {
            let millis = u64::try_from(millis).unwrap_or(u64::MAX);
            let more = millis.saturating_mul(u64::from(rate));
            self.left = self.left.saturating_add(more).min(most(rate));
            self.at = now;
        }
        let amount = u64::try_from(amount).unwrap_or(u64::MAX).saturating_mul(PARTS);
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

/// What is there after a long time: the allowance of two seconds.
fn most(rate: u32) -> u64 {
    u64::from(rate).saturating_mul(PARTS).saturating_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowances_fill_with_time() {
        let start = Instant::now();
        let mut allowance = Allowance::new(10, start);
        assert!(allowance.take(20, 10, start));
        assert!(!allowance.take(1, 10, start));
        let later = start + Duration::from_millis(99);
        assert!(!allowance.take(1, 10, later));
        assert!(allowance.take(1, 10, start + Duration::from_millis(100)));
        assert!(!allowance.take(21, 10, start + Duration::from_secs(3_600)));
    }
}
