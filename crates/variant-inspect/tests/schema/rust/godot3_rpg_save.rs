// Written by `variant-inspect schema --rust`. Needs serde (derive), indexmap (serde), variant-document (output, serde),
// variant-io, variant-owned, variant-serde and variant-view. `load` opens a file, and the file's `save` writes it. Values
// of other kinds and unknown keys are refused, since they could not be written back.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::path::Path;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use variant_document::Reading;
use variant_document::typed::{TypedError, TypedFile};
use variant_io::{ByteOrder, Framing, OpenOptions};
use variant_owned::{EncodeOptions, Widths};
use variant_serde::{NodePath, PackedArray, as_aabb, as_color, as_quaternion, as_transform3d, as_vector2, as_vector3, from_slice, to_vec};
use variant_view::{Dialect, Limits, Objects, Options};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    pub version: i64,
    pub meta: Meta,
    pub player: Player,
    pub inventory: Vec<InventoryItem>,
    pub npcs: IndexMap<String, Npc>,
    pub quests: Vec<Quest>,
    pub flags: IndexMap<String, bool>,
    pub explored: PackedArray<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quest {
    pub id: i64,
    pub title: String,
    pub stage: i64,
    pub done: bool,
    pub log: Vec<String>,
    pub reward: Reward,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reward {
    pub gold: i64,
    pub items: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Npc {
    pub name: String,
    #[serde(with = "as_vector3")]
    pub pos: [f32; 3],
    #[serde(with = "as_vector2")]
    pub home: [f32; 2],
    pub mood: f64,
    pub alive: bool,
    pub dialog_state: i64,
    pub path: PackedArray<Vec<[f32; 3]>>,
    #[serde(with = "as_aabb")]
    pub bounds: [f32; 6],
    pub loot: Vec<InventoryItem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InventoryItem {
    pub id: String,
    pub name: String,
    pub count: i64,
    pub weight: f64,
    pub equipped: bool,
    #[serde(with = "as_color")]
    pub color: [f32; 4],
    pub mods: Vec<Mod>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mod {
    pub stat: String,
    pub add: i64,
    pub mul: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    pub name: String,
    pub level: i64,
    pub xp: i64,
    pub xp_total: i64,
    #[serde(with = "as_vector3")]
    pub position: [f32; 3],
    #[serde(with = "as_quaternion")]
    pub rotation: [f32; 4],
    pub stats: Stats,
    pub spawn: NodePath,
    pub skills: PackedArray<Vec<String>>,
    pub hotbar: PackedArray<Vec<i32>>,
    #[serde(with = "as_transform3d")]
    pub transform: [f32; 12],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    pub str: i64,
    pub dex: i64,
    pub int: i64,
    pub hp: f64,
    pub hp_max: f64,
    pub mp: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    pub slot: i64,
    pub title: String,
    pub playtime: f64,
    pub timestamp: i64,
    pub difficulty: String,
    pub ironman: bool,
    pub screenshot: (),
}

/// Opens a file of saves. `layers` has the key of an encrypted file.
pub fn load(path: impl AsRef<Path>, layers: OpenOptions) -> Result<TypedFile<Save>, TypedError> {
    let reading = Reading {
        dialect: Some(Dialect::Godot3),
        framing: Some(Framing::Frames(ByteOrder::Little)),
        layers,
        ..Reading::new()
    };
    TypedFile::open(path, &reading)
}

/// Reads the bytes of one value.
pub fn from_bytes(bytes: &[u8]) -> Result<Save, variant_serde::Error> {
    let options = Options::engine(Dialect::Godot3);
    from_slice(bytes, options.objects(Objects::Accept).limits(Limits::FILE))
}

/// The bytes of one value, as the engine writes it.
pub fn to_bytes(save: &Save) -> Result<Vec<u8>, variant_serde::Error> {
    to_vec(save, EncodeOptions::new(Dialect::Godot3).widths(Widths::Canonical))
}
