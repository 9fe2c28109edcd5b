//! The examples: bytes and values of frames.

use std::time::Instant;

use variant_debugger::{
    Command, Family, Game, GameOptions, Message as Known, Session, SessionOptions, Version,
};
use variant_owned::{TextOptions, TextStyle, Variant, encode, from_text, to_text};
use variant_testkit::markdown;
use variant_view::{Dialect, Document};

use super::{is_current, read};
use crate::common::{CAPTURES, capture, framed};

/// The bytes that a line of an example shows.
const BYTES: usize = 32;
/// The length of a line of text in an example.
const COLUMNS: usize = 140;

const NOT_RUN: &str = "from sources, not run: ";

/// A message of a capture.
pub(super) struct Message {
    pub(super) is_from_game: bool,
    pub(super) name: String,
}

#[test]
fn the_examples_are_captured_or_encoded() {
    is_current(|page| {
        let mut written = String::new();
        let mut block: Option<(String, String)> = None;
        let (mut count, mut before) = (0, "");
        for line in page.lines() {
            match (&mut block, line.strip_prefix("```frame ")) {
                (None, Some(title)) => {
                    // Readers of the rendered page do not see the title.
                    let is_marked = before.ends_with("*from sources, not run*:");
                    assert_eq!(is_marked, title.starts_with(NOT_RUN), "{title}: {before}");
                    block = Some((title.to_owned(), String::new()));
                }
                (Some((title, old)), _) if line == "```" => {
                    written.extend(["```frame ", title, "\n", &example(title, old), "```\n"]);
                    (block, count) = (None, count + 1);
                }
                (Some((_, old)), _) => old.extend([line, "\n"]),
                (None, None) => written.extend([line, "\n"]),
            }
            before = if line.is_empty() { before } else { line };
        }
        assert!(count > 40, "{count} examples");
        written
    });
}

/// The lines of an example, from its title and its present lines.
fn example(title: &str, old: &str) -> String {
    let (dialect, frames) = match title.strip_prefix(NOT_RUN) {
        Some(dialect) => {
            let dialect: Dialect = dialect.parse().unwrap();
            let encoded = |text| encode(&from_text(text).unwrap(), dialect).unwrap();
            (dialect, values(old).iter().map(|text| encoded(text)).collect())
        }
        None => captured(title),
    };
    let frames = frames.iter().map(|bytes: &Vec<u8>| (bytes.as_slice(), text_of(bytes, dialect)));
    let frames: Vec<(&[u8], String)> = frames.collect();
    let short =
        |(bytes, text): &&(&[u8], String)| bytes.len() <= BYTES && 3 * BYTES + text.len() < COLUMNS;
    let width = frames.iter().filter(short).map(|(bytes, _)| 3 * bytes.len()).max().unwrap_or(0);
    frames
        .iter()
        .map(|frame| if short(&frame) { one_line(frame, width) } else { lines(frame) })
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

fn one_line((bytes, text): &(&[u8], String), width: usize) -> String {
    format!("{:width$} = {text}\n", hex(bytes))
}

/// The bytes, then the value. Long values are broken after a comma.
fn lines((bytes, text): &(&[u8], String)) -> String {
    let mut written: String = bytes.chunks(BYTES).map(|chunk| hex(chunk) + "\n").collect();
    let mut line = "=".to_owned();
    for part in text.split_inclusive(", ") {
        if line.len() + part.len() > COLUMNS {
            written.extend([line.trim_end(), "\n"]);
            " ".clone_into(&mut line);
        }
        line += if line.len() == 1 { " " } else { "" };
        line += part;
    }
    format!("{written}{line}\n")
}

/// The texts of the values in an example.
fn values(block: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("  "), line.split_once("= ")) {
            (Some(more), _) => all.last_mut().unwrap().extend([" ", more.trim()]),
            (None, Some((_, text))) => all.push(text.to_owned()),
            (None, None) => {}
        }
    }
    all
}

/// The value of a frame on one line, in the engine's text form.
fn text_of(bytes: &[u8], dialect: Dialect) -> String {
    let document = Document::new(bytes, dialect);
    assert_eq!(
        document.root().unwrap().raw_bytes().unwrap().len(),
        bytes.len(),
        "bytes after the value"
    );
    let value = Variant::from_document(&document).unwrap();
    let text = to_text(&value, &TextOptions::new(TextStyle::from(dialect)));
    let (mut is_quoted, mut is_escaped) = (false, false);
    let one = |c: char| {
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        match c {
            '\n' if is_quoted => "\\n".to_owned(),
            '\n' => " ".to_owned(),
            c => c.to_string(),
        }
    };
    text.chars().map(one).collect()
}

/// The frames that a title names: `FILE:LINE`, `FILE:FIRST-LAST`, or `FILE:LINE@OFFSET` for a value in a frame.
fn captured(title: &str) -> (Dialect, Vec<Vec<u8>>) {
    let (name, place) = title.split_once(':').unwrap();
    let (lines, offset) = place.split_once('@').map_or((place, None), |(a, b)| (a, Some(b)));
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let dialect = dialect_of(name);
    let frames = capture(name).into_iter().filter(|frame| (first..=last).contains(&frame.line));
    let mut frames: Vec<_> = frames.map(|frame| frame.value).collect();
    assert_eq!(frames.len(), last - first + 1, "{title}: a line without a frame");
    if let Some(offset) = offset {
        let rest = &frames[0][offset.parse().unwrap()..];
        let value = Document::new(rest, dialect).root().unwrap();
        frames = vec![value.raw_bytes().unwrap().to_vec()];
    }
    (dialect, frames)
}

fn dialect_of(name: &str) -> Dialect {
    let of = CAPTURES.iter().find(|(known, ..)| *known == name);
    of.unwrap_or_else(|| panic!("{name}: no such capture")).2
}

/// The messages of a capture, read without the crate.
pub(super) fn messages_of(name: &str) -> Vec<Message> {
    let dialect = dialect_of(name);
    let has_threads = matches!(dialect, Dialect::Pandemonium4 | Dialect::Pandemonium5);
    let (mut all, mut message): (Vec<Message>, Vec<Variant>) = (Vec::new(), Vec::new());
    for frame in capture(name).into_iter().filter(|frame| !frame.is_broken) {
        let value = Variant::from_document(&Document::new(&frame.value, dialect)).unwrap();
        let text = |value: &Variant| value.as_str().map(str::to_owned);
        if !frame.is_from_game || dialect == Dialect::Godot4 {
            let name = value.index(0).and_then(text);
            all.extend(name.map(|name| Message { is_from_game: frame.is_from_game, name }));
            continue;
        }
        message.push(value);
        let head = if has_threads { 3 } else { 2 };
        let count = message.get(head - 1).and_then(Variant::as_i64);
        if count.is_some_and(|count| message.len() == head + usize::try_from(count).unwrap()) {
            all.push(Message { is_from_game: true, name: text(&message[0]).unwrap() });
            message.clear();
        }
    }
    all
}

/// The crate reads the examples that did not run as messages or commands with all their parts.
#[test]
fn examples_that_did_not_run_are_typed() {
    let mut count = 0;
    for (title, block) in markdown::blocks(&read("docs/debugger.md")) {
        let Some(_) = title.strip_prefix("frame ").and_then(|title| title.strip_prefix(NOT_RUN))
        else {
            continue;
        };
        for text in values(&block) {
            let bytes = encode(&from_text(&text).unwrap(), Dialect::Godot4).unwrap();
            is_typed(&framed(&bytes), &text);
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

/// Panics if neither a debugger nor a game of Godot 4.5 reads the frame as a message that it knows.
fn is_typed(frame: &[u8], text: &str) {
    let options = SessionOptions::default().family(Family::ArrayThreads).dialect(Dialect::Godot4);
    let mut session = Session::new(options.versions(Version::new(4, 5)));
    session.handle(frame, Instant::now());
    let event = session.next_event().unwrap().unwrap();
    let is_message = !matches!(event.message(), Known::Custom { .. } | Known::Malformed { .. });
    let mut game = Game::new(GameOptions::godot_4(Version::new(4, 5)));
    game.handle(frame, Instant::now());
    let request = game.next_request().unwrap().unwrap();
    let is_command =
        matches!(request.command(), Ok(command) if !matches!(command, Command::Custom { .. }));
    assert!(is_message || is_command, "not typed: {text}");
}
