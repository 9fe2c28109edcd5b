//! docs/spec/format.md#limits: limits.

use super::fault::{Fault, Limit, Parsed, fail};
use super::rules::Rules;

/// The number of values and the greatest depth so far.
#[derive(Debug, Default)]
pub(super) struct Meter {
    pub(super) values: u64,
    pub(super) deepest: u32,
}

impl Meter {
    /// Checks the depth of a value before its header is read.
    pub(super) fn descend<'a>(
        &mut self,
        rules: Rules,
        input: &'a [u8],
        depth: u32,
    ) -> Parsed<'a, ()> {
        if depth > rules.depth {
            return fail(Fault::Limit(Limit::Depth), input);
        }
        self.deepest = self.deepest.max(depth);
        Ok((input, ()))
    }

    /// Counts the value at the start of `input`, and checks the limits. The value, or the head of a container, ends at
    /// offset `end`.
    pub(super) fn count<'a>(
        &mut self,
        rules: Rules,
        input: &'a [u8],
        end: usize,
    ) -> Parsed<'a, ()> {
        self.values = self.values.saturating_add(1);
        if self.values > rules.values {
            return fail(Fault::Limit(Limit::Values), input);
        }
        if u64::try_from(end).unwrap_or(u64::MAX) > rules.bytes {
            return fail(Fault::Limit(Limit::Bytes), input);
        }
        Ok((input, ()))
    }
}
