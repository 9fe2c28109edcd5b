//! [`PathStep`]: one step of a path, parsed and printed. All paths are printed by this module.

use core::fmt;

use crate::bytes::count;
use crate::error::{Error, ErrorKind, Result, item_or_error};
use crate::text::is_invisible;
use crate::view::Key;

/// One step of a path, as [`Document::at`](crate::Document::at) reads it.
///
/// Every path in this project is printed with [`write_path`], so [`Document::at`](crate::Document::at)
/// reads each of them back.
///
/// ```
/// use variant_view::{Key, PathStep, write_path};
///
/// let steps = [Key::from("bag"), Key::from("a.b"), Key::from(7)].map(PathStep::of_key);
/// let mut path = String::new();
/// write_path(&mut path, steps.into_iter().flatten().chain([PathStep::PositionKey(2)])).unwrap();
/// assert_eq!(path, "bag[\"a.b\"][7]{2:key}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStep<'p> {
    /// `name`, `["any text"]`: the value of a key of text, or a property.
    Name(&'p str),
    /// `[&"name"]`: the value of a `StringName` key.
    StringName(&'p str),
    /// `[3]`: an element, or the value of an integer key; `[-1]`: the last element, or the value of the key -1.
    Number(i64),
    /// `{3}`: the value of a pair or a property, by position.
    Position(u32),
    /// `{3:key}`: the key of a pair, by position.
    PositionKey(u32),
}

impl<'p> PathStep<'p> {
    /// The step to the value of `key`, or to the property of that name. O(bytes of the key).
    ///
    /// `None` if only a position can express the key. Such a key is neither text nor an integer, or its text is not
    /// UTF-8, has [invisible characters](crate::is_invisible), or has both kinds of quotes. Text is compared as the
    /// engine reads it, see [`StrView::engine_bytes`](crate::StrView::engine_bytes).
    pub fn of_key(key: Key<'p>) -> Option<Self> {
        match key {
            Key::Int(number) => Some(Self::Number(number)),
            Key::String(name) => writable(name).map(Self::Name),
            Key::StringName(name) => writable(name).map(Self::StringName),
            Key::Nil | Key::Bool(_) | Key::Float(_) => None,
        }
    }
}

impl<'p> PathStep<'p> {
    /// Parses a path into its steps, as [`Document::at`](crate::Document::at) does. O(bytes of the path).
    ///
    /// ```
    /// use variant_view::PathStep;
    ///
    /// let steps = PathStep::parse("bag[7]").collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(steps, [PathStep::Name("bag"), PathStep::Number(7)]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::PathSyntax`], with offset 0, because a path alone has no document. The iterator ends after the
    /// error.
    pub fn parse(path: &'p str) -> impl Iterator<Item = Result<Self>> + Clone + use<'p> {
        PathSteps { parser: Parser { path, rest: path }, failed: None }
    }

    /// [`PathStep::parse`], with the byte of the path text at which each step starts. O(bytes of the path).
    ///
    /// ```
    /// use variant_view::PathStep;
    ///
    /// let columns = PathStep::parse_at("bag[7]").map(|(column, _)| column);
    /// assert!(columns.eq([0, 3]));
    /// ```
    pub fn parse_at(path: &'p str) -> impl Iterator<Item = (u32, Result<Self>)> + use<'p> {
        let mut steps = PathSteps { parser: Parser { path, rest: path }, failed: None };
        core::iter::from_fn(move || {
            let column = steps.parser.column();
            steps.next().map(|step| (column, step))
        })
    }
}

/// Iterator of [`PathStep::parse`]; ends after the first error.
#[derive(Clone)]
struct PathSteps<'p> {
    parser: Parser<'p>,
    /// An error that `nth` has returned. The next call returns it again.
    failed: Option<Error>,
}

impl<'p> Iterator for PathSteps<'p> {
    type Item = Result<PathStep<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.parser.rest.is_empty() {
            return self.failed.take().map(Err);
        }
        let column = self.parser.column();
        let step = self.parser.step();
        if step.is_none() {
            self.parser.rest = "";
        }
        Some(step.ok_or(Error::new(ErrorKind::PathSyntax { column }, 0)))
    }

    /// Skips `n` steps. If a skipped step has an error, `nth` and the next call return this error, so that `skip` and
    /// `step_by` report errors.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.failed.is_some() {
            return self.next();
        }
        let item = item_or_error(self, n)?;
        self.failed = item.as_ref().err().copied();
        Some(item)
    }
}

/// `text` as UTF-8, if a path can contain the text.
fn writable(text: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(text).ok()?;
    let is_quotable = !(text.contains('"') && text.contains('\''));
    (is_quotable && !text.chars().any(is_invisible)).then_some(text)
}

/// Writes the steps of a path, without the leading dot. O(bytes written).
///
/// # Errors
/// Errors of `out`.
pub fn write_path<'p>(
    out: &mut (impl fmt::Write + ?Sized),
    steps: impl IntoIterator<Item = PathStep<'p>>,
) -> fmt::Result {
    let mut steps = steps.into_iter();
    match steps.next() {
        Some(PathStep::Name(name)) if is_bare(name) => out.write_str(name)?,
        Some(step) => write!(out, "{step}")?,
        None => {}
    }
    steps.try_for_each(|step| write!(out, "{step}"))
}

impl fmt::Display for PathStep<'_> {
    /// The step as it is written after another step: a name has its dot, which `at` also accepts at the start.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
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

/// A parser that consumes a path from front to back.
#[derive(Clone, Debug)]
pub(super) struct Parser<'p> {
    pub(super) path: &'p str,
    pub(super) rest: &'p str,
}

impl<'p> Parser<'p> {
    pub(super) fn column(&self) -> u32 {
        count(self.path.len().saturating_sub(self.rest.len()))
    }

    pub(super) fn step(&mut self) -> Option<PathStep<'p>> {
        if let Some(inner) = self.rest.strip_prefix('[') {
            self.bracket(inner)
        } else if let Some(inner) = self.rest.strip_prefix('{') {
            let (inner, rest) = inner.split_once('}')?;
            self.rest = rest;
            match inner.strip_suffix(":key") {
                Some(position) => digits(position).map(PathStep::PositionKey),
                None => digits(inner).map(PathStep::Position),
            }
        } else {
            // Only the first step may lack its dot.
            let is_first = self.rest.len() == self.path.len();
            let name = self.rest.strip_prefix('.').or(is_first.then_some(self.rest))?;
            let end = name.find(['.', '[', '{', ']', '}', '"', '\'', '*']).unwrap_or(name.len());
            let (name, rest) = name.split_at_checked(end)?;
            self.rest = rest;
            (!name.is_empty()).then_some(PathStep::Name(name))
        }
    }

    fn bracket(&mut self, inner: &'p str) -> Option<PathStep<'p>> {
        let (is_name, text) = match inner.strip_prefix('&') {
            Some(text) => (true, text),
            None => (false, inner),
        };
        for (quote, end) in [('"', "\"]"), ('\'', "']")] {
            if let Some(text) = text.strip_prefix(quote) {
                let (text, rest) = text.split_once(end)?;
                self.rest = rest;
                return Some(if is_name {
                    PathStep::StringName(text)
                } else {
                    PathStep::Name(text)
                });
            }
        }
        let (number, rest) = inner.split_once(']')?;
        self.rest = rest;
        // `str::parse` accepts a plus sign, which is an error in a path.
        let number = Some(number).filter(|number| !number.starts_with('+'));
        number?.parse().ok().map(PathStep::Number)
    }
}

/// A number that consists of digits only.
fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(path: &str) -> core::result::Result<[Option<PathStep<'_>>; 4], u32> {
        let mut parser = Parser { path, rest: path };
        let mut all = [None; 4];
        for place in &mut all {
            if !parser.rest.is_empty() {
                let column = parser.column();
                *place = Some(parser.step().ok_or(column)?);
            }
        }
        Ok(all)
    }

    #[test]
    fn every_way_to_write_a_step() {
        use PathStep::{Name, Number, Position, PositionKey, StringName};
        assert_eq!(
            steps("a.b[3][\"c.d\"]"),
            Ok([Some(Name("a")), Some(Name("b")), Some(Number(3)), Some(Name("c.d"))])
        );
        assert_eq!(
            steps("[-7]['x\"y'].z{2}"),
            Ok([Some(Number(-7)), Some(Name("x\"y")), Some(Name("z")), Some(Position(2))])
        );
        assert_eq!(
            steps("{0:key}[&\"n\"]"),
            Ok([Some(PositionKey(0)), Some(StringName("n")), None, None])
        );
    }

    #[test]
    fn the_column_of_an_error_is_where_its_step_starts() {
        for (path, column) in [
            ("a..b", 1),
            ("a[", 1),
            ("a[x]", 1),
            ("[\"a]", 0),
            ("a.b{", 3),
            ("]", 0),
            ("a*", 1),
            ("a[0]b", 4),
        ] {
            assert_eq!(steps(path), Err(column), "{path}");
        }
    }
}
