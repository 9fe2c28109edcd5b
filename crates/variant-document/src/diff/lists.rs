//! The lists of partners: for keys in another order, and for arrays with insertions.

use super::half::{Cursor, Half};
use super::ident::{Ident, partners};
use super::level::{Course, Level, Listed};
use super::order::in_order;
use super::sink::Sink;
use super::walk::{Halt, Walk};

/// The items of a container from one on: their offsets and the digests that match them.
type Items = (Vec<usize>, Vec<Option<Ident>>);

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Continues with a list from these items on, whose first position is `first`. O(bytes of the items), not counting
    /// deeply nested ones.
    pub(super) fn list(
        &mut self,
        starts: (usize, usize),
        first: u32,
        left: (u32, u32),
    ) -> Result<(), Halt<S::Error>> {
        self.list_spans()?;
        let (old, old_ids) = self.items_of_old(starts.0, first, left.0)?;
        let (new, new_ids) = self.items_of_new(starts.1, first, left.1)?;
        let behind = (self.old.cursor.clone(), self.new.cursor.clone());
        let has_ids = old_ids.iter().chain(&new_ids).any(Option::is_some);
        let partners =
            if has_ids { partners(&old_ids, &new_ids) } else { self.in_order(&old, &new) };
        let listed = Listed::new(first, (old, new), partners, behind);
        if listed.is_reordered() {
            self.tell_order()?;
        }
        if let Some(level) = self.levels.last_mut() {
            level.course = Course::Listed(Box::new(listed));
        }
        Ok(())
    }

    fn items_of_old(
        &mut self,
        start: usize,
        first: u32,
        count: u32,
    ) -> Result<Items, Halt<S::Error>> {
        let is_array = self.levels.last().is_some_and(Level::is_array);
        // Elements that are matched by nothing have no digests, and may be many.
        let has_ids = !is_array || self.rule.by.is_some();
        let mut items = Items::default();
        self.old.go_to(start);
        for at in 0..count {
            let start = self.old.cursor.offset();
            let label = self.label_old(first.saturating_add(at))?;
            let by = self.rule.by.as_ref().filter(|_| is_array);
            let by = by.map(|by| self.old.find(start, by)).transpose().map_err(Halt::Old)?;
            let of_element = by.flatten().map(|by| self.idents.of_leaf(&by));
            items.0.push(start);
            if has_ids {
                items.1.push(if is_array { of_element } else { label.ident(self.idents) });
            }
            self.old.skip().map_err(Halt::Old)?;
        }
        Ok(items)
    }

    fn items_of_new(
        &mut self,
        start: usize,
        first: u32,
        count: u32,
    ) -> Result<Items, Halt<S::Error>> {
        let is_array = self.levels.last().is_some_and(Level::is_array);
        // Elements that are matched by nothing have no digests, and may be many.
        let has_ids = !is_array || self.rule.by.is_some();
        let mut items = Items::default();
        self.new.go_to(start);
        for at in 0..count {
            let start = self.new.cursor.offset();
            let label = self.label_new(first.saturating_add(at))?;
            let by = self.rule.by.as_ref().filter(|_| is_array);
            let by = by.map(|by| self.new.find(start, by)).transpose().map_err(Halt::New)?;
            let of_element = by.flatten().map(|by| self.idents.of_leaf(&by));
            items.0.push(start);
            if has_ids {
                items.1.push(if is_array { of_element } else { label.ident(self.idents) });
            }
            self.new.skip().map_err(Halt::New)?;
        }
        Ok(items)
    }

    /// The partners of elements without a matching key. Both cursors are after the last.
    fn in_order(&self, old: &[usize], new: &[usize]) -> Vec<u32> {
        in_order(&self.starts_of(&self.old, old), &self.starts_of(&self.new, new))
    }

    /// Digests of the first bytes of elements. Where other bytes may mean the same, digests of the first values.
    fn starts_of(&self, side: &Half<'_>, starts: &[usize]) -> Vec<Option<Ident>> {
        let are_bytes = self.equal.is_one_dialect && !self.rule.has_tolerance();
        let ends = starts.iter().skip(1).copied().chain([side.cursor.offset()]);
        let id = |(start, end): (&usize, usize)| {
            if !are_bytes {
                return self.idents.of_start(Cursor::new(&side.document, *start), self.rule);
            }
            self.idents.of_head(side.document.bytes().get(*start..end)?)
        };
        starts.iter().zip(ends).map(id).collect()
    }
}
