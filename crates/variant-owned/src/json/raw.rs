//! `raw`: the original bytes of a value, if the encoder would write other bytes.
//!
//! Readers accept many encodings of one value: nonzero padding, header bits without a meaning, a `true` that is stored
//! as 2, and more. The encoder writes each value in one way. The original bytes are compared with the encoder's output,
//! and kept if they differ.

use variant_view::{Document, Head, Leaf, Limits};

use crate::encode::{Emit, EncodeErrorKind, EncodeOptions, emit_leaf};
use crate::key::KeyRule;
use crate::variant::Variant;

/// Compares original bytes with the encoder's output.
#[derive(Debug)]
pub(super) struct Usual {
    options: EncodeOptions,
    bytes: Vec<u8>,
}

impl Usual {
    pub(super) const fn new(options: EncodeOptions) -> Self {
        Self { options, bytes: Vec::new() }
    }

    /// Returns `wire` if the encoder writes this value differently. `None` if `wire` is empty, or if the encoder
    /// refuses the value, such as text that every reader refuses. Such bytes cannot be restored. O(wire).
    pub(super) fn unlike_leaf<'a>(&mut self, leaf: &Leaf<'_>, wire: &'a [u8]) -> Option<&'a [u8]> {
        self.unlike(wire, |emit| emit.leaf(*leaf))
    }

    /// Does the same as [`Usual::unlike_leaf`], for a container. `wire` is the bytes before the first child.
    pub(super) fn unlike_head<'a>(&mut self, head: &Head<'_>, wire: &'a [u8]) -> Option<&'a [u8]> {
        self.unlike(wire, |emit| emit.head(head, head.len().unwrap_or(0)))
    }

    fn unlike<'a>(
        &mut self,
        wire: &'a [u8],
        put: impl FnOnce(&mut Emit<'_>) -> Result<(), EncodeErrorKind>,
    ) -> Option<&'a [u8]> {
        let is_unlike = !wire.is_empty() && self.put(put) && self.bytes != wire;
        is_unlike.then_some(wire)
    }

    /// Encodes a value or a head; returns whether the encoder accepts it.
    fn put(&mut self, put: impl FnOnce(&mut Emit<'_>) -> Result<(), EncodeErrorKind>) -> bool {
        self.bytes.clear();
        put(&mut Emit::new(&mut self.bytes, self.options)).is_ok()
    }

    /// Compares `raw` with `encoded`, the encoder's output for the fields of the JSON object other than `raw`. If both
    /// mean the same value, returns the number of padding bytes that `raw` lacks. A document may end without its
    /// padding. O(raw).
    pub(super) fn missing_padding(&mut self, raw: &[u8], encoded: &[u8]) -> Option<usize> {
        if self.first(raw)? != raw.len() || self.bytes != encoded {
            return None;
        }
        self.first(&[raw, &[0; 4]].concat())?.checked_sub(raw.len())
    }

    /// Encodes the root value of `bytes`, or only its head if it is a container. Returns the end of the
    /// encoded part in `bytes`.
    fn first(&mut self, bytes: &[u8]) -> Option<usize> {
        let document = Document::new(bytes, self.options.reading().limits(Limits::FILE));
        let view = document.root().ok()?;
        let is_taken = if let Some(head) = view.head(KeyRule::of(self.options.dialect)) {
            self.put(|emit| emit.head(&head, head.len().unwrap_or(0)))
        } else {
            let value = Variant::from_view(&view).ok()?;
            self.put(|emit| emit_leaf(&value, emit))
        };
        is_taken.then(|| view.head_bytes().len())
    }
}

/// Returns `wire`, a text with its length and its padding, if the encoder would write other bytes for the text.
pub(super) fn unlike_text<'a>(wire: &'a [u8], text: &[u8]) -> Option<&'a [u8]> {
    (!wire.is_empty() && usual_text(text) != wire).then_some(wire)
}

/// Compares like [`Usual::missing_padding`], for a text without a header. Such a text never lacks padding.
pub(super) fn is_same_text(raw: &[u8], encoded: &[u8]) -> bool {
    let text = raw.first_chunk().copied().map(u32::from_le_bytes);
    let len = text.and_then(|len| usize::try_from(len).ok()).unwrap_or(usize::MAX);
    let text = raw.get(4..).and_then(|rest| rest.get(..len));
    raw.len() == encoded.len() && text.is_some_and(|text| usual_text(text) == encoded)
}

fn usual_text(text: &[u8]) -> Vec<u8> {
    let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let mut bytes = [&len.to_le_bytes(), text].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}
