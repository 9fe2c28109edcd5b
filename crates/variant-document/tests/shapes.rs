//! Tests the shapes of values: their kinds, optional keys and ranges, and that their size is bounded.

use variant_document::shape::{Facts, Shapes, Type};
use variant_owned::{EncodeOptions, Variant, array, dictionary, encode};
use variant_view::{Dialect, Document, Kind, Reals, Vector2, Vector3};

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
