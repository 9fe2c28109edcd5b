//! `tree`: prints values as a tree.

pub(crate) mod printer;

use std::fmt::Write as _;
use std::io;

use variant_io::{Framing, ValueError};
use variant_view::Document;

use crate::choice::Choice;
use crate::cli::{CommonArgs, TreeArgs};
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::report::Report;
use crate::style::Palette;
use crate::terminal::Terminal;
use crate::verbs::get::address;
use printer::{Extent, Printer, Stop};
use variant_document::count::{counted, grouped};
use variant_document::escape::{escaped, neutral};
use variant_document::lookup::look_up;
use variant_document::query::{self, Address, address_text, select};
use variant_document::{Piece, unit};

/// Prints the values of a file.
pub(crate) fn run(
    args: &TreeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open(&args.file, common)?;
    let choice = Choice::make(&input, common, terminal)?;
    let shown = match (choice.framing, args.limit) {
        (Framing::Frames(_) | Framing::Settings | Framing::Sequence(_), Some(limit)) => {
            usize::try_from(limit).unwrap_or(usize::MAX)
        }
        _ => usize::MAX,
    };
    let mut all = input.source.plain(choice).pieces();
    let at = args.at.as_deref().map(|path| address(path, None)).transpose()?;
    let mut job = Job { input: &input, choice, args, at, held: 0, found: Ok(()) };
    let mut worst = Status::Fine;
    // Frames are independent: a damaged one does not stop the next.
    for (number, piece) in (1..).zip(all.by_ref().take(shown)) {
        worst = worst.max(match piece {
            Ok(piece) => job.print_piece(&piece, terminal)?,
            Err(error) => job.print_cut(&error, number, terminal)?,
        });
    }
    if let Err(why) = &job.found {
        return Err(Failure::file(Status::Invalid, format!("{}: {why}", input.name)));
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

/// One run of `tree`.
struct Job<'j> {
    input: &'j Input,
    choice: Choice,
    args: &'j TreeArgs,
    at: Option<Address>,
    /// The number of byte arrays with values inside that are not printed.
    held: u64,
    /// Whether the path of `--at` was found, or why not.
    found: Result<(), String>,
}

impl Job<'_> {
    fn print_piece(
        &mut self,
        piece: &Piece<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        if let Some(at) = self.at.clone() {
            return self.print_part(piece, &at, terminal);
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
            Err(Stop::Output(error)) => Err(error.into()),
            Err(Stop::Data(error)) => {
                terminal.out.flush()?;
                let palette = Palette::new(terminal.is_err_coloured);
                let report = Report { input: self.input, piece, document, error };
                report.write(terminal.err, &palette)?;
                Ok(Status::Invalid)
            }
        }
    }

    /// Prints the values at a path. Values of the file without that path are skipped.
    fn print_part(
        &mut self,
        piece: &Piece<'_>,
        at: &Address,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let document = Document::new(piece.bytes, self.choice.options);
        let Some(part) = at.part(piece) else {
            if piece.number == 1 {
                self.found = Err(format!("nothing is at the path {}", escaped(at.path())));
            }
            return Ok(Status::Fine);
        };
        if part.query.is_plain() {
            return match look_up(document, part.path) {
                Ok(found) => {
                    self.found = Ok(());
                    let start = piece.absolute(found.start);
                    ended(self.print_value(&found.document, start, "", terminal))
                }
                Err(why) => {
                    if piece.number == 1 {
                        let called = piece.called().map(|called| format!("{called}: "));
                        self.found = Err(called.unwrap_or_default() + &why);
                    }
                    Ok(Status::Fine)
                }
            };
        }
        let mut is_found = false;
        let selected = select(&document, &part.query, |one| {
            is_found = true;
            let label = neutral(&address_text(piece, &one.text()));
            let value = one.value.raw_bytes().map_err(Stop::Data)?;
            let value = Document::new(value, self.choice.options);
            self.print_value(&value, piece.absolute(one.start), &label, terminal).map(drop)
        });
        if is_found {
            self.found = Ok(());
        } else if piece.number == 1 {
            self.found = Err(format!("nothing is at the path {}", escaped(at.path())));
        }
        ended(selected.map_err(|stop| match stop {
            query::Stop::Data(error) => Stop::Data(error),
            query::Stop::Caller(stop) => stop,
        }))
    }

    /// Prints the present part of an incomplete value.
    fn print_cut(
        &mut self,
        error: &ValueError,
        number: u64,
        terminal: &mut Terminal<'_>,
    ) -> Result<Status, Failure> {
        let file = self.input.source.plain(self.choice);
        if let Some(piece) = file.cut_piece(error, number) {
            self.print_piece(&piece, terminal)?;
        }
        let unit = unit(file.framing).unwrap_or("value");
        let cut = file.cut(error);
        terminal.error(&format!("{}: {unit} {number}: {cut}", self.input.name))?;
        Ok(Status::Invalid)
    }

    /// Prints a value, with a label before it. Returns its end offset if it was read to there.
    fn print_value(
        &mut self,
        document: &Document<'_>,
        start: usize,
        label: &str,
        terminal: &mut Terminal<'_>,
    ) -> Result<Option<usize>, Stop> {
        let digits = self.input.source.whole().len().to_string().len();
        let palette = Palette::new(terminal.is_out_coloured);
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

/// The status of a part that was printed.
fn ended<T>(printed: Result<T, Stop>) -> Result<Status, Failure> {
    match printed {
        Ok(_) => Ok(Status::Fine),
        Err(Stop::Output(error)) => Err(error.into()),
        Err(Stop::Data(error)) => Err(Failure::file(Status::Invalid, error.to_string())),
    }
}

fn print_heading(piece: &Piece<'_>, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let style = terminal.palette().note;
    let len = counted(piece.bytes.len(), "byte");
    // The frame starts at its length prefix.
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
    writeln!(
        terminal.out,
        "{style}+ {len} behind the value, from byte {from}:{line}{more}{style:#}"
    )
}
