//! A second signal: the command ends at once, and the game with it.

#![cfg(target_os = "linux")]

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use variant_debugger::{Game, GameOptions, Line, LineKind, List, Message};

use super::scripted::ENGINES;

/// The number of bytes that a pipe of Linux holds.
const PIPE: usize = 1 << 16;

/// A wrapper of a game: says the address of the debugger, and runs on. Its connection is open while a process of its group
/// runs.
const WRAPPER: &str = r#"exec 3<>/dev/tcp/127.0.0.1/"$2"; echo "$1" >&3; sleep 600"#;

/// A game that prints until the debugger reads no more, because it waits.
fn print_until_nobody_reads(address: &str) -> TcpStream {
    let mut options = GameOptions::GODOT_4;
    (options.family, options.dialect, options.version) = ENGINES[0];
    let lines = vec![Line { text: "a".into(), kind: LineKind::Log, thread: None }; 100];
    let bytes = Game::new(options).send(&Message::Output(List::from(&lines))).unwrap();
    let mut game = TcpStream::connect(address).unwrap();
    game.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    while game.write_all(&bytes).is_ok() {}
    game
}

#[test]
fn a_second_signal_ends_the_game_of_a_command_that_cannot_end() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("not tested: bash is not installed");
        return;
    }
    let wrappers = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = wrappers.local_addr().unwrap().port().to_string();
    // The command waits for a reader of its output forever: at the first line, or at its end for the counts of --json.
    let (_unread, mut full) = io::pipe().unwrap();
    full.write_all(&vec![0; PIPE]).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
        .args(["debug", "listen", "--json", "--dialect", "godot3", "--"])
        .args(["bash", "-c", WRAPPER, "game", "{address}", &port])
        .env("VARIANT_INSPECT_CONFIG", "")
        .stdin(Stdio::null())
        .stdout(full)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut wrapper = BufReader::new(wrappers.accept().unwrap().0);
    let mut address = String::new();
    wrapper.read_line(&mut address).unwrap();
    let _game = print_until_nobody_reads(address.trim());
    let id = command.id().to_string();
    // Signals that come at the same time count as one.
    let status = loop {
        if let Some(status) = command.try_wait().unwrap() {
            break status;
        }
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(status.code(), Some(130));
    wrapper.get_ref().set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(wrapper.read_to_end(&mut Vec::new()).unwrap(), 0);
}
