//! Fuzz target `padding_and_lengths`.

use arbitrary::{Result, Unstructured};
use variant_view::{Dialect, Kind, Limits, Options};

use super::choice::dialect;
use crate::agree::check_agree;

/// Checks that all readers agree with the reference on texts, byte arrays, packed strings and paths of every length.
/// The padding is present, missing or dirty. The values are at the end or in the middle, bare or nested.
pub fn check_padding_and_lengths(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let Ok(dialect) = choices.arbitrary().map(dialect) else { return };
    let mut writer = Writer { bytes: Vec::new(), dialect };
    // If the choices run out, writing stops, and the document is incomplete.
    let _ = writer.value(&mut choices, 4);
    check_agree(&writer.bytes, Options::engine(dialect).limits(Limits::FILE));
}

/// Writes the values that the choices pick.
struct Writer {
    bytes: Vec<u8>,
    dialect: Dialect,
}

impl Writer {
    fn value(&mut self, choices: &mut Unstructured<'_>, levels: u32) -> Result<()> {
        match choices.int_in_range(0..=7_u8)? {
            0 => self.header(Kind::String),
            1 => self.header(Kind::StringName),
            2 => self.header(Kind::PackedByteArray),
            3 => return self.strings(choices),
            4 => return self.path(choices),
            5 => {
                self.header(Kind::Nil);
                return Ok(());
            }
            _ => return self.array(choices, levels),
        }
        self.text(choices)
    }

    fn array(&mut self, choices: &mut Unstructured<'_>, levels: u32) -> Result<()> {
        self.header(Kind::Array);
        let most = if levels > 0 { 5 } else { 0 };
        let count = choices.int_in_range(0..=most)?;
        self.word(count);
        (0..count).try_for_each(|_| self.value(choices, levels.saturating_sub(1)))
    }

    fn strings(&mut self, choices: &mut Unstructured<'_>) -> Result<()> {
        self.header(Kind::PackedStringArray);
        let count = choices.int_in_range(0..=3_u32)?;
        self.word(count);
        (0..count).try_for_each(|_| self.text(choices))
    }

    fn path(&mut self, choices: &mut Unstructured<'_>) -> Result<()> {
        self.header(Kind::NodePath);
        let (names, subnames) = (choices.int_in_range(0..=2)?, choices.int_in_range(0..=2)?);
        let flags = choices.int_in_range(0..=3)?;
        for word in [NEW_FORM | names, subnames, flags] {
            self.word(word);
        }
        let total = names.wrapping_add(subnames).wrapping_add(flags >> 1);
        (0..total).try_for_each(|_| self.text(choices))
    }

    /// Writes a length, that many bytes, and padding.
    fn text(&mut self, choices: &mut Unstructured<'_>) -> Result<()> {
        let len = choices.int_in_range(0..=40_usize)?;
        let padding = padding_of(len);
        let (zero, dirty) = ([0; 4], [0x7f; 4]);
        // The padding is right, dirty, one byte too long, or up to three bytes too short.
        let padding = match choices.int_in_range(0..=6_usize)? {
            0..=2 => zero.get(..padding),
            3 => dirty.get(..padding),
            4 => zero.get(..padding.saturating_add(1)),
            fewer => zero.get(..padding.saturating_sub(fewer.saturating_sub(4))),
        };
        // Sometimes the length is wrong.
        let shift = if choices.ratio(1, 8)? { choices.int_in_range(-3..=3_i32)? } else { 0 };
        self.word(u32::try_from(len).unwrap_or(u32::MAX).saturating_add_signed(shift));
        self.bytes.extend((b'a'..=b'z').cycle().take(len));
        self.bytes.extend(padding.unwrap_or_default());
        Ok(())
    }

    /// Writes the header of a kind, or of a null if the dialect lacks the kind.
    fn header(&mut self, kind: Kind) {
        self.word(self.dialect.id(kind).unwrap_or(0).into());
    }

    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }
}

const NEW_FORM: u32 = 1 << 31;

/// The number of padding bytes up to a multiple of four.
fn padding_of(length: usize) -> usize {
    length.next_multiple_of(4).saturating_sub(length)
}
