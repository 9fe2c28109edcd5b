//! Templates skip records of equal layout. All readers of such documents must agree with the reference decoder.

use variant_testkit::agree::check_agree;
use variant_testkit::builder::{Builder, words};
use variant_testkit::corpus::{are_all, one_in};
use variant_view::{Dialect, Document, ErrorKind, Limits, Options, Profile};

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

const CHANGES: [u8; 4] = [0x01, 0x04, 0x80, 0xff];

fn assert_every_byte(bytes: &[u8]) {
    let options = Options::engine(Dialect::Godot4);
    check_agree(bytes, options);
    assert!(Document::new(bytes, options).validate().is_ok());
    for at in (0..bytes.len()).step_by(one_in(3)) {
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
    for len in (0..bytes.len()).step_by(one_in(7)) {
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
    for most in (0..len).step_by(one_in(13)).chain(last) {
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

/// A good record, and then bytes for more records, all of one value.
#[test]
fn repeated_bytes_are_no_records() {
    let options = Options::engine(Dialect::Godot4);
    for good in [words(&[28, 1, 2, 5]), words(&[27, 3]).words(&[2, 5].repeat(6))] {
        let good = good.build().bytes;
        let start = words(&[28, 40]).raw(&good).build().bytes;
        for byte in (0..=u8::MAX).step_by(one_in(5)) {
            let bytes = [&start[..], &vec![byte; good.len() * 39 + 64]].concat();
            check_agree(&bytes, options);
        }
    }
}

/// The names of properties have other lengths and other bytes, so properties are not records.
#[test]
fn properties_have_no_template() {
    // The name has four bytes, and 4 is also the header of a string. Then the name would be the
    // length of the string, and the array its text.
    let property = |all: Builder| all.text([16, 0, 0, 0]).words(&[28, 1, 2, 7]);
    let bytes = (0..40).fold(words(&[24]).text("A").u32(40), |all, _| property(all)).build().bytes;
    let options = Options::engine(Dialect::Godot4);
    check_agree(&bytes, options);
    let mut damaged = bytes.clone();
    let at = bytes.len() - 20 * 24 - 8;
    damaged[at] = 99;
    let error = Document::new(&damaged, options).validate().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnknownType { header: 99 }, at));
    check_agree(&damaged, options);
}

/// The known start of a dictionary ends before the first container, also if this is a key. The last
/// dictionary ends with the document, so a wrong number of items would be the end of the document.
#[test]
fn containers_end_the_known_start_of_a_dictionary() {
    let containers = [
        words(&[28, 1, 2, 5]),
        words(&[27, 1, 2, 5, 0]),
        words(&[24]).text("A").u32(1).text("p").u32(0),
    ];
    for container in containers.map(|container| container.build().bytes) {
        for place in 0..8 {
            let items = (0..8).fold(words(&[27, 4]), |all, at| {
                if at == place { all.raw(&container) } else { all.words(&[2, at]) }
            });
            let dictionary = items.build().bytes;
            for count in 1..6 {
                let start = words(&[28, count + 1, 4]).text("x".repeat(600)).build().bytes;
                let bytes = [start, dictionary.repeat(count as usize)].concat();
                let options = Options::engine(Dialect::Godot4);
                check_agree(&bytes, options);
                let summary = Document::new(&bytes, options).validate().unwrap();
                assert_eq!(summary.consumed, bytes.len(), "{place} {count}");
            }
        }
    }
}

/// A value of each kind and form, as Godot 4 writes it.
fn values() -> Vec<Vec<u8>> {
    let path = words(&[22, 0x8000_0001, 1, 0]).text("a").text("b");
    let values = [
        words(&[0]),
        words(&[1, 1]),
        words(&[2, 5]),
        words(&[0x1_0002, 5, 5]),
        words(&[3, 5]),
        words(&[0x1_0003, 5, 5]),
        words(&[4]).text(""),
        words(&[4]).text("abcde"),
        words(&[4]).text("a\u{e4}"),
        words(&[4, 1]).raw(b"a\xff\0\0"),
        words(&[21]).text("ab"),
        words(&[5, 1, 2]),
        words(&[0x1_0005, 1, 2, 3, 4]),
        words(&[6, 1, 2]),
        words(&[20, 1, 2, 3, 4]),
        path,
        words(&[23, 5, 0]),
        words(&[24, 0]),
        words(&[0x1_0018, 5, 0]),
        words(&[25]),
        words(&[26]).text("a").u64(5),
        words(&[27, 1, 2, 5]).words(&[1, 1]),
        words(&[0x5_001b, 2, 1, 1, 2, 5, 1, 1]),
        words(&[28, 1, 2, 5]),
        words(&[0x1_001c, 2, 1, 2, 5]),
        words(&[0x2_001c]).text("A").words(&[1, 24, 0]),
        words(&[29, 0]),
        words(&[29, 5]).raw(b"abcde\0\0\xff"),
        words(&[30, 2, 5, 6]),
        words(&[31, 1, 5, 6]),
        words(&[32, 1, 5]),
        words(&[33, 1, 5, 6]),
        words(&[34, 2]).text("a\0").text("\u{e4}\0"),
        words(&[35, 1, 5, 6]),
        words(&[0x1_0023, 1, 5, 6, 7, 8]),
        words(&[37, 1, 5, 6, 7, 8]),
        words(&[24]).text("A").u32(1).text("p").words(&[2, 5]),
    ];
    values.map(|value| value.build().bytes).into()
}

/// Asserts that the last of several records is judged as it is judged alone. A record alone is too
/// small for templates. The bytes after the records make room for comparisons of whole blocks.
fn assert_as_alone(before: &[Vec<u8>], last: &[u8]) {
    let count = u32::try_from(before.len() + 2).unwrap();
    let start = words(&[28, count, 4]).text("x".repeat(600)).raw(&before.concat()).build().bytes;
    let behind = [0; 64];
    let (base, options) = (start.len(), Options::engine(Dialect::Godot4));
    let own = [last, &behind].concat();
    let whole = [&start, last, &behind].concat();
    let own = Document::new(&own, options).validate();
    let whole = Document::new(&whole, options).validate();
    let found = whole.map(|found| found.consumed).map_err(|error| (error.kind(), error.offset()));
    let expected = own.map(|found| base + found.consumed);
    let expected = expected.map_err(|error| (error.kind(), base + error.offset()));
    assert_eq!(found, expected, "{last:x?} after {} records", before.len());
}

/// Every change of the last record, after records with texts of one length and of different
/// lengths.
fn assert_every_change_as_alone(record: impl Fn(&str) -> Vec<u8>) {
    let alike: Vec<_> = ["abc", "abd", "abe", "abf", "abg", "abh"].map(&record).into();
    let varied: Vec<_> = [0, 13, 5, 9, 21, 4].map(|len| record(&"x".repeat(len))).into();
    for before in [alike, varied] {
        let last = record("xyz");
        assert!(Document::new(&last, Options::engine(Dialect::Godot4)).validate().is_ok());
        assert_as_alone(&before, &last);
        for at in 0..last.len() {
            for change in [0x01, 0x10, 0x80, 0xff] {
                let mut changed = last.clone();
                changed[at] ^= change;
                assert_as_alone(&before, &changed);
            }
        }
    }
}

/// Values of each kind, as values and as keys.
#[test]
fn the_last_record_is_judged_as_alone() {
    for value in values() {
        let start = |text: &str| words(&[27, 3, 4]).text("t").u32(4).text(text);
        assert_every_change_as_alone(|text| {
            start(text).words(&[2, 7]).raw(&value).words(&[2, 8, 2, 9]).build().bytes
        });
        assert_every_change_as_alone(|text| {
            start(text).raw(&value).words(&[2, 7, 2, 8, 2, 9]).build().bytes
        });
        assert_every_change_as_alone(|text| {
            words(&[28, 3]).raw(&value).u32(4).text(text).words(&[2, 7]).build().bytes
        });
    }
}

/// Records that are longer than a template, or have more texts.
#[test]
fn the_last_of_long_records_is_judged_as_alone() {
    for (value, count) in [
        (words(&[2, 5]), 38),
        (words(&[4]).text("abc"), 20),
        (words(&[19]).words(&[5; 16]), 12),
        (words(&[29, 3]).raw(b"abc\0"), 20),
    ] {
        let value = value.build().bytes;
        assert_every_change_as_alone(|text| {
            let start = words(&[27, count + 1, 4]).text("t").u32(4).text(text);
            (0..count).fold(start, |all, at| all.words(&[2, at]).raw(&value)).build().bytes
        });
    }
}
