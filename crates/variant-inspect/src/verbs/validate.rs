//! `validate`: checks files, with one line for each valid file and a report for each damaged one.

use std::io;

use serde_json::{Value, json};
use variant_io::{Framing, ValueError};
use variant_view::{Document, Error, Options, Summary};

use crate::choice::Choice;
use crate::cli::{CommonArgs, TailArg, ValidateArgs};
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::hexdump::excerpt;
use crate::open::Input;
use crate::parallel::Threads;
use crate::report::Report;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::{Batch, Piece, Plain, batches, unit};

/// Checks all files. Returns the greatest status.
pub(crate) fn run(
    args: &ValidateArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let files = Files::of(&args.files, terminal)?;
    files.each(
        terminal,
        |path, terminal| check(&Input::open(path, common)?, args, common, &files.threads, terminal),
        |status, _| Ok(status),
    )
}

fn check(
    input: &Input,
    args: &ValidateArgs,
    common: &CommonArgs,
    threads: &Threads,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let choice = Choice::make(input, common, terminal)?;
    let options = choice.options.profile(args.profile.into()).limits(args.limits.into());
    let mut totals = Totals::default();
    let outcome = threads.in_order(
        batches(input.source.plain(choice).pieces()),
        |batch| check_batch(&batch, options),
        |(of_batch, outcome)| {
            totals.add(&of_batch);
            outcome
        },
    );
    let file = input.source.plain(choice);
    if file.tail > 0 || choice.framing == Framing::Settings {
        totals.add_rest(&file);
    }
    // With `--tail drop`, bytes after the values make a file invalid.
    let is_tailed = || !file.after().is_empty() || input.source.behind_layers().is_some();
    let sound =
        || if common.tail == TailArg::Drop && is_tailed() { Status::Invalid } else { Status::Fine };
    let palette = terminal.palette();
    match outcome {
        Ok(()) if args.json => {
            let line = totals.to_json(&input.name, options, choice.framing);
            terminal.json(&line)?;
            Ok(sound())
        }
        Ok(()) => {
            let (good, dialect) = (palette.good, options.dialect);
            let found = totals.describe();
            writeln!(terminal.out, "{}: {good}ok{good:#}: {dialect}, {found}", input.name)?;
            Ok(sound())
        }
        Err(Flaw::Value(piece, error)) => {
            let document = Document::new(piece.bytes, options);
            let report = Report { input, piece: &piece, document, error };
            if args.json {
                terminal.json(&report.to_json())?;
            } else {
                report.write(terminal.out, &palette)?;
            }
            Ok(Status::Invalid)
        }
        Err(Flaw::Cut(error)) => {
            let number = totals.pieces.saturating_add(1);
            if args.json {
                let line = json!({
                    "file": input.name,
                    "status": "invalid",
                    "frame": number,
                    "offset": input.source.absolute(error.offset()),
                    "error": input.source.plain(choice).cut(&error),
                });
                terminal.json(&line)?;
                return Ok(Status::Invalid);
            }
            Ok(report_cut(input, choice, options, (&error, number), terminal)?)
        }
    }
}

/// The first fault of a file.
#[derive(Clone, Copy, Debug)]
enum Flaw<'a> {
    /// A value is damaged.
    Value(Piece<'a>, Error),
    /// A value is incomplete.
    Cut(ValueError),
}

/// Checks values up to the first fault.
fn check_batch<'a>(batch: &Batch<'a>, options: Options) -> (Totals, Result<(), Flaw<'a>>) {
    let mut totals = Totals::default();
    let outcome = batch.iter().try_for_each(|piece| {
        let piece = piece.map_err(Flaw::Cut)?;
        let summary = Document::new(piece.bytes, options).validate();
        totals.add(&Totals::of(&piece, summary.map_err(|error| Flaw::Value(piece, error))?));
        Ok(())
    });
    (totals, outcome)
}

/// Reports an incomplete value, and any damage in its present bytes.
fn report_cut(
    input: &Input,
    choice: Choice,
    options: Options,
    (error, number): (&ValueError, u64),
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let file = input.source.plain(choice);
    let palette = terminal.palette();
    let red = palette.error;
    let unit = unit(choice.framing).unwrap_or("value");
    let at = file.absolute(error.offset());
    let cut = file.cut(error);
    writeln!(terminal.out, "{}: {red}invalid{red:#}: {unit} {number}: {cut}", input.name)?;
    let Some(piece) = file.cut_piece(error, number) else {
        show(input, at, terminal)?;
        return Ok(Status::Invalid);
    };
    let document = Document::new(piece.bytes, options);
    match document.validate() {
        Ok(summary) => {
            let len = counted(summary.consumed, "byte");
            writeln!(terminal.out, "  value     complete, {len}: the length prefix is wrong")?;
            show(input, at, terminal)?;
        }
        Err(error) => {
            Report { input, piece: &piece, document, error }.write(terminal.out, &palette)?;
        }
    }
    Ok(Status::Invalid)
}

/// With `--explain`, prints the bytes around an offset.
fn show(input: &Input, at: usize, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let palette = terminal.palette();
    if input.is_explained {
        excerpt(terminal.out, input.source.whole(), at, &palette)?;
    }
    Ok(())
}

/// The contents of a file, in numbers.
#[derive(Debug, Default)]
struct Totals {
    pieces: u64,
    /// The noun for one piece; none in a bare file.
    unit: Option<&'static str>,
    values: u64,
    depth: u32,
    bytes: usize,
    trailing: usize,
    /// The offset of the first bytes that belong to no value.
    trailing_from: Option<usize>,
}

impl Totals {
    fn of(piece: &Piece<'_>, summary: Summary) -> Self {
        let trailing = piece.bytes.len().saturating_sub(summary.consumed);
        Self {
            pieces: 1,
            unit: unit(piece.framing),
            values: summary.values,
            depth: summary.depth,
            bytes: summary.consumed,
            trailing,
            trailing_from: (trailing > 0).then(|| piece.absolute(summary.consumed)),
        }
    }

    /// Adds the totals of `next`.
    fn add(&mut self, next: &Self) {
        self.pieces = self.pieces.saturating_add(next.pieces);
        self.unit = self.unit.or(next.unit);
        self.values = self.values.saturating_add(next.values);
        self.depth = self.depth.max(next.depth);
        self.bytes = self.bytes.saturating_add(next.bytes);
        self.trailing = self.trailing.saturating_add(next.trailing);
        self.trailing_from = self.trailing_from.or(next.trailing_from);
    }

    /// Adds the bytes after the last frame or setting.
    fn add_rest(&mut self, file: &Plain<'_>) {
        let rest = file.tail.saturating_add(file.behind_all());
        self.trailing = self.trailing.saturating_add(rest);
        if rest > 0 {
            let from = file.bytes.len().saturating_sub(rest);
            self.trailing_from = self.trailing_from.or(Some(from));
        }
    }

    fn to_json(&self, file: &str, options: Options, framing: Framing) -> Value {
        json!({
            "file": file,
            "status": "ok",
            "dialect": options.dialect.name(),
            "framing": framing.name(),
            "frames": self.pieces,
            "values": self.values,
            "depth": self.depth,
            "bytes": self.bytes,
            "trailing": self.trailing,
            "trailing_from": self.trailing_from,
        })
    }

    fn describe(&self) -> String {
        let frames = match self.unit {
            Some(unit) => counted(self.pieces, unit),
            None => "bare".to_owned(),
        };
        let (values, bytes) = (counted(self.values, "value"), counted(self.bytes, "byte"));
        let trailing = match self.trailing_from {
            None => "none trailing".to_owned(),
            Some(from) => {
                format!("{} trailing from byte {}", counted(self.trailing, "byte"), grouped(from))
            }
        };
        format!("{frames}, {values}, depth {}, {bytes}, {trailing}", self.depth)
    }
}
