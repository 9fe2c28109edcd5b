// Read with variant_serde::from_slice::<Save>(bytes, Options::engine(dialect)).
#![allow(missing_docs)]

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub struct Save {
    pub version: i64,
    pub name: String,
    pub pos: [f32; 3],
    pub entities: Vec<Entity>,
    pub typed: Vec<i64>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Entity {
    pub id: i64,
    pub hp: f64,
    pub tag: String,
    pub p: Vec<i64>,
    pub q: Vec<f64>,
    pub v4: [f32; 4],
}
