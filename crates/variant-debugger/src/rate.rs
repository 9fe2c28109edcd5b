//! [`Rate`]: messages a second.

use std::time::{Duration, Instant};

/// Counts messages in windows of a second.
#[derive(Debug)]
pub(crate) struct Rate {
    limit: u32,
    start: Option<Instant>,
    count: u32,
    dropped: u64,
}

impl Rate {
    pub(crate) const fn new(limit: u32) -> Self {
        Self { limit, start: None, count: 0, dropped: 0 }
    }

    /// Begins a window if the last one has ended.
    pub(crate) fn tick(&mut self, now: Instant) {
        let passed = self.start.map(|start| now.saturating_duration_since(start));
        if passed.is_none_or(|passed| passed >= Duration::from_secs(1)) {
            (self.start, self.count) = (Some(now), 0);
        }
    }

    /// Counts a message, and whether it is within the limit.
    pub(crate) const fn allows(&mut self) -> bool {
        if self.count < self.limit {
            self.count = self.count.saturating_add(1);
            return true;
        }
        self.dropped = self.dropped.saturating_add(1);
        false
    }

    /// The number of dropped messages since the last call.
    pub(crate) fn take_dropped(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.dropped)).filter(|dropped| *dropped > 0)
    }
}
