//! [`Error`]: the kind of an error, and its byte offset.

mod canonical;
mod name;
mod part;

use core::fmt;

pub use canonical::NotCanonical;
pub use name::UnknownName;
pub use part::{Limit, Part};

use crate::kind::Kind;

/// An error, and its byte offset in the document. `Copy`, 24 bytes, no allocation.
///
/// [`Document::path_to`](crate::Document::path_to) turns the offset into a path. [`Error::hint`] suggests a remedy.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // {"hp": "7"}, as Godot 3 writes it
/// let bytes = [
///     18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0,
///     4, 0, 0, 0, 1, 0, 0, 0, b'7', 0, 0, 0,
/// ];
/// let document = Document::new(&bytes, Dialect::Godot3);
/// let error = document.at("hp").and_then(|hp| hp.as_i64()).unwrap_err();
/// assert_eq!(error.to_string(), "expected int, found String at byte 20");
/// assert_eq!(document.path_to(error.offset())?.to_string(), "hp");
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
}

const _: () = assert!(size_of::<Error>() <= 24, "errors fit in registers");

/// The result of functions that read bytes.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Item `n` of an iterator, or the first error up to this item.
pub(crate) fn item_or_error<T, E>(
    items: &mut impl Iterator<Item = Result<T, E>>,
    n: usize,
) -> Option<Result<T, E>> {
    items.by_ref().take(n).find(Result::is_err).or_else(|| items.next())
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// The kind of the error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The byte offset of the error in the document. An error of [`ErrorClass::Mismatch`] has the offset of the value
    /// (docs/dev/choices.md#error-offsets).
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The same error with its offset counted in a larger buffer. The document starts at byte `start` of this buffer.
    /// O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let datagram = [b'#', 2, 0, 0, 0, 7, 0]; // a byte of the program's own, and an int that is cut short
    /// let document = Document::new(&datagram[1..], Dialect::Godot4);
    /// let error = document.validate().unwrap_err();
    /// assert_eq!((error.offset(), error.in_buffer(1).offset()), (4, 5));
    /// ```
    #[must_use]
    pub const fn in_buffer(self, start: usize) -> Self {
        Self { offset: self.offset.saturating_add(start), ..self }
    }

    /// The class of the error.
    pub const fn class(&self) -> ErrorClass {
        self.kind.class()
    }

    /// A remedy to try, as one phrase.
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

/// Classes of [`ErrorKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The bytes end too early. More bytes may help.
    Truncated,
    /// The bytes break a rule of their dialect or profile.
    Malformed,
    /// The document exceeds the limits, or has objects that the [`Options`](crate::Options) refuse.
    Limit,
    /// The bytes are valid, but do not match the request.
    Mismatch,
}

/// The kind of an error, with its details.
///
/// ```
/// use variant_view::{Dialect, Document, ErrorKind, Kind};
///
/// let bytes = [2, 0, 0, 0, 7, 0]; // an int, cut off
/// match Document::new(&bytes, Dialect::Godot4).root().unwrap_err().kind() {
///     ErrorKind::Truncated { needed, available, .. } => assert_eq!((needed, available), (4, 2)),
///     other => panic!("{other}"),
/// }
/// assert!(matches!(
///     Document::new(&[0; 4], Dialect::Godot4).root()?.as_i64().unwrap_err().kind(),
///     ErrorKind::WrongKind { expected: Kind::Int, found: Kind::Nil },
/// ));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `part` needs `needed` bytes, but only `available` remain. Both saturate at `u32::MAX`.
    Truncated {
        /// The part being read.
        part: Part,
        /// The number of bytes that the part needs.
        needed: u32,
        /// The number of bytes that remain.
        available: u32,
    },
    /// The header's type id does not exist in this dialect.
    UnknownType {
        /// The header word.
        header: u32,
    },
    /// A length or count of 2^31 or more, which engines read as negative.
    NegativeLength {
        /// The part that has this length or count.
        part: Part,
        /// The word as an unsigned number.
        value: u32,
    },
    /// Text that the dialect's readers refuse ([`Dialect::check_text`](crate::Dialect::check_text)). The offset is that of the first
    /// invalid byte.
    InvalidText,
    /// A node path that is one plain string: the old form, which only Godot 2 reads (docs/spec/format.md#nodepath).
    OldNodePath,
    /// A kind that the documentation page calls unsupported. The offset is just past the header.
    Unsupported {
        /// The kind of the value.
        kind: Kind,
    },
    /// A typed container declares an element type that this dialect does not have.
    ElementType {
        /// The type id as written.
        id: u32,
    },
    /// The class of a typed array is not a `StringName` (docs/spec/format.md#typedarray).
    ElementClass {
        /// The header word that is found instead of the class.
        header: u32,
    },
    /// A full object, with class and properties. The options refuse full objects.
    ObjectRefused,
    /// The engine's writer would have written other bytes.
    NotCanonical(NotCanonical),
    /// The document exceeds a limit of the options.
    LimitExceeded {
        /// The limit exceeded.
        limit: Limit,
    },
    /// The value has another kind than requested.
    WrongKind {
        /// The kind requested.
        expected: Kind,
        /// The kind of the value.
        found: Kind,
    },
    /// The value does not support this look-up: it has no keys, or no elements.
    NotAContainer {
        /// The kind of the value.
        found: Kind,
    },
    /// The container does not have the key or property.
    KeyNotFound {
        /// The byte of the path text at which the step to the key starts, from 0.
        column: u32,
    },
    /// The array does not have the element.
    IndexOutOfRange {
        /// The byte of the path text at which the step to the element starts, from 0.
        column: u32,
        /// The number of elements.
        len: u32,
    },
    /// Invalid path syntax.
    PathSyntax {
        /// The byte of the path text at which the wrong step starts, from 0.
        column: u32,
    },
    /// The `int` does not fit the requested Rust type.
    IntRange {
        /// The value of the `int`.
        value: i64,
        /// Whether the Rust type is signed.
        is_signed: bool,
        /// The number of bits of the Rust type.
        bits: u8,
    },
    /// The offset is outside the document's root value.
    OutsideDocument,
}

impl ErrorKind {
    /// The class of the error. O(1).
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
                "the writer left out the padding to a multiple of 4 bytes, which this dialect requires"
            }
            Self::Truncated { .. } => {
                "the data was cut short, or a length before this point is wrong, or it is of another dialect"
            }
            Self::UnknownType { .. } => {
                "the data may be of another dialect, framed by a length word, compressed, or no Variant at all"
            }
            Self::NegativeLength { .. } => "the data is damaged here, or of another dialect",
            Self::InvalidText => "the bytes are complete, but are not valid text in this dialect",
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
            Self::WrongKind { .. } | Self::NotAContainer { .. } => "check the value's kind first",
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
            Self::ElementType { id } => write!(f, "element type {id} is unknown in this dialect"),
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
                write!(f, "no such key at path column {column}, in the value")
            }
            Self::IndexOutOfRange { column, len } => {
                write!(
                    f,
                    "index out of range at path column {column}, in the array of length {len}"
                )
            }
            Self::PathSyntax { column } => {
                write!(f, "invalid path from column {column} on, resolved up to the value")
            }
            Self::IntRange { value, is_signed, bits } => {
                let sign = if *is_signed { 'i' } else { 'u' };
                write!(f, "the int {value} does not fit into {sign}{bits}")
            }
            Self::OutsideDocument => f.write_str("outside of the document's value"),
        }
    }
}
