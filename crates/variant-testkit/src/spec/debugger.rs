//! debugger.json: the messages of the remote debugger, and their names and arguments for variant.lua.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use variant_debugger::{Argument, Build, Direction, Family, MessageRow, Source, When, messages};
use variant_view::Dialect;

const COMMENT: &[&str] = &[
    "Messages of the remote debugger. Generated: cargo run -p variant-testkit --bin spec. docs/debugger.md describes the protocol.",
    "families: threads, whether messages name a thread; array, whether a message is one frame; longest_command, bytes of a frame to the game.",
    "messages: since and until are versions of Godot 4, the first and the last that have the message; null: no bound, or another engine.",
    "arguments: elements in wire order. Those with repeats come last, and occur any number of times as a group. kind any: a value of any type.",
    "counted: the elements that repeat are not one group; counts among the elements are those of the following ones, as the page describes.",
    "least, most: number of elements; most null: any. Fewer elements than least may crash a game.",
    "when: the state in which a game reads the message. build: debug, only builds with DEBUG_ENABLED have it.",
    "source: run, an engine was seen to send or to receive it; read, known from the source of engines alone.",
];

#[derive(Serialize)]
struct Tables {
    comment: &'static [&'static str],
    license: &'static str,
    families: Vec<FamilyRow>,
    messages: Vec<Row>,
}

#[derive(Serialize)]
struct FamilyRow {
    family: &'static str,
    threads: bool,
    array: bool,
    longest_command: usize,
    dialects: Vec<&'static str>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    direction: &'static str,
    families: Vec<&'static str>,
    since: Option<String>,
    until: Option<String>,
    arguments: Vec<ArgumentRow>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    counted: bool,
    least: usize,
    most: Option<usize>,
    when: &'static str,
    build: &'static str,
    source: &'static str,
    meaning: &'static str,
}

#[derive(Serialize)]
struct ArgumentRow {
    name: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    unit: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeats: bool,
}

/// The whole text of the file.
pub(super) fn tables() -> io::Result<String> {
    let tables = Tables {
        comment: COMMENT,
        license: "CC0-1.0",
        families: Family::ALL.iter().copied().map(family_row).collect(),
        messages: messages().map(row).collect(),
    };
    Ok(serde_json::to_string_pretty(&tables)? + "\n")
}

fn family_row(family: Family) -> FamilyRow {
    let dialects = Dialect::ALL.iter().filter(|&&dialect| family.has_dialect(dialect));
    FamilyRow {
        family: family.name(),
        threads: family.has_threads(),
        array: family.is_array(),
        longest_command: family.longest_command(),
        dialects: dialects.map(|dialect| dialect.name()).collect(),
    }
}

fn row(row: &MessageRow) -> Row {
    Row {
        name: row.name,
        direction: match row.direction {
            Direction::FromGame => "from_game",
            Direction::ToGame => "to_game",
        },
        families: row.families.iter().map(|family| family.name()).collect(),
        since: row.since.map(|version| version.to_string()),
        until: row.until.map(|version| version.to_string()),
        arguments: row.arguments.iter().map(argument_row).collect(),
        counted: is_counted(row),
        least: row.least,
        most: row.most,
        when: match row.when {
            When::Always => "always",
            When::Running => "running",
            When::Stopped => "stopped",
        },
        build: match row.build {
            Build::Any => "any",
            Build::Debug => "debug",
        },
        source: match row.source {
            Source::Run => "run",
            Source::Read => "read",
        },
        meaning: row.meaning,
    }
}

/// Whether the elements that repeat are not one group.
fn is_counted(row: &MessageRow) -> bool {
    let is_list = row.families.iter().any(|family| !family.is_array());
    row.name.contains("profile_frame") && !row.name.starts_with("performance")
        || row.name.contains("profile_total")
        || row.name == "stack_frame_vars" && is_list
}

fn argument_row(argument: &Argument) -> ArgumentRow {
    ArgumentRow {
        name: argument.name,
        kind: argument.kind,
        unit: argument.unit,
        repeats: argument.repeats,
    }
}

/// The table of the dissector: by direction and form, the names of the arguments of each message.
pub(super) fn names() -> String {
    let mut text = String::new();
    for (title, direction, is_array) in [
        ("from_frames", Direction::FromGame, false),
        ("from_array", Direction::FromGame, true),
        ("to_frames", Direction::ToGame, false),
        ("to_array", Direction::ToGame, true),
    ] {
        let mut rows: BTreeMap<&str, &MessageRow> = BTreeMap::new();
        for row in messages().filter(|row| row.direction == direction) {
            if row.families.iter().any(|family| family.is_array() == is_array) {
                // Versions may add arguments to a message. The longest row names them all.
                let known = rows.entry(row.name).or_insert(row);
                *known = if known.arguments.len() < row.arguments.len() { row } else { known };
            }
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    {title} = {{");
        for (name, row) in rows {
            let _ = writeln!(text, "        [\"{name}\"] = {{ {} }},", arguments_in_lua(row));
        }
        text.push_str("    },\n");
    }
    text
}

/// Names are wrong for elements that repeat but are not one group, so they have none.
fn arguments_in_lua(row: &MessageRow) -> String {
    let quoted = |repeats: bool| {
        let of = row.arguments.iter().filter(move |argument| argument.repeats == repeats);
        of.map(|argument| format!("\"{}\"", argument.name)).collect::<Vec<_>>().join(", ")
    };
    let (fixed, repeated) = (quoted(false), quoted(true));
    let each = match repeated.as_str() {
        "" => None,
        _ if is_counted(row) => None,
        repeated => Some(format!("each = {{ {repeated} }}")),
    };
    Some(fixed)
        .filter(|fixed| !fixed.is_empty())
        .into_iter()
        .chain(each)
        .collect::<Vec<_>>()
        .join(", ")
}
