//! [`Emit`]: writes the parts of a value in a dialect.

mod head;
mod ids;
mod leaf;

use variant_view::{Dialect, Kind, Reals, ShortText, Width};

use self::ids::{Ids, NO_ID};
use super::{EncodeErrorKind, EncodeOptions, Precision, fail, legal};
use crate::key::KeyRule;
use crate::text::Text;

type Result<T = (), E = EncodeErrorKind> = std::result::Result<T, E>;

/// Bit 16 of a header.
const FLAG: u32 = 1 << 16;

/// Appends the parts of a value.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one question of the hot path, answered once"
)]
pub(crate) struct Emit<'b> {
    bytes: &'b mut Vec<u8>,
    options: EncodeOptions,
    /// The wire id of each kind; 255 if the dialect lacks it.
    ids: &'static Ids,
    /// Whether the dialect has the key rule of plain dictionaries.
    rule_is_plain: bool,
    /// Whether numbers were narrowed or ids dropped.
    may_merge_keys: bool,
    /// Whether some dictionary has another key rule.
    has_other_rule: bool,
    /// Whether integers always take 8 bytes without a flag, and whether floats always take 4.
    has_wide_ints: bool,
    has_narrow_floats: bool,
    /// Whether 32-bit reals keep their width, without a flag.
    keeps_singles: bool,
    /// The length of the buffer after the last array head with a class, which is a value one level deeper.
    class_end: usize,
}

impl<'b> Emit<'b> {
    pub(crate) fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        let dialect = options.dialect;
        Self {
            bytes,
            options,
            ids: ids::of(dialect),
            rule_is_plain: KeyRule::of(dialect) == KeyRule::GODOT_4,
            may_merge_keys: false,
            has_other_rule: false,
            has_wide_ints: dialect.int_width() == Some(Width::W64),
            has_narrow_floats: dialect.float_width() == Some(Width::W32),
            keeps_singles: options.reals != Reals::Always64
                && !(options.precision == Precision::Double && dialect.has_wide_reals()),
            class_end: 0,
        }
    }

    /// Whether 32-bit reals keep their width, so that [`Emit::block`] can write them.
    #[inline]
    pub(crate) const fn keeps_singles(&self) -> bool {
        self.keeps_singles
    }

    /// Whether distinct keys may read as equal, because numbers were narrowed or ids dropped.
    pub(crate) const fn may_merge_keys(&self) -> bool {
        self.may_merge_keys
    }

    /// Whether some dictionary has another key rule than the dialect.
    pub(crate) const fn has_other_rule(&self) -> bool {
        self.has_other_rule
    }

    /// Whether the output ends with the head of an array whose class is a value one level deeper
    /// (docs/spec/format.md#limits).
    pub(crate) const fn ends_with_class(&self) -> bool {
        self.class_end > 0 && self.class_end == self.bytes.len()
    }

    /// Takes back what was written from byte `start` on.
    pub(crate) fn take_back(&mut self, start: usize) {
        self.bytes.truncate(start);
        self.class_end = 0;
    }

    /// The whole buffer, including bytes from before.
    pub(crate) const fn bytes(&mut self) -> &mut Vec<u8> {
        self.bytes
    }

    /// The length of the whole buffer.
    pub(crate) const fn len(&self) -> usize {
        self.bytes.len()
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

    /// Writes a header and one word as one block.
    #[inline]
    fn header_and_word(&mut self, kind: Kind, flags: u32, word: u32) -> Result {
        let header = self.id(kind)? | flags;
        let words = u64::from(word) << 32 | u64::from(header);
        self.bytes.extend_from_slice(&words.to_le_bytes());
        Ok(())
    }

    /// Writes a header and one double word as one block.
    #[inline]
    fn header_and_double(&mut self, kind: Kind, flags: u32, double: u64) -> Result {
        let header = self.id(kind)? | flags;
        let words = (u128::from(double) << 32 | u128::from(header)).to_le_bytes();
        let block: [u8; 12] = words.first_chunk().copied().unwrap_or_default();
        self.bytes.extend_from_slice(&block);
        Ok(())
    }

    /// Writes the words that `with` makes from the id of the kind, as one block.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn block<const WORDS: usize>(
        &mut self,
        kind: Kind,
        with: impl FnOnce(u32) -> [u32; WORDS],
    ) -> Result {
        let words = with(self.id(kind)?);
        self.bytes.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
        Ok(())
    }

    #[inline]
    fn count(&mut self, count: usize) -> Result {
        let word = legal::length(count)?;
        self.word(word);
        Ok(())
    }

    /// Writes a whole value of any text; header and length are one block.
    #[inline]
    pub(crate) fn any_text(&mut self, kind: Kind, text: &[u8]) -> Result {
        self.id(kind)?;
        self.check_text(text)?;
        self.header_and_word(kind, 0, legal::text_length(text.len())?)?;
        self.bytes.extend_from_slice(text);
        self.pad(text.len());
        Ok(())
    }

    /// Writes a length, text and padding, without a header.
    #[inline]
    pub(crate) fn text(&mut self, text: &[u8]) -> Result {
        self.text_and(text, &[])
    }

    /// Like `text`, with `end` after the text; the length counts both.
    #[inline]
    fn text_and(&mut self, text: &[u8], end: &[u8]) -> Result {
        self.check_text(text)?;
        let len = text.len().saturating_add(end.len());
        let word = legal::text_length(len)?;
        self.word(word);
        self.bytes.extend_from_slice(text);
        self.bytes.extend_from_slice(end);
        self.pad(len);
        Ok(())
    }

    #[inline]
    fn check_text(&self, text: &[u8]) -> Result {
        if !text.is_ascii() && self.dialect().text_rule().check(text).is_err() {
            return fail(EncodeErrorKind::Text(Text::from_bytes(text)));
        }
        Ok(())
    }

    /// Writes a whole value of short text.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result {
        let kind = if is_name { Kind::StringName } else { Kind::String };
        let head = u64::from(text.len()) << 32 | u64::from(self.id(kind)?);
        let [start, middle, rest] = padded(text.block());
        // Copies a block of fixed size, then cuts off the excess.
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

/// Text and zeroes, as whole words.
///
/// Words stay in registers: measured, assembling bytes in memory takes more instructions.
#[inline]
fn padded(block: &[u8; ShortText::MAX]) -> [[u8; 8]; 3] {
    let start = block.first_chunk().copied().unwrap_or_default();
    let middle = block.get(8..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    let last: [u8; 8] = block.last_chunk().copied().unwrap_or_default();
    // The first two of the last eight bytes are already in the middle word.
    [start, middle, (u64::from_le_bytes(last) >> 16).to_le_bytes()]
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
