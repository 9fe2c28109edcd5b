//! [`SettingsWriter`]: writes compiled settings.

use variant_owned::{EncodeOptions, Variant};

use super::ECFG_MAGICS;
use crate::append::{AppendError, append_frame, append_value};
use crate::frame::ByteOrder;

/// Writes compiled settings, as [`settings`](super::settings) reads them.
///
/// ```
/// use variant_io::{SettingsWriter, settings};
/// use variant_owned::EncodeOptions;
/// use variant_view::Dialect;
///
/// let options = EncodeOptions::new(Dialect::Godot3);
/// let mut writer = SettingsWriter::new();
/// writer.value("application/config/name", &"A".into(), &options)?;
/// writer.bytes("display/window/size/width", &[2, 0, 0, 0, 0, 4, 0, 0])?;   // verbatim
/// let file = writer.finish();
///
/// let names: Vec<_> = settings(&file)?.flatten().map(|setting| setting.name()).collect();
/// assert_eq!(names, ["application/config/name", "display/window/size/width"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Settings keep the order in which they are written, and a name may occur twice. Engines sort settings in a custom
/// order and keep the last of equal names. Godot 3 and 4 read the feature tags of a build from a first setting named
/// `_custom_features`. Objects are written in full, with class and properties.
#[derive(Clone, Debug)]
#[must_use]
pub struct SettingsWriter {
    magic: [u8; 4],
    out: Vec<u8>,
    count: u32,
}

/// The size of the header in bytes.
const HEADER: usize = 8;

impl SettingsWriter {
    /// A writer without settings, with the magic bytes `ECFG`. O(1).
    pub fn new() -> Self {
        Self { magic: ECFG_MAGICS[0], out: [0; HEADER].to_vec(), count: 0 }
    }

    /// Sets the magic bytes, one of [`ECFG_MAGICS`]. [`Settings::magic`](super::Settings::magic) returns the magic
    /// bytes of a file. O(1).
    pub const fn magic(mut self, magic: [u8; 4]) -> Self {
        self.magic = magic;
        self
    }

    /// Appends a setting; `bytes` is its value, verbatim. O(bytes).
    ///
    /// # Errors
    /// [`AppendError::TooLong`] and [`AppendError::TooMany`]. On error, the settings are unchanged.
    pub fn bytes(&mut self, name: impl AsRef<[u8]>, bytes: &[u8]) -> Result<(), AppendError> {
        self.append(name.as_ref(), |out| append_frame(out, bytes, ByteOrder::Little))
    }

    /// Encodes a value and appends it as a setting. O(bytes).
    ///
    /// # Errors
    /// Those of [`SettingsWriter::bytes`], and [`AppendError::Value`] if the dialect cannot hold the value.
    pub fn value(
        &mut self,
        name: impl AsRef<[u8]>,
        value: &Variant,
        options: impl Into<EncodeOptions>,
    ) -> Result<(), AppendError> {
        self.append(name.as_ref(), |out| {
            append_value(out, value, options, ByteOrder::Little).map(drop)
        })
    }

    /// The number of settings.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The bytes of the file. O(1).
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let words = [self.magic, self.count.to_le_bytes()];
        for (place, word) in self.out.as_chunks_mut().0.iter_mut().zip(words) {
            *place = word;
        }
        self.out
    }

    fn append(
        &mut self,
        name: &[u8],
        value: impl FnOnce(&mut Vec<u8>) -> Result<(), AppendError>,
    ) -> Result<(), AppendError> {
        let count = self.count.checked_add(1).ok_or(AppendError::TooMany)?;
        let start = self.out.len();
        let written = append_frame(&mut self.out, name, ByteOrder::Little)
            .and_then(|()| value(&mut self.out));
        match written {
            Ok(()) => self.count = count,
            Err(_) => self.out.truncate(start),
        }
        written
    }
}

impl Default for SettingsWriter {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use variant_owned::Object;
    use variant_view::Dialect;

    use super::*;
    use crate::settings;

    #[test]
    fn no_settings_are_a_file() {
        let file = SettingsWriter::new().finish();
        assert_eq!(file, b"ECFG\0\0\0\0");
        assert_eq!(settings(&file).unwrap().count(), 0);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let mut writer = SettingsWriter::new();
        writer.bytes("a", &[0; 4]).unwrap();
        let options = EncodeOptions::new(Dialect::Godot2);
        let error = writer.value("b", &Object::new("Node").into(), options).unwrap_err();
        assert!(matches!(error, AppendError::Value(_)), "{error}");
        assert_eq!(writer.count(), 1);
        assert_eq!(writer.finish(), b"ECFG\x01\0\0\0\x01\0\0\0a\x04\0\0\0\0\0\0\0");
    }
}
