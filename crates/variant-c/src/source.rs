//! [`Source`]: the plain bytes of a file, and its layers (compression and encryption).

use variant_io::{Damage, Opened, RewrapError, ValuesWriter, Wrapping};
use variant_view::Dialect;

use crate::border::Result;
use crate::code::VARIANT_ERROR_LAYER;
use crate::error::Failure;
use crate::file::File;

#[derive(Debug)]
pub(crate) enum Source {
    Opened(Opened),
    /// The caller's bytes, which have no layers.
    Lent(&'static [u8]),
}

impl Source {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Opened(opened) => opened.bytes(),
            Self::Lent(bytes) => bytes,
        }
    }

    pub(crate) const fn wrapping(&self) -> Option<&Wrapping> {
        match self {
            Self::Opened(opened) => Some(opened.wrapping()),
            Self::Lent(_) => None,
        }
    }

    /// The damaged ranges of the compression or the encryption, whose bytes are missing in the plain bytes.
    pub(crate) fn damage(&self) -> &[Damage] {
        match self {
            Self::Opened(opened) => opened.damage(),
            Self::Lent(_) => &[],
        }
    }

    /// Compresses and encrypts other plain bytes with the layers of this file.
    pub(crate) fn wrap<'a>(&self, plain: &[u8]) -> Result<'a, Vec<u8>> {
        wrap(self.wrapping(), plain)
    }
}

/// Compresses and encrypts plain bytes, if there are layers.
pub(crate) fn wrap<'a>(wrapping: Option<&Wrapping>, plain: &[u8]) -> Result<'a, Vec<u8>> {
    let refused = |error: RewrapError| Failure::new(VARIANT_ERROR_LAYER, error.to_string());
    wrapping.map_or_else(|| Ok(plain.to_vec()), |wrapping| wrapping.wrap(plain).map_err(refused))
}

impl File {
    /// A writer for values in the framing of this file.
    pub(crate) fn values(&self, dialect: Dialect) -> ValuesWriter {
        let file = self.plain();
        file.framing.values(file.body()).writer(dialect)
    }

    /// This file with other values. The layers and the bytes before the values are kept, and `after` follows the
    /// values.
    pub(crate) fn with_values<'a>(
        &self,
        values: ValuesWriter,
        after: &[u8],
    ) -> Result<'a, Vec<u8>> {
        let values = values.finish();
        let head = self.plain().head();
        if head.is_empty() && after.is_empty() {
            return self.source.wrap(&values);
        }
        self.source.wrap(&[head, &values, after].concat())
    }
}
