//! Writes a file from literals, as scripts write them.

use variant_owned::{
    EncodeOptions, KeyRule, ParseOptions, Text, TextError, TextSource, Variant, Writer, encode,
    from_text_at,
};
use variant_view::{Document, FeedError, Limits, Objects, Options};

use super::Job;
use crate::failure::Failure;
use crate::target::framing_of;
use crate::terminal::Terminal;
use crate::verbs::text::has_each_key_once;

/// Writes the values of the literals.
pub(super) fn write(job: &Job<'_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let Job { target, text, .. } = job;
    let encoding = target.encoding()?;
    let parsing = ParseOptions::new().key_rule(KeyRule::of(encoding.dialect));
    let items = items(text, &parsing, encoding).map_err(|error| job.invalid(&error.to_string()))?;
    let have_names = items.iter().any(|(name, _)| name.is_some());
    let envelope = target.envelope(|| Ok(framing_of(have_names, items.len() > 1)), terminal)?;
    let mut values = envelope.writer(encoding.dialect);
    for (number, (name, value)) in (1..).zip(&items) {
        let name = name.as_ref().map(Text::as_bytes);
        let added = match value {
            Encoded::Bytes(bytes) => values.bytes(name, bytes),
            Encoded::Not(value) => values.value(name, value, encoding),
        };
        added.map_err(|error| match items.len() {
            1 => job.invalid(&error.to_string()),
            _ => job.invalid(&format!("value {number}: {error}")),
        })?;
    }
    target.write(values, envelope, have_names, terminal)
}

/// A value of a text, and its name if it is a setting.
type Item = (Option<Text>, Encoded);

enum Encoded {
    Bytes(Vec<u8>),
    /// The value is not encoded yet, because it has duplicate keys, or because the dialect cannot hold it.
    Not(Variant),
}

/// The name of a setting, and the bytes of its value.
pub(in crate::verbs) type Named = (Option<Text>, Vec<u8>);

/// The names and bytes of all values of a text.
pub(in crate::verbs) fn parse(text: &str, encoding: EncodeOptions) -> Result<Vec<Named>, String> {
    let parsing = ParseOptions::new().key_rule(KeyRule::of(encoding.dialect));
    let items = items(text, &parsing, encoding).map_err(|error| error.to_string())?;
    let bytes = |(name, value)| match value {
        Encoded::Bytes(bytes) => Ok((name, bytes)),
        Encoded::Not(value) => match encode(&value, encoding) {
            Ok(bytes) => Ok((name, bytes)),
            Err(error) => Err(error.to_string()),
        },
    };
    items.into_iter().map(bytes).collect()
}

/// All values of a text, at least one.
fn items(
    text: &str,
    parsing: &ParseOptions,
    encoding: EncodeOptions,
) -> Result<Vec<Item>, TextError> {
    let mut items = Vec::new();
    let (mut section, mut at) = ("", 0);
    while items.is_empty() || at < text.len() {
        while let Some((name, end)) = heading(text, at, parsing) {
            section = name.unwrap_or(section);
            at = end;
        }
        if at == text.len() && !items.is_empty() {
            break;
        }
        let (name, start) = name(text, at, parsing);
        let (value, end) = encoded(text, start, parsing, encoding)?;
        items.push((name.map(|name| in_section(section, name)), value));
        at = end;
    }
    Ok(items)
}

/// Reads a comment or the heading of a section of a `project.godot` at byte `at`. Returns the name of the section, and the
/// offset after the comment or heading.
fn heading<'t>(
    text: &'t str,
    at: usize,
    parsing: &ParseOptions,
) -> Option<(Option<&'t str>, usize)> {
    let rest = text.get(at..)?.trim_start();
    let start = text.len().saturating_sub(rest.len());
    let line = rest.lines().next()?;
    let behind = text.get(start.saturating_add(line.len())..)?.trim_start();
    let end = text.len().saturating_sub(behind.len());
    if line.starts_with(';') {
        return Some((None, end));
    }
    let name = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    // A line in brackets may also be an array, so it counts as a heading only if it cannot be read as a literal.
    let is_name = !name.is_empty() && name.chars().all(is_of_name);
    let is_section = is_name && from_text_at(text, start, parsing).is_err();
    is_section.then_some((Some(name), end))
}

/// Joins the name of a section and the name of a setting in it, as the engine does.
fn in_section(section: &str, name: Text) -> Text {
    if section.is_empty() {
        return name;
    }
    Text::from(&[section.as_bytes(), b"/", name.as_bytes()].concat()[..])
}

/// Encodes the value at byte `start`, without building a `Variant` if possible. Returns the bytes, and the offset after
/// the value.
fn encoded(
    text: &str,
    start: usize,
    parsing: &ParseOptions,
    encoding: EncodeOptions,
) -> Result<(Encoded, usize), TextError> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, encoding);
    let source = TextSource::new(text).options(*parsing).starting_at(start);
    let fed = source.feed_first(&mut writer);
    let is_whole = writer.finish().is_ok();
    match fed {
        Ok(end) if is_whole && is_as_read(&bytes, encoding) => Ok((Encoded::Bytes(bytes), end)),
        Err(FeedError::Producer(error)) => Err(error),
        _ => from_text_at(text, start, parsing).map(|(value, end)| (Encoded::Not(value), end)),
    }
}

fn is_as_read(bytes: &[u8], encoding: EncodeOptions) -> bool {
    let reading = Options::engine(encoding.dialect)
        .reals(encoding.reals)
        .objects(Objects::Accept)
        .limits(Limits::FILE.depth(encoding.depth));
    has_each_key_once(&Document::new(bytes, reading))
}

/// Whether a character may be in the name of a setting without quotes.
pub(in crate::verbs) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_/.:-".contains(c)
}

/// The name of a setting at byte `at`, if there is one, and the offset of its value.
fn name(text: &str, at: usize, options: &ParseOptions) -> (Option<Text>, usize) {
    let rest = text.get(at..).unwrap_or_default().trim_start();
    let start = text.len().saturating_sub(rest.len());
    let (name, end) = if rest.starts_with('"') {
        match from_text_at(text, start, options) {
            Ok((Variant::String(name), end)) => (name, end),
            _ => return (None, start),
        }
    } else {
        let len = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        (rest.get(..len).unwrap_or_default().into(), start.saturating_add(len))
    };
    let behind = text.get(end..).unwrap_or_default().trim_start();
    match behind.strip_prefix('=') {
        Some(value) => (Some(name), text.len().saturating_sub(value.len())),
        None => (None, start),
    }
}

#[cfg(test)]
mod tests {
    use variant_owned::{TextOptions, TextStyle, to_text};
    use variant_view::Dialect;

    use super::*;
    use crate::verbs::text::name_text;

    fn read(text: &str) -> Result<Vec<(Option<String>, String)>, String> {
        let options = TextOptions::new(TextStyle::Godot4);
        let encoding = EncodeOptions::new(Dialect::Godot4);
        let items =
            items(text, &ParseOptions::new(), encoding).map_err(|error| error.to_string())?;
        let name = |name: Text| String::from_utf8(name.as_bytes().to_vec()).unwrap();
        let value = |value| match value {
            Encoded::Bytes(bytes) => {
                Variant::from_document(&Document::new(&bytes, Dialect::Godot4)).unwrap()
            }
            Encoded::Not(value) => value,
        };
        let texts =
            items.into_iter().map(|(text, item)| (text.map(name), to_text(&value(item), &options)));
        Ok(texts.collect())
    }

    #[test]
    fn values_come_one_after_the_other() {
        let all = read("[1,\n2]\n\"a\nb\" null{}\nVector2(1, 2)\n").unwrap();
        let texts: Vec<_> = all.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["[1, 2]", "\"a\nb\"", "null", "{}", "Vector2(1, 2)"]);
        assert!(read("1\n2\n]").unwrap_err().starts_with("line 3, column 1: expected a value"));
        assert!(read(" \n").unwrap_err().starts_with("line 2, column 1: expected a value"));
    }

    #[test]
    fn settings_have_names() {
        let all =
            read("a/b.c=1\n\"odd = name\" = \"x=y\"\ninput/ui-up:2={\n\"k\": [1]\n}\n").unwrap();
        let names: Vec<_> = all.iter().map(|(name, _)| name.as_deref().unwrap()).collect();
        assert_eq!(names, ["a/b.c", "odd = name", "input/ui-up:2"]);
        assert_eq!(all[1].1, "\"x=y\"");
        assert!(read("a=").unwrap_err().starts_with("line 1, column 3: expected a value"));
    }

    #[test]
    fn sections_are_the_starts_of_names() {
        let text = "; Engine configuration file.\n;   a=1\n\nconfig_version=5\n\n[application]\n\nconfig/name=\"x; y\"\n\
                    run/list=[1]\n; [no]\n[input]\r\nui={\n\"a\": [2]\n}\n\n[empty]\n";
        let all = read(text).unwrap();
        let names: Vec<_> = all.iter().map(|(name, _)| name.as_deref().unwrap()).collect();
        let expected =
            ["config_version", "application/config/name", "application/run/list", "input/ui"];
        assert_eq!(names, expected);
        assert_eq!(all[1].1, "\"x; y\"");
        assert_eq!(read("[1]\n[null]\n").unwrap().len(), 2);
        assert!(read("; nothing\n").is_err());
    }
    #[test]
    fn names_that_could_be_something_else_are_in_quotes() {
        let options = TextOptions::new(TextStyle::Godot4);
        for name in ["a/b", "a b", "a=b", "\"", "", "\n", "\u{1b}[2J", "1/2", "null"] {
            let text = format!("{}=7\n", name_text(name, options));
            let expected = vec![(Some(name.to_owned()), "7".to_owned())];
            assert_eq!(read(&text), Ok(expected), "{text}");
        }
    }
}
