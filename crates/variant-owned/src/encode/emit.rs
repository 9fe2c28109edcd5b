//! [`Emit`]: writes the parts of a value in a dialect.

mod head;
mod leaf;
mod table;

use std::mem;

use variant_view::internal::ShortText;
use variant_view::{Consumer, Dialect, Head, Kind, Leaf, Reals};

use self::table::{NO_ID, Table};
use super::{EncodeErrorKind, EncodeOptions, Precision, fail, legal};
use crate::key::KeyRule;
use crate::text::Text;

type Result<T = (), E = EncodeErrorKind> = std::result::Result<T, E>;

/// Bit 16 of a header.
const FLAG: u32 = 1 << 16;

pub(crate) struct Emit<'b> {
    bytes: &'b mut Vec<u8>,
    options: EncodeOptions,
    table: &'static Table,
    /// Whether the key rule of the dialect is [`KeyRule::GODOT_4`], the rule of plain dictionaries.
    rule_is_plain: bool,
    doubts: KeyDoubts,
    /// Whether 32-bit reals are written in 32 bits, without a flag.
    keeps_singles: bool,
    /// The length of the buffer after the last head of a Pandemonium 5 typed array with a class. The class may exceed
    /// the maximum depth, because the reader counts it as a value one level below the array.
    class_end: usize,
    /// The number of open containers of a tree. `depth` is their maximum number.
    open: u32,
    depth: u32,
}

/// The reasons why a reader may treat distinct keys as equal.
#[derive(Clone, Copy, Default)]
pub(crate) struct KeyDoubts {
    /// Numbers were narrowed or ids dropped.
    pub(crate) has_changed: bool,
    /// A dictionary has another key rule than the dialect.
    pub(super) has_other_rule: bool,
}

impl<'b> Emit<'b> {
    #[inline]
    pub(crate) fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        let dialect = options.dialect;
        let table = table::of(dialect);
        Self {
            bytes,
            options,
            table,
            rule_is_plain: KeyRule::of(dialect) == KeyRule::GODOT_4,
            doubts: KeyDoubts::default(),
            keeps_singles: options.reals != Reals::Always64
                && !(options.precision == Precision::Double && table.has_wide_reals),
            class_end: 0,
            open: 0,
            depth: options.depth,
        }
    }

    /// Whether 32-bit reals are written in 32 bits, so that [`Emit::block`] can write them.
    #[inline]
    pub(crate) const fn keeps_singles(&self) -> bool {
        self.keeps_singles
    }

    /// The [`KeyDoubts`] of the pieces so far, except the pieces of trees. [`Emit::end_tree`] returns the [`KeyDoubts`]
    /// of a tree.
    #[cfg(feature = "json")]
    pub(crate) const fn doubts(&self) -> KeyDoubts {
        self.doubts
    }

    /// Begins a whole value of at most `depth` levels. Its pieces follow in the order that [`Consumer`] defines, with
    /// announced counts. Returns the [`KeyDoubts`] of the pieces before this value, for [`Emit::end_tree`].
    pub(super) fn begin_tree(&mut self, depth: u32) -> KeyDoubts {
        (self.open, self.depth) = (0, depth);
        mem::take(&mut self.doubts)
    }

    /// Ends the value that [`Emit::begin_tree`] began. Returns its [`KeyDoubts`], and restores `around`, which
    /// `begin_tree` returned.
    pub(super) const fn end_tree(&mut self, around: KeyDoubts) -> KeyDoubts {
        mem::replace(&mut self.doubts, around)
    }

    /// The bytes from `start` on.
    pub(super) fn written(&self, start: usize) -> &[u8] {
        self.bytes.get(start..).unwrap_or_default()
    }

    /// Whether the output ends with the head of a Pandemonium 5 typed array with a class. The reader counts the class
    /// as a value one level below the array (docs/spec/format.md#limits).
    pub(crate) const fn ends_with_class(&self) -> bool {
        self.class_end > 0 && self.class_end == self.bytes.len()
    }

    /// Removes the output from byte `start` on.
    pub(crate) fn take_back(&mut self, start: usize) {
        self.bytes.truncate(start);
        self.class_end = 0;
    }

    /// The whole buffer, including the bytes that were in it before the output.
    pub(crate) const fn bytes(&mut self) -> &mut Vec<u8> {
        self.bytes
    }

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
        match self.table.ids.get(kind.index()) {
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

    /// Writes a header and one 4-byte word as one block.
    #[inline]
    fn header_and_word(&mut self, kind: Kind, flags: u32, word: u32) -> Result {
        let header = self.id(kind)? | flags;
        let words = u64::from(word) << 32 | u64::from(header);
        self.bytes.extend_from_slice(&words.to_le_bytes());
        Ok(())
    }

    /// Writes a header and one 8-byte word as one block.
    #[inline]
    fn header_and_double(&mut self, kind: Kind, flags: u32, double: u64) -> Result {
        let header = self.id(kind)? | flags;
        let words = (u128::from(double) << 32 | u128::from(header)).to_le_bytes();
        let block: [u8; 12] = words.first_chunk().copied().unwrap_or_default();
        self.bytes.extend_from_slice(&block);
        Ok(())
    }

    /// Writes 4-byte words as one block. `with` makes the words from the wire id of the kind.
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

    /// Writes a header and the first `count` of four 4-byte words.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn words(&mut self, kind: Kind, words: [u8; 16], count: usize) -> Result {
        let header = self.id(kind)?.to_le_bytes();
        let end = self.bytes.len().saturating_add(count.saturating_mul(4)).saturating_add(4);
        // Copies a block of fixed size, then cuts off the excess.
        let mut block = [0; 20];
        if let Some((first, rest)) = block.split_first_chunk_mut::<4>()
            && let Some(rest) = rest.first_chunk_mut::<16>()
        {
            (*first, *rest) = (header, words);
        }
        self.bytes.extend_from_slice(&block);
        self.bytes.truncate(end);
        Ok(())
    }

    #[inline]
    fn count(&mut self, count: usize) -> Result {
        let word = legal::length(count)?;
        self.word(word);
        Ok(())
    }

    /// Writes a text of any length as a whole value. The header and the length are written as one block.
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
        if !text.is_ascii() && self.dialect().check_text(text).is_err() {
            return fail(EncodeErrorKind::Text(Text::from_bytes(text)));
        }
        Ok(())
    }

    /// Writes a short text as a whole value.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result {
        let kind = if is_name { Kind::StringName } else { Kind::String };
        self.ascii(kind, padded(text.block()), text.len().into())
    }

    /// Writes an ASCII text of `len` bytes as a whole value. The bytes of `words` after the text must be zero.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn ascii(&mut self, kind: Kind, words: [u64; 3], len: usize) -> Result {
        let [first, second, third] = words.map(u64::to_le_bytes);
        let head = legal::text_length(len)?;
        let head = u64::from(head) << 32 | u64::from(self.id(kind)?);
        // Copies a block of fixed size, then cuts off the excess.
        let end = self.bytes.len().saturating_add(len.next_multiple_of(4)).saturating_add(8);
        self.bytes.extend_from_slice([head.to_le_bytes(), first, second, third].as_flattened());
        self.bytes.truncate(end);
        Ok(())
    }

    #[inline]
    fn pad(&mut self, len: usize) {
        let padding = len.next_multiple_of(4).saturating_sub(len);
        self.bytes.extend_from_slice([0; 3].get(..padding).unwrap_or_default());
    }
}

/// Receives the pieces of a tree. Each container has as many items as its head announces, so counts are neither checked
/// nor patched.
impl Consumer for Emit<'_> {
    type Error = EncodeErrorKind;

    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        Self::leaf(self, leaf)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, head: Head<'_>) -> Result {
        let len = head.len().unwrap_or(0);
        self.head(&head, len)?;
        self.open = self.open.saturating_add(1);
        if self.open > self.depth && (len > 0 || self.ends_with_class()) {
            return fail(EncodeErrorKind::TooDeep);
        }
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn name(&mut self, name: &[u8]) -> Result {
        self.text(name)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self) -> Result {
        self.open = self.open.saturating_sub(1);
        Ok(())
    }
}

/// A short text and the zeroes after it, as three words.
///
/// The words stay in registers. Measured: assembling the bytes in memory takes more instructions.
#[inline]
fn padded(block: &[u8; ShortText::MAX]) -> [u64; 3] {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let middle = block.get(8..).and_then(|rest| rest.first_chunk());
    // The first two of the last eight bytes are already in the middle word.
    [word(block.first_chunk()), word(middle), word(block.last_chunk()) >> 16]
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
            let padded = padded(&block).map(u64::to_le_bytes);
            assert_eq!(padded.as_flattened()[..len], text);
            assert!(padded.as_flattened()[len..].iter().all(|&byte| byte == 0));
        }
    }
}
