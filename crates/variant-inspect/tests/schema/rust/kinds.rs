// Written by `variant-inspect schema --rust`. Needs serde (derive), indexmap (serde), variant-document (output, serde),
// variant-io, variant-owned, variant-serde and variant-view. `load` opens a file, and the file's `save` writes it. Values
// of other kinds and unknown keys are refused, since they could not be written back.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::path::Path;

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};
use variant_document::Reading;
use variant_document::typed::{TypedError, TypedFile};
use variant_io::{Framing, OpenOptions};
use variant_owned::{EncodeOptions, Variant, Widths};
use variant_serde::{NodePath, PackedArray, PackedItem, StringName, TypedArray, TypedItem, as_aabb, as_basis, as_color, as_plane, as_projection, as_quaternion, as_rect2, as_rect2i, as_transform2d, as_transform3d, as_vector2, as_vector2i, as_vector3, as_vector3i, as_vector4, as_vector4i, from_slice, to_vec};
use variant_view::{Dialect, Kind, Limits, Objects, Options};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    pub nil: (),
    pub flag: bool,
    pub count: i64,
    pub long: i64,
    pub huge: i64,
    pub ratio: f64,
    pub mixed: Variant,
    pub text: String,
    pub name: StringName,
    pub path: NodePath,
    #[serde(with = "as_vector2")]
    pub v2: [f32; 2],
    #[serde(with = "as_vector2i")]
    pub v2i: [i32; 2],
    #[serde(with = "as_rect2")]
    pub r2: [f32; 4],
    #[serde(with = "as_rect2i")]
    pub r2i: [i32; 4],
    #[serde(with = "as_vector3")]
    pub v3: [f32; 3],
    #[serde(with = "as_vector3i")]
    pub v3i: [i32; 3],
    #[serde(with = "as_transform2d")]
    pub t2: [f32; 6],
    #[serde(with = "as_vector4")]
    pub v4: [f32; 4],
    #[serde(with = "as_vector4i")]
    pub v4i: [i32; 4],
    #[serde(with = "as_plane")]
    pub plane: [f32; 4],
    #[serde(with = "as_quaternion")]
    pub quat: [f32; 4],
    #[serde(with = "as_aabb")]
    pub aabb: [f32; 6],
    #[serde(with = "as_basis")]
    pub basis: [f32; 9],
    #[serde(with = "as_transform3d")]
    pub t3: [f32; 12],
    #[serde(with = "as_projection")]
    pub proj: [f32; 16],
    #[serde(with = "as_color")]
    pub color: [f32; 4],
    pub bytes: PackedArray<Vec<u8>>,
    pub i32s: PackedArray<Vec<i32>>,
    pub i64s: PackedArray<Vec<i64>>,
    pub f32s: PackedArray<Vec<f32>>,
    pub f64s: PackedArray<Vec<f64>>,
    pub texts: PackedArray<Vec<String>>,
    pub v2s: PackedArray<Vec<[f32; 2]>>,
    pub v3s: PackedArray<Vec<[f32; 3]>>,
    pub v4s: PackedArray<Vec<[f32; 4]>>,
    pub colors: PackedArray<Vec<Color>>,
    pub points: Vec<Vector3>,
    pub names: Vec<StringName>,
    pub maybe: Option<i64>,
    pub maybe_at: Option<Vector2>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub extra: Option<i64>,
    pub both: Option<Vector3>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub more: Option<Vector2>,
    pub ids: TypedArray<Vec<i64>>,
    pub floats: TypedArray<Vec<f64>>,
    pub ats: TypedArray<Vec<Vector2>>,
    pub tags: TypedArray<Vec<StringName>>,
    pub rows: TypedArray<Vec<Row>>,
    pub lists: TypedArray<Vec<Vec<i64>>>,
    pub rects: TypedArray<Vec<Rect2>>,
    pub scores: Variant,
    pub nodes: Variant,
    pub by_id: IndexMap<i64, ByIdItem>,
    pub by_name: IndexMap<StringName, i64>,
    pub by_place: Variant,
    pub empty: Variant,
    pub none: Vec<Variant>,
    pub pairs: Vec<IndexMap<String, i64>>,
    pub some: Vec<SomeItem>,
    pub from: From2,
    pub to: From2,
    #[serde(rename = "type")]
    pub type_: String,
    #[serde(rename = "odd key!")]
    pub odd_key_: i64,
    #[serde(rename = "Class")]
    pub class: i64,
    #[serde(rename = "class")]
    pub class2: i64,
    pub str: Str,
    pub save: Row,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Str {
    pub str: String,
    pub int: i64,
    pub list: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct From2 {
    pub x: i64,
    pub y: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SomeItem {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub a: Option<i64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub b: Option<i64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub c: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByIdItem {
    pub hp: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub a: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Color(#[serde(with = "as_color")] pub [f32; 4]);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rect2(#[serde(with = "as_rect2")] pub [f32; 4]);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Vector2(#[serde(with = "as_vector2")] pub [f32; 2]);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Vector3(#[serde(with = "as_vector3")] pub [f32; 3]);

impl PackedItem for Color {
    const KIND: Kind = Kind::PackedColorArray;
}

impl TypedItem for Rect2 {
    const KIND: Kind = Kind::Rect2;
}

impl TypedItem for Row {
    const KIND: Kind = Kind::Dictionary;
}

impl TypedItem for Vector2 {
    const KIND: Kind = Kind::Vector2;
}

/// Opens a file of saves. `layers` has the key of an encrypted file.
pub fn load(path: impl AsRef<Path>, layers: OpenOptions) -> Result<TypedFile<Save>, TypedError> {
    let reading = Reading {
        dialect: Some(Dialect::Godot4),
        framing: Some(Framing::Bare),
        layers,
        ..Reading::new()
    };
    TypedFile::open(path, &reading)
}

/// Reads the bytes of one value.
pub fn from_bytes(bytes: &[u8]) -> Result<Save, variant_serde::Error> {
    let options = Options::engine(Dialect::Godot4);
    from_slice(bytes, options.objects(Objects::Accept).limits(Limits::FILE))
}

/// The bytes of one value, as the engine writes it.
pub fn to_bytes(save: &Save) -> Result<Vec<u8>, variant_serde::Error> {
    to_vec(save, EncodeOptions::new(Dialect::Godot4).widths(Widths::Canonical))
}

/// Reads a key that a dictionary may lack. Null is a value.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
