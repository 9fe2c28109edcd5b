//! Compares rows of many paths with single paths.

use variant_document::query::{Query, select};
use variant_document::rows::{RowPlan, RowPlanError, Rows};
use variant_document::{Plain, literal};
use variant_io::{ByteOrder, Framing};
use variant_owned::{encode, from_text};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Options, VariantView, write_path};

const DIALECT: Dialect = Dialect::Godot4;

fn queries(paths: &[&str]) -> Vec<Query> {
    paths.iter().map(|path| Query::parse(path).unwrap()).collect()
}

fn text(value: Option<&VariantView<'_>>) -> String {
    value.map_or_else(|| "-".to_owned(), literal::text)
}

fn bytes_of(text: &str) -> Vec<u8> {
    encode(&from_text(text).unwrap(), DIALECT).unwrap()
}

/// All rows of a value that is given as text, one line each.
fn rows(paths: &[&str], value: &str) -> Vec<String> {
    let bytes = bytes_of(value);
    let plan = RowPlan::new(&queries(paths)).unwrap();
    let mut rows = Rows::new(&plan);
    let mut all = Vec::new();
    // The document is read twice: the first reading must not leave values for the second.
    for _ in 0..2 {
        all.clear();
        rows.start(&Document::new(&bytes, DIALECT));
        while rows.next_row().unwrap() {
            let cells: Vec<_> = (0..paths.len()).map(|column| text(rows.value(column))).collect();
            all.push(cells.join(" "));
        }
        assert!(!rows.next_row().unwrap());
    }
    all
}

#[test]
fn a_document_is_a_row() {
    let save = r#"{"player": {"hp": 7, "name": "Ann"}, "slots": [1, 2, 3], 5: true}"#;
    let paths = [
        "player.hp",
        "player",
        "slots[-1]",
        "slots[0]",
        "[5]",
        "{0:key}",
        "player.mp",
        "slots.x",
        "{2}",
    ];
    assert_eq!(rows(&paths, save), [r#"7 Dictionary (2) 3 1 true "player" - - true"#]);
    assert_eq!(rows(&[""], "7"), ["7"]);
    assert_eq!(rows(&["", "x", "[0]", "[*]"], "7"), ["7 - - -"]);
    assert_eq!(rows(&[], "7"), [""]);
}

#[test]
fn items_are_rows_with_what_is_around_them() {
    let save = r#"{"items": [{"id": 1}, {"id": 2, "n": 5}, 3], "name": "Ann"}"#;
    assert_eq!(
        rows(&["name", "items[*].id", "items[*].n"], save),
        [r#""Ann" 1 -"#, r#""Ann" 2 5"#, r#""Ann" - -"#]
    );
    assert_eq!(rows(&["items[1:]", "name"], save), [r#"Dictionary (2) "Ann""#, r#"3 "Ann""#]);
    assert_eq!(rows(&["items[?id>1].n", "name"], save), [r#"5 "Ann""#]);
}

#[test]
fn columns_have_keys_of_any_kind() {
    let save = r#"{"map": {Vector2i(1, 0): {"hp": 1}, true: [5, 6]}, Color(1, 0, 0, 1): 2}"#;
    let paths = ["map[Vector2i( 1,0 )].hp", "map[true][-1]", "[Color(1, 0, 0, 1)]", "map[false]"];
    assert_eq!(rows(&paths, save), ["1 6 2 -"]);
    assert_eq!(rows(&["map[true][*]", "map[Vector2i(1, 0)].hp"], save), ["5 1", "6 1"]);
    let bytes = bytes_of(save);
    let plan = RowPlan::new(&queries(&["map.*", "map[true][0]"])).unwrap();
    let mut rows = Rows::new(&plan);
    rows.start(&Document::new(&bytes, DIALECT));
    let mut seen = Vec::new();
    while rows.next_row().unwrap() {
        seen.push((rows.path(0), rows.key_text(0), rows.path(1)));
    }
    let row =
        |path: &str, key: &str| (path.to_owned(), Some(key.to_owned()), "map[true][0]".to_owned());
    let expected = [row("map[Vector2i(1, 0)]", "Vector2i(1, 0)"), row("map[true]", "true")];
    assert_eq!(seen, expected);
}

/// One column reads a key that is a container, or a part of it. Another column finds the value of the pair by this key.
#[test]
fn a_key_that_is_read_leads_to_its_value() {
    let save = "{[1, {Vector2i(3, 4): 9}]: 5, Vector2i(1, 0): 6}";
    let paths =
        ["{0:key}[1][Vector2i(3, 4)]", "[[1, {Vector2i(3, 4): 9}]]", "{1:key}", "[Vector2i(1, 0)]"];
    assert_eq!(rows(&paths, save), ["9 5 Vector2i(1, 0) 6"]);
}

#[test]
fn no_items_are_a_row_without_them() {
    for save in [
        r#"{"items": [], "n": 1}"#,
        r#"{"n": 1}"#,
        r#"{"items": 5, "n": 1}"#,
        r#"{"items": [{}], "n": 1}"#,
    ] {
        assert_eq!(rows(&["items[*].id", "n"], save), ["- 1"], "{save}");
    }
    assert_eq!(rows(&["items[?id>9].id", "n"], r#"{"items": [{"id": 1}], "n": 1}"#), ["- 1"]);
}

#[test]
fn items_in_items_are_rows_of_both() {
    let save = r#"{"floors": {"a": {"rooms": [1, 2]}, "b": {"rooms": []}, "c": {"rooms": [3], "dark": true}}}"#;
    assert_eq!(
        rows(&["floors.*.rooms[*]", "floors.*.dark"], save),
        ["1 -", "2 -", "- -", "3 true"]
    );
}

#[test]
fn an_item_tells_its_place_and_path() {
    let save = r#"{"players": {"ann": {"hp": [7]}, 5: {"hp": [8, 9]}}}"#;
    let bytes = bytes_of(save);
    let document = Document::new(&bytes, DIALECT);
    let plan = RowPlan::new(&queries(&["players.*.hp[*]"])).unwrap();
    let mut rows = Rows::new(&plan);
    rows.start(&document);
    let mut seen = Vec::new();
    while rows.next_row().unwrap() {
        let path = rows.path(0);
        assert_eq!(text(Some(&document.at(&path).unwrap())), text(rows.value(0)));
        seen.push((path, rows.place(0).unwrap().position()));
    }
    let seen: Vec<_> = seen.iter().map(|(path, at)| (path.as_str(), *at)).collect();
    assert_eq!(seen, [("players.ann.hp[0]", 0), ("players[5].hp[0]", 0), ("players[5].hp[1]", 1)]);
    assert_eq!((plan.level(0), rows.found()), (2, 3));
}

/// The engine reads a key without its byte order mark, and up to its first NUL.
#[test]
fn keys_are_what_the_engine_reads() {
    let mut bytes = bytes_of(r#"{"@@@a": 1, "b@c": 2, &"@@@d@e": 3, "f": 4}"#);
    for (start, new) in
        [(16, &b"\xef\xbb\xbf"[..]), (37, b"\0"), (56, b"\xef\xbb\xbf"), (60, b"\0")]
    {
        assert_eq!(bytes[start], b'@', "{start}");
        bytes[start..start + new.len()].copy_from_slice(new);
    }
    let document = Document::new(&bytes, DIALECT);
    let paths = ["a", "b", "d", "f"];
    let plan = RowPlan::new(&queries(&paths)).unwrap();
    let mut rows = Rows::new(&plan);
    rows.start(&document);
    assert!(rows.next_row().unwrap());
    assert_eq!([0, 1, 2, 3].map(|column| text(rows.value(column))), ["1", "2", "3", "4"]);
    assert_eq!(paths.map(|path| literal::text(&document.at(path).unwrap())), ["1", "2", "3", "4"]);
}

#[test]
fn of_equal_keys_the_last_counts() {
    // {"a": {"x": 1, "y": [1, 2]}, "a": {"x": 2}}: engines do not write such a dictionary, but read it.
    let head = vec![27, 0, 0, 0, 2, 0, 0, 0];
    let values = [r#""a""#, r#"{"x": 1, "y": [1, 2]}"#, r#""a""#, r#"{"x": 2}"#].map(bytes_of);
    let bytes = [head, values.concat()].concat();
    let plan = RowPlan::new(&queries(&["a.x", "a.y[0]", "a.y[*]"])).unwrap();
    let mut rows = Rows::new(&plan);
    rows.start(&Document::new(&bytes, DIALECT));
    assert!(rows.next_row().unwrap());
    assert_eq!([0, 1, 2].map(|column| text(rows.value(column))), ["2", "-", "-"]);
    assert!(!rows.next_row().unwrap());
}

#[test]
fn lists_side_by_side_are_refused() {
    let others = |path, than| Err(RowPlanError::OtherItems { path, than });
    for (paths, expected) in [
        (&["a", "items[*].id", "party[*].hp"][..], others(2, 1)),
        (&["items[*].id", "items[1:].id"], others(1, 0)),
        (&["items[?id>1].id", "items[?id>1].n"], Ok(())),
        (&["items[*].a[*]", "items[*].b[*]"], others(1, 0)),
        (&["..gold"], Err(RowPlanError::Deep { path: 0 })),
    ] {
        let found = RowPlan::new(&queries(paths)).map(drop);
        assert_eq!(found, expected, "{paths:?}");
        if let Err(error) = found {
            let (RowPlanError::OtherItems { path, .. } | RowPlanError::Deep { path }) = error
            else {
                panic!("{error:?}");
            };
            assert_eq!(error.path(), path);
        }
    }
}

#[test]
fn damage_ends_the_rows() {
    let bytes = bytes_of(r#"{"a": 1, "b": [1, 2, 3]}"#);
    let plan = RowPlan::new(&queries(&["a", "b[*]"])).unwrap();
    let mut rows = Rows::new(&plan);
    for len in 0..bytes.len() {
        rows.start(&Document::new(bytes.split_at(len).0, DIALECT));
        assert!(rows.next_row().is_err(), "{len} bytes");
        assert!(!rows.next_row().unwrap());
    }
}

/// Two paths lead to one value, which is read again for the second path. After damage, the next document must not have
/// this value.
#[test]
fn nothing_of_a_damaged_document_is_in_the_next_one() {
    let [damaged, whole] = [r#"{"a": [7], "b": 1}"#, r#"{"b": 2}"#].map(bytes_of);
    let plan = RowPlan::new(&queries(&["a[0]", "a[-1]", "b", "{0}[0]"])).unwrap();
    let mut rows = Rows::new(&plan);
    for len in 0..damaged.len() {
        rows.start(&Document::new(damaged.split_at(len).0, DIALECT));
        assert!(rows.next_row().is_err());
        rows.start(&Document::new(&whole, DIALECT));
        assert!(rows.next_row().unwrap());
        assert_eq!([0, 1, 2, 3].map(|column| text(rows.value(column))), ["-", "-", "2", "-"]);
    }
}

/// Many paths that are read together give the same values as each path alone, in files of engines.
#[test]
fn all_paths_of_files() {
    let frames = Framing::Frames(ByteOrder::Little);
    let mut compared = 0;
    for (name, framing, dialect) in [
        ("godot3/saves/objects_full.bin", frames, Dialect::Godot3),
        ("godot3/saves/store_var_seq.bin", frames, Dialect::Godot3),
        ("godot3/saves/rpg_save.bin", frames, Dialect::Godot3),
        ("godot4/saves/sample20.variant", Framing::Bare, Dialect::Godot4),
        ("godot4/saves/sample3.variant", Framing::Bare, Dialect::Godot4),
    ] {
        let bytes = corpus::bytes(name).unwrap();
        let file = Plain::new(&bytes, framing, Options::engine(dialect));
        for piece in file.pieces() {
            compared += all_paths(&file.document(piece.unwrap().bytes));
        }
    }
    assert!(compared * corpus::one_in(3) > 500, "{compared} values");
}

/// Compares the paths of a document; returns their number.
fn all_paths(document: &Document<'_>) -> usize {
    let mut paths = Vec::new();
    select(document, &Query::everything(), |found| {
        let mut path = String::new();
        write_path(&mut path, found.path.iter().copied()).unwrap();
        paths.push(path);
        Ok::<_, ()>(())
    })
    .unwrap();
    paths.retain(|path| Query::parse(path).is_ok_and(|query| query.is_plain()));
    let step = paths.len().div_ceil(500 / corpus::one_in(3)).max(1);
    let paths: Vec<_> = paths.iter().step_by(step).map(String::as_str).collect();
    let plan = RowPlan::new(&queries(&paths)).unwrap();
    let mut rows = Rows::new(&plan);
    rows.start(document);
    assert!(rows.next_row().unwrap());
    for (column, path) in paths.iter().enumerate() {
        let expected = document.at(path).unwrap();
        let place = rows.value(column).map(VariantView::offset);
        assert_eq!(place, Some(expected.offset()), "{path}");
        assert_eq!(rows.path(column), *path);
    }
    paths.len()
}
