//! [`Child`]: a game that the command started.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use variant_debugger::Version;
use variant_view::Dialect;

use super::home::Home;
use crate::failure::{Failure, Status};
use crate::groups::Groups;
use crate::stop::Stop;
use variant_document::escape::{escaped, neutral};

/// The time that a program gets to print its version.
const VERSION: Duration = Duration::from_secs(10);

/// The time that its output gets to end after the program.
const READER: Duration = Duration::from_secs(1);

/// The number of bytes of the program's own output that are kept. They are printed if the game does not connect.
const KEPT: usize = 4 << 10;

/// The time between two looks at a process.
const LOOK: Duration = Duration::from_millis(20);

/// A started game. Dropping it ends the process, unless [`Child::leave`] was called.
#[derive(Debug)]
pub(super) struct Child {
    process: process::Child,
    last: Arc<Mutex<Vec<u8>>>,
    /// The threads that read the program's output.
    readers: Vec<JoinHandle<()>>,
    /// The groups of the command. That of the process is one of them, unless it is left.
    groups: Groups,
    is_left: bool,
}

impl Child {
    /// Starts a game that connects to `address`. A game that is left later has no pipes, which would break then.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(
        command: &[OsString],
        address: SocketAddr,
        engine: Engine,
        home: Option<&Home>,
        is_left_later: bool,
        groups: &Groups,
    ) -> Result<Self, Failure> {
        let [program, arguments @ ..] = command else {
            return Err(Failure::usage("the command of the game is empty"));
        };
        let arguments = if has_place(arguments) {
            arguments.iter().map(|argument| put(argument, address)).collect()
        } else {
            added(arguments, &engine.form.address(address))
        };
        let failed = |error: io::Error| failed_to_start(program, &error);
        let mut command = Command::new(program);
        let output = || if is_left_later { Stdio::null() } else { Stdio::piped() };
        command.args(arguments).stdin(Stdio::null()).stdout(output()).stderr(output());
        if let Some(home) = home {
            home.put(&mut command);
        }
        let mut process = groups.start(&mut command).map_err(failed)?;
        let last = Arc::new(Mutex::new(Vec::new()));
        let pipes = [process.stdout.take().map(boxed), process.stderr.take().map(boxed)];
        let groups = groups.clone();
        let mut child = Self { process, last, readers: Vec::new(), groups, is_left: false };
        for pipe in pipes.into_iter().flatten() {
            let last = Arc::clone(&child.last);
            let drain = thread::Builder::new().name("output".to_owned());
            let reader = drain.spawn(move || keep_last(pipe, &last)).map_err(failed)?;
            child.readers.push(reader);
        }
        Ok(child)
    }

    /// The exit status, if the process has ended. On Unix, the process keeps its id until this value is dropped, so that the
    /// id is that of its group.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        #[cfg(unix)]
        return exit_status(&self.process);
        #[cfg(not(unix))]
        self.process.try_wait().ok().flatten()
    }

    /// Waits until the process ends, but not longer than this time.
    pub(super) fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let end = Instant::now().checked_add(time)?;
        loop {
            match self.ended() {
                None if Instant::now() < end => thread::sleep(LOOK),
                status => return status,
            }
        }
    }

    /// Waits for the end of the output of a program that has ended, but not long: another process may keep it open.
    fn wait_for_output(&self) {
        let end = Instant::now().checked_add(READER);
        let is_reading = || self.readers.iter().any(|reader| !reader.is_finished());
        while is_reading() && end.is_some_and(|end| Instant::now() < end) {
            thread::sleep(LOOK);
        }
    }

    /// The last lines that the program printed on its own streams.
    pub(super) fn last_lines(&mut self) -> String {
        if self.ended().is_some() {
            self.wait_for_output();
        }
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&last);
        let lines: Vec<_> =
            text.lines().rev().take(8).map(|line| neutral(line.trim_end())).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n  ")
    }

    /// Leaves the process running when this value is dropped.
    pub(super) fn leave(&mut self) {
        self.groups.leave(&self.process);
        self.is_left = true;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.is_left {
            // The processes that a program has started may run on after it.
            self.groups.end(&self.process);
            // If the process has ended, it cannot be ended again.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// The exit status of a process that has ended. The process is not waited for.
#[cfg(unix)]
fn exit_status(process: &process::Child) -> Option<ExitStatus> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_child(process)), options).ok()??;
    // As `wait` encodes it: the exit code in the second byte, or the signal and bit 7 for a core dump.
    let core = if status.dumped() { 0x80 } else { 0 };
    let of_code = status.exit_status().map(|code| (code & 0xff) << 8);
    let raw = of_code.or_else(|| status.terminating_signal().map(|signal| signal | core))?;
    Some(std::os::unix::process::ExitStatusExt::from_raw(raw))
}

fn boxed(pipe: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(pipe)
}

/// Reads a pipe to its end, so that the program does not wait for a reader. Keeps the last bytes.
fn keep_last(mut pipe: Box<dyn Read + Send>, last: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 1 << 12];
    while let Ok(len @ 1..) = pipe.read(&mut bytes) {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        last.extend_from_slice(bytes.get(..len).unwrap_or_default());
        let from = last.len().saturating_sub(KEPT);
        drop(last.drain(..from));
    }
}

fn failed_to_start(program: &OsStr, error: &io::Error) -> Failure {
    Failure::io(format!("{} cannot be started: {error}", escaped(&program.to_string_lossy())))
}

const ADDRESS: &str = "{address}";
const URI: &str = "{uri}";

/// Whether an argument names the place of the address.
fn has_place(arguments: &[OsString]) -> bool {
    let mut texts = arguments.iter().filter_map(|argument| argument.to_str());
    texts.any(|text| text.contains(ADDRESS) || text.contains(URI))
}

fn put(argument: &OsString, address: SocketAddr) -> OsString {
    let Some(text) = argument.to_str() else { return argument.clone() };
    let uri = Form::Uri.address(address);
    text.replace(ADDRESS, &Form::Bare.address(address)).replace(URI, &uri).into()
}

/// The arguments with the engine's option. The engine reads no options after `--` and `++`.
fn added(arguments: &[OsString], address: &str) -> Vec<OsString> {
    let is_end = |argument: &OsString| argument == "--" || argument == "++";
    let end = arguments.iter().position(is_end).unwrap_or(arguments.len());
    let (before, after) = arguments.split_at_checked(end).unwrap_or((arguments, &[]));
    let option = ["--remote-debug".into(), address.into()];
    before.iter().cloned().chain(option).chain(after.iter().cloned()).collect()
}

/// What is known of the engine of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Engine {
    form: Form,
    /// The version of Godot 4.
    pub(super) version: Option<Version>,
}

impl Engine {
    /// The engine of a command. If the dialect is not given and the command does not name the place of the address,
    /// asks the program for its version. `None` without a command.
    pub(super) fn of(
        command: &[OsString],
        dialect: Option<Dialect>,
        stop: &Stop,
    ) -> Result<Option<Self>, Failure> {
        let [program, arguments @ ..] = command else { return Ok(None) };
        if let Some(dialect) = dialect {
            let form = if dialect == Dialect::Godot4 { Form::Uri } else { Form::Bare };
            return Ok(Some(Self { form, version: None }));
        }
        // The name alone: a folder may have the name of another engine.
        let name = Path::new(program).file_name().unwrap_or(program);
        let is_pandemonium = name.to_string_lossy().to_lowercase().contains("pandemonium");
        if is_pandemonium || has_place(arguments) {
            return Ok(Some(Self { form: Form::Bare, version: None }));
        }
        let printed = version(program, stop).map_err(|error| failed_to_start(program, &error))?;
        if stop.is_asked() {
            return Err(Failure::Told(Status::Invalid));
        }
        let engine = Self::of_version(&printed);
        let name = escaped(&program.to_string_lossy());
        engine.map(Some).ok_or_else(|| {
            Failure::usage(format!(
                "{name} --version does not print the version of an engine; name the engine, such as --dialect godot4, \
                 or write {URI} or {ADDRESS} into the command"
            ))
        })
    }

    fn of_version(printed: &str) -> Option<Self> {
        // Wrappers may print lines before the version.
        printed.lines().rev().find_map(|line| {
            let version: Version = line.trim().parse().ok()?;
            match version.major {
                3 => Some(Self { form: Form::Bare, version: None }),
                4 => Some(Self { form: Form::Uri, version: Some(version) }),
                _ => None,
            }
        })
    }
}

/// How an engine takes the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `127.0.0.1:6007`: Godot 3 and Pandemonium.
    Bare,
    /// `tcp://127.0.0.1:6007`: Godot 4.
    Uri,
}

impl Form {
    fn address(self, address: SocketAddr) -> String {
        // An address of every interface is not one to connect to. Engines take IPv6 without brackets.
        let ip = match address.ip() {
            ip if ip.is_unspecified() && ip.is_ipv4() => "127.0.0.1".to_owned(),
            ip if ip.is_unspecified() => "::1".to_owned(),
            ip => ip.to_string(),
        };
        let scheme = if self == Self::Uri { "tcp://" } else { "" };
        format!("{scheme}{ip}:{}", address.port())
    }
}

/// What `PROGRAM --version` prints, until the user or the system asks to end.
fn version(program: &OsStr, stop: &Stop) -> io::Result<String> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = stop.groups.start(&mut command)?;
    let last = Arc::new(Mutex::new(Vec::new()));
    let reader = process.stdout.take().map(|pipe| {
        let last = Arc::clone(&last);
        thread::spawn(move || keep_last(boxed(pipe), &last))
    });
    let (readers, groups) = (reader.into_iter().collect(), stop.groups.clone());
    let mut child = Child { process, last, readers, groups, is_left: false };
    let end = Instant::now().checked_add(VERSION);
    let is_in_time = || !stop.is_asked() && end.is_some_and(|end| Instant::now() < end);
    while is_in_time() {
        if child.ended_within(LOOK).is_some() {
            child.wait_for_output();
            break;
        }
    }
    let last = child.last.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(String::from_utf8_lossy(&last).into_owned())
}

/// The option that makes a game connect, as a user types it.
pub(super) fn hint(address: SocketAddr) -> String {
    let (bare, uri) = (Form::Bare.address(address), Form::Uri.address(address));
    format!("--remote-debug {uri} (Godot 4) or --remote-debug {bare} (Godot 3, Pandemonium)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_option_is_before_the_game_s_own_arguments() {
        let plain = added(&words(&["--path", "game"]), "a:1");
        assert_eq!(plain, words(&["--path", "game", "--remote-debug", "a:1"]));
        for end in ["--", "++"] {
            let own = added(&words(&["--path", "game", end, "x"]), "a:1");
            assert_eq!(own, words(&["--path", "game", "--remote-debug", "a:1", end, "x"]));
        }
    }

    #[test]
    fn a_place_in_the_command_gets_the_address() {
        let of = address("127.0.0.1:6007");
        assert!(has_place(&words(&["x", "--debug={uri}"])) && !has_place(&words(&["x"])));
        assert_eq!(put(&"--debug={uri}".into(), of), "--debug=tcp://127.0.0.1:6007");
        assert_eq!(put(&"{address}".into(), of), "127.0.0.1:6007");
    }

    #[test]
    fn the_version_decides_the_form() {
        let four = Engine { form: Form::Uri, version: Some(Version::new(4, 4)) };
        for (version, engine) in [
            ("3.2.3.stable.debian", Some(Engine { form: Form::Bare, version: None })),
            ("a wrapper\n4.4.1.stable.official.49a5bc7b6\n", Some(four)),
            ("1.0.2-dev", None),
            ("", None),
        ] {
            assert_eq!(Engine::of_version(version), engine, "{version}");
        }
    }

    #[test]
    fn an_address_of_all_interfaces_becomes_one_to_connect_to() {
        assert_eq!(Form::Bare.address(address("0.0.0.0:7")), "127.0.0.1:7");
        assert_eq!(Form::Uri.address(address("[::]:7")), "tcp://::1:7");
    }
}
