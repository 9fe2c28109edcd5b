//! `stats`: prints sizes by path and by kind, the longest texts and arrays, and exceeded limits.

mod collect;
mod excess;
mod paths;
mod print;
mod top;

use std::path::Path;

use variant_view::{Document, Objects};

use self::collect::Collected;
use self::print::Sum;
use crate::cli::StatsArgs;
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::terminal::Terminal;
use crate::values::Values;

/// The greatest depth that is read. It is greater than the limit of engines, so that an exceeded limit is reported.
const DEPTH: u32 = 4_096;

pub(crate) fn run(args: &StatsArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let files = Files::of(&args.files, terminal)?;
    let mut sum = Sum::default();
    let worst = files.each(
        terminal,
        |path, terminal| file(path, args, terminal),
        |of_file, _| {
            sum.add(&of_file);
            Ok(Status::Fine)
        },
    )?;
    if files.are_named && !args.json {
        sum.print(terminal)?;
    }
    Ok(worst)
}

/// Prints the statistics of a file. Returns its sizes.
fn file(path: &Path, args: &StatsArgs, terminal: &mut Terminal<'_>) -> Result<Sum, Failure> {
    let file = Values::open(path, terminal)?;
    let mut collected = Collected::new(args.limit);
    let status = file.each_of(terminal, |piece, options, _| {
        let limits = options.limits.depth(DEPTH);
        let options = options.objects(Objects::Accept).limits(limits);
        collected.add(piece, Document::new(piece.bytes, options))?;
        Ok(Status::Fine)
    })?;
    if status != Status::Fine {
        return Err(Failure::Told(status));
    }
    if args.json {
        print::json(&file, &collected, args, terminal)?;
    } else {
        print::text(&file, &collected, args, terminal)?;
    }
    Ok(Sum::of(&collected))
}
