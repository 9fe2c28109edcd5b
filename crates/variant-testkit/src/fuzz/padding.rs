//! Fuzz target `padding_and_lengths`.

use arbitrary::{Result, Unstructured};
use variant_view::{Dialect, Document, Kind, Limits, Options};

use super::choice::dialect;

/// Texts, byte arrays, packed strings and paths of every length, with padding that is present, missing or dirty, at
/// the end and in the middle, bare and nested: they end where the arithmetic of docs/spec/format.md (#text,
/// #nodepath, #packedbytearray) says, or are refused where it says so.
pub fn check_padding_and_lengths(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let Ok(dialect) = choices.arbitrary().map(dialect) else { return };
    let mut writer = Writer { bytes: Vec::new(), dialect };
    // When the choices run out the rest is left out, and the document is cut short.
    let _ = writer.value(&mut choices, 4);
    let Some(expected) = (Arithmetic { bytes: &writer.bytes, dialect }).end(0, 8) else { return };

    let options = Options::new(dialect).limits(Limits::FILE);
    let document = Document::new(&writer.bytes, options);
    let found = document.root().and_then(|root| root.raw_bytes());
    match (expected, found) {
        (Ok(end), Ok(taken)) => assert_eq!(taken.len(), end, "{dialect}: {:02x?}", writer.bytes),
        (Err(Refused), Err(_)) => {}
        (expected, found) => {
            panic!("{dialect}: {expected:?}, but {found:?} of {:02x?}", writer.bytes)
        }
    }
    // With a wrong length any bytes may become text; ASCII is valid text in every dialect.
    if writer.bytes.is_ascii() {
        let consumed = document.validate().ok().map(|summary| summary.consumed);
        assert_eq!(consumed, expected.ok(), "{dialect}: {:02x?}", writer.bytes);
    }
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
        // Present, dirty, one byte too many, or up to three too few.
        let padding = match choices.int_in_range(0..=6_usize)? {
            0..=2 => zero.get(..padding),
            3 => dirty.get(..padding),
            4 => zero.get(..padding.saturating_add(1)),
            fewer => zero.get(..padding.saturating_sub(fewer.saturating_sub(4))),
        };
        // Now and then the length is wrong.
        let shift = if choices.ratio(1, 8)? { choices.int_in_range(-3..=3_i32)? } else { 0 };
        self.word(u32::try_from(len).unwrap_or(u32::MAX).saturating_add_signed(shift));
        self.bytes.extend((b'a'..=b'z').cycle().take(len));
        self.bytes.extend(padding.unwrap_or_default());
        Ok(())
    }

    /// Writes a header; a nil for a kind that the dialect lacks.
    fn header(&mut self, kind: Kind) {
        self.word(self.dialect.id(kind).unwrap_or(0).into());
    }

    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }
}

const NEW_FORM: u32 = 1 << 31;

/// An engine refuses the bytes as damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused;

/// The rules for the end of a value. `None` where lengths do not decide.
#[derive(Clone, Copy)]
struct Arithmetic<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
}

type End = Option<Result<usize, Refused>>;

/// Continues with a known end, and returns any other result.
macro_rules! known {
    ($end:expr) => {
        match $end {
            Some(Ok(end)) => end,
            other => return other,
        }
    };
}

impl Arithmetic<'_> {
    /// Where the value that starts at `at` ends.
    fn end(self, at: usize, levels: u32) -> End {
        let Some(header) = self.word(at) else { return Some(Err(Refused)) };
        // No flags, and no more levels than were written.
        let kind = self.dialect.kind(u8::try_from(header).ok()?)?;
        let levels = levels.checked_sub(1)?;
        let body = at.saturating_add(4);
        match kind {
            Kind::Nil => Some(Ok(body)),
            Kind::String | Kind::StringName => Some(self.text(body, self.is_lax())),
            Kind::PackedByteArray => Some(self.text(body, true)),
            Kind::PackedStringArray => self.all(body, |all, at| Some(all.text(at, self.is_lax()))),
            Kind::Array => self.all(body, |all, at| all.end(at, levels)),
            Kind::NodePath => self.path(body),
            _ => None,
        }
    }

    /// Reads a count, and that many items.
    fn all(self, at: usize, item: impl Fn(Self, usize) -> End) -> End {
        let Some(count) = self.word(at) else { return Some(Err(Refused)) };
        let mut end = at.saturating_add(4);
        if count > i32::MAX.cast_unsigned() {
            return None;
        }
        for _ in 0..count {
            end = known!(item(self, end));
        }
        Some(Ok(end))
    }

    fn path(self, at: usize) -> End {
        let word = |number: usize| self.word(at.saturating_add(number));
        let Some(first) = word(0) else { return Some(Err(Refused)) };
        if first & NEW_FORM == 0 {
            return None;
        }
        let (Some(subnames), Some(flags)) = (word(4), word(8)) else { return Some(Err(Refused)) };
        let counted = (first ^ NEW_FORM).checked_add(subnames);
        let total = match self.dialect.page() {
            // In the pages a count is only a count, and a flag is only absolute or not.
            Some(_) => counted?,
            None => (first ^ NEW_FORM).wrapping_add(subnames).wrapping_add((flags >> 1) & 1),
        };
        let mut end = at.saturating_add(12);
        for _ in 0..total {
            end = known!(Some(self.text(end, false)));
        }
        Some(Ok(end))
    }

    /// Reads a length, that many bytes, and the padding to a full word, which may be missing if `is_open`.
    fn text(self, at: usize, is_open: bool) -> Result<usize, Refused> {
        let length = self.word(at).and_then(|length| i32::try_from(length).ok());
        let Some(Ok(length)) = length.map(usize::try_from) else { return Err(Refused) };
        let end = at.saturating_add(4).saturating_add(length);
        let padded = end.saturating_add(padding_of(length));
        match self.bytes.len() {
            left if left < end => Err(Refused),
            left if left < padded && !is_open => Err(Refused),
            left => Ok(padded.min(left)),
        }
    }

    /// Whether texts, too, may lack padding at the end.
    fn is_lax(self) -> bool {
        self.dialect == Dialect::Godot2
    }

    fn word(self, at: usize) -> Option<u32> {
        let word = self.bytes.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*word))
    }
}

/// The number of bytes missing to a multiple of four.
fn padding_of(length: usize) -> usize {
    length.next_multiple_of(4).saturating_sub(length)
}
