//! [`Report`]: what a conversion changed.

use std::fmt;

use variant_view::{Dialect, Kind};

/// What a conversion changed, in the order of the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    changes: Vec<Change>,
}

impl Report {
    pub(super) fn add(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// The changes.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether nothing was lost but kinds, which converting back may restore.
    pub fn is_lossless(&self) -> bool {
        self.changes.iter().all(|change| change.loss == Loss::Kind)
    }
}

/// A value that is not the same after a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Its path; empty for the root.
    pub path: String,
    /// What it was.
    pub from: Kind,
    /// What it became.
    pub to: Kind,
    /// What was lost of it.
    pub loss: Loss,
}

impl Change {
    pub(super) fn new(path: &str, from: Kind, to: Kind, loss: Loss) -> Self {
        Self { path: path.to_owned(), from, to, loss }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, from, to, loss } = self;
        let path = if path.is_empty() { "(root)" } else { path };
        match (from == to, loss) {
            (false, Loss::Kind) => write!(f, "{path}: {from} became {to}"),
            (false, loss) => write!(f, "{path}: {from} became {to}, {loss}"),
            (true, loss) => write!(f, "{path}: {from}, {loss}"),
        }
    }
}

/// What is lost of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// Its kind and nothing else.
    Kind,
    /// Digits of its numbers.
    Precision,
    /// The value itself; nothing in the target is like it.
    Value,
    /// An id that the target does not write.
    Id,
    /// The declared types of what is in it.
    ElementType,
    /// Bytes of text that the target's reader refuses; U+FFFD stands for them.
    Text,
    /// Pairs whose keys are the same to the target; the last one's value is kept.
    Keys,
    /// Class and property names of an object.
    Object,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kind => "its kind changed",
            Self::Precision => "digits were lost",
            Self::Value => "its value was lost",
            Self::Id => "its id was lost",
            Self::ElementType => "the declared element type was lost",
            Self::Text => "bytes that are no text were replaced",
            Self::Keys => "keys that are the same there were merged",
            Self::Object => "class and property names were lost",
        })
    }
}

/// A change that was not to be borne.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertError {
    change: Change,
    target: Dialect,
}

impl ConvertError {
    pub(super) const fn new(change: Change, target: Dialect) -> Self {
        Self { change, target }
    }

    /// What would have changed.
    pub const fn change(&self) -> &Change {
        &self.change
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no exact twin in {}: {}", self.target, self.change)
    }
}

impl std::error::Error for ConvertError {}
