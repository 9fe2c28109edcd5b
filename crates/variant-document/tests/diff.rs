//! The only difference between a file that an engine wrote and a changed copy is the change.

use std::convert::Infallible;

use variant_document::diff::{self, Change, Difference, Rule, Side, Sink, Stop, Summary};
use variant_document::edit::{Action, Draft, Edit, literal};
use variant_document::query::Query;
use variant_document::{Piece, Plain};
use variant_io::{ByteOrder, Framing};
use variant_owned::{ConvertOptions, EncodeOptions, Variant, convert};
use variant_testkit::corpus;
use variant_view::{Dialect, Event, Options, Role};

const FRAMES: Framing = Framing::Frames(ByteOrder::Little);

/// A file of the corpus, its framing and its dialect.
type How = (&'static str, Framing, Dialect);

const FILES: [How; 7] = [
    RPG,
    OBJECTS,
    ("godot3/saves/store_var_seq.bin", FRAMES, Dialect::Godot3),
    ("godot3/saves/project.binary", Framing::Settings, Dialect::Godot3),
    ("godot4/saves/project.binary", Framing::Settings, Dialect::Godot4),
    ("godot4/saves/save_10k.variant", Framing::Bare, Dialect::Godot4),
    SAMPLE,
];
const RPG: How = ("godot3/saves/rpg_save.bin", FRAMES, Dialect::Godot3);
const OBJECTS: How = ("godot3/saves/objects_full.bin", FRAMES, Dialect::Godot3);
const SAMPLE: How = ("godot4/saves/sample3.variant", Framing::Bare, Dialect::Godot4);

fn plain(bytes: &[u8], (_, framing, dialect): How) -> Plain<'_> {
    Plain::new(bytes, framing, Options::engine(dialect))
}

fn compare<'a>(
    old: Plain<'a>,
    new: Plain<'a>,
    rule: &Rule,
) -> Result<(Summary, Vec<Difference<'a>>), Stop<'a, Infallible>> {
    let mut found = Vec::new();
    Ok((diff::files(old, new, rule, &mut found)?, found))
}

/// The differences as lines. Each difference must be a changed value.
fn told(old: Plain<'_>, new: Plain<'_>) -> Vec<String> {
    let (_, found) = compare(old, new, &Rule::default()).unwrap();
    let line = |difference: &Difference<'_>| match &difference.change {
        Change::Changed { old, new } => {
            format!("{}: {} -> {}", old.path, old.literal(), new.literal())
        }
        other => panic!("{other:?}"),
    };
    found.iter().map(line).collect()
}

/// The file with a change in its first value.
fn edited(file: Plain<'_>, path: &str, action: Action) -> Vec<u8> {
    let mut draft = Draft::new(file);
    let number = file.pieces().next().unwrap().unwrap().number;
    draft.make(&Edit { frame: Some(number), path: path.to_owned(), action }).unwrap();
    draft.into_bytes()
}

/// A rule that compares all values, without the shortcut for equal bytes.
fn whole() -> Rule {
    Rule { at: Some(Query::parse("").unwrap()), ..Rule::default() }
}

#[test]
fn a_file_is_the_same_as_itself() {
    for how in FILES {
        let bytes = corpus::bytes(how.0).unwrap();
        let file = plain(&bytes, how);
        let count = u64::try_from(file.pieces().count()).unwrap();
        let expected = Summary { values: count, ..Summary::default() };
        for rule in [Rule::default(), whole(), Rule { is_exact: true, ..whole() }] {
            let (summary, found) = compare(file, file, &rule).unwrap();
            assert_eq!(summary, expected, "{}", how.0);
            assert!(found.is_empty(), "{}: {found:?}", how.0);
        }
    }
}

#[test]
fn each_changed_value_is_found_where_it_is() {
    for how in [SAMPLE, OBJECTS] {
        let bytes = corpus::bytes(how.0).unwrap();
        let file = plain(&bytes, how);
        let pieces = file.pieces().map(Result::unwrap);
        let count: usize = pieces.map(|piece| changed_in(file, &piece)).sum();
        assert!(count > 5, "{}: {count}", how.0);
    }
}

/// For each value of a piece (a frame of the file), changes only this value. Returns the number of changed values.
fn changed_in(file: Plain<'_>, piece: &Piece<'_>) -> usize {
    let document = file.document(piece.bytes);
    let mut changed = Vec::new();
    for event in document.walk() {
        let Event::Leaf(node) = event.unwrap() else { continue };
        let mut draft = Draft::new(file);
        let path = document.path_to(node.view.offset()).unwrap().to_string();
        let action = Action::Set(literal("\"another\"", file.options.dialect).unwrap());
        let edit = Edit { frame: Some(piece.number), path: path.clone(), action };
        // Keys are not values, and typed arrays do not accept text.
        if matches!(node.role(), Role::Key(_)) || draft.make(&edit).is_err() {
            continue;
        }
        let (summary, found) = compare(file, draft.plain(), &Rule::default()).unwrap();
        assert_eq!(summary.total(true), 1, "{path}");
        let [Difference { piece: place, change: Change::Changed { old, new } }] = found.as_slice()
        else {
            panic!("{path}: {found:?}")
        };
        let shown = if path.is_empty() { "(root)" } else { &path };
        assert_eq!((old.path.as_str(), new.path.as_str()), (shown, shown));
        assert_eq!(old.offset, piece.absolute(node.view.offset()));
        assert_eq!((old.view.kind(), new.offset), (node.view.kind(), old.offset));
        // A `StringName` stays a `StringName`, so its literal may begin with `&`.
        assert_eq!(new.literal().trim_start_matches('&'), "\"another\"");
        assert_eq!(place.number, piece.number);
        changed.push(path);
    }
    changed.len()
}

#[test]
fn a_save_is_the_same_in_another_dialect() {
    let bytes = corpus::bytes(RPG.0).unwrap();
    let file = plain(&bytes, RPG);
    let read = Variant::from_document(&file.document(file.pieces().next().unwrap().unwrap().bytes));
    let read = read.unwrap();
    for dialect in [Dialect::Godot4, Dialect::Pandemonium3, Dialect::Pandemonium5] {
        let (converted, _) = convert(&read, ConvertOptions::new(dialect)).unwrap();
        let mut values = FRAMES.writer();
        values.value(None, &converted, EncodeOptions::new(dialect)).unwrap();
        let new = values.finish();
        let how = (RPG.0, FRAMES, dialect);
        assert_ne!(new, bytes);
        assert!(told(file, plain(&new, how)).is_empty(), "{dialect}");
        let action = Action::Set(literal("2", dialect).unwrap());
        let new = edited(plain(&new, how), "meta.slot", action);
        assert_eq!(told(file, plain(&new, how)), ["meta.slot: 1 -> 2"]);
    }
}

/// A limit shortens the list of differences, and changes no count.
#[test]
fn a_limit_leaves_out_the_last_differences() {
    const HOW: How = ("", FRAMES, Dialect::Godot4);
    let file = |values: &[&str]| {
        let mut writer = FRAMES.writer();
        for text in values {
            let value = literal(text, HOW.2).unwrap();
            writer.value(None, &value, EncodeOptions::new(HOW.2)).unwrap();
        }
        writer.finish()
    };
    // Twelve ranges of the long arrays differ: four more than the listed ones.
    let [zeros, ones] = ["0, 0, ", "0, 1, "].map(|pair| pair.repeat(12));
    let (zeros, ones) = (zeros.trim_end_matches(", "), ones.trim_end_matches(", "));
    let one = file(&[
        "{\"a\": 1, \"gone\": 2, \"o\": {\"x\": 1, \"y\": 2}, \"k\": 3}",
        &format!("[PackedInt32Array({zeros}), PackedByteArray(1, 2), PackedByteArray(1, 2, 3), 4]"),
    ]);
    let other = file(&[
        "{\"a\": [], \"o\": {\"y\": 2, \"x\": 5}, &\"k\": 3, \"new\": 4}",
        &format!("[PackedInt32Array({ones}), PackedByteArray(1, 2, 3), PackedByteArray(1, 2), 5]"),
        "\"only here\"",
        "\"and here\"",
    ]);
    for ((old, new), is_ordered) in [(&one, &other), (&other, &one)]
        .into_iter()
        .flat_map(|both| [false, true].map(|is_ordered| (both, is_ordered)))
    {
        let (old, new) = (plain(old, HOW), plain(new, HOW));
        let (whole, all) = compare(old, new, &Rule { is_ordered, ..Rule::default() }).unwrap();
        assert!(all.iter().any(|one| matches!(one.change, Change::Others { ranges: 4, .. })));
        for limit in 0..=whole.total(is_ordered) + 1 {
            let rule = Rule { is_ordered, limit: Some(limit), ..Rule::default() };
            let (summary, found) = compare(old, new, &rule).unwrap();
            let mut count = 0;
            let listed = all.iter().take_while(|one| {
                let is_listed = count < limit;
                count += if let Change::Others { ranges, .. } = one.change { ranges } else { 1 };
                is_listed
            });
            let listed: Vec<_> = listed.collect();
            assert_eq!((summary, format!("{found:?}")), (whole, format!("{listed:?}")), "{limit}");
        }
    }
}

/// A sink that stops the comparison at the first difference.
struct First;

impl<'a> Sink<'a> for First {
    type Error = String;

    fn difference(&mut self, difference: Difference<'a>) -> Result<(), String> {
        let Change::Changed { old, .. } = difference.change else { panic!("{difference:?}") };
        Err(old.path)
    }
}

#[test]
fn a_sink_ends_the_comparison() {
    let bytes = corpus::bytes(SAMPLE.0).unwrap();
    let file = plain(&bytes, SAMPLE);
    let new = edited(file, "entities[*].*", Action::Set(literal("7", SAMPLE.2).unwrap()));
    let stop = diff::files(file, plain(&new, SAMPLE), &Rule::default(), &mut First);
    assert!(matches!(stop, Err(Stop::Caller(path)) if path == "entities[0].id"));
}

#[test]
fn damage_is_told_with_its_file_and_place() {
    let bytes = corpus::bytes(SAMPLE.0).unwrap();
    let file = plain(&bytes, SAMPLE);
    for len in (0..bytes.len()).step_by(7) {
        let cut = plain(&bytes[..len], SAMPLE);
        let expected = cut.document(cut.bytes).validate().unwrap_err();
        for (old, new, of) in [(cut, file, Side::Old), (file, cut, Side::New)] {
            match compare(old, new, &Rule::default()) {
                Err(Stop::Data { side, piece, error }) => {
                    assert_eq!((side, piece.bytes, error), (of, cut.bytes, expected), "{len}");
                }
                other => panic!("{len}: {other:?}"),
            }
        }
    }
    let bytes = corpus::bytes(RPG.0).unwrap();
    let (file, cut) = (plain(&bytes, RPG), plain(&bytes[..bytes.len() - 1], RPG));
    let stop = compare(file, cut, &Rule::default()).unwrap_err();
    assert!(matches!(stop, Stop::Cut { side: Side::New, .. }), "{stop:?}");
    assert!(stop.to_string().starts_with("new file: "), "{stop}");
}

#[test]
fn damage_comes_behind_what_was_told() {
    let bytes = corpus::bytes(RPG.0).unwrap();
    let file = plain(&bytes, RPG);
    let mut new = edited(file, "meta.slot", Action::Set(literal("2", RPG.2).unwrap()));
    // The frame is complete, but its value is not.
    new.truncate(new.len() - 4);
    let len = u32::try_from(new.len() - 4).unwrap();
    new[..4].copy_from_slice(&len.to_le_bytes());
    let mut found = Vec::new();
    let stop = diff::files(file, plain(&new, RPG), &Rule::default(), &mut found).unwrap_err();
    assert_eq!(found.len(), 1);
    let Stop::Data { side: Side::New, piece, error } = stop else { panic!("{stop:?}") };
    let said = format!("new file, frame 1: {} at byte {}", error.kind(), 4 + error.offset());
    assert_eq!((piece.start, stop.to_string()), (4, said));
}
