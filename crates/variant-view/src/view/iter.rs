//! [`Items`]: the iterator of arrays, dictionaries and objects.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::items::ItemCursor;
use super::{Source, StrView, VariantView};
use crate::bytes::size;
use crate::error::Result;

/// Iterator over the elements of an array, the pairs of a dictionary or the properties of an object; ends after the
/// first error.
///
/// O(1) per item. A value that is a container is skipped, O(its bytes), when the next item is read; a key that is a
/// container is skipped at once. `nth` skips items, O(their bytes). If a skipped item has an error, `nth` and the next
/// call return this error, even if `nth` is past the last item. So `skip` and `step_by` report damage.
///
/// ```
/// use variant_view::{Dialect, Document, Options};
///
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0"; // [5, 7], cut off
/// let mut elements = Document::new(bytes, Dialect::Godot4).root()?.as_array()?.iter();
/// assert_eq!(elements.next().unwrap()?.as_i64()?, 5);
/// assert!(elements.next().unwrap().is_err());
/// assert!(elements.next().is_none());
///
/// let bytes = b"\x11\0\0\0\x04\0\0\0Node\x01\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
/// let node = Document::new(bytes, Options::engine(Dialect::Godot3)).root()?.as_object()?; // a Node with hp = 7
/// for property in node.properties() {
///     let (name, value) = property?;
///     assert_eq!((name.to_str()?, value.as_i64()?), ("hp", 7));
/// }
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Items<'a, T> {
    cursor: ItemCursor<'a>,
    marker: PhantomData<fn() -> T>,
}

impl<'a, T> Items<'a, T> {
    pub(super) fn of(container: Source<'a>) -> Self {
        Self { cursor: ItemCursor::new(container), marker: PhantomData }
    }
}

/// Elements.
impl<'a> Iterator for Items<'a, VariantView<'a>> {
    type Item = Result<VariantView<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.cursor.value()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(size(self.cursor.remaining())))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        match self.cursor.skip_for_nth(n)? {
            Ok(()) => Some(self.cursor.nth_item()?.map(|(_, value)| value)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Keys with their values.
impl<'a> Iterator for Items<'a, (VariantView<'a>, VariantView<'a>)> {
    type Item = Result<(VariantView<'a>, VariantView<'a>)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = match self.cursor.value()? {
            Ok(key) => key,
            Err(error) => return Some(Err(error)),
        };
        Some(self.cursor.value()?.map(|value| (key, value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(size(self.cursor.remaining()) / 2))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let key = match self.cursor.skip_for_nth(n.saturating_mul(2))? {
            Ok(()) => self.cursor.nth_item()?,
            Err(error) => Err(error),
        };
        match key {
            Ok((_, key)) => Some(self.cursor.nth_item()?.map(|(_, value)| (key, value))),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Names with their values.
impl<'a> Iterator for Items<'a, (StrView<'a>, VariantView<'a>)> {
    type Item = Result<(StrView<'a>, VariantView<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.cursor.property()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(size(self.cursor.remaining())))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        match self.cursor.skip_for_nth(n)? {
            Ok(()) => self.cursor.nth_item(),
            Err(error) => Some(Err(error)),
        }
    }
}

impl<T> FusedIterator for Items<'_, T> where Self: Iterator {}
