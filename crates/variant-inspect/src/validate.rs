//! `validate`: checks files, with one line for each valid file and a report for each damaged one.

use std::io;
use std::path::{Path, PathBuf};

use variant_io::{Framing, ValueError};
use variant_view::{Document, Error, Options, Summary};

use crate::choice::Choice;
use crate::cli::{CommonArgs, ValidateArgs};
use crate::count::{counted, grouped};
use crate::failure::{Failure, Status};
use crate::hexdump::excerpt;
use crate::open::{Input, Source};
use crate::parallel::Threads;
use crate::pieces::{Batch, Piece, batches, behind_all, pieces, unit};
use crate::report::Report;
use crate::terminal::Terminal;
use crate::transcript::Recorder;

/// Checks all files. Returns the greatest status.
pub(crate) fn run(
    args: &ValidateArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let threads = threads(args);
    if usize::from(args.jobs) > Threads::most() {
        let count = counted(Threads::most(), "thread");
        terminal.note(&format!("--jobs {}: limited to {count}, 4 per core", args.jobs))?;
    }
    let recorder = Recorder::of(terminal);
    let mut worst = Status::Fine;
    let check = |path: &PathBuf| recorder.record(|t| check_file(path, args, common, &threads, t));
    threads.in_order(
        args.files.chunks(threads.share(args.files.len())),
        |files| files.iter().map(check).collect::<Vec<_>>(),
        |checked| {
            checked.into_iter().try_for_each(|(status, transcript)| {
                transcript.play(terminal)?;
                worst = worst.max(status?);
                Ok::<_, Failure>(())
            })
        },
    )?;
    Ok(worst)
}

/// The threads to use: one if standard input is named several times, because its readers must take turns.
fn threads(args: &ValidateArgs) -> Threads {
    let of_input = args.files.iter().filter(|path| path.as_path() == Path::new("-")).count();
    Threads::new(if of_input > 1 { 1 } else { args.jobs })
}

/// Checks a file, and prints why it cannot be checked.
fn check_file(
    path: &Path,
    args: &ValidateArgs,
    common: &CommonArgs,
    threads: &Threads,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let status =
        Input::open(path, common).and_then(|input| check(&input, args, common, threads, terminal));
    match status {
        Err(Failure::Told(status)) => Ok(status),
        Err(Failure::File { status, message }) => {
            terminal.error(&message)?;
            Ok(status)
        }
        status => status,
    }
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
        batches(pieces(&input.source, choice.framing)),
        |batch| check_batch(&batch, options),
        |(of_batch, outcome)| {
            totals.add(&of_batch);
            outcome
        },
    );
    if choice.framing == Framing::Settings {
        totals.add_rest(&input.source);
    }
    let palette = terminal.palette();
    match outcome {
        Ok(()) => {
            let (good, dialect) = (palette.good, options.dialect);
            let found = totals.describe();
            writeln!(terminal.out, "{}: {good}ok{good:#}: {dialect}, {found}", input.name)?;
            Ok(Status::Fine)
        }
        Err(Flaw::Value(piece, error)) => {
            let document = Document::new(piece.bytes, options);
            let report = Report { input, piece: &piece, document, error };
            report.write(terminal.out, &palette)?;
            Ok(Status::Invalid)
        }
        Err(Flaw::Cut(error)) => {
            let number = totals.pieces.saturating_add(1);
            Ok(report_cut(input, options, &error, number, choice.framing, terminal)?)
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
    options: Options,
    error: &ValueError,
    number: u64,
    framing: Framing,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let palette = terminal.palette();
    let red = palette.error;
    let unit = unit(framing).unwrap_or("value");
    let at = input.source.absolute(error.offset());
    let cut = input.cut(error);
    writeln!(terminal.out, "{}: {red}invalid{red:#}: {unit} {number}: {cut}", input.name)?;
    let Some(piece) = Piece::of_cut(&input.source, error, number, framing) else {
        excerpt(terminal.out, input.source.whole(), at, &palette)?;
        return Ok(Status::Invalid);
    };
    let document = Document::new(piece.bytes, options);
    match document.validate() {
        Ok(summary) => {
            let len = counted(summary.consumed, "byte");
            writeln!(terminal.out, "  value     complete, {len}: the length prefix is wrong")?;
            excerpt(terminal.out, input.source.whole(), at, &palette)?;
        }
        Err(error) => {
            Report { input, piece: &piece, document, error }.write(terminal.out, &palette)?;
        }
    }
    Ok(Status::Invalid)
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

    /// Adds the bytes after the last setting.
    fn add_rest(&mut self, source: &Source) {
        let rest = behind_all(source, Framing::Settings);
        self.trailing = self.trailing.saturating_add(rest);
        if rest > 0 {
            let from = source.whole().len().saturating_sub(rest);
            self.trailing_from = self.trailing_from.or(Some(from));
        }
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
