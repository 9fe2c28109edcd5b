//! [`Direct`]: appends a value piece by piece, without checking the order of the pieces.

use std::fmt;

use variant_view::{FeedError, Head, Kind, Leaf, Producer};

use super::{Emit, EncodeErrorKind, EncodeOptions, fail};
use crate::writer::Writer;

type Result<T = (), E = EncodeErrorKind> = std::result::Result<T, E>;

/// Appends one value in pieces, for callers that nest the pieces correctly, as serde's traits do.
///
/// The caller counts the items of a container, and passes to [`Direct::exit`] the count and the place that
/// [`Direct::enter`] returned. Only the depth is checked. On drop without [`Direct::finish`] the buffer is restored.
pub struct Direct<'b> {
    emit: Emit<'b>,
    start: usize,
    /// The number of open containers.
    open: u32,
    depth: u32,
    is_finished: bool,
}

/// A position in the output to return to.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    len: usize,
    open: u32,
}

impl<'b> Direct<'b> {
    /// A writer that appends to `bytes`. O(1).
    #[inline]
    pub fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        let (start, depth) = (bytes.len(), options.depth);
        Self { emit: Emit::new(bytes, options), start, open: 0, depth, is_finished: false }
    }

    /// Appends a leaf. O(its bytes).
    ///
    /// # Errors
    /// The dialect cannot hold the leaf, or the leaf is nested too deep.
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        self.check_depth()?;
        self.emit.leaf(leaf)
    }

    /// Appends an integer, in 32 bits if they hold it. O(1).
    ///
    /// # Errors
    /// Those of [`Direct::leaf`].
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn int(&mut self, value: i64) -> Result {
        self.check_depth()?;
        self.emit.new_int(value)
    }

    /// Appends an ASCII text of `len` bytes, at most 24. The bytes of `words` after the text must be zero. O(1).
    ///
    /// # Errors
    /// Those of [`Direct::leaf`].
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn short_text(&mut self, words: [u64; 3], len: usize) -> Result {
        self.check_depth()?;
        self.emit.ascii(Kind::String, words, len)
    }

    /// Appends a mathematical value: the first `count` of the four numbers in `words`, each of 4 bytes. Returns false,
    /// and appends nothing, if the numbers are written in another width; use [`Direct::leaf`] then. O(1).
    ///
    /// # Errors
    /// Those of [`Direct::leaf`].
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn words(&mut self, kind: Kind, words: [u8; 16], count: usize) -> Result<bool> {
        let is_integer = || kind.shape().is_some_and(|shape| shape.number.is_integer());
        if !self.emit.keeps_singles() && !is_integer() {
            return Ok(false);
        }
        self.check_depth()?;
        self.emit.words(kind, words, count)?;
        Ok(true)
    }

    /// Opens a container; returns the place of its count.
    ///
    /// # Errors
    /// Those of [`Direct::leaf`].
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn enter(&mut self, head: &Head<'_>) -> Result<usize> {
        self.check_depth()?;
        self.emit.head(head, 0)?;
        // The reader of Pandemonium 5 counts the class of a typed array as a value one level below the array, so the
        // class may be too deep.
        if self.open >= self.depth && self.emit.ends_with_class() {
            return fail(EncodeErrorKind::TooDeep);
        }
        self.open = self.open.saturating_add(1);
        Ok(self.emit.len())
    }

    /// Closes the container whose count is at `place`. O(1).
    ///
    /// # Errors
    /// The container has more items than a count can express.
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn exit(&mut self, place: usize, count: usize) -> Result {
        self.open = self.open.saturating_sub(1);
        self.emit.patch_count(place, count)
    }

    /// Appends a whole value: an owned value, or the value of a document in any dialect. O(its bytes).
    ///
    /// # Errors
    /// The errors of [`Direct::leaf`], and those of the producer, such as a damaged document.
    pub fn whole<P: Producer>(
        &mut self,
        value: P,
    ) -> Result<(), FeedError<P::Error, EncodeErrorKind>> {
        self.check_depth().map_err(FeedError::Consumer)?;
        let options = self.emit.options().depth(self.depth.saturating_sub(self.open));
        let mut writer = Writer::new(self.emit.bytes(), options);
        let fed =
            value.feed(&mut writer).and_then(|()| writer.finish().map_err(FeedError::Consumer));
        match fed {
            Ok(_) => Ok(()),
            Err(FeedError::Producer(error)) => Err(FeedError::Producer(error)),
            Err(FeedError::Consumer(error)) => Err(FeedError::Consumer(error.kind().clone())),
        }
    }

    /// The present position. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub const fn place(&self) -> Place {
        Place { len: self.emit.len(), open: self.open }
    }

    /// Removes everything after `place`. O(1).
    pub fn take_back(&mut self, place: Place) {
        self.emit.take_back(place.len);
        self.open = place.open;
    }

    /// Keeps the bytes; returns their number. O(1).
    #[inline]
    pub fn finish(mut self) -> usize {
        self.is_finished = true;
        self.emit.len().saturating_sub(self.start)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn check_depth(&self) -> Result {
        if self.open > self.depth { fail(EncodeErrorKind::TooDeep) } else { Ok(()) }
    }
}

impl Drop for Direct<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.is_finished {
            self.emit.take_back(self.start);
        }
    }
}

impl fmt::Debug for Direct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Direct").field("open", &self.open).finish_non_exhaustive()
    }
}
