//! [`detect`]: guesses the dialect of one value, with reasons.

mod reading;
#[cfg(test)]
mod tests;

use std::fmt;

use variant_view::{
    Dialect, Document, Error, ErrorClass, ErrorKind, Kind, Limit, Limits, NotCanonical, Options,
    Page, Profile, Reals, Result, Summary,
};

use reading::Reading;

/// Guesses the possible dialects of `bytes`, which are one bare value.
///
/// The bytes do not name their writer (docs/spec/engines.md#telling-dialects-apart), so this is a guess, with reasons.
/// It reads the bytes in every engine's dialect. If no engine's dialect fits, it also reads the bytes by the pages of
/// the engines' documentation ([`Page`]). Each reading ends after one million values: O(bytes) at worst. Allocates only
/// for the key check of [`Profile::Canonical`].
pub(crate) fn detect(bytes: &[u8]) -> Candidates {
    let mut candidates = Candidates::by_flag(bytes);
    if !candidates.iter().any(Candidate::is_complete) {
        candidates.add_always_64(bytes);
        candidates.add_pages(bytes);
    }
    candidates
}

const LIMITS: Limits = Limits::FILE.values(1_000_000);

const HEADER: usize = 4;
/// The size of an empty container: header and count.
const EMPTY: usize = 2 * HEADER;
/// The highest score of a reading by a documentation page, if the root contains no lengths
/// ([`Candidate::has_contents`]). This score is below [`Candidates::CREDIBLE`].
const LONE: u32 = 40;

/// The kind of the root, if its header can be read.
fn root_kind(bytes: &[u8], options: Options) -> Option<Kind> {
    Document::new(bytes, options).root().ok().map(|root| root.kind())
}

/// One reading of the bytes, in one dialect and one width of reals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    options: Options,
    len: usize,
    /// The kind of the root, if its header could be read.
    pub(crate) root: Option<Kind>,
    /// The result of validation by the engine's rules; [`Limit::Values`] if the first million values are valid and more
    /// follow.
    pub(crate) outcome: Result<Summary>,
    /// Whether the first million values are valid, and more follow.
    unfinished: bool,
    /// The first deviation from the output of this dialect's writer.
    oddity: Option<Error>,
    /// A hash of kinds and positions. Equal hashes mean equal readings.
    reading: u64,
    /// Whether the reals look like numbers that programs write.
    is_plausible: bool,
}

impl Candidate {
    fn new(bytes: &[u8], options: Options) -> Self {
        let document = Document::new(bytes, options);
        let outcome = document.validate();
        let mut reading = Reading::default();
        // An error of the walk is ignored: `outcome` has the same error.
        let _ = document.walk().visit(&mut reading);
        let canonical =
            || Document::new(bytes, options.profile(Profile::Canonical)).validate().err();
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

    pub(crate) const fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    /// The width of reals in this reading; [`Reals::ByFlag`] unless only [`Reals::Always64`] fits.
    pub(crate) const fn reals(&self) -> Reals {
        self.options.reals
    }

    /// Whether the bytes are exactly one value, as far as they were read.
    pub(crate) fn is_complete(&self) -> bool {
        self.unfinished || self.outcome.is_ok_and(|summary| summary.consumed == self.len)
    }

    /// The number of bytes that were read without an error.
    pub(crate) fn bytes_read(&self) -> usize {
        match self.outcome {
            Ok(summary) => summary.consumed,
            Err(_) if self.unfinished => self.len,
            Err(error) => error.offset(),
        }
    }

    /// The score of the dialect, from 0 to 100.
    pub(crate) fn score(&self) -> u32 {
        // If every engine refuses the bytes, they are damaged, or a program wrote them by a documentation page. Such a
        // program is likely only if the root has contents with consistent lengths.
        let most = if self.dialect().page().is_some() && !self.has_contents() { LONE } else { 100 };
        self.weighed().map(|reason| reason.weight()).sum::<u32>().min(most)
    }

    /// The reasons for the score as text, strongest first.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = impl fmt::Display + use<>> + use<> {
        self.weighed()
    }

    fn weighed(&self) -> impl Iterator<Item = Reason> + use<> {
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

    /// Whether the bytes are exactly one value, as this dialect's writer writes it. Nonzero padding, which older
    /// engines leave, is ignored.
    pub(crate) fn is_as_written(&self) -> bool {
        self.is_complete() && self.oddity.is_none()
    }

    /// Whether the reals of this reading look like numbers that programs write. False for a lone packed array with many
    /// denormal reals, since small integers that are read as floats are denormal. Always true for values with contents,
    /// because their consistent lengths are enough evidence.
    pub(crate) fn is_plausible(&self) -> bool {
        self.is_plausible || self.has_contents()
    }

    /// Whether the root has values or strings with lengths. Consistent lengths are evidence. Values that are only a
    /// header do not count, because zeroes in a packed array of numbers look the same.
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

/// Whether a deviation is evidence against the dialect. Nonzero padding is not evidence, because older engines leave
/// it. Limits are not evidence, because they do not depend on the bytes' dialect.
fn is_telling(oddity: &Error) -> bool {
    oddity.kind() != ErrorKind::NotCanonical(NotCanonical::Padding)
        && oddity.class() != ErrorClass::Limit
}

#[derive(Clone, Copy)]
enum Reason {
    /// The bytes are exactly one value.
    Complete(Summary),
    /// The first million values are valid, and more follow.
    Unfinished,
    /// This many bytes follow the value.
    Trailing(Summary, usize),
    /// Reading failed.
    Fails(Error),
    /// This dialect's writer would have written the same bytes.
    AsWritten,
    /// This dialect's writer would have written other bytes.
    Odd(Error),
    /// The root is a container or a string array that is not empty, and the lengths inside it are consistent.
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
            Self::Unfinished => write!(f, "the first {} values are valid", LIMITS.values),
            Self::Trailing(summary, left) => {
                write!(f, "a value of {} bytes, and {left} bytes are left over", summary.consumed)
            }
            Self::Fails(error) => error.fmt(f),
            Self::AsWritten => f.write_str("its own writer writes the same bytes"),
            Self::Odd(error) => write!(f, "its own writer would write other bytes: {error}"),
            Self::Container(kind) => write!(f, "the root is a non-empty {kind}"),
        }
    }
}

/// The result of [`detect`]: the likeliest engine first, and pages last.
#[derive(Clone, Debug)]
pub(crate) struct Candidates(Vec<Candidate>);

impl Candidates {
    /// The best candidate is the clear winner if its score is at least this much above the next.
    pub(crate) const CLEAR_LEAD: u32 = 20;
    /// The lowest score of a credible candidate.
    pub(crate) const CREDIBLE: u32 = 50;

    fn by_flag(bytes: &[u8]) -> Self {
        let engines = Dialect::LIKELIEST.iter().copied().map(Options::engine);
        Self(engines.map(|options| Candidate::new(bytes, options.limits(LIMITS))).collect())
    }

    /// Adds the readings that fit.
    fn add(&mut self, bytes: &[u8], readings: impl Iterator<Item = Options>) {
        let all = readings.map(|options| Candidate::new(bytes, options.limits(LIMITS)));
        self.0.extend(all.filter(Candidate::is_complete));
    }

    /// Reads the bytes in the documented double-precision layout, and adds the readings that fit.
    fn add_always_64(&mut self, bytes: &[u8]) {
        let engines = Dialect::LIKELIEST.iter().copied().map(Options::engine);
        self.add(bytes, engines.map(|options| options.reals(Reals::Always64)));
    }

    /// Reads the bytes by the documentation pages, and adds the readings that fit: those in single precision or, if
    /// there are none, those in double precision.
    fn add_pages(&mut self, bytes: &[u8]) {
        for reals in Reals::ALL {
            let pages = Page::ALL.iter().copied().map(Options::documented);
            self.add(bytes, pages.map(|options| options.reals(reals)));
            if self.has_pages() {
                return;
            }
        }
    }

    fn has_pages(&self) -> bool {
        self.iter().any(|candidate| candidate.dialect().page().is_some())
    }

    /// Adds the fitting readings by documentation pages, even if engines also fit. Used for each value of a file if no
    /// engine reads all values. `bytes` must be those given to [`detect`]. Costs as much as [`detect`].
    pub(crate) fn with_pages(mut self, bytes: &[u8]) -> Self {
        if !self.has_pages() {
            self.add_pages(bytes);
        }
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.0.iter()
    }

    /// The other candidates that read the bytes the same way as `candidate`.
    pub(crate) fn alike<'c>(
        &'c self,
        candidate: &'c Candidate,
    ) -> impl Iterator<Item = &'c Candidate> {
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
