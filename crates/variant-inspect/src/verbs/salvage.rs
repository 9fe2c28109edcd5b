//! `salvage`: what is left of a damaged file.

use std::io;

use serde_json::json;
use variant_document::escape::{neutral, shortened};
use variant_document::salvage::{Hole, Holes, Salvaged, salvage};
use variant_view::Reals;

use super::scan;
use crate::choice::Choice;
use crate::cli::{CommonArgs, SalvageArgs};
use crate::envelope::Envelope;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::output;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::unit;

/// Reports the holes of a file, and writes what is left.
pub(crate) fn run(
    args: &SalvageArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    if let Some(output) = &args.output {
        output::check(&args.file, output)?;
    }
    let input = Input::open_lenient(&args.file, common)?;
    let choice = choose(&input, common, terminal)?;
    let envelope = Envelope::of(&input, choice.framing).plain_if(args.plain);
    let values = envelope.writer(choice.options.dialect);
    let salvaged = salvage(input.source.plain(choice), input.source.damage(), values);
    let salvaged = salvaged.map_err(|error| Failure::file(Status::Invalid, error.to_string()))?;
    let Salvaged { values, count, bytes, holes } = salvaged;
    // The report gives way to the bytes.
    if args.output.as_deref().is_none_or(|output| output.as_os_str() != "-") {
        print(&holes, &input.name, args.json, terminal)?;
        let lost = holes.bytes;
        if args.json {
            let summary = json!({
                "file": input.name, "values": count, "recovered_bytes": bytes,
                "holes": holes.count, "lost_bytes": lost,
            });
            terminal.json(&summary)?;
        } else {
            let values = counted(count, unit(choice.framing).unwrap_or("value"));
            let (bytes, lost) = (grouped(bytes), counted(lost, "byte"));
            let holes = counted(holes.count, "hole");
            let name = &input.name;
            writeln!(
                terminal.out,
                "{name}: recovered {values}, {bytes} bytes; {holes}, {lost} lost"
            )?;
        }
    }
    if count == 0 && !input.source.is_empty() {
        let message = format!("{}: nothing can be recovered", input.name);
        return Err(Failure::file(Status::Invalid, message));
    }
    if let Some(output) = &args.output {
        envelope.write(values, output, terminal)?;
    }
    Ok(if holes.count == 0 { Status::Fine } else { Status::Invalid })
}

/// The framing and dialect. Where no engine reads the file from the start, those of the values that are found in it.
fn choose(
    input: &Input,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Choice, Failure> {
    let failure = match Choice::make(input, common, terminal) {
        Err(failure @ Failure::File { status: Status::Invalid, .. }) => failure,
        made => return made,
    };
    let reals = common.reals.map_or(Reals::ByFlag, Reals::from);
    let framing = common.framing.given();
    let found = scan::likeliest(&input.source, common.dialect(), framing, reals);
    let (dialect, framing) = found.ok_or(failure)?;
    terminal.note(&format!("{}: read as {dialect}, {framing}, by the values in it", input.name))?;
    Ok(Choice::new(framing, dialect, reals, common))
}

/// Prints a line for each hole.
fn print(holes: &Holes, name: &str, is_json: bool, terminal: &mut Terminal<'_>) -> io::Result<()> {
    for Hole { start, end, path, reason } in &holes.kept {
        let len = end.saturating_sub(*start);
        let (path, reason) = (neutral(&shortened(path)), neutral(reason));
        if is_json {
            let hole = json!({
                "file": name, "start": start, "end": end, "length": len, "path": path,
                "reason": reason,
            });
            writeln!(terminal.out, "{hole}")?;
            continue;
        }
        let path = if path.is_empty() { "(root)" } else { &path };
        let (start, end, len) = (grouped(start), grouped(end), counted(len, "byte"));
        writeln!(terminal.out, "{name}: hole: bytes {start} to {end}, {len}: {path}: {reason}")?;
    }
    let kept = u64::try_from(holes.kept.len()).unwrap_or(u64::MAX);
    if holes.count > kept && !is_json {
        let more = counted(holes.count.saturating_sub(kept), "hole");
        writeln!(terminal.out, "{name}: and {more} more")?;
    }
    Ok(())
}
