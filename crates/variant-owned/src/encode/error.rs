//! [`EncodeError`]: what a dialect cannot hold, and where.

use std::fmt;

use variant_view::{Dialect, Kind};

use super::{Emit, EncodeOptions};
use crate::array::ElementType;
use crate::path::Path;
use crate::text::Text;
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

/// What a dialect cannot hold, and where it stands in the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    kind: EncodeErrorKind,
    path: String,
    dialect: Dialect,
}

impl EncodeError {
    /// Finds the place of an error that encoding `value` ran into.
    pub(crate) fn at(value: &Variant, kind: EncodeErrorKind, options: EncodeOptions) -> Self {
        Self { kind, path: path_of_error(value, options), dialect: options.dialect }
    }

    pub(crate) fn at_path(kind: EncodeErrorKind, path: String, dialect: Dialect) -> Self {
        Self { kind, path, dialect }
    }

    /// What is wrong.
    pub const fn kind(&self) -> &EncodeErrorKind {
        &self.kind
    }

    /// The path of the value, as [`Document::at`](variant_view::Document::at) reads it; empty for the root.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "(root)" } else { &self.path };
        write!(f, "{path}: {} ({})", self.kind, self.dialect)
    }
}

impl std::error::Error for EncodeError {}

/// What cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The dialect has no such kind.
    Kind(Kind),
    /// An object other than null, of which Godot 2 writes nothing.
    Object,
    /// The dialect has no way to declare this type.
    ElementType(ElementType),
    /// Text that the dialect's reader refuses.
    Text(Text),
    /// More than 2^31 - 1 bytes of text, elements or pairs.
    TooLong(usize),
    /// Nested deeper than the options allow.
    TooDeep,
    /// A container was closed with another number of items than announced.
    Count {
        /// Announced.
        expected: usize,
        /// Written.
        found: usize,
    },
    /// A value was written where none was due, or something was closed that was not open.
    Unexpected,
    /// The value is not complete.
    Unfinished,
    /// Bytes to be spliced in that are not one value.
    NotAValue(variant_view::Error),
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "there is no {kind} in this dialect"),
            Self::Object => f.write_str("nothing of an object is written in this dialect"),
            Self::ElementType(declared) => {
                write!(f, "the element type {declared:?} cannot be declared in this dialect")
            }
            Self::Text(text) => write!(f, "text that this dialect's reader refuses: {text:?}"),
            Self::TooLong(len) => write!(f, "a length of {len}, more than 2147483647"),
            Self::TooDeep => f.write_str("nested too deep"),
            Self::Count { expected, found } => {
                write!(f, "announced {expected} items and wrote {found}")
            }
            Self::Unexpected => f.write_str("nothing of the kind is due here"),
            Self::Unfinished => f.write_str("the value is not complete"),
            Self::NotAValue(error) => write!(f, "not the bytes of one value: {error}"),
        }
    }
}

#[cold]
pub(crate) fn fail<T>(kind: EncodeErrorKind) -> Result<T, EncodeErrorKind> {
    Err(kind)
}

/// Encodes again, this time noting the way.
fn path_of_error(root: &Variant, options: EncodeOptions) -> String {
    let mut bytes = Vec::new();
    let mut emit = Emit::new(&mut bytes, options);
    let mut walk = Walk::new(root);
    let mut path = Path::default();
    let limit = usize::try_from(options.depth).unwrap_or(usize::MAX);
    while let Some(visit) = walk.next() {
        let (value, place, is_container) = match visit {
            Visit::Leaf(value, place) => (value, place, false),
            Visit::Enter(value, place) => (value, place, true),
            Visit::Exit => {
                path.leave();
                continue;
            }
        };
        path.enter(place, value);
        let depth = walk.depth().saturating_sub(usize::from(is_container));
        let name = match place {
            Place::Property(_, name) => emit.text(name.as_bytes()),
            _ => Ok(()),
        };
        let outcome =
            name.and_then(|()| if is_container { emit.shell(value) } else { emit.leaf(value) });
        if depth > limit || outcome.is_err() {
            break;
        }
        if !is_container {
            path.leave();
        }
    }
    path.as_str().to_owned()
}
