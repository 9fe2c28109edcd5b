//! Which dictionary keys are the same (docs/format.md, section 6).

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use variant_view::{Dialect, Key, Kind};

mod same;
mod spelling;

use crate::eq::are_equal;
use crate::leaf::NodePath;
use crate::object::Object;
use crate::text::Text;
use crate::tree::{Visit, Walk};
use crate::variant::Variant;

/// When an engine takes two keys for the same.
///
/// In all of them by kind and value: `1`, `1.0` and `"1"` are three keys, all NaNs are one, and so are 0.0
/// and -0.0, also inside of vectors. An object is no other key's equal, nor is it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is one way in which dialects differ")]
pub struct KeyRule {
    one_text_key: bool,
    dictionaries_by_content: bool,
    packed_floats_by_bits: bool,
    absolute_empty_path: bool,
}

impl KeyRule {
    /// Godot 4: a `String` and a `StringName` of one text are one key, dictionaries compare by content.
    pub const GODOT_4: Self = Self::of(Dialect::Godot4);

    /// That of a dialect.
    pub const fn of(dialect: Dialect) -> Self {
        Self {
            one_text_key: dialect.has_one_text_key(),
            dictionaries_by_content: dialect.compares_dictionaries_by_content(),
            packed_floats_by_bits: dialect.compares_packed_floats_by_bits(),
            absolute_empty_path: dialect.has_absolute_empty_path(),
        }
    }
}

impl Default for KeyRule {
    /// [`KeyRule::GODOT_4`].
    fn default() -> Self {
        Self::GODOT_4
    }
}

/// What the engine reads of a text, in one spelling.
fn read_text(text: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    spelling::shortest(engine_bytes(text))
}

/// What the engine reads of a text: without a byte order mark, up to the first NUL.
pub(crate) fn engine_bytes(text: &[u8]) -> &[u8] {
    before_nul(without_bom(text))
}

fn before_nul(text: &[u8]) -> &[u8] {
    text.iter().position(|&byte| byte == 0).and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Looks no further than the first difference, or the first NUL.
#[inline]
fn same_text(a: &[u8], b: &[u8]) -> bool {
    // Most keys differ in the first byte, which decides unless the text ends there or has a mark in front.
    if let (Some(&first), Some(&other)) = (a.first(), b.first())
        && first != other
        && ![first, other].iter().any(|byte| matches!(byte, 0 | 0xe0..))
    {
        return false;
    }
    let (a, b) = (without_bom(a), without_bom(b));
    let at = a.iter().zip(b).position(|(a, b)| a != b || *a == 0);
    let at = at.unwrap_or(a.len().min(b.len()));
    let [next, other] = [a, b].map(|text| text.get(at).copied().unwrap_or(0));
    // A sequence may be longer than it has to be, but not one of two bytes.
    next == other || (next.max(other) >= 0xe0 && same_spelled(a, b))
}

/// Of texts without a byte order mark.
#[cold]
fn same_spelled(a: &[u8], b: &[u8]) -> bool {
    spelling::shortest(before_nul(a)) == spelling::shortest(before_nul(b))
}

fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Whether two keys are the same, of which one at least has no identity. O(bytes of the keys).
pub(crate) fn are_same(a: &Variant, b: &Variant, rule: KeyRule) -> bool {
    match (a, b) {
        (Variant::String(_) | Variant::StringName(_) | Variant::Int(_), _) => {
            same::leaves(a, b, rule)
        }
        _ => are_equal(a, b, |a, b| same::leaves(a, b, rule)),
    }
}

/// Whether `variant` is the key that is looked for.
pub(crate) fn is_key(variant: &Variant, key: &Key<'_>, rule: KeyRule) -> bool {
    match (variant, key) {
        (Variant::String(own), Key::String(text))
        | (Variant::StringName(own), Key::StringName(text)) => same_text(own.as_bytes(), text),
        (Variant::String(own), Key::StringName(text))
        | (Variant::StringName(own), Key::String(text)) => {
            rule.one_text_key && same_text(own.as_bytes(), text)
        }
        (Variant::Nil, Key::Nil) => true,
        (Variant::Bool(own), Key::Bool(value)) => own == value,
        (Variant::Int(own), Key::Int(value)) => own.value() == *value,
        (Variant::Float(own), Key::Float(value)) => float_bits(own.value()) == float_bits(*value),
        _ => false,
    }
}

/// Whether a key equals none but itself, because it compares by reference or holds something that does, or
/// not even itself.
pub(crate) fn has_identity(key: &Variant, rule: KeyRule) -> bool {
    match key {
        Variant::String(_) | Variant::StringName(_) | Variant::Int(_) | Variant::Float(_) => false,
        _ => Walk::new(key).any(|visit| match visit {
            Visit::Leaf(value, _) | Visit::Enter(value, _) => is_unlike_any(value, rule),
            Visit::Exit => false,
        }),
    }
}

fn is_unlike_any(value: &Variant, rule: KeyRule) -> bool {
    match value {
        Variant::Dictionary(_) => !rule.dictionaries_by_content,
        Variant::Object(object) => matches!(**object, Object::Full { .. } | Object::Id(1..)),
        Variant::Callable | Variant::Image(_) | Variant::InputEvent(_) => true,
        Variant::PackedFloat32Array(floats) => {
            rule.packed_floats_by_bits && floats.iter().any(|float| float.is_nan())
        }
        _ => false,
    }
}

/// Numbers that are the same key have the same bits.
fn float_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

/// The hash of a key, equal for keys that are the same. O(bytes of the key).
pub(crate) fn hash(key: &Variant, rule: KeyRule, state: &RandomState) -> u64 {
    let mut hasher = state.build_hasher();
    for visit in Walk::new(key) {
        match visit {
            Visit::Leaf(value, _) => hash_leaf(value, rule, &mut hasher),
            Visit::Enter(value, _) => value.kind().hash(&mut hasher),
            Visit::Exit => hasher.write_u8(0),
        }
    }
    hasher.finish()
}

/// The hash of a key that is looked for; the same as [`hash`] of it as a value.
pub(crate) fn hash_key(key: &Key<'_>, rule: KeyRule, state: &RandomState) -> u64 {
    let mut hasher = state.build_hasher();
    match *key {
        Key::Nil => Kind::Nil.hash(&mut hasher),
        Key::Bool(value) => hash_bool(value, &mut hasher),
        Key::Int(value) => hash_int(value, &mut hasher),
        Key::Float(value) => hash_float(value, &mut hasher),
        Key::StringName(text) => hash_text(Kind::StringName, text, rule, &mut hasher),
        Key::String(text) => hash_text(Kind::String, text, rule, &mut hasher),
        _ => {}
    }
    hasher.finish()
}

fn hash_bool(value: bool, hasher: &mut impl Hasher) {
    Kind::Bool.hash(hasher);
    value.hash(hasher);
}

fn hash_int(value: i64, hasher: &mut impl Hasher) {
    Kind::Int.hash(hasher);
    value.hash(hasher);
}

fn hash_float(value: f64, hasher: &mut impl Hasher) {
    Kind::Float.hash(hasher);
    float_bits(value).hash(hasher);
}

fn hash_text(kind: Kind, text: &[u8], rule: KeyRule, hasher: &mut impl Hasher) {
    let kind = if rule.one_text_key { Kind::String } else { kind };
    kind.hash(hasher);
    read_text(text).hash(hasher);
}

/// Kinds whose keys are rarely many give the kind and whatever of the value is simple to hash.
fn hash_leaf(value: &Variant, rule: KeyRule, hasher: &mut impl Hasher) {
    match value {
        Variant::Bool(value) => hash_bool(*value, hasher),
        Variant::Int(value) => hash_int(value.value(), hasher),
        Variant::Float(value) => hash_float(value.value(), hasher),
        Variant::String(text) | Variant::StringName(text) => {
            hash_text(value.kind(), text.as_bytes(), rule, hasher);
        }
        other => {
            other.kind().hash(hasher);
            hash_contents(other, hasher);
        }
    }
}

fn hash_contents(value: &Variant, hasher: &mut impl Hasher) {
    match value {
        Variant::Vector2i(v) => done(v.map(|n| n.hash(hasher))),
        Variant::Vector3i(v) => done(v.map(|n| n.hash(hasher))),
        Variant::Vector4i(v) => done(v.map(|n| n.hash(hasher))),
        Variant::Rect2i(v) => done(v.map(|n| n.hash(hasher))),
        Variant::Vector2(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Vector3(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Vector4(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Rect2(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Plane(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Quaternion(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Transform2D(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Aabb(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Basis(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Transform3D(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Projection(v) => done(v.f64().map(|n| hash_real(n, hasher))),
        Variant::Color(v) => done(v.map(|n| hash_real(n.into(), hasher))),
        Variant::NodePath(v) => hash_path(v, hasher),
        Variant::Rid(v) => v.hash(hasher),
        Variant::Signal(v) => v.hash(hasher),
        packed => hash_packed(packed, hasher),
    }
}

fn hash_path(path: &NodePath, hasher: &mut impl Hasher) {
    hash_texts(&path.names, hasher);
    hash_texts(&path.subnames, hasher);
    path.plain.as_ref().map(|text| read_text(text.as_bytes())).hash(hasher);
}

fn hash_texts(texts: &[Text], hasher: &mut impl Hasher) {
    for text in texts {
        read_text(text.as_bytes()).hash(hasher);
    }
}

fn hash_packed(value: &Variant, hasher: &mut impl Hasher) {
    match value {
        Variant::PackedByteArray(v) => v.hash(hasher),
        Variant::PackedInt32Array(v) => v.hash(hasher),
        Variant::PackedInt64Array(v) => v.hash(hasher),
        Variant::PackedFloat32Array(v) => v.iter().for_each(|&n| hash_real(n.into(), hasher)),
        Variant::PackedFloat64Array(v) => v.iter().for_each(|&n| hash_real(n, hasher)),
        Variant::PackedStringArray(v) => hash_texts(v, hasher),
        Variant::PackedVector2iArray(v) => v.iter().for_each(|v| done(v.map(|n| n.hash(hasher)))),
        Variant::PackedVector3iArray(v) => v.iter().for_each(|v| done(v.map(|n| n.hash(hasher)))),
        Variant::PackedVector4iArray(v) => v.iter().for_each(|v| done(v.map(|n| n.hash(hasher)))),
        Variant::PackedColorArray(v) => {
            for v in v {
                done(v.map(|n| hash_real(n.into(), hasher)));
            }
        }
        Variant::PackedVector2Array(v) => {
            v.iter_f64().for_each(|v| done(v.map(|n| hash_real(n, hasher))));
        }
        Variant::PackedVector3Array(v) => {
            v.iter_f64().for_each(|v| done(v.map(|n| hash_real(n, hasher))));
        }
        Variant::PackedVector4Array(v) => {
            v.iter_f64().for_each(|v| done(v.map(|n| hash_real(n, hasher))));
        }
        _ => {}
    }
}

fn hash_real(value: f64, hasher: &mut impl Hasher) {
    float_bits(value).hash(hasher);
}

/// Takes the nothings that hashing each number of a structure gives.
fn done<T>(_: T) {}

#[cfg(test)]
mod tests {
    use variant_view::Vector2;

    use super::*;
    use crate::{Dictionary, array, dictionary};

    #[test]
    fn numbers_and_texts() {
        let mut all = Dictionary::new();
        for key in [Variant::from(1), Variant::from(1.0), Variant::from("1"), Variant::from(true)] {
            assert!(all.insert(key, 0).is_none());
        }
        assert!(all.insert(0.0, 1).is_none());
        assert!(all.insert(-0.0, 2).is_some());
        assert!(all.insert(f64::NAN, 1).is_none());
        assert!(all.insert(-f64::NAN, 1).is_some());
        assert!(all.insert(Variant::StringName("1".into()), 1).is_some());
    }

    fn are_one(a: Variant, b: Variant, dialect: Dialect) -> bool {
        // Many, so that they are looked for by their hashes.
        let mut all = Dictionary::with_rule(KeyRule::of(dialect));
        all.extend((0..100).map(|i| (i, i)));
        assert!(all.insert(a, 1).is_none());
        all.insert(b, 2).is_some()
    }

    #[test]
    fn reals_are_compared_as_numbers() {
        let vector = |x: f32| Variant::from(Vector2 { x, y: 1.0 });
        let vectors = |x: f32| Variant::PackedVector2Array(vec![Vector2 { x, y: 1.0 }].into());
        let floats = |x: f32| Variant::PackedFloat32Array(vec![x]);
        for &dialect in Dialect::ALL {
            let bits = dialect == Dialect::Godot3;
            for (a, b) in [(f32::NAN, -f32::NAN), (0.0, -0.0)] {
                assert!(are_one(vector(a), vector(b), dialect));
                assert!(are_one(array![vector(a)].into(), array![vector(b)].into(), dialect));
                assert!(are_one(vectors(a), vectors(b), dialect));
                assert_eq!(are_one(floats(a), floats(b), dialect), !bits);
            }
            assert_eq!(are_one(floats(f32::NAN), floats(f32::NAN), dialect), !bits);
            assert!(are_one(floats(1.5), floats(1.5), dialect));
        }
    }

    #[test]
    fn names_are_compared_as_read() {
        let path = |text: &str| NodePath { names: vec![text.into()], ..NodePath::default() };
        let strings = |text: &str| Variant::PackedStringArray(vec![text.into()]);
        for &dialect in Dialect::ALL {
            assert!(are_one(path("\u{feff}a\0b").into(), path("a").into(), dialect));
            assert!(are_one(strings("a\0b"), strings("\u{feff}a"), dialect));
            assert!(!are_one(strings("a"), strings("b"), dialect));
            let long = Variant::String(Text::from_bytes(b"\xe0\x81\xa1b"));
            assert!(are_one(long, "ab".into(), dialect));
            let root = NodePath { is_absolute: true, ..NodePath::default() };
            let is_one = are_one(root.into(), NodePath::default().into(), dialect);
            assert_eq!(is_one, dialect != Dialect::Godot4);
        }
    }

    #[test]
    fn objects_are_no_other_s_equal() {
        let id = |id| Variant::from(Object::Id(id));
        for &dialect in Dialect::ALL {
            assert!(!are_one(id(5), id(5), dialect));
            assert!(!are_one(array![id(5)].into(), array![id(5)].into(), dialect));
            assert!(are_one(id(0), Object::Null.into(), dialect));
            assert!(!are_one(id(0), Variant::Nil, dialect));
        }
    }

    #[test]
    fn the_rule_is_the_dialect_s() {
        let godot3 = KeyRule::of(Dialect::Godot3);
        let mut all = Dictionary::with_rule(godot3);
        assert!(all.insert(dictionary! {}, 1).is_none());
        assert!(all.insert(dictionary! {}, 2).is_none());
        assert!(all.insert(array![1], 3).is_none());
        assert!(all.insert(array![1], 4).is_some());
        assert!(all.insert(array![dictionary! {}], 5).is_none());
        assert!(all.insert(array![dictionary! {}], 6).is_none());
        let mut all = Dictionary::new();
        assert!(all.insert(dictionary! {}, 1).is_none());
        assert!(all.insert(dictionary! {}, 2).is_some());
        let mut names = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
        assert!(names.insert("k", 1).is_none());
        assert!(names.insert(Variant::StringName("k".into()), 1).is_none());
    }
}
