//! [`Encoding`]: the consumer that encodes JSON to bytes. Restores the `raw` bytes of values.

use variant_view::{Consumer, Document, Head, Leaf};

use super::raw::{Usual, is_same_text};
use crate::dictionary::Dictionary;
use crate::encode::{EncodeError, EncodeErrorKind, EncodeOptions};
use crate::tree::{Visit, Walk};
use crate::variant::Variant;
use crate::writer::Writer;

/// The options for encoding the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) options: EncodeOptions,
    /// Whether given raw bytes may replace the encoder's output.
    pub(super) takes_raw: bool,
    /// Whether equal keys are accepted: the original bytes, which are to be restored, may have equal keys.
    pub(super) keeps_same_keys: bool,
}

/// The error, and the byte offset of the value in the JSON.
pub(super) type Misfit = (EncodeErrorKind, usize);

/// Encodes events, and uses given raw bytes.
pub(super) struct Encoding<'b> {
    writer: Writer<'b>,
    target: Target,
    /// Compares given raw bytes with the encoder's output; `None` ignores raw bytes.
    usual: Option<Usual>,
    /// The raw bytes of the next value or name; empty if the JSON has none.
    raw: Vec<u8>,
    offset: usize,
    /// The offset of the root value in the JSON.
    root: usize,
    /// The number of padding bytes that the value written last lacks. Padding may be missing only at the end of the
    /// document.
    missing: usize,
    dictionaries: Vec<Written>,
}

/// A dictionary that was written: its offset in the JSON and the number of its pairs.
struct Written {
    offset: usize,
    pairs: usize,
}

impl<'b> Encoding<'b> {
    /// Creates an encoder that writes to `bytes`, which must be empty. `offset` is the start of the root value in the
    /// JSON.
    pub(super) fn new(bytes: &'b mut Vec<u8>, target: Target, offset: usize) -> Self {
        Self {
            writer: Writer::new(bytes, target.options),
            target,
            usual: target.takes_raw.then(|| Usual::new(target.options)),
            raw: Vec::new(),
            root: offset,
            offset,
            missing: 0,
            dictionaries: Vec::new(),
        }
    }

    /// Validates the bytes, since JSON may have types that every reader refuses, or keys that the reader treats as
    /// equal. Returns the number of missing padding bytes. O(bytes).
    pub(super) fn finish(mut self) -> Result<usize, Misfit> {
        let root = self.root;
        let options = self.target.options;
        let may_merge_keys = !self.target.keeps_same_keys || self.writer.may_merge_keys();
        let document = Document::new(self.writer.bytes(), options.reading());
        let fail = |error| (EncodeErrorKind::NotAValue(error), root);
        let summary = document.validate().map_err(fail)?;
        if summary.consumed != document.bytes().len() {
            return Err((EncodeErrorKind::Unexpected, root));
        }
        if may_merge_keys && self.dictionaries.iter().any(|written| written.pairs > 1) {
            let value = Variant::from_document(&document).map_err(fail)?;
            same_keys(&value, &self.dictionaries).map_or(Ok(()), Err)?;
        }
        self.writer.finish().map_err(|error| (error.kind().clone(), root))?;
        Ok(self.missing)
    }

    /// Writes a value or a name, and replaces it by the raw bytes if both mean the same.
    fn put(
        &mut self,
        is_name: bool,
        put: impl FnOnce(&mut Writer<'b>) -> Result<(), EncodeError>,
    ) -> Result<(), Misfit> {
        // Padding may be missing only at the end. Bytes follow here, so the padding of the last value is completed.
        let missing = std::mem::take(&mut self.missing);
        let bytes = self.writer.bytes();
        let start = bytes.len().saturating_add(missing);
        bytes.resize(start, 0);
        put(&mut self.writer).map_err(|error| self.misfit(&error))?;
        let Some(usual) = self.usual.as_mut().filter(|_| !self.raw.is_empty()) else {
            return Ok(());
        };
        let bytes = self.writer.bytes();
        let encoded = bytes.get(start..).unwrap_or_default();
        let missing = if is_name {
            is_same_text(&self.raw, encoded).then_some(0)
        } else {
            usual.missing_padding(&self.raw, encoded)
        };
        if let Some(missing) = missing {
            bytes.truncate(start);
            bytes.extend_from_slice(&self.raw);
            self.missing = missing;
        }
        Ok(())
    }

    fn misfit(&self, error: &EncodeError) -> Misfit {
        (error.kind().clone(), self.offset)
    }
}

impl Consumer for Encoding<'_> {
    type Error = Misfit;

    const WANTS_ORIGINS: bool = true;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Misfit> {
        self.put(false, |writer| writer.leaf(leaf))
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Misfit> {
        self.put(false, |writer| writer.enter(head))?;
        if let Head::Dictionary(dictionary) = head {
            let pairs = dictionary.len.unwrap_or(0);
            self.dictionaries.push(Written { offset: self.offset, pairs });
        }
        Ok(())
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Misfit> {
        self.put(true, |writer| Consumer::name(writer, name))
    }

    fn exit(&mut self) -> Result<(), Misfit> {
        self.writer.exit().map_err(|error| self.misfit(&error))
    }

    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        self.offset = offset;
        self.raw.clear();
        self.raw.extend_from_slice(bytes);
    }
}

/// Finds the first dictionary of which the reader reads fewer pairs than were written. O(values). The dictionaries
/// inside a dropped pair are not read at all. They come after the dictionary that is found, so they do not affect the
/// search.
fn same_keys(value: &Variant, written: &[Written]) -> Option<Misfit> {
    let read = Walk::new(value).filter_map(|visit| match visit {
        Visit::Enter(value, _) => value.as_dictionary().map(Dictionary::len),
        _ => None,
    });
    let (&Written { offset, pairs: written }, read) =
        written.iter().zip(read).find(|(written, read)| written.pairs != *read)?;
    Some((EncodeErrorKind::SameKeys { written, read }, offset))
}
