//! [`Walk`]: reads two documents side by side.

use variant_view::{Kind, VariantView};

use super::alike::are_alike;
use super::changes::Changes;
use super::difference::Side;
use super::half::{Damage, Half};
use super::ident::Idents;
use super::label::Label;
use super::leaf;
use super::level::{Course, Level, Turn};
use super::regions::Regions;
use super::rule::Rule;
use super::run::Run;
use super::sink::Sink;
use crate::nested::is_open;

/// Why the comparison of two documents ended early.
#[derive(Debug)]
pub(super) enum Halt<E> {
    /// One of the documents is damaged.
    Data(Damage),
    /// The error of the sink.
    Caller(E),
}

impl<E> From<Damage> for Halt<E> {
    fn from(damage: Damage) -> Self {
        Self::Data(damage)
    }
}

/// Reads two documents side by side. Compares items in their order up to the first mismatch, and the remaining items by
/// a list of partners. Reads each byte a few times at any depth, without recursion.
pub(super) struct Walk<'w, 'a, S> {
    pub(super) rule: &'w Rule,
    pub(super) idents: &'w Idents,
    pub(super) old: Half<'a>,
    pub(super) new: Half<'a>,
    pub(super) equal: Run,
    pub(super) levels: Vec<Level<'a>>,
    pub(super) changes: Changes<'w, 'a, S>,
}

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Compares the values after the cursors. O(bytes of both) expected.
    pub(super) fn run(&mut self) -> Result<(), Halt<S::Error>> {
        if self.rule.by.is_some() {
            self.list_spans()?;
        }
        self.pair()?;
        while let Some(level) = self.levels.last_mut() {
            match &mut level.course {
                Course::Together { done, old, new } => {
                    let counts = (*done, *old, *new);
                    *done = done.saturating_add(1);
                    self.together(counts)?;
                }
                Course::Listed(listed) => {
                    let turn = listed.turn();
                    self.turn(turn)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn list_spans(&mut self) -> Result<(), Halt<S::Error>> {
        self.old.list_spans()?;
        Ok(self.new.list_spans()?)
    }

    pub(super) const fn half(&mut self, side: Side) -> &mut Half<'a> {
        match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        }
    }

    /// Compares the next items of containers that are read in their order.
    fn together(&mut self, (done, old, new): (u32, u32, u32)) -> Result<(), Halt<S::Error>> {
        if done >= old && done >= new {
            self.old.cursor.exit();
            self.new.cursor.exit();
            self.leave();
            return Ok(());
        }
        if done >= new {
            return self.only(Side::Old, done);
        }
        if done >= old {
            return self.only(Side::New, done);
        }
        let (a, b) = (self.label(Side::Old, done)?, self.label(Side::New, done)?);
        if self.fit(&a, &b, old == new) {
            return self.labelled(&a, &b);
        }
        let left = (old.saturating_sub(done), new.saturating_sub(done));
        self.list((a.start, b.start), done, left)
    }

    /// Whether the next items are partners. `is_as_many` is whether both containers have the same number of items.
    fn fit(&self, a: &Label<'a>, b: &Label<'a>, is_as_many: bool) -> bool {
        if a.place.is_pair {
            return a.is_same(b, self.idents);
        }
        match (&a.place.by, &b.place.by) {
            (Some(a), Some(b)) => self.idents.of_leaf(a) == self.idents.of_leaf(b),
            (None, None) => {
                is_as_many || are_alike((&self.old, a.start), (&self.new, b.start), self.rule)
            }
            _ => false,
        }
    }

    /// Compares the next item of a list.
    fn turn(&mut self, turn: Turn) -> Result<(), Halt<S::Error>> {
        match turn {
            Turn::Pair { old, new } => {
                self.old.go_to(old.0);
                self.new.go_to(new.0);
                let (a, b) = (self.label(Side::Old, old.1)?, self.label(Side::New, new.1)?);
                self.labelled(&a, &b)
            }
            Turn::Alone(side, start, position) => {
                self.half(side).go_to(start);
                self.only(side, position)
            }
            Turn::End => {
                let level = self.levels.last_mut().map(|level| &mut level.course);
                if let Some(Course::Listed(listed)) = level {
                    (self.old.cursor, self.new.cursor) = listed.behind.clone();
                }
                self.leave();
                Ok(())
            }
        }
    }

    fn leave(&mut self) {
        self.levels.pop();
        self.cut();
    }

    /// Reads the label (the key or name) of the next item. For an element, also finds the value by which it is matched:
    /// the path of the element contains this value.
    pub(super) fn label(&mut self, side: Side, position: u32) -> Result<Label<'a>, Halt<S::Error>> {
        let (rule, idents) = (self.rule, self.idents);
        // A container is open while items are read, so the default is never used.
        let kind = self.levels.last().map_or(Kind::Array, |level| level.kind);
        let half = self.half(side);
        let mut label = Label::read(half, kind, position, idents)?;
        if let Some(by) = rule.by.as_ref().filter(|_| !label.place.is_pair) {
            label.place.by = half.find(label.start, by)?;
        }
        Ok(label)
    }

    /// Compares two partners. The cursors are at their values.
    fn labelled(&mut self, a: &Label<'a>, b: &Label<'a>) -> Result<(), Halt<S::Error>> {
        self.put(a, b);
        if a.has_other_kind(b) && !self.rule.is_loose {
            self.tell_keys(a, b)?;
        }
        self.pair()
    }

    /// Sets the items that are compared next.
    pub(super) fn put(&mut self, a: &Label<'a>, b: &Label<'a>) {
        if let Some(level) = self.levels.last_mut() {
            (level.old, level.new) = (a.place, b.place);
        }
        self.cut();
    }

    pub(super) fn cut(&mut self) {
        let level = self.levels.len().saturating_sub(1);
        self.old.trail.cut(level);
        self.new.trail.cut(level);
    }

    fn pair(&mut self) -> Result<(), Halt<S::Error>> {
        if self.old.is_ignored() || self.new.is_ignored() {
            self.old.skip()?;
            return Ok(self.new.skip()?);
        }
        // Only containers are skipped: to skip a leaf takes as long as to read it.
        let is_open = self.old.cursor.kind().is_ok_and(is_open);
        if is_open && self.equal.pass(&mut self.old, &mut self.new) {
            return Ok(());
        }
        let at = (self.old.cursor.offset(), self.new.cursor.offset());
        let (old, old_items) = self.old.cursor.next()?;
        let (new, new_items) = self.new.cursor.next()?;
        match (old_items, new_items) {
            (None, None) => self.leaves(at, &old, &new),
            (Some(a), Some(b)) if leaf::are_comparable(&old, &new) => {
                if !leaf::have_same_types(&old, &new) {
                    self.tell(at, Some(&old), Some(&new))?;
                }
                self.levels.push(Level::new(old.kind(), a, b));
                Ok(())
            }
            _ => {
                self.tell(at, Some(&old), Some(&new))?;
                self.old.skip_items(old.kind(), old_items)?;
                Ok(self.new.skip_items(new.kind(), new_items)?)
            }
        }
    }

    fn leaves(
        &mut self,
        at: (usize, usize),
        old: &VariantView<'a>,
        new: &VariantView<'a>,
    ) -> Result<(), Halt<S::Error>> {
        let is_packed = old.numbers().is_some_and(|numbers| numbers.shape().is_packed);
        // Packed arrays are not compared here: the search below for their regions costs as much as a comparison.
        if !is_packed && leaf::are_same(old, new, self.rule) {
            return Ok(());
        }
        match Regions::of(old, new, self.rule) {
            Some(regions) if regions.is_empty() => Ok(()),
            Some(regions) => self.tell_regions(at, (old, new), &regions),
            None => self.tell(at, Some(old), Some(new)),
        }
    }
}
