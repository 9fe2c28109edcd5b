//! A lookup recognises the documents whose layout it has learnt.

use std::slice;

use variant_testkit::builder::{Builder, words};
use variant_view::{Dialect, Document, Lookup, Options, Reader, VariantView};

/// A document that is too small for a layout.
fn tiny() -> Vec<u8> {
    words(&[2, 7]).build().bytes
}

/// A document of a layout that no other document of these tests has.
fn other() -> Vec<u8> {
    words(&[28, 4, 0, 2, 5, 2, 7, 0]).build().bytes
}

fn shapes(lookup: &Lookup<'_, 1>) -> String {
    format!("{lookup:?}")
}

/// Whether a lookup learns another layout after `known` documents. It has learnt the layout of the
/// documents `taught`, and then has read `unknown` documents that are too small for a layout.
fn learns(taught: &[Vec<u8>], unknown: usize, known: &[Vec<u8>], options: Options) -> bool {
    let mut lookup = Lookup::paths([""], options);
    let mut read = |bytes: &[u8]| {
        lookup.validated(bytes).unwrap();
        shapes(&lookup)
    };
    for bytes in taught {
        read(bytes);
    }
    for _ in 0..unknown {
        read(&tiny());
    }
    let before = read(&tiny());
    for bytes in known {
        read(bytes);
    }
    read(&other()) != before
}

/// A lookup has a credit of eight layouts. It learns one more after 64 documents that it has
/// recognised.
#[track_caller]
fn assert_recognised(taught: &[Vec<u8>], known: &[Vec<u8>], options: Options) {
    let known: Vec<_> = known.iter().cycle().take(64).cloned().collect();
    let unknown = 7 - taught.len();
    assert!(learns(taught, unknown, &known, options), "not recognised");
    assert!(!learns(taught, unknown, &known[1..], options), "learnt too early");
}

/// An array of the value with this number of nils after it.
fn padded(value: Builder, nils: u32) -> Vec<u8> {
    let start = words(&[28, nils + 1]).raw(&value.build().bytes);
    (0..nils).fold(start, |all, _| all.u32(0)).build().bytes
}

#[test]
fn documents_of_one_length_are_recognised() {
    for nils in [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 28, 61, 500, 1_020] {
        let [first, second] = [5, 0xfff0_fff0].map(|number| padded(words(&[2, number]), nils));
        // The largest document that the limit allows.
        let options = Options::server(Dialect::Godot4);
        let limit = u64::try_from(first.len().max(other().len())).unwrap();
        let options = options.limits(options.limits.bytes(limit));
        assert_recognised(&[first], &[second], options);
    }
}

/// A layout takes more memory than its document.
#[test]
fn layouts_take_memory() {
    let mut lookup = Lookup::paths([""], Options::server(Dialect::Godot4));
    assert_eq!(lookup.memory(), 0);
    for (nils, least) in [(500, 2_000), (1_000, 6_000), (250, 7_000), (10, 7_000)] {
        lookup.validated(&padded(words(&[2, 5]), nils)).unwrap();
        assert!((least..64 << 10).contains(&lookup.memory()), "{nils}: {}", lookup.memory());
    }
}

/// A layout has 32 to 4,096 bytes.
#[test]
fn small_and_large_documents_have_no_layout() {
    for (nils, expected) in [(3, 0), (4, 1), (1_020, 1), (1_021, 0)] {
        let mut lookup = Lookup::paths([""], Options::server(Dialect::Godot4));
        lookup.validated(&padded(words(&[2, 5]), nils)).unwrap();
        assert_eq!(shapes(&lookup), format!("Lookup {{ shapes: {expected}, .. }}"), "{nils}");
    }
}

#[test]
fn documents_of_all_lengths_are_recognised() {
    let text = |text: &str| words(&[4]).text(text);
    let ints = |len: u32| (0..len).fold(words(&[30, len]), Builder::u32);
    let floats = |len: u32| (0..len).fold(words(&[35, len]), |all, _| all.f32s(&[0.5, 0.25]));
    let bytes = |len: u32| {
        let padded = vec![0xfe; usize::try_from(len.next_multiple_of(4)).unwrap()];
        words(&[29, len]).raw(&padded)
    };
    let long = |len: usize| text(&"x".repeat(len));
    let with = |values: &[Builder]| {
        let all = values.iter().map(|value| padded(value.clone(), 9));
        all.collect::<Vec<_>>()
    };
    for (taught, known) in [
        (
            with(&[text("a"), text("abcde")]),
            with(&[text(""), text("ä"), text("abcd"), text("€€€€€€")]),
        ),
        (
            with(&[text("ä")]),
            with(&[text(""), text("a"), text("ää"), text("\u{1f600}"), text("xä")]),
        ),
        (with(&[long(3), long(31)]), with(&[long(32), long(33), long(64), long(65), long(300)])),
        (with(&[ints(1), ints(2)]), with(&[ints(1), ints(2), ints(3), ints(40)])),
        (with(&[floats(2), floats(1)]), with(&[floats(1), floats(9)])),
        (with(&[bytes(1), bytes(5)]), with(&[bytes(4), bytes(6), bytes(7), bytes(8), bytes(99)])),
        (
            with(&[words(&[2, 5]), words(&[0x1_0002, 5, 5])]),
            with(&[words(&[2, 7]), words(&[0x1_0002, u32::MAX, 7])]),
        ),
        (
            with(&[words(&[3, 5]), words(&[0x1_0003, 5, 5])]),
            with(&[words(&[3, 7]), words(&[0x1_0003, u32::MAX, 7])]),
        ),
    ] {
        let options = Options::server(Dialect::Godot4);
        assert_recognised(&taught, &known, options);
        let mut lookup = Lookup::paths([""], options);
        for bytes in taught.iter().chain(&known) {
            lookup.validated(bytes).unwrap();
            assert_eq!(shapes(&lookup), "Lookup { shapes: 1, .. }", "{bytes:x?}");
        }
    }
}

/// Texts of any length are judged as without a layout.
#[test]
fn texts_of_known_layouts_are_validated() {
    let options = Options::server(Dialect::Godot4);
    let with = |text: &[u8]| padded(words(&[4]).text(text), 9);
    let known = ["a", "abcde"].map(|text| with(text.as_bytes()));
    let mut lookup = Lookup::paths([""], options);
    let mut refused = 0;
    for len in 0..70 {
        for byte in [0x80, 0xbf, 0xc3, 0xff] {
            for text in [vec![byte; len], [&vec![b'x'; len][..], &[byte]].concat()] {
                // The lookup compares documents with its layouts as long as it recognises some.
                for bytes in &known {
                    assert!(lookup.validate(bytes).is_ok());
                }
                let bytes = with(&text);
                let verdict = Document::new(&bytes, options).validate().map(drop);
                assert_eq!(lookup.validate(&bytes), verdict, "{text:x?}");
                refused += usize::from(verdict.is_err());
            }
        }
    }
    assert_eq!((refused, shapes(&lookup)), (70 * 8 - 4, "Lookup { shapes: 1, .. }".to_owned()));
}

/// Two layouts that alternate are both known.
#[test]
fn documents_of_several_layouts_are_recognised() {
    let all: Vec<_> = (6..9).map(|nils| padded(words(&[2, nils]), nils)).collect();
    assert_recognised(&all, &all, Options::server(Dialect::Godot4));
}

/// After 64 unknown documents, only one document in 16 is compared. 2,048 unknown documents pay for
/// one layout.
#[test]
fn unknown_documents_cost_little() {
    let options = Options::server(Dialect::Godot4);
    let known = padded(words(&[2, 5]), 9);
    let learns = |unknown, documents| {
        learns(slice::from_ref(&known), unknown, &vec![known.clone(); documents], options)
    };
    // 71 documents were unknown, with the first one. The next 9 are not compared. 2 are paid for.
    assert!(learns(69, 9 + 62));
    assert!(!learns(69, 9 + 61));
    assert!(learns(2_045, 0));
    assert!(!learns(2_044, 0));
}

/// The values of a known layout have the depth that is left, wherever they are.
#[test]
fn values_of_known_layouts_have_the_depth_that_is_left() {
    let bytes = words(&[28, 2, 27, 1, 2, 5, 28, 1, 27, 0, 28, 1, 2, 7]).build().bytes;
    let paths = ["", "[0]", "[0][5]", "[0][5][0]", "[1]"];
    let options = Options::server(Dialect::Godot4);
    let mut lookup = Lookup::paths(paths, options);
    for _ in 0..3 {
        let depths = lookup.validated(&bytes).unwrap().map(|value| {
            let reader = match value.unwrap() {
                VariantView::Array(array) => array.reader(),
                VariantView::Dictionary(dictionary) => dictionary.reader(),
                other => panic!("{other:?}"),
            };
            Reader::options(&reader).limits.depth
        });
        assert_eq!(depths, [0, 1, 2, 3, 1].map(|level| options.limits.depth - level));
        assert_eq!(format!("{lookup:?}"), "Lookup { shapes: 1, .. }");
    }
}
