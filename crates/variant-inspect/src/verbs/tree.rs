//! `tree`: prints values as a tree.

pub(crate) mod printer;

use std::fmt::Write as _;
use std::io;

use variant_io::{Framing, ValueError};
use variant_view::Document;

use crate::choice::Choice;
use crate::cli::TreeArgs;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::report::Report;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value};
use crate::verbs::get::{Wanted, missing, wanted};
use printer::{Extent, Printer};
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::{Piece, unit};

/// Prints the values of a file.
pub(crate) fn run(args: &TreeArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let input = Input::open(&args.file, terminal.common)?;
    let choice = Choice::make(&input, terminal)?;
    let shown = match (choice.framing, args.limit) {
        (Framing::Frames(_) | Framing::Settings | Framing::Sequence(_), Some(limit)) => {
            usize::try_from(limit).unwrap_or(usize::MAX)
        }
        _ => usize::MAX,
    };
    let mut all = input.source.plain(choice).pieces();
    let mut wanted = wanted(args.at.as_slice(), None)?;
    let mut job = Job { input: &input, choice, args, held: 0 };
    let mut worst = Status::Fine;
    // Frames are independent, so frames after a damaged frame are printed.
    for (number, piece) in (1..).zip(all.by_ref().take(shown)) {
        worst = worst.max(match piece {
            Ok(piece) => job.print_piece(&piece, wanted.first_mut(), terminal)?,
            Err(error) => job.print_cut(&error, number, wanted.first_mut(), terminal)?,
        });
    }
    let status = missing(&wanted, "nothing is", &input.name, terminal)?;
    if status != Status::Fine {
        return Ok(status);
    }
    if job.held > 0 {
        let arrays = counted(job.held, "byte array");
        terminal.note(&format!("{arrays} with values inside; --nested prints them"))?;
    }
    let left = all.flatten().count();
    if left > 0 {
        let style = terminal.palette().note;
        writeln!(
            terminal.out,
            "{style}... {}{style:#}",
            counted(left, &format!("more {}", unit(choice.framing).unwrap_or("value")))
        )?;
    }
    Ok(worst)
}

struct Job<'j> {
    input: &'j Input,
    choice: Choice,
    args: &'j TreeArgs,
    /// The number of byte arrays that hold encoded values. These values are not printed.
    held: u64,
}

impl Job<'_> {
    fn print_piece(
        &mut self,
        piece: &Piece<'_>,
        at: Option<&mut Wanted<'_>>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        if let Some(at) = at {
            return self.print_part(piece, at, terminal);
        }
        let is_alone = piece.bytes.len().saturating_add(4) == self.input.source.len();
        if piece.framing != Framing::Bare && !is_alone {
            print_heading(piece, terminal)?;
        }
        let document = Document::new(piece.bytes, self.choice.options);
        match self.print_value(&document, piece.start, "", terminal) {
            Ok(Some(end)) => {
                print_rest(piece, end, terminal)?;
                Ok(Status::Fine)
            }
            Ok(None) => Ok(Status::Fine),
            Err(Trouble::Data(error)) => {
                Report { input: self.input, piece, document, error }.print(terminal)?;
                Ok(Status::Invalid)
            }
            Err(trouble) => Err(failure(trouble)),
        }
    }

    /// Prints the values at a path. Skips the values of the file that do not have the path.
    fn print_part(
        &mut self,
        piece: &Piece<'_>,
        at: &mut Wanted<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let document = Document::new(piece.bytes, self.choice.options);
        let value = Value { piece, document };
        let printed = at.each(&value, (false, false), |document, start, label| {
            let label = label.map(neutral).unwrap_or_default();
            self.print_value(&document, start, &label, terminal).map(drop)
        });
        printed.map(|()| Status::Fine).map_err(failure)
    }

    /// Prints the available part of an incomplete value.
    fn print_cut(
        &mut self,
        error: &ValueError,
        number: u64,
        at: Option<&mut Wanted<'_>>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let file = self.input.source.plain(self.choice);
        if let Some(piece) = file.cut_piece(error, number) {
            self.print_piece(&piece, at, terminal)?;
        }
        let unit = unit(file.framing).unwrap_or("value");
        let cut = file.cut(error);
        terminal.error(&format!("{}: {unit} {number}: {cut}", self.input.name))?;
        Ok(Status::Invalid)
    }

    /// Prints a value after a label. Returns the end offset of the value if the value was read to its end.
    fn print_value(
        &mut self,
        document: &Document<'_>,
        start: usize,
        label: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<Option<usize>, Trouble> {
        let digits = self.input.source.whole().len().to_string().len();
        let palette = terminal.palette();
        let extent = Extent {
            depth: self.args.depth.unwrap_or(u32::MAX),
            limit: self.args.limit.unwrap_or(u32::MAX),
            offset_digits: self.args.offsets.then_some(digits),
            is_nested: self.args.nested,
        };
        let mut printer = Printer::new(terminal.out, palette, extent).labelled(label);
        let end = printer.print(document, start)?;
        self.held = self.held.saturating_add(printer.held());
        Ok(end)
    }
}

/// Converts trouble with a value to a failure, without a report of the value's bytes.
fn failure(trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Data(error) => Failure::invalid(error.to_string()),
        Trouble::Message(message) => Failure::invalid(message),
        Trouble::Failure(failure) => failure,
    }
}

fn print_heading(piece: &Piece<'_>, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let style = terminal.palette().note;
    let len = counted(piece.bytes.len(), "byte");
    // The frame starts at its length prefix, which is four bytes before the value.
    let from = grouped(piece.start.saturating_sub(4));
    let called = piece.called().unwrap_or_default();
    writeln!(terminal.out, "{style}--- {called}: {len} from byte {from}{style:#}")
}

/// Prints the first bytes after the value.
fn print_rest(piece: &Piece<'_>, end: usize, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let rest = piece.bytes.get(end..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(());
    }
    let mut line = String::new();
    for byte in rest.iter().take(8) {
        let _ = write!(line, " {byte:02x}");
    }
    let more = if rest.len() > 8 { " ..." } else { "" };
    let (len, from) = (counted(rest.len(), "byte"), grouped(piece.absolute(end)));
    let style = terminal.palette().note;
    writeln!(terminal.out, "{style}+ {len} after the value, from byte {from}:{line}{more}{style:#}")
}
