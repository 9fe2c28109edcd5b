//! docs/spec/format.md#type-ids: type ids.

use variant_view::{Dialect, Kind, Page};

/// The kind with this `id` in `dialect`.
pub fn kind(dialect: Dialect, id: u32) -> Option<Kind> {
    let column = column(dialect)?;
    let has_id = |(_, ids): &&(Kind, [u32; 6])| ids.get(column) == Some(&id);
    TABLE.iter().filter(|_| id != __).find(has_id).map(|(kind, _)| *kind)
}

/// The id of `kind` in `dialect`.
pub fn id(dialect: Dialect, kind: Kind) -> Option<u32> {
    let (_, ids) = TABLE.iter().find(|(own, _)| *own == kind)?;
    ids.get(column(dialect)?).copied().filter(|&id| id != __)
}

fn column(dialect: Dialect) -> Option<usize> {
    // docs/spec/errata.md#the-pages-as-layouts.
    let dialect = match dialect.page() {
        Some(Page::Pandemonium38) => Dialect::Pandemonium4,
        Some(_) => Dialect::Godot3,
        None => dialect,
    };
    match dialect {
        Dialect::Godot2 => Some(0),
        Dialect::Godot3 => Some(1),
        Dialect::Godot4 => Some(2),
        Dialect::Pandemonium3 => Some(3),
        Dialect::Pandemonium4 => Some(4),
        Dialect::Pandemonium5 => Some(5),
        _ => None,
    }
}

/// The dialect lacks the kind.
const __: u32 = u32::MAX;

/// The ids: a row for each kind, a column for each dialect.
#[rustfmt::skip]
const TABLE: &[(Kind, [u32; 6])] = &[
    (Kind::Nil, [0, 0, 0, 0, 0, 0]),
    (Kind::Bool, [1, 1, 1, 1, 1, 1]),
    (Kind::Int, [2, 2, 2, 2, 2, 2]),
    (Kind::Float, [3, 3, 3, 3, 3, 3]),
    (Kind::String, [4, 4, 4, 4, 4, 4]),
    (Kind::Vector2, [5, 5, 5, 5, 7, 7]),
    (Kind::Vector2i, [__, __, 6, 6, 8, 8]),
    (Kind::Rect2, [6, 6, 7, 7, 5, 5]),
    (Kind::Rect2i, [__, __, 8, 8, 6, 6]),
    (Kind::Vector3, [7, 7, 9, 9, 9, 9]),
    (Kind::Vector3i, [__, __, 10, 10, 10, 10]),
    (Kind::Transform2D, [8, 8, 11, 11, 18, 18]),
    (Kind::Vector4, [__, __, 12, __, 11, 11]),
    (Kind::Vector4i, [__, __, 13, __, 12, 12]),
    (Kind::Plane, [9, 9, 14, 12, 13, 13]),
    (Kind::Quaternion, [10, 10, 15, 13, 14, 14]),
    (Kind::Aabb, [11, 11, 16, 14, 15, 15]),
    (Kind::Basis, [12, 12, 17, 15, 16, 16]),
    (Kind::Transform3D, [13, 13, 18, 16, 17, 17]),
    (Kind::Projection, [__, __, 19, __, 19, 19]),
    (Kind::Color, [14, 14, 20, 17, 20, 20]),
    (Kind::Image, [15, __, __, __, __, __]),
    (Kind::StringName, [__, __, 21, 21, 24, 24]),
    (Kind::NodePath, [16, 15, 22, 18, 21, 21]),
    (Kind::Rid, [17, 16, 23, 19, 22, 22]),
    (Kind::Object, [18, 17, 24, 20, 23, 23]),
    (Kind::InputEvent, [19, __, __, __, __, __]),
    (Kind::Callable, [__, __, 25, __, __, __]),
    (Kind::Signal, [__, __, 26, __, __, __]),
    (Kind::Dictionary, [20, 18, 27, 22, 25, 25]),
    (Kind::Array, [21, 19, 28, 23, 26, 26]),
    (Kind::TypedArray, [__, __, __, __, __, 27]),
    (Kind::PackedTypedArray, [__, __, __, __, __, 28]),
    (Kind::PackedByteArray, [22, 20, 29, 24, 27, 29]),
    (Kind::PackedInt32Array, [23, 21, 30, 25, 28, 30]),
    (Kind::PackedInt64Array, [__, __, 31, __, __, __]),
    (Kind::PackedFloat32Array, [24, 22, 32, 26, 29, 31]),
    (Kind::PackedFloat64Array, [__, __, 33, __, __, __]),
    (Kind::PackedStringArray, [25, 23, 34, 27, 30, 32]),
    (Kind::PackedVector2Array, [26, 24, 35, 28, 31, 33]),
    (Kind::PackedVector2iArray, [__, __, __, 29, 32, 34]),
    (Kind::PackedVector3Array, [27, 25, 36, 30, 33, 35]),
    (Kind::PackedVector3iArray, [__, __, __, 31, 34, 36]),
    (Kind::PackedColorArray, [28, 26, 37, 32, 37, 39]),
    (Kind::PackedVector4Array, [__, __, 38, __, 35, 37]),
    (Kind::PackedVector4iArray, [__, __, __, __, 36, 38]),
];
