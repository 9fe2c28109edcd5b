//! Views are serialized to other formats.

use variant_testkit::builder::words;
use variant_view::{Dialect, Document, VariantView};

fn json(view: &VariantView<'_>) -> Result<String, String> {
    serde_json::to_string(view).map_err(|error| error.to_string())
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
