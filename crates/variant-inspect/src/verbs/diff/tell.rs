//! What a [`Walk`] tells of differences.

use variant_view::VariantView;

use super::changes::Told;
use super::label::Label;
use super::level::Level;
use super::regions::Regions;
use super::walk::{Stop, Walk};

impl<'a> Walk<'_, 'a, '_, '_, '_> {
    /// An item that only the old container has.
    pub(super) fn only_old(&mut self, position: u32) -> Result<(), Stop> {
        let start = self.old.cursor.offset();
        let mut label = self.label_old(position)?;
        if let (Some(by), Some(true)) = (&self.rule.by, self.levels.last().map(Level::is_array)) {
            label.place.by = self.old.find(start, by).map_err(Stop::Old)?;
        }
        self.put(&label, &label);
        if self.old.is_ignored() {
            return self.old.skip().map_err(Stop::Old);
        }
        let at = self.old.cursor.offset();
        let next = self.old.cursor.next().map_err(Stop::Old)?;
        self.tell((at, 0), Some(&next.view), None)?;
        self.pass_old(&next)
    }

    /// An item that only the new container has.
    pub(super) fn only_new(&mut self, position: u32) -> Result<(), Stop> {
        let start = self.new.cursor.offset();
        let mut label = self.label_new(position)?;
        if let (Some(by), Some(true)) = (&self.rule.by, self.levels.last().map(Level::is_array)) {
            label.place.by = self.new.find(start, by).map_err(Stop::New)?;
        }
        self.put(&label, &label);
        if self.new.is_ignored() {
            return self.new.skip().map_err(Stop::New);
        }
        let at = self.new.cursor.offset();
        let next = self.new.cursor.next().map_err(Stop::New)?;
        self.tell((0, at), None, Some(&next.view))?;
        self.pass_new(&next)
    }

    /// A difference at the places of the levels; at these offsets of the documents.
    pub(super) fn tell(
        &mut self,
        at: (usize, usize),
        old: Option<&VariantView<'a>>,
        new: Option<&VariantView<'a>>,
    ) -> Result<(), Stop> {
        if self.changes.is_full() {
            self.changes.count(old.is_some(), new.is_some())?;
            return Ok(());
        }
        let old = old.map(|view| self.told_old(at.0, *view));
        let new = new.map(|view| self.told_new(at.1, *view));
        Ok(self.changes.tell(old.as_ref(), new.as_ref(), self.terminal)?)
    }

    pub(super) fn tell_regions(
        &mut self,
        at: (usize, usize),
        (old, new): (&VariantView<'a>, &VariantView<'a>),
        regions: &Regions,
    ) -> Result<(), Stop> {
        let (old, new) = (self.told_old(at.0, *old), self.told_new(at.1, *new));
        Ok(self.changes.tell_regions(&old, &new, regions, self.terminal)?)
    }

    /// Keys of equal text and different kinds.
    pub(super) fn tell_keys(&mut self, a: &Label<'a>, b: &Label<'a>) -> Result<(), Stop> {
        if let Some(level) = self.levels.last_mut() {
            (level.old.is_key, level.new.is_key) = (true, true);
        }
        self.tell((a.start, b.start), a.key.as_ref(), b.key.as_ref())?;
        self.put(a, b);
        Ok(())
    }

    /// The innermost container has its items in another order.
    pub(super) fn tell_order(&mut self) -> Result<(), Stop> {
        self.cut();
        let outer = self.levels.len().saturating_sub(1);
        let places = self.levels.iter().take(outer).map(|level| level.old);
        let trail = &mut self.trails.0;
        Ok(self.changes.reordered(|| trail.path(places), self.terminal)?)
    }

    fn told_old(&mut self, at: usize, view: VariantView<'a>) -> Told<'a> {
        let path = self.trails.0.path(self.levels.iter().map(|level| level.old));
        Told { path, offset: self.starts.0.saturating_add(at), view }
    }

    fn told_new(&mut self, at: usize, view: VariantView<'a>) -> Told<'a> {
        let path = self.trails.1.path(self.levels.iter().map(|level| level.new));
        Told { path, offset: self.starts.1.saturating_add(at), view }
    }
}
