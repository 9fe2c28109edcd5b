//! [`ReadOptions`]: the options for reading files.

use variant_document::{Chosen, Plain, Reading};
use variant_io::Verdict;

use crate::misfit::MisfitPolicy;

/// The options for reading files.
///
/// ```
/// use variant_document::Reading;
/// use variant_table::ReadOptions;
///
/// let reading = Reading::named(Some("godot4"), None, None)?;
/// let options = ReadOptions::new().reading(reading).validate(true);
/// # let _ = options;
/// # Ok::<(), variant_document::names::UnknownName>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReadOptions {
    pub(crate) reading: Reading,
    pub(crate) policy: MisfitPolicy,
    pub(crate) validates: bool,
    pub(crate) batch_rows: usize,
    pub(crate) max_repeat: usize,
}

impl ReadOptions {
    /// Detects all settings, validates only the values that are read, and makes batches of up to 8,192 rows.
    pub const fn new() -> Self {
        Self {
            reading: Reading::new(),
            policy: MisfitPolicy::Widen,
            validates: false,
            batch_rows: 8_192,
            max_repeat: 64,
        }
    }

    /// The known settings for reading the files. The other settings are detected, for each file separately. The limit
    /// of unpacked bytes also applies to input of unknown length.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// The treatment of values that do not have the type of their column.
    #[must_use]
    pub const fn misfits(mut self, policy: MisfitPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Whether each value is validated as a whole. Otherwise only its structure is validated: text that belongs to no
    /// column may be invalid.
    #[must_use]
    pub const fn validate(mut self, validates: bool) -> Self {
        self.validates = validates;
        self
    }

    /// The maximum number of rows of a batch; at least 1.
    #[must_use]
    pub const fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = if rows == 0 { 1 } else { rows };
        self
    }

    /// If each item of a value is a row, columns from outside the items are repeated in each row. The repeated cells of
    /// all rows may have at most `times` the bytes of the value; 64 by default. A value that exceeds this limit is an
    /// error, so that a small file does not become a large table.
    #[must_use]
    pub const fn max_repeat(mut self, times: usize) -> Self {
        self.max_repeat = times;
        self
    }

    /// The bytes of a file, and the settings for reading them. O(bytes) if a setting must be detected.
    ///
    /// # Errors
    /// The reason why nothing was detected.
    pub(crate) fn plain<'f>(&self, bytes: &'f [u8]) -> Result<Plain<'f>, String> {
        let chosen = self.reading.choose(bytes).map_err(|error| error.to_string())?;
        let is_empty = chosen.guess().is_some() && chosen.plain.body().is_empty();
        let is_undecided = chosen.verdict().is_some_and(|verdict| verdict.fit().is_none());
        if is_empty || is_undecided { Err(undecided(&chosen)) } else { Ok(chosen.plain) }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The reason why no dialect was chosen.
fn undecided(chosen: &Chosen<'_>) -> String {
    if chosen.plain.body().is_empty() {
        return "the file is empty".to_owned();
    }
    let best = chosen.guess().and_then(|guess| guess.dialects().best());
    if matches!(chosen.verdict(), Some(Verdict::Nothing)) {
        let why = best.and_then(|best| best.reasons().next());
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        return format!("no engine can read this{why}");
    }
    let dialect = best.map_or("godot4", |fit| fit.dialect().name());
    format!("several engines can read this; name the dialect, for example {dialect}")
}
