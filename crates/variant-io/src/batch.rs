//! [`validate_frames`] and [`validate_documents`]: validate all packets that a server has received since its last
//! wake-up.

use variant_view::{Document, Options, Result, Summary};

use crate::frame::{ByteOrder, Frame, FrameError, Frames, frames};

/// The numbers of valid and invalid documents of a batch, and of the values in the valid ones.
///
/// ```
/// use variant_io::validate_documents;
/// use variant_view::Dialect;
///
/// let datagrams: [&[u8]; 2] = [&[0; 4], &[1, 2, 3]];
/// let tally = validate_documents(&datagrams, Dialect::Godot4).finish();
/// assert_eq!((tally.valid, tally.invalid, tally.values), (1, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The number of valid documents.
    pub valid: usize,
    /// The number of invalid documents.
    pub invalid: usize,
    /// The number of values in the valid documents, containers and keys included.
    pub values: u64,
}

impl Tally {
    #[inline]
    fn count(&mut self, verdict: &Result<Summary>) {
        match verdict {
            Ok(summary) => {
                self.valid = self.valid.saturating_add(1);
                self.values = self.values.saturating_add(summary.values);
            }
            Err(_) => self.invalid = self.invalid.saturating_add(1),
        }
    }
}

/// Validates the frames of a buffer, such as the bytes that a stream has delivered since the last wake-up. O(1); the
/// iterator costs O(bytes) in all and allocates nothing.
///
/// Yields each complete frame with its verdict. An invalid frame does not end the batch, since its length is known.
/// Offsets of errors count from the start of `bytes`. An incomplete last frame is not an error:
/// [`FrameBatch::consumed`] returns its offset, and [`FrameBatch::missing`] the number of missing bytes.
///
/// ```
/// use variant_io::{ByteOrder, validate_frames};
/// use variant_view::{Dialect, Options};
///
/// // 7, an int that is cut short, null, and the first two bytes of the next length prefix
/// let mut received = vec![
///     8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
///     6, 0, 0, 0, 2, 0, 0, 0, 7, 0,
///     4, 0, 0, 0, 0, 0, 0, 0,
///     8, 0,
/// ];
/// let options = Options::server(Dialect::Godot4);
/// let mut batch = validate_frames(&received, ByteOrder::Little, options).max_len(1 << 16);
/// let mut bad = Vec::new();
/// for (frame, verdict) in &mut batch {
///     if let Err(error) = verdict {
///         bad.push((frame.offset(), error.offset()));
///     }
/// }
/// assert_eq!(bad, [(12, 20)]);
/// assert_eq!((batch.tally().valid, batch.tally().values), (2, 2));
/// assert_eq!((batch.consumed(), batch.missing()), (30, 2));
/// assert!(batch.too_long().is_none()); // otherwise, disconnect the peer
///
/// let consumed = batch.consumed();
/// received.drain(..consumed);
/// # assert_eq!(received, [8, 0]);
/// ```
///
/// `take` bounds the work of one call. To stop at the first invalid frame, as a strict server does:
///
/// ```
/// # use variant_io::{ByteOrder, validate_frames};
/// # use variant_view::Dialect;
/// # let received = [4, 0, 0, 0, 0, 0, 0, 0];
/// let mut batch = validate_frames(&received, ByteOrder::Little, Dialect::Godot4);
/// if let Some((frame, Err(error))) = batch.find(|(_, verdict)| verdict.is_err()) {
///     eprintln!("frame at byte {}: {error}", frame.offset());
/// }
/// ```
pub fn validate_frames(
    bytes: &[u8],
    order: ByteOrder,
    options: impl Into<Options>,
) -> FrameBatch<'_> {
    FrameBatch { frames: frames(bytes, order), options: options.into(), tally: Tally::default() }
}

/// Iterator of [`validate_frames`]. A step costs O(bytes of the frame) and allocates nothing.
#[derive(Clone, Debug)]
pub struct FrameBatch<'a> {
    frames: Frames<'a>,
    options: Options,
    tally: Tally,
}

impl<'a> FrameBatch<'a> {
    /// Sets the longest accepted frame, in bytes without the length prefix. A longer frame ends the batch
    /// ([`FrameBatch::too_long`]), even if its bytes have not arrived.
    #[must_use]
    pub const fn max_len(mut self, max_len: u32) -> Self {
        self.frames = self.frames.max_len(max_len);
        self
    }

    /// The number of bytes of the frames yielded so far, length prefixes included: the offset of the next frame. O(1).
    pub const fn consumed(&self) -> usize {
        self.frames.offset()
    }

    /// The numbers of valid and invalid frames so far. O(1).
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Validates the frames that are left, and returns the numbers for all frames. O(bytes).
    #[must_use]
    pub fn finish(&mut self) -> Tally {
        self.for_each(drop);
        self.tally
    }

    /// The number of bytes that the next frame lacks. If its length prefix is incomplete, the number of bytes that the
    /// prefix lacks. 0 if the next frame is complete or exceeds the limit, and at the end of the bytes. O(1).
    pub fn missing(&self) -> usize {
        self.rest().filter(FrameError::is_incomplete).map_or(0, |error| error.missing())
    }

    /// The error of the next frame if it exceeds [`FrameBatch::max_len`]. O(1).
    ///
    /// The stream cannot continue: its next frame starts after all bytes of this frame.
    ///
    /// ```
    /// use variant_io::{ByteOrder, validate_frames};
    /// use variant_view::Dialect;
    ///
    /// let received = [0xff; 6];
    /// let mut batch = validate_frames(&received, ByteOrder::Little, Dialect::Godot4).max_len(1 << 16);
    /// assert_eq!(batch.finish().valid, 0);
    /// assert!(batch.too_long().is_some_and(|error| error.needed() == u32::MAX)); // disconnect
    /// ```
    pub fn too_long(&self) -> Option<FrameError> {
        self.rest().filter(|error| !error.is_incomplete())
    }

    fn rest(&self) -> Option<FrameError> {
        match self.frames.clone().next() {
            Some(Err(error)) => Some(error),
            _ => None,
        }
    }

    #[inline]
    fn judge(&mut self, frame: &Frame<'a>) -> Result<Summary> {
        let verdict = judge(frame.bytes(), &self.options);
        self.tally.count(&verdict);
        verdict.map_err(|error| error.in_buffer(frame.start()))
    }
}

impl<'a> Iterator for FrameBatch<'a> {
    type Item = (Frame<'a>, Result<Summary>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let frame = self.frames.complete()?;
        let verdict = self.judge(&frame);
        Some((frame, verdict))
    }
}

// An incomplete frame stays incomplete, since the bytes do not change.
impl std::iter::FusedIterator for FrameBatch<'_> {}

/// Validates many documents, such as the datagrams that a socket has delivered since the last wake-up. O(1); the
/// iterator costs O(bytes) in all and allocates nothing.
///
/// Yields the verdict of each document, in order. Offsets of errors count from the start of the document.
///
/// ```
/// use variant_io::validate_documents;
/// use variant_view::{Dialect, Options, Result, Summary};
///
/// let datagrams: [&[u8]; 3] = [&[2, 0, 0, 0, 7, 0, 0, 0], &[2, 0, 0, 0, 7], &[0; 4]];
/// let mut verdicts: Vec<Result<Summary>> = Vec::with_capacity(64); // reused at the next wake-up
/// let mut batch = validate_documents(&datagrams, Options::server(Dialect::Godot4));
/// verdicts.extend(&mut batch);
/// assert!(verdicts[0].is_ok() && verdicts[1].is_err());
/// assert_eq!((batch.tally().valid, batch.tally().invalid), (2, 1));
/// ```
pub fn validate_documents<I: IntoIterator<Item: AsRef<[u8]>>>(
    documents: I,
    options: impl Into<Options>,
) -> DocumentBatch<I::IntoIter> {
    let documents = documents.into_iter();
    DocumentBatch { documents, options: options.into(), tally: Tally::default() }
}

/// Iterator of [`validate_documents`]. A step costs O(bytes of the document) and allocates nothing.
#[derive(Clone, Debug)]
pub struct DocumentBatch<I> {
    documents: I,
    options: Options,
    tally: Tally,
}

impl<I: Iterator<Item: AsRef<[u8]>>> DocumentBatch<I> {
    /// The numbers of valid and invalid documents so far. O(1).
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Validates the documents that are left, and returns the numbers for all documents. O(bytes).
    #[must_use]
    pub fn finish(&mut self) -> Tally {
        self.for_each(drop);
        self.tally
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>> Iterator for DocumentBatch<I> {
    type Item = Result<Summary>;

    #[inline]
    fn next(&mut self) -> Option<Result<Summary>> {
        let document = self.documents.next()?;
        let verdict = judge(document.as_ref(), &self.options);
        self.tally.count(&verdict);
        Some(verdict)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.documents.size_hint()
    }
}

impl<I: ExactSizeIterator<Item: AsRef<[u8]>>> ExactSizeIterator for DocumentBatch<I> {}
impl<I: std::iter::FusedIterator<Item: AsRef<[u8]>>> std::iter::FusedIterator for DocumentBatch<I> {}

#[inline]
fn judge(document: &[u8], options: &Options) -> Result<Summary> {
    Document::new(document, options).validate()
}
