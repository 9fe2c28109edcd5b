//! [`Step`]: one change of a migration.

use variant_owned::Variant;

use super::error::Spot;
use super::retype::Retype;
use crate::query::{self, Query};

/// One change of a migration.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) spot: Spot,
    /// The kind of the step, as the file of steps writes it.
    pub(super) name: &'static str,
    /// The path in the step, for messages.
    pub(super) path: String,
    pub(super) action: Action,
    /// The step is made only if this path selects a value.
    pub(super) condition: Option<Query>,
    /// Whether a path that selects nothing is accepted.
    pub(super) is_optional: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    Rename {
        query: Query,
        to: String,
    },
    Move {
        query: Query,
        to: Place,
    },
    Delete {
        query: Query,
    },
    /// Adds the value to each selected container that lacks the key.
    Default {
        to: Place,
        value: Literal,
    },
    Set {
        to: Place,
        value: Literal,
    },
    /// Sets existing values only, because the last step of the path is neither a key nor an index.
    SetAll {
        query: Query,
        value: Literal,
    },
    Retype {
        query: Query,
        how: Retype,
    },
    Split {
        query: Query,
        by: String,
        into: Vec<String>,
    },
    Join {
        to: Place,
        by: String,
        keys: Vec<String>,
    },
    Map {
        query: Query,
        steps: Vec<Step>,
    },
    Wrap {
        query: Query,
        key: String,
    },
    Unwrap {
        query: Query,
        key: String,
    },
}

/// The place of a value. The value need not exist yet.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The path of the container.
    pub(super) parent: Query,
    /// The key or the index in the container.
    pub(super) last: query::Step,
}

/// A value as the file of steps writes it. It is read in the dialect of the save, because dialects compare keys
/// differently.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    Text(String),
    Value(Variant),
}
