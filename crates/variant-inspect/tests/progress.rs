//! The line of progress on a terminal.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::bounds::end_of;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// All output on a terminal whose programs have ended. One `read` may return a part of it, and the last one fails.
fn all_of(mut terminal: File) -> String {
    let (mut all, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(len @ 1..) = terminal.read(&mut part) {
        all.extend_from_slice(&part[..len]);
    }
    String::from_utf8(all).unwrap()
}

/// Work that takes over half a second shows the line. Other output does not wait for the line.
#[test]
fn it_appears_and_what_is_told_stands_above_it() {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let screen = File::options().read(true).write(true).open(name).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .args(["tree", "-", "--depth", "0"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(screen)
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    sleep(Duration::from_millis(900));
    let save = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/godot4/saves/sample3.variant");
    input.write_all(&fs::read(save).unwrap()).unwrap();
    drop(input);
    assert!(end_of(child, Duration::from_secs(20)).expect("it hangs").success());
    let said = all_of(File::from(terminal));
    assert!(said.contains(" tree, "), "{said:?}");
    // The message is complete: the line of progress does not clear a part of it.
    let told = said.split("\u{1b}[2K").find(|part| part.contains("note:"));
    assert!(told.is_some_and(|told| told.contains("a Dictionary in Godot 4\r\n")), "{said:?}");
}
