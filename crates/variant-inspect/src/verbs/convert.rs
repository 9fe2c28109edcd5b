//! `convert`: writes a file in another dialect, and reports the losses.

use variant_io::Framing;
use variant_owned::ConvertOptions;
use variant_view::Reals;

use crate::cli::ConvertArgs;
use crate::envelope::Envelope;
use crate::failure::{Failure, Status};
use crate::output;
use crate::terminal::Terminal;
use crate::values::{Value, Values};
use variant_document::convert::{add, reals};
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
    let was = file.choice.options;
    let reals = args.to_reals.map_or_else(|| reals(was, args.to), Reals::from);
    let envelope = envelope.with_reals(was.reals, reals);
    let how = ConvertOptions::new(args.to).strict(args.strict).reals(reals);
    let mut values = envelope.writer(args.to);
    let mut changes = 0_u64;
    let mut lines = 0_u64;
    let status = file.each(terminal, |value, terminal| {
        let told = add(value.document, value.piece, how, &mut values)?;
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

/// The name of the value as a prefix; empty in a bare file.
fn frame(value: &Value<'_>) -> String {
    value.piece.called().map_or_else(String::new, |called| format!("{called}: "))
}
