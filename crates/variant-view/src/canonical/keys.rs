//! The keys of the dictionaries that are open, to find the same key twice.

use core::cmp::Ordering;

use crate::bytes::{Cursor, padded, size};
use crate::dialect::{Facts, TextRule};
use crate::error::{Error, ErrorKind, NotCanonical, Result};
use crate::header::Header;
use crate::kind::Kind;
use crate::layout::{self, Layout, NODE_PATH_ABSOLUTE, NODE_PATH_NAMES, NODE_PATH_PROPERTY};
use crate::options::Mode;
use crate::scan::{Item, Scanner, Step};
use crate::text;
use crate::view::CodePoints;

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
        let compare = |a: &Span, b: &Span| compare(a.cursor(bytes), b.cursor(bytes), mode);
        spans.sort_unstable_by(|a, b| compare(a, b).then(a.start.cmp(&b.start)));
        let duplicate = spans
            .iter()
            .zip(spans.iter().skip(1))
            .filter(|(a, b)| compare(a, b).is_eq() && compares_by_content(a.cursor(bytes), mode))
            .map(|(_, b)| b.start)
            .min();
        self.truncate(first);
        match duplicate {
            Some(at) => Err(Error::new(ErrorKind::NotCanonical(NotCanonical::DuplicateKey), at)),
            None => Ok(()),
        }
    }
}

impl Span {
    fn cursor(self, bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes.get(self.start..self.end).unwrap_or_default(), self.start)
    }
}

/// Orders keys such that the same keys are equal (docs/format.md, section 6). Each is the bytes of exactly
/// one value, which are read no further than the shorter of them.
fn compare(a: Cursor<'_>, b: Cursor<'_>, mode: Mode) -> Ordering {
    let facts = mode.dialect.facts();
    match (Leaf::read(a, facts), Leaf::read(b, facts)) {
        (Some(a), Some(b)) => a.compare(&b, mode),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => compare_containers(a, b, mode),
    }
}

/// A value without children, as far as it makes a key.
struct Leaf<'a> {
    header: Header,
    /// What stands behind the header.
    payload: &'a [u8],
}

impl<'a> Leaf<'a> {
    /// None for what may have children.
    fn read(mut value: Cursor<'a>, facts: &Facts) -> Option<Self> {
        let header = Header::read(&mut value, facts).ok()?;
        let leaf = Self { header, payload: value.rest() };
        match header.kind.layout() {
            Layout::Array | Layout::Dictionary | Layout::TypedArray => None,
            Layout::Object if !header.flag() && !leaf.is_null() => None,
            _ => Some(leaf),
        }
    }
}

impl Leaf<'_> {
    fn compare(&self, other: &Self, mode: Mode) -> Ordering {
        let facts = mode.dialect.facts();
        let (a, b) = (self.kind(facts), other.kind(facts));
        if a != b {
            return a.cmp(&b);
        }
        match a.layout() {
            Layout::Text => compare_texts(self.text(), other.text(), facts.text),
            Layout::Strings => compare_all_texts(self.behind(4), other.behind(4), facts.text),
            Layout::NodePath if self.has_names() && other.has_names() => {
                let paths = (self.payload.get(..8)).cmp(&other.payload.get(..8));
                paths
                    .then_with(|| self.path_flags(facts).cmp(&other.path_flags(facts)))
                    .then_with(|| compare_all_texts(self.behind(12), other.behind(12), facts.text))
            }
            Layout::Scalar if a == Kind::Float => self.compare_reals(other, 0, mode),
            Layout::Reals(_) => self.compare_reals(other, 0, mode),
            Layout::Fixed(_) if a == Kind::Color => self.compare_reals(other, 0, mode),
            // Behind the count.
            Layout::RealPool(_) => self.compare_reals(other, 4, mode),
            Layout::Object if self.is_null() && other.is_null() => Ordering::Equal,
            _ if a == Kind::PackedFloat32Array && facts.packed_floats_by_bits => {
                self.payload.cmp(other.payload)
            }
            Layout::Pool(_)
                if matches!(
                    a,
                    Kind::PackedFloat32Array | Kind::PackedFloat64Array | Kind::PackedColorArray
                ) =>
            {
                self.compare_reals(other, 4, mode)
            }
            _ => self.payload.cmp(other.payload),
        }
    }

    /// Of an object: whether it is none, by an id of 0 or a class without a name.
    fn is_null(&self) -> bool {
        self.payload.iter().all(|&byte| byte == 0)
    }

    /// A `String` and a `StringName` are one kind where they are one key.
    fn kind(&self, facts: &Facts) -> Kind {
        match self.header.kind {
            Kind::StringName if facts.one_text_key => Kind::String,
            kind => kind,
        }
    }

    fn text(&self) -> &[u8] {
        let len = self.payload.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
        let text = self.payload.get(4..).and_then(|text| text.get(..size(len)));
        text::without_bom(text.unwrap_or_default())
    }

    fn behind(&self, skip: usize) -> &[u8] {
        self.payload.get(skip..).unwrap_or_default()
    }

    fn word(&self, at: usize) -> u32 {
        self.behind(at).first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// Whether a path has names, counted, and not one text in their place.
    fn has_names(&self) -> bool {
        self.word(0) & NODE_PATH_NAMES != 0
    }

    /// Of a path the flags that mean something to the reader.
    fn path_flags(&self, facts: &Facts) -> u32 {
        let may_be_absolute = facts.absolute_empty_path || !self.behind(12).is_empty();
        let absolute = if may_be_absolute { NODE_PATH_ABSOLUTE } else { 0 };
        self.word(8) & (absolute | NODE_PATH_PROPERTY)
    }

    /// Number by number, from byte `skip` of the payload on: 0.0 and -0.0 are the same, and so are all NaNs.
    fn compare_reals(&self, other: &Self, skip: usize, mode: Mode) -> Ordering {
        let reals = |leaf: &Self| {
            let numbers = leaf.payload.get(skip..).unwrap_or_default();
            (numbers.as_chunks::<4>().0.iter(), numbers.as_chunks::<8>().0.iter())
        };
        let ((a4, a8), (b4, b8)) = (reals(self), reals(other));
        match (self.width(mode), other.width(mode)) {
            (8, 8) => a8.copied().map(bits64).cmp(b8.copied().map(bits64)),
            (4, 4) => a4.copied().map(bits32).cmp(b4.copied().map(bits32)),
            (a, b) => a.cmp(&b),
        }
    }

    fn width(&self, mode: Mode) -> usize {
        match self.header.kind {
            Kind::Float => layout::scalar_width(self.header, mode.dialect.facts()),
            Kind::PackedFloat64Array => 8,
            Kind::Color | Kind::PackedColorArray | Kind::PackedFloat32Array => 4,
            _ => layout::real_width(self.header, mode),
        }
    }
}

fn bits32(bytes: [u8; 4]) -> u32 {
    let value = f32::from_le_bytes(bytes);
    if value.is_nan() { f32::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

fn bits64(bytes: [u8; 8]) -> u64 {
    let value = f64::from_le_bytes(bytes);
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

/// Up to the first NUL, where the engine stops reading, or the first difference: never more than the
/// shorter of both, so that one long key among many short ones costs nothing.
fn compare_texts(a: &[u8], b: &[u8], rule: TextRule) -> Ordering {
    if rule == TextRule::Lenient {
        // A character may be spelled in more bytes than it takes.
        let points = |text| CodePoints::of(text).take_while(|&point| point != 0);
        return points(a).cmp(points(b));
    }
    let at = a.iter().zip(b).position(|(a, b)| a != b || *a == 0);
    let at = at.unwrap_or(a.len().min(b.len()));
    let next = |text: &[u8]| text.get(at).copied().unwrap_or(0);
    next(a).cmp(&next(b))
}

/// Text by text, to the end of the value.
fn compare_all_texts(mut a: &[u8], mut b: &[u8], rule: TextRule) -> Ordering {
    loop {
        let (a, b) = (take_text(&mut a), take_text(&mut b));
        let order = match (a, b) {
            (None, None) => return Ordering::Equal,
            (Some(a), Some(b)) => compare_texts(a, b, rule),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, texts) = rest.split_first_chunk()?;
    let length = u32::from_le_bytes(*length);
    *rest = texts.get(size(padded(length))..).unwrap_or_default();
    texts.get(..size(length)).map(text::without_bom)
}

/// Step by step.
fn compare_containers(a: Cursor<'_>, b: Cursor<'_>, mode: Mode) -> Ordering {
    let mut a = Scanner::<false>::new(a, mode);
    let mut b = Scanner::<false>::new(b, mode);
    loop {
        let order = match (a.step().ok().flatten(), b.step().ok().flatten()) {
            (None, None) => return Ordering::Equal,
            (a, b) => compare_steps(a, b, mode),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn compare_steps(a: Option<Step<'_>>, b: Option<Step<'_>>, mode: Mode) -> Ordering {
    let rank = |step: &Option<Step<'_>>| match step {
        None => 0,
        Some(Step::Exit) => 1,
        Some(Step::Leaf(_)) => 2,
        Some(Step::Enter(_)) => 3,
    };
    match (&a, &b) {
        (Some(Step::Leaf(a)), Some(Step::Leaf(b))) => {
            let facts = mode.dialect.facts();
            let leaf = |value| Leaf::read(Cursor::new(value, 0), facts);
            match (leaf(read_part(a)), leaf(read_part(b))) {
                (Some(a), Some(b)) => a.compare(&b, mode),
                _ => read_part(a).cmp(read_part(b)),
            }
        }
        (Some(Step::Enter(a)), Some(Step::Enter(b))) => read_part(a).cmp(read_part(b)),
        _ => rank(&a).cmp(&rank(&b)),
    }
}

/// A value without children, and of a container what stands in front of its first item.
fn read_part<'a>(item: &Item<'a>) -> &'a [u8] {
    item.bytes.get(..item.end.saturating_sub(item.start)).unwrap_or_default()
}

/// Whether equal bytes mean equal keys: not where what makes them differ is not on the wire, and not where a
/// key is no other's equal, nor its own.
fn compares_by_content(key: Cursor<'_>, mode: Mode) -> bool {
    let mut scanner = Scanner::<false>::new(key, mode);
    while let Ok(Some(step)) = scanner.step() {
        if let Step::Leaf(item) | Step::Enter(item) = step
            && may_differ_from_its_like(&item, mode.dialect.facts())
        {
            return false;
        }
    }
    true
}

fn may_differ_from_its_like(item: &Item<'_>, facts: &Facts) -> bool {
    // Behind the header.
    let payload = read_part(item).get(4..).unwrap_or_default();
    match item.header.kind {
        // Not on the wire, all or a part of them.
        Kind::Rid => !facts.rid_payload,
        Kind::Object if !facts.object_payload => true,
        Kind::Callable | Kind::InputEvent | Kind::Image => true,
        // By identity (docs/format.md, section 6).
        Kind::Dictionary => !facts.dictionaries_by_content,
        Kind::Object => payload.iter().any(|&byte| byte != 0),
        // A NaN differs from itself where the engine compares the numbers of these arrays.
        Kind::PackedFloat32Array if facts.packed_floats_by_bits => {
            let floats = payload.get(4..).unwrap_or_default().as_chunks().0;
            floats.iter().any(|&float| f32::from_le_bytes(float).is_nan())
        }
        _ => false,
    }
}
