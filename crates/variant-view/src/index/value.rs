//! [`IndexedValue`]: a value and its place in the index.

use core::fmt;

use super::{Entry, IndexedDocument};
use crate::bytes::{Cursor, size};
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Consumer, FeedError, Input, Producer};
use crate::kind::Kind;
use crate::layout::{self, Extent};
use crate::path::{Navigate, resolve};
use crate::text::before_nul;
use crate::view::{Key, StrView, VariantView};

/// A value of an [`IndexedDocument`]. Skips values in O(1) where a view reads them.
///
/// ```
/// use variant_view::{Dialect, Document, Index};
///
/// let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // [5, 7]
/// let mut index = Index::new();
/// let document = index.build_into(Document::new(&bytes, Dialect::Godot3))?;
/// let seven = document.at("[1]")?;
/// assert_eq!((seven.number(), seven.offset()), (2, 16));
/// assert_eq!(seven.raw_bytes()?, [2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct IndexedValue<'i, 'a> {
    document: IndexedDocument<'i, 'a>,
    entry: Entry,
    number: u32,
    view: VariantView<'a>,
    /// Just past the head of a container, or past the whole of another value.
    behind: Cursor<'a>,
    items: u32,
}

impl<'i, 'a> IndexedValue<'i, 'a> {
    /// Reads value `number` of the document.
    pub(super) fn read(document: IndexedDocument<'i, 'a>, number: u32) -> Result<Self> {
        let Some(&entry) = document.entries.get(size(number)) else {
            let end = document.document.bytes().len();
            return Err(Error::new(ErrorKind::OutsideDocument, end));
        };
        let offset = entry.offset();
        let rest = document.document.bytes().get(offset..).unwrap_or_default();
        let mut behind = Cursor::new(rest, offset);
        let mode = document.document.options().mode();
        let (view, extent) = VariantView::read(&mut behind, mode)?;
        let items = match extent {
            Extent::Leaf => 0,
            Extent::Open { items, .. } => items,
        };
        Ok(Self { document, entry, number, view, behind, items })
    }

    /// The view of the value. O(1).
    pub const fn view(&self) -> VariantView<'a> {
        self.view
    }

    /// The kind of the value. O(1).
    pub const fn kind(&self) -> Kind {
        self.view.kind()
    }

    /// The byte offset of the value in the document. O(1).
    pub const fn offset(&self) -> usize {
        self.view.offset()
    }

    /// The number of the value, counted by offset; the root is 0. O(1).
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The number of values in it, itself included. O(1).
    pub fn values(&self) -> u32 {
        self.entry.next().wrapping_sub(self.number)
    }

    /// The bytes of the value and everything in it, to be forwarded or embedded verbatim. At the very end
    /// of a document padding may be missing, see [`VariantView::raw_bytes`]. O(1), except for string arrays
    /// and node paths: their texts are measured.
    ///
    /// # Errors
    /// None: the document has been validated.
    pub fn raw_bytes(&self) -> Result<&'a [u8]> {
        let bytes = self.document.document.bytes();
        let end = self.end()?.offset();
        Ok(bytes.get(self.offset()..end).unwrap_or_default())
    }

    /// Just past the value and everything in it.
    fn end(&self) -> Result<Cursor<'a>> {
        match self.entry.next().wrapping_sub(1) {
            last if last == self.number => Ok(self.behind),
            last => Self::read(self.document, last).map(|last| last.behind),
        }
    }

    /// The value of `key` in a dictionary, or of the property named `key` in an object. If a key occurs
    /// twice, the last value wins, as in the engines. O(pairs), whatever their sizes; keys that are string
    /// arrays or node paths are measured.
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`] for other kinds.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<Self>> {
        match (self.view, key.into()) {
            (VariantView::Dictionary(_), key) => self.pair(key),
            (VariantView::Object(_), Key::String(name) | Key::StringName(name)) => {
                self.property(name)
            }
            (VariantView::Object(_), _) => Ok(None),
            _ => Err(self.mismatch()),
        }
    }

    fn pair(&self, key: Key<'_>) -> Result<Option<Self>> {
        let mode = self.document.document.options().mode();
        let key = key.cut();
        let mut items = self.items();
        let mut found = None;
        // Values are skipped unread, except the one returned.
        while let (Some(own), Some(value)) = (items.hop(), items.hop()) {
            if key.is(self.document.rest(own), mode)? {
                found = Some(value);
            }
        }
        found.map(|value| Self::read(self.document, value)).transpose()
    }

    fn property(&self, name: &[u8]) -> Result<Option<Self>> {
        let name = before_nul(name);
        let mut found = None;
        for property in self.properties() {
            let (own, value) = property?;
            if own.reads_as(name) {
                found = Some(value);
            }
        }
        Ok(found)
    }

    /// The value at `path`, relative to this one; see [`VariantView::at`]. O(items of the containers on the
    /// path).
    ///
    /// # Errors
    /// Those of [`Document::at`](crate::Document::at).
    pub fn at(&self, path: &str) -> Result<Self> {
        resolve(*self, path)
    }

    /// Element `index` of an array, or `None` past its end. O(`index`), whatever the sizes of the elements.
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`] for other kinds.
    pub fn index(&self, index: usize) -> Result<Option<Self>> {
        match self.view {
            VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_) => self.items().nth(index).transpose(),
            _ => Err(self.mismatch()),
        }
    }

    fn mismatch(&self) -> Error {
        Error::new(ErrorKind::NotAContainer { found: self.kind() }, self.offset())
    }

    /// The elements of an array, the keys and values of a dictionary in turn, or the property values of an
    /// object; nothing for other kinds. O(1) each, except for string arrays and node paths: their texts are
    /// measured.
    pub const fn items(&self) -> IndexedItems<'i, 'a> {
        IndexedItems {
            document: self.document,
            next: self.number.wrapping_add(1),
            left: self.items,
        }
    }

    /// The pairs of a dictionary; nothing for other kinds. O(1) each, except for string arrays and node
    /// paths: their texts are measured.
    pub fn pairs(&self) -> IndexedPairs<'i, 'a> {
        let mut items = self.items();
        if self.kind() != Kind::Dictionary {
            items.left = 0;
        }
        IndexedPairs { items }
    }

    /// The names and values of an object's properties; nothing for other kinds. O(1) each, except for
    /// string arrays and node paths: their texts are measured.
    pub fn properties(&self) -> IndexedProperties<'i, 'a> {
        let mut items = self.items();
        if self.kind() != Kind::Object {
            items.left = 0;
        }
        IndexedProperties { items, name: self.behind }
    }
}

impl Producer for IndexedValue<'_, '_> {
    type Error = Error;

    /// Feeds the view. O(bytes of the value), no allocation.
    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        self.view.feed(consumer)
    }

    fn input(&self) -> Input {
        let options = self.document.document.options();
        Input {
            dialect: Some(options.dialect),
            reals: Some(options.reals),
            max_values: Some(size(self.values())),
        }
    }
}

impl Navigate for IndexedValue<'_, '_> {
    fn kind(&self) -> Kind {
        self.view.kind()
    }

    fn offset(&self) -> usize {
        self.view.offset()
    }

    fn get(&self, key: Key<'_>) -> Result<Option<Self>> {
        self.get(key)
    }

    fn index(&self, index: usize) -> Result<Option<Self>> {
        self.index(index)
    }

    fn child(&self, slot: u32) -> Result<Option<Self>> {
        match self.view {
            VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_)
            | VariantView::Dictionary(_)
            | VariantView::Object(_) => self.items().nth(size(slot)).transpose(),
            _ => Err(self.mismatch()),
        }
    }

    fn child_count(&self) -> u32 {
        self.items
    }
}

impl fmt::Debug for IndexedValue<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexedValue")
            .field("number", &self.number)
            .field("values", &self.values())
            .field("view", &self.view)
            .finish()
    }
}

/// Iterator of [`IndexedValue::items`].
#[derive(Clone, Debug)]
pub struct IndexedItems<'i, 'a> {
    document: IndexedDocument<'i, 'a>,
    /// The number of the next item.
    next: u32,
    left: u32,
}

impl IndexedItems<'_, '_> {
    /// Skips the next item unread and returns its number.
    fn hop(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next = self.document.entries.get(size(item))?.next();
        Some(item)
    }
}

impl<'i, 'a> Iterator for IndexedItems<'i, 'a> {
    type Item = Result<IndexedValue<'i, 'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.hop()?;
        Some(IndexedValue::read(self.document, number))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        // Checked first, so that a large `n` costs nothing.
        if n >= size(self.left) {
            self.left = 0;
            return None;
        }
        for _ in 0..n {
            self.hop()?;
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (size(self.left), Some(size(self.left)))
    }
}

impl ExactSizeIterator for IndexedItems<'_, '_> {}
impl core::iter::FusedIterator for IndexedItems<'_, '_> {}

/// Iterator of [`IndexedValue::pairs`].
#[derive(Clone, Debug)]
pub struct IndexedPairs<'i, 'a> {
    items: IndexedItems<'i, 'a>,
}

impl<'i, 'a> Iterator for IndexedPairs<'i, 'a> {
    type Item = Result<(IndexedValue<'i, 'a>, IndexedValue<'i, 'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.items.next()?;
        let value = self.items.next()?;
        Some(key.and_then(|key| Ok((key, value?))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let pairs = size(self.items.left / 2);
        (pairs, Some(pairs))
    }
}

impl ExactSizeIterator for IndexedPairs<'_, '_> {}
impl core::iter::FusedIterator for IndexedPairs<'_, '_> {}

/// Iterator of [`IndexedValue::properties`].
#[derive(Clone, Debug)]
pub struct IndexedProperties<'i, 'a> {
    items: IndexedItems<'i, 'a>,
    /// The offset of the next name: just past the value before.
    name: Cursor<'a>,
}

impl<'i, 'a> IndexedProperties<'i, 'a> {
    fn read(&mut self, value: IndexedValue<'i, 'a>) -> Result<(StrView<'a>, IndexedValue<'i, 'a>)> {
        let dialect = value.document.document.options().mode().dialect;
        let text = self.name.offset().saturating_add(4);
        let name = layout::string::<false, _>(&mut self.name, dialect.rules())?;
        self.name = value.end()?;
        Ok((StrView::of_name(name, text, dialect), value))
    }
}

impl<'i, 'a> Iterator for IndexedProperties<'i, 'a> {
    type Item = Result<(StrView<'a>, IndexedValue<'i, 'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let value = self.items.next()?;
        Some(value.and_then(|value| self.read(value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl ExactSizeIterator for IndexedProperties<'_, '_> {}
impl core::iter::FusedIterator for IndexedProperties<'_, '_> {}
