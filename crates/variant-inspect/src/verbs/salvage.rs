//! `salvage`: recovers the readable values of a damaged file.

use std::io;

use serde_json::json;
use variant_document::escape::neutral;
use variant_document::magic;
use variant_document::mangled::mend;
use variant_document::salvage::{Hole, Holes, Salvaged, salvage, with_lost_frames};
use variant_document::seek::{WORD, is_header};
use variant_io::{ByteOrder, Framing, Value};
use variant_view::{Dialect, short_path};

use super::scan;
use crate::choice::Choice;
use crate::cli::SalvageArgs;
use crate::envelope::Envelope;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::output;
use crate::report::or_root;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::unit;

/// Reports the holes (lost bytes) of a file, and writes the recovered values.
pub(crate) fn run(args: &SalvageArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if let Some(output) = &args.output {
        output::check(&args.file, output)?;
    }
    let input = Input::open_lenient(&args.file, terminal.common)?;
    if let Some(what) = magic::zeros(&input.source) {
        return Err(input.foreign(what));
    }
    let (input, lost) = match mend(&input.source).filter(|_| is_alone(&input)) {
        None => (input, Vec::new()),
        Some(mended) => {
            terminal.note(&format!(
                "{}: {}; repaired, and offsets count in the repaired file",
                input.name, mended.cause
            ))?;
            (input.with_bytes(mended.bytes, terminal.common)?, mended.lost)
        }
    };
    let mut choice = choose(&input, terminal)?;
    let file = with_lost_frames(input.source.plain(choice), input.source.untailed(choice).tail);
    choice.tail = file.tail.saturating_sub(input.source.untailed(choice).tail);
    // The bytes after a damaged bare value are salvaged as part of the value.
    let start = file.bytes.len().saturating_sub(file.tail);
    let envelope = Envelope::of(&input, choice)
        .before(file.bytes.get(start..).unwrap_or_default())
        .with_tail(terminal.common.tail)
        .plain_if(args.plain);
    let values = envelope.writer(choice.options.dialect);
    let salvaged = salvage(input.source.plain(choice), input.source.opened.damage(), values);
    let salvaged = salvaged.map_err(|error| Failure::invalid(error.to_string()))?;
    let Salvaged { values, count, bytes, mut holes } = salvaged;
    for at in lost {
        let (end, path, reason) =
            (at.saturating_add(1), String::new(), "it became U+FFFD".to_owned());
        holes.add(Hole { start: at, end, path, reason });
    }
    // If the bytes go to standard output, a note is the report.
    if args.output.as_deref().is_some_and(|output| output.as_os_str() == "-") {
        if holes.count > 0 {
            let (lost, holes) = (counted(holes.bytes, "byte"), counted(holes.count, "hole"));
            terminal.note(&format!("{}: {holes}, {lost} lost", input.name))?;
        }
    } else {
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
        return Err(Failure::invalid(format!("{}: nothing can be recovered", input.name)));
    }
    if let Some(output) = &args.output {
        envelope.write(values, output, terminal)?;
    }
    Ok(if holes.count == 0 { Status::Fine } else { Status::Invalid })
}

/// Whether the file consists only of its values, without layers and other bytes.
fn is_alone(input: &Input) -> bool {
    let source = &input.source;
    source.opened.layers().is_empty() && source.whole().len() == source.len()
}

/// The framing and dialect of the file. If no engine reads the file from the start, the dialect is that of the values
/// that a scan finds.
fn choose(input: &Input, terminal: &mut Terminal<'_>) -> Result<Choice, Failure> {
    let failure = match Choice::make(input, terminal) {
        Err(failure @ Failure::File { status: Status::Invalid, .. }) => failure,
        made => return made,
    };
    let (dialect, framing) = scan::likeliest(&input.source, terminal.common).ok_or(failure)?;
    // In a damaged frame, the scan finds values but not the frame. So the length prefixes determine the framing.
    let by_lengths = || framing_by_lengths(&input.source, dialect).unwrap_or(framing);
    let framing = terminal.common.framing.given().unwrap_or_else(by_lengths);
    terminal.note(&format!("{}: read as {dialect}, {framing}, by the values in it", input.name))?;
    Ok(Choice::new(framing, dialect, terminal.common))
}

/// The framing whose length prefixes lead to the end of the file, even if the content of the frames is damaged. If the
/// file is cut, the first word decides: it must look like a length, not like a header, and a header must follow it.
fn framing_by_lengths(bytes: &[u8], dialect: Dialect) -> Option<Framing> {
    let orders = [ByteOrder::Little, ByteOrder::Big].map(Framing::Frames);
    let is_fit = |framing: &Framing| {
        let mut values = framing.values(bytes);
        let is_full =
            |value: Result<Value<'_>, _>| value.is_ok_and(|value| value.bytes.len() >= WORD);
        values.clone().next().is_some() && values.all(is_full)
    };
    let is_framed = !is_header(bytes, 0, dialect) && is_header(bytes, WORD, dialect);
    let is_cut = |framing: &Framing| {
        // The first word must look like a length: its high byte is zero, and it is a multiple of four.
        is_framed
            && match (framing, bytes) {
                (Framing::Frames(ByteOrder::Little), [low, _, _, 0, ..])
                | (Framing::Frames(ByteOrder::Big), [0, _, _, low, ..]) => low.is_multiple_of(4),
                _ => false,
            }
    };
    orders.into_iter().find(is_fit).or_else(|| orders.into_iter().find(is_cut))
}

/// Prints a line for each hole, a range of lost bytes.
fn print(holes: &Holes, name: &str, is_json: bool, terminal: &mut Terminal<'_>) -> io::Result<()> {
    for Hole { start, end, path, reason } in &holes.kept {
        let len = end.saturating_sub(*start);
        let (path, reason) = (neutral(&short_path(path)), neutral(reason));
        if is_json {
            let hole = json!({
                "file": name, "start": start, "end": end, "length": len, "path": path,
                "reason": reason,
            });
            writeln!(terminal.out, "{hole}")?;
            continue;
        }
        let path = or_root(&path);
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
