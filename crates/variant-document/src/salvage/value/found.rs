//! [`Found`]: the place at which reading resumes after a hole (lost bytes), and the containers of the values from there
//! on.

use variant_view::{Document, Kind, Profile};

use super::{Form, Open, Rescue};
use crate::salvage::run::Run;

/// A place at which reading may resume.
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) run: Run,
    /// The rank of this place: 0 is the best, and higher ranks are less likely.
    pub(super) rank: u32,
}

/// The number of bytes after the first possible place that are searched for a better place.
const WINDOW: usize = 256;
/// The maximum number of values after the hole that are compared with the values before the hole.
const LOOK: u32 = 8;
/// The maximum size in bytes of a compared value that is checked for its canonical form.
const MOST_COMPARED: usize = 4_096;

impl Rescue<'_> {
    /// Whether the outer containers lack only elements and pairs, no properties. If so, the last values before the end
    /// belong to the outer containers.
    pub(super) fn is_tail_known(&self) -> bool {
        let outer = self.open.split_last().map_or(&[][..], |(_, outer)| outer);
        outer.iter().all(|open| open.form != Form::Properties || open.left() == 0)
    }

    /// Finds the best place to resume after `start`. It is the first possible place, or a later place within `WINDOW`
    /// bytes whose values are more like the values before the hole.
    pub(super) fn find(&mut self, start: usize) -> Option<Found> {
        let (depth, lacking) = (self.inner().limits.depth, self.lacking());
        let is_tail_known = self.is_tail_known();
        let mut best = None::<Found>;
        let mut last = self.bytes.len();
        let mut at = start.saturating_add(4);
        while at < last && !self.runs.is_tired() {
            let run = self.runs.at(at, depth);
            let top = self.open.last().filter(|top| top.form != Form::Properties)?;
            if let Some(run) = run
                && let Some(rank) = self.rank(top, at, run, is_tail_known.then_some(lacking))
            {
                if best.as_ref().is_none_or(|best| rank < best.rank) {
                    best = Some(Found { start: at, run, rank });
                }
                if rank == 0 {
                    break;
                }
                last = last.min(at.saturating_add(WINDOW));
            }
            at = at.saturating_add(4);
        }
        best
    }

    /// The rank of a run as the continuation of the innermost container; `None` if the run cannot continue the
    /// container. `lacking` is the number of values of the run that belong to the outer containers, if this number is
    /// known.
    fn rank(&self, top: &Open<'_>, at: usize, run: Run, lacking: Option<u32>) -> Option<u32> {
        let is_pairs = top.form == Form::Pairs;
        if run.is_exact
            && let Some(lacking) = lacking
        {
            let Some(own) = run.values.checked_sub(lacking) else {
                return self.rank_short(at, run.values);
            };
            if own > top.left() {
                return None;
            }
            let is_fit = own == 0 || self.is_key_fit(top, at);
            let is_odd = is_pairs && own % 2 == 1;
            return (is_fit && !is_odd).then(|| self.misses(top, at, own));
        }
        let least = if is_pairs { 4 } else { 3 };
        let is_fit = run.values >= least && self.is_key_fit(top, at);
        is_fit.then(|| self.misses(top, at, run.values).saturating_add(LOOK))
    }

    /// The rank of a run that starts here and has fewer values than the outer containers lack. The rank is computed as
    /// in [`Rescue::rank`], for the container that gets the first of these values.
    fn rank_short(&self, at: usize, values: u32) -> Option<u32> {
        let (_, outer) = self.open.split_last()?;
        let mut left = values;
        for open in outer {
            let share = left.min(open.left());
            left = left.saturating_sub(share);
            if left == 0 {
                let is_pairs = open.form == Form::Pairs;
                let is_whole = share > 0 && !(is_pairs && share % 2 == 1);
                let is_fit = is_whole && self.is_key_fit(open, at);
                return is_fit.then(|| self.misses(open, at, share).saturating_add(1));
            }
        }
        None
    }

    /// Whether the next value looks like a key of the dictionary.
    fn is_key_fit(&self, top: &Open<'_>, at: usize) -> bool {
        if top.form != Form::Pairs {
            return true;
        }
        let kind = self.kind(at);
        match top.key_kind {
            Some(known) => kind == Some(known),
            None => matches!(kind, Some(Kind::String | Kind::StringName)),
        }
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.options.dialect.kind(*self.bytes.get(at)?)
    }

    /// The number of values after the hole that look wrong. A value looks wrong if no value before the hole has its
    /// kind, or if an engine would not write its bytes.
    fn misses(&self, top: &Open<'_>, at: usize, own: u32) -> u32 {
        let (mut misses, mut at) = (0_u32, at);
        for index in 0..own.min(LOOK) {
            let Some(end) = self.runs.end_of(at) else { break };
            let is_key = top.form == Form::Pairs && index.is_multiple_of(2);
            let is_alike = match top.form {
                Form::Pairs => !is_key || self.is_key_fit(top, at),
                _ => self.kind(at).is_some_and(|kind| top.kinds.has(kind)),
            };
            let value = self.bytes.get(at..end).unwrap_or_default();
            let is_written = value.len() > MOST_COMPARED || {
                let canonical = self.options.profile(Profile::Canonical);
                Document::new(value, canonical).validate().is_ok()
            };
            misses = misses.saturating_add(u32::from(!is_alike || !is_written));
            at = end;
        }
        misses
    }

    /// Takes the values from here to the end. The last values fill the outer containers, and the others go to the
    /// innermost container. If the outer containers lack more values, the outermost is filled first.
    pub(super) fn take_tail(&mut self, values: u32) {
        self.out.extend_from_slice(self.rest());
        self.at = self.bytes.len();
        let mut left = values;
        if let Some((top, outer)) = self.open.split_last_mut() {
            for open in outer {
                let share = left.min(open.left());
                open.kept = open.kept.saturating_add(share);
                left = left.saturating_sub(share);
            }
            top.kept = top.kept.saturating_add(left);
        }
    }

    /// Adds the bytes after a full root as more items of the root, if all of them can be read.
    pub(super) fn add_rest(&mut self) {
        let at = self.at;
        let Some(root) = self.open.last() else { return };
        let may_add = root.form == Form::Pairs || root.form == Form::Elements && self.is_whole;
        if at >= self.bytes.len() || !may_add {
            return;
        }
        let depth = self.inner().limits.depth;
        let Some(run) = self.runs.at(at, depth).filter(|run| run.is_exact) else { return };
        let is_pairs = root.form == Form::Pairs;
        if is_pairs && (run.values % 2 == 1 || !self.is_key_fit(root, at)) {
            return;
        }
        let is = root.counted(root.claimed.saturating_add(run.values));
        let was = root.counted(root.claimed);
        self.hole(at, at, format!("count too small: {is} items, not {was}"));
        self.take_tail(run.values);
    }
}
