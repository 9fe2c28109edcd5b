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

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use self::change::{Change, Saves};
use self::fault::counted;
use self::game::Game;
use self::place::{Place, places};
use self::plan::{lacking, plan};
use self::report::Report;
use self::search::{Bounds, Search};
use crate::cli::FuzzSaveArgs;
use crate::failure::{Failure, Status};
use crate::output;
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::debug::{Finding, Rule};
use variant_document::count::counted as number_of;
use variant_document::output::is_stdout;

/// The greatest number of places that are changed.
const MOST_PLACES: usize = 4_096;

pub(crate) fn run(args: &FuzzSaveArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    check(args, terminal)?;
    let folder = report::folder(args);
    output::check_folder(&folder)?;
    let file = Values::open(&args.save, terminal)?;
    let saves = Saves::read(&file, &args.older, terminal.common)?;
    let most = usize::try_from(args.runs).unwrap_or(usize::MAX).min(MOST_PLACES);
    let places = shape(&file, most)?;
    let old: Result<Vec<_>, _> =
        args.older.iter().map(|older| without(older, &places, terminal)).collect();
    let plan = plan(&saves, &places, &old?);
    let mut game = Game::new(args, terminal)?;
    let start = Instant::now();
    if let Some(progress) = terminal.progress {
        progress.steps(args.runs.into(), "runs");
    }
    let unchanged = unchanged(&mut game, &saves, args, terminal)?;
    let end = start.checked_add(args.time);
    let bounds = Bounds { runs: args.runs, end, fail_on: args.fail_on };
    let mut play = |save: &[u8]| {
        let outcome = game.run(save, terminal)?;
        if let Some(progress) = terminal.progress {
            progress.file_done();
        }
        Ok((!game.is_asked()).then_some(outcome.findings))
    };
    let mut search = Search::new(&saves, &unchanged, bounds, &mut play);
    search.run(&plan, args.seed)?;
    let (runs, (refused, why), found) = (search.runs, search.refused, search.found);
    if let Some(failure) = why.filter(|_| found.is_empty() && runs == 0) {
        return Err(failure);
    }
    Report { args, found: &found, folder: &folder }.write(terminal)?;
    let findings = number_of(found.len(), "finding");
    let runs = number_of(runs, "run");
    let left_out = if refused > 0 {
        format!("; {} cannot be made in this file", number_of(refused, "change"))
    } else {
        String::new()
    };
    terminal.note(&format!("{findings} in {runs}, {} s{left_out}", start.elapsed().as_secs()))?;
    Ok(if found.is_empty() { Status::Fine } else { Status::Invalid })
}

/// Refuses arguments that would fail only after all runs.
fn check(args: &FuzzSaveArgs, terminal: &Terminal<'_>) -> Result<(), Failure> {
    if args.save == Path::new("-") || terminal.common.input.is_some() {
        return Err(Failure::usage("fuzz-save takes a file of bytes"));
    }
    if args.report.iter().filter(|report| is_stdout(&report.file)).count() > 1 {
        return Err(Failure::usage("only one report can be -, standard output"));
    }
    Ok(())
}

fn shape(file: &Values, most: usize) -> Result<Vec<Place>, Failure> {
    places(file, most).map_err(|error| {
        let how = "fuzz-save needs an undamaged save; variant-inspect check describes the damage";
        Failure::invalid(format!("{}: {error}; {how}", file.input.name))
    })
}

/// The changes that remove what an older save lacks.
fn without(
    older: &PathBuf,
    places: &[Place],
    terminal: &mut Terminal<'_>,
) -> Result<Vec<Change>, Failure> {
    let file = Values::open(older, terminal)?;
    let old = shape(&file, usize::MAX)?;
    let old: HashSet<String> = old.into_iter().map(|place| place.shape).collect();
    Ok(lacking(places, &old))
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
    let has = |rule: Rule| outcome.findings.iter().any(|finding| finding.rule == rule);
    if has(Rule::Late) || has(Rule::Missed) {
        let how = "--until PATTERN ends a run at a line of output, --for SECONDS after a time";
        let why = "with the unchanged save, the game neither ends nor prints the line of --until";
        return Err(Failure::invalid(format!("{why}; {how}")));
    }
    let known = counted(&outcome.findings, args.fail_on).len();
    if known > 0 {
        let findings = number_of(known, "finding");
        terminal.note(&format!("{findings} with the unchanged save, not counted"))?;
    }
    Ok(outcome.findings)
}
