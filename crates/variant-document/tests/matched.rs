//! Keys, names and elements are matched if they mean the same, whatever their bytes, and only then.

use variant_document::Plain;
use variant_document::diff::{self, Change, Difference, Rule, Summary};
use variant_document::edit::literal;
use variant_document::query::{Query, select};
use variant_io::Framing;
use variant_owned::encode;
use variant_view::{Dialect, Document, Kind, Options};

fn compare(old: &[u8], new: &[u8], rule: &Rule) -> (Summary, Vec<String>) {
    compare_as([(old, Dialect::Godot4), (new, Dialect::Godot4)], rule)
}

/// Compares two values, each in its dialect.
fn compare_as(both: [(&[u8], Dialect); 2], rule: &Rule) -> (Summary, Vec<String>) {
    let [old, new] =
        both.map(|(bytes, dialect)| Plain::new(bytes, Framing::Bare, Options::engine(dialect)));
    let mut found = Vec::new();
    let summary = diff::files(old, new, rule, &mut found).unwrap();
    (summary, found.iter().map(line).collect())
}

fn line(difference: &Difference<'_>) -> String {
    match &difference.change {
        Change::Changed { old, new } => {
            format!("~ {}: {} -> {}", old.path, old.literal(), new.literal())
        }
        Change::Removed(old) => format!("- {} = {}", old.path, old.literal()),
        Change::Added(new) => format!("+ {} = {}", new.path, new.literal()),
        other => panic!("{other:?}"),
    }
}

fn value(text: &str) -> Vec<u8> {
    encode(&literal(text, Dialect::Godot4).unwrap(), Dialect::Godot4).unwrap()
}

#[track_caller]
fn assert_lines(rule: &Rule, old: &str, new: &str, lines: &[&str]) {
    assert_eq!(compare(&value(old), &value(new), rule).1, lines, "{old} {new}");
}

/// The bytes of a value of Godot 4, from words. Words of text and padding are written as bytes.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const fn text(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

const ONE: u32 = 0x3f80_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
/// The flag of values of 64 bits.
const WIDE: u32 = 1 << 16;

/// Values without children. The values of a row mean the same, and have other bytes: another width, another sign of
/// zero, another NaN, or other bytes of padding, which readers ignore.
fn leaves() -> Vec<Vec<Vec<u8>>> {
    let rows: [&[&[u32]]; 26] = [
        &[&[0]],
        &[&[1, 0]],
        &[&[1, 1], &[1, 2]],
        &[&[2, 0]],
        &[&[2, 5], &[WIDE + 2, 5, 0]],
        &[&[3, 0], &[3, MINUS_ZERO], &[WIDE + 3, 0, 0], &[WIDE + 3, 0, MINUS_ZERO]],
        &[&[3, ONE], &[WIDE + 3, 0, 0x3ff0_0000]],
        &[&[3, 0x7fc0_0000], &[3, 0xffc0_0001], &[WIDE + 3, 1, 0x7ff8_0000]],
        &[&[4, 0]],
        &[&[4, 1, text(*b"a\0\0\0")], &[4, 1, text(*b"axyz")]],
        &[&[4, 2, text(*b"ab\0\0")], &[4, 2, text(*b"abxy")]],
        &[&[5, 0, ONE], &[5, MINUS_ZERO, ONE], &[WIDE + 5, 0, 0, 0, 0x3ff0_0000]],
        &[&[5, ONE, 0]],
        &[&[6, 0, ONE]],
        &[&[20, 0, 0, 0, ONE], &[20, MINUS_ZERO, 0, 0, ONE]],
        &[
            &[22, 0x8000_0001, 0, 0, 1, text(*b"a\0\0\0")],
            &[22, 0x8000_0001, 0, 0, 1, text(*b"axyz")],
        ],
        &[&[22, 0x8000_0001, 0, 1, 1, text(*b"a\0\0\0")]],
        &[&[23, 5, 0]],
        &[&[23, 6, 0]],
        &[&[WIDE + 24, 7, 0]],
        &[&[26, 1, text(*b"s\0\0\0"), 7, 0], &[26, 1, text(*b"sxyz"), 7, 0]],
        &[&[26, 1, text(*b"t\0\0\0"), 7, 0]],
        &[&[26, 1, text(*b"s\0\0\0"), 8, 0]],
        &[&[29, 1, 9], &[29, 1, text([9, b'x', b'y', b'z'])]],
        &[&[32, 1, 0], &[32, 1, MINUS_ZERO]],
        &[&[34, 1, 2, text(*b"a\0\0\0")], &[34, 1, 2, text(*b"a\0yz")]],
    ];
    rows.map(|row| row.iter().map(|value| words(value)).collect()).into()
}

/// Arrays and dictionaries, as [`leaves`].
fn containers() -> Vec<Vec<Vec<u8>>> {
    let rows: [&[&[u32]]; 5] = [
        &[&[28, 0]],
        &[&[28, 1, 2, 5], &[28, 1, WIDE + 2, 5, 0]],
        &[&[28, 1, 3, 0], &[28, 1, 3, MINUS_ZERO]],
        &[&[27, 1, 4, 1, text(*b"a\0\0\0"), 0], &[27, 1, 4, 1, text(*b"axyz"), 0]],
        &[&[28, 2, 28, 1, 2, 5, 2, 6], &[28, 2, 28, 1, WIDE + 2, 5, 0, 2, 6]],
    ];
    rows.map(|row| row.iter().map(|value| words(value)).collect()).into()
}

/// A dictionary of these keys and numbers.
fn dictionary(pairs: &[(&[u8], u32)]) -> Vec<u8> {
    let mut bytes = words(&[27, u32::try_from(pairs.len()).unwrap()]);
    for (key, number) in pairs {
        bytes.extend_from_slice(key);
        bytes.extend(words(&[2, *number]));
    }
    bytes
}

/// `Object(Node)` with a property for each name.
fn object(properties: &[(&str, u32)]) -> Vec<u8> {
    let all: Vec<_> =
        properties.iter().map(|(name, number)| format!("\"{name}\": {number}")).collect();
    value(&format!("Object(Node, {})", all.join(", ")))
}

/// An array of dictionaries, each with an id and a number.
fn elements(items: &[(&[u8], u32)]) -> Vec<u8> {
    let (id, number) = (value("\"id\""), value("\"n\""));
    let mut bytes = words(&[28, u32::try_from(items.len()).unwrap()]);
    for (of, n) in items {
        bytes.extend([&words(&[27, 2])[..], &id, of, &number, &words(&[2, *n])].concat());
    }
    bytes
}

const SAME: Summary = Summary { values: 1, changed: 0, added: 0, removed: 0, reordered: 0 };

/// Compares containers of two items. The first is `old` or `new`, the second is in both.
#[track_caller]
fn assert_matched(
    of: impl Fn(&[(&[u8], u32)]) -> Vec<u8>,
    rule: &Rule,
    (old, new): (&[u8], &[u8]),
    is_one: bool,
) {
    let last = &value("\"last\"")[..];
    let before = of(&[(old, 1), (last, 2)]);
    for (after, reordered) in [(of(&[(new, 1), (last, 2)]), 0), (of(&[(last, 2), (new, 1)]), 1)] {
        let (summary, lines) = compare(&before, &after, rule);
        let expected = if is_one {
            Summary { reordered, ..SAME }
        } else {
            Summary { added: 1, removed: 1, ..SAME }
        };
        assert_eq!(summary, expected, "{old:x?} {new:x?}: {lines:?}");
    }
    // The values of partners are compared.
    if is_one {
        let after = of(&[(last, 2), (new, 3)]);
        assert_eq!(compare(&before, &after, rule).0, Summary { reordered: 1, changed: 1, ..SAME });
    }
}

/// Calls `check` with each two values, and whether they mean the same.
fn each_two(rows: &[Vec<Vec<u8>>], check: impl Fn((&[u8], &[u8]), bool)) {
    for (at, row) in rows.iter().enumerate() {
        for (other_at, other) in rows.iter().enumerate() {
            for (old, new) in row.iter().flat_map(|old| other.iter().map(move |new| (old, new))) {
                check((old, new), at == other_at);
            }
        }
    }
}

#[test]
fn keys_are_matched_by_what_they_mean() {
    let rows = [leaves(), containers()].concat();
    each_two(&rows, |two, is_one| assert_matched(dictionary, &Rule::default(), two, is_one));
}

#[test]
fn elements_are_matched_by_what_their_ids_mean() {
    let rule = Rule { by: Some("id".to_owned()), ..Rule::default() };
    each_two(&leaves(), |two, is_one| assert_matched(elements, &rule, two, is_one));
}

#[test]
fn properties_are_matched_by_name() {
    let rule = Rule::default();
    let all = [("a", 1), ("b", 2), ("long name", 3)];
    for first in 0..3 {
        let mut old = all;
        old.rotate_left(first);
        let reordered = u64::from(first > 0);
        let expected = Summary { reordered, ..SAME };
        assert_eq!(compare(&object(&all), &object(&old), &rule), (expected, vec![]));
    }
    let lines = ["- a = 1", "+ c = 1"];
    assert_lines(&rule, "Object(Node, \"a\": 1)", "Object(Node, \"c\": 1)", &lines);
    let (old, new) =
        ("Object(Node, \"a\": 1, \"b\": 2)", "Object(Node, \"c\": 0, \"b\": 3, \"a\": 1)");
    assert_lines(&rule, old, new, &["~ b: 2 -> 3", "+ c = 0"]);
}

/// A container that declares other types differs, even if its items are the same. The items are compared as well.
#[test]
fn declared_types_are_compared() {
    let rows: [&[&str]; 4] = [
        &["[]", "Array[int]([])", "Array[String]([])", "Array[Node]([])", "Array[Object]([])"],
        &["[X]", "Array[int]([X])"],
        &[
            "{}",
            "Dictionary[int, int]({})",
            "Dictionary[int, Variant]({})",
            "Dictionary[Variant, int]({})",
            "Dictionary[String, int]({})",
            "Dictionary[int, Node]({})",
        ],
        &["{5: X}", "Dictionary[int, int]({5: X})", "Dictionary[Variant, int]({5: X})"],
    ];
    let whole = |text: &str, x: &str| value(&format!("[0, {}]", text.replace('X', x)));
    for row in rows {
        for (old, new) in row.iter().flat_map(|old| row.iter().map(move |new| (old, new))) {
            for (x, is_other) in [("1", false), ("2", old.contains('X'))] {
                let (summary, lines) = compare(&whole(old, "1"), &whole(new, x), &Rule::default());
                let changed = u64::from(old != new) + u64::from(is_other);
                assert_eq!(summary, Summary { changed, ..SAME }, "{old} {new}: {lines:?}");
            }
        }
    }
}

/// Elements of arrays of other lengths are matched by how they begin. So an inserted element is the only difference.
#[test]
fn an_inserted_element_is_found() {
    let long = "x".repeat(300);
    let texts = |all: &[&str]| format!("[\"{}\"]", all.join("\", \"").replace('L', &long));
    for (old, new, line) in [
        ("[[1], [2]]", "[[1, 5], [1], [2]]", "+ [0] = Array (2)"),
        ("[[1], [2]]", "[[1], [1, 5], [2]]", "+ [1] = Array (2)"),
        ("[{}, [2]]", "[[], {}, [2]]", "+ [0] = []"),
        ("[[[1], 2], [3]]", "[[[1, 2], 2], [[1], 2], [3]]", "+ [0] = Array (2)"),
        ("[\"ab\", \"cd\"]", "[\"xy\", \"ab\", \"cd\"]", "+ [0] = \"xy\""),
        ("[\"ab\", \"cd\"]", "[\"a\", \"ab\", \"cd\"]", "+ [0] = \"a\""),
        ("[1, 1.0]", "[1.0, 1, 1.0]", "+ [0] = 1.0"),
        (
            "[Vector2(1, 2), Vector2(3, 4)]",
            "[Vector2(1, 5), Vector2(1, 2), Vector2(3, 4)]",
            "+ [0] = Vector2(1, 5)",
        ),
        (
            "[PackedByteArray(1), PackedByteArray(2)]",
            "[PackedByteArray(1, 2), PackedByteArray(1), PackedByteArray(2)]",
            "+ [0] = PackedByteArray[2](1, 2)",
        ),
    ] {
        assert_lines(&Rule::default(), old, new, &[line]);
    }
    let (old, new) = (texts(&["L1", "L2"]), texts(&["L", "L1", "L2"]));
    let (_, lines) = compare(&value(&old), &value(&new), &Rule::default());
    assert!(matches!(&lines[..], [line] if line.starts_with("+ [0] = \"xxx")), "{lines:?}");
}

/// Elements whose reals are equal within the tolerance begin alike.
#[test]
fn an_inserted_element_is_found_within_a_tolerance() {
    let rules =
        [Rule { tolerance: 0.1, ..Rule::default() }, Rule { relative: 0.05, ..Rule::default() }];
    for kind in [
        "X",
        "[X]",
        "{\"x\": X}",
        "Vector2(X, 0)",
        "[Vector3(0, X, 0), 1]",
        "PackedFloat64Array(X)",
        "Color(X, 0, 0, 1)",
    ] {
        let element = |x: &str| if x == "null" { x.to_owned() } else { kind.replace('X', x) };
        let all = |all: &[&str]| {
            let all: Vec<_> = all.iter().map(|x| element(x)).collect();
            format!("[{}, \"end\"]", all.join(", "))
        };
        let old = all(&["1.0", "2.0", "3.0", "4.0"]);
        let new = all(&["1.03125", "null", "2.03125", "3.03125", "4.03125"]);
        for rule in &rules {
            let (summary, lines) = compare(&value(&old), &value(&new), rule);
            assert_eq!(summary, Summary { added: 1, ..SAME }, "{kind} {lines:?}");
            assert!(lines[0].starts_with("+ [1] = "), "{kind} {lines:?}");
        }
        let exact = compare(&value(&old), &value(&new), &Rule::default()).0;
        assert_eq!(exact.total(false), 5, "{kind}");
    }
}

/// Elements begin alike only if their values are equal, also in a rule with a tolerance and in another dialect.
#[test]
fn an_inserted_element_is_found_by_values_of_any_kind() {
    let near = Rule { tolerance: 0.1, ..Rule::default() };
    let exact = Rule { is_exact: true, ..Rule::default() };
    let all = ["X", "\"tX\"", "RID(X)", "[true, X]", "{\"x\": X}", "[[X], 1]", "Rect2(0, 0, 0, X)"];
    let reals = ["X.5", "[X.5]", "{\"x\": X.5}"];
    // Reals are not compared at the start of an element if there is a tolerance.
    for (kinds, rule) in [
        (&all[..6], &near),
        (&all[..], &Rule::default()),
        (&all[..], &exact),
        (&reals[..], &Rule::default()),
        (&reals[..], &exact),
    ] {
        for (kind, dialect) in kinds.iter().flat_map(|kind| {
            [Dialect::Godot4, Dialect::Godot3, Dialect::Pandemonium5].map(|dialect| (kind, dialect))
        }) {
            // Files of other engines have no identifiers of resources.
            if kind.contains("RID") && dialect != Dialect::Godot4 {
                continue;
            }
            let array = |numbers: &[&str], dialect| {
                let all: Vec<_> = numbers.iter().map(|number| kind.replace('X', number)).collect();
                let value = literal(&format!("[{}]", all.join(", ")), Dialect::Godot4).unwrap();
                encode(&value, dialect).unwrap()
            };
            let old = array(&["1", "2", "3"], Dialect::Godot4);
            let new = array(&["1", "9", "2", "3"], dialect);
            let (summary, lines) = compare_as([(&old, Dialect::Godot4), (&new, dialect)], rule);
            assert_eq!(summary, Summary { added: 1, ..SAME }, "{dialect} {kind} {lines:?}");
            assert!(lines[0].starts_with("+ [1] = "), "{dialect} {kind} {lines:?}");
        }
    }
}

/// Texts that differ only after their first NUL are the same, except in an exact comparison.
#[test]
fn texts_are_compared_to_their_first_nul() {
    let exact = Rule { is_exact: true, ..Rule::default() };
    let with = |head: &[u32], text: [u8; 4], tail: &[u32], end| {
        words(&[&[28, 2], head, &[self::text(text)], tail, &[2, end]].concat())
    };
    for (head, tail) in [
        (&[4, 3][..], &[][..]),
        (&[21, 3], &[]),
        (&[26, 3], &[7, 0]),
        (&[34, 1, 4], &[]),
        (&[28, 1, 4, 3], &[]),
    ] {
        let old = with(head, *b"a\0b\0", tail, 1);
        for (other, is_same) in [(*b"a\0b\0", true), (*b"a\0c\0", false)] {
            for (rule, is_same) in [(&Rule::default(), true), (&exact, is_same)] {
                // The last element always differs, so that the arrays are read.
                let (summary, lines) = compare(&old, &with(head, other, tail, 2), rule);
                let changed = if is_same { 1 } else { 2 };
                assert_eq!(summary, Summary { changed, ..SAME }, "{head:?}: {lines:?}");
            }
        }
    }
}

/// Objects without properties are compared by their id, also with those of another dialect.
#[test]
fn objects_without_properties_are_compared() {
    // A null object, and two objects that are only an id.
    let objects: [&[u32]; 3] = [&[0, 0], &[WIDE, 7, 0], &[WIDE, 8, 0]];
    let bytes = |dialect: Dialect, words: &[u32]| {
        let id = u32::from(dialect.id(Kind::Object).unwrap());
        self::words(&[&[words[0] | id], &words[1..]].concat())
    };
    let dialects = [Dialect::Godot3, Dialect::Godot4, Dialect::Pandemonium3, Dialect::Pandemonium5];
    for (of_old, of_new) in dialects.into_iter().flat_map(|old| dialects.map(|new| (old, new))) {
        for (at, other) in (0..3).flat_map(|at| (0..3).map(move |other| (at, other))) {
            let (old, new) = (bytes(of_old, objects[at]), bytes(of_new, objects[other]));
            let both = [(&old[..], of_old), (&new[..], of_new)];
            let changed = u64::from(at != other);
            let (summary, lines) = compare_as(both, &Rule::default());
            assert_eq!(summary, Summary { changed, ..SAME }, "{of_old} {of_new}: {lines:?}");
        }
    }
}

/// A value that is ignored in one of the files is not compared, also if the other file has its partner.
#[test]
fn a_value_is_ignored_if_it_is_in_one_file() {
    let rule = |path| Rule { ignored: vec![Query::parse(path).unwrap()], ..Rule::default() };
    let (low, high) = ("[{\"hp\": 1}, {\"hp\": 7}]", "[{\"hp\": 9}, {\"hp\": 8}]");
    assert_lines(&rule("[?hp<5]"), low, high, &["~ [1].hp: 7 -> 8"]);
    assert_lines(&rule("[?hp<5]"), high, low, &["~ [1].hp: 8 -> 7"]);
    assert_lines(&rule("[?hp>8]"), low, high, &["~ [1].hp: 7 -> 8"]);
    assert_lines(&rule("[-1]"), "[1, 2]", "[3, 2, 4]", &["~ [0]: 1 -> 3"]);
    assert_lines(
        &rule("..[?@==5]"),
        "{\"a\": 5, \"b\": 1}",
        "{\"a\": 6, \"b\": 2}",
        &["~ b: 1 -> 2"],
    );
    assert_lines(
        &rule("..[?@==5]"),
        "{\"a\": 6, \"b\": 1}",
        "{\"b\": 2, \"a\": 5}",
        &["~ b: 1 -> 2"],
    );
}

/// An integer and a real are the same only in a loose comparison, and only within the tolerance.
#[test]
fn integers_are_reals_in_a_loose_comparison() {
    for (is_loose, tolerance, relative, old, new, is_same) in [
        (false, 0.0, 0.0, "5", "5.0", false),
        (false, 1.0, 0.0, "5", "5.0", false),
        (true, 0.0, 0.0, "5", "5.0", true),
        (true, 0.0, 0.0, "5", "5.5", false),
        (true, 0.5, 0.0, "5", "5.5", true),
        (true, 0.25, 0.0, "5", "5.5", false),
        (true, 0.0, 0.25, "4", "5.0", true),
        (true, 0.0, 0.125, "4", "5.0", false),
        (true, 0.0, 0.0, "9007199254740993", "9007199254740992.0", false),
        (true, 1.0, 0.0, "9007199254740993", "9007199254740992.0", true),
    ] {
        let rule = Rule { is_loose, tolerance, relative, ..Rule::default() };
        for (old, new) in [(old, new), (new, old)] {
            let (summary, _) = compare(&value(old), &value(new), &rule);
            assert_eq!(summary.changed, u64::from(!is_same), "{old} {new}: {rule:?}");
        }
    }
}

/// An element is named by its id if a path can have the id, and otherwise by its index.
#[test]
fn a_path_with_an_id_selects_its_element() {
    let rule = Rule { by: Some("id".to_owned()), ..Rule::default() };
    for (id, step) in [
        ("5", "[?id==5]"),
        ("true", "[?id==true]"),
        ("\"a ]'b\"", "[?id==\"a ]'b\"]"),
        ("\"\u{e5}\"", "[?id==\"\u{e5}\"]"),
        ("&\"a\"", "[?id==\"a\"]"),
        ("\"a\\\"b\"", "[0]"),
        ("\"a\\\\b\"", "[0]"),
        ("\"a\\nb\"", "[0]"),
        ("\"a\u{202e}b\"", "[0]"),
        ("1.5", "[0]"),
    ] {
        let array = |n| format!("[{{\"id\": {id}, \"n\": {n}}}, {{\"id\": 0, \"n\": 7}}]");
        assert_lines(&rule, &array(1), &array(2), &[&format!("~ {step}.n: 1 -> 2")]);
        let bytes = value(&array(1));
        let query = Query::parse(&format!("{step}.n")).unwrap();
        let mut found = Vec::new();
        select(&Document::new(&bytes, Dialect::Godot4), &query, |one| {
            found.push(one.value.as_i64());
            Ok::<_, ()>(())
        })
        .unwrap();
        assert_eq!(found, [Ok(1)], "{id}");
    }
}

/// A long array is compared in blocks. A change is found at the ends of a block and after the last whole block.
#[test]
fn a_change_of_a_long_array_is_found() {
    let old = vec![7; 10_000];
    for at in [0, 1, 4_095, 4_096, 8_191, 8_192, 9_999] {
        let mut new = old.clone();
        new[at] = 8;
        let [old, new] = [&old, &new].map(|items| words(&[&[30, 10_000], &items[..]].concat()));
        let (_, lines) = compare(&old, &new, &Rule::default());
        assert_eq!(lines, [format!("~ [{at}]: 7 -> 8")]);
    }
}

/// Reals of 32 and of 64 bits are compared by their values, also if the bytes of two arrays are equal.
#[test]
fn long_arrays_of_reals_in_either_width_are_compared() {
    let array = |head: u32, count: usize, vector: &[u32]| {
        words(&[&[head, u32::try_from(count).unwrap()], &vector.repeat(count)[..]].concat())
    };
    for count in [4_095, 4_096, 8_192, 10_000] {
        let narrow = array(35, count, &[ONE; 2]);
        // Vectors of the same reals, and vectors of other reals, which have the bytes of `narrow` twice.
        for (vector, changed) in [([0, 0x3ff0_0000, 0, 0x3ff0_0000], 0), ([ONE; 4], 1)] {
            let wide = array(WIDE + 35, count, &vector);
            for (old, new) in [(&narrow, &wide), (&wide, &narrow)] {
                let (summary, _) = compare(old, new, &Rule::default());
                assert_eq!(summary, Summary { changed, ..SAME }, "{count} {vector:?}");
            }
        }
    }
}
