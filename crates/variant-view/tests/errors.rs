//! Errors name the place, the finding, and a remedy.

use std::error::Error as _;
use std::fmt;

use variant_testkit::builder::words;
use variant_view::internal::validate_compact;
use variant_view::{
    Dialect, Document, Error, ErrorClass, ErrorKind, FeedError, Limit, Limits, NotCanonical,
    Options, Page, Profile, Reals,
};

/// `[5]`, as Godot 4 writes it.
const LIST: [u8; 16] = [28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0];

fn validated(bytes: &[u8], options: impl Into<Options>) -> Error {
    Document::new(bytes, options).validate().unwrap_err()
}

fn at(path: &str) -> Error {
    Document::new(&LIST, Dialect::Godot4).at(path).unwrap_err()
}

#[test]
fn each_error_has_a_text_with_its_place_and_a_remedy() {
    use ErrorClass::{Limit, Malformed, Mismatch, Truncated};
    let object = b"\x18\0\0\0\x04\0\0\0Node\0\0\0\0";
    let canonical = Options::engine(Dialect::Godot4).profile(Profile::Canonical);
    let limits = Limits::ENGINE.values(1);
    let root = Document::new(&LIST, Dialect::Godot4).root().unwrap();
    let wide = words(&[2 | 1 << 16, 0, 1]).build().bytes;
    let int = Document::new(&wide, Dialect::Godot4).root().unwrap();
    let minus_one = words(&[2, u32::MAX]).build().bytes;
    let negative = Document::new(&minus_one, Dialect::Godot4).root().unwrap();
    let outside = |at| Document::new(&LIST, Dialect::Godot4).path_to(at).unwrap_err();
    let cases = [
        (
            validated(&LIST[..14], Dialect::Godot4),
            Truncated,
            "int value needs 4 bytes, 2 are left at byte 12",
            "cut short",
        ),
        (
            validated(&[17, 0, 0, 0], Page::Godot31),
            Malformed,
            "Object is unsupported by this page of the documentation at byte 4",
            "try the dialect of the engine",
        ),
        (
            validated(object, Options::server(Dialect::Godot4)),
            Limit,
            "object with class and properties refused at byte 4",
            "accept objects in the options",
        ),
        (
            validated(&[1, 0, 0, 0, 2, 0, 0, 0], canonical),
            Malformed,
            "not canonical: boolean is neither 0 nor 1 at byte 4",
            "use the engine profile",
        ),
        (
            validated(&LIST, Options::engine(Dialect::Godot4).limits(limits)),
            Limit,
            "more values than the limits allow at byte 8",
            "raise this limit",
        ),
        (
            at("hp"),
            Mismatch,
            "nothing can be looked up in Array at byte 0",
            "check the value's kind",
        ),
        (
            at("[7]"),
            Mismatch,
            "index out of range at path column 0, in the array of length 1 at byte 0",
            "iterate over the container",
        ),
        (
            at("[0"),
            Mismatch,
            "invalid path from column 0 on, resolved up to the value at byte 0",
            "a path looks like",
        ),
        (
            root.as_i64().unwrap_err(),
            Mismatch,
            "expected int, found Array at byte 0",
            "check the value's kind",
        ),
        (
            negative.as_u64().unwrap_err(),
            Mismatch,
            "the int -1 does not fit into u64 at byte 0",
            "ask for a wider type",
        ),
        (
            int.as_i32().unwrap_err(),
            Mismatch,
            "the int 4294967296 does not fit into i32 at byte 0",
            "ask for a wider type",
        ),
        (
            outside(17),
            Mismatch,
            "outside of the document's value at byte 17",
            "give an offset within the root value",
        ),
        (
            outside(16),
            Mismatch,
            "outside of the document's value at byte 16",
            "give an offset within the root value",
        ),
    ];
    for (error, class, text, hint) in cases {
        assert_eq!(error.to_string(), text);
        assert_eq!(error.class(), class, "{text}");
        assert!(error.hint().contains(hint), "{text}: {}", error.hint());
    }
    let pairs = words(&[27, 1, 2, 5, 2, 7]).build().bytes;
    let missing = Document::new(&pairs, Dialect::Godot4).at("hp").unwrap_err();
    assert_eq!(missing.to_string(), "no such key at path column 0, in the value at byte 0");
    assert_eq!(missing.hint(), at("[7]").hint());
}

#[test]
fn names_that_do_not_exist_are_answered_with_those_that_do() {
    let reals = "wide".parse::<Reals>().unwrap_err().to_string();
    assert_eq!(reals, "no such width of reals; expected one of by-flag always64");
    let dialect = "godot9".parse::<Dialect>().unwrap_err().to_string();
    let page = "godot9".parse::<Page>().unwrap_err().to_string();
    for known in Dialect::ALL {
        assert!(dialect.contains(known.name()), "{dialect}");
    }
    for known in Page::ALL {
        assert!(page.contains(known.name()), "{page}");
    }
    for reals in Reals::ALL {
        assert_eq!(reals.to_string().parse(), Ok(reals));
    }
}

/// No two dialects have the same name, title or versions.
#[test]
fn dialects_are_distinguished_by_their_descriptions() {
    let pages = Page::ALL.iter().map(|page| page.dialect());
    let all: Vec<_> = Dialect::ALL.iter().copied().chain(pages).collect();
    for (number, dialect) in all.iter().enumerate() {
        for other in &all[number + 1..] {
            assert_ne!(dialect.name(), other.name());
            assert_ne!(dialect.title(), other.title());
            assert_ne!(dialect.versions(), other.versions());
        }
    }
}

/// The pages do not describe objects, although their engines write them.
#[test]
fn documented_dialects_have_no_objects() {
    for page in Page::ALL {
        assert!(!page.dialect().writes_objects() && page.engine().writes_objects(), "{page}");
    }
}

/// A value that breaks a rule of the canonical profile, and the rule.
#[test]
fn deviations_are_named() {
    use NotCanonical::{MixedReals, TrailingBytes, WideCompactInt};
    let options = Options::engine(Dialect::Godot4).profile(Profile::Canonical);
    // [Vector2(1, 2), Vector2(0.1, 2)], the second in 64 bits
    let mixed = words(&[28, 2, 5]).f32s(&[1.0, 2.0]).u32(5 | 1 << 16).f64s(&[0.1, 2.0]).build();
    let error = validated(&mixed.bytes, options);
    assert_eq!((error.kind(), error.offset()), (ErrorKind::NotCanonical(MixedReals), 20));
    assert_eq!(error.to_string(), "not canonical: reals of both widths in one document at byte 20");
    let error = validated(&[0; 5], options);
    assert_eq!((error.kind(), error.offset()), (ErrorKind::NotCanonical(TrailingBytes), 4));
    // 5, in the compact form of an integer of four bytes
    let error = validate_compact(&[0x82, 5, 0, 0, 0], 3, &options).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::NotCanonical(WideCompactInt), 3));
    assert!(error.to_string().contains("compact integer that fewer bytes hold"), "{error}");
}

#[test]
fn limits_bound_compact_values() {
    let options = Options::engine(Dialect::Godot4);
    let with = |limits| validate_compact(&[0x02, 5], 3, &options.limits(limits));
    assert_eq!(with(Limits::ENGINE.values(1).bytes(2)).unwrap().consumed, 2);
    for (limits, limit) in
        [(Limits::ENGINE.values(0), Limit::Values), (Limits::ENGINE.bytes(1), Limit::Bytes)]
    {
        let error = with(limits).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::LimitExceeded { limit }, 3));
    }
    assert_eq!(Limits::default(), Limits::ENGINE);
    // Without an allocator a document may exceed this limit. The text names the way out.
    assert!(Limit::CanonicalKeys.to_string().contains("the `alloc` feature lifts this"));
}

/// An error with a cause.
#[derive(Debug)]
struct Caused(Error);

impl fmt::Display for Caused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("caused")
    }
}

impl std::error::Error for Caused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// An error of feeding is described as its cause, and has the cause's own cause.
#[test]
fn errors_of_feeding_are_those_of_their_side() {
    let invalid = validated(&LIST[..14], Dialect::Godot4);
    let of_input: FeedError<Error, Caused> = FeedError::Producer(invalid);
    assert_eq!(of_input.to_string(), invalid.to_string());
    assert!(of_input.source().is_none());
    let of_output: FeedError<Error, Caused> = FeedError::Consumer(Caused(invalid));
    assert_eq!(of_output.to_string(), "caused");
    assert_eq!(of_output.source().unwrap().to_string(), invalid.to_string());
}
