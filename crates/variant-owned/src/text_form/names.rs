//! What each engine calls a kind, and which kind a name of any engine means.

use variant_view::Kind;

use super::TextStyle;

/// The name of a constructor or of an element type in a style; where the engine has none, Godot 4's.
pub(super) fn of(kind: Kind, style: TextStyle) -> &'static str {
    match (style, kind) {
        (TextStyle::Godot4, _) => kind.name(),
        (TextStyle::Godot3, Kind::Quaternion) => "Quat",
        (_, Kind::Transform3D) => "Transform",
        (_, Kind::PackedByteArray) => "PoolByteArray",
        (_, Kind::PackedInt32Array) => "PoolIntArray",
        (_, Kind::PackedFloat32Array) => "PoolRealArray",
        (_, Kind::PackedStringArray) => "PoolStringArray",
        (_, Kind::PackedVector2Array) => "PoolVector2Array",
        (_, Kind::PackedVector2iArray) => "PoolVector2iArray",
        (_, Kind::PackedVector3Array) => "PoolVector3Array",
        (_, Kind::PackedVector3iArray) => "PoolVector3iArray",
        (_, Kind::PackedVector4Array) => "PoolVector4Array",
        (_, Kind::PackedVector4iArray) => "PoolVector4iArray",
        (_, Kind::PackedColorArray) => "PoolColorArray",
        _ => kind.name(),
    }
}

/// The kind that a name means in any of the engines.
pub(super) fn kind(name: &str) -> Option<Kind> {
    let own = Kind::ALL.iter().copied().find(|kind| kind.name() == name);
    own.or_else(|| older(name)).or_else(|| pool(name))
}

fn older(name: &str) -> Option<Kind> {
    Some(match name {
        "Matrix32" => Kind::Transform2D,
        "Matrix3" => Kind::Basis,
        "Quat" => Kind::Quaternion,
        "Transform" => Kind::Transform3D,
        "Rect3" => Kind::Aabb,
        _ => return None,
    })
}

/// Godot 3's names begin with `Pool`, Godot 2's with nothing.
fn pool(name: &str) -> Option<Kind> {
    let elements = ["Pool", "Packed"].iter().find_map(|prefix| name.strip_prefix(prefix));
    Some(match elements.unwrap_or(name).strip_suffix("Array")? {
        "Byte" | "Raw" => Kind::PackedByteArray,
        "Int" | "Int32" => Kind::PackedInt32Array,
        "Int64" => Kind::PackedInt64Array,
        "Real" | "Float" | "Float32" => Kind::PackedFloat32Array,
        "Float64" => Kind::PackedFloat64Array,
        "String" => Kind::PackedStringArray,
        "Vector2" => Kind::PackedVector2Array,
        "Vector2i" => Kind::PackedVector2iArray,
        "Vector3" => Kind::PackedVector3Array,
        "Vector3i" => Kind::PackedVector3iArray,
        "Vector4" => Kind::PackedVector4Array,
        "Vector4i" => Kind::PackedVector4iArray,
        "Color" => Kind::PackedColorArray,
        _ => return None,
    })
}

/// The kind that a name means as the type of a container's elements. Images and input events are kinds in
/// Godot 2, which has no such types, and classes elsewhere.
pub(super) fn element_kind(name: &str) -> Option<Kind> {
    kind(name).filter(|kind| !matches!(kind, Kind::Image | Kind::InputEvent))
}

/// Whether a text can stand as a name without quotes.
pub(super) fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(is_identifier_char)
}

pub(super) fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read() {
        for &known in Kind::ALL {
            for style in [TextStyle::Godot3, TextStyle::Godot4, TextStyle::Pandemonium] {
                assert_eq!(kind(of(known, style)), Some(known));
            }
        }
        assert_eq!(kind("RawArray"), Some(Kind::PackedByteArray));
        assert_eq!(kind("Node"), None);
    }
}
