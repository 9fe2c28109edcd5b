//! [`Encoding`]: the consumer that makes bytes of JSON, with those that values were made of where they are given.

use variant_view::{Consumer, Document, Head, Leaf, Origin};

use super::raw::{Usual, is_same_text};
use crate::dictionary::Dictionary;
use crate::encode::{EncodeError, EncodeErrorKind, EncodeOptions};
use crate::tree::{Visit, Walk};
use crate::variant::Variant;
use crate::writer::Writer;

/// How to write what is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) options: EncodeOptions,
    /// Whether bytes that are given may take the place of those that the encoder writes.
    pub(super) takes_raw: bool,
    /// Whether keys that were the same before stay as they are: the bytes are to come back as they were.
    pub(super) keeps_same_keys: bool,
}

/// What is wrong, and the byte of the JSON at which the value starts.
pub(super) type Misfit = (EncodeErrorKind, usize);

/// Writes bytes.
pub(super) struct Encoding<'b> {
    writer: Writer<'b>,
    target: Target,
    /// What holds given bytes against those that the encoder writes; none if given bytes do not count.
    usual: Option<Usual>,
    /// The bytes that the next value or name was made of, if they are given; and where it stands in the JSON.
    raw: Vec<u8>,
    offset: usize,
    /// Where the whole value stands.
    root: usize,
    /// The padding that the last value lacks, as it may if nothing follows.
    missing: usize,
    dictionaries: Vec<Written>,
}

/// A dictionary that was written.
struct Written {
    offset: usize,
    pairs: usize,
}

impl<'b> Encoding<'b> {
    /// Writes to `bytes`, which are empty, the value that starts at byte `offset` of the JSON.
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

    /// Checks the bytes: a text may declare what no reader accepts, or keys that are one to the reader. Gives back how many
    /// bytes of padding they lack. O(bytes).
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

    /// Writes something, and puts the bytes that are given in its place if both say the same.
    fn put(
        &mut self,
        is_name: bool,
        put: impl FnOnce(&mut Writer<'b>) -> Result<(), EncodeError>,
    ) -> Result<(), Misfit> {
        // Something follows, so no padding may be missing any more.
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

    fn origin(&mut self, origin: Origin<'_>) {
        self.offset = origin.offset;
        self.raw.clear();
        self.raw.extend_from_slice(origin.bytes);
    }
}

/// The first dictionary of which fewer pairs are read than were written. O(values).
///
/// Where pairs are missing, so are the dictionaries in them; but that is behind the first difference.
fn same_keys(value: &Variant, written: &[Written]) -> Option<Misfit> {
    let read = Walk::new(value).filter_map(|visit| match visit {
        Visit::Enter(value, _) => value.as_dictionary().map(Dictionary::len),
        _ => None,
    });
    let (&Written { offset, pairs: written }, read) =
        written.iter().zip(read).find(|(written, read)| written.pairs != *read)?;
    Some((EncodeErrorKind::SameKeys { written, read }, offset))
}
