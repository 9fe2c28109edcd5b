//! The keys of a dictionary: their sameness and their order.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use variant_view::{
    Dialect, DictionaryView, NodePathView, ObjectForm, Result, StrView, VariantView,
};

/// A key and its value.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) key: Key,
    pub(super) name: VariantView<'a>,
    pub(super) value: VariantView<'a>,
}

/// The pairs that the engine keeps: of a repeated key the last value, in the place of the first.
pub(super) fn entries(dictionary: DictionaryView<'_>) -> Result<Vec<Entry<'_>>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut places = HashMap::new();
    for pair in dictionary {
        let (name, value) = pair?;
        let key = Key::new(name)?;
        match places.entry(key.clone()) {
            Slot::Vacant(slot) => {
                slot.insert(entries.len());
                entries.push(Entry { key, name, value });
            }
            Slot::Occupied(slot) => {
                if let Some(entry) = entries.get_mut(*slot.get()) {
                    entry.value = value;
                }
            }
        }
    }
    Ok(entries)
}

/// A value as a key: equal to another if the engine takes them for the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    /// Godot 3's number of the type.
    id: Option<u8>,
    content: Content,
}

/// Numbers are bits here, with one zero and one NaN, so that equality is the engine's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Content {
    /// The type is everything: null, a RID, no object.
    Unit,
    Bool(bool),
    Int(i64),
    Float(u64),
    Text(Vec<u32>),
    /// `Vector2` and `Vector3`, which have an order.
    Vector(Vec<u32>),
    /// The other mathematical types, which have none.
    Unordered(Vec<u32>),
    NodePath(bool, Vec<Vec<u32>>, Vec<Vec<u32>>),
    /// A dictionary or an object at this offset: the same only as itself.
    Reference(usize),
    Array(Vec<Key>),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Texts(Vec<Vec<u32>>),
    Reals(Vec<u32>),
}

impl Key {
    fn new(view: VariantView<'_>) -> Result<Self> {
        Ok(Self { id: Dialect::Godot3.id(view.kind()), content: Content::new(view)? })
    }

    /// The engine's `<` of variants. It is not an order for every type, hence not `Ord`.
    pub(super) fn is_less(&self, other: &Self) -> bool {
        if self.id == other.id { self.content.is_less(&other.content) } else { self.id < other.id }
    }
}

impl Content {
    fn new(view: VariantView<'_>) -> Result<Self> {
        Ok(match view {
            VariantView::Nil(_) | VariantView::Rid(_) => Self::Unit,
            VariantView::Bool(value) => Self::Bool(value.value()),
            VariantView::Int(value) => Self::Int(value.value()),
            VariantView::Float(value) => Self::Float(float_bits(value.value())),
            VariantView::String(value) => Self::Text(points(value)),
            VariantView::NodePath(path) => Self::node_path(path),
            VariantView::Dictionary(_) => Self::Reference(view.offset()),
            VariantView::Object(object) => match object.form() {
                ObjectForm::Null | ObjectForm::Id(0) => Self::Unit,
                _ => Self::Reference(view.offset()),
            },
            VariantView::Array(array) => {
                let keys = array.iter().map(|element| Key::new(element?));
                Self::Array(keys.collect::<Result<_>>()?)
            }
            _ => Self::of_numbers(view),
        })
    }

    fn node_path(path: NodePathView<'_>) -> Self {
        let names = path.names().map(points).collect();
        let subnames = path.subnames().map(points).collect();
        Self::NodePath(path.is_absolute(), names, subnames)
    }

    fn of_numbers(view: VariantView<'_>) -> Self {
        let bits = || super::reals(view).into_iter().map(real_bits).collect();
        match view {
            VariantView::PackedByteArray(bytes) => Self::Bytes(bytes.as_bytes().to_vec()),
            VariantView::PackedInt32Array(ints) => Self::Ints(ints.iter().collect()),
            VariantView::PackedStringArray(strings) => {
                Self::Texts(strings.iter().map(points).collect())
            }
            // Hashed byte by byte: 0.0 and -0.0 differ here.
            VariantView::PackedFloat32Array(packed) => {
                Self::Reals(packed.iter().map(f32::to_bits).collect())
            }
            VariantView::PackedVector2Array(_)
            | VariantView::PackedVector3Array(_)
            | VariantView::PackedColorArray(_) => Self::Reals(bits()),
            VariantView::Vector2(_) | VariantView::Vector3(_) => Self::Vector(bits()),
            _ => Self::Unordered(bits()),
        }
    }

    /// For keys of the same type. Where the engine has no `<`, nothing is less than anything.
    fn is_less(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a < b,
            (Self::Int(a), Self::Int(b)) => a < b,
            (Self::Float(a), Self::Float(b)) => f64::from_bits(*a) < f64::from_bits(*b),
            (Self::Text(a), Self::Text(b)) => a < b,
            (Self::Vector(a), Self::Vector(b)) => is_vector_less(a, b),
            (Self::Array(a), Self::Array(b)) => is_array_less(a, b),
            (Self::Bytes(a), Self::Bytes(b)) => a != b,
            (Self::Ints(a), Self::Ints(b)) => a != b,
            (Self::Texts(a), Self::Texts(b)) => a != b,
            (Self::Reals(a), Self::Reals(b)) => a.len() != b.len() || pairs(a, b).any(differ),
            _ => false,
        }
    }
}

/// By the first component that differs by more than the engine's tolerance, or by the last.
fn is_vector_less(a: &[u32], b: &[u32]) -> bool {
    let differing = pairs(a, b).find(|pair| !are_about_equal(*pair));
    differing.or(pairs(a, b).last()).is_some_and(|(a, b)| a < b)
}

fn are_about_equal((a, b): (f32, f32)) -> bool {
    !differ((a, b)) || (a - b).abs() < (a.abs() * 0.00001).max(0.00001)
}

/// Unlike equality of bits: a NaN differs from itself.
#[expect(clippy::float_cmp, reason = "as the engine compares them")]
fn differ((a, b): (f32, f32)) -> bool {
    a != b
}

fn pairs(a: &[u32], b: &[u32]) -> impl Iterator<Item = (f32, f32)> {
    a.iter().zip(b).map(|(a, b)| (f32::from_bits(*a), f32::from_bits(*b)))
}

/// A quirk of the engine: an array is less than one at least as long as soon as any of its elements is **not** less
/// than its counterpart. Packed arrays have another quirk: they are less when different. (With a longer array the
/// engine reads beyond the end of the shorter; that counts as different, too.)
fn is_array_less(a: &[Key], b: &[Key]) -> bool {
    a.len() <= b.len() && a.iter().zip(b).any(|(a, b)| !a.is_less(b))
}

fn points(text: StrView<'_>) -> Vec<u32> {
    text.code_points().collect()
}

fn float_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

fn real_bits(value: f32) -> u32 {
    if value.is_nan() { f32::NAN.to_bits() } else { (value + 0.0).to_bits() }
}
