//! [`Text`]: bytes, normally UTF-8. Short texts need no allocation.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};

use variant_view::StrView;
use variant_view::internal::ShortText;

/// Text on the wire: bytes, normally UTF-8. Engines accept invalid UTF-8, and older engines write it. A `Text` takes 24
/// bytes, and stores up to 22 bytes inline.
///
/// ```
/// use variant_owned::Text;
///
/// let name = Text::from("Åsa");
/// assert_eq!((name.as_bytes(), name.is_empty()), ("Åsa".as_bytes(), false));
/// ```
#[derive(Clone)]
pub struct Text(Repr);

pub(crate) const INLINE: usize = ShortText::MAX;

#[derive(Clone)]
enum Repr {
    Inline { len: u8, bytes: [u8; INLINE] },
    Heap(Box<[u8]>),
}

const _: () = assert!(size_of::<Text>() == 24, "text fits into a Variant");

impl Text {
    /// The empty text.
    pub const fn new() -> Self {
        Self(Repr::Inline { len: 0, bytes: [0; INLINE] })
    }

    /// A text of any bytes. O(bytes); allocates for more than 22.
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match u8::try_from(bytes.len()) {
            Ok(len) if bytes.len() <= INLINE => Self(Repr::Inline { len, bytes: inline(bytes) }),
            _ => Self(Repr::Heap(bytes.into())),
        }
    }

    /// A short text, copied as a block.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn from_short(text: ShortText<'_>) -> Self {
        Self(Repr::Inline { len: text.len(), bytes: *text.block() })
    }

    /// Replaces the text in place. Measured: building a text and moving it causes store-forwarding stalls.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn set(&mut self, text: &[u8]) {
        match (&mut self.0, u8::try_from(text.len())) {
            (Repr::Inline { len, bytes }, Ok(new)) if text.len() <= INLINE => {
                *len = new;
                // The bytes after the text are always zero.
                *bytes = [0; INLINE];
                copy(text, bytes);
            }
            _ => *self = Self::from_bytes(text),
        }
    }

    /// The bytes. O(1).
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline { len, bytes } => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Repr::Heap(bytes) => bytes,
        }
    }

    /// The text as a block, if it is short and ASCII.
    #[inline]
    pub(crate) fn as_short(&self) -> Option<ShortText<'_>> {
        match &self.0 {
            Repr::Inline { len, bytes } => ShortText::new(bytes, *len),
            Repr::Heap(_) => None,
        }
    }

    /// The text, if it is UTF-8. O(bytes). The engine may read only a part: see [`Text::engine_text`].
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()).ok()
    }

    /// The part of the bytes that the engine reads: the bytes up to the first NUL, without a leading byte order mark
    /// (docs/spec/format.md#text). O(bytes).
    pub fn engine_bytes(&self) -> &[u8] {
        variant_view::engine_bytes(self.as_bytes())
    }

    /// [`Text::engine_bytes`] as `str`, if they are UTF-8. O(bytes).
    ///
    /// ```
    /// use variant_owned::Text;
    ///
    /// let name = Text::from("hp\0of the hero");
    /// assert_eq!((name.engine_text(), name.to_str()), (Some("hp"), Some("hp\0of the hero")));
    /// ```
    pub fn engine_text(&self) -> Option<&str> {
        std::str::from_utf8(self.engine_bytes()).ok()
    }

    /// The text, in which U+FFFD replaces invalid UTF-8. O(bytes); allocates only for invalid UTF-8.
    pub fn to_str_lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.as_bytes())
    }

    /// The length in bytes. O(1).
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Whether the text has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Up to 22 bytes, then zeroes. Measured: two overlapping copies of fixed size are faster than a call with a variable
/// length.
#[inline]
fn inline(bytes: &[u8]) -> [u8; INLINE] {
    let mut inline = [0; INLINE];
    copy(bytes, &mut inline);
    inline
}

#[cfg_attr(not(variant_small), inline(always))]
fn copy(bytes: &[u8], place: &mut [u8; INLINE]) {
    if bytes.len() > 16 {
        copy_ends::<16>(bytes, place);
    } else if bytes.len() >= 8 {
        copy_ends::<8>(bytes, place);
    } else if bytes.len() >= 4 {
        copy_ends::<4>(bytes, place);
    } else {
        for (place, &byte) in place.iter_mut().zip(bytes) {
            *place = byte;
        }
    }
}

/// Copies `N` to `2 * N` bytes: the first `N`, and then the last `N`.
#[inline]
fn copy_ends<const N: usize>(bytes: &[u8], place: &mut [u8; INLINE]) {
    let Some(place) = place.get_mut(..bytes.len()) else { return };
    if let (Some(first), Some(place)) = (bytes.first_chunk::<N>(), place.first_chunk_mut()) {
        *place = *first;
    }
    if let (Some(last), Some(place)) = (bytes.last_chunk::<N>(), place.last_chunk_mut()) {
        *place = *last;
    }
}

/// The line of a byte in a text, and the character in that line, both from 1. O(bytes before it).
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count().saturating_add(1);
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    (line, column.saturating_add(1))
}

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::from_bytes(text.as_bytes())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        if text.len() <= INLINE {
            Self::from(text.as_str())
        } else {
            Self(Repr::Heap(text.into_bytes().into()))
        }
    }
}

impl From<StrView<'_>> for Text {
    fn from(view: StrView<'_>) -> Self {
        Self::from_bytes(view.as_bytes())
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str_lossy())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for chunk in self.as_bytes().utf8_chunks() {
            write!(f, "{}{}", chunk.valid().escape_debug(), chunk.invalid().escape_ascii())?;
        }
        f.write_str("\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_length_and_any_bytes() {
        for len in [0, 1, 21, 22, 23, 1_000] {
            let bytes = vec![0xff; len];
            let text = Text::from_bytes(&bytes);
            assert_eq!(text.as_bytes(), bytes);
            assert_eq!(text, text.clone());
            assert_eq!(text.to_str().is_some(), len == 0);
        }
        assert_eq!(Text::from("abc"), "abc");
        let mut text = Text::from("a text of no more");
        text.set(b"ab");
        assert_eq!(
            text.as_short().map(|text| (*text.block(), text.len())),
            Some((inline(b"ab"), 2))
        );
        text.set(&[b'x'; 30]);
        assert_eq!((text.len(), text.as_short().is_some()), (30, false));
        assert_eq!(Text::from("x".repeat(30)), "x".repeat(30).as_str());
        assert_eq!(format!("{:?}", Text::from_bytes(b"a\"\xff")), "\"a\\\"\\xff\"");
    }
}
