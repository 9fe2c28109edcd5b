//! [`detect`]: guesses the dialect, with reasons.

mod reading;

use core::fmt;

use crate::dialect::{Dialect, Page};
use crate::error::{Error, ErrorClass, ErrorKind, Limit, NotCanonical, Result};
use crate::kind::Kind;
use crate::limits::Limits;
use crate::options::{Options, Profile, Reals};
use crate::validate::{self, Summary};
use crate::view::VariantView;
use reading::Reading;

/// Guesses the dialects that `bytes`, one bare value, may be written in.
///
/// The bytes do not name their writer (docs/spec/engines.md#telling-dialects-apart), so this is a guess, with reasons.
/// It reads the bytes in every engine's dialect; if none fits, also by the pages of the documentation ([`Page`]). Then
/// it ranks the results. Reads at most one million values per reading: O(bytes) at worst. Allocates only for the key
/// check of [`Profile::Canonical`].
///
/// ```
/// use variant_view::{Dialect, detect};
///
/// let bytes = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]; // {7: null}
/// let candidates = detect(&bytes);
/// assert_eq!(candidates.clear_winner().map(|c| c.dialect()), Some(Dialect::Godot4));
/// ```
pub fn detect(bytes: &[u8]) -> Candidates {
    let mut candidates = Candidates::by_flag(bytes);
    if !candidates.iter().any(Candidate::is_complete) {
        candidates.add_always_64(bytes);
        candidates.add_pages(bytes);
    }
    candidates.rank();
    candidates
}

const LIMITS: Limits = Limits { values: 1_000_000, ..Limits::FILE };

const HEADER: usize = 4;
/// The size of an empty container: header and count.
const EMPTY: usize = 2 * HEADER;
/// The highest score of a documentation page for a value with nothing in it: below
/// [`Candidates::CREDIBLE`].
const LONE: u32 = 40;

/// The kind of the root, if its header can be read.
fn root_kind(bytes: &[u8], options: Options) -> Option<Kind> {
    VariantView::starting(bytes, 0, options.mode()).ok().map(|root| root.kind())
}

/// One way to read the bytes.
///
/// ```
/// use variant_view::{Kind, detect};
///
/// let candidates = detect(&[27, 0, 0, 0, 0, 0, 0, 0]); // {}, as Godot 4 writes it
/// let best = candidates.best().expect("one for each dialect");
/// assert_eq!((best.root(), best.bytes_read()), (Some(Kind::Dictionary), 8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    options: Options,
    len: usize,
    root: Option<Kind>,
    outcome: Result<Summary>,
    /// The first million values are valid, and there are more.
    unfinished: bool,
    /// The first deviation from what this dialect's writer would have written.
    oddity: Option<Error>,
    /// A hash of kinds and positions: equal hashes mean equal readings.
    reading: u64,
    /// Whether its reals look like numbers that programs write.
    is_plausible: bool,
}

impl Candidate {
    fn new(bytes: &[u8], options: Options) -> Self {
        let mut reading = Reading::new(options.reals);
        let outcome = validate::run(bytes, &options, &mut reading);
        let canonical = || validate::validate(bytes, &options.profile(Profile::Canonical)).err();
        let unfinished = matches!(
            outcome.map_err(|error| error.kind()),
            Err(ErrorKind::LimitExceeded { limit: Limit::Values })
        );
        Self {
            options: options.limits(Limits::ENGINE),
            len: bytes.len(),
            root: root_kind(bytes, options),
            outcome,
            unfinished,
            oddity: outcome.ok().and_then(|_| canonical()).filter(is_telling),
            reading: reading.hash(),
            is_plausible: reading.is_plausible(),
        }
    }

    /// The dialect of this reading.
    pub const fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    /// The width of reals in this reading; [`Reals::ByFlag`] unless only [`Reals::Always64`] fits.
    pub const fn reals(&self) -> Reals {
        self.options.reals
    }

    /// The kind of the root, if its header could be read.
    pub const fn root(&self) -> Option<Kind> {
        self.root
    }

    /// The result of validation by the engine's rules.
    ///
    /// # Errors
    /// The first violation; [`Limit::Values`] if the first million values are valid and there are more.
    pub const fn outcome(&self) -> Result<Summary> {
        self.outcome
    }

    /// Whether the bytes are exactly one value, as far as they were read.
    pub fn is_complete(&self) -> bool {
        self.unfinished || self.outcome.is_ok_and(|summary| summary.consumed == self.len)
    }

    /// The number of bytes that were read without an error.
    pub fn bytes_read(&self) -> usize {
        match self.outcome {
            Ok(summary) => summary.consumed,
            Err(_) if self.unfinished => self.len,
            Err(error) => error.offset(),
        }
    }

    /// How well it fits, from 0 to 100.
    pub fn score(&self) -> u32 {
        // Bytes that no engine reads are more often damaged than written from a page; a lone value may be either.
        let most = if self.dialect().page().is_some() && !self.has_contents() { LONE } else { 100 };
        self.reasons().map(|reason| reason.weight()).sum::<u32>().min(most)
    }

    /// The reasons for the score, strongest first.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + use<> {
        let fit = match self.outcome {
            Ok(summary) if summary.consumed == self.len => Reason::Complete(summary),
            Ok(summary) => Reason::Trailing(summary, self.len.saturating_sub(summary.consumed)),
            Err(_) if self.unfinished => Reason::Unfinished,
            Err(error) => Reason::Fails(error),
        };
        let writer = match self.oddity {
            None if self.outcome.is_ok() => Some(Reason::AsWritten),
            oddity => oddity.filter(|_| self.is_complete()).map(Reason::Odd),
        };
        let root =
            self.root.filter(|_| self.is_complete() && self.has_contents()).map(Reason::Container);
        [Some(fit), writer, root].into_iter().flatten()
    }

    /// Whether the bytes are exactly one value, as this dialect's writer writes it. Nonzero padding, which
    /// older writers leave, is ignored.
    pub fn is_as_written(&self) -> bool {
        self.is_complete() && self.oddity.is_none()
    }

    /// Whether the reals of this reading look like numbers that programs write. False for a lone packed array with
    /// many denormal reals, as small integers are when read as floats. Always true for values with contents, whose
    /// lengths had to fit.
    pub fn is_plausible(&self) -> bool {
        self.is_plausible || self.has_contents()
    }

    /// Complete readings rank by score; if none is complete, readings rank by the number of bytes read.
    fn rank(&self) -> (bool, u32, usize) {
        let is_complete = self.is_complete();
        (is_complete, if is_complete { self.score() } else { 0 }, self.bytes_read())
    }

    /// Whether lengths inside the root had to fit: those of values, or of strings. Values of only a header do not
    /// count: words of zero may as well be the numbers of a packed array.
    fn has_contents(&self) -> bool {
        let is_list = self.root == Some(Kind::PackedStringArray);
        let is_full = |summary: Summary| {
            let headers =
                usize::try_from(summary.values).unwrap_or(usize::MAX).saturating_mul(HEADER);
            let contents = summary.consumed.saturating_sub(EMPTY - HEADER);
            summary.values > 1 && contents > headers || is_list && summary.consumed > EMPTY
        };
        self.unfinished || self.outcome.is_ok_and(is_full)
    }
}

/// False for nonzero padding, which older writers leave, and for limits, which say nothing about the bytes.
fn is_telling(oddity: &Error) -> bool {
    oddity.kind() != ErrorKind::NotCanonical(NotCanonical::Padding)
        && oddity.class() != ErrorClass::Limit
}

/// Why a [`Candidate`] has its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// All bytes are exactly one value.
    Complete(Summary),
    /// The first million values are valid, and there are more.
    Unfinished,
    /// This many bytes follow the value.
    Trailing(Summary, usize),
    /// Reading failed.
    Fails(Error),
    /// This dialect's writer would have written the same bytes.
    AsWritten,
    /// This dialect's writer would have written something else.
    Odd(Error),
    /// The root is a non-empty container or string array: lengths inside it had to fit.
    Container(Kind),
}

impl Reason {
    const fn weight(&self) -> u32 {
        match self {
            // A lone header, or a header and one word, proves almost nothing.
            Self::Complete(Summary { consumed: 0..=4, .. }) => 20,
            Self::Complete(_) => 50,
            Self::Unfinished => 75,
            Self::Trailing(Summary { consumed: 0..=8, .. }, _) => 1,
            Self::Trailing(..) => 10,
            Self::AsWritten | Self::Container(_) => 25,
            Self::Fails(_) | Self::Odd(_) => 0,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete(summary) => {
                write!(
                    f,
                    "all {} bytes are one value (of {} in all)",
                    summary.consumed, summary.values
                )
            }
            Self::Unfinished => write!(f, "the first {} values are fine", LIMITS.values),
            Self::Trailing(summary, left) => {
                write!(f, "a value of {} bytes, and {left} bytes are left over", summary.consumed)
            }
            Self::Fails(error) => error.fmt(f),
            Self::AsWritten => f.write_str("its own writer writes the same bytes"),
            Self::Odd(error) => write!(f, "its own writer would not: {error}"),
            Self::Container(kind) => write!(f, "the root is a non-empty {kind}"),
        }
    }
}

/// The result of [`detect`], best first.
///
/// ```
/// use variant_view::{Dialect, detect};
///
/// let bytes = [27, 0, 0, 0, 0, 0, 0, 0]; // {}, as Godot 4 writes it
/// let candidates = detect(&bytes);
/// for candidate in candidates.iter() {
///     println!("{} {}", candidate.dialect(), candidate.score());
///     candidate.reasons().for_each(|reason| println!("  {reason}"));
/// }
/// let best = candidates.best().expect("one for each dialect");
/// assert_eq!((best.dialect(), best.is_complete()), (Dialect::Godot4, true));
/// ```
#[derive(Clone, Debug)]
pub struct Candidates {
    all: [Option<Candidate>; READINGS],
}

/// Every dialect and every page, with each width of reals.
const READINGS: usize =
    Dialect::ALL.len().saturating_add(Page::ALL.len()).saturating_mul(Reals::ALL.len());

impl Candidates {
    /// The lead in score that makes the best candidate the clear winner.
    pub const CLEAR_LEAD: u32 = 20;
    /// The lowest score of a credible candidate.
    pub const CREDIBLE: u32 = 50;

    fn by_flag(bytes: &[u8]) -> Self {
        let mut all = [None; READINGS];
        for (place, dialect) in all.iter_mut().zip(Dialect::LIKELIEST.iter().copied()) {
            *place = Some(Candidate::new(bytes, Options::new(dialect).limits(LIMITS)));
        }
        Self { all }
    }

    /// Adds the documented double-precision layout, where it fits.
    fn add_always_64(&mut self, bytes: &[u8]) {
        let places = self.all.iter_mut().skip(Dialect::LIKELIEST.len());
        for (place, dialect) in places.zip(Dialect::LIKELIEST.iter().copied()) {
            let options = Options::new(dialect).limits(LIMITS).reals(Reals::Always64);
            *place = Some(Candidate::new(bytes, options)).filter(Candidate::is_complete);
        }
    }

    /// Adds the pages of the documentation that fit; in double precision only if none fits in single.
    fn add_pages(&mut self, bytes: &[u8]) {
        for reals in Reals::ALL {
            let places = self.all.iter_mut().filter(|place| place.is_none());
            for (place, &page) in places.zip(Page::ALL) {
                let options = Options::documented(page).limits(LIMITS).reals(reals);
                *place = Some(Candidate::new(bytes, options)).filter(Candidate::is_complete);
            }
            if self.iter().any(|candidate| candidate.dialect().page().is_some()) {
                return;
            }
        }
    }

    /// Adds the documentation pages that fit `bytes`, even if engines fit too: for one of several values that no
    /// single engine reads in full. `bytes` must be those given to [`detect`]. Costs as much as [`detect`].
    #[must_use]
    pub fn with_pages(mut self, bytes: &[u8]) -> Self {
        if self.iter().all(|candidate| candidate.dialect().page().is_none()) {
            self.add_pages(bytes);
            self.rank();
        }
        self
    }

    fn rank(&mut self) {
        // Equal candidates: the likelier dialect comes first.
        self.all.sort_unstable_by_key(|candidate| {
            let rank = candidate.as_ref().map(Candidate::rank);
            let dialect = candidate.as_ref().map(Candidate::dialect);
            let place = Dialect::LIKELIEST.iter().position(|&likely| Some(likely) == dialect);
            // Pages are not in the list, and sort last.
            (core::cmp::Reverse(rank), place.is_none(), place, dialect)
        });
    }

    /// The candidates, best first.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.all.iter().flatten()
    }

    /// The best candidate. O(1).
    pub fn best(&self) -> Option<&Candidate> {
        self.iter().next()
    }

    /// The best candidate, if it is credible and clearly ahead of every different reading of the bytes.
    ///
    /// Several dialects may read bytes alike: a lone integer, or anything that Pandemonium 4 and 5 number
    /// alike. Any of them is right then, and the likeliest is returned ([`Dialect::LIKELIEST`]).
    pub fn clear_winner(&self) -> Option<&Candidate> {
        let best =
            self.best().filter(|best| best.is_complete() && best.score() >= Self::CREDIBLE)?;
        if !best.is_plausible() {
            return None;
        }
        let bar = best.score().saturating_sub(Self::CLEAR_LEAD);
        let alone = self.iter().all(|other| other.reads_like(best) || other.score() <= bar);
        alone.then_some(best)
    }

    /// The other candidates that read the bytes the same way as `candidate`.
    ///
    /// ```
    /// use variant_view::{Dialect, detect};
    ///
    /// let candidates = detect(&[2, 0, 0, 0, 7, 0, 0, 0]); // 7, by every engine
    /// let best = candidates.best().expect("one for each dialect");
    /// assert_eq!(candidates.alike(best).count(), Dialect::ALL.len() - 1);
    /// ```
    pub fn alike<'c>(&'c self, candidate: &'c Candidate) -> impl Iterator<Item = &'c Candidate> {
        self.iter().filter(move |other| {
            other.reads_like(candidate) && other.dialect() != candidate.dialect()
        })
    }
}

impl Candidate {
    fn reads_like(&self, other: &Self) -> bool {
        let fine = |c: &Self| match c.outcome {
            Ok(_) => true,
            Err(error) => error.class() == ErrorClass::Limit,
        };
        fine(self) && fine(other) && self.reading == other.reading && self.reals() == other.reals()
    }
}
