//! [`Version`]: the version of a save, a number or a text.

use std::fmt;

use variant_owned::Variant;

use super::whole;

/// The version of a save: a number such as 2, or a text such as "1.2.0".
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

impl Version {
    /// The version that a field holds. A whole float is also a number, because engines read each number of JSON as a
    /// float.
    pub(super) fn of(field: &Variant) -> Result<Self, String> {
        match field {
            Variant::Int(number) => Ok(Self::Number(number.value())),
            Variant::Float(number) => whole(number.value())
                .map(Self::Number)
                .ok_or_else(|| format!("the version {field} is not a whole number")),
            other => other.as_str().map(|text| Self::Text(text.to_owned())).ok_or_else(|| {
                format!("the version is {}; expected an int or a text", other.kind())
            }),
        }
    }

    /// The version as a value of the kind that the field had before.
    pub(super) fn to_field(&self, old: Option<&Variant>) -> Variant {
        match (self, old) {
            (Self::Number(number), Some(Variant::Float(_))) => super::float(*number),
            (Self::Number(number), _) => (*number).into(),
            (Self::Text(text), Some(Variant::StringName(_))) => {
                Variant::StringName(text.as_str().into())
            }
            (Self::Text(text), _) => text.as_str().into(),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
