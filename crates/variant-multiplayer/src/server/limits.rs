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
    /// Bytes a second. Twice as many may come at once. At most a quarter of [`TransportLimits::backlog`].
    ///
    /// [`TransportLimits::backlog`]: crate::TransportLimits::backlog
    pub bytes: u32,
    /// Bytes a second that other peers are sent because of it, counted for each receiver: by relays, and by a handler while
    /// it handles what the peer sent. Twice as many may come at once. While a handler has sent more, what the peer sends is
    /// dropped, which is not an offence: at most two seconds.
    pub relayed: u32,
    /// Bytes a second that one peer is sent because of others, twice as many at once. At most a quarter of
    /// [`TransportLimits::backlog`], so that others cannot get it closed. What is more is not sent to it. That is an offence
    /// of the sender of a relay if the sender alone has sent as much.
    ///
    /// A handler may send half of it because of one peer. While it has sent more, what that peer sends is dropped, as for
    /// `relayed`.
    ///
    /// [`TransportLimits::backlog`]: crate::TransportLimits::backlog
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

    /// What others are sent because of a peer, by receiver.
    pub(crate) const fn relays(&self) -> Rate {
        Rate::per_second(self.relayed)
    }

    /// What a peer is sent because of others.
    pub(crate) const fn receives(&self) -> Rate {
        Rate::per_second(self.received)
    }

    /// What a handler may send to one peer because of another one: two of them do not keep a third one from being heard.
    pub(crate) const fn share(&self) -> Rate {
        Rate::per_second(self.received / 2)
    }

    /// The limits that a server has unless it is told otherwise.
    ///
    /// * `packets` 1,000: sixteen in each of 60 frames a second;
    /// * `bytes` 256 KiB, `received` 256 KiB: at once half of the 1 MiB that transports let wait;
    /// * `relayed` 8 MiB: what a game of many players sends, and far below what fills a network;
    /// * `packet` 65,535: what the engine's web sockets take;
    /// * `offences` 100: some come from calls on their way while rights change;
    /// * `authentication` 3 seconds: the engine's.
    pub const DEFAULT: Self = Self {
        paths: PathLimits::SERVER,
        packets: 1_000,
        bytes: 256 << 10,
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

/// What sending a packet costs beside its bytes, about as much as the heads of the protocols below.
pub(crate) const OVERHEAD: usize = 64;

/// A bucket of allowances, which fills with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Less than nothing is owed.
    left: i64,
    /// Up to when it has been filled.
    at: Instant,
}

/// Allowances are counted in parts of this, so that a millisecond fills something.
const PARTS: i64 = 1_000;

/// An amount in parts.
fn parts(amount: impl TryInto<i64>) -> i64 {
    amount.try_into().unwrap_or(i64::MAX).saturating_mul(PARTS)
}

impl Allowance {
    pub(crate) fn new(rate: Rate, now: Instant) -> Self {
        Self { left: parts(rate.most), at: now }
    }

    /// Takes `amount`, if there is as much.
    pub(crate) fn take(&mut self, amount: usize, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        let left = self.left.saturating_sub(parts(amount));
        if left < 0 {
            return false;
        }
        self.left = left;
        true
    }

    /// Takes `amount`, if there is something: what is more than there was is owed.
    pub(crate) fn spend(&mut self, amount: usize, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        let has_some = self.left > 0;
        if has_some {
            self.charge(amount, rate, now);
        }
        has_some
    }

    /// Takes `amount`, whether or not it is there. At most what the bucket holds is owed.
    pub(crate) fn charge(&mut self, amount: usize, rate: Rate, now: Instant) {
        self.fill(rate, now);
        let least = parts(rate.most).saturating_neg();
        self.left = self.left.saturating_sub(parts(amount)).max(least);
    }

    /// Whether something is owed.
    pub(crate) fn is_in_debt(&mut self, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        self.left < 0
    }

    /// Whole milliseconds count; what is left of one counts the next time.
    fn fill(&mut self, rate: Rate, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_millis();
        let passed = u64::try_from(passed).unwrap_or(u64::MAX);
        let more = i64::try_from(passed).unwrap_or(i64::MAX).saturating_mul(rate.refill.into());
        self.left = self.left.saturating_add(more).min(parts(rate.most));
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
    fn what_is_owed_is_paid_with_time() {
        let (start, rate) = (Instant::now(), Rate::per_second(10));
        let mut allowance = Allowance::new(rate, start);
        assert!(allowance.spend(19, rate, start));
        assert!(allowance.spend(15, rate, start), "one was left");
        assert!(!allowance.spend(1, rate, start));
        assert!(allowance.is_in_debt(rate, start + Duration::from_millis(1_399)));
        assert!(!allowance.is_in_debt(rate, start + Duration::from_millis(1_400)));
        // However much it was, two seconds pay for it.
        let later = start + Duration::from_secs(10);
        allowance.charge(usize::MAX, rate, later);
        assert!(allowance.is_in_debt(rate, later + Duration::from_millis(1_999)));
        assert!(!allowance.is_in_debt(rate, later + Duration::from_secs(2)));
        // Who may have nothing owes nothing.
        let mut none = Allowance::new(Rate::per_second(0), start);
        none.charge(5, Rate::per_second(0), start);
        assert!(!none.is_in_debt(Rate::per_second(0), start));
        assert!(!none.spend(0, Rate::per_second(0), start));
    }

    /// A transport closes a peer when more waits for it than its backlog.
    #[test]
    fn bursts_fit_the_backlog() {
        let (limits, backlog) = (ServerLimits::DEFAULT, crate::TransportLimits::SERVER.backlog);
        for rate in [limits.bytes, limits.received] {
            assert!(usize::try_from(rate).unwrap() <= backlog / 4);
        }
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
