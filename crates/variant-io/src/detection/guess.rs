//! [`Guess`]: the bytes of a file, read in one framing.

mod reason;
mod verdict;

pub use reason::Reason;
pub use verdict::Verdict;

use variant_view::{Dialect, Kind};

use super::chain::{Chain, End};
use super::names::Line;
use crate::dialects::{Dialects, Fit};
use crate::ecfg::ECFG_MAGICS;
use crate::framing::Framing;
use crate::value::Value;

/// The number of values of a sequence whose kinds are examined.
const EXAMINED: usize = 64;

/// The result of reading a file in one framing; from [`Framing::examine`].
#[derive(Clone, Debug)]
pub struct Guess {
    framing: Framing,
    /// The length of the file in bytes.
    len: usize,
    /// `None` for a bare value.
    chain: Option<Chain>,
    dialects: Dialects,
    /// Whether this is a bare value, and another guess has frames that fit exactly. Such frames are stronger evidence.
    is_outranked: bool,
    /// Whether this is a bare value without values inside it. Frames with other bytes after them are then equally
    /// likely.
    is_rivalled: bool,
}

/// Returns a function that checks whether the magic bytes and the names of compiled settings are those of a dialect's
/// engine.
fn of_settings(bytes: &[u8]) -> impl Fn(Dialect) -> bool + use<> {
    let is_of_pandemonium5 = bytes.starts_with(&ECFG_MAGICS[1]);
    let values = Framing::Settings.values(bytes).map_while(Result::ok);
    let line = Line::of(values.filter_map(|value| value.name));
    move |dialect| {
        if is_of_pandemonium5 {
            return dialect.engine() == Dialect::Pandemonium5;
        }
        line.is_none_or(|line| line.has(dialect))
    }
}

impl Guess {
    pub(super) fn new(framing: Framing, bytes: &[u8]) -> Self {
        let (values, chain) = match framing {
            Framing::Bare => (vec![bytes], None),
            Framing::Frames(_) | Framing::Settings | Framing::Sequence(_) => {
                let (values, chain) = Chain::read(bytes, framing);
                (values, Some(chain))
            }
        };
        let mut dialects = Dialects::new(values.iter().copied());
        match (framing, &*values) {
            (Framing::Settings, _) => dialects.prefer(of_settings(bytes)),
            (Framing::Frames(_), [first, _, ..]) => dialects = dialects.with_rest(first),
            _ => {}
        }
        Self { framing, len: bytes.len(), chain, dialects, is_outranked: false, is_rivalled: false }
    }

    /// A sequence of arrays and dictionaries, whose consistent lengths are evidence. Its dialect is that of the
    /// likeliest engine that reads all values. `None` without such an engine.
    pub(super) fn of_sequence(bytes: &[u8]) -> Option<Self> {
        // Only containers count, because other bytes may read as a number or a text by chance.
        let mut guesses = Dialect::LIKELIEST.iter().filter(|dialect| {
            let is_container = |value: &Value<'_>| {
                let kind = value.bytes.first().and_then(|id| dialect.kind(*id));
                matches!(kind, Some(Kind::Array | Kind::Dictionary))
            };
            let mut all = Framing::Sequence(**dialect).values(bytes).flatten();
            let first: Vec<_> = all.by_ref().take(EXAMINED).collect();
            first.len() > 1 && first.iter().all(is_container)
        });
        guesses.find_map(|dialect| {
            let guess = Self::new(Framing::Sequence(*dialect), bytes);
            let values =
                guess.chain.map_or(0, |chain| u64::try_from(chain.whole).unwrap_or(u64::MAX));
            let is_full = |fit: &Fit| fit.dialect() == *dialect && fit.values_read > values;
            let is_whole = guess.is_whole() && guess.dialects.is_all_read;
            (is_whole && values > 1 && guess.dialects.best().is_some_and(is_full)).then_some(guess)
        })
    }

    /// A sequence of any values, in the dialect that reads most of the bytes.
    pub(super) fn of_any_sequence(bytes: &[u8]) -> Self {
        let of = |dialect: &Dialect| Self::new(Framing::Sequence(*dialect), bytes);
        let rank = |guess: &Self| match guess.framing {
            Framing::Sequence(dialect) => guess.rank(guess.dialects.get(dialect)),
            _ => guess.rank(None),
        };
        // `max_by_key` returns the last of equal guesses, so the likeliest dialect comes last.
        let best = Dialect::LIKELIEST.iter().rev().map(of).max_by_key(rank);
        best.unwrap_or_else(|| of(&Dialect::Godot4))
    }

    /// Whether numbers look like numbers that programs write. Always true except for a bare value: in other framings,
    /// consistent length prefixes are enough evidence.
    pub(super) fn is_plausible(&self, fit: &Fit) -> bool {
        self.framing != Framing::Bare || fit.is_plausible
    }

    /// Whether an engine reads all of the values, and their numbers look like numbers that programs write.
    pub(super) fn is_whole(&self) -> bool {
        let is_read = |fit: &Fit| fit.is_complete() && self.is_plausible(fit);
        !self.has_no_whole_value() && self.dialects.best().is_some_and(is_read)
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

    /// The dialect of the values, and its certainty.
    pub fn verdict(&self) -> Verdict<'_> {
        Verdict::of(self)
    }

    /// The reason why this guess is likely or unlikely, as text.
    pub const fn reason(&self) -> Reason<'_> {
        Reason::of(self)
    }

    pub(super) fn set_outranked(&mut self, is_outranked: bool) {
        self.is_outranked = is_outranked;
    }

    /// Marks the bare value as doubtful if it has no values inside it: frames with other bytes after them are then
    /// equally likely.
    pub(super) fn doubt(&mut self) {
        self.is_rivalled = self.dialects.best().is_some_and(|fit| fit.values_read == 1);
    }

    pub(super) const fn is_rivalled(&self) -> bool {
        self.is_rivalled
    }

    /// Whether a dialect reads the frames, and bytes that are not a frame follow.
    pub(super) fn is_before_tail(&self) -> bool {
        let is_tailed = self.chain.is_some_and(|chain| matches!(chain.end, End::Tail(_)));
        is_tailed && self.dialects.best().is_some_and(Fit::is_complete)
    }

    /// The key to sort guesses by; greater is likelier.
    pub(super) fn rank(&self, fit: Option<&Fit>) -> impl Ord + use<> {
        fit.map(|fit| {
            let (is_complete, score, bytes, values) = fit.rank();
            let is_plausible = |fit: &Fit| fit.is_complete() && self.is_plausible(fit);
            let is_whole =
                is_complete && !self.has_no_whole_value() && self.dialects.iter().any(is_plausible);
            // For damaged values, the share of decoded bytes is better evidence than consistent lengths. A reading to the
            // end of the file is likelier than one that leaves a tail.
            let share = match self.chain {
                Some(Chain { end: End::Tail(_), .. }) if is_whole => 0,
                _ => self.dialects.share(fit),
            };
            // Length prefixes that lead to the end of the file are evidence, whatever the frames contain.
            let is_framed = !is_whole && self.leads_to_the_end();
            (is_whole, !self.is_outranked, is_framed, share, self.weigh(score), bytes, values)
        })
    }

    /// Whether a dialect reads all values, and the length prefixes lead exactly to the end of the file or of the
    /// examined part.
    pub(super) fn fits_exactly(&self) -> bool {
        let ends = self.chain.is_some_and(|chain| {
            matches!((chain.whole, chain.end), (1.., End::File) | (2.., End::More))
        });
        ends && self.dialects.is_all_read && self.dialects.best().is_some_and(Fit::is_complete)
    }

    /// Whether the length prefixes lead exactly to the end of the file, and none is zero.
    fn leads_to_the_end(&self) -> bool {
        let chain = self.chain.filter(|_| self.framing != Framing::Settings);
        chain.is_some_and(|chain| {
            matches!((chain.whole, chain.end), (1.., End::File)) && chain.shortest >= 4
        })
    }

    /// Whether the frames have more than one value in total, and bytes that are not a frame follow them. The consistent
    /// lengths inside such frames are evidence.
    pub(super) fn is_telling_before_tail(&self) -> bool {
        let is_tailed = self.chain.is_some_and(|chain| matches!(chain.end, End::Tail(_)));
        let is_full = |fit: &Fit| fit.is_complete() && fit.values_read > 1;
        is_tailed && self.dialects.is_all_read && self.dialects.best().is_some_and(is_full)
    }

    /// Whether a dialect reads more than `values` values in this framing, and the dialect's writer would have written
    /// the same bytes.
    pub(super) fn is_richer_than(&self, values: u64) -> bool {
        let is_rich = |fit: &Fit| fit.is_as_written && fit.values_read > values;
        self.dialects.iter().any(is_rich)
    }

    /// Whether a dialect reads all of the bytes, and no dialect's writer would have written the same bytes.
    pub(super) fn is_odd(&self) -> bool {
        let mut complete = self.dialects.iter().filter(|fit| fit.is_complete()).peekable();
        complete.peek().is_some() && !complete.any(|fit| fit.is_as_written)
    }

    /// Whether the first length prefix does not fit the file.
    fn has_no_whole_value(&self) -> bool {
        self.chain.is_some_and(|chain| chain.whole == 0)
    }

    /// The score of the values, raised or lowered by the fit of the length prefixes.
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
