//! A save as an archive of `rkyv`, in two forms. The first is a tree of any value, as in the other formats. The second
//! has the structures of a program that knows its save, which is the intended use of `rkyv`.

use rkyv::rancor::{self, Source};
use rkyv::ser::{Allocator, Writer};
use rkyv::util::AlignedVec;
use rkyv::validation::ArchiveContext;
use rkyv::{Archive, Serialize};
use variant_owned::{Array, Variant};

use crate::formats::key;

/// Any value.
#[derive(Archive, Debug, Serialize)]
#[rkyv(serialize_bounds(__S: Writer + Allocator, __S::Error: Source))]
#[rkyv(bytecheck(bounds(__C: ArchiveContext)))]
pub enum Tree {
    /// `null`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(String),
    /// Two components.
    Vector2([f32; 2]),
    /// Elements.
    Array(#[rkyv(omit_bounds)] Vec<Tree>),
    /// Pairs in order.
    Dictionary(#[rkyv(omit_bounds)] Vec<(String, Tree)>),
}

/// The contents of `save_10k`.
#[derive(Archive, Debug, Serialize)]
pub struct Save {
    /// The version of the file.
    pub version: i32,
    /// The name of the save.
    pub name: String,
    /// The records.
    pub items: Vec<Item>,
}

/// One of the records of a [`Save`].
#[derive(Archive, Debug, Serialize)]
pub struct Item {
    /// Its id.
    pub id: i32,
    /// Its name.
    pub name: String,
    /// Its health.
    pub hp: f32,
    /// Its position.
    pub pos: [f32; 2],
    /// Whether it is switched on.
    pub on: bool,
}

/// An archive of any value.
pub fn to_tree(value: &Variant) -> AlignedVec {
    rkyv::to_bytes::<rancor::Error>(&tree(value)).expect("memory")
}

fn tree(value: &Variant) -> Tree {
    match value {
        Variant::Bool(v) => Tree::Bool(*v),
        Variant::Int(v) => Tree::Int(v.value()),
        Variant::Float(v) => Tree::Float(v.value()),
        Variant::String(v) | Variant::StringName(v) => Tree::Text(v.to_str_lossy().into_owned()),
        Variant::Vector2(v) => Tree::Vector2([v.f32().x, v.f32().y]),
        Variant::Array(v) => Tree::Array(v.iter().map(tree).collect()),
        Variant::Dictionary(v) => {
            Tree::Dictionary(v.iter().map(|(name, value)| (key(name), tree(value))).collect())
        }
        _ => Tree::Nil,
    }
}

/// An archive of the structures.
pub fn to_structures(save: &Variant) -> AlignedVec {
    rkyv::to_bytes::<rancor::Error>(&structures(save)).expect("memory")
}

fn structures(save: &Variant) -> Save {
    let Variant::Array(items) = field(save, "items") else { return empty() };
    Save {
        version: int(field(save, "version")),
        name: key(field(save, "name")),
        items: items_of(items),
    }
}

const fn empty() -> Save {
    Save { version: 0, name: String::new(), items: Vec::new() }
}

fn items_of(items: &Array) -> Vec<Item> {
    let item = |item: &Variant| Item {
        id: int(field(item, "id")),
        name: key(field(item, "name")),
        hp: float(field(item, "hp")),
        pos: lanes(field(item, "pos")),
        on: field(item, "on").as_bool().unwrap_or_default(),
    };
    items.iter().map(item).collect()
}

fn field<'v>(value: &'v Variant, name: &str) -> &'v Variant {
    let Variant::Dictionary(fields) = value else { return &Variant::Nil };
    fields.get(name).expect("the save has it")
}

fn int(value: &Variant) -> i32 {
    value.as_i64().and_then(|n| n.try_into().ok()).expect("a narrow number")
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "stored in 32 bits")]
fn float(value: &Variant) -> f32 {
    value.as_f64().expect("a number") as f32
}

fn lanes(value: &Variant) -> [f32; 2] {
    let Variant::Vector2(v) = value else { return [0.0; 2] };
    [v.f32().x, v.f32().y]
}
