//! [`ServerLimits`]: the resources of a server that one peer may use.

use std::time::{Duration, Instant};

use crate::path_cache::PathLimits;

/// Bounds on the resources of a server that one peer may use. Packets that exceed them are dropped and count as
/// offences.
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
    /// The paths to which the peer may assign ids. Their maximum number is also the maximum number of nodes that the
    /// peer has spawned at a time.
    pub paths: PathLimits,
    /// Packets a second. Bursts may be twice that.
    pub packets: u32,
    /// Bytes a second. Bursts may be twice that. Should be at most a quarter of [`TransportLimits::backlog`].
    ///
    /// [`TransportLimits::backlog`]: crate::TransportLimits::backlog
    pub bytes: u32,
    /// Bytes a second that are sent to other peers because of this peer's packets, counted for each receiver. They are
    /// relayed packets, and packets that a handler sends during an event of the peer. Bursts may be twice that. If a
    /// handler exceeds this limit, the peer's packets are dropped for at most two seconds. A dropped packet is not an
    /// offence.
    pub relayed: u32,
    /// Bytes a second that are sent to this peer because of other peers' packets. Bursts may be twice that. Should be
    /// at most a quarter of [`TransportLimits::backlog`]: otherwise other peers could cause this peer to be closed. The
    /// excess is not sent. Excess relayed packets are an offence of their sender only if this sender alone has relayed
    /// more than the limit.
    ///
    /// During the events of one peer, a handler may use half of this limit. If the handler exceeds that half, the
    /// peer's packets are dropped, as described at `relayed`.
    ///
    /// [`TransportLimits::backlog`]: crate::TransportLimits::backlog
    pub received: u32,
    /// The size of a packet in bytes.
    pub packet: usize,
    /// The memory in bytes of the peer's adopted nodes ([`Network::adopt`]). Must not exceed the limit `packet`.
    ///
    /// [`Network::adopt`]: super::Network::adopt
    pub adopted: usize,
    /// The memory in bytes of the adopted nodes of all peers. At most half of [`TransportLimits::backlog`], since a peer
    /// that joins gets these nodes at once.
    ///
    /// [`TransportLimits::backlog`]: crate::TransportLimits::backlog
    pub all_adopted: usize,
    /// The number of offences in a burst before the peer is closed. Offences are damaged packets, forbidden calls and
    /// floods. One offence is forgiven each second.
    pub offences: u32,
    /// The time that a peer may take to authenticate itself, if the server requires that.
    pub authentication: Duration,
}

impl ServerLimits {
    /// The rate of the offences that a peer may commit.
    pub(crate) const fn patience(&self) -> Rate {
        Rate { refill: 1, most: self.offences }
    }

    /// The rate of bytes that are sent to other peers because of one peer's packets, counted for each receiver.
    pub(crate) const fn relays(&self) -> Rate {
        Rate::per_second(self.relayed)
    }

    /// The rate of bytes that are sent to one peer because of other peers' packets.
    pub(crate) const fn receives(&self) -> Rate {
        Rate::per_second(self.received)
    }

    /// The bytes per second that a handler may send to one peer in response to packets of one other peer. This rate is
    /// half of `received`, so that the other peer cannot use up the whole allowance of the receiver.
    pub(crate) const fn share(&self) -> Rate {
        Rate::per_second(self.received / 2)
    }

    /// The rate of net ids for adopted nodes of a peer. The server has 2^31 net ids.
    pub(crate) const fn ids() -> Rate {
        Rate { refill: 16, most: 1_024 }
    }

    /// The default limits.
    ///
    /// * `packets` 1,000: sixteen in each of 60 frames a second;
    /// * `bytes` 256 KiB, `received` 256 KiB: a burst of twice that is half of a transport's backlog of 1 MiB;
    /// * `relayed` 8 MiB: enough for a game of many players, and far below the capacity of a network;
    /// * `packet` 65,535: the limit of the engine's web sockets;
    /// * `adopted` 32 KiB: some sixty nodes; `all_adopted` 512 KiB: half of the backlog of transports;
    /// * `offences` 100: calls in flight while permissions change are offences;
    /// * `authentication` 3 seconds: the engine's.
    pub const DEFAULT: Self = Self {
        paths: PathLimits::SERVER,
        packets: 1_000,
        bytes: 256 << 10,
        relayed: 8 << 20,
        received: 256 << 10,
        packet: 65_535,
        adopted: 32 << 10,
        all_adopted: 512 << 10,
        offences: 100,
        authentication: Duration::from_secs(3),
    };
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The speed at which a bucket of allowances fills, and the size of the bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// The allowance added each second.
    pub(crate) refill: u32,
    /// The size of the bucket.
    pub(crate) most: u32,
}

impl Rate {
    /// A bucket that gets `refill` each second. Its size is twice `refill`.
    pub(crate) const fn per_second(refill: u32) -> Self {
        Self { refill, most: refill.saturating_mul(2) }
    }
}

/// The cost of a packet in addition to its bytes: about the headers of the underlying protocols.
pub(crate) const OVERHEAD: usize = 64;

/// A bucket of allowances, which fills with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// The allowance in the bucket. A negative number is a debt.
    left: i64,
    /// The time up to which the bucket was filled.
    at: Instant,
}

/// Allowances are counted in thousandths, so that each millisecond adds a whole number.
const PARTS: i64 = 1_000;

fn parts(amount: impl TryInto<i64>) -> i64 {
    amount.try_into().unwrap_or(i64::MAX).saturating_mul(PARTS)
}

impl Allowance {
    pub(crate) fn new(rate: Rate, now: Instant) -> Self {
        Self { left: parts(rate.most), at: now }
    }

    /// Takes `amount`, if the bucket has that much.
    pub(crate) fn take(&mut self, amount: usize, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        let left = self.left.saturating_sub(parts(amount));
        if left < 0 {
            return false;
        }
        self.left = left;
        true
    }

    /// Takes `amount` if anything is left. If less than `amount` is left, the difference becomes a debt.
    pub(crate) fn spend(&mut self, amount: usize, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        let has_some = self.left > 0;
        if has_some {
            self.charge(amount, rate, now);
        }
        has_some
    }

    /// Always takes `amount`. The debt is at most the bucket's size.
    pub(crate) fn charge(&mut self, amount: usize, rate: Rate, now: Instant) {
        self.fill(rate, now);
        let least = parts(rate.most).saturating_neg();
        self.left = self.left.saturating_sub(parts(amount)).max(least);
    }

    /// Whether there is a debt.
    pub(crate) fn is_in_debt(&mut self, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        self.left < 0
    }

    /// Adds the allowance for the time since the last call. Counts whole milliseconds; the next call counts the
    /// remainder.
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
        // Any debt ends after two seconds of filling.
        let later = start + Duration::from_secs(10);
        allowance.charge(usize::MAX, rate, later);
        assert!(allowance.is_in_debt(rate, later + Duration::from_millis(1_999)));
        assert!(!allowance.is_in_debt(rate, later + Duration::from_secs(2)));
        // A bucket of size zero has no debt.
        let mut none = Allowance::new(Rate::per_second(0), start);
        none.charge(5, Rate::per_second(0), start);
        assert!(!none.is_in_debt(Rate::per_second(0), start));
        assert!(!none.spend(0, Rate::per_second(0), start));
    }

    /// A transport closes a peer for which more than `TransportLimits::backlog` bytes wait.
    #[test]
    fn bursts_fit_the_backlog() {
        let (limits, backlog) = (ServerLimits::DEFAULT, crate::TransportLimits::SERVER.backlog);
        for rate in [limits.bytes, limits.received] {
            assert!(usize::try_from(rate).unwrap() <= backlog / 4);
        }
        assert!(limits.adopted <= limits.packet && limits.all_adopted <= backlog / 2);
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
