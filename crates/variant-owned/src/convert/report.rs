//! [`Report`]: what a conversion changed.

use std::fmt;

use variant_view::{Dialect, Kind};

/// What a conversion changed: the first changes one by one, and all of them in groups. However many there are, it takes no
/// more than some hundred kilobytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    changes: Vec<Change>,
    /// Of the paths of those.
    bytes: usize,
    groups: Vec<Group>,
    count: u64,
    lost: u64,
}

/// More changes are in the groups only, and so are those that follow when their paths have taken so many bytes.
const CHANGES: usize = 100;
const BYTES: usize = 1 << 14;

impl Report {
    pub(super) fn add(&mut self, what: What, path_within: impl Fn(usize) -> Option<String>) {
        // The first path that is too long ends the list, so that no more are put together.
        let is_listed = u64::try_from(self.changes.len()) == Ok(self.count);
        if is_listed
            && self.changes.len() < CHANGES
            && let Some(path) = path_within(BYTES.saturating_sub(self.bytes))
        {
            self.bytes = self.bytes.saturating_add(path.len());
            self.changes.push(Change::new(path, what));
        }
        self.count = self.count.saturating_add(1);
        self.lost = self.lost.saturating_add(u64::from(what.loss != Loss::Kind));
    }

    pub(super) fn with_groups(self, groups: Vec<Group>) -> Self {
        Self { groups, ..self }
    }

    /// The first changes, in the order of the values: a hundred, or fewer where paths are long.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// All changes in groups, in the order of their first ones: of the same kind, to the same kind, with the same loss, and
    /// in the same place but for the numbers of elements and pairs. Where there are more than a hundred groups, the rest is
    /// told apart by what changed alone.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The number of changes.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Whether nothing changed.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether nothing was lost but kinds, which converting back may restore.
    pub const fn is_lossless(&self) -> bool {
        self.lost == 0
    }
}

/// What became of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct What {
    pub(super) from: Kind,
    pub(super) to: Kind,
    pub(super) loss: Loss,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, loss } = self;
        match (from == to, loss) {
            (false, Loss::Kind) => write!(f, "{from} became {to}"),
            (false, loss) => write!(f, "{from} became {to}, {loss}"),
            (true, loss) => write!(f, "{from}, {loss}"),
        }
    }
}

/// Changes of one kind in one place; see [`Report::groups`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// Where: a path with `[*]` for any element or number, `{*}` for a pair whose key cannot be shown, `{*:key}` for its key,
    /// and an ellipsis for what is below; empty for the root.
    pub path: String,
    /// The path of the first of them, if it is no longer than a kilobyte.
    pub first: Option<String>,
    /// What they were.
    pub from: Kind,
    /// What they became.
    pub to: Kind,
    /// What was lost of them.
    pub loss: Loss,
    /// How many there are.
    pub count: u64,
}

impl Group {
    pub(super) const fn new(what: What, first: Option<String>) -> Self {
        let What { from, to, loss } = what;
        Self { path: String::new(), first, from, to, loss, count: 0 }
    }
}

impl fmt::Display for Group {
    /// `entities[*].tag x20: StringName became String`; of a single change with its own path.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, first, from, to, loss, count } = self;
        let what = What { from: *from, to: *to, loss: *loss };
        match (first, count) {
            (Some(first), 1) => write!(f, "{}: {what}", shown(first)),
            (None, 1) => write!(f, "{}: {what}", shown(path)),
            _ => write!(f, "{} x{count}: {what}", shown(path)),
        }
    }
}

fn shown(path: &str) -> &str {
    if path.is_empty() { "(root)" } else { path }
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
    pub(super) const fn new(path: String, what: What) -> Self {
        let What { from, to, loss } = what;
        Self { path, from, to, loss }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, from, to, loss } = self;
        write!(f, "{}: {}", shown(path), What { from: *from, to: *to, loss: *loss })
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
