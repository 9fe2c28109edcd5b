//! [`Fit`]: the fit of one dialect to the values of a file.

use std::fmt::Display;

use variant_view::{Dialect, Page, Reals, Result, Summary};

use super::sample::Sample;
use crate::detect::Candidate;

/// The fit of one dialect to the values of a file; from [`Dialects`](crate::Dialects).
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub(crate) telling: Candidate,
    telling_index: usize,
    score: u32,
    bytes_read: usize,
    /// The number of values read, nested values included.
    pub(crate) values_read: u64,
    /// Whether this dialect's writer would have written the same bytes.
    pub(crate) is_as_written: bool,
    pub(crate) is_plausible: bool,
}

impl Fit {
    /// One fit for each dialect and documented dialect that was tried on all samples.
    pub(super) fn of_all(samples: &[Sample]) -> Vec<Self> {
        let pages = || Page::ALL.iter().copied().map(Page::dialect);
        let dialects = || Dialect::LIKELIEST.iter().copied().chain(pages());
        let readings = Reals::ALL
            .into_iter()
            .flat_map(|reals| dialects().map(move |dialect| (dialect, reals)));
        readings.filter_map(|(dialect, reals)| Self::new(samples, dialect, reals)).collect()
    }

    /// The fit of one reading; `None` if some sample was not read with `dialect` and `reals`.
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
        let values = all.iter().flat_map(|candidate| candidate.outcome).map(|done| done.values);
        Some(Self {
            telling: **all.get(telling)?,
            telling_index: samples.get(telling)?.index,
            score,
            bytes_read: read.fold(0, usize::saturating_add),
            values_read: values.fold(0, u64::saturating_add),
            is_as_written: all.iter().all(|candidate| candidate.is_as_written()),
            is_plausible: all.iter().all(|candidate| candidate.is_plausible()),
        })
    }

    /// The key to sort fits by; greater is better. For values that do not fit, the number of decoded bytes is better
    /// evidence than the score.
    pub(crate) fn rank(&self) -> (bool, u32, usize, u64) {
        let is_complete = self.is_complete();
        let (score, values) = if is_complete { (self.score, 0) } else { (0, self.values_read) };
        (is_complete, score, self.bytes_read, values)
    }

    /// The dialect.
    pub const fn dialect(&self) -> Dialect {
        self.telling.dialect()
    }

    /// The width of reals in this reading.
    pub const fn reals(&self) -> Reals {
        self.telling.reals()
    }

    /// The score, from 0 to 100. If every value fits, it is the mean of the scores of the values, weighted by length.
    /// Otherwise it is the lowest score of a value.
    pub const fn score(&self) -> u32 {
        self.score
    }

    /// Whether every sampled value decodes up to its last byte.
    pub fn is_complete(&self) -> bool {
        self.telling.is_complete()
    }

    /// The number of bytes decoded, up to the first error in each value.
    pub const fn bytes_read(&self) -> usize {
        self.bytes_read
    }

    /// The reasons for the score of the decisive value as text, strongest first. The decisive value is the first that
    /// does not fit; if all fit, the first value.
    ///
    /// ```
    /// use variant_io::Framing;
    ///
    /// let guess = Framing::Bare.examine(&[27, 0, 0, 0, 0, 0, 0, 0]); // {}, as Godot 4 writes it
    /// let best = guess.dialects().best().expect("a value");
    /// let reasons: Vec<_> = best.reasons().map(|reason| reason.to_string()).collect();
    /// assert_eq!(reasons[0], "all 8 bytes are one value (of 1 in all)");
    /// ```
    pub fn reasons(&self) -> impl Iterator<Item = impl Display + use<>> + use<> {
        self.telling.reasons()
    }

    /// The result of validating the decisive value by the engine's rules.
    ///
    /// # Errors
    /// The first violation; [`Limit::Values`](variant_view::Limit::Values) if the first million values are
    /// valid and more follow.
    pub const fn outcome(&self) -> Result<Summary> {
        self.telling.outcome
    }

    /// The position in the file of the decisive value ([`Fit::reasons`]), from 0.
    pub const fn candidate_index(&self) -> usize {
        self.telling_index
    }
}

/// The mean score, weighted by length: longer values are stronger evidence.
fn mean_score(samples: &[Sample], candidates: &[&Candidate]) -> u32 {
    let weights = || samples.iter().map(|sample| sample.len.max(1));
    let total = weights().fold(0_usize, usize::saturating_add);
    let scores = candidates.iter().map(|c| usize::try_from(c.score()).unwrap_or(0));
    let sum = weights()
        .zip(scores)
        .fold(0_usize, |sum, (weight, score)| sum.saturating_add(weight.saturating_mul(score)));
    sum.checked_div(total).and_then(|mean| u32::try_from(mean).ok()).unwrap_or(0)
}
