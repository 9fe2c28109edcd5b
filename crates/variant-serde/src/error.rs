//! [`Error`]: the value that does not fit, its path and offset, and the expected value.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use serde::de::{Expected, Unexpected};
use variant_view::{Kind, PathStep, short_path};

/// The reason why a value could not be read or written: the expected and the found value, the byte offset and the path.
///
/// One pointer wide, so that results stay small; reading a valid value costs nothing extra.
///
/// ```
/// use variant_serde::{ErrorKind, from_slice};
/// use variant_view::Dialect;
///
/// let bytes = [28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 44, 1, 0, 0]; // [300]
/// let error = from_slice::<[u8; 1]>(&bytes, Dialect::Godot4).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::WrongValue);
/// assert_eq!((error.path(), error.offset()), ("[0]", Some(8)));
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    /// The found value, printed after the message. `None` if the message contains it.
    found: Option<&'static str>,
    /// The offset of the value; `None` for a value that is written.
    offset: Option<usize>,
    /// Steps from the root, each with its dot or bracket.
    path: String,
}

/// The class of an [`Error`]. The error's text has the details.
///
/// ```
/// use variant_serde::{ErrorKind, from_slice};
/// use variant_view::{Dialect, Kind};
///
/// let kind = |bytes: &[u8]| from_slice::<u8>(bytes, Dialect::Godot4).unwrap_err().kind();
/// assert!(matches!(kind(&[2, 0, 0, 0, 7]), ErrorKind::Bytes(_))); // an int that is cut short
/// assert_eq!(kind(&[0; 4]), ErrorKind::WrongKind(Some(Kind::Nil))); // null is not a u8
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are damaged, cut short, or exceed the limits.
    Bytes(variant_view::ErrorKind),
    /// The value has another kind than the type accepts. `None` if the caller's code reported the error: then the
    /// kind is unknown.
    WrongKind(Option<Kind>),
    /// The kind of the value is right, but the value does not fit the type: a number out of its range, or a fraction
    /// for an integer.
    WrongValue,
    /// More or fewer elements than the type accepts.
    WrongLength,
    /// The value lacks a field of the type.
    MissingField,
    /// A key that is not a field of a type with `deny_unknown_fields`.
    UnknownField,
    /// A field that occurs twice.
    DuplicateField,
    /// A name that is not a variant of the type.
    UnknownVariant,
    /// Values are nested deeper than [`Deserializer::max_depth`](crate::Deserializer::max_depth) allows.
    TooDeep,
    /// Any other error: one that the caller's code reported, or a value that cannot be written.
    Message,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self(Box::new(Inner { kind, message, found: None, offset: None, path: String::new() }))
    }

    /// The class of the error. O(1).
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The byte offset of the value, counted from the start of the document; `None` for a value that is written.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The path of the value, as `Document::at` reads it; empty for the root.
    pub fn path(&self) -> &str {
        self.0.path.strip_prefix('.').unwrap_or(&self.0.path)
    }

    /// The error for a value of a kind that the type does not accept.
    #[cold]
    #[inline(never)]
    pub(crate) fn wrong_kind(expected: &dyn Expected, found: Kind, offset: usize) -> Self {
        let mut error =
            Self::new(ErrorKind::WrongKind(Some(found)), format_args!("expected {expected}"));
        error.0.found = Some(found.name());
        error.0.offset = Some(offset);
        error
    }

    /// Adds the offset of the value, unless the error already has an offset.
    #[cold]
    #[inline(never)]
    pub(crate) fn at(mut self, offset: usize, found: Kind) -> Self {
        if self.0.offset.is_none() {
            self.0.offset = Some(offset);
            if let ErrorKind::WrongKind(None) = self.0.kind {
                self.0.kind = ErrorKind::WrongKind(Some(found));
                self.0.found = Some(found.name());
            }
        }
        self
    }

    /// The same error with `step` before its path, for code that implements serde's traits itself and forwards values
    /// ([`from_view_seed`](crate::from_view_seed)). O(bytes of the path).
    ///
    /// ```
    /// use serde::de::Error as _;
    /// use variant_serde::Error;
    /// use variant_view::PathStep;
    ///
    /// let error = Error::custom("no such weapon").below(PathStep::Number(2));
    /// assert_eq!(error.path(), "[2]");
    /// assert_eq!(error.to_string(), "[2]: no such weapon");
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn below(mut self, step: PathStep<'_>) -> Self {
        self.0.path.insert_str(0, &step.to_string());
        self
    }

    /// The same error with its offset counted in a larger buffer. The document starts at byte `start` of this buffer.
    /// O(1).
    ///
    /// ```
    /// use variant_serde::from_slice;
    /// use variant_view::Dialect;
    ///
    /// let buffer = [4, 0, 0, 0, 0, 0, 0, 0]; // a length prefix, and null
    /// let error = from_slice::<u8>(&buffer[4..], Dialect::Godot4).unwrap_err();
    /// assert_eq!(error.offset(), Some(0));
    /// assert_eq!(error.in_buffer(4).offset(), Some(4));
    /// ```
    #[must_use]
    pub fn in_buffer(mut self, start: usize) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(start));
        self
    }
}

#[cfg(feature = "std")]
impl Error {
    /// The same error with another message.
    pub(crate) fn in_words(mut self, message: impl fmt::Display) -> Self {
        self.0.message = message.to_string();
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", short_path(self.path()))?;
        }
        f.write_str(&self.0.message)?;
        if let Some(found) = self.0.found {
            write!(f, ", found {found}")?;
        }
        match self.0.offset {
            Some(offset) => write!(f, " at byte {offset}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

impl From<variant_view::Error> for Error {
    #[cold]
    fn from(error: variant_view::Error) -> Self {
        let mut own = Self::new(ErrorKind::Bytes(error.kind()), error.kind());
        own.0.offset = Some(error.offset());
        own
    }
}

#[cfg(feature = "std")]
impl From<variant_owned::DeserializeError> for Error {
    #[cold]
    fn from(error: variant_owned::DeserializeError) -> Self {
        use variant_owned::DeserializeErrorKind as Kind;
        let kind = match error.kind() {
            Kind::WrongKind(found) => ErrorKind::WrongKind(found),
            Kind::WrongValue => ErrorKind::WrongValue,
            Kind::WrongLength => ErrorKind::WrongLength,
            Kind::MissingField => ErrorKind::MissingField,
            Kind::UnknownField => ErrorKind::UnknownField,
            Kind::DuplicateField => ErrorKind::DuplicateField,
            Kind::UnknownVariant => ErrorKind::UnknownVariant,
            Kind::InvalidText => ErrorKind::Bytes(variant_view::ErrorKind::InvalidText),
            Kind::TooDeep => ErrorKind::TooDeep,
            _ => ErrorKind::Message,
        };
        let mut own = Self::new(kind, error.message());
        error.path().clone_into(&mut own.0.path);
        own
    }
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(ErrorKind::Message, message)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let mut error = Self::new(ErrorKind::WrongKind(None), format_args!("expected {expected}"));
        error.0.found = Some(name(found));
        error
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match found {
            Unexpected::Signed(value) => format!("int {value}"),
            Unexpected::Unsigned(value) => format!("int {value}"),
            Unexpected::Float(value) => format!("float {value:?}"),
            other => other.to_string(),
        };
        Self::new(ErrorKind::WrongValue, format_args!("expected {expected}, found {found}"))
    }

    fn invalid_length(len: usize, expected: &dyn Expected) -> Self {
        Self::new(ErrorKind::WrongLength, format_args!("expected {expected}, found {len} elements"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::new(
            ErrorKind::UnknownVariant,
            format_args!("unknown variant `{variant}`, expected {}", one_of(expected, "variants")),
        )
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(
            ErrorKind::UnknownField,
            format_args!("unknown field `{field}`, expected {}", one_of(expected, "fields")),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(ErrorKind::MissingField, format_args!("missing field `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(ErrorKind::DuplicateField, format_args!("duplicate field `{field}`"))
    }
}

impl serde::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(ErrorKind::Message, message)
    }
}

/// The kind that the value has on the wire.
const fn name(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "bool",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "int",
        Unexpected::Float(_) => "float",
        Unexpected::Char(_) | Unexpected::Str(_) => "String",
        Unexpected::Bytes(_) => "PackedByteArray",
        Unexpected::Unit => "Nil",
        Unexpected::Option => "an optional value",
        Unexpected::NewtypeStruct => "a newtype struct",
        Unexpected::Seq => "Array",
        Unexpected::Map => "Dictionary",
        Unexpected::Enum => "an enum",
        Unexpected::UnitVariant => "unit variant",
        Unexpected::NewtypeVariant => "newtype variant",
        Unexpected::TupleVariant => "tuple variant",
        Unexpected::StructVariant => "struct variant",
        Unexpected::Other(_) => "another value",
    }
}

/// The expected names.
fn one_of(names: &[&str], what: &str) -> String {
    match names {
        [] => format!("no {what}"),
        [one] => format!("`{one}`"),
        _ => format!("one of `{}`", names.join("`, `")),
    }
}
