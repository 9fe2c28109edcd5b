//! Types that `matrix.rs` lacks, the bound on depth, and the limits.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use variant_owned::{Variant, encode};
use variant_serde::{Deserializer, ErrorKind, from_slice};
use variant_view::{Dialect, Document, Limits, Options};

use crate::attributes::Point;

/// The value as `Debug` prints it, or the error.
fn read<T: DeserializeOwned + std::fmt::Debug>(value: &Variant) -> String {
    let bytes = encode(value, Dialect::Godot4).unwrap();
    match from_slice::<T>(&bytes, Dialect::Godot4) {
        Ok(value) => format!("{value:?}"),
        Err(error) => error.to_string(),
    }
}

type Read = fn(&Variant) -> String;

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "`Debug` prints the field")]
struct Rect {
    position: Point,
    size: (f32, f32),
}

#[test]
fn types_of_other_crates_and_nested_types() {
    let rows: &[(&str, Read, &str)] = &[
        ("PackedInt32Array(1, -2)", read::<Vec<u8>>, "[1]: expected u8, found int -2 at byte 0"),
        ("PackedFloat32Array(1, 2.5)", read::<Vec<f64>>, "[1.0, 2.5]"),
        ("PackedFloat64Array(1, 2.5)", read::<[f32; 2]>, "[1.0, 2.5]"),
        ("PackedVector2Array(1, 2, 3, 4)", read::<Vec<(f32, f32)>>, "[(1.0, 2.0), (3.0, 4.0)]"),
        ("PackedVector2Array(1, 2)", read::<Vec<Point>>, "[Point { x: 1.0, y: 2.0 }]"),
        ("Vector2(1, 2)", read::<glam::Vec2>, "Vec2(1.0, 2.0)"),
        ("Vector3(1, 2, 3)", read::<mint::Vector3<f32>>, "Vector3 { x: 1.0, y: 2.0, z: 3.0 }"),
        ("Vector2(1, 2)", read::<[f32; 3]>, "expected 3 elements, found 2 at byte 0"),
        (
            "Rect2(1, 2, 3, 4)",
            read::<Rect>,
            "Rect { position: Point { x: 1.0, y: 2.0 }, size: (3.0, 4.0) }",
        ),
        ("Rect2(1, 2, 3, 4)", read::<[f32; 4]>, "[1.0, 2.0, 3.0, 4.0]"),
        ("Rect2(1, 2, 3, 4)", read::<[[f32; 2]; 2]>, "[[1.0, 2.0], [3.0, 4.0]]"),
        ("{Vector2i(1, 2): true}", read::<HashMap<(i32, i32), bool>>, "{(1, 2): true}"),
        (
            r#"{"a": [1, null, {"b": Vector2(1, 2)}]}"#,
            read::<serde_json::Value>,
            r#"Object {"a": Array [Number(1), Null, Object {"b": Array [Number(1.0), Number(2.0)]}]}"#,
        ),
        ("PackedByteArray(1, 2)", read::<serde_json::Value>, "Array [Number(1), Number(2)]"),
    ];
    for (text, read, expected) in rows {
        assert_eq!(read(&text.parse().unwrap()), *expected, "{text}");
    }
}

/// Nested arrays of Godot 4.
fn nested(depth: u32) -> Vec<u8> {
    let head = [28, 0, 0, 0, 1, 0, 0, 0];
    let mut bytes = head.repeat(depth.try_into().unwrap());
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn depth_is_bounded() {
    let options = Options::engine(Dialect::Godot4).limits(Limits::FILE.depth(100_000));
    let deep = nested(50_000);
    from_slice::<IgnoredAny>(&deep, options).unwrap();
    let error = from_slice::<serde_json::Value>(&deep, options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep);
    from_slice::<serde_json::Value>(&nested(128), options).unwrap();
    let mut more = Deserializer::new(&deep, options).max_depth(4);
    assert!(serde_json::Value::deserialize(&mut more).is_err());
    let error = from_slice::<IgnoredAny>(&deep, Dialect::Godot4).unwrap_err();
    let found = Document::new(&deep, Dialect::Godot4).validate().unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::Bytes(found.kind()), Some(found.offset()))
    );
}

#[test]
fn limits_are_those_of_validation() {
    let value: Variant = r#"[1, {"a": [2, 3], "b": {}}, Vector2(1, 2), "text"]"#.parse().unwrap();
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    for limits in (0..12)
        .map(|values| Limits::ENGINE.values(values))
        .chain((0..100).map(|bytes| Limits::ENGINE.bytes(bytes)))
    {
        let options = Options::engine(Dialect::Godot4).limits(limits);
        let expected = Document::new(&bytes, options).validate().map(drop);
        let expected =
            expected.map_err(|error| (ErrorKind::Bytes(error.kind()), Some(error.offset())));
        let place = |error: variant_serde::Error| (error.kind(), error.offset());
        assert_eq!(from_slice::<IgnoredAny>(&bytes, options).map(drop).map_err(place), expected);
        assert_eq!(
            from_slice::<serde_json::Value>(&bytes, options).map(drop).map_err(place),
            expected
        );
    }
}
