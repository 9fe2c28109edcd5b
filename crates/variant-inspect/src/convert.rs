//! `convert`: a file of one dialect as another dialect writes it, and what is lost on the way.

use variant_io::Framing;
use variant_owned::{ConvertOptions, EncodeOptions, Variant, Widths, convert, encode};

use crate::cli::{CommonArgs, ConvertArgs};
use crate::count::counted;
use crate::escape::escaped;
use crate::failure::{Failure, Status};
use crate::output::{self, add_value};
use crate::pieces::unit;
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, each};

pub(crate) fn run(
    args: &ConvertArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let mut bytes = Vec::new();
    let mut changes = 0_usize;
    let status = each(&args.file, common, terminal, |value, terminal| {
        if value.choice.framing == Framing::Settings {
            let message =
                "these are compiled settings, whose names would be lost; see json and text";
            return Err(Trouble::Message(message.to_owned()));
        }
        let told = add_converted(value, args, &mut bytes)?;
        for line in &told {
            writeln!(terminal.err, "{}{}", frame(value), escaped(line))?;
        }
        changes = changes.saturating_add(told.len());
        Ok(Status::Fine)
    })?;
    if status == Status::Fine {
        output::write(&args.output, &bytes, terminal.out)?;
        let changes = counted(changes, "change");
        terminal.note(&format!("converted to {}, {changes}", args.to))?;
    }
    Ok(status)
}

/// Which frame, where there are any.
fn frame(value: &Value<'_>) -> String {
    let unit = unit(value.piece.framing);
    unit.map_or_else(String::new, |unit| format!("{unit} {}: ", value.piece.number))
}

/// Appends the converted value, and says what changed.
fn add_converted(
    value: &Value<'_>,
    args: &ConvertArgs,
    bytes: &mut Vec<u8>,
) -> Result<Vec<String>, Trouble> {
    let read = Variant::from_document(&value.document)?;
    let options = ConvertOptions::new(args.to).strict(args.strict);
    let (converted, report) = convert(&read, &options).map_err(Trouble::message)?;
    let encoding = EncodeOptions::new(args.to).widths(Widths::Canonical);
    let encoded = encode(&converted, &encoding).map_err(Trouble::message)?;
    let framing: Framing = args.to_framing.given().unwrap_or(value.choice.framing);
    add_value(bytes, &encoded, framing)?;
    Ok(report.changes().iter().map(ToString::to_string).collect())
}
