//! [`ServerLimits`]: what one peer may take of a server.

use std::time::{Duration, Instant};

use crate::path_cache::PathLimits;

/// Bounds on what one peer may take of a server. What exceeds them is dropped and counts as an offence.
///
/// ```
/// use variant_multiplayer::PathLimits;
/// use variant_multiplayer::server::ServerLimits;
///
/// let mut limits = ServerLimits::default();
/// limits.packet = 4_096;
/// limits.paths = PathLimits::SERVER.paths(64);
/// assert_eq!(limits.packets, ServerLimits::DEFAULT.packets); // others stay
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// The paths that it may give ids. Also bounds how many nodes it may have spawned at a time.
    pub paths: PathLimits,
    /// Packets a second. Twice as many may come at once.
    pub packets: u32,
    /// Bytes a second. Twice as many may come at once.
    pub bytes: u32,
    /// Bytes a second that are passed on to other peers, counted for each receiver. Twice as many may come at once.
    pub relayed: u32,
    /// Bytes a second that one peer is sent of others by relays, twice as many at once: less than a transport lets wait, lest
    /// others could get it closed. What is more is dropped, and counts as an offence of its sender.
    pub received: u32,
    /// The size of a packet in bytes.
    pub packet: usize,
    /// How many offences it may commit at once before it is closed: damaged packets, forbidden calls, floods. One is forgiven
    /// each second.
    pub offences: u32,
    /// How long it may take to authenticate itself, where the server wants that.
    pub authentication: Duration,
}

impl ServerLimits {
    /// What a peer may do wrong.
    pub(crate) const fn patience(&self) -> Rate {
        Rate { refill: 1, most: self.offences }
    }

    /// The limits that a server has unless it is told otherwise.
    ///
    /// * `packets` 1,000: sixteen in each of 60 frames a second;
    /// * `bytes` 1 MiB, `relayed` 8 MiB: what a game of many players sends, and far below what fills a network;
    /// * `received` 256 KiB: at once half of the 1 MiB that transports let wait;
    /// * `packet` 65,535: what the engine's web sockets take;
    /// * `offences` 100: some come from calls on their way while rights change;
    /// * `authentication` 3 seconds: the engine's.
    pub const DEFAULT: Self = Self {
        paths: PathLimits::SERVER,
        packets: 1_000,
        bytes: 1 << 20,
        relayed: 8 << 20,
        received: 256 << 10,
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

/// How fast a bucket of allowances fills, and how much it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// Each second.
    pub(crate) refill: u32,
    /// At most.
    pub(crate) most: u32,
}

impl Rate {
    /// So much a second, and twice as much at once.
    pub(crate) const fn per_second(refill: u32) -> Self {
        Self { refill, most: refill.saturating_mul(2) }
    }
}

/// A bucket of allowances, which fills with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    left: u64,
    /// Up to when it has been filled.
    at: Instant,
}

/// Allowances are counted in parts of this, so that a millisecond fills something.
const PARTS: u64 = 1_000;

impl Allowance {
    pub(crate) fn new(rate: Rate, now: Instant) -> Self {
        Self { left: u64::from(rate.most).saturating_mul(PARTS), at: now }
    }

    /// Takes `amount`, if there is as much.
    pub(crate) fn take(&mut self, amount: usize, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        let amount = u64::try_from(amount).unwrap_or(u64::MAX).saturating_mul(PARTS);
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Whole milliseconds count; what is left of one counts the next time.
    fn fill(&mut self, rate: Rate, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_millis();
        let passed = u64::try_from(passed).unwrap_or(u64::MAX);
        let more = passed.saturating_mul(rate.refill.into());
        let most = u64::from(rate.most).saturating_mul(PARTS);
        self.left = self.left.saturating_add(more).min(most);
        self.at = self.at.checked_add(Duration::from_millis(passed)).unwrap_or(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowances_fill_with_time() {
        let (start, rate) = (Instant::now(), Rate::per_second(10));
        let mut allowance = Allowance::new(rate, start);
        assert!(allowance.take(20, rate, start));
        assert!(!allowance.take(1, rate, start));
        assert!(!allowance.take(1, rate, start + Duration::from_millis(99)));
        assert!(allowance.take(1, rate, start + Duration::from_millis(100)));
        assert!(!allowance.take(21, rate, start + Duration::from_secs(3_600)));
    }

    #[test]
    fn parts_of_milliseconds_add_up() {
        let (start, rate) = (Instant::now(), Rate::per_second(1_000));
        let mut allowance = Allowance::new(rate, start);
        assert!(allowance.take(2_000, rate, start));
        let taken = (1..=1_000_u32)
            .filter(|step| allowance.take(1, rate, start + Duration::from_micros(1_900) * *step))
            .count();
        assert_eq!(taken, 1_000, "one each 1.9 milliseconds is less than a thousand a second");
    }
}
