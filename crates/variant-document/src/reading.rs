//! [`Reading`]: settings for reading a file, some of which may be unknown. [`Chosen`]: the same settings, all known.
//! Unknown settings are detected from the bytes.

use std::error::Error;
use std::fmt;

use variant_io::{Detection, Fit, Framing, Guess, Layer, OpenOptions, Opened, Verdict};
use variant_view::{Dialect, Limits, Options, Reals};

use crate::count::counted;
use crate::edit::Rivals;
use crate::magic;
use crate::names::{self, UnknownName};
use crate::plain::Plain;

/// The settings for reading a file. A setting that is `None` is unknown, and is detected from the bytes of each file.
///
/// | known | detected |
/// |---|---|
/// | nothing | the likeliest framing and dialect |
/// | the dialect | the likeliest framing for it |
/// | the framing | the likeliest dialect for it |
/// | both | nothing: the bytes are not examined, and reals are by flag unless `reals` is set |
///
/// ```
/// use variant_document::Reading;
/// use variant_view::Dialect;
///
/// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
/// let reading = Reading::named(Some("godot3"), None, None)?;
/// let chosen = reading.choose(&file)?;
/// assert_eq!(chosen.plain.framing.name(), "frames");
/// assert_eq!(chosen.plain.options.dialect, Dialect::Godot3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reading {
    /// The dialect of the values.
    pub dialect: Option<Dialect>,
    /// The framing of the values. The dialect inside a [`Framing::Sequence`] is replaced by the dialect of the values.
    pub framing: Option<Framing>,
    /// The width of reals.
    pub reals: Option<Reals>,
    /// The number of bytes before the first value, such as a version number.
    pub skip: u64,
    /// The number of bytes at the end that are known to belong to no value. More such bytes may be found
    /// ([`Plain::find_tail`]).
    pub tail: u64,
    /// The limits of each value.
    pub limits: Limits,
    /// The options for removing layers, such as the key and the limit of unpacked bytes.
    pub layers: OpenOptions,
}

impl Reading {
    /// All settings are detected. The limits are those of files.
    pub const fn new() -> Self {
        Self {
            dialect: None,
            framing: None,
            reals: None,
            skip: 0,
            tail: 0,
            limits: Limits::FILE,
            layers: OpenOptions::new(),
        }
    }

    /// The reading with the settings of these names. A setting whose name is `None` is detected.
    ///
    /// # Errors
    /// [`UnknownName`].
    pub fn named(
        dialect: Option<&str>,
        framing: Option<&str>,
        reals: Option<&str>,
    ) -> Result<Self, UnknownName> {
        Ok(Self {
            dialect: dialect.map(names::dialect).transpose()?,
            framing: framing.map(names::framing).transpose()?,
            reals: reals.map(names::reals).transpose()?,
            ..Self::new()
        })
    }

    /// The format of a file, if the format has no Variants. `layers` are the layers of the file, and `body` is its
    /// plain bytes without the skipped bytes. If dialect and framing are known, the body is not examined. O(bytes) at
    /// most.
    pub fn other_format(&self, layers: &[Layer], body: &[u8]) -> Option<&'static str> {
        if layers.iter().any(Layer::is_resource) {
            return Some("a compressed resource of Godot (.res, .scn), which is another format");
        }
        let is_known = self.dialect.is_some() && self.framing.is_some();
        if is_known { None } else { magic::recognise(body) }
    }

    /// The numbers of bytes before and after the values in a file of `len` bytes. O(1).
    ///
    /// # Errors
    /// The file has fewer bytes than the reading leaves out.
    pub fn ends(&self, len: usize) -> Result<(usize, usize), TooShort> {
        let fits = |bytes: u64, len| usize::try_from(bytes).ok().filter(|bytes| *bytes <= len);
        let skipped = fits(self.skip, len).ok_or_else(|| {
            let has = counted(len, "byte");
            TooShort(format!("skip {} is beyond the end of the file, which has {has}", self.skip))
        })?;
        let len = len.saturating_sub(skipped);
        let tail = fits(self.tail, len).ok_or_else(|| {
            let has = counted(len, "byte");
            TooShort(format!("tail {} is beyond the start of the file, which has {has}", self.tail))
        })?;
        Ok((skipped, tail))
    }

    /// The possible readings of `body`, the bytes between the two [`Reading::ends`]. [`Detection::best`] agrees with
    /// the known settings. O(bytes).
    pub fn detect(&self, body: &[u8]) -> Detection {
        Framing::detect_known(body, self.framing, self.dialect)
    }

    /// Chooses the settings for reading `bytes`, all plain bytes of a file. O(bytes). If an engine can read the file in
    /// exactly one way, takes a fraction of the time of [`Reading::weigh`].
    ///
    /// # Errors
    /// The file has fewer bytes than the reading leaves out.
    pub fn choose<'f>(&self, bytes: &'f [u8]) -> Result<Chosen<'f>, TooShort> {
        let ends = self.ends(bytes.len())?;
        let sole = || {
            Framing::detect_sole(body(bytes, ends)).filter(|(framing, dialect)| {
                self.framing.is_none_or(|known| known == *framing)
                    && self.dialect.is_none_or(|known| known == *dialect)
            })
        };
        Ok(match self.framing.zip(self.dialect).or_else(sole) {
            Some(how) => self.certain(bytes, ends, how),
            None => self.weighed(bytes, ends),
        })
    }

    /// Works as [`Reading::choose`], with the reasons in [`Chosen::guess`]. O(bytes).
    ///
    /// # Errors
    /// The file has fewer bytes than the reading leaves out.
    pub fn weigh<'f>(&self, bytes: &'f [u8]) -> Result<Chosen<'f>, TooShort> {
        let ends = self.ends(bytes.len())?;
        Ok(match self.framing.zip(self.dialect) {
            Some(how) => self.certain(bytes, ends, how),
            None => self.weighed(bytes, ends),
        })
    }

    /// If only the width of reals is unknown, returns the settings with the width that fits the bytes. O(bytes).
    #[must_use]
    pub fn with_reals_of(mut self, bytes: &[u8]) -> Self {
        if let (Some(dialect), Some(framing), None) = (self.dialect, self.framing, self.reals)
            && let Ok(ends) = self.ends(bytes.len())
        {
            let guess = framing.of_dialect(dialect).examine(body(bytes, ends));
            self.reals = guess.dialects().get(dialect).map(Fit::reals);
        }
        self
    }

    fn certain<'f>(
        &self,
        bytes: &'f [u8],
        ends: (usize, usize),
        (framing, dialect): (Framing, Dialect),
    ) -> Chosen<'f> {
        let plain = self.plain(bytes, ends, framing, (dialect, Reals::ByFlag));
        Chosen { plain, declared: ends.1, detection: None, is_named: true }
    }

    fn weighed<'f>(&self, bytes: &'f [u8], ends: (usize, usize)) -> Chosen<'f> {
        let detection = self.detect(body(bytes, ends));
        let guess = detection.best();
        let dialects = guess.dialects();
        let fit = match self.dialect {
            Some(known) => dialects.get(known).filter(|fit| fit.is_complete()),
            None => guess.verdict().fit().or_else(|| dialects.best()),
        };
        let reals = fit.map_or(Reals::ByFlag, Fit::reals);
        let dialect = self.dialect.or_else(|| fit.map(Fit::dialect)).unwrap_or(Dialect::Godot4);
        let plain = self.plain(bytes, ends, guess.framing(), (dialect, reals));
        let is_named = self.dialect.is_some();
        Chosen { plain, declared: ends.1, detection: Some(detection), is_named }
    }

    fn plain<'f>(
        &self,
        bytes: &'f [u8],
        (skipped, tail): (usize, usize),
        framing: Framing,
        (dialect, reals): (Dialect, Reals),
    ) -> Plain<'f> {
        let options =
            Options::engine(dialect).reals(self.reals.unwrap_or(reals)).limits(self.limits);
        Plain::new(bytes, framing, options).skip(skipped).without_tail(tail).find_tail()
    }
}

/// The bytes between the skipped bytes and the tail.
fn body(bytes: &[u8], (skipped, tail): (usize, usize)) -> &[u8] {
    bytes.get(skipped..bytes.len().saturating_sub(tail)).unwrap_or_default()
}

impl Default for Reading {
    fn default() -> Self {
        Self::new()
    }
}

/// The chosen settings for reading a file; from [`Reading::choose`].
#[derive(Clone, Debug)]
pub struct Chosen<'f> {
    /// The bytes, and the settings for reading them. The tail includes the bytes of [`Reading::tail`], and other bytes
    /// that were found to belong to no value.
    pub plain: Plain<'f>,
    /// The number of bytes of [`Reading::tail`].
    declared: usize,
    detection: Option<Detection>,
    /// Whether the dialect was known.
    is_named: bool,
}

impl Chosen<'_> {
    /// The reasons for the framing and the dialect. `None` if both were known, or if the bytes have exactly one
    /// possible reading.
    pub fn guess(&self) -> Option<&Guess> {
        self.detection.as_ref().map(Detection::best)
    }

    /// The certainty of the dialect. `None` if the dialect was known, or if the bytes have exactly one possible
    /// reading.
    pub fn verdict(&self) -> Option<Verdict<'_>> {
        self.guess().filter(|_| !self.is_named).map(Guess::verdict)
    }

    /// Whether the known settings and the bytes leave only one possible dialect.
    pub fn is_certain(&self) -> bool {
        self.verdict().is_none_or(|verdict| matches!(verdict, Verdict::Clear(_)))
    }

    /// The other dialects that the values may have. Empty if the dialect was known. O(1).
    pub fn rivals(&self) -> Rivals {
        let guess = self.guess().filter(|_| !self.is_named);
        guess.map_or_else(Rivals::default, |guess| Rivals::of(guess, self.plain.options))
    }

    /// The number of bytes at the end that were found to belong to no value, without the bytes of [`Reading::tail`].
    pub const fn found(&self) -> usize {
        self.plain.tail.saturating_sub(self.declared)
    }

    /// A line about the bytes at the end that were found to belong to no value; `None` if there are none.
    pub fn tail_note(&self) -> Option<String> {
        self.plain.tail_note(self.declared)
    }
}

/// A line for each fault in the layers of a file: the missing bytes, and the bytes after the end of a layer.
pub fn layer_notes(opened: &Opened) -> Vec<String> {
    let lost = opened.damage().iter().map(|damage| {
        format!("layer: {} bytes from {} on: {}", damage.len, damage.start, damage.reason)
    });
    let after = Some(opened.behind()).filter(|bytes| *bytes > 0);
    let after = after.map(|bytes| {
        format!("{} after the end of a layer, which engines ignore", counted(bytes, "byte"))
    });
    lost.chain(after).collect()
}

/// A [`Reading`] leaves out more bytes at the start and the end than the file has. The message begins with `skip` or
/// `tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooShort(String);

impl fmt::Display for TooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for TooShort {}

#[cfg(test)]
mod tests {
    use variant_io::ByteOrder;

    use super::*;

    const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
    /// `{7: null}` as Godot 3 writes it.
    const DICTIONARY: [u8; 20] = [18, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

    fn how(reading: &Reading, bytes: &[u8]) -> (String, String, bool) {
        let all = [reading.choose(bytes).unwrap(), reading.weigh(bytes).unwrap()].map(|chosen| {
            let Plain { framing, options, .. } = chosen.plain;
            (framing.to_string(), options.dialect.to_string(), chosen.is_certain())
        });
        let [quick, weighed] = all;
        assert_eq!(quick, weighed);
        quick
    }

    #[test]
    fn what_is_known_holds_and_the_bytes_decide_the_rest() {
        let frame = [&[20, 0, 0, 0][..], &DICTIONARY].concat();
        let sequence = [&INT[..], &DICTIONARY].concat();
        for (dialect, framing, bytes, expected) in [
            (None, None, &frame, ("frames", "godot3", true)),
            (None, Some("frames"), &frame, ("frames", "godot3", true)),
            (Some("Godot4"), None, &frame, ("frames", "godot4", true)),
            (Some("godot4"), Some("bare"), &frame, ("bare", "godot4", true)),
            (None, Some("sequence"), &sequence, ("sequence", "godot3", true)),
            (Some("godot4"), Some("sequence"), &sequence, ("sequence", "godot4", true)),
        ] {
            let (framing, dialect, is_certain) =
                how(&Reading::named(dialect, framing, None).unwrap(), bytes);
            assert_eq!((&*framing, &*dialect, is_certain), expected);
        }
        let chosen = Reading::named(None, Some("sequence"), None).unwrap();
        let framing = chosen.choose(&sequence).unwrap().plain.framing;
        assert_eq!(framing, Framing::Sequence(Dialect::Godot3));
    }

    /// All dialects read the same int. Only one reads the dictionary.
    #[test]
    fn a_value_of_several_dialects_has_rivals() {
        for (dialect, bytes, is_alone) in [
            (None, &INT[..], false),
            (Some("godot4"), &INT, true),
            (None, &DICTIONARY, true),
            (Some("godot3"), &DICTIONARY, true),
        ] {
            let reading = Reading::named(dialect, None, None).unwrap();
            for chosen in [reading.choose(bytes).unwrap(), reading.weigh(bytes).unwrap()] {
                let found = (chosen.is_certain(), chosen.rivals().is_empty());
                assert_eq!(found, (is_alone, is_alone), "{dialect:?} {bytes:?}");
            }
        }
    }

    #[test]
    fn the_ends_are_not_read() {
        let file = [&b"v1"[..], &[20, 0, 0, 0], &DICTIONARY, b"hash!!!!", b"end"].concat();
        let reading = Reading { skip: 2, tail: 3, ..Reading::new() };
        let chosen = reading.choose(&file).unwrap();
        assert_eq!(chosen.plain.framing, Framing::Frames(ByteOrder::Little));
        assert_eq!((chosen.plain.skipped, chosen.plain.tail), (2, 11));
        let note = "8 bytes from byte 26 belong to no value, and are not read";
        assert_eq!(chosen.tail_note().as_deref(), Some(note));
        for (file, why) in [(&b"v"[..], "skip 2 is beyond the end"), (b"v1e", "tail 3 is beyond")] {
            let error = reading.choose(file).unwrap_err().to_string();
            assert!(error.starts_with(why) && error.ends_with("1 byte"), "{error}");
        }
    }

    #[test]
    fn names_are_known() {
        for (dialect, framing, reals, option) in [
            (Some("godot5"), None, None, "dialect 'godot5' is unknown, expected one of godot2"),
            (None, Some("boxes"), None, "framing 'boxes' is unknown, expected one of bare"),
            (None, None, Some("64"), "reals '64' is unknown, expected one of by-flag, always64"),
        ] {
            let error = Reading::named(dialect, framing, reals).unwrap_err().to_string();
            assert!(error.starts_with(option), "{error}");
        }
        assert!(Reading::named(Some("godot-3.0"), Some("frames-be"), Some("by-flag")).is_ok());
    }
}
