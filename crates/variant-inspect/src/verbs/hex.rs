//! `hex`: prints the bytes of values and their meaning, or the meaning of one byte.

mod byte;
mod place;

use std::ops::Range;

use variant_view::{Document, Event, Node, Role, VariantView};

use crate::cli::HexArgs;
use crate::failure::{Failure, Status};
use crate::hexdump;
use crate::terminal::Terminal;
use crate::values::{Trouble, Values};
use crate::verbs::get::{missing, wanted};
use variant_document::anatomy::{Bytes, Part, parts};
use variant_document::escape::{escape, neutral};

pub(crate) fn run(args: &HexArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if let Some(offset) = args.offset {
        return byte::describe(offset, args, terminal);
    }
    let file = Values::open(&args.file, terminal)?;
    let root = [String::new()];
    let paths = if args.paths.is_empty() { &root } else { args.paths.as_slice() };
    let mut wanted = wanted(paths, args.frame.frame)?;
    let is_labelled = wanted.iter().any(|wanted| wanted.is_of_many(&file));
    for wanted in &mut wanted {
        wanted.has_elements = false;
    }
    let is_alone = file.is_one_frame();
    let status = file.each(terminal, |value, terminal| {
        let style = terminal.palette().note;
        for wanted in &mut wanted {
            wanted.each(value, (is_labelled, is_alone), |document, start, label| {
                if let Some(label) = label {
                    writeln!(terminal.out, "{style}{}{style:#}", neutral(label))?;
                }
                Printer { document, start, args, terminal: &mut *terminal }.all()
            })?;
        }
        Ok(Status::Fine)
    })?;
    Ok(status.max(missing(&wanted, "nothing is", &file.input.name, terminal)?))
}

struct Printer<'p, 't, 'a> {
    document: Document<'a>,
    /// The offset of the document in the file.
    start: usize,
    args: &'p HexArgs,
    terminal: &'p mut Terminal<'t>,
}

/// The maximum number of parts of a text: length, text and padding.
const PARTS: usize = 3;

impl<'a> Printer<'_, '_, 'a> {
    /// Prints a value and all values inside it.
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

    /// Prints the bytes of one value. Starts at `before`, the end of the previous value.
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

    /// Prints rows of bytes of one part of a value.
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
            let meaning =
                if row == 0 { format!("  {name:<8} {who:<12} {says}") } else { String::new() };
            writeln!(self.terminal.out, "{}", meaning.trim_end())?;
        }
        self.left(all.len().saturating_sub(self.most_rows().saturating_mul(hexdump::ROW)))
    }

    /// Prints the number of omitted bytes.
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
