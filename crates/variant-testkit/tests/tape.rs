//! Tapes of documents: valid, damaged and long.

use variant_owned::Variant;
use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_testkit::tape::exercise_tape;
use variant_view::{
    Dialect, Document, ErrorKind, Limit, Limits, Options, Producer as _, Profile, Tape,
};

const SAVES: [(&str, Dialect, usize); 3] = [
    ("godot4/saves/save_10k.variant", Dialect::Godot4, 0),
    ("godot4/saves/rpc.variant", Dialect::Godot4, 0),
    ("godot3/saves/rpg_save.bin", Dialect::Godot3, 4),
];

#[test]
fn every_vector() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            // Views take long for deep documents, since they read all earlier values.
            if case.bytes.len() <= 4_096 {
                let options = Options::engine(dialect);
                exercise_tape(&Document::new(&case.bytes, options));
                let canonical = options.profile(Profile::Canonical);
                exercise_tape(&Document::new(&case.bytes, canonical));
            }
        }
    }
}

#[test]
fn every_save() {
    for (file, dialect, skip) in SAVES {
        let bytes = corpus::bytes(file).unwrap().split_off(skip);
        exercise_tape(&Document::new(&bytes, Options::engine(dialect).limits(Limits::FILE)));
    }
}

/// Records that contain arrays of records. Some of the inner records differ from the others.
fn records_in_records(outer: u32) -> Vec<u8> {
    let record = |at: u32, name: &str| {
        let head = Builder::new().u32(27).u32(2).u32(4).text("id").u32(2).u32(at);
        head.u32(4).text("name").u32(4).text(name).build().bytes
    };
    let array = |builder: Builder, from: u32| {
        (from..from + 20).fold(builder.u32(28).u32(20), |all, at| {
            all.raw(&record(at, if at % 7 == 0 { "another" } else { "one" }))
        })
    };
    let all = (0..outer).fold(Builder::new().u32(28).u32(outer), |all, at| {
        array(all.u32(27).u32(1).u32(4).text("list"), at)
    });
    all.build().bytes
}

#[test]
fn records() {
    exercise_tape(&Document::new(&records_in_records(30), Dialect::Godot4));
}

#[test]
fn records_with_every_byte_changed() {
    let mut bytes = records_in_records(1);
    for at in 0..bytes.len() {
        for change in [0x01, 0x80] {
            bytes[at] ^= change;
            exercise_tape(&Document::new(&bytes, Dialect::Godot4));
            bytes[at] ^= change;
        }
    }
}

#[test]
fn a_tape_is_used_again() {
    let [long, short, _] =
        SAVES.map(|(file, _, skip)| corpus::bytes(file).unwrap().split_off(skip));
    let mut tape = Tape::new();
    let options = Options::engine(Dialect::Godot4).limits(Limits::FILE);
    tape.read(Document::new(&long, options)).unwrap();
    let memory = tape.memory();
    let document = tape.read(Document::new(&short, options)).unwrap();
    let pos = document.get("pos").unwrap().unwrap();
    assert_eq!(pos.view().as_vector3().unwrap().x.to_bits(), 12.5_f32.to_bits());
    assert_eq!(document.at("args[1]").unwrap().view().as_str(), Ok("run"));
    assert_eq!(document.values().len(), 16);
    assert_eq!(tape.memory(), memory);
    tape.read(Document::new(&[1], options)).unwrap_err();
    assert_eq!(format!("{tape:?}"), "Tape { values: 0, .. }");
}

#[test]
fn errors_of_paths_are_those_of_the_views() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let document = Document::new(&bytes, Dialect::Godot4);
    let mut tape = Tape::new();
    let read = tape.read(document).unwrap();
    for path in [
        "",
        "pos",
        "none",
        "args[3]",
        "args[-1]",
        "pos.x",
        "{2}",
        "{2:key}",
        "pos{0}",
        "pos{0:key}",
        "args{9}",
        "args{1}",
        "[",
        "args[2].x",
    ] {
        let wanted = document.at(path).map(|view| (view.offset(), view.kind()));
        assert_eq!(read.at(path).map(|value| (value.offset(), value.kind())), wanted, "{path}");
    }
}

#[test]
fn limits_are_those_of_validation() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    for values in 0..18 {
        let options = Options::engine(Dialect::Godot4).limits(Limits::FILE.values(values));
        exercise_tape(&Document::new(&bytes, options));
    }
    for most in 0..bytes.len() {
        let limits = Limits::FILE.bytes(u64::try_from(most).unwrap());
        exercise_tape(&Document::new(&bytes, Options::engine(Dialect::Godot4).limits(limits)));
    }
    let limits = Limits::FILE.bytes(100);
    let mut tape = Tape::new();
    let error = tape
        .read(Document::new(&bytes, Options::engine(Dialect::Godot4).limits(limits)))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded { limit: Limit::Bytes });
}

/// Runs of equal siblings alternate with runs of different siblings.
#[test]
fn siblings_that_are_alike_up_to_some_place() {
    for (alike, others) in [(7, 1), (8, 9), (9, 300), (300, 1), (1, 300), (255, 40)] {
        let item = |all: Builder, n: u32| {
            let len = if n % (alike + others) < alike { 2 } else { n % 5 };
            (0..len).fold(all.u32(28).u32(len), |all, n| all.u32(2).u32(n))
        };
        let bytes = (0..700).fold(Builder::new().u32(28).u32(700), item).build().bytes;
        exercise_tape(&Document::new(&bytes, Dialect::Godot4));
    }
}

#[test]
fn a_tape_feeds_what_the_document_feeds() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let document = Document::new(&bytes, Dialect::Godot4);
    let mut tape = Tape::new();
    let read = tape.read(document).unwrap();
    let whole = Variant::from_producer(document).unwrap();
    assert_eq!(Variant::from_producer(read).unwrap(), whole);
    assert_eq!(read.input().max_values, Some(16));
    let args = read.at("args").unwrap();
    assert_eq!(args.input().max_values, Some(4));
    assert_eq!(&Variant::from_producer(args).unwrap(), whole.get("args").unwrap());
}

#[test]
fn lengths_are_those_of_elements_pairs_and_properties() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let mut tape = Tape::new();
    let read = tape.read(Document::new(&bytes, Dialect::Godot4)).unwrap();
    let lengths = ["", "args", "pos"].map(|path| read.at(path).unwrap().len());
    assert_eq!(lengths, [read.pairs().count(), 3, 0]);
    assert!(read.at("pos").unwrap().is_empty());
}
