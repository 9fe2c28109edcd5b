//! [`Failure`]: why a command failed, and its exit status.

use std::io;

/// The outcome of a command. The greatest outcome of several files counts.
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

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message, usually about a file.
    File {
        /// The exit status.
        status: Status,
        /// One line, without a full stop.
        message: String,
    },
    /// The message is already printed.
    Told(Status),
    /// Standard output cannot be written.
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
