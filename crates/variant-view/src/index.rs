//! [`Index`]: where every value of a document starts and ends.

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

/// Where the values of a document start and end: 8 bytes for each of them.
///
/// An index is a buffer that can be used again; [`Index::build_into`] makes an [`IndexedDocument`] of it.
///
/// Worth its memory where a document is looked into many times, or in places far from its start: without it every
/// container in front of a value is gone through again, with it they are hopped over.
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

/// Where a value starts, and the number of the first value behind it and all that is in it.
///
/// In one word, the offset in its lower half, so that both are moved on with one addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry(u64);

impl Entry {
    #[inline(always)]
    fn new(offset: usize, next: u32) -> Self {
        Self(u64::from(count(offset)) | u64::from(next) << 32)
    }

    #[inline(always)]
    fn offset(self) -> usize {
        size(low_half(self.0))
    }

    #[inline(always)]
    fn next(self) -> u32 {
        low_half(self.0 >> 32)
    }

    /// So much further on.
    #[inline(always)]
    const fn plus(self, by: Self) -> Self {
        Self(self.0.wrapping_add(by.0))
    }
}

#[inline(always)]
fn low_half(word: u64) -> u32 {
    u32::try_from(word & 0xffff_ffff).unwrap_or(u32::MAX)
}

impl Index {
    /// Without memory as yet.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Checks a document as [`Document::validate`] does, and takes down where its values are.
    ///
    /// O(bytes of the document). The memory of the index before is used again; beyond that it grows as values are
    /// found, never by what the document claims to have, up to 8 bytes a value and what `Vec` adds.
    ///
    /// # Errors
    /// Those of [`Document::validate`]; and [`Limit::Bytes`](crate::Limit::Bytes) where a value does not end within the
    /// first 4 GiB less one byte, since offsets have 32 bits. The index is empty then.
    pub fn build_into<'i, 'a>(
        &'i mut self,
        document: Document<'a>,
    ) -> Result<IndexedDocument<'i, 'a>> {
        let summary = build::build(&document, &mut self.entries)?;
        Ok(IndexedDocument { document, entries: &self.entries, summary })
    }

    /// How many bytes of memory it holds on to.
    pub fn memory(&self) -> usize {
        self.entries.capacity().saturating_mul(size_of::<Entry>())
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("values", &self.entries.len()).finish()
    }
}

/// A document that has been checked, with the places of its values.
#[derive(Clone, Copy)]
pub struct IndexedDocument<'i, 'a> {
    document: Document<'a>,
    entries: &'i [Entry],
    summary: Summary,
}

impl<'i, 'a> IndexedDocument<'i, 'a> {
    /// The bytes and how to read them.
    pub const fn document(&self) -> &Document<'a> {
        &self.document
    }

    /// What the check has found out.
    pub const fn summary(&self) -> Summary {
        self.summary
    }

    /// The view of value `number`.
    fn rest(&self, number: u32) -> &'a [u8] {
        let bytes = self.document.bytes();
        let offset = self.entries.get(size(number)).map_or(bytes.len(), |entry| entry.offset());
        bytes.get(offset..).unwrap_or_default()
    }

    /// The root value. O(1).
    ///
    /// # Errors
    /// None: there is a root in every document that could be indexed.
    pub fn root(&self) -> Result<IndexedValue<'i, 'a>> {
        IndexedValue::read(*self, 0)
    }

    /// The values in the order in which they start, containers before what is in them. O(1) for each, but
    /// for string arrays and node paths.
    pub fn values(&self) -> impl Iterator<Item = Result<IndexedValue<'i, 'a>>> + use<'i, 'a> {
        let all = *self;
        (0_u32..).zip(self.entries).map(move |(number, _)| IndexedValue::read(all, number))
    }

    /// The value of a key of the root; see [`IndexedValue::get`].
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`](crate::ErrorKind::NotAContainer) where the root has no keys.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<IndexedValue<'i, 'a>>> {
        self.root()?.get(key)
    }

    /// The value at a path, written as for [`Document::at`]. O(items of each container on the way).
    ///
    /// # Errors
    /// As [`Document::at`].
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
