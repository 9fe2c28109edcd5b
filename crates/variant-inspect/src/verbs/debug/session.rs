//! `debug session`: follows several orders in one connection, from arguments, a script or standard input.

use std::fs;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;

use super::desk::{Desk, soon};
use super::link::{Ended, Link, Tap, wait_for_game};
use super::log::Log;
use super::orders::{follow, follow_once};
use crate::cli::{AttachArgs, Once, Order, SessionArgs};
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::terminal::Terminal;
use variant_document::escape::{escaped, neutral_lines};

/// The time that the game gets while the user types.
const TYPING: Duration = Duration::from_millis(20);

/// The longest script, in bytes.
const LONGEST: u64 = 1 << 20;

/// A line of a session.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, name = "", disable_version_flag = true)]
struct Typed {
    #[command(subcommand)]
    order: Order,
}

/// A line as an order. `None` for an empty line and a comment.
///
/// # Errors
/// The help, or what is wrong with the line.
pub(super) fn order(line: &str) -> Result<Option<Order>, clap::Error> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let words = shell_words::split(line).map_err(|error| {
        clap::Error::raw(ErrorKind::InvalidValue, format!("{}: {error}\n", escaped(line)))
    })?;
    Typed::try_parse_from(words).map(|typed| Some(typed.order))
}

/// The orders of `--do`, checked before a game starts.
pub(super) fn orders(lines: &[String]) -> Result<Vec<Order>, Failure> {
    let orders = lines.iter().enumerate().filter_map(|(number, line)| {
        let number = number.saturating_add(1);
        let failed = |error| Failure::usage(format!("order {number}: {}", message(&error)));
        order(line).map_err(failed).transpose()
    });
    orders.collect()
}

/// The first line of an error of the arguments.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// A connection for orders.
pub(super) fn attach<'l>(
    args: &AttachArgs,
    is_shown: bool,
    tap: Option<Tap<'l>>,
    terminal: &mut Terminal<'_>,
) -> Result<Desk<'l>, Failure> {
    let caller = wait_for_game(args, terminal)?;
    let mut link = Link::new(caller, tap);
    if args.leave {
        link.leave();
    }
    Ok(Desk::new(link, Log::new(args.json, is_shown, &[])))
}

pub(super) fn run(args: &SessionArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let script = match &args.script {
        Some(path) if path != Path::new("-") => Some(script(path)?),
        Some(_) => None,
        None if args.orders.is_empty() => None,
        None => Some(orders(&args.orders)?),
    };
    let mut desk = attach(&args.attach, true, None, terminal)?;
    let result = match script {
        Some(orders) => each(&orders, args.keep_going, &mut desk, terminal),
        None => typed(args.keep_going, &mut desk, terminal),
    };
    let left = desk.leave(terminal);
    result.and_then(|status| left.map(|()| status))
}

/// The orders of a file.
fn script(path: &Path) -> Result<Vec<Order>, Failure> {
    let failed = |error: io::Error| Failure::io(format!("{}: {error}", name(path)));
    if fs::metadata(path).map_err(failed)?.len() > LONGEST {
        return Err(Failure::usage(format!("{}: too long for a script", name(path))));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    let orders = text.lines().enumerate().filter_map(|(number, line)| {
        let place = format!("{}: line {}", name(path), number.saturating_add(1));
        let failed = |error| Failure::usage(format!("{place}: {}", message(&error)));
        order(line).map_err(failed).transpose()
    });
    orders.collect()
}

fn each(
    orders: &[Order],
    keeps_going: bool,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let mut status = Status::Fine;
    for order in orders {
        status = status.max(one(order, keeps_going, desk, terminal)?);
    }
    Ok(status)
}

/// Follows an order. A failure is printed if further orders follow.
fn one(
    order: &Order,
    keeps_going: bool,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    match follow(order, desk, terminal) {
        Err(Failure::File { status, message }) if keeps_going && !desk.link.is_closed() => {
            terminal.error(&message)?;
            Ok(status)
        }
        result => result.map(|()| Status::Fine),
    }
}

/// Follows the lines of standard input. Meanwhile prints what the game says. On a terminal, a failed order does not end
/// the session.
fn typed(
    keeps_going: bool,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let is_typed = io::stdin().is_terminal();
    let keeps_going = keeps_going || is_typed;
    let lines = input().map_err(|error| Failure::io(format!("standard input: {error}")))?;
    let mut status = Status::Fine;
    if is_typed {
        terminal.note("help lists the orders; ctrl-d ends")?;
    }
    loop {
        match desk.wait(soon(TYPING), terminal, |_| None::<()>)? {
            Ended::Time | Ended::With(()) => {}
            Ended::Closed if !is_typed && is_unread(&lines) => {
                return Err(Failure::invalid("the game has ended, and orders are left"));
            }
            Ended::Closed => {
                terminal.note("the game has ended")?;
                return Ok(status);
            }
            Ended::Late => return Err(Failure::invalid("the time of --timeout is over")),
            Ended::Asked => return Ok(status),
        }
        let line = match lines.recv_timeout(Duration::ZERO) {
            Ok(line) => line.map_err(|error| Failure::io(format!("standard input: {error}")))?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(status),
        };
        match order(&line) {
            Ok(None) => {}
            Ok(Some(order)) => status = status.max(one(&order, keeps_going, desk, terminal)?),
            Err(error) if !error.use_stderr() => {
                writeln!(terminal.out, "{}", neutral_lines(error.to_string().trim_end()))?;
            }
            Err(error) if keeps_going => {
                terminal.error(&message(&error))?;
                status = Status::Usage;
            }
            Err(error) => return Err(Failure::usage(message(&error))),
        }
    }
}

/// Whether an order is left. Waits only a moment for it.
fn is_unread(lines: &Receiver<io::Result<String>>) -> bool {
    let left = || lines.recv_timeout(TYPING).ok()?.ok();
    std::iter::from_fn(left).any(|line| !matches!(order(&line), Ok(None)))
}

/// The lines of standard input, which another thread reads. It reads ahead by a few lines only.
fn input() -> io::Result<Receiver<io::Result<String>>> {
    let (send, lines) = sync_channel(4);
    let read = move || {
        for line in io::stdin().lock().lines() {
            if send.send(line).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(lines)
}

/// Follows one order of the command line.
pub(super) fn once(once: &Once, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let (order, args) = once.parts();
    let mut desk = attach(&args.attach, args.log, None, terminal)?;
    let result = begin(args.when.as_ref(), &mut desk, terminal)
        .and_then(|()| follow_once(&order, &mut desk, terminal));
    let left = desk.leave(terminal);
    result.and(left).map(|()| Status::Fine)
}

/// Waits for the line of `--when`.
fn begin(
    when: Option<&regex::Regex>,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    when.map_or(Ok(()), |pattern| desk.printed(pattern, terminal))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Typed::command().debug_assert();
    }

    #[test]
    fn a_line_is_an_order() {
        assert!(matches!(order("tree --depth 2"), Ok(Some(Order::Tree(_)))));
        assert!(matches!(order("  # a comment"), Ok(None)));
        assert!(matches!(order(""), Ok(None)));
        let Ok(Some(Order::Set(set))) = order("set Main title 'a b' --string") else { panic!() };
        assert_eq!((set.value.as_str(), set.string), ("a b", true));
        let Ok(Some(Order::Set(set))) = order("set Main hp -1") else { panic!() };
        assert_eq!(set.value, "-1");
        for line in ["tree 'x", "fly", "break main.gd", "set Main"] {
            assert!(order(line).is_err(), "{line}");
        }
    }
}
