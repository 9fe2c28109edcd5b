//! [`describe`]: the meaning of the byte at an offset of a file.

use std::io::Write;

use serde_json::{Map, Value};
use variant_io::Framing;
use variant_view::{Document, Error, Event, Node, Objects};

use super::place::Place;
use crate::choice::Choice;
use crate::cli::HexArgs;
use crate::failure::{Failure, Status};
use crate::hexdump::excerpt;
use crate::open::Input;
use crate::report::{Report, shown};
use crate::terminal::Terminal;
use crate::trail::{Trail, start_of};
use variant_document::Piece;
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::literal;
use variant_document::query::path_to;
use variant_document::section;

/// Prints the path and the value that byte `at` of a file belongs to, the part of that value (such as its header), and
/// the damage of its frame.
pub(super) fn describe(
    at: usize,
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open(&args.file, terminal.common)?;
    let len = input.source.whole().len();
    if at >= len {
        let name = &input.name;
        return Err(Failure::usage(format!(
            "{name}: byte {at} is after the end, the file has {len} bytes"
        )));
    }
    let choice = Choice::make(&input, terminal)?;
    let options = choice.options.objects(Objects::Accept);
    let piece = piece(&input, choice, at);
    let document = piece.as_ref().map(|piece| Document::new(piece.bytes, options));
    let mut description = Description::default();
    let found = if let (Some(piece), Some(document)) = (&piece, &document) {
        about(&mut description, document, piece, at)
    } else {
        let is_skipped = at < input.source.absolute(0);
        let part = if is_skipped {
            "before the first value, skipped"
        } else {
            "after the values, no value"
        };
        description.add("part", part);
        None
    };
    let error = found.or_else(|| document.as_ref()?.validate().err());
    let damage = piece.as_ref().zip(document).zip(error);
    let damage =
        damage.map(|((piece, document), error)| Report { input: &input, piece, document, error });
    if args.json {
        let mut line = description.into_json();
        line.insert("file".to_owned(), input.name.as_str().into());
        line.insert("offset".to_owned(), at.into());
        line.insert("damage".to_owned(), damage.map_or(Value::Null, Report::to_json));
        terminal.json(&Value::Object(line))?;
    } else {
        let palette = terminal.palette();
        let out = &mut *terminal.out;
        writeln!(out, "{}: byte {} (0x{at:x})", input.name, grouped(at))?;
        description.write(out)?;
        writeln!(out)?;
        excerpt(out, input.source.whole(), at, &palette)?;
        if let Some(damage) = &damage {
            writeln!(out)?;
            damage.write_whole(out, &palette)?;
        }
    }
    Ok(if damage.is_some() { Status::Invalid } else { Status::Fine })
}

/// The description of a byte, as names and texts.
#[derive(Debug, Default)]
struct Description(Vec<(&'static str, String)>);

impl Description {
    fn add(&mut self, name: &'static str, text: impl Into<String>) {
        self.0.push((name, text.into()));
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        self.0.iter().try_for_each(|(name, text)| writeln!(out, "  {name:<9} {}", neutral(text)))
    }

    fn into_json(self) -> Map<String, Value> {
        self.0.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
    }
}

/// Describes a byte of a value, or of the length prefix before it. If damage makes the byte unreadable, returns
/// the error.
fn about(
    description: &mut Description,
    document: &Document<'_>,
    piece: &Piece<'_>,
    at: usize,
) -> Option<Error> {
    if let Some(called) = piece.called() {
        description
            .add("in", format!("{called}, whose value starts at byte {}", grouped(piece.start)));
    }
    let Some(offset) = at.checked_sub(piece.start) else {
        description.add("part", "length prefix, or the name of a setting");
        description.add("expected", "the number of bytes of the value");
        description.add("format", section::FRAMES.to_string());
        return None;
    };
    within(description, document, piece, offset)
}

/// The value of the file to which a byte belongs: the first value that ends after the byte. A length prefix belongs to
/// the value after the prefix.
fn piece(input: &Input, choice: Choice, at: usize) -> Option<Piece<'_>> {
    if at < input.source.absolute(0) {
        return None;
    }
    let mut number = 0_u64;
    let mut last = None;
    let file = input.source.plain(choice);
    if at >= file.absolute(file.body().len()) {
        return None;
    }
    for piece in file.pieces() {
        number = number.saturating_add(1);
        let piece = match piece {
            Ok(piece) => piece,
            Err(error) => {
                return file.cut_piece(&error, number).or(last);
            }
        };
        if at < piece.absolute(piece.bytes.len()) || choice.framing == Framing::Bare {
            return Some(piece);
        }
        last = Some(piece);
    }
    last
}

/// Describes a byte of a value. If damage makes the byte unreadable, returns the error.
fn within(
    description: &mut Description,
    document: &Document<'_>,
    piece: &Piece<'_>,
    offset: usize,
) -> Option<Error> {
    let spot = Spot::of(document, offset);
    description.add("path", shown(&spot.path));
    let Some(node) = spot.node else {
        let part = match (spot.error, spot.end) {
            (Some(_), _) => "not readable, because of the damage below".to_owned(),
            (None, end) => {
                let after = offset.saturating_sub(end).saturating_add(1);
                format!("{} after the value, which engines ignore", counted(after, "byte"))
            }
        };
        description.add("part", part);
        return spot.error;
    };
    let start = node.view.offset();
    let mut value = String::new();
    literal::write(&mut value, &node.view);
    description.add("kind", node.view.kind().name());
    description.add("value", value);
    let Some(within) = offset.checked_sub(start) else {
        description.add("part", "name of the property: length, text or padding");
        description.add("format", section::Section::Of(variant_view::Kind::Object).to_string());
        return None;
    };
    let bytes = if spot.is_open {
        document.bytes().get(start..).unwrap_or_default()
    } else {
        node.view.raw_bytes().unwrap_or_default()
    };
    let Place { part, range, expected, section } =
        Place::of(&node.view, bytes, within, *document.options());
    let at = |within: usize| grouped(piece.absolute(node.view.offset().saturating_add(within)));
    description.add("part", format!("{part} (bytes {} to {})", at(range.start), at(range.end)));
    if !expected.is_empty() {
        description.add("expected", expected);
    }
    description.add("format", section.to_string());
    None
}

/// The innermost value that contains a byte.
struct Spot<'a> {
    node: Option<Node<'a>>,
    /// Whether the value is a container.
    is_open: bool,
    path: String,
    end: usize,
    error: Option<Error>,
}

impl<'a> Spot<'a> {
    fn of(document: &Document<'a>, offset: usize) -> Self {
        let mut spot =
            Self { node: None, is_open: false, path: String::new(), end: 0, error: None };
        let mut trail = Trail::new(document.options().dialect);
        for event in document.walk() {
            let event = match event {
                Ok(event) => event,
                Err(error) if error.offset() <= offset => {
                    (spot.node, spot.error) = (None, Some(error));
                    break;
                }
                Err(_) => break,
            };
            let start = start_of(&event);
            if start > offset {
                break;
            }
            trail.follow(&event);
            (spot.node, spot.is_open) = match event {
                Event::Exit { .. } => (None, false),
                Event::Enter(node) => (Some(node), true),
                Event::Leaf(node) => (Some(node), false),
            };
            spot.end = start;
        }
        // A container has an event for its end. A root that is a leaf has none, so its end is calculated.
        if let Some(node) = spot.node
            && !spot.is_open
        {
            let len = node.view.raw_bytes().map_or(0, <[u8]>::len);
            let end = node.view.offset().saturating_add(len);
            if offset >= end {
                (spot.node, spot.end) = (None, end);
            }
        }
        // A walk ends before a damaged value, so the path of damage is searched separately.
        let damaged = spot.error.as_ref().and_then(|error| path_to(document, error.offset()).ok());
        spot.path = damaged.unwrap_or_else(|| trail.text());
        spot
    }
}
