//! [`Texts`]: several texts, from the wire or from memory.

use core::fmt;

use crate::view::{NodePathView, PackedStrings, WireTexts};

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
        Self(Source::Wire(strings.texts()))
    }

    /// The names of a node path. O(1).
    pub fn of_names(path: &NodePathView<'a>) -> Self {
        Self(Source::Wire(path.wire_names()))
    }

    /// The subnames of a node path. O(bytes of the names).
    pub fn of_subnames(path: &NodePathView<'a>) -> Self {
        Self(Source::Wire(path.wire_subnames()))
    }

    /// The number of texts. O(1).
    pub fn len(&self) -> usize {
        match self.0 {
            Source::Wire(wire) => wire.len(),
            Source::List(list) => list.count(),
        }
    }

    /// Whether there are no texts. O(1).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + Clone + use<'a> {
        Iter { source: self.0, next: 0 }
    }
}

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.iter().map(<[u8]>::escape_ascii);
        f.debug_list().entries(texts.map(Escaped)).finish()
    }
}

/// Iterator of [`Texts::iter`]. O(1) each.
#[derive(Clone)]
struct Iter<'a> {
    source: Source<'a>,
    /// The index of the next text in a list.
    next: usize,
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        match &mut self.source {
            Source::Wire(wire) => wire.next().map(|text| text.as_bytes()),
            Source::List(list) => {
                let text = list.text(self.next)?;
                self.next = self.next.saturating_add(1);
                Some(text)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.source {
            Source::Wire(wire) => wire.len(),
            Source::List(list) => list.count().saturating_sub(self.next),
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Prints a text with escapes, for `Debug`.
struct Escaped<'a>(core::slice::EscapeAscii<'a>);

impl fmt::Debug for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}
