//! Godot 4.0 and later (docs/spec/engines.md#numbering-of-godot).

use super::{DialectRules, KeyRule, OldNodePath, PropertyFlag, ScalarWidth};
#[allow(clippy::enum_glob_use, reason = "a table of names")]
use crate::kind::Kind::{self, *};
use crate::text::TextRule;

#[rustfmt::skip] // one row per group of types
const KINDS: [Kind; 39] = [
    Nil, Bool, Int, Float, String,
    Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Vector4, Vector4i,
    Plane, Quaternion, Aabb, Basis, Transform3D, Projection,
    Color, StringName, NodePath, Rid, Object, Callable, Signal, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedInt64Array, PackedFloat32Array, PackedFloat64Array,
    PackedStringArray, PackedVector2Array, PackedVector3Array, PackedColorArray,
    PackedVector4Array,
];

pub(super) const RULES: DialectRules = DialectRules {
    name: "godot4",
    title: "Godot 4",
    versions: "Godot 4.0 and later",
    kinds: &KINDS,
    unsupported: &[],
    id_mask: 0xff,
    int: ScalarWidth::BY_FLAG,
    float: ScalarWidth::BY_FLAG,
    wide_reals: true,
    typed_containers: true,
    rid_payload: true,
    object_payload: true,
    old_node_path: OldNodePath::Refused,
    property_flag: PropertyFlag::Read,
    open_string_end: false,
    shared_bit: false,
    keys: KeyRule {
        one_text_key: true,
        dictionaries_by_content: true,
        nan_items_differ: true,
        absolute_empty_path: true,
        ..KeyRule::COMMON
    },
    terminated_strings: true,
    text: TextRule::Strict,
};
