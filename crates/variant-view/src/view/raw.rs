//! The bytes of a view: [`Raw`] for one value, [`Source`] for a container.

use crate::bytes::Cursor;
use crate::error::Result;
use crate::header::Header;
use crate::kind::Kind;
use crate::layout;
use crate::options::Mode;
use crate::scan;

/// Bytes of the document, starting at `offset`.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: usize,
}

impl<'a> Raw<'a> {
    pub(crate) const fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.bytes, self.offset)
    }

    /// The bytes between two offsets of the document.
    pub(crate) fn between(self, start: usize, end: usize) -> &'a [u8] {
        let [start, end] = [start, end].map(|at| at.saturating_sub(self.offset));
        self.bytes.get(start..end).unwrap_or_default()
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn word(self, at: usize) -> u32 {
        self.chunk(at).map_or(0, u32::from_le_bytes)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn double_word(self, at: usize) -> u64 {
        self.chunk(at).map_or(0, u64::from_le_bytes)
    }

    /// The `N` bytes at `at`. If `at` is a constant, this costs one comparison.
    #[cfg_attr(not(variant_small), inline(always))]
    fn chunk<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.first_chunk().copied()
    }
}

/// `offset()` and `raw_bytes()` for a view that holds the bytes of exactly one value.
macro_rules! raw_methods {
    ([$($generic:ident)?] $type:ty) => {
        impl<'a $(, $generic)?> $type {
            /// The byte offset of the value in the document.
            pub const fn offset(&self) -> usize {
                self.raw.offset
            }

            /// The bytes of the value, header and padding included. O(1).
            pub const fn raw_bytes(&self) -> &'a [u8] {
                self.raw.bytes
            }

            pub(crate) const fn raw(&self) -> Raw<'a> {
                self.raw
            }
        }
    };
}
pub(super) use raw_methods;

/// `offset()` and `raw_bytes()` for a view of a container.
macro_rules! source_methods {
    ($name:ident) => {
        impl<'a> $name<'a> {
            /// The byte offset of the value in the document.
            pub const fn offset(&self) -> usize {
                self.source.raw.offset
            }

            /// The bytes of the value, to be forwarded verbatim. O(bytes of the value).
            ///
            /// # Errors
            /// The first error inside.
            pub fn raw_bytes(&self) -> Result<&'a [u8]> {
                self.source.extent()
            }

            /// The dialect of the value.
            pub const fn dialect(&self) -> Dialect {
                self.source.mode.dialect
            }

            pub(crate) const fn source(&self) -> Source<'a> {
                self.source
            }

            pub(crate) const fn raw(&self) -> Raw<'a> {
                self.source.raw
            }

            /// The bytes of the container before its first child.
            pub(crate) fn head_bytes(&self) -> &'a [u8] {
                self.source.head()
            }
        }
    };
}
pub(super) use source_methods;

/// A container: its bytes from the header to the end of the document, and the mode for reading them.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) raw: Raw<'a>,
    pub(crate) mode: Mode,
}

impl<'a> Source<'a> {
    /// The count word, if it directly follows the header, as in containers without declared types.
    #[inline]
    pub(crate) fn plain_count(self) -> Option<u32> {
        let rules = self.mode.dialect.rules();
        let header = Header::parse(self.raw.word(0), rules)?;
        let is_plain = match header.kind {
            Kind::Array | Kind::Dictionary => !layout::has_types(header, rules),
            _ => false,
        };
        is_plain.then(|| self.raw.word(4))
    }

    /// The bytes before the first item. O(1).
    pub(crate) fn head(self) -> &'a [u8] {
        let Ok((behind, _)) = layout::measure(self.raw.cursor(), self.mode) else { return &[] };
        self.raw.between(self.raw.offset, behind.offset())
    }

    /// The bytes of the whole value. O(bytes of the value).
    pub(crate) fn extent(self) -> Result<&'a [u8]> {
        let mut cursor = self.raw.cursor();
        scan::skip(&mut cursor, self.mode)?;
        let len = self.raw.bytes.len().saturating_sub(cursor.rest().len());
        Ok(self.raw.bytes.get(..len).unwrap_or(self.raw.bytes))
    }
}
