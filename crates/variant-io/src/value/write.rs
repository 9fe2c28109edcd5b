//! [`ValuesWriter`]: writes the values of a file, in any framing.

use variant_owned::{EncodeOptions, Variant, encode_into};

use crate::append::{AppendError, append_frame, append_value};
use crate::ecfg::SettingsWriter;
use crate::frame::ByteOrder;
use crate::framing::Framing;

/// Writes values in one framing, as [`Values`](super::Values) reads them.
///
/// [`Framing::writer`] creates a writer for a framing, and [`Values::writer`](super::Values::writer) for the framing of
/// a file.
///
/// ```
/// use variant_io::{ByteOrder, Framing};
/// use variant_view::Dialect;
///
/// let mut writer = Framing::Frames(ByteOrder::Little).writer();
/// writer.value(None, &7.into(), Dialect::Godot4)?;
/// writer.bytes(None, &[0; 4])?;                                            // verbatim
/// assert_eq!(writer.finish(), [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), variant_io::AppendError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ValuesWriter {
    into: Target,
}

#[derive(Clone, Debug)]
enum Target {
    Bare(Option<Vec<u8>>),
    Frames(Vec<u8>, ByteOrder),
    Settings(SettingsWriter),
    Sequence(Vec<u8>),
}

impl Framing {
    /// A writer for values in this framing. O(1).
    pub fn writer(self) -> ValuesWriter {
        ValuesWriter::new(self)
    }
}

impl ValuesWriter {
    fn new(framing: Framing) -> Self {
        let into = match framing {
            Framing::Bare => Target::Bare(None),
            Framing::Frames(order) => Target::Frames(Vec::new(), order),
            Framing::Settings => Target::Settings(SettingsWriter::new()),
            Framing::Sequence(_) => Target::Sequence(Vec::new()),
        };
        Self { into }
    }

    pub(super) fn settings(magic: [u8; 4]) -> Self {
        Self { into: Target::Settings(SettingsWriter::new().magic(magic)) }
    }

    /// Appends the bytes of a value verbatim. O(bytes).
    ///
    /// Settings need a `name`; other framings ignore it.
    ///
    /// # Errors
    /// [`AppendError::TooLong`], [`AppendError::NotAlone`] for a second bare value, [`AppendError::NoName`] and
    /// [`AppendError::TooMany`] for settings. Earlier values are kept.
    pub fn bytes(&mut self, name: Option<&[u8]>, bytes: &[u8]) -> Result<(), AppendError> {
        match &mut self.into {
            Target::Bare(Some(_)) => Err(AppendError::NotAlone),
            Target::Bare(only) => {
                *only = Some(bytes.to_vec());
                Ok(())
            }
            Target::Frames(out, order) => append_frame(out, bytes, *order),
            Target::Settings(writer) => writer.bytes(name.ok_or(AppendError::NoName)?, bytes),
            Target::Sequence(out) => {
                // The previous value may come from the end of a file and lack its padding, which is added here.
                out.resize(out.len().next_multiple_of(4), 0);
                out.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Encodes a value and appends it. O(bytes).
    ///
    /// Settings need a `name`; other framings ignore it.
    ///
    /// # Errors
    /// Those of [`ValuesWriter::bytes`], and [`AppendError::Value`] if the dialect cannot hold the value.
    pub fn value(
        &mut self,
        name: Option<&[u8]>,
        value: &Variant,
        options: impl Into<EncodeOptions>,
    ) -> Result<(), AppendError> {
        match &mut self.into {
            Target::Bare(Some(_)) => Err(AppendError::NotAlone),
            Target::Bare(only) => {
                let mut out = Vec::new();
                encode_into(value, options, &mut out).map_err(AppendError::Value)?;
                *only = Some(out);
                Ok(())
            }
            Target::Frames(out, order) => append_value(out, value, options, *order).map(drop),
            Target::Settings(writer) => {
                writer.value(name.ok_or(AppendError::NoName)?, value, options)
            }
            Target::Sequence(out) => {
                out.resize(out.len().next_multiple_of(4), 0);
                encode_into(value, options, out).map(drop).map_err(AppendError::Value)
            }
        }
    }

    /// The bytes of the file. O(1).
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        match self.into {
            Target::Bare(only) => only.unwrap_or_default(),
            Target::Frames(out, _) | Target::Sequence(out) => out,
            Target::Settings(writer) => writer.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use variant_view::Dialect;

    use super::*;

    /// Pandemonium 4 does not know the second magic.
    #[test]
    fn the_magic_is_one_that_the_engine_knows() {
        let values = Framing::Settings.values(b"ECFP\0\0\0\0");
        assert_eq!(values.writer(Dialect::Pandemonium5).finish(), b"ECFP\0\0\0\0");
        assert_eq!(values.writer(Dialect::Pandemonium4).finish(), b"ECFG\0\0\0\0");
    }

    #[test]
    fn a_framing_holds_what_it_can() {
        let options = EncodeOptions::new(Dialect::Godot4);
        let mut bare = Framing::Bare.writer();
        bare.value(None, &7.into(), options).unwrap();
        assert_eq!(bare.value(None, &8.into(), options), Err(AppendError::NotAlone));
        assert_eq!(bare.bytes(None, &[0; 4]), Err(AppendError::NotAlone));
        assert_eq!(bare.finish(), [2, 0, 0, 0, 7, 0, 0, 0]);

        let mut settings = Framing::Settings.writer();
        assert_eq!(settings.value(None, &7.into(), options), Err(AppendError::NoName));
        assert_eq!(settings.bytes(None, &[0; 4]), Err(AppendError::NoName));
        settings.value(Some(b"a"), &7.into(), options).unwrap();
        assert_eq!(settings.finish(), b"ECFG\x01\0\0\0\x01\0\0\0a\x08\0\0\0\x02\0\0\0\x07\0\0\0");
    }
}
