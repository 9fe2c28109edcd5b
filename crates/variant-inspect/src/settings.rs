//! Defaults of options: from the environment and from a configuration file.

use std::env;
use std::fs;
use std::io::ErrorKind::{NotFound, PermissionDenied};
use std::path::PathBuf;

use clap::Command;
use clap::error::ErrorKind;
use etcetera::{BaseStrategy as _, choose_base_strategy};
use toml::{Table, Value};

use crate::open::name;

/// The options that can have another default. A key cannot: it would be in a file that all can read.
pub(crate) const OPTIONS: [&str; 15] = [
    "dialect",
    "as-documented",
    "reals",
    "framing",
    "skip",
    "tail",
    "no-mmap",
    "password-env",
    "password-file",
    "password-command",
    "max-unpacked",
    "max-input",
    "color",
    "explain",
    "no-pager",
];

/// Groups of options of which one is enough. A given option overrides the defaults of the others in its group.
const GROUPS: [&[&str]; 2] = [
    &["dialect", "as-documented"],
    &["password-env", "password-file", "password-command", "key-hex"],
];

/// The prefix of the names of the environment variables.
const PREFIX: &str = "VARIANT_INSPECT_";

/// The value of an option, and where it comes from.
#[derive(Debug)]
struct Setting {
    option: &'static str,
    value: String,
    from: String,
}

/// The command with the defaults that the user has chosen, for these arguments.
///
/// # Errors
/// A message for the user: a file that cannot be read, an unknown option, or a value that the option does not take.
pub(crate) fn configured(command: Command, args: &[String]) -> Result<Command, String> {
    let mut settings = from_environment();
    for setting in from_file()? {
        if !stands_against(settings.iter().map(|set| set.option), setting.option) {
            settings.push(setting);
        }
    }
    let given = || args.iter().filter_map(|arg| arg.strip_prefix("--")?.split('=').next());
    settings.retain(|setting| !stands_against(given(), setting.option));
    settings.into_iter().try_fold(command, apply)
}

/// Whether any of `options` is in a group with `other`, or is the same.
fn stands_against<'o>(mut options: impl Iterator<Item = &'o str>, other: &str) -> bool {
    let group = GROUPS.into_iter().find(|group| group.contains(&other)).unwrap_or_default();
    options.any(|option| option == other || group.contains(&option))
}

fn from_environment() -> Vec<Setting> {
    let setting = |option: &'static str| {
        let variable = format!("{PREFIX}{}", option.to_uppercase().replace('-', "_"));
        let value = env::var(&variable).ok().filter(|value| !value.is_empty())?;
        Some(Setting { option, value, from: variable })
    };
    OPTIONS.into_iter().filter_map(setting).collect()
}

/// The configuration file: that of the environment, or the user's. Never a file beside a save: it could name a command.
fn file() -> Option<(PathBuf, bool)> {
    if let Some(path) = env::var_os(format!("{PREFIX}CONFIG")) {
        return (!path.is_empty()).then(|| (path.into(), true));
    }
    let folder = choose_base_strategy().ok()?.config_dir();
    Some((folder.join("variant-inspect").join("config.toml"), false))
}

fn from_file() -> Result<Vec<Setting>, String> {
    let Some((path, is_named)) = file() else { return Ok(Vec::new()) };
    let text = match fs::read_to_string(&path) {
        // A program that runs as another user may see the home of the first user.
        Err(error) if !is_named && matches!(error.kind(), NotFound | PermissionDenied) => {
            return Ok(Vec::new());
        }
        other => other.map_err(|error| format!("error: {}: {error}", name(&path)))?,
    };
    let invalid = |why: &str| format!("error: {}: {why}", name(&path));
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| invalid(&error.to_string()))?;
    let setting = |(key, value): (String, Value)| {
        let option = OPTIONS.into_iter().find(|option| *option == key).ok_or_else(|| {
            invalid(&format!("unknown option {key:?}, expected one of {}", OPTIONS.join(", ")))
        })?;
        let value = match value {
            Value::String(text) => text,
            Value::Integer(number) => number.to_string(),
            Value::Boolean(is_set) => is_set.to_string(),
            other => return Err(invalid(&format!("{key} cannot be a {}", other.type_str()))),
        };
        Ok(Setting { option, value, from: name(&path) })
    };
    table.into_iter().map(setting).collect()
}

/// Sets the default of an option.
fn apply(command: Command, setting: Setting) -> Result<Command, String> {
    let Setting { option, value, from } = setting;
    let id = option.replace('-', "_");
    let is_flag = command
        .get_arguments()
        .any(|arg| arg.get_id() == id.as_str() && !arg.get_action().takes_values());
    let trial = match (is_flag, value.as_str()) {
        (true, "false" | "0") => return Ok(command),
        (true, "true" | "1") => Ok(()),
        (true, _) => Err("expected true or false".to_owned()),
        (false, _) => {
            let args = ["variant-inspect", "-", &format!("--{option}={value}")].map(str::to_owned);
            match command.clone().try_get_matches_from(args) {
                Err(error)
                    if error.kind() == ErrorKind::InvalidValue
                        || error.kind() == ErrorKind::ValueValidation =>
                {
                    Err(error.to_string().trim_start_matches("error: ").to_owned())
                }
                _ => Ok(()),
            }
        }
    };
    trial.map_err(|why| format!("error: {from}: {why}"))?;
    // clap keeps defaults for as long as the program runs.
    let value: &'static str = if is_flag { "true" } else { String::leak(value) };
    Ok(command.mut_arg(id, |arg| arg.default_value(value)))
}
