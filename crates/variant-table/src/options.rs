//! [`ReadOptions`]: the options for reading files.

use variant_document::Plain;
use variant_io::{Framing, Guess, Key, OpenOptions, Verdict};
use variant_view::{Dialect, Limits, Options, Reals};

use crate::misfit::MisfitPolicy;

/// The options for reading files. Options that are not set are detected, for each file separately.
///
/// ```
/// use variant_table::ReadOptions;
/// use variant_view::Dialect;
///
/// let options = ReadOptions::new().dialect(Some(Dialect::Godot4)).validate(true);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct ReadOptions {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) framing: Option<Framing>,
    pub(crate) reals: Option<Reals>,
    pub(crate) skip: u64,
    pub(crate) open: OpenOptions,
    pub(crate) max_len: u64,
    pub(crate) policy: MisfitPolicy,
    pub(crate) validates: bool,
    pub(crate) batch_rows: usize,
    pub(crate) max_repeat: usize,
}

impl ReadOptions {
    /// Detects everything; validates only the values that are read; batches of 8,192 rows.
    pub const fn new() -> Self {
        Self {
            dialect: None,
            framing: None,
            reals: None,
            skip: 0,
            open: OpenOptions::new(),
            max_len: 1 << 30,
            policy: MisfitPolicy::Widen,
            validates: false,
            batch_rows: 8_192,
            max_repeat: 64,
        }
    }

    /// The dialect of all files. `None`: detected for each file.
    #[must_use]
    pub const fn dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }

    /// The framing of all files. `None`: detected for each file.
    #[must_use]
    pub const fn framing(mut self, framing: Option<Framing>) -> Self {
        self.framing = framing;
        self
    }

    /// The width of reals. `None`: detected, otherwise by flag.
    #[must_use]
    pub const fn reals(mut self, reals: Option<Reals>) -> Self {
        self.reals = reals;
        self
    }

    /// The number of bytes before the first value of each file, such as a version number.
    #[must_use]
    pub const fn skip(mut self, bytes: u64) -> Self {
        self.skip = bytes;
        self
    }

    /// The key of encrypted files.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.open = self.open.key(key);
        self
    }

    /// The most bytes of a file without its compression and encryption, and of input of unknown length; 1 GiB if not
    /// set.
    #[must_use]
    pub fn max_len(mut self, max_len: u64) -> Self {
        self.max_len = max_len;
        self.open = self.open.max_len(max_len);
        self
    }

    /// Whether large files are mapped into memory. If another program shortens such a file meanwhile, this program
    /// ends.
    #[must_use]
    pub fn map(mut self, may_map: bool) -> Self {
        self.open = self.open.map(may_map);
        self
    }

    /// The treatment of values whose types differ from their columns'.
    #[must_use]
    pub const fn misfits(mut self, policy: MisfitPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Whether each value is validated as a whole. Otherwise only its structure is: text without a column may be
    /// invalid.
    #[must_use]
    pub const fn validate(mut self, validates: bool) -> Self {
        self.validates = validates;
        self
    }

    /// The most rows of a batch; at least 1.
    #[must_use]
    pub const fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = if rows == 0 { 1 } else { rows };
        self
    }

    /// The number of bytes, for each byte of a value, that its rows may repeat from before their items. 64 if not set.
    /// More is an error of the value, so that a small file does not become a large table.
    #[must_use]
    pub const fn max_repeat(mut self, times: usize) -> Self {
        self.max_repeat = times;
        self
    }

    /// The bytes of a file and how to read them. O(bytes) if something must be detected.
    ///
    /// # Errors
    /// The reason why nothing was detected.
    pub(crate) fn plain<'f>(&self, bytes: &'f [u8]) -> Result<Plain<'f>, String> {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX);
        let Some(values) = bytes.get(skipped..) else {
            return Err(format!(
                "the file ends in front of byte {skipped}, where values are to begin"
            ));
        };
        let plain = |framing, dialect, reals| {
            let reals = self.reals.unwrap_or(reals);
            let options = Options::new(dialect).reals(reals).limits(Limits::FILE);
            Plain::new(bytes, framing, options).skip(skipped).find_tail()
        };
        if let (Some(dialect), Some(framing)) = (self.dialect, self.framing) {
            return Ok(plain(framing, dialect, Reals::ByFlag));
        }
        if values.is_empty() {
            return Err("the file is empty".to_owned());
        }
        // Nearly every file has only one reading, which needs no weighing of candidates.
        if let Some((framing, dialect)) = Framing::detect_sole(values)
            && self.framing.is_none_or(|given| given == framing)
            && self.dialect.is_none_or(|given| given == dialect)
        {
            return Ok(plain(framing, dialect, Reals::ByFlag));
        }
        let detection = Framing::detect(values);
        let guess = detection.best_of(self.framing, self.dialect);
        let framing = self.framing.unwrap_or(guess.framing());
        if let Some(dialect) = self.dialect {
            return Ok(plain(framing, dialect, Reals::ByFlag));
        }
        let fit = guess.verdict().fit().ok_or_else(|| undecided(guess))?;
        Ok(plain(framing, fit.dialect(), fit.reals()))
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The reason why no dialect was chosen.
fn undecided(guess: &Guess) -> String {
    let best = guess.dialects().best();
    if matches!(guess.verdict(), Verdict::Nothing) {
        let why = best.and_then(|best| best.candidate().reasons().next());
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        return format!("no engine can read this{why}");
    }
    let dialect = best.map_or("godot4", |fit| fit.dialect().name());
    format!("several engines can read this; name the dialect, for example {dialect}")
}
