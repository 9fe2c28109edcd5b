//! [`Error`]: what is wrong with bytes that arrived. [`SendError`]: why a message is not sent.

use std::fmt;

use variant_owned::EncodeError;
use variant_view::{Dialect, Kind};

use crate::family::{Family, Version};

/// What is wrong with bytes that arrived, and where. `Copy`, no allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: u64,
}

impl Error {
    #[cold]
    pub(crate) const fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }

    /// A fault at a place of a message.
    #[cold]
    pub(crate) fn at(kind: ErrorKind, place: usize) -> Self {
        Self::new(kind, u64::try_from(place).unwrap_or(u64::MAX))
    }

    /// A fault of a value, whose frame starts at `place` of its message.
    #[cold]
    pub(crate) fn in_frame(error: variant_view::Error, place: usize) -> Self {
        Self::at(ErrorKind::Value(error.kind()), place.saturating_add(error.offset()))
    }

    /// The fault in the stream, of which the message begins at `start`.
    #[cold]
    pub(crate) const fn after(self, start: u64) -> Self {
        Self { kind: self.kind, offset: self.offset.saturating_add(start) }
    }

    /// The fault.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The byte of the stream, from 0; in a message or a list, the byte of [`Event::bytes`](crate::Event::bytes).
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the session has ended: the bytes that follow cannot be read.
    pub const fn is_fatal(&self) -> bool {
        self.kind.is_fatal()
    }

    /// A possible remedy, as one phrase.
    pub const fn hint(&self) -> &'static str {
        self.kind.hint()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for Error {}

/// A fault of bytes that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The first frame is neither a text nor an array. Fatal.
    NotAGame {
        /// The first word of the frame.
        header: u32,
    },
    /// A length word exceeds the limit `frame`. Fatal.
    FrameTooLong {
        /// The claimed length.
        len: u32,
        /// The limit.
        limit: u32,
    },
    /// A message exceeds the limit `message`. Fatal.
    MessageTooLong {
        /// The limit.
        limit: u32,
    },
    /// A message announces too many frames, or a negative number. Frames are skipped up to the name of a message.
    FrameCount {
        /// The announced number.
        count: i64,
        /// The limit.
        limit: u32,
    },
    /// A frame is not what must come next: the stream is out of step. Frames are skipped up to the name of a message.
    OutOfStep {
        /// What must come next.
        expected: &'static str,
    },
    /// A frame is not one valid value.
    Value(variant_view::ErrorKind),
    /// Bytes follow the value of a frame.
    Trailing {
        /// Their number.
        count: usize,
    },
    /// A message has fewer elements than its kind needs.
    TooFew {
        /// The number found.
        found: usize,
        /// The least number.
        least: usize,
    },
    /// An element has another type than its message needs.
    Element {
        /// The index of the element.
        index: usize,
        /// What the message needs.
        expected: &'static str,
        /// The kind found.
        found: Kind,
    },
    /// A frame of a stack lacks its file, line or function.
    StackFrame,
    /// A count inside a message is negative, or larger than the elements that follow.
    Count {
        /// The index of the element.
        index: usize,
        /// The count.
        count: i64,
    },
}

impl ErrorKind {
    const fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::NotAGame { .. } | Self::FrameTooLong { .. } | Self::MessageTooLong { .. }
        )
    }

    const fn hint(&self) -> &'static str {
        match self {
            Self::NotAGame { .. } => "the peer is not a game that --remote-debug started",
            Self::FrameTooLong { .. } | Self::MessageTooLong { .. } | Self::FrameCount { .. } => {
                "raise the limit if the game is trusted; else close the connection"
            }
            Self::OutOfStep { .. } => {
                "the game left out a frame over 8 MiB, or the family is wrong"
            }
            Self::Value(_) => "the dialect is wrong, or the peer is not an engine",
            Self::StackFrame
            | Self::Trailing { .. }
            | Self::TooFew { .. }
            | Self::Element { .. }
            | Self::Count { .. } => {
                "a script of the game sent it, or a version that this crate does not know"
            }
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAGame { header } => write!(
                f,
                "the first frame begins with the word {header:#x}; a message begins with a text or an array"
            ),
            Self::FrameTooLong { len, limit } => {
                write!(f, "the length word claims {len} bytes, the limit is {limit}")
            }
            Self::MessageTooLong { limit } => {
                write!(f, "a message of several frames exceeds the limit of {limit} bytes")
            }
            Self::FrameCount { count, limit } => {
                write!(f, "a message claims {count} frames, the limit is {limit}")
            }
            Self::OutOfStep { expected } => write!(f, "the frame is not {expected}"),
            Self::Value(kind) => kind.fmt(f),
            Self::Trailing { count } => write!(f, "{count} bytes follow the value of the frame"),
            Self::TooFew { found, least } => {
                write!(f, "the message has {found} elements, at least {least} are needed")
            }
            Self::Element { index, expected, found } => {
                write!(f, "element {index} is {found}, expected {expected}")
            }
            Self::StackFrame => {
                f.write_str("a frame of the stack lacks its file, line or function")
            }
            Self::Count { index, count } => {
                write!(
                    f,
                    "element {index} is the count {count}, which the elements after it do not fit"
                )
            }
        }
    }
}

/// Why a message is not sent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SendError {
    /// The game has sent nothing yet: its family is not known.
    FamilyUnknown,
    /// The dialect is not known yet.
    DialectUnknown,
    /// The thread is not known yet (Pandemonium 4 and 5).
    ThreadUnknown,
    /// The form of the message depends on the version of the game, which is not known yet.
    VersionUnknown {
        /// The message.
        name: &'static str,
        /// The version that decides.
        version: Version,
    },
    /// The family has no such message.
    NotInFamily {
        /// The message.
        name: &'static str,
        /// The family of the game.
        family: Family,
    },
    /// The version of the game has no such message.
    NotInVersion {
        /// The message.
        name: &'static str,
        /// The first version that has it.
        since: Option<Version>,
        /// The last version that has it.
        until: Option<Version>,
    },
    /// The game must be stopped for it.
    NotStopped {
        /// The message.
        name: &'static str,
    },
    /// The game must run for it.
    NotRunning {
        /// The message.
        name: &'static str,
    },
    /// The thread has no stack, and would run on.
    NoStack {
        /// The message.
        name: &'static str,
    },
    /// The game would not survive fewer arguments.
    TooFewArguments {
        /// The message.
        name: String,
        /// The number found.
        found: usize,
        /// The least number.
        least: usize,
    },
    /// The game would not read the arguments that are too many, or would run on.
    TooManyArguments {
        /// The message.
        name: String,
        /// The number found.
        found: usize,
        /// The greatest number.
        most: usize,
    },
    /// The game would never read anything again, or lose its place in the stream.
    TooLong {
        /// The number of bytes.
        len: usize,
        /// The greatest number.
        limit: usize,
    },
    /// The value has an object in full, which engines refuse.
    Object,
    /// A value has no bytes in the dialect.
    Encode(EncodeError),
    /// A borrowed value is damaged, or has another dialect.
    Value(variant_view::Error),
    /// A list of the message is damaged.
    List(Error),
    /// The family and the dialect do not belong together.
    Dialect {
        /// The family.
        family: Family,
        /// The dialect.
        dialect: Dialect,
    },
}

impl SendError {
    /// A possible remedy, as one phrase.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::FamilyUnknown | Self::DialectUnknown | Self::ThreadUnknown => {
                "wait for the first message, or give family and dialect"
            }
            Self::VersionUnknown { .. } => "give the version of the engine",
            Self::NotInFamily { .. } | Self::NotInVersion { .. } => "use another command",
            Self::NotStopped { .. } => "set a breakpoint or send Break first",
            Self::NotRunning { .. } => "send Continue first",
            Self::NoStack { .. } => {
                "the build has no debugging of scripts, or the frame has no object"
            }
            Self::TooFewArguments { .. } | Self::TooManyArguments { .. } => {
                "see messages() for the arguments; Command::Raw sends anything"
            }
            Self::TooLong { .. } => "send less at a time",
            Self::Object => "send an id or a path instead of the object",
            Self::Encode(_) => "convert the value to the dialect of the game",
            Self::Value(_) | Self::List(_) => "validate what is forwarded",
            Self::Dialect { .. } => "give a dialect of the family",
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FamilyUnknown => f.write_str("the game has sent nothing yet"),
            Self::DialectUnknown => f.write_str("the dialect of the game is not known yet"),
            Self::ThreadUnknown => f.write_str("no thread of the game is known yet"),
            Self::VersionUnknown { name, version } => {
                write!(f, "{name}: it is not known whether the game has Godot {version}")
            }
            Self::NotInFamily { name, family } => {
                write!(f, "{name}: games of the family {family} have no such message")
            }
            Self::NotInVersion { name, since, until } => {
                write!(f, "{name}: the game's version has no such message")?;
                since.map_or(Ok(()), |since| write!(f, ", it came with Godot {since}"))?;
                until.map_or(Ok(()), |until| write!(f, ", the last one was Godot {until}"))
            }
            Self::NotStopped { name } => write!(f, "{name}: the game runs, and would ignore it"),
            Self::NotRunning { name } => write!(f, "{name}: the game is stopped"),
            Self::NoStack { name } => write!(f, "{name}: the stopped thread has no stack"),
            Self::TooFewArguments { name, found, least } => {
                write!(f, "{name}: {found} arguments, the game reads {least} and would crash")
            }
            Self::TooManyArguments { name, found, most } => {
                write!(f, "{name}: {found} arguments, the game reads at most {most}")
            }
            Self::TooLong { len, limit } => {
                write!(f, "{len} bytes, the game reads messages of at most {limit}")
            }
            Self::Object => f.write_str("a value has an object in full, which engines refuse"),
            Self::Encode(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
            Self::List(error) => error.fmt(f),
            Self::Dialect { family, dialect } => {
                write!(f, "games of the family {family} do not have the dialect {dialect}")
            }
        }
    }
}

impl std::error::Error for SendError {}

impl From<EncodeError> for SendError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl From<variant_view::Error> for SendError {
    fn from(error: variant_view::Error) -> Self {
        Self::Value(error)
    }
}

impl From<Error> for SendError {
    fn from(error: Error) -> Self {
        Self::List(error)
    }
}
