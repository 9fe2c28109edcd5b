//! [`Builder`]: builds bytes by hand, with labels on positions.

use std::collections::BTreeMap;

/// Texts that need quotes, have ignored parts, cannot be shown, or are invalid.
pub const ODD_TEXTS: [&[u8]; 24] = [
    b"",
    b"a",
    b"a",
    b"a\0b",
    b"\xef\xbb\xbfa",
    b"\xef\xbb\xbf\xef\xbb\xbfa",
    b"\0",
    b"\"",
    b"'",
    b"\"'",
    b"\"]",
    b"']",
    b"a.b",
    b"[0]",
    b"{0}",
    b"&b",
    b"7",
    b"\x1b[2J",
    b"\xe2\x80\xae",
    b"\xd8\x9c",
    b"\xc2\xad",
    b"\xe0\x81\xa1",
    b"\xff",
    "d\u{e9}".as_bytes(),
];

/// Joins the pieces of a serialized value, and stores the positions of pieces.
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

/// A [`Builder`] with these words.
pub fn words(words: &[u32]) -> Builder {
    Builder::new().words(words)
}

/// The result of a [`Builder`].
#[derive(Clone, Debug)]
pub struct Built {
    /// The bytes.
    pub bytes: Vec<u8>,
    labels: BTreeMap<String, usize>,
}

impl Builder {
    /// A builder without bytes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the position of the next piece.
    #[must_use]
    pub fn label(mut self, name: &str) -> Self {
        self.labels.insert(name.to_owned(), self.bytes.len());
        self
    }

    /// Adds a word, little-endian.
    #[must_use]
    pub fn u32(self, word: u32) -> Self {
        self.raw(&word.to_le_bytes())
    }

    /// Adds words, little-endian.
    #[must_use]
    pub fn words(self, words: &[u32]) -> Self {
        words.iter().fold(self, |builder, word| builder.u32(*word))
    }

    /// Adds a double word, little-endian.
    #[must_use]
    pub fn u64(self, word: u64) -> Self {
        self.raw(&word.to_le_bytes())
    }

    /// Adds 32-bit floats.
    #[must_use]
    pub fn f32s(self, values: &[f32]) -> Self {
        values.iter().fold(self, |builder, value| builder.raw(&value.to_le_bytes()))
    }

    /// Adds 64-bit floats.
    #[must_use]
    pub fn f64s(self, values: &[f64]) -> Self {
        values.iter().fold(self, |builder, value| builder.raw(&value.to_le_bytes()))
    }

    /// Adds bytes as they are.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Adds a length word, the text, and padding. A name has this form, and so has a string after its header.
    #[must_use]
    pub fn text(self, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let padding = text.len().next_multiple_of(4) - text.len();
        let length = u32::try_from(text.len()).expect("short text");
        self.u32(length).raw(text).raw(&[0; 3][..padding])
    }

    /// The bytes and the labels.
    pub fn build(self) -> Built {
        Built { bytes: self.bytes, labels: self.labels }
    }
}

impl Built {
    /// The position with this name.
    pub fn at(&self, label: &str) -> usize {
        *self.labels.get(label).unwrap_or_else(|| panic!("no label {label:?}"))
    }
}
