//! Adapters report damage: `nth`, `skip` and `step_by` of every fallible iterator find each error that `next` finds.

use std::fmt::Debug;

use variant_testkit::adapters::hides_nothing;
use variant_testkit::builder::words;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Event, Options, PathStep, VariantView};
#[cfg(feature = "alloc")]
use variant_view::{Tape, TapeValue};

/// Checks the iterators of each container, and the walk.
fn check(bytes: &[u8], dialect: Dialect, place: &dyn Debug) -> usize {
    let document = Document::new(bytes, Options::engine(dialect));
    let events = document.walk().take(20).map_while(Result::ok);
    let mut damaged = 0;
    for event in events {
        let Event::Enter(node) = event else { continue };
        damaged += usize::from(match &node.view {
            VariantView::Array(v)
            | VariantView::TypedArray(v)
            | VariantView::PackedTypedArray(v) => v.len() < 40 && hides_nothing(v.iter(), place),
            VariantView::Dictionary(v) => v.len() < 40 && hides_nothing(v.iter(), place),
            VariantView::Object(v) => v.len() < 40 && hides_nothing(v.properties(), place),
            _ => false,
        });
    }
    if bytes.len() < 200 {
        damaged += usize::from(hides_nothing(document.walk(), place));
    }
    damaged
}

/// Checks every 29th record: whole, cut, and with one changed byte.
#[test]
fn adapters_find_the_damage_that_next_finds() {
    let mut damaged = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().step_by(29) {
            let bytes = &case.bytes;
            damaged += check(bytes, dialect, &case.name);
            for end in (0..bytes.len()).step_by(4 + bytes.len() / 4) {
                damaged += check(&bytes[..end], dialect, &(&case.name, end));
                let mut other = bytes.clone();
                other[end] ^= 0x55;
                damaged += check(&other, dialect, &(&case.name, end, "changed"));
            }
        }
    }
    assert!(damaged > 100, "{damaged}");
}

/// A container by value has the items of the container by reference.
#[test]
fn containers_are_their_items() {
    let bytes = words(&[28, 2, 2, 5, 2, 7]).build().bytes;
    let root = Document::new(&bytes, Dialect::Godot4).root().unwrap();
    let array = root.as_array().unwrap();
    let (mut lent, mut own) = (Vec::new(), Vec::new());
    for item in &array {
        lent.push(item.unwrap().as_i64().unwrap());
    }
    for item in array {
        own.push(item.unwrap().as_i64().unwrap());
    }
    assert_eq!((&own, &lent), (&vec![5, 7], &vec![5, 7]));
    let bytes = words(&[27, 2, 2, 5, 2, 7, 2, 6, 2, 8]).build().bytes;
    let root = Document::new(&bytes, Dialect::Godot4).root().unwrap();
    let pairs = root.as_dictionary().unwrap();
    let numbers = |(key, value): (VariantView<'_>, VariantView<'_>)| {
        (key.as_i64().unwrap(), value.as_i64().unwrap())
    };
    let (mut lent, mut own) = (Vec::new(), Vec::new());
    for pair in &pairs {
        lent.push(numbers(pair.unwrap()));
    }
    for pair in pairs {
        own.push(numbers(pair.unwrap()));
    }
    assert_eq!((&own, &lent), (&vec![(5, 7), (6, 8)], &vec![(5, 7), (6, 8)]));
}

/// `nth` of a tape's pairs is the pair that as many calls of `next` lead to.
#[cfg(feature = "alloc")]
#[test]
fn pairs_of_a_tape_are_skipped_as_a_whole() {
    let bytes = words(&[27, 3, 2, 5, 2, 7, 2, 6, 2, 8, 2, 9, 2, 1]).build().bytes;
    let mut tape = Tape::default();
    let root = tape.read(Document::new(&bytes, Dialect::Godot4)).unwrap();
    let numbers = |(key, value): (TapeValue<'_, '_>, TapeValue<'_, '_>)| {
        (key.view().as_i64().unwrap(), value.view().as_i64().unwrap())
    };
    let all: Vec<_> = root.pairs().map(numbers).collect();
    assert_eq!(all, [(5, 7), (6, 8), (9, 1)]);
    for first in 0..4 {
        for second in 0..4 {
            let (mut pairs, mut expected) = (root.pairs(), all.iter().copied());
            assert_eq!(pairs.nth(first).map(numbers), expected.nth(first));
            assert_eq!(pairs.nth(second).map(numbers), expected.nth(second));
            assert_eq!(pairs.len(), expected.len());
        }
    }
}

/// A count claims more items than are present, in each kind of container. The bytes end in a key, a name or a value.
#[test]
fn damage_at_or_beyond_the_claimed_count_is_found() {
    let cut = [
        &b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0"[..],
        b"\x1b\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0\x02\0\0\0\x07",
        b"\x1b\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0",
        b"\x18\0\0\0\x04\0\0\0Node\x02\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0\x02\0\0\0mp\0\0\x02\0",
        b"\x18\0\0\0\x04\0\0\0Node\x02\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0\x02\0\0\0m",
    ];
    for bytes in cut {
        assert!(check(bytes, Dialect::Godot4, &bytes) >= 2, "{bytes:x?}");
    }
    for path in ["a[", "a.b..c", "a[1]{", "[&\"x\"].y]", ""] {
        assert_eq!(hides_nothing(PathStep::parse(path), &path), !path.is_empty());
    }
}
