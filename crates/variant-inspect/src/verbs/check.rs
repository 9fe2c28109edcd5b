//! `check`: prints one line for each valid file and a report for each damaged file. With `--all`, also prints findings:
//! suspicious parts that an engine reads without an error. With `--schema` and `--lock`, also compares the values with
//! a schema and with a lock file.

mod expected;
mod finding;
mod junit;
mod markdown;
mod print;
mod rule;
mod sarif;
mod value;

use std::io;
use std::path::Path;

use serde_json::{Value, json};
use variant_io::{Framing, ValueError};
use variant_view::{Document, Error, Objects, Options, Summary};

use crate::choice::Choice;
use crate::cli::{CheckArgs, TailArg};
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::hexdump::excerpt;
use crate::open::{Input, name};
use crate::report::Report;
use crate::terminal::Terminal;
use crate::transcript::Recorder;
use expected::Expected;
use finding::{Finding, Findings};
use print::Printer;
use rule::Rule;
use variant_document::count::{counted, grouped};
use variant_document::parallel::Threads;
use variant_document::shape::{Shapes, Type};
use variant_document::{Batch, Piece, Plain, batches, unit};

/// The greatest depth that is searched for findings. It is greater than the limit of engines: values beyond that limit
/// are reported, and also the findings in them.
const DEPTH: u32 = 4_096;

/// Checks all files. Returns the greatest status.
pub(crate) fn run(args: &CheckArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let expected = Expected::read(args)?;
    let files = Files::of(&args.files, terminal)?;
    let (mut printer, mut shape) = (Printer::new(args), None);
    let worst = files.each(
        terminal,
        |path, terminal| match examine(path, args, &expected, &files.threads, terminal) {
            Err(Failure::File { status, message }) if args.lists_unread() => {
                terminal.error(&message)?;
                Ok(Checked::unread(name(path), status, message))
            }
            other => other,
        },
        |mut checked, terminal| {
            add(&mut shape, checked.shape.take());
            printer.file(checked, terminal)
        },
    )?;
    let of_lock = match expected.differences(shape, args) {
        Some(checked) => printer.file(checked, terminal)?,
        None => Status::Fine,
    };
    printer.end(terminal)?;
    Ok(worst.max(of_lock))
}

/// What is known about a file.
struct Checked {
    name: String,
    status: Status,
    /// The verdict on the decoded values as a JSON object, if an output needs it.
    verdict: Option<Value>,
    findings: Option<Findings>,
    /// Why the file cannot be read.
    unread: Option<String>,
    /// The shape of the values, for a lock file.
    shape: Option<Type>,
    /// Whether this is the lock file, and not a file of values.
    is_lock: bool,
}

impl Checked {
    const fn unread(name: String, status: Status, message: String) -> Self {
        let unread = Some(message);
        Self { name, status, verdict: None, findings: None, unread, shape: None, is_lock: false }
    }

    /// The findings to print.
    fn kept(&self) -> &[Finding] {
        self.findings.as_ref().map(|findings| findings.kept.as_slice()).unwrap_or_default()
    }
}

fn examine(
    path: &Path,
    args: &CheckArgs,
    expected: &Expected,
    threads: &Threads,
    terminal: &mut Terminal<'_>,
) -> Result<Checked, Failure> {
    let input = Input::open(path, terminal.common)?;
    let choice = Choice::make(&input, terminal)?;
    let (verdict, report) =
        Recorder::of(terminal).record(|terminal| judge(&input, choice, args, threads, terminal));
    // In a SARIF document, damage is also a finding.
    if !args.sarif {
        report.play(terminal)?;
    }
    let has_findings = args.lists_findings() || expected.schema.is_some();
    let findings = has_findings.then(|| find(&input, choice, args, expected));
    let (status, verdict) = verdict?;
    let has_shape = expected.has_lock() && status == Status::Fine;
    let shape = if has_shape { shape_of(&input, choice) } else { None };
    Ok(Checked { name: input.name, status, verdict, findings, unread: None, shape, is_lock: false })
}

/// The shape of the values of a file; `None` if a value is damaged.
fn shape_of(input: &Input, choice: Choice) -> Option<Type> {
    let file = input.source.plain(choice);
    let mut shapes = Shapes::new();
    for piece in file.pieces() {
        shapes.add(file.document(piece.ok()?.bytes)).ok()?;
    }
    Some(shapes.into_type())
}

/// Adds a shape to the shape of the files before.
fn add(all: &mut Option<Type>, shape: Option<Type>) {
    match (all, shape) {
        (_, None) => {}
        (Some(all), Some(shape)) => all.merge(shape),
        (all, shape) => *all = shape,
    }
}

/// The status of a file. For a report, also its verdict as an object.
type Verdict = (Status, Option<Value>);

/// Decodes all values of a file, and prints a line or a report.
fn judge(
    input: &Input,
    choice: Choice,
    args: &CheckArgs,
    threads: &Threads,
    terminal: &mut Terminal<'_>,
) -> Result<Verdict, Failure> {
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
    let palette = terminal.palette();
    match outcome {
        Ok(()) => {
            // With `--tail drop`, bytes after the values make a file invalid.
            let is_tailed = !file.after().is_empty() || input.source.behind_layers().is_some();
            let is_sound = terminal.common.tail != TailArg::Drop || !is_tailed;
            let status = if is_sound { Status::Fine } else { Status::Invalid };
            if args.keeps_verdicts() {
                return Ok((status, Some(totals.to_json(&input.name, options, choice.framing))));
            }
            let (good, dialect) = (palette.good, options.dialect);
            let found = totals.describe();
            writeln!(terminal.out, "{}: {good}ok{good:#}: {dialect}, {found}", input.name)?;
            Ok((status, None))
        }
        Err(Flaw::Value(piece, error)) => {
            let document = Document::new(piece.bytes, options);
            let report = Report { input, piece: &piece, document, error };
            if args.keeps_verdicts() {
                return Ok((Status::Invalid, Some(report.to_json())));
            }
            report.write(terminal.out, &palette)?;
            Ok((Status::Invalid, None))
        }
        Err(Flaw::Cut(error)) => {
            let number = totals.pieces.saturating_add(1);
            if args.keeps_verdicts() {
                let line = json!({
                    "file": input.name,
                    "status": "invalid",
                    "frame": number,
                    "offset": input.source.absolute(error.offset()),
                    "error": input.source.plain(choice).cut(&error),
                });
                return Ok((Status::Invalid, Some(line)));
            }
            report_cut(input, choice, options, (&error, number), terminal)?;
            Ok((Status::Invalid, None))
        }
    }
}

fn find(input: &Input, choice: Choice, args: &CheckArgs, expected: &Expected) -> Findings {
    let mut findings = Findings::new(args.limit);
    if args.lists_findings() {
        find_odd(input, choice, &mut findings);
    }
    if let Some(schema) = &expected.schema {
        let file = input.source.plain(choice);
        // Damage ends this loop. It is not a finding here, since the verdict already reports it.
        for piece in file.pieces().map_while(Result::ok) {
            let Ok(breaches) = schema.check(file.document(piece.bytes), args.limit) else { break };
            findings.add_breaches(&piece, breaches);
        }
    }
    findings
}

/// Finds suspicious parts that an engine reads without an error.
fn find_odd(input: &Input, choice: Choice, findings: &mut Findings) {
    let file = input.source.plain(choice);
    let limits = choice.options.limits.depth(DEPTH);
    let options = choice.options.objects(Objects::Accept).limits(limits);
    let mut number = 0_u64;
    for piece in file.pieces() {
        number = number.saturating_add(1);
        match piece {
            Ok(piece) => findings.add_piece(&piece, &Document::new(piece.bytes, options)),
            Err(error) => {
                let at = file.absolute(error.offset());
                findings.add(Rule::CutShort, at, &file.cut(&error));
                if let Some(piece) = file.cut_piece(&error, number) {
                    findings.add_piece(&piece, &Document::new(piece.bytes, options));
                }
            }
        }
    }
    let rest = file.behind_all();
    if rest > 0 && choice.framing == Framing::Settings {
        let at = file.absolute(file.body().len()).saturating_sub(rest);
        let bytes = counted(rest, "byte");
        findings.add(Rule::TrailingBytes, at, &format!("{bytes} after the last setting"));
    }
    if file.tail > 0 {
        let at = file.absolute(file.body().len());
        let bytes = counted(file.tail, "byte");
        findings.add(Rule::TrailingBytes, at, &format!("{bytes} after the values"));
    }
    if let Some(bytes) = input.source.behind_layers() {
        findings.add(Rule::BehindLayer, file.bytes.len(), &bytes);
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

/// Reports an incomplete value, and any damage in the bytes before its end.
fn report_cut(
    input: &Input,
    choice: Choice,
    options: Options,
    (error, number): (&ValueError, u64),
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let file = input.source.plain(choice);
    let palette = terminal.palette();
    let red = palette.error;
    let unit = unit(choice.framing).unwrap_or("value");
    let at = file.absolute(error.offset());
    let cut = file.cut(error);
    writeln!(terminal.out, "{}: {red}invalid{red:#}: {unit} {number}: {cut}", input.name)?;
    let Some(piece) = file.cut_piece(error, number) else {
        return show(input, at, terminal);
    };
    let document = Document::new(piece.bytes, options);
    match document.validate() {
        Ok(summary) => {
            let len = counted(summary.consumed, "byte");
            writeln!(terminal.out, "  value     complete, {len}: the length prefix is wrong")?;
            show(input, at, terminal)
        }
        Err(error) => {
            Report { input, piece: &piece, document, error }.write(terminal.out, &palette)
        }
    }
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
    /// The noun for one value of the file, such as `frame`; `None` in a bare file.
    unit: Option<&'static str>,
    values: u64,
    depth: u32,
    bytes: usize,
    trailing: usize,
    /// The offset of the first bytes outside all values.
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
