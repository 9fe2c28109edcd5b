//! [`WireTexts`]: texts on the wire that have been measured, one after another.

use super::StrView;
use crate::bytes::{Cursor, padding, size};
use crate::dialect::Dialect;
use crate::error::Part;

/// The strings of a packed array, or the names of a node path; all are present. Iterating is O(1) each.
#[derive(Clone, Copy)]
pub(crate) struct WireTexts<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) remaining: u32,
    pub(super) dialect: Dialect,
    /// Whether the length of a text normally includes a terminating NUL.
    pub(super) has_nul: bool,
}

#[expect(
    clippy::copy_iterator,
    reason = "the iterator is also the list that leaves contain by value"
)]
impl<'a> Iterator for WireTexts<'a> {
    type Item = StrView<'a>;

    #[inline]
    fn next(&mut self) -> Option<StrView<'a>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let (text, offset) = next_text(&mut self.cursor)?;
        let text = match text.strip_suffix(b"\0") {
            Some(text) if self.has_nul => text,
            _ => text,
        };
        Some(StrView::of_name(text, offset, self.dialect))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (size(self.remaining), Some(size(self.remaining)))
    }
}

impl ExactSizeIterator for WireTexts<'_> {}

/// Reads one text that has been measured before.
pub(super) fn next_text<'a>(cursor: &mut Cursor<'a>) -> Option<(&'a [u8], usize)> {
    let length = cursor.u32(Part::TextLength).ok()?;
    let offset = cursor.offset();
    let text = cursor.take(size(length), Part::Text).ok()?;
    cursor.take_up_to(size(padding(length)));
    Some((text, offset))
}
