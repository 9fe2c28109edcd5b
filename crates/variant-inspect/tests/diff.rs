//! `diff`: the same value in other bytes is not a difference, and differences are found at their place.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{corpus, inspect, text};
use serde_json::Value;
use tempfile::TempDir;

const BARE: [&str; 4] = ["--dialect", "godot4", "--framing", "bare"];

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs `diff`. Returns the exit status and the output, and after it the messages if the status reports an error.
fn diff(arguments: &[&str], old: &Path, new: &Path) -> (Option<i32>, String) {
    let output = inspect(&[&["diff"], arguments].concat(), &[old, new]);
    let said = if output.status.code() >= Some(2) { text(&output.stderr) } else { String::new() };
    (output.status.code(), text(&output.stdout) + &said)
}

/// Literals as files of Godot 4, in a folder.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn literal(&self, named: &str, literal: &str, dialect: &str) -> PathBuf {
        let source = self.put("source.txt", literal.as_bytes());
        let path = self.0.path().join(named);
        let how = ["--dialect", dialect, "--to-framing", "bare", "-o", name(&path)];
        let output = inspect(&[&["from-text"], &how[..]].concat(), &[&source]);
        assert_eq!(output.status.code(), Some(0), "{literal}: {output:?}");
        path
    }
}

/// The output of `diff` for two literals of Godot 4.
fn of(arguments: &[&str], old: &str, new: &str) -> (Option<i32>, String) {
    let files = Files::new();
    let (old, new) = (files.literal("old", old, "godot4"), files.literal("new", new, "godot4"));
    diff(&[&BARE, arguments].concat(), &old, &new)
}

#[track_caller]
fn assert_same(arguments: &[&str], old: &str, new: &str) {
    assert_eq!(of(arguments, old, new), (Some(0), String::new()), "{old} {new}");
}

/// The lines before the last, which is the count.
#[track_caller]
fn assert_told(arguments: &[&str], old: &str, new: &str, lines: &[&str]) {
    let (status, told) = of(arguments, old, new);
    let all: Vec<_> = told.lines().collect();
    let (_, told) = all.split_last().unwrap();
    assert_eq!((status, told), (Some(1), lines), "{old} {new}");
}

#[test]
fn a_file_is_the_same_in_other_wrappings() {
    let password = ["--password-env", "DIFF_PASSWORD"];
    let (save, packed) = ("godot4/saves/save_10k.variant", "godot4/saves/sample20.variant");
    let files = Files::new();
    for from in [save, packed] {
        let from = corpus(from);
        for how in ["zstd", "gzip", "deflate"] {
            let to = files.0.path().join(how);
            let wrapped = inspect(&["wrap", "--compress", how, "-o", name(&to)], &[&from]);
            assert_eq!(wrapped.status.code(), Some(0), "{wrapped:?}");
            assert_eq!(diff(&[], &from, &to), (Some(0), String::new()), "{how}");
        }
        let key = files.put("key", b"hunter2\n");
        let to = files.0.path().join("gdec");
        let secret = ["--password-file", name(&key)];
        let how = ["wrap", "--encrypt", "godot4", "-o", name(&to)];
        let wrapped = inspect(&[&how, &secret[..]].concat(), &[&from]);
        assert_eq!(wrapped.status.code(), Some(0), "{wrapped:?}");
        assert_eq!(diff(&secret, &from, &to), (Some(0), String::new()));
        let (status, told) = diff(&password, &from, &to);
        assert_eq!(status, Some(2), "{told}");
    }
}

#[test]
fn a_save_is_the_same_in_another_dialect() {
    let files = Files::new();
    let save = corpus("godot3/saves/rpg_save.bin");
    for to in ["godot4", "pandemonium3", "pandemonium5"] {
        let new = files.0.path().join(to);
        let output = inspect(&["convert", "--to", to, "-o", name(&new)], &[&save]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_ne!(fs::read(&save).unwrap(), fs::read(&new).unwrap());
        let how = ["--dialect", "godot3", "--new-dialect", to];
        assert_eq!(diff(&how, &save, &new), (Some(0), String::new()), "{to}");
        // And one value that differs is found between dialects.
        let set = ["set", name(&new), "meta.slot", "2", "--dialect", to, "--no-backup"];
        let output = inspect(&set, &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let (status, told) = diff(&how, &save, &new);
        let expected = "~ frame 1: meta.slot: 1 -> 2\n1 changed\n";
        assert_eq!((status, told.as_str()), (Some(1), expected));
    }
}

#[test]
fn losses_of_a_conversion_are_differences() {
    let files = Files::new();
    let save = corpus("godot4/saves/sample3.variant");
    let new = files.0.path().join("new");
    let output = inspect(&["convert", "--to", "godot3", "-o", name(&new)], &[&save]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let how = ["--dialect", "godot4", "--new-dialect", "godot3"];
    let (status, told) = diff(&how, &save, &new);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("~ entities[0].tag: &\""), "{told}");
    assert!(told.contains("~ typed: Array["), "{told}");
    let (_, loose) = diff(&[&how[..], &["--loose"]].concat(), &save, &new);
    assert!(!loose.contains("tag"), "{loose}");
    assert!(loose.contains("~ typed: Array["), "{loose}");
}

/// Packed arrays have other names in Godot 3, and other numbers.
#[test]
fn kinds_are_what_they_mean() {
    let files = Files::new();
    let old = "[PoolByteArray(1, 2), PoolIntArray(1, -2), PoolRealArray(0.5), PoolStringArray(\"a\"), 5, 5.5, \
               \"t\", Vector2(1, 2), Rect2(1, 2, 3, 4), Color(1, 0, 0, 1), NodePath(\"/a/b:c\"), null, true]";
    let new = "[PackedByteArray(1, 2), PackedInt32Array(1, -2), PackedFloat32Array(0.5), PackedStringArray(\"a\"), 5, \
               5.5, \"t\", Vector2(1, 2), Rect2(1, 2, 3, 4), Color(1, 0, 0, 1), NodePath(\"/a/b:c\"), null, true]";
    let old = files.literal("old", old, "godot3");
    let new = files.literal("new", new, "godot4");
    let how = ["--framing", "bare", "--dialect", "godot3", "--new-dialect", "godot4"];
    assert_eq!(diff(&how, &old, &new), (Some(0), String::new()));
}

#[test]
fn one_change_of_each_kind_is_found() {
    for (old, new, told) in [
        ("null", "false", "null -> false"),
        ("true", "false", "true -> false"),
        ("5", "6", "5 -> 6"),
        ("5", "5.0", "5 -> 5.0"),
        ("4294967296", "4294967297", "4294967296 -> 4294967297"),
        ("1.5", "1.25", "1.5 -> 1.25"),
        ("\"a\"", "\"b\"", "\"a\" -> \"b\""),
        ("\"a\"", "&\"a\"", "\"a\" -> &\"a\""),
        ("NodePath(\"a/b\")", "NodePath(\"a/c\")", "^\"a/b\" -> ^\"a/c\""),
        ("NodePath(\"a\")", "NodePath(\"/a\")", "^\"a\" -> ^\"/a\""),
        ("Vector2(1, 2)", "Vector2(1, 3)", "Vector2(1, 2) -> Vector2(1, 3)"),
        ("Vector3i(1, 2, 3)", "Vector3i(1, 2, 4)", "Vector3i(1, 2, 3) -> Vector3i(1, 2, 4)"),
        ("Vector2(1, 2)", "Vector2i(1, 2)", "Vector2(1, 2) -> Vector2i(1, 2)"),
        ("Color(1, 0, 0, 1)", "Color(1, 0, 1, 1)", "Color(1, 0, 0, 1) -> Color(1, 0, 1, 1)"),
        ("[]", "{}", "[] -> {}"),
        ("[5]", "5", "Array (1) -> 5"),
        ("5", "{\"a\": [1]}", "5 -> Dictionary (1)"),
        ("RID(5)", "RID(6)", "RID(5) -> RID(6)"),
    ] {
        // Values after it are compared, too.
        let whole = |value: &str, end: u8| format!("{{\"a\": [0, {value}], \"b\": {end}}}");
        let told = format!("~ a[1]: {told}");
        assert_told(&[], &whole(old, 7), &whole(new, 8), &[&told, "~ b: 7 -> 8"]);
        assert_same(&[], &whole(old, 7), &whole(old, 7));
    }
}

#[test]
fn packed_arrays_tell_regions() {
    for (old, new, told) in [
        (
            "PackedByteArray(1, 2, 3, 4)",
            "PackedByteArray(1, 9, 8, 4)",
            "~ a[1:3]: (2, 3) -> (9, 8)",
        ),
        ("PackedInt64Array(1, 2)", "PackedInt64Array(1, 3)", "~ a[1]: 2 -> 3"),
        ("PackedFloat32Array(1, 2)", "PackedFloat32Array(1, 2, 3)", "+ a[2] = 3"),
        (
            "PackedVector2Array(1, 2, 3, 4)",
            "PackedVector2Array(1, 2, 3, 5)",
            "~ a[1]: (3, 4) -> (3, 5)",
        ),
        (
            "PackedStringArray(\"a\", \"b\", \"c\")",
            "PackedStringArray(\"a\", \"c\")",
            "- a[1] = \"b\"",
        ),
        ("PackedInt32Array(1, 2, 3)", "PackedInt32Array(1, 4, 5, 3)", "~ a[1]: 2 -> (4, 5)"),
        (
            "PackedInt32Array(1)",
            "PackedInt64Array(1)",
            "~ a: PackedInt32Array[1](1) -> PackedInt64Array[1](1)",
        ),
    ] {
        let whole = |value: &str| format!("{{\"a\": {value}}}");
        // Where lengths differ on both sides of a change, the slices do too.
        assert_told(&[], &whole(old), &whole(new), &[told]);
    }
}

#[test]
fn a_long_packed_array_is_told_in_few_lines() {
    let numbers = |step: u32| {
        let numbers: Vec<_> = (0..100_000_u32).flat_map(|n| (n * step).to_le_bytes()).collect();
        [&[30, 0, 0, 0][..], &100_000_u32.to_le_bytes(), &numbers].concat()
    };
    let files = Files::new();
    let (old, mut bytes) = (files.put("old", &numbers(1)), numbers(1));
    for at in (8..bytes.len()).step_by(8) {
        bytes[at + 3] = 1;
    }
    let new = files.put("new", &bytes);
    let (status, told) = diff(&BARE, &old, &new);
    assert_eq!(status, Some(1));
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines.len(), 10, "{told}");
    assert_eq!(lines[0], "~ [0]: 0 -> 16777216");
    assert_eq!(lines[8], "~ [16:99999]: 49,992 elements in 49,992 ranges differ, too");
    assert_eq!(lines[9], "50,000 changed");
    let (_, told) = diff(&BARE, &old, &files.put("all", &numbers(2)));
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(
        told.starts_with("~ [1:100000]: (1, 2, 3, 4, 5, 6, 7, 8, ... 99,999 elements) -> (2,"),
        "{told}"
    );
}

#[test]
fn keys_are_matched_whatever_their_order() {
    let old = "{\"a\": 1, \"b\": {\"x\": 1, 7: 2}, \"c\": 3}";
    let new = "{\"c\": 3, \"b\": {7: 3, \"x\": 1}, \"d\": 4}";
    assert_told(&[], old, new, &["- a = 1", "~ b[7]: 2 -> 3", "+ d = 4"]);
    let (_, told) = of(&[], old, new);
    assert!(
        told.ends_with("1 changed, 1 added, 1 removed, 2 containers in another order\n"),
        "{told}"
    );
    let (one, other) = ("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}");
    let (status, told) = of(&[], one, other);
    assert_eq!((status, told.as_str()), (Some(0), "1 container in another order\n"));
    assert_told(&["--order"], one, other, &["~ (root): in another order"]);
    assert_eq!(of(&["--quiet"], one, other), (Some(0), String::new()));
    // Keys of all kinds, those with children too.
    let keys = [
        "null",
        "1",
        "1.5",
        "\"t\"",
        "[1, [2]]",
        "{1: 2}",
        "Vector2(1, 2)",
        "PackedByteArray(1)",
        "true",
    ];
    let whole = |keys: &mut dyn Iterator<Item = &&str>| {
        let pairs: Vec<_> =
            keys.map(|key| format!("{key}: \"{}\"", key.replace('"', ""))).collect();
        format!("{{{}}}", pairs.join(", "))
    };
    let (forwards, backwards) = (whole(&mut keys.iter()), whole(&mut keys.iter().rev()));
    assert_eq!(of(&[], &forwards, &backwards).0, Some(0));
    let (status, told) = of(&[], &forwards, &whole(&mut keys.iter().skip(1).rev()));
    assert_eq!((status, told.lines().next()), (Some(1), Some("- [null] = \"null\"")), "{told}");
    // One key in Godot 4, but another kind.
    assert_told(&[], "{\"k\": 1}", "{&\"k\": 1}", &["~ {0:key}: \"k\" -> &\"k\""]);
    assert_same(&["--loose"], "{\"k\": 1}", "{&\"k\": 1}");
}

#[test]
fn what_is_put_into_an_array_moves_nothing() {
    assert_told(&[], "[1, 2, 3, 4]", "[1, 2, 9, 3, 4]", &["+ [2] = 9"]);
    assert_told(&[], "[1, 2, 9, 3, 4]", "[1, 2, 3, 4]", &["- [2] = 9"]);
    assert_told(
        &[],
        "[1, 2, 3, 4, 5]",
        "[0, 2, 9, 3, 4, 6]",
        &["~ [0]: 1 -> 0", "~ [4]: 5 -> 6", "+ [2] = 9"],
    );
    assert_told(
        &["--tolerance", "0.1"],
        "[[1.0], [2.0], [3.0]]",
        "[[1.05], [2.0], [7, 7], [3.0]]",
        &["+ [2] = Array (2)"],
    );
    assert_told(&[], "[1, 2]", "[1, 2, 3, 4]", &["+ [2] = 3", "+ [3] = 4"]);
    assert_told(&[], "[1, 2, 3]", "[]", &["- [0] = 1", "- [1] = 2", "- [2] = 3"]);
    assert_told(
        &[],
        "[[1, 5], {\"a\": 1}, {\"a\": 2}]",
        "[{\"a\": 0}, [1, 5], {\"a\": 1}, {\"a\": 2}]",
        &["+ [0] = Dictionary (1)"],
    );
    // After it the indices change; the old ones are reported.
    let (_, told) = of(&["--json"], "[1, {\"a\": 2}, 3, 4]", "[0, 1, {\"a\": 5}, 3, 4]");
    assert!(told.contains("\"path\":\"[0]\""), "{told}");
}

const ITEMS: &str =
    "{\"items\": [{\"id\": 7, \"n\": 1}, {\"id\": 8, \"n\": 2}, {\"id\": 9, \"n\": 3}]}";

#[test]
fn elements_are_matched_by_a_key() {
    let new =
        "{\"items\": [{\"n\": 3, \"id\": 9}, {\"id\": 7, \"n\": 5}, {\"id\": \"new\", \"n\": 2}]}";
    assert_told(
        &["--by", "id"],
        ITEMS,
        new,
        &[
            "~ items[?id==7].n: 1 -> 5",
            "- items[?id==8] = Dictionary (2)",
            "+ items[?id==\"new\"] = Dictionary (2)",
        ],
    );
    // The paths can be given to other commands.
    let files = Files::new();
    let old = files.literal("old", ITEMS, "godot4");
    let found = inspect(&[&["get", name(&old), "items[?id==7].n"], &BARE[..]].concat(), &[]);
    assert_eq!(text(&found.stdout), "items[0].n: 1\n");
    // Without the key, or without dictionaries: by position.
    assert_told(
        &["--by", "none"],
        "[1, {\"id\": 1}]",
        "[2, {\"id\": 2}]",
        &["~ [0]: 1 -> 2", "~ [1].id: 1 -> 2"],
    );
    // Of equal keys the first belongs to the first.
    let twice = "[{\"id\": 1, \"n\": 1}, {\"id\": 1, \"n\": 2}, {\"id\": 2}]";
    let new = "[{\"id\": 2}, {\"id\": 1, \"n\": 1}, {\"id\": 1, \"n\": 3}]";
    assert_told(&["--by", "id"], twice, new, &["~ [?id==1].n: 2 -> 3"]);
    let (status, told) = of(&["--by", "id", "--order"], twice, new);
    assert!(status == Some(1) && told.starts_with("~ (root): in another order\n"), "{told}");
    // Some have no such key: they belong together in order.
    let new = "[5, {\"id\": 2}, {\"n\": 1}, {\"id\": 1}]";
    let (status, told) = of(&["--by", "id"], "[{\"id\": 1}, 5, {\"id\": 2}, {\"n\": 2}]", new);
    assert_eq!(status, Some(1));
    assert_eq!(told.lines().next(), Some("~ [3].n: 2 -> 1"), "{told}");
    assert!(told.ends_with("\n1 changed, 1 container in another order\n"), "{told}");
}

#[test]
fn reals_are_the_same_within_a_tolerance() {
    assert_same(&["--tolerance", "0.5"], "[1.0, -1.0]", "[1.5, -1.5]");
    assert_eq!(of(&["--tolerance", "0.5"], "1.0", "1.5000001").0, Some(1));
    assert_eq!(of(&["--tolerance", "0.4999999"], "1.0", "1.5").0, Some(1));
    assert_same(&["--relative", "0.25"], "[100.0, -4.0]", "[75.0, -3.0]");
    assert_eq!(of(&["--relative", "0.25"], "100.0", "74.99").0, Some(1));
    for kind in [
        "Vector2(X, 0)",
        "Vector3(0, X, 0)",
        "Rect2(0, 0, 0, X)",
        "Transform2D(1, X, 0, 1, 0, 0)",
        "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, X)",
        "Quaternion(0, 0, 0, X)",
        "AABB(0, 0, 0, 0, 0, X)",
        "Plane(0, 1, 0, X)",
        "Color(X, 0, 0, 1)",
        "PackedFloat32Array(1, X)",
        "PackedFloat64Array(1, X)",
        "PackedVector2Array(1, X)",
        "PackedVector3Array(1, X, 2)",
        "PackedColorArray(X, 0, 0, 1)",
    ] {
        let (old, new) = (kind.replace('X', "1.0"), kind.replace('X', "1.25"));
        assert_eq!(of(&[], &old, &new).0, Some(1), "{kind}");
        assert_same(&["--tolerance", "0.25"], &old, &new);
        assert_eq!(of(&["--tolerance", "0.2"], &old, &new).0, Some(1), "{kind}");
    }
    // Integers are compared exactly, also those in vectors.
    assert_eq!(of(&["--tolerance", "5"], "1", "2").0, Some(1));
    assert_eq!(of(&["--tolerance", "5"], "Vector2i(1, 2)", "Vector2i(1, 3)").0, Some(1));
    assert_same(&[], "[nan, -0.0, inf]", "[nan, 0.0, inf]");
    assert_eq!(of(&["--tolerance", "5"], "nan", "1.0").0, Some(1));
    assert_eq!(of(&["--tolerance", "5"], "inf", "1.0").0, Some(1));
    assert_eq!(of(&["--relative", "5"], "inf", "-inf").0, Some(1));
    assert_told(&["--exact"], "[nan, -0.0]", "[nan, 0.0]", &["~ [1]: -0.0 -> 0.0"]);
    assert_same(&["--loose"], "[5, 5.0]", "[5.0, 5]");
    assert_eq!(of(&["--loose"], "9007199254740993", "9007199254740992.0").0, Some(1));
    for wrong in ["-1", "nan", "x"] {
        assert_eq!(of(&[&format!("--tolerance={wrong}")], "1", "1").0, Some(2), "{wrong}");
    }
}

#[test]
fn paths_are_left_out_or_the_only_ones() {
    let old = "{\"time\": 1, \"a\": {\"time\": 2, \"hp\": 3}, \"b\": [{\"hp\": 1}, 2]}";
    let new = "{\"time\": 5, \"a\": {\"time\": 6, \"hp\": 4}, \"b\": [{\"hp\": 2}, 2], \"more\": {\"time\": 7}}";
    let ignored = ["--ignore", "..time", "--ignore", "b[*].hp"];
    assert_told(&ignored, old, new, &["~ a.hp: 3 -> 4", "+ more = Dictionary (1)"]);
    assert_same(
        &["--ignore", "a", "--ignore", "b", "--ignore", "time", "--ignore", "more"],
        old,
        new,
    );
    assert_told(&["--at", "a"], old, new, &["~ a.time: 2 -> 6", "~ a.hp: 3 -> 4"]);
    assert_told(&["--at", "b[0].hp"], old, new, &["~ b[0].hp: 1 -> 2"]);
    assert_same(&["--at", "b[1]"], old, new);
    assert_told(&["--at", "more"], old, new, &["+ more = Dictionary (1)"]);
    let (status, said) = of(&["--at", "nothing"], old, new);
    assert!(status == Some(2) && said.contains("nothing is at the path nothing"), "{said}");
    assert_eq!(of(&["--at", "nothing"], old, old).0, Some(2));
    assert_eq!(of(&["--at", "b[*]"], old, new).0, Some(2));
    assert_eq!(of(&["--ignore", "b["], old, new).0, Some(2));
}

#[test]
fn a_limit_and_silence() {
    let (old, new) = ("[1, 2, 3, 4]", "[5, 6, 7, 8]");
    let (status, told) = of(&["--limit", "2"], old, new);
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(status, Some(1));
    assert_eq!(lines, ["~ [0]: 1 -> 5", "~ [1]: 2 -> 6", "4 changed; 2 not printed"]);
    assert_eq!(of(&["-q"], old, new), (Some(1), String::new()));
    assert_eq!(of(&["-q"], old, old), (Some(0), String::new()));
}

#[test]
fn json_has_kinds_and_offsets() {
    let (status, told) =
        of(&["--json"], "{\"a\": [1, \"x\"], \"b\": 1}", "{\"a\": [1, 2.5], \"c\": 1}");
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(status, Some(1));
    let first = &lines[0];
    assert_eq!(first["change"], "changed");
    assert_eq!(first["path"], "a[1]");
    assert_eq!((&first["before"], &first["after"]), (&"\"x\"".into(), &"2.5".into()));
    assert_eq!((&first["kind_before"], &first["kind_after"]), (&"String".into(), &"float".into()));
    // Header and count, the key, header and count, the int.
    assert_eq!((&first["offset_before"], &first["offset_after"]), (&36.into(), &36.into()));
    let changes: Vec<_> = lines.iter().map(|line| line["change"].as_str()).collect();
    assert_eq!(changes, [Some("changed"), Some("removed"), Some("added"), None]);
    assert!(lines[1].get("after").is_none() && lines[2].get("before").is_none());
    let counts = [&lines[3]["changed"], &lines[3]["added"], &lines[3]["removed"]];
    assert_eq!(counts, [1, 1, 1]);
}

fn frames(values: &[&[u8]]) -> Vec<u8> {
    let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap().to_le_bytes();
    values.iter().flat_map(|value| [&len(value)[..], value].concat()).collect()
}

#[test]
fn frames_are_compared_by_number() {
    let int = |n: u8| [2, 0, 0, 0, n, 0, 0, 0];
    let files = Files::new();
    let old = files.put("old", &frames(&[&int(1), &int(2), &int(3)]));
    let new = files.put("new", &frames(&[&int(1), &int(5)]));
    let how = ["--dialect", "godot4", "--framing", "frames"];
    let (status, told) = diff(&how, &old, &new);
    assert_eq!(status, Some(1));
    assert_eq!(told, "~ frame 2: (root): 2 -> 5\n- frame 3: (root) = 3\n1 changed, 1 removed\n");
    let (_, told) = diff(&how, &new, &old);
    assert!(told.contains("+ frame 3: (root) = 3\n"), "{told}");
    // Offsets count in the file.
    let (_, told) = diff(&[&how[..], &["--json"]].concat(), &old, &new);
    let first: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!((&first["frame"], &first["offset_before"]), (&2.into(), &16.into()));
    // The same in a bare file.
    let bare = files.put("bare", &int(1));
    let one = files.put("one", &frames(&[&int(1)]));
    assert_eq!(diff(&["--dialect", "godot4"], &bare, &one), (Some(0), String::new()));
}

#[test]
fn settings_are_compared_by_name() {
    let project = corpus("godot4/saves/project.binary");
    assert_eq!(diff(&[], &project, &project), (Some(0), String::new()));
    let bytes = fs::read(&project).unwrap();
    let count = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    let mut rest = &bytes[8..];
    let mut settings = Vec::new();
    for _ in 0..count {
        let word = |at: usize| {
            usize::try_from(u32::from_le_bytes(rest[at..at + 4].try_into().unwrap())).unwrap()
        };
        let name = word(0);
        let len = 8 + name + word(4 + name);
        settings.push(&rest[..len]);
        rest = &rest[len..];
    }
    let files = Files::new();
    let whole = |settings: &[&[u8]]| {
        let count = u32::try_from(settings.len()).unwrap();
        [&bytes[..4], &count.to_le_bytes(), &settings.concat(), rest].concat()
    };
    settings.reverse();
    assert_ne!(whole(&settings), bytes);
    let turned = files.put("turned", &whole(&settings));
    assert_eq!(diff(&["--dialect", "godot4"], &project, &turned), (Some(0), String::new()));
    settings.pop();
    let fewer = files.put("fewer", &whole(&settings));
    let (status, told) = diff(&["--dialect", "godot4"], &project, &fewer);
    assert_eq!(status, Some(1));
    assert!(told.starts_with("- setting 1, ") && told.ends_with("\n1 removed\n"), "{told}");
}

#[test]
fn damage_is_no_difference() {
    let files = Files::new();
    let whole = fs::read(corpus("godot4/saves/sample3.variant")).unwrap();
    let (old, cut) = (files.put("old", &whole), files.put("cut", &whole[..whole.len() - 4]));
    for (old, new) in [(&old, &cut), (&cut, &old), (&cut, &cut)] {
        let (status, said) = diff(&BARE, old, new);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("cut: invalid:"), "{said}");
    }
    assert_eq!(diff(&BARE, &old, &files.0.path().join("none")).0, Some(3));
    let frames = frames(&[&[2, 0, 0, 0, 1, 0, 0, 0]]);
    let (old, cut) =
        (files.put("old", &frames), files.put("cut", &[&frames[..], &[8, 0, 0, 0, 2]].concat()));
    let (status, said) = diff(&["--dialect", "godot4", "--framing", "frames"], &old, &cut);
    assert!(status == Some(2) && said.contains("cut: "), "{said}");
    assert_eq!(inspect(&["diff", "-", "-"], &[]).status.code(), Some(2));
    // Bytes after the value are reported, and are not a difference.
    let more = files.put("more", &[&whole[..], &[0; 4]].concat());
    let output = inspect(&[&["diff"], &BARE[..]].concat(), &[&files.put("old", &whole), &more]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("4 bytes behind the value"), "{output:?}");
}

#[test]
fn nothing_hidden_is_printed() {
    let (status, told) = of(&[], "{\"a\": 1}", "{\"\u{1b}[31m\": \"\u{1b}[2J\"}");
    assert_eq!(status, Some(1));
    assert!(!told.contains('\u{1b}'), "{told:?}");
    let files = Files::new();
    let (old, new) = (files.literal("old", "[1]", "godot4"), files.literal("new", "[2]", "godot4"));
    let (_, told) = diff(&[&BARE[..], &["--color", "always"]].concat(), &old, &new);
    assert!(told.contains("\u{1b}[32m2"), "{told:?}");
}

fn word(word: usize) -> [u8; 4] {
    u32::try_from(word).unwrap().to_le_bytes()
}

/// Runs `diff` on hostile files. They are small enough for linear work, and too large for more.
fn hostile(arguments: &[&str], old: &[u8], new: &[u8]) -> (Option<i32>, String) {
    let files = Files::new();
    let (old, new) = (files.put("old", old), files.put("new", new));
    let start = Instant::now();
    let (status, told) = diff(&[&BARE, arguments].concat(), &old, &new);
    assert!(start.elapsed() < Duration::from_secs(20), "{arguments:?}: {:?}", start.elapsed());
    (status, told)
}

/// `{x: inner, y: 0}`, or the other way round.
fn turned(inner: &[u8], is_turned: bool) -> Vec<u8> {
    let pair = |key: u8, value: &[u8]| [&[4, 0, 0, 0, 1, 0, 0, 0, key, 0, 0, 0], value].concat();
    let (x, y) = (pair(b'x', inner), pair(b'y', &[0; 4]));
    let pairs = if is_turned { [y, x] } else { [x, y] };
    [&[27, 0, 0, 0, 2, 0, 0, 0], &pairs.concat()[..]].concat()
}

/// At each level the order differs, so that all levels below are skipped: skipping them at each level would take a
/// thousand times as long.
#[test]
fn depth_times_bytes_is_not_paid() {
    let heap = |end: usize| {
        let mut heap = [word(28), word(200_000)].concat();
        heap.extend((0..200_000).flat_map(|n| [word(2), word(n)].concat()));
        let at = heap.len() - 4;
        heap.splice(at.., word(end));
        heap
    };
    let deep = |end: usize, is_turned: bool| {
        let mut value = heap(end);
        // Not `turned` a thousand times, which would copy everything each time.
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let shell = turned(b"INNER", is_turned);
        let at = shell.windows(5).position(|part| part == b"INNER").unwrap();
        for _ in 0..1_000 {
            before.extend_from_slice(&shell[..at]);
            behind.extend_from_slice(&shell[at + 5..]);
        }
        before.append(&mut value);
        [before, behind].concat()
    };
    let (status, told) = hostile(&[], &deep(1, false), &deep(2, true));
    assert_eq!(status, Some(1));
    let changed = told.lines().next().unwrap();
    assert!(changed.starts_with("~ x.x.x.") && changed.ends_with("[199999]: 1 -> 2"), "{changed}");
    assert!(told.ends_with("1 changed, 1,000 containers in another order\n"));
    // Arrays of other lengths at each level: values after them are compared from the end.
    let arrays = |more: bool, end: usize| {
        let (mut bytes, mut behind) = (Vec::new(), Vec::new());
        for _ in 0..1_000 {
            bytes.extend([word(28), word(if more { 3 } else { 2 })].concat());
            behind.extend([word(2), word(9)].concat());
            if more {
                behind.extend([word(2), word(7)].concat());
            }
        }
        bytes.extend(heap(end));
        [bytes, behind].concat()
    };
    let (status, told) = hostile(&[], &arrays(false, 5), &arrays(true, 6));
    assert_eq!(status, Some(1));
    assert!(told.ends_with("1 changed, 1,000 added\n"), "{}", told.lines().last().unwrap());
}

#[test]
fn a_hundred_thousand_keys_in_another_order() {
    let keys = |all: &mut dyn Iterator<Item = usize>| {
        let pairs: Vec<_> = all.collect();
        let mut bytes = [word(27), word(pairs.len())].concat();
        for key in pairs {
            bytes.extend([word(2), word(key), word(2), word(key / 2)].concat());
        }
        bytes
    };
    let mut all = 0..100_000;
    let (old, new) = (keys(&mut all.clone()), keys(&mut all.by_ref().rev().skip(1)));
    let (status, told) = hostile(&[], &old, &new);
    assert_eq!(
        (status, told.as_str()),
        (Some(1), "- [99999] = 49999\n1 removed, 1 container in another order\n")
    );
}

#[test]
fn equal_ids_are_matched_in_order() {
    let items = |count: usize, last: usize| {
        let mut bytes = [word(28), word(count)].concat();
        for at in 0..count {
            let n = if at + 1 == count { last } else { 1 };
            bytes.extend(
                [word(27), word(2), word(4), word(2), *b"id\0\0", word(2), word(7)].concat(),
            );
            bytes.extend([word(4), word(1), *b"n\0\0\0", word(2), word(n)].concat());
        }
        bytes
    };
    let (status, told) = hostile(&["--by", "id"], &items(60_000, 1), &items(60_001, 5));
    assert_eq!((status, told.as_str()), (Some(1), "+ [?id==7] = Dictionary (2)\n1 added\n"));
    let (status, told) = hostile(&["--by", "id"], &items(60_000, 1), &items(60_000, 5));
    assert_eq!((status, told.as_str()), (Some(1), "~ [?id==7].n: 1 -> 5\n1 changed\n"));
}

/// Long paths are cut in the output, and many of them take no more time than their ends.
#[test]
fn many_differences_deep_down() {
    let deep = |value: usize| {
        let mut bytes = [word(28), word(1)].concat().repeat(1_000);
        bytes.extend([word(28), word(30_000)].concat());
        bytes.extend([word(2), word(value)].concat().repeat(30_000));
        bytes
    };
    let (status, told) = hostile(&[], &deep(1), &deep(2));
    assert_eq!((status, told.lines().count()), (Some(1), 30_001));
    assert!(told.lines().all(|line| line.len() < 300));
    let mut expected = String::new();
    let _ = write!(expected, "[29999]: 1 -> 2\n30,000 changed\n");
    assert!(told.ends_with(&expected));
}
