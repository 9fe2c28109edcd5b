//! [`Verdict`]: the dialect of a file, and its certainty.

use super::Guess;
use crate::detect::Candidates;
use crate::dialects::Fit;

/// The dialect of the values of a file, and its certainty; from [`Guess::verdict`].
///
/// ```
/// use variant_io::{Framing, Verdict};
/// use variant_view::Dialect;
///
/// let dictionary = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]; // {7: null}
/// let detection = Framing::detect(&dictionary);
/// match detection.best().verdict() {
///     Verdict::Clear(fit) => assert_eq!(fit.dialect(), Dialect::Godot4),
///     other => println!("undecided: {other:?}"),
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Verdict<'g> {
    /// Every dialect reads the same values.
    Any(&'g Fit),
    /// One dialect fits clearly better than all dialects that read other values. Some dialects may read the same values
    /// ([`Dialects::alike`](crate::Dialects::alike)).
    Clear(&'g Fit),
    /// Several dialects read different values and are about equally likely, for all frames or at least for the first
    /// ([`Dialects::rivals`](crate::Dialects::rivals)). This dialect is the likeliest
    /// ([`Dialect::LIKELIEST`](variant_view::Dialect::LIKELIEST)).
    Tied(&'g Fit),
    /// No dialect reads all values, but this dialect reads far more bytes than the others. The values may be damaged.
    Likely(&'g Fit),
    /// The data is too short to decide: four bytes may be a null, an RID (an engine's handle) or any number.
    Unsure,
    /// No dialect fits: the bytes are not from an engine, or badly damaged.
    Nothing,
}

impl<'g> Verdict<'g> {
    /// The dialect of the values; `None` for [`Verdict::Unsure`] and [`Verdict::Nothing`].
    pub const fn fit(&self) -> Option<&'g Fit> {
        match *self {
            Self::Any(fit) | Self::Clear(fit) | Self::Tied(fit) | Self::Likely(fit) => Some(fit),
            Self::Unsure | Self::Nothing => None,
        }
    }

    pub(super) fn of(guess: &'g Guess) -> Self {
        let dialects = guess.dialects();
        let Some(best) = dialects.best() else { return Self::Nothing };
        if !best.is_complete() {
            return dialects.likely().map_or(Self::Nothing, Self::Likely);
        }
        if !guess.is_plausible(best) || guess.is_rivalled() {
            return Self::Unsure;
        }
        // Length prefixes that fit make even the shortest value credible.
        if guess.weigh(best.score()) < Candidates::CREDIBLE {
            return Self::Unsure;
        }
        if dialects.is_of_any(best) {
            return Self::Any(best);
        }
        if dialects.rivals(best).next().is_some() { Self::Tied(best) } else { Self::Clear(best) }
    }
}

#[cfg(test)]
mod tests {
    use variant_view::Dialect;

    use super::*;
    use crate::append::framed;
    use crate::framing::Framing;

    fn verdict(bytes: &[u8]) -> (&'static str, Option<Dialect>) {
        let detection = Framing::detect(bytes);
        let verdict = detection.best().verdict();
        let name = match verdict {
            Verdict::Any(_) => "any",
            Verdict::Clear(_) => "clear",
            Verdict::Tied(_) => "tied",
            Verdict::Likely(_) => "likely",
            Verdict::Unsure => "unsure",
            Verdict::Nothing => "nothing",
        };
        (name, verdict.fit().map(Fit::dialect))
    }

    const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];

    #[test]
    fn what_all_read_alike_is_of_any_and_the_newest_is_named() {
        for bytes in [&INT[..], &framed(&[&INT, &[0; 4]]), &framed(&[&[0; 4]])] {
            assert_eq!(verdict(bytes), ("any", Some(Dialect::Godot4)), "{bytes:?}");
        }
        // A Vector3, which has the same id in Pandemonium 3 to 5 and Godot 4.
        let vector = [&[9, 0, 0, 0][..], &[0; 12]].concat();
        assert_eq!(verdict(&vector), ("clear", Some(Dialect::Godot4)));
    }

    #[test]
    fn of_ties_the_newest_that_fits_is_named() {
        // These bytes are an empty Dictionary in Godot 4, and an empty array in other dialects.
        let empty = [27, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(verdict(&framed(&[&empty])), ("tied", Some(Dialect::Godot4)));
        let detection = Framing::detect(&empty);
        let dialects = detection.best().dialects();
        let rivals: Vec<_> =
            dialects.rivals(dialects.best().unwrap()).map(|fit| fit.dialect().name()).collect();
        assert_eq!(rivals, ["pandemonium4", "pandemonium3", "godot2"]);
        let mut settings = crate::SettingsWriter::new();
        settings.bytes("a", &empty).unwrap();
        assert_eq!(verdict(&settings.finish()), ("tied", Some(Dialect::Godot4)));
        // An empty Dictionary of Godot 3; incomplete matrices in other dialects.
        assert_eq!(verdict(&[18, 0, 0, 0, 0, 0, 0, 0]).1, Some(Dialect::Godot3));
    }

    #[test]
    fn no_engine_s_bytes_have_no_candidate() {
        assert_eq!(verdict(&[]), ("nothing", None));
        assert_eq!(verdict(&[0xff; 64]), ("nothing", None));
        assert_eq!(verdict(b"GDSC\x0d\0\0\0\x01\0\0\0abcdefgh"), ("nothing", None));
        // A word of `store_32`, or a bare null, RID, object or callable.
        for word in [0, 16, 25, 10_000_u32] {
            assert_eq!(verdict(&word.to_le_bytes()), ("unsure", None), "{word}");
        }
    }
}
