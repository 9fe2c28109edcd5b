//! The arguments of `fuzz-save`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use regex::Regex;

use super::debug::{FailOnArg, ReportArg, seconds};
use variant_debugger::Version;

/// The arguments of `fuzz-save`.
#[derive(Args, Debug)]
pub struct FuzzSaveArgs {
    /// A save that the game loads without errors. It is never changed.
    pub save: PathBuf,

    /// New folder for the saves of the findings and a report; only made if there are findings [default: SAVE.findings
    /// in the working folder].
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// Place of the save below the game's folder of user data. `user://` of Godot 3 is `godot/app_userdata/PROJECT`
    /// there.
    #[arg(long = "as", value_name = "PATH")]
    pub place: Option<PathBuf>,

    /// Working folder of the game, such as . for relative paths in COMMAND [default: a new folder for each run].
    #[arg(long = "in", value_name = "FOLDER")]
    pub working: Option<PathBuf>,

    /// Save of an older version. The game also runs with it, and with SAVE without the keys that it lacks. Several may
    /// be given.
    #[arg(long, value_name = "FILE")]
    pub older: Vec<PathBuf>,

    /// Greatest number of runs of the game, also those that shrink a finding.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub runs: u32,

    /// Time after which no further run begins, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "300")]
    pub time: Duration,

    /// Time of a run, in seconds. A longer run counts as a hang.
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub timeout: Duration,

    /// Number that picks the pairs of changes. The same number makes the same saves.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// End a run when a line of the game's output matches this regular expression. It is a finding if the game ends
    /// without such a line.
    #[arg(short, long, value_name = "PATTERN")]
    pub until: Option<Regex>,

    /// End a run after this time, in seconds, for a game that does not end.
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds, conflicts_with = "until")]
    pub each: Option<Duration>,

    /// Least grave finding that counts.
    #[arg(long, value_enum, value_name = "FINDING", default_value = "script-error")]
    pub fail_on: FailOnArg,

    /// Do not count errors and warnings whose text matches this regular expression.
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<Regex>,

    /// Write a report: junit=FILE, sarif=FILE or json=FILE; - for standard output. Several may be given.
    #[arg(long, value_name = "FORM=FILE")]
    pub report: Vec<ReportArg>,

    /// Print one JSON object on each line.
    #[arg(long)]
    pub json: bool,

    /// Version of Godot 4, such as 4.4, if COMMAND --version does not print it.
    #[arg(long, value_name = "VERSION")]
    pub engine_version: Option<Version>,

    /// The game: a program and its arguments, to the end of the line. {} becomes the path of the save. The engine's option
    /// --remote-debug is added, unless an argument has {address} or {uri}.
    #[arg(long, required = true, num_args = 1.., allow_hyphen_values = true, value_name = "COMMAND")]
    pub run: Vec<OsString>,
}
