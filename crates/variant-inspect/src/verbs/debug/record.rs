//! `debug record`: a conversation as a file.

use std::cell::RefCell;
use std::io::Write;
use std::time::Duration;

use super::desk::{Desk, soon};
use super::link::{Caller, Ended, Link, wait_for_game};
use super::log::Log;
use super::orders::follow;
use super::recording::{Recorder, Way};
use super::session::orders;
use crate::cli::{Order, RecordArgs};
use crate::failure::{Failure, Status};
use crate::output;
use crate::terminal::Terminal;
use crate::transcript::{self, Transcript};
use variant_document::count::counted;
use variant_document::output::is_stdout;

pub(super) fn run(args: &RecordArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let orders = orders(&args.orders)?;
    let caller = wait_for_game(&args.attach, terminal)?;
    let pen = transcript::Recorder::of(terminal);
    let (result, printed, count) =
        output::write_with(&args.output, terminal, |out| record(args, caller, &orders, out, pen))?;
    if is_stdout(&args.output) {
        // The orders' text would be inside the recording.
        printed.play_beside(terminal)?;
    } else {
        printed.play(terminal)?;
    }
    terminal.note(&format!("{} recorded", counted(count, "frame")))?;
    result.map(|()| Status::Fine)
}

/// Records until the conversation ends. The recording is also kept if an order fails. Returns what the orders printed,
/// and the number of frames.
fn record(
    args: &RecordArgs,
    caller: Caller,
    orders: &[Order],
    out: &mut dyn Write,
    pen: transcript::Recorder<'_>,
) -> Result<(Result<(), Failure>, Transcript, u64), Failure> {
    let recorder = RefCell::new(Recorder::new(out));
    let tap = |way: Way, time: Duration, bytes: &[u8], session: &variant_debugger::Session| {
        let mut recorder = recorder.borrow_mut();
        recorder.bytes(way, time, bytes)?;
        recorder.dialect(session.dialect())
    };
    let mut link = Link::new(caller, Some(Box::new(tap)));
    if args.attach.leave {
        link.leave();
    }
    let mut desk = Desk::new(link, Log::new(args.attach.json, false, &[]));
    let (result, printed) = pen.record(|terminal| {
        let result = converse(args, orders, &mut desk, terminal);
        result.and(desk.leave(terminal))
    });
    let time = desk.link.time();
    drop(desk);
    let mut recorder = recorder.into_inner();
    recorder.finish(time)?;
    Ok((result, printed, recorder.count))
}

fn converse(
    args: &RecordArgs,
    orders: &[Order],
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let until = args.time.and_then(soon);
    orders.iter().try_for_each(|order| follow(order, desk, terminal))?;
    match desk.wait(until, terminal, |_| None::<()>)? {
        Ended::Late => Err(Failure::invalid("the time of --timeout is over")),
        Ended::With(()) | Ended::Time | Ended::Closed | Ended::Asked => Ok(()),
    }
}
