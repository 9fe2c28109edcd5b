//! [`Index`]: where each value of a document starts and ends.

mod build;
mod value;

use alloc::vec::Vec;
use core::fmt;

pub use value::{IndexedItems, IndexedPairs, IndexedProperties, IndexedValue};

use crate::bytes::{count, size};
use crate::document::Document;
use crate::error::Result;
use crate::path;
use crate::validate::Summary;
use crate::view::Key;

/// Where each value of a document starts and ends: 8 bytes per value.
///
/// A reusable buffer; [`Index::build_into`] fills it and returns an [`IndexedDocument`].
///
/// Use it for repeated look-ups, or for look-ups far from the start of a document: a view reads all
/// containers in front of a value again on each access, an index skips each in O(1).
///
/// ```
/// use variant_view::{Dialect, Document, Index};
///
/// # let save = [
/// #     28, 0, 0, 0, 2, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// let mut index = Index::new();
/// let document = index.build_into(Document::new(&save, Dialect::Godot4))?;
/// assert_eq!(document.summary().values, 4);
/// let last = document.root()?.index(1)?.unwrap();
/// assert_eq!(last.view().as_i64()?, 7);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Index {
    entries: Vec<Entry>,
}

/// The offset of a value, and the number of the first value after it and everything in it.
///
/// Both in one word, the offset in the lower half, so that one addition shifts both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry(u64);

impl Entry {
    #[inline]
    fn new(offset: usize, next: u32) -> Self {
        Self(u64::from(count(offset)) | u64::from(next) << 32)
    }

    #[inline]
    fn offset(self) -> usize {
        size(low_half(self.0))
    }

    #[inline]
    fn next(self) -> u32 {
        low_half(self.0 >> 32)
    }

    /// The entry shifted by `by`.
    #[inline]
    const fn plus(self, by: Self) -> Self {
        Self(self.0.wrapping_add(by.0))
    }
}

#[inline]
fn low_half(word: u64) -> u32 {
    u32::try_from(word & 0xffff_ffff).unwrap_or(u32::MAX)
}

impl Index {
    /// An empty index; allocates on first use.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Validates a document like [`Document::validate`] and records where its values are.
    ///
    /// O(bytes of the document). Reuses the memory of this index, and grows as values are found, up to 8
    /// bytes per value plus the slack of `Vec`. Counts in the document never decide how much is reserved.
    ///
    /// # Errors
    /// Those of [`Document::validate`]. [`Limit::Bytes`](crate::Limit::Bytes) if a value ends past the
    /// first 4 GiB less one byte, since offsets have 32 bits. The index is empty after an error.
    pub fn build_into<'i, 'a>(
        &'i mut self,
        document: Document<'a>,
    ) -> Result<IndexedDocument<'i, 'a>> {
        let summary = build::build(&document, &mut self.entries)?;
        Ok(IndexedDocument { document, entries: &self.entries, summary })
    }

    /// The allocated memory in bytes. O(1).
    pub fn memory(&self) -> usize {
        self.entries.capacity().saturating_mul(size_of::<Entry>())
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("values", &self.entries.len()).finish()
    }
}

/// A validated document and the positions of its values.
#[derive(Clone, Copy)]
pub struct IndexedDocument<'i, 'a> {
    document: Document<'a>,
    entries: &'i [Entry],
    summary: Summary,
}

impl<'i, 'a> IndexedDocument<'i, 'a> {
    /// The document that was indexed.
    pub const fn document(&self) -> &Document<'a> {
        &self.document
    }

    /// The result of the validation.
    pub const fn summary(&self) -> Summary {
        self.summary
    }

    /// The bytes from value `number` to the end of the document.
    fn rest(&self, number: u32) -> &'a [u8] {
        let bytes = self.document.bytes();
        let offset = self.entries.get(size(number)).map_or(bytes.len(), |entry| entry.offset());
        bytes.get(offset..).unwrap_or_default()
    }

    /// The root value. O(1), except for string arrays and node paths: their texts are measured.
    ///
    /// # Errors
    /// None: every indexed document has a root.
    pub fn root(&self) -> Result<IndexedValue<'i, 'a>> {
        IndexedValue::read(*self, 0)
    }

    /// All values by their offsets, containers before their items. O(1) each, except for string arrays and
    /// node paths: their texts are measured.
    pub fn values(&self) -> impl Iterator<Item = Result<IndexedValue<'i, 'a>>> + use<'i, 'a> {
        let all = *self;
        (0_u32..).zip(self.entries).map(move |(number, _)| IndexedValue::read(all, number))
    }

    /// The value of `key` in the root; see [`IndexedValue::get`].
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`](crate::ErrorKind::NotAContainer) where the root has no keys.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<IndexedValue<'i, 'a>>> {
        self.root()?.get(key)
    }

    /// The value at `path`; [`Document::at`] describes paths. O(items of the containers on the path).
    ///
    /// # Errors
    /// Those of [`Document::at`].
    pub fn at(&self, path: &str) -> Result<IndexedValue<'i, 'a>> {
        path::resolve(self.root()?, path)
    }
}

impl fmt::Debug for IndexedDocument<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexedDocument")
            .field("document", &self.document)
            .field("values", &self.entries.len())
            .finish()
    }
}
