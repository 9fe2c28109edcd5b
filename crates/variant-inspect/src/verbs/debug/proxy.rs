//! `debug proxy`: passes all bytes between a game and an editor, and records them.

use std::io::{self, Read as _, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use variant_debugger::Session;

use super::link::{Caller, Ended, is_past, wait_for_game};
use super::recording::{Recorder, Way};
use super::replay::connect;
use crate::cli::ProxyArgs;
use crate::failure::{Failure, Status};
use crate::output;
use crate::stop::Stop;
use crate::terminal::Terminal;
use variant_document::count::counted;

/// The longest time without a look at signals.
const TICK: Duration = Duration::from_millis(50);

/// The size of a read, in bytes.
const READ: usize = 64 << 10;

/// The number of reads that wait for the recording.
const WAITING: usize = 64;

/// Bytes that were passed, and their time and direction.
type Passed = (Way, Duration, Vec<u8>);

pub(super) fn run(args: &ProxyArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let Caller { stream: game, mut child, stop, end, options } =
        wait_for_game(&args.attach, terminal)?;
    if let Some(child) = child.as_mut().filter(|_| args.attach.leave) {
        child.leave();
    }
    let editor = connect(&args.to)?;
    let ends = [game, editor];
    let passed = pass(&ends).map_err(|error| Failure::io(format!("the proxy: {error}")))?;
    let passage = Passage { passed, ends, stop, end };
    let ended = match &args.output {
        None => passage.follow(|_| Ok(()))?,
        Some(path) => {
            let (ended, count) = output::write_with(path, terminal, |out| {
                record(&passage, Session::new(options), out)
            })?;
            terminal.note(&format!("{} recorded", counted(count, "frame")))?;
            ended
        }
    };
    match ended {
        Ended::Late => Err(Failure::invalid("the time of --timeout is over")),
        _ => Ok(Status::Fine),
    }
}

/// Starts a thread for each direction. Returns what they pass.
fn pass([game, editor]: &[TcpStream; 2]) -> io::Result<Receiver<Passed>> {
    let (send, passed) = sync_channel(WAITING);
    let start = Instant::now();
    for (way, from, to) in [(Way::FromGame, game, editor), (Way::ToGame, editor, game)] {
        let (from, to, send) = (from.try_clone()?, to.try_clone()?, send.clone());
        let copy = move || copy(way, start, from, to, &send);
        thread::Builder::new().name("proxy".to_owned()).spawn(copy)?;
    }
    Ok(passed)
}

/// Passes the bytes of a direction until its end, and then ends the direction.
fn copy(
    way: Way,
    start: Instant,
    mut from: TcpStream,
    mut to: TcpStream,
    send: &SyncSender<Passed>,
) {
    let mut buffer = vec![0; READ];
    while let Ok(len @ 1..) = from.read(&mut buffer) {
        let bytes = buffer.get(..len).unwrap_or_default();
        if to.write_all(bytes).is_err()
            || send.send((way, start.elapsed(), bytes.to_vec())).is_err()
        {
            break;
        }
    }
    // If the other end is closed, its direction has ended.
    let _ = to.shutdown(Shutdown::Write);
}

/// What two threads pass, and what ends them.
struct Passage {
    passed: Receiver<Passed>,
    ends: [TcpStream; 2],
    stop: Stop,
    end: Option<Instant>,
}

impl Passage {
    /// Takes what is passed until both directions have ended.
    fn follow(&self, mut each: impl FnMut(Passed) -> io::Result<()>) -> io::Result<Ended<()>> {
        let mut ended = Ended::Closed;
        loop {
            // Also while bytes arrive: a busy game would hide the signal.
            if let (Ended::Closed, Some(early)) = (ended, self.early()) {
                ended = early;
                self.close();
            }
            match self.passed.recv_timeout(TICK) {
                Ok(passed) => each(passed).inspect_err(|_| self.close())?,
                Err(RecvTimeoutError::Disconnected) => return Ok(ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Why the passage must end, if it must.
    fn early(&self) -> Option<Ended<()>> {
        if self.stop.is_asked() {
            return Some(Ended::Asked);
        }
        is_past(self.end).then_some(Ended::Late)
    }

    fn close(&self) {
        for end in &self.ends {
            // An end that is closed cannot be closed again.
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

/// Writes a recording. Returns why it ended, and the number of frames. The session finds the dialect of the recording.
fn record(
    passage: &Passage,
    mut session: Session,
    out: &mut dyn Write,
) -> Result<(Ended<()>, u64), Failure> {
    let mut recorder = Recorder::new(out);
    let mut last = Duration::ZERO;
    let ended = passage.follow(|(way, time, bytes)| {
        last = time;
        recorder.bytes(way, time, &bytes)?;
        if way == Way::FromGame && session.dialect().is_none() {
            session.handle(&bytes, Instant::now());
            while session.next_event().is_some() {}
        }
        recorder.dialect(session.dialect())
    })?;
    recorder.finish(last)?;
    Ok((ended, recorder.count))
}
