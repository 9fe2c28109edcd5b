//! [`Walk`]: reads two documents side by side.

use variant_view::{Error, Kind, Next};

use super::alike::are_alike;
use super::changes::Changes;
use super::half::Half;
use super::ident::Idents;
use super::label::{Label, is_open};
use super::leaf;
use super::level::{Course, Level, Turn};
use super::regions::Regions;
use super::rule::Rule;
use super::run::Run;
use super::sink::Sink;
use super::trail::Trail;

/// Why the comparison of two documents ended early.
#[derive(Debug)]
pub(super) enum Halt<E> {
    /// The old one is damaged, or the new one.
    Old(Error),
    New(Error),
    /// The error of the sink.
    Caller(E),
}

/// Two documents read side by side, item by item, as long as the items fit; after that by a list of partners. Reads
/// each byte a few times, whatever the depth, without recursion.
pub(super) struct Walk<'w, 'a, S> {
    pub(super) rule: &'w Rule,
    pub(super) idents: &'w Idents,
    pub(super) old: Half<'a>,
    pub(super) new: Half<'a>,
    pub(super) equal: Run,
    /// The offsets of the documents in their files.
    pub(super) starts: (usize, usize),
    pub(super) levels: Vec<Level<'a>>,
    /// The paths of the old and the new.
    pub(super) trails: (Trail, Trail),
    pub(super) changes: Changes<'w, 'a, S>,
}

impl<'a, S: Sink<'a>> Walk<'_, 'a, S> {
    /// Compares the values after the cursors. O(bytes of both), expected.
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
        self.old.list_spans().map_err(Halt::Old)?;
        self.new.list_spans().map_err(Halt::New)
    }

    /// Compares the next items of containers that are read in their order.
    fn together(&mut self, (done, old, new): (u32, u32, u32)) -> Result<(), Halt<S::Error>> {
        if done >= old && done >= new {
            self.old.cursor.exit();
            self.new.cursor.exit();
            self.leave();
            return Ok(());
        }
        let starts = (self.old.cursor.offset(), self.new.cursor.offset());
        if done >= new {
            return self.only_old(done);
        }
        if done >= old {
            return self.only_new(done);
        }
        let (mut a, mut b) = (self.label_old(done)?, self.label_new(done)?);
        if self.fit(starts, (&mut a, &mut b), old == new)? {
            return self.labelled(&a, &b);
        }
        self.list(starts, done, (old.saturating_sub(done), new.saturating_sub(done)))
    }

    /// Whether the next items are partners.
    fn fit(
        &mut self,
        starts: (usize, usize),
        (a, b): (&mut Label<'a>, &mut Label<'a>),
        is_as_many: bool,
    ) -> Result<bool, Halt<S::Error>> {
        if !self.levels.last().is_some_and(Level::is_array) {
            return Ok(a.is_same(b, self.idents));
        }
        if let Some(by) = &self.rule.by {
            a.place.by = self.old.find(starts.0, by).map_err(Halt::Old)?;
            b.place.by = self.new.find(starts.1, by).map_err(Halt::New)?;
            match (&a.place.by, &b.place.by) {
                (Some(a), Some(b)) => {
                    return Ok(self.idents.of_leaf(a) == self.idents.of_leaf(b));
                }
                (None, None) => {}
                _ => return Ok(false),
            }
        }
        let are_alike = || are_alike((&self.old, starts.0), (&self.new, starts.1), self.rule);
        Ok(is_as_many || are_alike())
    }

    /// Compares the next item of a list.
    fn turn(&mut self, turn: Turn) -> Result<(), Halt<S::Error>> {
        match turn {
            Turn::Pair { old, new } => {
                self.old.go_to(old.0);
                self.new.go_to(new.0);
                let (mut a, mut b) = (self.label_old(old.1)?, self.label_new(new.1)?);
                self.find_by(&mut a, old.0, &mut b, new.0)?;
                self.labelled(&a, &b)
            }
            Turn::Old(start, position) => {
                self.old.go_to(start);
                self.only_old(position)
            }
            Turn::New(start, position) => {
                self.new.go_to(start);
                self.only_new(position)
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

    /// Finds the values that elements were matched by: paths name them.
    fn find_by(
        &mut self,
        a: &mut Label<'a>,
        old: usize,
        b: &mut Label<'a>,
        new: usize,
    ) -> Result<(), Halt<S::Error>> {
        let Some(by) = &self.rule.by else { return Ok(()) };
        if self.levels.last().is_some_and(Level::is_array) {
            a.place.by = self.old.find(old, by).map_err(Halt::Old)?;
            b.place.by = self.new.find(new, by).map_err(Halt::New)?;
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.levels.pop();
        self.cut();
    }

    pub(super) fn label_old(&mut self, position: u32) -> Result<Label<'a>, Halt<S::Error>> {
        let kind = self.kind();
        Label::read(&mut self.old, kind, position, self.idents).map_err(Halt::Old)
    }

    pub(super) fn label_new(&mut self, position: u32) -> Result<Label<'a>, Halt<S::Error>> {
        let kind = self.kind();
        Label::read(&mut self.new, kind, position, self.idents).map_err(Halt::New)
    }

    /// The kind of the innermost container. There is one while items are read.
    fn kind(&self) -> Kind {
        self.levels.last().map_or(Kind::Array, |level| level.kind)
    }

    /// Compares two partners, whose values come next.
    fn labelled(&mut self, a: &Label<'a>, b: &Label<'a>) -> Result<(), Halt<S::Error>> {
        self.put(a, b);
        if a.has_other_kind(b) && !self.rule.is_loose {
            self.tell_keys(a, b)?;
        }
        self.pair()
    }

    /// Sets the items that are compared from now on.
    pub(super) fn put(&mut self, a: &Label<'a>, b: &Label<'a>) {
        if let Some(level) = self.levels.last_mut() {
            (level.old, level.new) = (a.place, b.place);
        }
        self.cut();
    }

    pub(super) fn cut(&mut self) {
        let level = self.levels.len().saturating_sub(1);
        self.trails.0.cut(level);
        self.trails.1.cut(level);
    }

    /// Compares the next values.
    fn pair(&mut self) -> Result<(), Halt<S::Error>> {
        if self.old.is_ignored() || self.new.is_ignored() {
            self.old.skip().map_err(Halt::Old)?;
            return self.new.skip().map_err(Halt::New);
        }
        // Leaves are read as fast as they are skipped.
        let is_open = self.old.cursor.kind().is_ok_and(is_open);
        if is_open && self.equal.pass(&mut self.old, &mut self.new) {
            return Ok(());
        }
        let at = (self.old.cursor.offset(), self.new.cursor.offset());
        let old = self.old.cursor.next().map_err(Halt::Old)?;
        let new = self.new.cursor.next().map_err(Halt::New)?;
        match (old.items, new.items) {
            (None, None) => self.leaves(at, &old, &new),
            (Some(a), Some(b)) if leaf::are_comparable(&old.view, &new.view) => {
                if !leaf::have_same_types(&old.view, &new.view) {
                    self.tell(at, Some(&old.view), Some(&new.view))?;
                }
                self.levels.push(Level::new(old.view.kind(), a, b));
                Ok(())
            }
            _ => {
                self.tell(at, Some(&old.view), Some(&new.view))?;
                self.pass_old(&old)?;
                self.pass_new(&new)
            }
        }
    }

    fn leaves(
        &mut self,
        at: (usize, usize),
        old: &Next<'a>,
        new: &Next<'a>,
    ) -> Result<(), Halt<S::Error>> {
        let (old, new) = (&old.view, &new.view);
        let is_packed = old.numbers().is_some_and(|numbers| numbers.shape().is_packed);
        // Finding the regions of numbers costs no more than comparing them.
        if !is_packed && leaf::are_same(old, new, self.rule) {
            return Ok(());
        }
        match Regions::of(old, new, self.rule) {
            Some(regions) if regions.is_empty() => Ok(()),
            Some(regions) => self.tell_regions(at, (old, new), &regions),
            None => self.tell(at, Some(old), Some(new)),
        }
    }

    /// Skips the items of a container whose head was read.
    pub(super) fn pass_old(&mut self, next: &Next<'a>) -> Result<(), Halt<S::Error>> {
        let Some(items) = next.items else { return Ok(()) };
        self.old.skip_items(next.view.kind(), items).map_err(Halt::Old)
    }

    pub(super) fn pass_new(&mut self, next: &Next<'a>) -> Result<(), Halt<S::Error>> {
        let Some(items) = next.items else { return Ok(()) };
        self.new.skip_items(next.view.kind(), items).map_err(Halt::New)
    }
}
