//! [`Framing::detect_sole`]: the only reading that fits, in a fraction of the time of [`Framing::detect`].

use variant_view::{Dialect, Document, Kind, Limits, Options};

use crate::detect::{Candidate, detect};
use crate::frame::{ByteOrder, frames};
use crate::framing::Framing;

/// The minimum length of a file. Shorter files have too little evidence, so the scores of [`Framing::detect`] decide.
const SHORTEST: usize = 64;

/// The limits of [`Framing::examine`]: the number of values, and the number of bytes before the last of these values.
const VALUES: usize = 64;
const BYTES: usize = 1 << 20;

/// Whether an engine reads the first frame, in either byte order, as at least `least` values. A frame of several values
/// is evidence, because other data rarely has consistent lengths by chance.
pub(super) fn starts_with_frame(bytes: &[u8], least: u64) -> bool {
    let orders = [ByteOrder::Little, ByteOrder::Big];
    let mut first = orders.into_iter().filter_map(|order| frames(bytes, order).complete());
    first.any(|frame| readers(frame.bytes(), least).next().is_some())
}

/// The engines that read all of `bytes` as one value with at least `least` values in all.
fn readers(bytes: &[u8], least: u64) -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().filter(move |dialect| {
        let options = Options::engine(*dialect).limits(Limits::FILE);
        let read = Document::new(bytes, options).validate();
        read.is_ok_and(|summary| summary.consumed == bytes.len() && summary.values >= least)
    })
}

/// Whether several engines read the first frame. The frames after it may be the rest of an older file, so they do not
/// decide between these engines.
fn is_first_shared(bytes: &[u8], order: ByteOrder) -> bool {
    let first = frames(bytes, order).complete();
    first.is_some_and(|frame| readers(frame.bytes(), 1).nth(1).is_some())
}

/// Whether the detailed reading of a bare value by `dialect` satisfies `is_right`.
fn reads(bytes: &[u8], dialect: Dialect, is_right: impl Fn(&Candidate) -> bool) -> bool {
    detect(bytes).iter().any(|one| one.dialect() == dialect && is_right(one))
}

/// Whether the reals of a bare value look like numbers that programs write. Only a value that is a packed array is
/// checked.
fn is_plausible(bytes: &[u8], dialect: Dialect) -> bool {
    let kind = bytes.first().and_then(|id| dialect.kind(*id));
    let is_lone = kind.and_then(Kind::shape).is_some_and(|shape| shape.is_packed);
    !is_lone || reads(bytes, dialect, Candidate::is_plausible)
}

/// Whether bytes that read as a bare value may be a short save in frames, written over a longer file. A first frame of
/// several values is enough evidence. A frame of one value is enough if the bare value has no values in it, or if no
/// engine would write the bare value.
fn may_be_frame(bytes: &[u8], dialect: Dialect) -> bool {
    let options = Options::engine(dialect).limits(Limits::FILE);
    let is_lone =
        || Document::new(bytes, options).validate().is_ok_and(|summary| summary.values == 1);
    let is_odd = || !reads(bytes, dialect, Candidate::is_as_written);
    starts_with_frame(bytes, 2) || starts_with_frame(bytes, 1) && (is_lone() || is_odd())
}

impl Framing {
    /// The framing and the dialect in which an engine reads all of `bytes`, if there is exactly one such pair.
    /// [`Framing::detect`] then chooses the same pair. If several pairs or none fit, or if several engines read the first
    /// of several frames, it weighs all readings.
    ///
    /// The pair that fits costs O(bytes); nearly all other pairs fail at the first values. Reads the first 64 frames or
    /// settings that start within the first MiB.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    /// use variant_view::Dialect;
    ///
    /// # let mut value = vec![27, 0, 0, 0, 8, 0, 0, 0];
    /// # for key in 0..8 { value.extend([2, 0, 0, 0, key, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]); }
    /// // A Dictionary of Godot 4, as `var_to_bytes` writes it
    /// assert_eq!(Framing::detect_sole(&value), Some((Framing::Bare, Dialect::Godot4)));
    /// ```
    pub fn detect_sole(bytes: &[u8]) -> Option<(Self, Dialect)> {
        if bytes.len() < SHORTEST {
            return None;
        }
        let pairs = Self::ALL
            .into_iter()
            .flat_map(|framing| Dialect::ALL.iter().map(move |dialect| (framing, *dialect)));
        let mut fitting = pairs.filter(|(framing, dialect)| framing.fits(bytes, *dialect));
        let sole = fitting.next()?;
        let (framing, dialect) = sole;
        let is_certain = match framing {
            Self::Bare => !may_be_frame(bytes, dialect) && is_plausible(bytes, dialect),
            Self::Frames(order) => !is_first_shared(bytes, order),
            _ => true,
        };
        (is_certain && fitting.next().is_none()).then_some(sole)
    }

    /// Whether an engine of `dialect` reads all values, and no bytes remain after any of them.
    fn fits(self, bytes: &[u8], dialect: Dialect) -> bool {
        let options = Options::engine(dialect).limits(Limits::FILE);
        let mut values = self.values(bytes);
        for _ in 0..VALUES {
            if values.offset() > BYTES {
                break;
            }
            let Some(value) = values.next() else { return true };
            let is_whole = value.is_ok_and(|value| {
                let summary = Document::new(value.bytes, options).validate();
                summary.is_ok_and(|summary| summary.consumed == value.bytes.len())
            });
            if !is_whole {
                return false;
            }
        }
        true
    }
}
