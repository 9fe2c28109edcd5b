//! Detection of framing and dialect, for every kind that every engine writes.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use arbitrary::Unstructured;
use variant_io::{ByteOrder, Fit, Framing, Guess, SettingsWriter, Verdict, append_frame};
use variant_owned::{Dictionary, Object, Variant, encode};
use variant_testkit::corpus::{self, Case};
use variant_testkit::random::Random;
use variant_testkit::{table, values};
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

fn assert_frames(value: &[u8], dialect: Dialect, name: &str) {
    for order in ORDERS {
        for values in [&[value][..], &[value, &[0; 4], value]] {
            let file = framed(values, order);
            let detection = Framing::detect(&file);
            let best = detection.best();
            let name = format!("{name} of {dialect}, {} times in {order:?}", values.len());
            assert_eq!(best.framing(), Framing::Frames(order), "{name}: {}", best.reason());
            let verdict = best.verdict();
            assert!(is_candidate(best, dialect), "{name}: {verdict:?}");
            assert_eq!(best.framing().values(&file).flatten().count(), values.len(), "{name}");
            let known = Framing::detect_known(&file, None, Some(dialect));
            assert_eq!(known.best().framing(), Framing::Frames(order), "{name}, which is known");
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
fn each_framing_is_found_by_its_name() {
    for dialect in [Dialect::Godot3, Dialect::Godot4] {
        let all = Framing::ALL.into_iter().chain([Framing::Sequence(dialect)]);
        let found = Framing::NAMES.map(|name| Framing::named(name, dialect).unwrap());
        assert_eq!(found.to_vec(), all.collect::<Vec<_>>());
        assert_eq!(found.map(Framing::name), Framing::NAMES);
        for (framing, name) in found.into_iter().zip(Framing::NAMES) {
            assert_eq!(format!("{framing:>10}"), format!("{name:>10}"));
        }
    }
    assert_eq!(Framing::named("Bare", Dialect::Godot4), None);
}

/// Some rivals are fits of the first frame alone.
#[test]
fn each_fit_is_a_rival_once() {
    let all =
        |dialect: &'static Dialect| dialect.kinds().iter().map(|kind| smallest(*kind, *dialect));
    let values: BTreeSet<_> = Dialect::ALL.iter().flat_map(all).collect();
    let pairs = values.iter().flat_map(|first| values.iter().map(move |second| [first, second]));
    let mut of_first = 0;
    for pair in pairs {
        let detection = Framing::detect(&framed(&pair.map(Vec::as_slice), ByteOrder::Little));
        let dialects = detection.best().dialects();
        let Some(fit) = dialects.best() else { continue };
        let mut found = BTreeSet::new();
        for rival in dialects.rivals(fit) {
            let reals = format!("{:?}", rival.reals());
            assert!(found.insert((rival.dialect().name(), reals)), "{pair:x?}: {rival:?} twice");
            of_first += usize::from(!dialects.get(rival.dialect()).is_some_and(Fit::is_complete));
        }
    }
    assert!(of_first > 100, "{of_first} fits of the first frame alone");
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
    for &dialect in Dialect::ALL {
        for text in ["null", "true", "false", "0", "50", "-1", "1.5", r#""Åsa""#] {
            let save: Variant = text.parse().unwrap();
            assert_frames(&encode(&save, dialect).unwrap(), dialect, text);
        }
    }
}

/// The test vectors of engines, from the files whose names contain `words`.
fn vectors(words: &str) -> impl Iterator<Item = (Dialect, Case)> {
    let files = corpus::record_files().into_iter();
    let files = files.filter(move |(_, path)| path.to_string_lossy().contains(words));
    let cases = files.flat_map(|(dialect, path)| {
        let cases = corpus::read_cases(&path).unwrap().into_iter();
        cases.map(move |case| (dialect, case))
    });
    cases.filter(|(_, case)| case.accepted)
}

#[test]
fn files_of_engines_are_found_in_frames() {
    for (dialect, case) in vectors("vectors") {
        assert_frames(&case.bytes, dialect, &case.name);
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

/// Bare values of engines are not detected as frames. The exceptions are ambiguous: the same bytes are a frame that an
/// engine would have written.
#[test]
fn bare_values_are_not_taken_for_frames() {
    let mut taken = Vec::new();
    for (dialect, case) in vectors("vectors") {
        if Framing::detect(&case.bytes).best().framing() != Framing::Bare {
            taken.push((dialect.name(), case.bytes));
        }
    }
    taken.sort();
    taken.dedup();
    // Only an empty text is detected as frames: a null in a frame has the same bytes.
    let empty = [4, 0, 0, 0, 0, 0, 0, 0].to_vec();
    let of = ["godot3", "godot4", "pandemonium3", "pandemonium4", "pandemonium5"];
    assert_eq!(taken, of.map(|dialect| (dialect, empty.clone())));
}

/// Further ambiguous bare values, which are also detected as frames.
#[test]
fn an_ambiguous_file_is_taken_for_frames() {
    let bytes = |dialect, value: Variant| encode(&value, dialect).unwrap();
    let cell = |x, y| Variant::Vector2i(variant_view::Vector2 { x, y });
    let ambiguous = [
        // In Pandemonium 4 and 5, these values begin with id 8. As a length prefix, 8 fits the rest, which reads as a
        // Bool, an Int, a Float or an empty text.
        ("Vector2i(1, 0) or true", bytes(Dialect::Pandemonium4, cell(1, 0))),
        ("Vector2i(2, 50) or 50", bytes(Dialect::Pandemonium5, cell(2, 50))),
        ("Vector2i(3, 0) or 0.0", bytes(Dialect::Pandemonium4, cell(3, 0))),
        ("Vector2i(4, 0) or \"\"", bytes(Dialect::Pandemonium5, cell(4, 0))),
        // In Godot 3, these values begin with id 20. As a length prefix, 20 fits the rest: the count (13, 14, 15) reads
        // as the id of a kind with four numbers.
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

/// The bytes can be read as a container or as a frame of one value. The container has more values, so the file is read
/// as bare.
#[test]
fn a_clearly_richer_value_stays_bare() {
    // A Dictionary of Godot 2 has id 20, and 20 bytes follow. Read as a frame, the file is an Int with trailing bytes.
    let pair = [4, 0, 0, 0, 0, 0, 0, 0].repeat(2);
    let bare = [&[20, 0, 0, 0, 1, 0, 0, 0][..], &pair].concat();
    assert_eq!(bare.len(), 24);
    assert_eq!(Framing::detect(&bare).best().framing(), Framing::Bare);
}

/// Returns whether the quick detection finds a result. If so, the thorough detection must find the same result.
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

/// The quick detection finds a single reading for files as games write them.
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

/// `store_var(value)` over the beginning of an older file. The rest of the older file remains, since `READ_WRITE` does
/// not truncate.
fn written_over(value: &[u8], old: &[u8]) -> Option<Vec<u8>> {
    let mut file = framed(&[value], ByteOrder::Little);
    let rest = old.get(file.len()..).filter(|rest| !rest.is_empty())?;
    file.extend(rest);
    Some(file)
}

/// Whether the verdict names the engine, or is not certain of another engine.
fn is_honest(file: &[u8], dialect: Dialect) -> bool {
    let detection = Framing::detect(file);
    let best = detection.best();
    let sole = Framing::detect_sole(file);
    let is_right = |guess: &Guess| {
        let dialects = guess.dialects();
        let fit = guess.verdict().fit();
        fit.is_none_or(|fit| {
            fit.dialect() == dialect || dialects.alike(fit).any(|other| other.dialect() == dialect)
        })
    };
    let is_certain = matches!(best.verdict(), Verdict::Clear(_) | Verdict::Any(_));
    let is_sole_right = sole.is_none_or(|(_, found)| found == dialect);
    (!is_certain || is_right(best)) && is_sole_right
}

#[test]
fn a_save_over_an_older_one_is_not_taken_for_another_engine_s() {
    for &dialect in Dialect::ALL {
        let mut stats = Dictionary::new();
        stats.insert("hp", 77);
        let one = encode(&Variant::Dictionary(stats.clone()), dialect).unwrap();
        stats.insert("name", "Åsa");
        stats.insert("items", Variant::Array([1, 2, 3].into_iter().map(Variant::from).collect()));
        let two = encode(&Variant::Dictionary(stats), dialect).unwrap();
        let old = variant_testkit::saves::save(1, 4_000, dialect);
        let old = framed(&[&old], ByteOrder::Little);
        for value in [&one, &two] {
            let mut framings = 0;
            for len in 4..1_300 {
                let Some(file) = written_over(value, &old[..len.min(old.len())]) else { continue };
                assert!(is_honest(&file, dialect), "{dialect}: {} over {len}", value.len());
                let detection = Framing::detect(&file);
                let is_framed = detection.best().framing() == Framing::Frames(ByteOrder::Little);
                framings += usize::from(!is_framed);
            }
            assert_eq!(framings, 0, "{dialect}: {}", value.len());
        }
    }
}

/// For each record and every `step`th of the short files: overwrites the start of the file with the record's value.
/// Whole frames of the older file may remain.
fn assert_honest_over_older_files(step: usize) {
    let files: Vec<_> =
        corpus::files().unwrap().iter().map(|path| std::fs::read(path).unwrap()).collect();
    let files: Vec<_> = files.into_iter().filter(|file| file.len() < 4_096).collect();
    let (mut count, mut turn, mut wrong) = (0_usize, 0_usize, Vec::new());
    for (dialect, case) in vectors("single.vectors") {
        // A value that every engine reads alike is not evidence for its engine.
        let alone = framed(&[&case.bytes], ByteOrder::Little);
        if matches!(Framing::detect(&alone).best().verdict(), Verdict::Any(_)) {
            continue;
        }
        turn += 1;
        for old in files.iter().skip(turn % step).step_by(step) {
            let Some(file) = written_over(&case.bytes, old) else { continue };
            count += 1;
            if !is_honest(&file, dialect) {
                let detection = Framing::detect(&file);
                let best = detection.best();
                let fit = best.verdict().fit().map(Fit::dialect);
                wrong.push(format!(
                    "{dialect} {} over {}: {} as {fit:?}: {} {:?}",
                    case.name,
                    old.len(),
                    best.framing(),
                    best.reason(),
                    Framing::detect_sole(&file)
                ));
            }
        }
    }
    assert!(count > 1_000, "{count}");
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
}

#[test]
fn values_of_engines_over_longer_files_are_not_taken_for_another_engine_s() {
    assert_honest_over_older_files(16);
}

#[test]
#[ignore = "all 104,157 pairs take half a minute"]
fn all_values_of_engines_over_longer_files_are_not_taken_for_another_engine_s() {
    assert_honest_over_older_files(1);
}

#[test]
fn bytes_after_frames_are_a_tail_unless_they_begin_a_frame() {
    let mut pairs = Dictionary::new();
    pairs.insert("hp", 77);
    pairs.insert("gold", 5);
    let save = Variant::Dictionary(pairs);
    for &dialect in Dialect::ALL {
        let value = encode(&save, dialect).unwrap();
        for order in ORDERS {
            let framing = Framing::Frames(order);
            let first = framed(&[&value], order);
            for tail in [
                &b"\n"[..],
                b"\xa7\xee\x27\xfb\xae\x27\xbc\x40",
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
                &[0; 64],
            ] {
                // Zeros count as a tail (bytes after the frames), although they may begin a big-endian length prefix.
                let file = [&first[..], tail].concat();
                assert_eq!(framing.tail_len(&file, dialect), tail.len(), "{dialect} {tail:?}");
            }
            let both = framed(&[&value, &value], order);
            for len in first.len()..=both.len() {
                assert_eq!(framing.tail_len(&both[..len], dialect), 0, "{dialect} {order:?} {len}");
            }
            assert_eq!(framing.tail_len(&first[..first.len() - 1], dialect), 0);
        }
        assert_eq!(Framing::Bare.tail_len(&[&value[..], b"more"].concat(), dialect), 4);
    }
}

/// All engines read a project that has only texts in the same way, so the values of the project are not evidence for
/// one engine. The names of its settings are evidence.
#[test]
fn names_of_settings_speak_for_their_engine() {
    use Dialect::{Godot2, Godot3, Godot4, Pandemonium3, Pandemonium4, Pandemonium5};
    let of = |names: &[&str]| {
        let mut settings = SettingsWriter::new();
        for name in names {
            settings.value(name, &Variant::from(1_024), Godot4).unwrap();
        }
        let file = settings.finish();
        let detection = Framing::detect(&file);
        let is_one = |dialect: &Dialect| is_candidate(detection.best(), *dialect);
        Dialect::ALL.iter().copied().filter(is_one).collect::<Vec<_>>()
    };
    let since_3 = &[Godot3, Pandemonium3, Pandemonium4, Pandemonium5][..];
    for (names, engines) in [
        (&["display/window/size/viewport_width"][..], &[Godot4][..]),
        (&["display/window/size/width"], since_3),
        (&["application/name", "display/width"], &[Godot2]),
        (&["application/config/name", "display/window/size/height"], since_3),
        (&["application/config/name"], &[since_3, &[Godot4]].concat()),
        (&["display/width", "rendering/renderer/rendering_method"], &[Godot4]),
        (&["rendering/textures/canvas_textures/default_texture_filter"], &[Godot4]),
        (&["application/config/features"], &[Godot4]),
        (&["rendering/quality/driver/driver_name"], since_3),
        (&["physics/common/physics_fps", "application/run/main_scene"], since_3),
        (&["application/run/main_scene", "rendering/quality/2d/use_pixel_snap"], since_3),
        (&["application/run/main_scene"], &[since_3, &[Godot4]].concat()),
        (&["display/window/handheld/orientation"], &[since_3, &[Godot4]].concat()),
        // A converted project keeps old names.
        (&["display/width", "application/run/main_scene"], &[since_3, &[Godot4]].concat()),
        (&["application/config/tags", "display/window/size/height"], &[Godot4]),
        (&["global/anything"], Dialect::ALL),
    ] {
        let found = of(names);
        let are_all = engines.iter().all(|one| found.contains(one));
        assert!(found.len() == engines.len() && are_all, "{names:?}: {found:?}");
    }
}

/// Only Pandemonium 5 writes `ECFP`. Any engine may have written `ECFG`.
#[test]
fn magic_bytes_of_settings_speak_for_their_engine() {
    for (magic, count) in [(b"ECFP", 1), (b"ECFG", Dialect::ALL.len())] {
        let file = [magic, &b"\x01\0\0\0\x01\0\0\0a\x08\0\0\0\x02\0\0\0\x07\0\0\0"[..]].concat();
        let guess = Framing::Settings.examine(&file);
        let fits: Vec<_> = guess.dialects().iter().map(Fit::dialect).collect();
        assert_eq!(fits.len(), count, "{fits:?}");
        assert!(fits.contains(&Dialect::Pandemonium5), "{fits:?}");
    }
}

/// `{7: null}` as Godot 4 and Godot 3 write it.
const DICTIONARY: [u8; 20] = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
const OF_GODOT3: [u8; 20] = [18, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

/// A known framing that is guessed anyway keeps its guess, in which frames of the same bytes are stronger evidence.
#[test]
fn a_known_framing_has_the_guess_of_the_file() {
    // 7 in a frame, or Vector2i(2, 7)
    let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    assert_eq!(Framing::detect(&file).best().framing(), Framing::Frames(ByteOrder::Little));
    for dialect in [None, Some(Dialect::Pandemonium5)] {
        let detection = Framing::detect_known(&file, Some(Framing::Bare), dialect);
        let best = detection.best();
        assert_eq!(best.framing(), Framing::Bare);
        assert_eq!(
            best.reason().to_string(),
            "all 12 bytes are one value, a Vector2i in Pandemonium 5, but length prefixes that fit \
             exactly are stronger evidence"
        );
    }
}

/// Two dictionaries of Godot 2 are a sequence. Two empty ones may as well be empty arrays of bytes of Godot 3.
#[test]
fn a_sequence_has_the_dialect_that_reads_it_best() {
    let full: [u8; 20] = [20, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    let empty: [u8; 8] = [20, 0, 0, 0, 0, 0, 0, 0];
    let sequence = Framing::Sequence(Dialect::Godot2);
    assert_eq!(Framing::detect(&full.repeat(2)).best().framing(), sequence);
    let file = empty.repeat(2);
    let detection = Framing::detect(&file);
    assert!(detection.ranked().iter().all(|guess| guess.framing().name() != "sequence"));
    let known = Framing::detect_known(&file, Some(sequence), Some(Dialect::Godot2));
    assert_eq!(
        known.best().reason().to_string(),
        "2 values one after another, the first of which Godot 3 reads as a PackedByteArray"
    );
}

/// Frames of one engine or of two, and a hash after them.
#[test]
fn frames_before_a_tail_may_be_of_two_engines() {
    let tail = b"\xa7\xee\x27\xfb\xae\x27\xbc\x40";
    for (second, contents, dialect) in [
        (&DICTIONARY, ", the first of which Godot 4 reads as a Dictionary", Some(Dialect::Godot4)),
        (&OF_GODOT3, ", but no dialect reads all of them", None),
    ] {
        let frames = framed(&[&DICTIONARY, second], ByteOrder::Little);
        let detection = Framing::detect(&[&frames[..], tail].concat());
        let is_framed = |guess: &&Guess| guess.framing() == Framing::Frames(ByteOrder::Little);
        let guess = detection.ranked().into_iter().find(is_framed).unwrap();
        let text = format!(
            "2 length prefixes, each followed by exactly that many bytes{contents}; then 8 bytes \
             that are not a frame"
        );
        assert_eq!(guess.reason().to_string(), text);
        assert_eq!(guess.verdict().fit().map(Fit::dialect), dialect);
    }
}

/// No dialect reads both frames, but Godot 3 reads most of their bytes.
#[test]
fn frames_of_two_engines_before_a_tail_are_frames() {
    let of = |id: u8, count: u8| {
        let pairs = DICTIONARY[8..].repeat(usize::from(count));
        [&[id, 0, 0, 0, count, 0, 0, 0][..], &pairs].concat()
    };
    let frames = framed(&[&of(27, 3), &of(18, 16)], ByteOrder::Little);
    let tail = b"\xa7\xee\x27\xfb\xae\x27\xbc\x40";
    let detection = Framing::detect(&[&frames[..], tail].concat());
    let best = detection.best();
    assert_eq!(best.framing(), Framing::Frames(ByteOrder::Little), "{}", best.reason());
    assert_eq!(
        best.reason().to_string(),
        "2 length prefixes, each followed by exactly that many bytes, but no dialect reads all of \
         them; then 8 bytes that are not a frame"
    );
}

/// The head of the dictionary is whole, but its third pair is missing.
#[test]
fn a_dictionary_without_its_last_pair_is_not_a_value() {
    let cut = [&[27, 0, 0, 0, 3, 0, 0, 0], &DICTIONARY[8..].repeat(2)[..]].concat();
    assert_eq!(
        Framing::Bare.examine(&cut).reason().to_string(),
        "no dialect reads the bytes as one value; Godot 4 reads the most, 32 of 32 bytes"
    );
}

/// A dialect that reads all of the bytes is more than likely.
#[test]
fn only_a_damaged_file_is_likely_of_a_dialect() {
    // {7: 7} of Godot 4, with six pairs
    let pair = [2, 0, 0, 0, 7, 0, 0, 0].repeat(2);
    let whole = [&[27, 0, 0, 0, 6, 0, 0, 0][..], &pair.repeat(6)].concat();
    for (bytes, likely) in [(&whole[..], None), (&whole[..100], Some(Dialect::Godot4))] {
        let guess = Framing::Bare.examine(bytes);
        let dialects = guess.dialects();
        let best = dialects.best().unwrap();
        assert_eq!((best.dialect(), best.bytes_read()), (Dialect::Godot4, bytes.len()));
        assert_eq!(best.is_complete(), likely.is_none());
        assert_eq!(dialects.likely().map(Fit::dialect), likely);
    }
}

/// Godot 4 and the documentation's layout for double precision read the first value alike, but with other widths of
/// reals. Only that layout reads the second value.
#[test]
fn readings_with_other_widths_of_reals_are_not_alike() {
    let reals = [1.5_f64, 2.5, 3.5].map(f64::to_le_bytes);
    // A Vector3 with the flag of wide reals
    let flagged = [&[9, 0, 1, 0][..], reals.as_flattened()].concat();
    // {7: Vector3}, as Pandemonium numbers the kinds, without a flag
    let head = [25, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0];
    let plain = [&head[..], reals.as_flattened()].concat();
    let file = framed(&[&flagged, &plain], ByteOrder::Little);
    let guess = Framing::Frames(ByteOrder::Little).examine(&file);
    let dialects = guess.dialects();
    let complete = dialects.iter().filter(|fit| fit.is_complete());
    let complete: Vec<_> = complete.map(|fit| (fit.dialect(), fit.reals())).collect();
    assert_eq!(complete, [(Dialect::DocumentedPandemonium38, Reals::Always64)]);
    assert_eq!(dialects.alike(dialects.best().unwrap()).count(), 0);
}

/// Godot 4, Pandemonium 4 and Pandemonium 5 refuse a text with a surrogate.
#[test]
fn a_refused_text_is_not_read_alike() {
    let text = [4, 0, 0, 0, 3, 0, 0, 0, 0xed, 0xa0, 0x80, 0];
    let guess = Framing::Bare.examine(&text);
    let dialects = guess.dialects();
    let best = dialects.best().unwrap();
    assert_eq!((best.dialect(), best.is_complete()), (Dialect::Godot3, true));
    let alike: Vec<_> = dialects.alike(best).map(Fit::dialect).collect();
    assert_eq!(alike, [Dialect::Pandemonium3, Dialect::Godot2]);
}

/// Godot 2 reads the dictionaries of Godot 4 as arrays of vectors, with a score of 75.
#[test]
fn a_rival_is_less_than_20_below_the_best() {
    let pairs = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
    let full = [&[27, 0, 0, 0, 2, 0, 0, 0][..], &pairs].concat();
    let empty = [27, 0, 0, 0, 0, 0, 0, 0];
    for (count, score, rivals) in [(1, 95, &[][..]), (2, 91, &[Dialect::Godot2])] {
        let order = ByteOrder::Little;
        let file = [framed(&[&full], order), framed(&[&empty], order).repeat(count)].concat();
        let guess = Framing::Frames(order).examine(&file);
        let dialects = guess.dialects();
        let best = dialects.best().unwrap();
        assert_eq!((best.dialect(), best.score()), (Dialect::Godot4, score));
        assert_eq!(dialects.get(Dialect::Godot2).map(Fit::score), Some(75));
        let found: Vec<_> = dialects.rivals(best).map(Fit::dialect).collect();
        assert_eq!(found, rivals, "{count}");
    }
}

/// Takes texts while there is room for them.
struct Short {
    text: String,
    room: usize,
}

impl fmt::Write for Short {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if part.len() > self.room - self.text.len() {
            return Err(fmt::Error);
        }
        self.text.push_str(part);
        Ok(())
    }
}

/// The error of the writer is that of the reason.
#[test]
fn a_reason_that_does_not_fit_is_an_error() {
    let one = framed(&[&DICTIONARY], ByteOrder::Little);
    let many = framed(&[&DICTIONARY[..]; 65], ByteOrder::Little);
    for (framing, file) in [
        (Framing::Bare, &DICTIONARY[..]),
        (Framing::Frames(ByteOrder::Little), &one),
        (Framing::Frames(ByteOrder::Little), &many),
    ] {
        let guess = framing.examine(file);
        let reason = guess.reason();
        let text = reason.to_string();
        for room in 0..=text.len() {
            let mut short = Short { text: String::new(), room };
            assert_eq!(write!(short, "{reason}").is_ok(), room == text.len(), "{room}: {text}");
            assert!(text.starts_with(&short.text), "{}", short.text);
        }
    }
}
