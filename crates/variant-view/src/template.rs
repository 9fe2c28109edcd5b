//! [`Templates`]: records of one shape, checked against each other instead of one by one.

mod mask;
mod stretch;

use mask::{ASCII, EQUAL, Mask};
pub(crate) use stretch::Stretches;

use crate::bytes::{Cursor, Fault, Unfit, size};
use crate::error::Result;
use crate::layout::{Form, Layout};
use crate::options::Mode;
use crate::scan::{Frame, Item, Scanner, Sink};

/// The longest record that is made a template of, in bytes.
pub(crate) const LONGEST: usize = mask::BYTES;
/// How many shapes are remembered at a time.
pub(crate) const SHAPES: usize = 4;
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
    shapes: [Template; SHAPES],
    /// How often one was of use, or made.
    turn: u32,
    /// How many records to let pass before templates are tried again.
    wait: u32,
    /// How long to wait when the next template is of no use either.
    patience: u32,
}

/// Records that fit, from some place on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
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
pub(crate) struct Shape {
    /// Which one of those that are remembered; it may have been another one's before.
    pub(crate) slot: usize,
    pub(crate) bytes: usize,
    /// How many values a record is made of.
    pub(crate) values: usize,
}

/// Where the last item of each open container has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks<'a> {
    /// Everything from where the pass started.
    bytes: &'a [u8],
    /// For the first levels, how many bytes were left.
    left: [usize; LEVELS],
}

/// So many levels may have records.
const LEVELS: usize = 8;

impl<'a> Marks<'a> {
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

/// Where a container has ended in another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a, E> {
    /// Behind the one that has ended.
    pub(crate) cursor: Cursor<'a, E>,
    /// The other one, and its level.
    pub(crate) parent: Frame,
    pub(crate) level: u32,
    pub(crate) mode: Mode,
}

impl<'a, E: Fault> Site<'a, E> {
    /// How many items make a record.
    #[inline(always)]
    const fn each(&self) -> Option<u32> {
        match self.parent.form {
            Form::Elements => Some(1),
            // A container may be a key.
            Form::Pairs if self.parent.left.is_multiple_of(2) => Some(2),
            Form::Pairs | Form::Properties => None,
        }
    }

    /// The next records that fit, of which `sink` is told. The templates are made when there is use for them.
    #[inline]
    pub(crate) fn run<S: Sink<'a, E>>(
        &self,
        marks: &mut Marks<'a>,
        templates: &mut Option<Templates>,
        sink: &mut S,
    ) -> Option<Run<'a>> {
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
        let run = Templates::run(templates, self, record, each, sink);
        marks.set(self.level, run.behind.rest());
        Some(run)
    }
}

impl Templates {
    const NONE: Self = Self { shapes: [Template::NONE; SHAPES], turn: 0, wait: 0, patience: 1 };

    /// The records behind the container that has ended. `record` is the one before, if it is one.
    #[inline(never)]
    fn run<'a, E: Fault, S: Sink<'a, E>>(
        templates: &mut Option<Self>,
        site: &Site<'a, E>,
        record: &[u8],
        each: u32,
        sink: &mut S,
    ) -> Run<'a> {
        let all = match templates {
            Some(all) => all,
            None => templates.insert(Self::NONE),
        };
        let mut run = all.try_all(site, each, sink);
        if run.records == 0 {
            if let Some(shape) = all.learn(record, each, site) {
                sink.learn(shape);
            }
            run = all.try_all(site, each, sink);
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
    fn try_all<'a, E: Fault, S: Sink<'a, E>>(
        &mut self,
        site: &Site<'a, E>,
        each: u32,
        sink: &mut S,
    ) -> Run<'a> {
        let left = site.parent.left.checked_div(each).unwrap_or(0);
        let depth = site.mode.depth.saturating_sub(site.level);
        let behind = site.cursor.with_fault();
        let mut run = Run { records: 0, items: 0, behind, values: 0, depth: 0 };
        'next: while run.records < left {
            for (slot, template) in self.shapes.iter_mut().enumerate() {
                if template.each != each || template.depth > depth {
                    continue;
                }
                // Most records are laid out as the one before.
                let start = run.behind.offset();
                let most = left.wrapping_sub(run.records);
                let records = template.count(&mut run.behind, most);
                if records > 0 {
                    sink.jump(template.shape(slot), start, records);
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
    fn learn<E>(&mut self, record: &[u8], each: u32, site: &Site<'_, E>) -> Option<Shape> {
        let template = Template::of(record, each, site.mode)?;
        let oldest = self.shapes.iter_mut().enumerate();
        let (slot, place) = oldest.min_by_key(|(_, template)| template.turn)?;
        self.turn = self.turn.wrapping_add(1);
        *place = Template { turn: self.turn, ..template };
        Some(place.shape(slot))
    }
}

impl Run<'_> {
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

    /// A template made of a record, if it is sound and has so many items.
    fn of(record: &[u8], each: u32, mode: Mode) -> Option<Self> {
        if record.len() > LONGEST {
            return None;
        }
        let form = if each == 2 { Form::Pairs } else { Form::Elements };
        let mut recorder = Recorder { record, mask: Mask::NONE };
        let cursor = Cursor::<Unfit>::new(record, 0);
        let mut scanner = Scanner::<true, Unfit>::of_items(cursor, mode, Frame::new(each, form));
        let outcome = scanner.run(&mut recorder).ok()?;
        let is_whole = outcome.cursor.rest().is_empty();
        is_whole.then_some(Self {
            mask: recorder.mask,
            len: record.len(),
            each,
            // A root that nobody has counted is among them.
            values: outcome.values.saturating_sub(1),
            depth: outcome.depth,
            turn: 0,
        })
    }

    fn shape(&self, slot: usize) -> Shape {
        let values = usize::try_from(self.values).unwrap_or(usize::MAX);
        Shape { slot, bytes: self.len, values: values.saturating_add(size(self.each)) }
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

/// Takes down what about a record must be equal.
struct Recorder<'r> {
    record: &'r [u8],
    mask: Mask,
}

impl Recorder<'_> {
    fn value(&mut self, item: &Item<'_>) {
        let Item { start, end, place, .. } = *item;
        let is_key = place.form == Form::Pairs && place.index.is_multiple_of(2) && item.depth > 0;
        let behind_header = start.saturating_add(4);
        let behind_count = start.saturating_add(8);
        let equal = match item.header.kind.layout() {
            Layout::Empty | Layout::Fixed(_) | Layout::Scalar | Layout::Reals(_) | Layout::Rid => {
                behind_header
            }
            Layout::Bytes | Layout::Pool(_) | Layout::RealPool(_) => behind_count,
            Layout::Text if !is_key && self.demand_ascii(behind_count, end) => behind_count,
            // Keys, and what holds further lengths.
            _ => end,
        };
        let start = place.name.map_or(start, |(_, offset)| offset);
        self.demand(start, equal, EQUAL);
    }

    /// Allows any ASCII in the place of text, if it is ASCII itself.
    fn demand_ascii(&mut self, start: usize, end: usize) -> bool {
        let text = self.record.get(start..end).unwrap_or_default();
        // Padding, too: it may be anything, but is zero as a rule.
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
        Ok(())
    }
}
