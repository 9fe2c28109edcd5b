//! [`Game`]: runs the command with a save, each time in a new folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf, absolute};

use tempfile::TempDir;

use crate::cli::{AttachArgs, FuzzSaveArgs, ListenArgs};
use crate::failure::Failure;
use crate::open::name;
use crate::terminal::Terminal;
use crate::verbs::debug::{Home, Outcome, Trial};

/// What becomes the path of the save.
const PLACE: &str = "{}";

/// The runs of a command.
#[derive(Debug)]
pub(super) struct Game {
    trial: Trial,
    command: Vec<OsString>,
    /// The folder of all runs. It has the same name in each run, so that messages with paths are equal.
    folder: TempDir,
    working: Option<PathBuf>,
    /// The place of the save in the folder of user data; otherwise its name in the working folder.
    place: Option<PathBuf>,
    name: OsString,
}

impl Game {
    pub(super) fn new(args: &FuzzSaveArgs, terminal: &Terminal<'_>) -> Result<Self, Failure> {
        let command = command(&args.run)?;
        if args.place.is_none() && !has_place(&command) {
            let how = "write {} for its path into the command, or name its place with --as";
            return Err(Failure::usage(format!("the game does not get the save; {how}")));
        }
        if let Some(place) = args.place.as_ref().filter(|place| !is_below(place)) {
            let how = "expected a path below the folder of user data, without ..";
            return Err(Failure::usage(format!("--as {}: {how}", name(place))));
        }
        let trial = Trial::new(listen(args, command.clone()), terminal)?;
        let folder = tempfile::Builder::new().prefix("fuzz-save-").tempdir();
        let folder = folder.map_err(|error| failed(&std::env::temp_dir(), &error))?;
        let working = args.working.as_deref().map(absolute).transpose();
        let working = working.map_err(|error| Failure::io(format!("--in: {error}")))?;
        let name = args.save.file_name().unwrap_or("save".as_ref()).to_owned();
        Ok(Self { trial, command, folder, working, place: args.place.clone(), name })
    }

    pub(super) fn is_asked(&self) -> bool {
        self.trial.is_asked()
    }

    /// Runs the game with a save, in a new folder.
    pub(super) fn run(&mut self, save: &[u8], terminal: &Terminal<'_>) -> Result<Outcome, Failure> {
        let folder = self.folder.path().join("run");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        }
        let working = self.working.clone().unwrap_or_else(|| folder.clone());
        let home = Home { working, folder: folder.clone() };
        let path = match &self.place {
            Some(place) => home.data().join(place),
            None => folder.join(&self.name),
        };
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        fs::write(&path, save).map_err(|error| failed(&path, &error))?;
        self.trial.run(with_save(&self.command, &path), &home, terminal)
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::io(format!("{}: {error}", name(path)))
}

/// The command. The path of a program is from the working folder of this process, and not of the game.
fn command(run: &[OsString]) -> Result<Vec<OsString>, Failure> {
    let mut command = run.to_vec();
    if let Some(program) =
        command.first_mut().filter(|program| Path::new(program).components().count() > 1)
    {
        let whole = absolute(&program).map_err(|error| failed(Path::new(program), &error))?;
        *program = whole.into_os_string();
    }
    Ok(command)
}

fn has_place(command: &[OsString]) -> bool {
    command.iter().filter_map(|word| word.to_str()).any(|word| word.contains(PLACE))
}

/// The command with the path of the save.
pub(super) fn with_save(command: &[OsString], path: &Path) -> Vec<OsString> {
    let put = |word: &OsString| match word.to_str() {
        Some(PLACE) => path.as_os_str().to_owned(),
        Some(text) => text.replace(PLACE, &path.to_string_lossy()).into(),
        None => word.clone(),
    };
    command.iter().map(put).collect()
}

/// Whether a path stays inside the folder that it is joined to.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// A run of the game as `debug listen` makes it.
fn listen(args: &FuzzSaveArgs, command: Vec<OsString>) -> ListenArgs {
    let attach = AttachArgs {
        address: std::net::Ipv4Addr::LOCALHOST.into(),
        port: None,
        timeout: Some(args.timeout),
        engine_version: args.engine_version,
        leave: false,
        json: false,
        command,
    };
    let (until, ignore) = (args.until.clone(), args.ignore.clone());
    ListenArgs { until, time: args.each, fail_on: None, ignore, report: Vec::new(), attach }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_save_is_named_wherever_the_command_says_so() {
        let words: Vec<OsString> = ["game", "--save={}", "{}", "x"].map(OsString::from).to_vec();
        let put = with_save(&words, Path::new("/a/b"));
        assert_eq!(put, ["game", "--save=/a/b", "/a/b", "x"].map(OsString::from));
    }

    #[test]
    fn a_save_stays_below_the_user_data() {
        assert!(is_below(Path::new("godot/app_userdata/My Game/save.dat")));
        assert!(!is_below(Path::new("../save.dat")) && !is_below(Path::new("/save.dat")));
    }
}
