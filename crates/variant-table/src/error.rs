//! [`TableError`]: why there is no table.

use std::fmt;

/// Why a table cannot be made. What is wrong with a file is told in its row instead.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// A column is none.
    Column {
        /// The column, as it was written.
        column: String,
        /// What is wrong.
        why: String,
    },
    /// The text is no file of columns.
    SchemaFile(String),
    /// No file tells which columns there are.
    NothingToInfer(String),
    /// Files cannot be listed, or a table cannot be written.
    Io {
        /// What was read or written.
        name: String,
        /// What happened.
        error: std::io::Error,
    },
    /// Arrow's own.
    Arrow(arrow_schema::ArrowError),
    /// Parquet's own.
    Parquet(parquet::errors::ParquetError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { column, why } => write!(f, "column `{column}`: {why}"),
            Self::SchemaFile(why) => write!(f, "no file of columns: {why}"),
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
