//! [`Backlog`]: the number of bytes that wait to be sent to a peer.

use std::sync::Arc;
#[cfg(not(all(test, variant_shuttle)))]
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(all(test, variant_shuttle))]
use shuttle::sync::atomic::{AtomicUsize, Ordering};

/// The memory of a packet besides its bytes: its entries in queues. Without this cost, any number of empty packets
/// could wait.
const OVERHEAD: usize = 64;

/// The number of bytes that wait to be sent to one peer, and its limit.
#[derive(Debug)]
pub(crate) struct Backlog {
    waiting: Arc<AtomicUsize>,
    limit: usize,
}

impl Backlog {
    /// An empty backlog.
    pub(crate) fn new(limit: usize) -> Self {
        Self { waiting: Arc::new(AtomicUsize::new(0)), limit }
    }

    /// The bytes that wait, and [`OVERHEAD`] for each packet.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Whether more than a quarter of the limit waits. If so, send the waiting packets before more packets are
    /// produced.
    #[cfg(feature = "websocket")]
    pub(crate) fn is_crowded(&self) -> bool {
        self.waiting() > self.limit / 4
    }

    /// Counts a packet as waiting until the returned parcel is dropped. Returns `None` if the packet would exceed the
    /// limit. A packet is always accepted if nothing else waits.
    pub(crate) fn pack(&self, bytes: Arc<[u8]>) -> Option<Parcel> {
        let cost = cost(&bytes);
        // Only one task adds, and the others only subtract. So nothing is added between the load and the addition.
        let before = self.waiting.load(Ordering::Relaxed);
        if before > 0 && before.saturating_add(cost) > self.limit {
            return None;
        }
        self.waiting.fetch_add(cost, Ordering::Relaxed);
        Some(Parcel { bytes, waiting: Arc::clone(&self.waiting) })
    }
}

fn cost(bytes: &[u8]) -> usize {
    bytes.len().saturating_add(OVERHEAD)
}

/// A packet that waits to be sent. It is dropped when it is sent, or when its connection is gone.
#[derive(Debug)]
pub(crate) struct Parcel {
    bytes: Arc<[u8]>,
    waiting: Arc<AtomicUsize>,
}

impl Parcel {
    #[cfg(feature = "websocket")]
    pub(crate) fn share(&self) -> Arc<[u8]> {
        Arc::clone(&self.bytes)
    }
}

impl AsRef<[u8]> for Parcel {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        self.waiting.fetch_sub(cost(&self.bytes), Ordering::Relaxed);
    }
}

/// Explores the orders in which a task adds and others subtract. Run by `.ci/threads`.
#[cfg(test)]
#[cfg(variant_shuttle)]
mod explored {
    use super::*;

    fn a_backlog_keeps_its_limit() {
        let limit = 2 * cost(&[7]);
        let backlog = Backlog::new(limit);
        shuttle::thread::scope(|scope| {
            let mut refused = 0;
            for _ in 0..5 {
                match backlog.pack(vec![7].into()) {
                    Some(parcel) => drop(scope.spawn(move || drop(parcel))),
                    None => refused += 1,
                }
                assert!(backlog.waiting() <= limit, "{} bytes wait", backlog.waiting());
            }
            assert!(refused <= 3, "the first two packets fit");
        });
        assert_eq!(backlog.waiting(), 0);
    }

    #[test]
    fn one_task_adds_and_others_subtract() {
        let count =
            std::env::var("VARIANT_SCHEDULES").map_or(1_000, |count| count.parse().unwrap());
        shuttle::check_random(a_backlog_keeps_its_limit, count);
        shuttle::check_pct(a_backlog_keeps_its_limit, count, 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_waits() {
        let backlog = Backlog::new(200);
        let first = backlog.pack(vec![0; 1_000].into());
        assert!(first.is_some(), "alone, any packet may wait");
        assert!(backlog.pack(vec![0].into()).is_none());
        drop(first);
        let small: Vec<_> = (0..4).map(|_| backlog.pack(vec![0].into())).collect();
        assert_eq!(small.iter().flatten().count(), 3, "each costs 65");
        drop(small);
        assert_eq!(backlog.waiting.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_backlog_has_at_most_its_limit() {
        let cost = OVERHEAD + 1;
        for (limit, fits) in [(2 * cost - 1, 1), (2 * cost, 2), (2 * cost + 1, 2)] {
            let backlog = Backlog::new(limit);
            let parcels: Vec<_> = (0..3).map_while(|_| backlog.pack(vec![7].into())).collect();
            assert_eq!(parcels.len(), fits, "{limit}");
            assert_eq!(backlog.waiting(), fits * cost);
            assert!(parcels.iter().all(|parcel| parcel.as_ref() == [7]));
        }
    }

    #[cfg(feature = "websocket")]
    #[test]
    fn a_backlog_is_crowded_above_a_quarter_of_its_limit() {
        // A packet of one byte costs 65.
        for (limit, expected) in [(259, true), (260, false), (264, false), (0, true), (3, true)] {
            let backlog = Backlog::new(limit);
            assert!(!backlog.is_crowded(), "{limit}");
            let parcel = backlog.pack(vec![7].into());
            assert_eq!(backlog.is_crowded(), expected, "{limit}");
            drop(parcel);
            assert!(!backlog.is_crowded(), "{limit}");
        }
    }
}
