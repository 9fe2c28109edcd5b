//! The output of engines is canonical; other bytes that they read are not.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

use variant_testkit::builder::Builder;
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, Error, ErrorKind, NotCanonical, Options, Profile, Reals, Summary,
};

/// The engine of each dialect wrote all of its vectors. Only Pandemonium writes texts that its reader refuses
/// (docs/spec/format.md#text).
#[test]
fn every_vector_is_canonical() {
    let mut count = 0;
    for (dialect, path) in corpus::every_record_file() {
        if !path.to_string_lossy().contains("vectors") {
            continue;
        }
        for case in corpus::read_cases(&path).unwrap() {
            let options = options(dialect, true).profile(Profile::Canonical);
            let verdict = Document::new(&case.bytes, options).validate();
            if !case.accepted && verdict.is_err_and(|e| e.kind() == ErrorKind::InvalidText) {
                continue;
            }
            if case.name.contains("projection") {
                assert!(!case.accepted || dialect == Godot4, "engines read it now");
            }
            assert!(verdict.is_ok(), "{}:{} {}: {verdict:?}", path.display(), case.line, case.name);
            count += 1;
        }
    }
    assert!(count > 1_200, "only {count} vectors");
}

fn canonical(dialect: Dialect, bytes: Builder) -> Result<Summary, Error> {
    let options = Options::new(dialect).profile(Profile::Canonical);
    Document::new(&bytes.build().bytes, options).validate()
}

/// Asserts that the engine profile accepts `bytes`, and the canonical one refuses them at `offset`.
#[track_caller]
fn assert_odd(dialect: Dialect, bytes: Builder, what: NotCanonical, offset: usize) {
    let engine = Document::new(&bytes.clone().build().bytes, dialect).validate();
    assert!(engine.is_ok(), "{engine:?}");
    let error = canonical(dialect, bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical(what));
    assert_eq!(error.offset(), offset);
}

use Dialect::{Godot2, Godot3, Godot4, Pandemonium5};

#[test]
fn scalars_have_one_form() {
    assert_odd(Godot3, Builder::new().u32(0x100), NotCanonical::HeaderBits, 0);
    assert_odd(Godot3, Builder::new().u32(0x1_0005).u64(0), NotCanonical::HeaderBits, 0);
    assert_odd(Godot4, Builder::new().u32(1).u32(2), NotCanonical::Bool, 4);
    assert_odd(Godot4, Builder::new().u32(0x1_0002).u64(7), NotCanonical::WideInt, 4);
    let half = 0.5_f64.to_bits();
    assert_odd(Godot4, Builder::new().u32(0x1_0003).u64(half), NotCanonical::FloatWidth, 4);
    let nan = f32::NAN.to_bits();
    assert_odd(Godot4, Builder::new().u32(3).u32(nan), NotCanonical::FloatWidth, 4);
    assert!(canonical(Godot4, Builder::new().u32(0x1_0002).u64(1 << 40)).is_ok());
    assert!(canonical(Godot4, Builder::new().u32(0x1_0003).u64(0.1_f64.to_bits())).is_ok());
}

#[test]
fn padding_is_there_and_zero() {
    let dirty = Builder::new().u32(4).u32(1).raw(b"a\0x\0");
    assert_odd(Godot4, dirty, NotCanonical::Padding, 10);
    let missing = Builder::new().u32(29).u32(1).raw(b"a");
    assert_odd(Godot4, missing, NotCanonical::NoPadding, 8);
    let open = Builder::new().u32(4).u32(1).raw(b"a");
    assert_odd(Godot2, open, NotCanonical::NoPadding, 8);
    let path = Builder::new().u32(22).u32(0x8000_0001).u32(0).u32(0).u32(1).raw(b"axxx");
    assert_odd(Godot4, path, NotCanonical::Padding, 21);
    let packed = Builder::new().u32(34).u32(1).u32(1).raw(b"axxx");
    assert_odd(Godot4, packed, NotCanonical::Padding, 13);
    let property = Builder::new().u32(24).text("C").u32(1).u32(1).raw(b"nx\0\0").u32(0);
    assert_odd(Godot4, property, NotCanonical::Padding, 21);
}

#[test]
fn containers_have_one_form() {
    assert_odd(Godot3, Builder::new().u32(19).u32(1 << 31), NotCanonical::SharedBit, 4);
    assert!(canonical(Godot2, Builder::new().u32(21).u32(1 << 31)).is_ok());
    let nil = Builder::new().u32(0x1_001c).u32(0).u32(0);
    assert_odd(Godot4, nil, NotCanonical::ElementType, 4);
    let misfit = Builder::new().u32(0x1_001c).u32(2).u32(1).u32(1).u32(1);
    assert_odd(Godot4, misfit, NotCanonical::Element, 12);
    let misfit = Builder::new().u32(0x1_001b).u32(2).u32(1).u32(1).u32(1).u32(0);
    assert_odd(Godot4, misfit, NotCanonical::Element, 12);
    let misfit = Builder::new().u32(27).u32(2).u32(1).u32(1).u32(1);
    assert_odd(Pandemonium5, misfit, NotCanonical::Element, 12);
    let flagged = Builder::new().u32(0x1_001b).u32(2).u32(0);
    assert_odd(Pandemonium5, flagged, NotCanonical::ElementType, 4);
    let marked = Builder::new().u32(27).u32(0x8000_0002).u32(0);
    assert_odd(Pandemonium5, marked, NotCanonical::ElementType, 4);
    let unknown = Builder::new().u32(27).u32(77).u32(0);
    assert_odd(Pandemonium5, unknown, NotCanonical::ElementType, 4);
    let negative = Builder::new().u32(34).u32(u32::MAX);
    assert_odd(Godot4, negative, NotCanonical::NegativeCount, 4);
    let negative = Builder::new().u32(24).text("C").u32(u32::MAX);
    assert_odd(Godot4, negative, NotCanonical::NegativeCount, 12);
    let bare = Builder::new().u32(34).u32(1).text("a");
    assert_odd(Godot4, bare, NotCanonical::NoTerminator, 8);
    let flags = Builder::new().u32(22).u32(0x8000_0000).u32(0).u32(4);
    assert_odd(Godot4, flags, NotCanonical::NodePath, 4);
    let wrapping = Builder::new().u32(22).u32(0x8000_0001).u32(u32::MAX).u32(0);
    assert_odd(Godot4, wrapping, NotCanonical::NodePath, 4);
    assert_odd(Godot4, Builder::new().u32(0).u32(0), NotCanonical::TrailingBytes, 4);
}

#[test]
fn reals_are_of_one_width() {
    let single = |builder: Builder| builder.u32(5).f32s(&[1.0, 2.0]);
    let double = |builder: Builder| builder.u32(0x1_0005).f64s(&[1.0, 2.0]);
    let array = || Builder::new().u32(28).u32(2);
    assert_odd(Godot4, double(single(array())), NotCanonical::MixedReals, 20);
    assert!(canonical(Godot4, single(single(array()))).is_ok());
    assert!(canonical(Godot4, double(double(array()))).is_ok());

    let options = Options::new(Godot4).profile(Profile::Canonical).reals(Reals::Always64);
    let unflagged = Builder::new().u32(5).f64s(&[1.0, 2.0]).build();
    assert!(Document::new(&unflagged.bytes, options).validate().is_ok());
    let flagged = double(Builder::new()).build();
    let error = Document::new(&flagged.bytes, options).validate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical(NotCanonical::HeaderBits));
}

#[test]
fn odd_things_of_godot_2() {
    let key = Builder::new().u32(19).u32(1).u32(0).u32(20).u64(0);
    assert!(canonical(Godot2, key).is_ok());
    let key = Builder::new().u32(19).u32(1).u32(0).u32(9).u64(0);
    assert_odd(Godot2, key, NotCanonical::InputEvent, 4);
    let plain = Builder::new().u32(16).u32(4).raw(b"/a/b");
    assert_odd(Godot2, plain, NotCanonical::NodePath, 4);
    let property = Builder::new().u32(16).u32(0x8000_0000).u32(0).u32(2).text("p");
    assert!(canonical(Godot2, property).is_ok());
}

/// A dictionary of the given keys, each a complete value, with nil for every value.
fn dictionary(id: u32, keys: &[Builder]) -> Builder {
    let count = u32::try_from(keys.len()).unwrap();
    keys.iter().fold(Builder::new().u32(id).u32(count), |builder, key| {
        builder.raw(&key.clone().build().bytes).u32(0)
    })
}

fn float(value: f64) -> Builder {
    #[allow(clippy::cast_possible_truncation, reason = "to see whether the narrow one is the same")]
    let narrow = value as f32;
    if f64::from(narrow) == value {
        Builder::new().u32(3).f32s(&[narrow])
    } else {
        Builder::new().u32(0x1_0003).f64s(&[value])
    }
}

#[test]
fn keys_that_are_the_same_to_the_engine() {
    let duplicate = NotCanonical::DuplicateKey;
    let string = || Builder::new().u32(4).text("k");
    let name = |id| Builder::new().u32(id).text("k");
    assert_odd(Godot4, dictionary(27, &[string(), float(1.0), string()]), duplicate, 36);
    // One key in Godot 4, two in Pandemonium.
    assert_odd(Godot4, dictionary(27, &[string(), name(21)]), duplicate, 24);
    assert!(canonical(Pandemonium5, dictionary(25, &[string(), name(24)])).is_ok());
    assert_odd(Godot4, dictionary(27, &[float(0.0), float(-0.0)]), duplicate, 20);
    let other_nan = f64::from_bits(f64::NAN.to_bits() | 7);
    assert_odd(Godot4, dictionary(27, &[float(f64::NAN), float(other_nan)]), duplicate, 24);
    assert!(canonical(Godot4, dictionary(27, &[float(1.0), Builder::new().u32(2).u32(1)])).is_ok());
    // Dictionaries as keys compare by content in Godot 4, by identity before.
    let empty = |id| Builder::new().u32(id).u32(0);
    assert_odd(Godot4, dictionary(27, &[empty(27), empty(27)]), duplicate, 20);
    assert!(canonical(Godot3, dictionary(18, &[empty(18), empty(18)])).is_ok());
    assert_odd(Godot3, dictionary(18, &[empty(19), empty(19)]), duplicate, 20);
    let nested = |outer, inner| Builder::new().u32(outer).u32(1).u32(inner).u32(0);
    assert!(canonical(Godot3, dictionary(18, &[nested(19, 18), nested(19, 18)])).is_ok());
    // A RID's id is not written before Godot 4, so equal bytes prove nothing.
    let rid = || Builder::new().u32(16);
    assert!(canonical(Godot3, dictionary(18, &[rid(), rid()])).is_ok());
}

#[test]
fn keys_that_are_no_other_s_equal() {
    let duplicate = NotCanonical::DuplicateKey;
    let id = |low: u32| Builder::new().u32(0x1_0011).u32(low).u32(0);
    assert!(canonical(Godot3, dictionary(18, &[id(5), id(5)])).is_ok());
    assert_odd(Godot3, dictionary(18, &[id(0), id(0)]), duplicate, 24);
    let null = || Builder::new().u32(17).u32(0);
    assert_odd(Godot3, dictionary(18, &[null(), null()]), duplicate, 20);
    // Null in both forms, by itself and in an array.
    assert_odd(Godot3, dictionary(18, &[id(0), null()]), duplicate, 24);
    let array = |item: Builder| Builder::new().u32(19).u32(1).raw(&item.build().bytes);
    assert_odd(Godot3, dictionary(18, &[array(null()), array(id(0))]), duplicate, 28);
    assert!(canonical(Godot3, dictionary(18, &[id(0), id(1)])).is_ok());
    let named = || Builder::new().u32(17).text("Node").u32(0);
    assert!(canonical(Godot3, dictionary(18, &[named(), named()])).is_ok());
    // Godot 2 writes nothing of an object, so equal bytes prove nothing.
    let bare = || Builder::new().u32(18);
    assert!(canonical(Godot2, dictionary(20, &[bare(), bare()])).is_ok());
    // A NaN in an array of them, where the engine compares their bits.
    let floats = |id, value: f32| Builder::new().u32(id).u32(2).f32s(&[1.0, value]);
    assert!(
        canonical(Godot3, dictionary(18, &[floats(22, f32::NAN), floats(22, f32::NAN)])).is_ok()
    );
    assert_odd(Godot3, dictionary(18, &[floats(22, 2.0), floats(22, 2.0)]), duplicate, 28);
    let nans = [floats(32, f32::NAN), floats(32, f32::NAN)];
    assert_odd(Godot4, dictionary(27, &nans), duplicate, 28);
}

/// Zeros of either sign and all NaNs are equal inside vectors and arrays as well.
#[test]
fn numbers_inside_of_keys() {
    let duplicate = NotCanonical::DuplicateKey;
    let vector = |x: f32| Builder::new().u32(5).f32s(&[x, 1.0]);
    assert_odd(Godot4, dictionary(27, &[vector(0.0), vector(-0.0)]), duplicate, 24);
    assert!(canonical(Godot4, dictionary(27, &[vector(0.0), vector(1.0)])).is_ok());
    let array = |x| Builder::new().u32(28).u32(1).raw(&float(x).build().bytes);
    assert_odd(Godot4, dictionary(27, &[array(0.0), array(-0.0)]), duplicate, 28);
    let packed = |x: f32| Builder::new().u32(32).u32(1).f32s(&[x]);
    assert_odd(Godot4, dictionary(27, &[packed(0.0), packed(-0.0)]), duplicate, 24);
    // A name and a text are one key, but are two elements in an array; so are two NaNs.
    let name = |id| Builder::new().u32(id).text("k");
    assert_odd(Godot4, dictionary(27, &[name(4), name(21)]), duplicate, 24);
    let names = |id| Builder::new().u32(28).u32(1).u32(id).text("k");
    assert!(canonical(Godot4, dictionary(27, &[names(4), names(21)])).is_ok());
    let nan = || Builder::new().u32(28).u32(1).u32(0x1_0003).u64(f64::NAN.to_bits());
    assert!(canonical(Godot4, dictionary(27, &[nan(), nan()])).is_ok());
}

/// Declared types do not affect equality.
#[test]
fn typed_containers_are_what_they_hold() {
    let plain = Builder::new().u32(28).u32(0);
    let ints = || Builder::new().u32(0x1_001c).u32(2).u32(0);
    let nodes = Builder::new().u32(0x2_001c).text("Node").u32(0);
    let duplicate = NotCanonical::DuplicateKey;
    assert_odd(Godot4, dictionary(27, &[plain, ints()]), duplicate, 20);
    assert_odd(Godot4, dictionary(27, &[ints(), nodes]), duplicate, 24);
    let typed = |id| Builder::new().u32(27).u32(id).u32(0);
    assert!(canonical(Pandemonium5, dictionary(25, &[typed(2), typed(3)])).is_ok());
    assert_odd(Pandemonium5, dictionary(25, &[typed(2), typed(2)]), duplicate, 24);
}

/// One long key among many short ones is not read again for each of them.
#[test]
fn a_long_key_costs_no_more_than_its_length() {
    let short = |i: usize| Builder::new().u32(4).text(format!("{i:08}"));
    let long = Builder::new().u32(4).text(format!("00000100{}", "m".repeat(3_000_000)));
    let mut keys: Vec<_> = (0..200).map(short).collect();
    keys.insert(100, long);
    assert!(canonical(Godot4, dictionary(27, &keys)).is_ok());
}

#[test]
fn null_is_written_as_nil() {
    let null = |id| Builder::new().u32(id).u32(0);
    assert_odd(Godot4, null(24), NotCanonical::NullObject, 4);
    assert!(canonical(Godot3, null(17)).is_ok());
    let hidden = Builder::new().u32(17).u32(5).raw(b"\0abcd\0\0\0");
    assert_odd(Godot3, hidden, NotCanonical::NullObject, 4);
}

#[test]
fn a_typed_array_of_nothing_holds_nothing() {
    let misfit = Builder::new().u32(27).u32(0).u32(1).u32(2).u32(7);
    assert_odd(Pandemonium5, misfit, NotCanonical::Element, 12);
    assert!(canonical(Pandemonium5, Builder::new().u32(27).u32(0).u32(1).u32(0)).is_ok());
}

/// Each dictionary inside a dictionary has separate keys.
#[test]
fn keys_of_nested_dictionaries_are_kept_apart() {
    let key = || Builder::new().u32(4).text("k");
    let inner = dictionary(27, &[key()]).build().bytes;
    let outer = Builder::new().u32(27).u32(2).raw(&key().build().bytes).raw(&inner);
    let fine = outer.clone().u32(4).text("l").u32(0);
    assert!(canonical(Godot4, fine).is_ok());
    let odd = outer.raw(&key().build().bytes).u32(0);
    assert_odd(Godot4, odd, NotCanonical::DuplicateKey, 8 + 12 + 24);
}

#[test]
fn many_keys() {
    let keys = |last: u32| {
        (0..if cfg!(feature = "alloc") { 5_000 } else { 200 })
            .chain([last])
            .map(|key| Builder::new().u32(2).u32(key))
            .collect::<Vec<_>>()
    };
    assert!(canonical(Godot4, dictionary(27, &keys(77_777))).is_ok());
    let error = canonical(Godot4, dictionary(27, &keys(13))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical(NotCanonical::DuplicateKey));
    assert_eq!(error.offset(), 8 + 12 * (keys(13).len() - 1));
}
