//! Tests the recovery of values from damaged files.

use variant_document::mangled::mend;
use variant_document::salvage::{Hole, salvage, with_lost_frames};
use variant_document::seek::{Hit, Seeker, is_header};
use variant_document::{Plain, explain};
use variant_io::{ByteOrder, Framing};
use variant_owned::{encode, from_text};
use variant_view::{Dialect, Document, Kind, Limits, Options};

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
    let file = Plain::new(bytes, framing, Options::engine(Dialect::Godot4));
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
