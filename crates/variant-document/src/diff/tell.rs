//! Reports the differences that a [`Walk`] finds.

use variant_view::VariantView;

use super::difference::Value;
use super::label::Label;
use super::level::Level;
use super::regions::Regions;
use super::sink::Sink;
use super::walk::{Halt, Walk};

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Reports an item that only the old container has.
    pub(super) fn only_old(&mut self, position: u32) -> Result<(), Halt<S::Error>> {
        let start = self.old.cursor.offset();
        let mut label = self.label_old(position)?;
        if let (Some(by), Some(true)) = (&self.rule.by, self.levels.last().map(Level::is_array)) {
            label.place.by = self.old.find(start, by).map_err(Halt::Old)?;
        }
        self.put(&label, &label);
        if self.old.is_ignored() {
            return self.old.skip().map_err(Halt::Old);
        }
        let at = self.old.cursor.offset();
        let next = self.old.cursor.next().map_err(Halt::Old)?;
        self.tell((at, 0), Some(&next.view), None)?;
        self.pass_old(&next)
    }

    /// Reports an item that only the new container has.
    pub(super) fn only_new(&mut self, position: u32) -> Result<(), Halt<S::Error>> {
        let start = self.new.cursor.offset();
        let mut label = self.label_new(position)?;
        if let (Some(by), Some(true)) = (&self.rule.by, self.levels.last().map(Level::is_array)) {
            label.place.by = self.new.find(start, by).map_err(Halt::New)?;
        }
        self.put(&label, &label);
        if self.new.is_ignored() {
            return self.new.skip().map_err(Halt::New);
        }
        let at = self.new.cursor.offset();
        let next = self.new.cursor.next().map_err(Halt::New)?;
        self.tell((0, at), None, Some(&next.view))?;
        self.pass_new(&next)
    }

    /// Reports a difference at the places of the levels, at these offsets of the documents.
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
        let old = old.map(|view| self.old_value(at.0, *view));
        let new = new.map(|view| self.new_value(at.1, *view));
        self.changes.tell(old, new).map_err(Halt::Caller)
    }

    pub(super) fn tell_regions(
        &mut self,
        at: (usize, usize),
        (old, new): (&VariantView<'a>, &VariantView<'a>),
        regions: &Regions,
    ) -> Result<(), Halt<S::Error>> {
        let (old, new) = (self.old_value(at.0, *old), self.new_value(at.1, *new));
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
        let trail = &mut self.trails.0;
        self.changes.tell_order(|| trail.path(places)).map_err(Halt::Caller)
    }

    fn old_value(&mut self, at: usize, view: VariantView<'a>) -> Value<'a> {
        let path = self.trails.0.path(self.levels.iter().map(|level| level.old));
        Value { path, offset: self.starts.0.saturating_add(at), view, elements: None }
    }

    fn new_value(&mut self, at: usize, view: VariantView<'a>) -> Value<'a> {
        let path = self.trails.1.path(self.levels.iter().map(|level| level.new));
        Value { path, offset: self.starts.1.saturating_add(at), view, elements: None }
    }
}
