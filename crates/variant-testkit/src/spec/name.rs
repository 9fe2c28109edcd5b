//! What kinds are called: in docs/spec, in grammars, and by the engines.

use variant_view::{Dialect, Kind};

/// The name in docs/spec/format.md#type-ids.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "Bool",
        Kind::Int => "Int",
        Kind::Float => "Float",
        Kind::Aabb => "Aabb",
        Kind::Rid => "Rid",
        kind => kind.name(),
    }
}

/// The same in small letters with underscores: `packed_vector2i_array`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if was_small
            && letter.is_ascii_uppercase()
            && !name.ends_with(&format!("2{letter}"))
            && !name.ends_with(&format!("3{letter}"))
        {
            snake.push('_');
        }
        was_small = !letter.is_ascii_uppercase();
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// The name in the dialect's own engine.
pub(super) fn in_engine(dialect: Dialect, of: Kind) -> String {
    let name = of.name();
    let is_godot2 = dialect == Dialect::Godot2;
    if dialect == Dialect::Godot4 {
        return name.to_owned();
    }
    match of {
        Kind::Quaternion
            if matches!(dialect, Dialect::Godot2 | Dialect::Godot3 | Dialect::Pandemonium3) =>
        {
            "Quat".to_owned()
        }
        Kind::Transform2D if is_godot2 => "Matrix32".to_owned(),
        Kind::Basis if is_godot2 => "Matrix3".to_owned(),
        Kind::Transform3D => "Transform".to_owned(),
        Kind::PackedTypedArray => name.to_owned(),
        _ => {
            let prefix = if is_godot2 { "" } else { "Pool" };
            let name = name.replace("Int32", "Int").replace("Float32", "Real");
            let name = name.replace("PackedByte", if is_godot2 { "Raw" } else { "PoolByte" });
            name.replace("Packed", prefix)
        }
    }
}
