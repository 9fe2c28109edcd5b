//! Templates skip records of equal layout. All readers of such documents must agree with the reference decoder.

use variant_testkit::agree::check_agree;
use variant_testkit::builder::{Builder, words};
use variant_view::{Dialect, Document, Limits, Options, Profile};

/// A record with keys, numbers, text, an array and a dictionary in it, as Godot 4 writes it.
fn record(name: &str, more: u32) -> Vec<u8> {
    let key = |builder: Builder, key: &str| builder.u32(4).text(key);
    let mut builder = words(&[27, 6]);
    builder = key(builder, "id").u32(2).u32(more);
    builder = key(builder, "näme").u32(4).text(name);
    builder = key(builder, "pos").u32(9).f32s(&[1.0, 2.0, 3.0]);
    builder = key(builder, "tags").u32(28).u32(2).u32(1).u32(1).u32(21).text("tag");
    builder = key(builder, "bytes").u32(29).u32(3).raw(&[1, 2, 3, 0]);
    builder = key(builder, "more").u32(27).u32(1).u32(2).u32(more).u32(0x1_0002).u64(1 << 40);
    builder.build().bytes
}

/// An array of records, most of which have one of two shapes.
fn array() -> Vec<u8> {
    let names =
        ["abc", "xyz", "uvw", "longer", "twelve", "åb", "öb", "abc", "end", "a", "b", "c", "d"];
    let records = (0..).zip(names).map(|(at, name)| record(name, at));
    let items: Vec<u8> = records.flatten().collect();
    let len = u32::try_from(names.len()).unwrap();
    words(&[28, len]).raw(&items).build().bytes
}

/// People by name, in a dictionary: texts, arrays and lists of all lengths, numbers of two widths.
fn people() -> Vec<u8> {
    let key = |builder: Builder, key: &str| builder.u32(4).text(key);
    let person = |builder: Builder, at: u32| {
        let name = "somebody".repeat(usize::try_from(at % 4).unwrap());
        let mut builder = builder.u32(27).u32(7);
        builder = key(builder, "name").u32(4).text(&name);
        builder =
            key(builder, "way")
                .u32(35)
                .u32(at % 3)
                .f32s(&vec![0.5; usize::try_from(at % 3 * 2).unwrap()]);
        builder = key(builder, "raw")
            .u32(29)
            .u32(at % 5)
            .raw(&[0xff; 8][..usize::try_from((at % 5).next_multiple_of(4)).unwrap()]);
        builder = key(builder, "luck");
        builder =
            if at % 6 == 5 { builder.u32(3).u32(at) } else { builder.u32(0x1_0003).u64(1 << 62) };
        builder = key(builder, "ö").u32(4).text(if at == 8 { "ä" } else { "a" });
        builder = key(builder, "friends").u32(28).u32(at % 4);
        for friend in 0..at % 4 {
            builder = builder.u32(27).u32(3);
            builder = key(builder, "id").u32(2).u32(friend);
            builder = key(builder, "name")
                .u32(4)
                .text(["", "b", "cecil"][usize::try_from(friend % 3).unwrap()]);
            builder = key(builder, "since").u32(9).f32s(&[1.0, 2.0, 3.0]);
        }
        key(builder, "end").u32(21).text("^")
    };
    let all = (0..12).fold(words(&[27, 12]), |all, at| {
        person(all.u32(4).text(format!("person {}", at * at)), at)
    });
    all.build().bytes
}

/// Records in an array, and the same records in another array on a deeper level, after a flat dictionary.
fn levels() -> Vec<u8> {
    let records: Vec<u8> = (0..8).flat_map(|at| record("abc", at)).collect();
    let list = |builder: Builder| builder.u32(28).u32(8).raw(&records);
    let flat = |builder: Builder| builder.u32(27).u32(1).u32(2).u32(1).u32(2).u32(2);
    let all = list(words(&[28, 2])).u32(28).u32(1).u32(28).u32(9);
    flat(all).raw(&records).build().bytes
}

#[test]
fn every_byte_changed() {
    assert_every_byte(&array());
    assert_every_byte(&people());
}

/// Whether every change, prefix and limit is tried: `VARIANT_RECORDS=all`. Otherwise only some are tried, at offsets
/// with all remainders of a division by four.
fn are_all() -> bool {
    std::env::var_os("VARIANT_RECORDS").is_some_and(|which| which == "all")
}

const CHANGES: [u8; 4] = [0x01, 0x04, 0x80, 0xff];

fn assert_every_byte(bytes: &[u8]) {
    let options = Options::engine(Dialect::Godot4);
    check_agree(bytes, options);
    assert!(Document::new(bytes, options).validate().is_ok());
    for at in 0..bytes.len() {
        let masks = if are_all() { &CHANGES } else { &CHANGES[at % 4..][..1] };
        for mask in masks {
            let mut changed = bytes.to_vec();
            changed[at] ^= mask;
            check_agree(&changed, options);
        }
    }
}

#[test]
fn every_prefix() {
    assert_every_prefix(&array());
    assert_every_prefix(&people());
}

fn assert_every_prefix(bytes: &[u8]) {
    for len in (0..bytes.len()).step_by(if are_all() { 1 } else { 3 }) {
        check_agree(&bytes[..len], Options::engine(Dialect::Godot4));
    }
}

#[test]
fn every_limit() {
    assert_every_limit(&array());
    assert_every_limit(&people());
    assert_every_limit(&levels());
}

fn assert_every_limit(bytes: &[u8]) {
    let whole = Document::new(bytes, Dialect::Godot4).validate().unwrap();
    let with = |limits| Options::engine(Dialect::Godot4).limits(limits);
    for values in 0..whole.values + 3 {
        check_agree(bytes, with(Limits::ENGINE.values(values)));
    }
    for depth in 0..8 {
        check_agree(bytes, with(Limits::ENGINE.depth(depth)));
    }
    let len = u64::try_from(bytes.len()).unwrap();
    let last = len - 2..len + 2;
    for most in (0..len).step_by(if are_all() { 1 } else { 7 }).chain(last) {
        check_agree(bytes, with(Limits::ENGINE.bytes(most)));
    }
}

#[test]
fn the_profile_looks_at_every_value() {
    // The last boolean becomes 2, which the canonical profile refuses.
    let mut bytes = array();
    let tags = [1, 0, 0, 0, 1, 0, 0, 0, 21];
    let at = bytes.windows(tags.len()).rposition(|all| all == tags).unwrap();
    bytes[at + 4] = 2;
    let options = Options::engine(Dialect::Godot4);
    assert!(Document::new(&bytes, options).validate().is_ok());
    let error = Document::new(&bytes, options.profile(Profile::Canonical)).validate().unwrap_err();
    assert_eq!(error.offset(), at + 4);
}

#[test]
fn records_that_never_repeat() {
    // Each record is longer than the previous one, so that templates do not match.
    let records: Vec<u8> = (0..200).flat_map(|len| record(&"x".repeat(len), 7)).collect();
    let bytes = words(&[28, 200]).raw(&records).build().bytes;
    check_agree(&bytes, Options::engine(Dialect::Godot4));
    assert!(Document::new(&bytes, Dialect::Godot4).validate().is_ok());
}
