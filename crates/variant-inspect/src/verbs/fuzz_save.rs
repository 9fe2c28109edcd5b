//! `fuzz-save`: finds changes of a save on which a game's loader fails.

mod change;
mod fault;
mod game;
mod place;
mod plan;
mod report;
mod search;
mod shrink;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::Instant;

use self::change::{Change, Saves};
use self::fault::failures;
use self::game::Game;
use self::place::{places, shapes};
use self::plan::{lacking, plan};
use self::report::Report;
use self::search::{Bounds, Results, Search};
use crate::cli::FuzzSaveArgs;
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::output;
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::debug::{Finding, Rule};
use variant_document::count::counted;
use variant_document::output::is_stdout;
use variant_view::Error;

/// The greatest number of places that are changed.
const MOST_PLACES: usize = 4_096;

pub(crate) fn run(args: &FuzzSaveArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    check(args, terminal)?;
    let folder = report::folder(args);
    output::check_folder(&folder)?;
    let file = Values::open(&args.save, terminal)?;
    let saves = Saves::read(&file, &args.older, terminal.common)?;
    let game = Game::new(args, terminal)?;
    let changes = planned(args, &saves, terminal)?;
    let start = Instant::now();
    let results = search(args, game, &saves, &changes, terminal)?;
    let Results { found, runs, refused, why, ended, .. } = results;
    if let Some(failure) = why.filter(|_| runs == 0) {
        return Err(failure);
    }
    let dialect = terminal.common.dialect();
    Report { args, found: &found, folder: &folder, dialect }.write(terminal)?;
    let findings = counted(found.len(), "finding");
    let runs = counted(runs, "run");
    let refused = match refused {
        0 => String::new(),
        refused => format!("; {} cannot be made", counted(refused, "changed save")),
    };
    terminal.note(&format!("{findings} in {runs}, {} s{refused}", start.elapsed().as_secs()))?;
    match ended {
        Some(failure) => Err(failure),
        None if found.is_empty() => Ok(Status::Fine),
        None => Ok(Status::Invalid),
    }
}

/// The changes to try, in order.
fn planned(
    args: &FuzzSaveArgs,
    saves: &Saves<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Vec<Vec<Change>>, Failure> {
    // Each place takes a run at least.
    let most = usize::try_from(args.runs).unwrap_or(usize::MAX).min(MOST_PLACES);
    let places = places(saves.file, most.saturating_add(1), &|_| true);
    let mut places = places.map_err(|error| damaged(saves.file, &error))?;
    if places.len() > most {
        places.truncate(most);
        let first = counted(most, "place");
        terminal.note(&format!("only the first {first} of the save are changed"))?;
    }
    let old = args.older.iter().map(|older| without(older, saves, terminal));
    let old = old.collect::<Result<Vec<_>, _>>()?;
    Ok(plan(saves, &places, &old))
}

/// Runs the game with the unchanged save, and then with changed ones.
fn search(
    args: &FuzzSaveArgs,
    mut game: Game,
    saves: &Saves<'_>,
    changes: &[Vec<Change>],
    terminal: &mut Terminal<'_>,
) -> Result<Results, Failure> {
    let end = Instant::now().checked_add(args.time);
    let bounds = Bounds { runs: args.runs, end, fail_on: args.fail_on };
    let unchanged = unchanged(&mut game, saves, args, terminal)?;
    let progress = terminal.progress;
    if let Some(progress) = progress {
        progress.steps(args.runs.into(), "runs");
    }
    let mut play = |save: &[u8]| {
        let outcome = game.run(save, terminal)?;
        if let Some(progress) = progress {
            progress.file_done();
        }
        Ok((!game.is_asked()).then_some(outcome.findings))
    };
    let mut search = Search::new(saves, &unchanged, bounds, &mut play);
    search.run(changes, args.seed)?;
    Ok(search.results)
}

/// Refuses arguments that would fail only after all runs.
fn check(args: &FuzzSaveArgs, terminal: &Terminal<'_>) -> Result<(), Failure> {
    let is_input = |path: &Path| path == Path::new("-");
    let has_input = is_input(&args.save) || args.older.iter().any(|older| is_input(older));
    if has_input || terminal.common.input.is_some() {
        return Err(Failure::usage("fuzz-save takes a file of bytes"));
    }
    if args.report.iter().filter(|report| is_stdout(&report.file)).count() > 1 {
        return Err(Failure::usage("only one report can be -, standard output"));
    }
    if args.each.is_some_and(|each| each >= args.timeout) {
        return Err(Failure::usage("--for must be shorter than --timeout"));
    }
    if let Some(folder) = args.working.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(Failure::usage(format!("--in {}: not a folder", name(folder))));
    }
    Ok(())
}

fn damaged(file: &Values, error: &Error) -> Failure {
    let how = "fuzz-save needs undamaged saves; variant-inspect check describes the damage";
    Failure::invalid(format!("{}: {error}; {how}", file.input.name))
}

/// The changes that remove what an older save lacks.
fn without(
    older: &Path,
    saves: &Saves<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Vec<Change>, Failure> {
    let file = Values::open(older, terminal)?;
    let old = shapes(&file).map_err(|error| damaged(&file, &error))?;
    let gone = places(saves.file, MOST_PLACES, &|shape| !old.contains(shape));
    gone.map(|gone| lacking(&gone, &old)).map_err(|error| damaged(saves.file, &error))
}

/// Runs the game with the unchanged save. Returns the findings, which do not count later.
fn unchanged(
    game: &mut Game,
    saves: &Saves<'_>,
    args: &FuzzSaveArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Vec<Finding>, Failure> {
    let outcome = game.run(&saves.make(&[])?.bytes, terminal)?;
    if game.is_asked() {
        return Err(Failure::Told(Status::Invalid));
    }
    if let Some(why) = outcome.not_connected {
        let how = if args.working.is_none() {
            "; the game runs in a new folder, and --in . runs it in this one"
        } else {
            ""
        };
        return Err(Failure::invalid(format!("with the unchanged save, {why}{how}")));
    }
    let with = |rule: Rule| outcome.findings.iter().find(|finding| finding.rule == rule);
    if with(Rule::Late).is_some() {
        let how = "--until PATTERN ends a run at a line of output, --for SECONDS after a time";
        let why = "with the unchanged save, the game neither ends nor prints the line of --until";
        return Err(Failure::invalid(format!("{why}; {how}")));
    }
    if let Some(missed) = with(Rule::Missed) {
        // An earlier finding is the cause.
        let cause = outcome.findings.iter().find(|finding| finding.rule.fails(args.fail_on));
        let line = cause.unwrap_or(missed).line();
        return Err(Failure::invalid(format!("with the unchanged save: {line}")));
    }
    let known = failures(&outcome.findings, args.fail_on).len();
    if known > 0 {
        let findings = counted(known, "finding");
        terminal.note(&format!("{findings} with the unchanged save, not counted"))?;
    }
    Ok(outcome.findings)
}
