//! `keys`: prints the keys of containers, as steps of paths.

use variant_view::write_path;

use super::get::{Wanted, wanted};
use crate::cli::{CommonArgs, KeysArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::{Trouble, Value, Values};
use variant_document::escape::{escaped, neutral, shortened};
use variant_document::lookup::look_up;
use variant_document::query::{Stop, select};

pub(crate) fn run(
    args: &KeysArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let root = [String::new()];
    let paths = if args.paths.is_empty() { &root } else { args.paths.as_slice() };
    let mut wanted = wanted(paths)?;
    let file = Values::open(&args.file, common, terminal)?;
    let mut worst = file.each(terminal, |value, terminal| {
        wanted.iter_mut().try_for_each(|wanted| print(value, wanted, terminal))?;
        Ok(Status::Fine)
    })?;
    for Wanted { path, why_not, count, .. } in &wanted {
        if *count == 0 {
            let nothing = || format!("no keys are at the path {}", escaped(&shortened(path)));
            let why = why_not.clone().unwrap_or_else(nothing);
            terminal.error(&format!("{}: {why}", file.input.name))?;
            worst = worst.max(Status::Invalid);
        }
    }
    Ok(worst)
}

fn print(
    value: &Value<'_>,
    wanted: &mut Wanted<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Trouble> {
    let mut line = String::new();
    let children = wanted.query.children();
    let selected = select(&value.document, &children, |found| {
        wanted.count = wanted.count.saturating_add(1);
        line.clear();
        // Writing to a string cannot fail.
        let _ = write_path(&mut line, found.path.last().copied());
        let key = terminal.palette().key;
        writeln!(terminal.out, "{key}{}{key:#}", neutral(&line)).map_err(Trouble::from)
    });
    match selected {
        Ok(()) if wanted.count == 0 && wanted.query.is_plain() => {
            let why = look_up(value.document, wanted.path).err();
            wanted.why_not = wanted.why_not.take().or(why);
            Ok(())
        }
        Ok(()) => Ok(()),
        Err(Stop::Data(error)) => Err(error.into()),
        Err(Stop::Caller(trouble)) => Err(trouble),
    }
}
