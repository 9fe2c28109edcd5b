//! The table of docs/dialects.md: all kinds in all dialects.

use std::fmt::Write as _;

use variant_owned::{
    Array, Dictionary, ElementType, NodePath, Object, RealVec, Reals, Signal, Text, Variant,
    convert,
};
use variant_view::{
    Aabb, Basis, Color, Dialect, Kind, Plane, Projection, Quaternion, Rect2, Transform2D,
    Transform3D, Vector2, Vector3, Vector4,
};

/// A Markdown table: a row a kind, a column a dialect; in the cells the wire id, or what the kind becomes.
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
    // Writing to a string does not fail.
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
        Kind::Vector2 => Vector2::<f32>::default().into(),
        Kind::Vector2i => Vector2::<i32>::default().into(),
        Kind::Rect2 => Rect2::<f32>::default().into(),
        Kind::Rect2i => Rect2::<i32>::default().into(),
        Kind::Vector3 => Vector3::<f32>::default().into(),
        Kind::Vector3i => Vector3::<i32>::default().into(),
        Kind::Transform2D => Transform2D::<f32>::default().into(),
        Kind::Vector4 => Vector4::<f32>::default().into(),
        Kind::Vector4i => Vector4::<i32>::default().into(),
        Kind::Plane => Plane::<f32>::default().into(),
        Kind::Quaternion => Quaternion::<f32>::default().into(),
        Kind::Aabb => Aabb::<f32>::default().into(),
        Kind::Basis => Basis::<f32>::default().into(),
        Kind::Transform3D => Transform3D::<f32>::default().into(),
        Kind::Projection => Variant::Projection(Box::new(Reals::Single(Projection::default()))),
        Kind::Color => Color::default().into(),
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
        Kind::PackedByteArray => Vec::<u8>::new().into(),
        Kind::PackedInt32Array => Vec::<i32>::new().into(),
        Kind::PackedInt64Array => Vec::<i64>::new().into(),
        Kind::PackedFloat32Array => Vec::<f32>::new().into(),
        Kind::PackedFloat64Array => Vec::<f64>::new().into(),
        Kind::PackedStringArray => Vec::<Text>::new().into(),
        Kind::PackedVector2Array => Vec::<Vector2>::new().into(),
        Kind::PackedVector2iArray => Variant::PackedVector2iArray(Vec::new()),
        Kind::PackedVector3Array => Vec::<Vector3>::new().into(),
        Kind::PackedVector3iArray => Variant::PackedVector3iArray(Vec::new()),
        Kind::PackedColorArray => Vec::<Color>::new().into(),
        Kind::PackedVector4Array => Variant::PackedVector4Array(RealVec::Single(Vec::new())),
        Kind::PackedVector4iArray => Variant::PackedVector4iArray(Vec::new()),
        _ => Variant::Nil,
    }
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
