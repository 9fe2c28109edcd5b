//! [`Meter`]: the limits on bytes and values.

use crate::bytes::{Cursor, Fault};
use crate::error::{ErrorKind, Limit, Result};
use crate::limits::Limits;

/// Counts values and checks the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    pub(crate) values: u64,
    pub(crate) max_values: u64,
    /// The number of bytes at the end of the document that values must not reach.
    pub(crate) tail: usize,
}

impl Meter {
    pub(crate) const UNLIMITED: Self = Self { values: 0, max_values: u64::MAX, tail: 0 };

    /// The meter for a document of `bytes` bytes.
    pub(crate) fn new(bytes: usize, limits: &Limits) -> Self {
        let end = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
        Self { values: 0, max_values: limits.values, tail: bytes.saturating_sub(end) }
    }

    /// The meter for a document of `bytes` bytes; [`Meter::UNLIMITED`] if the document cannot reach the limits.
    pub(crate) fn needed(bytes: usize, limits: &Limits) -> Self {
        // A value takes 4 bytes or more.
        let most = u64::try_from(bytes).map_or(u64::MAX, |bytes| bytes / 4);
        let meter = Self::new(bytes, limits);
        if meter.tail == 0 && limits.values >= most {
            return Self::UNLIMITED;
        }
        // `max_values` is less than in `Meter::UNLIMITED`, so that this field alone distinguishes the meters.
        Self { max_values: limits.values.min(u64::MAX.wrapping_sub(1)), ..meter }
    }

    /// Whether a meter from [`Meter::needed`] has limits that could be reached.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn limits(&self) -> bool {
        self.max_values != u64::MAX
    }

    /// Counts a value if errors are exact. If not, [`Meter::add`] counts whole containers.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn count<E: Fault>(
        &mut self,
        start: Cursor<'_, E>,
        behind: Cursor<'_, E>,
    ) -> Result<(), E> {
        if !E::IS_EXACT {
            return Ok(());
        }
        if self.values == self.max_values {
            return Err(exceeded(start, Limit::Values));
        }
        if behind.rest().len() < self.tail {
            return Err(exceeded(start, Limit::Bytes));
        }
        self.values = self.values.wrapping_add(1);
        Ok(())
    }

    /// Counts the items of a container at once, before they are read.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn add<E: Fault>(&mut self, cursor: Cursor<'_, E>, items: u64) -> Result<(), E> {
        if E::IS_EXACT {
            return Ok(());
        }
        self.values = self.values.wrapping_add(items);
        // The root is not counted yet, so the limit must have room for one more value.
        if self.values < self.max_values { Ok(()) } else { Err(exceeded(cursor, Limit::Values)) }
    }
}

#[cfg_attr(not(variant_small), inline(always))]
fn exceeded<E: Fault>(start: Cursor<'_, E>, limit: Limit) -> E {
    start.error(ErrorKind::LimitExceeded { limit })
}
