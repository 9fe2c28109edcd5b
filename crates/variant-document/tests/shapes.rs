//! Tests the shapes of values: their kinds, optional keys and ranges, and that their size is bounded.

use variant_document::shape::{Facts, Shapes, Type};
use variant_owned::{
    Array, ElementType, EncodeOptions, Float, Int, Variant, array, dictionary, encode, from_text,
};
use variant_view::{Dialect, Document, Kind, Objects, Options, Reals, Vector2, Vector3, Width};

fn shape_of(values: &[Variant]) -> Type {
    let options = EncodeOptions::new(Dialect::Godot4).reals(Reals::ByFlag);
    let encoded: Vec<_> = values.iter().map(|value| encode(value, options).unwrap()).collect();
    let mut shapes = Shapes::new();
    for bytes in &encoded {
        let options = Options::engine(Dialect::Godot4).objects(Objects::Accept);
        shapes.add(Document::new(bytes, options)).unwrap();
    }
    shapes.into_type()
}

fn only(of: &Type) -> &Facts {
    assert_eq!(of.kinds.len(), 1, "{of:?}");
    &of.kinds[0]
}

fn field<'t>(of: &'t Facts, name: &str) -> &'t Type {
    &of.fields.iter().find(|(field, _)| field == name).unwrap().1
}

#[test]
fn reals_tell_their_width() {
    let one = Vector3::<f32>::new(1.0, 2.0, 3.0);
    let two = Vector3::<f64>::new(1.0, 2.0, 3.0);
    let point = Vector2::<f64>::new(1.0, 2.0);
    let save = |at: Variant| {
        Variant::from(dictionary! {
            "at" => at,
            "path" => vec![point],
            "none" => Vec::<Vector2<f64>>::new(),
            "bytes" => vec![1_u8],
            "cell" => Vector2::<i32>::new(1, 2),
        })
    };
    let of = shape_of(&[save(one.into()), save(two.into())]);
    let widths = |name| {
        let facts = only(field(only(&of), name));
        (facts.has_narrow, facts.has_wide)
    };
    assert_eq!(widths("at"), (true, true));
    assert_eq!(widths("path"), (false, true));
    assert_eq!(widths("none"), (false, true));
    assert_eq!(widths("bytes"), (false, false));
    assert_eq!(widths("cell"), (false, false));

    let mut narrow = shape_of(&[one.into()]);
    assert!(!only(&narrow).has_wide);
    narrow.merge(shape_of(&[two.into()]));
    assert!(only(&narrow).has_narrow && only(&narrow).has_wide);
}

#[test]
fn containers_and_texts_have_lengths_and_vectors_have_none() {
    let values = array![
        vec![1_i32, 2],
        vec![3_i32],
        Vector2::<i32>::new(1, 2),
        dictionary! { "a" => 1, "b" => 2, "c" => 3 },
        dictionary! {},
        array![1, 2],
        "text",
        from_text(r#"Object(Node, "hp": 7)"#).unwrap(),
        from_text(r#"PackedStringArray("a", "b")"#).unwrap(),
        7,
    ];
    let of = shape_of(&[values.into()]);
    let items = only(&of).items.as_ref().unwrap();
    let lens: Vec<_> = items.kinds.iter().map(|facts| (facts.kind, facts.lens)).collect();
    let expected = [
        (Kind::PackedInt32Array, Some((1, 2))),
        (Kind::Vector2i, None),
        (Kind::Dictionary, Some((0, 3))),
        (Kind::Array, Some((2, 2))),
        (Kind::String, Some((4, 4))),
        (Kind::Object, Some((1, 1))),
        (Kind::PackedStringArray, Some((2, 2))),
        (Kind::Int, None),
    ];
    assert_eq!(lens, expected);
}

/// The number of fields is limited, even if each file has a key that no other file has.
#[test]
fn types_of_many_files_are_bounded() {
    let mut all = Type::default();
    for number in 0..1000 {
        let mut save = dictionary! { "hp" => number };
        save.insert(format!("key of {number}"), number);
        all.merge(shape_of(&[save.into()]));
    }
    assert_eq!(all.values, 1000);
    let facts = only(&all);
    assert_eq!((facts.values, facts.fields.len()), (1000, 128));
    assert_eq!(field(facts, "hp").values, 1000);
    assert_eq!(facts.items.as_ref().unwrap().values, 1000 - 127);
}

#[test]
fn fields_have_the_order_that_all_dictionaries_have() {
    let order = |values: &[Variant]| {
        let mut of = shape_of(values);
        of.settle();
        let facts = only(&of);
        let names: Vec<_> = facts.fields.iter().map(|(name, _)| name.clone()).collect();
        (names.concat(), facts.is_ordered)
    };
    let short = Variant::from(dictionary! { "a" => 1, "c" => 2 });
    let long = Variant::from(dictionary! { "a" => 1, "b" => 2, "c" => 3 });
    let turned = Variant::from(dictionary! { "c" => 1, "a" => 2 });
    assert_eq!(order(&[short.clone(), long.clone()]), ("abc".to_owned(), true));
    assert_eq!(order(&[short.clone(), turned.clone()]), ("ac".to_owned(), false));

    let mut both = shape_of(&[short]);
    both.merge(shape_of(&[long]));
    let mut all = both.clone();
    all.merge(shape_of(&[turned]));
    both.settle();
    all.settle();
    assert!(only(&both).is_ordered && !only(&all).is_ordered);
    assert_eq!(only(&both).fields[1].0, "b");
}

#[test]
fn what_the_content_does_not_determine_is_not_plain() {
    let is_plain = |values: &[Variant]| only(&shape_of(values)).is_plain;
    let typed = |kind: Option<Kind>| {
        Variant::Array(
            kind.map_or_else(Array::new, |kind| Array::with_type(ElementType::Builtin(kind))),
        )
    };
    let name = Variant::StringName("a".into());
    let plain: [Vec<Variant>; 6] = [
        vec![7.into(), (1_i64 << 40).into()],
        vec![0.5.into(), 0.1.into()],
        vec!["text".into()],
        vec![variant_owned::NodePath::parse("/root/Main:position").into()],
        vec![typed(Some(Kind::Int)), typed(Some(Kind::Int))],
        vec![dictionary! { name.clone() => 1 }.into()],
    ];
    for plain in plain {
        assert!(is_plain(&plain), "{plain:?}");
    }
    let others: [Vec<Variant>; 6] = [
        vec![Variant::Int(Int::with_width(7, Width::W64))],
        vec![Variant::Float(Float::wide(0.5))],
        vec!["\u{feff}text".into()],
        vec![typed(Some(Kind::Int)), typed(None)],
        vec![Variant::Array(Array::with_type(ElementType::Class("Node".into())))],
        vec![dictionary! { Variant::Int(Int::with_width(7, Width::W64)) => 1 }.into()],
    ];
    for other in others {
        assert!(!is_plain(&other), "{other:?}");
    }
    let shared = 1 << 31;
    let path = [22, shared | 1, 0, 1, 3, u32::from_le_bytes(*b"a/b\0")];
    for (dialect, words, expected) in [
        (Dialect::Godot3, &[19, 1, 2, 7][..], true),
        (Dialect::Godot3, &[19, shared | 1, 2, 7], false),
        (Dialect::Godot3, &[18, 1, 2, 7, 2, 8], true),
        (Dialect::Godot3, &[18, shared | 1, 2, 7, 2, 8], false),
        // A slash separates names, so no name has one.
        (Dialect::Godot4, &path, false),
    ] {
        let bytes: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut shapes = Shapes::new();
        shapes.add(Document::new(&bytes, dialect)).unwrap();
        assert_eq!(only(&shapes.into_type()).is_plain, expected, "{words:?}");
    }
    let of = shape_of(&[dictionary! { name => 1, "b" => 2 }.into()]);
    assert_eq!(only(&of).names, [Kind::StringName, Kind::String]);
}

/// Values inside a key that is a container are not in the shape, nor a name for the next value.
#[test]
fn keys_are_names_or_data() {
    let of = |key: Variant| {
        let mut pairs = variant_owned::Dictionary::new();
        pairs.insert(key, 2);
        let of = shape_of(&[pairs.into()]);
        let facts = only(&of).clone();
        (facts.fields.len(), facts.items.is_some(), facts.is_plain)
    };
    assert_eq!(of("a".into()), (1, false, true));
    assert_eq!(of("k".repeat(100).into()), (1, false, true));
    assert_eq!(of("k".repeat(101).into()), (0, true, true));
    assert_eq!(of("\u{feff}a".into()), (1, false, false));
    assert_eq!(of(7.into()), (0, true, true));
    assert_eq!(of(dictionary! { "a" => Array::new() }.into()), (0, true, false));
}

#[test]
fn many_keys_of_one_kind_are_data() {
    let settled = |names: Vec<String>, other: Option<Variant>| {
        let mut save: variant_owned::Dictionary =
            names.into_iter().map(|name| (name, Variant::from(1))).collect();
        if let Some(other) = other {
            save.insert("other", other);
        }
        let mut of = shape_of(&[save.into()]);
        of.settle();
        let facts = only(&of);
        let child = |name| facts.child(name).map(|of| of.values);
        assert_eq!(child(None), facts.items.as_ref().map(|items| items.values));
        assert_eq!(child(Some("absent")), child(None));
        for (name, field) in &facts.fields {
            assert_eq!(facts.child(Some(name.as_str())), Some(field));
        }
        (facts.fields.len(), child(None))
    };
    let made = |count: usize| (0..count).map(|at| format!("npc_{at}"));
    let plain = |count: usize| (0..count).map(|at| "k".repeat(at + 1));
    assert_eq!(settled(made(7).collect(), None), (7, None));
    assert_eq!(settled(made(8).collect(), None), (0, Some(8)));
    assert_eq!(settled(made(8).collect(), Some("text".into())), (9, None));
    assert_eq!(settled(plain(63).collect(), None), (63, None));
    assert_eq!(settled(plain(64).collect(), None), (0, Some(64)));
    assert_eq!(settled(plain(4).chain(made(4)).collect(), None), (8, None));
    assert_eq!(settled(plain(4).chain(made(5)).collect(), None), (0, Some(9)));
}

/// Two kinds of containers at one path have one path for their items.
#[test]
fn a_path_has_the_values_of_all_containers_there() {
    let values = array![array!["x", "y"], dictionary! { 1 => "y", 2 => "z", 3 => 4 }];
    let places = shape_of(&[values.into()]).places();
    let shown: Vec<_> =
        places.iter().map(|place| format!("{}: {}", place.path, place.to_kinds())).collect();
    assert_eq!(shown, ["(root): Array", "[*]: Array | Dictionary", "[*][*]: String | int"]);
    let items = &places[2];
    assert_eq!((items.values, items.kinds[0].values, items.names()), (5, 4, vec!["String", "int"]));
    let texts: Vec<_> = items.kinds[0].texts.iter().flatten().collect();
    assert_eq!(texts, ["x", "y", "z"]);

    // A key that is missing in one kind of container is optional in their common path.
    let (both, one) = (dictionary! { "a" => 1, "b" => 2 }, dictionary! { "a" => 3 });
    for values in [
        array![array![both.clone(), one.clone()], dictionary! { 1 => both.clone() }],
        array![array![both.clone()], dictionary! { 1 => both, 2 => one }],
    ] {
        let places = shape_of(&[values.into()]).places();
        let fields = places.iter().filter(|place| !place.path.ends_with(']'));
        let shown: Vec<_> =
            fields.map(|place| format!("{}: {}", place.path, place.to_kinds())).collect();
        assert_eq!(shown[1..], ["[*][*].a: int", "[*][*].b: int, optional"]);
    }
}

#[cfg(feature = "schema")]
mod locked {
    use variant_document::shape::{Change, Lock};

    use super::*;

    /// The changes from one list of dictionaries to another.
    fn changes(before: Array, after: Array) -> Vec<String> {
        let lock = Lock::of(&shape_of(&[before.into()]));
        let found = lock.differences(&shape_of(&[after.into()]));
        found.iter().map(|of| format!("{} {}", of.path, of.change.name())).collect()
    }

    #[test]
    fn each_change_has_its_name() {
        let [int, both] = [array![1], array![1, 0.5]];
        assert_eq!(changes(int.clone(), both.clone()), ["[*] retyped"]);
        assert_eq!(changes(both, int.clone()), ["[*] narrowed"]);
        assert_eq!(changes(int.clone(), Array::new()), ["[*] removed"]);
        assert_eq!(changes(Array::new(), int), ["[*] added"]);
        let always = array![dictionary! { "a" => 1 }, dictionary! { "a" => 1 }];
        let some = array![dictionary! { "a" => 1 }, dictionary! {}];
        assert_eq!(changes(always.clone(), some.clone()), ["[*].a retyped"]);
        assert_eq!(changes(some.clone(), always.clone()), ["[*].a narrowed"]);
        for same in [always, some] {
            assert!(changes(same.clone(), same).is_empty());
        }
        assert_eq!(Change::ALL.map(Change::name), ["added", "removed", "retyped", "narrowed"]);
    }

    #[test]
    fn a_lock_lists_texts_that_occur_often() {
        let text = |values: Array| Lock::of(&shape_of(&[values.into()])).to_string();
        let line = |text: String| text.lines().last().unwrap().to_owned();
        assert_eq!(line(text(array!["a", "b", "a", "b", "a", "b", "a"])), "[*]\tString");
        let often = array!["a", "b", "a", "b", "a", "b", "a", "b"];
        assert_eq!(line(text(often)), "[*]\tString in [\"a\",\"b\"]");
        for list in ["", " in []", " in [\"a\"]"] {
            let lock = format!("variant-inspect lock 1\n[*]\tString{list}\n");
            assert_eq!(Lock::parse(&lock).unwrap().to_string(), lock);
        }
    }

    #[test]
    fn a_bad_line_of_a_lock_is_quoted() {
        let (long, shown) = ("k".repeat(41), "k".repeat(40));
        for (line, message) in [
            ("(root)\tinteger", "found \"integer\"; expected the name of a kind, such as"),
            ("(root)\tint, float", "found \", float\" after a kind; expected \" | \" and"),
            ("(root)\tString in mage", "found \"mage\"; expected texts, such as"),
            (&format!("(root)\t{long}"), &format!("found {shown:?}; expected the name of")),
        ] {
            let error = Lock::parse(&format!("variant-inspect lock 1\n{line}\n")).unwrap_err();
            assert_eq!(error.line, 2, "{error}");
            assert!(error.message.starts_with(message), "{error}");
        }
    }

    #[test]
    fn a_lock_names_the_declared_types() {
        for (value, expected) in [
            ("Array[int]([1])", "Array of int"),
            ("Dictionary[String, int]({\"a\": 1})", "Dictionary of String to int"),
            ("Dictionary[Variant, int]({\"a\": 1})", "Dictionary of Variant to int"),
            ("Dictionary[String, Variant]({\"a\": 1})", "Dictionary of String to Variant"),
        ] {
            let lock = Lock::of(&shape_of(&[from_text(value).unwrap()])).to_string();
            assert_eq!(lock.lines().nth(1), Some(&*format!("(root)\t{expected}")), "{value}");
            assert_eq!(Lock::parse(&lock).unwrap().to_string(), lock);
        }
    }

    /// A schema has ranges of numbers only if they are asked for. JSON has no infinite numbers.
    #[test]
    fn a_schema_has_the_ranges_that_are_asked_for() {
        let ranges = |values: Array, has_ranges: bool| {
            let schema = shape_of(&[values.into()]).to_json_schema(has_ranges);
            let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
            ["minimum", "maximum"].map(|key| schema["items"].get(key).map(ToString::to_string))
        };
        let range = |low: &str, high: &str| [low, high].map(|text| Some(text.to_owned()));
        assert_eq!(ranges(array![0.5, 1.5], true), range("0.5", "1.5"));
        assert_eq!(ranges(array![1, 7], true), range("1", "7"));
        assert_eq!(ranges(array![0.5, 1.5], false), [None, None]);
        assert_eq!(ranges(array![1, 7], false), [None, None]);
        assert_eq!(ranges(array![0.5, f64::INFINITY], true), [None, None]);
        assert_eq!(ranges(array![f64::NEG_INFINITY, 0.5], true), [None, None]);
    }
}
