//! Godot 3.0 to 3.6 (docs/format.md, section 1.2).

use super::{Facts, TextRule};
#[allow(clippy::enum_glob_use, reason = "a table of names")]
use crate::kind::Kind::{self, *};

#[rustfmt::skip] // one row a group of types
const KINDS: [Kind; 27] = [
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D,
    Color, NodePath, Rid, Object, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray,
];

pub(super) const FACTS: Facts = Facts {
    name: "godot3",
    title: "Godot 3",
    versions: "Godot 3.0 to 3.6",
    kinds: &KINDS,
    id_mask: 0xff,
    wide_scalars: true,
    wide_reals: false,
    typed_containers: false,
    rid_payload: false,
    object_payload: true,
    old_node_path: false,
    open_string_end: false,
    shared_bit: false,
    one_text_key: false,
    dictionaries_by_content: false,
    packed_floats_by_bits: true,
    absolute_empty_path: false,
    text: TextRule::Lenient,
};
