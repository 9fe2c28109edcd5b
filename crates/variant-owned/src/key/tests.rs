//! Keys of all kinds, by the rules of all dialects.

use variant_view::{Dialect, Kind, Vector2};

use super::*;
use crate::leaf::NodePath;
use crate::object::Object;
use crate::text::Text;
use crate::{Dictionary, ElementType, array, dictionary};

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

#[expect(clippy::needless_pass_by_value, reason = "they are made for it")]
fn are_one(a: Variant, b: Variant, dialect: Dialect) -> bool {
    // Alone, and among others: many keys are found by their digests.
    let [few, many] = [0, 100].map(|others| {
        let mut all = Dictionary::with_rule(KeyRule::of(dialect));
        all.extend((0..others).map(|i| (i, i)));
        assert!(all.insert(a.clone(), 1).is_none());
        all.insert(b.clone(), 2).is_some()
    });
    assert_eq!(few, many, "{a:?} {b:?}");
    few
}

#[test]
fn texts_are_one_key_alone_and_two_in_an_array() {
    let name = |text: &str| Variant::StringName(text.into());
    for &dialect in Dialect::ALL {
        let is_one = dialect == Dialect::Godot4;
        assert_eq!(are_one("a".into(), name("a"), dialect), is_one);
        assert_eq!(are_one(name("a"), "a".into(), dialect), is_one);
        assert!(!are_one(array!["a"].into(), array![name("a")].into(), dialect));
        let key = |key: Variant| Variant::from(dictionary! { key => 1 });
        assert_eq!(are_one(key("a".into()), key(name("a")), dialect), is_one);
        let value = |value: Variant| Variant::from(dictionary! { 1 => value });
        assert!(!are_one(value("a".into()), value(name("a")), dialect));
    }
}

#[test]
fn declared_types_do_not_count() {
    let declared = |kind| Variant::from(crate::Array::with_type(kind));
    let builtin = ElementType::Builtin(Kind::Int);
    let class = ElementType::Class("Node".into());
    assert!(are_one(declared(builtin.clone()), array![].into(), Dialect::Godot4));
    assert!(are_one(declared(builtin.clone()), declared(class.clone()), Dialect::Godot4));

    let pair = dictionary! { 1 => 2 };
    for plain in [dictionary! {}, pair.clone()] {
        let declared = |key_type: &ElementType, value_type: &ElementType| {
            let mut all = plain.clone();
            all.set_types(key_type.clone(), value_type.clone());
            Variant::from(all)
        };
        let any = &ElementType::Any;
        for (key_type, value_type) in
            [(&builtin, any), (any, &builtin), (&class, &class), (&builtin, &class)]
        {
            let typed = || declared(key_type, value_type);
            assert!(are_one(typed(), plain.clone().into(), Dialect::Godot4));
            assert!(are_one(typed(), declared(&builtin, &builtin), Dialect::Godot4));
            assert!(are_one(array![typed()].into(), array![plain.clone()].into(), Dialect::Godot4));
            assert_eq!(are_one(typed(), pair.clone().into(), Dialect::Godot4), plain == pair);
        }
    }
}

#[test]
fn a_nan_inside_of_a_container_equals_no_other() {
    for &dialect in Dialect::ALL {
        let is_one = dialect != Dialect::Godot4;
        assert!(are_one(f64::NAN.into(), (-f64::NAN).into(), dialect));
        assert_eq!(are_one(array![f64::NAN].into(), array![f64::NAN].into(), dialect), is_one);
        let key = || Variant::from(dictionary! { f64::NAN => 1 });
        assert_eq!(are_one(key(), key(), dialect), !is_one);
        assert!(!are_one(
            dictionary! { 1 => f64::NAN }.into(),
            dictionary! { 1 => f64::NAN }.into(),
            dialect
        ));
    }
}

#[test]
fn of_nested_dictionaries_the_order_counts() {
    let (a, b) = (dictionary! { 1 => 1, "a" => 2 }, dictionary! { "a" => 2, 1 => 1 });
    assert!(!are_one(a.into(), b.into(), Dialect::Godot4));
}

#[test]
fn reals_are_compared_as_numbers() {
    let vector = |x: f32| Variant::from(Vector2 { x, y: 1.0 });
    let vectors = |x: f32| Variant::PackedVector2Array(vec![Vector2 { x, y: 1.0 }].into());
    let floats = |x: f32| Variant::PackedFloat32Array(vec![x]);
    for &dialect in Dialect::ALL {
        let bits = matches!(dialect, Dialect::Godot3 | Dialect::Pandemonium3);
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
        let is_lenient = dialect.text_rule() != variant_view::TextRule::Strict;
        assert_eq!(are_one(long, "ab".into(), dialect), is_lenient);
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

#[test]
fn texts_that_clearly_differ_are_different_keys() {
    let texts: [&[u8]; 12] = [
        b"",
        b"a",
        b"b",
        b"ab",
        b"a\0b",
        b"a\0c",
        b"\xef\xbb\xbfa",
        b"\xef\xbb\xbfb",
        b"a\xc3\xa9",
        b"a\xc3",
        b"a\x80",
        b"ac",
    ];
    for (a, b) in texts.iter().flat_map(|a| texts.map(|b| (*a, b))) {
        let keys = [a, b].map(|text| Variant::String(Text::from_bytes(text)));
        for &dialect in Dialect::ALL {
            let is_same = are_same(&keys[0], &keys[1], KeyRule::of(dialect));
            assert!(!is_same || !are_clearly_different(a, b), "{a:?} {b:?}");
        }
    }
    assert!(are_clearly_different(b"ab", b"ac") && !are_clearly_different(b"a", b"ab"));
}
