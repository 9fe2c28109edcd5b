//! Every kind of look-up treats certain different texts as one key. `variant-view/tests/records.rs` has the engines'
//! records of keys.

use variant_owned::Variant;
use variant_testkit::builder::Builder;
use variant_view::{Dialect, Document, ErrorKind, NotCanonical, Options, Profile, Tape};

/// Two texts that `dialect` reads as one name, and as one key of a dictionary.
fn assert_one(dialect: Dialect, first: &[u8], second: &[u8], wanted: &str) {
    let [dictionary, string, int] =
        [variant_view::Kind::Dictionary, variant_view::Kind::String, variant_view::Kind::Int]
            .map(|kind| u32::from(dialect.id(kind).unwrap()));
    let pair = |all: Builder, text, value| all.u32(string).text(text).u32(int).u32(value);
    let all = pair(Builder::new().u32(dictionary).u32(2), first, 1);
    let bytes = pair(all, second, 2).build().bytes;
    let document = Document::new(&bytes, dialect);
    let packet = document.root().unwrap().as_dictionary().unwrap();
    let found = packet.get(wanted).unwrap().unwrap();
    assert_eq!(found.as_i64(), Ok(2), "{dialect}: a view");
    let mut tape = Tape::new();
    let found = tape.read(document).unwrap().get(wanted).unwrap().unwrap();
    assert_eq!(found.view().as_i64(), Ok(2), "{dialect}: a tape");
    let owned = Variant::from_document(&document).unwrap();
    assert_eq!(owned.as_dictionary().unwrap().len(), 1, "{dialect}: owned");
    assert_eq!(owned.get(wanted).and_then(Variant::as_i64), Some(2), "{dialect}: owned");
    let options = Options::engine(dialect).profile(Profile::Canonical);
    let verdict = Document::new(&bytes, options).validate().map_err(|error| error.kind());
    let duplicate = ErrorKind::NotCanonical(NotCanonical::DuplicateKey);
    assert_eq!(verdict, Err(duplicate), "{dialect}");
}

#[test]
fn a_text_in_more_bytes_than_it_takes_is_one_key_with_itself() {
    for dialect in [Dialect::Godot2, Dialect::Godot3, Dialect::Pandemonium3] {
        assert_one(dialect, b"a", b"\xe0\x81\xa1", "a");
        assert_one(dialect, b"\xe0\x81\xa1", b"a", "a");
        assert_one(dialect, b"h\xc3\xa9", b"h\xe0\x83\xa9", "h\u{e9}");
    }
    for &dialect in Dialect::ALL {
        assert_one(dialect, b"a", b"\xef\xbb\xbfa", "a");
        assert_one(dialect, b"a", b"a\0b", "a");
    }
}
