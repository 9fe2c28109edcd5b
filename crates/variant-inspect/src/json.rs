//! `json` and `from-json`: values as JSON, one to a line if there are several, and back.

use std::io;

use variant_io::Framing;
use variant_owned::json::{Form, JsonError, JsonErrorKind, Losses, read, write};
use variant_owned::{EncodeOptions, Variant, encode};
use variant_view::{Dialect, Document};

use crate::cli::{CommonArgs, FromJsonArgs, JsonArgs};
use crate::count::grouped;
use crate::escape::escaped;
use crate::failure::{Failure, Status};
use crate::output::{self, add_value};
use crate::terminal::Terminal;
use crate::values::{Trouble, each};

/// How many losses are told one by one.
const LISTED: u8 = 10;

pub(crate) fn run(
    args: &JsonArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    each(&args.file, common, terminal, |value, terminal| {
        let name = value.piece.name;
        if let Some(name) = name {
            write!(terminal.out, "{{{}:", quoted(name)?)?;
        }
        let losses = write(&value.document, args.form.into(), &mut *terminal.out, args.pretty);
        let losses = losses.map_err(trouble)?;
        writeln!(terminal.out, "{}", if name.is_some() { "}" } else { "" })?;
        tell(&losses, terminal)?;
        Ok(Status::Fine)
    })
}

/// The name of a setting as JSON has texts.
fn quoted(name: &[u8]) -> Result<String, Trouble> {
    let name = Variant::from(&*String::from_utf8_lossy(name));
    let bytes = encode(&name, &EncodeOptions::new(Dialect::Godot4)).map_err(Trouble::message)?;
    let mut quoted = Vec::new();
    write(&Document::new(&bytes, Dialect::Godot4), Form::Plain, &mut quoted, false)
        .map_err(trouble)?;
    Ok(String::from_utf8_lossy(&quoted).into_owned())
}

fn tell(losses: &Losses, terminal: &mut Terminal<'_>) -> io::Result<()> {
    for loss in losses.list().iter().take(LISTED.into()) {
        terminal.note(&format!("not in this form: {}", escaped(&loss.to_string())))?;
    }
    if losses.count() > LISTED.into() {
        terminal.note(&format!("not in this form: {} in all", grouped(losses.count())))?;
    }
    Ok(())
}

fn trouble(error: JsonError) -> Trouble {
    match error.into_kind() {
        JsonErrorKind::Document(error) => error.into(),
        JsonErrorKind::Io(error) => error.into(),
        other => Trouble::Message(other.to_string()),
    }
}

pub(crate) fn run_back(
    args: &FromJsonArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let options = EncodeOptions::new(output::dialect(common)?);
    let (name, text) = output::read_text(&args.file)?;
    let framing = args.to_framing.given().unwrap_or(Framing::Bare);
    let mut bytes = Vec::new();
    for (number, line) in documents(&text, framing) {
        let encoded = read(line, args.form.into(), &options).map_err(|error| {
            let place = if number > 0 { format!("document {number}: ") } else { String::new() };
            Failure::file(
                Status::Invalid,
                format!("{name}: {place}{}", escaped(&error.to_string())),
            )
        })?;
        add_value(&mut bytes, &encoded, framing)?;
    }
    output::write(&args.output, &bytes, terminal.out)?;
    Ok(Status::Fine)
}

/// The whole text, or for frames each of its lines, numbered from 1.
fn documents(text: &str, framing: Framing) -> Vec<(usize, &str)> {
    match framing {
        Framing::Bare | Framing::Settings => vec![(0, text)],
        Framing::Frames(_) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            (1..).zip(lines).collect()
        }
    }
}
