//! Godot 1.0 to 2.1 (docs/spec/engines.md#numbering-of-godot).

use super::{DialectRules, KeyRule, OldNodePath, PropertyFlag, ScalarWidth};
#[allow(clippy::enum_glob_use, reason = "a table of names")]
use crate::kind::Kind::{self, *};
use crate::kind::Width;
use crate::text::TextRule;

#[rustfmt::skip] // one row per group of types
const KINDS: [Kind; 29] = [
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D,
    Color, Image, NodePath, Rid, Object, InputEvent, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray,
];

pub(super) const RULES: DialectRules = DialectRules {
    name: "godot2",
    title: "Godot 2",
    versions: "Godot 1.0 to 2.1",
    kinds: &KINDS,
    unsupported: &[],
    id_mask: u32::MAX,
    int: ScalarWidth::always(Width::W32),
    float: ScalarWidth::always(Width::W32),
    wide_reals: false,
    typed_containers: false,
    rid_payload: false,
    object_payload: false,
    old_node_path: OldNodePath::Unpadded,
    property_flag: PropertyFlag::Written,
    open_string_end: true,
    shared_bit: true,
    keys: KeyRule { text: TextRule::Unchecked, path_properties: true, ..KeyRule::COMMON },
    terminated_strings: true,
    text: TextRule::Unchecked,
};
