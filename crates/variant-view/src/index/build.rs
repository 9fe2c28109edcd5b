//! The validation pass that fills an index.

use alloc::vec::Vec;

use super::Entry;
use crate::bytes::{Fault, Unfit, count, size};
use crate::document::Document;
use crate::error::Result;
use crate::limits::Limits;
use crate::options::{Options, Profile};
use crate::scan::{Item, Sink};
use crate::template::{LONGEST, PATTERNS, RecordPattern};
use crate::validate::{self, Summary};

/// Offsets have 32 bits.
const MAX_BYTES: u64 = 0xffff_ffff;

/// Validates the document and fills `entries`.
pub(super) fn build(document: &Document<'_>, entries: &mut Vec<Entry>) -> Result<Summary> {
    let result = fill(document, entries);
    if result.is_err() {
        entries.clear();
    }
    result
}

fn fill(document: &Document<'_>, entries: &mut Vec<Entry>) -> Result<Summary> {
    let Options { limits, profile, .. } = *document.options();
    let limits = Limits { bytes: limits.bytes.min(MAX_BYTES), ..limits };
    let (bytes, options) = (document.bytes(), Options { limits, ..*document.options() });
    if profile == Profile::Canonical {
        validate::validate(bytes, &options)?;
    }
    // Nearly all documents are valid; for the rest a second pass finds the exact error.
    validate::pass(bytes, &options, &mut Indexing::new(entries))
        .or_else(|Unfit| validate::run(bytes, &options, &mut Indexing::new(entries)))
}

/// Records values as the pass reads them.
struct Indexing<'i> {
    entries: &'i mut Vec<Entry>,
    /// The innermost open container. While a container is open, its `next` holds the one around it.
    open: u32,
    /// One recorded sample per template, once there is one.
    shapes: Option<[Record; PATTERNS]>,
}

/// The entries of one record.
#[derive(Clone, Copy)]
struct Record {
    entries: [Entry; MOST],
    len: usize,
    /// The number of its first entry.
    first: usize,
}

/// The most values of one record, since each has a header.
const MOST: usize = LONGEST / 4;

impl Record {
    const NONE: Self = Self { entries: [Entry(0); MOST], len: 0, first: 0 };
}

impl<'i> Indexing<'i> {
    fn new(entries: &'i mut Vec<Entry>) -> Self {
        entries.clear();
        Self { entries, open: u32::MAX, shapes: None }
    }

    #[inline]
    fn number(&self) -> u32 {
        count(self.entries.len())
    }

    #[inline]
    fn push(&mut self, offset: usize, next: u32) {
        self.entries.push(Entry::new(offset, next));
    }
}

impl<'a, E: Fault> Sink<'a, E> for Indexing<'_> {
    const MAY_JUMP: bool = !E::IS_EXACT;

    #[inline]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        self.push(item.start, self.number().wrapping_add(1));
        Ok(())
    }

    #[inline]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        let number = self.number();
        self.push(item.start, self.open);
        self.open = number;
        Ok(())
    }

    #[inline]
    fn exit(&mut self, _end: usize) -> Result<(), E> {
        let next = self.number();
        if let Some(container) = self.entries.get_mut(size(self.open)) {
            self.open = container.next();
            *container = Entry::new(container.offset(), next);
        }
        Ok(())
    }

    fn learn(&mut self, shape: RecordPattern) {
        // The record that the template was made from has just ended.
        let len = shape.values;
        let first = self.entries.len().saturating_sub(len);
        let shapes = self.shapes.get_or_insert([Record::NONE; PATTERNS]);
        let (Some(record), Some(last)) = (shapes.get_mut(shape.slot), self.entries.get(first..))
        else {
            return;
        };
        record.first = first;
        record.len = len;
        for (place, entry) in record.entries.iter_mut().zip(last) {
            *place = *entry;
        }
    }

    fn jump(&mut self, shape: RecordPattern, offset: usize, records: u32) {
        let record = self.shapes.as_ref().and_then(|shapes| shapes.get(shape.slot));
        let Some(Record { entries, len, first }) = record else { return };
        let entries = entries.get(..*len).unwrap_or_default();
        let Some(one) = entries.first() else { return };
        // Each repetition has the same values, shifted by a fixed number of bytes and values.
        let step = Entry::new(shape.bytes, count(*len));
        let (bytes, values) =
            (offset.wrapping_sub(one.offset()), self.entries.len().wrapping_sub(*first));
        let mut by = Entry::new(bytes, count(values));
        for _ in 0..records {
            self.entries.extend(entries.iter().map(|entry| entry.plus(by)));
            by = by.plus(step);
        }
    }
}
