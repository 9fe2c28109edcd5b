//! [`Error`]: what is wrong, and at which byte.

use core::fmt;

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
            | Self::ElementType { .. }
            | Self::ElementClass { .. }
            | Self::NotCanonical(_) => ErrorClass::Malformed,
            Self::ObjectRefused | Self::LimitExceeded { .. } => ErrorClass::Limit,
            Self::WrongKind { .. }
            | Self::NotAContainer { .. }
            | Self::KeyNotFound { .. }
            | Self::IndexOutOfRange { .. }
            | Self::PathSyntax { .. }
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
                    "index beyond {len} elements (column {column} of the path), looked for in the value"
                )
            }
            Self::PathSyntax { column } => {
                write!(f, "path unreadable from column {column} on, in the value")
            }
            Self::OutsideDocument => f.write_str("outside of the document's value"),
        }
    }
}

/// What of a value was being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The 4-byte header of a value.
    Header,
    /// The fixed payload of a value of this kind.
    Payload(Kind),
    /// The length word of a text.
    TextLength,
    /// The bytes of a text.
    Text,
    /// The bytes that fill a text up to a multiple of 4.
    Padding,
    /// The count of a container or packed array of this kind.
    Count(Kind),
    /// The elements of a packed array of this kind.
    Elements(Kind),
    /// The element type of a typed container.
    ElementType,
    /// The count of an object's properties.
    Properties,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("value header"),
            Self::Payload(kind) => write!(f, "{kind} value"),
            Self::TextLength => f.write_str("text length"),
            Self::Text => f.write_str("text"),
            Self::Padding => f.write_str("text padding"),
            Self::Count(kind) => write!(f, "count of {kind}"),
            Self::Elements(kind) => write!(f, "contents of {kind}"),
            Self::ElementType => f.write_str("element type of a container"),
            Self::Properties => f.write_str("property count of an object"),
        }
    }
}

/// Which of the [`Limits`](crate::Limits) was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::depth`](crate::Limits::depth).
    Depth,
    /// [`Limits::bytes`](crate::Limits::bytes).
    Bytes,
    /// [`Limits::values`](crate::Limits::values).
    Values,
    /// The keys of one dictionary that [`Profile::Canonical`](crate::Profile::Canonical) can compare
    /// without the `alloc` feature.
    CanonicalKeys,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Depth => "levels of nesting",
            Self::Bytes => "bytes",
            Self::Values => "values",
            Self::CanonicalKeys => "keys to compare (the `alloc` feature lifts this)",
        })
    }
}

/// What the engine's writer never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotCanonical {
    /// Header bits without a meaning here.
    HeaderBits,
    /// A boolean other than 0 and 1.
    Bool,
    /// A 64-bit integer that 32 bits hold.
    WideInt,
    /// A 64-bit float that 32 bits hold exactly, or a 32-bit NaN.
    FloatWidth,
    /// Padding bytes that are not zero.
    Padding,
    /// Padding that is missing.
    NoPadding,
    /// A string of a packed array without its terminating NUL.
    NoTerminator,
    /// Node path flags or counts without a meaning.
    NodePath,
    /// Bit 31 of a container's count.
    SharedBit,
    /// A negative count that reads as none.
    NegativeCount,
    /// Type information that says nothing, or says it in an unusual way.
    ElementType,
    /// An element of another type than the container declares.
    Element,
    /// The same dictionary key twice.
    DuplicateKey,
    /// Reals of both widths in one document.
    MixedReals,
    /// A null object that is not written as nil.
    NullObject,
    /// Event data of the wrong length.
    InputEvent,
    /// Bytes behind the root value.
    TrailingBytes,
}

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HeaderBits => "header bits without a meaning",
            Self::Bool => "boolean is neither 0 nor 1",
            Self::WideInt => "64-bit integer that 32 bits hold",
            Self::FloatWidth => "float in the wrong width for its value",
            Self::Padding => "padding is not zero",
            Self::NoPadding => "padding is missing",
            Self::NoTerminator => "string of a packed array without its terminating NUL",
            Self::NodePath => "node path flags or counts without a meaning",
            Self::SharedBit => "bit 31 of a container's count",
            Self::NegativeCount => "negative count",
            Self::ElementType => "unusual type information of a container",
            Self::Element => "element of another type than its container declares",
            Self::DuplicateKey => "the same dictionary key twice",
            Self::MixedReals => "reals of both widths in one document",
            Self::NullObject => "null object that is not written as nil",
            Self::InputEvent => "input event of the wrong length",
            Self::TrailingBytes => "bytes behind the root value",
        })
    }
}
