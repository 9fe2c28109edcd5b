//! Views are serialized to other formats.

use variant_testkit::builder::{Builder, words};
use variant_view::{Dialect, Document, Options, VariantView};

fn json(view: &VariantView<'_>) -> Result<String, String> {
    serde_json::to_string(view).map_err(|error| error.to_string())
}

/// The JSON of bytes that Godot 4 writes.
fn json_of(bytes: Builder) -> Result<String, String> {
    let bytes = bytes.build().bytes;
    json(&Document::new(&bytes, Options::engine(Dialect::Godot4)).root().unwrap())
}

/// `{7: "ab", Vector2(1, 2): [null, true]}`, as Godot 4 writes it.
const BYTES: [u8; 60] = [
    27, 0, 0, 0, 2, 0, 0, 0, //
    2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'a', b'b', 0, 0, //
    5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, //
    28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
];

#[test]
fn keys_are_text_for_people_and_values_for_programs() {
    let root = Document::new(&BYTES, Dialect::Godot4).root().unwrap();
    assert_eq!(json(&root), Ok(r#"{"7":"ab","(1, 2)":[null,true]}"#.to_owned()));
    assert_eq!(ron::to_string(&root).unwrap(), r#"{"7":"ab","(1, 2)":[(),true]}"#);
    let packed = rmp_serde::to_vec(&root).unwrap();
    let expected: &[u8] = &[
        0x82, 7, 0xa2, b'a', b'b', //
        0x82, 0xa1, b'x', 0xca, 0x3f, 0x80, 0, 0, 0xa1, b'y', 0xca, 0x40, 0, 0, 0, //
        0x92, 0xc0, 0xc3,
    ];
    assert_eq!(packed, expected);
}

#[test]
fn damaged_bytes_are_errors_of_the_format() {
    for len in 8..BYTES.len() {
        let root = Document::new(&BYTES[..len], Dialect::Godot4).root().unwrap();
        let error = json(&root).unwrap_err();
        assert!(error.contains(" at byte "), "{len}: {error}");
    }
}

/// A container that is a key is written as the name of its kind. The later values are read.
#[test]
fn containers_as_keys_are_passed_over() {
    // {[1]: 2}
    let bytes = [
        27, 0, 0, 0, 1, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0,
        0, 0,
    ];
    let root = Document::new(&bytes, Dialect::Godot4).root().unwrap();
    assert_eq!(json(&root), Ok(r#"{"Array":2}"#.to_owned()));
}

#[test]
fn text_that_is_not_utf8_is_replaced() {
    let bytes = [4, 0, 0, 0, 3, 0, 0, 0, b'a', 0xff, b'b', 0];
    let root = Document::new(&bytes, Dialect::Godot3).root().unwrap();
    assert_eq!(json(&root), Ok("\"a\u{fffd}b\"".to_owned()));
}

/// The types that only Godot 2 has, as maps of their fields.
#[test]
fn images_and_input_events_are_maps_of_their_fields() {
    let image = words(&[15, 4, 0, 1, 2, 3]).raw(&[0xff, 0x80, 0, 0]).build().bytes;
    let root = Document::new(&image, Dialect::Godot2).root().unwrap();
    let expected = r#"{"format":4,"mipmaps":0,"width":1,"height":2,"data":"/4AA"}"#;
    assert_eq!(json(&root), Ok(expected.to_owned()));
    let packed = rmp_serde::to_vec(&root).unwrap();
    assert!(
        packed.ends_with(&[0xa4, b'd', b'a', b't', b'a', 0xc4, 3, 0xff, 0x80, 0]),
        "{packed:x?}"
    );
    let event = words(&[19, 3, 7, 16, 5]).build().bytes;
    let root = Document::new(&event, Dialect::Godot2).root().unwrap();
    assert_eq!(json(&root), Ok(r#"{"event":3,"device":7,"data":"BQAAAA=="}"#.to_owned()));
}

/// Packed bytes are text for people and bytes for programs.
#[test]
fn packed_bytes_are_as_the_format_has_them() {
    let bytes = words(&[29, 3]).raw(&[1, 2, 255, 0]).build().bytes;
    let root = Document::new(&bytes, Dialect::Godot4).root().unwrap();
    assert_eq!(json(&root), Ok("\"AQL/\"".to_owned()));
    assert_eq!(rmp_serde::to_vec(&root).unwrap(), [0xc4, 3, 1, 2, 255]);
}

/// The old form of a node path is one text, which only Godot 2 reads.
#[test]
fn node_paths_of_every_form_are_text() {
    let plain = words(&[16]).text("a/b:c").build().bytes;
    let root = Document::new(&plain, Dialect::Godot2).root().unwrap();
    assert_eq!(json(&root), Ok("\"a/b:c\"".to_owned()));
    let named = words(&[22, 2 | 1 << 31, 1, 1]).text("a").text("b").text("c").build().bytes;
    let root = Document::new(&named, Dialect::Godot4).root().unwrap();
    assert_eq!(json(&root), Ok("\"/a/b:c\"".to_owned()));
}

/// The numbers of a key have the fewest digits that identify them. A zero keeps its sign.
#[test]
fn numbers_inside_of_keys_are_short() {
    let key = |key: Builder| json_of(words(&[27, 1]).raw(&key.build().bytes).u32(0)).unwrap();
    for (single, double, text) in [
        (1.0, 1.0, "1"),
        (-0.5, -0.5, "-0.5"),
        (0.1, 0.1, "0.1"),
        (0.0, 0.0, "0"),
        (-0.0, -0.0, "-0.0"),
        (1e15, 1e15, "1000000000000000"),
        (1e16, 1e16, "1e16"),
        (f32::INFINITY, f64::INFINITY, "inf"),
        (f32::NEG_INFINITY, f64::NEG_INFINITY, "-inf"),
    ] {
        let expected = format!(r#"{{"({text}, 2)":null}}"#);
        assert_eq!(key(words(&[5]).f32s(&[single, 2.0])), expected);
        assert_eq!(key(words(&[0x1_0005]).f64s(&[double, 2.0])), expected);
    }
    assert_eq!(key(words(&[6, 1, u32::MAX])), r#"{"(1, -1)":null}"#);
}

/// A key that is a leaf is written as its value, or as the name of its kind.
#[test]
fn keys_of_every_kind_are_text() {
    let path = words(&[22, 2 | 1 << 31, 1, 1]).text("a").text("b").text("c");
    for (key, text) in [
        (words(&[0]), "null"),
        (words(&[1, 1]), "true"),
        (words(&[2, u32::MAX]), "-1"),
        (words(&[3]).f32s(&[1.0]), "1.0"),
        (words(&[0x1_0003]).f64s(&[0.1]), "0.1"),
        (words(&[4]).text(b"a\xff"), "a\u{fffd}"),
        (words(&[21]).text("hp"), "hp"),
        (path, "/a/b:c"),
        (words(&[23]).u64(7), "RID(7)"),
        (words(&[0x1_0018]).u64(7), "Object"),
        (words(&[25]), "Callable"),
        (words(&[26]).text("hit").u64(7), "Signal"),
        (words(&[30, 1, 5]), "PackedInt32Array"),
        (words(&[34, 1]).text("a\0"), "PackedStringArray"),
    ] {
        let found = json_of(words(&[27, 1]).raw(&key.build().bytes).words(&[2, 5]));
        assert_eq!(found, Ok(format!(r#"{{"{text}":5}}"#)));
    }
}

/// An object with a class is a map of its properties, at the root and below. Others are null, or a
/// map of an id.
#[test]
fn objects_are_maps_of_their_properties() {
    let node = || words(&[24]).text("Node").u32(2).text("hp").words(&[2, 7]).text("mp").u32(0);
    let map = r#"{"@class":"Node","hp":7,"mp":null}"#;
    assert_eq!(json_of(node()), Ok(map.to_owned()));
    let id = || words(&[0x1_0018]).u64(42);
    assert_eq!(json_of(id()), Ok(r#"{"@id":42}"#.to_owned()));
    assert_eq!(json_of(words(&[24, 0])), Ok("null".to_owned()));
    let all = words(&[28, 3]).raw(&node().build().bytes).raw(&id().build().bytes);
    assert_eq!(json_of(all.words(&[24, 0])), Ok(format!(r#"[{map},{{"@id":42}},null]"#)));
}

/// Values that are made of several parts, as maps of their names.
#[test]
fn parts_have_their_names() {
    for (bytes, expected) in [
        (
            words(&[14]).f32s(&[0.0, 1.0, 0.5, 2.0]),
            r#"{"normal":{"x":0.0,"y":1.0,"z":0.5},"d":2.0}"#,
        ),
        (words(&[8, 1, 2, 3, 4]), r#"{"position":{"x":1,"y":2},"size":{"x":3,"y":4}}"#),
        (words(&[35, 2]).f32s(&[1.0, 2.0, 3.0, 4.0]), r#"[{"x":1.0,"y":2.0},{"x":3.0,"y":4.0}]"#),
        (words(&[30, 2, 5, 7]), "[5,7]"),
        (words(&[34, 2]).text("a\0").text("\0"), r#"["a",""]"#),
        (words(&[23]).u64(7), "7"),
        (words(&[26]).text("hit").u64(7), r#"{"signal":"hit","object_id":7}"#),
        (words(&[3]).f32s(&[0.5]), "0.5"),
        (words(&[0x1_0003]).f64s(&[0.1]), "0.1"),
        (words(&[25]), "null"),
    ] {
        assert_eq!(json_of(bytes), Ok(expected.to_owned()));
    }
}

/// The name of this module is in the name of the serializer, as in that of `variant-serde`.
mod variant_serde {
    use std::io::{Result, Write};

    #[derive(Default)]
    pub(super) struct Out(pub(super) Vec<u8>);

    impl Write for Out {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }
}

/// A float has 64 bits. The serializer of `variant-serde` receives it in its width on the wire.
#[test]
fn floats_have_64_bits_or_their_width() {
    let single = words(&[3]).f32s(&[0.1]).build().bytes;
    let double = words(&[0x1_0003]).f64s(&[0.1]).build().bytes;
    for (bytes, expected, own) in [(single, "0.10000000149011612", "0.1"), (double, "0.1", "0.1")] {
        let root = Document::new(&bytes, Dialect::Godot4).root().unwrap();
        assert_eq!(json(&root), Ok(expected.to_owned()));
        let mut out = variant_serde::Out::default();
        serde_json::to_writer(&mut out, &root).unwrap();
        assert_eq!(String::from_utf8(out.0).unwrap(), own);
    }
}

/// A serializer may recurse, so values can only be as deep as its stack surely is.
#[test]
fn values_are_serialized_up_to_a_depth() {
    let arrays = |levels: usize| words(&[28, 1].repeat(levels - 1)).words(&[28, 0]);
    assert_eq!(json_of(arrays(128)), Ok(format!("{}{}", "[".repeat(128), "]".repeat(128))));
    let error = json_of(arrays(129)).unwrap_err();
    assert!(error.contains("more than 128 levels"), "{error}");
}
