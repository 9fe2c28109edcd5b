//! The keys of the dictionaries that are open, to find the same key twice.

use crate::bytes::Cursor;
use crate::dialect::Facts;
use crate::error::{Error, ErrorKind, NotCanonical, Part, Result};
use crate::header::Header;
use crate::kind::Kind;
use crate::layout;
use crate::options::Mode;
use crate::scan::{Scanner, Step};
use crate::text;

/// A key's first byte and the byte behind it.
#[derive(Clone, Copy, Default)]
struct Span {
    start: usize,
    end: usize,
}

/// Grows with the keys that were read, never with a count that was claimed.
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

    #[expect(clippy::unnecessary_wraps, reason = "the twin without `alloc` can fail")]
    pub(super) fn push(&mut self, start: usize) -> Result<()> {
        self.spans.push(Span { start, end: start });
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
        Self { spans: [Span { start: 0, end: 0 }; Self::MAX], len: 0 }
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
        *place = Span { start, end: start };
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

    /// Looks for duplicates among the keys from `first` on, and forgets them.
    pub(super) fn close(&mut self, first: usize, bytes: &[u8], mode: Mode) -> Result<()> {
        let spans = self.open().get_mut(first..).unwrap_or_default();
        let identity = |span: &Span| Identity::of(*span, bytes, mode.dialect.facts());
        spans.sort_unstable_by(|a, b| identity(a).cmp(&identity(b)).then(a.start.cmp(&b.start)));
        let duplicate = spans
            .iter()
            .zip(spans.iter().skip(1))
            .filter(|(a, b)| identity(a) == identity(b) && compares_by_content(**a, bytes, mode))
            .map(|(_, b)| b.start)
            .min();
        self.truncate(first);
        match duplicate {
            Some(at) => Err(Error::new(ErrorKind::NotCanonical(NotCanonical::DuplicateKey), at)),
            None => Ok(()),
        }
    }
}

/// What makes two keys the same (docs/format.md, section 6).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identity<'a> {
    Text(Kind, &'a [u8]),
    /// 0.0 and -0.0 are one key, all NaNs are another.
    Float(u64),
    /// Everything else is the same if its bytes are.
    Bytes(&'a [u8]),
}

impl<'a> Identity<'a> {
    fn of(span: Span, bytes: &'a [u8], facts: &Facts) -> Self {
        let bytes = bytes.get(span.start..span.end).unwrap_or_default();
        Self::read(&mut Cursor::new(bytes, span.start), facts).unwrap_or(Self::Bytes(bytes))
    }

    fn read(cursor: &mut Cursor<'a>, facts: &Facts) -> Option<Self> {
        let header = Header::read(cursor, facts).ok()?;
        match header.kind {
            Kind::String | Kind::StringName => {
                let kind = if facts.one_text_key { Kind::String } else { header.kind };
                let bytes = layout::string::<false>(cursor, facts).ok()?;
                Some(Self::Text(kind, text::without_bom(text::before_nul(bytes))))
            }
            Kind::Float => {
                let value = match layout::scalar_width(header, facts) {
                    8 => f64::from_bits(cursor.u64(Part::Header).ok()?),
                    _ => f64::from(f32::from_bits(cursor.u32(Part::Header).ok()?)),
                };
                Some(Self::Float(if value.is_nan() {
                    f64::NAN.to_bits()
                } else {
                    (value + 0.0).to_bits()
                }))
            }
            _ => None,
        }
    }
}

/// Whether equal bytes mean equal keys: not where what makes them differ is not on the wire.
fn compares_by_content(span: Span, bytes: &[u8], mode: Mode) -> bool {
    let facts = mode.dialect.facts();
    let bytes = bytes.get(span.start..span.end).unwrap_or_default();
    let mut scanner = Scanner::<false>::new(Cursor::new(bytes, span.start), mode);
    while let Ok(Some(step)) = scanner.step() {
        let by_identity = match step {
            Step::Leaf(item) | Step::Enter(item) => match item.header.kind {
                Kind::Dictionary => !facts.dictionaries_by_content,
                Kind::Rid => !facts.rid_payload,
                Kind::Object => !item.header.flag(),
                Kind::Callable | Kind::InputEvent | Kind::Image => true,
                _ => false,
            },
            Step::Exit(_) => false,
        };
        if by_identity {
            return false;
        }
    }
    true
}
