//! variant.hexpat: a pattern for `ImHex`.

use std::fmt::Write as _;

use variant_view::{Dialect, Kind, NumberType, Shape};

use super::name::kind as title;

const PATTERN: &str = include_str!("variant.hexpat.in");

/// The whole text of the file.
pub(super) fn pattern() -> String {
    let of_5 = |kind| Dialect::Pandemonium5.id(kind).unwrap_or_default().to_string();
    PATTERN
        .replace("@DIALECTS@", &dialects())
        .replace("@KINDS@", &kinds())
        .replace("@IDS@", &ids())
        .replace("@PICK@", &pick())
        .replace("@TYPES@\n", &types())
        .replace("@CASES@", &cases())
        .replace("@GODOT4_TYPES@", &Dialect::Godot4.kinds().len().to_string())
        .replace("@P5_STRING_NAME@", &of_5(Kind::StringName))
        .replace("@P5_OBJECT@", &of_5(Kind::Object))
}

fn dialects() -> String {
    let rows: Vec<_> =
        (0..).zip(Dialect::ALL).map(|(place, d)| row(&format!("{d:?}"), place)).collect();
    rows.join(",\n") + "\n"
}

fn kinds() -> String {
    Kind::ALL.iter().map(|&kind| row(title(kind), kind.index()) + ",\n").collect()
}

fn row(name: &str, number: usize) -> String {
    format!("    {name} = {number}")
}

/// A function from ids to kinds for each dialect.
fn ids() -> String {
    let mut text = String::new();
    for dialect in Dialect::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "fn kind_of_{dialect}(u8 id) {{");
        for (id, &kind) in dialect.kinds().iter().enumerate() {
            let _ = writeln!(text, "    if (id == {id}) return Kind::{};", title(kind));
        }
        text.push_str("    return Kind::Unknown;\n};\n\n");
    }
    text
}

fn pick() -> String {
    let row = |d: &Dialect| format!("    if (dialect == Dialect::{d:?}) return kind_of_{d}(id);\n");
    Dialect::ALL.iter().map(row).collect()
}

/// A structure for every kind that consists of numbers. A kind of reals has a structure for each width.
fn types() -> String {
    let mut text = String::new();
    for &kind in Kind::ALL {
        let Some(shape) = kind.shape().filter(|shape| shape.number != NumberType::Byte) else {
            continue;
        };
        let widths: &[&str] = if shape.number == NumberType::Real { &["", "Wide"] } else { &[""] };
        for wide in widths {
            let _ = writeln!(text, "struct {}{wide} {{", title(kind));
            text.push_str(&members(shape, wide));
            text.push_str("};\n\n");
        }
    }
    text
}

fn members(shape: Shape, wide: &str) -> String {
    let element = |count| type_of(shape.number, count, wide);
    if shape.is_packed {
        let element = element(shape.parts.len());
        return format!(
            "    s32 count;\n    std::assert(count >= 0, \"negative count\");\n    {element} elements[count];\n"
        );
    }
    let parts = shape.parts.iter();
    parts
        .map(|(name, names)| format!("    {} {name};\n", element(names.len())))
        .collect::<Vec<_>>()
        .concat()
}

/// The type of `count` numbers.
fn type_of(number: NumberType, count: usize, wide: &str) -> String {
    match (number, count) {
        (NumberType::Byte, _) => "u8".to_owned(),
        (NumberType::Int32, 0 | 1) => "s32".to_owned(),
        (NumberType::Int32, _) => format!("Vector{count}i"),
        (NumberType::Int64, _) => "s64".to_owned(),
        (NumberType::Float32, 4) => "Color".to_owned(),
        (NumberType::Float32, _) => "float".to_owned(),
        (NumberType::Float64, _) => "double".to_owned(),
        (NumberType::Real, 0 | 1) => (if wide.is_empty() { "float" } else { "double" }).to_owned(),
        (NumberType::Real, _) => format!("Vector{count}{wide}"),
    }
}

/// The payload of each kind.
fn cases() -> String {
    let mut text = String::new();
    for &kind in Kind::ALL {
        let name = title(kind);
        let choice = |wide: &str, narrow: &str, by: &str| {
            format!(
                "        if ({by})\n            {wide} payload;\n        else\n            {narrow} payload;\n"
            )
        };
        let one = |of: &str| format!("        {of} payload;\n");
        let body = match kind {
            Kind::Nil | Kind::Callable => continue,
            Kind::Bool => one("u32"),
            Kind::Int => choice("s64", "s32", "flag"),
            Kind::Float => choice("double", "float", "flag"),
            Kind::String => one("OpenText"),
            Kind::StringName => one("Text"),
            Kind::Rid => {
                "        if (dialect == Dialect::Godot4)\n            u64 payload;\n".to_owned()
            }
            Kind::Object => format!(
                "        if (dialect != Dialect::Godot2) {{\n    {}        }}\n",
                choice("u64", "ObjectInFull", "flag")
                    .replace('\n', "\n    ")
                    .trim_end_matches("    ")
            ),
            Kind::PackedTypedArray => one("TypedArray"),
            kind => match kind.shape() {
                Some(shape) if shape.number == NumberType::Real => {
                    choice(&format!("{name}Wide"), name, "has_wide_reals")
                }
                _ => one(name),
            },
        };
        let _ = write!(text, "    if (kind == Kind::{name}) {{\n{body}    }}\n");
    }
    text
}
