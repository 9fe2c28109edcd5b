//! [`Guess`]: the bytes of a file, read in one framing.

mod reason;
mod verdict;

pub use reason::Reason;
pub use verdict::Verdict;

use super::chain::{Chain, End};
use crate::dialects::{Dialects, Fit};
use crate::framing::Framing;

/// The result of reading a file in one framing; from [`Framing::examine`].
#[derive(Clone, Debug)]
pub struct Guess {
    framing: Framing,
    /// The length of the file in bytes.
    len: usize,
    /// `None` for a bare value.
    chain: Option<Chain>,
    dialects: Dialects,
    /// Whether this is a bare value and frames that fit exactly are stronger evidence.
    is_outranked: bool,
}

impl Guess {
    pub(super) fn new(framing: Framing, bytes: &[u8]) -> Self {
        let (values, chain) = match framing {
            Framing::Bare => (vec![bytes], None),
            Framing::Frames(_) | Framing::Settings => {
                let (values, chain) = Chain::read(bytes, framing);
                (values, Some(chain))
            }
        };
        Self {
            framing,
            len: bytes.len(),
            chain,
            dialects: Dialects::new(values.into_iter()),
            is_outranked: false,
        }
    }

    /// The framing.
    pub const fn framing(&self) -> Framing {
        self.framing
    }

    /// The dialects that the values may be in.
    pub const fn dialects(&self) -> &Dialects {
        &self.dialects
    }

    /// The likelihood, from 0 to 100.
    pub fn score(&self) -> u32 {
        self.weigh(self.dialects.best().map_or(0, Fit::score))
    }

    /// The dialect to read the values in, and how certain it is.
    pub fn verdict(&self) -> Verdict<'_> {
        Verdict::of(self)
    }

    /// Why this guess is likely or unlikely, as text.
    pub const fn reason(&self) -> Reason<'_> {
        Reason::of(self)
    }

    pub(super) fn set_outranked(&mut self, is_outranked: bool) {
        self.is_outranked = is_outranked;
    }

    /// The key to sort guesses by; greater is likelier.
    pub(super) fn rank(&self, fit: Option<&Fit>) -> impl Ord + use<> {
        fit.map(|fit| {
            let (is_complete, score, bytes, values) = fit.rank();
            let is_whole = is_complete && !self.has_no_whole_value();
            // For damaged values, the share of bytes decoded is a better signal than lengths that fit.
            let share = if is_whole { 100 } else { self.dialects.share(fit) };
            (is_whole, !self.is_outranked, share, self.weigh(score), bytes, values)
        })
    }

    /// Whether a dialect reads all values, and the length prefixes lead exactly to the end of the file, or to the limit
    /// of what is examined.
    pub(super) fn fits_exactly(&self) -> bool {
        let ends = self.chain.is_some_and(|chain| {
            matches!((chain.whole, chain.end), (1.., End::File) | (2.., End::More))
        });
        ends && self.dialects.is_all_read() && self.dialects.best().is_some_and(Fit::is_complete)
    }

    /// Whether some dialect reads more than `values` values here, and its writer would have written the same bytes.
    pub(super) fn is_richer_than(&self, values: u64) -> bool {
        let is_rich = |fit: &Fit| fit.is_as_written() && fit.values_read() > values;
        self.dialects.iter().any(is_rich)
    }

    /// Whether not even the first length prefix fits the file.
    fn has_no_whole_value(&self) -> bool {
        self.chain.is_some_and(|chain| chain.whole == 0)
    }

    /// The score of the values, raised or lowered by how well the length prefixes fit.
    fn weigh(&self, score: u32) -> u32 {
        match self.chain {
            Some(Chain { whole: 0, .. }) => score.min(10),
            Some(Chain { end: End::Cut(_), .. }) => score / 2,
            // Length prefixes rarely fit by chance.
            Some(_) if self.fits_exactly() => score.saturating_add(25).min(100),
            Some(Chain { whole: 2.., .. }) => score.saturating_add(25).min(100),
            None if self.is_outranked => score / 2,
            _ => score,
        }
    }
}
