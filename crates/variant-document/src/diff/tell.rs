//! Reports the differences that a [`Walk`] finds.

use variant_view::VariantView;

use super::difference::{Side, Value};
use super::label::Label;
use super::regions::Regions;
use super::sink::Sink;
use super::walk::{Halt, Walk};

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Reports an item that only one of the containers has.
    pub(super) fn only(&mut self, side: Side, position: u32) -> Result<(), Halt<S::Error>> {
        let label = self.label(side, position)?;
        self.put(&label, &label);
        let half = self.half(side);
        if half.is_ignored() {
            return Ok(half.skip()?);
        }
        let at = half.cursor.offset();
        let (view, items) = half.cursor.next()?;
        match side {
            Side::Old => self.tell((at, 0), Some(&view), None)?,
            Side::New => self.tell((0, at), None, Some(&view))?,
        }
        Ok(self.half(side).skip_items(view.kind(), items)?)
    }

    /// Reports a difference of the current items. `at` has the offsets of the two values in their documents.
    pub(super) fn tell(
        &mut self,
        at: (usize, usize),
        old: Option<&VariantView<'a>>,
        new: Option<&VariantView<'a>>,
    ) -> Result<(), Halt<S::Error>> {
        if self.changes.is_full() {
            self.changes.count(old.is_some(), new.is_some());
            return Ok(());
        }
        let old = old.map(|view| self.value(Side::Old, at.0, *view));
        let new = new.map(|view| self.value(Side::New, at.1, *view));
        self.changes.tell(old, new).map_err(Halt::Caller)
    }

    pub(super) fn tell_regions(
        &mut self,
        at: (usize, usize),
        (old, new): (&VariantView<'a>, &VariantView<'a>),
        regions: &Regions,
    ) -> Result<(), Halt<S::Error>> {
        let old = self.value(Side::Old, at.0, *old);
        let new = self.value(Side::New, at.1, *new);
        self.changes.tell_regions(&old, &new, regions).map_err(Halt::Caller)
    }

    /// Reports keys of equal text and different kinds.
    pub(super) fn tell_keys(&mut self, a: &Label<'a>, b: &Label<'a>) -> Result<(), Halt<S::Error>> {
        if let Some(level) = self.levels.last_mut() {
            (level.old.is_key, level.new.is_key) = (true, true);
        }
        self.tell((a.start, b.start), a.key.as_ref(), b.key.as_ref())?;
        self.put(a, b);
        Ok(())
    }

    /// Reports that the innermost container has its items in another order.
    pub(super) fn tell_order(&mut self) -> Result<(), Halt<S::Error>> {
        self.cut();
        let outer = self.levels.len().saturating_sub(1);
        let places = self.levels.iter().take(outer).map(|level| level.old);
        let trail = &mut self.old.trail;
        self.changes.tell_order(|| trail.path(places)).map_err(Halt::Caller)
    }

    fn value(&mut self, side: Side, at: usize, view: VariantView<'a>) -> Value<'a> {
        let half = match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        };
        let path = half.trail.path(self.levels.iter().map(|level| level.place(side)));
        Value { path, offset: half.start.saturating_add(at), view, elements: None }
    }
}
