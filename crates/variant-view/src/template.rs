//! [`Templates`]: skips records of equal layout by comparing bytes under a mask.

mod mask;
mod stretch;

pub(crate) use mask::{ASCII, EQUAL, Mask};
pub(crate) use stretch::Stretches;

use crate::bytes::{Cursor, Fault, Unfit, size};
use crate::contents::{Contents, OpenContainer};
use crate::options::Mode;

/// The longest record that becomes a template, in bytes.
pub(crate) const LONGEST: usize = mask::BYTES;
/// The number of templates kept.
pub(crate) const PATTERNS: usize = 4;
/// The maximum of `Templates::patience`.
const PATIENCE: u32 = 256;

/// An attempt to skip records saves time only if it skips at least this number of records.
const WORTH: u32 = 4;

/// The templates of the last records.
///
/// In an array of dictionaries, each record has the layout of the previous record: equal headers, keys and lengths, and
/// between them numbers of any value and ASCII text. A record is compared with a template block by block under a mask,
/// without being parsed. Other records are read normally, so templates never change a verdict.
///
/// If the values of a dictionary are containers, its pairs are also records.
///
/// Measured: without templates, a save of equal records takes four times as long to validate
/// (`benches/ablation.py templates`).
#[derive(Clone, Debug)]
pub(crate) struct Templates {
    patterns: [Template; PATTERNS],
    /// The number of uses and insertions so far.
    turn: u32,
    /// The number of records that are read before the next attempt to skip records.
    wait: u32,
    /// The value that `wait` gets if the next attempt saves no time. It doubles after each such attempt.
    patience: u32,
}

/// Consecutive records that match a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchedRecords<'a> {
    records: u32,
    /// The number of the container's items in the records.
    pub(crate) items: u32,
    /// A cursor at the end of the records.
    pub(crate) behind: Cursor<'a, Unfit>,
    /// The number of values in the records.
    pub(crate) values: u64,
    /// The depth of the deepest value in the records, relative to their container.
    pub(crate) depth: u32,
}

/// The common layout of records that match one template.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "only the tape uses it"))]
pub(crate) struct RecordPattern {
    /// The slot of the template. Another template may have used the slot before.
    pub(crate) slot: usize,
    pub(crate) bytes: usize,
    /// The number of values in a record.
    pub(crate) values: usize,
}

/// For each open container, the offset just past its last complete item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordStarts<'a> {
    /// All bytes from the start of the pass.
    bytes: &'a [u8],
    /// For each of the outermost levels, the number of bytes left at the last call of [`RecordStarts::set`].
    left: [usize; LEVELS],
}

/// The number of levels that may have records.
const LEVELS: usize = 8;

impl<'a> RecordStarts<'a> {
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, left: [0; LEVELS] }
    }

    /// Marks that an item ended where `rest` starts, or that a container's items start there.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn set(&mut self, level: u32, rest: &[u8]) {
        if let Some(left) = self.left.get_mut(size(level)) {
            *left = rest.len();
        }
    }

    /// The bytes between the last mark and `rest`.
    fn since(&self, level: u32, rest: &[u8]) -> Option<&'a [u8]> {
        let start = self.bytes.len().checked_sub(*self.left.get(size(level))?)?;
        let end = self.bytes.len().checked_sub(rest.len())?;
        self.bytes.get(start..end)
    }
}

/// The pass that uses templates.
pub(crate) trait Pass {
    /// Reads a record of `each` items and returns the common properties of matching records.
    fn read(&mut self, record: &[u8], each: u32, mode: Mode) -> Option<Learned>;

    /// The record that just ended became the template `pattern`.
    fn learn(&mut self, pattern: RecordPattern);

    /// `records` records of `pattern` from `offset` on are valid.
    fn jump(&mut self, pattern: RecordPattern, offset: usize, records: u32);
}

/// The result of reading a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learned {
    /// The bytes that must be equal, or ASCII.
    pub(crate) mask: Mask,
    /// The number of values inside the items of a record. The items themselves are not counted.
    pub(crate) values: u64,
    /// The depth of the deepest value in a record.
    pub(crate) depth: u32,
    /// The least limit on depth that accepts a record. The class of a typed array is one level below the array.
    pub(crate) least_limit: u32,
}

/// The end of a container inside another container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordEnd<'a, E> {
    /// A cursor at the end of the container.
    pub(crate) cursor: Cursor<'a, E>,
    /// The parent of the container that ended, and the parent's level.
    pub(crate) parent: OpenContainer,
    pub(crate) level: u32,
    pub(crate) mode: Mode,
}

impl<'a, E: Fault> RecordEnd<'a, E> {
    /// The number of items per record.
    #[cfg_attr(not(variant_small), inline(always))]
    const fn each(&self) -> Option<u32> {
        match self.parent.form {
            Contents::Elements => Some(1),
            // A container that is a key does not end a record.
            Contents::Pairs if self.parent.left.is_multiple_of(2) => Some(2),
            Contents::Pairs | Contents::Properties => None,
        }
    }

    /// Skips the records that match and reports them to `pass`. Creates the templates on first use.
    #[inline]
    pub(crate) fn run(
        &self,
        marks: &mut RecordStarts<'a>,
        templates: &mut Option<Templates>,
        pass: &mut impl Pass,
    ) -> Option<MatchedRecords<'a>> {
        // `left` counts items, and a record has one or two items. So this condition means fewer than `WORTH` records.
        if self.parent.left < WORTH {
            return None;
        }
        let rest = self.cursor.rest();
        if let Some(Templates { wait: wait @ 1.., .. }) = templates {
            *wait = wait.wrapping_sub(1);
            marks.set(self.level, rest);
            return None;
        }
        let each = self.each()?;
        let record = marks.since(self.level, rest).unwrap_or_default();
        let run = Templates::run(templates, self, record, each, pass);
        marks.set(self.level, run.behind.rest());
        Some(run)
    }
}

impl Templates {
    const NONE: Self = Self { patterns: [Template::NONE; PATTERNS], turn: 0, wait: 0, patience: 1 };

    /// Skips records after the container that ended. `record` is the last record that was read.
    #[inline(never)]
    fn run<'a, E: Fault, P: Pass>(
        templates: &mut Option<Self>,
        site: &RecordEnd<'a, E>,
        record: &[u8],
        each: u32,
        pass: &mut P,
    ) -> MatchedRecords<'a> {
        let all = match templates {
            Some(all) => all,
            None => templates.insert(Self::NONE),
        };
        let mut run = all.try_all(site, each, pass);
        if run.records == 0 {
            if let Some(pattern) = all.learn(record, each, site, pass) {
                pass.learn(pattern);
            }
            run = all.try_all(site, each, pass);
        }
        if run.records < WORTH {
            all.wait = all.patience;
            all.patience = all.patience.saturating_mul(2).min(PATIENCE);
        } else {
            all.patience = 1;
        }
        run
    }

    #[inline]
    fn try_all<'a, E: Fault, P: Pass>(
        &mut self,
        site: &RecordEnd<'a, E>,
        each: u32,
        pass: &mut P,
    ) -> MatchedRecords<'a> {
        let left = site.parent.left.checked_div(each).unwrap_or(0);
        let depth = site.mode.depth.saturating_sub(site.level);
        let behind = site.cursor.with_fault();
        let mut run = MatchedRecords { records: 0, items: 0, behind, values: 0, depth: 0 };
        'next: while run.records < left {
            for (slot, template) in self.patterns.iter_mut().enumerate() {
                if template.each != each || template.least_limit > depth {
                    continue;
                }
                // Most records match the template of the previous record.
                let start = run.behind.offset();
                let most = left.wrapping_sub(run.records);
                let records = template.count(&mut run.behind, most);
                if records > 0 {
                    pass.jump(template.pattern(slot), start, records);
                    self.turn = self.turn.wrapping_add(1);
                    template.turn = self.turn;
                    run.add(template, records);
                    continue 'next;
                }
            }
            break;
        }
        run
    }

    /// Makes a template of a record. The new template replaces the least recently used one.
    fn learn<E>(
        &mut self,
        record: &[u8],
        each: u32,
        site: &RecordEnd<'_, E>,
        pass: &mut impl Pass,
    ) -> Option<RecordPattern> {
        if record.len() > LONGEST {
            return None;
        }
        let learned = pass.read(record, each, site.mode)?;
        let template = Template::new(record.len(), each, &learned);
        let oldest = self.patterns.iter_mut().enumerate();
        let (slot, place) = oldest.min_by_key(|(_, template)| template.turn)?;
        self.turn = self.turn.wrapping_add(1);
        *place = Template { turn: self.turn, ..template };
        Some(place.pattern(slot))
    }
}

impl MatchedRecords<'_> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn add(&mut self, template: &Template, records: u32) {
        // The sums do not overflow, since the bytes of the document bound them.
        self.records = self.records.wrapping_add(records);
        self.items = self.items.wrapping_add(template.each.wrapping_mul(records));
        self.values = self.values.wrapping_add(template.values.wrapping_mul(records.into()));
        self.depth = self.depth.max(template.depth);
    }
}

#[derive(Clone, Copy, Debug)]
struct Template {
    mask: Mask,
    /// The length of a record in bytes.
    len: usize,
    /// The number of items per record; 0 for an empty slot.
    each: u32,
    /// The number of values inside the items of a record. The items themselves are not counted.
    values: u64,
    depth: u32,
    least_limit: u32,
    /// The turn of the template's last use.
    turn: u32,
}

impl Template {
    const NONE: Self =
        Self { mask: Mask::NONE, len: 0, each: 0, values: 0, depth: 0, least_limit: 0, turn: 0 };

    const fn new(len: usize, each: u32, learned: &Learned) -> Self {
        let Learned { mask, values, depth, least_limit } = *learned;
        Self { mask, len, each, values, depth, least_limit, turn: 0 }
    }

    fn pattern(&self, slot: usize) -> RecordPattern {
        let values = usize::try_from(self.values).unwrap_or(usize::MAX);
        RecordPattern { slot, bytes: self.len, values: values.saturating_add(size(self.each)) }
    }

    /// Skips records that match, at most `most`; returns their number.
    #[inline]
    fn count(&self, cursor: &mut Cursor<'_, Unfit>, most: u32) -> u32 {
        let mut records = 0_u32;
        while records < most && self.mask.fits(cursor.rest(), 0, self.len) {
            cursor.take_up_to(self.len);
            records = records.wrapping_add(1);
        }
        records
    }
}
