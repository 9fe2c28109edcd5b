//! The tables of messages.

use std::collections::BTreeSet;

use serde_json::Value;
use variant_debugger::{Argument, Build, Direction, MessageRow, Source, When, messages};

use super::{is_current, read};
use crate::common::CAPTURES;

const HEAD: &str = "| name | arguments | needs | run or read | notes |";

/// A table of the page: the heading of its section, and the messages that it has.
const TABLES: [(&str, Direction, bool); 4] = [
    ("## 8 From a game: Godot 3 and Pandemonium", Direction::FromGame, false),
    ("## 9 From a game: Godot 4", Direction::FromGame, true),
    ("## 10 To a game: Godot 3 and Pandemonium", Direction::ToGame, false),
    ("## 11 To a game: Godot 4", Direction::ToGame, true),
];

/// The rows of a table, in the order of the page. Rows of one name stay together.
fn rows(direction: Direction, is_array: bool) -> Vec<&'static MessageRow> {
    let is_in = |row: &&MessageRow| {
        row.direction == direction
            && row.families.iter().any(|family| family.is_array() == is_array)
    };
    messages().filter(is_in).collect()
}

#[test]
fn the_tables_have_every_message() {
    is_current(|page| {
        let mut page = page.to_owned();
        for (heading, direction, is_array) in TABLES {
            let (before, after) = page.split_once(&format!("{heading}\n")).expect(heading);
            let (between, table) = after.split_once(&format!("{HEAD}\n")).expect(HEAD);
            let old: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
            let rest = table.lines().skip(old.len()).collect::<Vec<_>>().join("\n");
            let new = written(&rows(direction, is_array), is_array, &old).join("\n");
            page = format!("{before}{heading}\n{between}{HEAD}\n{new}\n{rest}\n");
        }
        page
    });
}

/// The lines of a table after its head. A row keeps the notes that follow the meaning in the line with the same name.
fn written(rows: &[&MessageRow], is_array: bool, old: &[&str]) -> Vec<String> {
    let mut lines = vec!["|---|---|---|---|---|".to_owned()];
    let mut seen: Vec<&str> = Vec::new();
    for row in rows {
        let name = format!("| `{}` |", row.name);
        let place = seen.iter().filter(|&&known| known == row.name).count();
        let known = old.iter().filter(|line| line.starts_with(&name)).nth(place);
        let notes =
            known.map_or("", |line| line.trim_end_matches('|').rsplit(" | ").next().unwrap());
        let more = notes.trim().strip_prefix(row.meaning).unwrap_or_default();
        let source = if row.source == Source::Run { "run" } else { "read" };
        let notes = format!("{}{more}", row.meaning);
        let cells = [arguments(row.arguments), needs(row, is_array), source.to_owned(), notes];
        let cells =
            cells.map(|cell| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") });
        lines.push(format!("{name}{}", cells.concat()));
        seen.push(row.name);
    }
    lines
}

/// The names of the arguments with kinds and units. Those that repeat follow `n ×`.
fn arguments(arguments: &[Argument]) -> String {
    let one = |argument: &Argument| {
        let unit =
            if argument.unit.is_empty() { String::new() } else { format!(" ({})", argument.unit) };
        format!("{} {}{unit}", argument.name, argument.kind)
    };
    let fixed = arguments.iter().filter(|argument| !argument.repeats).map(one);
    let repeated: Vec<_> = arguments.iter().filter(|argument| argument.repeats).map(one).collect();
    let repeated = match repeated.as_slice() {
        [] => None,
        [one] => Some(format!("n × {one}")),
        several => Some(format!("n × ({})", several.join(", "))),
    };
    let all: Vec<_> = fixed.chain(repeated).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Family, versions, state and build that a message needs.
fn needs(row: &MessageRow, is_array: bool) -> String {
    let families: Vec<_> =
        row.families.iter().filter(|family| family.is_array() == is_array).collect();
    let family =
        if let [family] = families.as_slice() { format!("`{family:?}`") } else { String::new() };
    let versions = match (row.since, row.until) {
        (Some(since), Some(until)) if since == until => since.to_string(),
        (Some(since), Some(until)) => format!("{since} to {until}"),
        (Some(since), None) => format!("{since}+"),
        (None, Some(until)) => format!("to {until}"),
        (None, None) => String::new(),
    };
    let when = match row.when {
        When::Always => "",
        When::Running => "running",
        When::Stopped => "stopped",
    };
    let build = if row.build == Build::Debug { "debug" } else { "" };
    let all = [family, versions, when.to_owned(), build.to_owned()];
    all.into_iter().filter(|need| !need.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The messages of docs/spec/debugger.json are those of the table, in its order.
#[test]
fn the_json_is_the_table() {
    let json: Value = serde_json::from_str(&read("docs/spec/debugger.json")).unwrap();
    let listed = json["messages"].as_array().unwrap();
    assert_eq!(listed.len(), messages().count());
    for (listed, row) in listed.iter().zip(messages()) {
        assert_eq!(listed["name"], row.name);
        let source = if row.source == Source::Run { "run" } else { "read" };
        assert_eq!(listed["source"], source, "{}", row.name);
        let names: Vec<_> = row.arguments.iter().map(|argument| argument.name).collect();
        let found: Vec<_> = listed["arguments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a["name"].as_str().unwrap())
            .collect();
        assert_eq!(found, names, "{}", row.name);
        assert_eq!(listed["least"], row.least, "{}", row.name);
        assert_eq!(listed["most"].as_u64(), row.most.map(|most| most as u64), "{}", row.name);
    }
}

/// A message that is marked `run` is in a capture of its families, and a message that is in one is marked `run`.
#[test]
fn the_marks_are_those_of_the_captures() {
    let captured = captured();
    assert!(captured.len() > 60, "{}", captured.len());
    for row in messages().filter(|row| row.source == Source::Run) {
        assert!(captured.iter().any(|message| is_of(row, message)), "no capture has {}", row.name);
    }
    for message in &captured {
        let mut known = messages().filter(|row| is_of(row, message)).peekable();
        let is_known = known.peek().is_some();
        let is_run = known.any(|row| row.source == Source::Run);
        assert!(!is_known || is_run, "a capture has {message:?}, which is marked as read");
    }
}

/// Whether a message of a capture is of a row, whose name may end in `*`.
fn is_of(row: &MessageRow, (is_from_game, is_array, name): &(bool, bool, String)) -> bool {
    let is_named = match row.name.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => row.name == name,
    };
    is_named
        && (row.direction == Direction::FromGame) == *is_from_game
        && row.families.iter().any(|family| family.is_array() == *is_array)
}

/// Direction, form and name of the messages of all captures.
fn captured() -> BTreeSet<(bool, bool, String)> {
    let mut all = BTreeSet::new();
    for (name, family, _) in CAPTURES {
        for message in super::examples::messages_of(name) {
            all.insert((message.is_from_game, family.is_array(), message.name));
        }
    }
    all
}
