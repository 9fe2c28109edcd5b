//! `text` and `from-text`: values as scripts write them, and back.

use std::borrow::Cow;

use variant_io::Framing;
use variant_owned::{
    EncodeOptions, KeyRule, NumberStyle, ParseOptions, Text, TextError, TextOptions, TextSource,
    TextStyle, Variant, Writer, encode, from_text_at, to_text, write_text_to,
};
use variant_view::{
    Document, Event, FeedError, Kind, Limits, ObjectForm, Objects, Options, Profile, Role,
    VariantView,
};

use crate::cli::{CommonArgs, FromTextArgs, TextArgs};
use crate::failure::{Failure, Status};
use crate::read;
use crate::target::{Target, framing_of};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use variant_document::escape::{escape, neutral_lines};

pub(crate) fn run(
    args: &TextArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let file = Values::open(&args.file, common, terminal)?;
    let style = args.style.map_or(file.choice.options.dialect.into(), TextStyle::from);
    let options = if args.engine {
        TextOptions::new(style).numbers(NumberStyle::Engine).sorted_keys(true)
    } else {
        TextOptions::new(style)
    };
    let status = print_all(&file, options, args.engine, terminal)?;
    let source = &file.input.source;
    let is_enclosed = file.choice.framing != Framing::Bare
        || !source.wrapping().is_empty()
        || !source.head().is_empty()
        || file.plain().tail > 0;
    if status == Status::Fine && is_enclosed {
        let how = format!("from-text --like {}", file.input.argument());
        terminal
            .note(&format!("text holds the values alone; to write such a file again: {how}"))?;
    }
    Ok(status)
}

/// Prints the text of all values.
pub(super) fn print_all(
    file: &Values,
    options: TextOptions,
    is_as_engine: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    file.each(terminal, |value, terminal| {
        // Damaged values are not printed in part. A document with duplicate keys is read whole, because only one
        // pair of each is printed. So is one whose keys are sorted.
        let document = value.document;
        if !is_as_engine && has_each_key_once(&document) {
            print_name(value, options, terminal)?;
            print_streamed(document, options, terminal)?;
            return Ok(Status::Fine);
        }
        let read = Variant::from_document(&document)?;
        print_name(value, options, terminal)?;
        let text = to_text(&read, &options);
        let text = text.trim_end();
        // The engine's form has control characters unescaped.
        let is_neutral = is_as_engine && terminal.is_out_terminal;
        let text = if is_neutral { neutral_lines(text).into() } else { Cow::Borrowed(text) };
        writeln!(terminal.out, "{text}")?;
        Ok(Status::Fine)
    })
}

/// The name of a setting, written as in `project.godot`.
fn print_name(
    value: &Value<'_>,
    options: TextOptions,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let Some(name) = value.piece.name else { return Ok(()) };
    let name = str::from_utf8(name).map_err(|_| no_text(name))?;
    Ok(write!(terminal.out, "{}=", name_text(name, options))?)
}

/// Prints the text of a document in memory that is bounded by its depth.
pub(super) fn print_streamed(
    document: Document<'_>,
    options: TextOptions,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    write_text_to(document, &options, terminal.out)
        .map_err(|error| error.either(Trouble::from, Trouble::from))?;
    // The text of an object already ends with a line feed.
    let is_ended = match document.root()? {
        VariantView::Object(v) => !matches!(v.form(), ObjectForm::Null | ObjectForm::Id(0)),
        VariantView::Image(_) | VariantView::InputEvent(_) => true,
        _ => false,
    };
    Ok(if is_ended { Ok(()) } else { writeln!(terminal.out) }?)
}

/// The error for a name that cannot be restored.
fn no_text(name: &[u8]) -> Trouble {
    let mut shown = String::new();
    escape(&mut shown, name, 100);
    let how = "json --form exact holds any name";
    Trouble::Message(format!("the name \"{shown}\" is not UTF-8, as text has to be; {how}"))
}

/// The name of a setting, quoted if it could be read as something else.
fn name_text(name: &str, options: TextOptions) -> Cow<'_, str> {
    let is_bare = !name.is_empty() && name.chars().all(is_of_name);
    if is_bare { name.into() } else { to_text(&name.into(), &options).into() }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_/.:-".contains(c)
}

pub(crate) fn run_back(
    args: &FromTextArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let target = Target::new(&args.target, &args.file, common, terminal)?;
    let encoding = target.encoding()?;
    let (name, text) = read::text(&args.file, common.max_input)?;
    let invalid = |message: String| Failure::file(Status::Invalid, format!("{name}: {message}"));
    let parsing = ParseOptions::new().key_rule(KeyRule::of(encoding.dialect));
    let items = items(&text, &parsing, encoding).map_err(|error| invalid(error.to_string()))?;
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
            1 => invalid(error.to_string()),
            _ => invalid(format!("value {number}: {error}")),
        })?;
    }
    target.write(values, envelope, have_names, terminal)?;
    Ok(Status::Fine)
}

/// A value of a text, and its name if it is a setting.
type Item = (Option<Text>, Encoded);

/// A value of a text.
enum Encoded {
    Bytes(Vec<u8>),
    /// Not encoded: it has duplicate keys, or the dialect cannot hold it.
    Not(Variant),
}

/// The name of a setting, and the bytes of its value.
pub(super) type Named = (Option<Text>, Vec<u8>);

/// The names and bytes of all values of a text.
pub(super) fn parse(text: &str, encoding: EncodeOptions) -> Result<Vec<Named>, String> {
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

/// A comment or the name of a section of a `project.godot` at byte `at`: the name, and the offset after it.
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
    // A line may also be an array.
    let is_name = !name.is_empty() && name.chars().all(is_of_name);
    let is_section = is_name && from_text_at(text, start, parsing).is_err();
    is_section.then_some((Some(name), end))
}

/// The name of a setting with that of its section, as the engine puts them together.
fn in_section(section: &str, name: Text) -> Text {
    if section.is_empty() {
        return name;
    }
    Text::from(&[section.as_bytes(), b"/", name.as_bytes()].concat()[..])
}

/// The encoded value at byte `start`, without a tree, and the offset after it.
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
    let reading = Options::new(encoding.dialect)
        .reals(encoding.reals)
        .objects(Objects::Accept)
        .limits(Limits::FILE.depth(encoding.depth));
    has_each_key_once(&Document::new(bytes, reading))
}

/// Whether a document is valid and certainly without duplicate keys: canonical, with keys that are written
/// in full.
fn has_each_key_once(document: &Document<'_>) -> bool {
    let as_written = document.options().profile(Profile::Canonical);
    let mut events = document.walk();
    let is_other_key = |event| match event {
        Ok(Event::Enter(node)) => matches!(node.role(), Role::Key(_)),
        Ok(Event::Leaf(node)) => {
            let is_whole = !matches!(node.view.kind(), Kind::Rid | Kind::Object | Kind::Callable);
            matches!(node.role(), Role::Key(_)) && !is_whole
        }
        Ok(Event::Exit { .. }) => false,
        Err(_) => true,
    };
    Document::new(document.bytes(), as_written).validate().is_ok() && !events.any(is_other_key)
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
    use variant_view::Dialect;

    use crate::cli::FramingArg;

    use super::*;

    /// The output of `text --engine` for a String with control characters of a terminal.
    fn printed(is_out_terminal: bool) -> String {
        let value = Variant::from("a\u{1b}[2J\n\u{202e}\u{e9}b");
        let options = EncodeOptions::new(Dialect::Godot4);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("save");
        std::fs::write(&file, encode(&value, options).unwrap()).unwrap();
        let args = TextArgs { file, style: None, engine: true };
        let dialect = Some(options.dialect);
        let common = CommonArgs { dialect, framing: FramingArg::Bare, ..CommonArgs::default() };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut terminal = Terminal { is_out_terminal, ..Terminal::of(&mut out, &mut err) };
        assert_eq!(run(&args, &common, &mut terminal).unwrap(), Status::Fine);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_is_not_steered_by_text() {
        assert_eq!(printed(false), "\"a\u{1b}[2J\n\u{202e}\u{e9}b\"\n");
        assert_eq!(printed(true), "\"a\\u{1b}[2J\n\\u{202e}\u{e9}b\"\n");
    }

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
    fn values_stand_one_behind_the_other() {
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

    /// A `project.godot` has sections and comments.
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
        // Arrays stay arrays.
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
