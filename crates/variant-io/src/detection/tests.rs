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
