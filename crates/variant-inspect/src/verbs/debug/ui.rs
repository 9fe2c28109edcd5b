//! `debug ui`: log, tree, properties and stack of a game on the terminal.

mod draw;
mod keys;
mod state;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{poll, read};
use ratatui::backend::{Backend as _, CrosstermBackend};
use variant_debugger::{Command, Value};

use self::draw::draw;
use self::state::{Ask, State};
use super::desk::{Desk, soon};
use super::link::{Ended, Link, wait_for_game};
use super::log::Log;
use crate::cli::UiArgs;
use crate::failure::{Failure, Status};
use crate::screen::Screen;
use crate::terminal::Terminal;
use crate::transcript::Recorder;
use crate::verbs::browse::draw::Theme;

/// The time between two looks at the keys.
const TICK: Duration = Duration::from_millis(30);

/// The time of a look at the keys. In a look without time, the terminal is not read.
const KEYS: Duration = Duration::from_millis(5);

pub(super) fn run(args: &UiArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if !terminal.is_out_terminal || !io::stdout().is_terminal() {
        return Err(Failure::usage("debug ui needs a terminal; debug listen prints"));
    }
    let caller = wait_for_game(&args.attach, terminal)?;
    let mut desk = Desk::new(Link::new(caller, None), Log::new(false, false, &[]));
    if args.attach.leave {
        desk.link.leave();
    }
    let theme = Theme::new(terminal.is_out_coloured);
    let screen = Screen::enter(terminal.out)?;
    // Notes would disturb the screen.
    let quiet = Recorder::of(terminal);
    let (result, notes) = quiet.record(|quiet| {
        let result = walk(&mut desk, theme, terminal.out, quiet);
        result.and(desk.leave(quiet))
    });
    drop(screen);
    notes.play(terminal)?;
    result.map(|()| Status::Fine)
}

/// Follows the game and the keys until the user leaves.
fn walk(
    desk: &mut Desk<'_>,
    theme: Theme,
    out: &mut dyn Write,
    quiet: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let mut state = State::new();
    let mut screen = ratatui::Terminal::new(CrosstermBackend::new(out))?;
    screen.backend_mut().clear()?;
    loop {
        if !listen(desk, &mut state, quiet)? {
            return Ok(());
        }
        state.refresh();
        state.follow(Instant::now());
        ask(desk, &mut state, quiet);
        while poll(KEYS)? {
            if state.handle(&read()?) {
                return Ok(());
            }
        }
        screen.draw(|frame| draw(frame, &mut state, theme))?;
    }
}

/// Takes what the game says for a moment. Returns false if the user or the system asks to end.
fn listen(
    desk: &mut Desk<'_>,
    state: &mut State,
    quiet: &mut Terminal<'_>,
) -> Result<bool, Failure> {
    let Desk { link, log, .. } = &mut *desk;
    let ended = link.run(soon(TICK), quiet, |event, time, quiet| {
        match event {
            Ok(event) => state.message(&event.message()),
            Err(error) => log.fault(error, time, quiet)?,
        }
        Ok(None::<()>)
    })?;
    // Another thread may still be stopped.
    state.is_still_stopped(link.session.stopped().last());
    if let Some(dialect) = desk.link.session.dialect() {
        state.dialect = dialect;
    }
    match ended {
        Ended::With(()) | Ended::Time => Ok(true),
        Ended::Closed => {
            state.has_ended = true;
            thread::sleep(TICK);
            Ok(true)
        }
        Ended::Asked => Ok(false),
        Ended::Late => Err(Failure::invalid("the time of --timeout is over")),
    }
}

/// Sends what the state asks. Commands wait until the messages show how they are written.
fn ask(desk: &mut Desk<'_>, state: &mut State, quiet: &mut Terminal<'_>) {
    if !desk.link.is_known() || state.has_ended {
        return;
    }
    for ask in std::mem::take(&mut state.asks) {
        if let Err(Failure::File { message, .. }) = send(desk, &ask, quiet) {
            state.fail(message);
        }
    }
}

fn send(desk: &mut Desk<'_>, ask: &Ask, quiet: &mut Terminal<'_>) -> Result<(), Failure> {
    let command = match ask {
        Ask::Breakpoint(line, set) => return desk.breakpoint(line, *set, quiet),
        Ask::Set(id, name, value) => {
            let (name, value) = (name.as_str().into(), Value::from(value));
            Command::SetProperty { id: *id, name, value }
        }
        Ask::Tree => Command::SceneTree,
        Ask::Object(id) => Command::InspectObject { id: *id },
        Ask::Break => Command::Break,
        Ask::Step => Command::Step,
        Ask::Next => Command::Next,
        Ask::Continue => Command::Continue,
        Ask::Stack => Command::StackDump,
        Ask::Variables => Command::StackFrameVars { level: 0 },
    };
    desk.link.send(&command)
}
