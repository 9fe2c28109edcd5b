//! `diff`: compares two files, value by value, whatever their dialects and wrappings.

mod alike;
mod changes;
mod documents;
mod ident;
mod label;
mod leaf;
mod level;
mod lists;
mod order;
mod regions;
mod rule;
mod run;
mod side;
mod spans;
mod tell;
mod trail;
mod walk;

use std::path::Path;

use variant_io::Framing;

use self::changes::Changes;
use self::documents::{Job, Scope};
use self::ident::{ALONE, Ident, partners};
use crate::cli::{CommonArgs, DiffArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::Piece;
use variant_document::escape::{escaped, shortened};

/// The status if a file is damaged, so that it is told from a difference.
const TROUBLE: Status = Status::Usage;

pub(crate) fn run(
    args: &DiffArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    if args.old == Path::new("-") && args.new == Path::new("-") {
        let message = "standard input can be read once; name one of the files".to_owned();
        return Err(Failure::file(Status::Usage, message));
    }
    let scope = Scope::of(args)?;
    let old = Values::open(&args.old, common, terminal).map_err(trouble)?;
    let mut of_new = common.clone();
    if args.new_dialect.is_some() {
        (of_new.dialect, of_new.as_documented) = (args.new_dialect, None);
    }
    let new = Values::open(&args.new, &of_new, terminal).map_err(trouble)?;
    let mut changes = Changes::new(args);
    let mut job = Job::new(args, scope, &old, &new);
    let status = compare(&mut job, &mut changes, terminal)?;
    if status != Status::Fine {
        return Ok(status);
    }
    if let (Some(at), false) = (&args.at, job.was_found) {
        let message = format!("nothing is at the path {}", escaped(&shortened(at)));
        return Err(Failure::file(Status::Usage, message));
    }
    changes.finish(terminal)?;
    Ok(changes.status())
}

/// The failure of a file that cannot be compared: no difference.
fn trouble(failure: Failure) -> Failure {
    match failure {
        Failure::File { status, message } => Failure::File { status: status.max(TROUBLE), message },
        Failure::Told(status) => Failure::Told(status.max(TROUBLE)),
        failure @ Failure::Output(_) => failure,
    }
}

/// Compares the values of both files: settings by name, others by number.
fn compare(
    job: &mut Job<'_>,
    changes: &mut Changes<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let (old, new) = (job.old, job.new);
    let mut a = old.plain().pieces();
    let mut b = new.plain().pieces();
    let framings = (old.choice.framing, new.choice.framing);
    if framings == (Framing::Settings, Framing::Settings) {
        let read = (a.collect::<Result<Vec<_>, _>>(), b.collect::<Result<Vec<_>, _>>());
        return match read {
            (Ok(a), Ok(b)) => by_name(job, (&a, &b), changes, terminal),
            (Err(error), _) => cut(old, &error, terminal),
            (_, Err(error)) => cut(new, &error, terminal),
        };
    }
    loop {
        let (a, b) = match (a.next().transpose(), b.next().transpose()) {
            (Ok(None), Ok(None)) => return Ok(Status::Fine),
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), _) => return cut(old, &error, terminal),
            (_, Err(error)) => return cut(new, &error, terminal),
        };
        let status = job.pieces(a.as_ref(), b.as_ref(), changes, terminal)?;
        if status != Status::Fine {
            return Ok(status);
        }
    }
}

/// Settings, which the engine reads by name.
fn by_name(
    job: &mut Job<'_>,
    (old, new): (&[Piece<'_>], &[Piece<'_>]),
    changes: &mut Changes<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let ident =
        |piece: &Piece<'_>| -> Option<Ident> { piece.name.map(|name| job.idents.of_bytes(name)) };
    let [old_ids, new_ids] = [old, new].map(|pieces| pieces.iter().map(ident).collect::<Vec<_>>());
    let mut is_taken = vec![false; new.len()];
    for (a, partner) in old.iter().zip(partners(&old_ids, &new_ids)) {
        let at = usize::try_from(partner).ok().filter(|_| partner != ALONE);
        let b = at.and_then(|at| new.get(at));
        if let Some(taken) = at.and_then(|at| is_taken.get_mut(at)) {
            *taken = true;
        }
        let status = job.pieces(Some(a), b, changes, terminal)?;
        if status != Status::Fine {
            return Ok(status);
        }
    }
    for (b, _) in new.iter().zip(is_taken).filter(|(_, is_taken)| !is_taken) {
        let status = job.pieces(None, Some(b), changes, terminal)?;
        if status != Status::Fine {
            return Ok(status);
        }
    }
    Ok(Status::Fine)
}

/// Tells that a file ends within a value.
fn cut(
    values: &Values,
    error: &variant_io::ValueError,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    terminal.error(&format!("{}: {}", values.input.name, values.plain().cut(error)))?;
    Ok(TROUBLE)
}
