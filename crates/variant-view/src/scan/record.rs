//! [`Listening`]: the connection between templates and the sink of a pass.

use core::marker::PhantomData;

use super::{Item, Scanner, Sink};
use crate::bytes::{Cursor, Unfit};
use crate::contents::{Contents, OpenContainer};
use crate::dialect::DialectRules;
use crate::error::Result;
use crate::header::Header;
use crate::layout::{self, Payload};
use crate::options::Mode;
use crate::template::{ASCII, EQUAL, Learned, Mask, Pass, RecordPattern};

/// Passes template events to a sink.
pub(super) struct Listening<'s, 'a, S, E> {
    sink: &'s mut S,
    marker: PhantomData<(&'a [u8], E)>,
}

impl<'s, 'a, E, S: Sink<'a, E>> Listening<'s, 'a, S, E> {
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn new(sink: &'s mut S) -> Self {
        Self { sink, marker: PhantomData }
    }
}

impl<'a, E, S: Sink<'a, E>> Pass for Listening<'_, 'a, S, E> {
    fn read(&mut self, record: &[u8], each: u32, mode: Mode) -> Option<Learned> {
        read(record, each, mode)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn learn(&mut self, pattern: RecordPattern) {
        self.sink.learn(pattern);
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn jump(&mut self, pattern: RecordPattern, offset: usize, records: u32) {
        self.sink.jump(pattern, offset, records);
    }
}

/// Reads a record of `each` items and returns its template, if the record is valid.
fn read(record: &[u8], each: u32, mode: Mode) -> Option<Learned> {
    let contents = if each == 2 { Contents::Pairs } else { Contents::Elements };
    let rules = mode.dialect.rules();
    let mut recorder = Recorder { record, mask: Mask::NONE, class_depth: 0, rules };
    let items = OpenContainer::new(each, contents);
    let mut scanner = Scanner::<true, Unfit>::of_items(Cursor::new(record, 0), mode, items);
    let outcome = scanner.run(&mut recorder).ok()?;
    outcome.cursor.rest().is_empty().then_some(Learned {
        mask: recorder.mask,
        // An inexact pass also counts a root, but records do not have a root.
        values: outcome.values.saturating_sub(1),
        depth: outcome.depth,
        least_limit: outcome.depth.max(recorder.class_depth),
    })
}

/// Marks the bytes of a record that must be equal in other records.
struct Recorder<'r> {
    record: &'r [u8],
    mask: Mask,
    /// The depth of the deepest class of a typed array.
    class_depth: u32,
    rules: &'static DialectRules,
}

impl Recorder<'_> {
    fn value(&mut self, item: &Item<'_>) {
        let Item { start, end, place, .. } = *item;
        let is_key =
            place.form == Contents::Pairs && place.index.is_multiple_of(2) && item.depth > 0;
        let behind_header = start.saturating_add(4);
        let behind_count = start.saturating_add(8);
        let equal = match item.header.kind.payload() {
            Payload::Empty
            | Payload::Fixed(_)
            | Payload::Scalar
            | Payload::Reals(_)
            | Payload::Rid => behind_header,
            Payload::Bytes | Payload::Packed(_) | Payload::PackedReals(_) => behind_count,
            Payload::Text if !is_key && self.demand_ascii(behind_count, end) => behind_count,
            // Keys, and values that contain further lengths, must be equal as a whole.
            _ => end,
        };
        let start = place.name.map_or(start, |(_, offset)| offset);
        self.demand(start, equal, EQUAL);
    }

    /// If the text is ASCII, other records may have any ASCII there.
    fn demand_ascii(&mut self, start: usize, end: usize) -> bool {
        let text = self.record.get(start..end).unwrap_or_default();
        // The check includes the padding, which may be any bytes, but is normally zero. If padding is not ASCII, the
        // text must be equal in other records.
        let is_ascii = text.is_ascii();
        if is_ascii {
            self.demand(start, end, ASCII);
        }
        is_ascii
    }

    fn demand(&mut self, start: usize, end: usize, bits: u8) {
        self.mask.demand(start, self.record.get(start..end).unwrap_or_default(), bits);
    }
}

impl<'a> Sink<'a, Unfit> for Recorder<'_> {
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), Unfit> {
        self.value(item);
        Ok(())
    }

    fn enter(&mut self, item: &Item<'a>) -> Result<(), Unfit> {
        self.value(item);
        let mut cursor = Cursor::<Unfit>::new(item.bytes, 0);
        let header = Header::read(&mut cursor, self.rules)?;
        if header.kind.payload() == Payload::TypedArray
            && layout::class_of_elements(cursor, header, self.rules).is_some()
        {
            self.class_depth = self.class_depth.max(item.depth.saturating_add(1));
        }
        Ok(())
    }
}
