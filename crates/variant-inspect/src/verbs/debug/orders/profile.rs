//! The order `profile`: the time that each function takes.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io;

use serde_json::json;
use variant_debugger::{Command, FunctionProfile, List, Message, Profiler, Value};
use variant_owned::Variant;

use super::super::desk::{Desk, soon};
use super::super::finding::{Place, clipped};
use super::super::link::Ended;
use super::super::shown;
use crate::cli::{ProfileArgs, SortArg};
use crate::failure::{Failure, Status};
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::count::counted;
use variant_document::escape::neutral;

/// The number of functions that the game sends.
const FUNCTIONS: i64 = 512;

/// The most signatures that are kept. A game may send any number of them.
const SIGNATURES: usize = 1 << 16;

/// The longest signature that is kept, in characters.
const LONGEST: usize = 1 << 10;

/// The times of a function.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    place: Place,
    times: FunctionProfile,
}

pub(super) fn profile(
    args: &ProfileArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    desk.known(terminal)?;
    let mut names = HashMap::new();
    let functions = Variant::from(FUNCTIONS);
    let options = [Value::from(&functions)];
    desk.link.send(&switch(true, &options))?;
    let waited = desk.wait(soon(args.time), terminal, |message| {
        remember(message, &mut names);
        None::<()>
    })?;
    match waited {
        Ended::Closed => return Err(Failure::invalid("the game ended during the measurement")),
        Ended::Asked => return Err(Failure::Told(Status::Invalid)),
        _ => {}
    }
    let times = desk.ask(&switch(false, &[]), "its profile", terminal, |message| {
        remember(message, &mut names);
        match message {
            Message::ProfileTotal(profile) => {
                Some(shown::sound(profile.functions.clone()).collect())
            }
            _ => None,
        }
    })?;
    let rows = rows(times, &names, args.sort);
    print(&rows, args, desk.log.is_json, terminal)
}

fn switch<'a>(enable: bool, options: &'a [Value<'a>]) -> Command<'a> {
    let options = List::from(options);
    Command::Profile { profiler: Profiler::Scripts, enable, options }
}

fn remember(message: &Message<'_>, names: &mut HashMap<i64, String>) {
    if let Message::FunctionSignature { signature, number } = message
        && names.len() < SIGNATURES
    {
        names.insert(*number, clipped(signature, LONGEST));
    }
}

/// The rows in the order of the table.
fn rows(times: Vec<FunctionProfile>, names: &HashMap<i64, String>, sort: SortArg) -> Vec<Row> {
    let place = |times: &FunctionProfile| match names.get(&times.signature) {
        Some(signature) => place_of(signature),
        None => Place { function: format!("function {}", times.signature), ..Place::default() },
    };
    let mut rows: Vec<_> = times
        .into_iter()
        .filter(|times| times.calls > 0)
        .map(|times| Row { place: place(&times), times })
        .collect();
    let by = |one: &Row, other: &Row| -> Ordering {
        let (one, other) = (&one.times, &other.times);
        match sort {
            SortArg::Own => other.own.total_cmp(&one.own),
            SortArg::Total => other.total.total_cmp(&one.total),
            SortArg::Calls => other.calls.cmp(&one.calls),
        }
    };
    rows.sort_by(by);
    rows
}

/// The place of a signature: `res://main.gd::25::_process`, in Godot 4 also with a class after it.
fn place_of(signature: &str) -> Place {
    let mut parts = signature.splitn(3, "::");
    let file = parts.next().unwrap_or_default().to_owned();
    let line = parts.next().and_then(|line| line.parse().ok());
    match (line, parts.next()) {
        (Some(line), Some(function)) => Place { file, line, function: function.to_owned() },
        _ => Place { function: signature.to_owned(), ..Place::default() },
    }
}

fn print(
    rows: &[Row],
    args: &ProfileArgs,
    is_json: bool,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    if rows.is_empty() {
        let why = "no function ran; release builds measure none";
        return Ok(terminal.note(why)?);
    }
    let shown = rows.iter().take(args.limit);
    match (is_json, args.csv) {
        (true, _) => shown.into_iter().try_for_each(|row| json_row(row, terminal))?,
        (false, true) => csv(shown, terminal)?,
        (false, false) => table(shown, terminal)?,
    }
    let left = rows.len().saturating_sub(args.limit);
    if left > 0 {
        terminal.note(&format!("{} more; --limit prints them", counted(left, "function")))?;
    }
    Ok(())
}

fn json_row(row: &Row, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Row { place, times } = row;
    terminal.json(&json!({
        "type": "function",
        "file": place.file,
        "line": place.line,
        "function": place.function,
        "calls": times.calls,
        "own": times.own,
        "total": times.total,
    }))
}

fn csv<'r>(rows: impl Iterator<Item = &'r Row>, terminal: &mut Terminal<'_>) -> io::Result<()> {
    writeln!(terminal.out, "file,line,function,calls,own_seconds,total_seconds")?;
    for Row { place, times } in rows {
        let [file, function] = [&place.file, &place.function].map(|text| quoted(text));
        let (line, calls) = (place.line, times.calls);
        writeln!(terminal.out, "{file},{line},{function},{calls},{},{}", times.own, times.total)?;
    }
    Ok(())
}

/// A cell of a table with commas between.
fn quoted(text: &str) -> String {
    format!("\"{}\"", neutral(text).replace('"', "\"\""))
}

fn table<'r>(rows: impl Iterator<Item = &'r Row>, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Palette { key, note, .. } = terminal.palette();
    writeln!(
        terminal.out,
        "{note}{:>9} {:>11} {:>11}  function{note:#}",
        "calls", "own ms", "total ms"
    )?;
    for Row { place, times } in rows {
        let [own, total] = [times.own, times.total].map(|seconds| seconds * 1_000.0);
        let calls = times.calls;
        writeln!(terminal.out, "{calls:>9} {own:>11.3} {total:>11.3}  {key}{place}{key:#}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_a_place() {
        let place = place_of("res://main.gd::25::_process");
        assert_eq!(place.to_string(), "_process (res://main.gd:25)");
        assert_eq!(place_of("Node2D::draw").to_string(), "Node2D::draw (:0)");
    }

    #[test]
    fn rows_are_in_the_order_of_the_argument() {
        let row = |signature, calls, own, total| FunctionProfile {
            signature,
            calls,
            own,
            total,
            internal: None,
        };
        let times = vec![row(1, 9, 0.1, 0.2), row(2, 1, 0.3, 0.3), row(3, 5, 0.2, 0.9)];
        let names = HashMap::from([(1, "a.gd::1::one".to_owned())]);
        for (sort, order) in
            [(SortArg::Own, [2, 3, 1]), (SortArg::Total, [3, 2, 1]), (SortArg::Calls, [1, 3, 2])]
        {
            let rows = rows(times.clone(), &names, sort);
            assert_eq!(rows.iter().map(|row| row.times.signature).collect::<Vec<_>>(), order);
        }
    }
}
