use variant_owned::{Variant, encode};

use super::*;

const INT: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
/// `{7: null}` as Godot 4 writes it.
const DICTIONARY: [u8; 20] = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// `{"a": 7}` as in the documentation of Godot 3.0: its ints have 64 bits.
const WIDE: [u8; 32] = [
    18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0,
    0, 0,
];

fn reading(bytes: &[u8], dialect: Dialect) -> Candidate {
    *detect(bytes).iter().find(|candidate| candidate.dialect() == dialect).unwrap()
}

fn of_godot4(bytes: &[u8]) -> Candidate {
    reading(bytes, Dialect::Godot4)
}

/// An array of nulls, as Godot 4 writes it.
fn nulls(count: u32) -> Vec<u8> {
    let nulls = [0; 4].repeat(usize::try_from(count).unwrap());
    [&[28, 0, 0, 0], &count.to_le_bytes()[..], &nulls].concat()
}

#[test]
fn a_reading_has_its_reasons() {
    const WRITER: &str = "its own writer writes the same bytes";
    let odd = [1, 0, 0, 0, 2, 0, 0, 0];
    let other = "its own writer would write other bytes: ";
    for (bytes, reasons) in [
        (&[0; 4][..], &["all 4 bytes are one value (of 1 in all)", WRITER][..]),
        (&INT, &["all 8 bytes are one value (of 1 in all)", WRITER]),
        (
            &DICTIONARY,
            &[
                "all 20 bytes are one value (of 3 in all)",
                WRITER,
                "the root is a non-empty Dictionary",
            ],
        ),
        (&[&DICTIONARY[..], &[9; 5]].concat(), &["a value of 20 bytes, and 5 bytes are left over"]),
        (&odd, &["all 8 bytes are one value (of 1 in all)", other]),
        (&DICTIONARY[..14], &["int value needs 4 bytes, 2 are left at byte 12"]),
    ] {
        let found: Vec<_> = of_godot4(bytes).reasons().map(|one| one.to_string()).collect();
        assert_eq!(found.len(), reasons.len(), "{found:?}");
        for (found, start) in found.iter().zip(reasons) {
            assert!(found.starts_with(start), "{found}");
        }
    }
}

#[test]
fn more_evidence_has_a_higher_score() {
    let cut = &DICTIONARY[..14];
    let short = [&INT[..], &[9; 5]].concat();
    let trailing = [&DICTIONARY[..], &[9; 5]].concat();
    let odd = [1, 0, 0, 0, 2, 0, 0, 0];
    let ordered = [cut, &short, &trailing, &[0; 4], &odd, &INT, &DICTIONARY];
    let scores = ordered.map(|bytes| of_godot4(bytes).score());
    assert!(scores.is_sorted_by(|one, other| one < other), "{scores:?}");
    assert_eq!((scores[0], scores[6]), (0, 100));
}

/// A program that follows the documentation is likely only if consistent lengths show it.
#[test]
fn a_page_is_credible_with_contents() {
    let page = Page::Godot30.dialect();
    let lone = reading(&[2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0], page);
    assert!(lone.is_complete() && lone.score() < Candidates::CREDIBLE, "{}", lone.score());
    let full = reading(&WIDE, page);
    assert!(full.is_complete() && full.score() > Candidates::CREDIBLE, "{}", full.score());
}

/// Older engines leave other bytes in the padding.
#[test]
fn padding_is_no_evidence_against_a_writer() {
    let text = [4, 0, 0, 0, 1, 0, 0, 0, b'a', 1, 2, 3];
    assert!(of_godot4(&text).is_as_written());
    assert!(!of_godot4(&[1, 0, 0, 0, 2, 0, 0, 0]).is_as_written());
    assert!(!of_godot4(&DICTIONARY[..14]).is_as_written());
    assert!(!of_godot4(&[&INT[..], &[0]].concat()).is_as_written());
}

#[test]
fn contents_are_values_or_texts_with_lengths() {
    let of = |value: Variant| of_godot4(&encode(&value, Dialect::Godot4).unwrap()).has_contents();
    let texts = |all: &[&str]| Variant::PackedStringArray(all.iter().map(|&t| t.into()).collect());
    for (has_contents, value) in [
        (false, Variant::from(7)),
        (false, "a long text, which has no contents".into()),
        (false, variant_owned::array![].into()),
        // Zeroes, and nothing else: they would also be a packed array of numbers.
        (false, variant_owned::array![Variant::Nil, Variant::Nil].into()),
        (true, variant_owned::array![7].into()),
        (true, variant_owned::array![Variant::Nil, 7].into()),
        (true, variant_owned::dictionary! { "a" => Variant::Nil }.into()),
        (false, texts(&[])),
        (true, texts(&[""])),
        (true, texts(&["a"])),
        (false, vec![1_u8; 100].into()),
    ] {
        assert_eq!(of(value.clone()), has_contents, "{value}");
    }
}

/// A million values are enough evidence.
#[test]
fn a_reading_ends_after_a_million_values() {
    let all = nulls(1_000_001);
    let first = of_godot4(&all);
    assert!(first.is_complete() && first.is_as_written());
    assert_eq!((first.bytes_read(), first.score()), (all.len(), 100));
    let reasons: Vec<_> = first.reasons().map(|one| one.to_string()).collect();
    assert_eq!(reasons, ["the first 1000000 values are valid", "the root is a non-empty Array"]);
    // The array is itself a value.
    assert!(of_godot4(&nulls(999_999)).outcome.is_ok());
    // The other engines have no array of this id, so none reads the same.
    assert_eq!(detect(&all).alike(&first).count(), 0);
}

#[test]
fn readings_are_alike_only_if_they_are_valid() {
    for bytes in [&[0xff; 4][..], &DICTIONARY[..14], &INT[..6], &[]] {
        let all = detect(bytes);
        for one in all.iter() {
            assert_eq!(all.alike(one).count(), 0, "{bytes:?} in {}", one.dialect());
        }
    }
    let all = detect(&INT);
    assert!(all.iter().all(|one| all.alike(one).count() + 1 == Dialect::ALL.len()));
    // Long arrays are as alike as short ones.
    let of = |count| {
        let bytes = [&[26, 0, 0, 0][..], &nulls(count)[4..]].concat();
        let all = detect(&bytes);
        let one = reading(&bytes, Dialect::Pandemonium5);
        all.alike(&one).map(Candidate::dialect).collect::<Vec<_>>()
    };
    assert_eq!(of(1_000_001), [Dialect::Pandemonium4]);
    assert_eq!(of(1), [Dialect::Pandemonium4]);
}

/// Small integers that are read as reals are denormal.
#[test]
fn denormal_reals_are_not_plausible() {
    let is_plausible = |reals: &[f32]| {
        let bytes = encode(&Variant::PackedFloat32Array(reals.to_vec()), Dialect::Godot4).unwrap();
        of_godot4(&bytes).is_plausible()
    };
    let small = [1_u32, 7, 0x007f_ffff].map(f32::from_bits);
    let mixed = |denormal: usize, normal: usize, zeros: usize| {
        let denormal = small.into_iter().chain(small.map(|real| -real)).cycle().take(denormal);
        let normal = [1.5, -2.5, f32::MIN_POSITIVE].into_iter().cycle().take(normal);
        let zeros = [0.0, -0.0].into_iter().cycle().take(zeros);
        denormal.chain(normal).chain(zeros).collect::<Vec<_>>()
    };
    for (is_right, [denormal, normal, zeros]) in [
        (true, [0, 0, 40]),
        (true, [0, 40, 0]),
        (true, [3, 0, 0]),
        (false, [4, 0, 0]),
        (false, [6, 0, 40]),
        (false, [4, 15, 0]),
        (true, [4, 16, 0]),
        (false, [4, 15, 40]),
        (false, [40, 121, 0]),
        (true, [40, 124, 0]),
    ] {
        let name = format!("{denormal} of {normal} and {zeros} zeros");
        assert_eq!(is_plausible(&mixed(denormal, normal, zeros)), is_right, "{name}");
    }
}

/// Only packed arrays of 32-bit reals look like integers, and contents are enough evidence.
#[test]
fn other_reals_are_plausible() {
    let small = f32::from_bits(7);
    let wide = f64::from_bits(7);
    let reals = Variant::PackedFloat32Array(vec![small; 9]);
    let vector = variant_view::Vector3 { x: small, y: small, z: small };
    for (is_plausible, value) in [
        (false, reals.clone()),
        (true, variant_owned::array![reals].into()),
        (true, Variant::PackedFloat64Array(vec![wide; 9])),
        (true, Variant::PackedInt32Array(vec![7; 9])),
        (true, Variant::from(vector)),
    ] {
        let bytes = encode(&value, Dialect::Godot4).unwrap();
        assert_eq!(of_godot4(&bytes).is_plausible(), is_plausible, "{value}");
    }
}

/// Arrays of the same values are alike, and others are not.
#[test]
fn readings_differ_by_their_kinds() {
    let values = [&[0; 4][..], &[1, 0, 0, 0, 0, 0, 0, 0], &INT, &[3, 0, 0, 0, 0, 0, 0, 0]];
    let mut hashes = std::collections::BTreeSet::new();
    for number in 0..1024_usize {
        let elements = (0..5).map(|place| values[number >> (2 * place) & 3]);
        let bytes =
            [&[28, 0, 0, 0, 5, 0, 0, 0], &elements.collect::<Vec<_>>().concat()[..]].concat();
        hashes.insert(of_godot4(&bytes).reading);
    }
    assert_eq!(hashes.len(), 1024);
}

/// A program may write all reals with 64 bits and without a flag, as the documentation says.
#[test]
fn reals_may_be_wide_without_a_flag() {
    let vector = variant_view::Vector3 { x: 1.5, y: 2.5, z: 3.5_f32 };
    let options = variant_owned::EncodeOptions::new(Dialect::Godot4).reals(Reals::Always64);
    let bytes = encode(&Variant::from(vector), options).unwrap();
    assert_eq!(bytes.len(), 28);
    let all = detect(&bytes);
    let is_wide = |one: &&Candidate| one.dialect() == Dialect::Godot4 && one.is_complete();
    let found: Vec<_> = all.iter().filter(is_wide).map(Candidate::reals).collect();
    assert_eq!(found, [Reals::Always64]);
}
