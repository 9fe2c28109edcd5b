//! [`PathTracker`]: follows events, and builds the path of the current value on demand.

mod in_tree;

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "serde")]
pub(crate) use in_tree::key_of;
pub(crate) use in_tree::path_in;
use variant_view::{Head, Key, Leaf, PathStep, engine_bytes, short_path, write_path};

use crate::key::KeyRule;

/// A path in a message. The root is `(root)`; a long path is shortened.
pub(crate) fn shown(path: &str) -> Cow<'_, str> {
    if path.is_empty() { Cow::Borrowed("(root)") } else { short_path(path) }
}

/// The path of the value of the last event.
///
/// The tracker must receive each event before the event is handled. It then shows the path of the event's value, as
/// [`Document::at`](variant_view::Document::at) reads it; after an exit, the path of the container. O(bytes of keys and
/// names) in all; keeps only the keys and names on the path.
#[derive(Debug, Default)]
pub(crate) struct PathTracker {
    open: Vec<Level>,
    /// The keys and names on the path, concatenated.
    names: Vec<u8>,
}

#[cfg(feature = "json")]
pub(crate) type Item = (usize, usize);

#[derive(Debug)]
struct Level {
    items: Items,
    /// The key or name of the current item.
    key: LastKey,
    /// Whether a `String` finds a pair whose key is a `StringName`.
    has_one_text_key: bool,
    /// The start of the key or name in `names`. Its end is the start of the next level's key or name.
    start: usize,
}

/// The layout of a container's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Elements,
    Pairs,
    Properties,
}

impl Form {
    pub(crate) const fn of(head: &Head<'_>) -> Self {
        match head {
            Head::Array(_) => Self::Elements,
            Head::Dictionary(_) => Self::Pairs,
            Head::Object { .. } => Self::Properties,
        }
    }

    /// The step to item `at`. In a dictionary, keys and values both count as items.
    pub(crate) fn step(self, at: usize) -> PathStep<'static> {
        let position = |items: usize| u32::try_from(items).unwrap_or(u32::MAX);
        match self {
            Self::Elements => PathStep::Number(i64::try_from(at).unwrap_or(i64::MAX)),
            Self::Pairs if at.is_multiple_of(2) => PathStep::PositionKey(position(at / 2)),
            Self::Pairs => PathStep::Position(position(at / 2)),
            Self::Properties => PathStep::Position(position(at)),
        }
    }
}

/// The role of a value in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Root,
    Element,
    Key,
    Value,
    Property,
}

/// The items of an open container that were received so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items {
    form: Form,
    /// The number of items begun. In a dictionary, keys and values both count as items.
    begun: usize,
}

impl Items {
    pub(crate) const fn of(form: Form) -> Self {
        Self { form, begun: 0 }
    }

    /// Begins an item; returns its role.
    pub(crate) const fn begin(&mut self) -> Role {
        self.begun = self.begun.saturating_add(1);
        self.role()
    }

    pub(crate) const fn begun(&self) -> usize {
        self.begun
    }

    pub(crate) const fn role(&self) -> Role {
        match self.form {
            Form::Elements => Role::Element,
            Form::Pairs if self.begun.is_multiple_of(2) => Role::Value,
            Form::Pairs => Role::Key,
            Form::Properties => Role::Property,
        }
    }

    /// The step to the last item, if one has begun.
    fn step(&self) -> Option<PathStep<'static>> {
        self.begun.checked_sub(1).map(|at| self.form.step(at))
    }
}

#[derive(Clone, Copy, Debug)]
enum LastKey {
    Other,
    Int(i64),
    String,
    StringName,
}

/// One step of the path, by its role.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn<'p> {
    Element,
    Key,
    /// The value of a pair: with an integer key, a text key, or another key.
    OfInt,
    OfText(&'p [u8]),
    OfOther,
}

impl PathTracker {
    pub(crate) fn leaf(&mut self, leaf: &Leaf<'_>) {
        match *leaf {
            Leaf::Int { value, .. } => self.begin(LastKey::Int(value), &[]),
            Leaf::String(text) => self.begin(LastKey::String, text),
            Leaf::StringName(text) => self.begin(LastKey::StringName, text),
            _ => self.begin(LastKey::Other, &[]),
        }
    }

    pub(crate) fn enter(&mut self, head: &Head<'_>) {
        self.begin(LastKey::Other, &[]);
        let (items, start) = (Items::of(Form::of(head)), self.names.len());
        let rule = match head {
            Head::Dictionary(head) => head.rule.unwrap_or_default(),
            Head::Array(_) | Head::Object { .. } => KeyRule::default(),
        };
        let has_one_text_key = rule.has_one_text_key();
        self.open.push(Level { items, key: LastKey::Other, has_one_text_key, start });
    }

    pub(crate) fn name(&mut self, name: &[u8]) {
        let Some(level) = self.open.last_mut() else { return };
        level.items.begin();
        level.key = LastKey::String;
        self.names.truncate(level.start);
        self.names.extend_from_slice(name);
    }

    pub(crate) fn exit(&mut self) {
        if let Some(level) = self.open.pop() {
            self.names.truncate(level.start);
        }
    }

    /// Begins a value; if it is a key, `key` and `text` describe it.
    fn begin(&mut self, key: LastKey, text: &[u8]) {
        let Some(level) = self.open.last_mut() else { return };
        // A property begins with its name. A property without a name violates the protocol of events, and counts as one
        // with an empty name.
        let is_begun = level.items.role() == Role::Property && level.items.begun() > 0;
        if !is_begun && level.items.begin() == Role::Key {
            level.key = key;
            self.names.truncate(level.start);
            self.names.extend_from_slice(text);
        }
    }

    #[cfg(feature = "json")]
    pub(crate) const fn depth(&self) -> usize {
        self.open.len()
    }

    /// The current item: the number of open containers, and the number of items begun in the innermost. These two
    /// numbers are unique until a container ends.
    #[cfg(feature = "json")]
    pub(crate) fn item(&self) -> Item {
        (self.open.len(), self.open.last().map_or(0, |level| level.items.begun))
    }

    /// The innermost open container in which an item has begun. The value of the last event is in this container. A
    /// container that has just been entered has no items yet, so it is skipped.
    fn last(&self) -> Option<(usize, &Level)> {
        self.open.iter().enumerate().rfind(|(_, level)| level.items.begun > 0)
    }

    pub(crate) fn role(&self) -> Role {
        self.last().map_or(Role::Root, |(_, level)| level.items.role())
    }

    /// The name of the value if it is a property, or the text of its key. O(1).
    #[cfg(feature = "json")]
    pub(crate) fn name_of_value(&self) -> &[u8] {
        self.last().map_or(&[], |(at, _)| self.text(at))
    }

    /// Step `at` of the path, from 0.
    pub(crate) fn turn(&self, at: usize) -> Option<Turn<'_>> {
        let level = self.open.get(at).filter(|level| level.items.begun > 0)?;
        Some(match (level.items.role(), level.key) {
            (Role::Element, _) => Turn::Element,
            (Role::Key, _) => Turn::Key,
            (_, LastKey::Int(_)) => Turn::OfInt,
            (_, LastKey::String | LastKey::StringName) => Turn::OfText(self.text(at)),
            (_, LastKey::Other) => Turn::OfOther,
        })
    }

    /// The steps from the root, by name if a path can express the name.
    pub(crate) fn steps(&self) -> impl Iterator<Item = PathStep<'_>> {
        let all = self.open.iter().enumerate();
        all.filter_map(|(at, level)| {
            let position = level.items.step()?;
            let text = engine_bytes(self.text(at));
            let key = match (position, level.key) {
                (PathStep::Position(_), LastKey::Int(key)) => Key::Int(key),
                (PathStep::Position(_), LastKey::String) => Key::String(text),
                (PathStep::Position(_), LastKey::StringName) if level.has_one_text_key => {
                    Key::String(text)
                }
                (PathStep::Position(_), LastKey::StringName) => Key::StringName(text),
                _ => return Some(position),
            };
            Some(PathStep::of_key(key).unwrap_or(position))
        })
    }

    /// The steps from the root by position, which are exact even if a key or name occurs twice.
    pub(crate) fn positions(&self) -> impl Iterator<Item = PathStep<'static>> + '_ {
        self.open.iter().filter_map(|level| level.items.step())
    }

    /// The path, if it has at most this many bytes. O(`bytes`).
    pub(crate) fn text_within(&self, bytes: usize) -> Option<String> {
        text_within(self.steps(), bytes)
    }

    fn text(&self, at: usize) -> &[u8] {
        let end = self.open.get(at.saturating_add(1)).map_or(self.names.len(), |next| next.start);
        let start = self.open.get(at).map_or(end, |level| level.start);
        self.names.get(start..end).unwrap_or_default()
    }
}

/// The path of `steps`, if it has at most this many bytes.
pub(crate) fn text_within<'p>(
    steps: impl IntoIterator<Item = PathStep<'p>>,
    bytes: usize,
) -> Option<String> {
    within(bytes, |text| write_path(text, steps))
}

/// The written text, if it has at most this many bytes.
pub(crate) fn within(
    bytes: usize,
    write: impl FnOnce(&mut Within) -> fmt::Result,
) -> Option<String> {
    let mut text = Within { text: String::new(), bytes };
    write(&mut text).ok()?;
    Some(text.text)
}

/// Adds a step to a path.
#[cfg(feature = "json")]
pub(crate) fn push_step(path: &mut String, step: PathStep<'_>) {
    let step = step.to_string();
    path.push_str(step.strip_prefix('.').filter(|_| path.is_empty()).unwrap_or(&step));
}

/// Text up to a maximal length.
pub(crate) struct Within {
    text: String,
    bytes: usize,
}

impl fmt::Write for Within {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.text.len().saturating_add(more.len()) > self.bytes {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use variant_view::{ArrayHead, DictionaryHead};

    use super::*;

    /// A long key is stored once for all values below it.
    #[test]
    fn what_is_kept_is_on_the_way() {
        let mut path = PathTracker::default();
        path.enter(&Head::Dictionary(DictionaryHead::default()));
        for at in 0..100 {
            path.leaf(&Leaf::String(&[b'k'; 1_000]));
            path.enter(&Head::Array(ArrayHead::default()));
            (0..at).for_each(|_| path.leaf(&Leaf::Nil));
            path.exit();
            assert!(path.names.len() <= 1_000 && path.open.len() == 1);
        }
    }
}
