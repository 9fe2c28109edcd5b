//! [`Reader`]: the elements of a message, whatever its family.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use variant_io::Frames;
use variant_view::{ArrayView, Document, Items, Kind, Options, PackedSlice, StrView, VariantView};

use crate::error::{Error, ErrorKind};
use crate::family::Family;
use crate::message::Scope;

type Result<T, E = Error> = std::result::Result<T, E>;

/// Reads the elements of a message in order: those of an array, or one from each frame.
#[derive(Clone)]
pub struct Reader<'a> {
    source: Source<'a>,
    /// The number of elements that are left.
    left: usize,
    /// The index of the next element.
    index: usize,
    family: Family,
    /// The scope of the variables that follow, and how many there are.
    group: Option<(Scope, usize)>,
}

#[derive(Clone)]
enum Source<'a> {
    /// The elements of an array. Offsets in its document count from `base`.
    Items { items: Items<'a, VariantView<'a>>, base: usize },
    /// One element in each frame.
    Frames { frames: Frames<'a>, options: Options },
    /// Lines of output in two packed arrays.
    Lines { texts: Arc<[StrView<'a>]>, kinds: Option<PackedSlice<'a, i32>>, at: usize },
}

/// The greatest number of texts of a packed array. An engine sends at most 32,768 characters of output a second.
const TEXTS: usize = 1 << 16;

impl<'a> Reader<'a> {
    /// The elements of an array that is in a frame, whose value starts at `base` of the message.
    pub(crate) fn of_array(array: &ArrayView<'a>, base: usize, family: Family) -> Self {
        let source = Source::Items { items: array.iter(), base };
        Self { source, left: array.len(), index: 0, family, group: None }
    }

    /// The elements of `count` frames.
    pub(crate) const fn of_frames(
        frames: Frames<'a>,
        count: usize,
        options: Options,
        family: Family,
    ) -> Self {
        let source = Source::Frames { frames, options };
        Self { source, left: count, index: 0, family, group: None }
    }

    pub(crate) const fn family(&self) -> Family {
        self.family
    }

    /// The number of elements that are left.
    pub(crate) const fn left(&self) -> usize {
        self.left
    }

    pub(crate) fn value(&mut self) -> Result<VariantView<'a>> {
        let Some(left) = self.left.checked_sub(1) else { return Err(self.too_few()) };
        self.left = left;
        self.index = self.index.saturating_add(1);
        let next = match &mut self.source {
            Source::Items { items, base } => {
                items.next().map(|item| item.map_err(|error| Error::in_frame(error, *base)))
            }
            Source::Frames { frames, options } => {
                frames.next().and_then(std::result::Result::ok).map(|frame| {
                    let root = Document::new(frame.bytes(), *options).root();
                    root.map_err(|error| Error::in_frame(error, frame.start()))
                })
            }
            Source::Lines { .. } => None,
        };
        next.unwrap_or_else(|| Err(self.too_few()))
    }

    /// The kind of the next element, which is not consumed.
    pub(crate) fn peek(&self) -> Option<Kind> {
        self.clone().value().ok().map(|value| value.kind())
    }

    pub(crate) fn int(&mut self) -> Result<i64> {
        self.typed("an Int", |value| match value {
            VariantView::Int(int) => Some(int.value()),
            _ => None,
        })
    }

    pub(crate) fn float(&mut self) -> Result<f64> {
        self.typed("a Float", |value| value.as_f64().ok())
    }

    pub(crate) fn bool(&mut self) -> Result<bool> {
        self.typed("a Bool", |value| value.as_bool().ok())
    }

    pub(crate) fn text(&mut self) -> Result<Cow<'a, str>> {
        if self.has_lines() {
            return self.line().map(|(text, _)| text).ok_or_else(|| self.too_few());
        }
        self.typed("a String", text_of)
    }

    /// The elements of the next element, an array.
    pub(crate) fn array(&mut self) -> Result<Self> {
        let (family, base) = (self.family, self.base());
        let array = self.typed("an Array", |value| value.as_array().ok())?;
        Ok(Self::of_array(&array, base, family))
    }

    /// The next element if `take` returns a part of it.
    pub(crate) fn typed<T>(
        &mut self,
        expected: &'static str,
        take: impl FnOnce(&VariantView<'a>) -> Option<T>,
    ) -> Result<T> {
        let (index, base) = (self.index, self.base());
        let value = self.value()?;
        take(&value).ok_or_else(|| {
            let kind = ErrorKind::Element { index, expected, found: value.kind() };
            Error::at(kind, base.saturating_add(value.offset()))
        })
    }

    /// A count of elements that follow.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let index = self.index;
        let count = self.int()?;
        let fits = usize::try_from(count).ok().filter(|count| *count <= self.left);
        fits.ok_or_else(|| Error::at(ErrorKind::Count { index, count }, self.base()))
    }

    /// The next `count` elements, at most those that are left. O(their bytes), unless they are the last.
    pub(crate) fn take(&mut self, count: usize) -> Result<Self> {
        let count = count.min(self.left);
        let taken = Self { left: count, ..self.clone() };
        self.skip(count)?;
        Ok(taken)
    }

    /// A count, and as many elements.
    pub(crate) fn counted(&mut self) -> Result<Self> {
        let count = self.count()?;
        self.take(count)
    }

    /// All elements that are left.
    pub(crate) fn rest(&mut self) -> Self {
        let rest = self.clone();
        self.left = 0;
        rest
    }

    /// The part of `start` before this reader, which has read on from there.
    pub(crate) fn since(&self, start: Self) -> Self {
        Self { left: start.left.saturating_sub(self.left), ..start }
    }

    fn skip(&mut self, count: usize) -> Result<()> {
        let rest = self.left.saturating_sub(count);
        // Elements that nobody reads need no pass over their bytes.
        if rest > 0 {
            for _ in 0..count {
                self.value()?;
            }
        }
        self.left = rest;
        Ok(())
    }

    fn base(&self) -> usize {
        match &self.source {
            Source::Items { base, .. } => *base,
            Source::Frames { frames, .. } => frames.offset().saturating_add(4),
            Source::Lines { .. } => 0,
        }
    }

    #[cold]
    fn too_few(&self) -> Error {
        let found = self.index;
        let least = found.saturating_add(1);
        Error::at(ErrorKind::TooFew { found, least }, self.base())
    }

    /// The lines in two packed arrays, the next two elements.
    pub(crate) fn lines(&mut self) -> Result<Self> {
        let texts = self.texts()?;
        let kinds = self.typed("a PackedInt32Array", |value| value.as_int32s().ok())?;
        let Source::Lines { texts, at, .. } = texts.source else { return Err(self.too_few()) };
        let left = texts.len();
        let source = Source::Lines { texts, kinds: Some(kinds), at };
        Ok(Self { source, left, ..self.clone() })
    }

    /// The texts of a packed array, the next element. O(their number).
    pub(crate) fn texts(&mut self) -> Result<Self> {
        let (index, base) = (self.index, self.base());
        let texts = self.typed("a PackedStringArray", |value| value.as_strings().ok())?;
        let left = texts.len();
        if left > TEXTS {
            let count = i64::try_from(left).unwrap_or(i64::MAX);
            return Err(Error::at(ErrorKind::Count { index, count }, base));
        }
        let texts = texts.iter().collect();
        Ok(Self { source: Source::Lines { texts, kinds: None, at: 0 }, left, ..self.clone() })
    }

    /// The next line of two packed arrays. A line without kind has kind 0.
    pub(crate) fn line(&mut self) -> Option<(Cow<'a, str>, i64)> {
        let Source::Lines { texts, kinds, at } = &mut self.source else { return None };
        let text = texts.get(*at)?;
        let kind = kinds.and_then(|kinds| kinds.get(*at)).unwrap_or(0);
        *at = at.saturating_add(1);
        self.left = self.left.saturating_sub(1);
        Some((text.to_str_lossy(), kind.into()))
    }

    /// Whether the elements are lines in two packed arrays.
    pub(crate) const fn has_lines(&self) -> bool {
        matches!(self.source, Source::Lines { .. })
    }

    /// The scope of the next variable, whose name and value follow. The count before the variables of each scope is
    /// consumed.
    pub(crate) fn scope(&mut self) -> Result<Option<Scope>> {
        loop {
            match self.group {
                Some((scope, left @ 1..)) => {
                    self.group = Some((scope, left.saturating_sub(1)));
                    return Ok(Some(scope));
                }
                _ if self.left == 0 => return Ok(None),
                group => {
                    let scope = match group {
                        None => Scope::Local,
                        Some((Scope::Local, _)) => Scope::Member,
                        Some((Scope::Member, _)) => Scope::Global,
                        Some(_) => return Ok(None),
                    };
                    let count = self.count()?;
                    self.group = Some((scope, count));
                }
            }
        }
    }
}

/// The text of a `String` or a `StringName`; invalid UTF-8 is replaced.
pub(crate) fn text_of<'a>(value: &VariantView<'a>) -> Option<Cow<'a, str>> {
    value.as_text().ok().map(|text| text.to_str_lossy())
}

/// An offset in a message.
pub(crate) fn place(offset: usize) -> u64 {
    u64::try_from(offset).unwrap_or(u64::MAX)
}

impl fmt::Debug for Reader<'_> {
    /// Shows the elements. O(bytes).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reader = self.clone();
        let all = std::iter::from_fn(|| (reader.left > 0).then(|| reader.value()));
        f.debug_list().entries(all.take_while(Result::is_ok).flatten()).finish()
    }
}
