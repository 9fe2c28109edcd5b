// Read with variant_serde::from_slice::<Save>(bytes, Options::engine(dialect)).
#![allow(missing_docs)]

use std::collections::HashMap;

use serde::Deserialize;
use variant_owned::Variant;

#[derive(Clone, Debug, Deserialize)]
pub struct Save {
    pub version: i64,
    pub meta: Meta,
    pub player: Player,
    pub inventory: Vec<InventoryItem>,
    pub npcs: HashMap<String, Npc>,
    pub quests: Vec<Quest>,
    pub flags: HashMap<String, bool>,
    pub explored: Vec<u8>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Quest {
    pub id: i64,
    pub title: String,
    pub stage: i64,
    pub done: bool,
    pub log: Vec<String>,
    pub reward: Reward,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Reward {
    pub gold: i64,
    pub items: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Npc {
    pub name: String,
    pub pos: [f32; 3],
    pub home: [f32; 2],
    pub mood: f64,
    pub alive: bool,
    pub dialog_state: i64,
    pub path: Vec<[f32; 3]>,
    pub bounds: Variant,
    pub loot: Vec<LootItem>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct LootItem {
    pub id: String,
    pub name: String,
    pub count: i64,
    pub weight: f64,
    pub equipped: bool,
    pub color: [f32; 4],
    pub mods: Vec<Mod2>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Mod2 {
    pub stat: String,
    pub add: i64,
    pub mul: f64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct InventoryItem {
    pub id: String,
    pub name: String,
    pub count: i64,
    pub weight: f64,
    pub equipped: bool,
    pub color: [f32; 4],
    pub mods: Vec<Mod>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Mod {
    pub stat: String,
    pub add: i64,
    pub mul: f64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Player {
    pub name: String,
    pub level: i64,
    pub xp: i64,
    pub xp_total: i64,
    pub position: [f32; 3],
    pub rotation: Variant,
    pub stats: Stats,
    pub spawn: Variant,
    pub skills: Vec<String>,
    pub hotbar: Vec<i32>,
    pub transform: Variant,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Stats {
    pub str: i64,
    pub dex: i64,
    pub int: i64,
    pub hp: f64,
    pub hp_max: f64,
    pub mp: f64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Meta {
    pub slot: i64,
    pub title: String,
    pub playtime: f64,
    pub timestamp: i64,
    pub difficulty: String,
    pub ironman: bool,
    pub screenshot: (),
}
