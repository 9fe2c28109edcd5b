//! [`Failure`]: why a command failed, and its exit status.

use std::io;

use variant_document::EditError;

/// The outcome of a command. For several files, the greatest outcome counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    Fine,
    Invalid,
    Usage,
    Io,
    /// Damage in a file ended a comparison.
    NoAnswer,
}

impl Status {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Invalid => 1,
            Self::Usage => 2,
            Self::Io => 3,
            Self::NoAnswer => 4,
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
    /// The command failed with this status. Its message is already printed.
    Told(Status),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::File { status: Status::Invalid, message: message.into() }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::File { status: Status::Usage, message: message.into() }
    }

    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::File { status: Status::Io, message: message.into() }
    }

    /// The failure for an error in an edit of the file `name`.
    pub(crate) fn edit(name: &str, error: &EditError) -> Self {
        let Some(first) = error.candidates().first() else {
            return Self::invalid(format!("{name}: {error}"));
        };
        let how = format!("name the engine, for example --dialect {}", first.name());
        Self::usage(format!("{name}: {error}; {how}"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
