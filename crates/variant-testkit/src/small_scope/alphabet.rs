//! The words of which the documents of the scope are made.

use std::collections::BTreeMap;

use variant_view::{Dialect, Kind};

/// A word, and why the alphabet has it.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    /// The word.
    pub word: u32,
    /// The first reason for it. Ids, for example, are also lengths.
    pub reason: Reason,
}

/// Why the alphabet has a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The header of a kind without flags.
    Type(Kind),
    /// The header of a kind with these flags, bits 16 to 31.
    Flags(Kind, u32),
    /// No kind has this id.
    UnknownType,
    /// A header with bits that the reader ignores, or with a type that it does not have.
    OtherBits,
    /// Lengths and counts of 0 to 9: each remainder of 4 twice, and more than what follows.
    Length,
    /// The largest and the least count, and counts whose products with 4, 8, 12 or 16 overflow 32 bits.
    Edge,
    /// A small count with bit 31: a shared container of Godot 2, the new form of a path.
    HighBit,
    /// Bytes of texts and padding that is not 0: ASCII, a byte order mark, sequences of each rule.
    Bytes,
}

/// The words for a dialect, each once.
pub fn alphabet(dialect: Dialect) -> Vec<Letter> {
    let mut letters = BTreeMap::new();
    let mut add = |word, reason| {
        letters.entry(word).or_insert(reason);
    };
    for &kind in dialect.kinds() {
        let Some(id) = dialect.id(kind).map(u32::from) else { continue };
        add(id, Reason::Type(kind));
        for flags in flags(kind) {
            add(flags << 16 | id, Reason::Flags(kind, flags));
        }
    }
    add(first_unknown(dialect), Reason::UnknownType);
    add(0xff, Reason::UnknownType);
    add(0x0102, Reason::OtherBits);
    add(0x8000_0002, Reason::OtherBits);
    (0..=9).for_each(|length| add(length, Reason::Length));
    for edge in EDGES {
        add(edge, Reason::Edge);
    }
    (0..=1).for_each(|count| add(1 << 31 | count, Reason::HighBit));
    for bytes in BYTES {
        add(u32::from_le_bytes(bytes), Reason::Bytes);
    }
    letters.into_iter().map(|(word, reason)| Letter { word, reason }).collect()
}

/// Flag 16 has a meaning for most kinds. Arrays and dictionaries of Godot 4 have all values of two and of four bits.
fn flags(kind: Kind) -> std::ops::RangeInclusive<u32> {
    match kind {
        Kind::Array => 1..=3,
        Kind::Dictionary => 1..=15,
        _ => 1..=1,
    }
}

const EDGES: [u32; 8] = [
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_fffd,
    0x4000_0000,
    0x2000_0000,
    0x1555_5556,
    0x1000_0000,
];

const BYTES: [[u8; 4]; 9] = [
    *b"a\0\0\0",
    *b"abcd",
    *b"\xef\xbb\xbfa",
    // Accepted by all rules, by the lenient rule only, and by none.
    *b"\xf0\x9f\x98\x80",
    *b"\xf4\x90\x80\x80",
    *b"\xed\xa0\x80\0",
    *b"\xe0\x90\x80a",
    *b"\xe0\x80\x80\x80",
    *b"a\xc0\x80\x80",
];

/// All headers of [`Part::Pairs`](super::Part::Pairs): every id up to the first that is unknown, with every value of
/// the four bits from 16 on, and with one bit of each group that readers ignore.
pub fn headers(dialect: Dialect) -> Vec<u32> {
    let ids = (0..=first_unknown(dialect)).chain([0xff]);
    let high = (0..16).map(|flags| flags << 16).chain([0x0100, 1 << 20, 1 << 31]);
    ids.flat_map(|id| high.clone().map(move |bits| bits | id)).collect()
}

/// The least id that the dialect lacks after its last kind.
fn first_unknown(dialect: Dialect) -> u32 {
    let ids = dialect.kinds().iter().filter_map(|&kind| dialect.id(kind));
    ids.max().map_or(0, |id| u32::from(id) + 1)
}
