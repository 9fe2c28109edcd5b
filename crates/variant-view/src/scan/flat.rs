//! The flat pass: structure and text without error details, for validation and skipping.
//!
//! Positions count words of 4 bytes, and only what is read is checked against the end: a value of known size is
//! stepped over unread, since the next value, or the end, is looked for behind it. What fails is read again by
//! the exact pass, which finds the error.

mod levels;
mod text;

use levels::{Level, Levels, NEAR};
use text::{any_text, checked_text, word};

use super::record::Listening;
use crate::bytes::{Cursor, Unfit};
use crate::contents::{Contents, OpenContainer};
use crate::dialect::by_dialect;
use crate::header::Header;
use crate::kind::by_kind;
use crate::layout::{self, Extent, Payload};
use crate::options::Mode;
use crate::stack::Stack;
use crate::template::{RecordEnd, RecordStarts, Stretches, Templates};
use crate::text::TextRule;

/// Up to this size in bytes, templates cost more than they save.
pub(crate) const PACKET: usize = 512;

/// What a flat pass has read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    /// The size in bytes.
    pub(crate) len: usize,
    /// The number of values.
    pub(crate) values: u64,
    /// The depth of the deepest value.
    pub(crate) depth: u32,
}

/// Validates structure, depth and text of the value at the start of `bytes`. None if something is wrong.
#[inline]
pub(crate) fn validate(bytes: &[u8], mode: Mode) -> Option<Passed> {
    if bytes.len() <= PACKET {
        packet::<true>(bytes, mode)
    } else {
        file::<true>(bytes, OpenContainer::ROOT, mode)
    }
}

/// The length in bytes of the container at the start of `bytes`. None if something is wrong.
#[inline]
pub(crate) fn skip(bytes: &[u8], mode: Mode) -> Option<usize> {
    // The container may be small, whatever follows it.
    let few = few(bytes, mode);
    few.or_else(|| skip_items(bytes, OpenContainer::ROOT, mode))
}

/// The length in bytes of some items of a container. None if something is wrong.
pub(crate) fn skip_items(bytes: &[u8], items: OpenContainer, mode: Mode) -> Option<usize> {
    file::<false>(bytes, items, mode).map(|passed| passed.len)
}

/// A small document: no templates, and a stack that needs no probe.
#[inline(never)]
fn packet<const TEXT: bool>(bytes: &[u8], mode: Mode) -> Option<Passed> {
    by_dialect!(mode.dialect, |dialect| {
        let mode = Mode { dialect, ..mode };
        let mut levels = [Level::default(); NEAR];
        Pass::<TEXT, false>::new(bytes, mode).run(OpenContainer::ROOT, u32::MAX, &mut levels)
    })
}

/// The most items for which skipping without templates is worth trying.
const FEW: u32 = 64;

/// A container with few values in it.
#[inline(never)]
fn few(bytes: &[u8], mode: Mode) -> Option<usize> {
    by_dialect!(mode.dialect, |dialect| {
        let mode = Mode { dialect, ..mode };
        let mut levels = [Level::default(); NEAR];
        let pass = Pass::<false, false>::new(bytes, mode);
        pass.run(OpenContainer::ROOT, FEW, &mut levels).map(|passed| passed.len)
    })
}

/// A document of any size and depth, by templates where its records repeat.
#[inline(never)]
fn file<const TEXT: bool>(bytes: &[u8], items: OpenContainer, mode: Mode) -> Option<Passed> {
    by_dialect!(mode.dialect, |dialect| {
        let mode = Mode { dialect, ..mode };
        let mut levels = Stack::new(Level::default());
        Pass::<TEXT, true>::new(bytes, mode).run(items, u32::MAX, &mut levels)
    })
}

/// A flat pass. `TEXT`: whether text is validated. `RECORDS`: whether templates are used.
struct Pass<'a, const TEXT: bool, const RECORDS: bool> {
    bytes: &'a [u8],
    words: &'a [[u8; 4]],
    mode: Mode,
    marks: RecordStarts<'a>,
    templates: Option<Templates>,
    stretches: Stretches,
}

impl<'a, const TEXT: bool, const RECORDS: bool> Pass<'a, TEXT, RECORDS> {
    #[inline(always)]
    fn new(bytes: &'a [u8], mode: Mode) -> Self {
        let (words, _) = bytes.as_chunks::<4>();
        Self {
            bytes,
            words,
            mode,
            marks: RecordStarts::new(bytes),
            templates: None,
            stretches: Stretches::new(),
        }
    }

    /// Reads `items` and everything in them; none if one container has more than `most` items.
    #[inline(always)]
    fn run(mut self, items: OpenContainer, most: u32, levels: &mut impl Levels) -> Option<Passed> {
        let rules = self.mode.dialect.rules();
        let mut top = Level::new(items.left.checked_sub(1)?, items.form);
        let mut at = 0_usize;
        let mut level = 0_u32;
        let mut deepest = 0_u32;
        let mut values = u64::from(items.left);
        let mut is_open = false;
        loop {
            if top.has_names() {
                at = name::<TEXT>(self.words, at, rules.text)?;
            }
            let header = Header::parse(word(self.words, at)?, rules)?;
            let opened;
            by_kind!(header.kind, |kind| {
                let header = header.of_kind(kind);
                (at, opened) = self.step(at, header, level, &mut is_open)?;
            });
            if !opened.is_empty() {
                if level >= self.mode.depth || opened.left() > most || !levels.set(level, top) {
                    return None;
                }
                level = level.wrapping_add(1);
                deepest = deepest.max(level);
                values = values.wrapping_add(opened.left().into());
                top = opened;
                if RECORDS {
                    self.open(&mut at, &mut top, level)?;
                }
            }
            while top.is_empty() {
                let Some(outer) = level.checked_sub(1) else {
                    return self.passed(at, values, deepest, is_open);
                };
                level = outer;
                top = levels.get(level)?;
                if RECORDS && !top.is_empty() {
                    let (records, depth) = self.jump(&mut at, &mut top, level)?;
                    values = values.wrapping_add(records);
                    deepest = deepest.max(level.wrapping_add(depth));
                }
            }
            top.take(1);
        }
    }

    /// The result, if the last value ends inside the document.
    #[inline(always)]
    fn passed(&self, at: usize, values: u64, depth: u32, is_open: bool) -> Option<Passed> {
        let len = if at <= self.words.len() {
            at.wrapping_mul(4)
        } else if is_open {
            self.bytes.len()
        } else {
            return None;
        };
        Some(Passed { len, values, depth })
    }

    /// Past the value at `at`, or where the first of its items starts, and its items.
    ///
    /// Rare kinds are told apart by a jump, never by arithmetic, so that the processor can start on the next value
    /// before this one has been read. Positions are returned, since a place that others write to is no register.
    #[inline(always)]
    fn step(
        &self,
        at: usize,
        header: Header,
        level: u32,
        is_open: &mut bool,
    ) -> Option<(usize, Level)> {
        let rules = self.mode.dialect.rules();
        let behind = match header.kind.payload() {
            Payload::Empty => at.wrapping_add(1),
            Payload::Fixed(bytes) => at.wrapping_add(usize::from(bytes) / 4).wrapping_add(1),
            Payload::Scalar => match layout::scalar_width(header, rules) {
                4 => at.wrapping_add(2),
                _ => at.wrapping_add(3),
            },
            Payload::Reals(lanes) => match layout::real_width(header, self.mode) {
                4 => at.wrapping_add(usize::from(lanes)).wrapping_add(1),
                _ => at.wrapping_add(usize::from(lanes).wrapping_mul(2)).wrapping_add(1),
            },
            Payload::Text => match self.text(at.wrapping_add(1)) {
                Some(behind) => behind,
                None if rules.open_string_end => return self.rare(at, header, level, is_open),
                None => return None,
            },
            Payload::Array if !layout::has_types(header, rules) => {
                let left = word(self.words, at.wrapping_add(1))? & layout::COUNT;
                return Some((at.wrapping_add(2), Level::new(left, Contents::Elements)));
            }
            Payload::Dictionary if !layout::has_types(header, rules) => {
                let pairs = word(self.words, at.wrapping_add(1))? & layout::COUNT;
                let left = pairs.wrapping_mul(2);
                return Some((at.wrapping_add(2), Level::new(left, Contents::Pairs)));
            }
            _ => return self.rare(at, header, level, is_open),
        };
        Some((behind, Level::default()))
    }

    /// Past the text whose length is at `at`.
    #[inline(always)]
    fn text(&self, at: usize) -> Option<usize> {
        text::<TEXT>(self.words, at, self.mode.dialect.rules().text)
    }

    /// [`Pass::step`] for rare kinds. Sets `is_open` past a last byte array without padding.
    #[inline(always)]
    fn rare(
        &self,
        at: usize,
        header: Header,
        level: u32,
        is_open: &mut bool,
    ) -> Option<(usize, Level)> {
        let mode = Mode { depth: self.mode.depth.saturating_sub(level), ..self.mode };
        let (behind, items) = rare::<TEXT>(self.bytes, at.wrapping_mul(4), header, mode)?;
        *is_open |= !behind.is_multiple_of(4);
        Some((behind.div_ceil(4), items))
    }

    /// After the start of a container: marks it, and skips the first items of a dictionary that match the one before.
    #[inline(always)]
    fn open(&mut self, at: &mut usize, top: &mut Level, level: u32) -> Option<()> {
        let start = at.wrapping_mul(4);
        let rest = self.bytes.get(start..)?;
        self.marks.set(level, rest);
        if top.form() == Contents::Pairs {
            let mut cursor = Cursor::new(rest, start);
            let items = self.stretches.skip(&mut cursor, level, top.left(), self.mode);
            top.take(items);
            *at = words_before(cursor)?;
        }
        Some(())
    }

    /// After the end of a container: skips the items that match a template. Returns the number of values in them, and
    /// their depth.
    #[inline(always)]
    fn jump(&mut self, at: &mut usize, top: &mut Level, level: u32) -> Option<(u64, u32)> {
        let start = at.wrapping_mul(4);
        let end = RecordEnd {
            cursor: Cursor::<Unfit>::new(self.bytes.get(start..)?, start),
            parent: OpenContainer::new(top.left(), top.form()),
            level,
            mode: self.mode,
        };
        let run =
            end.run(&mut self.marks, &mut self.templates, &mut Listening::<_, Unfit>::new(&mut ()));
        match run {
            Some(run) if run.items > 0 => {
                *at = words_before(run.behind)?;
                top.take(run.items);
                Some((run.values, run.depth))
            }
            _ => Some((0, 0)),
        }
    }
}

/// The number of words before the cursor.
#[inline(always)]
fn words_before(cursor: Cursor<'_, Unfit>) -> Option<usize> {
    let offset = cursor.offset();
    offset.is_multiple_of(4).then_some(offset / 4)
}

/// Past the value at `start`, or where the first of its items starts, and its items.
#[inline(never)]
fn rare<const TEXT: bool>(
    bytes: &[u8],
    start: usize,
    header: Header,
    mode: Mode,
) -> Option<(usize, Level)> {
    let mut cursor = Cursor::<Unfit>::new(bytes.get(start..)?, start);
    cursor.take_up_to(4);
    let (behind, extent) = layout::payload::<TEXT, Unfit>(header, cursor, mode).ok()?;
    let items = match extent {
        Extent::Leaf => Level::default(),
        Extent::Open { items, form } => Level::new(items, form),
    };
    Some((behind.offset(), items))
}

/// Past the text whose length is at `at`.
#[inline(always)]
fn text<const TEXT: bool>(words: &[[u8; 4]], at: usize, rule: TextRule) -> Option<usize> {
    if TEXT { checked_text(words, at, rule) } else { any_text(words, at) }
}

/// [`text`] for the name of a property.
#[inline(never)]
fn name<const TEXT: bool>(words: &[[u8; 4]], at: usize, rule: TextRule) -> Option<usize> {
    text::<TEXT>(words, at, rule)
}
