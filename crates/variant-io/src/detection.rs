//! [`Detection`]: a guess at how a file separates its values.

mod chain;
mod guess;
mod names;
mod sole;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

pub use guess::{Guess, Reason, Verdict};
use variant_view::Dialect;

use crate::dialects::Fit;
use crate::framing::Framing;

impl Framing {
    /// Guesses how `bytes` separates its values, and which dialects they may be in.
    ///
    /// Calls [`Framing::examine`] with each framing; the cost is the sum of the four calls. If none of them fits, a
    /// sequence of values is tried in place of one bare value: [`Framing::Sequence`].
    ///
    /// Frames win over one bare value if the length prefixes fit the file exactly and a dialect reads the values: a
    /// bare value whose first word happens to count the bytes after it is rarer than a file of one `store_var`. The
    /// bare value wins if it holds more values than the frames and its dialect's writer would have written the same
    /// bytes. The end of an older file after the last frame does not count against frames in which lengths had to fit.
    /// Against a bare value that no writer would have written, a frame of one value before such an end is enough.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
    /// let detection = Framing::detect(&file);
    /// assert_eq!(detection.best().framing(), Framing::Frames(ByteOrder::Little));
    /// println!("{}", detection.best().reason());
    /// ```
    pub fn detect(bytes: &[u8]) -> Detection {
        let mut guesses = Self::ALL.map(|framing| framing.examine(bytes));
        let is_before_tail = guesses.iter().any(Guess::is_before_tail);
        // An engine may read a bare value by chance that it would not write.
        let is_odd = guesses.iter().any(|guess| guess.framing() == Self::Bare && guess.is_odd());
        let is_evidence = |guess: &&Guess| {
            guess.fits_exactly()
                || guess.is_telling_before_tail()
                || is_odd && guess.is_before_tail()
        };
        let is_doubtful = is_before_tail || is_odd && sole::starts_with_frame(bytes, 1);
        let exact = guesses.iter().filter(is_evidence);
        let values = exact.filter_map(|guess| Some(guess.dialects().best()?.values_read())).max();
        for guess in guesses.iter_mut().filter(|guess| guess.framing() == Self::Bare) {
            guess.set_outranked(values.is_some_and(|values| !guess.is_richer_than(values)));
            if is_doubtful {
                guess.doubt();
            }
        }
        // Bytes that are not one value may be several.
        if !guesses.iter().any(Guess::is_whole)
            && let Some(sequence) = Guess::of_sequence(bytes)
            && let Some(bare) = guesses.first_mut()
        {
            *bare = sequence;
        }
        Detection { guesses }
    }

    /// Reads the first values of `bytes` in this framing with every dialect.
    ///
    /// Costs one [`variant_view::detect`] for each of the first 64 values that start within the first MiB. The time
    /// depends on the number of values in them, not on the length of the file.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
    /// let little = Framing::Frames(ByteOrder::Little).examine(&file);
    /// let big = Framing::Frames(ByteOrder::Big).examine(&file);
    /// assert!(little.score() > big.score());
    /// ```
    pub fn examine(self, bytes: &[u8]) -> Guess {
        Guess::new(self, bytes)
    }
}

/// The guesses of [`Framing::detect`], one for each framing of [`Framing::ALL`]; a sequence takes the place of a bare value.
///
/// ```
/// use variant_io::Framing;
///
/// let file = [4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // null and 7, as frames
/// let detection = Framing::detect(&file);
/// for guess in detection.ranked() {
///     println!("{} {}: {}", guess.framing(), guess.score(), guess.reason());
/// }
/// let fit = detection.best().verdict().fit();
/// println!("read as {:?}", fit.map(|fit| fit.dialect()));
/// ```
#[derive(Clone, Debug)]
pub struct Detection {
    guesses: [Guess; 4],
}

impl Detection {
    /// The likeliest guess.
    pub fn best(&self) -> &Guess {
        let [best, ..] = self.ranked();
        best
    }

    /// The likeliest guess, if the values are known to be in `dialect`.
    ///
    /// A documented dialect is not tried on values that an engine reads. The dialect of its engine is used instead.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    /// use variant_view::Dialect;
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
    /// let guess = Framing::detect(&file).best_for(Dialect::Godot3).framing();
    /// assert_eq!(guess, Framing::Frames(ByteOrder::Little));
    /// ```
    pub fn best_for(&self, dialect: Dialect) -> &Guess {
        let [best, ..] = self.ranked_by(|guess| {
            let dialects = guess.dialects();
            dialects.get(dialect).or_else(|| dialects.get(dialect.engine()))
        });
        best
    }

    /// The likeliest guess, if the framing or the dialect is known. A framing that was not tried is ignored: a sequence
    /// that is not likely, or a bare value whose place a sequence has taken.
    pub fn best_of(&self, framing: Option<Framing>, dialect: Option<Dialect>) -> &Guess {
        let of =
            |framing: Framing| self.guesses.iter().find(|g| g.framing().name() == framing.name());
        framing.and_then(of).unwrap_or_else(|| match dialect {
            Some(dialect) => self.best_for(dialect),
            None => self.best(),
        })
    }

    /// All guesses, the likeliest first.
    pub fn ranked(&self) -> [&Guess; 4] {
        self.ranked_by(|guess| guess.dialects().best())
    }

    fn ranked_by<'g>(&'g self, fit: impl Fn(&'g Guess) -> Option<&'g Fit>) -> [&'g Guess; 4] {
        let mut all = self.guesses.each_ref();
        // Stable sort: equal guesses keep the order of `Framing::ALL`.
        all.sort_by_key(|guess| Reverse(guess.rank(fit(guess))));
        all
    }
}
