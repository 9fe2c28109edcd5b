//! [`DeserializeError`]: the reason why a type cannot be read from an owned value, and the path.

use std::borrow::Cow;
use std::fmt;

use serde_core::de::{Error, Expected, Unexpected};
use variant_view::{Kind, PathStep, short_path};

/// The reason why a type cannot be read from a [`Variant`](crate::Variant): the expected and the found value, and the
/// path. One pointer wide.
///
/// ```
/// use serde::Deserialize;
/// use variant_owned::{DeserializeErrorKind, Variant, dictionary};
///
/// let player = Variant::from(dictionary! { "hp" => -1 });
/// let error = std::collections::BTreeMap::<String, u8>::deserialize(&player).unwrap_err();
/// assert_eq!((error.kind(), error.path()), (DeserializeErrorKind::WrongValue, "hp"));
/// assert_eq!(error.to_string(), "hp: expected u8, found int -1");
/// ```
#[derive(Debug)]
pub struct DeserializeError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: DeserializeErrorKind,
    message: String,
    /// The found value, if the message does not name it.
    found: Option<&'static str>,
    /// Whether the error already has the path and kind of its value. The innermost value sets them.
    is_placed: bool,
    /// Steps from the root, each with its dot or bracket.
    path: String,
}

/// The class of a [`DeserializeError`]; its text has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeserializeErrorKind {
    /// The value has another kind than the type takes.
    WrongKind(Option<Kind>),
    /// The kind of the value is right, but the value does not fit the type: a number out of its range, or a fraction
    /// for an integer.
    WrongValue,
    /// More or fewer elements than the type takes.
    WrongLength,
    /// The value lacks a field of the type.
    MissingField,
    /// A key that is not a field of the type. The type denies unknown fields.
    UnknownField,
    /// A field that occurs twice.
    DuplicateField,
    /// A name that is not a variant of the type.
    UnknownVariant,
    /// A text that is not UTF-8.
    InvalidText,
    /// More than 128 levels of nested values.
    TooDeep,
    /// Any other error, such as an error of the program's code.
    Message,
}

impl DeserializeError {
    #[cold]
    pub(super) fn new(kind: DeserializeErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self(Box::new(Inner { kind, message, found: None, is_placed: false, path: String::new() }))
    }

    /// The class of the error.
    pub fn kind(&self) -> DeserializeErrorKind {
        self.0.kind
    }

    /// The path of the value, as [`Variant::at`](crate::Variant::at) reads it; empty for the root.
    pub fn path(&self) -> &str {
        self.0.path.strip_prefix('.').unwrap_or(&self.0.path)
    }

    /// The error without its path. O(bytes of the message).
    pub fn message(&self) -> Cow<'_, str> {
        match self.0.found {
            Some(found) => format!("{}, found {found}", self.0.message).into(),
            None => self.0.message.as_str().into(),
        }
    }

    /// A value of a kind that the type does not take.
    #[cold]
    pub(super) fn wrong_kind(expected: &dyn Expected, found: Kind) -> Self {
        let kind = DeserializeErrorKind::WrongKind(None);
        Self::new(kind, format_args!("expected {expected}")).of(found)
    }

    /// A sequence of `found` elements where the type takes `wanted`.
    #[cold]
    pub(super) fn wrong_length(wanted: usize, found: usize) -> Self {
        Self::new(
            DeserializeErrorKind::WrongLength,
            format_args!("expected {wanted} elements, found {found}"),
        )
    }

    /// Adds the kind of a value to an error about this value. An error about an inner value stays unchanged.
    #[cold]
    pub(super) fn of(mut self, found: Kind) -> Self {
        if !self.0.is_placed {
            self.0.is_placed = true;
            if let DeserializeErrorKind::WrongKind(None) = self.0.kind {
                self.0.kind = DeserializeErrorKind::WrongKind(Some(found));
                self.0.found = Some(found.name());
            }
        }
        self
    }

    /// The same error, with `step` prepended to its path.
    #[cold]
    pub(super) fn below(mut self, step: PathStep<'_>) -> Self {
        self.0.path.insert_str(0, &step.to_string());
        self
    }
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path().is_empty() {
            write!(f, "{}: ", short_path(self.path()))?;
        }
        f.write_str(&self.message())
    }
}

impl std::error::Error for DeserializeError {}

impl Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(DeserializeErrorKind::Message, message)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let kind = DeserializeErrorKind::WrongKind(None);
        let mut error = Self::new(kind, format_args!("expected {expected}"));
        // The kind of the value replaces this name, once the kind is known.
        error.0.found = Some(match found {
            Unexpected::Unit | Unexpected::Option => "null",
            Unexpected::Map => "a map",
            Unexpected::Seq => "a sequence",
            _ => "another value",
        });
        error
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match found {
            Unexpected::Signed(value) => format!("int {value}"),
            Unexpected::Unsigned(value) => format!("int {value}"),
            Unexpected::Float(value) => format!("float {value:?}"),
            other => other.to_string(),
        };
        Self::new(
            DeserializeErrorKind::WrongValue,
            format_args!("expected {expected}, found {found}"),
        )
    }

    fn invalid_length(len: usize, expected: &dyn Expected) -> Self {
        Self::new(
            DeserializeErrorKind::WrongLength,
            format_args!("expected {expected}, found {len} elements"),
        )
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let names = one_of(expected, "variants");
        Self::new(
            DeserializeErrorKind::UnknownVariant,
            format_args!("unknown variant `{variant}`, expected {names}"),
        )
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let names = one_of(expected, "fields");
        Self::new(
            DeserializeErrorKind::UnknownField,
            format_args!("unknown field `{field}`, expected {names}"),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(DeserializeErrorKind::MissingField, format_args!("missing field `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(DeserializeErrorKind::DuplicateField, format_args!("duplicate field `{field}`"))
    }
}

fn one_of(names: &[&str], what: &str) -> String {
    match names {
        [] => format!("no {what}"),
        [one] => format!("`{one}`"),
        _ => format!("one of `{}`", names.join("`, `")),
    }
}
