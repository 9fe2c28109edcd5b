//! [`Seeker`]: finds values among other data.

use memchr::memchr;
use variant_io::{ByteOrder, Framing};
use variant_view::{Dialect, Document, Kind, Options};

use crate::nested::is_open;

/// The maximum number of bytes decoded per byte of the file. Each possible start of a value is decoded until the first
/// error, and a hostile file may have many such starts.
pub const EFFORT: usize = 64;

/// The size of a length prefix in bytes.
pub const WORD: usize = 4;

/// The minimum size of a single framed value in bytes. Shorter values occur by chance.
const LEAST: usize = 8;

/// A value found in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The offset of the value or its length prefix.
    pub start: usize,
    /// The size in bytes, with the length prefix.
    pub len: usize,
    /// The framing of the value.
    pub framing: Framing,
    /// The kind of the value.
    pub kind: Kind,
}

/// Tries to decode values at the offsets at which they may start.
#[derive(Clone, Debug)]
pub struct Seeker<'a> {
    bytes: &'a [u8],
    options: Options,
    framing: Option<Framing>,
    /// The number of bytes that may still be decoded.
    left: usize,
}

impl<'a> Seeker<'a> {
    /// A seeker in `bytes` for values of this framing; `None` for any framing.
    pub const fn new(bytes: &'a [u8], options: Options, framing: Option<Framing>) -> Self {
        let left = bytes.len().saturating_mul(EFFORT);
        Self { bytes, options, framing, left }
    }

    /// Whether the decoding budget is used up.
    pub const fn is_tired(&self) -> bool {
        self.left == 0
    }

    /// The first value at `from` or after it. `None` at the end of the bytes, or if the decoding budget is used up.
    pub fn first_hit(&mut self, from: usize) -> Option<Hit> {
        let mut at = from;
        while let Some((start, _)) = self.next_start(at, None) {
            let hit = self.hit(start, false);
            if hit.is_some() || self.is_tired() {
                return hit;
            }
            at = start.saturating_add(1);
        }
        None
    }

    /// The next offset at which a value may start, and whether this offset is `end`, the end of another value.
    ///
    /// The second byte of every header is zero. Only offsets near a zero byte are checked: the value may start with the
    /// header, or with a length prefix before the header.
    pub fn next_start(&self, from: usize, end: Option<usize>) -> Option<(usize, bool)> {
        if end == Some(from) && from < self.bytes.len() {
            return Some((from, true));
        }
        let mut from = from;
        loop {
            let next = from.saturating_add(1);
            let zero = next.saturating_add(memchr(0, self.bytes.get(next..)?)?);
            let first = zero.saturating_sub(WORD + 1).max(from);
            let mut near = first..=zero;
            let is_start =
                |at: &usize| self.is_header(*at) || self.is_header(at.saturating_add(WORD));
            if let Some(start) = near.find(is_start) {
                return Some((start, false));
            }
            from = zero.saturating_add(1);
        }
    }

    /// Whether the word at `at` may be the header of a value.
    fn is_header(&self, at: usize) -> bool {
        is_header(self.bytes, at, self.options.dialect)
    }

    /// The value at `start`. A short value is accepted only if another value ends at `start` (`is_behind`).
    pub fn hit(&mut self, start: usize, is_behind: bool) -> Option<Hit> {
        let rest = self.bytes.get(start..)?;
        let framings = [ByteOrder::Little, ByteOrder::Big].map(Framing::Frames);
        let framed = framings.into_iter().find_map(|framing| {
            let inner = self.is_wanted(framing).then(|| framing.values(rest).next()?.ok())??.bytes;
            if inner.len() < LEAST && !is_behind {
                return None;
            }
            let (kind, len) = self.read(inner, |_| true)?;
            let whole = len.saturating_add(WORD);
            (len == inner.len()).then_some(Hit { start, len: whole, framing, kind })
        });
        if framed.is_some() || !self.is_wanted(Framing::Bare) {
            return framed;
        }
        let (kind, len) = self.read(rest, |kind| is_open(kind) && kind != Kind::Object)?;
        (len > LEAST).then_some(Hit { start, len, framing: Framing::Bare, kind })
    }

    fn is_wanted(&self, framing: Framing) -> bool {
        self.framing.is_none_or(|wanted| wanted == framing)
    }

    /// The kind and length of the value at the start of `bytes`, if its kind is wanted.
    fn read(&mut self, bytes: &[u8], is_wanted: impl Fn(Kind) -> bool) -> Option<(Kind, usize)> {
        let id = *bytes.first()?;
        let kind = self.options.dialect.kind(id).filter(|kind| is_wanted(*kind))?;
        let outcome = Document::new(bytes, self.options).validate();
        let read = outcome.map_or_else(|error| error.offset(), |summary| summary.consumed);
        self.left = self.left.saturating_sub(read.max(1));
        outcome.ok().map(|summary| (kind, summary.consumed))
    }
}

/// Whether the word at `at` may be the header of a value. Engines set only some bits of a header.
pub fn is_header(bytes: &[u8], at: usize, dialect: Dialect) -> bool {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
    let last = dialect.kinds().len();
    word.is_some_and(|&[kind, zero, flags, last_zero]| {
        usize::from(kind) < last && zero == 0 && flags < 16 && last_zero == 0
    })
}
