//! The captures of corpus/debugger.

use std::io::Read;
use std::time::Instant;

use base64::Engine;
use serde_json::Value;
use variant_debugger::{
    Command, Family, Game, GameOptions, Message, Session, SessionOptions, Stop, Version,
};
use variant_testkit::corpus;
use variant_view::Dialect;

/// The captures, with their families and dialects.
pub(crate) const CAPTURES: [(&str, Family, Dialect); 18] = [
    ("godot3.2-big", Family::Frames, Dialect::Godot3),
    ("godot3.2-cut", Family::Frames, Dialect::Godot3),
    ("godot3.2-floods", Family::Frames, Dialect::Godot3),
    ("godot3.2-in-full", Family::Frames, Dialect::Godot3),
    ("godot3.2-session", Family::Frames, Dialect::Godot3),
    ("godot3.2-short", Family::Frames, Dialect::Godot3),
    ("godot3.2-to-game", Family::Frames, Dialect::Godot3),
    ("godot4.4-big", Family::ArrayThreads, Dialect::Godot4),
    ("godot4.4-cut", Family::ArrayThreads, Dialect::Godot4),
    ("godot4.4-floods", Family::ArrayThreads, Dialect::Godot4),
    ("godot4.4-in-full", Family::ArrayThreads, Dialect::Godot4),
    ("godot4.4-release", Family::ArrayThreads, Dialect::Godot4),
    ("godot4.4-release-break", Family::ArrayThreads, Dialect::Godot4),
    ("godot4.4-short", Family::ArrayThreads, Dialect::Godot4),
    ("pandemonium3.7-release", Family::Frames, Dialect::Pandemonium3),
    ("pandemonium4.9-release", Family::FramesThreads, Dialect::Pandemonium4),
    ("pandemonium5.3-release", Family::FramesThreads, Dialect::Pandemonium5),
    ("pandemonium5.3-short", Family::FramesThreads, Dialect::Pandemonium5),
];

/// A frame of a capture.
pub(crate) struct Frame {
    pub(crate) is_from_game: bool,
    /// Whether it is damaged on purpose.
    pub(crate) is_broken: bool,
    /// The value, without length word.
    pub(crate) value: Vec<u8>,
}

impl Frame {
    /// The frame with its length word.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        framed(&self.value)
    }
}

/// A frame with its length word.
pub(crate) fn framed(value: &[u8]) -> Vec<u8> {
    [&u32::try_from(value.len()).unwrap().to_le_bytes(), value].concat()
}

/// The frames of a capture.
pub(crate) fn capture(name: &str) -> Vec<Frame> {
    let file = corpus::bytes(&format!("debugger/{name}.jsonl")).unwrap();
    let lines = str::from_utf8(&file).unwrap().lines();
    let records = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter(|record| record.get("way").is_some()).map(|record| frame(&record)).collect()
}

fn frame(record: &Value) -> Frame {
    let value = match record.get("hex") {
        Some(hex) => corpus::from_hex(hex.as_str().unwrap()).unwrap(),
        None => inflated(record["z"].as_str().unwrap()),
    };
    assert_eq!(record["size"].as_u64(), u64::try_from(value.len()).ok());
    let is_from_game = record["way"] == "from game";
    Frame { is_from_game, is_broken: record.get("broken").is_some(), value }
}

fn inflated(text: &str) -> Vec<u8> {
    let packed = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    let mut value = Vec::new();
    flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut value).unwrap();
    value
}

/// The bytes that the game of a capture sent.
pub(crate) fn from_game(name: &str) -> Vec<u8> {
    let frames = capture(name).into_iter().filter(|frame| frame.is_from_game);
    frames.flat_map(|frame| frame.bytes()).collect()
}

/// A game as that of a capture.
pub(crate) fn game(family: Family, dialect: Dialect) -> Game {
    let version = if family == Family::Array { Version::new(4, 1) } else { Version::new(4, 4) };
    Game::new(GameOptions::godot_4(version).dialect(family, dialect))
}

/// A session that knows its game in advance.
pub(crate) fn session(family: Family, dialect: Dialect) -> Session {
    Session::new(SessionOptions::default().family(family).dialect(dialect))
}

/// A session after all bytes of a capture.
pub(crate) fn after(bytes: &[u8]) -> Session {
    let mut session = Session::default();
    session.handle(bytes, Instant::now());
    while let Some(event) = session.next_event() {
        event.unwrap();
    }
    session
}

/// Brings a session to the state in which the game reads the command.
pub(crate) fn stop_for(session: &mut Session, command: &Command<'_>, thread: Option<i64>) {
    let family = session.family().unwrap();
    let dialect = session.dialect().unwrap();
    let needs_stop = matches!(
        command,
        Command::Step
            | Command::Next
            | Command::Continue
            | Command::StackDump
            | Command::StackFrameVars { .. }
            | Command::Evaluate { .. }
    );
    let game = game(family, dialect);
    let stop = Message::DebugEnter(Stop {
        can_continue: true,
        reason: "Breakpoint".into(),
        has_stack: Some(true),
        thread_name: Some("Main Thread".into()),
        thread_id: None,
    });
    let message = if needs_stop { stop } else { Message::DebugExit };
    session.handle(&game.send_from(thread.unwrap_or(1), &message).unwrap(), Instant::now());
    while let Some(event) = session.next_event() {
        event.unwrap();
    }
}
