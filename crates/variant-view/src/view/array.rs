//! [`ArrayView`]: arrays, typed or not (docs/spec/format.md#array and docs/spec/format.md#typed-containers).

use core::fmt;

use super::items::Items;
use super::{Raw, Source, StrView, VariantView, source_methods};
use crate::bytes::{Cursor, size};
use crate::dialect::Dialect;
use crate::element_type::ElementType;
use crate::error::Result;
use crate::header::{Header, TypeForm};
use crate::kind::Kind;
use crate::layout::{self, WireType};

/// An array. Its elements are read on access, each by its own header. Engines drop or convert elements that
/// do not fit a declared type; this view does not (docs/spec/format.md#typed-containers).
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // [5, 7]
/// let array = Document::new(&bytes, Dialect::Godot3).root()?.as_array()?;
/// let mut sum = 0;
/// for element in array {
///     sum += element?.as_i64()?;
/// }
/// assert_eq!((array.len(), sum), (2, 12));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ArrayView<'a> {
    pub(super) source: Source<'a>,
}

source_methods!(ArrayView);

impl<'a> ArrayView<'a> {
    /// The number of elements that the wire claims. The claim is not verified: do not reserve memory by it.
    /// O(1).
    #[inline]
    pub fn len(&self) -> usize {
        match self.source.plain_count() {
            Some(count) => size(count & layout::COUNT),
            None => size(Items::new(self.source).remaining()),
        }
    }

    /// Whether the wire claims no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its writer marked it as shared, which only Godot 2 does. O(1).
    #[inline]
    pub fn is_shared(&self) -> bool {
        match self.source.plain_count() {
            Some(count) => count > layout::COUNT,
            None => Items::is_shared(self.source),
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> Elements<'a> {
        Elements(Items::new(self.source))
    }

    /// Element `index`, or `None` past the end. O(bytes before it).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let array = Document::new(bytes, Dialect::Godot4).root()?.as_array()?; // [5, 7]
    /// assert_eq!(array.get(1)?.unwrap().as_i64()?, 7);
    /// assert!(array.get(2)?.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error before the element.
    pub fn get(&self, index: usize) -> Result<Option<VariantView<'a>>> {
        // No document has this many elements.
        let slot = u32::try_from(index).unwrap_or(u32::MAX);
        Items::new(self.source).nth(slot)
    }

    /// The declared type of the elements. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document, ElementType, Kind};
    ///
    /// let bytes = b"\x1c\0\x01\0\x02\0\0\0\0\0\0\0"; // Array[int], empty
    /// let array = Document::new(bytes, Dialect::Godot4).root()?.as_array()?;
    /// assert!(matches!(array.element_type(), ElementType::Builtin(Kind::Int)));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn element_type(&self) -> ElementType<StrView<'a>> {
        match self.source.plain_count() {
            Some(_) => ElementType::Any,
            None => self.declared_type(),
        }
    }

    fn declared_type(&self) -> ElementType<StrView<'a>> {
        let rules = self.source.mode.dialect.rules();
        let mut cursor = self.source.raw.cursor();
        let Ok(header) = Header::read(&mut cursor, rules) else { return ElementType::Any };
        if header.kind != Kind::Array {
            return match layout::typed_element(&mut cursor, header, rules, false) {
                Ok((id, WireType::Any)) => ElementType::Unknown(id),
                Ok((_, wire)) => ElementType::new(wire, self.source.mode.dialect),
                Err(_) => ElementType::Any,
            };
        }
        if !rules.typed_containers {
            return ElementType::Any;
        }
        ElementType::read(&mut cursor, header.first_type(), self.source.mode.dialect)
    }
}

impl<'a> IntoIterator for ArrayView<'a> {
    type Item = Result<VariantView<'a>>;
    type IntoIter = Elements<'a>;

    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &ArrayView<'a> {
    type Item = Result<VariantView<'a>>;
    type IntoIter = Elements<'a>;

    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

impl fmt::Debug for ArrayView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayView")
            .field("offset", &self.offset())
            .field("len", &self.len())
            .field("element_type", &self.element_type())
            .finish()
    }
}

/// Iterator of [`ArrayView::iter`]; ends after the first error.
///
/// O(1) per element. An element that is a container is skipped, O(its bytes), when the next one is read.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0"; // [5, 7], cut off
/// let mut elements = Document::new(bytes, Dialect::Godot4).root()?.as_array()?.iter();
/// assert_eq!(elements.next().unwrap()?.as_i64()?, 5);
/// assert!(elements.next().unwrap().is_err());
/// assert!(elements.next().is_none());
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements<'a>(Items<'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = Result<VariantView<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.value()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(size(self.0.remaining())))
    }

    /// Skips `n` elements, O(their bytes). An error in them is returned in place of the requested element, also past
    /// the last one, and once more by the next call, so that `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        match self.0.skip_for_nth(n)? {
            Ok(()) => Some(self.0.nth_item()?.map(|(_, value)| value)),
            Err(error) => Some(Err(error)),
        }
    }
}

impl core::iter::FusedIterator for Elements<'_> {}

impl<'a> ElementType<StrView<'a>> {
    pub(super) fn read(cursor: &mut Cursor<'a>, form: TypeForm, dialect: Dialect) -> Self {
        match layout::element_type(cursor, form, dialect.rules(), false) {
            Ok(wire) => Self::new(wire, dialect),
            Err(_) => Self::Any,
        }
    }

    fn new(wire: WireType<'a>, dialect: Dialect) -> Self {
        match wire {
            WireType::Any => Self::Any,
            // Godot 4 treats nil as untyped; Pandemonium 5 as a type.
            WireType::Builtin(Kind::Nil) if dialect.rules().typed_containers => Self::Any,
            WireType::Builtin(kind) => Self::Builtin(kind),
            WireType::Class(text, at) => {
                Self::Class(StrView::of_name(text, at.saturating_add(4), dialect))
            }
            WireType::Script(text, at) => {
                Self::Script(StrView::of_name(text, at.saturating_add(4), dialect))
            }
        }
    }
}
