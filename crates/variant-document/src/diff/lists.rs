//! The lists of partners: for keys in another order, and for arrays with insertions.

use super::difference::Side;
use super::half::Half;
use super::ident::{Ident, partners};
use super::level::{Course, Level, Listed};
use super::order::in_order;
use super::sink::Sink;
use super::walk::{Halt, Walk};

/// Items of a container: their offsets, and the digests by which they are matched.
type Items = (Vec<usize>, Vec<Option<Ident>>);

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Pairs the remaining items of the innermost containers by a list of partners. `starts` has the offsets of the
    /// first remaining items, `first` their position, and `left` the numbers of remaining items. O(bytes of the items),
    /// or O(1) for an item that [`Half::list_spans`] has listed.
    pub(super) fn list(
        &mut self,
        starts: (usize, usize),
        first: u32,
        left: (u32, u32),
    ) -> Result<(), Halt<S::Error>> {
        self.list_spans()?;
        let (old, old_ids) = self.items(Side::Old, starts.0, first, left.0)?;
        let (new, new_ids) = self.items(Side::New, starts.1, first, left.1)?;
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

    fn items(
        &mut self,
        side: Side,
        start: usize,
        first: u32,
        count: u32,
    ) -> Result<Items, Halt<S::Error>> {
        let is_array = self.levels.last().is_some_and(Level::is_array);
        // Elements that are not matched by a key get no digests here, since an array may have many elements.
        let has_ids = !is_array || self.rule.by.is_some();
        let mut items = Items::default();
        self.half(side).go_to(start);
        for at in 0..count {
            let label = self.label(side, first.saturating_add(at))?;
            items.0.push(label.start);
            if has_ids {
                let of_element = label.place.by.map(|by| self.idents.of_leaf(&by));
                items.1.push(if is_array { of_element } else { label.ident(self.idents) });
            }
            self.half(side).skip()?;
        }
        Ok(items)
    }

    /// The partners of elements that are not matched by a key. Both cursors must be at the end of their arrays.
    fn in_order(&self, old: &[usize], new: &[usize]) -> Vec<u32> {
        in_order(&self.starts_of(&self.old, old), &self.starts_of(&self.new, new))
    }

    /// Digests of the first bytes of each element. If different bytes may mean the same value, the digests are of the
    /// first values of each element instead.
    fn starts_of(&self, half: &Half<'_>, starts: &[usize]) -> Vec<Option<Ident>> {
        let are_bytes = self.equal.is_one_dialect && !self.rule.has_tolerance();
        let ends = starts.iter().skip(1).copied().chain([half.cursor.offset()]);
        let id = |(start, end): (&usize, usize)| {
            if !are_bytes {
                return self.idents.of_start(half.at(*start), self.rule);
            }
            self.idents.of_head(half.document.bytes().get(*start..end)?)
        };
        starts.iter().zip(ends).map(id).collect()
    }
}
