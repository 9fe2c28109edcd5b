//! [`PathTracker`]: the way to the value that events are about, kept while they pass; it becomes text when someone asks.

mod in_tree;

use std::fmt;

pub(crate) use in_tree::path_in;
use variant_view::{Head, Key, Leaf, PathStep, engine_bytes, write_path};

use crate::key::KeyRule;

/// The way to the value of the last event.
///
/// Told of every event before anyone acts on it: then its [`Display`](fmt::Display) is the path of the value that the event
/// is about, as [`Document::at`](variant_view::Document::at) reads it; behind an exit, that of the container. O(bytes of
/// keys and names) in all; the keys and names on the way are kept, and no others.
#[derive(Debug, Default)]
pub(crate) struct PathTracker {
    open: Vec<Level>,
    /// Keys and names on the way, one behind the other.
    names: Vec<u8>,
}

/// An open container.
#[derive(Debug)]
struct Level {
    form: Form,
    /// The items that have begun; of pairs, keys and values both.
    begun: usize,
    /// The key or the name of the item.
    key: LastKey,
    /// Whether a `String` finds the value of a `StringName`.
    has_one_text_key: bool,
    /// Where in `names` that key or name starts; it ends where that of the next level starts.
    start: usize,
}

/// What a container is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Elements,
    Pairs,
    Properties,
}

#[derive(Clone, Copy, Debug)]
enum LastKey {
    Other,
    Int(i64),
    String,
    StringName,
}

/// What a step of the way is to the container around it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn<'p> {
    Element,
    Key,
    /// The value of a pair: of an integer key, of a text, or of another one.
    OfInt,
    OfText(&'p [u8]),
    OfOther,
}

impl Form {
    pub(crate) const fn of(head: &Head<'_>) -> Self {
        match head {
            Head::Array(_) => Self::Elements,
            Head::Dictionary(_) => Self::Pairs,
            Head::Object(_) => Self::Properties,
        }
    }
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
        let (form, start) = (Form::of(head), self.names.len());
        let rule = match head {
            Head::Dictionary(head) => head.rule.unwrap_or_default(),
            Head::Array(_) | Head::Object(_) => KeyRule::default(),
        };
        let has_one_text_key = rule.has_one_text_key();
        self.open.push(Level { form, begun: 0, key: LastKey::Other, has_one_text_key, start });
    }

    pub(crate) fn name(&mut self, name: &[u8]) {
        let Some(level) = self.open.last_mut() else { return };
        level.begun = level.begun.saturating_add(1);
        level.key = LastKey::String;
        self.names.truncate(level.start);
        self.names.extend_from_slice(name);
    }

    pub(crate) fn exit(&mut self) {
        if let Some(level) = self.open.pop() {
            self.names.truncate(level.start);
        }
    }

    /// A value begins; if it is a key, it is that of the next one.
    fn begin(&mut self, key: LastKey, text: &[u8]) {
        let Some(level) = self.open.last_mut() else { return };
        if level.form == Form::Properties {
            return;
        }
        level.begun = level.begun.saturating_add(1);
        if level.form == Form::Pairs && !level.begun.is_multiple_of(2) {
            level.key = key;
            self.names.truncate(level.start);
            self.names.extend_from_slice(text);
        }
    }

    /// The innermost container: what it is made of, and how many items have begun.
    pub(crate) fn innermost(&self) -> Option<(Form, usize)> {
        self.open.last().map(|level| (level.form, level.begun))
    }

    /// Step `at` of the way, from 0 on.
    pub(crate) fn turn(&self, at: usize) -> Option<Turn<'_>> {
        let level = self.open.get(at).filter(|level| level.begun > 0)?;
        Some(match (level.form, level.key) {
            (Form::Elements, _) => Turn::Element,
            (Form::Pairs, _) if !level.begun.is_multiple_of(2) => Turn::Key,
            (_, LastKey::Int(_)) => Turn::OfInt,
            (_, LastKey::String | LastKey::StringName) => Turn::OfText(self.text(at)),
            (_, LastKey::Other) => Turn::OfOther,
        })
    }

    /// The steps from the root, by names where a name can be written.
    pub(crate) fn steps(&self) -> impl Iterator<Item = PathStep<'_>> {
        let all = self.open.iter().enumerate();
        all.filter_map(|(at, level)| {
            let position = level.position()?;
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

    /// The steps from the root by positions alone, which are right also where a key or a name stands twice.
    pub(crate) fn positions(&self) -> impl Iterator<Item = PathStep<'static>> + '_ {
        self.open.iter().filter_map(Level::position)
    }

    /// The path, if it takes no more than so many bytes. O(that).
    pub(crate) fn text_within(&self, bytes: usize) -> Option<String> {
        text_within(self.steps(), bytes)
    }

    fn text(&self, at: usize) -> &[u8] {
        let end = self.open.get(at.saturating_add(1)).map_or(self.names.len(), |next| next.start);
        let start = self.open.get(at).map_or(end, |level| level.start);
        self.names.get(start..end).unwrap_or_default()
    }
}

impl fmt::Display for PathTracker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_path(f, self.steps())
    }
}

impl Level {
    /// None before the first item.
    fn position(&self) -> Option<PathStep<'static>> {
        let item = self.begun.checked_sub(1)?;
        let position = |items: usize| u32::try_from(items).unwrap_or(u32::MAX);
        Some(match self.form {
            Form::Elements => PathStep::Number(i64::try_from(item).unwrap_or(i64::MAX)),
            Form::Pairs if item.is_multiple_of(2) => PathStep::PositionKey(position(item / 2)),
            Form::Pairs => PathStep::Position(position(item / 2)),
            Form::Properties => PathStep::Position(position(item)),
        })
    }
}

/// A path of these steps, if it takes no more than so many bytes.
pub(crate) fn text_within<'p>(
    steps: impl IntoIterator<Item = PathStep<'p>>,
    bytes: usize,
) -> Option<String> {
    let mut text = Within { text: String::new(), bytes };
    write_path(&mut text, steps).ok()?;
    Some(text.text)
}

/// Text up to a length.
struct Within {
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
    use variant_view::{ArrayHead, DictionaryHead, ObjectHead};

    use super::*;

    #[test]
    fn every_event_has_its_path() {
        let mut path = PathTracker::default();
        assert_eq!(path.to_string(), "");
        path.enter(&Head::Dictionary(DictionaryHead::default()));
        assert_eq!(path.to_string(), "");
        path.leaf(&Leaf::StringName(b"bag"));
        assert_eq!(path.to_string(), "{0:key}");
        path.enter(&Head::Array(ArrayHead::default()));
        assert_eq!(path.to_string(), "bag");
        path.leaf(&Leaf::Nil);
        path.enter(&Head::Object(ObjectHead::new(b"C")));
        path.name(b"hp");
        path.leaf(&Leaf::String(b"none"));
        assert_eq!(path.to_string(), "bag[1].hp");
        let positions: Vec<_> = path.positions().collect();
        assert_eq!(positions, [PathStep::Position(0), PathStep::Number(1), PathStep::Position(0)]);
        path.exit();
        assert_eq!(path.to_string(), "bag[1]");
        path.exit();
        path.enter(&Head::Array(ArrayHead::default()));
        path.leaf(&Leaf::Nil);
        assert_eq!(path.to_string(), "{1:key}[0]");
        path.exit();
        path.leaf(&Leaf::Nil);
        assert_eq!((path.to_string().as_str(), path.text_within(2)), ("{1}", None));
    }

    /// A long key is kept once, however many values it leads to.
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
