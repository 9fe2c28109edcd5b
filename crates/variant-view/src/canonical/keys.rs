//! The keys of all open dictionaries, to find duplicates.

use core::cmp::Ordering;

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, NotCanonical, Result};
use crate::key;
use crate::kind::Kind;
use crate::options::Mode;
use crate::scan::{Scanner, Step};

/// The offset of the first byte of a key, and the offset after its last byte.
#[derive(Clone, Copy, Default)]
struct Span {
    start: usize,
    end: usize,
    /// The hash of the key, equal for equal keys. It is set when the dictionary ends.
    hash: u64,
}

/// The keys. Memory grows with the keys read; counts in the document never reserve memory.
pub(super) struct Keys {
    #[cfg(feature = "alloc")]
    spans: alloc::vec::Vec<Span>,
    #[cfg(not(feature = "alloc"))]
    spans: [Span; Self::MAX],
    #[cfg(not(feature = "alloc"))]
    len: usize,
}

#[cfg(feature = "alloc")]
impl Keys {
    pub(super) const fn new() -> Self {
        Self { spans: alloc::vec::Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    #[expect(clippy::unnecessary_wraps, reason = "the function without `alloc` can fail")]
    pub(super) fn push(&mut self, start: usize) -> Result<()> {
        self.spans.push(Span { start, end: start, hash: 0 });
        Ok(())
    }

    fn open(&mut self) -> &mut [Span] {
        &mut self.spans
    }

    fn truncate(&mut self, len: usize) {
        self.spans.truncate(len);
    }
}

#[cfg(not(feature = "alloc"))]
impl Keys {
    const MAX: usize = 256;

    pub(super) const fn new() -> Self {
        Self { spans: [Span { start: 0, end: 0, hash: 0 }; Self::MAX], len: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, start: usize) -> Result<()> {
        use crate::error::Limit;
        let Some(place) = self.spans.get_mut(self.len) else {
            let kind = ErrorKind::LimitExceeded { limit: Limit::CanonicalKeys };
            return Err(Error::new(kind, start));
        };
        *place = Span { start, end: start, hash: 0 };
        self.len = self.len.saturating_add(1);
        Ok(())
    }

    fn open(&mut self) -> &mut [Span] {
        self.spans.get_mut(..self.len).unwrap_or_default()
    }

    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Keys {
    pub(super) fn end_last(&mut self, end: usize) {
        if let Some(last) = self.open().last_mut() {
            last.end = end;
        }
    }

    /// Searches the keys from `first` on for duplicates, then removes all keys from `first` on from the list.
    pub(super) fn close(&mut self, first: usize, bytes: &[u8], mode: Mode) -> Result<()> {
        let spans = self.open().get_mut(first..).unwrap_or_default();
        // Keys are sorted by hash: hashing reads each key once, but each comparison of keys would read two.
        for span in spans.iter_mut() {
            span.hash = key::hash(span.cursor(bytes), mode);
        }
        spans.sort_unstable_by_key(|span| span.hash);
        let runs = spans.chunk_by_mut(|a, b| a.hash == b.hash).filter(|run| run.len() > 1);
        let duplicate = runs.filter_map(|run| duplicate(run, bytes, mode)).min();
        self.truncate(first);
        match duplicate {
            Some(at) => Err(Error::new(ErrorKind::NotCanonical(NotCanonical::DuplicateKey), at)),
            None => Ok(()),
        }
    }
}

/// The offset of the first key that is equal to an earlier key.
fn duplicate(spans: &mut [Span], bytes: &[u8], mode: Mode) -> Option<usize> {
    let compare = |a: &Span, b: &Span| key::compare(a.cursor(bytes), b.cursor(bytes), mode);
    spans.sort_unstable_by(|a, b| {
        compare(a, b).unwrap_or(Ordering::Equal).then(a.start.cmp(&b.start))
    });
    let pairs = spans.iter().zip(spans.iter().skip(1));
    pairs
        .filter(|(a, b)| compare(a, b).is_some_and(Ordering::is_eq))
        .filter(|(a, _)| !may_stand_for_many(a.cursor(bytes), mode))
        .map(|(_, b)| b.start)
        .min()
}

impl Span {
    fn cursor(self, bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes.get(self.start..self.end).unwrap_or_default(), self.start)
    }
}

/// Whether different keys may have these bytes, because the key has a value whose content is not written, such as a
/// callable.
fn may_stand_for_many(key: Cursor<'_>, mode: Mode) -> bool {
    let rules = mode.dialect.rules();
    let mut scanner = Scanner::<false>::new(key, mode);
    while let Ok(Some(step)) = scanner.step() {
        if let Step::Leaf(item) = step {
            let is_written = match item.header.kind {
                Kind::Rid => rules.rid_payload,
                Kind::Object => rules.object_payload,
                kind => kind != Kind::Callable,
            };
            if !is_written {
                return true;
            }
        }
    }
    false
}
