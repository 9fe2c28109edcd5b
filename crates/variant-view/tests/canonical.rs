//! Bytes that engines write are canonical. Other accepted bytes are not.

use std::path::Path;

use variant_testkit::builder::{Builder, words};
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, Error, ErrorKind, Kind, NotCanonical, Options, Profile, Reals, Summary,
};

/// The number of records that are tested in each file.
const RECORDS: usize = if cfg!(miri) { 2 } else { usize::MAX };

/// The engine of each dialect wrote all test vectors of the dialect. Only Pandemonium writes texts that its reader
/// refuses (docs/spec/format.md#text).
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

fn deviations(bytes: &[u8], dialect: Dialect) -> Vec<Error> {
    let mut found = Vec::new();
    Document::new(bytes, options(dialect, true)).deviations(|error| found.push(error)).unwrap();
    found
}

/// The records that the reader accepts, with the bytes that it consumes.
fn valid_records(path: &Path, dialect: Dialect) -> impl Iterator<Item = Vec<u8>> {
    let cases = corpus::read_first_cases(path, RECORDS).unwrap().into_iter();
    cases.filter_map(move |mut case| {
        let summary = Document::new(&case.bytes, options(dialect, true)).validate().ok()?;
        case.bytes.truncate(summary.consumed);
        Some(case.bytes)
    })
}

/// The canonical profile stops at one of the deviations, and accepts what has none.
#[test]
fn deviations_are_what_the_canonical_profile_refuses() {
    let mut refused = 0;
    for (dialect, path) in corpus::record_files() {
        for bytes in valid_records(&path, dialect) {
            let found = deviations(&bytes, dialect);
            let strict = options(dialect, true).profile(Profile::Canonical);
            match Document::new(&bytes, strict).validate() {
                Ok(_) => assert!(found.is_empty(), "{dialect} {bytes:x?}: {found:?}"),
                Err(error) => {
                    assert!(found.contains(&error), "{dialect} {bytes:x?}: {error} {found:?}");
                    refused += 1;
                }
            }
        }
    }
    assert!(cfg!(miri) || refused > 100, "{refused}");
}

/// The deviations of an array are those of its elements. Dialects with two widths of reals are left out: in these, the
/// widths of different elements are compared.
#[test]
fn deviations_of_nested_values_are_all_found() {
    let mut count = 0;
    for (dialect, path) in corpus::record_files() {
        if dialect.has_wide_reals() {
            continue;
        }
        let odd = valid_records(&path, dialect).map(|bytes| (deviations(&bytes, dialect), bytes));
        let odd = odd.filter(|(found, bytes)| !found.is_empty() && bytes.len() % 4 == 0);
        let odd: Vec<_> = odd.filter(|(_, bytes)| fits_below_an_array(bytes, dialect)).collect();
        for some in odd.chunks(5) {
            let array = u32::from(dialect.id(Kind::Array).unwrap());
            let mut all =
                words(&[array, 1, array, u32::try_from(some.len()).unwrap()]).build().bytes;
            let mut expected = Vec::new();
            for (found, bytes) in some {
                let at = all.len();
                expected.extend(found.iter().map(|error| (error.kind(), at + error.offset())));
                all.extend_from_slice(bytes);
            }
            let found = deviations(&all, dialect);
            let found: Vec<_> = found.iter().map(|error| (error.kind(), error.offset())).collect();
            assert_eq!(found, expected, "{dialect} {all:x?}");
            count += 1;
        }
    }
    assert!(cfg!(miri) || count > 100, "{count}");
}

/// Without `alloc`, the deepest records fill the stack of the decoder.
fn fits_below_an_array(bytes: &[u8], dialect: Dialect) -> bool {
    let summary = Document::new(bytes, options(dialect, true)).validate().unwrap();
    cfg!(feature = "alloc") || summary.depth < 1_000
}

fn canonical(dialect: Dialect, bytes: Builder) -> Result<Summary, Error> {
    let options = Options::engine(dialect).profile(Profile::Canonical);
    Document::new(&bytes.build().bytes, options).validate()
}

/// Asserts that the engine profile accepts `bytes`, and that the canonical profile refuses them at `offset`.
#[track_caller]
fn assert_odd(dialect: Dialect, bytes: Builder, what: NotCanonical, offset: usize) {
    let engine = Document::new(&bytes.clone().build().bytes, Options::engine(dialect)).validate();
    assert!(engine.is_ok(), "{engine:?}");
    let error = canonical(dialect, bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical(what));
    assert_eq!(error.offset(), offset);
}

use Dialect::{Godot2, Godot3, Godot4, Pandemonium5};
use NotCanonical::{
    Bool, DuplicateKey, Element, ElementType, FloatWidth, HeaderBits, InputEvent, MixedReals,
    NegativeCount, NoPadding, NoTerminator, NodePath, NullObject, Padding, SharedBit,
    TrailingBytes, WideInt,
};

#[test]
fn scalars_have_one_form() {
    assert_odd(Godot3, words(&[0x100]), HeaderBits, 0);
    assert_odd(Godot3, words(&[0x1_0005]).u64(0), HeaderBits, 0);
    assert_odd(Godot4, words(&[1, 2]), Bool, 4);
    assert_odd(Godot4, words(&[0x1_0002]).u64(7), WideInt, 4);
    let half = 0.5_f64.to_bits();
    assert_odd(Godot4, words(&[0x1_0003]).u64(half), FloatWidth, 4);
    let nan = f32::NAN.to_bits();
    assert_odd(Godot4, words(&[3, nan]), FloatWidth, 4);
    assert!(canonical(Godot4, words(&[0x1_0002]).u64(1 << 40)).is_ok());
    assert!(canonical(Godot4, words(&[0x1_0003]).u64(0.1_f64.to_bits())).is_ok());
}

#[test]
fn padding_is_there_and_zero() {
    assert_odd(Godot4, words(&[4, 1]).raw(b"a\0x\0"), Padding, 10);
    assert_odd(Godot4, words(&[29, 1]).raw(b"a"), NoPadding, 8);
    assert_odd(Godot2, words(&[4, 1]).raw(b"a"), NoPadding, 8);
    assert_odd(Godot4, words(&[22, 0x8000_0001, 0, 0, 1]).raw(b"axxx"), Padding, 21);
    assert_odd(Godot4, words(&[34, 1, 1]).raw(b"axxx"), Padding, 13);
    assert_odd(Godot4, words(&[24]).text("C").u32(1).u32(1).raw(b"nx\0\0").u32(0), Padding, 21);
}

#[test]
fn containers_have_one_form() {
    assert_odd(Godot3, words(&[19, 1 << 31]), SharedBit, 4);
    assert!(canonical(Godot2, words(&[21, 1 << 31])).is_ok());
    assert_odd(Godot4, words(&[0x1_001c, 0, 0]), ElementType, 4);
    assert_odd(Godot4, words(&[0x1_001c, 2, 1, 1, 1]), Element, 12);
    assert_odd(Godot4, words(&[0x1_001b, 2, 1, 1, 1, 0]), Element, 12);
    assert_odd(Pandemonium5, words(&[27, 2, 1, 1, 1]), Element, 12);
    assert_odd(Pandemonium5, words(&[0x1_001b, 2, 0]), ElementType, 4);
    assert_odd(Pandemonium5, words(&[27, 0x8000_0002, 0]), ElementType, 4);
    assert_odd(Pandemonium5, words(&[27, 77, 0]), ElementType, 4);
    assert_odd(Godot4, words(&[34, u32::MAX]), NegativeCount, 4);
    assert_odd(Godot4, words(&[24]).text("C").u32(u32::MAX), NegativeCount, 12);
    assert_odd(Godot4, words(&[34, 1]).text("a"), NoTerminator, 8);
    assert_odd(Godot4, words(&[22, 0x8000_0000, 0, 4]), NodePath, 4);
    assert_odd(Godot4, words(&[22, 0x8000_0001, u32::MAX, 0]), NodePath, 4);
    assert_odd(Godot4, words(&[0, 0]), TrailingBytes, 4);
}

#[test]
fn reals_are_of_one_width() {
    let single = |builder: Builder| builder.u32(5).f32s(&[1.0, 2.0]);
    let double = |builder: Builder| builder.u32(0x1_0005).f64s(&[1.0, 2.0]);
    let array = || words(&[28, 2]);
    assert_odd(Godot4, double(single(array())), MixedReals, 20);
    assert!(canonical(Godot4, single(single(array()))).is_ok());
    assert!(canonical(Godot4, double(double(array()))).is_ok());

    let options = Options::engine(Godot4).profile(Profile::Canonical).reals(Reals::Always64);
    let unflagged = words(&[5]).f64s(&[1.0, 2.0]).build();
    assert!(Document::new(&unflagged.bytes, options).validate().is_ok());
    let flagged = double(Builder::new()).build();
    let error = Document::new(&flagged.bytes, options).validate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical(HeaderBits));
}

#[test]
fn odd_things_of_godot_2() {
    assert!(canonical(Godot2, words(&[19, 1, 0, 20]).u64(0)).is_ok());
    // The axis of a joystick, without a value and with one.
    assert!(canonical(Godot2, words(&[19, 4, 0, 16, 1])).is_ok());
    assert!(canonical(Godot2, words(&[19, 4, 0, 20, 1, 2])).is_ok());
    assert_odd(Godot2, words(&[19, 1, 0, 9]).u64(0), InputEvent, 4);
    assert_odd(Godot2, words(&[16, 4]).raw(b"/a/b"), NodePath, 4);
    assert!(canonical(Godot2, words(&[16, 0x8000_0000, 0, 2]).text("p")).is_ok());
    let image = || words(&[15, 4, 0, 1, 2, 3]).raw(&[7, 8, 9]);
    assert!(canonical(Godot2, image().raw(&[0])).is_ok());
    assert_odd(Godot2, image().raw(&[1]), Padding, 27);
    assert_odd(Godot2, image(), NoPadding, 26);
}

/// A dictionary of the given keys. Each key is a complete value. All values of the dictionary are nil.
fn dictionary(id: u32, keys: &[Builder]) -> Builder {
    let count = u32::try_from(keys.len()).unwrap();
    keys.iter()
        .fold(words(&[id, count]), |builder, key| builder.raw(&key.clone().build().bytes).u32(0))
}

fn float(value: f64) -> Builder {
    #[allow(clippy::cast_possible_truncation, reason = "tests whether the narrow number is equal")]
    let narrow = value as f32;
    if f64::from(narrow) == value {
        words(&[3]).f32s(&[narrow])
    } else {
        words(&[0x1_0003]).f64s(&[value])
    }
}

#[test]
fn keys_that_are_the_same_to_the_engine() {
    let string = || words(&[4]).text("k");
    let name = |id| words(&[id]).text("k");
    assert_odd(Godot4, dictionary(27, &[string(), float(1.0), string()]), DuplicateKey, 36);
    // These texts are one key in Godot 4, two keys in Pandemonium.
    assert_odd(Godot4, dictionary(27, &[string(), name(21)]), DuplicateKey, 24);
    assert!(canonical(Pandemonium5, dictionary(25, &[string(), name(24)])).is_ok());
    // A NUL ends a text, also if it is spelled long.
    let text = |text: &[u8]| words(&[4]).text(text);
    assert_odd(Godot2, dictionary(20, &[text(b"\xe0\x80\x80"), text(b"")]), DuplicateKey, 24);
    assert_odd(Godot4, dictionary(27, &[float(0.0), float(-0.0)]), DuplicateKey, 20);
    let other_nan = f64::from_bits(f64::NAN.to_bits() | 7);
    assert_odd(Godot4, dictionary(27, &[float(f64::NAN), float(other_nan)]), DuplicateKey, 24);
    assert!(canonical(Godot4, dictionary(27, &[float(1.0), words(&[2, 1])])).is_ok());
    // Dictionaries as keys compare by content in Godot 4, by identity before.
    let empty = |id| words(&[id, 0]);
    assert_odd(Godot4, dictionary(27, &[empty(27), empty(27)]), DuplicateKey, 20);
    assert!(canonical(Godot3, dictionary(18, &[empty(18), empty(18)])).is_ok());
    assert_odd(Godot3, dictionary(18, &[empty(19), empty(19)]), DuplicateKey, 20);
    let nested = |outer, inner| words(&[outer, 1, inner, 0]);
    assert!(canonical(Godot3, dictionary(18, &[nested(19, 18), nested(19, 18)])).is_ok());
    // A RID's id is not written before Godot 4, so equal bytes may be different keys.
    let rid = || words(&[16]);
    assert!(canonical(Godot3, dictionary(18, &[rid(), rid()])).is_ok());
}

#[test]
fn keys_that_equal_no_other() {
    let id = |low: u32| words(&[0x1_0011, low, 0]);
    assert!(canonical(Godot3, dictionary(18, &[id(5), id(5)])).is_ok());
    assert_odd(Godot3, dictionary(18, &[id(0), id(0)]), DuplicateKey, 24);
    let null = || words(&[17, 0]);
    assert_odd(Godot3, dictionary(18, &[null(), null()]), DuplicateKey, 20);
    // The two forms of a null object are one key, alone and in an array.
    assert_odd(Godot3, dictionary(18, &[id(0), null()]), DuplicateKey, 24);
    let array = |item: Builder| words(&[19, 1]).raw(&item.build().bytes);
    assert_odd(Godot3, dictionary(18, &[array(null()), array(id(0))]), DuplicateKey, 28);
    assert!(canonical(Godot3, dictionary(18, &[id(0), id(1)])).is_ok());
    let named = || words(&[17]).text("Node").u32(0);
    assert!(canonical(Godot3, dictionary(18, &[named(), named()])).is_ok());
    // Godot 2 does not write the contents of an object, so equal bytes may be different keys.
    let bare = || words(&[18]);
    assert!(canonical(Godot2, dictionary(20, &[bare(), bare()])).is_ok());
    // Godot 3 compares packed floats by bits, and an array with a NaN equals no other. Godot 4 compares the numbers.
    let floats = |id, value: f32| words(&[id, 2]).f32s(&[1.0, value]);
    assert!(
        canonical(Godot3, dictionary(18, &[floats(22, f32::NAN), floats(22, f32::NAN)])).is_ok()
    );
    assert_odd(Godot3, dictionary(18, &[floats(22, 2.0), floats(22, 2.0)]), DuplicateKey, 28);
    let nans = [floats(32, f32::NAN), floats(32, f32::NAN)];
    assert_odd(Godot4, dictionary(27, &nans), DuplicateKey, 28);
}

/// Zeros of either sign are equal inside vectors and arrays as well. NaNs inside arrays are not.
#[test]
fn numbers_inside_of_keys() {
    let vector = |x: f32| words(&[5]).f32s(&[x, 1.0]);
    assert_odd(Godot4, dictionary(27, &[vector(0.0), vector(-0.0)]), DuplicateKey, 24);
    assert!(canonical(Godot4, dictionary(27, &[vector(0.0), vector(1.0)])).is_ok());
    let array = |x| words(&[28, 1]).raw(&float(x).build().bytes);
    assert_odd(Godot4, dictionary(27, &[array(0.0), array(-0.0)]), DuplicateKey, 28);
    let packed = |x: f32| words(&[32, 1]).f32s(&[x]);
    assert_odd(Godot4, dictionary(27, &[packed(0.0), packed(-0.0)]), DuplicateKey, 24);
    // A `StringName` and a `String` of equal text are one key, but different elements of an array. Two NaNs are also
    // different elements.
    let name = |id| words(&[id]).text("k");
    assert_odd(Godot4, dictionary(27, &[name(4), name(21)]), DuplicateKey, 24);
    let names = |id| words(&[28, 1, id]).text("k");
    assert!(canonical(Godot4, dictionary(27, &[names(4), names(21)])).is_ok());
    let nan = || words(&[28, 1, 0x1_0003]).u64(f64::NAN.to_bits());
    assert!(canonical(Godot4, dictionary(27, &[nan(), nan()])).is_ok());
}

/// Declared types do not affect equality.
#[test]
fn typed_containers_are_what_they_hold() {
    let plain = words(&[28, 0]);
    let ints = || words(&[0x1_001c, 2, 0]);
    let nodes = words(&[0x2_001c]).text("Node").u32(0);
    assert_odd(Godot4, dictionary(27, &[plain, ints()]), DuplicateKey, 20);
    assert_odd(Godot4, dictionary(27, &[ints(), nodes]), DuplicateKey, 24);
    let typed = |id| words(&[27, id, 0]);
    assert!(canonical(Pandemonium5, dictionary(25, &[typed(2), typed(3)])).is_ok());
    assert_odd(Pandemonium5, dictionary(25, &[typed(2), typed(2)]), DuplicateKey, 24);
}

/// The declared type of an array is a part of a key in Pandemonium 5.
#[test]
fn typed_arrays_are_keys_of_their_type_and_class() {
    let of = |class: &str| words(&[27, 23, 24]).text(class).u32(0);
    assert_eq!(Pandemonium5.kind(23), Some(Kind::Object));
    let keys = |keys: &[Builder]| canonical(Pandemonium5, dictionary(25, keys));
    assert!(keys(&[of("Node"), of("Area")]).is_ok());
    assert!(keys(&[of("Node"), words(&[27, 2, 0])]).is_ok());
    assert_odd(Pandemonium5, dictionary(25, &[of("Node"), of("Node")]), DuplicateKey, 36);
    // An id without a type is a deviation of its key; two such keys are also one key twice.
    let unknown = |id| words(&[27, id, 0]);
    let found = |one, other| {
        let bytes = dictionary(25, &[unknown(one), unknown(other)]).build().bytes;
        let all = deviations(&bytes, Pandemonium5).into_iter().map(|error| error.kind());
        all.filter(|kind| *kind == ErrorKind::NotCanonical(DuplicateKey)).count()
    };
    assert_eq!((found(99, 99), found(99, 98)), (1, 0));
}

/// Engines read a negative count of texts as 0, so such a key is the empty array.
#[test]
fn a_negative_count_is_an_empty_key() {
    let bytes = dictionary(27, &[words(&[34, 0]), words(&[34, 1 << 31])]).build().bytes;
    let found = deviations(&bytes, Godot4).into_iter().map(|error| error.kind());
    let expected = [NegativeCount, DuplicateKey].map(ErrorKind::NotCanonical);
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// A container whose head deviates is still a container of its kind. Its keys are compared, and only
/// with each other.
#[test]
fn keys_are_compared_below_a_head_that_deviates() {
    let nil = || words(&[0]);
    let shared = |keys: u32| words(&[18, 1 << 31 | keys]).words(&[0, 0]);
    let twice = shared(2).words(&[0, 0]);
    // {null: {null: null}}, the inner dictionary shared
    let nested = words(&[18, 1, 0]).raw(&shared(1).build().bytes);
    for (bytes, expected) in [
        (twice, [(SharedBit, 4), (DuplicateKey, 16)].as_slice()),
        (shared(1), &[(SharedBit, 4)]),
        (nested, &[(SharedBit, 16)]),
        (dictionary(18, &[nil(), nil()]), &[(DuplicateKey, 16)]),
    ] {
        let found = deviations(&bytes.build().bytes, Godot3);
        let expected = expected.iter().map(|&(what, at)| (ErrorKind::NotCanonical(what), at));
        assert!(found.iter().map(|error| (error.kind(), error.offset())).eq(expected), "{found:?}");
    }
}

#[test]
fn bytes_after_the_value_are_a_deviation() {
    let found = deviations(&[0; 6], Godot4);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind(), found[0].offset()), (ErrorKind::NotCanonical(TrailingBytes), 4));
}

#[test]
fn a_long_key_costs_no_more_than_its_length() {
    let short = |i: usize| words(&[4]).text(format!("{i:08}"));
    let long = words(&[4]).text(format!("00000100{}", "m".repeat(3_000_000)));
    let mut keys: Vec<_> = (0..200).map(short).collect();
    keys.insert(100, long);
    assert!(canonical(Godot4, dictionary(27, &keys)).is_ok());
}

#[test]
fn null_is_written_as_nil() {
    let null = |id| words(&[id, 0]);
    assert_odd(Godot4, null(24), NullObject, 4);
    assert!(canonical(Godot3, null(17)).is_ok());
    assert_odd(Godot3, words(&[17, 5]).raw(b"\0abcd\0\0\0"), NullObject, 4);
}

#[test]
fn a_typed_array_of_nothing_holds_nothing() {
    assert_odd(Pandemonium5, words(&[27, 0, 1, 2, 7]), Element, 12);
    assert!(canonical(Pandemonium5, words(&[27, 0, 1, 0])).is_ok());
}

#[test]
fn keys_of_nested_dictionaries_are_kept_apart() {
    let key = || words(&[4]).text("k");
    let inner = dictionary(27, &[key()]).build().bytes;
    let outer = words(&[27, 2]).raw(&key().build().bytes).raw(&inner);
    assert!(canonical(Godot4, outer.clone().u32(4).text("l").u32(0)).is_ok());
    assert_odd(Godot4, outer.raw(&key().build().bytes).u32(0), DuplicateKey, 8 + 12 + 24);
}

#[test]
fn many_keys() {
    let keys = |last: u32| {
        (0..if cfg!(feature = "alloc") { 5_000 } else { 200 })
            .chain([last])
            .map(|key| words(&[2, key]))
            .collect::<Vec<_>>()
    };
    assert!(canonical(Godot4, dictionary(27, &keys(77_777))).is_ok());
    let error = canonical(Godot4, dictionary(27, &keys(13))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical(DuplicateKey));
    assert_eq!(error.offset(), 8 + 12 * (keys(13).len() - 1));
}
