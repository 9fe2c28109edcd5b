//! A merge has the changes of both files, and every conflict is listed.

use std::fs;
use std::path::Path;

use variant_document::Plain;
use variant_document::convert::convert;
use variant_document::edit::{Draft, literal};
use variant_document::merge::{Side, merge};
use variant_io::{ByteOrder, Framing};
use variant_owned::{EncodeOptions, Variant, encode};
use variant_view::{Dialect, Document, Options};

const FRAMES: Framing = Framing::Frames(ByteOrder::Little);

fn save(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/godot3/migration/saves");
    fs::read(folder.join(name)).unwrap()
}

fn godot3(bytes: &[u8]) -> Plain<'_> {
    Plain::new(bytes, FRAMES, Options::engine(Dialect::Godot3))
}

fn bare(bytes: &[u8]) -> Plain<'_> {
    Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4))
}

fn value(text: &str) -> Vec<u8> {
    encode(&literal(text, Dialect::Godot4).unwrap(), Dialect::Godot4).unwrap()
}

/// The merged value, and the path of each conflict.
fn merged(base: &str, ours: &str, theirs: &str, side: Side) -> (Vec<u8>, Vec<String>) {
    let [base, ours, theirs] = [base, ours, theirs].map(value);
    let mut draft = Draft::new(bare(&ours));
    let conflicts = merge(&mut draft, bare(&theirs), Some(bare(&base)), side).unwrap().conflicts;
    assert_eq!(usize::try_from(conflicts.count).unwrap(), conflicts.first.len());
    (draft.into_bytes(), conflicts.first.into_iter().map(|one| one.path).collect())
}

/// All conflicts are counted, and the first 1,000 are listed.
#[test]
fn the_first_conflicts_are_listed() {
    for count in [999, 1_000, 1_001] {
        let [base, ours, theirs] =
            ["1", "2", "3"].map(|item| value(&format!("[{}]", vec![item; count].join(", "))));
        let mut draft = Draft::new(bare(&ours));
        let merged = merge(&mut draft, bare(&theirs), Some(bare(&base)), Side::Ours).unwrap();
        assert_eq!(merged.conflicts.count, u64::try_from(count).unwrap());
        assert_eq!(merged.conflicts.first.len(), count.min(1_000));
    }
}

/// Godot 3.2.3 wrote the files. One copy is unchanged, so the merge is the other copy.
#[test]
fn a_merge_with_an_unchanged_copy_is_the_changed_copy() {
    let files =
        ["player1_v1.save", "player1_v2.save", "player1_v3.save", "player2_v1.save"].map(save);
    for base in &files {
        for changed in &files {
            let mut draft = Draft::new(godot3(base));
            let merged = merge(&mut draft, godot3(changed), Some(godot3(base)), Side::Ours);
            let conflicts = merged.unwrap().conflicts;
            assert_eq!(conflicts.count, 0);
            let [one, other] = [draft.bytes(), changed].map(|bytes| {
                let piece = godot3(bytes).pieces().next().unwrap().unwrap();
                Variant::from_document(&godot3(bytes).document(piece.bytes)).unwrap()
            });
            assert!(same(&one, &other));
            let mut draft = Draft::new(godot3(changed));
            merge(&mut draft, godot3(base), Some(godot3(base)), Side::Theirs).unwrap();
            assert_eq!(draft.bytes(), changed);
        }
    }
}

#[test]
fn changes_of_different_places_do_not_exclude_each_other() {
    let base = r#"{"a": 1, "b": {"c": [1, 2], "d": 2}, 5: "x", Vector2(1, 2): 1}"#;
    let ours = r#"{"a": 2, "b": {"c": [1, 3], "d": 2}, 5: "x", Vector2(1, 2): 1, "new": 1}"#;
    let theirs = r#"{"a": 1, "b": {"c": [0, 2], "d": 4}, Vector2(1, 2): 3}"#;
    let (bytes, conflicts) = merged(base, ours, theirs, Side::Ours);
    let expected = r#"{"a": 2, "b": {"c": [0, 3], "d": 4}, Vector2(1, 2): 3, "new": 1}"#;
    assert_eq!((bytes, conflicts), (value(expected), vec![]));
}

#[test]
fn a_value_that_both_changed_is_a_conflict_at_its_path() {
    let base = r#"{"a": [{"hp": 1}], "b": [1], Vector2(1, 2): 1, "gone": 1}"#;
    let ours = r#"{"a": [{"hp": 2}], "b": [1, 2], Vector2(1, 2): 2}"#;
    let theirs = r#"{"a": [{"hp": 3}], "b": [0], Vector2(1, 2): 3, "gone": 2}"#;
    let paths = ["a[0].hp", "b", "[Vector2(1, 2)]", "gone"];
    for (side, expected) in [(Side::Ours, ours), (Side::Theirs, theirs)] {
        assert_eq!(
            merged(base, ours, theirs, side),
            (value(expected), paths.map(String::from).into())
        );
    }
    let (_, paths) = merged("1", "2", "3", Side::Ours);
    assert_eq!(paths, [""]);
}

#[test]
fn without_a_base_the_values_of_the_other_file_win() {
    let ours = value(r#"{"a": 1, "d": {"x": 1, "y": [1, 2]}, Vector2(1, 2): 1}"#);
    let theirs = value(r#"{"new": &"n", "d": {"y": [3], "z": 1}}"#);
    let expected =
        value(r#"{"a": 1, "d": {"x": 1, "y": [3], "z": 1}, Vector2(1, 2): 1, "new": &"n"}"#);
    for side in [Side::Ours, Side::Theirs] {
        let mut draft = Draft::new(bare(&ours));
        let merged = merge(&mut draft, bare(&theirs), None, side).unwrap();
        assert_eq!((merged.conflicts.count, merged.losses.count), (0, 0));
        assert_eq!(draft.bytes(), expected);
    }
}

#[test]
fn values_of_another_dialect_are_converted_and_losses_are_listed() {
    let (ours, theirs) = (value("{}"), value(r#"{"at": Vector2i(1, 2)}"#));
    let godot3 = encode(&Variant::from(variant_owned::dictionary! {}), Dialect::Godot3).unwrap();
    let plain = Plain::new(&godot3, Framing::Bare, Options::engine(Dialect::Godot3));
    let mut draft = Draft::new(plain);
    let merged = merge(&mut draft, bare(&theirs), None, Side::Ours).unwrap();
    assert_eq!(merged.losses.first[0].message, "at: Vector2i became Vector2");
    let mut draft = Draft::new(bare(&ours));
    assert_eq!(merge(&mut draft, plain, None, Side::Ours).unwrap().losses.count, 0);
}

#[test]
fn a_frame_that_only_one_file_has_is_refused_and_the_draft_stays() {
    let frame = |text| {
        let bytes = value(text);
        [&u32::try_from(bytes.len()).unwrap().to_le_bytes(), bytes.as_slice()].concat()
    };
    let frames = |bytes| Plain::new(bytes, FRAMES, Options::engine(Dialect::Godot4));
    let (one, two) = (frame("1"), [frame("1"), frame("2")].concat());
    let mut draft = Draft::new(frames(&one));
    for (base, why) in [
        (None, "only the other file has frame 2"),
        (Some(frames(&one)), "the file has 1, the base 1 and the other file 2 frames"),
        (Some(frames(&two)), "the file has 1, the base 2 and the other file 2 frames"),
    ] {
        let error = merge(&mut draft, frames(&two), base, Side::Ours).unwrap_err();
        assert!(error.to_string().starts_with(why), "{error}");
        assert_eq!(draft.bytes(), one);
    }
    // Without a base, the values that only this file has are kept.
    let mut draft = Draft::new(frames(&two));
    let other = frame("7");
    merge(&mut draft, frames(&other), None, Side::Ours).unwrap();
    assert_eq!(draft.bytes(), [frame("7"), frame("2")].concat());
}

#[test]
fn a_setting_is_refused_by_its_name() {
    let settings = |settings: &[(&str, i32)]| {
        let mut writer = Framing::Settings.writer();
        for (name, value) in settings {
            let encoding = EncodeOptions::new(Dialect::Godot4);
            writer.value(Some(name.as_bytes()), &Variant::from(*value), encoding).unwrap();
        }
        writer.finish()
    };
    let plain = |bytes| Plain::new(bytes, Framing::Settings, Options::engine(Dialect::Godot4));
    let one = settings(&[("a/b", 1)]);
    let two = settings(&[("a/b", 1), ("c d", 2)]);
    let changed = settings(&[("a/b", 1), ("c d", 3)]);
    let twice = settings(&[("a/b", 1), ("a/b", 1)]);
    for (ours, base, theirs, why) in [
        (&one, None, &two, "only the other file has setting c d;"),
        (&one, Some(&one), &two, "only the other file has setting c d;"),
        (&one, Some(&two), &changed, "the file removed, and the other file changed, setting c d;"),
        (&two, Some(&two), &one, "the other file removed setting c d;"),
        (&twice, None, &one, "the file has setting a/b twice;"),
        (&one, None, &twice, "the other file has setting a/b twice;"),
    ] {
        let mut draft = Draft::new(plain(ours));
        let base = base.map(|base| plain(base));
        let error = merge(&mut draft, plain(theirs), base, Side::Ours).unwrap_err();
        assert!(error.to_string().starts_with(why), "{error}");
        assert_eq!(draft.bytes(), *ours);
    }
}

#[test]
fn damage_of_the_other_files_names_the_file() {
    let (sound, cut) = (value("[1, 2]"), value("[1, 2, 3]"));
    let cut = &cut[..cut.len() - 4];
    for (theirs, base, called) in
        [(cut, None, "the other file: "), (&sound, Some(bare(cut)), "the base: ")]
    {
        let mut draft = Draft::new(bare(&sound));
        let error = merge(&mut draft, bare(theirs), base, Side::Ours).unwrap_err();
        assert!(error.to_string().starts_with(called), "{error}");
        assert_eq!(error.offset(), None);
    }
}

#[test]
fn equal_changes_are_no_conflict() {
    for text in ["[nan]", "2", r#"{"a": {"b": 1}}"#, "[1, 2, 3]", "{}"] {
        assert_eq!(merged("[0]", text, text, Side::Ours), (value(text), vec![]));
    }
}

#[test]
fn deep_values_are_merged_without_recursion() {
    let levels = 5_000;
    let tower = |top: i32| {
        let head = [28_u32.to_le_bytes(), 1_u32.to_le_bytes()].concat();
        [head.repeat(levels), encode(&top.into(), Dialect::Godot4).unwrap()].concat()
    };
    let (base, ours, theirs) = (tower(1), tower(1), tower(2));
    let options = Options::engine(Dialect::Godot4);
    let options = options.limits(options.limits.depth(10_000));
    let plain = |bytes| Plain::new(bytes, Framing::Bare, options);
    let mut draft = Draft::new(plain(&ours));
    // The encoder has a separate limit of levels, so the merge may fail, but it does not crash.
    let outcome = merge(&mut draft, plain(&theirs), Some(plain(&base)), Side::Ours);
    assert!(outcome.is_err() || draft.bytes() == theirs);
}

/// If only one side changed the values, the result is the changed side, whether it is ours or theirs.
#[test]
fn the_changed_copy_wins_over_the_unchanged() {
    let texts = [
        "1",
        "{}",
        r#"{"a": 1}"#,
        r#"{"a": 1, "b": [1, 2]}"#,
        r#"{"b": [2, 1], "a": 1.5}"#,
        "[]",
        "[[1], {}]",
        "{1: 2, 1.0: 3, true: 4}",
        r#"{"a": {"a": {"a": null}}}"#,
    ];
    for base in texts {
        for changed in texts {
            let kept = merged(base, changed, base, Side::Theirs);
            assert_eq!(kept, (value(changed), vec![]), "{base} and {changed}");
            let (bytes, conflicts) = merged(base, base, changed, Side::Ours);
            let [found, wanted] = [bytes, value(changed)].map(|bytes| {
                Variant::from_document(&Document::new(&bytes, Dialect::Godot4)).unwrap()
            });
            assert!(conflicts.is_empty() && same(&found, &wanted), "{base} and {changed}");
        }
    }
}

/// Whether the values are equal, without regard to the order of keys.
fn same(one: &Variant, other: &Variant) -> bool {
    match (one, other) {
        (Variant::Dictionary(one), Variant::Dictionary(other)) => {
            one.len() == other.len()
                && one.as_slice().iter().all(|(key, value)| {
                    other.get_variant(key).is_some_and(|other| same(value, other))
                })
        }
        _ => one == other,
    }
}

/// The bytes before and after the values are kept, and so are the bytes after a value in its frame.
#[test]
fn a_converted_file_keeps_the_bytes_that_are_no_values() {
    let value = encode(&7.into(), Dialect::Godot4).unwrap();
    let frame = |bytes: &[u8]| [&u32::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat();
    let file = [b"head", &*frame(&value), &*frame(&[&*value, b"rest"].concat()), b"tail"].concat();
    let plain = Plain::new(&file, FRAMES, Options::engine(Dialect::Godot4)).skip(4).without_tail(4);
    let converted = convert(plain, Dialect::Godot3).unwrap();
    assert_eq!((converted.bytes, converted.losses.count), (file, 0));
}

#[test]
fn a_save_that_is_converted_and_converted_back_is_the_same_save() {
    for name in ["player1_v1.save", "player1_v3.save", "player2_v2.save"] {
        let bytes = save(name);
        let there = convert(godot3(&bytes), Dialect::Pandemonium3).unwrap();
        assert!(!there.losses.has_lost);
        let options = Options::engine(Dialect::Pandemonium3);
        let back = convert(Plain::new(&there.bytes, FRAMES, options), Dialect::Godot3).unwrap();
        assert_eq!(back.bytes, bytes, "{name}");
    }
}
