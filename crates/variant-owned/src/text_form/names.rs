//! Names of kinds: the names of one engine for output, and of all engines for input.

use variant_view::Kind;

use super::TextStyle;

/// The name of a constructor or element type in a style, in two parts: a prefix, which may be empty, and the rest. If
/// the engine does not have a name, returns Godot 4's.
pub(super) fn of(kind: Kind, style: TextStyle) -> (&'static str, &'static str) {
    match (style, kind) {
        (TextStyle::Godot3 | TextStyle::Pandemonium3, Kind::Quaternion) => ("", "Quat"),
        (TextStyle::Godot4, _) | (_, Kind::PackedInt64Array | Kind::PackedFloat64Array) => {
            ("", kind.name())
        }
        (_, Kind::Transform3D) => ("", "Transform"),
        (_, Kind::PackedInt32Array) => ("Pool", "IntArray"),
        (_, Kind::PackedFloat32Array) => ("Pool", "RealArray"),
        _ => elements(kind).map_or(("", kind.name()), |elements| ("Pool", elements)),
    }
}

/// The name of a packed array without the prefix `Packed`: `Vector2Array`.
fn elements(kind: Kind) -> Option<&'static str> {
    let is_packed =
        kind == Kind::PackedStringArray || kind.shape().is_some_and(|shape| shape.is_packed);
    kind.name().strip_prefix("Packed").filter(|_| is_packed)
}

/// The kind that a name means in any engine.
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

/// Names of packed arrays: with the prefix `Pool` in Godot 3, without a prefix in Godot 2.
fn pool(name: &str) -> Option<Kind> {
    let rest = ["Pool", "Packed"].iter().find_map(|prefix| name.strip_prefix(prefix));
    match rest.unwrap_or(name) {
        "RawArray" => Some(Kind::PackedByteArray),
        "IntArray" => Some(Kind::PackedInt32Array),
        "RealArray" | "FloatArray" => Some(Kind::PackedFloat32Array),
        rest => Kind::ALL.iter().copied().find(|&kind| elements(kind) == Some(rest)),
    }
}

/// The kind that a name means as an element type. Images and input events are kinds only in Godot 2, which
/// has no element types; elsewhere they are classes.
pub(super) fn element_kind(name: &str) -> Option<Kind> {
    kind(name).filter(|kind| !matches!(kind, Kind::Image | Kind::InputEvent))
}

/// Whether a name needs no quotes.
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
            for &style in TextStyle::ALL {
                assert_eq!(kind(&<[_; 2]>::from(of(known, style)).concat()), Some(known));
            }
        }
        assert_eq!(kind("RawArray"), Some(Kind::PackedByteArray));
        assert_eq!(kind("Node"), None);
    }
}
