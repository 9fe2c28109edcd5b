//! docs/spec/format.md#header: the header.

use nom::Parser;
use variant_view::Kind;

use super::fault::{Fault, Parsed, Part, fail, word};
use super::kinds;
use super::rules::Rules;

/// The first word of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) word: u32,
    pub(super) kind: Kind,
    /// Bits 16 to 31 of the word.
    pub(super) flags: u32,
}

impl Header {
    /// Whether bit 16 is set, the bit of most flags.
    pub(super) fn flag(self) -> bool {
        self.flags & 1 != 0
    }
}

pub(super) fn header(input: &[u8], rules: Rules) -> Parsed<'_, Header> {
    let (rest, word) = word(Part::Header).parse(input)?;
    let id = word & rules.type_bits();
    let flags = if rules.type_bits() == u32::MAX { 0 } else { word >> 16 };
    match kinds::kind(rules.dialect, id) {
        Some(kind) => Ok((rest, Header { word, kind, flags })),
        None => fail(Fault::UnknownType(word), input),
    }
}
