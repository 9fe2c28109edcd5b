//! The program as a debugger, and the engine that its tests start.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;

use crate::common::Run;

/// The program, which waits for a game.
#[derive(Debug)]
pub(crate) struct Debugger {
    child: Child,
    err: BufReader<ChildStderr>,
    pub(crate) address: SocketAddr,
}

impl Debugger {
    /// Starts `variant-inspect debug ARGUMENTS` on a free port.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
            .arg("debug")
            .args(arguments)
            .args(["--port", "0"])
            .env("VARIANT_INSPECT_CONFIG", "")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        err.read_line(&mut line).unwrap();
        // `note: waits on 127.0.0.1:40123 for a game, which needs ...`
        let address = line.split_whitespace().nth(3).and_then(|word| word.parse().ok());
        Self { child, err, address: address.unwrap_or_else(|| panic!("{line}")) }
    }

    /// Sends the signal of Ctrl-C.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    /// Waits until the program ends.
    pub(crate) fn ended(mut self) -> Run {
        let mut out = self.child.stdout.take().unwrap();
        // Both streams are read at once, since a full pipe would stop the program.
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            // A recording is not text.
            out.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
        });
        let mut err = String::new();
        self.err.read_to_string(&mut err).unwrap();
        let out = reader.join().unwrap().unwrap();
        Run { code: self.child.wait().unwrap().code(), out, err }
    }
}

/// The command of Godot 3 with the game of the tests. `None`, and a line that says so, without the engine.
pub(crate) fn godot3() -> Option<Vec<String>> {
    let program = std::env::var("VARIANT_GODOT3").unwrap_or_else(|_| "godot3-server".to_owned());
    let is_there = Command::new(&program).arg("--version").output().is_ok();
    if !is_there {
        println!("not tested: {program} is not installed (VARIANT_GODOT3 names it)");
        return None;
    }
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug/game");
    Some(vec![program, "--path".to_owned(), game.to_str().unwrap().to_owned()])
}

/// Runs `variant-inspect debug ARGUMENTS -- COMMAND`, with an order for the game.
pub(crate) fn debug(arguments: &[&str], command: &[String], order: &str) -> Run {
    Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .arg("debug")
        .args(arguments)
        .arg("--")
        .args(command)
        .env("GAME_ORDER", order)
        .env("VARIANT_INSPECT_CONFIG", "")
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .into()
}
