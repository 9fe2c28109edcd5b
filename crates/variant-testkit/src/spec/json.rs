//! dialects.json: ids and layouts of every dialect.

use std::io;

use serde::Serialize;
use variant_view::{Dialect, Kind, NumberType, Shape, Width};

use super::name;
use crate::engine::type_name;

const COMMENT: &[&str] = &[
    "Type ids and layouts of binary Variants. Generated: cargo run -p variant-testkit --bin spec. format.md describes the layouts.",
    "kinds: what a kind consists of behind the header of 4 bytes. Offsets and sizes are in bytes; offsets count from the end of the header.",
    "payload: none, scalar, fields (of fixed size), packed (an i32 count, then elements), or the rule of format.md with the kind's name.",
    "number: the type of every number; real is f32, or f64 where header flag 16 is set and the dialect has wide_reals. size_wide and offset_wide are those of f64.",
    "element: of a packed array; fields is then what an element has. Bytes are padded to a multiple of 4.",
    "dialects: ids by kind with the engine's own name, and the rules in which dialects differ.",
    "header: low_byte, the id is in bits 0-7 and flags in bits 16-31; word, the id is the whole word. key_rule names a column of format.md, key identity.",
];

#[derive(Serialize)]
struct Tables {
    comment: &'static [&'static str],
    license: &'static str,
    kinds: Vec<KindRow>,
    dialects: Vec<DialectRow>,
}

#[derive(Serialize)]
struct KindRow {
    kind: &'static str,
    payload: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_wide: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<Element>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field>,
}

#[derive(Serialize)]
struct Element {
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_wide: Option<usize>,
}

#[derive(Serialize)]
struct Field {
    name: String,
    #[serde(rename = "type")]
    number: &'static str,
    offset: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset_wide: Option<usize>,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each field is a difference between dialects")]
struct DialectRow {
    dialect: &'static str,
    title: &'static str,
    versions: &'static str,
    header: &'static str,
    text_rule: &'static str,
    key_rule: &'static str,
    wide_scalars: bool,
    wide_reals: bool,
    typed_containers: bool,
    rid_payload: bool,
    object_payload: bool,
    old_node_path: bool,
    shared_bit: bool,
    types: Vec<TypeRow>,
}

#[derive(Serialize)]
struct TypeRow {
    id: u8,
    kind: &'static str,
    engine_name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flags: Vec<Flag>,
}

#[derive(Serialize)]
struct Flag {
    bits: &'static str,
    means: &'static str,
}

/// The whole text of the file.
pub(super) fn tables() -> io::Result<String> {
    let tables = Tables {
        comment: COMMENT,
        license: "CC0-1.0",
        kinds: Kind::ALL.iter().copied().map(kind_row).collect(),
        dialects: Dialect::ALL.iter().copied().map(dialect_row).collect(),
    };
    Ok(serde_json::to_string_pretty(&tables)? + "\n")
}

fn kind_row(kind: Kind) -> KindRow {
    let shape = kind.shape();
    let payload = match (kind, shape) {
        (Kind::Nil | Kind::Callable, _) => "none".to_owned(),
        (Kind::Bool | Kind::Int | Kind::Float, _) => "scalar".to_owned(),
        (_, Some(shape)) => (if shape.is_packed { "packed" } else { "fields" }).to_owned(),
        (_, None) => name::snake(name::kind(kind)),
    };
    let single = shape.filter(|shape| !shape.is_packed);
    let packed = shape.filter(|shape| shape.is_packed);
    KindRow {
        kind: name::kind(kind),
        payload,
        number: shape.map(|shape| number(shape.number)),
        size: single.map(|shape| shape.bytes(Width::W32)),
        size_wide: single.and_then(wide_size),
        element: packed
            .map(|shape| Element { size: shape.bytes(Width::W32), size_wide: wide_size(shape) }),
        fields: shape.map(fields).unwrap_or_default(),
    }
}

fn wide_size(shape: Shape) -> Option<usize> {
    (shape.number == NumberType::Real).then(|| shape.bytes(Width::W64))
}

/// The names of the numbers of a value or an element, in wire order.
pub fn field_names(shape: Shape) -> Vec<String> {
    let mut names = Vec::new();
    for (part, fields) in shape.parts {
        if fields.is_empty() {
            names.push((*part).to_owned());
        }
        names.extend(fields.iter().map(|field| format!("{part}.{field}")));
    }
    names
}

fn fields(shape: Shape) -> Vec<Field> {
    let at = |place: usize, width| place.saturating_mul(shape.number.bytes(width));
    let is_real = shape.number == NumberType::Real;
    let field = |(place, name)| Field {
        name,
        number: number(shape.number),
        offset: at(place, Width::W32),
        offset_wide: is_real.then(|| at(place, Width::W64)),
    };
    field_names(shape).into_iter().enumerate().map(field).collect()
}

/// The name of a type of numbers.
pub(super) fn number(number: NumberType) -> &'static str {
    match number {
        NumberType::Byte => "u8",
        NumberType::Int32 => "i32",
        NumberType::Int64 => "i64",
        NumberType::Float32 => "f32",
        NumberType::Float64 => "f64",
        NumberType::Real => "real",
    }
}

fn dialect_row(dialect: Dialect) -> DialectRow {
    let types = (0..).zip(dialect.kinds()).map(|(id, &kind)| TypeRow {
        id,
        kind: name::kind(kind),
        engine_name: type_name(dialect, kind),
        flags: flags(dialect, kind),
    });
    DialectRow {
        dialect: dialect.name(),
        title: dialect.title(),
        versions: dialect.versions(),
        header: if dialect == Dialect::Godot2 { "word" } else { "low_byte" },
        text_rule: match (dialect.checks_text(), dialect.has_strict_text()) {
            (false, _) => "unchecked",
            (true, false) => "lenient",
            (true, true) => "strict",
        },
        key_rule: match dialect {
            Dialect::Godot2 | Dialect::Godot3 | Dialect::Pandemonium3 => "G3, P3",
            Dialect::Godot4 => "G4",
            _ => "P4, P5",
        },
        wide_scalars: dialect.has_wide_scalars(),
        wide_reals: dialect.has_wide_reals(),
        typed_containers: dialect.has_typed_containers(),
        rid_payload: dialect.writes_rids(),
        object_payload: dialect.writes_objects(),
        old_node_path: dialect.has_plain_node_paths(),
        shared_bit: dialect.has_shared_bit(),
        types: types.collect(),
    }
}

/// The header flags that a kind uses.
fn flags(dialect: Dialect, kind: Kind) -> Vec<Flag> {
    let one = |bits, means| vec![Flag { bits, means }];
    let is_real = kind.shape().is_some_and(|shape| shape.number == NumberType::Real);
    match kind {
        Kind::Int | Kind::Float if dialect.has_wide_scalars() => one("16", "8 bytes"),
        Kind::Object if dialect.writes_objects() => one("16", "instance id"),
        Kind::Array if dialect.has_typed_containers() => one("16-17", "element type"),
        Kind::Dictionary if dialect.has_typed_containers() => vec![
            Flag { bits: "16-17", means: "key type" },
            Flag { bits: "18-19", means: "value type" },
        ],
        Kind::TypedArray | Kind::PackedTypedArray => one("16", "no class name, objects are ids"),
        _ if is_real && dialect.has_wide_reals() => one("16", "reals are f64"),
        _ => Vec::new(),
    }
}
