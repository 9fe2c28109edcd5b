//! `merge`: adds the values of OTHER to FILE, or the changes that lead from BASE to OTHER.

use std::io;
use std::path::Path;

use variant_document::convert::{Loss, Losses};
use variant_document::count::counted;
use variant_document::escape::neutral;
use variant_document::merge::{Conflict, Conflicts, Side, merge};

use crate::cli::{CommonArgs, FramingArg, MergeArgs, Prefer, TailArg};
use crate::failure::{Failure, Status};
use crate::output;
use crate::report::or_root;
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use crate::values::Values;

pub(crate) fn run(args: &MergeArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let inputs = [Some(&args.file), Some(&args.other), args.base.as_ref()].into_iter().flatten();
    if inputs.filter(|path| path.as_path() == Path::new("-")).count() > 1 {
        return Err(Failure::usage("standard input can be one of the files only"));
    }
    if let Some(output) = &args.change.output {
        for input in [Some(&args.other), args.base.as_ref()].into_iter().flatten() {
            output::check(input, output)?;
        }
    }
    // The arguments for FILE do not apply to the other files.
    let of_other = CommonArgs {
        dialect: args.other_dialect,
        as_documented: None,
        reals: None,
        framing: FramingArg::Auto,
        skip: 0,
        tail: TailArg::Keep,
        ..terminal.common.clone()
    };
    rewrite(&args.file, &args.change, terminal, |draft, terminal| {
        let mut open = |path| Values::open(path, &mut terminal.with(&of_other));
        let other = open(&args.other)?;
        let base = args.base.as_deref().map(open).transpose()?;
        let side = args.prefer.map_or(Side::Ours, Side::from);
        let base = base.as_ref().map(Values::plain);
        let merged = draft.change(|draft| merge(draft, other.plain(), base, side))?;
        print(&merged.losses, terminal)?;
        if merged.conflicts.count > 0 && args.prefer.is_none() {
            return Err(refused(&args.file, &merged.conflicts));
        }
        Ok(())
    })
}

/// The maximum number of listed conflicts, and of listed losses.
const MOST_LISTED: usize = 20;

/// Prints what the values of OTHER lost in their conversion to the dialect of FILE.
fn print(losses: &Losses, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let mut left = losses.groups;
    for Loss { called, message, .. } in losses.first.iter().take(MOST_LISTED) {
        writeln!(terminal.err, "{}{}", prefix(called.as_deref()), neutral(message))?;
        left = left.saturating_sub(1);
    }
    match left {
        0 => Ok(()),
        left => terminal.note(&format!("and {} of changes", counted(left, "more line"))),
    }
}

/// The name of a frame or setting as a prefix; empty in a bare file.
fn prefix(called: Option<&str>) -> String {
    called.map_or_else(String::new, |called| format!("{called}: "))
}

/// The failure for values that both files changed.
fn refused(file: &Path, conflicts: &Conflicts) -> Failure {
    let mut message = format!(
        "{}: both files changed {}; choose a side with --prefer",
        crate::open::name(file),
        counted(conflicts.count, "value")
    );
    for conflict in conflicts.first.iter().take(MOST_LISTED) {
        message.push('\n');
        message.push_str(&line(conflict));
    }
    Failure::invalid(message)
}

/// A conflict in one line.
fn line(conflict: &Conflict) -> String {
    let Conflict { called, path, base, ours, theirs, .. } = conflict;
    let [base, ours, theirs] =
        [base, ours, theirs].map(|value| value.as_deref().map_or("nothing".into(), neutral));
    let path = neutral(or_root(path));
    let called = prefix(called.as_deref());
    format!("  {called}{path}: it was {base}, FILE has {ours}, OTHER has {theirs}")
}

impl From<Prefer> for Side {
    fn from(prefer: Prefer) -> Self {
        match prefer {
            Prefer::Ours => Self::Ours,
            Prefer::Theirs => Self::Theirs,
        }
    }
}
