//! [`Dialects`]: which dialect a file is of, judged by several of its values.

use std::cmp::Reverse;

use variant_view::{Candidate, Candidates, Dialect, Reals};

/// The dialects that the values of a file may be of, best first.
///
/// Each value was guessed at by [`variant_view::detect`]. A dialect must fit all that tell something.
/// Values that every dialect reads alike tell nothing, and neither do those that no dialect reads, for
/// they are damaged: these are left out as long as there are others.
#[derive(Clone, Debug)]
pub struct Dialects {
    samples: Vec<Sample>,
    fits: Vec<Fit>,
}

/// How far the best must be ahead to stand alone; as for one value.
const CLEAR_LEAD: u32 = 20;
/// What the best must have at least to be taken for anything; as for one value.
const CREDIBLE: u32 = 50;

/// How many bytes must make sense to tell anything, and how many times as many as to any other dialect.
const TELLING: usize = 64;
const FAR_AHEAD: usize = 3;

/// One value, and what it may be.
#[derive(Clone, Debug)]
struct Sample {
    index: usize,
    len: usize,
    candidates: Candidates,
}

/// What a [`Sample`] is good for; the greater the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// No dialect reads it.
    Damaged,
    /// All dialects read it alike.
    Mute,
    /// It tells dialects apart.
    Telling,
}

impl Sample {
    fn new(index: usize, bytes: &[u8]) -> Self {
        Self { index, len: bytes.len(), candidates: variant_view::detect(bytes) }
    }

    fn worth(&self) -> Worth {
        let Some(first) = self.candidates.iter().find(|c| c.is_complete()) else {
            return Worth::Damaged;
        };
        let others = self.candidates.alike(first).filter(|c| c.is_complete()).count();
        if others.saturating_add(1) == Dialect::ALL.len() { Worth::Mute } else { Worth::Telling }
    }

    fn candidate(&self, dialect: Dialect, reals: Reals) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.dialect() == dialect && c.reals() == reals)
    }

    fn reads_alike(&self, one: &Fit, other: &Fit) -> bool {
        self.candidate(one.dialect(), one.reals()).is_some_and(|candidate| {
            let mut alike = self.candidates.alike(candidate);
            alike.any(|c| c.dialect() == other.dialect() && c.reals() == other.reals())
        })
    }
}

impl Dialects {
    /// Guesses at all of `values`.
    pub(crate) fn new<'a>(values: impl Iterator<Item = &'a [u8]>) -> Self {
        let all: Vec<_> = values.enumerate().map(|(i, value)| Sample::new(i, value)).collect();
        let best = all.iter().map(Sample::worth).max();
        let samples: Vec<_> = all.into_iter().filter(|s| Some(s.worth()) == best).collect();
        let mut fits: Vec<_> = [Reals::ByFlag, Reals::Always64]
            .into_iter()
            .flat_map(|reals| Dialect::ALL.iter().map(move |&dialect| (dialect, reals)))
            .filter_map(|(dialect, reals)| Fit::new(&samples, dialect, reals))
            .collect();
        // Stable: equals stay in the order of the dialects.
        fits.sort_by_key(|fit| Reverse(fit.rank()));
        Self { samples, fits }
    }

    /// The dialects, best first. Those that read the values with [`Reals::Always64`] are there only
    /// where nothing else fits.
    pub fn iter(&self) -> impl Iterator<Item = &Fit> {
        self.fits.iter()
    }

    /// The best one; none if there is not a single value.
    pub fn best(&self) -> Option<&Fit> {
        self.fits.first()
    }

    /// How `dialect` fits, in the better way to read its reals.
    pub fn get(&self, dialect: Dialect) -> Option<&Fit> {
        self.iter().find(|fit| fit.dialect() == dialect)
    }

    /// The best one, if it is credible and clearly ahead of every other reading of the values.
    ///
    /// Several dialects may read them alike; then any of them will do, and the first is given.
    pub fn clear_winner(&self) -> Option<&Fit> {
        let best = self.best().filter(|best| best.is_complete() && best.score >= CREDIBLE)?;
        let bar = best.score.saturating_sub(CLEAR_LEAD);
        let alone = self.iter().skip(1).all(|fit| fit.score <= bar || self.are_alike(best, fit));
        alone.then_some(best)
    }

    /// The best one although it does not fit, if it makes far more sense of the bytes than any other: it
    /// reads several times as many, or leaves several times fewer. A file of this dialect that is
    /// damaged, or that has something else behind its value.
    pub fn likely(&self) -> Option<&Fit> {
        let best = self.best().filter(|best| best.bytes_read >= TELLING && !best.is_complete())?;
        let mut others = self.iter().skip(1).filter(|fit| !self.are_alike(best, fit)).peekable();
        others.peek()?;
        others.all(|fit| self.is_far_ahead(best, fit)).then_some(best)
    }

    fn is_far_ahead(&self, best: &Fit, other: &Fit) -> bool {
        let unread = |fit: &Fit| self.bytes().saturating_sub(fit.bytes_read);
        other.bytes_read <= best.bytes_read / FAR_AHEAD || unread(best) <= unread(other) / FAR_AHEAD
    }

    /// The others that read all the values just as `fit` does.
    pub fn alike<'f>(&'f self, fit: &'f Fit) -> impl Iterator<Item = &'f Fit> {
        self.iter().filter(move |other| self.are_alike(fit, other))
    }

    /// How many values were judged by.
    pub fn values(&self) -> usize {
        self.samples.len()
    }

    /// How many of a hundred bytes that were looked at make sense to `fit`.
    pub(crate) fn share(&self, fit: &Fit) -> usize {
        fit.bytes_read.saturating_mul(100).checked_div(self.bytes()).unwrap_or(0)
    }

    fn bytes(&self) -> usize {
        self.samples.iter().fold(0, |sum, sample| sum.saturating_add(sample.len))
    }

    fn are_alike(&self, one: &Fit, other: &Fit) -> bool {
        self.samples.iter().all(|sample| sample.reads_alike(one, other))
    }
}

/// How one dialect fits the values of a file.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    telling: Candidate,
    telling_index: usize,
    score: u32,
    bytes_read: usize,
    values_read: u64,
}

impl Fit {
    /// None where some value was not tried in this way.
    fn new(samples: &[Sample], dialect: Dialect, reals: Reals) -> Option<Self> {
        let all: Option<Vec<_>> =
            samples.iter().map(|sample| sample.candidate(dialect, reals)).collect();
        let all = all?;
        let misfit = all.iter().position(|candidate| !candidate.is_complete());
        let score = match misfit {
            Some(_) => all.iter().map(|candidate| candidate.score()).min()?,
            None => mean_score(samples, &all),
        };
        let telling = misfit.unwrap_or(0);
        let read = all.iter().map(|candidate| candidate.bytes_read());
        let values = all.iter().flat_map(|candidate| candidate.outcome()).map(|done| done.values);
        Some(Self {
            telling: **all.get(telling)?,
            telling_index: samples.get(telling)?.index,
            score,
            bytes_read: read.fold(0, usize::saturating_add),
            values_read: values.fold(0, u64::saturating_add),
        })
    }

    /// Orders fits. Where values do not fit it says more how far they make sense than how they fail.
    pub(crate) fn rank(&self) -> (bool, u32, usize, u64) {
        let is_complete = self.is_complete();
        let score = if is_complete { self.score } else { 0 };
        (is_complete, score, self.bytes_read, self.values_read)
    }

    /// The dialect.
    pub const fn dialect(&self) -> Dialect {
        self.telling.dialect()
    }

    /// How reals are read.
    pub const fn reals(&self) -> Reals {
        self.telling.reals()
    }

    /// How well it fits, 0 to 100: the mean over the bytes if it fits each value, and else that of the
    /// value which it fits worst.
    pub const fn score(&self) -> u32 {
        self.score
    }

    /// Whether every value that was looked at is one to its last byte.
    pub fn is_complete(&self) -> bool {
        self.telling.is_complete()
    }

    /// How many bytes could be read, whatever became of the rest.
    pub const fn bytes_read(&self) -> usize {
        self.bytes_read
    }

    /// What was found out about the first value that does not fit, or if all do, about the first.
    pub const fn candidate(&self) -> &Candidate {
        &self.telling
    }

    /// Which value of the file [`Fit::candidate`] is about, from 0.
    pub const fn candidate_index(&self) -> usize {
        self.telling_index
    }
}

/// Longer values prove more.
fn mean_score(samples: &[Sample], candidates: &[&Candidate]) -> u32 {
    let weights = || samples.iter().map(|sample| sample.len.max(1));
    let total = weights().fold(0_usize, usize::saturating_add);
    let scores = candidates.iter().map(|c| usize::try_from(c.score()).unwrap_or(0));
    let sum = weights()
        .zip(scores)
        .fold(0_usize, |sum, (weight, score)| sum.saturating_add(weight.saturating_mul(score)));
    sum.checked_div(total).and_then(|mean| u32::try_from(mean).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
    const NIL: [u8; 4] = [0; 4];
    /// `{7: null}` as Godot 4 writes it.
    const DICTIONARY: [u8; 20] = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    const BROKEN: [u8; 4] = [0xff; 4];

    fn dialects(values: &[&[u8]]) -> Dialects {
        Dialects::new(values.iter().copied())
    }

    #[test]
    fn one_telling_value_decides() {
        let all = dialects(&[&INT, &NIL, &INT, &DICTIONARY, &NIL, &INT]);
        assert_eq!(all.clear_winner().map(Fit::dialect), Some(Dialect::Godot4));
        assert_eq!(all.alike(all.best().unwrap()).count(), 0);
        assert_eq!(all.get(Dialect::Godot3).map(Fit::candidate_index), Some(3));
    }

    #[test]
    fn what_all_read_alike_needs_no_decision() {
        let all = dialects(&[&INT, &INT]);
        let winner = all.clear_winner().unwrap();
        assert_eq!(all.alike(winner).count(), 5);
    }

    #[test]
    fn damaged_values_do_not_count() {
        let all = dialects(&[&BROKEN, &DICTIONARY]);
        assert_eq!(all.clear_winner().map(Fit::dialect), Some(Dialect::Godot4));
        assert_eq!(all.values(), 1);
    }

    #[test]
    fn nothing_decides_nothing() {
        assert!(dialects(&[]).best().is_none());
        assert!(dialects(&[&NIL]).clear_winner().is_none());
        let broken = dialects(&[&BROKEN]);
        assert!(broken.clear_winner().is_none());
        assert_eq!(broken.values(), 1);
    }

    #[test]
    fn damage_does_not_hide_the_dialect() {
        let pairs = DICTIONARY[8..].repeat(20);
        let cut = [&[27, 0, 0, 0, 99, 99, 0, 0][..], &pairs].concat();
        let all = dialects(&[&cut]);
        assert!(all.clear_winner().is_none());
        assert_eq!(all.likely().map(Fit::dialect), Some(Dialect::Godot4));
        assert!(dialects(&[&cut[..40]]).likely().is_none());
        assert!(dialects(&[&DICTIONARY]).likely().is_none());
    }

    #[test]
    fn who_reads_furthest_comes_first() {
        // {7: null, 7: null, cut
        let cut = [&[27, 0, 0, 0, 3, 0, 0, 0][..], &DICTIONARY[8..], &DICTIONARY[8..]].concat();
        let all = dialects(&[&cut]);
        assert_eq!(all.best().map(Fit::dialect), Some(Dialect::Godot4));
        assert_eq!(all.best().map(Fit::bytes_read), Some(32));
        assert!(all.clear_winner().is_none());
    }
}
