//! What a hostile peer may send stays within the bounds.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use variant_debugger::{
    Command, ErrorKind, Family, Game, GameOptions, Limits, List, Message, SendError, Session,
    SessionOptions, Value, Version,
};
use variant_owned::{Object, Variant, array, encode};
use variant_view::Dialect;

use crate::common::{CAPTURES, after, framed, from_game, game, session};

fn value(value: &Variant, dialect: Dialect) -> Vec<u8> {
    framed(&encode(value, dialect).unwrap())
}

/// A message of Godot 3 in frames.
fn frames(values: &[Variant]) -> Vec<u8> {
    values.iter().flat_map(|v| value(v, Dialect::Godot3)).collect()
}

fn first_error(session: &mut Session, bytes: &[u8]) -> ErrorKind {
    session.handle(bytes, Instant::now());
    loop {
        match session.next_event().expect("an error") {
            Ok(_) => {}
            Err(error) => return error.kind(),
        }
    }
}

#[test]
fn a_length_over_the_limit_ends_the_session_at_once() {
    for len in [u32::MAX, 0x8000_0000, (8 << 20) + 1] {
        let mut session = Session::default();
        let kind = first_error(&mut session, &len.to_le_bytes());
        assert_eq!(kind, ErrorKind::FrameTooLong { len, limit: 8 << 20 });
        assert!(session.has_failed());
        session.handle(&from_game("godot3.2-short"), Instant::now());
        assert!(session.next_event().is_none(), "nothing is read after it");
    }
}

#[test]
fn a_peer_that_is_not_a_game_is_refused() {
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let kind = first_error(&mut Session::default(), request);
    assert!(matches!(kind, ErrorKind::FrameTooLong { .. }), "{kind:?}");
    let kind = first_error(&mut Session::default(), &framed(&[2, 0, 0, 0, 7, 0, 0, 0]));
    assert_eq!(kind, ErrorKind::NotAGame { header: 2 });
    // The word is that of the frame, even if more bytes have arrived.
    for short in [&[][..], &[4], &[4, 0, 0]] {
        let bytes = [framed(short), from_game("godot3.2-short")].concat();
        let kind = first_error(&mut Session::default(), &bytes);
        assert_eq!(kind, ErrorKind::NotAGame { header: u32::MAX });
    }
}

/// The length of the next frame is the type id of an array.
#[test]
fn a_short_element_shows_no_dialect() {
    for short in [&[][..], &[19], &[19, 0, 0]] {
        let mut session = Session::new(SessionOptions::default().family(Family::Frames));
        let name = frames(&["output".into(), 2.into()]);
        session.handle(&[name, framed(short), framed(&[0; 19])].concat(), Instant::now());
        while session.next_event().is_some() {}
        assert_eq!(session.dialect(), None, "{short:?}");
    }
}

#[test]
fn counts_of_frames_are_bounded() {
    for count in [-1, i64::MIN, i64::MAX, 1 << 31, (1 << 20) + 1] {
        let mut session = session(Family::Frames, Dialect::Godot3);
        let bytes = frames(&["message:scene_tree".into(), count.into()]);
        let kind = first_error(&mut session, &bytes);
        assert_eq!(kind, ErrorKind::FrameCount { count, limit: 1 << 20 });
        // The next message is read.
        session.handle(&frames(&["debug_exit".into(), 0.into()]), Instant::now());
        assert_eq!(session.next_event().unwrap().unwrap().name(), "debug_exit");
    }
}

#[test]
fn a_message_of_many_long_frames_is_bounded() {
    let limits = Limits::GAME.message(1 << 16);
    let options = SessionOptions::default().family(Family::Frames).dialect(Dialect::Godot3);
    let mut session = Session::new(options.limits(limits));
    let mut bytes = frames(&["output".into(), 1000.into()]);
    for _ in 0..1000 {
        bytes.extend(frames(&["x".repeat(1000).into()]));
    }
    let kind = first_error(&mut session, &bytes);
    assert_eq!(kind, ErrorKind::MessageTooLong { limit: 1 << 16 });
    // A frame that would exceed it is not waited for.
    let mut session = Session::new(options.limits(limits));
    let mut bytes = frames(&["output".into(), 1.into()]);
    bytes.extend(70_000_u32.to_le_bytes());
    let kind = first_error(&mut session, &bytes);
    assert_eq!(kind, ErrorKind::MessageTooLong { limit: 1 << 16 });
}

#[test]
fn a_game_that_leaves_out_a_frame_is_read_again_from_the_next_name() {
    // Godot 3 leaves out a frame over 8 MiB without its place in the count: the properties are missing here.
    let mut session = session(Family::Frames, Dialect::Godot3);
    let mut bytes = frames(&["message:inspect_object".into(), 3.into(), 7.into(), "Node".into()]);
    bytes.extend(frames(&["debug_exit".into(), 0.into()]));
    bytes.extend(frames(&["network_bandwidth".into(), 2.into(), 5.into(), 6.into()]));
    session.handle(&bytes, Instant::now());
    let first = session.next_event().unwrap().unwrap();
    assert!(matches!(first.message(), Message::Malformed { .. }));
    let lost = session.next_event().unwrap().unwrap_err();
    assert!(matches!(lost.kind(), ErrorKind::OutOfStep { .. }) && !lost.is_fatal());
    let next = session.next_event().unwrap().unwrap();
    assert!(matches!(next.message(), Message::Bandwidth { incoming: 5, outgoing: 6 }));
    assert!(session.next_event().is_none());
}

#[test]
fn deep_values_are_refused() {
    let mut bytes = Vec::new();
    for _ in 0..100_000 {
        bytes.extend([28, 0, 0, 0, 1, 0, 0, 0]);
    }
    bytes.extend([0; 4]);
    let mut session = Session::default();
    let kind = first_error(&mut session, &framed(&bytes));
    assert!(matches!(kind, ErrorKind::Value(_)), "{kind:?}");
    assert!(!session.has_failed(), "the next frame is read");
}

#[test]
fn wrong_elements_are_malformed_and_not_lost() {
    let game = game(Family::ArrayThreads, Dialect::Godot4);
    let values = [Variant::from("no number")];
    let wrong: Vec<Value<'_>> = values.iter().map(Value::from).collect();
    for name in ["debug_enter", "set_pid", "error", "servers:profile_frame", "stack_frame_vars"] {
        for elements in [List::default(), List::from(&wrong)] {
            let message = Message::Custom { name: name.into(), elements };
            let bytes = game.send(&message).unwrap();
            let mut session = Session::default();
            session.handle(&bytes, Instant::now());
            let event = session.next_event().unwrap().unwrap();
            assert_eq!(event.bytes(), bytes);
            assert!(matches!(event.message(), Message::Malformed { .. }), "{event:?}");
            assert!(session.stopped().is_empty());
        }
    }
}

#[test]
fn counts_inside_messages_are_not_trusted() {
    let game = game(Family::ArrayThreads, Dialect::Godot4);
    for count in [-1, 3, i64::MAX] {
        for name in ["stack_dump", "multiplayer:rpc", "servers:memory_usage", "multiplayer:syncs"] {
            let values = [Variant::from(count)];
            let elements: Vec<Value<'_>> = values.iter().map(Value::from).collect();
            let message = Message::Custom { name: name.into(), elements: List::from(&elements) };
            let mut session = Session::default();
            session.handle(&game.send(&message).unwrap(), Instant::now());
            let event = session.next_event().unwrap().unwrap();
            assert!(matches!(event.message(), Message::Malformed { .. }), "{name} {count}");
        }
    }
}

#[test]
fn floods_are_dropped_and_counted() {
    let options = SessionOptions::default().limits(Limits::GAME.messages(10));
    let mut session = Session::new(options);
    let game = game(Family::ArrayThreads, Dialect::Godot4);
    let exit = game.send(&Message::DebugExit).unwrap();
    let now = Instant::now();
    session.handle(&exit.repeat(25), now);
    let mut events = Vec::new();
    while let Some(event) = session.next_event() {
        events.push(format!("{:?}", event.unwrap().message()));
    }
    assert_eq!(events.len(), 11);
    assert_eq!(events[10], "Dropped { messages: 15 }");
    session.handle(&exit, now + Duration::from_secs(1));
    assert!(session.next_event().is_some(), "a second later");
}

#[test]
fn stopped_threads_are_bounded_and_dropped_messages_are_followed() {
    let limits = Limits::GAME.messages(1);
    let mut session = Session::new(SessionOptions::default().limits(limits));
    let game = Game::new(GameOptions::GODOT_4);
    let stop = |reason: String| {
        Message::DebugEnter(variant_debugger::Stop {
            can_continue: true,
            reason: reason.into(),
            has_stack: None,
            thread_name: None,
            thread_id: None,
        })
    };
    let long = "ü".repeat(10_000);
    let bytes: Vec<u8> =
        (0..1000).flat_map(|thread| game.send_from(thread, &stop(long.clone())).unwrap()).collect();
    session.handle(&bytes, Instant::now());
    while let Some(event) = session.next_event() {
        event.unwrap();
    }
    assert_eq!(session.stopped().len(), 64);
    assert!(session.stopped().iter().all(|stopped| stopped.reason.len() <= 256));
}

#[test]
fn what_a_game_would_not_survive_is_not_sent() {
    for (family, dialect) in
        [(Family::Frames, Dialect::Godot3), (Family::FramesThreads, Dialect::Pandemonium5)]
    {
        let mut session = session(family, dialect);
        session.handle(&game(family, dialect).send(&Message::DebugExit).unwrap(), Instant::now());
        session.next_event().unwrap().unwrap();
        // Each of these ended an engine.
        for name in ["inspect_object", "set_object_property", "get_stack_frame_vars"] {
            let command = Command::Custom { name: name.into(), arguments: List::default() };
            let error = session.send(&command).unwrap_err();
            assert!(matches!(error, SendError::TooFewArguments { .. }), "{error}");
        }
        // A message of 65,531 bytes is the last that a game reads.
        let overhead = {
            let empty = Variant::from("");
            let command =
                Command::SetProperty { id: 1, name: "big".into(), value: (&empty).into() };
            session.send(&command).unwrap().len() - 4
        };
        let of = |len: usize| {
            let text = Variant::from("z".repeat(len));
            let name = "big".into();
            session.send(&Command::SetProperty { id: 1, name, value: (&text).into() })
        };
        let fits = (65_531 - overhead) / 4 * 4;
        assert!(of(fits).is_ok());
        assert!(matches!(of(fits + 4).unwrap_err(), SendError::TooLong { limit: 65_531, .. }));
    }
}

#[test]
fn objects_in_full_are_not_sent() {
    let session = after(&from_game("godot4.4-release"));
    let object = Variant::from(Object::new("Resource"));
    let arguments = [Value::from(&object)];
    let command = Command::Custom { name: "mine:ask".into(), arguments: List::from(&arguments) };
    assert_eq!(session.send(&command).unwrap_err(), SendError::Object);
}

#[test]
fn nothing_that_depends_on_the_version_is_sent_before_it_is_known() {
    let session = after(&from_game("godot4.4-cut"));
    let error = session.send(&Command::InspectObject { id: 1 }).unwrap_err();
    assert!(matches!(error, SendError::VersionUnknown { .. }), "{error}");
    let speed = session.send(&Command::Speed(2.0)).unwrap_err();
    assert!(matches!(speed, SendError::VersionUnknown { .. }), "{speed}");
    assert!(session.send(&Command::SceneTree).is_ok());
    // Up to 4.4, by its `debug_enter`.
    let session = after(&from_game("godot4.4-release-break"));
    let bytes = session.send(&Command::InspectObject { id: 1 }).unwrap();
    assert!(bytes.windows(20).any(|part| part == b"scene:inspect_object"));
    let speed = session.send(&Command::Speed(2.0)).unwrap_err();
    assert!(matches!(speed, SendError::NotInVersion { .. }), "{speed}");
    let options = SessionOptions::default().dialect(Dialect::Godot4).versions(Version::new(4, 5));
    let mut session = Session::new(options);
    let error = session.send(&Command::InspectObject { id: 1 }).unwrap_err();
    assert_eq!(error, SendError::FamilyUnknown);
    session.handle(&from_game("godot4.4-cut"), Instant::now());
    while let Some(event) = session.next_event() {
        event.unwrap();
    }
    let bytes = session.send(&Command::InspectObject { id: 1 }).unwrap();
    assert!(bytes.windows(21).any(|part| part == b"scene:inspect_objects"));
}

#[test]
fn commands_that_the_game_ignores_or_that_let_it_run_on_are_refused() {
    let session = after(&from_game("godot3.2-short"));
    for command in [Command::Step, Command::Continue, Command::StackDump] {
        let error = session.send(&command).unwrap_err();
        assert!(matches!(error, SendError::NotStopped { .. }), "{error}");
    }
    // Stopped: `break` would let it run on.
    let session = after(&from_game("godot3.2-cut"));
    assert_eq!(session.stopped().len(), 1);
    assert!(session.send(&Command::StackDump).is_ok());
    let error = session.send(&Command::Break).unwrap_err();
    assert!(matches!(error, SendError::NotRunning { .. }), "{error}");
}

#[test]
fn a_game_takes_what_an_engine_would_crash_on_as_an_error() {
    let mut game = game(Family::Frames, Dialect::Godot3);
    let bare = array!["inspect_object"];
    game.handle(&value(&Variant::from(bare), Dialect::Godot3), Instant::now());
    let request = game.next_request().unwrap().unwrap();
    let error = request.command().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooFew { found: 0, least: 1 });
    // Not an array, an empty array, a number for a name.
    for wrong in [Variant::from("break"), array![].into(), array![1].into()] {
        game.handle(&value(&wrong, Dialect::Godot3), Instant::now());
        assert!(game.next_request().unwrap().is_err());
    }
    game.handle(&70_000_u32.to_le_bytes(), Instant::now());
    assert!(game.next_request().unwrap().unwrap_err().is_fatal());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn nothing_panics_on_a_mutant(
        index in 0..CAPTURES.len(),
        changes in prop::collection::vec((0_usize..4000, any::<u8>()), 1..8),
    ) {
        let mut bytes = from_game(CAPTURES[index].0);
        bytes.truncate(4000);
        for (place, byte) in changes {
            if let Some(found) = bytes.get_mut(place) {
                *found = byte;
            }
        }
        let mut session = Session::default();
        session.handle(&bytes, Instant::now());
        while let Some(event) = session.next_event() {
            if let Ok(event) = event {
                let _ = event.message().check();
            }
        }
    }
}
