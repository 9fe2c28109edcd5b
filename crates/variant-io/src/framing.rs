//! [`Framing`]: whether values stand behind length words, and a guess at it.

mod reason;

use std::cmp::Reverse;
use std::fmt;

pub use reason::Reason;
use variant_view::Dialect;

use crate::dialects::{Dialects, Fit};
use crate::frame::ByteOrder;
use crate::value::{ValueError, Values};

/// How the values of a file are set apart (docs/format.md, section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framing {
    /// Not at all, there is one value: `var_to_bytes`, `PacketPeer.put_var`.
    Bare,
    /// By length words: `File.store_var`, `StreamPeer.put_var`.
    Frames(ByteOrder),
    /// By names: compiled project settings.
    Settings,
}

/// How many values are looked at to tell what they are.
const MAX_FRAMES: usize = 64;
/// No value is begun behind so many bytes.
const MAX_BYTES: usize = 1 << 20;

impl Framing {
    /// Every framing, the likeliest first where nothing else tells them apart.
    pub const ALL: [Self; 4] =
        [Self::Bare, Self::Frames(ByteOrder::Little), Self::Frames(ByteOrder::Big), Self::Settings];

    /// A short name: `"bare"`, `"frames"`, `"frames-be"`, `"settings"`. O(1).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Frames(ByteOrder::Little) => "frames",
            Self::Frames(ByteOrder::Big) => "frames-be",
            Self::Settings => "settings",
        }
    }

    /// The values of `bytes`, set apart in this way. O(1).
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    /// use variant_view::Dialect;
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// for value in Framing::Frames(ByteOrder::Little).values(&file) {
    ///     assert_eq!(value?.document(Dialect::Godot4).root()?.as_i64()?, 7);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(self, bytes: &[u8]) -> Values<'_> {
        Values::new(bytes, self)
    }

    /// Guesses how the values of `bytes` are set apart, and what dialects they may be of.
    ///
    /// Tries [`Framing::examine`] with each framing, which says what that costs.
    pub fn detect(bytes: &[u8]) -> Detection {
        Detection { guesses: Self::ALL.map(|framing| framing.examine(bytes)) }
    }

    /// Looks at `bytes` in this way. As costly as [`variant_view::detect`] of the first values, of
    /// which there are at most 64, none of them behind the first MiB; that is bounded by the number of
    /// values in them and not by the length of the file.
    pub fn examine(self, bytes: &[u8]) -> Guess {
        let (values, chain) = match self {
            Self::Bare => (vec![bytes], None),
            Self::Frames(_) | Self::Settings => sample(bytes, self),
        };
        Guess {
            framing: self,
            len: bytes.len(),
            chain,
            dialects: Dialects::new(values.into_iter()),
        }
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The first frames or settings of a file.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// How many of them are whole.
    whole: usize,
    first_len: usize,
    end: End,
}

/// How a [`Chain`] ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// With the file.
    File,
    /// There is more of it.
    More,
    /// With one that is cut.
    Cut(ValueError),
}

/// The first values; one that is cut, too.
fn sample(bytes: &[u8], framing: Framing) -> (Vec<&[u8]>, Option<Chain>) {
    let mut all = framing.values(bytes);
    let mut values = Vec::new();
    let mut end = End::File;
    while values.len() < MAX_FRAMES && all.offset() < MAX_BYTES {
        match all.next() {
            None => break,
            Some(Ok(value)) => values.push(value.bytes),
            Some(Err(error)) => {
                end = End::Cut(error);
                break;
            }
        }
    }
    let first_len = values.first().map_or(0, |value| value.len());
    let whole = values.len();
    match end {
        End::Cut(error) => {
            values.extend(error.value_start().and_then(|start| bytes.get(start..)));
        }
        End::File if all.next().is_some() => end = End::More,
        _ => {}
    }
    (values, Some(Chain { whole, first_len, end }))
}

/// What [`Framing::detect`] found.
#[derive(Clone, Debug)]
pub struct Detection {
    guesses: [Guess; 4],
}

impl Detection {
    /// The likeliest.
    pub fn best(&self) -> &Guess {
        let [best, ..] = self.ranked();
        best
    }

    /// The likeliest if the values are known to be of `dialect`.
    pub fn best_for(&self, dialect: Dialect) -> &Guess {
        let [best, ..] = self.ranked_by(|guess| guess.dialects.get(dialect));
        best
    }

    /// All of them, the likeliest first.
    pub fn ranked(&self) -> [&Guess; 4] {
        self.ranked_by(|guess| guess.dialects.best())
    }

    fn ranked_by<'g>(&'g self, fit: impl Fn(&'g Guess) -> Option<&'g Fit>) -> [&'g Guess; 4] {
        let mut all = self.guesses.each_ref();
        // Stable: equals stay in the order of `Framing::ALL`.
        all.sort_by_key(|guess| Reverse(guess.rank(fit(guess))));
        all
    }
}

/// What became of reading the bytes in one framing.
#[derive(Clone, Debug)]
pub struct Guess {
    framing: Framing,
    len: usize,
    chain: Option<Chain>,
    dialects: Dialects,
}

impl Guess {
    /// The framing.
    pub const fn framing(&self) -> Framing {
        self.framing
    }

    /// The dialects that the values may be of.
    pub const fn dialects(&self) -> &Dialects {
        &self.dialects
    }

    /// How likely it is, 0 to 100.
    pub fn score(&self) -> u32 {
        self.weigh(self.dialects.best().map_or(0, Fit::score))
    }

    /// Why.
    pub const fn reason(&self) -> Reason<'_> {
        Reason(self)
    }

    fn rank(&self, fit: Option<&Fit>) -> impl Ord + use<> {
        fit.map(|fit| {
            let (is_complete, score, bytes, values) = fit.rank();
            let is_whole = is_complete && !self.is_nothing_whole();
            // Of damaged values it tells more how much of them makes sense than that lengths fit.
            let share = if is_whole { 100 } else { self.dialects.share(fit) };
            (is_whole, share, self.weigh(score), bytes, values)
        })
    }

    /// Whether the length words contradict whatever can be read behind them.
    fn is_nothing_whole(&self) -> bool {
        self.chain.is_some_and(|chain| chain.whole == 0)
    }

    /// What the length words add to the score of the values, or take from it.
    fn weigh(&self, score: u32) -> u32 {
        match self.chain {
            Some(Chain { whole: 0, .. }) => score.min(10),
            Some(Chain { end: End::Cut(_), .. }) => score / 2,
            // It is hardly by chance that several of them fit.
            Some(Chain { whole: 2.., .. }) => score.saturating_add(25).min(100),
            _ => score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{7: null}` as Godot 4 writes it.
    const DICTIONARY: [u8; 20] = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

    fn framed(values: &[&[u8]], order: ByteOrder) -> Vec<u8> {
        let mut all = Vec::new();
        for value in values {
            let len = u32::try_from(value.len()).unwrap();
            all.extend(match order {
                ByteOrder::Little => len.to_le_bytes(),
                ByteOrder::Big => len.to_be_bytes(),
            });
            all.extend(*value);
        }
        all
    }

    fn detect(bytes: &[u8]) -> (Framing, String) {
        let detection = Framing::detect(bytes);
        let best = detection.best();
        (best.framing(), best.reason().to_string())
    }

    #[test]
    fn a_bare_value() {
        let (framing, reason) = detect(&DICTIONARY);
        assert_eq!(framing, Framing::Bare);
        assert_eq!(reason, "all 20 bytes are one value, a Dictionary to Godot 4");
    }

    #[test]
    fn a_bare_value_and_something_behind_it() {
        let (framing, reason) = detect(&[&DICTIONARY[..], &[1, 2, 3]].concat());
        assert_eq!(framing, Framing::Bare);
        assert_eq!(reason, "the first 20 of 23 bytes are one value, a Dictionary to Godot 4");
    }

    #[test]
    fn one_frame() {
        let (framing, reason) = detect(&framed(&[&DICTIONARY], ByteOrder::Little));
        assert_eq!(framing, Framing::Frames(ByteOrder::Little));
        assert_eq!(
            reason,
            "a length word of 20 followed by exactly that many bytes that Godot 4 reads as a Dictionary"
        );
    }

    #[test]
    fn several_frames_of_either_order() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let bytes = framed(&[&DICTIONARY, &[0; 4], &[2, 0, 0, 0, 7, 0, 0, 0]], order);
            let (framing, reason) = detect(&bytes);
            assert_eq!(framing, Framing::Frames(order));
            assert!(reason.starts_with("3 length words, each followed by exactly"), "{reason}");
            assert!(reason.ends_with("Godot 4 reads as a Dictionary"), "{reason}");
        }
    }

    #[test]
    fn no_more_than_the_first_frames_are_looked_at() {
        let bytes = framed(&vec![&DICTIONARY[..]; 1000], ByteOrder::Little);
        let detection = Framing::detect(&bytes);
        assert_eq!(detection.best().dialects().values(), 64);
        let reason = detection.best().reason().to_string();
        assert!(reason.starts_with("the first 64 length words"), "{reason}");
    }

    #[test]
    fn a_cut_frame_is_a_frame_still() {
        let long = [&[27, 0, 0, 0, 3, 0, 0, 0][..], &[&DICTIONARY[8..]; 3].concat()].concat();
        for values in [&[&DICTIONARY[..], &DICTIONARY][..], &[&long]] {
            let bytes = framed(values, ByteOrder::Little);
            let (framing, reason) = detect(&bytes[..bytes.len() - 3]);
            assert_eq!(framing, Framing::Frames(ByteOrder::Little), "{reason}");
            assert!(reason.contains("3 more are needed"), "{reason}");
        }
    }

    #[test]
    fn nothing_and_nonsense_are_survived() {
        for bytes in [&[][..], &[1], &[0xff; 3], &[0xff; 64], &[0; 64]] {
            let detection = Framing::detect(bytes);
            assert_eq!(detection.ranked().len(), Framing::ALL.len());
            for guess in detection.ranked() {
                assert!(!guess.reason().to_string().is_empty());
            }
        }
    }

    #[test]
    fn a_known_dialect_decides_for_its_framing() {
        let bytes = framed(&[&DICTIONARY], ByteOrder::Little);
        let detection = Framing::detect(&bytes);
        let guess = detection.best_for(Dialect::Godot4);
        assert_eq!(guess.framing(), Framing::Frames(ByteOrder::Little));
    }
}
