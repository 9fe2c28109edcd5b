//! `debug record`, `replay` and `proxy`: no byte is lost.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use proptest::prelude::*;
use variant_io::{ByteOrder, append_frame, frames};
use variant_view::{Document, VariantView};

use super::common::Debugger;
use super::scripted::{ENGINES, Scripted, arguments_of};
use crate::common::{Folder, good, name};

/// The frames of a direction in a recording.
fn recorded(file: &Path, way: &str, dialect: variant_view::Dialect) -> Vec<u8> {
    let file = fs::read(file).unwrap();
    let mut wire = Vec::new();
    for frame in frames(&file, ByteOrder::Little) {
        let entry = Document::new(frame.unwrap().bytes(), dialect);
        if entry.get("way").unwrap().unwrap().as_str().unwrap() != way {
            continue;
        }
        if let Ok(Some(VariantView::PackedByteArray(raw))) = entry.get("raw") {
            wire.extend_from_slice(raw.as_bytes());
            continue;
        }
        let Ok(Some(VariantView::PackedByteArray(bytes))) = entry.get("bytes") else { panic!() };
        append_frame(&mut wire, bytes.as_bytes(), ByteOrder::Little).unwrap();
    }
    wire
}

/// The commands of the guide, without a dialect.
#[cfg(feature = "table")]
#[test]
fn a_recording_of_each_engine_becomes_a_table() {
    for engine in ENGINES {
        let folder = Folder::new();
        let [file, parquet, csv] = ["variant", "parquet", "csv"].map(|end| {
            let called = format!("run.{end}");
            folder.path(&called)
        });
        let of_engine = arguments_of(engine);
        let mut arguments = vec!["record", "-o", name(&file)];
        arguments.extend(of_engine.iter().map(String::as_str));
        let debugger = Debugger::start(&arguments);
        let game = Scripted::connect(debugger.address, engine);
        game.end();
        debugger.ended().expect(0);
        for output in [&parquet, &csv] {
            good(&["table", "-o", name(output)], &[&file]);
        }
        assert!(fs::read(parquet).unwrap().starts_with(b"PAR1"));
        let csv = fs::read_to_string(csv).unwrap();
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().starts_with("_file,usec,way,bytes,"), "{csv}");
        assert_eq!(lines.count(), frames(&fs::read(file).unwrap(), ByteOrder::Little).count());
        assert!(csv.contains(",from_game,"), "{csv}");
    }
}

#[test]
fn a_replayed_recording_is_the_same_conversation() {
    let folder = Folder::new();
    for engine in ENGINES {
        let [first, second] = ["first", "second"].map(|name| folder.path(name));
        let of_engine = arguments_of(engine);
        let arguments = |file| {
            let arguments = ["record", "-o", name(file)].into_iter();
            arguments.chain(of_engine.iter().map(String::as_str)).collect::<Vec<_>>()
        };
        let mut with_orders = arguments(&first);
        let orders = ["break main.gd:30", "wait", "vars", "continue"];
        with_orders.extend(orders.iter().flat_map(|order| ["--do", order]));
        let debugger = Debugger::start(&with_orders);
        let mut game = Scripted::connect(debugger.address, engine);
        let game = thread::spawn(move || {
            game.serve_until(|asked| *asked == super::scripted::Asked::Run);
            game.report("the door is locked", false);
            game.end();
        });
        debugger.ended().expect(0);
        game.join().unwrap();

        let debugger = Debugger::start(&arguments(&second));
        let to = debugger.address.to_string();
        good(&["debug", "replay", "--speed", "0", "--to", &to], &[&first]);
        debugger.ended().expect(0);
        let dialect = engine.1;
        let sent = recorded(&first, "from_game", dialect);
        assert!(sent.len() > 500, "{engine:?}: {} bytes", sent.len());
        assert_eq!(recorded(&second, "from_game", dialect), sent, "{engine:?}");
        assert!(!recorded(&first, "to_game", dialect).is_empty());
        fs::remove_file(first).unwrap();
        fs::remove_file(second).unwrap();
    }
}

#[test]
fn every_command_reads_a_recording() {
    let folder = Folder::new();
    let file = folder.path("recording");
    let debugger = Debugger::start(&["record", "-o", name(&file)]);
    Scripted::connect(debugger.address, ENGINES[3]).end();
    debugger.ended().expect(0);
    let tree = good(&["tree", "--nested"], &[&file]).out;
    assert!(tree.contains("\"from_game\"") && tree.contains("\"ready\""), "{tree}");
    let way = ["get", name(&file), "way", "--frame", "1"];
    assert_eq!(good(&way, &[]).out, "\"from_game\"\n");
}

#[test]
fn a_file_that_is_not_a_recording_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = listener.local_addr().unwrap().to_string();
    let file = crate::common::corpus("godot3/saves/rpg_save.bin");
    let told = crate::common::refused(1, &["debug", "replay", "--to", &to], &[&file]);
    assert!(told.contains("not a recording"), "{told}");
}

#[test]
fn an_absent_editor_is_reported() {
    let file = crate::common::corpus("godot3/saves/rpg_save.bin");
    // Nothing listens on the port of a listener that has ended.
    let to = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let told = crate::common::refused(3, &["debug", "replay", "--to", &to], &[&file]);
    assert!(told.contains("no editor listens on"), "{told}");
}

/// Sends parts to a socket, ends the direction, and returns everything that arrives.
fn exchange(mut stream: TcpStream, parts: Vec<Vec<u8>>) -> Vec<u8> {
    let mut reader = stream.try_clone().unwrap();
    let reader = thread::spawn(move || {
        let mut all = Vec::new();
        reader.read_to_end(&mut all).map(|_| all)
    });
    for part in parts {
        stream.write_all(&part).unwrap();
    }
    stream.shutdown(Shutdown::Write).unwrap();
    reader.join().unwrap().unwrap()
}

/// Parts of a stream: any bytes, or frames that are cut anywhere.
fn parts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let any_bytes = prop::collection::vec(prop::collection::vec(any::<u8>(), 1..200), 0..20);
    let framed =
        prop::collection::vec((prop::collection::vec(any::<u8>(), 0..300), any::<u8>()), 0..20);
    let framed = framed.prop_map(|all| {
        all.into_iter()
            .flat_map(|(bytes, cut)| {
                let mut frame = Vec::new();
                append_frame(&mut frame, &bytes, ByteOrder::Little).unwrap();
                let (front, back) = frame.split_at(usize::from(cut) % frame.len());
                [front.to_vec(), back.to_vec()]
            })
            .collect()
    });
    prop_oneof![any_bytes, framed]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Both ends get the other's bytes, in any parts, and the recording has them.
    #[test]
    fn a_proxy_passes_every_byte(from_game in parts(), to_game in parts()) {
        let folder = Folder::new();
        let file = folder.path("recording");
        let editor = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = editor.local_addr().unwrap().to_string();
        let proxy = Debugger::start(&["proxy", "--to", &to, "-o", name(&file), "--dialect", "godot4"]);
        let (sent, expected) = (to_game.clone(), to_game.concat());
        let editor = thread::spawn(move || exchange(editor.accept().unwrap().0, sent));
        let game = TcpStream::connect(proxy.address).unwrap();
        let got = exchange(game, from_game.clone());
        let passed = editor.join().unwrap();
        proxy.ended().expect(0);
        let from_game = from_game.concat();
        prop_assert_eq!(&got, &expected);
        prop_assert_eq!(&passed, &from_game);
        let dialect = variant_view::Dialect::Godot4;
        prop_assert_eq!(recorded(&file, "from_game", dialect), from_game);
        prop_assert_eq!(recorded(&file, "to_game", dialect), expected);
    }
}

#[test]
fn orders_print_beside_a_recording_on_standard_output() {
    let debugger = Debugger::start(&["record", "-o", "-", "--do", "tree", "--for", "0.1"]);
    let mut game = Scripted::connect(debugger.address, ENGINES[3]);
    let game = thread::spawn(move || game.serve());
    let run = debugger.ended().expect(0);
    game.join().unwrap();
    assert!(run.err.contains("root Viewport #1\n"), "{run:?}");
    assert!(run.out.contains("from_game") && !run.out.contains("root Viewport"), "{run:?}");
}

/// A proxy of a game that never pauses, and of an editor that reads. `act` ends it.
fn busy(arguments: &[&str], act: impl FnOnce(&Debugger)) -> (crate::common::Run, usize) {
    let folder = Folder::new();
    let file = folder.path("recording");
    let editor = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = editor.local_addr().unwrap().to_string();
    let mut all = vec!["proxy", "--to", &to, "-o", name(&file)];
    all.extend(arguments);
    let proxy = Debugger::start(&all);
    let mut game = TcpStream::connect(proxy.address).unwrap();
    let game = thread::spawn(move || {
        let mut frame = Vec::new();
        append_frame(&mut frame, &[7; 64], ByteOrder::Little).unwrap();
        while game.write_all(&frame).is_ok() {
            thread::sleep(std::time::Duration::from_millis(1));
        }
    });
    let (mut editor, _) = editor.accept().unwrap();
    editor.read_exact(&mut [0; 680]).unwrap();
    let editor = thread::spawn(move || {
        let mut bytes = [0; 1 << 12];
        while let Ok(1..) = editor.read(&mut bytes) {}
    });
    act(&proxy);
    let run = proxy.ended();
    game.join().unwrap();
    editor.join().unwrap();
    (run, fs::read(&file).map_or(0, |bytes| bytes.len()))
}

#[cfg(unix)]
#[test]
fn a_busy_proxy_obeys_a_signal() {
    let (run, len) = busy(&["--dialect", "godot4"], Debugger::interrupt);
    run.expect(0);
    assert!(len > 680, "{len}");
}

#[test]
fn a_proxy_has_a_timeout() {
    let (run, len) = busy(&["--dialect", "godot4", "--timeout", "5"], |_| ());
    assert!(run.expect(1).err.contains("the time of --timeout is over"));
    assert!(len > 680, "{len}");
}
