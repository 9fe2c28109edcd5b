//! [`Failure`]: the error of a query, and the exit status.

use std::io;

use datafusion::arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use variant_table::TableError;

/// The exit statuses of `variant-inspect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Invalid,
    Usage,
    Io,
    Gone,
}

impl Status {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Invalid => 1,
            Self::Usage => 2,
            Self::Io => 3,
            Self::Gone => 141,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    message: String,
}

impl Failure {
    pub(crate) const fn new(status: Status, message: String) -> Self {
        Self { status, message }
    }

    pub(crate) const fn status(&self) -> Status {
        self.status
    }

    /// The message; `None` if the reader of the output has closed it.
    pub(crate) fn message(&self) -> Option<&str> {
        (self.status != Status::Gone).then_some(&self.message)
    }

    /// The failure if the output cannot be written.
    pub(crate) fn output(name: &str, error: &io::Error) -> Self {
        let is_gone = error.kind() == io::ErrorKind::BrokenPipe;
        let status = if is_gone { Status::Gone } else { Status::Io };
        Self::new(status, format!("{name}: {error}"))
    }
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        let status = match error.find_root() {
            DataFusionError::SQL(..)
            | DataFusionError::Plan(_)
            | DataFusionError::SchemaError(..)
            | DataFusionError::Configuration(_)
            | DataFusionError::NotImplemented(_)
            | DataFusionError::Diagnostic(..) => Status::Usage,
            DataFusionError::IoError(_) => Status::Io,
            DataFusionError::External(error) => {
                error.downcast_ref::<TableError>().map_or(Status::Invalid, of_table)
            }
            _ => Status::Invalid,
        };
        Self::new(status, error.strip_backtrace())
    }
}

const fn of_table(error: &TableError) -> Status {
    match error {
        TableError::Column { .. } => Status::Usage,
        TableError::Io { .. } => Status::Io,
        _ => Status::Invalid,
    }
}

/// The failure for an error of a table writer.
pub(crate) fn written(name: &str, error: TableError) -> Failure {
    match error {
        TableError::Io { error, .. } | TableError::Arrow(ArrowError::IoError(_, error)) => {
            Failure::output(name, &error)
        }
        other => Failure::new(Status::Invalid, format!("{name}: {other}")),
    }
}
