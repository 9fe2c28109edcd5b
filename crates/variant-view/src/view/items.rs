//! Iteration over the items of a container.

use super::{Source, StrView, VariantView};
use crate::bytes::Cursor;
use crate::contents::{Contents, OpenContainer};
use crate::error::{ErrorKind, Limit, Result};
use crate::layout::{self, Extent};
use crate::options::Mode;
use crate::scan;

/// Reads the items of a container in order; ends at the first error.
///
/// An item that is a container is skipped only when the next item is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItemCursor<'a> {
    cursor: Cursor<'a>,
    /// The mode for items: its depth limit is lower by one than that of the container's mode.
    mode: Mode,
    no_level_left: bool,
    form: Contents,
    remaining: u32,
    /// Whether [`ItemCursor::nth_item`] returned an error, which the next call returns again.
    has_failed: bool,
    /// The last item, if it is a container that has not been skipped.
    open: Option<Cursor<'a>>,
}

impl<'a> ItemCursor<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        let (cursor, remaining, form) = match layout::measure(source.raw.cursor(), source.mode) {
            Ok((behind, Extent::Open { items, form })) => (behind, items, form),
            // Null objects and objects by id have no items.
            _ => (source.raw.cursor(), 0, Contents::Elements),
        };
        Self {
            cursor,
            mode: source.mode.inner(),
            no_level_left: source.mode.depth == 0,
            form,
            remaining,
            has_failed: false,
            open: None,
        }
    }

    /// Bit 31 of a container's count. The count is the last word before the first item.
    pub(super) fn is_shared(source: Source<'_>) -> bool {
        let Ok((behind, _)) = layout::measure(source.raw.cursor(), source.mode) else {
            return false;
        };
        let head = source.raw.bytes.len().saturating_sub(behind.rest().len());
        source.raw.word(head.saturating_sub(4)) > 0x7fff_ffff
    }

    /// The number of unread items.
    pub(super) const fn remaining(&self) -> u32 {
        self.remaining
    }

    #[inline]
    pub(super) fn value(&mut self) -> Option<Result<VariantView<'a>>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let item = self.read();
        Some(self.fuse(item).map(|(_, value)| value))
    }

    /// The name and value of the next property.
    pub(super) fn property(&mut self) -> Option<Result<(StrView<'a>, VariantView<'a>)>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let property = self.read();
        Some(self.fuse(property))
    }

    /// Skips `slot` items and reads the next.
    pub(super) fn nth(&mut self, slot: u32) -> Result<Option<VariantView<'a>>> {
        if slot >= self.remaining {
            return Ok(None);
        }
        self.hop(slot)?;
        self.value().transpose()
    }

    /// Skips `items` items for `nth` of an iterator. Returns the first error among the skipped items, so that adapters
    /// such as `skip` report damage. Returns `None` if the skipped items are the last ones and have no error.
    pub(super) fn skip_for_nth(&mut self, items: usize) -> Option<Result<()>> {
        if let Some(items) = u32::try_from(items).ok().filter(|&items| items < self.remaining) {
            return Some(self.hop(items));
        }
        let last = self.remaining.checked_sub(1)?;
        let outcome = self.hop(last).map(|()| self.nth_item());
        outcome.map_or_else(|error| Some(Err(error)), |last| last?.err().map(Err))
    }

    /// The next item for `nth` of an iterator. The adapter `skip` drops the result of `nth` before it calls `next`. So
    /// an error is kept for the next call, which returns it again and ends the iterator.
    pub(super) fn nth_item(&mut self) -> Option<Result<(StrView<'a>, VariantView<'a>)>> {
        let start = *self;
        let item = self.property()?;
        if item.is_err() && !start.has_failed {
            *self = Self { remaining: 1, has_failed: true, ..start };
        }
        Some(item)
    }

    /// Skips `items` values. At least one more value remains.
    fn hop(&mut self, items: u32) -> Result<()> {
        if items == 0 {
            return Ok(());
        }
        let frame = OpenContainer::new(items, self.form);
        let mut start = *self;
        if !self.no_level_left
            && start.close().is_ok()
            && let Some(behind) = scan::skip_items(start.cursor, frame, self.mode)
        {
            self.open = None;
            self.cursor = behind;
            self.remaining = self.remaining.saturating_sub(items);
            return Ok(());
        }
        // Items that are few or damaged are skipped one by one. The error is then the one that iterating would return.
        for _ in 0..items {
            self.nth_item().transpose()?;
        }
        Ok(())
    }

    /// Skips the next property and returns its name and the start of its value.
    #[inline]
    pub(super) fn skip_named(&mut self) -> Option<Result<(StrView<'a>, Cursor<'a>)>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let start = self.skip_value();
        Some(self.fuse(start))
    }

    /// Reads a value at a start that [`ItemCursor::skip_named`] returned.
    pub(super) fn read_at(&self, cursor: Cursor<'a>) -> Result<VariantView<'a>> {
        VariantView::starting(cursor.rest(), cursor.offset(), self.mode)
    }

    /// Skips the last item, if it is a container.
    fn close(&mut self) -> Result<()> {
        if let Some(mut start) = self.open.take() {
            scan::skip(&mut start, self.mode)?;
            self.cursor = start;
        }
        Ok(())
    }

    /// Moves to the next value, and returns the property name before it, if any.
    #[inline]
    fn begin(&mut self) -> Result<StrView<'a>> {
        self.close()?;
        let name = match self.form {
            Contents::Properties => {
                layout::string::<false, _>(&mut self.cursor, self.mode.dialect.rules())?
            }
            Contents::Elements | Contents::Pairs => &[],
        };
        if self.no_level_left {
            return Err(self.cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth }));
        }
        // Name and padding precede the value.
        let offset = self.cursor.offset().saturating_sub(name.len().next_multiple_of(4));
        Ok(StrView::of_name(name, offset, self.mode.dialect))
    }

    #[inline]
    fn read(&mut self) -> Result<(StrView<'a>, VariantView<'a>)> {
        let name = self.begin()?;
        let start = self.cursor;
        let (view, extent) = VariantView::read(&mut self.cursor, self.mode)?;
        if matches!(extent, Extent::Open { items: 1.., .. }) {
            self.open = Some(start);
        }
        Ok((name, view))
    }

    #[inline]
    fn skip_value(&mut self) -> Result<(StrView<'a>, Cursor<'a>)> {
        let name = self.begin()?;
        let start = self.cursor;
        scan::skip(&mut self.cursor, self.mode)?;
        Ok((name, start))
    }

    #[inline]
    fn fuse<T>(&mut self, result: Result<T>) -> Result<T> {
        if result.is_err() {
            self.remaining = 0;
        }
        result
    }
}
