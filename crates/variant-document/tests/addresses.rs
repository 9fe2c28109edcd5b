//! Every printed path can be read back, and selects only its value.

use variant_document::edit::{Action, Draft, Edit, literal};
use variant_document::lookup::look_up;
use variant_document::query::{Address, Query, address_text, path_to, select};
use variant_document::{Piece, Plain};
use variant_io::{ByteOrder, Framing};
use variant_owned::{EncodeOptions, Variant, encode, from_text};
use variant_testkit::corpus::one_in;
use variant_testkit::hostile::KEYS;
use variant_view::{Dialect, Document, Options};

const DIALECT: Dialect = Dialect::Godot4;

fn bytes_of(text: &str) -> Vec<u8> {
    encode(&from_text(text).unwrap(), EncodeOptions::new(DIALECT)).unwrap()
}

/// A dictionary with these pairs of bytes. Keys may be repeated.
fn dictionary(pairs: &[(&[u8], &[u8])]) -> Vec<u8> {
    let count = u32::try_from(pairs.len()).unwrap();
    let items = pairs.iter().flat_map(|(key, value)| [*key, *value].concat());
    [27_u32, count].iter().flat_map(|word| word.to_le_bytes()).chain(items).collect()
}

/// Keys that look like paths, hide other keys, are long, or are not text.
fn keys() -> Vec<Vec<u8>> {
    let mut texts = KEYS.map(str::to_owned).to_vec();
    texts.push("x".repeat(300));
    texts.push("\"'".repeat(300));
    let mut keys: Vec<_> = texts
        .iter()
        .map(|text| encode(&Variant::from(text.as_str()), EncodeOptions::new(DIALECT)).unwrap())
        .collect();
    let others = r#"[0, -1, 7, 1.0, 0.1, nan, inf, true, false, null, Vector2i(1, 0), Vector2(0.1, 2),
        [], [1, 2], {}, {"a": 1}, NodePath("a/b"), NodePath("a\"b"), RID(), Color(1, 0, 0, 1),
        PackedByteArray(1, 2), [[[1]]], Rect2i(1, 2, 3, 4),
        Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
        -0.0, 0.0, 1.0, Vector2i(1, 0), "a"]"#;
    let Variant::Array(others) = from_text(others).unwrap() else { panic!("a list") };
    keys.extend(others.iter().map(|key| encode(key, DIALECT).unwrap()));
    // The float 1.0 in 32 and in 64 bits: two equal keys with different bytes.
    keys.push([&3_u32.to_le_bytes()[..], &1.0_f32.to_bits().to_le_bytes()].concat());
    keys.push([&0x1_0003_u32.to_le_bytes()[..], &1.0_f64.to_bits().to_le_bytes()].concat());
    keys
}

fn hostile() -> Vec<u8> {
    let keys = keys();
    let one = bytes_of("{\"a\": [1, {7: 2}]}");
    let inner: Vec<_> = keys.iter().step_by(5).map(|key| (&key[..], &one[..])).collect();
    let inner = dictionary(&inner);
    let deep = {
        let mut value = bytes_of("5");
        for level in 0..200 {
            value = if level % 2 == 0 {
                dictionary(&[(&bytes_of("\"name\""), &value)])
            } else {
                [&bytes_of("[0]")[..8], &value].concat()
            };
        }
        value
    };
    let mut pairs: Vec<_> = keys.iter().map(|key| (&key[..], &inner[..])).collect();
    let name = bytes_of("\"deep\"");
    pairs.push((&name, &deep));
    dictionary(&pairs)
}

/// The path and the offset of each value that a query selects.
fn selected(document: &Document<'_>, query: &Query) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    select(document, query, |one| {
        found.push((one.text(), one.start));
        Ok::<_, ()>(())
    })
    .unwrap();
    found
}

fn parsed(path: &str) -> Query {
    Query::parse(path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

#[test]
fn every_printed_path_selects_its_value_alone() {
    let bytes = hostile();
    let document = Document::new(&bytes, Options::engine(DIALECT));
    document.validate().unwrap();
    let paths = selected(&document, &Query::everything());
    assert!(paths.len() > 2_000);
    let mut texts: Vec<_> = paths.iter().map(|(text, _)| text).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), paths.len(), "no two values have one path");
    for (text, start) in paths.iter().step_by(one_in(97)).chain(paths.iter().rev().take(20)) {
        assert!(text.len() <= 600, "{text}");
        assert!(!text.chars().any(variant_view::is_invisible), "{text:?}");
        let found = look_up(document, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(found.start, *start, "{text}");
        // A name selects the values of all equal keys. Only the last of these values has the name in its printed path.
        let last = selected(&document, &parsed(text)).pop();
        assert_eq!(last.map(|(_, start)| start), Some(*start), "{text}");
    }
}

#[test]
fn keys_are_printed_as_literals() {
    let bytes = bytes_of("{Vector2i(1, 0): {true: [1]}, 1.5: 2, null: 3, [1, 2]: 4}");
    let paths = selected(&Document::new(&bytes, Options::engine(DIALECT)), &Query::everything());
    let paths: Vec<_> = paths.into_iter().map(|(path, _)| path).collect();
    let expected = [
        "(root)",
        "[Vector2i(1, 0)]",
        "[Vector2i(1, 0)][true]",
        "[Vector2i(1, 0)][true][0]",
        "[1.5]",
        "[null]",
        "[[1, 2]]",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn a_value_that_a_later_key_hides_has_a_position() {
    let [key, one] = ["\"a\"", "1"].map(bytes_of);
    let bytes = dictionary(&[(&key, &one), (&key, &one)]);
    let paths = selected(&Document::new(&bytes, Options::engine(DIALECT)), &Query::everything());
    let paths: Vec<_> = paths.into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["(root)", "{0}", "a"]);
}

/// A file of these values.
fn file(framing: Framing, values: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = framing.writer();
    for (name, text) in values {
        let name = (framing == Framing::Settings).then_some(name.as_bytes());
        writer.value(name, &from_text(text).unwrap(), EncodeOptions::new(DIALECT)).unwrap();
    }
    writer.finish()
}

const FRAMES: Framing = Framing::Frames(ByteOrder::Little);

fn made(
    draft: &mut Draft<'_>,
    frame: Option<u64>,
    path: &str,
    action: Action,
) -> Result<(), String> {
    draft
        .make(&Edit { frame, path: path.to_owned(), action })
        .map(drop)
        .map_err(|error| error.to_string())
}

fn value(plain: Plain<'_>, number: usize) -> String {
    let piece = plain.pieces().nth(number - 1).unwrap().unwrap();
    Variant::from_document(&plain.document(piece.bytes)).unwrap().to_string()
}

#[test]
fn more_than_one_frame_is_changed_only_if_asked_for() {
    let bytes = file(
        FRAMES,
        &[("", "100"), ("", "true"), ("", "{\"hp\": 1}"), ("", "{\"hp\": 2}"), ("", "{\"mp\": 3}")],
    );
    let plain = Plain::new(&bytes, FRAMES, Options::engine(DIALECT));
    let five = || Action::Set(literal("5", DIALECT).unwrap());
    for (frame, path) in [
        (None, ""),
        (None, "hp"),
        (None, "(root)"),
        (None, "*"),
        (Some(1), "frame 2: (root)"),
        (None, "frame 9: hp"),
    ] {
        let mut draft = Draft::new(plain);
        let error = made(&mut draft, frame, path, five()).unwrap_err();
        assert!(error.contains("frame"), "{path}: {error}");
        assert_eq!(draft.bytes(), bytes, "{path}");
    }
    for action in [Action::Delete, Action::RenameKey("xp".to_owned())] {
        assert!(made(&mut Draft::new(plain), None, "hp", action).is_err());
    }
    for (frame, path, why) in [
        (Some(1), "hp.new", "frame 1: "),
        (None, "frame 2: x", "frame 2: (root) is bool, which is not a container"),
        (None, "frame 3: hp.new", "frame 3: hp is int, which is not a container"),
        (Some(4), "[+]", "frame 4: [+] is for arrays"),
    ] {
        let error = made(&mut Draft::new(plain), frame, path, Action::Insert(Variant::Nil));
        assert!(error.as_ref().is_err_and(|error| error.starts_with(why)), "{path}: {error:?}");
    }
    let insert = || Action::Insert(literal("5", DIALECT).unwrap());
    assert!(made(&mut Draft::new(plain), None, "xp", insert()).is_err());
    for (frame, path, number) in [
        (None, "mp", 5),
        (Some(4), "hp", 4),
        (None, "frame 3: hp", 3),
        (Some(3), "frame 3: hp", 3),
        (None, "frame 1: (root)", 1),
    ] {
        let mut draft = Draft::new(plain);
        made(&mut draft, frame, path, five()).unwrap();
        let changed: Vec<_> =
            (1..=5).filter(|at| value(draft.plain(), *at) != value(plain, *at)).collect();
        assert_eq!(changed, [number], "{path}");
    }
    let mut draft = Draft::new(plain);
    draft.is_of_each = true;
    made(&mut draft, None, "hp", five()).unwrap();
    assert_eq!(draft.changes.count, 2);
    let mut draft = Draft::new(plain);
    made(&mut draft, Some(3), "xp", insert()).unwrap();
    let expected = file(FRAMES, &[("", "{\"hp\": 1, \"xp\": 5}")]);
    assert_eq!(value(draft.plain(), 3), value(plain.with_bytes(&expected), 1));
}

#[test]
fn settings_have_their_names() {
    let settings = [
        ("application/config/name", "\"x\""),
        ("a.b", "{\"deadzone\": 0.5}"),
        ("input/ui", "{\"deadzone\": 0.25, \"events\": [1]}"),
    ];
    let bytes = file(Framing::Settings, &settings);
    let plain = Plain::new(&bytes, Framing::Settings, Options::engine(DIALECT));
    let selected = |path: &str| -> Vec<String> {
        let address = Address::parse(path).unwrap();
        let mut found = Vec::new();
        for piece in plain.pieces() {
            let piece: Piece<'_> = piece.unwrap();
            let Some(part) = address.part(&piece) else { continue };
            let paths = selected(&plain.document(piece.bytes), &part.query);
            found.extend(paths.iter().map(|(path, _)| address_text(&piece, path)));
        }
        found
    };
    for (path, expected) in [
        ("application/config/name", &["application/config/name"][..]),
        ("[\"a.b\"].deadzone", &["[\"a.b\"].deadzone"]),
        ("input/ui.events[-1]", &["input/ui.events[0]"]),
        ("*.deadzone", &["[\"a.b\"].deadzone", "input/ui.deadzone"]),
        ("..deadzone", &["[\"a.b\"].deadzone", "input/ui.deadzone"]),
        ("setting 3: deadzone", &["input/ui.deadzone"]),
        ("setting 3, input/ui: deadzone", &["input/ui.deadzone"]),
        ("{1}.deadzone", &["[\"a.b\"].deadzone"]),
        ("deadzone", &[]),
    ] {
        assert_eq!(selected(path), expected, "{path}");
        for printed in expected {
            assert_eq!(selected(printed), [*printed]);
        }
    }
    // An offset is the first step of a path, so the number of the setting precedes it.
    let last = plain.pieces().last().unwrap().unwrap();
    assert_eq!(address_text(&last, "@8"), format!("setting {}: @8", last.number));
    let mut draft = Draft::new(plain);
    let action = || Action::Set(literal("1.0", DIALECT).unwrap());
    made(&mut draft, None, "input/ui.deadzone", action()).unwrap();
    assert_eq!(draft.changes.count, 1);
    made(&mut draft, None, "*.deadzone", action()).unwrap();
    assert!(made(&mut draft, None, "", action()).is_err());
    assert!(made(&mut draft, None, "nothing", action()).unwrap_err().contains("no setting"));
    made(&mut draft, None, "[\"a.b\"]", Action::RenameKey("a.c".to_owned())).unwrap();
    let change = draft.changes.first.last().unwrap();
    let listed = [&change.before, &change.after].map(|key| key.as_deref().unwrap());
    assert_eq!(listed, ["key \"a.b\"", "key \"a.c\""]);
}

/// Keys that are not text are found, changed, inserted and deleted by their literals.
#[test]
fn keys_of_any_kind_are_written_alike() {
    let bytes = bytes_of("{\"map\": {Vector2i(1, 0): \"grass\"}}");
    let plain = Plain::new(&bytes, Framing::Bare, Options::engine(DIALECT));
    let mut draft = Draft::new(plain);
    let text = |text: &str| literal(text, DIALECT).unwrap();
    made(&mut draft, None, "map[Vector2i(1, 0)]", Action::Set(text("\"sand\""))).unwrap();
    made(&mut draft, None, "map[Vector2i(2, 0)]", Action::Insert(text("\"sea\""))).unwrap();
    made(&mut draft, None, "map[true]", Action::Insert(text("1"))).unwrap();
    let again = made(&mut draft, None, "map[Vector2i( 2,0 )]", Action::Insert(text("\"sea\"")));
    assert!(again.unwrap_err().contains("already"));
    made(&mut draft, None, "map[Vector2i(2, 0)]", Action::RenameKey("Vector2i(3, 0)".to_owned()))
        .unwrap();
    let told = draft.changes.first.last().unwrap();
    assert_eq!(told.path, "map[Vector2i(2, 0)]");
    assert_eq!(told.after.as_deref(), Some("key Vector2i(3, 0)"));
    made(&mut draft, None, "map[true]", Action::Delete).unwrap();
    let expected = bytes_of("{\"map\": {Vector2i(1, 0): \"sand\", Vector2i(3, 0): \"sea\"}}");
    assert_eq!(draft.bytes(), expected);
}

#[test]
fn a_right_path_without_a_value_is_no_syntax_error() {
    let bytes = bytes_of("{\"arr\": [{\"n\": \"a\"}], \"b\": 5}");
    let plain = Plain::new(&bytes, Framing::Bare, Options::engine(DIALECT));
    for path in [
        "arr[*].zz",
        "..zz",
        "arr[?n==\"b\"]",
        "arr[5:]",
        "arr[-2]",
        "zz",
        "[Vector2(1, 2)]",
        "@21",
        "b.c",
    ] {
        for action in [Action::Set(Variant::Nil), Action::Delete, Action::RenameKey("x".to_owned())]
        {
            let error = made(&mut Draft::new(plain), None, path, action).unwrap_err();
            assert!(!error.contains("syntax"), "{path}: {error}");
        }
        let (path, insert) = (format!("{path}.new"), Action::Insert(Variant::Nil));
        let error = made(&mut Draft::new(plain), None, &path, insert).unwrap_err();
        assert!(!error.contains("syntax"), "{path}: {error}");
    }
}

#[test]
fn an_insertion_tells_the_path_of_the_new_value() {
    let bytes = bytes_of(
        "{\"typed\": Array[int]([1, 2]), \"list\": [], \"map\": {Vector2i(1, 0): [[7]]}, \"a.b\": {}}",
    );
    let plain = Plain::new(&bytes, Framing::Bare, Options::engine(DIALECT));
    for (asked, expected) in [
        ("typed[+]", "typed[2]"),
        ("typed[2]", "typed[2]"),
        ("typed[0]", "typed[0]"),
        ("typed[-1]", "typed[1]"),
        ("list[+]", "list[0]"),
        ("map[Vector2i(1, 0)][+]", "map[Vector2i(1, 0)][1]"),
        ("map[Vector2i(1, 0)][-1][+]", "map[Vector2i(1, 0)][0][1]"),
        ("map[Vector2i( 2,0 )]", "map[Vector2i( 2,0 )]"),
        ("['a.b'].new", "[\"a.b\"].new"),
        ("[\"a.b\"][7]", "[\"a.b\"][7]"),
        ("new", "new"),
    ] {
        let mut draft = Draft::new(plain);
        made(&mut draft, None, asked, Action::Insert(Variant::from(99))).unwrap();
        let path = &draft.changes.first.last().unwrap().path;
        assert_eq!(path, expected);
        let found = look_up(Document::new(draft.bytes(), plain.options), path).unwrap();
        assert_eq!(found.document.root().unwrap().as_i64(), Ok(99), "{path}");
    }
}

#[test]
fn conditions_have_keys_of_any_kind() {
    let bytes = bytes_of(
        "[{\"map\": {Vector2i(1, 0): {\"hp\": 1}, true: [5]}}, {\"map\": {Vector2i(1, 0): {\"hp\": 2}, 7: 3}}, {Vector2i(1, 0): 1, &\"n\": 4}, Object(Node, \"hp\": 8)]",
    );
    let document = Document::new(&bytes, Options::engine(DIALECT));
    let texts = |path: &str| -> Vec<String> {
        selected(&document, &parsed(path)).into_iter().map(|(path, _)| path).collect()
    };
    for (path, expected) in [
        ("[?map[Vector2i(1, 0)].hp == 1]", &["[0]"][..]),
        ("[?map[Vector2i( 1,0 )].hp > 1]", &["[1]"]),
        ("[?map[true][0] == 5]", &["[0]"]),
        ("[?@[Vector2i(1,0)] == 1]", &["[2]"]),
        ("[?[Vector2i(1, 0)]]", &["[2]"]),
        ("[?!map[Vector2i(1, 0)]]", &["[2]", "[3]"]),
        ("[?map[Vector2i(1, 0)] && map[0x7] == 3]", &["[1]"]),
        ("[?[&\"n\" ] == 4]", &["[2]"]),
        ("[?[\"map\" ][7]]", &["[1]"]),
        ("[?map[true][0 ] == 5]", &["[0]"]),
        ("[?map[true][-1 ] == 5]", &["[0]"]),
        ("[?map[true][0x0] == 5]", &["[0]"]),
        ("[?[\"hp\" ] == 8]", &["[3]"]),
        ("[?map[Vector2i(1, 0)][Vector2i(1, 0)]]", &[]),
        ("[?map[false]]", &[]),
        ("[0][\"map\" ][true]", &["[0].map[true]"]),
    ] {
        assert_eq!(texts(path), expected, "{path}");
    }
    for path in ["[?map[Vector2i(1]]", "[?map[*]]", "[?map[Vector2i(1, 0) == 1]"] {
        assert!(Query::parse(path).unwrap_err().contains("column"), "{path}");
    }
}

/// Numbers in ascending order. Those of a row are equal.
const NUMBERS: [&[&str]; 20] = [
    &["-1e300"],
    &["-9223372036854775808", "-9223372036854775808.0"],
    &["-9223372036854775807"],
    &["-9007199254740993"],
    &["-2", "-2.0"],
    &["-1.5"],
    &["-1", "-1.0"],
    &["-0.5"],
    &["0", "0.0", "-0.0"],
    &["0.5"],
    &["1", "1.0"],
    &["1.5"],
    &["2", "2.0"],
    &["9007199254740992", "9007199254740992.0"],
    &["9007199254740993"],
    &["9007199254740994", "9007199254740994.0"],
    &["9223372036854775806"],
    &["9223372036854775807"],
    &["9223372036854775808.0"],
    &["1e300"],
];

/// Conditions compare values of one kind in their order. Values of different kinds are unequal, and neither is less.
#[test]
fn conditions_compare_values_in_their_order() {
    let others: [&[&[&str]]; 3] = [
        &[&["null"]],
        &[&["false"], &["true"]],
        &[&["\"\"", "&\"\""], &["\"a\""], &["\"ab\""], &["\"b\""]],
    ];
    let kinds: Vec<_> = [&NUMBERS[..]].into_iter().chain(others).collect();
    // Each value with the number of its kind, and its rank. The last ones equal no literal.
    let ranks = kinds.iter().enumerate().flat_map(|(kind, rows)| {
        let row = move |(rank, row): (usize, &&'static [&'static str])| {
            row.iter().map(move |text| (*text, kind, rank)).collect::<Vec<_>>()
        };
        rows.iter().enumerate().flat_map(row).collect::<Vec<_>>()
    });
    let all: Vec<_> = ranks.chain([("nan", 8, 0), ("[]", 9, 0), ("{}", 9, 0)]).collect();
    let texts: Vec<_> = all.iter().map(|(text, ..)| *text).collect();
    let bytes = bytes_of(&format!("[{}]", texts.join(", ")));
    let document = Document::new(&bytes, Options::engine(DIALECT));
    // The literals of conditions have no names of texts.
    for (literal, kind, rank) in
        all.iter().filter(|(text, kind, _)| *kind < 8 && !text.starts_with('&'))
    {
        for operator in ["==", "=", "!=", "<", "<=", ">", ">="] {
            let holds = |of: usize, other: &usize| match operator {
                "==" | "=" => of == *kind && other == rank,
                "!=" => of != *kind || other != rank,
                "<" => of == *kind && other < rank,
                "<=" => of == *kind && other <= rank,
                ">" => of == *kind && other > rank,
                _ => of == *kind && other >= rank,
            };
            let expected = all.iter().zip(0..).filter(|((_, of, other), _)| holds(*of, other));
            let expected: Vec<_> = expected.map(|(_, at)| format!("[{at}]")).collect();
            let path = format!("[?@{operator}{literal}]");
            let found = selected(&document, &parsed(&path));
            let found: Vec<_> = found.into_iter().map(|(path, _)| path).collect();
            assert_eq!(found, expected, "{path}");
        }
    }
}

/// A name of more than 200 bytes becomes a position, and a path of more than 512 bytes becomes the offset of its value.
#[test]
fn long_names_and_paths_are_shortened() {
    let only = |bytes: &[u8]| {
        let document = Document::new(bytes, Options::engine(DIALECT));
        let (path, start) = selected(&document, &Query::everything()).pop().unwrap();
        assert_eq!(look_up(document, &path).unwrap().start, start, "{path}");
        assert_eq!(path_to(&document, start).unwrap(), path);
        (path, start)
    };
    for (len, is_kept) in [(199, true), (200, true), (201, false), (300, false)] {
        let name = "x".repeat(len);
        let expected = if is_kept { name.clone() } else { "{0}".to_owned() };
        assert_eq!(only(&bytes_of(&format!("{{\"{name}\": 1}}"))).0, expected);
        let object = format!("Object(Node, \"{name}\": 1)");
        assert_eq!(only(&bytes_of(&object)).0, expected);
    }
    // The literal of a key has at most 64 bytes.
    for (len, is_kept) in [(59, true), (60, true), (61, false), (100, false)] {
        let key = format!("[\"{}\"]", "x".repeat(len));
        let expected = if is_kept { format!("[{key}]") } else { "{0}".to_owned() };
        assert_eq!(only(&bytes_of(&format!("{{{key}: 1}}"))).0, expected);
    }
    // The key itself has at most 256 bytes. Here each integer has 64 bits, so each zero of the literal has 12 bytes.
    for (len, is_kept) in [(20, true), (21, false)] {
        let zeros = [0x0001_0002_u32, 0, 0].repeat(len);
        let words = [28, u32::try_from(len).unwrap()].into_iter().chain(zeros);
        let key: Vec<_> = words.flat_map(u32::to_le_bytes).collect();
        let literal = format!("[[{}]]", vec!["0"; len].join(", "));
        let expected = if is_kept { &literal } else { "{0}" };
        assert_eq!(only(&dictionary(&[(&key, &bytes_of("5"))])).0, expected);
    }
    for (last, is_kept) in [(109, true), (110, true), (111, false)] {
        let names = [200, 200, last].map(|len| "x".repeat(len));
        let [a, b, c] = &names;
        let (path, start) = only(&bytes_of(&format!("{{\"{a}\": {{\"{b}\": {{\"{c}\": 1}}}}}}")));
        assert_eq!(path, if is_kept { names.join(".") } else { format!("@{start}") });
    }
}

/// A key whose literal is that of another key is printed as a position.
#[test]
fn a_key_without_its_own_literal_has_a_position() {
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let name = u32::from_le_bytes(*b"s\0\0\0");
    for key in [
        &[24, 0][..],                // a null object
        &[0x0001_0018, 7, 0],        // an object that is only an id
        &[26, 1, name, 9, 0],        // a signal
        &[28, 1, 26, 1, name, 9, 0], // an array with a signal
        &[28, 1, 24, 0],             // an array with a null object
    ] {
        let bytes = dictionary(&[(&words(key), &bytes_of("5"))]);
        let document = Document::new(&bytes, Options::engine(DIALECT));
        let (path, start) = selected(&document, &Query::everything()).pop().unwrap();
        assert_eq!(look_up(document, &path).unwrap().start, start, "{path}");
        assert!(selected(&document, &parsed(&path)).iter().any(|one| one.1 == start), "{path}");
    }
}

#[test]
fn a_path_is_split_at_either_end() {
    for steps in [
        &["a"][..],
        &["a", ".b", "[3]"],
        &["*", ".*", "[*]"],
        &["[\"a.b]\"]", "[0]"],
        &["{2}", "{2:key}", ".b"],
        &["..c", "..[1:2]"],
        &["[?x==1]", ".a"],
        &["[Vector2i(1, 0)]", "[&\"n\"]"],
    ] {
        let path = steps.concat();
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        let (rest, around) = (steps[1..].concat(), steps[..steps.len() - 1].concat());
        assert_eq!(Query::split_first(&path), Some((first, &*rest)));
        assert_eq!(Query::split_last(&path), Ok((&*around, last)));
    }
    assert_eq!(Query::split_first(""), None);
    assert_eq!(Query::split_last(""), Ok(("", "")));
}

/// [`path_to`] prints the same keys as [`select`].
#[test]
fn the_path_of_a_byte_selects_its_value_alone() {
    let bytes = hostile();
    let document = Document::new(&bytes, Options::engine(DIALECT));
    let mut literals = 0;
    for (_, start) in selected(&document, &Query::everything()).into_iter().step_by(one_in(101)) {
        let path = path_to(&document, start).unwrap();
        literals += usize::from(path.contains("[Vector2") || path.contains("[true]"));
        assert_eq!(look_up(document, &path).unwrap().start, start, "{path}");
    }
    assert!(literals > 3, "{literals}");
    let bytes = bytes_of("{Vector2i(1, 0): [5], 3: 1}");
    let document = Document::new(&bytes[..bytes.len() - 12], Options::engine(DIALECT));
    assert_eq!(path_to(&document, 32).unwrap(), "[Vector2i(1, 0)][0]");
    // The type id of the last value is invalid. The path still leads to this value.
    let mut bytes = bytes_of("{\"map\": {Vector2i(1, 0): {[1]: 5}}}");
    let at = bytes.len() - 8;
    bytes[at] = 99;
    let document = Document::new(&bytes, Options::engine(DIALECT));
    assert_eq!(path_to(&document, at).unwrap(), "map[Vector2i(1, 0)][[1]]");
}

/// Damage changes no path to a value before it.
#[test]
fn the_path_of_a_byte_is_the_same_before_damage() {
    let text =
        "{\"map\": {Vector2i(1, 0): 5, true: {null: [6], [1]: 7}, 3: 8}, \"n\": 1, \"last\": 9}";
    let sound = bytes_of(text);
    let mut damaged = sound.clone();
    let end = sound.len() - 8;
    damaged[end] = 99;
    let path = |bytes: &[u8], offset| {
        path_to(&Document::new(bytes, Options::engine(DIALECT)), offset).unwrap()
    };
    let paths: Vec<_> = (0..end).map(|offset| path(&damaged, offset)).collect();
    for (offset, found) in paths.iter().enumerate() {
        assert_eq!(*found, path(&sound, offset), "{offset}");
    }
    assert!(paths.iter().any(|path| path == "map[true][[1]]"));
}
