//! [`Partitions`]: writes a table as many files, one for each partition. A partition is the rows with equal values in
//! some columns.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::Arc;

use arrow_array::{RecordBatch, UInt32Array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{Schema, SchemaRef};
use arrow_select::take::take_record_batch;

use super::{Format, TableWriter};
use crate::error::TableError;

/// Creates the files of partitions.
pub trait PartitionOutput {
    /// The type of a file.
    type File: Write + Send;

    /// Creates the file of a partition in a folder, such as `dialect=godot4/slot=1`: the values of several columns are
    /// separated by `/`. All characters except letters, digits, `-`, `_` and `.` are percent-encoded, so that values
    /// cannot name other folders.
    ///
    /// # Errors
    /// The file cannot be created.
    fn create(&mut self, folder: &str) -> std::io::Result<Self::File>;
}

/// Writes a table as many files. Each file has the rows with the same values of some columns, and does not have these
/// columns. Hive, Spark and others read this layout as one table.
pub struct Partitions<O: PartitionOutput> {
    output: O,
    format: Format,
    schema: SchemaRef,
    by: Vec<usize>,
    kept: Vec<usize>,
    most: usize,
    writers: BTreeMap<String, TableWriter<O::File>>,
}

/// The value in the folder's name for rows without a value.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The largest row group is written to its file when all row groups take more than this number of bytes in memory.
const BUFFERED: usize = 64 << 20;

impl<O: PartitionOutput> Partitions<O> {
    /// Starts without files. At most `most` files may be written.
    ///
    /// # Errors
    /// A column is missing, or no column is left for the files.
    pub fn new(
        format: Format,
        schema: &Schema,
        by: &[&str],
        most: usize,
        output: O,
    ) -> Result<Self, TableError> {
        let column = |name: &&str| {
            schema.index_of(name).map_err(|_| TableError::Column {
                column: (*name).to_owned(),
                why: "no such column for the partitions".to_owned(),
            })
        };
        let by = by.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let kept: Vec<_> = (0..schema.fields().len()).filter(|at| !by.contains(at)).collect();
        if kept.is_empty() {
            let column = by.first().map_or("", |at| schema.field(*at).name()).to_owned();
            let why = "no column is left for the files of the partitions".to_owned();
            return Err(TableError::Column { column, why });
        }
        let schema = Arc::new(schema.project(&kept)?);
        Ok(Self { output, format, schema, by, kept, most, writers: BTreeMap::new() })
    }

    /// Writes each row of a batch to its partition. O(rows and bytes).
    ///
    /// # Errors
    /// A file cannot be written, or there are more partitions than `most` of [`Partitions::new`].
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let options = FormatOptions::new().with_null(NULL);
        let formatters = self.by.iter().map(|at| {
            let name = batch.schema_ref().field(*at).name().clone();
            Ok((name, ArrayFormatter::try_new(batch.column(*at).as_ref(), &options)?))
        });
        let formatters = formatters.collect::<Result<Vec<_>, TableError>>()?;
        for row in 0..batch.num_rows() {
            let mut folder = String::new();
            for (name, formatter) in &formatters {
                if !folder.is_empty() {
                    folder.push('/');
                }
                encode(&mut folder, name);
                folder.push('=');
                encode(&mut folder, &formatter.value(row).to_string());
            }
            groups.entry(folder).or_default().push(u32::try_from(row).unwrap_or(u32::MAX));
        }
        for (folder, rows) in groups {
            let rows = take_record_batch(batch, &UInt32Array::from(rows))?.project(&self.kept)?;
            self.writer(&folder)?.write(&rows)?;
        }
        self.bound_memory()
    }

    fn writer(&mut self, folder: &str) -> Result<&mut TableWriter<O::File>, TableError> {
        if !self.writers.contains_key(folder) {
            let io = |error| TableError::Io { name: folder.to_owned(), error };
            if self.writers.len() >= self.most {
                let why = format!(
                    "more than {} partitions; use a column with fewer values, or allow more",
                    self.most
                );
                return Err(io(std::io::Error::other(why)));
            }
            let file = self.output.create(folder).map_err(io)?;
            let writer = TableWriter::new(self.format, &self.schema, file)?;
            self.writers.insert(folder.to_owned(), writer);
        }
        self.writers.get_mut(folder).ok_or_else(|| TableError::Io {
            name: folder.to_owned(),
            error: std::io::Error::other("it was just made"),
        })
    }

    fn bound_memory(&mut self) -> Result<(), TableError> {
        let mut sizes: Vec<_> = self.writers.values_mut().map(|w| (w.buffered(), w)).collect();
        let mut all = sizes.iter().fold(0_usize, |all, (size, _)| all.saturating_add(*size));
        sizes.sort_unstable_by_key(|(size, _)| std::cmp::Reverse(*size));
        for (size, writer) in sizes {
            if all <= BUFFERED {
                break;
            }
            writer.flush()?;
            all = all.saturating_sub(size);
        }
        Ok(())
    }

    /// Ends all files. Returns them with the names of their folders.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(self) -> Result<Vec<(String, O::File)>, TableError> {
        let ended = self.writers.into_iter().map(|(folder, writer)| Ok((folder, writer.finish()?)));
        ended.collect()
    }
}

impl<O: PartitionOutput> fmt::Debug for Partitions<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partitions").field("files", &self.writers.len()).finish_non_exhaustive()
    }
}

/// Appends a name or a value to the name of a folder.
fn encode(folder: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            folder.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(folder, "%{byte:02X}");
        }
    }
}
