//! `convert`: writes a file in another dialect, and reports the losses.

use variant_io::{Framing, ValuesWriter};
use variant_owned::{ConvertOptions, EncodeOptions, Report, Variant, Widths, convert, encode};
use variant_view::{Dialect, Options, Reals};

use crate::cli::ConvertArgs;
use crate::envelope::Envelope;
use crate::failure::{Failure, Status};
use crate::output;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;

/// The maximum number of printed lines of changes.
const MOST_LINES: u64 = 100;

pub(crate) fn run(args: &ConvertArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let file = Values::open(&args.file, terminal)?;
    let envelope = Envelope::of(&file.input, file.choice).with_tail(terminal.common.tail);
    let envelope = envelope.with_framing(args.to_framing.given()).plain_if(args.plain);
    let have_names = file.choice.framing == Framing::Settings;
    if args.strict && have_names && !envelope.keeps_names() {
        let framing = envelope.framing();
        return Err(Failure::invalid(format!(
            "{}: {framing} cannot hold the names of the settings; without --strict they are dropped",
            file.input.name
        )));
    }
    let envelope = envelope.with_names_if(have_names);
    let Options { dialect, reals: was, .. } = file.choice.options;
    let reals = reals(args, dialect, was);
    let envelope = envelope.with_reals(was, reals);
    let mut values = envelope.writer(args.to);
    let mut changes = 0_u64;
    let mut lines = 0_u64;
    let status = file.each(terminal, |value, terminal| {
        let told = add_converted(value, args, reals, &mut values)?;
        for group in told.groups() {
            lines = lines.saturating_add(1);
            if lines <= MOST_LINES {
                writeln!(terminal.err, "{}{}", frame(value), neutral(&group.to_string()))?;
            }
        }
        changes = changes.saturating_add(told.count());
        Ok(Status::Fine)
    })?;
    if let Some(left @ 1..) = lines.checked_sub(MOST_LINES) {
        let more = if left == 1 { "line" } else { "lines" };
        terminal.note(&format!("and {} more {more} of changes", grouped(left)))?;
    }
    if status == Status::Fine {
        envelope.write(values, &args.output, terminal)?;
        let changes = counted(changes, "change");
        terminal.note(&format!("converted to {}, {changes}", args.to))?;
    }
    Ok(status)
}

/// The width of reals to write. If all reals of a file have 64 bits, a custom build or a program that follows the
/// documentation wrote the file. Such programs also read this width, so it is kept if the target is the same dialect or
/// the dialect of a page.
fn reals(args: &ConvertArgs, dialect: Dialect, was: Reals) -> Reals {
    let is_kept = args.to == dialect || args.to.page().is_some();
    let found = if is_kept { was } else { Reals::ByFlag };
    args.to_reals.map_or(found, Reals::from)
}

/// The name of the value as a prefix; empty in a bare file.
fn frame(value: &Value<'_>) -> String {
    value.piece.called().map_or_else(String::new, |called| format!("{called}: "))
}

/// Writes the converted value. Returns the changes.
fn add_converted(
    value: &Value<'_>,
    args: &ConvertArgs,
    reals: Reals,
    values: &mut ValuesWriter,
) -> Result<Report, Trouble> {
    let read = Variant::from_document(&value.document)?;
    let options = ConvertOptions::new(args.to).strict(args.strict).reals(reals);
    let (converted, report) = convert(&read, options).map_err(|error| Trouble::message(&error))?;
    let encoding = EncodeOptions::new(args.to).reals(reals).widths(Widths::Canonical);
    let piece = value.piece;
    let mut bytes = encode(&converted, encoding).map_err(|error| Trouble::message(&error))?;
    // The bytes after a value in a frame belong to the frame, so they are written with the value. The bytes after a
    // bare value belong to the file: its `Envelope` writes them.
    if piece.framing != Framing::Bare {
        let len = value.document.root()?.raw_bytes()?.len();
        bytes.extend_from_slice(piece.bytes.get(len..).unwrap_or_default());
    }
    values.bytes(piece.name, &bytes).map_err(|error| Trouble::message(&error))?;
    Ok(report)
}
