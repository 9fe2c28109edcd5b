//! `browse`: walks through a file on the terminal.

mod areas;
mod changes;
mod clipboard;
pub(in crate::verbs) mod draw;
mod hexpane;
mod keys;
pub(in crate::verbs) mod line;
mod outline;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod text;

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::time::Duration;

use crossterm::event::{Event, poll, read};
use ratatui::backend::{Backend as _, CrosstermBackend};
use variant_document::Plain;

use self::changes::Change;
use self::draw::{Theme, draw};
use self::state::{Action, State};
use crate::cli::{BrowseArgs, CommonArgs};
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::rewrite::save;
use crate::screen::Screen;
use crate::stop::Stop;
use crate::terminal::Terminal;
use crate::transcript::Recorder;
use crate::values::Values;
use variant_document::count::counted;
use variant_document::edit::{self, Edit};

/// The parts of the open file that the screen needs.
#[derive(Debug)]
struct File<'a> {
    /// The name of the file without its folder.
    name: &'a str,
    plain: Plain<'a>,
}

impl<'a> File<'a> {
    fn new(values: &'a Values) -> Self {
        let name = values.input.name.rsplit('/').next().unwrap_or_default();
        Self { name, plain: values.plain() }
    }
}

pub(crate) fn run(args: &BrowseArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if !terminal.is_out_terminal || !io::stdout().is_terminal() {
        return Err(Failure::usage("browse needs a terminal; tree prints"));
    }
    let no_mmap = terminal.common.no_mmap || is_small(&args.file);
    let common = CommonArgs { no_mmap, ..terminal.common.clone() };
    let terminal = &mut terminal.with(&common);
    let mut file = open(args, terminal)?;
    let theme = Theme::new(terminal.is_out_coloured);
    let recorder = Recorder::of(terminal);
    let stop = Stop::of_process()?;
    let screen = Screen::enter(terminal.out)?;
    let mut told = None;
    let result = loop {
        match walk(&file, terminal.out, theme, recorder, &stop, told.take()) {
            Ok(Leave::Quit) => break Ok(0),
            Ok(Leave::Asked(unwritten)) => break Ok(unwritten),
            Err(error) => break Err(Failure::from(error)),
            // `file` has the bytes from before the change, so the file is opened again.
            Ok(Leave::Written(what)) => match Input::open(&args.file, &common) {
                Ok(input) => {
                    file = Values { input, choice: file.choice };
                    told = Some(what);
                }
                Err(failure) => break Err(failure),
            },
        }
    };
    drop(screen);
    match result? {
        0 => Ok(Status::Fine),
        unwritten => {
            let changes = counted(unwritten, "change");
            Err(Failure::invalid(format!("ended by a signal, without writing {changes}")))
        }
    }
}

/// Opens the file, guesses the dialect, and opens a mapped file again. The second opening frees the pages that the
/// guess read.
fn open(args: &BrowseArgs, terminal: &mut Terminal<'_>) -> Result<Values, Failure> {
    let file = Values::open(&args.file, terminal)?;
    let is_mapped = file.input.source.opened.layers().is_empty() && is_file(args);
    if !is_mapped || terminal.common.no_mmap {
        return Ok(file);
    }
    let Values { input, choice } = file;
    drop(input);
    Ok(Values { input: Input::open(&args.file, terminal.common)?, choice })
}

/// The largest file that is read into memory instead of mapped, in bytes. The system ends this program if a game
/// truncates a mapped file.
const MOST_READ: u64 = 16 << 20;

fn is_small(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_READ)
}

/// Whether the file can be opened twice. A pipe cannot.
fn is_file(args: &BrowseArgs) -> bool {
    args.file.metadata().is_ok_and(|found| found.is_file())
}

/// The reason why the loop over the user's keys ends.
enum Leave {
    Quit,
    /// The system asks the command to end. The number of changes that are not written.
    Asked(usize),
    /// The file was written. The text is a message for the user.
    Written(String),
}

/// Follows the keys until the user leaves.
fn walk(
    file: &Values,
    out: &mut dyn Write,
    theme: Theme,
    recorder: Recorder<'_>,
    stop: &Stop,
    told: Option<String>,
) -> io::Result<Leave> {
    let shown = File::new(file);
    let mut state = State::new(&shown);
    if let Some(told) = told {
        state.tell(told);
    }
    let mut screen = ratatui::Terminal::new(CrosstermBackend::new(out))?;
    // `ratatui` assumes an empty screen, but after a change of the file the screen shows the rows from before. So this
    // clears the screen. `clear` of `ratatui` would ask for the position of the cursor, and not every terminal answers.
    screen.backend_mut().clear()?;
    let mut is_stale = false;
    loop {
        warn(file, &mut state, &mut is_stale);
        screen.draw(|frame| draw(frame, &mut state, theme))?;
        if is_done_with_work(&mut state, stop)? {
            continue;
        }
        let is_left = loop {
            let Some(event) = next_event(stop)? else {
                return Ok(Leave::Asked(state.changes.all.len()));
            };
            match state.handle(&event) {
                Action::Nothing => {}
                Action::Copy(text) => clipboard::copy(screen.backend_mut(), &text)?,
                Action::Write => match write(file, &state.changes.all, recorder) {
                    Ok(told) => return Ok(Leave::Written(told)),
                    Err(why) => state.fail(why),
                },
                Action::Quit => break true,
            }
            // Handles all waiting events before the next drawing.
            if !poll(Duration::ZERO)? {
                break false;
            }
        };
        if is_left {
            return Ok(Leave::Quit);
        }
    }
}

/// Waits for an event; `None` if the system asks the command to end.
fn next_event(stop: &Stop) -> io::Result<Option<Event>> {
    /// The time between two looks at the signals.
    const TICK: Duration = Duration::from_millis(100);
    while !stop.is_asked() {
        if poll(TICK)? {
            return read().map(Some);
        }
    }
    Ok(None)
}

/// Shows a message once if another program has written the file.
fn warn(file: &Values, state: &mut State<'_>, is_stale: &mut bool) {
    if file.input.is_changed() && !std::mem::replace(is_stale, true) {
        state
            .fail("another program changed the file; this is the old one, and w does not write it");
    }
}

/// Continues work such as a search until it is done, a key is pressed, or a signal comes. Returns whether work was
/// finished.
fn is_done_with_work(state: &mut State<'_>, stop: &Stop) -> io::Result<bool> {
    let is_busy = state.is_busy();
    while state.is_busy() {
        if stop.is_asked() || poll(Duration::ZERO)? {
            return Ok(false);
        }
        state.work();
    }
    Ok(is_busy)
}

/// Writes the changes into the file. Returns a message for the user.
fn write(file: &Values, changes: &[Change], recorder: Recorder<'_>) -> Result<String, String> {
    let (written, _) = recorder.record(|terminal| {
        let mut draft = Draft::new(file, terminal.common);
        for Change { piece, path, value, .. } in changes {
            let frame = Some(*piece).filter(|piece| *piece > 0);
            let action = edit::Action::Set(value.clone());
            draft.make(&Edit { frame, path: path.clone(), action })?;
        }
        save(&draft, terminal)
    });
    match written {
        Ok(()) => Ok(format!("{} written; the old file has a ~", counted(changes.len(), "change"))),
        Err(Failure::File { message, .. }) => Err(message),
        Err(Failure::Output(error)) => Err(error.to_string()),
        Err(Failure::Told(_)) => Err("nothing is written".to_owned()),
    }
}
