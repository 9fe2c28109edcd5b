//! [`Losses`]: what a form of JSON cannot hold of a document.

use std::fmt;

use variant_view::{Role, VariantView};

/// What a form of JSON could not hold of a document: the first thousand losses, and how many there are.
///
/// Only values that are lost count, not kinds: that a `StringName` became a string, or a `Vector2` an object
/// of two numbers, is what the form is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    list: Vec<Loss>,
    count: u64,
}

/// More are counted only.
const LISTED: usize = 1_000;

/// A path has no more steps than this; of a longer one the last.
const STEPS: usize = 64;

impl Losses {
    /// The first thousand.
    pub fn list(&self) -> &[Loss] {
        &self.list
    }

    /// How many there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Whether nothing was lost.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn add(&mut self, kind: LossKind, offset: usize, path: impl FnOnce() -> String) {
        self.count = self.count.saturating_add(1);
        if self.list.len() < LISTED {
            self.list.push(Loss { kind, path: path(), offset });
        }
    }
}

/// Something that a form of JSON could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What was lost.
    pub kind: LossKind,
    /// Where: a path as [`Document::at`](variant_view::Document::at) reads it, of more than 64 steps the
    /// last of them behind an ellipsis.
    pub path: String,
    /// The byte of the document at which the value starts.
    pub offset: usize,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "(root)" } else { &self.path };
        write!(f, "{path}: {}", self.kind)
    }
}

/// What was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// A NaN or an infinity, for which JSON has no number.
    NotFinite,
    /// Bytes that are not UTF-8, in place of which U+FFFD stands.
    Text,
    /// The kind, or the content, of a key that is no text.
    Key,
    /// A key that was there already, and got a suffix.
    Collision,
    /// What an id or a name referred to: of resource handles, callables, signals and objects by id.
    Reference,
    /// A kind that the form does not have.
    Kind,
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "a number that is not finite",
            Self::Text => "text that is not UTF-8",
            Self::Key => "a key that is no text",
            Self::Collision => "a key that was there already",
            Self::Reference => "a reference",
            Self::Kind => "a kind that this form does not have",
        })
    }
}

/// A step of the way to a value: its role, and the key that stands before it.
pub(super) type Step<'a> = (Role<'a>, Option<VariantView<'a>>);

/// The path of which these are the steps.
pub(super) fn path(steps: &[Step<'_>]) -> String {
    let skipped = steps.len().saturating_sub(STEPS);
    let mut path = if skipped > 0 { "\u{2026}".to_owned() } else { String::new() };
    for (role, key) in steps.iter().skip(skipped) {
        let step = step(*role, *key);
        path.push_str(if path.is_empty() { step.trim_start_matches('.') } else { &step });
    }
    path
}

fn step(role: Role<'_>, key: Option<VariantView<'_>>) -> String {
    match role {
        Role::Root => String::new(),
        Role::Element(index) => format!("[{index}]"),
        Role::Key(pair) => format!("{{{pair}:key}}"),
        Role::Property(_, name) => named(&name.to_str_lossy()),
        Role::Value(pair) => match key {
            Some(VariantView::String(text) | VariantView::StringName(text)) => {
                named(&text.to_str_lossy())
            }
            Some(VariantView::Int(number)) => format!("[{}]", number.value()),
            _ => format!("{{{pair}}}"),
        },
    }
}

fn named(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_bare { format!(".{name}") } else { format!("[{name:?}]") }
}
