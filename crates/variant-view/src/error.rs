//! [`Error`]: what is wrong, and at which byte.

mod canonical;
mod part;

use core::fmt;

pub use canonical::NotCanonical;
pub use part::{Limit, Part};

use crate::kind::Kind;

/// What is wrong, and at which byte of the document. 24 bytes, `Copy`, nothing allocated.
///
/// [`Document::path_to`](crate::Document::path_to) turns the offset into a path; [`Error::hint`] says
/// what to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
}

const _: () = assert!(size_of::<Error>() <= 24, "errors travel in registers");

/// The result of everything that reads bytes.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl Error {
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The byte of the document at which it was noticed; for [`ErrorClass::Mismatch`] the byte at which
    /// the value in question starts.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The sort of thing that is wrong.
    pub const fn class(&self) -> ErrorClass {
        self.kind.class()
    }

    /// What to try, in one sentence.
    pub const fn hint(&self) -> &'static str {
        self.kind.hint()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl core::error::Error for Error {}

/// The sorts of [`ErrorKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The bytes end too early; more of them might help.
    Truncated,
    /// The bytes break a rule of their dialect or profile.
    Malformed,
    /// The bytes ask for more than the [`Options`](crate::Options) allow.
    Limit,
    /// The bytes are fine, but are not what was asked for.
    Mismatch,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `part` needs `needed` bytes, and `available` are left. Both stop counting at `u32::MAX`.
    Truncated {
        /// What was being read.
        part: Part,
        /// The bytes it takes.
        needed: u32,
        /// The bytes there are.
        available: u32,
    },
    /// No type of this dialect has this number.
    UnknownType {
        /// The header word.
        header: u32,
    },
    /// A length or count of 2^31 or more; engines read it as negative.
    NegativeLength {
        /// Whose length.
        part: Part,
        /// The word as it stands.
        value: u32,
    },
    /// Text that the dialect's [`TextRule`](crate::TextRule) forbids; the offset is the byte at fault.
    InvalidText,
    /// A node path in the form of one plain string, which only Godot 2 reads.
    OldNodePath,
    /// A value of a kind that the page of the documentation calls unsupported; the offset is behind its header.
    Unsupported {
        /// Its kind.
        kind: Kind,
    },
    /// The element type of a typed container is no type of this dialect.
    ElementType {
        /// The number in its place.
        id: u32,
    },
    /// The class of a typed array must be given as a `StringName`.
    ElementClass {
        /// The header word in its place.
        header: u32,
    },
    /// An object with class and properties, where the options refuse them.
    ObjectRefused,
    /// The engine's writer would have written this otherwise.
    NotCanonical(NotCanonical),
    /// The document is larger than the options allow.
    LimitExceeded {
        /// Which limit.
        limit: Limit,
    },
    /// A value of another kind than asked for.
    WrongKind {
        /// The kind asked for.
        expected: Kind,
        /// The kind there is.
        found: Kind,
    },
    /// A value in which nothing can be looked up by what was given.
    NotAContainer {
        /// Its kind.
        found: Kind,
    },
    /// No such key or property; `column` is where the path names it.
    KeyNotFound {
        /// Byte of the path text, from 0.
        column: u32,
    },
    /// No such element; `column` is where the path names it.
    IndexOutOfRange {
        /// Byte of the path text, from 0.
        column: u32,
        /// The number of elements there are.
        len: u32,
    },
    /// The path cannot be read from byte `column` on.
    PathSyntax {
        /// Byte of the path text, from 0.
        column: u32,
    },
    /// The `int` does not fit into the Rust type that was asked for.
    IntRange {
        /// What it is.
        value: i64,
        /// Whether the Rust type is signed.
        is_signed: bool,
        /// The bits of the Rust type.
        bits: u8,
    },
    /// The offset lies outside the document's value.
    OutsideDocument,
}

impl ErrorKind {
    /// The sort of thing that is wrong.
    pub const fn class(self) -> ErrorClass {
        match self {
            Self::Truncated { .. } => ErrorClass::Truncated,
            Self::UnknownType { .. }
            | Self::NegativeLength { .. }
            | Self::InvalidText
            | Self::OldNodePath
            | Self::Unsupported { .. }
            | Self::ElementType { .. }
            | Self::ElementClass { .. }
            | Self::NotCanonical(_) => ErrorClass::Malformed,
            Self::ObjectRefused | Self::LimitExceeded { .. } => ErrorClass::Limit,
            Self::WrongKind { .. }
            | Self::NotAContainer { .. }
            | Self::KeyNotFound { .. }
            | Self::IndexOutOfRange { .. }
            | Self::PathSyntax { .. }
            | Self::IntRange { .. }
            | Self::OutsideDocument => ErrorClass::Mismatch,
        }
    }

    const fn hint(self) -> &'static str {
        match self {
            Self::Truncated { part: Part::Padding, .. } => {
                "the writer left out the padding to a multiple of 4 bytes that this dialect insists on"
            }
            Self::Truncated { .. } => {
                "the data was cut short, or a length before this point is wrong, or it is of another dialect"
            }
            Self::UnknownType { .. } => {
                "the data may be of another dialect, framed by a length word, compressed, or no Variant at all"
            }
            Self::NegativeLength { .. } => "the data is damaged here, or of another dialect",
            Self::InvalidText => {
                "the bytes are all there; only as text they make no sense to this dialect"
            }
            Self::OldNodePath => "only Godot 2 reads this form; try that dialect",
            Self::Unsupported { .. } => {
                "the page gives no layout for it, engines do; try the dialect of the engine"
            }
            Self::ElementType { .. } | Self::ElementClass { .. } => {
                "the data is damaged here, or written by a newer engine"
            }
            Self::ObjectRefused => {
                "accept objects in the options; they are shown as data, never created"
            }
            Self::NotCanonical(_) => "use the engine profile to accept what the engine accepts",
            Self::LimitExceeded { .. } => "raise this limit if the source can be trusted",
            Self::WrongKind { .. } | Self::NotAContainer { .. } => {
                "look at the kind of the value first"
            }
            Self::KeyNotFound { .. } | Self::IndexOutOfRange { .. } => {
                "iterate over the container to see what it holds"
            }
            Self::PathSyntax { .. } => "a path looks like `player.items[3][\"odd key\"]`",
            Self::IntRange { .. } => "ask for a wider type, such as with `as_i64`",
            Self::OutsideDocument => "give an offset within the root value",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { part, needed, available } => {
                let more = if *needed == u32::MAX { " or more" } else { "" };
                write!(f, "{part} needs {needed} bytes{more}, {available} are left")
            }
            Self::UnknownType { header } => {
                write!(f, "header 0x{header:08x} names no type of this dialect")
            }
            Self::NegativeLength { part, value } => {
                write!(f, "{part} is {value}, more than 2147483647")
            }
            Self::InvalidText => f.write_str("text is not valid UTF-8"),
            Self::OldNodePath => f.write_str("node path in the old form of one plain string"),
            Self::Unsupported { kind } => {
                write!(f, "{kind} is unsupported by this page of the documentation")
            }
            Self::ElementType { id } => write!(f, "element type {id} is no type of this dialect"),
            Self::ElementClass { header } => {
                write!(
                    f,
                    "class of a typed array has header 0x{header:08x}, not that of a StringName"
                )
            }
            Self::ObjectRefused => f.write_str("object with class and properties refused"),
            Self::NotCanonical(what) => write!(f, "not canonical: {what}"),
            Self::LimitExceeded { limit } => write!(f, "more {limit} than the limits allow"),
            Self::WrongKind { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::NotAContainer { found } => write!(f, "nothing can be looked up in {found}"),
            Self::KeyNotFound { column } => {
                write!(f, "no such key (column {column} of the path), looked for in the value")
            }
            Self::IndexOutOfRange { column, len } => {
                write!(
                    f,
                    "no such index (column {column} of the path), looked for in an array of length {len}, the value"
                )
            }
            Self::PathSyntax { column } => {
                write!(f, "path unreadable from column {column} on, in the value")
            }
            Self::IntRange { value, is_signed, bits } => {
                let sign = if *is_signed { 'i' } else { 'u' };
                write!(f, "the int {value} does not fit into {sign}{bits}")
            }
            Self::OutsideDocument => f.write_str("outside of the document's value"),
        }
    }
}
