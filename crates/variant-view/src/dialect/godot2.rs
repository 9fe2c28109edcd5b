//! Godot 1.0 to 2.1 (docs/format.md, section 1.2).

use super::{Facts, TextRule};
#[allow(clippy::enum_glob_use, reason = "a table of names")]
use crate::kind::Kind::{self, *};

#[rustfmt::skip] // one row a group of types
const KINDS: [Kind; 29] = [
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D,
    Color, Image, NodePath, Rid, Object, InputEvent, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray,
];

pub(super) const FACTS: Facts = Facts {
    name: "godot2",
    title: "Godot 2",
    versions: "Godot 1.0 to 2.1",
    kinds: &KINDS,
    id_mask: u32::MAX,
    wide_scalars: false,
    wide_reals: false,
    typed_containers: false,
    rid_payload: false,
    object_payload: false,
    old_node_path: true,
    open_string_end: true,
    shared_bit: true,
    one_text_key: false,
    dictionaries_by_content: false,
    packed_floats_by_bits: false,
    absolute_empty_path: false,
    text: TextRule::Unchecked,
};
