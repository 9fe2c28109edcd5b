//! The rows: values of every kind.

use variant_owned::{
    Array, Dictionary, ElementType, Image, InputEvent, MathValue, NodePath, Object, Signal, Text,
    Variant, encode,
};
use variant_view::{Color, Dialect, Kind, Vector2, Vector3, Vector4};

pub(crate) struct Row {
    pub(crate) title: String,
    pub(crate) dialect: Dialect,
    /// The owned value; `None` for bytes that no encoder writes.
    pub(crate) value: Option<Variant>,
    pub(crate) bytes: Vec<u8>,
}

/// Values that scripts can write.
const TEXTS: &[&str] = &[
    "null",
    "true",
    "7",
    "-1",
    "300",
    "3000000000",
    "9007199254740993",
    "7.0",
    "-1.0",
    "1.5",
    "0.1",
    "1e300",
    "inf",
    "\"\"",
    "\"a\"",
    "\"\u{e9}t\u{e9}\"",
    "\"Unit\"",
    "&\"\"",
    "&\"Unit\"",
    "^\"\"",
    "^\"Unit\"",
    "^\"/root/Main:position:x\"",
    "Vector2(1, 2.5)",
    "Vector2i(1, 2)",
    "Rect2(1, 2, 3, 4)",
    "Rect2i(1, 2, 3, 4)",
    "Vector3(1, 2, 3)",
    "Vector3i(1, 2, 3)",
    "Transform2D(1, 2, 3, 4, 5, 6)",
    "Vector4(1, 2, 3, 4)",
    "Vector4i(1, 2, 3, 4)",
    "Plane(1, 2, 3, 4)",
    "Quaternion(1, 2, 3, 4)",
    "AABB(1, 2, 3, 4, 5, 6)",
    "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)",
    "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
    "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
    "Color(1, 0, 0.5, 1)",
    "RID()",
    "RID(7)",
    "Callable()",
    "Object(Node, \"name\": \"axe\", \"x\": 1, \"y\": 2)",
    "{}",
    "{\"x\": 1, \"y\": 2}",
    "{\"x\": 1}",
    "{&\"x\": 1, &\"y\": 2, 3: 4}",
    "{1: 2, null: 3, Vector2i(1, 2): 4}",
    "{\"Unit\": null}",
    "{\"Newtype\": 1}",
    "{\"Tuple\": [1, 2]}",
    "{\"Struct\": {\"x\": 1, \"y\": 2}}",
    "{\"Struct\": [1, 2]}",
    "Dictionary[String, int]({\"x\": 1, \"y\": 2})",
    "[]",
    "[7]",
    "[\"Unit\"]",
    "[1, 2]",
    "[1, \"two\", null]",
    "Array[int]([1, 2])",
    "PackedByteArray()",
    "PackedByteArray(97, 98)",
    "PackedInt32Array(1, 2)",
    "PackedInt64Array(1, -2)",
    "PackedFloat32Array(1, 2.5)",
    "PackedFloat64Array(1, 0.1)",
    "PackedStringArray(\"a\", \"b\")",
    "PackedStringArray(\"Unit\")",
    "PackedVector2Array(1, 2, 3, 4)",
    "PackedVector3Array(1, 2, 3)",
    "PackedColorArray(1, 0, 0.5, 1)",
    "PackedVector4Array(1, 2, 3, 4)",
];

/// Values that scripts cannot write.
fn others() -> Vec<(&'static str, Dialect, Variant)> {
    let ints = |element_type| {
        let mut array = Array::with_type(element_type);
        array.extend([1, 2].map(Variant::from));
        array
    };
    let typed = || ints(ElementType::Builtin(Kind::Int));
    let double = MathValue::double(Vector2 { x: 1.0, y: 0.1 });
    let text = |bytes: &[u8]| Variant::String(Text::from(bytes));
    let property = NodePath {
        names: vec!["a".into()],
        subnames: vec!["b".into()],
        has_property: true,
        ..NodePath::default()
    };
    let image = Image { format: 4, mipmaps: 0, width: 2, height: 1, data: vec![97, 98, 99] };
    let event = InputEvent { event: 1, device: 3, payload: (1..=8).collect() };
    let vector = |x, y| Vector2 { x, y };
    vec![
        ("nan", Dialect::Godot4, f64::NAN.into()),
        ("with a byte order mark and a NUL", Dialect::Godot4, text("\u{feff}a\0b".as_bytes())),
        ("in 64 bits, (1, 0.1)", Dialect::Godot4, Variant::Vector2(double)),
        ("null", Dialect::Godot4, Object::Null.into()),
        ("by id 7", Dialect::Godot4, Object::Id(7).into()),
        ("hit of object 7", Dialect::Godot4, Signal { name: "hit".into(), object_id: 7 }.into()),
        ("Dictionary[int, null], empty", Dialect::Godot4, dictionary_of_ints()),
        ("a:b, by its property", Dialect::Godot2, property.into()),
        ("2 x 1", Dialect::Godot2, Variant::Image(Box::new(image))),
        ("of a key", Dialect::Godot2, Variant::InputEvent(Box::new(event))),
        ("without an id", Dialect::Godot3, Variant::Rid(0)),
        ("1, 2", Dialect::Pandemonium5, Variant::TypedArray(typed())),
        ("1, 2", Dialect::Pandemonium5, Variant::PackedTypedArray(typed())),
        ("(1, 2)", Dialect::Pandemonium5, Variant::PackedVector2iArray(vec![vector(1, 2)])),
        (
            "(1, 2, 3)",
            Dialect::Pandemonium5,
            Variant::PackedVector3iArray(vec![Vector3 { x: 1, y: 2, z: 3 }]),
        ),
        (
            "(1, 2, 3, 4)",
            Dialect::Pandemonium5,
            Variant::PackedVector4iArray(vec![Vector4 { x: 1, y: 2, z: 3, w: 4 }]),
        ),
        (
            "(1, 0, 0.5, 1)",
            Dialect::Godot3,
            Variant::PackedColorArray(vec![Color { r: 1.0, g: 0.0, b: 0.5, a: 1.0 }]),
        ),
    ]
}

fn dictionary_of_ints() -> Variant {
    let mut dictionary = Dictionary::new();
    dictionary.set_types(ElementType::Builtin(Kind::Int), ElementType::Any);
    dictionary.into()
}

/// Bytes in Godot 4's dialect that no encoder writes.
const DAMAGED: &[(&str, &[u8])] = &[
    ("a Dictionary with x twice", b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0\x02\0\0\0\x02\0\0\0"),
    ("a String of bytes that are no text", b"\x04\0\0\0\x02\0\0\0a\xff\0\0"),
    ("no bytes", b""),
    ("bytes of an unknown kind", b"\x63\0\0\0"),
    ("an int that is cut short", b"\x02\0\0\0\x07\0"),
    ("a String that is cut short", b"\x04\0\0\0\x05\0\0\0ab"),
    ("an Array that is cut short", b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x07\0\0\0"),
    ("a Dictionary that is cut short", b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0"),
    ("a Vector2 that is cut short", b"\x05\0\0\0\0\0\x80\x3f"),
    ("a PackedByteArray of too many bytes", b"\x1d\0\0\0\xff\0\0\0ab"),
];

pub(crate) fn rows() -> Vec<Row> {
    let texts = TEXTS.iter().map(|text| (*text, Dialect::Godot4, text.parse::<Variant>().unwrap()));
    let values = texts.chain(others()).map(|(words, dialect, value)| {
        let dialect_too =
            if dialect == Dialect::Godot4 { String::new() } else { format!(" ({dialect})") };
        Row {
            title: format!("{}: {words}{dialect_too}", value.kind()),
            dialect,
            bytes: encode(&value, dialect).unwrap(),
            value: Some(value),
        }
    });
    let damaged = DAMAGED.iter().map(|(words, bytes)| Row {
        title: (*words).to_owned(),
        dialect: Dialect::Godot4,
        value: None,
        bytes: bytes.to_vec(),
    });
    let mut rows: Vec<Row> = values.collect();
    rows.sort_by_key(|row| row.value.as_ref().map(Variant::kind));
    rows.extend(damaged);
    rows
}
