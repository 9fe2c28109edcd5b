//! [`Difference`]: a path whose values differ from those in a lock file.

use std::fmt;

use super::lock::kinds_text;
use super::places::{Place, PlaceKind};

/// How a path changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the files have the path.
    Added,
    /// Only the lock file has the path.
    Removed,
    /// The files have values of a kind, or of a declared type, that the lock file lacks; or the path became optional.
    Retyped,
    /// The files lack a kind that the lock file has, or the path became required, or the files have other texts than
    /// those that the lock file lists for the path.
    Narrowed,
}

impl Change {
    /// All changes.
    pub const ALL: [Self; 4] = [Self::Added, Self::Removed, Self::Retyped, Self::Narrowed];

    /// The name of the change in outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Retyped => "retyped",
            Self::Narrowed => "narrowed",
        }
    }
}

/// A path whose values differ from those in a lock file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path, with `[*]` for all elements.
    pub path: String,
    /// The change.
    pub change: Change,
    /// The line of the lock file, from 1; `None` if the lock file lacks the path.
    pub line: Option<u64>,
    /// What the lock file has.
    pub before: Option<String>,
    /// What the files have.
    pub after: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "found {after}; the lock has {before}"),
            (Some(before), None) => write!(f, "the path is missing; the lock has {before}"),
            (None, after) => {
                write!(
                    f,
                    "found {}; the lock has no such path",
                    after.as_deref().unwrap_or("nothing")
                )
            }
        }
    }
}

impl Difference {
    /// The difference of one path, if there is one.
    pub(super) fn of(
        line: Option<u64>,
        before: Option<&Place>,
        after: Option<&Place>,
    ) -> Option<Self> {
        let path = before.or(after)?.path.clone();
        let change = match (before, after) {
            (Some(_), None) => Change::Removed,
            (None, _) => Change::Added,
            (Some(before), Some(after)) => change(before, after)?,
        };
        let (before, after) = (before.map(kinds_text), after.map(kinds_text));
        Some(Self { path, change, line, before, after })
    }
}

/// The change of a path that both the lock file and the files have.
fn change(before: &Place, after: &Place) -> Option<Change> {
    if before.is_open || after.is_open {
        return None;
    }
    let same = |kinds: &[PlaceKind], of: &PlaceKind| {
        kinds.iter().any(|other| (other.kind, other.declared) == (of.kind, of.declared))
    };
    let is_new = |of: &PlaceKind| !same(&before.kinds, of);
    if after.kinds.iter().any(is_new) || after.is_optional && !before.is_optional {
        return Some(Change::Retyped);
    }
    let is_gone = |of: &PlaceKind| !same(&after.kinds, of);
    let is_narrowed = before.kinds.iter().any(is_gone)
        || before.is_optional && !after.is_optional
        || before.kinds.iter().any(|of| has_other_texts(of, &after.kinds));
    is_narrowed.then_some(Change::Narrowed)
}

/// Whether the lock file lists texts of this kind, and the files have other texts.
fn has_other_texts(locked: &PlaceKind, kinds: &[PlaceKind]) -> bool {
    let Some(texts) = &locked.texts else { return false };
    let found = kinds.iter().find(|of| of.kind == locked.kind).and_then(|of| of.texts.as_ref());
    found.is_none_or(|found| found != texts)
}
