//! Writes tables as files.

mod partition;

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_json::LineDelimitedWriter;
use arrow_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

pub use self::partition::{PartitionOutput, Partitions};
use crate::error::TableError;

/// A file format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Parquet, compressed with zstd.
    Parquet,
    /// Arrow's file of record batches, which is version 2 of Feather.
    Arrow,
    /// Text with commas, and a first line of names. The parts of structs are columns, such as `_error.text`. The format
    /// cannot express other nested values: see [`Columns::flat`](crate::Columns::flat).
    Csv,
    /// JSON, one object a line. Numbers that are not finite become null, and bytes become hexadecimal digits.
    JsonLines,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Parquet, Self::Arrow, Self::Csv, Self::JsonLines];

    /// The name of the format, which is also the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }

    /// Whether the format can express nested values.
    pub const fn is_nested(self) -> bool {
        !matches!(self, Self::Csv)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that is not the name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a format of tables; expected one of")?;
        Format::ALL.iter().try_for_each(|format| write!(f, " {format}"))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.name().eq_ignore_ascii_case(text)).ok_or(UnknownFormat)
    }
}

/// Writes record batches in one format.
///
/// ```
/// use variant_table::{Columns, Format, TableWriter};
///
/// let schema = Columns::parse(["level=player.level:int"])?.schema();
/// let mut out = Vec::new();
/// TableWriter::new(Format::Csv, &schema, &mut out)?.finish()?;
/// assert_eq!(out, b"level\n");
/// # Ok::<(), variant_table::TableError>(())
/// ```
pub struct TableWriter<W: Write + Send>(Writer<W>);

enum Writer<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    Arrow(Box<FileWriter<W>>),
    Csv(Box<arrow_csv::Writer<W>>),
    JsonLines(LineDelimitedWriter<W>),
}

/// A row group is written to the file when it takes this number of bytes in memory.
const ROW_GROUP: usize = 32 << 20;

impl<W: Write + Send> TableWriter<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// `out` fails, or the format cannot express the schema.
    pub fn new(format: Format, schema: &Schema, mut out: W) -> Result<Self, TableError> {
        let schema = std::sync::Arc::new(schema.clone());
        Ok(Self(match format {
            Format::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
                    .set_max_row_group_bytes(Some(ROW_GROUP))
                    .build();
                Writer::Parquet(Box::new(ArrowWriter::try_new(out, schema, Some(properties))?))
            }
            Format::Arrow => Writer::Arrow(Box::new(FileWriter::try_new(out, &schema)?)),
            Format::Csv => {
                // A table without rows still has a line of names.
                let names = RecordBatch::new_empty(std::sync::Arc::clone(&schema));
                let mut writer = arrow_csv::WriterBuilder::new().with_header(true).build(&mut out);
                writer.write(&names.normalize(".", None)?)?;
                drop(writer);
                Writer::Csv(Box::new(arrow_csv::WriterBuilder::new().with_header(false).build(out)))
            }
            Format::JsonLines => Writer::JsonLines(LineDelimitedWriter::new(out)),
        }))
    }

    /// Writes a batch. O(bytes).
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        match &mut self.0 {
            Writer::Parquet(writer) => writer.write(batch)?,
            Writer::Arrow(writer) => writer.write(batch)?,
            Writer::Csv(writer) => writer.write(&batch.normalize(".", None)?)?,
            Writer::JsonLines(writer) => writer.write(batch)?,
        }
        Ok(())
    }

    /// The number of bytes in memory that have not been written to the file.
    pub fn buffered(&self) -> usize {
        match &self.0 {
            Writer::Parquet(writer) => writer.memory_size(),
            _ => 0,
        }
    }

    /// Writes the rows in memory, as a separate row group.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> Result<(), TableError> {
        if let Writer::Parquet(writer) = &mut self.0 {
            writer.flush()?;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<W, TableError> {
        Ok(match self.0 {
            Writer::Parquet(writer) => writer.into_inner()?,
            Writer::Arrow(mut writer) => {
                writer.finish()?;
                writer.into_inner()?
            }
            Writer::Csv(writer) => writer.into_inner(),
            Writer::JsonLines(mut writer) => {
                writer.finish()?;
                writer.into_inner()
            }
        })
    }
}

impl<W: Write + Send> fmt::Debug for TableWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableWriter").finish_non_exhaustive()
    }
}
