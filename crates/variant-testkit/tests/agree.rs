//! Views, walk, visitors, validation and owned values agree with the reference on any input.

use std::fs;
use std::path::PathBuf;

use variant_owned::Variant;
use variant_testkit::agree::check_agree;
use variant_testkit::builder::Builder;
use variant_testkit::conformance::options;
use variant_testkit::corpus::one_in;
use variant_testkit::mutate::mutate;
use variant_testkit::random::Random;
use variant_testkit::{corpus, fuzz, made};
use variant_view::{Dialect, Document, ErrorKind, Limits, Objects, Options, Reals};

fn vectors() -> Vec<(Dialect, Vec<u8>)> {
    let files = corpus::every_record_file();
    let files = files.into_iter().filter(|(_, path)| path.to_string_lossy().contains("vectors"));
    let cases = |(dialect, path): (Dialect, PathBuf)| {
        let cases = corpus::read_cases(&path).unwrap();
        cases.into_iter().map(move |case| (dialect, case.bytes))
    };
    files.flat_map(cases).collect()
}

/// One in `step` of the places before `end`. Each input begins with another place, so that the places at the start of an
/// input, such as the flags of a header, all occur.
fn places(turn: usize, step: usize, end: usize) -> impl Iterator<Item = usize> {
    (turn % one_in(step)..end).step_by(one_in(step))
}

#[test]
fn every_record() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            check_agree(&case.bytes, options(dialect, case.objects));
            check_agree(&case.bytes, options(dialect, true).reals(Reals::Always64));
        }
    }
}

#[test]
fn every_record_in_another_dialect() {
    let mut others = corpus::dialects().cycle();
    for (_, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            check_agree(&case.bytes, Options::engine(others.next().unwrap()));
        }
    }
}

/// Saves, containers, damaged files, and files that are not values.
#[test]
fn every_file() {
    for file in corpus::files().unwrap() {
        let bytes = fs::read(&file).unwrap();
        for dialect in corpus::dialects() {
            check_agree(&bytes, options(dialect, true));
            // The bytes of a frame without its length.
            check_agree(bytes.get(4..).unwrap_or_default(), options(dialect, true));
        }
    }
}

#[test]
fn every_prefix() {
    for (turn, (dialect, bytes)) in vectors().into_iter().enumerate() {
        for len in places(turn, 3, bytes.len().min(300)) {
            check_agree(&bytes[..len], Options::engine(dialect));
        }
    }
}

#[test]
fn every_byte_changed() {
    for (turn, (dialect, mut bytes)) in vectors().into_iter().enumerate() {
        if bytes.len() > 96 {
            continue;
        }
        for at in places(turn, 3, bytes.len()) {
            let old = bytes[at];
            for new in [0, old ^ 1, old ^ 4, old.wrapping_add(1), old ^ 0x80, 0xff] {
                bytes[at] = new;
                check_agree(&bytes, Options::engine(dialect));
            }
            bytes[at] = old;
        }
    }
}

#[test]
fn every_bit_flipped() {
    let mut flipped = 0;
    for (turn, (dialect, mut bytes)) in vectors().into_iter().enumerate() {
        // The longest vectors are a thousand levels deep. `every_byte_flipped_in_the_depths` reads them.
        if bytes.len() > 2_000 {
            continue;
        }
        for bit in places(turn, 37, bytes.len() * 8) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            check_agree(&bytes, Options::engine(dialect));
            bytes[bit / 8] ^= 1 << (bit % 8);
            flipped += one_in(37);
        }
    }
    println!("{flipped} bits");
    assert!(flipped > 300_000, "{flipped}");
}

/// For every changed byte of the deepest vectors, walk, validation and owned values agree.
#[test]
fn every_byte_flipped_in_the_depths() {
    let deep = vectors().into_iter().filter(|(_, bytes)| bytes.len() > 2_000);
    for (turn, (dialect, mut bytes)) in deep.enumerate() {
        for at in places(turn, 13, bytes.len()) {
            bytes[at] ^= 0xff;
            let document = Document::new(&bytes, dialect);
            let walked = document.walk().find_map(Result::err);
            let owned = Variant::from_document(&document).err();
            let verdict = document.validate().err();
            bytes[at] ^= 0xff;
            assert_eq!(walked, owned, "byte {at}");
            let is_text = verdict.is_some_and(|error| error.kind() == ErrorKind::InvalidText);
            assert!(is_text || verdict == walked, "byte {at}: {verdict:?}, {walked:?}");
        }
    }
}

/// Reads with limits below, at and above the size of the document.
#[test]
fn every_limit() {
    for (dialect, bytes) in vectors() {
        if bytes.len() > 200 {
            continue;
        }
        let options = Options::engine(dialect);
        for limit in (0..=bytes.len()).chain([bytes.len() + 1]) {
            check_agree(&bytes, options.limits(Limits::FILE.bytes(limit.try_into().unwrap())));
        }
        for limit in 0..12 {
            check_agree(&bytes, options.limits(Limits::FILE.values(limit.into())));
            check_agree(&bytes, options.limits(Limits::FILE.depth(limit)));
        }
    }
}

/// Bytes at which the rules for text change.
const EDGES: &[u8] = &[
    0x00, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0x87, 0x88, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1,
    0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
];

/// Character sequences of every length, with every combination of the first bytes.
#[test]
fn every_sequence() {
    for &lead in EDGES {
        for &second in EDGES {
            for third in EDGES.iter().filter(|_| lead >= 0xe0) {
                let sequence = [lead, second, *third, 0x80, 0xbf, 0x80];
                let len = match lead {
                    ..0xf0 => 3,
                    0xf0..0xf8 => 4,
                    0xf8..0xfc => 5,
                    _ => 6,
                };
                check_text(&sequence[..len], Dialect::Godot3);
                check_text(&sequence[..len], Dialect::Pandemonium5);
            }
            check_text(&[lead, second], Dialect::Pandemonium3);
            check_text(&[lead, second], Dialect::Godot4);
        }
    }
}

/// Texts of bytes at which the rules change.
#[test]
fn any_text() {
    let mut random = Random::new(0x7e87);
    let dialects: Vec<_> = corpus::dialects().collect();
    for round in 0..10_000 {
        let len = 1 + random.below(8);
        let mut text: Vec<u8> = (0..len).map(|_| random.pick(EDGES)).collect();
        // Most meaningful sequences have many continuation bytes.
        if round % 2 == 0 {
            text[1..].iter_mut().for_each(|byte| *byte = *byte & 0x3f | 0x80);
        }
        if round % 5 == 0 {
            text.splice(0..0, *b"\xef\xbb\xbf");
        }
        check_text(&text, random.pick(&dialects));
    }
}

fn check_text(text: &[u8], dialect: Dialect) {
    let padding = text.len().next_multiple_of(4) - text.len();
    let length = u32::try_from(text.len()).unwrap();
    let value = Builder::new().u32(4).u32(length).raw(text).raw(&[0; 3][..padding]);
    check_agree(&value.build().bytes, Options::engine(dialect));
}

#[test]
fn made_and_mutated() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let dialects: Vec<_> = corpus::dialects().collect();
    let vectors = vectors();
    for round in 0..30_000 / one_in(3) {
        let (mut dialect, mut bytes) = match round % 3 {
            0 => {
                let dialect = random.pick(&dialects);
                (dialect, made::nested(&mut random, dialect, 3))
            }
            1 => (Dialect::Godot2, made::nested(&mut random, Dialect::Godot2, 3)),
            _ => vectors[random.below(vectors.len())].clone(),
        };
        if bytes.len() > 800 {
            continue;
        }
        for _ in 0..random.below(4) {
            mutate(&mut random, &mut bytes);
        }
        if random.below(8) == 0 {
            dialect = random.pick(&dialects);
        }
        check_agree(&bytes, any_options(&mut random, dialect));
        let mut chosen = random.bytes(3);
        chosen.extend(bytes);
        fuzz::check_agree(&chosen);
    }
}

fn any_options(random: &mut Random, dialect: Dialect) -> Options {
    let mut options = Options::engine(dialect);
    if random.below(4) == 0 {
        options = options.reals(Reals::Always64);
    }
    if random.below(8) == 0 {
        options = options.objects(Objects::Refuse);
    }
    let mut limit = |end| u32::try_from(random.below(end)).unwrap();
    let limits = match limit(6) {
        0 => Limits::ENGINE.depth(limit(6)),
        1 => Limits::ENGINE.bytes(limit(300).into()),
        2 => Limits::ENGINE.values(limit(30).into()).bytes(limit(300).into()).depth(limit(6)),
        _ => Limits::ENGINE,
    };
    options.limits(limits)
}
