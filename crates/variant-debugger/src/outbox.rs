//! Writes commands, and refuses what a game would not understand or not survive.

use crate::command::Command;
use crate::error::SendError;
use crate::family::{Family, Version, Versions};
use crate::messages::{self, MessageRow, When};
use crate::pen::Pen;
use crate::session::Session;
use crate::state::Stopped;

/// The bytes of a command to `thread`.
pub(crate) fn send(
    session: &Session,
    command: &Command<'_>,
    thread: Option<i64>,
) -> Result<Vec<u8>, SendError> {
    if let Command::Raw(bytes) = command {
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        return Ok([&len.to_le_bytes(), *bytes].concat());
    }
    let family = session.family().ok_or(SendError::FamilyUnknown)?;
    let dialect = session.dialect().ok_or(SendError::DialectUnknown)?;
    if !family.has_dialect(dialect) {
        return Err(SendError::Dialect { family, dialect });
    }
    let mut pen = Pen::of_debugger(family, dialect, session.versions());
    let name = command.write(&mut pen)?;
    let row = check_name(&name, family, &pen)?;
    let thread = thread_of(&name, family, thread)?;
    if let Some(row) = row {
        check_version(row, family, pen.versions)?;
        check_state(row, session.stop(thread))?;
    }
    let bytes = pen.finish(&name, thread)?;
    let (len, limit) = (bytes.len().saturating_sub(4), family.longest_command());
    if len > limit { Err(SendError::TooLong { len, limit }) } else { Ok(bytes) }
}

/// The row of the command, if an engine has it, after its arguments were counted.
fn check_name(
    name: &str,
    family: Family,
    pen: &Pen,
) -> Result<Option<&'static MessageRow>, SendError> {
    let Some(row) = messages::command(name, family) else {
        let elsewhere = Family::ALL.iter().find_map(|family| messages::command(name, *family));
        return match elsewhere {
            Some(row) => Err(SendError::NotInFamily { name: row.name, family }),
            None => Ok(None),
        };
    };
    let (found, name) = (pen.len(), || name.to_owned());
    if found < row.least {
        return Err(SendError::TooFewArguments { name: name(), found, least: row.least });
    }
    match row.most.filter(|most| found > *most) {
        Some(most) => Err(SendError::TooManyArguments { name: name(), found, most }),
        None => Ok(Some(row)),
    }
}

/// The thread that the command names.
fn thread_of(name: &str, family: Family, thread: Option<i64>) -> Result<Option<i64>, SendError> {
    if !family.has_threads() {
        return Ok(None);
    }
    // The game answers this one whatever the thread is.
    let any = (name == "get_main_thread_id").then_some(0);
    thread.or(any).map(Some).ok_or(SendError::ThreadUnknown)
}

/// Refuses a message that the version does not have, or may not have.
fn check_version(
    row: &'static MessageRow,
    family: Family,
    versions: Versions,
) -> Result<(), SendError> {
    if !family.is_array() {
        return Ok(());
    }
    let MessageRow { name, since, until, .. } = *row;
    if let Some(version) = since {
        match versions.reach(version) {
            Some(true) => {}
            Some(false) => return Err(SendError::NotInVersion { name, since, until }),
            None => return Err(SendError::VersionUnknown { name, version }),
        }
    }
    let Some(until) = until else { return Ok(()) };
    let version = Version::new(until.major, until.minor.saturating_add(1));
    match versions.reach(version) {
        Some(false) => Ok(()),
        Some(true) => Err(SendError::NotInVersion { name, since, until: Some(until) }),
        None => Err(SendError::VersionUnknown { name, version }),
    }
}

/// Refuses a message that the game ignores in its state, or that makes it run on.
fn check_state(row: &'static MessageRow, stopped: Option<&Stopped>) -> Result<(), SendError> {
    let name = row.name;
    match (row.when, stopped) {
        (When::Stopped, None) => Err(SendError::NotStopped { name }),
        (When::Running, Some(_)) => Err(SendError::NotRunning { name }),
        (_, Some(Stopped { has_stack: Some(false), .. })) if name == "evaluate" => {
            Err(SendError::NoStack { name })
        }
        _ => Ok(()),
    }
}
