//! [`Report`]: the changes of a conversion.

use std::fmt;

use variant_view::{Dialect, Kind};

use crate::path::shown;

/// The changes of a conversion: the first ones in full, and all of them in groups. A report takes at most a few hundred
/// kilobytes, for any number of changes.
///
/// ```
/// use variant_owned::{array, convert};
/// use variant_view::Dialect;
///
/// let (_, report) = convert(&array![(1, 2), (3, 4)].into(), Dialect::Godot3)?;
/// assert_eq!((report.count(), report.changes().len()), (2, 2));
/// assert!(report.is_lossless()); // Vector2 holds these integers
/// # Ok::<(), variant_owned::ConvertError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    changes: Vec<Change>,
    /// The number of bytes of all paths in `changes`.
    bytes: usize,
    groups: Vec<Group>,
    count: u64,
    lost: u64,
}

/// The maximum number of listed changes, and the maximum size of all their paths in bytes. Further changes are only in
/// the groups.
const CHANGES: usize = 100;
const BYTES: usize = 1 << 14;

impl Report {
    pub(super) fn add(&mut self, what: What, path_within: impl Fn(usize) -> Option<String>) {
        // The list ends at the first change whose path does not fit into the remaining bytes. No paths are built for
        // later changes.
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

    /// The first changes in order: at most a hundred, fewer if paths are long.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// All changes in groups, in order of their first changes. The changes of a group have the same kinds before and
    /// after, the same loss, and the same place except for indices. Beyond a hundred groups, changes are grouped
    /// without regard to place.
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

    /// Whether only kinds changed. A conversion back may restore the kinds.
    pub const fn is_lossless(&self) -> bool {
        self.lost == 0
    }
}

/// The type of a change.
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

/// Changes of the same type in one place; see [`Report::groups`].
///
/// ```
/// use variant_owned::{array, convert};
/// use variant_view::Dialect;
///
/// let (_, report) = convert(&array![(1, 2), (3, 4)].into(), Dialect::Godot3)?;
/// let [group] = report.groups() else { panic!("one group") };
/// assert_eq!((group.path.as_str(), group.count), ("[*]", 2));
/// assert_eq!(group.to_string(), "[*] x2: Vector2i became Vector2");
/// # Ok::<(), variant_owned::ConvertError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// The place as a path; empty for the root. `[*]` is any element, or any value with an integer key. `{*}` is a pair
    /// whose key cannot be shown, and `{*:key}` is its key. An ellipsis is everything below.
    pub path: String,
    /// The path of the first change, unless it is longer than a kilobyte.
    pub first: Option<String>,
    /// The kind before.
    pub from: Kind,
    /// The kind after.
    pub to: Kind,
    /// The kind of loss.
    pub loss: Loss,
    /// The number of changes.
    pub count: u64,
}

impl Group {
    pub(super) const fn new(what: What, first: Option<String>) -> Self {
        let What { from, to, loss } = what;
        Self { path: String::new(), first, from, to, loss, count: 0 }
    }
}

impl fmt::Display for Group {
    /// Prints `entities[*].tag x20: StringName became String`. A single change is printed with its exact path.
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

/// A value that a conversion changed.
///
/// ```
/// use variant_owned::{convert, dictionary};
/// use variant_view::{Dialect, Kind};
///
/// let (_, report) = convert(&dictionary! { "at" => (1, 2) }.into(), Dialect::Godot3)?;
/// let change = &report.changes()[0];
/// assert_eq!((change.path.as_str(), change.from, change.to), ("at", Kind::Vector2i, Kind::Vector2));
/// # Ok::<(), variant_owned::ConvertError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The path of the value; empty for the root.
    pub path: String,
    /// The kind before.
    pub from: Kind,
    /// The kind after.
    pub to: Kind,
    /// The kind of loss.
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

/// The information that a change loses.
///
/// ```
/// use variant_owned::{Loss, Variant, array, convert};
/// use variant_view::Dialect;
///
/// let value = array![(1, 2), Variant::Callable].into();
/// let (_, report) = convert(&value, Dialect::Godot3)?;
/// let losses: Vec<Loss> = report.changes().iter().map(|change| change.loss).collect();
/// assert_eq!(losses, [Loss::Kind, Loss::Value]); // Godot 3 has no callables
/// # Ok::<(), variant_owned::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// The kind only.
    Kind,
    /// Digits of numbers.
    Precision,
    /// The whole value; the target has no similar kind.
    Value,
    /// An id, which the target does not write.
    Id,
    /// The type declarations of a container.
    ElementType,
    /// Bytes of text that the target's reader refuses, replaced by U+FFFD.
    Text,
    /// Pairs whose keys the target's reader treats as equal; the last value is kept.
    Keys,
    /// The class and property names of an object.
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
            Self::Text => "bytes that are not text were replaced",
            Self::Keys => "keys that are the same there were merged",
            Self::Object => "class and property names were lost",
        })
    }
}

/// A change in a strict conversion.
///
/// ```
/// use variant_owned::{ConvertOptions, array, convert};
/// use variant_view::Dialect;
///
/// let strict = ConvertOptions::new(Dialect::Godot3).strict(true);
/// let error = convert(&array![1, (2, 3)].into(), strict).unwrap_err();
/// assert_eq!(error.change().path, "[1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertError {
    change: Change,
    target: Dialect,
}

impl ConvertError {
    pub(super) const fn new(change: Change, target: Dialect) -> Self {
        Self { change, target }
    }

    /// The change.
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
