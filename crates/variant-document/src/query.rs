//! [`Query`]: a path that may select many values. `--help` prints [`GRAMMAR`], the only grammar of such paths.

mod address;
mod fan;
mod filter;
mod grammar;
mod hidden;
mod pattern;
mod select;
#[cfg(test)]
mod tests;
mod written;

use variant_owned::Variant;
use variant_view::{Error, Key, KeyRule, PathStep, Reader, VariantView};

pub use self::address::{Address, Part, address_text};
pub(crate) use self::fan::Fan;
use self::filter::Filter;
pub(crate) use self::filter::int_and_float;
pub(crate) use self::select::select_each;
pub use self::select::{Match, Slot, Stop, declared, key_of, select, select_elements};
pub(crate) use self::written::WrittenKey;
pub use self::written::written_step;
pub use crate::path_text::{KeyedStep, path_text, path_to};

/// The grammar, as text for users.
pub const GRAMMAR: &str = "\
Paths:
  player.name         the value of a key, or a property
  items[3], items[-1] an element; from the end
  [\"odd key\"], [&\"n\"] a key of any text; a StringName
  [7], [Vector2(1, 2)]    the value of an integer key; of any key, as scripts write it
  {2}, {2:key}        a pair by its position: its value, its key
  frame 3: player.level  in frame 3 of a file of several; (root) is the whole value
  application/config/name    a setting of a project.binary, by its name
  @16                 the value at byte 16 of its frame, where a path would be very long
Paths that select many:
  items[2:5]          elements 2, 3 and 4; [:-1] all but the last
  items[*], player.*  all elements, all values
  ..gold              every gold, at any depth
  items[?hp<10]       elements of which the filter holds: == != < <= > >=, =~ \"regular expression\",
                      && || ! ( ), a path alone for one that is there, @ for the element itself";

/// The printed form of the empty path.
pub const ROOT: &str = "(root)";

/// The maximum number of steps of a path.
pub(crate) const MOST_STEPS: usize = 62;

/// A path that may select many values.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Name(String),
    StringName(String),
    /// An element, or the value of an integer key. A negative number counts elements from the end.
    Number(i64),
    Position(u32),
    PositionKey(u32),
    /// The value of a key that is neither text nor an integer.
    Key(WrittenKey),
    /// The value that starts at this byte of the document. This step must be the first.
    Byte(u32),
    /// The elements from the first index up to the second, exclusive.
    Slice(Option<i64>, Option<i64>),
    Any,
    /// Any number of steps, also zero.
    Deep,
    Filter(Filter),
}

/// The place of a value in its container.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// An element of an array.
    Element {
        /// The index of the element.
        index: u32,
        /// The number of elements; `u32::MAX` if it is unknown.
        len: u32,
    },
    /// The value of a pair or a property.
    Value {
        /// The key, if a path can name it.
        key: Option<Key<'a>>,
        /// The position of the pair.
        position: u32,
    },
    /// The key of a pair.
    Key {
        /// The position of the pair.
        position: u32,
    },
}

impl<'a> Place<'a> {
    /// The position in the container.
    pub const fn position(&self) -> u32 {
        match *self {
            Self::Element { index, .. } => index,
            Self::Value { position, .. } | Self::Key { position } => position,
        }
    }

    /// Whether the value is an element of an array.
    pub const fn is_element(&self) -> bool {
        matches!(self, Self::Element { .. })
    }

    /// The key of a value, if a path can name it.
    pub const fn key(&self) -> Option<Key<'a>> {
        match *self {
            Self::Value { key, .. } => key,
            Self::Element { .. } | Self::Key { .. } => None,
        }
    }

    /// The step to the value in the form of printed paths.
    pub fn step(&self) -> PathStep<'a> {
        match *self {
            Self::Element { index, .. } => PathStep::Number(index.into()),
            Self::Value { key, position } => {
                key.and_then(PathStep::of_key).unwrap_or(PathStep::Position(position))
            }
            Self::Key { position } => PathStep::PositionKey(position),
        }
    }
}

impl Query {
    /// Reads a path.
    ///
    /// # Errors
    /// The fault, and its column.
    pub fn parse(path: &str) -> Result<Self, String> {
        let path = if path == ROOT { "" } else { path };
        Ok(Self { steps: grammar::query(path)? })
    }

    /// The text of the first step, and the rest of the path; `None` if the path has no steps.
    pub fn split_first(path: &str) -> Option<(&str, &str)> {
        grammar::split_first(path)
    }

    /// A path without its last step, and the text of that step.
    ///
    /// # Errors
    /// As [`Query::parse`].
    pub fn split_last(path: &str) -> Result<(&str, &str), String> {
        grammar::split_last(path)
    }

    /// The key of a step such as `[Vector2i(1, 0)]`: a literal in brackets that is neither text nor an integer.
    /// O(bytes).
    pub fn literal_key(step: &str) -> Option<Variant> {
        match Self::parse(step).ok()?.into_step()? {
            Step::Key(WrittenKey(key)) => Some(key),
            _ => None,
        }
    }

    pub(crate) fn of_step(step: Step) -> Self {
        Self { steps: vec![step] }
    }

    /// The step, if the path has exactly one.
    pub(crate) fn into_step(self) -> Option<Step> {
        <[Step; 1]>::try_from(self.steps).ok().map(|[step]| step)
    }

    #[cfg(feature = "migration")]
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the path has a step to the key of a pair, or to a byte, which may be a byte of a key.
    #[cfg(feature = "migration")]
    pub(crate) fn has_keys_or_bytes(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::PositionKey(_) | Step::Byte(_)))
    }

    /// The path of all values.
    pub fn everything() -> Self {
        Self { steps: vec![Step::Deep] }
    }

    /// The path of the children of the values that this path selects.
    #[must_use]
    pub fn children(&self) -> Self {
        self.followed_by(Step::Any)
    }

    /// The path of the values that this path selects, and of all values inside them.
    #[must_use]
    pub fn with_all_below(&self) -> Self {
        self.followed_by(Step::Deep)
    }

    fn followed_by(&self, step: Step) -> Self {
        let steps = self.steps.iter().cloned().chain([step]).collect();
        Self { steps }
    }

    /// Whether the path selects at most one value, like the paths of `Document::at`.
    pub fn is_plain(&self) -> bool {
        self.steps.iter().all(Step::is_plain)
    }

    /// Whether the path has steps that `variant-view` does not accept.
    pub(crate) fn is_beyond_views(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Key(_) | Step::Byte(_)))
    }

    /// The name in each step; `None` for a step to items of a container. The result is `None` for a path with `..`,
    /// positions of pairs or byte offsets, since [`crate::shape`] has no counterpart of such steps.
    pub fn names(&self) -> Option<Vec<Option<&str>>> {
        let mut names = Vec::new();
        for step in &self.steps {
            names.push(match step {
                Step::Name(name) | Step::StringName(name) => Some(name.as_str()),
                Step::Number(_) | Step::Key(_) | Step::Slice(..) | Step::Any | Step::Filter(_) => {
                    None
                }
                Step::Position(_) | Step::PositionKey(_) | Step::Byte(_) | Step::Deep => {
                    return None;
                }
            });
        }
        Some(names)
    }

    /// Whether the path selects values at any depth: it has a `..`.
    pub fn is_deep(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Deep))
    }

    /// Whether the path may select more than one value of a document, apart from the values of equal keys.
    pub fn selects_many(&self) -> bool {
        self.levels() > 0
    }

    /// The number of steps that may lead to more than one child.
    pub fn levels(&self) -> usize {
        self.steps.iter().filter(|step| !step.is_plain()).count()
    }
}

impl Step {
    /// Whether the step leads to at most one child, apart from the values of equal keys.
    pub(crate) const fn is_plain(&self) -> bool {
        !matches!(self, Self::Slice(..) | Self::Any | Self::Deep | Self::Filter(_))
    }

    /// The key that the step names. An index is also an integer key.
    pub(crate) fn to_key(&self) -> Option<Variant> {
        match self {
            Self::Name(name) => Some(name.as_str().into()),
            Self::StringName(name) => Some(Variant::StringName(name.as_str().into())),
            Self::Number(number) => Some((*number).into()),
            Self::Key(key) => Some(key.value().clone()),
            _ => None,
        }
    }

    /// The index that the step names in an array of this length.
    #[cfg(feature = "migration")]
    pub(crate) fn index_in(&self, len: usize) -> Option<usize> {
        let Self::Number(number) = self else { return None };
        let index = from_start(*number, u32::try_from(len).ok()?)?;
        usize::try_from(index).ok()
    }

    /// Whether the step leads to the child at `place`, which is the next value of `reader`.
    pub(crate) fn takes(
        &self,
        place: &Place<'_>,
        key: Option<&VariantView<'_>>,
        reader: &Reader<'_>,
        rule: KeyRule,
    ) -> Result<bool, Error> {
        match self {
            Self::Filter(filter) => filter.holds(&reader.clone().next_value()?.0),
            step => Ok(step.leads_to(place, key, rule)),
        }
    }

    /// Whether the step leads to the child at `place`. False for a filter, which needs the value. `key` is the key of
    /// the pair, if `place` has no key.
    pub(crate) fn leads_to(
        &self,
        place: &Place<'_>,
        key: Option<&VariantView<'_>>,
        rule: KeyRule,
    ) -> bool {
        match (self, *place) {
            (Self::PositionKey(at), Place::Key { position }) => position == *at,
            (_, Place::Key { .. }) => false,
            (Self::Any, _) => true,
            (Self::Key(wanted), _) => key.is_some_and(|key| wanted.is(key, rule)),
            (Self::Number(number), Place::Element { index, len }) => {
                from_start(*number, len) == Some(index)
            }
            (Self::Number(number), Place::Value { key, .. }) => key == Some(Key::Int(*number)),
            (Self::Slice(start, end), Place::Element { index, len }) => {
                let bound = |bound: i64| clamped(bound, len);
                (start.map_or(0, bound)..end.map_or(len, bound)).contains(&index)
            }
            (Self::Position(at), Place::Element { index, .. }) => *at == index,
            (Self::Position(at), Place::Value { position, .. }) => *at == position,
            (Self::Name(name), Place::Value { key: Some(Key::String(key)), .. }) => {
                key == name.as_bytes()
            }
            (Self::StringName(name), Place::Value { key, .. }) => match key {
                Some(Key::StringName(key)) => key == name.as_bytes(),
                Some(Key::String(key)) => rule.has_one_text_key() && key == name.as_bytes(),
                _ => false,
            },
            _ => false,
        }
    }
}

/// The index that a number means. A negative number counts from the end. `None` if the index is before the start.
pub(crate) fn from_start(number: i64, len: u32) -> Option<u32> {
    let index = if number < 0 { number.checked_add(len.into())? } else { number };
    u32::try_from(index).ok()
}

/// The bound of a slice, limited to the length of the array.
fn clamped(bound: i64, len: u32) -> u32 {
    let bound = if bound < 0 { bound.saturating_add(len.into()).max(0) } else { bound };
    u32::try_from(bound).unwrap_or(u32::MAX).min(len)
}
