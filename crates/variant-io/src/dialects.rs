//! [`Dialects`]: the possible dialects of a file's values.

mod fit;
mod sample;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

pub use fit::Fit;
use sample::Sample;
use variant_view::Dialect;

use crate::detect::Candidates;

/// The possible dialects of a file's values, best first; from [`Guess::dialects`](crate::Guess::dialects).
///
/// Each value is read with every dialect. The values that dialects read differently determine the dialect: it must fit
/// all of them. Without such values, the values that every dialect reads alike determine the dialect. If there are
/// neither, the damaged values determine it.
///
/// ```
/// use variant_io::Framing;
/// use variant_view::Dialect;
///
/// let dictionary = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]; // {7: null}
/// let guess = Framing::Bare.examine(&dictionary);
/// let best = guess.dialects().best().expect("a value");
/// assert_eq!((best.dialect(), best.bytes_read()), (Dialect::Godot4, 20));
/// ```
#[derive(Clone, Debug)]
pub struct Dialects {
    samples: Vec<Sample>,
    fits: Vec<Fit>,
    /// The fits of the first frame in dialects that do not read all frames ([`Self::with_rest`]).
    of_first: Vec<Fit>,
    /// Whether each value of the file, including ignored values, is read by some dialect.
    pub(crate) is_all_read: bool,
}

/// The minimum number of bytes that an incomplete fit must decode to be likely.
const TELLING: usize = 64;
/// An incomplete fit is likely if it is this many times better than every other fit, in decoded or in undecoded bytes.
const FAR_AHEAD: usize = 3;

impl Dialects {
    pub(crate) fn new<'a>(values: impl Iterator<Item = &'a [u8]>) -> Self {
        let values: Vec<_> = values.collect();
        let all = values.iter().enumerate().map(|(i, value)| Sample::new(i, value));
        let all: Vec<_> = all.collect();
        let is_all_read = !all.iter().any(Sample::is_damaged);
        let mut samples = Sample::worthiest(all);
        let mut fits = Fit::of_all(&samples);
        // Documented dialects are tried only if no engine reads all values.
        if !fits.iter().any(Fit::is_complete) {
            for sample in &mut samples {
                let bytes = values.get(sample.index).copied().unwrap_or_default();
                sample.candidates = sample.candidates.clone().with_pages(bytes);
            }
            fits = Fit::of_all(&samples);
        }
        // Stable sort: equal fits keep the order of likelihood.
        fits.sort_by_key(|fit| Reverse(fit.rank()));
        Self { samples, fits, of_first: Vec::new(), is_all_read }
    }

    /// Adds the dialects that read only the first frame, and that are as likely there as the best fit. Adds none if every
    /// dialect reads the same value from the first frame.
    ///
    /// `store_var` into a longer file (`READ_WRITE`) leaves the rest of the older file after the new frame. This rest
    /// may be whole frames of another engine. Only the first frame is certain to be of the engine that wrote last.
    pub(crate) fn with_rest(mut self, first: &[u8]) -> Self {
        let alone = Self::new(std::iter::once(first));
        let best = self.best().filter(|best| best.is_complete());
        let best = best.and_then(|best| alone.get(best.dialect()));
        let Some(best) = best.filter(|best| !alone.is_of_any(best)) else { return self };
        let reads_all = |fit: &Fit| self.get(fit.dialect()).is_some_and(Fit::is_complete);
        let only_first = alone.alike(best).chain(alone.rivals(best));
        self.of_first =
            only_first.filter(|fit| fit.is_complete() && !reads_all(fit)).copied().collect();
        self
    }

    /// Whether every dialect reads the same values as `fit`.
    pub(crate) fn is_of_any(&self, fit: &Fit) -> bool {
        self.alike(fit).count().saturating_add(1) == Dialect::ALL.len()
    }

    /// The fits, best first. A reading with [`Reals::Always64`](variant_view::Reals::Always64) is present only if no
    /// other reading fits.
    pub fn iter(&self) -> impl Iterator<Item = &Fit> {
        self.fits.iter()
    }

    /// The best fit; `None` if there are no values.
    pub fn best(&self) -> Option<&Fit> {
        self.fits.first()
    }

    /// The fit of `dialect`; the better one, if `dialect` fits with both widths of reals ([`Fit::reals`]).
    pub fn get(&self, dialect: Dialect) -> Option<&Fit> {
        self.iter().find(|fit| fit.dialect() == dialect)
    }

    /// The best fit, if it is incomplete and still much better than all other fits. It then decodes at least three
    /// times as many bytes, or leaves at most a third as many bytes undecoded.
    ///
    /// The file is probably in this dialect and damaged, or has other data after its value.
    pub fn likely(&self) -> Option<&Fit> {
        let best =
            self.best().filter(|best| best.bytes_read() >= TELLING && !best.is_complete())?;
        let mut others = self.iter().skip(1).filter(|fit| !self.are_alike(best, fit)).peekable();
        others.peek()?;
        others.all(|fit| self.is_far_ahead(best, fit)).then_some(best)
    }

    /// Keeps only the dialects that are likely by other evidence, if one of them reads all values.
    pub(crate) fn prefer(&mut self, is_likely: impl Fn(Dialect) -> bool) {
        if self.fits.iter().any(|fit| fit.is_complete() && is_likely(fit.dialect())) {
            self.fits.retain(|fit| is_likely(fit.dialect()));
        }
    }

    fn is_far_ahead(&self, best: &Fit, other: &Fit) -> bool {
        let unread = |fit: &Fit| self.bytes().saturating_sub(fit.bytes_read());
        other.bytes_read() <= best.bytes_read() / FAR_AHEAD
            || unread(best) <= unread(other) / FAR_AHEAD
    }

    /// The other fits that read the same values as `fit`.
    pub fn alike<'f>(&'f self, fit: &'f Fit) -> impl Iterator<Item = &'f Fit> {
        self.iter().filter(move |other| self.are_alike(fit, other))
    }

    /// The number of values that determine the dialect.
    pub fn values(&self) -> usize {
        self.samples.len()
    }

    /// The percentage of sampled bytes that `fit` decodes.
    pub(crate) fn share(&self, fit: &Fit) -> usize {
        fit.bytes_read().saturating_mul(100).checked_div(self.bytes()).unwrap_or(0)
    }

    fn bytes(&self) -> usize {
        self.samples.iter().fold(0, |sum, sample| sum.saturating_add(sample.len))
    }

    fn are_alike(&self, one: &Fit, other: &Fit) -> bool {
        self.samples.iter().all(|sample| {
            sample.candidate(one.dialect(), one.reals()).is_some_and(|candidate| {
                let mut alike = sample.candidates.alike(candidate);
                alike.any(|c| c.dialect() == other.dialect() && c.reals() == other.reals())
            })
        })
    }

    /// The other fits that read different values than `fit` and have nearly the same score.
    ///
    /// Some may be fits of the first frame alone: `store_var` into a longer file leaves the rest of the older file,
    /// which may be frames of another engine. For the dialect of such a fit, [`Dialects::get`] returns no complete fit.
    pub fn rivals<'d>(&'d self, fit: &'d Fit) -> impl Iterator<Item = &'d Fit> {
        let bar = fit.score().saturating_sub(Candidates::CLEAR_LEAD);
        let is_other = move |other: &Fit| {
            (other.dialect(), other.reals()) != (fit.dialect(), fit.reals())
                && !self.are_alike(fit, other)
        };
        let of_all = self.iter().filter(move |other| other.score() > bar && is_other(other));
        of_all.chain(&self.of_first)
    }
}
