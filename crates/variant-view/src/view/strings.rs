//! [`PackedStrings`]: the strings of packed arrays, borrowed (docs/spec/format.md#packedstringarray).

use core::fmt;

use super::packed_slice::HEAD;
use super::wire_texts::WireTexts;
use super::{Raw, StrView, raw_methods};
use crate::bytes::{Cursor, count, size};
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

    /// The strings in order, without their terminating NULs. O(1) each.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = StrView<'a>> + Clone + use<'a> {
        self.texts()
    }

    pub(crate) fn texts(&self) -> WireTexts<'a> {
        let bytes = self.raw.bytes.get(HEAD..).unwrap_or_default();
        WireTexts {
            cursor: Cursor::new(bytes, self.raw.offset.saturating_add(HEAD)),
            remaining: count(self.len()),
            dialect: self.dialect,
            has_nul: self.dialect.terminates_strings(),
        }
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

impl fmt::Debug for PackedStrings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
