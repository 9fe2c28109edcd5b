//! [`Templates`]: records of one shape, checked against each other instead of one by one.

mod mask;
mod stretch;

pub(crate) use mask::{ASCII, EQUAL, Mask};
pub(crate) use stretch::Stretches;

use crate::bytes::{Cursor, Fault, Unfit, size};
use crate::contents::{Contents, OpenContainer};
use crate::options::Mode;

/// The longest record that is made a template of, in bytes.
pub(crate) const LONGEST: usize = mask::BYTES;
/// How many shapes are remembered at a time.
pub(crate) const PATTERNS: usize = 4;
/// After how many records in vain, at most, another one is made a template of.
const PATIENCE: u32 = 256;

/// So many records in a row make it worth to have looked for them.
const WORTH: u32 = 4;

/// The shapes of the last records.
///
/// In an array of dictionaries each is laid out as the one before: the same headers, keys and lengths, and between
/// them numbers, which may be anything, and text, which may be any ASCII. A record is held against a template by
/// comparing whole blocks under a mask, with no look at what is in it. What does not fit is read as anything else is,
/// so that templates never change a verdict.
///
/// The pairs of a dictionary whose values are containers are records, too, with the key in front.
#[derive(Clone, Debug)]
pub(crate) struct Templates {
    patterns: [Template; PATTERNS],
    /// How often one was of use, or made.
    turn: u32,
    /// How many records to let pass before templates are tried again.
    wait: u32,
    /// How long to wait when the next template is of no use either.
    patience: u32,
}

/// Records that fit, from some place on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchedRecords<'a> {
    records: u32,
    /// How many items they are of the container that they are in.
    pub(crate) items: u32,
    /// Behind them.
    pub(crate) behind: Cursor<'a, Unfit>,
    /// How many there are in them.
    pub(crate) values: u64,
    /// The depth of their deepest value below the container that they are in.
    pub(crate) depth: u32,
}

/// What records laid out alike have in common.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "an index alone asks for it"))]
pub(crate) struct RecordPattern {
    /// Which one of those that are remembered; it may have been another one's before.
    pub(crate) slot: usize,
    pub(crate) bytes: usize,
    /// How many values a record is made of.
    pub(crate) values: usize,
}

/// Where the last item of each open container has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordStarts<'a> {
    /// Everything from where the pass started.
    bytes: &'a [u8],
    /// For the first levels, how many bytes were left.
    left: [usize; LEVELS],
}

/// So many levels may have records.
const LEVELS: usize = 8;

impl<'a> RecordStarts<'a> {
    #[inline(always)]
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, left: [0; LEVELS] }
    }

    /// An item has ended where `rest` starts, or a container starts to have items.
    #[inline(always)]
    pub(crate) fn set(&mut self, level: u32, rest: &[u8]) {
        if let Some(left) = self.left.get_mut(size(level)) {
            *left = rest.len();
        }
    }

    /// What stands between the last mark and `rest`.
    fn since(&self, level: u32, rest: &[u8]) -> Option<&'a [u8]> {
        let start = self.bytes.len().checked_sub(*self.left.get(size(level))?)?;
        let end = self.bytes.len().checked_sub(rest.len())?;
        self.bytes.get(start..end)
    }
}

/// The pass that steps over records.
pub(crate) trait Pass {
    /// Reads a record of `each` items, and says what other records of its pattern have in common with it.
    fn read(&mut self, record: &[u8], each: u32, mode: Mode) -> Option<Learned>;

    /// The record that has just ended is the first of a pattern.
    fn learn(&mut self, pattern: RecordPattern);

    /// So many records of a pattern, from `offset` on, are in order.
    fn jump(&mut self, pattern: RecordPattern, offset: usize, records: u32);
}

/// What is learned by reading a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learned {
    /// What must be equal, or ASCII.
    pub(crate) mask: Mask,
    /// How many values it has, without its items.
    pub(crate) values: u64,
    /// The depth of its deepest value.
    pub(crate) depth: u32,
}

/// Where a container has ended in another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordEnd<'a, E> {
    /// Behind the one that has ended.
    pub(crate) cursor: Cursor<'a, E>,
    /// The other one, and its level.
    pub(crate) parent: OpenContainer,
    pub(crate) level: u32,
    pub(crate) mode: Mode,
}

impl<'a, E: Fault> RecordEnd<'a, E> {
    /// How many items make a record.
    #[inline(always)]
    const fn each(&self) -> Option<u32> {
        match self.parent.form {
            Contents::Elements => Some(1),
            // A container may be a key.
            Contents::Pairs if self.parent.left.is_multiple_of(2) => Some(2),
            Contents::Pairs | Contents::Properties => None,
        }
    }

    /// The next records that fit, of which `pass` is told. The templates are made when there is use for them.
    #[inline]
    pub(crate) fn run(
        &self,
        marks: &mut RecordStarts<'a>,
        templates: &mut Option<Templates>,
        pass: &mut impl Pass,
    ) -> Option<MatchedRecords<'a>> {
        // Items are pairs more often than not: two for each record.
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

    /// The records behind the container that has ended. `record` is the one before, if it is one.
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
                if template.each != each || template.depth > depth {
                    continue;
                }
                // Most records are laid out as the one before.
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

    /// Makes a template of a record, in the place of the one that was of no use for longest.
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
    #[inline(always)]
    fn add(&mut self, template: &Template, records: u32) {
        // Sums of what there is: no more values than the document has bytes.
        self.records = self.records.wrapping_add(records);
        self.items = self.items.wrapping_add(template.each.wrapping_mul(records));
        self.values = self.values.wrapping_add(template.values.wrapping_mul(records.into()));
        self.depth = self.depth.max(template.depth);
    }
}

#[derive(Clone, Copy, Debug)]
struct Template {
    mask: Mask,
    /// The length of a record.
    len: usize,
    /// Of how many items a record is made; 0 for no template.
    each: u32,
    /// Without those items.
    values: u64,
    depth: u32,
    /// When it was of use last.
    turn: u32,
}

impl Template {
    const NONE: Self = Self { mask: Mask::NONE, len: 0, each: 0, values: 0, depth: 0, turn: 0 };

    const fn new(len: usize, each: u32, learned: &Learned) -> Self {
        let Learned { mask, values, depth } = *learned;
        Self { mask, len, each, values, depth, turn: 0 }
    }

    fn pattern(&self, slot: usize) -> RecordPattern {
        let values = usize::try_from(self.values).unwrap_or(usize::MAX);
        RecordPattern { slot, bytes: self.len, values: values.saturating_add(size(self.each)) }
    }

    /// Steps over records of this shape, at most so many.
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
