//! `hex`: prints the bytes of values, and what they mean.

use std::ops::Range;

use variant_view::{Document, Event, Node, Role, VariantView};

use crate::cli::{CommonArgs, HexArgs};
use crate::failure::{Failure, Status};
use crate::hexdump;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use crate::verbs::get::{Wanted, missing, wanted};
use variant_document::anatomy::{Bytes, Part, parts};
use variant_document::escape::{escape, neutral};
use variant_document::literal;
use variant_document::lookup::look_up;
use variant_document::query::{ROOT, Stop, path_to, select};

pub(crate) fn run(
    args: &HexArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let file = Values::open(&args.file, common, terminal)?;
    if let Some(offset) = args.offset {
        return at_offset(&file, offset, args, terminal);
    }
    let root = [String::new()];
    let paths = if args.paths.is_empty() { &root } else { args.paths.as_slice() };
    let mut wanted = wanted(paths, args.frame.frame)?;
    let is_labelled = wanted.iter().any(|wanted| wanted.is_of_many(&file));
    let is_alone = file.is_one_frame();
    let status = file.each(terminal, |value, terminal| {
        wanted.iter_mut().try_for_each(|wanted| {
            print_wanted(value, wanted, (is_labelled, is_alone), args, terminal)
        })?;
        Ok(Status::Fine)
    })?;
    Ok(status.max(missing(&wanted, "nothing is", &file, terminal)?))
}

fn print_wanted(
    value: &Value<'_>,
    wanted: &mut Wanted<'_>,
    (is_labelled, is_alone): (bool, bool),
    args: &HexArgs,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let Some(part) = wanted.address.part(value.piece) else { return Ok(()) };
    let style = terminal.palette().note;
    if part.query.is_plain() {
        match look_up(value.document, part.path) {
            Ok(found) => {
                wanted.count = wanted.count.saturating_add(1);
                if is_labelled {
                    let path = if part.path.is_empty() { ROOT } else { part.path };
                    writeln!(
                        terminal.out,
                        "{style}{}{style:#}",
                        neutral(&value.address_in(is_alone, path))
                    )?;
                }
                let start = value.piece.absolute(found.start);
                return Printer { document: found.document, start, args, terminal }.all();
            }
            Err(why) => {
                wanted.why_not.get_or_insert(why);
                return Ok(());
            }
        }
    }
    let options = *value.document.options();
    let selected = select(&value.document, &part.query, |found| {
        wanted.count = wanted.count.saturating_add(1);
        writeln!(
            terminal.out,
            "{style}{}{style:#}",
            neutral(&value.address_in(is_alone, &found.text()))
        )?;
        let document = Document::new(found.value.raw_bytes()?, options);
        let start = value.piece.absolute(found.start);
        Printer { document, start, args, terminal: &mut *terminal }.all()
    });
    match selected {
        Ok(()) => Ok(()),
        Err(Stop::Data(error)) => Err(error.into()),
        Err(Stop::Caller(trouble)) => Err(trouble),
    }
}

/// Prints the bytes of values.
struct Printer<'p, 't, 'a> {
    document: Document<'a>,
    /// The offset of the document in the file.
    start: usize,
    args: &'p HexArgs,
    terminal: &'p mut Terminal<'t>,
}

/// The parts within this number of bytes around the wanted byte are printed.
const AROUND: usize = 64;

/// The most parts of a text: length, text and padding.
const PARTS: usize = 3;

impl<'a> Printer<'_, '_, 'a> {
    /// Prints a value and all inside it.
    fn all(mut self) -> Result<(), Trouble> {
        let mut walker = self.document.walk();
        let mut before = 0;
        while let Some(event) = walker.next() {
            if let Event::Enter(node) | Event::Leaf(node) = event? {
                self.node(&node, before)?;
                before = walker.offset();
            }
        }
        Ok(())
    }

    /// Prints the bytes of one value, from `before` on, the end of the previous value.
    fn node(&mut self, node: &Node<'a>, before: usize) -> Result<(), Trouble> {
        let value_at = node.view.offset();
        let mut who = called(&node.role());
        if value_at > before {
            self.rows(Part::Name, before..value_at, &who, &who)?;
            who.clear();
        }
        let most = self.most_rows().saturating_mul(PARTS);
        let bytes = self.document.bytes().get(value_at..).unwrap_or_default();
        let mut parts = parts(&node.view, bytes, *self.document.options());
        for Bytes { part, range } in parts.by_ref().take(most) {
            self.part(&node.view, part, range, &who)?;
            who.clear();
        }
        self.left(parts.map(|bytes| bytes.range.len()).sum())
    }

    /// Prints the parts of a value around the byte `at` of the document, which is marked.
    fn around(&mut self, view: &VariantView<'a>, at: usize) -> Result<(), Trouble> {
        let bytes = self.document.bytes().get(view.offset()..).unwrap_or_default();
        let within = at.saturating_sub(view.offset());
        for Bytes { part, range } in parts(view, bytes, *self.document.options()) {
            let is_near = range.end.saturating_add(AROUND) > within
                && range.start < within.saturating_add(AROUND);
            if is_near || matches!(part, Part::Header | Part::Count) {
                let mark = if range.contains(&within) { ">" } else { "" };
                self.part(view, part, range, mark)?;
            }
        }
        Ok(())
    }

    /// Prints a part of a value.
    fn part(
        &mut self,
        view: &VariantView<'a>,
        part: Part,
        range: Range<usize>,
        who: &str,
    ) -> Result<(), Trouble> {
        let at = view.offset();
        let range = range.start.saturating_add(at)..range.end.saturating_add(at);
        let bytes = self.document.bytes().get(range.clone()).unwrap_or_default();
        self.rows(part, range, who, &part.meaning(view, bytes))
    }

    fn most_rows(&self) -> usize {
        usize::try_from(self.args.rows.max(1)).unwrap_or(usize::MAX)
    }

    /// Prints rows of bytes that are one part of a value.
    fn rows(
        &mut self,
        part: Part,
        range: Range<usize>,
        who: &str,
        says: &str,
    ) -> Result<(), Trouble> {
        let palette = self.terminal.palette();
        let style = match part {
            Part::Header => palette.container,
            Part::Name | Part::Text(_) => palette.text,
            Part::Types | Part::Count | Part::Word(..) | Part::Length(_) => palette.key,
            Part::Padding(_) => palette.note,
            Part::Numbers | Part::Value => palette.value,
        };
        let name = part.name();
        let all = self.document.bytes().get(range.clone()).unwrap_or_default();
        for (row, cells) in all.chunks(hexdump::ROW).take(self.most_rows()).enumerate() {
            let at = self.start.saturating_add(range.start);
            let at = at.saturating_add(row.saturating_mul(hexdump::ROW));
            let (note, line) = (palette.note, hexdump::cells(cells));
            write!(self.terminal.out, "{note}{at:08x}{note:#} {style}{line}{style:#}")?;
            let told =
                if row == 0 { format!("  {name:<8} {who:<12} {says}") } else { String::new() };
            writeln!(self.terminal.out, "{}", told.trim_end())?;
        }
        self.left(all.len().saturating_sub(self.most_rows().saturating_mul(hexdump::ROW)))
    }

    /// Prints how many bytes are left out.
    fn left(&mut self, bytes: usize) -> Result<(), Trouble> {
        if bytes > 0 {
            let note = self.terminal.palette().note;
            writeln!(self.terminal.out, "{note}         ... {bytes} more bytes{note:#}")?;
        }
        Ok(())
    }
}

/// The name of a value in its container.
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
        let view = value.document.at(&value.document.path_to(inside)?.to_string())?;
        let path = path_to(&value.document, inside)?;
        let key = terminal.palette().key;
        let mut shown = String::new();
        literal::write(&mut shown, &view);
        let path = if path.is_empty() { ROOT } else { &path };
        let path = neutral(&value.address(path));
        writeln!(terminal.out, "{key}{path}{key:#}: {shown}")?;
        let document = value.document;
        Printer { document, start: value.piece.start, args, terminal }.around(&view, inside)?;
        Ok(Status::Fine)
    })?;
    if !is_found {
        let message = format!("{}: no value holds byte {offset}", file.input.name);
        return Err(Failure::file(Status::Invalid, message));
    }
    Ok(status)
}
