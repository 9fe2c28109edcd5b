//! Conversations of engines: every frame is typed to its last byte, and written again with the same bytes.

use std::collections::BTreeSet;
use std::time::Instant;

use proptest::prelude::*;
use variant_debugger::{Command, Event, LiveEdit, Message, Session, SessionOptions, Version};
use variant_owned::Variant;
use variant_view::{Dialect, Document, ErrorKind, NotCanonical};

use crate::common::{CAPTURES, after, capture, from_game, game, session};

/// The messages that scripts of the captures send.
fn is_of_a_script(name: &str) -> bool {
    name.starts_with("mine:") || name == "no_prefix"
}

/// Whether frames have the same values, and differ only in padding: up to 4.6.2 engines pad node paths with
/// uninitialised memory.
fn differ_by_padding(one: &[u8], other: &[u8], dialect: Dialect) -> bool {
    let values = |bytes: &[u8]| -> Vec<Variant> {
        let frames = variant_io::frames(bytes, variant_io::ByteOrder::Little);
        let value = |bytes: &[u8]| Variant::from_document(&Document::new(bytes, dialect)).unwrap();
        frames.map(|frame| value(frame.unwrap().bytes())).collect()
    };
    let mut are_padding = true;
    for frame in variant_io::frames(one, variant_io::ByteOrder::Little) {
        let document = Document::new(frame.unwrap().bytes(), dialect);
        let padding = ErrorKind::NotCanonical(NotCanonical::Padding);
        document.deviations(|found| are_padding &= found.kind() == padding).unwrap();
    }
    are_padding && one.len() == other.len() && values(one) == values(other)
}

#[test]
fn every_frame_of_a_game_is_typed_and_written_again() {
    for (name, family, dialect) in CAPTURES {
        let (mut found, game) = (Session::default(), game(family, dialect));
        let (bytes, mut end, mut names) = (from_game(name), 0, BTreeSet::new());
        found.handle(&bytes, Instant::now());
        while let Some(event) = found.next_event() {
            let event = event.unwrap();
            let message = event.message();
            message.check().unwrap_or_else(|error| panic!("{name}: {event:?}: {error}"));
            let is_custom = matches!(message, Message::Custom { .. });
            assert_eq!(is_custom, is_of_a_script(event.name()), "{name}: {}", event.name());
            let written = game.send_from(event.thread().unwrap_or(1), &message).unwrap();
            let is_equal =
                written == event.bytes() || differ_by_padding(event.bytes(), &written, dialect);
            assert!(is_equal, "{name}: {message:?}\n{:02x?}\n{written:02x?}", event.bytes());
            end += event.bytes().len();
            names.insert(event.name().to_owned());
        }
        assert!(bytes.len() - end < 200, "{name}: a capture may end inside a message, not earlier");
        assert!(names.contains("output"), "{name}: {names:?}");
    }
}

#[test]
fn every_kind_of_message_in_the_captures() {
    let mut kinds = BTreeSet::new();
    for (name, ..) in CAPTURES {
        let mut session = Session::default();
        session.handle(&from_game(name), Instant::now());
        while let Some(event) = session.next_event() {
            kinds.insert(event.unwrap().name().to_owned());
        }
    }
    // From docs/spec/debugger.md: what a run showed.
    for kind in [
        "output",
        "error",
        "performance",
        "debug_enter",
        "debug_exit",
        "stack_dump",
        "stack_frame_vars",
        "message:scene_tree",
        "message:inspect_object",
        "profile_sig",
        "profile_frame",
        "profile_total",
        "network_profile",
        "network_bandwidth",
        "message:video_mem",
        "main_thread_id",
        "set_pid",
        "performance:profile_frame",
        "performance:profile_names",
        "servers:profile_frame",
        "servers:profile_total",
        "servers:memory_usage",
        "servers:drawn",
        "visual:hardware_info",
        "multiplayer:rpc",
        "multiplayer:syncs",
        "multiplayer:bandwidth",
        "mine:answer",
    ] {
        assert!(kinds.contains(kind), "{kind} of {kinds:?}");
    }
}

#[test]
fn commands_have_the_bytes_that_were_sent() {
    let mut count = 0;
    for (name, family, dialect) in CAPTURES {
        let mut game = game(family, dialect);
        let mut session = Session::new(SessionOptions::default().versions(Version::new(4, 4)));
        session.handle(&from_game(name), Instant::now());
        while let Some(event) = session.next_event() {
            event.unwrap();
        }
        let frames = capture(name).into_iter().filter(|frame| !frame.is_from_game);
        for frame in frames.filter(|frame| !frame.is_broken) {
            game.handle(&frame.bytes(), Instant::now());
            // Some frames are not commands, on purpose.
            let Some(Ok(request)) = game.next_request() else { continue };
            let Ok(command) = request.command() else { continue };
            // Godot 3.2 was sent 7 arguments; a session writes 8, as later versions read.
            if matches!(command, Command::Live(LiveEdit::Call { .. })) {
                continue;
            }
            count += 1;
            crate::common::stop_for(&mut session, &command, request.thread());
            let sent = match request.thread() {
                Some(thread) => session.send_to(thread, &command),
                None => session.send(&command),
            };
            match sent {
                Ok(bytes) => assert!(
                    bytes == frame.bytes() || differ_by_padding(&frame.bytes(), &bytes, dialect),
                    "{name}: {command:?}"
                ),
                // The last message of this capture blocks the game.
                Err(error) => assert!(name == "godot3.2-to-game", "{name}: {command:?}: {error}"),
            }
        }
    }
    assert!(count > 150, "{count} commands");
}

#[test]
fn family_dialect_and_version_are_found() {
    for (name, family, dialect) in CAPTURES {
        let session = after(&from_game(name));
        assert_eq!(session.family(), Some(family), "{name}");
        assert_eq!(session.dialect(), Some(dialect), "{name}");
        let banner = session.banner().unwrap();
        assert!(banner.contains("Engine v"), "{name}: {banner}");
        // The captured engine of Godot 4 is a fork with its own version, which is not taken for Godot's.
        if family.is_array() {
            assert!(session.pid().is_some());
            assert_eq!(session.versions().least, Some(Version::new(4, 2)), "{name}");
        }
    }
    let versions = after(&from_game("godot4.4-release-break")).versions();
    assert_eq!(versions, (Version::new(4, 2)..=Version::new(4, 4)).into(), "from `debug_enter`");
}

/// What an event shows.
fn shown(event: &Event<'_>) -> String {
    format!("{:?} {} {:?}", event.thread(), event.name(), event.message())
}

fn events(parts: &[&[u8]]) -> Vec<String> {
    let (mut session, mut shown_events) = (Session::default(), Vec::new());
    for part in parts {
        session.handle(part, Instant::now());
        while let Some(event) = session.next_event() {
            shown_events.push(shown(&event.unwrap()));
        }
    }
    shown_events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_parts_of_the_stream_give_the_same_events(
        capture in prop::sample::select(vec![
            "godot3.2-session", "godot4.4-release", "pandemonium4.9-release",
            "pandemonium5.3-short",
        ]),
        cuts in prop::collection::vec(0_usize..40_000, 0..40),
    ) {
        let bytes = from_game(capture);
        let bytes = &bytes[..bytes.len().min(40_000)];
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= bytes.len()).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let parts: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        prop_assert_eq!(events(&parts), events(&[bytes]));
    }
}

#[test]
fn single_bytes_give_the_same_events() {
    for name in ["godot3.2-short", "godot4.4-short", "pandemonium5.3-short"] {
        let bytes = from_game(name);
        let parts: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(events(&parts), events(&[&bytes]), "{name}");
    }
}

#[test]
fn what_is_given_is_not_guessed() {
    for (name, family, dialect) in CAPTURES {
        let mut session = session(family, dialect);
        assert!(session.send(&Command::SkipBreakpoints(true)).is_ok() || family.has_threads());
        session.handle(&from_game(name), Instant::now());
        let first = session.next_event().unwrap().unwrap();
        assert!(matches!(first.name(), "output" | "set_pid"), "{name}: {first:?}");
    }
}
