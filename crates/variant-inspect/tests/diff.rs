//! `diff` reports no difference between two encodings of one value, and reports each difference with its place.

mod files;
mod hostile;

use std::fs;
use std::path::Path;

use crate::common::{BARE, Folder, corpus, good, name, run};
use serde_json::Value;

/// Runs `diff`. Returns the exit status and the output. If the status reports an error, the messages follow the output.
fn diff(arguments: &[&str], old: &Path, new: &Path) -> (Option<i32>, String) {
    let run = run(&[&["diff"], arguments].concat(), &[old, new]);
    (run.code, if run.code >= Some(2) { run.said() } else { run.out })
}

/// The output of `diff` for two literals of Godot 4.
fn of(arguments: &[&str], old: &str, new: &str) -> (Option<i32>, String) {
    let files = Folder::new();
    let (old, new) = (files.literal("old", old, "godot4"), files.literal("new", new, "godot4"));
    diff(&[&BARE, arguments].concat(), &old, &new)
}

#[track_caller]
fn assert_same(arguments: &[&str], old: &str, new: &str) {
    assert_eq!(of(arguments, old, new), (Some(0), String::new()), "{old} {new}");
}

/// Checks the lines before the last line, which is the count.
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
    let files = Folder::new();
    for from in [save, packed] {
        let from = corpus(from);
        for how in ["zstd", "gzip", "deflate"] {
            let to = files.path(how);
            good(&["wrap", "--compress", how, "-o", name(&to)], &[&from]);
            assert_eq!(diff(&[], &from, &to), (Some(0), String::new()), "{how}");
        }
        let key = files.file("key", b"hunter2\n");
        let to = files.path("gdec");
        let secret = ["--password-file", name(&key)];
        let how = ["wrap", "--encrypt", "godot4", "-o", name(&to)];
        good(&[&how, &secret[..]].concat(), &[&from]);
        assert_eq!(diff(&secret, &from, &to), (Some(0), String::new()));
        let (status, told) = diff(&password, &from, &to);
        assert_eq!(status, Some(2), "{told}");
    }
}

#[test]
fn losses_of_a_conversion_are_differences() {
    let files = Folder::new();
    let save = corpus("godot4/saves/sample3.variant");
    let new = files.path("new");
    good(&["convert", "--to", "godot3", "-o", name(&new)], &[&save]);
    let how = ["--dialect", "godot4", "--new-dialect", "godot3"];
    let (status, told) = diff(&how, &save, &new);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("~ entities[0].tag: &\""), "{told}");
    assert!(told.contains("~ typed: Array["), "{told}");
    let (_, loose) = diff(&[&how[..], &["--loose"]].concat(), &save, &new);
    assert!(!loose.contains("tag"), "{loose}");
    assert!(loose.contains("~ typed: Array["), "{loose}");
}

/// Packed arrays have other names and other type numbers in Godot 3 than in Godot 4.
#[test]
fn kinds_are_what_they_mean() {
    let files = Folder::new();
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
        // Values after the difference are also compared.
        let whole = |value: &str, end: u8| format!("{{\"a\": [0, {value}], \"b\": {end}}}");
        let told = format!("~ a[1]: {told}");
        assert_told(&[], &whole(old, 7), &whole(new, 8), &[&told, "~ b: 7 -> 8"]);
        assert_same(&[], &whole(old, 7), &whole(old, 7));
    }
}

#[test]
fn packed_arrays_tell_regions() {
    let whole = |kind: &str, items: &str| format!("{{\"a\": Packed{kind}Array({items})}}");
    for (kind, old, new, told) in [
        ("Byte", "1, 2, 3, 4", "1, 9, 8, 4", "~ a[1:3]: (2, 3) -> (9, 8)"),
        ("Int64", "1, 2", "1, 3", "~ a[1]: 2 -> 3"),
        ("Float32", "1, 2", "1, 2, 3", "+ a[2] = 3"),
        ("Vector2", "1, 2, 3, 4", "1, 2, 3, 5", "~ a[1]: (3, 4) -> (3, 5)"),
        ("String", "\"a\", \"b\", \"c\"", "\"a\", \"c\"", "- a[1] = \"b\""),
        // One element becomes two, so the ranges in the two arrays have different lengths.
        ("Int32", "1, 2, 3", "1, 4, 5, 3", "~ a[1]: 2 -> (4, 5)"),
    ] {
        assert_told(&[], &whole(kind, old), &whole(kind, new), &[told]);
    }
    let told = "~ a: PackedInt32Array[1](1) -> PackedInt64Array[1](1)";
    assert_told(&[], &whole("Int32", "1"), &whole("Int64", "1"), &[told]);
}

#[test]
fn a_long_packed_array_is_told_in_few_lines() {
    let numbers = |step: u32| {
        let numbers: Vec<_> = (0..100_000_u32).flat_map(|n| (n * step).to_le_bytes()).collect();
        [&[30, 0, 0, 0][..], &100_000_u32.to_le_bytes(), &numbers].concat()
    };
    let files = Folder::new();
    let (old, mut bytes) = (files.file("old", &numbers(1)), numbers(1));
    for at in (8..bytes.len()).step_by(8) {
        bytes[at + 3] = 1;
    }
    let new = files.file("new", &bytes);
    let (status, told) = diff(&BARE, &old, &new);
    assert_eq!(status, Some(1));
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines.len(), 10, "{told}");
    assert_eq!(lines[0], "~ [0]: 0 -> 16777216");
    assert_eq!(lines[8], "~ [16:99999]: 49,992 elements in 49,992 ranges differ, too");
    assert_eq!(lines[9], "50,000 changed");
    let (_, told) = diff(&BARE, &old, &files.file("all", &numbers(2)));
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
    // Keys of all kinds, including keys that are containers.
    let pairs = "null: \"null\"; 1: 1; 1.5: 2; \"t\": 3; [1, [2]]: 4; {1: 2}: 5; Vector2(1, 2): 6; \
                 PackedByteArray(1): 7; true: 8";
    let pairs: Vec<_> = pairs.split("; ").collect();
    let whole = |pairs: &[&str]| format!("{{{}}}", pairs.join(", "));
    let backwards: Vec<_> = pairs.iter().rev().copied().collect();
    assert_eq!(of(&[], &whole(&pairs), &whole(&backwards)).0, Some(0));
    let (status, told) = of(&[], &whole(&pairs), &whole(&backwards[..8]));
    assert_eq!((status, told.lines().next()), (Some(1), Some("- [null] = \"null\"")), "{told}");
    // Both texts are one key in Godot 4, but have different kinds.
    assert_told(&[], "{\"k\": 1}", "{&\"k\": 1}", &["~ {0:key}: \"k\" -> &\"k\""]);
    assert_same(&["--loose"], "{\"k\": 1}", "{&\"k\": 1}");
}

#[test]
fn what_is_put_into_an_array_moves_nothing() {
    let told = |old: &str, new: &str, lines: &[&str]| assert_told(&[], old, new, lines);
    told("[1, 2, 3, 4]", "[1, 2, 9, 3, 4]", &["+ [2] = 9"]);
    told("[1, 2, 9, 3, 4]", "[1, 2, 3, 4]", &["- [2] = 9"]);
    let lines = ["~ [0]: 1 -> 0", "~ [4]: 5 -> 6", "+ [2] = 9"];
    told("[1, 2, 3, 4, 5]", "[0, 2, 9, 3, 4, 6]", &lines);
    let (old, new) = ("[[1.0], [2.0], [3.0]]", "[[1.05], [2.0], [7, 7], [3.0]]");
    assert_told(&["--tolerance", "0.1"], old, new, &["+ [2] = Array (2)"]);
    told("[1, 2]", "[1, 2, 3, 4]", &["+ [2] = 3", "+ [3] = 4"]);
    told("[1, 2, 3]", "[]", &["- [0] = 1", "- [1] = 2", "- [2] = 3"]);
    let (old, new) = ("[[1], {\"a\": 1}, {\"a\": 2}]", "[{\"a\": 0}, [1], {\"a\": 1}, {\"a\": 2}]");
    told(old, new, &["+ [0] = Dictionary (1)"]);
    // The path of an added element is its path in the new file.
    let (_, told) = of(&["--json"], "[1, {\"a\": 2}, 3, 4]", "[0, 1, {\"a\": 5}, 3, 4]");
    assert!(told.contains("\"path\":\"[0]\""), "{told}");
}

const ITEMS: &str =
    "{\"items\": [{\"id\": 7, \"n\": 1}, {\"id\": 8, \"n\": 2}, {\"id\": 9, \"n\": 3}]}";

#[test]
fn elements_are_matched_by_a_key() {
    let new =
        "{\"items\": [{\"n\": 3, \"id\": 9}, {\"id\": 7, \"n\": 5}, {\"id\": \"new\", \"n\": 2}]}";
    let lines = [
        "~ items[?id==7].n: 1 -> 5",
        "- items[?id==8] = Dictionary (2)",
        "+ items[?id==\"new\"] = Dictionary (2)",
    ];
    assert_told(&["--by", "id"], ITEMS, new, &lines);
    // Other commands accept the paths that `diff` prints.
    let old = Folder::new();
    let old = old.literal("old", ITEMS, "godot4");
    let found = run(&[&["get", name(&old), "items[?id==7].n"], &BARE[..]].concat(), &[]);
    assert_eq!(found.out, "items[0].n: 1\n");
    // Elements without the key, and elements that are not dictionaries, are paired by position.
    let lines = ["~ [0]: 1 -> 2", "~ [1].id: 1 -> 2"];
    assert_told(&["--by", "none"], "[1, {\"id\": 1}]", "[2, {\"id\": 2}]", &lines);
    // Elements with equal keys are paired in order.
    let twice = "[{\"id\": 1, \"n\": 1}, {\"id\": 1, \"n\": 2}, {\"id\": 2}]";
    let new = "[{\"id\": 2}, {\"id\": 1, \"n\": 1}, {\"id\": 1, \"n\": 3}]";
    assert_told(&["--by", "id"], twice, new, &["~ [?id==1].n: 2 -> 3"]);
    let (status, told) = of(&["--by", "id", "--order"], twice, new);
    assert!(status == Some(1) && told.starts_with("~ (root): in another order\n"), "{told}");
    // Elements without the key are paired in order.
    let new = "[5, {\"id\": 2}, {\"n\": 1}, {\"id\": 1}]";
    let (status, told) = of(&["--by", "id"], "[{\"id\": 1}, 5, {\"id\": 2}, {\"n\": 2}]", new);
    assert_eq!(status, Some(1));
    assert_eq!(told.lines().next(), Some("~ [3].n: 2 -> 1"), "{told}");
    assert!(told.ends_with("\n1 changed, 1 container in another order\n"), "{told}");
}

#[test]
fn reals_are_the_same_within_a_tolerance() {
    let is_other = |arguments: &[&str], old: &str, new: &str| {
        assert_eq!(of(arguments, old, new).0, Some(1), "{arguments:?}: {old} {new}");
    };
    assert_same(&["--tolerance", "0.5"], "[1.0, -1.0]", "[1.5, -1.5]");
    is_other(&["--tolerance", "0.5"], "1.0", "1.5000001");
    is_other(&["--tolerance", "0.4999999"], "1.0", "1.5");
    assert_same(&["--relative", "0.25"], "[100.0, -4.0]", "[75.0, -3.0]");
    is_other(&["--relative", "0.25"], "100.0", "74.99");
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
        is_other(&[], &old, &new);
        assert_same(&["--tolerance", "0.25"], &old, &new);
        is_other(&["--tolerance", "0.2"], &old, &new);
    }
    // Integers are compared exactly, also in vectors.
    is_other(&["--tolerance", "5"], "1", "2");
    is_other(&["--tolerance", "5"], "Vector2i(1, 2)", "Vector2i(1, 3)");
    assert_same(&[], "[nan, -0.0, inf]", "[nan, 0.0, inf]");
    is_other(&["--tolerance", "5"], "nan", "1.0");
    is_other(&["--tolerance", "5"], "inf", "1.0");
    is_other(&["--relative", "5"], "inf", "-inf");
    assert_told(&["--exact"], "[nan, -0.0]", "[nan, 0.0]", &["~ [1]: -0.0 -> 0.0"]);
    assert_same(&["--loose"], "[5, 5.0]", "[5.0, 5]");
    is_other(&["--loose"], "9007199254740993", "9007199254740992.0");
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
    let all = ["--ignore", "a", "--ignore", "b", "--ignore", "time", "--ignore", "more"];
    assert_same(&all, old, new);
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
    let lines = "~ [0]: 1 -> 5\n~ [1]: 2 -> 6\n4 changed; 2 not printed\n";
    assert_eq!(of(&["--limit", "2"], old, new), (Some(1), lines.to_owned()));
    assert_eq!(of(&["-q"], old, new), (Some(1), String::new()));
    assert_same(&["-q"], old, old);
    let lines = "4 changed; 4 not printed\n";
    assert_eq!(of(&["-q", "--limit", "0"], old, new), (Some(1), lines.to_owned()));
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
    // 36 bytes precede the value: header and count of the dictionary (8), the key (12), header and count of the
    // array (8), and the int (8).
    assert_eq!((&first["offset_before"], &first["offset_after"]), (&36.into(), &36.into()));
    let changes: Vec<_> = lines.iter().map(|line| line["change"].as_str()).collect();
    assert_eq!(changes, [Some("changed"), Some("removed"), Some("added"), None]);
    assert!(lines[1].get("after").is_none() && lines[2].get("before").is_none());
    let counts = [&lines[3]["changed"], &lines[3]["added"], &lines[3]["removed"]];
    assert_eq!(counts, [1, 1, 1]);
}

#[test]
fn nothing_hidden_is_printed() {
    let (status, told) = of(&[], "{\"a\": 1}", "{\"\u{1b}[31m\": \"\u{1b}[2J\"}");
    assert_eq!(status, Some(1));
    assert!(!told.contains('\u{1b}'), "{told:?}");
    let (_, told) = of(&["--color", "always"], "[1]", "[2]");
    assert!(told.contains("\u{1b}[32m2"), "{told:?}");
}
