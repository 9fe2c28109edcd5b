//! `json` and `from-json` on whole files: frames, settings, damage, and edits with other tools.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{Folder, Run, corpus, framed, good, inspect, name, refused, run, text, words};

const FIFTY: &[u8] = &[2, 0, 0, 0, 50, 0, 0, 0];
/// A path of Godot 4 with dirty padding.
const DIRTY: &[u8] =
    &[22, 0, 0, 0, 1, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, b'a', 1, 2, 3];
/// `[1.0, 9007199254740993, -0.0, nan]`
const NUMBERS: &[u8] = &[
    28, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 0, 0, 128, 63, 2, 0, 1, 0, 1, 0, 0, 0, 0, 0, 32, 0, 3, 0,
    0, 0, 0, 0, 0, 128, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 248, 127,
];

#[track_caller]
fn succeeded(output: Output) -> Output {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

/// Checks that a file is restored from its exact JSON without arguments. The tests of `variant-owned` pass the JSON of
/// each record through other programs.
#[track_caller]
fn assert_comes_back(arguments: &[&str], input: &Path) {
    let folder = Folder::new();
    let arguments = [&["json", "--form", "exact"], arguments].concat();
    let json = folder.file("json", good(&arguments, &[input]).out.as_bytes());
    let out = folder.path("out");
    good(&["from-json", "-o"], &[&out, &json]);
    assert!(fs::read(&out).unwrap() == fs::read(input).unwrap(), "{}", input.display());
}

#[test]
fn exact_json_of_a_file_needs_no_arguments_to_come_back() {
    let folder = Folder::new();
    let file = |name, bytes: &[u8]| folder.file(name, bytes);
    let godot4 = &["--dialect", "godot4"][..];
    let bare = |framing| ["--dialect", "godot4", "--framing", framing];
    let big = [&[0, 0, 0, 24][..], DIRTY, &[0, 0, 0, 48], NUMBERS].concat();
    let several = framed(&[FIFTY, DIRTY, NUMBERS, FIFTY]);
    let cases = [
        (&bare("bare")[..], file("bare", FIFTY)),
        (&bare("frames"), file("framed", &framed(&[FIFTY]))),
        (&bare("frames"), file("several", &several)),
        (&bare("frames-be"), file("big", &big)),
        (&bare("bare"), file("behind", &[FIFTY, b"abc"].concat())),
        (godot4, corpus("godot4/saves/sample200.variant")),
        (&[], corpus("godot3/saves/store_var_seq.bin")),
        (&[], corpus("godot3/saves/objects_full.bin")),
        (&["--dialect", "godot3"], corpus("godot3/saves/rpg_save.bin")),
        (godot4, corpus("godot4/saves/project.binary")),
    ];
    for (arguments, input) in &cases {
        assert_comes_back(arguments, input);
        assert_comes_back(&[arguments, &["--pretty"][..]].concat(), input);
    }
}

#[test]
fn the_other_forms_say_what_they_leave_out() {
    let folder = Folder::new();
    let input = folder.file("several", &framed(&[FIFTY, FIFTY, FIFTY]));
    let reading = ["--dialect", "godot4", "--framing", "frames"];
    for form in ["plain", "native"] {
        let arguments = [&["json", "--form", form, "--pretty"][..], &reading].concat();
        let printed = good(&arguments, &[&input]);
        let note = format!("from --form {form} --like ");
        assert!(printed.err.contains(&note), "{printed:?}");
        let (json, out) = (folder.file("json", printed.out.as_bytes()), folder.path("out"));
        for how in [&["--to-framing", "frames"][..], &[]] {
            let arguments =
                [&["from-json", "--form", form, "--dialect", "godot4"], how, &["-o"]].concat();
            good(&arguments, &[&out, &json]);
            assert_eq!(fs::read(&out).unwrap(), fs::read(&input).unwrap());
        }
    }
    let one = folder.file("one", b"[5]");
    let arguments = ["from-json", "--form", "plain", "--dialect", "godot4", "-o", "-"];
    let output = succeeded(inspect(&arguments, &[&one]));
    assert!(text(&output.stderr).contains("--to-framing frames"), "{output:?}");
}

/// Changes the plain JSON of a file by `edit`, and converts it back with `--like` that file. Returns the bytes of the
/// new file, and the messages.
fn back_like(
    folder: &Folder,
    save: &Path,
    edit: impl FnOnce(String) -> String,
) -> (Vec<u8>, String) {
    let printed = good(&["json", "--form", "plain"], &[save]).out;
    let (json, out) = (folder.file("plain.json", edit(printed).as_bytes()), folder.path("out"));
    let like = ["from-json", "--form", "plain", "--like", name(save), "-o"];
    let said = good(&like, &[&out, &json]).err;
    (fs::read(&out).unwrap(), said)
}

#[test]
fn plain_json_of_a_file_comes_back_like_the_file() {
    let folder = Folder::new();
    for save in [
        "godot4/saves/sample3.variant",
        "godot4/saves/plain.bin",
        "godot3/saves/store_var_seq.bin",
        "godot3/saves/objects_full.bin",
        "godot3/containers/gcpf_zstd_save.bin",
        "pandemonium4/saves/nested_18k.variant",
        "godot4/saves/project.binary",
    ] {
        let (back, said) = back_like(&folder, &corpus(save), |json| json);
        let plain = |bytes: &[u8]| {
            succeeded(inspect(&["unwrap"], &[&folder.file("wrapped", bytes)])).stdout
        };
        assert!(plain(&back) == plain(&fs::read(corpus(save)).unwrap()), "{save}: {said}");
        assert!(said.contains("0 changes"), "{save}: {said}");
    }
}

#[test]
fn plain_json_keeps_the_types_of_a_file() {
    let folder = Folder::new();
    let old = r#"{5: "int key", &"name": &"b", "hp": 2.0, "n": 7, "ids": Array[int]([1, 2]), "d": Dictionary[StringName, float]({&"a": 1.0}),
        "at": Vector2(1, 2), "t": Transform2D(1, 2, 3, 4, 5, 6), "path": NodePath("a/b"), "bytes": PackedByteArray(1, 2), "f": PackedFloat32Array(1, 2),
        "p": PackedVector2Array(1, 2, 3, 4), "c": Color(1, 0, 0, 1), "s": PackedStringArray("a"), "nan": nan, "r": Rect2i(1, 2, 3, 4)}"#;
    let new = r#"{5: "five", &"name": &"c", "hp": 3.0, "n": 8, "ids": Array[int]([1, 3, 4]), "d": Dictionary[StringName, float]({&"a": 2.0, &"b": 3.0}),
        "at": Vector2(1.5, 2), "t": Transform2D(1, 2, 3, 4, 5, 7), "path": NodePath("a/c"), "bytes": PackedByteArray(1, 2, 3), "f": PackedFloat32Array(1, 2, 3),
        "p": PackedVector2Array(1, 2, 3, 5), "c": Color(1, 0, 1, 1), "s": PackedStringArray("a", "b"), "nan": nan, "r": Rect2i(1, 2, 3, 5)}"#;
    let save = folder.literal("save", old, "godot4");
    let edit = |json: String| {
        [
            ("\"int key\"", "\"five\""),
            ("\"name\":\"b\"", "\"name\":\"c\""),
            ("\"hp\":2.0", "\"hp\":3"),
            ("\"n\":7", "\"n\":8.0"),
            ("\"ids\":[1,2]", "\"ids\":[1,3,4]"),
            ("{\"a\":1.0}", "{\"a\":2,\"b\":3}"),
            ("\"at\":{\"x\":1", "\"at\":{\"x\":1.5"),
            ("\"y\":6", "\"y\":7"),
            ("a/b", "a/c"),
            ("\"bytes\":\"AQI=\"", "\"bytes\":\"AQID\""),
            ("\"f\":[1,2]", "\"f\":[1,2,3]"),
            ("{\"x\":3,\"y\":4}]", "{\"x\":3,\"y\":5}]"),
            ("\"b\":0,\"a\":1", "\"b\":1,\"a\":1"),
            ("\"s\":[\"a\"]", "\"s\":[\"a\",\"b\"]"),
            ("\"size\":{\"x\":3,\"y\":4}}", "\"size\":{\"x\":3,\"y\":5}}"),
        ]
        .iter()
        .fold(json, |json, (from, to)| {
            assert!(json.contains(from), "{from}: {json}");
            json.replacen(from, to, 1)
        })
    };
    let (back, said) = back_like(&folder, &save, edit);
    let save = folder.literal("save", new, "godot4");
    let how = ["text", "--dialect", "godot4", "--framing", "bare"];
    let read = |path: &Path| good(&how, &[path]).out;
    assert_eq!(read(&folder.file("back", &back)), read(&save), "{said}");
    assert!(!said.contains(" was "), "{said}");
}

/// A value without a matching type in the file gets the type of its JSON, and is reported.
#[test]
fn types_that_plain_json_cannot_keep_are_told() {
    let folder = Folder::new();
    // {"hp": 7, "x": an object that is only an id}
    let id = [4, 1, 0x78, 0x0001_0018, 0x5566_7788, 0x1122_3344];
    let bytes = words(&[&[27, 2, 4, 2, 0x7068, 2, 7][..], &id].concat());
    let save = folder.file("save", &bytes);
    let edit = |json: String| json.replace("\"hp\":7", "\"hp\":\"full\"");
    let (back, said) = back_like(&folder, &save, edit);
    assert!(said.contains("hp was int, and is String now"), "{said}");
    assert!(back.ends_with(&words(&id)), "{back:x?}");
}

#[test]
fn what_the_arguments_say_counts() {
    let folder = Folder::new();
    let json = r#"{"dialect":"godot3","reals":"by-flag","framing":"frames","value":{"t":"float","v":"1"}}"#;
    let json = folder.file("json", json.as_bytes());
    let arguments = ["from-json", "--dialect", "godot4", "--to-framing", "bare", "-o", "-"];
    let output = succeeded(inspect(&arguments, &[&json]));
    assert_eq!(output.stdout, [3, 0, 0, 0, 0, 0, 128, 63]);
    let notes = text(&output.stderr);
    assert!(notes.contains("written as godot4; the JSON names godot3"), "{notes}");
    assert!(notes.contains("framing bare; the JSON names frames"), "{notes}");

    let two = r#"{"dialect":"godot3","framing":"frames","value":1} {"dialect":"godot4","framing":"frames","value":1}"#;
    let odd = r#"{"dialect":"godot3","framing":"boxes","value":1}"#;
    let bare = r#"{"dialect":"godot3","framing":"bare","value":1} {"dialect":"godot3","framing":"bare","value":1}"#;
    for (text_of, message) in [
        (two, "value 2 names another dialect or framing than the first"),
        (odd, "unknown framing \"boxes\"; expected one of bare, frames, frames-be, settings"),
        (bare, "value 2: "),
        ("", "no JSON found; expected at least one value"),
        (
            "{\"dialect\":\"godot3\",\"value\":1}\n[1",
            "line 2 column 3: invalid JSON: expected a comma or ]",
        ),
    ] {
        let json = folder.file("json", text_of.as_bytes());
        let run = run(&["from-json", "--dialect", "godot3", "-o", "-"], &[&json]).expect(1);
        assert!(run.err.contains(message) && run.out.is_empty(), "{run:?}");
    }
}

/// If the envelope (the fields of exact JSON around the first value) names an unknown framing, the framing of
/// `--to-framing` or `--like` replaces it.
#[test]
fn an_unknown_framing_gives_way() {
    let folder = Folder::new();
    let run = |json: &str, more: &[&str]| {
        let json = folder.file("json", json.as_bytes());
        inspect(&[&["from-json", "--dialect", "godot4", "-o", "-"], more].concat(), &[&json])
    };
    // This is a dictionary of the native form, not an envelope: it has the field `type`.
    let native = r#"{"value":1,"type":"Dictionary","args":[]}"#;
    assert!(!text(&run(native, &[]).stderr).contains("dialect"), "{:?}", run(native, &[]));

    let odd = r#"{"dialect":"godot4","framing":"boxes","value":{"t":"int","v":7}}"#;
    let output = succeeded(run(odd, &["--to-framing", "bare"]));
    assert_eq!(output.stdout, [2, 0, 0, 0, 7, 0, 0, 0]);
    let notes = text(&output.stderr);
    assert!(notes.contains("framing bare; the JSON names boxes"), "{notes}");
    let like = corpus("godot3/saves/store_var_seq.bin");
    let output = succeeded(run(odd, &["--like", name(&like)]));
    assert_eq!(output.stdout, [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
}

/// Compiled settings are restored from JSON with `--like`. Plain JSON restores only values that it can express.
/// `tests/laws` checks exact JSON of all files.
#[test]
fn settings_come_back() {
    let folder = Folder::new();
    let simple = [&b"ECFG\x02\0\0\0\x03\0\0\0a/b"[..], &[8, 0, 0, 0], FIFTY].concat();
    let simple = [&simple, &b"\x01\0\0\0c"[..], &[4, 0, 0, 0, 0, 0, 0, 0]].concat();
    let simple = folder.file("simple", &simple);
    for (dialect, form, input) in [
        ("godot4", "native", corpus("godot4/saves/project.binary")),
        ("godot4", "plain", simple.clone()),
        ("godot3", "plain", simple),
    ] {
        let json = good(&["json", "--dialect", dialect, "--form", form], &[&input]).out;
        let (json, out) = (folder.file("json", json.as_bytes()), folder.path("out"));
        let like = ["--dialect", dialect, "--like", name(&input), "-o"];
        good(&[&["from-json", "--form", form], &like[..]].concat(), &[&out, &json]);
        assert!(fs::read(&out).unwrap() == fs::read(&input).unwrap(), "{dialect} {form}");
    }
    // All settings in one object. A user may write such JSON.
    let json = folder.file("json", br#"{"a/b": 5, "c": "x"}"#);
    let to = ["--dialect", "godot3", "--to-framing", "settings", "-o", "-"];
    let output = inspect(&[&["from-json", "--form", "plain"], &to[..]].concat(), &[&json]);
    assert!(output.stdout.starts_with(b"ECFG\x02\0\0\0\x03\0\0\0a/b"), "{output:?}");
}

/// Reports are not mixed into the JSON. Nothing is written for a damaged value.
#[test]
fn damage_is_told_on_standard_error() {
    let folder = Folder::new();
    let cut = [&NUMBERS[..20], &[99, 0, 0, 0]].concat();
    let input = folder.file("damaged", &framed(&[FIFTY, &cut, FIFTY]));
    let reading = ["--dialect", "godot4", "--framing", "frames"];
    for form in ["exact", "native", "plain"] {
        for pretty in [&[][..], &["--pretty"]] {
            let arguments = [&["json", "--form", form], pretty, &reading].concat();
            let Run { out, err: report, .. } = run(&arguments, &[&input]).expect(1);
            let values = serde_json::Deserializer::from_str(&out).into_iter::<serde_json::Value>();
            assert_eq!(values.map(Result::unwrap).count(), 1, "{out}");
            assert!(report.contains("invalid") && report.contains("frame 2"), "{report}");
        }
    }
}

/// A thousand losses below long keys, in 400 KB, are printed in a few short lines.
#[test]
fn losses_are_told_in_a_few_lines() {
    let folder = Folder::new();
    let nan = [3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 248, 127];
    let key = "\u{202e}".repeat(100_000);
    let head = [27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0];
    let len = u32::try_from(key.len()).unwrap().to_le_bytes();
    let list: Vec<u8> = [28, 0, 0, 0, 0xe8, 3, 0, 0].into_iter().chain(nan.repeat(1_000)).collect();
    let value = [&head[..], &len, key.as_bytes(), &list].concat();
    let input = folder.file("hostile", &framed(&[&value, &value, FIFTY]));
    let arguments = ["json", "--form", "plain", "--dialect", "godot4", "--framing", "frames"];
    let notes = good(&arguments, &[&input]).err;
    assert!(notes.len() < 2_000 && !notes.contains('\u{202e}'), "{notes:.3000}");
    assert!(
        notes.contains("[*]: a number that is not finite (x2,000, first at frame 1: {0}[0])"),
        "{notes}"
    );
}

#[test]
fn json_for_the_engine_and_for_everything_else() {
    let file = corpus("godot4/saves/rpc.variant");
    let native = run(&["json"], &[&file]).out;
    assert!(native.contains(r#""s:method""#) && native.contains(r#""s:move_to""#), "{native}");
    let plain = run(&["json", "--form", "plain"], &[&file]).out;
    assert!(plain.starts_with(r#"{"method":"move_to","id":77,"pos":{"x":12.5"#), "{plain}");
}

#[test]
fn bad_input_is_told_with_its_place_and_writes_nothing() {
    let folder = Folder::new();
    let out = folder.file("out.bin", b"precious");
    for (verb, input, place) in [
        ("from-json", "[1,\n 2,,]", "line 2 column"),
        ("from-text", "[1,\n 2,,]", "line 2"),
        ("from-text", "Vector2i(1, 2)", "there is no Vector2i"),
    ] {
        let bad = folder.file("bad", input.as_bytes());
        let told = refused(1, &[verb, "--dialect", "godot3", "-o"], &[&out, &bad]);
        assert!(told.contains(place), "{verb}: {told}");
        assert_eq!(fs::read(&out).unwrap(), b"precious");
    }
    // The dialect is unknown.
    refused(2, &["from-json", "--form", "plain", "-o"], &[&out, &folder.file("bad", b"[1]")]);
    // A text that is not UTF-8 is not damage.
    let output = inspect(&["json", "--dialect", "godot4"], &[&corpus("damaged/bad_utf8.variant")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
