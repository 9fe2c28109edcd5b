//! Damage to bytes.

use crate::random::Random;

/// Words at which rules change: counts, ids, flags, and numbers that overflow.
const WORDS: &[u32] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    8,
    16,
    23,
    24,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
    0x7fff_fffd,
    0x1_0000,
    0x2_0000,
    0x4_0000,
    0x1_001b,
    0x2_001c,
];

/// Makes one change, as a careless or hostile writer may make it.
pub fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    let word = at & !3;
    let behind = (word + 4).min(bytes.len());
    match random.below(7) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.byte(),
        2 => drop(bytes.splice(word..behind, random.pick(WORDS).to_le_bytes())),
        3 => {
            let id = u32::try_from(random.below(41) | random.below(16) << 16).unwrap_or_default();
            drop(bytes.splice(word..behind, id.to_le_bytes()));
        }
        4 => bytes.truncate(at),
        5 => drop(bytes.drain(word..behind)),
        _ => {
            let part = bytes[word..].to_vec();
            let to = random.below(bytes.len()) & !3;
            drop(bytes.splice(to..to, part));
        }
    }
}
