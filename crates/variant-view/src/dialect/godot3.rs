//! Godot 3.0 to 3.6 (docs/spec/engines.md#numbering-of-godot).

use super::{DialectRules, KeyRule, OldNodePath, PropertyFlag, ScalarWidth};
#[allow(clippy::enum_glob_use, reason = "a table of names")]
use crate::kind::Kind::{self, *};
use crate::text::TextRule;

#[rustfmt::skip] // one row per group of types
const KINDS: [Kind; 27] = [
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D,
    Color, NodePath, Rid, Object, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray,
];

pub(super) const RULES: DialectRules = DialectRules {
    name: "godot3",
    title: "Godot 3",
    versions: "Godot 3.0 to 3.6",
    kinds: &KINDS,
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
