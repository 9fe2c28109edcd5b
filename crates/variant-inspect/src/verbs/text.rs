//! `text`: prints values as scripts write them.

use std::borrow::Cow;

use variant_io::Framing;
use variant_owned::{NumberStyle, TextOptions, TextStyle, Variant, to_text, write_text_to};
use variant_view::{Document, Event, Kind, ObjectForm, Profile, Role, VariantView};

use crate::cli::TextArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::from::is_of_name;
use variant_document::escape::{escape, neutral_lines};

pub(crate) fn run(args: &TextArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let file = Values::open(&args.file, terminal)?;
    let style = args.style.map_or(file.choice.options.dialect.into(), TextStyle::from);
    let options = if args.engine {
        TextOptions::new(style).numbers(NumberStyle::Engine).sorted_keys(true)
    } else {
        TextOptions::new(style)
    };
    let status = print_all(&file, options, args.engine, terminal)?;
    let source = &file.input.source;
    let is_enclosed = file.choice.framing != Framing::Bare
        || !source.opened.wrapping().is_empty()
        || !source.head().is_empty()
        || file.plain().tail > 0;
    if status == Status::Fine && is_enclosed {
        let how = format!("from --like {}", file.input.argument());
        terminal
            .note(&format!("text holds the values alone; to write such a file again: {how}"))?;
    }
    Ok(status)
}

pub(super) fn print_all(
    file: &Values,
    options: TextOptions,
    is_as_engine: bool,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    file.each(terminal, |value, terminal| {
        // A damaged value is not printed in part. A document is read as a whole if its keys may repeat, because only
        // the last pair of a key is printed. It is also read as a whole for the engine's form, which sorts keys.
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
        // The engine's form does not escape control characters.
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

/// Prints the text of a document. The memory is bounded by the depth of the document.
pub(super) fn print_streamed(
    document: Document<'_>,
    options: TextOptions,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    write_text_to(document, &options, terminal.out)
        .map_err(|error| error.either(Trouble::from, Trouble::from))?;
    // The text of an object that is not null already ends with a line feed.
    let is_ended = match document.root()? {
        VariantView::Object(v) => !matches!(v.form(), ObjectForm::Null | ObjectForm::Id(0)),
        VariantView::Image(_) | VariantView::InputEvent(_) => true,
        _ => false,
    };
    Ok(if is_ended { Ok(()) } else { writeln!(terminal.out) }?)
}

/// The error for a name that text cannot contain.
fn no_text(name: &[u8]) -> Trouble {
    let mut shown = String::new();
    escape(&mut shown, name, 100);
    let how = "json --form exact holds any name";
    Trouble::Message(format!("the name \"{shown}\" is not UTF-8, which text must be; {how}"))
}

/// The name of a setting, in quotes if a reader needs them.
pub(super) fn name_text(name: &str, options: TextOptions) -> Cow<'_, str> {
    let is_bare = !name.is_empty() && name.chars().all(is_of_name);
    if is_bare { name.into() } else { to_text(&name.into(), &options).into() }
}

/// Whether a document is valid and certainly has no duplicate keys. This is certain if the document is canonical, and
/// each key is a leaf of a kind whose literals show the whole value.
pub(super) fn has_each_key_once(document: &Document<'_>) -> bool {
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

#[cfg(test)]
mod tests {
    use variant_owned::{EncodeOptions, encode};
    use variant_view::Dialect;

    use crate::cli::{CommonArgs, FramingArg};

    use super::*;

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
        let terminal = Terminal::of(&mut out, &mut err);
        let mut terminal = Terminal { common: &common, is_out_terminal, ..terminal };
        assert_eq!(run(&args, &mut terminal).unwrap(), Status::Fine);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_is_not_steered_by_text() {
        assert_eq!(printed(false), "\"a\u{1b}[2J\n\u{202e}\u{e9}b\"\n");
        assert_eq!(printed(true), "\"a\\u{1b}[2J\n\\u{202e}\u{e9}b\"\n");
    }
}
