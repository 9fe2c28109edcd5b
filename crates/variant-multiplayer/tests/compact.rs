//! Consecutive compact values: limits, profiles, ends and offsets.

use variant_multiplayer::{CompactValues, compact};
use variant_owned::Variant;
use variant_view::{
    Dialect, Error, ErrorKind, Limit, Limits, NotCanonical, Options, Profile, VariantView,
};

/// 5, true, nil, "a", 300.
const ROW: [u8; 21] = [2, 5, 0x81, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 0x42, 0x2c];
const STARTS: [usize; 5] = [0, 2, 3, 7, 19];

fn row() -> Vec<u8> {
    [ROW.as_slice(), &[1]].concat()
}

fn options() -> Options {
    Options::engine(Dialect::Godot4)
}

fn exceeded(limit: Limit) -> impl Fn(Error) -> bool {
    move |error| error.kind() == ErrorKind::LimitExceeded { limit }
}

#[test]
fn limits_count_all_values_of_a_row() {
    let row = row();
    let ends: Vec<_> = STARTS.into_iter().skip(1).chain([row.len()]).collect();
    for most in 0..=6 {
        let limited = options().limits(Limits::FILE.values(most));
        let verdict = CompactValues::new(&row, limited).validate();
        if most >= 5 {
            assert_eq!(verdict.unwrap().values, 5);
            continue;
        }
        let error = verdict.unwrap_err();
        assert!(exceeded(Limit::Values)(error), "{error}");
        assert_eq!(error.offset(), STARTS[usize::try_from(most).unwrap()]);
    }
    for most in 0..row.len() {
        let limited = options().limits(Limits::FILE.bytes(most.try_into().unwrap()));
        let error = CompactValues::new(&row, limited).validate().unwrap_err();
        assert!(exceeded(Limit::Bytes)(error), "{error}");
        // The first value that ends after the limit.
        let first = ends.iter().position(|end| *end > most).unwrap();
        assert_eq!(error.offset(), STARTS[first], "{most} bytes");
    }
    let limited = options().limits(Limits::FILE.bytes(22));
    assert_eq!(CompactValues::new(&row, limited).validate().unwrap().consumed, 22);
}

#[test]
fn the_canonical_profile_judges_each_value_by_itself() {
    let canonical = options().profile(Profile::Canonical);
    let summary = CompactValues::new(&row(), canonical).validate().unwrap();
    assert_eq!((summary.consumed, summary.values), (22, 5));

    let odd: [(&[u8], NotCanonical, usize); 6] = [
        (&[2, 5, 0x42, 5, 0], NotCanonical::WideCompactInt, 2),
        (&[0x82, 0xff, 0x7f, 0, 0], NotCanonical::WideCompactInt, 0),
        (&[0xc2, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff], NotCanonical::WideCompactInt, 0),
        (&[0x81, 0x41], NotCanonical::HeaderBits, 1),
        (&[0x81, 0xc1], NotCanonical::HeaderBits, 1),
        (&[4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 1, 0, 2, 5], NotCanonical::Padding, 10),
    ];
    for (bytes, deviation, offset) in odd {
        let error = CompactValues::new(bytes, canonical).validate().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotCanonical(deviation), "{bytes:?}");
        assert_eq!(error.offset(), offset, "{bytes:?}");
        assert!(CompactValues::new(bytes, options()).validate().is_ok(), "engines read {bytes:?}");
    }
    // The smallest value of each width.
    let narrow: [&[u8]; 4] = [
        &[2, 0x80],
        &[0x42, 0x7f, 0xff],
        &[0x82, 0xff, 0x7f, 0xff, 0xff],
        &[0xc2, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff],
    ];
    for bytes in narrow {
        assert!(CompactValues::new(bytes, canonical).validate().is_ok(), "{bytes:?}");
    }
}

#[test]
fn a_counted_row_leaves_the_bytes_after_it() {
    let row = row();
    let values = CompactValues::counted(&row, Dialect::Godot4, 2);
    assert_eq!(values.validate().unwrap().consumed, 3);
    let mut read = values.iter();
    assert_eq!(read.by_ref().count(), 2);
    assert_eq!(read.rest().bytes(), &row[3..]);
    let more = CompactValues::counted(&row, Dialect::Godot4, 6);
    assert_eq!(more.validate().unwrap_err().offset(), 22, "the sixth is missing");
    assert_eq!(more.iter().last().unwrap().unwrap_err().offset(), 22);
}

#[test]
fn offsets_are_those_of_the_buffer() {
    // An array of one value of an unknown kind, after an int.
    let row = [2, 5, 28, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0];
    for start in [0, 1, 1_000] {
        let values = CompactValues::new(&row, Dialect::Godot4).in_buffer(start);
        assert_eq!(values.validate().unwrap_err().offset(), start.wrapping_add(10));
        let offsets = values.iter().map(|value| value.map(|view| view.offset()));
        let found: Vec<_> = offsets.map(|one| one.map_err(|error| error.offset())).collect();
        assert_eq!(found, [Ok(start), Err(start.wrapping_add(10))]);
    }
}

/// Types other than `bool` and `int` have no modes: the whole byte is the type.
#[test]
fn modes_belong_to_bool_and_int() {
    for first in 0..=u8::MAX {
        let bytes = [first, 0, 0, 0, 0, 0, 0, 0, 0];
        let is_scalar = matches!(first & 0x3f, 1 | 2);
        let mut values = CompactValues::new(&bytes, Dialect::Godot4).iter();
        let value = values.next().unwrap();
        if !is_scalar && first > 0x3f {
            assert!(value.is_err(), "{first:#x}");
        } else if is_scalar {
            let len = value.unwrap().raw_bytes().unwrap().len();
            let wide = [2, 3, 5, 9][usize::from(first >> 6)];
            assert_eq!(len, if first & 0x3f == 1 { 1 } else { wide }, "{first:#x}");
        }
    }
}

/// A reader of the ordinary form may read a value other than an `int` or a `bool`. The row continues after the value.
#[test]
fn values_in_the_ordinary_form_can_be_read_from_their_bytes() {
    let row = row();
    let mut values = CompactValues::new(&row, Dialect::Godot4).iter();
    let mut ordinary = 0;
    while !values.rest().is_empty() {
        let mut next = values.clone();
        let view = next.next().unwrap().unwrap();
        let raw = view.raw_bytes().unwrap();
        let is_scalar = matches!(view, VariantView::Int(_) | VariantView::Bool(_));
        assert_eq!(values.ordinary().is_none(), is_scalar, "{view:?}");
        if let Some(bytes) = values.ordinary() {
            assert_eq!(bytes.get(..raw.len()), Some(raw));
            ordinary += 1;
        }
        values.advance(raw.len());
        assert_eq!(values.rest().bytes(), next.rest().bytes());
        assert_eq!(values.rest().offset(), next.rest().offset());
    }
    assert_eq!((ordinary, values.ordinary()), (2, None));
    // No value is left, although there are bytes.
    let none = CompactValues::counted(&[0, 0, 0, 0], Dialect::Godot4, 0);
    assert_eq!(none.iter().ordinary(), None);
}

/// A log may have a row of a hostile peer, so a row is not printed in full.
#[test]
fn rows_are_printed_in_short() {
    let row = vec![0x81; 1_000];
    let values = CompactValues::counted(&row, Dialect::Godot4, 900).in_buffer(7);
    let expected = "CompactValues { offset: 7, bytes: 1000, count: Some(900) }";
    assert_eq!(format!("{values:?}"), expected);
    let mut iter = values.iter();
    iter.nth(9).unwrap().unwrap();
    let expected = "CompactIter(CompactValues { offset: 17, bytes: 990, count: Some(890) })";
    assert_eq!(format!("{iter:?}"), expected);
}

#[test]
fn a_value_is_encoded_alone_or_after_others() {
    let values: [Variant; 5] = [5.into(), true.into(), Variant::Nil, "a".into(), 300.into()];
    let (mut all, mut each) = (Vec::new(), Vec::new());
    for value in &values {
        let start = all.len();
        let len = compact::encode_into(value, Dialect::Godot4, &mut all).unwrap();
        assert_eq!(all.len(), start + len);
        each.push(compact::encode(value, Dialect::Godot4).unwrap());
    }
    assert_eq!((all, each.concat()), (row(), row()));
    let event = Variant::InputEvent(Box::default());
    assert!(compact::encode(&event, Dialect::Godot4).is_err(), "Godot 4 has no such value");
}
