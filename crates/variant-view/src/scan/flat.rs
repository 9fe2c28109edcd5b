//! The flat pass: structure and text without error details, for validation and skipping.
//!
//! Positions count words of 4 bytes. Only words that are read are checked against the end of the document. A value of
//! known size is skipped without reading it: the position after it is checked when the next value is read, or at the
//! end. If anything fails, the exact pass reads the bytes again and finds the error.

mod levels;
mod listener;
mod text;
mod words;

use levels::{Level, Levels, NEAR};
pub(crate) use listener::Listener;
pub(crate) use words::Words;

use super::record::Listening;
use crate::bytes::{Cursor, Unfit};
use crate::contents::{Contents, OpenContainer};
use crate::dialect::by_dialect;
use crate::kind::Kind;
use crate::options::Mode;
use crate::stack::Stack;
use crate::template::{RecordEnd, RecordStarts, Stretches, Templates};

/// The size of a document, in bytes, up to which templates cost more than they save.
pub(crate) const PACKET: usize = 512;

/// The result of a flat pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    /// The size in bytes.
    pub(crate) len: usize,
    pub(crate) values: u64,
    /// The depth of the deepest value.
    pub(crate) depth: u32,
}

/// Validates structure, depth and text of the value at the start of `bytes`. `None` if something is wrong.
///
/// Always inlined, together with the pass for packets: a result that is written and then moved causes a
/// store-forwarding stall.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn validate<'a>(
    bytes: &'a [u8],
    mode: Mode,
    listener: &mut impl Listener<'a>,
) -> Option<Passed> {
    if bytes.len() <= PACKET {
        packet(bytes, mode, listener)
    } else {
        file::<true>(bytes, OpenContainer::ROOT, mode, listener)
    }
}

/// The length in bytes of the value at the start of `bytes`. `None` if something is wrong.
#[inline]
pub(crate) fn skip<const TEXT: bool>(bytes: &[u8], mode: Mode) -> Option<usize> {
    pass_over::<TEXT>(bytes, mode).map(|passed| passed.len)
}

/// The length of the value at the start of `bytes`, its number of values, and its depth. `None` if something is wrong.
#[inline]
pub(crate) fn pass_over<const TEXT: bool>(bytes: &[u8], mode: Mode) -> Option<Passed> {
    file::<TEXT>(bytes, OpenContainer::ROOT, mode, &mut ())
}

/// The length in bytes of some items of a container. `None` if something is wrong.
pub(crate) fn skip_items(bytes: &[u8], items: OpenContainer, mode: Mode) -> Option<usize> {
    file::<false>(bytes, items, mode, &mut ()).map(|passed| passed.len)
}

/// The pass over a small document, without templates and with a small stack. Also `None` for more than [`NEAR`] levels.
#[cfg_attr(not(variant_small), inline(always))]
fn packet<'a>(bytes: &'a [u8], mode: Mode, listener: &mut impl Listener<'a>) -> Option<Passed> {
    by_dialect!(mode.dialect, |dialect| {
        let mode = Mode { dialect, ..mode };
        let mut levels = [Level::LEAF; NEAR];
        let mut pass = Pass::<_, true, false>::new(bytes, mode, listener);
        pass.run(OpenContainer::ROOT, &mut levels)
    })
}

/// The pass over a document of any size and depth, with templates for records that repeat.
#[inline(never)]
fn file<'a, const TEXT: bool>(
    bytes: &'a [u8],
    items: OpenContainer,
    mode: Mode,
    listener: &mut impl Listener<'a>,
) -> Option<Passed> {
    by_dialect!(mode.dialect, |dialect| {
        let mode = Mode { dialect, ..mode };
        let mut levels = Stack::new(Level::LEAF);
        let mut pass = Pass::<_, TEXT, true>::new(bytes, mode, listener);
        pass.run(items, &mut levels)
    })
}

/// A flat pass. `TEXT`: whether text is validated. `RECORDS`: whether templates are used.
struct Pass<'a, 'l, L, const TEXT: bool, const RECORDS: bool> {
    words: Words<'a, TEXT>,
    listener: &'l mut L,
    marks: RecordStarts<'a>,
    templates: Option<Templates>,
    stretches: Stretches,
}

impl<'a, 'l, L: Listener<'a>, const TEXT: bool, const RECORDS: bool>
    Pass<'a, 'l, L, TEXT, RECORDS>
{
    #[cfg_attr(not(variant_small), inline(always))]
    fn new(bytes: &'a [u8], mode: Mode, listener: &'l mut L) -> Self {
        Self {
            words: Words::new(bytes, mode),
            listener,
            marks: RecordStarts::new(bytes),
            templates: None,
            stretches: Stretches::new(),
        }
    }

    /// Reads `items` and everything in them.
    #[cfg_attr(not(variant_small), inline(always))]
    fn run(&mut self, items: OpenContainer, levels: &mut impl Levels) -> Option<Passed> {
        let words = self.words;
        let mut top = Level::new(items.left.checked_sub(1)?, items.form);
        let mut at = 0_usize;
        let mut level = 0_u32;
        let mut deepest = 0_u32;
        let mut values = u64::from(items.left);
        let mut is_open = false;
        loop {
            if top.has_names() {
                at = words.name(at)?;
            }
            let header = words.header(at)?;
            let opened;
            let start = at;
            (at, opened) = words.step(at, header, level, &mut is_open)?;
            self.tell(header.kind, start, at, opened);
            if opened.is_empty() {
                if !opened.is_leaf() {
                    self.listener.close();
                }
            } else {
                values = values.wrapping_add(opened.left().into());
                if level >= words.mode.depth || !levels.set(level, top) {
                    return None;
                }
                level = level.wrapping_add(1);
                deepest = deepest.max(level);
                top = opened;
                if RECORDS {
                    self.open(&mut at, &mut top, level)?;
                }
            }
            while top.is_empty() {
                let Some(outer) = level.checked_sub(1) else {
                    let len = words.end(at, is_open)?;
                    return Some(Passed { len, values, depth: deepest });
                };
                level = outer;
                top = levels.get(level)?;
                self.listener.close();
                if RECORDS && !top.is_empty() {
                    let (records, depth) = self.jump(&mut at, &mut top, level)?;
                    values = values.wrapping_add(records);
                    deepest = deepest.max(level.wrapping_add(depth));
                }
            }
            top.take(1);
        }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn tell(&mut self, kind: Kind, start: usize, behind: usize, opened: Level) {
        let start = start.wrapping_mul(4);
        if opened.is_leaf() {
            let end = behind.wrapping_mul(4).min(self.words.bytes.len());
            self.listener.value(start, end, kind);
        } else {
            self.listener.open(start, kind, opened.left());
        }
    }

    /// Called after the start of a container. Marks where its items start. In a dictionary, skips the first items, as
    /// far as they match those of the previous dictionary.
    #[cfg_attr(not(variant_small), inline(always))]
    fn open(&mut self, at: &mut usize, top: &mut Level, level: u32) -> Option<()> {
        let start = at.wrapping_mul(4);
        let rest = self.words.bytes_from(*at)?;
        self.marks.set(level, rest);
        if L::MAY_HURRY && top.form() == Contents::Pairs {
            let mut cursor = Cursor::new(rest, start);
            let items = self.stretches.skip(&mut cursor, level, top.left(), self.words.mode);
            top.take(items);
            *at = words_before(cursor)?;
        }
        Some(())
    }

    /// Called after the end of a container. Skips the items that match a template. Returns the number of values in
    /// these items, and their depth.
    #[cfg_attr(not(variant_small), inline(always))]
    fn jump(&mut self, at: &mut usize, top: &mut Level, level: u32) -> Option<(u64, u32)> {
        let start = at.wrapping_mul(4);
        let end = RecordEnd {
            cursor: Cursor::<Unfit>::new(self.words.bytes_from(*at)?, start),
            parent: OpenContainer::new(top.left(), top.form()),
            level,
            mode: self.words.mode,
        };
        let run =
            end.run(&mut self.marks, &mut self.templates, &mut Listening::new(&mut *self.listener));
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
#[cfg_attr(not(variant_small), inline(always))]
fn words_before(cursor: Cursor<'_, Unfit>) -> Option<usize> {
    let offset = cursor.offset();
    offset.is_multiple_of(4).then_some(offset / 4)
}
