//! `keys`: prints the keys of containers, as steps of paths.

use variant_io::Framing;

use super::get::{Wanted, missing, wanted};
use crate::cli::KeysArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use variant_document::escape::neutral;
use variant_document::lookup::look_up;
use variant_document::query::{ROOT, select};

pub(crate) fn run(args: &KeysArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let root = [String::new()];
    let paths = if args.paths.is_empty() { &root } else { args.paths.as_slice() };
    let mut wanted = wanted(paths, args.frame.frame)?;
    let file = Values::open(&args.file, terminal)?;
    let is_in_frames = matches!(file.choice.framing, Framing::Frames(_));
    let has_frames = is_in_frames && args.frame.frame.is_none() && !file.is_one();
    let status = file.each(terminal, |value, terminal| {
        wanted.iter_mut().try_for_each(|wanted| print(value, wanted, has_frames, terminal))?;
        Ok(Status::Fine)
    })?;
    Ok(status.max(missing(&wanted, "no keys are", &file.input.name, terminal)?))
}

fn print(
    value: &Value<'_>,
    wanted: &mut Wanted<'_>,
    has_frames: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let key = terminal.palette().key;
    let address = &wanted.address;
    let is_of_names = value.piece.framing == Framing::Settings
        && address.frame().is_none()
        && address.path().is_empty();
    if is_of_names {
        // The keys of a file of settings are the names of the settings.
        wanted.count = wanted.count.saturating_add(1);
        return Ok(writeln!(terminal.out, "{key}{}{key:#}", neutral(&value.address(ROOT)))?);
    }
    let Some(part) = address.part(value.piece) else { return Ok(()) };
    select(&value.document, &part.query.children(), |found| {
        wanted.count = wanted.count.saturating_add(1);
        let mut line = found.last_text();
        if has_frames {
            line = value.address(&line);
        }
        writeln!(terminal.out, "{key}{}{key:#}", neutral(&line)).map_err(Trouble::from)
    })?;
    if wanted.count == 0 && part.query.is_plain() {
        let why = look_up(value.document, part.path).err();
        wanted.why_not = wanted.why_not.take().or(why);
    }
    Ok(())
}
