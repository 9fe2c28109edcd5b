use super::*;
use crate::append::framed;
use crate::frame::ByteOrder;

/// `{7: null}` as Godot 4 writes it.
const DICTIONARY: [u8; 20] = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

fn detect(bytes: &[u8]) -> (Framing, String) {
    let detection = Framing::detect(bytes);
    let best = detection.best();
    (best.framing(), best.reason().to_string())
}

#[test]
fn a_bare_value() {
    let (framing, reason) = detect(&DICTIONARY);
    assert_eq!(framing, Framing::Bare);
    assert_eq!(reason, "all 20 bytes are one value, a Dictionary in Godot 4");
}

#[test]
fn a_bare_value_and_something_behind_it() {
    let (framing, reason) = detect(&[&DICTIONARY[..], &[1, 2, 3]].concat());
    assert_eq!(framing, Framing::Bare);
    assert_eq!(reason, "the first 20 of 23 bytes are one value, a Dictionary in Godot 4");
}

#[test]
fn one_frame() {
    let (framing, reason) = detect(&framed(&[&DICTIONARY]));
    assert_eq!(framing, Framing::Frames(ByteOrder::Little));
    assert_eq!(
        reason,
        "a length prefix of 20 followed by exactly that many bytes that Godot 4 reads as a Dictionary"
    );
}

/// The value that decides the dialect need not be the first.
#[test]
fn the_value_that_tells_is_named_by_its_number() {
    const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
    let (_, reason) = detect(&framed(&[&INT, &DICTIONARY]));
    assert!(reason.ends_with("many bytes; Godot 4 reads value 2 as a Dictionary"), "{reason}");
    // The length prefix claims too much: the second value is the rest of the file.
    let cut = [framed(&[&INT]), vec![99, 0, 0, 0], DICTIONARY.to_vec()];
    let guess = Framing::Frames(ByteOrder::Little).examine(&cut.concat());
    let reason = guess.reason().to_string();
    assert!(reason.contains("Godot 4 reads value 2 as a Dictionary; then byte 12: "), "{reason}");
}

/// A value that no dialect reads is evidence against its length prefix.
#[test]
fn length_prefixes_fit_if_all_values_are_read() {
    for (values, fits) in [
        (&[&DICTIONARY[..], &[0; 4]][..], true),
        (&[&DICTIONARY, &[0xff; 4]], false),
        (&[&[0xff; 4], &DICTIONARY], false),
    ] {
        let guess = Framing::Frames(ByteOrder::Little).examine(&framed(values));
        assert_eq!(guess.fits_exactly(), fits, "{values:?}");
        assert_eq!(detect(&framed(values)).0, guess.framing());
    }
}

#[test]
fn no_more_than_the_first_frames_are_looked_at() {
    let bytes = framed(&vec![&DICTIONARY[..]; 1000]);
    let detection = Framing::detect(&bytes);
    assert_eq!(detection.best().dialects().values(), 64);
    let reason = detection.best().reason().to_string();
    assert!(reason.starts_with("the first 64 length prefixes"), "{reason}");
}

#[test]
fn a_cut_frame_is_a_frame_still() {
    let long = [&[27, 0, 0, 0, 3, 0, 0, 0][..], &[&DICTIONARY[8..]; 3].concat()].concat();
    for values in [&[&DICTIONARY[..], &DICTIONARY][..], &[&long]] {
        let bytes = framed(values);
        let (framing, reason) = detect(&bytes[..bytes.len() - 3]);
        assert_eq!(framing, Framing::Frames(ByteOrder::Little), "{reason}");
        assert!(reason.contains("3 are missing"), "{reason}");
    }
}

#[test]
fn nothing_and_nonsense_are_survived() {
    for bytes in [&[][..], &[1], &[0xff; 3], &[0xff; 64], &[0; 64]] {
        let detection = Framing::detect(bytes);
        for framing in Framing::ALL {
            let is_it = |guess: &&Guess| guess.framing() == framing;
            assert_eq!(detection.ranked().iter().filter(|guess| is_it(guess)).count(), 1);
        }
        for guess in detection.ranked() {
            assert!(!guess.reason().to_string().is_empty());
        }
    }
}

#[test]
fn a_known_dialect_decides_for_its_framing() {
    let bytes = framed(&[&DICTIONARY]);
    let detection = Framing::detect_known(&bytes, None, Some(Dialect::Godot4));
    assert_eq!(detection.best().framing(), Framing::Frames(ByteOrder::Little));
}

/// A known framing has the dialect that reads all values, not the dialect of the bare value at the start.
#[test]
fn a_known_framing_that_is_not_likely_is_examined() {
    const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
    // 7 and {7: null} of Godot 3. A sequence is guessed only if all of its values are containers.
    let of_godot3 = [&INT[..], &[18], &DICTIONARY[1..]].concat();
    assert_ne!(Framing::detect(&of_godot3).best().framing().name(), "sequence");
    for dialect in [None, Some(Dialect::Godot3)] {
        let named = Some(Framing::Sequence(Dialect::Godot4));
        let detection = Framing::detect_known(&of_godot3, named, dialect);
        let guess = detection.best();
        assert_eq!(guess.framing(), Framing::Sequence(Dialect::Godot3));
        assert_eq!(guess.verdict().fit().unwrap().dialect(), Dialect::Godot3);
        assert_eq!(guess.reason().to_string().split(' ').next(), Some("2"));
    }
    // If the framing is guessed, the sequence is preferred to the bare value. If the framing is known to be bare, the
    // bare value is still examined.
    let containers = [DICTIONARY; 3].concat();
    assert_eq!(Framing::detect(&containers).best().framing().name(), "sequence");
    let detection = Framing::detect_known(&containers, Some(Framing::Bare), None);
    assert_eq!(detection.best().framing(), Framing::Bare);
    assert_eq!(detection.best().dialects().values(), 1);
}

const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
/// `{7: null}` as Godot 3 writes it.
const OF_GODOT3: [u8; 20] = [18, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
const LITTLE: Framing = Framing::Frames(ByteOrder::Little);

fn reason(framing: Framing, bytes: &[u8]) -> String {
    framing.examine(bytes).reason().to_string()
}

/// A prefix that claims 99 bytes, and fewer bytes.
fn claimed(content: &[u8]) -> Vec<u8> {
    [&[99, 0, 0, 0], content].concat()
}

#[test]
fn the_reason_names_what_the_frames_have() {
    let long = [&[27, 0, 0, 0, 99, 0, 0, 0][..], &DICTIONARY[8..]].concat();
    let cut = "byte 0: the length prefix claims 99 bytes, ";
    for (bytes, start, end) in [
        (claimed(&DICTIONARY), cut, "; Godot 4 still reads the value, as a Dictionary"),
        (claimed(&long), cut, "; Godot 4 reads the beginning of a Dictionary"),
        (claimed(&[0xff; 20]), cut, "20 are left, 79 are missing"),
        (claimed(&[]), cut, "0 are left, 99 are missing"),
        (Vec::new(), "no data", "no data"),
        (
            framed(&[&DICTIONARY]),
            "a length prefix of 20 followed by exactly that many bytes",
            " that Godot 4 reads as a Dictionary",
        ),
        (
            framed(&[&DICTIONARY, &DICTIONARY]),
            "2 length prefixes, each followed by exactly that many bytes",
            ", the first of which Godot 4 reads as a Dictionary",
        ),
        (
            framed(&[&long]),
            "a length prefix of 20 followed by exactly that many bytes",
            ", but no dialect reads all of them",
        ),
        (
            framed(&[&long, &long]),
            "2 length prefixes, each followed by exactly that many bytes",
            ", but no dialect reads all of them",
        ),
        (
            framed(&[&DICTIONARY, &OF_GODOT3]),
            "2 length prefixes, each followed by exactly that many bytes",
            ", but no dialect reads all of them",
        ),
        (
            [&framed(&[&DICTIONARY]), &b"\n"[..]].concat(),
            "a length prefix of 20 followed by that many bytes that Godot 4 reads as a Dictionary",
            "; then 1 byte that is not a frame",
        ),
        (
            [&framed(&[&DICTIONARY, &DICTIONARY]), &[0; 8][..]].concat(),
            "2 length prefixes, ",
            "; then 8 bytes that are not a frame",
        ),
        (
            [&framed(&[&DICTIONARY]), &[20, 0, 0, 0, 27, 0, 0, 0][..]].concat(),
            "a length prefix of 20 followed by that many bytes that Godot 4 reads as a Dictionary",
            "; then byte 24: the length prefix claims 20 bytes, 4 are left, 16 are missing",
        ),
    ] {
        let reason = reason(LITTLE, &bytes);
        assert!(reason.starts_with(start) && reason.ends_with(end), "{reason}");
    }
}

#[test]
fn the_reason_names_what_the_settings_have() {
    let settings = |values: &[&[u8]]| {
        let mut writer = crate::SettingsWriter::new();
        for value in values {
            writer.bytes("a", value).unwrap();
        }
        writer.finish()
    };
    let two = settings(&[&DICTIONARY, &INT]);
    for (bytes, text) in [
        (&two[..], "2 compiled settings of Godot 4"),
        (&settings(&[]), "0 compiled settings of no engine"),
        (&settings(&[&INT[..]; 65]), "more than 64 compiled settings of Godot 4"),
        (
            &two[..two.len() - 1],
            "1 compiled settings of Godot 4, then byte 46: the value of a setting needs 8 bytes, 7 \
             are left",
        ),
        (b"ECFG", "byte 4: the number of settings needs 4 bytes, 0 are left"),
        (b"none", "not compiled settings: the file does not start with ECFG or ECFP"),
    ] {
        assert_eq!(reason(Framing::Settings, bytes), text);
    }
}

#[test]
fn the_reason_names_what_a_sequence_has() {
    let sequence = Framing::Sequence(Dialect::Godot4);
    for (count, start) in [
        (3, "3 values one after another, the first of which Godot 4 reads as a Dictionary"),
        (65, "at least 64 values one after another, the first"),
    ] {
        let reason = reason(sequence, &DICTIONARY.repeat(count));
        assert!(reason.starts_with(start), "{reason}");
    }
}

#[test]
fn the_reason_names_what_a_bare_value_has() {
    for (bytes, text) in [
        (&INT[..], "all 8 bytes are one value, an int in Godot 4"),
        (
            &[0xff; 4],
            "no dialect reads the bytes as one value; Godot 4 reads the most, 0 of 4 bytes",
        ),
        (
            &DICTIONARY[..14],
            "no dialect reads the bytes as one value; Pandemonium 3 reads the most, 14 of \
             14 bytes",
        ),
    ] {
        assert_eq!(reason(Framing::Bare, bytes), text);
    }
}

/// More frames that fit are more evidence, and a cut frame is less.
#[test]
fn length_prefixes_that_fit_raise_the_score() {
    let score = |bytes: &[u8]| LITTLE.examine(bytes).score();
    let tail = b"\xa7\xee\x27\xfb\xae\x27\xbc\x40";
    let one = framed(&[&INT]);
    let two = framed(&[&INT, &INT]);
    let bare = Framing::Bare.examine(&INT).score();
    assert_eq!(score(&one), bare + 25);
    assert_eq!(score(&two), bare + 25);
    assert_eq!(score(&[&one, &tail[..]].concat()), bare);
    assert_eq!(score(&[&two, &tail[..]].concat()), bare + 25);
    assert!(score(&framed(&[&DICTIONARY, &DICTIONARY])) == 100);
    assert_eq!(score(&one[..11]), 0);
    // The second frame is cut: the rest of its bytes is not a value.
    let cut = framed(&[&DICTIONARY, &DICTIONARY]);
    assert_eq!(score(&cut[..cut.len() - 3]), 50);
    assert!(score(&claimed(&DICTIONARY)) <= 10);
    assert_eq!(LITTLE.examine(&[]).score(), 0);
}

/// Frames that fit exactly outrank a bare value of the same bytes.
#[test]
fn an_outranked_value_has_half_its_score() {
    // A Vector2i of Pandemonium 4, or a framed Bool.
    let bytes = [8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let detection = Framing::detect(&bytes);
    let bare = detection.ranked().into_iter().find(|guess| guess.framing() == Framing::Bare);
    let bare = bare.unwrap();
    assert_eq!(bare.score(), Framing::Bare.examine(&bytes).score() / 2);
    assert!(detection.best().score() > bare.score());
}

/// An array whose bytes are also frames of values in it.
#[test]
fn a_richer_value_is_not_outranked() {
    // 16 elements of Godot 4: 6 times null, then 5 times a Rect2i and null. Or a frame of 28 bytes with an AABB, and 10
    // frames with an Int.
    let words = [&[28, 16][..], &[0; 6], &[8, 2, 7, 8, 2, 0].repeat(5)].concat();
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    assert!(LITTLE.examine(&bytes).fits_exactly());
    let detection = Framing::detect(&bytes);
    assert_eq!(detection.best().framing(), Framing::Bare);
    assert_eq!(detection.best().score(), Framing::Bare.examine(&bytes).score());
}

#[test]
fn zeros_after_frames_are_a_tail() {
    for (zeros, end) in
        [(4, "; then 4 bytes that are not a frame"), (64, "; then 64 bytes that are not a frame")]
    {
        for count in [1, 2, 30] {
            let frames = framed(&vec![&DICTIONARY[..]; count]);
            let (framing, reason) = detect(&[&frames[..], &vec![0; zeros]].concat());
            assert_eq!(framing, LITTLE);
            assert!(reason.ends_with(end), "{reason}");
        }
    }
    // A file of zeros has no frame before them.
    for zeros in [4, 8, 64] {
        let reason = reason(LITTLE, &vec![0; zeros]);
        assert!(!reason.contains("not a frame"), "{reason}");
    }
}

/// The tail of a long file is not looked for.
#[test]
fn the_first_frames_stand_for_a_long_file() {
    let bytes = [framed(&[&DICTIONARY[..]; 100]), b"a hash".to_vec()].concat();
    let reason = reason(LITTLE, &bytes);
    assert!(reason.starts_with("the first 64 length prefixes"), "{reason}");
}

/// Values that start in the first MiB are read.
#[test]
fn no_more_than_the_first_mib_is_looked_at() {
    let bytes_of = |len: usize| {
        let count = u32::try_from(len).unwrap().to_le_bytes();
        [&[29, 0, 0, 0], &count[..], &vec![7; len]].concat()
    };
    // The second frame starts at this offset.
    for (offset, text) in [
        ((1 << 20) - 4, "2 length prefixes, "),
        (1 << 20, "the first length prefix is followed by that many bytes"),
    ] {
        let bytes = framed(&[&bytes_of(offset - 12), &DICTIONARY]);
        let reason = reason(LITTLE, &bytes);
        assert!(reason.starts_with(text), "{offset}: {reason}");
    }
}

/// Frames are consistent lengths, whatever they contain.
#[test]
fn lengths_that_lead_to_the_end_are_evidence() {
    let unknown = [0xff; 8];
    for count in [2, 3] {
        let bytes = framed(&vec![&unknown[..]; count]);
        let (framing, reason) = detect(&bytes);
        assert_eq!(framing, LITTLE, "{count}: {reason}");
        // The length 8 is also the id of a kind, so dialects read a bare value and a tail.
        let cut = &bytes[..bytes.len() - 1];
        assert_ne!(detect(cut).0, LITTLE, "{count}");
    }
    // Words of zeros lead to any end.
    assert_ne!(detect(&[&framed(&[&unknown]), &[0; 8][..]].concat()).0, LITTLE);
}

/// Frames of arrays of small integers. The file is also a packed array of 28 reals, of which nearly all are denormal.
#[test]
fn cut_frames_are_likelier_than_denormal_reals() {
    let array = [&[28, 0, 0, 0, 3, 0, 0, 0], &INT.repeat(3)[..]].concat();
    let frames = framed(&[&array[..]; 4]);
    let (framing, reason) = detect(&frames[..8 + 4 * 28]);
    assert_eq!(framing, LITTLE, "{reason}");
    assert!(Framing::Bare.examine(&frames[..8 + 4 * 28]).dialects().best().unwrap().is_complete());
}

/// The magic bytes of settings are evidence, also of settings with damaged values.
#[test]
fn settings_with_damaged_values_are_settings() {
    let mut writer = crate::SettingsWriter::new();
    writer.bytes("a", &[4, 0, 0, 0, 9, 0, 0, 0, b'a', b'b']).unwrap();
    let bytes = [writer.finish(), vec![1; 40]].concat();
    let (framing, reason) = detect(&bytes);
    assert_eq!(framing, Framing::Settings, "{reason}");
}

/// The bytes are a packed array of 30 reals, or frames of 6 integers and a null with other bytes after them.
#[test]
fn a_value_to_the_end_is_likelier_than_frames_before_other_bytes() {
    let ints = [&[30, 0, 0, 0, 6, 0, 0, 0][..], &[0x3f; 4 * 6]].concat();
    let mut bytes = framed(&[&ints, &[0; 4]]);
    bytes.resize(8 + 4 * 30, 0x3f);
    let guess = LITTLE.examine(&bytes);
    assert!(guess.is_whole() && guess.score() > Framing::Bare.examine(&bytes).score());
    let (framing, reason) = detect(&bytes);
    assert_eq!(framing, Framing::Bare, "{reason}");
}

/// Small integers that are read as reals are not evidence for a bare value.
#[test]
fn a_bare_array_of_denormal_reals_is_no_verdict() {
    for (real, is_sure) in [(7_u32, false), (0x3f80_0000, true)] {
        let reals = real.to_le_bytes().repeat(20);
        let bare = [&[32, 0, 0, 0, 20, 0, 0, 0][..], &reals].concat();
        let guess = Framing::Bare.examine(&bare);
        assert_eq!(guess.is_whole(), is_sure);
        assert_eq!(guess.verdict().fit().is_some(), is_sure);
        assert_eq!(Framing::detect_sole(&bare).is_some(), is_sure);
        // The length prefix is evidence enough.
        let guess = LITTLE.examine(&framed(&[&bare]));
        assert!(guess.is_whole() && guess.verdict().fit().is_some());
    }
}

#[test]
fn a_sequence_has_full_containers_of_one_engine() {
    let is_sequence = |bytes: &[u8]| detect(bytes).0.name() == "sequence";
    let empty = [27, 0, 0, 0, 0, 0, 0, 0];
    for (is_right, values) in [
        (true, &[&DICTIONARY[..], &DICTIONARY][..]),
        (true, &[&OF_GODOT3[..], &OF_GODOT3, &OF_GODOT3]),
        (false, &[&empty, &empty]),
        (false, &[&empty, &empty, &empty]),
        (false, &[&DICTIONARY]),
        (false, &[&DICTIONARY, &INT]),
        (false, &[&DICTIONARY, &DICTIONARY[..14]]),
        (false, &[&DICTIONARY, &DICTIONARY, &DICTIONARY[..18]]),
        (false, &[&DICTIONARY, &OF_GODOT3]),
        (false, &[&DICTIONARY, &DICTIONARY, &[0xff; 8]]),
    ] {
        assert_eq!(is_sequence(&values.concat()), is_right, "{values:?}");
    }
    assert!(is_sequence(&DICTIONARY.repeat(200)));
    // Values beyond the first MiB are not read, so they are not evidence.
    assert!(!is_sequence(&[&long()[..], &DICTIONARY[..14]].concat()));
}

/// A dictionary of more than 1 MiB.
fn long() -> Vec<u8> {
    let pairs = INT.repeat(200_000);
    [&[27, 0, 0, 0, 0xa0, 0x86, 1, 0], &pairs[..]].concat()
}

/// Names of settings are evidence only if their engine reads the values.
#[test]
fn names_do_not_outweigh_values() {
    let mut settings = crate::SettingsWriter::new();
    settings.bytes("display/window/size/viewport_width", &OF_GODOT3).unwrap();
    let file = settings.finish();
    let detection = Framing::detect(&file);
    let fit = detection.best().verdict().fit().unwrap();
    assert_eq!(fit.dialect(), Dialect::Godot3);
}

/// A save whose later frames are not of the engine is certain, if the first MiB is.
#[test]
fn the_sole_reading_is_that_of_the_first_mib() {
    let (long, damaged) = (long(), [0xff; 8]);
    let of = |values: &[&[u8]]| Framing::detect_sole(&framed(values));
    let sole = Some((LITTLE, Dialect::Godot4));
    assert_eq!(of(&[&long, &DICTIONARY]), sole);
    assert_eq!(of(&[&long, &damaged]), sole);
    // Other engines do not read {7: 7}.
    let one = [&[27, 0, 0, 0, 1, 0, 0, 0], &INT[..], &INT].concat();
    assert_eq!(of(&[&one, &long, &damaged]), sole);
    assert_eq!(of(&[&one, &damaged, &long]), None);
    // The third frame starts at 1 MiB, or after it.
    let ints = |count: u32| {
        let len = 8 * usize::try_from(count).unwrap();
        [&[31, 0, 0, 0], &count.to_le_bytes()[..], &vec![0xff; len]].concat()
    };
    assert_eq!(framed(&[&one, &ints(131_067)]).len(), 1 << 20);
    assert_eq!(of(&[&one, &ints(131_067), &damaged]), None);
    assert_eq!(of(&[&one, &ints(131_068), &damaged]), sole);
    let many = vec![&one[..]; 64];
    assert_eq!(of(&[&many[..], &[&damaged]].concat()), sole);
    assert_eq!(of(&[&many[..63], &[&damaged]].concat()), None);
}

/// Short files have too little evidence.
#[test]
fn a_short_file_has_no_sole_reading() {
    let array = |count: u8| {
        let ints = INT.repeat(count.into());
        [&[19, 0, 0, 0, count, 0, 0, 0], &ints[..]].concat()
    };
    let bare = Some((Framing::Bare, Dialect::Godot3));
    for (count, len, sole) in [(5, 48, None), (6, 56, None), (7, 64, bare), (8, 72, bare)] {
        let bytes = array(count);
        assert_eq!((bytes.len(), Framing::detect_sole(&bytes)), (len, sole));
    }
    assert_eq!(Framing::detect_sole(&framed(&[&array(6)])), None);
    assert_eq!(Framing::detect_sole(&framed(&[&array(7)])), Some((LITTLE, Dialect::Godot3)));
}
