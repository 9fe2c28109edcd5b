#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]

use variant_owned::{EncodeOptions, encode, from_text};
use variant_view::{Dialect, Document, PathStep, write_path};

use super::{Query, Step, select};

/// `{"hp": 5, "items": [...], ...}` as Godot 4 writes it.
fn save() -> Vec<u8> {
    let text = r#"{
        "hp": 5,
        "items": [{"id": 1, "hp": 3, "name": "axe"}, {"id": 2, "hp": 12.5, "name": "bow"}, {"id": 3, "deep": {"hp": 7}}],
        "odd key": {7: "seven", &"n": null, "a.b": true},
        Vector2(1, 2): "here",
    }"#;
    encode(&from_text(text).unwrap(), EncodeOptions::new(Dialect::Godot4)).unwrap()
}

/// The paths of the selected values, or the error of the path.
fn selected(path: &str) -> Result<Vec<String>, String> {
    let query = Query::parse(path)?;
    let bytes = save();
    let document = Document::new(&bytes, Dialect::Godot4);
    let mut found = Vec::new();
    select(&document, &query, |at| {
        let mut text = String::new();
        write_path(&mut text, at.path.iter().copied()).unwrap();
        let whole = document.at(&text).unwrap();
        assert_eq!(whole.offset(), at.start, "{text}");
        assert_eq!(whole.raw_bytes().unwrap().len() + at.start, at.end().unwrap());
        let mut positions = String::new();
        write_path(&mut positions, at.positions.iter().copied().map(PathStep::Position)).unwrap();
        if !text.contains(":key") {
            assert_eq!(document.at(&positions).unwrap().offset(), at.start, "{text}");
        }
        found.push(text);
        Ok::<_, ()>(())
    })
    .unwrap();
    Ok(found)
}

#[test]
fn paths_select() {
    for (path, expected) in [
        ("", &[""][..]),
        ("hp", &["hp"]),
        ("items[1].name", &["items[1].name"]),
        ("items[-1].id", &["items[2].id"]),
        ("items[-4]", &[]),
        ("items[0:2].id", &["items[0].id", "items[1].id"]),
        ("items[:-1].id", &["items[0].id", "items[1].id"]),
        ("items[1:].id", &["items[1].id", "items[2].id"]),
        ("items[:].id", &["items[0].id", "items[1].id", "items[2].id"]),
        ("items[5:]", &[]),
        ("*.hp", &[]),
        ("*[*].hp", &["items[0].hp", "items[1].hp"]),
        ("items[*].hp", &["items[0].hp", "items[1].hp"]),
        ("..hp", &["hp", "items[0].hp", "items[1].hp", "items[2].deep.hp"]),
        ("items..hp", &["items[0].hp", "items[1].hp", "items[2].deep.hp"]),
        ("items[2]..hp", &["items[2].deep.hp"]),
        ("items..[0].id", &["items[0].id"]),
        ("[\"odd key\"].*", &["[\"odd key\"][7]", "[\"odd key\"].n", "[\"odd key\"][\"a.b\"]"]),
        ("[\"odd key\"][7]", &["[\"odd key\"][7]"]),
        ("[\"odd key\"][&\"n\"]", &["[\"odd key\"].n"]),
        ("['odd key']['a.b']", &["[\"odd key\"][\"a.b\"]"]),
        ("{0}", &["hp"]),
        ("{3}", &["{3}"]),
        ("[Vector2(1, 2)]", &["{3}"]),
        ("[Vector2( 1.0,2 )]", &["{3}"]),
        ("[Vector2(2, 1)]", &[]),
        ("items[?hp<10 ].id", &["items[0].id"]),
        ("items[? n == 'x' ]", &[]),
        ("items[?@[\"id\"] == 2].id", &["items[1].id"]),
        ("items[?@.deep.hp].id", &["items[2].id"]),
        ("(root)", &[""]),
        ("items[-1]['deep']", &["items[2].deep"]),
        ("{3:key}", &["{3:key}"]),
        ("items[?hp<10]", &["items[0]"]),
        ("items[?hp >= 12.5].name", &["items[1].name"]),
        ("items[?hp<10 || id==3].id", &["items[0].id", "items[2].id"]),
        ("items[?hp<10 && id==3]", &[]),
        ("items[?!hp]", &["items[2]"]),
        ("items[?(hp)].id", &["items[0].id", "items[1].id"]),
        ("items[?deep.hp == 7].id", &["items[2].id"]),
        ("items[?name =~ '^b'].id", &["items[1].id"]),
        ("items[?name != \"axe\"].id", &["items[1].id"]),
        ("items[*][?@ == \"bow\"]", &["items[1].name"]),
        ("[?@ == 5]", &["hp"]),
        ("..[?@ > 6 && @ < 8]", &["items[2].deep.hp"]),
        ("nothing", &[]),
        ("hp.hp", &[]),
    ] {
        assert_eq!(selected(path).unwrap(), expected, "{path}");
    }
}

#[test]
fn what_is_wrong_has_a_column() {
    for (path, column) in [
        ("a[?..b]", 3),
        ("a[?!..b]", 4),
        ("a[?b..c]", 4),
        ("a[?b.]", 4),
        ("a[?[*]]", 4),
        ("a[", 2),
        ("a[?", 3),
        ("a..", 3),
        ("a.", 2),
        ("a]", 1),
        ("a[?b=~\"(\"]", 6),
        ("{x}", 1),
    ] {
        let error = selected(path).unwrap_err();
        assert!(error.contains(&format!("column {column}")), "{path}: {error}");
    }
    let long = "a.".repeat(100) + "a";
    assert!(selected(&long).unwrap_err().contains("at most"));
    let deep = format!("a[?{}b{}]", "(".repeat(100), ")".repeat(100));
    assert!(selected(&deep).is_err());
}

/// A condition that cannot be evaluated must not count as false, because `!` would make it true.
#[test]
fn damage_inside_a_filter_is_not_an_answer() {
    let mut bytes = save();
    let at = bytes.windows(4).position(|four| four == b"deep").unwrap() + 4;
    bytes[at] = 99;
    let document = Document::new(&bytes, Dialect::Godot4);
    for (path, before) in [
        ("items[?!deep.hp]", &["items[0]", "items[1]"][..]),
        ("items[?deep.hp==1]", &[]),
        ("items[?!(nothing || deep.hp)]", &["items[0]", "items[1]"]),
    ] {
        let query = Query::parse(path).unwrap();
        let mut found = Vec::new();
        let selected = select(&document, &query, |one| {
            found.push(one.text());
            Ok::<_, ()>(())
        });
        assert!(selected.is_err(), "{path}");
        assert_eq!(found, before, "{path}");
    }
}

/// `variant-view` accepts exactly the paths of this grammar that select one value.
#[test]
fn plain_paths_are_paths() {
    let parts = [
        "a",
        ".b",
        "[0]",
        "[-1]",
        "[\"x.y\"]",
        "['q\"']",
        "[&\"n\"]",
        "{2}",
        "{2:key}",
        "[\"a]b\"]",
        "[\"\"]",
    ];
    let odd = [
        "*", "..", ".", "[", "]", "{", "{}", "{-1}", "{+1}", "[+1]", "[]", "[a]", "\"", "'",
        "[\"a\"", "{1:k}",
    ];
    let all: Vec<&str> = parts.iter().chain(&odd).copied().collect();
    let texts = all.iter().flat_map(|a| {
        all.iter().flat_map(move |b| [*a, *b].into_iter().map(move |c| format!("{a}{b}{c}")))
    });
    for text in texts {
        let steps: Result<Vec<_>, _> = PathStep::parse(&text).collect();
        let Ok(steps) = steps else { continue };
        let query = Query::parse(&text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let as_steps: Vec<_> = steps
            .into_iter()
            .map(|step| match step {
                PathStep::Name(name) => Step::Name(name.to_owned()),
                PathStep::StringName(name) => Step::StringName(name.to_owned()),
                PathStep::Number(number) => Step::Number(number),
                PathStep::Position(position) => Step::Position(position),
                PathStep::PositionKey(position) => Step::PositionKey(position),
            })
            .collect();
        assert_eq!(query.steps, as_steps, "{text}");
    }
}

/// Each truncation of a document is an error, without a panic.
#[test]
fn damage_is_told() {
    let bytes = save();
    let query = Query::parse("..hp").unwrap();
    for end in 0..bytes.len() {
        let document = Document::new(&bytes[..end], Dialect::Godot4);
        assert!(select(&document, &query, |_| Ok::<_, ()>(())).is_err(), "{end}");
    }
}

#[cfg(feature = "regex")]
#[test]
fn queries_are_equal_if_their_patterns_are() {
    let [one, same, other] = ["[?name =~ '^b']", "[?name=~\"^b\"]", "[?name =~ '^a']"]
        .map(|path| Query::parse(path).unwrap());
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[test]
fn blanks_after_a_key_change_nothing() {
    for key in ["7", "\"a\"", "&\"a\"", "Vector2i(1, 0)"] {
        let [one, other] = ["", " "].map(|blank| Query::parse(&format!("[{key}{blank}]")).unwrap());
        assert_eq!(one, other);
    }
}
