//! The table of docs/dialects.md: all kinds in all dialects.

use std::fmt::Write as _;

use variant_owned::{
    Array, Dictionary, ElementType, NodePath, Object, Signal, Text, Variant, convert,
};
use variant_view::{Dialect, Kind, Numbers, Width};

/// A Markdown table with a row for each kind and a column for each dialect. A cell has the id on the wire. If the
/// dialect lacks the kind, the cell has the kind to which a conversion converts such values.
pub fn dialect_table() -> String {
    let mut table = String::from("| kind |");
    for dialect in Dialect::ALL {
        put(&mut table, &format!(" {dialect} |"));
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(Dialect::ALL.len()));
    for &kind in Kind::ALL {
        put(&mut table, &format!("\n| {kind} |"));
        for &dialect in Dialect::ALL {
            put(&mut table, &format!(" {} |", cell(kind, dialect)));
        }
    }
    table.push('\n');
    table
}

fn put(table: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = write!(table, "{text}");
}

fn cell(kind: Kind, dialect: Dialect) -> String {
    if let Some(id) = dialect.id(kind) {
        return id.to_string();
    }
    match convert(&sample(kind), dialect) {
        Ok((converted, _)) => format!("→ {}", converted.kind()),
        Err(error) => error.to_string(),
    }
}

/// A simple value of a kind.
pub fn sample(kind: Kind) -> Variant {
    let typed = || Array::with_type(ElementType::Builtin(Kind::Int));
    match kind {
        Kind::Bool => true.into(),
        Kind::Int => 1.into(),
        Kind::Float => 0.5.into(),
        Kind::String => "s".into(),
        Kind::Image => Variant::Image(Box::default()),
        Kind::StringName => Variant::StringName(Text::from("n")),
        Kind::NodePath => NodePath::parse("/a:b").into(),
        Kind::Rid => Variant::Rid(0),
        Kind::Object => Object::Id(1).into(),
        Kind::InputEvent => Variant::InputEvent(Box::default()),
        Kind::Callable => Variant::Callable,
        Kind::Signal => Signal::default().into(),
        Kind::Dictionary => Dictionary::new().into(),
        Kind::Array => Array::new().into(),
        Kind::TypedArray => Variant::TypedArray(typed()),
        Kind::PackedTypedArray => Variant::PackedTypedArray(typed()),
        Kind::PackedStringArray => Vec::<Text>::new().into(),
        kind => zeros(kind),
    }
}

/// A value of zeros if the kind consists of numbers. For a packed array, an empty array.
fn zeros(kind: Kind) -> Variant {
    let Some(shape) = kind.shape() else { return Variant::Nil };
    let bytes = vec![0; if shape.is_packed { 0 } else { shape.bytes(Width::W32) }];
    let numbers = Numbers::from_wire(kind, Width::W32, &bytes);
    numbers.map_or(Variant::Nil, |numbers| Variant::from_numbers(&numbers))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_has_this_table() {
        let page = crate::corpus::root().join("../docs/dialects.md");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(
            page.contains(&super::dialect_table()),
            "cargo run -p variant-testkit --bin dialects"
        );
    }
}
