//! [`Failure`]: why a command cannot go on, and the exit status that says so.

use std::io;

/// How a command ended. The greatest of several files counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    Fine,
    Invalid,
    Usage,
    Io,
}

impl Status {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Invalid => 1,
            Self::Usage => 2,
            Self::Io => 3,
        }
    }
}

/// Why a command cannot go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something to be told about a file.
    File {
        /// What it means for the exit.
        status: Status,
        /// One line, without a full stop.
        message: String,
    },
    /// Something that has been told already.
    Told(Status),
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) const fn file(status: Status, message: String) -> Self {
        Self::File { status, message }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
