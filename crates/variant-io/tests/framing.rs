//! Detection of framing and dialect, for every kind that every engine writes.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop"
)]

use arbitrary::Unstructured;
use variant_io::{ByteOrder, Fit, Framing, Guess, append_frame};
use variant_owned::{Object, Variant, encode};
use variant_testkit::random::Random;
use variant_testkit::{corpus, table, values};
use variant_view::{Dialect, Kind, Reals};

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

fn framed(values: &[&[u8]], order: ByteOrder) -> Vec<u8> {
    let mut out = Vec::new();
    for value in values {
        append_frame(&mut out, value, order).unwrap();
    }
    out
}

/// Whether the verdict allows the dialect.
fn is_candidate(guess: &Guess, dialect: Dialect) -> bool {
    let dialects = guess.dialects();
    guess.verdict().fit().is_some_and(|fit| {
        let others = dialects.alike(fit).chain(dialects.rivals(fit));
        std::iter::once(fit).chain(others).any(|fit| fit.dialect() == dialect && fit.is_complete())
    })
}

/// Values that are taken for a container of another dialect.
const AMBIGUOUS: [&[u8]; 2] = [
    // Four bytes of zero in an array of numbers, or in a typed array: an Array of a null, by Godot 4.
    &[28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    // The same, by Pandemonium 4 and 5.
    &[26, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
];

fn assert_frames(value: &[u8], dialect: Dialect, name: &str) {
    for order in ORDERS {
        for values in [&[value][..], &[value, &[0; 4], value]] {
            let file = framed(values, order);
            let detection = Framing::detect(&file);
            let best = detection.best();
            let name = format!("{name} of {dialect}, {} times in {order:?}", values.len());
            assert_eq!(best.framing(), Framing::Frames(order), "{name}: {}", best.reason());
            let verdict = best.verdict();
            let is_known = AMBIGUOUS.contains(&value);
            assert!(is_candidate(best, dialect) || is_known, "{name}: {verdict:?}");
            assert_eq!(best.framing().values(&file).flatten().count(), values.len(), "{name}");
        }
    }
}

/// The smallest value of a kind that the dialect writes.
fn smallest(kind: Kind, dialect: Dialect) -> Vec<u8> {
    let sample = match table::sample(kind) {
        Variant::Object(_) if !dialect.writes_objects() => Object::Null.into(),
        Variant::String(_) => "".into(),
        sample => sample,
    };
    encode(&sample, dialect).unwrap()
}

#[test]
fn the_smallest_value_of_every_kind_is_found_in_frames() {
    for &dialect in Dialect::ALL {
        for &kind in dialect.kinds() {
            assert_frames(&smallest(kind, dialect), dialect, kind.name());
        }
    }
}

#[test]
fn beginners_saves_are_found_in_frames() {
    let saves: [(&str, Variant); 8] = [
        ("null", Variant::Nil),
        ("true", true.into()),
        ("false", false.into()),
        ("0", 0.into()),
        ("50", 50.into()),
        ("-1", (-1).into()),
        ("1.5", 1.5.into()),
        ("a name", "Åsa".into()),
    ];
    for &dialect in Dialect::ALL {
        for (name, save) in &saves {
            assert_frames(&encode(save, dialect).unwrap(), dialect, name);
        }
    }
}

#[test]
fn what_engines_wrote_is_found_in_frames() {
    for (dialect, path) in corpus::record_files() {
        if path.to_string_lossy().contains("vectors") {
            for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
                assert_frames(&case.bytes, dialect, &case.name);
            }
        }
    }
}

#[test]
fn any_value_is_found_in_frames() {
    let mut random = Random::new(1);
    for &dialect in Dialect::ALL {
        for number in 0..100 {
            let bytes: Vec<u8> =
                (0..400).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
            let value = values::variant(&mut Unstructured::new(&bytes), dialect, false).unwrap();
            let value = encode(&value, dialect).unwrap();
            assert_frames(&value, dialect, &format!("value {number}"));
        }
    }
}

/// Bare values of engines are not taken for frames. The exceptions are ambiguous: the same bytes are a frame that an engine
/// would have written.
#[test]
fn bare_values_are_not_taken_for_frames() {
    let mut taken = Vec::new();
    for (dialect, path) in corpus::record_files() {
        if path.to_string_lossy().contains("vectors") {
            for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
                if Framing::detect(&case.bytes).best().framing() != Framing::Bare {
                    taken.push((dialect.name(), case.bytes.clone()));
                }
            }
        }
    }
    taken.sort();
    taken.dedup();
    // An empty text is a null in a frame.
    let empty = [4, 0, 0, 0, 0, 0, 0, 0].to_vec();
    let of = ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"];
    assert_eq!(taken, of.map(|dialect| (dialect, empty.clone())));
}

/// The other ambiguous bare values, which are taken for frames.
#[test]
fn what_is_ambiguous_is_taken_for_frames() {
    let bytes = |dialect, value: Variant| encode(&value, dialect).unwrap();
    let cell = |x, y| Variant::Vector2i(variant_view::Vector2 { x, y });
    let ambiguous = [
        // Id 8 of Pandemonium 4 and 5, read as a length prefix of 8, fits the rest: a Bool, an Int, a Float, an empty text.
        ("Vector2i(1, 0) or true", bytes(Dialect::Pandemonium4, cell(1, 0))),
        ("Vector2i(2, 50) or 50", bytes(Dialect::Pandemonium5, cell(2, 50))),
        ("Vector2i(3, 0) or 0.0", bytes(Dialect::Pandemonium4, cell(3, 0))),
        ("Vector2i(4, 0) or \"\"", bytes(Dialect::Pandemonium5, cell(4, 0))),
        // Id 20 of Godot 3, read as a length prefix of 20, fits 13 to 15 bytes: kinds 13 to 15 of four numbers.
        ("13 bytes or a Vector4i", bytes(Dialect::Godot3, vec![7_u8; 13].into())),
        ("14 bytes or a Plane", bytes(Dialect::Godot3, vec![7_u8; 14].into())),
        ("15 bytes or a Quaternion", bytes(Dialect::Godot3, vec![7_u8; 15].into())),
    ];
    for (name, bytes) in ambiguous {
        let detection = Framing::detect(&bytes);
        assert_eq!(detection.best().framing(), Framing::Frames(ByteOrder::Little), "{name}");
        let bare = detection.ranked().into_iter().find(|guess| guess.framing() == Framing::Bare);
        let bare = bare.unwrap();
        assert!(bare.dialects().best().is_some_and(Fit::is_complete), "{name}");
        let reason = bare.reason().to_string();
        assert!(
            reason.ends_with("length prefixes that fit exactly are stronger evidence"),
            "{name}: {reason}"
        );
    }
    // A value that no engine would write as a frame is bare.
    let detection = Framing::detect(&bytes(Dialect::Pandemonium4, cell(30, 40)));
    assert_eq!(detection.best().framing(), Framing::Bare);
}

/// A container that looks like a frame of one value holds more values than the frame.
#[test]
fn what_is_clearly_richer_stays_bare() {
    // A Dictionary of Godot 2 has id 20, and 20 bytes follow. As a frame it is an Int with trailing bytes.
    let pair = [4, 0, 0, 0, 0, 0, 0, 0].repeat(2);
    let bare = [&[20, 0, 0, 0, 1, 0, 0, 0][..], &pair].concat();
    assert_eq!(bare.len(), 24);
    assert_eq!(Framing::detect(&bare).best().framing(), Framing::Bare);
}

/// Holds the quick detection against the thorough one; whether it decides.
fn assert_sole(bytes: &[u8], name: &str) -> bool {
    let Some((framing, dialect)) = Framing::detect_sole(bytes) else { return false };
    let detection = Framing::detect(bytes);
    let best = detection.best();
    let fit = best.verdict().fit().map(|fit| (fit.dialect(), fit.reals()));
    assert_eq!((best.framing(), fit), (framing, Some((dialect, Reals::ByFlag))), "{name}");
    true
}

#[test]
fn a_sole_reading_is_the_one_that_is_detected() {
    let mut decided = 0;
    for (dialect, path) in corpus::record_files() {
        let cases = corpus::read_cases(&path).unwrap();
        let all: Vec<_> = cases.iter().map(|case| case.bytes.as_slice()).collect();
        for values in all.chunks(50) {
            decided += usize::from(assert_sole(&framed(values, ByteOrder::Little), dialect.name()));
        }
        for value in all {
            decided += usize::from(assert_sole(value, dialect.name()));
        }
    }
    for path in corpus::files().unwrap() {
        let bytes = std::fs::read(&path).unwrap();
        decided += usize::from(assert_sole(&bytes, &path.to_string_lossy()));
    }
    assert!(decided > 100, "{decided}");
}

/// Files of a game are decided by it.
#[test]
fn saves_have_a_sole_reading() {
    for &dialect in Dialect::ALL {
        let decided = (0..20)
            .filter(|number| {
                let save = variant_testkit::saves::save(*number, 5_000, dialect);
                assert_sole(&save, dialect.name())
            })
            .count();
        assert_eq!(decided, 20, "{dialect}");
    }
}
