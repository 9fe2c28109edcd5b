//! [`complete`]: adds the arguments from the environment and from the user's file of arguments.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind::{NotFound, PermissionDenied};
use std::path::PathBuf;

use clap::Command;
use clap::builder::Resettable;
use etcetera::{BaseStrategy as _, choose_base_strategy};

use crate::open::name;

/// Groups of options that replace each other. An argument replaces each option of its group that a variable or the
/// user's file sets. A variable replaces each option of its group that the user's file sets.
const GROUPS: [&[&str]; 2] = [
    &["dialect", "as-documented"],
    &["password-env", "password-file", "password-command", "key-hex"],
];

/// The variable that names the file of arguments.
const FILE: &str = "VARIANT_INSPECT_CONFIG";

/// Returns the command, and the program's arguments (`own`) with the arguments of the user's file inserted after the
/// name of the program. An option in `own` replaces the same option of the file. An environment variable is ignored if
/// it is empty or if an option in `own` replaces it.
///
/// # Errors
/// A message for the user: the file cannot be read, or has an argument that the command does not take.
pub(crate) fn complete(
    command: Command,
    mut own: Vec<OsString>,
) -> Result<(Command, Vec<OsString>), String> {
    let (command, given) = with_environment(command, &own);
    let is_help = |arg: &OsString| HELP.iter().any(|help| arg == help);
    let lines = match of_file(&command, &given) {
        // Help must work even if the file is wrong.
        Err(_) if own.iter().any(is_help) => Vec::new(),
        lines => lines?,
    };
    let program = own.len().min(1);
    drop(own.splice(program..program, lines.into_iter().map(OsString::from)));
    Ok((command, own))
}

/// Returns the command, and the options that arguments and variables set. The command reads only variables that no
/// argument replaces.
fn with_environment(command: Command, own: &[OsString]) -> (Command, Vec<String>) {
    let of_arguments = own.iter().filter_map(|arg| Some(option(arg.to_str()?)?.to_owned()));
    let mut given: Vec<_> = of_arguments.collect();
    let count = given.len();
    let command = command.mut_args(|arg| {
        let (Some(name), Some(option)) = (arg.get_env(), arg.get_long()) else { return arg };
        let Some(value) = env::var_os(name) else { return arg };
        let arguments = given.get(..count).unwrap_or_default();
        if value.is_empty() || is_replaced(option, arguments) {
            return arg.env(Resettable::Reset);
        }
        given.push(option.to_owned());
        arg
    });
    (command, given)
}

const HELP: [&str; 5] = ["-h", "--help", "help", "-V", "--version"];

/// The name of the option that an argument begins with.
fn option(arg: &str) -> Option<&str> {
    arg.strip_prefix("--")?.split('=').next()
}

/// Whether `others` contains the option or another option of its group.
fn is_replaced(option: &str, others: &[String]) -> bool {
    let group = GROUPS.into_iter().find(|group| group.contains(&option)).unwrap_or_default();
    others.iter().any(|other| other == option || group.contains(&other.as_str()))
}

/// Returns the path of the file of arguments, and whether the variable [`FILE`] names it. A file of arguments next to a
/// save is never used, since it could name a command to run.
fn file() -> Option<(PathBuf, bool)> {
    if let Some(path) = env::var_os(FILE) {
        return (!path.is_empty()).then(|| (path.into(), true));
    }
    let folder = choose_base_strategy().ok()?.config_dir();
    Some((folder.join("variant-inspect").join("arguments"), false))
}

/// The arguments of the file, one a line, without those that `given` replaces.
fn of_file(command: &Command, given: &[String]) -> Result<Vec<String>, String> {
    let Some((path, is_named)) = file() else { return Ok(Vec::new()) };
    let text = match fs::read_to_string(&path) {
        // The variable for the home folder may name the folder of another user, for example under `sudo`. So a file
        // that is missing or not readable there is not an error.
        Err(error) if !is_named && matches!(error.kind(), NotFound | PermissionDenied) => {
            return Ok(Vec::new());
        }
        other => other.map_err(|error| format!("error: {}: {error}", name(&path)))?,
    };
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut is_left_out = false;
    let lines = lines.filter(|line| {
        // If an option is left out, its value is also left out. The value may be on the next line.
        is_left_out = match option(line) {
            Some(option) => is_replaced(option, given),
            None => is_left_out && !line.starts_with('-'),
        };
        !is_left_out
    });
    let lines: Vec<_> = lines.map(str::to_owned).collect();
    // The lines of the file are parsed without the other arguments, so that an error message can name the file.
    let alone = ["variant-inspect", "-"].map(str::to_owned).into_iter().chain(lines.clone());
    match command.clone().try_get_matches_from(alone) {
        Ok(_) => Ok(lines),
        Err(error) => {
            let why = error.to_string();
            Err(format!("error: {}: {}", name(&path), why.trim_start_matches("error: ")))
        }
    }
}
