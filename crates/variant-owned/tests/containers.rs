//! Arrays, dictionaries and objects as collections: look-up, change, iteration, equality and `Debug`.

use std::collections::HashMap;
use std::fmt::Debug;

use variant_owned::{
    Array, Dictionary, ElementType, Entry, KeyRule, Object, Properties, Text, Variant, array,
    dictionary,
};
use variant_view::{Dialect, Kind};

/// A dictionary of `count` pairs with keys of several kinds. The small ones have no index, the large ones have one.
fn sample(count: i64) -> Dictionary {
    let key = |at: i64| match at % 5 {
        0 => Variant::from(format!("key {at}")),
        1 => Variant::StringName(format!("name {at}").as_str().into()),
        2 => at.into(),
        3 => Variant::TypedArray(array![at]),
        _ => array![at, "part"].into(),
    };
    (0..count).map(|at| (key(at), Variant::from(at * 10))).collect()
}

const COUNTS: [i64; 7] = [0, 1, 4, 8, 9, 17, 70];

/// Each dictionary with each of its keys, and with a key that it lacks.
fn look_ups() -> impl Iterator<Item = (Dictionary, Variant)> {
    COUNTS.into_iter().map(sample).flat_map(|all| {
        let keys: Vec<Variant> = all.keys().cloned().chain([array!["absent"].into()]).collect();
        keys.into_iter().map(move |key| (all.clone(), key))
    })
}

/// The same pairs without the pair of `key`, added one by one.
fn without(all: &Dictionary, key: &Variant) -> Dictionary {
    let left = all.iter().filter(|(own, _)| *own != key);
    left.map(|(own, value)| (own.clone(), value.clone())).collect()
}

#[test]
fn an_entry_finds_what_a_look_up_finds() {
    for (all, key) in look_ups() {
        let mut own = all.clone();
        let entry = own.entry(key.clone());
        assert_eq!(entry.key(), &key);
        match (entry, all.get_variant(&key)) {
            (Entry::Occupied(mut entry), Some(found)) => {
                assert_eq!((entry.key(), entry.get()), (&key, found));
                assert_eq!(entry.get_mut(), found);
                assert_eq!(
                    format!("{entry:?}"),
                    format!("OccupiedEntry {{ key: {key:?}, value: {found:?} }}")
                );
            }
            (Entry::Vacant(entry), None) => {
                assert_eq!(entry.key(), &key);
                assert_eq!(format!("{entry:?}"), format!("VacantEntry({key:?})"));
                assert_eq!(entry.into_key(), key);
            }
            (entry, found) => panic!("{entry:?}, {found:?}"),
        }
        assert_eq!(own, all);
    }
}

#[test]
fn an_entry_inserts_as_a_dictionary_does() {
    for (all, key) in look_ups() {
        let (mut expected, mut own) = (all.clone(), all.clone());
        let old = expected.insert(key.clone(), "new");
        let replaced = match own.entry(key.clone()) {
            Entry::Occupied(mut entry) => Some(entry.insert("new")),
            Entry::Vacant(entry) => {
                assert_eq!(entry.insert("new"), &Variant::from("new"));
                None
            }
        };
        assert_eq!((replaced, &own), (old, &expected));
        assert_eq!(own.get_variant(&key), Some(&"new".into()));

        let mut own = all.clone();
        let kept = all.get_variant(&key).cloned().unwrap_or_else(|| 7.into());
        assert_eq!(own.entry(key.clone()).or_insert(7), &kept);
        *own.entry(key.clone()).and_modify(|value| *value = 8.into()).or_insert(9) = "new".into();
        assert_eq!(own, expected);
    }
}

#[test]
fn only_a_present_value_is_modified() {
    for (all, key) in look_ups() {
        let mut own = all.clone();
        let entry = own.entry(key.clone()).and_modify(|value| *value = "changed".into());
        let is_present = matches!(entry, Entry::Occupied(_));
        assert_eq!(is_present, all.get_variant(&key).is_some());
        let changed = own.values().filter(|value| value.as_str() == Some("changed")).count();
        assert_eq!((changed, own.len()), (usize::from(is_present), all.len()));
    }
}

#[test]
fn an_entry_removes_its_pair_and_no_other() {
    for (all, key) in look_ups() {
        let mut own = all.clone();
        let Entry::Occupied(entry) = own.entry(key.clone()) else { continue };
        assert_eq!(Some(&entry.remove()), all.get_variant(&key));
        assert_eq!(own, without(&all, &key));
        for (key, value) in &own {
            assert_eq!(own.get_variant(key), Some(value));
        }
        assert!(own.get_variant(&key).is_none());
    }
}

/// A dictionary of few leaf keys has no index, not even if it is typed or has the rule of another dialect.
#[test]
fn pairs_are_retained_with_and_without_an_index() {
    let mut typed = Dictionary::new();
    typed.set_types(ElementType::Builtin(Kind::Int), ElementType::Any);
    let other = Dictionary::with_rule(KeyRule::of(Dialect::Pandemonium5));
    for empty in [Dictionary::new(), typed, other] {
        for len in [4_i64, 40] {
            let mut own = empty.clone();
            own.extend((0..len).map(|at| (at, at * 10)));
            own.retain(|key, _| key.as_i64().is_some_and(|key| key % 2 == 0));
            let keys: Vec<i64> = own.keys().map(|key| key.as_i64().unwrap()).collect();
            assert!(keys.into_iter().eq((0..len).step_by(2)), "{own:?}");
            for at in 0..len {
                let kept = (at % 2 == 0).then(|| Variant::from(at * 10));
                assert_eq!(own.get(at), kept.as_ref(), "{at} of {len}");
            }
            assert_eq!((own.key_type(), own.rule()), (empty.key_type(), empty.rule()));
        }
    }
}

#[test]
fn mutable_iterators_change_what_the_shared_ones_show() {
    for count in COUNTS {
        let expected: Vec<Variant> = (0..count).map(|at| (at * 10 + 1).into()).collect();
        let add = |value: &mut Variant| *value = (value.as_i64().unwrap() + 1).into();
        let all = sample(count);

        let mut own = all.clone();
        own.values_mut().for_each(add);
        assert!(own.values().eq(&expected) && own.keys().eq(all.keys()));
        let mut own = all.clone();
        for (_, value) in &mut own {
            add(value);
        }
        assert!(own.values().eq(&expected) && own.keys().eq(all.keys()));

        let elements: Array = all.values().cloned().collect();
        let mut own = elements.clone();
        own.iter_mut().for_each(add);
        assert!(own.iter().eq(&expected));
        let mut own = elements;
        for element in &mut own {
            add(element);
        }
        assert_eq!(own.as_slice(), expected);
    }
}

/// Asserts that an iterator has the same items from the back, and that its `Debug` shows the number that is left.
fn assert_two_ends<I>(
    name: &str,
    make: impl Fn() -> I,
    is_same: impl Fn(&I::Item, &I::Item) -> bool,
) where
    I: DoubleEndedIterator + ExactSizeIterator + Debug,
{
    let forward: Vec<_> = make().collect();
    let backward: Vec<_> = make().rev().collect();
    assert_eq!(forward.len(), backward.len());
    assert!(forward.iter().zip(backward.iter().rev()).all(|(a, b)| is_same(a, b)), "{name}");
    let mut all = make();
    for left in (0..forward.len()).rev() {
        let item = if left % 2 == 0 { all.next() } else { all.next_back() };
        assert!(item.is_some());
        assert_eq!((all.len(), format!("{all:?}")), (left, format!("{name}({left} left)")));
    }
    assert!(all.next().is_none() && all.next_back().is_none());
}

#[test]
fn pairs_are_read_from_both_ends() {
    for count in COUNTS {
        let all = sample(count);
        assert_two_ends("Pairs", || all.iter(), |a, b| a == b);
        assert_two_ends("Keys", || all.keys(), |a, b| a == b);
        assert_two_ends("Values", || all.values(), |a, b| a == b);
        assert_two_ends("IntoPairs", || all.clone().into_iter(), |a, b| a == b);
        let (mut changed, mut values) = (all.clone(), all.clone());
        changed.iter_mut().rev().enumerate().for_each(|(at, (_, value))| *value = at.into_value());
        values.values_mut().rev().enumerate().for_each(|(at, value)| *value = at.into_value());
        assert!(changed.values().eq(values.values()));
        assert!(changed.values().rev().enumerate().all(|(at, value)| *value == at.into_value()));
        assert_eq!(format!("{:?}", changed.iter_mut()), format!("PairsMut({count} left)"));
        assert_eq!(format!("{:?}", changed.values_mut()), format!("ValuesMut({count} left)"));
    }
}

trait IntoValue {
    fn into_value(self) -> Variant;
}

impl IntoValue for usize {
    fn into_value(self) -> Variant {
        i64::try_from(self).unwrap().into()
    }
}

#[test]
fn containers_are_equal_with_equal_types_and_items() {
    let int = || ElementType::Builtin(Kind::Int);
    let typed = |element_type, items: &[i64]| {
        let mut array = Array::with_type(element_type);
        array.extend(items.iter().copied());
        array
    };
    let arrays = [
        typed(ElementType::Any, &[]),
        typed(int(), &[]),
        typed(ElementType::Any, &[1, 2]),
        typed(int(), &[1, 2]),
        typed(int(), &[1, 3]),
        typed(int(), &[1]),
    ];
    let of = |types: (ElementType, ElementType), pairs: &[(i64, i64)]| {
        let mut all: Dictionary = pairs.iter().copied().collect();
        all.set_types(types.0, types.1);
        all
    };
    let any = || ElementType::Any;
    let dictionaries = [
        of((any(), any()), &[]),
        of((int(), any()), &[]),
        of((any(), int()), &[]),
        of((any(), any()), &[(1, 2)]),
        of((int(), any()), &[(1, 2)]),
        of((any(), any()), &[(1, 3)]),
        of((any(), any()), &[(2, 2)]),
        of((any(), any()), &[(1, 2), (2, 2)]),
        of((any(), any()), &[(2, 2), (1, 2)]),
    ];
    let named = |all: &[(&str, i64)]| {
        let mut properties = Properties::new();
        for &(name, value) in all {
            properties.push(name, value);
        }
        properties
    };
    let properties = [
        named(&[]),
        named(&[("a", 1)]),
        named(&[("b", 1)]),
        named(&[("a", 2)]),
        named(&[("a", 1), ("a", 1)]),
    ];
    assert_distinct(&arrays);
    assert_distinct(&dictionaries);
    assert_distinct(&properties);
    // Whole values are compared by other code.
    let object = |properties| Object::Full { class: "A".into(), properties };
    let of_arrays = arrays.map(Variant::from).into_iter();
    let all = of_arrays.chain(dictionaries.map(Variant::from));
    let all = all.chain(properties.map(|all| object(all).into()));
    assert_distinct(&all.chain([Object::new("B").into()]).collect::<Vec<_>>());
    assert_distinct(&[
        Object::Null,
        Object::Id(1),
        Object::Id(2),
        Object::new("A"),
        Object::new("B"),
    ]);
}

#[test]
fn a_dictionary_has_the_types_that_were_declared_last() {
    let [any, int] = [ElementType::Any, ElementType::Builtin(Kind::Int)];
    let class = ElementType::Class("Node".into());
    let mut all = dictionary! { 1 => 2 };
    for (key, value) in [(&int, &any), (&any, &class), (&class, &int), (&any, &any)] {
        all.set_types(key.clone(), value.clone());
        assert_eq!((all.key_type(), all.value_type()), (key, value));
        assert_eq!(all.get(1), Some(&2.into()));
    }
}

/// Asserts that each value equals its copy and no other value.
fn assert_distinct<T: PartialEq + Clone + Debug>(all: &[T]) {
    for (at, a) in all.iter().enumerate() {
        for (other, b) in all.iter().enumerate() {
            assert_eq!(*a == b.clone(), at == other, "{a:?}, {b:?}");
        }
    }
}

#[test]
fn an_object_has_an_id_or_a_class_or_neither() {
    let mut full = Object::new("Node");
    full.properties_mut().unwrap().push("hp", 7);
    for (object, id, class, len) in [
        (Object::Null, None, None, 0),
        (Object::Id(9), Some(9), None, 0),
        (full, None, Some("Node"), 1),
    ] {
        assert_eq!(object.id(), id);
        assert_eq!(object.class().and_then(Text::to_str), class);
        assert_eq!((object.len(), object.is_empty()), (len, len == 0));
        assert_eq!(object.properties().map(Properties::len), class.map(|_| len));
        assert_eq!(object.properties().is_some_and(|all| !all.is_empty()), len > 0);
    }
}

#[test]
fn properties_are_read_in_their_order() {
    let mut all = Properties::new();
    assert!(all.is_empty() && all.rule() == KeyRule::GODOT_4);
    for (at, name) in ["b", "a", "b"].iter().enumerate() {
        all.push(*name, at.into_value());
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| name.to_str().unwrap()).collect();
    assert_eq!(names, ["b", "a", "b"]);
    assert!((&all).into_iter().eq(all.as_slice()) && !all.is_empty());
}

#[test]
fn debug_shows_containers_and_their_items() {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("hp", 7);
    assert_eq!(format!("{:?}", array![1, "a", array![true]]), r#"[1, "a", [true]]"#);
    assert_eq!(format!("{:?}", dictionary! { "a" => 1, 2 => array![] }), r#"{"a": 1, 2: []}"#);
    assert_eq!(format!("{:?}", object.properties().unwrap()), r#"{"hp": 7}"#);
    assert_eq!(format!("{object:?}"), r#"Node {"hp": 7}"#);
    let nested = array![object.clone(), Object::Null, Object::Id(9)];
    assert_eq!(format!("{:?}", Variant::from(nested)), "[Node(hp: 7), Object(null), Object#9]");
    assert_eq!(format!("{:?} {:?}", Object::Null, Object::Id(9)), "Object(null) Object#9");
    // A container and the value that holds it have the same text.
    for count in COUNTS {
        let all = sample(count);
        assert_eq!(format!("{all:?}"), format!("{:?}", Variant::from(all)));
        let array: Array = sample(count).values().cloned().collect();
        assert_eq!(format!("{array:?}"), format!("{:?}", Variant::from(array)));
    }
}

/// Texts of each length around the limits of the inline form.
#[test]
fn a_text_compares_and_hashes_like_its_bytes() {
    let bytes: Vec<u8> = (b'!'..=b'~').collect();
    let all: HashMap<Text, usize> = (0..40).map(|len| (Text::from(&bytes[..len]), len)).collect();
    assert_eq!(all.len(), 40);
    for len in 0..40 {
        let text = std::str::from_utf8(&bytes[..len]).unwrap();
        assert_eq!(all.get(text.as_bytes()), Some(&len));
        let own = Text::from(text.to_owned());
        assert!(own == *text && own == text && own == Text::from(&mut bytes.clone()[..len]));
        assert!(own != *"other" && own != "other" && own < Text::from(&bytes[..=len]));
    }
}
