//! Tests the meaning of bytes, of numbers that are searched, and of values inside byte arrays.

use variant_document::Plain;
use variant_document::fields::fields;
use variant_document::nested::Nested;
use variant_document::search::Search;
use variant_document::tree::Store;
use variant_io::Framing;
use variant_owned::{encode, from_text};
use variant_view::{Dialect, Document, Kind, Objects, Options};

fn bytes_of(text: &str) -> Vec<u8> {
    encode(&from_text(text).unwrap(), Dialect::Godot4).unwrap()
}

/// The fields of a bare value: start, part and meaning of each. Each byte must be in one field.
fn shown(bytes: &[u8], dialect: Dialect) -> Vec<(usize, &'static str, String)> {
    let options = Options::engine(dialect).objects(Objects::Accept);
    let file = Plain::new(bytes, Framing::Bare, options);
    let mut end = 0;
    let shown = fields(file, 0..bytes.len(), &mut Store::default()).into_iter().map(|field| {
        assert_eq!(field.range.start, end, "{field:?}");
        end = field.range.end;
        (field.range.start, field.part, field.meaning)
    });
    let shown = shown.collect();
    assert_eq!(end, bytes.len());
    shown
}

#[test]
fn counts_and_texts_have_their_meaning() {
    let found = shown(&bytes_of(r#"{"b": PackedByteArray(7, 9), "t": "xyz"}"#), Dialect::Godot4);
    let expected = [
        (0, "header", "Dictionary"),
        (4, "count", "2"),
        (8, "header", "String"),
        (12, "length", "1"),
        (16, "text", "\"b\""),
        (17, "padding", ""),
        (20, "header", "PackedByteArray"),
        (24, "count", "2"),
        (28, "value", "7"),
        (29, "value", "9"),
        (30, "padding", ""),
        (32, "header", "String"),
        (36, "length", "1"),
        (40, "text", "\"t\""),
        (41, "padding", ""),
        (44, "header", "String"),
        (48, "length", "3"),
        (52, "text", "\"xyz\""),
        (55, "padding", ""),
    ];
    let found: Vec<_> = found.iter().map(|(at, part, text)| (*at, *part, text.as_str())).collect();
    assert_eq!(found, expected);
}

/// Bit 31 is a flag in the count of an array, but part of the number of properties.
#[test]
fn the_highest_bit_of_a_count_is_a_flag_or_a_sign() {
    let shared = [28, 0, 0, 0, 1, 0, 0, 0x80, 0, 0, 0, 0];
    assert_eq!(shown(&shared, Dialect::Godot4)[1], (4, "count", "1".to_owned()));
    let object = [&[24, 0, 0, 0, 4, 0, 0, 0][..], b"Node", &[0xff; 4]].concat();
    let last = shown(&object, Dialect::Godot4).pop().unwrap();
    assert_eq!(last, (12, "count", u32::MAX.to_string()));
}

#[test]
fn both_forms_of_node_paths_have_their_parts() {
    let id = Dialect::Godot2.id(Kind::NodePath).unwrap();
    let old = [&[id, 0, 0, 0, 4, 0, 0, 0][..], b"a/bc"].concat();
    let parts = |bytes: &[u8], dialect| -> Vec<_> {
        shown(bytes, dialect).into_iter().map(|(at, part, _)| (at, part)).collect()
    };
    let whole = [(0, "header"), (4, "length"), (8, "text")];
    assert_eq!(parts(&old, Dialect::Godot2), whole);
    let new = bytes_of(r#"NodePath("a/b")"#);
    let numbers = [(0, "header"), (4, "number"), (8, "number"), (12, "number"), (16, "length")];
    assert_eq!(parts(&new, Dialect::Godot4)[..5], numbers);
}

/// A few bytes that decode as a number are usually something else.
#[test]
fn a_leaf_in_a_byte_array_has_more_than_sixteen_bytes() {
    let nested = |value: &str| {
        let inner = bytes_of(value);
        let list: Vec<_> = inner.iter().map(ToString::to_string).collect();
        let outer = bytes_of(&format!("PackedByteArray({})", list.join(", ")));
        let document = Document::new(&outer, Dialect::Godot4);
        let nested = Nested::of(&document.root().unwrap(), *document.options());
        (inner.len(), nested.map(|nested| nested.kind))
    };
    assert_eq!(nested("Vector3(1, 2, 3)"), (16, None));
    assert_eq!(nested("Vector4(1, 2, 3, 4)"), (20, Some(Kind::Vector4)));
    assert_eq!(nested("[]"), (8, Some(Kind::Array)));
}

/// The hits of a search from this byte on: the start of each value, and whether its key was found.
fn found(bytes: &[u8], text: &str, from: usize) -> Vec<(usize, bool)> {
    let file = Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let hits = Search::new(text, true).run(file, from, 99, &mut Store::default());
    assert_eq!(hits.next, None);
    hits.found.iter().map(|hit| (hit.chain.last().unwrap().1.spot.start, hit.is_key)).collect()
}

#[test]
fn numbers_begin_with_the_text_or_round_to_it() {
    for (text, value, is_found) in [
        ("1000", "1000.7", true),
        ("1000", "1001.7", false),
        ("-1000", "-1000.9", true),
        ("1234.567", "1234567", false),
        ("1234.567", "1234.567", true),
        ("0.5", "0.45", true),
        ("0.5", "0.44", false),
    ] {
        let expected: &[_] = if is_found { &[(0, false)] } else { &[] };
        assert_eq!(found(&bytes_of(value), text, 0), expected, "{text}: {value}");
    }
}

/// The engines ignore most bits of a header.
#[test]
fn a_number_is_found_whatever_flags_its_header_has() {
    let bytes = bytes_of("12");
    for (byte, flags) in [(1, 5), (2, 0x10), (2, 0xfe), (3, 0x80)] {
        let mut changed = bytes.clone();
        changed[byte] = flags;
        assert_eq!(found(&changed, "12", 0), [(0, false)], "{changed:x?}");
    }
}

/// A search that resumes inside of a key finds the key before the elements of its value.
#[test]
fn a_search_may_resume_in_a_key() {
    let bytes = bytes_of(r#"{"12": PackedInt32Array(5, 12), "p": NodePath("12/a")}"#);
    let path = bytes.len() - bytes_of(r#"NodePath("12/a")"#).len();
    for from in 0..=16 {
        let all = [(20, true), (32, false), (path, false)];
        assert_eq!(found(&bytes, "12", from), all, "{from}");
    }
}

/// A search for a text does not examine more bytes because it resumes inside of an array.
#[test]
fn a_search_examines_at_most_so_many_bytes() {
    let bytes = bytes_of(&format!("[PackedInt32Array({}), \"name\"]", ["7"; 50].join(", ")));
    let file = Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4));
    let mut search = Search::new("name", true);
    search.most_bytes = 16;
    let (mut from, mut all) = (0, Vec::new());
    loop {
        let hits = search.run(file, from, 9, &mut Store::default());
        all.extend(hits.found.iter().map(|hit| hit.chain.last().unwrap().1.spot.start));
        let Some(next) = hits.next else { break };
        assert!(next == from + 16 || !all.is_empty(), "{from} {next}");
        from = next;
    }
    assert_eq!(all, [bytes.len() - 12]);
}
