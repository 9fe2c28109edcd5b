//! `set`, `insert`, `delete` and `rename-key` on every kind of every dialect: the value changes, all other bytes
//! stay.

use std::fs;
use std::path::Path;

use variant_inspect::{
    ChangeArgs, CommonArgs, DeleteArgs, FlattenArgs, FrameArgs, FramingArg, FromArgs, InsertArgs,
    OnlyFrameArgs, RenameKeyArgs, SetArgs, SourceArg, TargetArgs, Terminal, Verb, run,
};
use variant_owned::{
    Dictionary, EncodeOptions, Object, TextOptions, TextStyle, Variant, encode, to_text,
};
use variant_testkit::table::sample;
use variant_view::{Dialect, Document, Kind, Objects, Options};

/// `{"before": [1, 2, 3] as bytes, "target": value, "after": "x"}`, with padding that is not zero.
fn document(dialect: Dialect, value: &Variant) -> Vec<u8> {
    let mut pairs = Dictionary::new();
    pairs.insert("before", Variant::PackedByteArray(vec![1, 2, 3]));
    pairs.insert("target", value.clone());
    pairs.insert("after", "x");
    let mut bytes = encode(&Variant::Dictionary(pairs), EncodeOptions::new(dialect)).unwrap();
    let dirty = [[1, 2, 3, 0xee], [b'x', 0xee, 0xee, 0xee]];
    for (clean, dirty) in [[1, 2, 3, 0], [b'x', 0, 0, 0]].iter().zip(dirty) {
        let at = bytes.windows(4).rposition(|window| window == clean).unwrap();
        bytes[at..at + 4].copy_from_slice(&dirty);
    }
    bytes
}

fn at<'a>(bytes: &'a [u8], dialect: Dialect, path: &str) -> variant_view::VariantView<'a> {
    let options = Options::engine(dialect).objects(Objects::Accept);
    Document::new(bytes, options).at(path).unwrap()
}

/// Runs a verb on a file. Returns its status and its output.
fn run_on(dialect: Dialect, framing: FramingArg, verb: &Verb) -> (u8, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::of(&mut out, &mut err);
    let common = CommonArgs { dialect: Some(dialect), framing, ..CommonArgs::default() };
    let status = run(verb, &common, &mut terminal);
    (status, String::from_utf8([out, err].concat()).unwrap())
}

fn set(file: &Path, path: &str, literal: &str) -> Verb {
    Verb::Set(SetArgs {
        file: file.to_owned(),
        pairs: vec![path.to_owned(), literal.to_owned()],
        string: false,
        frame: FrameArgs::default(),
        change: ChangeArgs { no_backup: true, ..ChangeArgs::default() },
    })
}

/// Kinds without a literal, or with a literal that leaves out a part of the value.
const WITHOUT_LITERAL: &[Kind] =
    &[Kind::Rid, Kind::Callable, Kind::Signal, Kind::Image, Kind::InputEvent, Kind::Object];

#[test]
fn every_kind_of_every_dialect_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    let mut count = 0;
    for &dialect in Dialect::ALL {
        for &kind in dialect.kinds() {
            // Godot 2 writes only whole objects.
            let value = match (dialect, kind) {
                (Dialect::Godot2, Kind::Object) => Object::Null.into(),
                _ => sample(kind),
            };
            let with = document(dialect, &value);
            let without = document(dialect, &Variant::Nil);
            fs::write(&file, &with).unwrap();
            let (status, said) = run_on(dialect, FramingArg::Bare, &set(&file, "target", "null"));
            assert_eq!(status, 0, "{dialect} {kind}: {said}");
            assert_eq!(fs::read(&file).unwrap(), without, "{dialect} {kind}");
            if WITHOUT_LITERAL.contains(&kind) {
                continue;
            }
            let literal = to_text(&value, &TextOptions::new(TextStyle::from(dialect)));
            let (status, said) = run_on(dialect, FramingArg::Bare, &set(&file, "target", &literal));
            assert_eq!(status, 0, "{dialect} {kind}: {said}");
            let back = fs::read(&file).unwrap();
            let found = Variant::from_view(&at(&back, dialect, "target")).unwrap();
            assert_eq!(found, value, "{dialect} {kind}");
            let start = at(&without, dialect, "target").offset();
            assert_eq!(back[..start], without[..start], "{dialect} {kind}");
            assert!(back.ends_with(&without[start + 4..]), "{dialect} {kind}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn every_kind_of_every_dialect_comes_back_from_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (file, lines, back) =
        (folder.path().join("save"), folder.path().join("lines"), folder.path().join("back"));
    for &dialect in Dialect::ALL {
        for &kind in dialect.kinds() {
            let value = match (dialect, kind) {
                (Dialect::Godot2, Kind::Object) => Object::Null.into(),
                // The literal of this value is that of an object, and Godot 2 does not write the
                // contents of objects.
                (Dialect::Godot2, Kind::Image | Kind::InputEvent) => continue,
                _ => sample(kind),
            };
            let bytes = document(dialect, &value);
            fs::write(&file, &bytes).unwrap();
            let flatten = Verb::Flatten(FlattenArgs {
                file: file.clone(),
                at: None,
                frame: OnlyFrameArgs::default(),
            });
            let (status, said) = run_on(dialect, FramingArg::Bare, &flatten);
            assert_eq!(status, 0, "{dialect} {kind}: {said}");
            fs::write(&lines, &said).unwrap();
            let target = TargetArgs {
                output: back.clone(),
                like: Some(file.clone()),
                to_framing: FramingArg::Auto,
                plain: false,
            };
            let form = Some(SourceArg::Lines);
            let unflatten = Verb::From(FromArgs { file: lines.clone(), form, target });
            let (status, problem) = run_on(dialect, FramingArg::Bare, &unflatten);
            assert_eq!(status, 0, "{dialect} {kind}: {problem}\n{said}");
            assert_eq!(fs::read(&back).unwrap(), bytes, "{dialect} {kind}: {said}");
        }
    }
}

#[test]
fn lengths_and_counts_follow() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("save");
    let change = || ChangeArgs { no_backup: true, ..ChangeArgs::default() };
    for &dialect in Dialect::ALL {
        for framing in [FramingArg::Frames, FramingArg::FramesBe] {
            let to_word = |len: u32| match framing {
                FramingArg::Frames => len.to_le_bytes(),
                _ => len.to_be_bytes(),
            };
            let bytes = document(dialect, &Variant::from(7));
            let frame =
                |bytes: &[u8]| [&to_word(u32::try_from(bytes.len()).unwrap())[..], bytes].concat();
            // Two frames; the second is changed.
            let file_bytes = [frame(&bytes), frame(&bytes)].concat();
            fs::write(&file, &file_bytes).unwrap();
            let only = || FrameArgs { frame: Some(2), all_frames: false };
            let verbs = [
                Verb::Insert(InsertArgs {
                    file: file.clone(),
                    path: "new".to_owned(),
                    literal: "[1, 2]".to_owned(),
                    string: false,
                    frame: only(),
                    change: change(),
                }),
                Verb::Insert(InsertArgs {
                    file: file.clone(),
                    path: "new[+]".to_owned(),
                    literal: "text".to_owned(),
                    string: true,
                    frame: only(),
                    change: change(),
                }),
                Verb::RenameKey(RenameKeyArgs {
                    file: file.clone(),
                    path: "new".to_owned(),
                    key: "longer name".to_owned(),
                    frame: only(),
                    change: change(),
                }),
                Verb::Delete(DeleteArgs {
                    file: file.clone(),
                    paths: vec!["target".to_owned(), "[\"longer name\"][0]".to_owned()],
                    frame: only(),
                    change: change(),
                }),
            ];
            for verb in &verbs {
                let (status, said) = run_on(dialect, framing, verb);
                assert_eq!(status, 0, "{dialect}: {said}");
            }
            let changed = fs::read(&file).unwrap();
            let start = bytes.len() + 4;
            assert_eq!(changed[..start], file_bytes[..start], "{dialect}");
            let value = &changed[start + 4..];
            assert_eq!(frame(value), changed[start..], "{dialect}");
            let list = Variant::from_view(&at(value, dialect, "[\"longer name\"]")).unwrap();
            assert_eq!(
                to_text(&list, &TextOptions::new(TextStyle::Godot4)),
                "[2, \"text\"]",
                "{dialect}"
            );
            let root = Variant::from_view(&at(value, dialect, "")).unwrap();
            let Variant::Dictionary(root) = root else { panic!("{root:?}") };
            assert_eq!(root.len(), 3, "{dialect}");
            let end = bytes.len() - at(&bytes, dialect, "after").offset();
            let after = at(value, dialect, "after").offset();
            assert_eq!(value[after..after + end], bytes[bytes.len() - end..], "{dialect}");
        }
    }
}
