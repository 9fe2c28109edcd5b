//! variant.ksy: the layouts as a grammar for Kaitai Struct.

use std::fmt::Write as _;

use variant_view::{Dialect, Kind, NumberType};

use super::name::{kind as title, snake};

const GRAMMAR: &str = include_str!("variant.ksy.in");

/// The whole text of the file.
pub(super) fn grammar() -> String {
    GRAMMAR
        .replace("@DIALECTS@", &dialects())
        .replace("@KINDS@", &kinds())
        .replace("@IDS@", &ids())
        .replace("@PICK@", &pick())
        .replace("@P5_OBJECT@", &id_of_5(Kind::Object))
        .replace("@P5_STRING_NAME@", &id_of_5(Kind::StringName))
        .replace("@CASES@", &cases())
        .replace("@TYPES@\n", &types())
}

fn dialects() -> String {
    let row = |(place, dialect): (usize, &Dialect)| format!("    {place}: {dialect}\n");
    Dialect::ALL.iter().enumerate().map(row).collect()
}

fn kinds() -> String {
    let row = |kind: &Kind| format!("    {}: {}\n", kind.index(), snake(title(*kind)));
    Kind::ALL.iter().map(row).collect::<Vec<_>>().concat()
}

/// The kinds of each dialect in the order of their ids. A kind is its number in the enumeration.
fn ids() -> String {
    let row = |dialect: &Dialect| {
        let kinds: Vec<_> = dialect.kinds().iter().map(|kind| kind.index().to_string()).collect();
        format!("      ids_{dialect}:\n        value: '[{}]'\n", kinds.join(", "))
    };
    Dialect::ALL.iter().map(row).collect()
}

/// An expression that picks the table of the dialect.
fn pick() -> String {
    let [first @ .., last] = Dialect::ALL else { return String::new() };
    let mut pick = String::from("'");
    for dialect in first {
        let _ = write!(pick, "_root.dialect == dialect::{dialect} ? ids_{dialect} : ");
    }
    pick + &format!("ids_{last}'")
}

/// The id of a kind in the dialect with typed arrays.
fn id_of_5(kind: Kind) -> String {
    Dialect::Pandemonium5.id(kind).unwrap_or_default().to_string()
}

fn cases() -> String {
    let row = |kind: &Kind| {
        let name = snake(title(*kind));
        let type_name = match kind {
            Kind::Nil | Kind::Callable => return String::new(),
            Kind::Bool => "u4".to_owned(),
            Kind::Int => "int(flags & 1 != 0)".to_owned(),
            Kind::Float => "real(flags & 1 != 0)".to_owned(),
            Kind::String | Kind::StringName => "text(true)".to_owned(),
            Kind::Object | Kind::Array | Kind::Dictionary => format!("{name}(flags)"),
            Kind::TypedArray | Kind::PackedTypedArray => "typed_array(flags)".to_owned(),
            kind => match kind.shape() {
                Some(shape) if shape.number == NumberType::Real => {
                    format!("{name}(has_wide_reals)")
                }
                _ => name.clone(),
            },
        };
        format!("            'kind::{name}': {type_name}\n")
    };
    Kind::ALL.iter().map(row).collect()
}

/// A type for every kind that consists of numbers. (Writing to a string cannot fail.)
fn types() -> String {
    let mut types = String::new();
    for kind in Kind::ALL {
        let Some(shape) = kind.shape() else { continue };
        // A byte array is read as a whole.
        if shape.number == NumberType::Byte {
            continue;
        }
        let _ = writeln!(types, "  {}:", snake(title(*kind)));
        let is_real = shape.number == NumberType::Real;
        if is_real {
            types.push_str("    params:\n      - id: is_wide\n        type: bool\n");
        }
        types.push_str("    seq:\n");
        if shape.is_packed {
            let element = element(shape.number, shape.parts.len());
            types.push_str(
                "      - id: count\n        type: s4\n        valid:\n          min: 0\n",
            );
            let _ = write!(
                types,
                "      - id: elements\n        type: {element}\n        repeat: expr\n        repeat-expr: count\n"
            );
        } else {
            for (name, names) in shape.parts {
                let part = element(shape.number, names.len().max(1));
                let _ = write!(types, "      - id: {name}\n        type: {part}\n");
            }
        }
    }
    types
}

/// The type of `count` numbers.
fn element(number: NumberType, count: usize) -> String {
    match (number, count) {
        (NumberType::Byte, _) => "u1".to_owned(),
        (NumberType::Int32, 0 | 1) => "s4".to_owned(),
        (NumberType::Int32, _) => format!("vector{count}i"),
        (NumberType::Int64, _) => "s8".to_owned(),
        (NumberType::Float32, 4) => "color".to_owned(),
        (NumberType::Float32, _) => "f4".to_owned(),
        (NumberType::Float64, _) => "f8".to_owned(),
        (NumberType::Real, 0 | 1) => "real(is_wide)".to_owned(),
        (NumberType::Real, _) => format!("vector{count}(is_wide)"),
    }
}
