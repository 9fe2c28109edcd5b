//! Tests the shapes of values: their kinds, optional keys and ranges, and that their size is bounded.

use variant_document::shape::{Facts, Shapes, Type};
use variant_owned::{
    Array, ElementType, EncodeOptions, Float, Int, Variant, array, dictionary, encode,
};
use variant_view::{Dialect, Document, Kind, Reals, Vector2, Vector3, Width};

fn shape_of(values: &[Variant]) -> Type {
    let options = EncodeOptions::new(Dialect::Godot4).reals(Reals::ByFlag);
    let encoded: Vec<_> = values.iter().map(|value| encode(value, options).unwrap()).collect();
    let mut shapes = Shapes::new();
    for bytes in &encoded {
        shapes.add(Document::new(bytes, Dialect::Godot4)).unwrap();
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
fn packed_arrays_have_lengths_and_vectors_have_none() {
    let of = shape_of(&[array![vec![1_i32, 2], vec![3_i32], Vector2::<i32>::new(1, 2)].into()]);
    let items = only(&of).items.as_ref().unwrap();
    let lens: Vec<_> = items.kinds.iter().map(|facts| (facts.kind, facts.lens)).collect();
    assert_eq!(lens, [(Kind::PackedInt32Array, Some((1, 2))), (Kind::Vector2i, None)]);
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
    let of = shape_of(&[dictionary! { name => 1, "b" => 2 }.into()]);
    assert_eq!(only(&of).names, [Kind::StringName, Kind::String]);
}
