//! [`Failure`]: why a command failed, and its exit status.

use std::io;

use variant_document::EditError;

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

    /// The failure of a change of the file `name`.
    pub(crate) fn edit(name: &str, error: &EditError) -> Self {
        match error.candidates().first() {
            None => Self::file(Status::Invalid, format!("{name}: {error}")),
            Some(first) => {
                let how = format!("name the engine, for example --dialect {}", first.name());
                Self::file(Status::Usage, format!("{name}: {error}; {how}"))
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
