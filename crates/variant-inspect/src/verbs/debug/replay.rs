//! `debug replay`: the game's part of a recording, played to an editor.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::thread;
use std::time::{Duration, Instant};

use super::recording::{Entry, Way};
use crate::cli::ReplayArgs;
use crate::failure::{Failure, Status};
use crate::stop::Stop;
use crate::terminal::Terminal;
use crate::values::{Trouble, Values};
use variant_document::count::counted;
use variant_document::escape::escaped;

/// The time in which a connection must be made, and in which the editor must read what was sent.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest time without a look at signals.
const TICK: Duration = Duration::from_millis(50);

pub(super) fn run(args: &ReplayArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if !(args.speed >= 0.0 && args.speed.is_finite()) {
        return Err(Failure::usage("--speed takes a number from 0 on"));
    }
    let stop = Stop::of_process()?;
    let file = Values::open(&args.file, terminal)?;
    let mut stream = connect(&args.to)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(|error| lost(&args.to, &error))?;
    let ignored = stream.try_clone().map_err(|error| lost(&args.to, &error))?;
    let reader = thread::spawn(move || ignore(ignored));
    let start = Instant::now();
    let mut count = 0_u64;
    let status = file.each(terminal, |value, _| {
        let entry = Entry::of(&value.document).map_err(Trouble::Message)?;
        if entry.way == Way::ToGame {
            return Ok(Status::Fine);
        }
        pause(start, entry.time, args.speed, &stop);
        if stop.is_asked() {
            return Ok(Status::Invalid);
        }
        let bytes = entry.into_wire().map_err(Trouble::Message)?;
        stream.write_all(&bytes).map_err(|error| Trouble::Failure(lost(&args.to, &error)))?;
        count = count.saturating_add(1);
        Ok(Status::Fine)
    })?;
    finish(&stream, reader);
    terminal.note(&format!("{} sent", counted(count, "frame")))?;
    Ok(status)
}

/// Waits until the time of a frame.
fn pause(start: Instant, time: Duration, speed: f64, stop: &Stop) {
    if speed <= 0.0 {
        return;
    }
    let after = Duration::try_from_secs_f64(time.as_secs_f64() / speed).unwrap_or(Duration::MAX);
    let Some(end) = start.checked_add(after) else { return };
    while !stop.is_asked() {
        match end.saturating_duration_since(Instant::now()) {
            Duration::ZERO => return,
            left => thread::sleep(left.min(TICK)),
        }
    }
}

/// Ends the sending, and waits until the editor has read everything and closes.
fn finish(stream: &TcpStream, reader: thread::JoinHandle<()>) {
    // If the editor has closed the connection, there is nothing to end.
    let _ = stream.shutdown(Shutdown::Write);
    let end = Instant::now().checked_add(PATIENCE);
    while !reader.is_finished() && end.is_some_and(|end| Instant::now() < end) {
        thread::sleep(TICK);
    }
    let _ = stream.shutdown(Shutdown::Both);
    let _ = reader.join();
}

/// Reads what the editor sends, so that it need not wait.
fn ignore(mut stream: TcpStream) {
    let mut bytes = [0; 1 << 12];
    while let Ok(1..) = stream.read(&mut bytes) {}
}

/// Connects to an editor.
pub(super) fn connect(to: &str) -> Result<TcpStream, Failure> {
    let stream = reach(to).map_err(|error| {
        let how = "an editor listens while a game that it started runs, or by its option in the menu Debug";
        Failure::io(format!("no editor listens on {}: {error}; {how}", escaped(to)))
    })?;
    stream.set_nodelay(true).map_err(|error| lost(to, &error))?;
    Ok(stream)
}

/// Tries the addresses of a name, each for a bounded time.
fn reach(to: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::AddrNotAvailable, "the name has no address");
    for address in to.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn lost(to: &str, error: &io::Error) -> Failure {
    Failure::invalid(format!("the editor on {} has closed the connection: {error}", escaped(to)))
}
