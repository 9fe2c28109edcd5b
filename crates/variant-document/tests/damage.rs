//! Tests the recovery of values from damaged files.

use variant_document::mangled::mend;
use variant_document::salvage::{Hole, salvage, with_lost_frames};
use variant_document::section::of_error;
use variant_document::seek::{Hit, Seeker, is_header};
use variant_document::{Plain, explain};
use variant_io::{ByteOrder, Framing};
use variant_owned::{encode, from_text};
use variant_view::{
    Dialect, Document, ErrorKind, Kind, Limit, Limits, NotCanonical, Objects, Options, Part,
};

const FRAMES: Framing = Framing::Frames(ByteOrder::Little);

fn bytes_of(text: &str) -> Vec<u8> {
    encode(&from_text(text).unwrap(), Dialect::Godot4).unwrap()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn framed(value: &[u8]) -> Vec<u8> {
    [&words(&[u32::try_from(value.len()).unwrap()])[..], value].concat()
}

/// An array of these values that claims `count` elements.
fn array(count: u32, values: &[&[u8]]) -> Vec<u8> {
    [words(&[28, count]), values.concat()].concat()
}

/// The recovered bytes, and the holes.
fn left(bytes: &[u8], framing: Framing) -> (Vec<u8>, Vec<Hole>) {
    left_of(bytes, framing, Dialect::Godot4)
}

fn left_of(bytes: &[u8], framing: Framing, dialect: Dialect) -> (Vec<u8>, Vec<Hole>) {
    let file = Plain::new(bytes, framing, Options::engine(dialect).objects(Objects::Accept));
    let salvaged = salvage(file, &[], framing.writer()).unwrap();
    (salvaged.values.finish(), salvaged.holes.kept)
}

/// Recovers a bare value. Checks the result and the range of the only hole.
fn recovers(damaged: &[u8], expected: &str, hole: (usize, usize)) {
    let (bytes, holes) = left(damaged, Framing::Bare);
    assert_eq!(bytes, bytes_of(expected));
    let ranges: Vec<_> = holes.iter().map(|hole| (hole.start, hole.end)).collect();
    assert_eq!(ranges, [hole], "{holes:?}");
}

/// A word that is not a header, and 4 bytes.
const BROKEN: [u8; 8] = [0x7b, 0, 0, 0, 9, 9, 9, 9];

#[test]
fn an_exceeded_limit_is_expected_in_words() {
    let bytes = bytes_of("[[1], 2, 3]");
    let [mut levels, mut size, mut values] = [Limits::FILE; 3];
    levels.depth = 1;
    size.bytes = 8;
    values.values = 3;
    for (limits, expected) in
        [(levels, "at most 1 level"), (size, "at most 8 bytes"), (values, "at most 3 values")]
    {
        let document = Document::new(&bytes, Options::engine(Dialect::Godot4).limits(limits));
        let error = document.validate().unwrap_err();
        assert_eq!(explain::expected(&error, &document), expected);
    }
}

#[test]
fn an_error_leads_to_the_section_of_its_part() {
    let truncated = |part| ErrorKind::Truncated { part, needed: 4, available: 0 };
    let negative = |part| ErrorKind::NegativeLength { part, value: u32::MAX };
    for (error, section) in [
        (truncated(Part::Header), "format.md#header"),
        (truncated(Part::Payload(Kind::Vector2)), "format.md#vector2"),
        (truncated(Part::TextLength), "format.md#text"),
        (truncated(Part::Text), "format.md#text"),
        (truncated(Part::Padding), "format.md#text"),
        (truncated(Part::Count(Kind::Array)), "format.md#array"),
        (truncated(Part::Elements(Kind::PackedByteArray)), "format.md#packedbytearray"),
        (truncated(Part::ElementType), "format.md#typed-containers"),
        (truncated(Part::Properties), "format.md#object"),
        (negative(Part::TextLength), "format.md#text"),
        (negative(Part::Count(Kind::Dictionary)), "format.md#dictionary"),
        (ErrorKind::UnknownType { header: 99 }, "format.md#header"),
        (ErrorKind::InvalidText, "format.md#text"),
        (ErrorKind::OldNodePath, "format.md#nodepath"),
        (ErrorKind::Unsupported { kind: Kind::Rid }, "errata.md#the-pages-as-layouts"),
        (ErrorKind::ElementType { id: 99 }, "format.md#typed-containers"),
        (ErrorKind::ElementClass { header: 4 }, "format.md#typed-containers"),
        (ErrorKind::ObjectRefused, "format.md#object"),
        (ErrorKind::NotCanonical(NotCanonical::Padding), "writing.md#normal-form"),
        (ErrorKind::LimitExceeded { limit: Limit::Depth }, "format.md#limits"),
    ] {
        assert_eq!(of_error(error).to_string(), format!("docs/spec/{section}"), "{error:?}");
    }
}

#[test]
fn an_item_whose_end_is_known_is_dropped_alone() {
    let bad = words(&[4, 4, 0xffff_ffff]);
    let [a, b, int] = [r#""a""#, r#""b""#, "5"].map(bytes_of);
    let pairs = [&words(&[27, 2])[..], &a, &bad, &b, &int].concat();
    recovers(&pairs, r#"{"b": 5}"#, (8, 32));
    recovers(&array(2, &[&bad, &int]), "[5]", (8, 20));
}

/// The bytes right after the hole are a valid number, but the array had texts before.
#[test]
fn values_like_those_before_the_hole_continue_the_array() {
    let texts = ["\"one\"", "\"two\"", "\"six\"", "\"ten\""].map(bytes_of);
    let [one, two, six, ten] = texts.each_ref().map(Vec::as_slice);
    let int = bytes_of("5");
    let damaged = array(5, &[one, two, &BROKEN, &int, six, ten]);
    recovers(&damaged, r#"["one", "two", "six", "ten"]"#, (32, 48));
}

/// The bytes of a long value are not compared, so a long value is kept.
#[test]
fn a_value_that_no_engine_would_write_does_not_continue_the_array() {
    let one = bytes_of("[1]");
    for (len, is_kept) in [(1, false), (4_096, true)] {
        let last = bytes_of(&format!("[\"{}\"]", "x".repeat(len)));
        // The flag of this count is from Godot 3.
        let odd = [&words(&[28, 1 << 31 | 2])[..], &one, &last].concat();
        let (bytes, holes) = left(&array(5, &[&one, &BROKEN, &odd]), Framing::Bare);
        let (expected, end) = if is_kept {
            (array(2, &[&one, &odd]), 32)
        } else {
            (array(3, &[&one, &one, &last]), 40)
        };
        assert_eq!(bytes, expected, "{len}");
        assert_eq!((holes.len(), holes[0].start, holes[0].end), (1, 24, end), "{len}");
    }
}

/// The engine would read the last word but one as the header of a number.
#[test]
fn a_header_with_a_bit_that_no_engine_sets_does_not_continue_the_array() {
    let odd = words(&[0x102, u32::MAX]);
    recovers(&array(3, &[&bytes_of("5"), &BROKEN, &odd]), "[5]", (16, 32));
}

/// The elements may look like values. Values of a new kind are less likely than elements.
#[test]
fn a_packed_array_that_is_cut_keeps_its_elements_unless_values_follow() {
    let [int, text] = ["5", "\"a\""].map(bytes_of);
    let followed = words(&[30, 100, u32::MAX, u32::MAX]);
    recovers(&array(4, &[&int, &followed, &int, &int]), "[5, 5, 5]", (16, 32));
    let last = words(&[30, 100, 2, 5, 2, 6]);
    recovers(&array(3, &[&text, &last]), r#"["a", PackedInt32Array(2, 5, 2, 6)]"#, (44, 44));
}

/// Only Godot 4 has wide elements.
#[test]
fn a_packed_array_that_is_cut_has_whole_elements() {
    const WIDE: u32 = 1 << 16;
    for (dialect, header, count, size) in [
        (Dialect::Godot4, 35, 2, 2),
        (Dialect::Godot4, 35 + WIDE, 1, 4),
        (Dialect::Godot4, 36, 1, 3),
        (Dialect::Godot3, 24, 2, 2),
        (Dialect::Godot3, 24 + WIDE, 2, 2),
    ] {
        let elements = words(&[1, 2, 3, 4, 5]);
        let damaged = [words(&[header, 9]), elements.clone()].concat();
        let (bytes, holes) = left_of(&damaged, Framing::Bare, dialect);
        let kept = usize::try_from(count).unwrap() * size * 4;
        let expected = [&words(&[header, count])[..], &elements[..kept]].concat();
        assert_eq!((bytes, holes.len()), (expected, 1), "{dialect} {header:#x}");
    }
}

#[test]
fn the_properties_before_the_damage_are_kept() {
    let object = bytes_of(r#"Object(Node, "hp": 7, "at": [1, 9])"#);
    recovers(&object[..60], r#"Object(Node, "hp": 7, "at": [1])"#, (56, 60));
    let mut damaged = object;
    damaged[40..48].copy_from_slice(&BROKEN);
    recovers(&damaged, r#"Object(Node, "hp": 7)"#, (32, 64));
}

/// The bit is a flag in Godot 3. In an object, it means that there are no properties.
#[test]
fn an_emptied_container_keeps_bit_31_of_its_count() {
    const BIT: u32 = 1 << 31;
    let damaged = [words(&[19, BIT | 1]), BROKEN.to_vec()].concat();
    assert_eq!(left_of(&damaged, Framing::Bare, Dialect::Godot3).0, words(&[19, BIT]));
    let object = words(&[24, 4, u32::from_le_bytes(*b"Node"), BIT | 7]);
    let (bytes, holes) = left(&array(2, &[&object, &BROKEN]), Framing::Bare);
    assert_eq!((bytes, holes.len()), (array(1, &[&object]), 1));
}

#[test]
fn all_values_that_the_count_allows_are_kept() {
    let texts = ["\"one\"", "\"two\"", "\"six\""].map(bytes_of);
    let [one, two, six] = texts.each_ref().map(Vec::as_slice);
    // The count lacks the broken element, so that the two elements after the hole just have room.
    recovers(&array(3, &[one, &BROKEN, two, six]), r#"["one", "two", "six"]"#, (20, 28));
}

/// The kinds of values do not matter in a dictionary, only those of keys.
#[test]
fn the_first_pair_after_a_hole_is_kept() {
    let pair = |key: &str, value: &[u8]| [&bytes_of(key)[..], value].concat();
    let int = bytes_of("5");
    let pairs =
        [pair("\"a\"", &int), pair("\"b\"", &BROKEN), pair("\"c\"", &int), pair("\"d\"", &int)];
    let damaged = [words(&[27, 4]), pairs.concat()].concat();
    recovers(&damaged, r#"{"a": 5, "c": 5, "d": 5}"#, (28, 48));
}

#[test]
fn a_count_that_is_too_small_is_mended_in_a_whole_frame() {
    let int = bytes_of("5");
    let damaged = array(1, &[&int, &int, &int]);
    let (bytes, holes) = left(&framed(&damaged), FRAMES);
    assert_eq!(bytes, framed(&bytes_of("[5, 5, 5]")));
    assert_eq!(holes.len(), 1);
    assert_eq!(holes[0].reason, "frame 1: count too small: 3 items, not 1");
    // The bytes after a bare value may be anything.
    let (bytes, holes) = left(&damaged, Framing::Bare);
    assert_eq!(bytes, bytes_of("[5]"));
    assert_eq!((holes[0].start, holes[0].end), (16, 32));
}

/// The items of an array go to the array around it, but only if that array lacks items.
#[test]
fn a_count_that_is_too_large_is_mended_in_a_whole_frame() {
    let int = bytes_of("5");
    let nested = array(2, &[&array(4, &[&int, &int]), &int]);
    for (damaged, expected, reason) in [
        (array(3, &[&int, &int]), "[5, 5]", "not reached: 2 of 3"),
        (nested, "[[5, 5], 5]", "too large, its last items belong to others: 2 of 4"),
    ] {
        let (bytes, holes) = left(&framed(&damaged), FRAMES);
        assert_eq!((bytes, holes.len()), (framed(&bytes_of(expected)), 1));
        assert_eq!(holes[0].reason, format!("frame 1: count {reason}"));
    }
}

/// Nothing is lost at the start of a frame whose end is missing.
#[test]
fn a_cut_frame_has_its_hole_at_the_end() {
    let whole = framed(&bytes_of("[1, 2]"));
    let cut = [&whole[..], &framed(&bytes_of("[3, 4, 5]"))].concat();
    let end = cut.len() - 8;
    let (bytes, holes) = left(&cut[..end], FRAMES);
    assert_eq!(bytes, [whole, framed(&bytes_of("[3, 4]"))].concat());
    assert!(holes.iter().all(|hole| hole.start == end && hole.end == end), "{holes:?}");
    assert_eq!(holes[0].reason, "frame 2: length prefix claims 32 bytes, cut to 24");
}

/// A tail with a long frame belongs to the values. A short frame may be there by chance.
#[test]
fn a_tail_with_a_long_frame_is_not_left_out() {
    let head = framed(&bytes_of("[1, 2]"));
    for (value, is_lost) in [("[1, 2, 3]", true), ("[1]", false)] {
        let tail = [&[0xee; 4][..], &framed(&bytes_of(value))].concat();
        let bytes = [&head[..], &tail].concat();
        let file = Plain::new(&bytes, FRAMES, Options::engine(Dialect::Godot4));
        let found = with_lost_frames(file.without_tail(tail.len()), 0);
        let expected = if is_lost { &bytes[..] } else { &head };
        assert_eq!(found.body(), expected, "{value}");
    }
}

#[test]
fn engines_set_some_bits_of_a_header() {
    let count = u8::try_from(Dialect::Godot4.kinds().len()).unwrap();
    for (word, is) in [
        ([0, 0, 0, 0], true),
        ([count - 1, 0, 15, 0], true),
        ([count, 0, 0, 0], false),
        ([1, 1, 0, 0], false),
        ([1, 0, 16, 0], false),
        ([1, 0, 0, 1], false),
    ] {
        assert_eq!(is_header(&[&[9][..], &word].concat(), 1, Dialect::Godot4), is, "{word:?}");
    }
    assert!(!is_header(&[0; 3], 0, Dialect::Godot4));
}

/// The word after the header is a count that is not a header, and neither is the word before it.
#[test]
fn a_value_may_start_at_its_header_or_before_it() {
    let bytes = [&[0xff; 8][..], &words(&[27, 300, u32::MAX])].concat();
    let seeker = Seeker::new(&bytes, Options::engine(Dialect::Godot4), None);
    assert_eq!(seeker.next_start(0, None), Some((4, false)));
    assert_eq!(seeker.next_start(5, None), Some((8, false)));
    assert_eq!(seeker.next_start(9, None), None);
    assert_eq!(seeker.next_start(9, Some(9)), Some((9, true)));
}

#[test]
fn a_short_frame_must_follow_another_value() {
    let bytes = words(&[4, 0]);
    let mut seeker = Seeker::new(&bytes, Options::engine(Dialect::Godot4), None);
    assert_eq!(seeker.hit(0, false), None);
    let hit = Hit { start: 0, len: 8, framing: FRAMES, kind: Kind::Nil };
    assert_eq!(seeker.hit(0, true), Some(hit));
    let bytes = framed(&bytes_of("7"));
    let mut seeker = Seeker::new(&bytes, Options::engine(Dialect::Godot4), Some(FRAMES));
    let hit = Hit { start: 0, len: 12, framing: FRAMES, kind: Kind::Int };
    assert_eq!([false, true].map(|is_behind| seeker.hit(0, is_behind)), [Some(hit); 2]);
}

/// Each of the nested heads could begin a value, and is read to the end of the heads.
#[test]
fn a_search_for_values_in_a_hostile_file_ends_early() {
    for (heads, is_found) in [(20, true), (900, false)] {
        let value = bytes_of("[1]");
        let bytes = [words(&[28, 0x0100_0001]).repeat(heads), vec![0xff; 8], value].concat();
        let mut seeker = Seeker::new(&bytes, Options::engine(Dialect::Godot4), None);
        let hit = seeker.first_hit(0);
        assert_eq!((hit.is_some(), seeker.is_tired()), (is_found, !is_found), "{heads}: {hit:?}");
    }
}

/// The length prefixes lead to the end, although a value cannot be read.
#[test]
fn a_file_with_whole_frames_is_mended() {
    let value = words(&[4, 100, 0x6464_6464, 0x6464_6464]);
    let len = u32::try_from(value.len()).unwrap();
    for prefix in [len.to_le_bytes(), len.to_be_bytes()] {
        let frames = [&prefix[..], &value].concat().repeat(2);
        let mended = mend(&[&b"\xef\xbb\xbf"[..], &frames].concat()).unwrap();
        assert_eq!((mended.bytes, mended.lost), (frames, Vec::new()));
    }
}
