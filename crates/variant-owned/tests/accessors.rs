//! A value as the expected type, or nothing; values from types of Rust.

use std::collections::{BTreeSet, HashMap};

use arbitrary::{Arbitrary as _, Unstructured};
use variant_owned::{
    Array, Dictionary, ElementType, FromVariantError, MathValue, NodePath, Object, RealVec, Signal,
    Text, Variant, array, dictionary, encode,
};
use variant_testkit::random::Random;
use variant_testkit::values::{inside, leaf, variant};
use variant_view::{
    Color, Dialect, Document, Kind, Page, VariantView, Vector2, Vector3, Vector4, Width,
};

/// A value of each kind.
fn of_every_kind() -> impl Iterator<Item = Variant> {
    let of = |kind: Kind| match kind {
        Kind::Array => array![1].into(),
        Kind::TypedArray => Variant::TypedArray(array![1]),
        Kind::PackedTypedArray => Variant::PackedTypedArray(array![1]),
        Kind::Dictionary => dictionary! { "k" => 1 }.into(),
        Kind::Object => Object::new("Node").into(),
        Kind::Image => Variant::Image(Box::default()),
        Kind::InputEvent => Variant::InputEvent(Box::default()),
        kind => {
            let has = |dialect: &&Dialect| dialect.id(kind).is_some();
            let dialect = Dialect::ALL.iter().rfind(has).unwrap();
            leaf(&mut Unstructured::new(&[7; 99]), kind, *dialect, false).unwrap()
        }
    };
    Kind::ALL.iter().map(move |&kind| {
        let value: Variant = of(kind);
        assert_eq!(value.kind(), kind);
        value
    })
}

/// Asserts that a value is borrowed as this type exactly if it has one of these kinds.
fn assert_borrowed<'v, T: ?Sized + 'v>(value: &'v Variant, name: &str, kinds: &[Kind])
where
    &'v T: TryFrom<&'v Variant, Error = FromVariantError>,
{
    let found = value.kind();
    match <&T>::try_from(value) {
        Ok(_) => assert!(kinds.contains(&found), "{found} as {name}"),
        Err(error) => {
            assert!(!kinds.contains(&found), "{found} as {name}: {error}");
            assert_eq!(error.to_string(), format!("expected &{name}, found {found}"));
        }
    }
}

#[test]
fn a_value_is_borrowed_as_the_type_of_its_kind_only() {
    let arrays = [Kind::Array, Kind::TypedArray, Kind::PackedTypedArray];
    let texts = [Kind::String, Kind::StringName];
    for value in of_every_kind() {
        assert_eq!(value.is_nil(), value.kind() == Kind::Nil);
        assert_borrowed::<str>(&value, "str", &texts);
        assert_borrowed::<Text>(&value, "Text", &texts);
        assert_borrowed::<[u8]>(&value, "[u8]", &[Kind::PackedByteArray]);
        assert_borrowed::<[i32]>(&value, "[i32]", &[Kind::PackedInt32Array]);
        assert_borrowed::<[i64]>(&value, "[i64]", &[Kind::PackedInt64Array]);
        assert_borrowed::<[f32]>(&value, "[f32]", &[Kind::PackedFloat32Array]);
        assert_borrowed::<[f64]>(&value, "[f64]", &[Kind::PackedFloat64Array]);
        assert_borrowed::<[Text]>(&value, "[Text]", &[Kind::PackedStringArray]);
        assert_borrowed::<[Color]>(&value, "[Color]", &[Kind::PackedColorArray]);
        assert_borrowed::<[Vector2<i32>]>(&value, "[Vector2<i32>]", &[Kind::PackedVector2iArray]);
        assert_borrowed::<RealVec<Vector3>>(
            &value,
            "RealVec<Vector3>",
            &[Kind::PackedVector3Array],
        );
        assert_borrowed::<RealVec<Vector4>>(
            &value,
            "RealVec<Vector4>",
            &[Kind::PackedVector4Array],
        );
        assert_borrowed::<NodePath>(&value, "NodePath", &[Kind::NodePath]);
        assert_borrowed::<Signal>(&value, "Signal", &[Kind::Signal]);
        assert_borrowed::<Array>(&value, "Array", &arrays);
        assert_borrowed::<Dictionary>(&value, "Dictionary", &[Kind::Dictionary]);
        assert_borrowed::<Object>(&value, "Object", &[Kind::Object]);
    }
}

#[test]
fn mutable_accessors_find_what_the_shared_ones_find() {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("k", 1);
    for value in of_every_kind().chain([object.into()]) {
        let mut own = value.clone();
        assert_eq!(own.as_object_mut().map(|found| found.clone()), value.as_object().cloned());
        assert_eq!(own.as_array_mut().map(|found| found.clone()), value.as_array().cloned());
        assert_eq!(own.get_mut("k").map(|found| found.clone()), value.get("k").cloned());
        assert_eq!(own.get_mut(7).map(|found| found.clone()), value.get(7).cloned());
        if let Some(found) = own.get_mut("k") {
            *found = "changed".into();
            assert_eq!(own.get("k"), Some(&"changed".into()));
        }
        assert_eq!(own == value, value.get("k").is_none());
    }
}

#[test]
fn text_that_is_not_utf_8_is_borrowed_as_bytes_only() {
    for value in [b"a\xff", b"\xc3("].map(|bytes| Variant::String(Text::from_bytes(bytes))) {
        let error = <&str>::try_from(&value).unwrap_err();
        assert_eq!(error, FromVariantError::NotUtf8);
        assert_eq!(error.to_string(), "the text is not UTF-8; its bytes are in `as_text`");
        assert!(String::try_from(value.clone()).is_err() && value.as_text().is_some());
    }
}

/// Reals of one width are read in both.
#[test]
fn reals_know_their_width() {
    let point = |x: f64| Vector2 { x, y: -x };
    let wide: Vec<Vector2<f64>> = [0.1, 0.2, 0.3, 0.4].map(point).to_vec();
    let double = RealVec::<Vector2>::Double(Box::new(wide.clone()));
    let single = RealVec::from(double.clone().into_f32());
    for (reals, width) in [(double, Width::W64), (single, Width::W32)] {
        let one = match width {
            Width::W32 => MathValue::from(reals.get(0).unwrap()),
            Width::W64 => MathValue::double(wide[0]),
        };
        assert_eq!((one.width(), reals.width()), (width, width));
        assert_eq!((Some(one.f32()), Some(one.f64())), (reals.get(0), reals.get_f64(0)));
        assert!(reals.iter().eq(&reals) && reals.iter().len() == 4);
        assert_eq!((reals.len(), reals.is_empty()), (4, false));
        let is_wide = width == Width::W64;
        let rounded: Vec<Vector2> = reals.iter().collect();
        assert_eq!(reals.as_f32(), (!is_wide).then_some(&*rounded));
        assert_eq!(reals.as_f64(), is_wide.then_some(&*wide));
        for at in 0..6 {
            assert_eq!(reals.iter().nth(at), reals.get(at));
            assert_eq!(
                reals.iter().rev().nth(at),
                3_usize.checked_sub(at).and_then(|at| reals.get(at))
            );
        }
        let bytes = encode(&Variant::PackedVector2Array(reals.clone()), Dialect::Godot4).unwrap();
        let document = Document::new(&bytes, Dialect::Godot4);
        let VariantView::PackedVector2Array(view) = document.root().unwrap() else { panic!() };
        assert_eq!(RealVec::from(&view), reals);
    }
    for empty in [RealVec::<Vector2>::Double(Box::default()), RealVec::Single(Vec::new())] {
        assert_eq!((empty.len(), empty.is_empty()), (0, true));
    }
}

#[test]
fn types_of_rust_become_values() {
    let map = HashMap::from([("a", 1)]);
    assert_eq!(Variant::from(map), Variant::from(dictionary! { "a" => 1 }));
    assert_eq!(Variant::from(None::<i32>), Variant::Nil);
    assert_eq!(Variant::from(Some(7)), Variant::from(7));
}

#[cfg(feature = "bytes")]
#[test]
fn bytes_become_a_packed_array() {
    for bytes in [&b""[..], b"axe"] {
        let value = Variant::from(bytes::Bytes::copy_from_slice(bytes));
        assert_eq!(value, Variant::PackedByteArray(bytes.to_vec()));
    }
}

#[cfg(feature = "mint")]
#[test]
fn vectors_of_other_crates_keep_their_components() {
    let [x, y, z, w] = [1.0_f32, 2.0, 3.0, 4.0];
    let (two, three) = (Variant::from(Vector2 { x, y }), Variant::from(Vector3 { x, y, z }));
    assert_eq!(Variant::from(mint::Vector2 { x, y }), two);
    assert_eq!(Variant::from(mint::Point2 { x, y }), two);
    assert_eq!(Variant::from(mint::Vector3 { x, y, z }), three);
    assert_eq!(Variant::from(mint::Point3 { x, y, z }), three);
    assert_eq!(Variant::from(mint::Vector4 { x, y, z, w }), Variant::from(Vector4 { x, y, z, w }));
    let turn = mint::Quaternion { v: mint::Vector3 { x, y, z }, s: w };
    assert_eq!(Variant::from(turn).to_string(), "Quaternion(1, 2, 3, 4)");
    let rows = mint::RowMatrix3::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
    assert_eq!(Variant::from(rows).to_string(), "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)");
}

/// What occurs in values.
#[derive(Default)]
struct Seen {
    kinds: BTreeSet<Kind>,
    lens: BTreeSet<usize>,
    /// The number of arrays and dictionaries without and with a declared type.
    untyped: usize,
    typed: usize,
    /// The declared types: names of kinds, `class` and `script`.
    declared: BTreeSet<&'static str>,
}

impl Seen {
    fn add(&mut self, value: &Variant) {
        self.kinds.insert(value.kind());
        let typed = match value {
            Variant::Array(all) => Some(!all.element_type().is_any()),
            Variant::Dictionary(all) => Some(!all.key_type().is_any()),
            _ => None,
        };
        self.typed += usize::from(typed == Some(true));
        self.untyped += usize::from(typed == Some(false));
        let of_items = match value {
            Variant::Array(all) => [Some(all.element_type()), None],
            Variant::Dictionary(all) => [Some(all.key_type()), Some(all.value_type())],
            _ => [None, None],
        };
        self.declared.extend(of_items.into_iter().flatten().filter_map(
            |declared| match declared {
                ElementType::Builtin(kind) => Some(kind.name()),
                ElementType::Class(_) => Some("class"),
                ElementType::Script(_) => Some("script"),
                ElementType::Any | ElementType::Unknown(_) => None,
            },
        ));
        self.lens.extend(value.as_array().map(Array::len));
        for value in inside(value) {
            self.add(value);
        }
    }
}

/// The values of a fuzzer have all that the dialect has, but most containers declare no type.
#[test]
fn arbitrary_values_have_all_that_their_dialect_has() {
    let mut random = Random::new(5);
    let pages = Page::ALL.iter().map(|page| page.dialect());
    for dialect in Dialect::ALL.iter().copied().chain(pages) {
        let mut seen = Seen::default();
        for _ in 0..1_000 {
            let bytes = random.bytes(600);
            let value = variant(&mut Unstructured::new(&bytes), dialect, true).unwrap();
            let encoded = encode(&value, dialect);
            assert!(encoded.is_ok(), "{dialect}: {encoded:?}");
            seen.add(&value);
        }
        // These kinds of Godot 2 are not made, and unsupported kinds have no value.
        let is_left_out = |kind: &Kind| matches!(kind, Kind::Image | Kind::InputEvent);
        let is_made = |kind: &Kind| dialect.id(*kind).is_some() && !is_left_out(kind);
        assert!(Kind::ALL.iter().filter(|kind| is_made(kind)).eq(&seen.kinds), "{dialect}");
        assert_eq!((seen.lens.first(), seen.lens.last()), (Some(&0), Some(&6)), "{dialect}");
        assert_eq!(seen.typed > 0, dialect.has_typed_containers(), "{dialect}");
        let declared = ["String", "Vector3", "class", "int", "script"].into_iter();
        let is_typed = dialect.has_typed_containers();
        assert!(
            seen.declared.iter().copied().eq(declared.filter(|_| is_typed)),
            "{dialect}: {:?}",
            seen.declared
        );
        assert!(seen.untyped > 2 * seen.typed, "{dialect}: {} {}", seen.untyped, seen.typed);
    }
}

/// Any bytes make a value that Godot 4 holds and reads back.
#[test]
fn arbitrary_values_are_values_of_godot_4() {
    let mut kinds = BTreeSet::new();
    for seed in 0..=255_u8 {
        let bytes: Vec<u8> = (0..200_u8).map(|at| at.wrapping_mul(seed) ^ seed).collect();
        let value = Variant::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        let encoded = encode(&value, Dialect::Godot4).unwrap();
        let read = Variant::from_document(&Document::new(&encoded, Dialect::Godot4)).unwrap();
        assert_eq!(format!("{read:?}"), format!("{value:?}"));
        kinds.insert(value.kind().name());
    }
    assert!(kinds.len() > 5, "{kinds:?}");
}

/// Values of different kinds are different, and so are the forms of an object. All NaNs are equal to each other only.
#[test]
fn a_value_equals_itself_only() {
    let objects = [Object::Null, Object::Id(1), Object::Id(2)].map(Variant::from);
    let floats = [1.5, f64::NAN, f64::INFINITY].map(Variant::from);
    let all: Vec<Variant> = of_every_kind().chain(objects).chain(floats).collect();
    for (at, a) in all.iter().enumerate() {
        for (other, b) in all.iter().enumerate() {
            // One of the values of every kind may be one of the floats.
            let is_same =
                at == other || format!("{a:?}") == format!("{b:?}") && a.kind() == b.kind();
            assert_eq!(a == b, is_same, "{a:?}, {b:?}");
        }
    }
}
