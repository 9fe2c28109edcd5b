//! [`look_up`]: finds the value at a path. The path may lead into byte arrays that hold values.

use variant_view::{Document, Error, ErrorKind, Kind, Options, VariantView, short_path};

use crate::escape::escaped;
use crate::nested::{MOST_NESTED, Nested};
use crate::packed;
use crate::query::{Query, ROOT, Step, Stop, from_start, path_to, select};

/// A value as a separate document, and its offset in the searched document.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The value, up to its end.
    pub document: Document<'a>,
    /// Its offset in the searched document.
    pub start: usize,
}

/// The value at `path`, as [`Document::at`] finds it. A step may also be a key as a literal, and a path may be a byte
/// offset such as `@16`. A step into a byte array continues in the value that the array holds. Costs one look-up, and
/// one more for each step into a byte array.
///
/// # Errors
/// A message that names the missing step, and the value in which it was searched.
pub fn look_up<'a>(document: Document<'a>, path: &str) -> Result<Found<'a>, String> {
    let mut here = Found { document, start: 0 };
    let path = if path == ROOT { "" } else { path };
    let mut rest = path;
    for _ in 0..=MOST_NESTED {
        let error = match here.document.at(rest).and_then(|view| Ok((view, view.raw_bytes()?))) {
            Ok((view, bytes)) => {
                let document = Document::new(bytes, *here.document.options());
                return Ok(Found { document, start: here.start.saturating_add(view.offset()) });
            }
            Err(error) => error,
        };
        if let Some(query) = beyond_plain(rest) {
            return by_query(&here, &query, path);
        }
        let Some((nested, inner)) = into_bytes(&here.document, rest, &error) else {
            return Err(explain(&here, path, rest, &error));
        };
        here.start = here.start.saturating_add(nested.start);
        here.document = nested.document;
        rest = inner;
    }
    Err(format!("the path leads through more than {MOST_NESTED} nested byte arrays"))
}

/// An element of a packed array.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// The element. Its view has no header ([`variant_view::Elements`]).
    pub view: VariantView<'a>,
    /// Its offset in the searched document.
    pub start: usize,
}

impl Element<'_> {
    /// The element as a document of its kind. O(bytes).
    pub fn document_bytes(&self, options: Options) -> Vec<u8> {
        packed::document_bytes(&self.view, options)
    }
}

/// The offset of the value at `path` in the document: of a value that [`look_up`] finds, or of an element of a packed
/// array. Costs at most two look-ups.
///
/// # Errors
/// As [`look_up`].
pub fn offset_of(document: Document<'_>, path: &str) -> Result<usize, String> {
    match look_up(document, path) {
        Ok(found) => Ok(found.start),
        Err(why) => element(document, path).map_or(Err(why), |found| Ok(found?.start)),
    }
}

/// The element of a packed array at a path such as `points[3]`; `None` if the path does not lead into a packed array by
/// an index. Costs one look-up, and O(elements before it) for texts.
///
/// ```
/// use variant_document::lookup::element;
/// use variant_view::{Dialect, Document};
///
/// let bytes = b"\x1e\0\0\0\x02\0\0\0\x05\0\0\0\x07\0\0\0"; // PackedInt32Array [5, 7], as Godot 4 writes it
/// let document = Document::new(bytes, Dialect::Godot4);
/// let last = element(document, "[-1]").unwrap()?;
/// assert_eq!((last.view.as_i64().unwrap(), last.start), (7, 12));
/// assert!(element(document, "[2]").unwrap().is_err());
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// The array has no such element.
pub fn element<'a>(document: Document<'a>, path: &str) -> Option<Result<Element<'a>, String>> {
    let (around, last) = Query::split_last(path).ok()?;
    let step = Query::parse(last).ok()?.into_step()?;
    let array = look_up(document, around).ok()?;
    let view = array.document.root().ok()?;
    let elements = packed::elements(&view, *document.options())?;
    let len = u32::try_from(elements.len()).unwrap_or(u32::MAX);
    let index = match step {
        Step::Number(number) => from_start(number, len),
        Step::Position(at) => Some(at),
        _ => return None,
    };
    let index = index.filter(|index| *index < len).and_then(|index| usize::try_from(index).ok());
    let found = index.and_then(|index| {
        let start = elements.start(index)?;
        let (view, _) = elements.at(start)?;
        Some(Element { view, start: array.start.saturating_add(start) })
    });
    Some(found.ok_or_else(|| {
        let (column, around) = (around.len(), escaped(&short_path(around)));
        let kind = view.kind();
        format!(
            "no element {last} at path column {column}, in the {kind} {around}, which has {len}"
        )
    }))
}

/// The path as a query, if it selects one value and [`Document::at`] does not accept it.
fn beyond_plain(path: &str) -> Option<Query> {
    let query = Query::parse(path).ok().filter(Query::is_plain)?;
    query.is_beyond_views().then_some(query)
}

/// The last value that a query selects. Engines keep the last of values with equal keys.
fn by_query<'a>(here: &Found<'a>, query: &Query, path: &str) -> Result<Found<'a>, String> {
    let mut found = None;
    let selected = select(&here.document, query, |one| {
        found = Some((one.start, one.end()?));
        Ok::<_, Error>(())
    });
    selected.map_err(|stop| match stop {
        Stop::Data(error) | Stop::Caller(error) => error.to_string(),
    })?;
    let nothing = || format!("nothing is at the path {}", escaped(&short_path(path)));
    let (start, end) = found.ok_or_else(nothing)?;
    let bytes = here.document.bytes().get(start..end).unwrap_or_default();
    let document = Document::new(bytes, *here.document.options());
    Ok(Found { document, start: here.start.saturating_add(start) })
}

/// The value inside the byte array on the path, and the part of the path inside that value.
pub fn into_bytes<'a, 'p>(
    document: &Document<'a>,
    path: &'p str,
    error: &Error,
) -> Option<(Nested<'a>, &'p str)> {
    let ErrorKind::NotAContainer { found: Kind::PackedByteArray } = error.kind() else {
        return None;
    };
    let ends = path.char_indices().filter(|(at, c)| *at == 0 || ".[{".contains(*c));
    ends.filter_map(|(end, _)| path.split_at_checked(end)).find_map(|(outer, inner)| {
        let view = document.at(outer).ok().filter(|view| view.offset() == error.offset())?;
        Some((Nested::of(&view, *document.options())?, inner))
    })
}

/// The message for a path that was not found: the missing step, and the value in which it was searched.
fn explain(here: &Found<'_>, path: &str, rest: &str, error: &Error) -> String {
    // The column at which the rest of the path starts.
    let before = path.len().saturating_sub(rest.len());
    let place = place(here, error);
    let at = |column: u32| {
        let in_rest = usize::try_from(column).unwrap_or(usize::MAX);
        (step(rest, in_rest), before.saturating_add(in_rest))
    };
    match error.kind() {
        ErrorKind::KeyNotFound { column } => {
            let (step, column) = at(column);
            format!("no key \"{step}\" at path column {column}, in the {place}")
        }
        ErrorKind::IndexOutOfRange { column, len } => {
            let (step, column) = at(column);
            format!("no element {step} at path column {column}, in the {place}, which has {len}")
        }
        ErrorKind::PathSyntax { column } => {
            let (_, column) = at(column);
            let path = escaped(&short_path(path));
            format!(
                "invalid path {path}: syntax error at column {column}; expected a path such as \
                 player.items[3][\"odd key\"]"
            )
        }
        ErrorKind::NotAContainer { .. } => {
            let path = escaped(&short_path(path));
            format!("the path {path} leads into the {place}, which is not a container")
        }
        _ => error.to_string(),
    }
}

/// The searched value: its kind, offset and path.
fn place(here: &Found<'_>, error: &Error) -> String {
    let at = here.start.saturating_add(error.offset());
    let plain = here.document.path_to(error.offset()).map(|path| path.to_string());
    let view = plain.and_then(|path| here.document.at(&path));
    let kind = view.map_or("value", |view| view.kind().name());
    let path = path_to(&here.document, error.offset()).unwrap_or_default();
    let path = if path.is_empty() { String::new() } else { format!(" ({})", short_path(&path)) };
    format!("{kind} at byte {at} of the value{path}")
}

/// The name in the step at this column of the path, without dots, brackets and quotes.
fn step(path: &str, column: usize) -> String {
    let rest = path.get(column..).unwrap_or_default();
    let name = match rest.chars().next() {
        Some('[') => rest.split_once(']').map_or(rest, |(step, _)| step),
        Some('{') => rest.split_once('}').map_or(rest, |(step, _)| step),
        _ => {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            name.split(['.', '[', '{']).next().unwrap_or(name)
        }
    };
    escaped(&short_path(name.trim_matches(['[', '{', '&', '"', '\''])))
}

#[cfg(test)]
mod tests {
    use variant_view::Dialect;

    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// `{"hp": 7}` as Godot 4 writes it.
    fn dictionary() -> Vec<u8> {
        words(&[27, 1, 4, 2, u32::from_le_bytes(*b"hp\0\0"), 2, 7])
    }

    /// `{"hp": bytes}`.
    fn holding(bytes: &[u8]) -> Vec<u8> {
        let len = u32::try_from(bytes.len()).unwrap();
        let head = words(&[27, 1, 4, 2, u32::from_le_bytes(*b"hp\0\0"), 29, len]);
        [head, bytes.to_vec()].concat()
    }

    fn int_at(bytes: &[u8], path: &str) -> Result<(i64, usize), String> {
        let found = look_up(Document::new(bytes, Dialect::Godot4), path)?;
        Ok((found.document.root().unwrap().as_i64().unwrap(), found.start))
    }

    #[test]
    fn paths_go_through_bytes() {
        let (one, two) = (holding(&dictionary()), holding(&holding(&dictionary())));
        assert_eq!(int_at(&dictionary(), "hp"), Ok((7, 20)));
        assert_eq!(int_at(&one, "hp.hp"), Ok((7, 48)));
        assert_eq!(int_at(&one, "hp{0}"), Ok((7, 48)));
        assert_eq!(int_at(&two, "[\"hp\"].hp['hp']"), Ok((7, 76)));
        // The root is a byte array.
        let len = u32::try_from(dictionary().len()).unwrap();
        let bare = [words(&[29, len]), dictionary()].concat();
        assert_eq!(int_at(&bare, "hp"), Ok((7, 28)));
    }

    #[test]
    fn there_is_an_end_to_it() {
        let mut value = dictionary();
        for _ in 0..=MOST_NESTED {
            value = holding(&value);
        }
        let path = ["hp"; MOST_NESTED + 2].join(".");
        let error = int_at(&value, &path).unwrap_err();
        assert!(error.contains("more than 4 nested byte arrays"), "{error}");
    }

    #[test]
    fn what_was_looked_for_is_named() {
        let one = holding(&dictionary());
        for (path, message) in [
            ("mp", "no key \"mp\" at path column 0, in the Dictionary at byte 0 of the value"),
            ("hp.mp", "no key \"mp\" at path column 2, in the Dictionary at byte 28 of the value"),
            (
                "hp.hp.x",
                "the path hp.hp.x leads into the int at byte 48 of the value (hp), which is not a container",
            ),
            (
                "[\"a\x1bb\"]",
                "no key \"a\\u{1b}b\" at path column 0, in the Dictionary at byte 0 of the value",
            ),
            (
                "hp[",
                "invalid path hp[: syntax error at column 2; expected a path such as player.items[3][\"odd key\"]",
            ),
        ] {
            assert_eq!(int_at(&one, path), Err(message.to_owned()));
        }
        let array = words(&[28, 1, 28, 1, 0]);
        assert_eq!(
            int_at(&array, "[0][7]").unwrap_err(),
            "no element 7 at path column 3, in the Array at byte 8 of the value ([0]), which has 1"
        );
    }

    #[test]
    fn a_step_is_named_without_its_marks() {
        for (path, column, expected) in [
            ("a.b[2]", 0, "a"),
            ("a.b[2]", 1, "b"),
            ("a.b[2]", 3, "2"),
            ("a[\"b\"].c", 1, "b"),
            ("a{12}.c", 0, "a"),
            ("a{12}.c", 1, "12"),
        ] {
            assert_eq!(step(path, column), expected, "{path}");
        }
    }
}
