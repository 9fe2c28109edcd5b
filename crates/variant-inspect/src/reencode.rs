//! `reencode`: reads a file into values, writes them, and compares.

use variant_owned::{EncodeOptions, Variant, Widths, encode};

use crate::cli::{CommonArgs, ReencodeArgs};
use crate::count::{counted, grouped};
use crate::failure::{Failure, Status};
use crate::hexdump::excerpt;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, each};

pub(crate) fn run(
    args: &ReencodeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let widths = if args.canonical { Widths::Canonical } else { Widths::AsIs };
    let mut values = 0_usize;
    let mut bytes = 0_usize;
    let mut name = String::new();
    let status = each(&args.file, common, terminal, |value, terminal| {
        let read = Variant::from_document(&value.document)?;
        let options = value.choice.options;
        let options = EncodeOptions::new(options.dialect).reals(options.reals).widths(widths);
        let written = encode(&read, &options).map_err(Trouble::message)?;
        if let Some(at) = first_difference(value.piece.bytes, &written) {
            return tell_difference(value, &written, at, terminal);
        }
        values = values.saturating_add(1);
        bytes = bytes.saturating_add(written.len());
        name.clone_from(&value.input.name);
        Ok(Status::Fine)
    })?;
    if status == Status::Fine {
        let values = counted(values, "value");
        writeln!(terminal.out, "{name}: identical: {values}, {} bytes", grouped(bytes))?;
    }
    Ok(status)
}

/// The first byte that is not the same; what follows a bare value is not compared.
fn first_difference(found: &[u8], written: &[u8]) -> Option<usize> {
    let differing = found.iter().zip(written).position(|(found, written)| found != written);
    differing.or((found.len() < written.len()).then_some(found.len()))
}

fn tell_difference(
    value: &Value<'_>,
    written: &[u8],
    at: usize,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Trouble> {
    let path = value.document.path_to(at).map(|path| path.to_string()).unwrap_or_default();
    let path = if path.is_empty() { "(root)" } else { &path };
    let byte = |bytes: &[u8]| match bytes.get(at) {
        Some(byte) => format!("{byte:02x}"),
        None => "nothing".to_owned(),
    };
    let offset = value.piece.absolute(at);
    let palette = terminal.palette();
    let out = &mut *terminal.out;
    writeln!(out, "{}: differs at byte {}", value.input.name, grouped(offset))?;
    writeln!(out, "  path      {path}")?;
    writeln!(out, "  found     {}", byte(value.piece.bytes))?;
    writeln!(out, "  written   {}", byte(written))?;
    writeln!(out)?;
    excerpt(out, &value.input.source, offset, &palette)?;
    Ok(Status::Invalid)
}
