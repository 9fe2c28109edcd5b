//! [`Builder`]: bytes put together by hand, with labels on positions.

use std::collections::BTreeMap;

/// Puts a serialized value together piece by piece and remembers where the pieces are.
///
/// ```
/// use variant_testkit::builder::Builder;
///
/// let built = Builder::new().label("array").u32(19).u32(1).label("element").u32(0).build();
/// assert_eq!(built.at("element"), 8);
/// assert_eq!(built.bytes.len(), 12);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    bytes: Vec<u8>,
    labels: BTreeMap<String, usize>,
}

/// The result of a [`Builder`].
#[derive(Clone, Debug)]
pub struct Built {
    /// The bytes.
    pub bytes: Vec<u8>,
    labels: BTreeMap<String, usize>,
}

impl Builder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the position of the next piece.
    #[must_use]
    pub fn label(mut self, name: &str) -> Self {
        self.labels.insert(name.to_owned(), self.bytes.len());
        self
    }

    /// A word, little-endian.
    #[must_use]
    pub fn u32(self, word: u32) -> Self {
        self.raw(&word.to_le_bytes())
    }

    /// A double word, little-endian.
    #[must_use]
    pub fn u64(self, word: u64) -> Self {
        self.raw(&word.to_le_bytes())
    }

    /// 32-bit floats.
    #[must_use]
    pub fn f32s(self, values: &[f32]) -> Self {
        values.iter().fold(self, |builder, value| builder.raw(&value.to_le_bytes()))
    }

    /// 64-bit floats.
    #[must_use]
    pub fn f64s(self, values: &[f64]) -> Self {
        values.iter().fold(self, |builder, value| builder.raw(&value.to_le_bytes()))
    }

    /// Bytes as they are.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A length word, text, and padding: a name, or after a header a string.
    ///
    /// # Panics
    /// If the text is longer than a length word can hold.
    #[must_use]
    #[expect(clippy::expect_used, reason = "for tests")]
    pub fn text(self, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let padding = text.len().next_multiple_of(4).saturating_sub(text.len());
        let length = u32::try_from(text.len()).expect("short text");
        self.u32(length).raw(text).raw([0; 3].get(..padding).unwrap_or_default())
    }

    /// The result.
    pub fn build(self) -> Built {
        Built { bytes: self.bytes, labels: self.labels }
    }
}

impl Built {
    /// The position with this name.
    ///
    /// # Panics
    /// If no position has this name.
    #[expect(clippy::panic, reason = "for tests")]
    pub fn at(&self, label: &str) -> usize {
        *self.labels.get(label).unwrap_or_else(|| panic!("no label {label:?}"))
    }
}
