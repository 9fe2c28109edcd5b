//! [`Runs`]: runs of valid values at many offsets.

use std::collections::HashMap;

use variant_view::{Document, Options};

use crate::seek::{EFFORT, is_header};

/// Consecutive valid values from an offset on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) values: u32,
    /// Whether the values reach the end of the bytes.
    pub(super) is_exact: bool,
}

/// The examined runs. Runs that start at different offsets often share their later values.
pub(super) struct Runs<'a> {
    bytes: &'a [u8],
    options: Options,
    /// The depth limit with which `known` was filled.
    depth: u32,
    /// By offset, the run that starts there and the end of its first value.
    known: HashMap<usize, (Run, usize)>,
    /// The number of bytes that may still be decoded.
    left: usize,
}

impl<'a> Runs<'a> {
    pub(super) fn new(bytes: &'a [u8], options: Options) -> Self {
        let left = bytes.len().saturating_mul(EFFORT);
        Self { bytes, options, depth: 0, known: HashMap::new(), left }
    }

    /// Whether the decoding budget is used up.
    pub(super) const fn is_tired(&self) -> bool {
        self.left == 0
    }

    /// The end of the value at `at`, if it was examined and is valid.
    pub(super) fn end_of(&self, at: usize) -> Option<usize> {
        self.known.get(&at).map(|(_, end)| *end)
    }

    /// The run from `at` on; `None` if no value starts there. Values may be `depth` deep.
    pub(super) fn at(&mut self, at: usize, depth: u32) -> Option<Run> {
        if depth != self.depth {
            self.known.clear();
            self.depth = depth;
        }
        let mut places = Vec::new();
        let mut next = at;
        let behind = loop {
            if let Some((run, _)) = self.known.get(&next) {
                break *run;
            }
            if next == self.bytes.len() {
                break Run { values: 0, is_exact: true };
            }
            let Some(end) = self.value(next) else { break Run { values: 0, is_exact: false } };
            places.push((next, end));
            next = end;
        };
        let mut run = behind;
        for (start, end) in places.into_iter().rev() {
            run.values = run.values.saturating_add(1);
            self.known.insert(start, (run, end));
        }
        Some(run).filter(|run| run.values > 0)
    }

    /// The end of the value at `at`.
    fn value(&mut self, at: usize) -> Option<usize> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || !is_header(self.bytes, at, self.options.dialect) {
            return None;
        }
        let limits = self.options.limits.depth(self.depth);
        let value = Document::new(self.bytes.get(at..)?, self.options.limits(limits));
        let read = value.validate();
        let cost = read.map_or_else(|error| error.offset(), |summary| summary.consumed);
        self.left = self.left.saturating_sub(cost);
        read.ok().map(|summary| at.saturating_add(summary.consumed))
    }
}
