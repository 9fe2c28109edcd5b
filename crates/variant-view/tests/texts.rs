//! Texts of all lengths are validated, wherever they are.

use variant_testkit::builder::{Builder, words};
use variant_testkit::conformance::options;
use variant_view::{Dialect, Document, ErrorKind, Kind};

/// The bytes of a short text, and its valid part if the text is not valid in Godot 4.
fn texts() -> Vec<(Vec<u8>, Option<usize>)> {
    let mut texts = Vec::new();
    for len in 0..24_usize {
        for byte in [1, 0x7f, 0x80, 0x81, 0xc3, 0xff] {
            texts.push(vec![byte; len]);
            for at in 0..len {
                let mut text = vec![b'x'; len];
                text[at] = byte;
                texts.push(text.clone());
                // After a NUL, any bytes are valid.
                text[at / 2] = 0;
                texts.push(text);
            }
        }
        texts.push("\u{e4}".repeat(len / 2).into_bytes());
    }
    let verdict = |text: &[u8]| {
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        std::str::from_utf8(&text[..end]).err().map(|error| error.valid_up_to())
    };
    texts.into_iter().map(|text| (text.clone(), verdict(&text))).collect()
}

/// A document with the text, in each place for texts, and the offset of the text.
fn places(dialect: Dialect, text: &[u8]) -> Vec<(Vec<u8>, usize)> {
    let id = |kind| dialect.id(kind).map(u32::from);
    let [array, dictionary, string] =
        [Kind::Array, Kind::Dictionary, Kind::String].map(|kind| id(kind).unwrap());
    let long = |items| words(&[array, items, string]).text("x".repeat(600));
    let mut places = vec![
        words(&[string]),
        long(2).u32(string),
        words(&[dictionary, 1, string]),
        long(2).words(&[dictionary, 1, string]),
        words(&[id(Kind::PackedStringArray).unwrap(), 1]),
        words(&[id(Kind::NodePath).unwrap(), 0x8000_0001, 0, 0]),
    ];
    if dialect.writes_objects() {
        let object = id(Kind::Object).unwrap();
        places.push(words(&[object]).text("A").u32(1));
        places.push(long(2).u32(object).text("A").u32(1));
    }
    let place = |start: Builder| {
        // A null follows, which is the value of a key or of a property. Otherwise it is after the
        // document.
        let at = start.clone().build().bytes.len() + 4;
        (start.text(text).u32(0).build().bytes, at)
    };
    places.into_iter().map(place).collect()
}

#[test]
fn texts_of_all_lengths_are_validated() {
    let mut refused = 0;
    for (text, invalid) in texts() {
        for (bytes, at) in places(Dialect::Godot4, &text) {
            let error = Document::new(&bytes, options(Dialect::Godot4, true)).validate().err();
            let found = error.map(|error| (error.kind(), error.offset()));
            let expected = invalid.map(|valid| (ErrorKind::InvalidText, at + valid));
            assert_eq!(found, expected, "{text:x?} in {bytes:x?}");
            refused += usize::from(invalid.is_some());
        }
        // Godot 3 accepts more texts, Godot 2 accepts all.
        for dialect in [Dialect::Godot2, Dialect::Godot3] {
            let accepts = invalid.is_none() || dialect == Dialect::Godot2;
            for (bytes, _) in places(dialect, &text) {
                let verdict = Document::new(&bytes, options(dialect, true)).validate();
                assert_eq!(verdict.is_ok(), accepts, "{dialect}: {text:x?} in {bytes:x?}");
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// A text that lacks bytes or padding is refused at the same place in documents of all sizes.
#[test]
fn texts_that_are_cut_are_refused() {
    for len in 0..24_usize {
        for (bytes, at) in places(Dialect::Godot4, "x".repeat(len).as_bytes()) {
            let end = at + len.next_multiple_of(4);
            for cut in at - 4..end {
                let verdict = Document::new(&bytes[..cut], options(Dialect::Godot4, true));
                let error = verdict.validate().unwrap_err();
                // The end is in the length, in the text or in the padding.
                let parts = [(at, at - 4), (at + len, at)];
                let part = parts.iter().find(|(end, _)| cut < *end);
                let expected = part.map_or(at + len, |(_, start)| *start);
                let is_cut = matches!(error.kind(), ErrorKind::Truncated { .. });
                assert!(is_cut && error.offset() == expected, "{len} {cut}: {error}");
            }
        }
    }
}
