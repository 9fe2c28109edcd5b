//! [`EncodeError`]: what a dialect cannot hold, and where.

use std::fmt;

use variant_view::{Consumer, Dialect, Head, Kind, Leaf};

use super::{Emit, EncodeOptions};
use crate::array::ElementType;
use crate::event;
use crate::key::KeyRule;
use crate::path::{PathTracker, path_in};
use crate::text::Text;
use crate::variant::Variant;

/// What a dialect cannot hold, and where it stands in the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError {
    kind: EncodeErrorKind,
    /// Its steps, so with the dot of a name that comes first.
    path: String,
    dialect: Dialect,
}

impl EncodeError {
    /// Finds the place of an error that encoding `value` ran into.
    pub(crate) fn at(value: &Variant, kind: EncodeErrorKind, options: EncodeOptions) -> Self {
        Self { kind, path: path_of_error(value, options), dialect: options.dialect }
    }

    /// Of the value in `root` that was come to.
    pub(crate) fn at_path(
        kind: EncodeErrorKind,
        root: &Variant,
        path: &PathTracker,
        dialect: Dialect,
    ) -> Self {
        Self { kind, path: steps_of(root, path, dialect), dialect }
    }

    /// Of a value that is no part of a tree; the steps are those of its path.
    pub(crate) const fn at_steps(kind: EncodeErrorKind, path: String, dialect: Dialect) -> Self {
        Self { kind, path, dialect }
    }

    /// Of the same value where it stands at the end of `path`.
    pub(crate) fn below(mut self, mut path: String) -> Self {
        path.push_str(&self.path);
        self.path = path;
        self
    }

    /// What is wrong.
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
        let path = if self.path.is_empty() { "(root)" } else { self.path() };
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
    /// The page of the documentation calls this kind unsupported.
    Unsupported(Kind),
    /// An object other than null, of which Godot 2 writes nothing.
    Object,
    /// The dialect has no way to declare this type.
    ElementType(ElementType),
    /// Text that the dialect's reader refuses.
    Text(Text),
    /// More than 2^31 - 1 bytes of text with its padding or of elements, or so many elements or pairs.
    TooLong(usize),
    /// An integer of more than 32 bits, where there are no others (Godot 2).
    IntRange(i64),
    /// An object in full whose class reads as no name: readers take it for null, and look for no properties.
    NoClass(Text),
    /// A path of one plain text or of a property, which only Godot 2 reads.
    OldNodePath,
    /// A path of one plain text that has names as well, or of a property that is not there.
    NodePath,
    /// An input event whose payload is not as long as its type says.
    InputEvent {
        /// The type of the event.
        event: u32,
        /// The length of its payload, in bytes.
        payload: usize,
    },
    /// Keys that are the same to the dialect's reader, which keeps the last of them.
    SameKeys {
        /// So many are written,
        written: usize,
        /// and so many are read.
        read: usize,
    },
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
            Self::Unsupported(kind) => {
                write!(f, "{kind} is unsupported by this page of the documentation")
            }
            Self::Object => f.write_str("nothing of an object is written in this dialect"),
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
                    "an object whose class, {}, reads as no name; give it a class, or write Nil",
                    Excerpt(class)
                )
            }
            Self::OldNodePath => f.write_str(
                "a NodePath of one text or of a property, which only Godot 2 reads; convert the value, or give it \
                 names and subnames",
            ),
            Self::NodePath => f.write_str(
                "a NodePath of one text with names beside it, or of a property without a subname to be it",
            ),
            Self::InputEvent { event, payload } => {
                write!(f, "an InputEvent of type {event} does not have {payload} bytes of payload")
            }
            Self::SameKeys { written, read } => write!(
                f,
                "of {written} keys only {read} differ to this dialect's reader; convert the value, which keeps the last"
            ),
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

/// The most characters of a text that an error shows.
const SHOWN: usize = 40;

/// The beginning of a text, and how long it is if that is not all. O(1).
struct Excerpt<'t>(&'t Text);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_bytes();
        // No character takes more than 4 bytes, and each byte that is none counts as one.
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

fn steps_of(root: &Variant, path: &PathTracker, dialect: Dialect) -> String {
    let has_one_text_key = KeyRule::of(dialect).has_one_text_key();
    let steps = path_in(root, path.positions(), Some(has_one_text_key));
    steps.map(|step| step.to_string()).collect()
}

/// Encodes again, this time noting the way.
fn path_of_error(root: &Variant, options: EncodeOptions) -> String {
    let mut bytes = Vec::new();
    let mut tracked = Tracked {
        emit: Emit::new(&mut bytes, options),
        path: PathTracker::default(),
        depth: 0,
        limit: usize::try_from(options.depth).unwrap_or(usize::MAX),
    };
    let _ = event::feed(root, &mut tracked, &|value: &Variant, tracked: &mut Tracked<'_>| {
        value.with_leaf(|leaf| tracked.path.leaf(&leaf));
        tracked.check_depth()?;
        super::emit_leaf(value, &mut tracked.emit)
    });
    steps_of(root, &tracked.path, options.dialect)
}

/// An encoder that knows where it is.
struct Tracked<'b> {
    emit: Emit<'b>,
    path: PathTracker,
    depth: usize,
    limit: usize,
}

impl Tracked<'_> {
    const fn check_depth(&self) -> Result<(), EncodeErrorKind> {
        if self.depth > self.limit { Err(EncodeErrorKind::TooDeep) } else { Ok(()) }
    }
}

impl Consumer for Tracked<'_> {
    type Error = EncodeErrorKind;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), EncodeErrorKind> {
        self.path.leaf(&leaf);
        self.check_depth()?;
        self.emit.leaf(leaf)
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), EncodeErrorKind> {
        self.path.enter(&head);
        self.check_depth()?;
        self.emit.head(&head, head.len().unwrap_or(0))?;
        self.depth = self.depth.saturating_add(1);
        if self.emit.ends_with_class() { self.check_depth() } else { Ok(()) }
    }

    fn name(&mut self, name: &[u8]) -> Result<(), EncodeErrorKind> {
        self.path.name(name);
        self.emit.text(name)
    }

    fn exit(&mut self) -> Result<(), EncodeErrorKind> {
        self.path.exit();
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n8_no_error_shows_the_whole_of_a_long_text() {
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
