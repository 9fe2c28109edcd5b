//! [`Summary`]: counts of the values that were read, and of their results.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of the values that were read, and of their results. Skipped values and rows are also counted. If items do not
/// make rows, `values` is the sum of `rows`, `filtered` and `errors`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of files, including those that cannot be opened.
    pub files: u64,
    /// The number of bytes in files, after decompression and decryption.
    pub bytes: u64,
    /// The number of values, including unreadable values. A file that cannot be opened counts as one value.
    pub values: u64,
    /// The number of rows of values, without rows that only report an error.
    pub rows: u64,
    /// The number of rows that conditions filtered out.
    pub filtered: u64,
    /// The number of files and values that cannot be read completely.
    pub errors: u64,
    /// The number of rows in which a value does not fit its column and is null.
    pub misfits: u64,
    /// The number of values that were read for columns and conditions, without skipped values.
    pub decoded: u64,
}

/// The sums of the counts of several threads.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    files: AtomicU64,
    bytes: AtomicU64,
    values: AtomicU64,
    rows: AtomicU64,
    filtered: AtomicU64,
    errors: AtomicU64,
    misfits: AtomicU64,
    decoded: AtomicU64,
}

impl Counters {
    /// Adds the counts of `summary`, and resets it.
    pub(crate) fn take(&self, summary: &mut Summary) {
        let Summary { files, bytes, values, rows, filtered, errors, misfits, decoded } =
            std::mem::take(summary);
        self.files.fetch_add(files, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.values.fetch_add(values, Ordering::Relaxed);
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.filtered.fetch_add(filtered, Ordering::Relaxed);
        self.errors.fetch_add(errors, Ordering::Relaxed);
        self.misfits.fetch_add(misfits, Ordering::Relaxed);
        self.decoded.fetch_add(decoded, Ordering::Relaxed);
    }

    pub(crate) fn summary(&self) -> Summary {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Summary {
            files: get(&self.files),
            bytes: get(&self.bytes),
            values: get(&self.values),
            rows: get(&self.rows),
            filtered: get(&self.filtered),
            errors: get(&self.errors),
            misfits: get(&self.misfits),
            decoded: get(&self.decoded),
        }
    }
}

impl fmt::Display for Summary {
    /// The counts in one line: `20,000 files, 20,000 values: 19,998 rows + 2 errors`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use variant_document::count::counted;
        let Self { files, values, rows, filtered, errors, misfits, .. } = *self;
        write!(
            f,
            "{}, {}: {} + {}",
            counted(files, "file"),
            counted(values, "value"),
            counted(rows, "row"),
            counted(errors, "error")
        )?;
        if filtered > 0 {
            write!(f, "; {} left out by conditions", counted(filtered, "row"))?;
        }
        if misfits > 0 {
            write!(
                f,
                "; {} with a value that does not fit, which is null",
                counted(misfits, "row")
            )?;
        }
        Ok(())
    }
}
