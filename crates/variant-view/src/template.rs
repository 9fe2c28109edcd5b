//! [`Templates`]: records of one shape, checked against each other instead of one by one.

use crate::bytes::{Cursor, Fault, Unfit, size};
use crate::error::Result;
use crate::layout::{Form, Layout};
use crate::options::Mode;
use crate::scan::{Item, Scanner, Sink};

/// The longest record that is made a template of, in bytes.
pub(crate) const LONGEST: usize = 512;
/// The bytes that are compared at a time.
const BLOCK: usize = 32;
const BLOCKS: usize = LONGEST / BLOCK;
/// How many shapes are remembered at a time.
pub(crate) const SHAPES: usize = 4;
/// After how many records in vain, at most, another one is made a template of.
const PATIENCE: u32 = 256;

/// So many records in a row make it worth to have looked for them.
const WORTH: u32 = 4;

type Block = [u8; BLOCK];

/// The shapes of the last records.
///
/// In an array of dictionaries each is laid out as the one before: the same headers, keys and lengths, and between
/// them numbers, which may be anything, and text, which may be any ASCII. A record is held against a template by
/// comparing whole blocks under a mask, with no look at what is in it. What does not fit is read as anything else
/// is, so that templates never change a verdict.
#[derive(Clone, Debug)]
pub(crate) struct Templates {
    shapes: [Template; SHAPES],
    /// The one to be replaced next.
    next: usize,
    /// How many records to let pass before templates are tried again.
    wait: u32,
    /// How long to wait when the next template is of no use either.
    patience: u32,
}

/// So many records that fit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) records: u32,
    pub(crate) bytes: usize,
    /// How many there are in them.
    pub(crate) values: u64,
    /// The depth of their deepest value below a record.
    pub(crate) depth: u32,
}

/// What records laid out alike have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Which one of those that are remembered; it may have been another one's before.
    pub(crate) slot: usize,
    pub(crate) bytes: usize,
    /// How many values there are in a record, without itself.
    pub(crate) values: usize,
}

/// Where the records of a pass start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Records<'a> {
    /// Everything from where the pass started.
    bytes: &'a [u8],
    /// For the first levels, how many bytes were left where the last dictionary started.
    starts: [usize; LEVELS],
}

/// So many levels may have arrays of records.
const LEVELS: usize = 8;

impl<'a> Records<'a> {
    #[inline(always)]
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, starts: [0; LEVELS] }
    }

    /// A record starts where `rest` does.
    #[inline(always)]
    pub(crate) fn start(&mut self, level: u32, rest: &[u8]) {
        if let Some(start) = self.starts.get_mut(size(level)) {
            *start = rest.len();
        }
    }

    /// The record that has ended where `rest` starts.
    fn last(&self, level: u32, rest: &[u8]) -> Option<&'a [u8]> {
        let start = self.bytes.len().checked_sub(*self.starts.get(size(level))?)?;
        let end = self.bytes.len().checked_sub(rest.len())?;
        self.bytes.get(start..end)
    }
}

/// A record has ended where `rest` starts, and `left` more items are to follow: how many of them are records that
/// fit, of which `sink` is told. The templates are made when there is use for them.
#[inline(always)]
pub(crate) fn run<'a, E: Fault, S: Sink<'a, E>>(
    templates: &mut Option<Templates>,
    records: &Records<'a>,
    level: u32,
    rest: Cursor<'a, E>,
    left: u32,
    mode: Mode,
    sink: &mut S,
) -> Run {
    if left < WORTH {
        return Run::default();
    }
    if let Some(Templates { wait: wait @ 1.., .. }) = templates {
        *wait = wait.wrapping_sub(1);
        return Run::default();
    }
    let Some(record) = records.last(level, rest.rest()) else { return Run::default() };
    let mode = Mode { depth: mode.depth.saturating_sub(level), ..mode };
    templates.get_or_insert_with(Templates::new).run(record, rest, left, mode, sink)
}

impl Templates {
    const fn new() -> Self {
        Self { shapes: [Template::NONE; SHAPES], next: 0, wait: 0, patience: 1 }
    }

    /// The records at the start of `rest` that fit, at most `left` of them and none with values deeper than
    /// `mode` allows below it. `record` is the one before, and was found to be sound.
    #[inline(never)]
    fn run<'a, E: Fault, S: Sink<'a, E>>(
        &mut self,
        record: &[u8],
        rest: Cursor<'a, E>,
        left: u32,
        mode: Mode,
        sink: &mut S,
    ) -> Run {
        let mut run = self.try_all(rest, left, mode.depth, sink);
        if run.records == 0 {
            if let Some(shape) = self.learn(record, mode) {
                sink.learn(shape);
            }
            run = self.try_all(rest, left, mode.depth, sink);
        }
        if run.records < WORTH {
            self.wait = self.patience;
            self.patience = self.patience.saturating_mul(2).min(PATIENCE);
        } else {
            self.patience = 1;
        }
        run
    }

    #[inline(always)]
    fn try_all<'a, E: Fault, S: Sink<'a, E>>(
        &self,
        cursor: Cursor<'a, E>,
        left: u32,
        depth: u32,
        sink: &mut S,
    ) -> Run {
        let mut run = Run::default();
        let mut rest = cursor.rest();
        'next: while run.records < left {
            for (slot, template) in self.shapes.iter().enumerate() {
                // Most records are laid out as the one before.
                let before = run;
                while run.records < left && template.depth <= depth && template.fits(rest) {
                    rest = rest.get(template.len..).unwrap_or_default();
                    run.add(template);
                }
                let records = run.records.wrapping_sub(before.records);
                if records > 0 {
                    let start = cursor.offset().wrapping_add(before.bytes);
                    sink.jump(template.shape(slot), start, records);
                    continue 'next;
                }
            }
            break;
        }
        run
    }

    fn learn(&mut self, record: &[u8], mode: Mode) -> Option<Shape> {
        let template = Template::of(record, mode)?;
        let slot = self.next;
        *self.shapes.get_mut(slot)? = template;
        self.next = slot.wrapping_add(1) % SHAPES;
        Some(template.shape(slot))
    }
}

impl Run {
    #[inline(always)]
    fn add(&mut self, template: &Template) {
        self.records = self.records.wrapping_add(1);
        self.bytes = self.bytes.wrapping_add(template.len);
        self.values = self.values.wrapping_add(template.values);
        self.depth = self.depth.max(template.depth);
    }
}

#[derive(Clone, Copy, Debug)]
struct Template {
    /// What the bytes under the mask must be.
    wanted: [Block; BLOCKS],
    /// All bits of what must be equal, the highest one of text, none of numbers and padding.
    mask: [Block; BLOCKS],
    /// The length of a record; 0 for no template.
    len: usize,
    /// Without the record itself.
    values: u64,
    depth: u32,
}

impl Template {
    const NONE: Self = Self {
        wanted: [[0; BLOCK]; BLOCKS],
        mask: [[0; BLOCK]; BLOCKS],
        len: 0,
        values: 0,
        depth: 0,
    };

    /// A template made of a record that was found to be sound.
    fn of(record: &[u8], mode: Mode) -> Option<Self> {
        if record.len() > LONGEST {
            return None;
        }
        let mut template = Self { len: record.len(), ..Self::NONE };
        let cursor = Cursor::<Unfit>::new(record, 0);
        let mut recorder = Recorder { record, template: &mut template };
        let outcome = Scanner::<false, Unfit>::new(cursor, mode).run(&mut recorder).ok()?;
        // An array counts its items itself.
        template.values = outcome.values.saturating_sub(1);
        template.depth = outcome.depth;
        Some(template)
    }

    fn shape(&self, slot: usize) -> Shape {
        let values = usize::try_from(self.values).unwrap_or(usize::MAX);
        Shape { slot, bytes: self.len, values }
    }

    /// Whether a record of this shape stands at the start of `bytes`, of which there must be whole blocks.
    #[inline(always)]
    fn fits(&self, bytes: &[u8]) -> bool {
        let blocks = self.len.div_ceil(BLOCK);
        let (found, _) = bytes.as_chunks::<BLOCK>();
        let Some(found) = found.get(..blocks) else { return false };
        let shape = self.wanted.iter().zip(&self.mask);
        blocks > 0
            && found.iter().zip(shape).all(|(found, (wanted, mask))| agree(found, wanted, mask))
    }
}

/// Whether the bits under the mask are the wanted ones.
#[inline(always)]
fn agree(found: &Block, wanted: &Block, mask: &Block) -> bool {
    let mut difference = 0;
    for ((found, wanted), mask) in found.iter().zip(wanted).zip(mask) {
        difference |= (found ^ wanted) & mask;
    }
    difference == 0
}

/// Takes down what about a record must be equal.
struct Recorder<'r, 't> {
    record: &'r [u8],
    template: &'t mut Template,
}

/// All bits.
const EQUAL: u8 = 0xff;
/// The bit that ASCII does not have.
const ASCII: u8 = 0x80;

impl Recorder<'_, '_> {
    fn value(&mut self, item: &Item<'_>) {
        let Item { start, end, place, .. } = *item;
        let is_key = place.form == Form::Pairs && place.index.is_multiple_of(2);
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

    fn demand(&mut self, start: usize, end: usize, mask: u8) {
        let wanted = self.template.wanted.as_flattened_mut().iter_mut();
        let masks = self.template.mask.as_flattened_mut().iter_mut();
        let all = wanted.zip(masks).zip(self.record).take(end).skip(start);
        for ((wanted, place), byte) in all {
            *wanted = byte & mask;
            *place = mask;
        }
    }
}

impl<'a> Sink<'a, Unfit> for Recorder<'_, '_> {
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), Unfit> {
        self.value(item);
        Ok(())
    }

    fn enter(&mut self, item: &Item<'a>) -> Result<(), Unfit> {
        self.value(item);
        Ok(())
    }

    fn exit(&mut self, _end: usize) -> Result<(), Unfit> {
        Ok(())
    }
}
