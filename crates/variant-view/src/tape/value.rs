//! [`TapeValue`]: one value of a tape, decoded on access.

use core::fmt;
use core::iter::FusedIterator;

use super::items::{Items, Pairs, Properties};
use super::{Node, Tape};
use crate::bytes::{Cursor, count, size};
use crate::document::Document;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Consumer, FeedError, Input, Producer};
use crate::kind::Kind;
use crate::layout;
use crate::options::Mode;
use crate::path::{Navigate, resolve};
use crate::validate::Summary;
use crate::view::{StrView, VariantView};

/// A value on a [`Tape`]: validated, so that no access finds damage.
///
/// `Copy`, 32 bytes: a place on the tape, and the bytes of the document. A tape value finds other values in O(1), while
/// a view reads the bytes again. [`TapeValue::view`] returns the content. Some methods of a view return a [`Result`]
/// only because the bytes may be damaged. Those methods return the plain value here, for example
/// [`TapeValue::raw_bytes`].
///
/// ```
/// use variant_view::{Dialect, Document, Tape};
///
/// # let packet = [27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// let mut tape = Tape::new();
/// let root = tape.read(Document::new(&packet, Dialect::Godot4))?; // {"hp": 7}
/// let [hp, mp] = root.get_many(["hp", "mp"])?;
/// let hp = hp.unwrap();
/// assert_eq!((hp.view().as_i64()?, mp.is_none()), (7, true));
/// assert_eq!((hp.number(), hp.offset(), hp.raw_bytes()), (2, 20, &[2, 0, 0, 0, 7, 0, 0, 0][..]));
/// assert_eq!(root.at("{0:key}")?.view().as_str()?, "hp");
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TapeValue<'t, 'a> {
    tape: &'t Tape,
    /// The whole document.
    bytes: &'a [u8],
    number: u32,
}

const _: () = assert!(size_of::<TapeValue<'_, '_>>() <= 32, "values are passed by value");

impl<'t, 'a> TapeValue<'t, 'a> {
    #[inline]
    pub(crate) const fn root(tape: &'t Tape, bytes: &'a [u8]) -> Self {
        Self { tape, bytes, number: 0 }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn other(self, number: u32) -> Self {
        Self { number, ..self }
    }

    /// All bytes of the document.
    pub(super) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn nodes(&self) -> &'t [Node] {
        self.tape.nodes()
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn node(&self) -> Node {
        // Every value has a node.
        self.nodes().get(size(self.number)).copied().unwrap_or(Node::NONE)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) const fn mode(&self) -> Mode {
        self.tape.options.mode()
    }

    /// The view of the value. O(1).
    #[inline]
    pub fn view(&self) -> VariantView<'a> {
        let node = self.node();
        let bytes = self.bytes.get(node.offset()..).unwrap_or_default();
        VariantView::new(node.kind(), bytes, node.len(), node.offset(), self.mode())
    }

    /// The document that the tape has read. O(1).
    pub fn document(&self) -> Document<'a> {
        Document::new(self.bytes, self.tape.options)
    }

    /// The result of the document's validation. O(1).
    pub const fn summary(&self) -> Summary {
        self.tape.summary
    }

    /// The value and all values in it, ordered by offset: containers come before their items. O(1) each.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Kind, Tape};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// let root = tape.read(Document::new(bytes, Dialect::Godot4))?; // [[5], 7]
    /// let ints = root.values().filter(|value| value.kind() == Kind::Int);
    /// assert!(ints.map(|int| int.offset()).eq([16, 24]));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn values(&self) -> impl ExactSizeIterator<Item = Self> + use<'t, 'a> {
        let value = *self;
        let first = size(self.number);
        let end = first.saturating_add(size(self.value_count()));
        (first..end).map(move |number| value.other(count(number)))
    }

    /// The kind of the value. O(1).
    #[inline]
    pub fn kind(&self) -> Kind {
        self.node().kind()
    }

    /// The byte offset of the value in the document. O(1).
    #[inline]
    pub fn offset(&self) -> usize {
        self.node().offset()
    }

    /// The number of the value, counted by offset; the root is 0. O(1).
    #[inline]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The number of values in the value, itself included. O(1).
    #[inline]
    pub fn value_count(&self) -> u32 {
        self.node().next().wrapping_sub(self.number)
    }

    /// The number of elements of an array, pairs of a dictionary or properties of an object; 0 for other kinds. O(1).
    ///
    /// The number is verified: a caller may reserve memory for it.
    #[inline]
    pub fn len(&self) -> usize {
        let node = self.node();
        let items = size(node.items());
        if node.kind() == Kind::Dictionary { items / 2 } else { items }
    }

    /// Whether the value has no elements, pairs or properties. O(1).
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.node().items() == 0
    }

    /// The bytes of the value and everything in it, to be forwarded or embedded verbatim. At the very end
    /// of a document padding may be missing, see [`VariantView::raw_bytes`]. O(1).
    pub fn raw_bytes(&self) -> &'a [u8] {
        self.bytes.get(self.offset()..self.end()).unwrap_or_default()
    }

    /// The offset just past the value and everything in it.
    pub(super) fn end(&self) -> usize {
        let last = self.other(self.node().next().wrapping_sub(1));
        let node = last.node();
        if node.is_open() { last.head().offset() } else { node.offset().saturating_add(node.len()) }
    }

    /// A cursor just past the part before the first item.
    pub(super) fn head(&self) -> Cursor<'a> {
        let offset = self.offset();
        let start = Cursor::new(self.bytes.get(offset..).unwrap_or_default(), offset);
        // Reading cannot fail, because the same bytes were read before.
        layout::measure(start, self.mode()).map_or(start, |(behind, _)| behind)
    }

    /// The value at `path`, relative to this one; see [`VariantView::at`]. O(items of the containers on the path).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Tape};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// let root = tape.read(Document::new(bytes, Dialect::Godot4))?; // [[5], 7]
    /// assert_eq!(root.at("[0][0]")?.view().as_i64()?, 5);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Document::at`](crate::Document::at).
    pub fn at(&self, path: &str) -> Result<Self> {
        resolve(*self, path)
    }

    /// Element `index` of an array, or `None` past its end. O(1) if no element has children, otherwise O(`index`), for
    /// elements of any size.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Tape};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// let root = tape.read(Document::new(bytes, Dialect::Godot4))?; // [[5], 7]
    /// assert_eq!(root.index(1)?.unwrap().view().as_i64()?, 7);
    /// assert!(root.index(2)?.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`] for other kinds.
    pub fn index(&self, index: usize) -> Result<Option<Self>> {
        match self.kind() {
            Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => Ok(self.items().nth(index)),
            _ => Err(self.mismatch()),
        }
    }

    pub(super) fn mismatch(&self) -> Error {
        Error::new(ErrorKind::NotAContainer { found: self.kind() }, self.offset())
    }

    /// The elements of an array, the keys and values of a dictionary in turn, or the property values of an
    /// object; nothing for other kinds. O(1) each.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Tape};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// let root = tape.read(Document::new(bytes, Dialect::Godot4))?; // [5, 7]
    /// let ints: Vec<i64> = root.items().map(|item| item.view().as_i64()).collect::<Result<_, _>>()?;
    /// assert_eq!((ints, root.items().len()), (vec![5, 7], 2));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn items(
        &self,
    ) -> impl ExactSizeIterator<Item = Self> + FusedIterator + Clone + use<'t, 'a> {
        Items::new(*self, self.node())
    }

    /// The pairs of a dictionary in wire order, duplicates included; nothing for other kinds. O(1) each.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Tape};
    /// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// let root = tape.read(Document::new(bytes, Dialect::Godot4))?; // {"hp": 7}
    /// for (key, value) in root.pairs() {
    ///     assert_eq!((key.view().as_str()?, value.view().as_i64()?), ("hp", 7));
    /// }
    /// assert_eq!(root.pairs().len(), 1);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn pairs(
        &self,
    ) -> impl ExactSizeIterator<Item = (Self, Self)> + FusedIterator + Clone + use<'t, 'a> {
        Pairs::new(*self, self.node())
    }

    /// The names and values of an object's properties in wire order, duplicates included; nothing for other
    /// kinds. O(1) each.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Options, Tape};
    /// # let bytes = b"\x11\0\0\0\x04\0\0\0Node\x01\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    /// # let mut tape = Tape::new();
    /// // A Node with hp = 7. Options made from only a dialect refuse objects.
    /// let node = tape.read(Document::new(bytes, Options::engine(Dialect::Godot3)))?;
    /// let (name, value) = node.properties().next().unwrap();
    /// assert_eq!((name.to_str()?, value.view().as_i64()?), ("hp", 7));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn properties(
        &self,
    ) -> impl ExactSizeIterator<Item = (StrView<'a>, Self)> + FusedIterator + Clone + use<'t, 'a>
    {
        Properties::new(*self, self.node())
    }
}

impl Producer for TapeValue<'_, '_> {
    type Error = Error;

    /// Feeds the view. O(bytes of the value), no allocation.
    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        self.view().feed(consumer)
    }

    /// The number of values is exact, since it comes from the tape.
    fn input(&self) -> Input {
        let options = &self.tape.options;
        Input {
            dialect: Some(options.dialect),
            reals: Some(options.reals),
            max_values: Some(size(self.value_count())),
        }
    }
}

impl Navigate for TapeValue<'_, '_> {
    fn kind(&self) -> Kind {
        self.kind()
    }

    fn offset(&self) -> usize {
        self.offset()
    }

    fn get(&self, key: crate::view::Key<'_>) -> Result<Option<Self>> {
        self.get(key)
    }

    fn index(&self, index: usize) -> Result<Option<Self>> {
        self.index(index)
    }

    fn child(&self, slot: u32) -> Result<Option<Self>> {
        match self.kind() {
            Kind::Array
            | Kind::TypedArray
            | Kind::PackedTypedArray
            | Kind::Dictionary
            | Kind::Object => Ok(self.items().nth(size(slot))),
            _ => Err(self.mismatch()),
        }
    }

    fn child_count(&self) -> u32 {
        self.node().items()
    }
}

impl fmt::Debug for TapeValue<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapeValue")
            .field("number", &self.number)
            .field("values", &self.value_count())
            .field("view", &self.view())
            .finish()
    }
}
