//! [`Changes`]: counts and reports the differences of two values.

use super::difference::{Change, Difference, Value, slice};
use super::regions::Regions;
use super::rule::Rule;
use super::sink::Sink;
use super::summary::Summary;
use crate::plain::Piece;

/// The destination of the differences of two values.
pub(super) struct Changes<'c, 'a, S> {
    pub(super) rule: &'c Rule,
    pub(super) piece: Piece<'a>,
    pub(super) summary: &'c mut Summary,
    pub(super) sink: &'c mut S,
}

impl<'a, S: Sink<'a>> Changes<'_, 'a, S> {
    /// Whether the next difference is only counted, not reported.
    pub(super) fn is_full(&self) -> bool {
        let is_full = |limit| self.summary.total(self.rule.is_ordered) >= limit;
        self.rule.limit.is_some_and(is_full)
    }

    pub(super) fn count(&mut self, has_old: bool, has_new: bool) {
        let count = match (has_old, has_new) {
            (true, true) => &mut self.summary.changed,
            (true, false) => &mut self.summary.removed,
            _ => &mut self.summary.added,
        };
        *count = count.saturating_add(1);
    }

    /// Reports a value that is in one file only, or differs.
    pub(super) fn tell(
        &mut self,
        old: Option<Value<'a>>,
        new: Option<Value<'a>>,
    ) -> Result<(), S::Error> {
        let is_told = !self.is_full();
        self.count(old.is_some(), new.is_some());
        match (old, new) {
            (Some(old), Some(new)) if is_told => self.pass(Change::Changed { old, new }),
            (Some(old), None) if is_told => self.pass(Change::Removed(old)),
            (None, Some(new)) if is_told => self.pass(Change::Added(new)),
            _ => Ok(()),
        }
    }

    /// Reports elements of packed arrays that differ.
    pub(super) fn tell_regions(
        &mut self,
        old: &Value<'a>,
        new: &Value<'a>,
        regions: &Regions,
    ) -> Result<(), S::Error> {
        for region in &regions.first {
            if self.is_full() {
                self.count(!region.old.is_empty(), !region.new.is_empty());
            } else {
                self.tell(old.part(&region.old), new.part(&region.new))?;
            }
        }
        if regions.others == 0 {
            return Ok(());
        }
        let is_told = !self.is_full();
        self.summary.changed = self.summary.changed.saturating_add(regions.others);
        if is_told {
            let path = slice(&old.path, &regions.within);
            let (elements, ranges) = (regions.elements, regions.others);
            self.pass(Change::Others { path, elements, ranges })?;
        }
        Ok(())
    }

    /// Reports a container in which the order differs.
    pub(super) fn tell_order(&mut self, path: impl FnOnce() -> String) -> Result<(), S::Error> {
        let is_told = self.rule.is_ordered && !self.is_full();
        self.summary.reordered = self.summary.reordered.saturating_add(1);
        if is_told { self.pass(Change::Reordered { path: path() }) } else { Ok(()) }
    }

    fn pass(&mut self, change: Change<'a>) -> Result<(), S::Error> {
        self.sink.difference(Difference { piece: self.piece, change })
    }
}
