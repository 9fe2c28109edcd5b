//! `hex`: prints the bytes of values, and what they mean.

mod parts;

use variant_view::{Document, Event, Node, Role};

use crate::cli::{CommonArgs, HexArgs};
use crate::escape::{escape, escaped, neutral, shortened};
use crate::failure::{Failure, Status};
use crate::hexdump;
use crate::literal;
use crate::lookup::look_up;
use crate::query::{Stop, select};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::get::{Wanted, text_of, wanted};
use parts::{Bytes, Part, parts};

pub(crate) fn run(
    args: &HexArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let file = Values::open(&args.file, common, terminal)?;
    if let Some(offset) = args.at {
        return at_offset(&file, offset, args, terminal);
    }
    let root = [String::new()];
    let paths = if args.paths.is_empty() { &root } else { args.paths.as_slice() };
    let mut wanted = wanted(paths)?;
    let mut worst = file.each(terminal, |value, terminal| {
        wanted.iter_mut().try_for_each(|wanted| print_wanted(value, wanted, args, terminal))?;
        Ok(Status::Fine)
    })?;
    for Wanted { path, why_not, count, .. } in &wanted {
        if *count == 0 {
            let nothing = || format!("nothing is at the path {}", escaped(&shortened(path)));
            let why = why_not.clone().unwrap_or_else(nothing);
            terminal.error(&format!("{}: {why}", file.input.name))?;
            worst = worst.max(Status::Invalid);
        }
    }
    Ok(worst)
}

fn print_wanted(
    value: &Value<'_>,
    wanted: &mut Wanted<'_>,
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    if wanted.query.is_plain() {
        match look_up(value.document, wanted.path) {
            Ok(found) => {
                wanted.count = wanted.count.saturating_add(1);
                let start = value.piece.absolute(found.start);
                return print_all(&found.document, start, args, terminal);
            }
            Err(why) => {
                wanted.why_not.get_or_insert(why);
                return Ok(());
            }
        }
    }
    let options = *value.document.options();
    let selected = select(&value.document, &wanted.query, |found| {
        wanted.count = wanted.count.saturating_add(1);
        let style = terminal.palette().note;
        writeln!(terminal.out, "{style}{}{style:#}", neutral(&text_of(found.path)))?;
        let document = Document::new(found.value.raw_bytes()?, options);
        print_all(&document, value.piece.absolute(found.start), args, terminal)
    });
    match selected {
        Ok(()) => Ok(()),
        Err(Stop::Data(error)) => Err(error.into()),
        Err(Stop::Caller(trouble)) => Err(trouble),
    }
}

/// Prints a value and all inside it; the document starts at byte `start` of the file.
fn print_all(
    document: &Document<'_>,
    start: usize,
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let mut walker = document.walk();
    let mut before = 0;
    while let Some(event) = walker.next() {
        if let Event::Enter(node) | Event::Leaf(node) = event? {
            let end = walker.offset();
            print_node(document, &node, before..end, start, args, terminal)?;
            before = end;
        }
    }
    Ok(())
}

/// Prints the bytes of one value, from the end of the one before on.
fn print_node(
    document: &Document<'_>,
    node: &Node<'_>,
    range: std::ops::Range<usize>,
    start: usize,
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let value_at = node.view.offset();
    let mut all = Vec::new();
    if value_at > range.start {
        let says = called(&node.role());
        all.push(Bytes { part: Part::Name, range: range.start..value_at, says });
    }
    all.extend(parts(document, &node.view, value_at, range.end));
    let mut who = called(&node.role());
    for bytes in &all {
        print_bytes(document, bytes, &who, start, args, terminal)?;
        who.clear();
    }
    Ok(())
}

/// What a value is to its container.
fn called(role: &Role<'_>) -> String {
    match role {
        Role::Root => String::new(),
        Role::Element(index) => format!("[{index}]"),
        Role::Key(index) => format!("{{{index}:key}}"),
        Role::Value(index) => format!("{{{index}}}"),
        Role::Property(_, name) => {
            let mut text = String::new();
            escape(&mut text, name.as_bytes(), 40);
            text
        }
    }
}

/// Prints rows of bytes that are one part of a value.
fn print_bytes(
    document: &Document<'_>,
    bytes: &Bytes,
    who: &str,
    start: usize,
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let palette = terminal.palette();
    let style = match bytes.part {
        Part::Header => palette.container,
        Part::Text | Part::Name => palette.text,
        Part::Numbers | Part::Value => palette.value,
        Part::Types | Part::Length | Part::Count => palette.key,
        Part::Padding => palette.note,
    };
    let all = document.bytes().get(bytes.range.clone()).unwrap_or_default();
    let rows = usize::try_from(args.rows.max(1)).unwrap_or(usize::MAX);
    for (row, cells) in all.chunks(hexdump::ROW).take(rows).enumerate() {
        let at = start
            .saturating_add(bytes.range.start)
            .saturating_add(row.saturating_mul(hexdump::ROW));
        let note = palette.note;
        let line = hexdump::cells(cells);
        write!(terminal.out, "{note}{at:08x}{note:#} {style}{line}{style:#}")?;
        if row == 0 {
            let name = bytes.part.name();
            let line = format!("  {name:<8} {:<12} {}", who, bytes.says);
            writeln!(terminal.out, "{}", line.trim_end())?;
        } else {
            writeln!(terminal.out)?;
        }
    }
    let left = all.len().saturating_sub(rows.saturating_mul(hexdump::ROW));
    if left > 0 {
        let note = palette.note;
        writeln!(terminal.out, "{note}         ... {left} more bytes{note:#}")?;
    }
    Ok(())
}

/// Prints the value that holds a byte of the file.
fn at_offset(
    file: &Values,
    offset: u64,
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut is_found = false;
    let status = file.each(terminal, |value, terminal| {
        let in_piece = offset.checked_sub(value.piece.start);
        let Some(inside) = in_piece.filter(|at| *at < value.piece.bytes.len()) else {
            return Ok(Status::Fine);
        };
        is_found = true;
        let path = value.document.path_to(inside)?.to_string();
        let view = value.document.at(&path)?;
        let (note, key) = (terminal.palette().note, terminal.palette().key);
        let mut shown = String::new();
        literal::write(&mut shown, &view);
        let called = value.piece.called().map_or_else(String::new, |called| format!("{called}, "));
        let path = if path.is_empty() { "(root)".to_owned() } else { neutral(&shortened(&path)) };
        writeln!(terminal.out, "{note}{called}{note:#}{key}{path}{key:#}: {shown}")?;
        let end = head_end(&view)?;
        for bytes in parts(&value.document, &view, view.offset(), end) {
            let mark = if bytes.range.contains(&inside) { ">" } else { "" };
            print_bytes(&value.document, &bytes, mark, value.piece.start, args, terminal)?;
        }
        Ok(Status::Fine)
    })?;
    if !is_found {
        let message = format!("{}: no value holds byte {offset}", file.input.name);
        return Err(Failure::file(Status::Invalid, message));
    }
    Ok(status)
}

/// The end of a value, or of the head of a container.
fn head_end(view: &variant_view::VariantView<'_>) -> Result<usize, Trouble> {
    use variant_view::VariantView as V;
    let mut reader = match view {
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => v.reader(),
        V::Dictionary(v) => v.reader(),
        V::Object(v) if v.class().is_some() => v.reader(),
        leaf => return Ok(leaf.offset().saturating_add(leaf.raw_bytes()?.len())),
    };
    reader.next_value()?;
    Ok(reader.offset())
}
