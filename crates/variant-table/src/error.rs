//! [`TableError`]: the reason why a table cannot be made.

use std::fmt;

/// The reason why a table cannot be made. The faults of a file are not included: they are reported
/// in the file's row.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// A column is invalid.
    Column {
        /// The text of the column.
        column: String,
        /// The fault.
        why: String,
    },
    /// The text is not a file of columns.
    SchemaFile(String),
    /// Columns cannot be inferred: there are no files, or none can be read.
    NothingToInfer(String),
    /// Files cannot be listed, or a table cannot be written.
    Io {
        /// The file that was read or written.
        name: String,
        /// The error.
        error: std::io::Error,
    },
    /// An error of Arrow.
    Arrow(arrow_schema::ArrowError),
    /// An error of Parquet.
    Parquet(parquet::errors::ParquetError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { column, why } => write!(f, "column `{column}`: {why}"),
            Self::SchemaFile(why) => write!(f, "not a file of columns: {why}"),
            Self::NothingToInfer(why) => write!(f, "columns cannot be inferred: {why}"),
            Self::Io { name, error } => write!(f, "{name}: {error}"),
            Self::Arrow(error) => error.fmt(f),
            Self::Parquet(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::Arrow(error) => Some(error),
            Self::Parquet(error) => Some(error),
            _ => None,
        }
    }
}

impl From<arrow_schema::ArrowError> for TableError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl From<parquet::errors::ParquetError> for TableError {
    fn from(error: parquet::errors::ParquetError) -> Self {
        Self::Parquet(error)
    }
}
