//! [`PackedStrings`]: the strings of packed arrays, borrowed (docs/spec/format.md#packedstringarray).

use core::fmt;

use super::node_path::next_text;
use super::packed_slice::HEAD;
use super::{Raw, StrView, raw_methods};
use crate::bytes::{Cursor, size};
use crate::dialect::Dialect;

/// The strings of a packed array.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // PackedStringArray ["", "a"], as Godot 3 writes it
/// let bytes = [
///     23, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, b'a', 0, 0, 0,
/// ];
/// let strings = Document::new(&bytes, Dialect::Godot3).root()?.as_strings()?;
/// assert!(strings.iter().map(|text| text.as_bytes()).eq([&b""[..], b"a"]));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct PackedStrings<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) dialect: Dialect,
}

raw_methods!([] PackedStrings<'a>);

impl<'a> PackedStrings<'a> {
    /// The number of strings; all are present. A negative count reads as 0. O(1).
    pub fn len(&self) -> usize {
        match self.raw.word(4) {
            count @ 0..=0x7fff_ffff => size(count),
            _ => 0,
        }
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The strings in order, without their terminating NULs.
    pub fn iter(&self) -> Strings<'a> {
        let bytes = self.raw.bytes.get(HEAD..).unwrap_or_default();
        Strings {
            cursor: Cursor::new(bytes, self.raw.offset.saturating_add(HEAD)),
            remaining: self.len(),
            dialect: self.dialect,
        }
    }

    /// The wire position of the strings, and their number.
    pub(crate) fn wire_texts(&self) -> (Cursor<'a>, u32) {
        let Strings { cursor, remaining, .. } = self.iter();
        (cursor, crate::bytes::count(remaining))
    }

    /// The dialect of the array.
    pub(crate) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// String `index`. O(bytes before it).
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let bytes = b"\x22\0\0\0\x01\0\0\0\x03\0\0\0hp\0\0"; // ["hp"], as Godot 4 writes it
    /// let strings = Document::new(bytes, Dialect::Godot4).root()?.as_strings()?;
    /// assert_eq!(strings.get(0).unwrap().to_str()?, "hp");
    /// assert!(strings.get(1).is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn get(&self, index: usize) -> Option<StrView<'a>> {
        self.iter().nth(index)
    }
}

impl<'a> IntoIterator for PackedStrings<'a> {
    type Item = StrView<'a>;
    type IntoIter = Strings<'a>;

    fn into_iter(self) -> Strings<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &PackedStrings<'a> {
    type Item = StrView<'a>;
    type IntoIter = Strings<'a>;

    fn into_iter(self) -> Strings<'a> {
        self.iter()
    }
}

impl fmt::Debug for PackedStrings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Iterator of [`PackedStrings::iter`]. O(1) each.
#[derive(Clone, Debug)]
pub struct Strings<'a> {
    cursor: Cursor<'a>,
    remaining: usize,
    dialect: Dialect,
}

impl<'a> Iterator for Strings<'a> {
    type Item = StrView<'a>;

    fn next(&mut self) -> Option<StrView<'a>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let (text, offset) = next_text(&mut self.cursor)?;
        Some(StrView::of_element(text, offset, self.dialect))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for Strings<'_> {}
impl core::iter::FusedIterator for Strings<'_> {}
