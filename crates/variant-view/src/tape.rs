//! [`Tape`]: a validated document as a list of its values.

mod accessors;
mod build;
mod fill;
mod find;
mod items;
mod node;
mod value;

use alloc::vec::Vec;
use core::fmt;

pub use items::{TapeItems, TapePairs, TapeProperties};
pub use value::TapeValue;

use crate::dialect::Dialect;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::event::{Consumer, FeedError, Input, Producer};
use crate::options::Options;
use crate::validate::Summary;
use crate::view::Key;
use node::Node;

/// The values of a validated document, one after another: 16 bytes each, text and numbers borrowed from the document.
///
/// A reusable buffer; [`Tape::read`] fills it and returns a [`TapeDocument`].
///
/// Use it where a document is validated and several values of it are read: a tape is filled by the pass that
/// validates, skips each value in O(1), and its values cannot be damaged. A view needs no memory and no previous pass,
/// but reads all containers before a value again on each access.
///
/// | work | [`Document`] | [`Tape`] |
/// |---|---|---|
/// | validate | O(bytes) | O(bytes), and 16 bytes a value are written |
/// | a key of a dictionary | O(bytes of the dictionary) | O(pairs), whatever their sizes |
/// | element `n` of an array | O(bytes before it) | O(n); O(1) where no element has children |
/// | the next sibling | O(bytes of the value) | O(1) |
/// | the bytes of a value | O(bytes of the value) | O(1) |
///
/// ```
/// use variant_view::{Dialect, Document, Tape};
///
/// # let save = [
/// #     28, 0, 0, 0, 2, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// let mut tape = Tape::new();
/// let document = tape.read(Document::new(&save, Dialect::Godot4))?; // [[5], 7]
/// assert_eq!(document.summary().values, 4);
/// let last = document.root().index(1)?.unwrap();
/// assert_eq!(last.as_i64()?, 7);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone)]
pub struct Tape {
    /// The nodes of the document that was read last, then leftover nodes of earlier documents.
    all: Vec<Node>,
    /// The options of the document that was read last.
    options: Options,
    summary: Summary,
}

const NOTHING: Summary = Summary { consumed: 0, values: 0, depth: 0 };

impl Tape {
    /// An empty tape; allocates on first use.
    pub const fn new() -> Self {
        Self { all: Vec::new(), options: Options::new(Dialect::Godot4), summary: NOTHING }
    }

    /// Validates a document like [`Document::validate`] and records its values.
    ///
    /// O(bytes of the document). Reuses the memory of this tape, and grows as values are found, up to 16 bytes per
    /// value plus the slack of `Vec`. Counts in the document never decide how much is reserved. A tape that has read a
    /// document with at least as many values allocates nothing, except with
    /// [`Profile::Canonical`](crate::Profile::Canonical), whose check for duplicate keys does.
    ///
    /// # Errors
    /// Those of [`Document::validate`]. [`Limit::Bytes`](crate::Limit::Bytes) if a value ends past the
    /// first 4 GiB less one byte, since offsets have 32 bits. The tape is empty after an error.
    pub fn read<'t, 'a>(&'t mut self, document: Document<'a>) -> Result<TapeDocument<'t, 'a>> {
        self.summary = NOTHING;
        self.summary = build::build(&document, &mut self.all)?;
        self.options = *document.options();
        Ok(TapeDocument { root: TapeValue::new(self, document.bytes(), 0) })
    }

    /// A node for each value, containers before their items.
    #[inline]
    fn nodes(&self) -> &[Node] {
        let values = usize::try_from(self.summary.values).unwrap_or(usize::MAX);
        self.all.get(..values).unwrap_or_default()
    }

    /// The allocated memory in bytes. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document, Tape};
    ///
    /// let mut tape = Tape::new();
    /// assert_eq!(tape.memory(), 0);
    /// tape.read(Document::new(b"\x02\0\0\0\x07\0\0\0", Dialect::Godot4))?;
    /// assert!(tape.memory() >= 16);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn memory(&self) -> usize {
        self.all.capacity().saturating_mul(size_of::<Node>())
    }
}

impl Default for Tape {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").field("values", &self.nodes().len()).finish_non_exhaustive()
    }
}

/// A document on a [`Tape`]: validated, so that no access finds damage. `Copy`, 32 bytes.
///
/// ```
/// use variant_view::{Dialect, Document, Tape};
///
/// # let packet = [27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// let mut tape = Tape::new();
/// let document = tape.read(Document::new(&packet, Dialect::Godot4))?; // {"hp": 7}
/// let [hp, mp] = document.get_many(["hp", "mp"])?;
/// assert_eq!((hp.unwrap().as_i64()?, mp.is_none()), (7, true));
/// assert_eq!(document.at("{0:key}")?.as_str()?, "hp");
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TapeDocument<'t, 'a> {
    root: TapeValue<'t, 'a>,
}

impl<'t, 'a> TapeDocument<'t, 'a> {
    /// The document that was read. O(1).
    pub fn document(&self) -> Document<'a> {
        Document::new(self.root.bytes(), self.root.tape().options)
    }

    /// The result of the validation. O(1).
    pub const fn summary(&self) -> Summary {
        self.root.tape().summary
    }

    /// The root value. O(1).
    pub const fn root(&self) -> TapeValue<'t, 'a> {
        self.root
    }

    /// All values by their offsets, containers before their items. O(1) each.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Kind, Tape};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let mut tape = Tape::new();
    /// let document = tape.read(Document::new(bytes, Dialect::Godot4))?; // [[5], 7]
    /// let ints = document.values().filter(|value| value.kind() == Kind::Int);
    /// assert!(ints.map(|int| int.offset()).eq([16, 24]));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn values(&self) -> impl ExactSizeIterator<Item = TapeValue<'t, 'a>> + use<'t, 'a> {
        let root = self.root;
        let values = crate::bytes::count(root.tape().nodes().len());
        (0..values).map(move |number| root.other(number))
    }

    /// The value of `key` in the root; see [`TapeValue::get`].
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`](crate::ErrorKind::NotAContainer) where the root has no keys.
    #[inline]
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<TapeValue<'t, 'a>>> {
        self.root.get(key)
    }

    /// The values of several keys in the root; see [`TapeValue::get_many`].
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`](crate::ErrorKind::NotAContainer) where the root has no keys.
    #[inline]
    pub fn get_many<'k, K: Into<Key<'k>>, const N: usize>(
        &self,
        keys: [K; N],
    ) -> Result<[Option<TapeValue<'t, 'a>>; N]> {
        self.root.get_many(keys)
    }

    /// The value at `path`; [`Document::at`] describes paths. O(items of the containers on the path).
    ///
    /// # Errors
    /// Those of [`Document::at`].
    pub fn at(&self, path: &str) -> Result<TapeValue<'t, 'a>> {
        self.root.at(path)
    }
}

impl Producer for TapeDocument<'_, '_> {
    type Error = Error;

    /// Feeds the document. O(bytes), no allocation.
    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        self.document().feed(consumer)
    }

    fn input(&self) -> Input {
        self.root.input()
    }
}

impl fmt::Debug for TapeDocument<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapeDocument")
            .field("document", &self.document())
            .field("values", &self.root.tape().nodes().len())
            .finish()
    }
}
