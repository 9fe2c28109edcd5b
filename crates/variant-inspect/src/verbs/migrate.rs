//! `migrate`: brings old saves to the newest version of a game.

mod outcome;
mod schema;

use std::fs;
use std::io;
use std::path::Path;

use variant_document::migration::{Applied, Check, Migration};
use variant_document::output::is_stdout;

use self::outcome::Outcome;
use self::schema::Schemas;
use crate::cli::MigrateArgs;
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::open::name;
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use crate::values::Values;

pub(crate) fn run(args: &MigrateArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if args.json && args.change.output.as_deref().is_some_and(is_stdout) {
        return Err(Failure::usage("--json and -o - both write to standard output"));
    }
    let migration = read(&args.steps)?;
    let schemas = Schemas::of(&args.steps, &migration, args.test.is_some())?;
    let files = Files::of(&args.files(), terminal)?;
    if args.change.output.is_some() && files.are_named {
        return Err(Failure::usage("-o takes one file; without it each file is replaced"));
    }
    let work = |path: &Path, terminal: &mut Terminal<'_>| {
        let result = if args.test.is_some() {
            try_out(path, &migration, &schemas, terminal)
        } else {
            if files.are_named && args.change.dry_run && !args.json {
                writeln!(terminal.out, "{}:", name(path))?;
            }
            migrate(path, &migration, args, terminal)
        };
        outcome::print(path, result, args, terminal)
    };
    files.each(terminal, work, |status, _| Ok(status))
}

fn read(path: &Path) -> Result<Migration, Failure> {
    let called = name(path);
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Failure::invalid(format!("{called}: not UTF-8 text")),
        _ => Failure::io(format!("{called}: {}", crate::open::explain(&error))),
    })?;
    Migration::parse(&text, &called).map_err(|error| Failure::invalid(error.to_string()))
}

/// Migrates a file, and writes it.
fn migrate(
    path: &Path,
    migration: &Migration,
    args: &MigrateArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Outcome, Failure> {
    let mut outcome = None;
    let mut sink = io::sink();
    let common = terminal.common;
    let mut terminal = terminal.with(common);
    if args.json {
        terminal.out = &mut sink;
    }
    rewrite(path, &args.change, &mut terminal, |draft, _| {
        let applied = apply(draft, migration, &mut |_, _| Ok(()))?;
        outcome = Some(Outcome { applied, changes: draft.changes.clone() });
        Ok(())
    })?;
    outcome.ok_or(Failure::Told(Status::Invalid))
}

/// Migrates a file in memory, and checks the result of each migration.
fn try_out(
    path: &Path,
    migration: &Migration,
    schemas: &Schemas,
    terminal: &mut Terminal<'_>,
) -> Result<Outcome, Failure> {
    let file = Values::open(path, terminal)?;
    let mut draft = Draft::new(&file, terminal.common);
    let applied =
        apply(&mut draft, migration, &mut |document, stage| schemas.check(document, stage))?;
    Ok(Outcome { applied, changes: draft.changes.clone() })
}

/// Migrates the values of a draft.
fn apply(
    draft: &mut Draft<'_>,
    migration: &Migration,
    check: &mut Check<'_>,
) -> Result<Vec<Applied>, Failure> {
    let mut all = Vec::new();
    let refused = |error| Failure::invalid(format!("{}: {error}", draft.file.input.name));
    migration.check_frame(&draft.plain()).map_err(refused)?;
    draft.graft(|value, document| {
        let Some((graft, applied)) = migration.graft(value.number, document, check)? else {
            return Ok(None);
        };
        all.push(applied);
        Ok(graft)
    })?;
    Ok(all)
}
