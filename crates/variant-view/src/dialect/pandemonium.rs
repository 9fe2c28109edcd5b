//! Pandemonium's three numberings (docs/spec/engines.md#numbering-of-pandemonium).

use super::{DialectRules, KeyRule, OldNodePath, PropertyFlag, ScalarWidth};
#[allow(clippy::enum_glob_use, reason = "a table of names")]
use crate::kind::Kind::{self, *};
use crate::text::TextRule;

#[rustfmt::skip] // one row per group of types
const KINDS_3: [Kind; 33] = [
    Nil, Bool, Int, Float, String,
    Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D,
    Plane, Quaternion, Aabb, Basis, Transform3D,
    Color, NodePath, Rid, Object, StringName, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedColorArray,
];

#[rustfmt::skip] // one row per group of types
const KINDS_4: [Kind; 38] = [
    Nil, Bool, Int, Float, String,
    Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    Plane, Quaternion, Aabb, Basis, Transform3D, Transform2D, Projection,
    Color, NodePath, Rid, Object, StringName, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedVector4Array, PackedVector4iArray, PackedColorArray,
];

#[rustfmt::skip] // one row per group of types
const KINDS_5: [Kind; 40] = [
    Nil, Bool, Int, Float, String,
    Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    Plane, Quaternion, Aabb, Basis, Transform3D, Transform2D, Projection,
    Color, NodePath, Rid, Object, StringName, Dictionary, Array, TypedArray, PackedTypedArray,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedVector4Array, PackedVector4iArray, PackedColorArray,
];

pub(super) const RULES_3: DialectRules = DialectRules {
    name: "pandemonium3",
    title: "Pandemonium 3",
    versions: "Pandemonium v3.5 to v3.7",
    kinds: &KINDS_3,
    unsupported: &[],
    id_mask: 0xff,
    int: ScalarWidth::BY_FLAG,
    float: ScalarWidth::BY_FLAG,
    wide_reals: false,
    typed_containers: false,
    rid_payload: false,
    object_payload: true,
    old_node_path: OldNodePath::Refused,
    property_flag: PropertyFlag::Read,
    open_string_end: false,
    shared_bit: false,
    keys: KeyRule { text: TextRule::Lenient, packed_floats_by_bits: true, ..KeyRule::COMMON },
    terminated_strings: true,
    text: TextRule::Lenient,
};

pub(super) const RULES_4: DialectRules = DialectRules {
    name: "pandemonium4",
    title: "Pandemonium 4",
    versions: "Pandemonium v3.8 to v4.9",
    kinds: &KINDS_4,
    keys: KeyRule::COMMON,
    text: TextRule::Strict,
    ..RULES_3
};

pub(super) const RULES_5: DialectRules = DialectRules {
    name: "pandemonium5",
    title: "Pandemonium 5",
    versions: "Pandemonium v5.0 and later",
    kinds: &KINDS_5,
    ..RULES_4
};
