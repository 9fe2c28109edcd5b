//! Keys of every kind on the wire: which bytes are one key (docs/spec/format.md#key-identity).

use std::cmp::Ordering;

use variant_testkit::builder::{Builder, words};
use variant_testkit::conformance::options;
use variant_view::internal::{KeyBody, KeyPart, KeyPlace};
use variant_view::{Dialect, Document, ErrorKind, KeyRule, Kind, NotCanonical, Page, Width};

/// Whether a dictionary of two keys has one key twice.
fn are_one(dialect: Dialect, first: &[u8], second: &[u8]) -> bool {
    let id = dialect.id(Kind::Dictionary).unwrap().into();
    let bytes = words(&[id, 2]).raw(first).u32(0).raw(second).u32(0).build().bytes;
    let document = Document::new(&bytes, options(dialect, true));
    assert_eq!(document.validate().unwrap().consumed, bytes.len(), "{first:x?} {second:x?}");
    let mut found = false;
    let is_duplicate = |kind| kind == ErrorKind::NotCanonical(NotCanonical::DuplicateKey);
    document.deviations(|error| found |= is_duplicate(error.kind())).unwrap();
    found
}

/// Each group has the forms of one key. Keys of different groups are different.
fn assert_groups(dialect: Dialect, groups: &[&[Builder]]) {
    let all = groups.iter().zip(0..).flat_map(|(group, number)| {
        group.iter().map(move |key| (number, key.clone().build().bytes))
    });
    let all: Vec<_> = all.collect();
    for (number, first) in &all {
        for (other, second) in &all {
            let is_one = are_one(dialect, first, second);
            assert_eq!(is_one, number == other, "{dialect}: {first:x?} {second:x?}");
        }
    }
}

#[test]
fn keys_of_numbers() {
    let wide = |id, bits: u64| words(&[id]).u64(bits);
    let floats = |id, numbers: &[f32]| words(&[id]).f32s(numbers);
    let doubles = |id, numbers: &[f64]| words(&[id]).f64s(numbers);
    let nan = f64::NAN.to_bits();
    let vectors = |id: u32, count, numbers: &[f64]| words(&[id, count]).f64s(numbers);
    assert_groups(
        Dialect::Godot4,
        &[
            &[words(&[0])],
            &[words(&[1, 0])],
            &[words(&[1, 1]), words(&[1, 2])],
            &[words(&[2, 0]), wide(0x1_0002, 0)],
            &[words(&[2, 1]), wide(0x1_0002, 1)],
            &[words(&[2, u32::MAX]), wide(0x1_0002, u64::MAX)],
            &[wide(0x1_0002, 1 << 32)],
            &[floats(3, &[0.0]), floats(3, &[-0.0]), doubles(0x1_0003, &[-0.0])],
            &[floats(3, &[1.0]), doubles(0x1_0003, &[1.0])],
            &[floats(3, &[f32::NAN]), wide(0x1_0003, nan), wide(0x1_0003, nan | 1 << 63 | 7)],
            &[words(&[23, 5, 0])],
            &[words(&[23, 0, 5])],
            &[words(&[6, 5, 7])],
            &[words(&[6, 7, 5])],
            &[floats(5, &[0.0, 1.0]), doubles(0x1_0005, &[-0.0, 1.0])],
            &[floats(5, &[1.0, 0.0]), doubles(0x1_0005, &[1.0, -0.0])],
            &[doubles(0x1_0005, &[0.1, 0.0]), doubles(0x1_0005, &[0.1, -0.0])],
            &[floats(5, &[1.0, f32::NAN]), doubles(0x1_0005, &[1.0, -f64::NAN])],
            &[floats(20, &[0.0, 0.5, 1.0, 1.0]), floats(20, &[-0.0, 0.5, 1.0, 1.0])],
            &[floats(15, &[0.0, 0.5, 1.0, 1.0])],
            &[words(&[29, 0])],
            &[words(&[29, 3]).raw(b"abc\0"), words(&[29, 3]).raw(b"abcx")],
            &[words(&[29, 4]).raw(b"abc\0")],
            &[words(&[30, 1, 0])],
            &[words(&[30, 2, 0, 0])],
            &[words(&[31, 1, 0, 0])],
            &[words(&[31, 1, 0, 1])],
            &[words(&[32, 1]).f32s(&[0.0]), words(&[32, 1]).f32s(&[-0.0])],
            &[words(&[32, 1]).f32s(&[f32::NAN]), words(&[32, 1]).f32s(&[-f32::NAN])],
            &[words(&[32, 2]).f32s(&[0.0, 0.0])],
            &[words(&[33, 1]).f64s(&[0.0]), words(&[33, 1]).f64s(&[-0.0])],
            &[words(&[33, 1]).f64s(&[f64::NAN]), words(&[33, 1]).f64s(&[-f64::NAN])],
            &[words(&[33, 2]).f64s(&[0.0, 1.0]), words(&[33, 2]).f64s(&[-0.0, 1.0])],
            &[words(&[35, 1]).f32s(&[0.0, 1.0]), vectors(0x1_0023, 1, &[-0.0, 1.0])],
            &[
                vectors(0x1_0023, 2, &[0.0, 1.0, 0.0, 0.1]),
                vectors(0x1_0023, 2, &[-0.0, 1.0, -0.0, 0.1]),
            ],
        ],
    );
}

/// A text with a byte order mark or with bytes after a NUL is one key with the text that the engine
/// reads.
#[test]
fn keys_of_texts() {
    let texts = |id: u32, texts: &[&[u8]]| {
        let start = words(&[id, u32::try_from(texts.len()).unwrap()]);
        texts.iter().fold(start, Builder::text)
    };
    let signal = |name: &[u8], object| words(&[26]).text(name).u64(object);
    let path = |names, subnames, flags, texts: &[&[u8]]| {
        texts.iter().fold(words(&[22, 1_u32 << 31 | names, subnames, flags]), Builder::text)
    };
    let long = "a text of more than sixteen bytes";
    assert_groups(
        Dialect::Godot4,
        &[
            &[
                words(&[4, 0]),
                words(&[21, 0]),
                words(&[4]).text(b"\0b"),
                words(&[4]).text("\u{feff}"),
            ],
            &[
                words(&[4]).text("a"),
                words(&[21]).text("a"),
                words(&[4]).text(b"a\0b"),
                words(&[21]).text("\u{feff}a"),
            ],
            &[words(&[4]).text("ab")],
            &[words(&[4]).text(long), words(&[4]).text(format!("{long}\0more"))],
            &[words(&[4]).text("text of more than sixteen bytes")],
            &[words(&[4]).text("a text of more than ")],
            &[texts(34, &[])],
            &[texts(34, &[b""]), texts(34, &[b"\0"])],
            &[texts(34, &[b"a"]), texts(34, &[b"a\0"]), texts(34, &["\u{feff}a\0b".as_bytes()])],
            &[texts(34, &[b"a", b""]), texts(34, &[b"a\0bcdef", b""])],
            &[texts(34, &[b"", b"a"]), texts(34, &[b"\0x", b"a"])],
            &[texts(34, &[b"ab"])],
            &[signal(b"a", 5), signal(b"a\0bcdef", 5), signal("\u{feff}a".as_bytes(), 5)],
            &[signal(b"a", 6)],
            &[signal(b"ab", 5)],
            &[signal(b"abcd", 5)],
            &[path(0, 0, 0, &[]), path(2, u32::MAX - 1, 0, &[])],
            &[path(0, 0, 1, &[])],
            &[path(1, 0, 0, &[b"a"]), path(1, 0, 0, &[b"a\0b"])],
            &[path(1, 0, 1, &[b"a"])],
            &[path(1, 0, 0, &[b"b"])],
            &[path(0, 1, 0, &[b"a"]), path(0, 0, 2, &[b"a"])],
            &[path(2, 0, 0, &[b"a", b"b"])],
            &[path(2, 0, 0, &[b"a", b"c"])],
            &[path(1, 1, 0, &[b"a", b"b"]), path(1, 0, 2, &[b"a", b"b"])],
            &[path(1, 1, 1, &[b"a", b"b"]), path(1, 0, 3, &[b"a", b"b"])],
            &[path(0, 2, 0, &[b"a", b"b"])],
        ],
    );
}

/// Containers are compared item by item. Their declared types do not count in Godot 4.
#[test]
fn keys_of_containers() {
    let array = |items: &[u32]| words(&[28]).words(items);
    let named = |array: u32, text| words(&[array, 1, text]).text("k");
    assert_groups(
        Dialect::Godot4,
        &[
            &[array(&[0]), words(&[0x1_001c, 2, 0])],
            &[array(&[1, 0])],
            &[array(&[2, 0, 0])],
            &[array(&[1, 2, 5]), words(&[0x1_001c, 2, 1, 2, 5]), array(&[1, 0x1_0002, 5, 0])],
            &[array(&[1, 2, 6])],
            &[array(&[2, 2, 6, 2, 5])],
            &[array(&[2, 2, 5, 2, 6])],
            &[array(&[1, 28, 1, 2, 5])],
            &[array(&[2, 28, 1, 2, 5, 28, 0])],
            &[array(&[2, 28, 0, 28, 1, 2, 5])],
            &[array(&[2, 28, 1, 2, 5, 28, 1, 2, 6])],
            &[array(&[2, 28, 2, 2, 5, 2, 6, 28, 0])],
            &[named(28, 4)],
            &[named(28, 21)],
            &[words(&[27, 0]), words(&[0x1_001b, 2, 0])],
            &[words(&[27, 1, 2, 5, 0]), words(&[27, 1, 0x1_0002, 5, 0, 0])],
            &[words(&[27, 1, 2, 6, 0])],
            &[words(&[27, 1, 2, 5, 1, 0])],
            &[words(&[27, 1, 2, 5, 1, 1]), words(&[27, 1, 2, 5, 1, 7])],
            &[words(&[27, 2, 2, 5, 0, 2, 6, 0])],
            // Keys of one text are one, values are not.
            &[words(&[27, 1, 4]).text("k").u32(0), words(&[27, 1, 21]).text("k").u32(0)],
            &[words(&[27, 1, 0, 4]).text("k")],
            &[words(&[27, 1, 0, 21]).text("k")],
            // The two forms of null are one key.
            &[words(&[24, 0]), words(&[0x1_0018, 0, 0]), words(&[24, 1]).raw(&[0; 4])],
            &[words(&[28, 1, 24, 0]), words(&[28, 1, 0x1_0018, 0, 0])],
        ],
    );
    let typed = |words: &[u32]| Builder::new().words(words);
    let class = |name: &str, items: &[u32]| words(&[27, 23, 24]).text(name).words(items);
    assert_groups(
        Dialect::Pandemonium5,
        &[
            &[typed(&[26, 0])],
            &[typed(&[27, 2, 0]), typed(&[27, 1 << 31 | 2, 1 << 31])],
            &[typed(&[27, 3, 0])],
            &[typed(&[27, 98, 0])],
            &[typed(&[27, 99, 0])],
            &[typed(&[27, 2, 1, 2, 5])],
            &[typed(&[27, 2, 1, 2, 6])],
            &[typed(&[28, 2, 1, 2, 6])],
            &[class("A", &[0]), class("A\0b", &[0])],
            &[class("B", &[0])],
            &[class("B", &[1, 0])],
        ],
    );
}

/// Keys that differ by identity are not one key, even if their bytes are equal.
#[test]
fn keys_that_are_unlike_any() {
    let nan = |id: u32| words(&[id, 1, 3, f32::NAN.to_bits()]);
    for (dialect, keys) in [
        (
            Dialect::Godot4,
            vec![
                words(&[0x1_0018, 5, 0]),
                words(&[24]).text("A").u32(0),
                nan(28),
                words(&[27, 1, 2, 5, 3, f32::NAN.to_bits()]),
            ],
        ),
        (
            Dialect::Godot3,
            vec![
                words(&[0x1_0011, 5, 0]),
                words(&[17]).text("A").u32(0),
                words(&[18, 0]),
                words(&[19, 1, 18, 0]),
                words(&[22, 1, f32::NAN.to_bits()]),
            ],
        ),
    ] {
        for key in keys {
            let key = key.build().bytes;
            assert!(!are_one(dialect, &key, &key), "{dialect}: {key:x?}");
        }
    }
    let key = nan(19).build().bytes;
    assert!(are_one(Dialect::Godot3, &key, &key));
}

/// Godot 2 has paths of one text, and paths of names.
#[test]
fn keys_of_paths_of_godot_2() {
    let plain = |text: &str| {
        let len = u32::try_from(text.len()).unwrap();
        words(&[16, len]).raw(text.as_bytes())
    };
    let path = |names, subnames, flags, texts: &[&str]| {
        texts.iter().fold(words(&[16, 1_u32 << 31 | names, subnames, flags]), Builder::text)
    };
    assert_groups(
        Dialect::Godot2,
        &[
            &[plain("a"), plain("a\0b")],
            &[plain("ab")],
            &[plain("abcd")],
            &[path(1, 0, 0, &["a"]), path(1, 0, 4, &["a"])],
            &[path(1, 0, 1, &["a"]), path(1, 0, 5, &["a"])],
            &[path(1, 0, 2, &["a", "b"])],
            &[path(1, 0, 3, &["a", "b"])],
            &[path(1, 1, 0, &["a", "b"])],
            &[path(1, 1, 1, &["a", "b"])],
            &[path(0, 0, 0, &[]), path(0, 0, 1, &[])],
        ],
    );
}

/// The text of a part is the text that the engine reads.
#[test]
fn parts_have_the_text_that_the_engine_reads() {
    let text = |kind, body| KeyPart { kind, body }.text().map(<[u8]>::to_vec);
    let marked = "\u{feff}a\0b".as_bytes();
    for kind in [Kind::String, Kind::StringName] {
        assert_eq!(text(kind, KeyBody::Text(marked)).unwrap(), b"a");
        assert_eq!(text(kind, KeyBody::Held(marked)).unwrap(), "\u{feff}a".as_bytes());
    }
    assert_eq!(text(Kind::NodePath, KeyBody::Text(b"a")), None);
    assert_eq!(text(Kind::Int, KeyBody::Int(5)), None);
}

/// The two forms of a path are never equal. Their order does not depend on which is first.
#[test]
fn paths_of_both_forms_have_an_order() {
    let text = KeyBody::Text(b"a");
    let names = KeyBody::Path {
        is_absolute: false,
        has_property: false,
        names: 1,
        subnames: 0,
        texts: b"\x01\0\0\0a\0\0\0",
    };
    let [text, names] = [text, names].map(|body| KeyPart { kind: Kind::NodePath, body });
    for place in [KeyPlace::Key, KeyPlace::Item] {
        let rule = KeyRule::of(Dialect::Godot2);
        assert_eq!(text.compare(&names, rule, place), Some(Ordering::Less));
        assert_eq!(names.compare(&text, rule, place), Some(Ordering::Greater));
    }
}

/// Godot 3 and Pandemonium 3 compare packed floats by their bits, and the other engines by value. Only the page with 38
/// types describes one of the others, Pandemonium 4.
#[test]
fn packed_floats_are_compared_by_bits_or_by_value() {
    let floats = |bits: &'static [u8]| KeyPart {
        kind: Kind::PackedFloat32Array,
        body: KeyBody::Reals(Width::W32, bits),
    };
    let (plus, minus) = (floats(&[0, 0, 0, 0]), floats(&[0, 0, 0, 0x80]));
    for page in Page::ALL {
        let is_same = |dialect| plus.is_same(&minus, KeyRule::of(dialect), KeyPlace::Key);
        assert_eq!(is_same(page.dialect()), is_same(page.engine()), "{page}");
        assert_eq!(is_same(page.dialect()), *page == Page::Pandemonium38, "{page}");
    }
    for &dialect in Dialect::ALL {
        let by_bits = [Dialect::Godot3, Dialect::Pandemonium3].contains(&dialect);
        assert_eq!(
            plus.is_same(&minus, KeyRule::of(dialect), KeyPlace::Key),
            !by_bits,
            "{dialect}"
        );
    }
}
