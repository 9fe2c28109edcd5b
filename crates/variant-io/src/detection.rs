//! [`Detection`]: guesses of the framing of a file.

mod chain;
mod guess;
mod names;
mod sole;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

pub use guess::{Guess, Reason, Verdict};
use variant_view::Dialect;

use crate::framing::Framing;

impl Framing {
    /// Guesses the framing of `bytes`, and the dialects of its values.
    ///
    /// Calls [`Framing::examine`] with each of [`Framing::ALL`]; the cost is the sum of the four calls. If no framing
    /// fits, a guess of [`Framing::Sequence`] may replace the guess of a bare value.
    ///
    /// Frames are preferred to one bare value if the length prefixes fit the file exactly and a dialect reads the
    /// values. The reason: a file of one `store_var` is more frequent than a bare value whose first word happens to
    /// count the bytes after it. The bare value is preferred if it has more values than the frames, and the writer of
    /// its dialect would have written the same bytes. Bytes after the last frame may be the end of an older, longer
    /// file. They do not count against frames that hold more than one value: such frames have consistent lengths, which
    /// other data rarely has by chance. Nor do they count against a frame of one value if no writer would have written
    /// the same bytes as a bare value.
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
        Self::detect_known(bytes, None, None)
    }

    /// [`Framing::detect`] for a file whose framing or dialect is known. [`Detection::best`] agrees with the known
    /// parts.
    ///
    /// A known framing is examined even if [`Framing::detect`] would leave it out: an unlikely sequence, or a bare
    /// value that a sequence would replace. A sequence has the known dialect. If the dialect is unknown, a sequence has
    /// the dialect that reads most of its bytes.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    /// use variant_view::Dialect;
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
    /// let detection = Framing::detect_known(&file, None, Some(Dialect::Godot3));
    /// assert_eq!(detection.best().framing(), Framing::Frames(ByteOrder::Little));
    /// let detection = Framing::detect_known(&file, Some(Framing::Bare), None);
    /// assert_eq!(detection.best().framing(), Framing::Bare);
    /// ```
    pub fn detect_known(
        bytes: &[u8],
        framing: Option<Self>,
        dialect: Option<Dialect>,
    ) -> Detection {
        let mut guesses = Self::guesses(bytes);
        let framing = framing.map(|known| dialect.map_or(known, |of| known.of_dialect(of)));
        let is_known = |guess: &Guess, known: Self| match dialect {
            Some(_) => guess.framing() == known,
            None => guess.framing().name() == known.name(),
        };
        if let Some(known) = framing
            && !guesses.iter().any(|guess| is_known(guess, known))
        {
            let [first, ..] = &mut guesses;
            *first = match (known, dialect) {
                (Self::Sequence(_), None) => Guess::of_any_sequence(bytes),
                _ => known.examine(bytes),
            };
        }
        Detection { guesses, framing, dialect }
    }

    fn guesses(bytes: &[u8]) -> [Guess; 4] {
        let mut guesses = Self::ALL.map(|framing| framing.examine(bytes));
        let is_before_tail = guesses.iter().any(Guess::is_before_tail);
        // If an engine reads the bytes as a bare value that it would not write, this reading may be a coincidence.
        let is_odd = guesses.iter().any(|guess| guess.framing() == Self::Bare && guess.is_odd());
        let is_evidence = |guess: &&Guess| {
            guess.fits_exactly()
                || guess.is_telling_before_tail()
                || is_odd && guess.is_before_tail()
        };
        let is_doubtful = is_before_tail || is_odd && sole::starts_with_frame(bytes, 1);
        let exact = guesses.iter().filter(is_evidence);
        let values = exact.filter_map(|guess| Some(guess.dialects().best()?.values_read)).max();
        for guess in guesses.iter_mut().filter(|guess| guess.framing() == Self::Bare) {
            guess.set_outranked(values.is_some_and(|values| !guess.is_richer_than(values)));
            if is_doubtful {
                guess.doubt();
            }
        }
        // Bytes that are not one value may be several values.
        if !guesses.iter().any(Guess::is_whole)
            && let Some(sequence) = Guess::of_sequence(bytes)
        {
            let [bare, ..] = &mut guesses;
            *bare = sequence;
        }
        guesses
    }

    /// Reads the first values of `bytes` in this framing with every dialect.
    ///
    /// The values are the first 64 that start within the first MiB. The time depends on the number of values nested in
    /// these, not on the length of the file.
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

/// The guesses of [`Framing::detect`], one for each framing of [`Framing::ALL`]. If no framing reads the whole file, a
/// guess of several values one after another may replace that of a bare value.
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
    /// The framing and the dialect, if they are known.
    framing: Option<Framing>,
    dialect: Option<Dialect>,
}

impl Detection {
    /// The likeliest guess. If the framing is known ([`Framing::detect_known`]), returns the guess with this framing.
    pub fn best(&self) -> &Guess {
        let is_known = |known: Framing, guess: &Guess| guess.framing().name() == known.name();
        let known = self.framing.and_then(|of| self.guesses.iter().find(|g| is_known(of, g)));
        known.unwrap_or_else(|| {
            let [best, ..] = self.ranked();
            best
        })
    }

    /// All guesses, the likeliest first. If the dialect is known, the fit of this dialect determines the order.
    ///
    /// Documented dialects are not tried if an engine reads the values. For a known documented dialect, the fit of its
    /// engine then determines the order.
    pub fn ranked(&self) -> [&Guess; 4] {
        let mut all = self.guesses.each_ref();
        // Stable sort: equal guesses keep the order of `Framing::ALL`.
        all.sort_by_key(|guess| {
            let dialects = guess.dialects();
            let fit = match self.dialect {
                None => dialects.best(),
                Some(of) => dialects.get(of).or_else(|| dialects.get(of.engine())),
            };
            Reverse(guess.rank(fit))
        });
        all
    }
}
