//! Paths: from text to a value, and from an offset to text.

use core::fmt;

use crate::bytes::count;
use crate::document::Document;
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::scan::{Scanner, Step};
use crate::view::{DictionaryView, Key, ObjectView, StrView, VariantView};

/// A value that a path may lead through.
pub(crate) trait Navigate: Sized {
    fn kind(&self) -> Kind;
    fn offset(&self) -> usize;
    fn get(&self, key: Key<'_>) -> Result<Option<Self>>;
    fn index(&self, index: u32) -> Result<Option<Self>>;
    /// Item `slot`; of a dictionary, keys and values count both.
    fn child(&self, slot: u32) -> Result<Option<Self>>;
    fn child_count(&self) -> u32;
}

impl Navigate for VariantView<'_> {
    fn kind(&self) -> Kind {
        self.kind()
    }

    fn offset(&self) -> usize {
        self.offset()
    }

    fn get(&self, key: Key<'_>) -> Result<Option<Self>> {
        self.get(key)
    }

    fn index(&self, index: u32) -> Result<Option<Self>> {
        self.index(index)
    }

    fn child(&self, slot: u32) -> Result<Option<Self>> {
        self.child(slot)
    }

    fn child_count(&self) -> u32 {
        self.child_count()
    }
}

/// Follows `path` from `root`.
pub(crate) fn resolve<V: Navigate>(root: V, path: &str) -> Result<V> {
    let mut parser = Parser { path, rest: path };
    let mut value = root;
    while !parser.rest.is_empty() {
        let column = parser.column();
        let syntax = Error::new(ErrorKind::PathSyntax { column }, value.offset());
        let selector = parser.selector().ok_or(syntax)?;
        value = selector.follow(&value, column)?;
    }
    Ok(value)
}

/// One step of a path, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selector<'p> {
    /// `name`, `["name"]`
    Name(&'p str),
    /// `[&"name"]`
    StringName(&'p str),
    /// `[3]`
    Number(i64),
    /// `{3}`
    Position(u32),
    /// `{3:key}`
    PositionKey(u32),
}

impl Selector<'_> {
    fn follow<V: Navigate>(self, value: &V, column: u32) -> Result<V> {
        let found = match (self, value.kind()) {
            (Self::Name(name), _) => value.get(name.into())?,
            (Self::StringName(name), _) => value.get(Key::StringName(name.as_bytes()))?,
            (Self::Number(key), Kind::Dictionary) => value.get(key.into())?,
            (Self::Number(index), _) => return element(value, index, column),
            (Self::Position(at), Kind::Dictionary) => {
                value.child(at.saturating_mul(2).saturating_add(1))?
            }
            (Self::Position(at), _) => value.child(at)?,
            (Self::PositionKey(at), Kind::Dictionary) => value.child(at.saturating_mul(2))?,
            (Self::PositionKey(_), _) => {
                let kind = ErrorKind::NotAContainer { found: value.kind() };
                return Err(Error::new(kind, value.offset()));
            }
        };
        found.ok_or(Error::new(ErrorKind::KeyNotFound { column }, value.offset()))
    }
}

fn element<V: Navigate>(array: &V, index: i64, column: u32) -> Result<V> {
    let found = match u32::try_from(index) {
        Ok(index) => array.index(index)?,
        Err(_) => None,
    };
    let len = array.child_count();
    found.ok_or(Error::new(ErrorKind::IndexOutOfRange { column, len }, array.offset()))
}

/// Reads a path from front to back.
#[derive(Debug)]
struct Parser<'p> {
    path: &'p str,
    rest: &'p str,
}

impl<'p> Parser<'p> {
    fn column(&self) -> u32 {
        count(self.path.len().saturating_sub(self.rest.len()))
    }

    fn selector(&mut self) -> Option<Selector<'p>> {
        if let Some(inner) = self.rest.strip_prefix('[') {
            self.bracket(inner)
        } else if let Some(inner) = self.rest.strip_prefix('{') {
            let (inner, rest) = inner.split_once('}')?;
            self.rest = rest;
            match inner.strip_suffix(":key") {
                Some(position) => position.parse().ok().map(Selector::PositionKey),
                None => inner.parse().ok().map(Selector::Position),
            }
        } else {
            let name = self.rest.strip_prefix('.').unwrap_or(self.rest);
            let end = name.find(['.', '[', '{', ']', '}', '"', '\'']).unwrap_or(name.len());
            let (name, rest) = name.split_at_checked(end)?;
            self.rest = rest;
            (!name.is_empty()).then_some(Selector::Name(name))
        }
    }

    fn bracket(&mut self, inner: &'p str) -> Option<Selector<'p>> {
        let (is_name, text) = match inner.strip_prefix('&') {
            Some(text) => (true, text),
            None => (false, inner),
        };
        for (quote, end) in [('"', "\"]"), ('\'', "']")] {
            if let Some(text) = text.strip_prefix(quote) {
                let (text, rest) = text.split_once(end)?;
                self.rest = rest;
                return Some(if is_name {
                    Selector::StringName(text)
                } else {
                    Selector::Name(text)
                });
            }
        }
        let (number, rest) = inner.split_once(']')?;
        self.rest = rest;
        number.parse().ok().map(Selector::Number)
    }
}

/// The way from the root to a value, as text; see [`Document::path_to`].
///
/// [`Document::at`] reads it back. The root's own path is the empty text.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    document: Document<'a>,
    offset: usize,
    /// How many steps it has.
    depth: u32,
}

impl<'a> Path<'a> {
    pub(crate) fn find(document: Document<'a>, offset: usize) -> Result<Self> {
        match locate(&document, offset) {
            Some(place) => Ok(Self { document, offset, depth: place.depth }),
            None => Err(Error::new(ErrorKind::OutsideDocument, offset)),
        }
    }

    /// Whether it is the root's.
    pub const fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// The number of its steps.
    pub const fn depth(&self) -> u32 {
        self.depth
    }
}

/// Where the innermost value that has some byte stands.
struct Located<'a> {
    /// Stopped at it.
    scanner: Scanner<'a, false>,
    depth: u32,
    /// Reading cannot go on behind it.
    is_damaged: bool,
}

/// Reads up to the innermost value that has byte `offset`.
fn locate<'a>(document: &Document<'a>, offset: usize) -> Option<Located<'a>> {
    let mut scanner = Scanner::<false>::new(document.cursor(), document.options().mode());
    if offset > document.bytes().len() {
        return None;
    }
    let (depth, is_damaged) = loop {
        match scanner.step() {
            Ok(Some(Step::Leaf(item) | Step::Enter(item))) if offset < item.end => {
                break (item.depth, false);
            }
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(_) => break (count(scanner.indices().count()), true),
        }
    };
    Some(Located { scanner, depth, is_damaged })
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(place) = locate(&self.document, self.offset) else { return Ok(()) };
        let Ok(mut value) = self.document.root() else { return Ok(()) };
        for (level, slot) in (0..place.depth).zip(place.scanner.indices()) {
            let child = value.child(slot);
            let known = child.as_ref().ok().and_then(Option::as_ref);
            // A look-up would run into the damage, and could not tell; a name is the best to show then.
            let target = if place.is_damaged { None } else { known };
            step_of(&value, slot, target).write(f, level == 0)?;
            match child {
                Ok(Some(child)) => value = child,
                _ => break,
            }
        }
        Ok(())
    }
}

/// One step of a path, to be written.
enum PathStep<'a> {
    Name(&'a str),
    StringName(&'a str),
    Number(i64),
    Position(u32),
    PositionKey(u32),
}

/// How to write the step from a container to its item `slot`. The step must lead to `target`, if given.
fn step_of<'a>(
    container: &VariantView<'a>,
    slot: u32,
    target: Option<&VariantView<'a>>,
) -> PathStep<'a> {
    match container {
        VariantView::Dictionary(_) if slot.is_multiple_of(2) => PathStep::PositionKey(slot / 2),
        VariantView::Dictionary(dictionary) => {
            step_of_pair(dictionary, slot / 2, target).unwrap_or(PathStep::Position(slot / 2))
        }
        VariantView::Object(object) => {
            step_of_property(object, slot, target).unwrap_or(PathStep::Position(slot))
        }
        _ => PathStep::Number(slot.into()),
    }
}

fn step_of_pair<'a>(
    dictionary: &DictionaryView<'a>,
    pair: u32,
    target: Option<&VariantView<'a>>,
) -> Option<PathStep<'a>> {
    let key = VariantView::Dictionary(*dictionary).child(pair.checked_mul(2)?).ok()??;
    let (step, key) = match key {
        VariantView::Int(key) => (PathStep::Number(key.value()), Key::Int(key.value())),
        VariantView::String(key) => {
            (PathStep::Name(writable(key)?), Key::String(key.engine_bytes()))
        }
        VariantView::StringName(key) if key.dialect().facts().one_text_key => {
            (PathStep::Name(writable(key)?), Key::String(key.engine_bytes()))
        }
        VariantView::StringName(key) => {
            (PathStep::StringName(writable(key)?), Key::StringName(key.engine_bytes()))
        }
        _ => return None,
    };
    leads_to(|| dictionary.get(key), target).then_some(step)
}

fn step_of_property<'a>(
    object: &ObjectView<'a>,
    slot: u32,
    target: Option<&VariantView<'a>>,
) -> Option<PathStep<'a>> {
    let name = VariantView::Object(*object).child_name(slot)?;
    let step = PathStep::Name(writable(name)?);
    leads_to(|| object.get(name.engine_bytes()), target).then_some(step)
}

/// Whether a look-up arrives at `target`, if there is one.
fn leads_to<'a>(
    look_up: impl FnOnce() -> Result<Option<VariantView<'a>>>,
    target: Option<&VariantView<'_>>,
) -> bool {
    target.is_none_or(|target| match look_up() {
        Ok(found) => found.is_some_and(|found| found.offset() == target.offset()),
        Err(_) => true,
    })
}

/// Text that can stand in a path.
fn writable(text: StrView<'_>) -> Option<&str> {
    let text = text.engine_text().ok()?;
    let quotable = !(text.contains('"') && text.contains('\''));
    (quotable && !text.chars().any(is_invisible)).then_some(text)
}

/// Control characters, and those that change the order or the shape of others.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

impl PathStep<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, is_first: bool) -> fmt::Result {
        match *self {
            Self::Name(name) if is_bare(name) && is_first => f.write_str(name),
            Self::Name(name) if is_bare(name) => write!(f, ".{name}"),
            Self::Name(name) => write_quoted(f, "", name),
            Self::StringName(name) => write_quoted(f, "&", name),
            Self::Number(number) => write!(f, "[{number}]"),
            Self::Position(position) => write!(f, "{{{position}}}"),
            Self::PositionKey(position) => write!(f, "{{{position}:key}}"),
        }
    }
}

fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn write_quoted(f: &mut fmt::Formatter<'_>, prefix: &str, text: &str) -> fmt::Result {
    let quote = if text.contains('"') { '\'' } else { '"' };
    write!(f, "[{prefix}{quote}{text}{quote}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(path: &str) -> Result<[Option<Selector<'_>>; 4], u32> {
        let mut parser = Parser { path, rest: path };
        let mut all = [None; 4];
        for place in &mut all {
            if !parser.rest.is_empty() {
                let column = parser.column();
                *place = Some(parser.selector().ok_or(column)?);
            }
        }
        Ok(all)
    }

    #[test]
    fn every_way_to_write_a_step() {
        use Selector::{Name, Number, Position, PositionKey, StringName};
        assert_eq!(
            selectors("a.b[3][\"c.d\"]"),
            Ok([Some(Name("a")), Some(Name("b")), Some(Number(3)), Some(Name("c.d"))])
        );
        assert_eq!(
            selectors("[-7]['x\"y'].z{2}"),
            Ok([Some(Number(-7)), Some(Name("x\"y")), Some(Name("z")), Some(Position(2))])
        );
        assert_eq!(
            selectors("{0:key}[&\"n\"]"),
            Ok([Some(PositionKey(0)), Some(StringName("n")), None, None])
        );
    }

    #[test]
    fn the_column_of_an_error_is_where_its_step_starts() {
        for (path, column) in
            [("a..b", 1), ("a[", 1), ("a[x]", 1), ("[\"a]", 0), ("a.b{", 3), ("]", 0)]
        {
            assert_eq!(selectors(path), Err(column), "{path}");
        }
    }
}
