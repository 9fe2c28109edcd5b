//! `raw`: the bytes of a value, where the encoder would write others for what its JSON says.
//!
//! Readers ignore padding that is not zero, bits of headers without a meaning, a `true` of 2 and much more; the
//! encoder writes all that in one way. So there is no list of such cases here: whatever the encoder does not write
//! the same stands in the JSON as it stood in the bytes, beside what it says.

use variant_view::{Document, Head, Leaf, Limits};

use crate::encode::{Emit, EncodeErrorKind, EncodeOptions, emit_leaf};
use crate::key::KeyRule;
use crate::variant::Variant;

/// What the encoder makes of values on the wire.
#[derive(Debug)]
pub(super) struct Usual {
    options: EncodeOptions,
    bytes: Vec<u8>,
}

impl Usual {
    pub(super) const fn new(options: EncodeOptions) -> Self {
        Self { options, bytes: Vec::new() }
    }

    /// `wire`, if the encoder writes other bytes for this value. Not if there are none, nor if it refuses, as it does with
    /// text that no reader accepts: then nothing can come back. O(wire).
    pub(super) fn unlike_leaf<'a>(&mut self, leaf: &Leaf<'_>, wire: &'a [u8]) -> Option<&'a [u8]> {
        self.unlike(wire, |emit| emit.leaf(*leaf))
    }

    /// The same of a container, of which `wire` is what stands before its first child.
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

    /// Encodes something, and says whether the encoder takes it.
    fn put(&mut self, put: impl FnOnce(&mut Emit<'_>) -> Result<(), EncodeErrorKind>) -> bool {
        self.bytes.clear();
        put(&mut Emit::new(&mut self.bytes, self.options)).is_ok()
    }

    /// Whether `raw` says the same as the bytes that were `encoded` out of the other fields; and if so, how
    /// many bytes of padding it lacks, as it may at the end of a document. O(raw).
    pub(super) fn missing_padding(&mut self, raw: &[u8], encoded: &[u8]) -> Option<usize> {
        if self.first(raw)? != raw.len() || self.bytes != encoded {
            return None;
        }
        self.first(&[raw, &[0; 4]].concat())?.checked_sub(raw.len())
    }

    /// Encodes the outermost value of some bytes, and says where it ends; of a container where its first child starts.
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

/// `wire`, a text with its length and its padding, if the encoder would write it in another way.
pub(super) fn unlike_text<'a>(wire: &'a [u8], text: &[u8]) -> Option<&'a [u8]> {
    (!wire.is_empty() && usual_text(text) != wire).then_some(wire)
}

/// As [`Usual::missing_padding`], for a text without a header. It never lacks any.
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
