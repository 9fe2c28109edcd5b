//! [`Emit`]: single pieces of a value, as a dialect writes them.

mod head;
mod leaf;

use variant_view::{Dialect, Kind, ShortText, Width};

use super::{EncodeErrorKind, EncodeOptions, fail, legal};
use crate::key::KeyRule;
use crate::text::Text;

type Result<T = (), E = EncodeErrorKind> = std::result::Result<T, E>;

/// Bit 16 of a header.
const FLAG: u32 = 1 << 16;

/// Appends single pieces of a value.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one question of the hot path, answered once"
)]
pub(crate) struct Emit<'b> {
    bytes: &'b mut Vec<u8>,
    options: EncodeOptions,
    /// Wire id of each kind; 255 where the dialect has none.
    ids: [u8; Kind::ALL.len()],
    /// Whether the dialect's reader takes keys for the same by the rule of plain dictionaries.
    rule_is_plain: bool,
    /// Numbers were narrowed, or ids dropped.
    may_merge_keys: bool,
    /// A dictionary goes by another rule.
    has_other_rule: bool,
    /// Whether every integer takes 8 bytes, and no flag says so; and whether every float takes 4.
    has_wide_ints: bool,
    has_narrow_floats: bool,
    /// How much was written when the head of an array had been that has its class one level below it.
    class_end: usize,
}

impl<'b> Emit<'b> {
    pub(crate) fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        let dialect = options.dialect;
        Self {
            bytes,
            options,
            ids: ids(dialect),
            rule_is_plain: KeyRule::of(dialect) == KeyRule::GODOT_4,
            may_merge_keys: false,
            has_other_rule: false,
            has_wide_ints: dialect.int_width() == Some(Width::W64),
            has_narrow_floats: dialect.float_width() == Some(Width::W32),
            class_end: 0,
        }
    }

    /// Whether keys that differ may read as the same, since numbers were narrowed or ids dropped.
    pub(crate) const fn may_merge_keys(&self) -> bool {
        self.may_merge_keys
    }

    /// Whether a dictionary goes by another rule than the dialect.
    pub(crate) const fn has_other_rule(&self) -> bool {
        self.has_other_rule
    }

    /// Whether the last that was written is the head of an array whose class is a value one level below it
    /// (docs/format.md, section 2.13).
    pub(crate) const fn ends_with_class(&self) -> bool {
        self.class_end > 0 && self.class_end == self.bytes.len()
    }

    /// Everything written so far, also what stood there before.
    pub(crate) const fn bytes(&mut self) -> &mut Vec<u8> {
        self.bytes
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    pub(crate) const fn options(&self) -> EncodeOptions {
        self.options
    }

    #[inline]
    fn id(&self, kind: Kind) -> Result<u32> {
        match self.ids.get(kind.index()) {
            Some(&id) if id != NO_ID => Ok(id.into()),
            _ if self.dialect().unsupported().contains(&kind) => {
                fail(EncodeErrorKind::Unsupported(kind))
            }
            _ => fail(EncodeErrorKind::Kind(kind)),
        }
    }

    #[inline]
    fn header(&mut self, kind: Kind, flags: u32) -> Result {
        let word = self.id(kind)? | flags;
        self.word(word);
        Ok(())
    }

    #[inline]
    fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    /// A header and the word behind it.
    #[inline]
    fn header_and_word(&mut self, kind: Kind, flags: u32, word: u32) -> Result {
        let header = self.id(kind)? | flags;
        let words = u64::from(word) << 32 | u64::from(header);
        self.bytes.extend_from_slice(&words.to_le_bytes());
        Ok(())
    }

    #[inline]
    fn count(&mut self, count: usize) -> Result {
        let word = legal::length(count)?;
        self.word(word);
        Ok(())
    }

    /// A length, text and padding; without a header.
    #[inline]
    pub(crate) fn text(&mut self, text: &[u8]) -> Result {
        if !text.is_ascii() && self.dialect().text_rule().check(text).is_err() {
            return fail(EncodeErrorKind::Text(Text::from_bytes(text)));
        }
        let word = legal::text_length(text.len())?;
        self.word(word);
        self.bytes.extend_from_slice(text);
        self.pad(text.len());
        Ok(())
    }

    /// A whole value of short text.
    #[inline(always)]
    pub(crate) fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result {
        let kind = if is_name { Kind::StringName } else { Kind::String };
        let head = u64::from(text.len()) << 32 | u64::from(self.id(kind)?);
        let [start, middle, rest] = padded(text.block());
        // More than needed, so that the length of the copy is known; the rest is cut off.
        let len = usize::from(text.len()).next_multiple_of(4).saturating_add(8);
        let end = self.bytes.len().saturating_add(len);
        self.bytes.extend_from_slice([head.to_le_bytes(), start, middle, rest].as_flattened());
        self.bytes.truncate(end);
        Ok(())
    }

    #[inline]
    fn pad(&mut self, len: usize) {
        let padding = len.next_multiple_of(4).saturating_sub(len);
        self.bytes.extend_from_slice([0; 3].get(..padding).unwrap_or_default());
    }
}

/// Text and its zeroes, to a round number of words.
///
/// As words, which stay in registers: measured, bytes that are put together in memory first take more instructions.
#[inline]
fn padded(block: &[u8; ShortText::MAX]) -> [[u8; 8]; 3] {
    let start = block.first_chunk().copied().unwrap_or_default();
    let middle = block.get(8..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    let last: [u8; 8] = block.last_chunk().copied().unwrap_or_default();
    // The first two of the last eight stand in the middle already.
    [start, middle, (u64::from_le_bytes(last) >> 16).to_le_bytes()]
}

const NO_ID: u8 = u8::MAX;

fn ids(dialect: Dialect) -> [u8; Kind::ALL.len()] {
    let mut ids = [NO_ID; Kind::ALL.len()];
    for (id, kind) in (0..NO_ID).zip(dialect.kinds()) {
        if let Some(place) = ids.get_mut(kind.index()) {
            *place = id;
        }
    }
    for kind in dialect.unsupported() {
        if let Some(place) = ids.get_mut(kind.index()) {
            *place = NO_ID;
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_keeps_each_of_its_bytes_and_is_padded_with_zeroes() {
        for len in 0..=ShortText::MAX {
            let text: Vec<u8> = (b'a'..).take(len).collect();
            let mut block = [0; ShortText::MAX];
            block[..len].copy_from_slice(&text);
            let padded = padded(&block);
            assert_eq!(padded.as_flattened()[..len], text);
            assert!(padded.as_flattened()[len..].iter().all(|&byte| byte == 0));
        }
    }
}
