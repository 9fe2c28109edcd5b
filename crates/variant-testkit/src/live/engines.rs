//! The known engines: their programs, and how to start them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use variant_view::Dialect;

use super::Script;
use crate::corpus;

/// An engine: how to find and call its program.
struct Known {
    name: &'static str,
    dialect: Dialect,
    /// The environment variable that names the program.
    variable: &'static str,
    /// The program if the variable is unset.
    program: Program,
    /// The argument before the path of the script.
    version: Option<&'static str>,
    /// The scripts of the engine, by name and source.
    scripts: Scripts,
}

/// The default program of an engine.
#[derive(Clone, Copy)]
enum Program {
    /// An installed program. Its arguments are those of the engine.
    Installed(&'static str),
    /// A program next to the workspace. It is called as `PROGRAM [VERSION] SCRIPT.gd ARGUMENTS`.
    Wrapper(&'static str),
}

/// The names and sources of the scripts of [`Script`], and of the files that they need.
type Scripts = &'static [(&'static str, &'static str)];

macro_rules! scripts {
    ($($folder:literal: $($name:literal)*),*) => {
        &[$($(($name, include_str!(concat!("../../", $folder, "/", $name)))),*),*]
    };
}

const OF_GODOT3: Scripts =
    scripts!("engine/godot3": "oracle.gd" "carriers.gd" "peer.gd" "schema.gd" "project.godot");
const OF_GODOT4: Scripts = scripts!(
    "engine/godot4": "oracle.gd" "carriers.gd" "peer.gd" "multiplayer.gd" "arena.gd" "thing.gd" "part.gd",
    "../variant-multiplayer/examples/client": "world.gd" "player.gd"
);

const KNOWN: [Known; 5] = [
    Known {
        name: "Godot 3",
        dialect: Dialect::Godot3,
        variable: "VARIANT_GODOT3",
        program: Program::Installed("godot3-server"),
        version: None,
        scripts: OF_GODOT3,
    },
    Known {
        name: "Godot 4",
        dialect: Dialect::Godot4,
        variable: "VARIANT_GODOT4",
        program: Program::Wrapper("godot4"),
        version: None,
        scripts: OF_GODOT4,
    },
    pandemonium("Pandemonium 3", Dialect::Pandemonium3, "3"),
    pandemonium("Pandemonium 4", Dialect::Pandemonium4, "4"),
    pandemonium("Pandemonium 5", Dialect::Pandemonium5, "5"),
];

const fn pandemonium(name: &'static str, dialect: Dialect, version: &'static str) -> Known {
    let program = Program::Wrapper("pandemonium");
    let version = Some(version);
    Known { name, dialect, variable: "VARIANT_PANDEMONIUM", program, version, scripts: OF_GODOT3 }
}

impl Known {
    /// The program that the variable names, otherwise the default program if it exists.
    fn find(&'static self) -> Option<LiveEngine> {
        let program = env::var_os(self.variable).or_else(|| match self.program {
            Program::Installed(name) => is_installed(name).then(|| name.into()),
            Program::Wrapper(name) => {
                Some(beside(name)).filter(|path| path.exists()).map(Into::into)
            }
        })?;
        Some(LiveEngine { known: self, program })
    }
}

fn is_installed(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(name).exists())
}

/// A program in `shared/engines` next to the workspace.
fn beside(name: &str) -> PathBuf {
    let workspace = corpus::root().join("..").join("..");
    workspace.join("shared").join("engines").join(name)
}

/// The engines that are found. Prints a line once for each missing engine. If the variable `NOT_CHECKED` names a file,
/// also writes the lines to the file.
///
/// # Panics
/// If an engine is missing that the variable `VARIANT_LIVE_REQUIRED` names. Its value is a list such as
/// `godot3,pandemonium5`.
pub fn engines() -> &'static [LiveEngine] {
    static FOUND: OnceLock<Vec<LiveEngine>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let found: Vec<_> = KNOWN.iter().filter_map(Known::find).collect();
        let is_found = |known: &&Known| found.iter().any(|engine| engine.name() == known.name);
        let missing: Vec<_> = KNOWN.iter().filter(|known| !is_found(known)).collect();
        let file = env::var_os("NOT_CHECKED").map(PathBuf::from);
        report(&missing, file.as_deref()).expect("NOT_CHECKED names a file that can be written to");
        let required = env::var("VARIANT_LIVE_REQUIRED").unwrap_or_default();
        if let Err(lacking) = check_required(&required, &missing) {
            panic!("VARIANT_LIVE_REQUIRED: {lacking}");
        }
        found
    })
}

#[expect(clippy::print_stdout, reason = "a test without an engine passes, and must report that")]
fn report(missing: &[&Known], file: Option<&Path>) -> io::Result<()> {
    let line = |known: &&Known| {
        let Known { name, variable, .. } = known;
        format!("{name}: not asked, since no program is found, nor named by {variable}\n")
    };
    let lines: String = missing.iter().map(line).collect();
    print!("{lines}");
    let Some(file) = file else { return Ok(()) };
    // Each test program reports its missing engines. The file needs only one line for each engine.
    let known = fs::read_to_string(file).unwrap_or_default();
    let is_new = |line: &&str| !known.lines().any(|known| known == *line);
    let new: String = lines.lines().filter(is_new).flat_map(|line| [line, "\n"]).collect();
    OpenOptions::new().create(true).append(true).open(file)?.write_all(new.as_bytes())
}

/// The error if an engine in the list is missing or unknown.
fn check_required(required: &str, missing: &[&Known]) -> Result<(), String> {
    let id = |known: &Known| known.name.to_ascii_lowercase().replace(' ', "");
    for wanted in required.split(',').map(str::trim).filter(|wanted| !wanted.is_empty()) {
        if !KNOWN.iter().any(|known| id(known) == wanted) {
            let all: Vec<_> = KNOWN.iter().map(id).collect();
            return Err(format!("there is no engine {wanted:?}, but {}", all.join(", ")));
        }
        if let Some(known) = missing.iter().find(|known| id(known) == wanted) {
            return Err(format!(
                "{} is not found; name its program by {}",
                known.name, known.variable
            ));
        }
    }
    Ok(())
}

/// An engine that can be started.
#[derive(Clone)]
pub struct LiveEngine {
    known: &'static Known,
    program: OsString,
}

impl std::fmt::Debug for LiveEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LiveEngine").field(&self.known.name).field(&self.program).finish()
    }
}

impl LiveEngine {
    /// The name of the engine, for people.
    pub const fn name(&self) -> &'static str {
        self.known.name
    }

    /// The dialect of the engine.
    pub const fn dialect(&self) -> Dialect {
        self.known.dialect
    }

    /// Runs a script that reads from and writes to a folder. Returns the exit status of the engine, or `None` if it
    /// runs longer than `limit`.
    pub fn run(
        &self,
        script: Script,
        folder: &Path,
        arguments: &[String],
        limit: Duration,
    ) -> io::Result<Option<ExitStatus>> {
        for (name, source) in self.known.scripts {
            fs::write(folder.join(name), source)?;
        }
        let mut command = self.command(folder, &folder.join(script.file()));
        command.arg(format!("--folder={}", folder.display())).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        own_group(&mut command);
        wait(command.current_dir(folder).spawn()?, limit)
    }

    fn command(&self, folder: &Path, script: &Path) -> Command {
        let mut command = Command::new(&self.program);
        match self.known.program {
            Program::Installed(_) => {
                command.arg("--path").arg(folder).arg("-s").arg(script);
                command.env("XDG_CACHE_HOME", folder);
            }
            Program::Wrapper(_) => {
                command.args(self.known.version).arg(script);
                // The folder for unpacked files.
                command.env("XDG_CACHE_HOME", cache());
            }
        }
        // The folders in which an engine writes settings.
        for home in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(home, folder);
        }
        command
    }

    #[cfg(test)]
    pub(super) fn godot3_at(program: &str) -> Self {
        Self { known: &KNOWN[0], program: program.into() }
    }
}

fn cache() -> PathBuf {
    let home = || Path::new(&env::var_os("HOME").unwrap_or_default()).join(".cache");
    env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from)
}

/// Starts the process in a separate group. A wrapper has children, which must end with it.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Waits for the exit status of a process. Ends the process and its group if it runs longer than `limit`.
fn wait(mut child: Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(5));
    }
    end_group(child.id())?;
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn end_group(id: u32) -> io::Result<()> {
    let group = format!("-{id}");
    let arguments = [OsStr::new("-KILL"), OsStr::new("--"), OsStr::new(&group)];
    if cfg!(unix) {
        Command::new("kill").args(arguments).stderr(Stdio::null()).status()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & wait"]);
        own_group(&mut command);
        let start = Instant::now();
        assert!(wait(command.spawn().unwrap(), Duration::from_millis(50)).unwrap().is_none());
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn missing_engines_are_listed_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("not-checked");
        fs::write(&file, "another\n").unwrap();
        for _ in 0..2 {
            report(&[&KNOWN[0], &KNOWN[4]], Some(&file)).unwrap();
        }
        let lines = fs::read_to_string(&file).unwrap();
        let names: Vec<_> = lines.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(names, ["another", "Godot 3", "Pandemonium 5"]);
        assert!(report(&[&KNOWN[0]], Some(folder.path())).is_err());
    }

    #[test]
    fn an_engine_that_is_required_must_not_be_missing() {
        let missing = [&KNOWN[0]];
        assert!(check_required("", &missing).is_ok());
        assert!(check_required("godot4, pandemonium5", &missing).is_ok());
        assert!(check_required("godot4,godot3", &missing).unwrap_err().starts_with("Godot 3 "));
        assert!(check_required("godot5", &missing).unwrap_err().contains("pandemonium3"));
    }

    #[test]
    fn installed_programs_are_found() {
        assert!(is_installed("sh"));
        assert!(!is_installed("no-such-program"));
    }
}
