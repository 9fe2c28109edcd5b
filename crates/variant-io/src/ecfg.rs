//! ECFG: compiled project settings, `project.binary` and Godot 2's `engine.cfb` (docs/spec/carriers.md#frames).

mod write;

use std::fmt;

use variant_view::{Document, Options};
pub use write::SettingsWriter;

/// The magic bytes of compiled settings. Pandemonium 5 writes `ECFP` and reads both. All other engines use `ECFG`.
pub const ECFG_MAGICS: [[u8; 4]; 2] = [*b"ECFG", *b"ECFP"];

/// The settings of a file. O(1); the iterator reads names and length prefixes only and copies nothing.
///
/// ```
/// use variant_io::settings;
/// use variant_view::{Dialect, Limits, Options};
///
/// // Values may be objects, such as the events of input actions.
/// let options = Options::engine(Dialect::Godot3).limits(Limits::FILE);
/// // application/config/name is "A", as Godot 3 writes it
/// let file = b"ECFG\x01\0\0\0\x17\0\0\0application/config/name\x0c\0\0\0\x04\0\0\0\x01\0\0\0A\0\0\0";
/// for setting in settings(file)? {
///     let setting = setting?;
///     let value = setting.document(options);
///     assert_eq!((setting.name(), value.root()?.as_str()?), ("application/config/name".into(), "A"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EcfgError`] with [`EcfgPart::Magic`] or [`EcfgPart::Count`]: the file has no compiled settings.
pub fn settings(file: &[u8]) -> Result<Settings<'_>, EcfgError> {
    let magic = file.first_chunk().filter(|magic| ECFG_MAGICS.contains(magic));
    let (part, found) = (EcfgPart::Magic, file.len());
    let error = EcfgError { part, offset: 0, needed: 4, found, is_counted: false };
    let mut settings =
        Settings { magic: *magic.ok_or(error)?, file, offset: 4, remaining: 0, has_failed: false };
    settings.remaining = settings.word(EcfgPart::Count)?;
    Ok(settings)
}

/// Iterator of [`settings`]. Ends after the first error. O(1) per setting.
///
/// ```
/// use variant_io::{EcfgPart, settings};
///
/// // The file claims two settings, and has one: "a" is null.
/// let mut all = settings(b"ECFG\x02\0\0\0\x01\0\0\0a\x04\0\0\0\0\0\0\0")?;
/// assert_eq!((all.magic(), all.remaining()), (*b"ECFG", 2));
/// assert_eq!(all.next().expect("one")?.name_bytes(), b"a");
/// assert_eq!(all.offset(), 21);
/// assert_eq!(all.next().expect("an error").unwrap_err().part(), EcfgPart::Name);
/// # Ok::<(), variant_io::EcfgError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    magic: [u8; 4],
    file: &'a [u8],
    offset: usize,
    remaining: u32,
    /// Whether `nth` returned an error, which the next call returns again.
    has_failed: bool,
}

/// One setting: its name and the bytes of its value; from [`Settings`].
///
/// ```
/// use variant_io::{SettingsWriter, settings};
///
/// let file = b"ECFG\x01\0\0\0\x01\0\0\0a\x04\0\0\0\0\0\0\0"; // "a" is null
/// let mut copy = SettingsWriter::new();
/// for setting in settings(file)? {
///     let setting = setting?;
///     assert_eq!((setting.name(), setting.start()), ("a".into(), 17));
///     copy.bytes(setting.name_bytes(), setting.bytes())?; // verbatim
/// }
/// assert_eq!(copy.finish(), file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<'a> {
    name: &'a [u8],
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Setting<'a> {
    /// The name, such as `application/config/name`. U+FFFD replaces bytes that are not UTF-8; only such a name
    /// allocates.
    pub fn name(&self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.name)
    }

    /// The bytes of the name.
    pub const fn name_bytes(&self) -> &'a [u8] {
        self.name
    }

    /// The bytes of the value. Engines write objects in full, with class and properties.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The offset of the value in the file.
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The value as a document, to be read with `options`. O(1); nothing is decoded.
    pub fn document(&self, options: impl Into<Options>) -> Document<'a> {
        Document::new(self.bytes, options)
    }
}

impl<'a> Settings<'a> {
    /// The magic bytes of the file, one of [`ECFG_MAGICS`].
    pub const fn magic(&self) -> [u8; 4] {
        self.magic
    }

    /// The number of remaining settings that the file claims.
    pub const fn remaining(&self) -> u32 {
        self.remaining
    }

    /// The offset of the next setting; after an error, the offset of the broken setting.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) const fn go_to(&mut self, offset: usize, remaining: u32) {
        self.offset = offset;
        self.remaining = remaining;
        self.has_failed = false;
    }

    fn setting(&mut self) -> Result<Setting<'a>, EcfgError> {
        let name = self.counted(EcfgPart::Name)?;
        let bytes = self.counted(EcfgPart::Value)?;
        let start = self.offset.saturating_sub(bytes.len());
        Ok(Setting { name, bytes, start })
    }

    /// A length prefix and the bytes that it counts.
    fn counted(&mut self, part: EcfgPart) -> Result<&'a [u8], EcfgError> {
        let len = self.word(part)?;
        self.take(len, part).map_err(|error| EcfgError { is_counted: true, ..error })
    }

    fn word(&mut self, part: EcfgPart) -> Result<u32, EcfgError> {
        let word = self.take(4, part)?;
        Ok(word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word)))
    }

    fn take(&mut self, needed: u32, part: EcfgPart) -> Result<&'a [u8], EcfgError> {
        let rest = self.file.get(self.offset..).unwrap_or_default();
        let taken = usize::try_from(needed).ok().and_then(|len| rest.get(..len));
        let error =
            EcfgError { part, offset: self.offset, needed, found: rest.len(), is_counted: false };
        let taken = taken.ok_or(error)?;
        self.offset = self.offset.saturating_add(taken.len());
        Ok(taken)
    }
}

impl<'a> Iterator for Settings<'a> {
    type Item = Result<Setting<'a>, EcfgError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let start = self.offset;
        let setting = self.setting();
        if setting.is_err() {
            self.remaining = 0;
            self.offset = start;
        }
        Some(setting)
    }

    /// Skips `n` settings. If one of them has an error, `nth` returns this error, and the next call returns it again,
    /// so that `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.has_failed {
            return self.next();
        }
        let skipped = Iterator::take(self.by_ref(), n).find(Result::is_err);
        let item = skipped.or_else(|| self.next())?;
        if item.is_err() {
            (self.has_failed, self.remaining) = (true, 1);
        }
        Some(item)
    }
}

impl std::iter::FusedIterator for Settings<'_> {}

/// Incomplete settings, or a file without settings; from [`settings`] and [`Settings`].
///
/// ```
/// use variant_io::{EcfgPart, settings};
///
/// let error = settings(b"[application]").unwrap_err(); // project.godot is text
/// assert_eq!((error.part(), error.offset()), (EcfgPart::Magic, 0));
/// assert_eq!(error.value_start(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EcfgError {
    part: EcfgPart,
    offset: usize,
    needed: u32,
    found: usize,
    /// Whether the bytes after a complete length prefix are incomplete.
    is_counted: bool,
}

/// The part of compiled settings that is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcfgPart {
    /// The magic bytes.
    Magic,
    /// The number of settings.
    Count,
    /// The name of a setting, or its length.
    Name,
    /// The value of a setting, or its length.
    Value,
}

impl EcfgError {
    /// The incomplete part.
    pub const fn part(&self) -> EcfgPart {
        self.part
    }

    /// The offset of the incomplete value; `None` if another part is incomplete.
    pub fn value_start(&self) -> Option<usize> {
        (self.part == EcfgPart::Value && self.is_counted).then_some(self.offset)
    }

    /// The offset of the incomplete part.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for EcfgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, needed, found, .. } = self;
        let part = match self.part {
            EcfgPart::Magic => {
                return f
                    .write_str("not compiled settings: the file does not start with ECFG or ECFP");
            }
            EcfgPart::Count => "the number of settings",
            EcfgPart::Name => "the name of a setting",
            EcfgPart::Value => "the value of a setting",
        };
        write!(f, "byte {offset}: {part} needs {needed} bytes, {found} are left")
    }
}

impl std::error::Error for EcfgError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a` is null, `b` is 7.
    const FILE: &[u8] =
        b"ECFG\x02\0\0\0\x01\0\0\0a\x04\0\0\0\0\0\0\0\x01\0\0\0b\x08\0\0\0\x02\0\0\0\x07\0\0\0";

    #[test]
    fn cut_anywhere() {
        for len in 0..FILE.len() {
            let all = settings(&FILE[..len]).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let error = all.unwrap_err();
            let part = match len {
                0..4 => EcfgPart::Magic,
                4..8 => EcfgPart::Count,
                8..13 | 21..26 => EcfgPart::Name,
                _ => EcfgPart::Value,
            };
            assert_eq!(error.part(), part, "{len}: {error}");
            assert!(error.offset() <= len, "{len}: {error}");
        }
    }

    #[test]
    fn more_are_claimed_than_are_there() {
        let mut file = FILE.to_vec();
        file[4..8].fill(0xff);
        let mut all = settings(&file).unwrap();
        assert_eq!(all.by_ref().flatten().count(), 2);
        assert!(all.next().is_none());
    }
}
