//! The orders `send` and `watch`: messages of the game's own code.

use std::io;
use std::time::Instant;

use serde_json::json;
use variant_debugger::{Command, Direction, Event, List, Message, Value, messages};
use variant_document::edit::literal;
use variant_owned::Variant;

use super::super::desk::{Desk, soon};
use super::super::link::Ended;
use super::super::shown;
use crate::cli::{SendArgs, WatchArgs};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use variant_document::count::counted;
use variant_document::escape::{escaped, neutral};

/// The number of values of a message that a line shows.
const SHOWN: usize = 32;

pub(super) fn send(
    args: &SendArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    desk.known(terminal)?;
    check(args, desk)?;
    let dialect = desk.dialect()?;
    let values = args.values.iter().map(|text| {
        literal(text, dialect)
            .map_err(|why| Failure::usage(format!("{} is not a value: {why}", escaped(text))))
    });
    let values = values.collect::<Result<Vec<Variant>, _>>()?;
    let values: Vec<_> = values.iter().map(Value::from).collect();
    let name = args.name.as_str().into();
    desk.link.send(&Command::Custom { name, arguments: List::from(&values) })
}

/// Without `--raw`, only messages of the game's own code are sent.
fn check(args: &SendArgs, desk: &Desk<'_>) -> Result<(), Failure> {
    let Some(family) = desk.link.family().filter(|_| !args.raw) else { return Ok(()) };
    if !family.is_array() {
        let what = "scripts of Godot 3 and Pandemonium have no messages of the debugger";
        return Err(Failure::invalid(format!("{what}; --raw sends a message of the engine")));
    }
    let is_engine = |name: &str| name == args.name && !name.is_empty();
    let mut rows = messages().filter(|row| row.direction == Direction::ToGame);
    if rows.any(|row| is_engine(row.name)) {
        let name = escaped(&args.name);
        let how = "--raw sends it; a game may end if the values are wrong";
        return Err(Failure::invalid(format!("{name} is a message of the engine; {how}")));
    }
    Ok(())
}

pub(super) fn watch(
    args: &WatchArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let until = args.time.and_then(soon);
    let mut left = args.count.unwrap_or(u64::MAX);
    while left > 0 {
        match next(args, until, desk, terminal)? {
            Ended::With(()) => left = left.saturating_sub(1),
            Ended::Late => return Err(Failure::invalid("the time of --timeout is over")),
            Ended::Asked => return Err(Failure::Told(Status::Fine)),
            Ended::Closed if args.count.is_some() => {
                let missing = counted(left, "message");
                return Err(Failure::invalid(format!(
                    "the game ended, and {missing} did not come"
                )));
            }
            Ended::Time | Ended::Closed => return Ok(()),
        }
    }
    Ok(())
}

/// Prints the next message.
fn next(
    args: &WatchArgs,
    until: Option<Instant>,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Ended<()>, Failure> {
    let Desk { link, log, .. } = desk;
    link.run(until, terminal, |event, time, terminal| {
        let Some(event) = log.heard(event, time, terminal)? else { return Ok(None) };
        let Message::Custom { name, elements } = event.message() else { return Ok(None) };
        let is_wanted = args.prefixes.is_empty()
            || args.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()));
        if !is_wanted {
            return Ok(None);
        }
        if log.is_json {
            let values: Vec<_> = shown::sound(elements).map(|value| shown::json(&value)).collect();
            terminal.json(&json!({
                "type": "message",
                "time": time.as_secs_f64(),
                "name": name,
                "thread": event.thread(),
                "values": values,
            }))?;
        } else {
            line(event, &name, elements, terminal)?;
        }
        Ok(Some(()))
    })
}

fn line<'a>(
    event: &Event<'a>,
    name: &str,
    elements: List<'a, Value<'a>>,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let key = terminal.palette().key;
    let mut values: Vec<_> =
        shown::sound(elements).take(SHOWN).map(|value| shown::short(&value)).collect();
    if values.len() == SHOWN {
        values.push(format!("... ({})", counted(event.bytes().len(), "byte")));
    }
    writeln!(terminal.out, "{key}{}{key:#} {}", neutral(name), values.join(", "))
}
