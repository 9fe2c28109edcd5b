//! [`Texts`]: several texts, from the wire or from memory.

use core::fmt;

use crate::bytes::{Cursor, size};
use crate::view::{NodePathView, PackedStrings, next_text};

/// Texts in order, borrowed: the strings of a [`Kind::PackedStringArray`](crate::Kind::PackedStringArray),
/// or the names of a node path. `Copy`, 32 bytes.
///
/// ```
/// use variant_view::Texts;
///
/// let list: &[&str] = &["axe", "bow"];
/// let texts = Texts::of(&list);
/// assert_eq!(texts.len(), 2);
/// assert!(texts.iter().eq([b"axe", b"bow"]));
/// ```
#[derive(Clone, Copy)]
pub struct Texts<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Wire(WireTexts<'a>),
    List(&'a dyn List),
}

/// Texts on the wire that have been measured: all are present.
#[derive(Clone, Copy)]
struct WireTexts<'a> {
    cursor: Cursor<'a>,
    remaining: u32,
    /// Whether each text's length counts a terminating NUL.
    has_nul: bool,
}

/// Byte strings in memory, of any type.
trait List {
    fn count(&self) -> usize;
    fn text(&self, index: usize) -> Option<&[u8]>;
}

impl<T: AsRef<[u8]>> List for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn text(&self, index: usize) -> Option<&[u8]> {
        self.get(index).map(AsRef::as_ref)
    }
}

const NONE: &&[&[u8]] = &[].as_slice();

impl<'a> Texts<'a> {
    /// No texts.
    pub const EMPTY: Self = Self(Source::List(NONE));

    /// The texts of a slice of byte strings. O(1).
    pub const fn of<T: AsRef<[u8]>>(list: &'a &'a [T]) -> Self {
        Self(Source::List(list))
    }

    /// The strings of a packed array, without their terminating NULs. O(1).
    pub fn of_strings(strings: &PackedStrings<'a>) -> Self {
        let (cursor, remaining) = strings.wire_texts();
        let has_nul = strings.dialect().terminates_strings();
        Self(Source::Wire(WireTexts { cursor, remaining, has_nul }))
    }

    /// The names of a node path. O(1).
    pub fn of_names(path: &NodePathView<'a>) -> Self {
        let (cursor, remaining) = path.names().wire_texts();
        Self(Source::Wire(WireTexts { cursor, remaining, has_nul: false }))
    }

    /// The subnames of a node path. O(bytes of the names).
    pub fn of_subnames(path: &NodePathView<'a>) -> Self {
        let (cursor, remaining) = path.subnames().wire_texts();
        Self(Source::Wire(WireTexts { cursor, remaining, has_nul: false }))
    }

    /// The number of texts. O(1).
    pub fn len(&self) -> usize {
        match self.0 {
            Source::Wire(wire) => size(wire.remaining),
            Source::List(list) => list.count(),
        }
    }

    /// Whether there are no texts. O(1).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The texts in order.
    pub const fn iter(&self) -> TextsIter<'a> {
        TextsIter { source: self.0, next: 0 }
    }
}

impl<'a> IntoIterator for Texts<'a> {
    type Item = &'a [u8];
    type IntoIter = TextsIter<'a>;

    fn into_iter(self) -> TextsIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &Texts<'a> {
    type Item = &'a [u8];
    type IntoIter = TextsIter<'a>;

    fn into_iter(self) -> TextsIter<'a> {
        self.iter()
    }
}

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().fmt(f)
    }
}

/// Iterator of [`Texts::iter`]. O(1) each.
#[derive(Clone)]
pub struct TextsIter<'a> {
    source: Source<'a>,
    /// The index of the next text in a list.
    next: usize,
}

impl<'a> Iterator for TextsIter<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        match &mut self.source {
            Source::Wire(wire) => wire.next(),
            Source::List(list) => {
                let text = list.text(self.next)?;
                self.next = self.next.saturating_add(1);
                Some(text)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.source {
            Source::Wire(wire) => size(wire.remaining),
            Source::List(list) => list.count().saturating_sub(self.next),
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for TextsIter<'_> {}
impl core::iter::FusedIterator for TextsIter<'_> {}

impl fmt::Debug for TextsIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.clone().map(<[u8]>::escape_ascii);
        f.debug_list().entries(texts.map(Escaped)).finish()
    }
}

/// For `Debug`.
struct Escaped<'a>(core::slice::EscapeAscii<'a>);

impl fmt::Debug for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}

impl<'a> WireTexts<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        self.remaining = self.remaining.checked_sub(1)?;
        let (text, _) = next_text(&mut self.cursor)?;
        Some(match text.strip_suffix(b"\0") {
            Some(text) if self.has_nul => text,
            _ => text,
        })
    }
}
