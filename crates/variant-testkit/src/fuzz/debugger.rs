//! Fuzz target `debugger`.

use std::time::Instant;

use variant_debugger::{Event, Family, Game, GameOptions, Session, SessionOptions};
use variant_view::Dialect;

/// Checks a stream of a game, or of a debugger. Any pieces of the stream give the same messages and the same knowledge of
/// the game. A command that was read can be written again, or is refused.
pub fn check_debugger(data: &[u8]) {
    let Some((&[choice, piece], stream)) = data.split_first_chunk() else { return };
    let piece = usize::from(piece).saturating_add(1);
    if choice & 4 == 0 {
        check_session(stream, piece, choice);
    } else {
        check_game(stream, piece, choice);
    }
}

/// The families, each with a dialect.
const FAMILIES: [(Family, Dialect); 6] = [
    (Family::Frames, Dialect::Godot3),
    (Family::FramesThreads, Dialect::Pandemonium5),
    (Family::Array, Dialect::Godot4),
    (Family::ArrayThreads, Dialect::Godot4),
    (Family::Frames, Dialect::Pandemonium3),
    (Family::FramesThreads, Dialect::Pandemonium4),
];

fn check_session(stream: &[u8], piece: usize, choice: u8) {
    let options = match choice & 3 {
        0 => SessionOptions::default(),
        1 => SessionOptions::default().family(Family::Frames),
        2 => SessionOptions::default().dialect(Dialect::Pandemonium4),
        _ => SessionOptions::default().family(Family::ArrayThreads),
    };
    let whole = messages(options, [stream].into_iter());
    let in_pieces = messages(options, stream.chunks(piece));
    assert_eq!(whole, in_pieces, "in pieces of {piece}");
}

/// What a session reports, and what it knows at the end.
fn messages<'s>(
    options: SessionOptions,
    pieces: impl Iterator<Item = &'s [u8]>,
) -> (Vec<String>, String) {
    let (mut session, mut shown) = (Session::new(options), Vec::new());
    let now = Instant::now();
    for piece in pieces {
        session.handle(piece, now);
        while let Some(event) = session.next_event() {
            match event {
                Ok(event) => shown.push(check_event(&event)),
                Err(error) => shown.push(error.to_string()),
            }
        }
        assert!(session.stopped().len() <= 64, "bounded");
    }
    let known = (session.family(), session.dialect(), session.versions(), session.pid());
    (shown, format!("{known:?} {:?} {:?}", session.banner(), session.stopped()))
}

fn check_event(event: &Event<'_>) -> String {
    let message = event.message();
    let verdict = message.check();
    assert!(event.bytes().len() >= 4, "a frame");
    format!("{} {:?} {message:?} {verdict:?}", event.name(), event.thread())
}

fn check_game(stream: &[u8], piece: usize, choice: u8) {
    let at = usize::from(choice >> 3).checked_rem(FAMILIES.len()).unwrap_or_default();
    let Some(&(family, dialect)) = FAMILIES.get(at) else { return };
    let options = GameOptions::GODOT_4.dialect(family, dialect);
    let whole = requests(options, [stream].into_iter());
    let in_pieces = requests(options, stream.chunks(piece));
    assert_eq!(whole, in_pieces, "in pieces of {piece}");
}

fn requests<'s>(options: GameOptions, pieces: impl Iterator<Item = &'s [u8]>) -> Vec<String> {
    let (mut game, mut shown) = (Game::new(options), Vec::new());
    let session = SessionOptions::default().family(options.family).dialect(options.dialect);
    let session = Session::new(session.versions(options.version));
    let now = Instant::now();
    for piece in pieces {
        game.handle(piece, now);
        while let Some(request) = game.next_request() {
            match request {
                Ok(request) => {
                    let command = request.command();
                    shown.push(format!("{} {command:?}", request.name()));
                    // Whether it is refused depends on states that this session does not have.
                    let _ = command.map(|command| session.send_to(1, &command));
                }
                Err(error) => shown.push(error.to_string()),
            }
        }
    }
    shown
}
