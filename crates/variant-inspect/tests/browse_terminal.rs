//! `browse` on a terminal that does not answer queries.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// `script` runs the command on a terminal, and prints its output. The terminal does not report the cursor's position.
#[test]
fn it_starts_draws_and_ends() {
    let save = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot3/saves/rpg_save.bin");
    let program = env!("CARGO_BIN_EXE_variant-inspect");
    let command = format!("stty rows 24 cols 100 && {program} browse {save}");
    let mut child = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("TERM", "xterm-256color")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = child.stdin.take().unwrap();
    sleep(Duration::from_secs(1));
    keys.write_all(b"q").unwrap();
    let output = child.wait_with_output().unwrap();
    let screen = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{screen}");
    assert!(screen.contains("inventory"), "{screen}");
    assert!(!screen.contains("\u{1b}[6n"), "no question about the cursor");
}
