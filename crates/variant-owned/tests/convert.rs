//! Values go from any dialect to any other, and nothing is lost in silence.

#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "a test may stop")]

use proptest::prelude::*;
use variant_owned::{
    Array, ConvertOptions, ElementType, EncodeOptions, Loss, Reals, Variant, Widths, array,
    convert, dictionary, encode,
};
use variant_testkit::conformance::options;
use variant_testkit::{corpus, values};
use variant_view::{Dialect, Document, Kind, Limits, Options, Profile, Vector2};

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What comes out can be written canonically; without a change in the report it is the same value.
    #[test]
    fn any_value_to_any_dialect(
        seed in prop::collection::vec(any::<u8>(), 0..500),
        from in prop::sample::select(Dialect::ALL),
        to in prop::sample::select(Dialect::ALL),
        is_double: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, from, is_double).unwrap();
        let (converted, report) = convert(&value, &ConvertOptions::new(to)).unwrap();

        let encoding = EncodeOptions::new(to).widths(Widths::Canonical);
        let bytes = encode(&converted, &encoding).unwrap();
        let canonical = options(to, true).profile(Profile::Canonical);
        let verdict = Document::new(&bytes, canonical).validate();
        prop_assert!(verdict.is_ok(), "{from} to {to}: {verdict:?} of {converted:?}");

        let strict = convert(&value, &ConvertOptions::new(to).strict(true));
        prop_assert_eq!(strict.is_ok(), report.changes().is_empty());
        // Reals that are exact in 32 bits are narrowed where there are no wider ones.
        let narrowed = is_double && from.has_wide_reals() && !to.has_wide_reals();
        if report.changes().is_empty() && !narrowed {
            prop_assert_eq!(format!("{converted:?}"), format!("{value:?}"));
            let (back, _) = convert(&converted, &ConvertOptions::new(from)).unwrap();
            prop_assert_eq!(format!("{back:?}"), format!("{value:?}"));
        }
        if from == to {
            prop_assert!(report.changes().is_empty(), "{:?}", report);
        }
    }
}

fn report_of(value: impl Into<Variant>, to: Dialect) -> Vec<String> {
    let (_, report) = convert(&value.into(), &ConvertOptions::new(to)).unwrap();
    report.changes().iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_lost_is_told() {
    use Dialect::{Godot2, Godot3, Godot4};
    for (value, to, told) in [
        (Variant::from((1, 2)), Godot3, "(root): Vector2i became Vector2"),
        ((1, i32::MAX).into(), Godot3, "(root): Vector2i became Vector2, digits were lost"),
        (Variant::StringName("n".into()), Godot3, "(root): StringName became String"),
        (Variant::Callable, Godot3, "(root): Callable became Nil, its value was lost"),
        (Variant::Rid(7), Godot3, "(root): RID, its id was lost"),
        (vec![0.1_f64].into(), Godot3, "(root): PackedFloat64Array became Array"),
        (vec![0.5_f64].into(), Godot3, "(root): PackedFloat64Array became PackedFloat32Array"),
        (vec![1_i64 << 40].into(), Godot3, "(root): PackedInt64Array became Array"),
        ((1_i64 << 40).into(), Godot2, "(root): int became float"),
        (0.1.into(), Godot2, "(root): float, digits were lost"),
        (
            Variant::Vector2(Reals::double(Vector2 { x: 0.1, y: 0.0 })),
            Godot3,
            "(root): Vector2, digits were lost",
        ),
        (
            Variant::String(b"\xed\xa0\x80"[..].into()),
            Godot4,
            "(root): String, bytes that are no text were replaced",
        ),
    ] {
        assert_eq!(report_of(value, to), [told]);
    }
    let keys = dictionary! { "a" => 1, array![(1, 2)] => array![Variant::Callable] };
    assert_eq!(
        report_of(keys, Godot3),
        ["{1:key}[0]: Vector2i became Vector2", "{1}[0]: Callable became Nil, its value was lost"]
    );
}

/// Pandemonium 5 declares classes, but no scripts; an array of nil would hold none of the objects.
#[test]
fn a_type_that_the_target_lacks_is_not_declared() {
    for (declared, kept, kind) in [
        (ElementType::Script("res://a.gd".into()), ElementType::Any, Kind::Array),
        (ElementType::Class("Node".into()), ElementType::Class("Node".into()), Kind::TypedArray),
        (ElementType::Builtin(Kind::Int), ElementType::Builtin(Kind::Int), Kind::TypedArray),
    ] {
        let array = Array::with_type(declared);
        let to = ConvertOptions::new(Dialect::Pandemonium5);
        let (converted, report) = convert(&array.into(), &to).unwrap();
        assert_eq!(converted.kind(), kind);
        assert_eq!(converted.as_array().map(Array::element_type), Some(&kept));
        assert_eq!(report.changes().len(), 1);
    }
}

/// Two keys in Pandemonium are one in Godot 4.
#[test]
fn keys_that_become_the_same() {
    let mut two =
        variant_owned::Dictionary::with_rule(variant_owned::KeyRule::of(Dialect::Pandemonium5));
    two.insert("k", 1);
    two.insert(Variant::StringName("k".into()), 2);
    assert_eq!(two.len(), 2);
    let (merged, report) = convert(&two.into(), &ConvertOptions::new(Dialect::Godot4)).unwrap();
    assert_eq!(merged["k"], 2);
    assert_eq!(report.changes()[0].loss, Loss::Keys);
}

/// The save of a real engine, from Godot 3 to Godot 4 and back to the same bytes.
#[test]
fn a_save_there_and_back() {
    let file = corpus::bytes("godot3/saves/rpg_save.bin").unwrap();
    let bytes = &file[4..];
    let godot3 = Options::new(Dialect::Godot3).limits(Limits::FILE);
    let value = Variant::from_document(&Document::new(bytes, godot3)).unwrap();
    let (converted, report) = convert(&value, &ConvertOptions::new(Dialect::Godot4)).unwrap();
    assert!(report.changes().is_empty(), "{:?}", report.changes());

    let written = encode(&converted, &EncodeOptions::new(Dialect::Godot4)).unwrap();
    let canonical = Options::new(Dialect::Godot4).limits(Limits::FILE).profile(Profile::Canonical);
    let document = Document::new(&written, canonical);
    assert!(document.validate().is_ok());
    assert_eq!(document.root().unwrap().kind(), Kind::Dictionary);

    let read = Variant::from_document(&document).unwrap();
    let (back, _) = convert(&read, &ConvertOptions::new(Dialect::Godot3)).unwrap();
    assert_eq!(encode(&back, &EncodeOptions::new(Dialect::Godot3)).unwrap(), bytes);
}
