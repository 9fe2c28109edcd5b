//! [`Part`] and [`Limit`]: details of an error.

use core::fmt;

use crate::kind::Kind;

/// The part of a value that was being read.
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
    /// The padding of a text to a multiple of 4 bytes.
    Padding,
    /// The count of a container or packed array of this kind.
    Count(Kind),
    /// The elements of a packed array of this kind.
    Elements(Kind),
    /// The declared element type of a typed container.
    ElementType,
    /// The property count of an object.
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

/// The limit of [`Limits`](crate::Limits) that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::depth`](crate::Limits::depth).
    Depth,
    /// [`Limits::bytes`](crate::Limits::bytes).
    Bytes,
    /// [`Limits::values`](crate::Limits::values).
    Values,
    /// The number of keys in all open dictionaries. [`Profile::Canonical`](crate::Profile::Canonical) stores these
    /// keys. There is no such limit with the `alloc` feature.
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
