//! `browse` in the terminal of `script`.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};

const SAVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot3/saves/rpg_save.bin");

/// The order to show the alternate screen.
const ENTER: &[u8] = b"\x1b[?1049h";

/// A program on a terminal. `script` runs it, and prints its output. The terminal does not report the cursor's position.
struct Screen {
    script: Child,
    shown: Vec<u8>,
}

impl Screen {
    /// Starts `browse`, and waits until it shows the alternate screen.
    fn start() -> Self {
        let program = env!("CARGO_BIN_EXE_variant-inspect");
        let command = format!("stty rows 24 cols 100 && exec {program} browse {SAVE}");
        let script = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut screen = Self { script, shown: Vec::new() };
        while !screen.shown.windows(ENTER.len()).any(|part| part == ENTER) {
            let mut bytes = [0; 1 << 12];
            let len = screen.script.stdout.as_mut().unwrap().read(&mut bytes).unwrap();
            assert!(len > 0, "{}", String::from_utf8_lossy(&screen.shown));
            screen.shown.extend_from_slice(&bytes[..len]);
        }
        screen
    }

    /// The whole output, and the status of the program.
    fn ended(mut self) -> (String, ExitStatus) {
        self.script.stdout.take().unwrap().read_to_end(&mut self.shown).unwrap();
        (String::from_utf8_lossy(&self.shown).into_owned(), self.script.wait().unwrap())
    }
}

#[test]
fn it_starts_draws_and_ends() {
    let mut screen = Screen::start();
    screen.script.stdin.as_mut().unwrap().write_all(b"q").unwrap();
    let (shown, status) = screen.ended();
    assert!(status.success(), "{shown}");
    assert!(shown.contains("inventory"), "{shown}");
    assert!(!shown.contains("\u{1b}[6n"), "no question about the cursor");
}

#[test]
fn a_signal_restores_the_terminal() {
    let screen = Screen::start();
    let id = screen.script.id();
    let browse = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    let killed = Command::new("kill").arg(browse.trim()).status().unwrap();
    assert!(killed.success());
    let (shown, status) = screen.ended();
    assert!(status.success(), "nothing was changed: {shown}");
    assert!(shown.contains("\u{1b}[?1049l"), "the alternate screen is left: {shown}");
}
