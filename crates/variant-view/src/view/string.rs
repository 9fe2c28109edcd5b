//! [`StrView`]: text on the wire.

use core::fmt;

use super::Raw;
use crate::bytes::{Cursor, size};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind, Part, Result};
use crate::key::is_same_text;
use crate::text;

/// Text: a `String`, a `StringName`, or a name without a header (of a node path, a property, a class).
///
/// [`StrView::as_bytes`] always succeeds. [`StrView::to_str`] requires UTF-8. [`StrView::engine_bytes`] returns the
/// bytes that the engine reads.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// let bytes = [4, 0, 0, 0, 3, 0, 0, 0, b'h', 0, b'p', 0]; // "h", a NUL, "p"
/// let text = Document::new(&bytes, Dialect::Godot3).root()?.as_text()?;
/// assert_eq!((text.to_str()?, text.engine_text()?), ("h\0p", "h"));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct StrView<'a> {
    raw: Raw<'a>,
    len: u32,
    start: u8,
    dialect: Dialect,
}

impl<'a> StrView<'a> {
    /// The byte offset of the value in the document; for a name without a header, the offset of its text.
    pub const fn offset(&self) -> usize {
        self.raw.offset
    }

    /// The bytes of the value, header and padding included; for a name without a header, only its text. O(1).
    pub const fn raw_bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    pub(crate) const fn raw(&self) -> Raw<'a> {
        self.raw
    }

    /// A `String` or `StringName` value with its header.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn of_variant(raw: Raw<'a>, dialect: Dialect) -> Self {
        Self { raw, len: raw.word(4), start: 8, dialect }
    }

    /// A text without a header; `offset` is that of its first byte.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn of_name(text: &'a [u8], offset: usize, dialect: Dialect) -> Self {
        let raw = Raw { bytes: text, offset };
        Self { raw, len: crate::bytes::count(text.len()), start: 0, dialect }
    }

    /// The bytes of the text, without the terminating NUL that strings of packed arrays have. O(1).
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.raw
            .bytes
            .get(usize::from(self.start)..)
            .and_then(|text| text.get(..size(self.len)))
            .unwrap_or_default()
    }

    /// The length of [`StrView::as_bytes`], in bytes. O(1).
    pub fn len(&self) -> usize {
        size(self.len)
    }

    /// Whether the text has no bytes.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text, borrowed. O(bytes), no allocation. The engine may read only a part: see [`StrView::engine_text`].
    ///
    /// The bytes are checked on each call, even after [`Document::validate`](crate::Document::validate): without unsafe
    /// code only [`core::str::from_utf8`] makes a `str` of bytes, and it reads all bytes. Validation needs no `str`, so
    /// it has a faster check for text of up to 63 bytes that is not all ASCII. The feature `simdutf8` helps from 64
    /// bytes on. A comparison needs no `str`: [`StrView::as_bytes`].
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let text = Document::new(b"\x04\0\0\0\x02\0\0\0h\xe9\0\0", Dialect::Godot2).root()?.as_text()?;
    /// assert_eq!(text.to_str().unwrap_err().offset(), 9); // the offset of the byte 0xe9
    /// assert_eq!(text.to_string(), "h\u{fffd}");
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidText`] with the offset of the first invalid byte if the text is not UTF-8. Older
    /// engines accept more than UTF-8 ([`Dialect::check_text`]).
    pub fn to_str(&self) -> Result<&'a str> {
        text::to_str(self.as_bytes()).ok_or_else(|| self.invalid(Self::as_bytes))
    }

    /// The text with U+FFFD for invalid UTF-8. O(bytes); allocates only for invalid UTF-8.
    #[cfg(feature = "alloc")]
    pub fn to_str_lossy(&self) -> alloc::borrow::Cow<'a, str> {
        use alloc::borrow::Cow;
        // Valid text is the usual case, and its check is faster than that of `from_utf8_lossy`.
        let bytes = self.as_bytes();
        let replaced = || alloc::string::String::from_utf8_lossy(bytes);
        text::to_str(bytes).map_or_else(replaced, Cow::Borrowed)
    }

    /// The part of the bytes that the engine reads: the bytes up to the first NUL, without a leading byte order mark
    /// (docs/spec/format.md#text). O(bytes).
    #[inline]
    pub fn engine_bytes(&self) -> &'a [u8] {
        text::engine_bytes(self.as_bytes())
    }

    /// [`StrView::engine_bytes`] as `str`. O(bytes), no allocation.
    ///
    /// # Errors
    /// Those of [`StrView::to_str`].
    pub fn engine_text(&self) -> Result<&'a str> {
        text::to_str(self.engine_bytes()).ok_or_else(|| self.invalid(Self::engine_bytes))
    }

    /// The code points that the engine reads. In older dialects code points may be surrogates, or numbers up to 2^31 -
    /// 1. The code points are meaningless if [`Dialect::check_text`] refuses the text. O(1) each.
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let surrogate = b"\x04\0\0\0\x03\0\0\0\xed\xa0\x80\0"; // Godot 3 accepts it
    /// let text = Document::new(surrogate, Dialect::Godot3).root()?.as_text()?;
    /// assert!(text.code_points().eq([0xd800]));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn code_points(&self) -> impl Iterator<Item = u32> + Clone + use<'a> {
        CodePoints { rest: self.engine_bytes() }
    }

    /// The dialect of the text.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The error for text that is not UTF-8. `part` returns the bytes of the text.
    #[cold]
    #[inline(never)]
    fn invalid(&self, part: impl Fn(&Self) -> &'a [u8]) -> Error {
        let (all, bytes) = (self.as_bytes(), part(self));
        let valid = core::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        let skipped = bytes.as_ptr().addr().saturating_sub(all.as_ptr().addr());
        let start = self.text_offset().saturating_add(skipped);
        Error::new(ErrorKind::InvalidText, start.saturating_add(valid))
    }

    /// The document offset of the first byte of the text.
    fn text_offset(&self) -> usize {
        self.raw.offset.saturating_add(usize::from(self.start))
    }
}

impl StrView<'_> {
    /// Whether the engine reads the text as `wanted`.
    pub(crate) fn reads_as(&self, wanted: &[u8]) -> bool {
        is_same_text(self.as_bytes(), wanted, self.dialect.rules().text)
    }
}

impl fmt::Display for StrView<'_> {
    /// Prints [`StrView::as_bytes`] with U+FFFD for invalid UTF-8. Width and precision apply only to valid UTF-8, since
    /// other text would need a buffer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(text) = core::str::from_utf8(self.as_bytes()) {
            return f.pad(text);
        }
        for chunk in self.as_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{fffd}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for StrView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for chunk in self.as_bytes().utf8_chunks() {
            write!(f, "{}", chunk.valid().escape_debug())?;
            write!(f, "{}", chunk.invalid().escape_ascii())?;
        }
        f.write_str("\"")
    }
}

/// Iterator of [`StrView::code_points`].
#[derive(Clone)]
struct CodePoints<'a> {
    rest: &'a [u8],
}

impl Iterator for CodePoints<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let mut cursor = Cursor::<'_, Error>::new(self.rest, 0);
        let [lead] = cursor.array(Part::Text).ok()?;
        let (bits, continuations) = match lead {
            0x00..0x80 => (lead, 0_usize),
            0xc0..0xe0 => (lead & 0x1f, 1),
            0xe0..0xf0 => (lead & 0x0f, 2),
            0xf0..0xf8 => (lead & 0x07, 3),
            0xf8..0xfc => (lead & 0x03, 4),
            0xfc..0xfe => (lead & 0x01, 5),
            _ => return None,
        };
        let mut point = u32::from(bits);
        for &byte in cursor.take(continuations, Part::Text).ok()? {
            point = point << 6 | u32::from(byte & 0x3f);
        }
        self.rest = cursor.rest();
        Some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_sees_less_than_there_is() {
        let view = StrView::of_name(b"\xef\xbb\xbfa\0b", 100, Dialect::Godot4);
        assert_eq!(view.engine_text(), Ok("a"));
        assert_eq!(view.to_str(), Ok("\u{feff}a\0b"));
    }

    #[test]
    fn a_bad_byte_is_named() {
        let view = StrView::of_name(b"ab\xff", 100, Dialect::Godot4);
        assert_eq!(view.to_str().map_err(|e| e.offset()), Err(102));
        let view = StrView::of_name(b"\xef\xbb\xbfab\xff", 100, Dialect::Godot4);
        assert_eq!(view.engine_text().map_err(|e| e.offset()), Err(105));
        let view = StrView::of_name(b"a\xff\0cdef", 100, Dialect::Godot4);
        assert_eq!(view.engine_text().map_err(|e| e.offset()), Err(101));
    }

    #[test]
    fn old_engines_count_further() {
        let view = StrView::of_name(b"\xed\xa0\x80\xfd\xbf\xbf\xbf\xbf\xbf", 0, Dialect::Godot3);
        assert!(view.code_points().eq([0xd800, 0x7fff_ffff]));
    }
}
