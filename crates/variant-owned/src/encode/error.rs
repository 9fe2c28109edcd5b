//! [`EncodeError`]: a value that a dialect cannot hold, and its path.

use std::fmt;

use variant_view::{Dialect, Kind, PathStep};

use crate::array::ElementType;
use crate::key::KeyRule;
use crate::path::{path_in, shown};
use crate::text::Text;
use crate::variant::Variant;

/// A value that a dialect cannot hold, and its path.
///
/// ```
/// use variant_owned::{array, encode};
/// use variant_view::{Dialect, Vector2};
///
/// let value = array![1, Vector2::<i32>::new(3, 4)].into(); // Godot 3 has no Vector2i
/// let error = encode(&value, Dialect::Godot3).unwrap_err();
/// assert_eq!(error.path(), "[1]"); // `convert` makes it a Vector2
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    kind: EncodeErrorKind,
    /// The path as printed steps. Each name has a dot before it, even at the start of the path.
    path: String,
    dialect: Dialect,
}

impl EncodeError {
    /// An error at the position of `steps` in `root`.
    pub(crate) fn at(
        kind: EncodeErrorKind,
        root: &Variant,
        steps: impl Iterator<Item = PathStep<'static>>,
        dialect: Dialect,
    ) -> Self {
        let has_one_text_key = KeyRule::of(dialect).has_one_text_key();
        let steps = path_in(root, steps, Some(has_one_text_key));
        Self { kind, path: steps.map(|step| step.to_string()).collect(), dialect }
    }

    /// An error in a value that is written in pieces, not from a tree. `path` is the path of the value as printed
    /// steps.
    pub(crate) const fn at_steps(kind: EncodeErrorKind, path: String, dialect: Dialect) -> Self {
        Self { kind, path, dialect }
    }

    /// The same error, with `path` prepended to its path.
    pub(crate) fn below(mut self, mut path: String) -> Self {
        path.push_str(&self.path);
        self.path = path;
        self
    }

    /// The kind of the error.
    pub const fn kind(&self) -> &EncodeErrorKind {
        &self.kind
    }

    /// The path of the value, as [`Document::at`](variant_view::Document::at) reads it; empty for the root.
    pub fn path(&self) -> &str {
        self.path.strip_prefix('.').unwrap_or(&self.path)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", shown(self.path()), self.kind, self.dialect)
    }
}

impl std::error::Error for EncodeError {}

/// Why a value cannot be encoded.
///
/// ```
/// use variant_owned::{EncodeErrorKind, encode};
/// use variant_view::Dialect;
///
/// let error = encode(&(1_i64 << 40).into(), Dialect::Godot2).unwrap_err();
/// assert_eq!(error.kind(), &EncodeErrorKind::IntRange(1 << 40)); // its integers have 32 bits
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The dialect does not have this kind.
    Kind(Kind),
    /// The dialect is that of a documentation [`Page`](variant_view::Page). The page calls this kind unsupported.
    Unsupported(Kind),
    /// A non-null object: Godot 2 writes none.
    Object,
    /// The dialect cannot declare this type.
    ElementType(ElementType),
    /// Text that the dialect's reader refuses.
    Text(Text),
    /// A count or a length exceeds 2^31 - 1: the number of elements or pairs, the size of all elements in bytes, or the
    /// size of a text with its padding in bytes.
    TooLong(usize),
    /// An integer beyond 32 bits in a dialect without wider integers (Godot 2).
    IntRange(i64),
    /// A full object with an empty class name: readers take it for null and expect no properties.
    NoClass(Text),
    /// A node path of one plain text or with a legacy property, in a dialect that does not read this form.
    OldNodePath,
    /// A node path that has both a plain text and names, or a legacy property without a subname.
    NodePath,
    /// An input event whose payload length does not fit its type.
    InputEvent {
        /// The type of the event.
        event: u32,
        /// The length of its payload in bytes.
        payload: usize,
    },
    /// Dictionary keys that the dialect's reader treats as equal. The reader keeps only the last key.
    SameKeys {
        /// The number of pairs written.
        written: usize,
        /// The number of pairs that would be read.
        read: usize,
    },
    /// The value is nested deeper than [`EncodeOptions::depth`](super::EncodeOptions::depth).
    TooDeep,
    /// A container was closed with another number of items than announced.
    Count {
        /// The number announced.
        expected: usize,
        /// The number written.
        found: usize,
    },
    /// A call in the wrong place: a value where none is expected, or an end without an open container.
    Unexpected,
    /// The value is incomplete.
    Unfinished,
    /// Raw bytes that are not one valid value.
    NotAValue(variant_view::Error),
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "there is no {kind} in this dialect"),
            Self::Unsupported(kind) => {
                write!(f, "{kind} is unsupported by this page of the documentation")
            }
            Self::Object => f.write_str("an object cannot be written in this dialect"),
            Self::ElementType(declared) => {
                f.write_str("the element type ")?;
                match declared {
                    ElementType::Class(name) => write!(f, "of the class {}", Excerpt(name))?,
                    ElementType::Script(path) => write!(f, "of the script {}", Excerpt(path))?,
                    other => write!(f, "{other:?}")?,
                }
                f.write_str(" cannot be declared in this dialect")
            }
            Self::Text(text) => {
                write!(f, "text that this dialect's reader refuses: {}", Excerpt(text))
            }
            Self::TooLong(len) => write!(f, "a length of {len}, more than 2147483647"),
            Self::IntRange(value) => write!(
                f,
                "the integer {value} is not between -2147483648 and 2147483647, which is all this dialect has; \
                 make it a float or a String, or convert the value"
            ),
            Self::NoClass(class) => {
                write!(
                    f,
                    "an object whose class, {}, is read as an empty name; give it a class, or write Nil",
                    Excerpt(class)
                )
            }
            Self::OldNodePath => f.write_str(
                "a NodePath of one text or of a property, which only Godot 2 reads; convert the value, or give it \
                 names and subnames",
            ),
            Self::NodePath => f.write_str(
                "a NodePath with both one text and names, or with a property but without subnames",
            ),
            Self::InputEvent { event, payload } => {
                write!(f, "an InputEvent of type {event} does not have {payload} bytes of payload")
            }
            Self::SameKeys { written, read } => write!(
                f,
                "duplicate keys: this dialect reads {written} pairs as {read}; convert the value, which keeps the last of equal keys"
            ),
            Self::TooDeep => f.write_str("nested too deep"),
            Self::Count { expected, found } => {
                write!(f, "announced {expected} items and wrote {found}")
            }
            Self::Unexpected => f.write_str("unexpected: no such value can be written here, or no container is open"),
            Self::Unfinished => f.write_str("the value is not complete"),
            Self::NotAValue(error) => write!(f, "not the bytes of one value: {error}"),
        }
    }
}

/// The maximum number of characters of a text in an error message.
const SHOWN: usize = 40;

/// The beginning of a text, with its length if it is cut. O(1).
struct Excerpt<'t>(&'t Text);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_bytes();
        // A character takes at most 4 bytes; an invalid byte counts as one character.
        let head = bytes.get(..SHOWN.saturating_mul(4)).unwrap_or(bytes);
        let mut shown = 0_usize;
        let mut left = SHOWN;
        for chunk in head.utf8_chunks() {
            let valid = chunk.valid().chars().take(left);
            shown = shown.saturating_add(valid.clone().map(char::len_utf8).sum());
            left = left.saturating_sub(valid.count());
            let invalid = chunk.invalid().len().min(left);
            shown = shown.saturating_add(invalid);
            left = left.saturating_sub(invalid);
        }
        let head = Text::from_bytes(bytes.get(..shown).unwrap_or(bytes));
        if shown == bytes.len() {
            return write!(f, "{head:?}");
        }
        write!(f, "{head:?}... ({} bytes)", bytes.len())
    }
}

#[cold]
pub(crate) fn fail<T>(kind: EncodeErrorKind) -> Result<T, EncodeErrorKind> {
    Err(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_shows_the_whole_of_a_long_text() {
        let long = Text::from("\u{e9}".repeat(100_000).as_str());
        let bytes = Text::from_bytes(&vec![0xff; 100_000]);
        for text in [long, bytes] {
            for kind in [
                EncodeErrorKind::Text(text.clone()),
                EncodeErrorKind::NoClass(text.clone()),
                EncodeErrorKind::ElementType(ElementType::Class(text.clone())),
                EncodeErrorKind::ElementType(ElementType::Script(text.clone())),
            ] {
                let message = kind.to_string();
                assert!(message.len() < 300, "{message}");
                assert!(message.contains(&format!("... ({} bytes)", text.len())), "{message}");
            }
        }
        for (text, shown) in [
            ("x".repeat(40), format!("\"{}\"", "x".repeat(40))),
            ("x".repeat(41), format!("\"{}\"... (41 bytes)", "x".repeat(40))),
            (String::new(), "\"\"".to_owned()),
        ] {
            assert_eq!(Excerpt(&Text::from(text.as_str())).to_string(), shown);
        }
    }
}
