//! [`ArrayView`]: arrays, typed or not (docs/spec/format.md#array and docs/spec/format.md#typed-containers).

use core::fmt;

use super::items::ItemCursor;
use super::{Items, Raw, Source, StrView, VariantView, source_methods};
use crate::bytes::{Cursor, size};
use crate::dialect::Dialect;
use crate::element_type::ElementType;
use crate::error::Result;
use crate::header::{Header, TypeForm};
use crate::kind::Kind;
use crate::layout::{self, WireType};

/// An array. Its elements are read on access, each by its own header. Engines drop or convert elements that do not fit
/// a declared type; this view returns them unchanged (docs/spec/format.md#typed-containers).
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
    /// The count of elements on the wire. The count is not verified: do not reserve memory for it. O(1).
    #[inline]
    pub fn len(&self) -> usize {
        match self.source.plain_count() {
            Some(count) => size(count & layout::COUNT),
            None => size(ItemCursor::new(self.source).remaining()),
        }
    }

    /// Whether the count of elements on the wire is 0.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the writer marked the array as shared, which only Godot 2 does. O(1).
    #[inline]
    pub fn is_shared(&self) -> bool {
        match self.source.plain_count() {
            Some(count) => count > layout::COUNT,
            None => ItemCursor::is_shared(self.source),
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> Items<'a, VariantView<'a>> {
        Items::of(self.source)
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
        // No document has `u32::MAX` elements, so an index that does not fit gives `None`.
        let slot = u32::try_from(index).unwrap_or(u32::MAX);
        ItemCursor::new(self.source).nth(slot)
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
        ElementType::read(&mut cursor, header.first_type(), self.source.mode.dialect)
    }
}

impl<'a> IntoIterator for ArrayView<'a> {
    type Item = Result<VariantView<'a>>;
    type IntoIter = Items<'a, VariantView<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &ArrayView<'a> {
    type Item = Result<VariantView<'a>>;
    type IntoIter = Items<'a, VariantView<'a>>;

    fn into_iter(self) -> Self::IntoIter {
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
            // Godot 4 treats a declared type of nil as no type, Pandemonium 5 treats it as a type.
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
