//! [`Elements`]: the elements of a packed array, each as a value (docs/spec/format.md#packed-arrays).

use core::fmt;

use super::packed_slice::HEAD;
use super::wire_texts::next_text;
use super::{Raw, ScalarView, StrView, VariantView};
use crate::bytes::{self, Cursor};
use crate::dialect::Dialect;
use crate::kind::{Kind, Width};
use crate::options::Options;

/// The elements of a packed array, each as a value of [`Kind::element`].
///
/// An element has no header on the wire. So its `raw_bytes` are its text or, for another kind, four bytes of the array
/// and then the element: do not forward them. [`Numbers`](crate::Numbers) reads all numbers at once, and is faster.
///
/// ```
/// use variant_view::{Dialect, Document, Kind};
///
/// // PackedVector2Array [(1, 2)], as Godot 4 writes it
/// let bytes = [35, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
/// let points = Document::new(&bytes, Dialect::Godot4).root()?.elements().unwrap();
/// assert_eq!((points.kind(), points.len(), points.size()), (Kind::Vector2, 1, Some(8)));
/// let (point, end) = points.at(points.start(0).unwrap()).unwrap();
/// assert_eq!((point.as_vector2()?.y, point.offset(), end), (2.0, 8, bytes.len()));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    raw: Raw<'a>,
    kind: Kind,
    len: usize,
    /// The size of each element in bytes; `None` for texts.
    size: Option<usize>,
    dialect: Dialect,
}

impl<'a> VariantView<'a> {
    /// The elements of a packed array, each as a value; `None` for other kinds. O(1).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// let bytes = b"\x1e\0\0\0\x02\0\0\0\x05\0\0\0\x07\0\0\0"; // PackedInt32Array [5, 7], as Godot 4 writes it
    /// let root = Document::new(bytes, Dialect::Godot4).root()?;
    /// let values: Result<Vec<i64>, _> = root.elements().unwrap().iter().map(|int| int.as_i64()).collect();
    /// assert_eq!(values?, [5, 7]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn elements(&self) -> Option<Elements<'a>> {
        let kind = self.kind().element()?;
        let raw = self.raw();
        if let Self::PackedStringArray(texts) = self {
            let dialect = texts.dialect;
            return Some(Elements { raw, kind, len: texts.len(), size: None, dialect });
        }
        let width = match self {
            Self::PackedVector2Array(v) => v.width(),
            Self::PackedVector3Array(v) => v.width(),
            Self::PackedVector4Array(v) => v.width(),
            _ => Width::W32,
        };
        let size = self.kind().shape()?.bytes(width);
        // The views of numbers do not depend on the dialect.
        let dialect = Dialect::Godot4;
        Some(Elements { raw, kind, len: bytes::size(raw.word(4)), size: Some(size), dialect })
    }
}

impl<'a> Elements<'a> {
    /// The kind of the elements. O(1).
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The number of elements; all are present. O(1).
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The size of each element in bytes; `None` for texts, each of which has its own size. O(1).
    pub const fn size(&self) -> Option<usize> {
        self.size
    }

    /// The offset of element `index` from the start of the array; the end of the elements for the index after the last
    /// one. O(1), O(bytes before it) for texts.
    pub fn start(&self, index: usize) -> Option<usize> {
        if index > self.len {
            return None;
        }
        match self.size {
            Some(size) => index.checked_mul(size)?.checked_add(HEAD),
            None => (0..index).try_fold(HEAD, |at, _| self.at(at).map(|(_, behind)| behind)),
        }
    }

    /// The element at an offset from the start of the array, and the offset after the element. The offset must be that of
    /// an element. `None` if too few bytes follow. O(1).
    pub fn at(&self, offset: usize) -> Option<(VariantView<'a>, usize)> {
        let Raw { bytes, offset: start } = self.raw;
        let start = start.checked_add(offset)?;
        let Some(size) = self.size else { return self.text_at(offset, start) };
        let behind = offset.checked_add(size)?;
        // The array has a header and a count before the element, so there are four bytes before it.
        let bytes = bytes.get(offset.checked_sub(4)?..behind)?;
        let raw = Raw { bytes, offset: start };
        let mode = Options::engine(self.dialect).mode();
        let view = match (size, bytes.last()) {
            (1, Some(byte)) => VariantView::Int(ScalarView { raw, value: i64::from(*byte) }),
            _ => VariantView::new(self.kind, bytes, bytes.len(), start, mode),
        };
        Some((view, behind))
    }

    fn text_at(&self, offset: usize, start: usize) -> Option<(VariantView<'a>, usize)> {
        let rest = self.raw.bytes.get(offset..)?;
        let mut cursor = Cursor::new(rest, start);
        let (text, at) = next_text(&mut cursor)?;
        let has_nul = self.dialect.terminates_strings();
        let text = text.strip_suffix(b"\0").filter(|_| has_nul).unwrap_or(text);
        let behind = offset.checked_add(rest.len().checked_sub(cursor.rest().len())?)?;
        Some((VariantView::String(StrView::of_name(text, at, self.dialect)), behind))
    }

    /// The elements in order. O(1) each.
    pub fn iter(&self) -> impl Iterator<Item = VariantView<'a>> + use<'a> {
        let elements = *self;
        let mut at = HEAD;
        (0..self.len).map_while(move |_| {
            let (view, behind) = elements.at(at)?;
            at = behind;
            Some(view)
        })
    }
}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
