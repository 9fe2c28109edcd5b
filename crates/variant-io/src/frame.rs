//! [`Frames`]: length-prefixed values, as `store_var` and `put_var` write them (docs/spec/carriers.md#frames).

use std::fmt;

/// The byte order of a length prefix.
///
/// It follows the `big_endian` setting of the engine's file or stream. The value after the prefix is always
/// little-endian.
///
/// ```
/// use variant_io::{ByteOrder, frames};
///
/// let sent = [0, 0, 0, 4, 0, 0, 0, 0]; // put_var(null), with `big_endian`
/// assert!(frames(&sent, ByteOrder::Big).all(|frame| frame.is_ok()));
/// assert!(frames(&sent, ByteOrder::Little).any(|frame| frame.is_err()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ByteOrder {
    /// Low byte first: the engines' default.
    #[default]
    Little,
    /// High byte first.
    Big,
}

impl ByteOrder {
    pub(crate) fn word(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    pub(crate) const fn bytes(self, word: u32) -> [u8; WORD] {
        match self {
            Self::Little => word.to_le_bytes(),
            Self::Big => word.to_be_bytes(),
        }
    }
}

/// The length-prefixed values of `bytes`. O(1); the iterator reads length prefixes only and copies nothing.
///
/// For bytes that are still arriving, the iterator yields the complete frames, and then an error with the minimum
/// number of missing bytes. [`Frames::starting_at`] continues at the incomplete frame:
///
/// ```
/// use variant_io::{ByteOrder, frames};
///
/// let mut received = vec![4, 0, 0, 0, 0, 0, 0, 0, 4, 0];
/// let mut all = frames(&received, ByteOrder::Little).max_len(1 << 16);
/// assert!(all.next().unwrap().is_ok());
/// let error = all.next().unwrap().unwrap_err();
/// assert!(error.is_incomplete());
/// assert_eq!((all.offset(), error.missing()), (8, 2));
///
/// let offset = all.offset();
/// received.extend([0, 0, 0, 0, 0, 0]);
/// let frame = frames(&received, ByteOrder::Little).starting_at(offset).next().unwrap()?;
/// assert_eq!(frame.start(), 12);
/// # Ok::<(), variant_io::FrameError>(())
/// ```
pub const fn frames(bytes: &[u8], order: ByteOrder) -> Frames<'_> {
    Frames { bytes, order, offset: 0, max_len: u32::MAX, ended: false, has_failed: false }
}

/// Iterator of [`frames`]. Ends after the first error. O(1) per frame.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
    offset: usize,
    max_len: u32,
    ended: bool,
    /// Whether `nth` returned an error, which the next call returns again.
    has_failed: bool,
}

/// The bytes of one length-prefixed value; from [`Frames`].
///
/// ```
/// use variant_io::{ByteOrder, frames};
///
/// let sent = [4, 0, 0, 0, 0, 0, 0, 0];
/// let frame = frames(&sent, ByteOrder::Little).next().expect("a frame")?;
/// assert_eq!((frame.offset(), frame.start(), frame.bytes()), (0, 4, &sent[4..]));
/// # Ok::<(), variant_io::FrameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    offset: usize,
    bytes: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The offset of the length prefix.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The offset of the value.
    pub const fn start(&self) -> usize {
        self.offset.saturating_add(WORD)
    }

    /// All bytes that the length prefix counts: the value, and any bytes after it.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl AsRef<[u8]> for Frame<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// The size of a length prefix in bytes.
pub(crate) const WORD: usize = 4;

impl<'a> Frames<'a> {
    /// Sets the longest accepted frame, in bytes without the length prefix.
    /// A longer frame is an error at once, so that callers need not wait for its bytes.
    #[must_use]
    pub const fn max_len(mut self, max_len: u32) -> Self {
        self.max_len = max_len;
        self
    }

    /// Continues at byte `offset`, where a length prefix starts.
    #[must_use]
    pub const fn starting_at(mut self, offset: usize) -> Self {
        self.offset = offset;
        self.ended = false;
        self.has_failed = false;
        self
    }

    pub(crate) const fn has_ended(&self) -> bool {
        self.ended
    }

    pub(crate) const fn go_to(&mut self, offset: usize, has_ended: bool) {
        self.offset = offset;
        self.ended = has_ended;
        self.has_failed = false;
    }

    /// The offset of the next frame; after an error, the offset of the broken frame.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The next frame, if it is complete and within the limit.
    #[inline]
    pub(crate) fn complete(&mut self) -> Option<Frame<'a>> {
        let offset = self.offset;
        let (word, rest) = self.bytes.get(offset..)?.split_first_chunk::<WORD>()?;
        let len = self.order.word(*word);
        if len > self.max_len || self.ended {
            return None;
        }
        let bytes = rest.get(..usize::try_from(len).ok()?)?;
        let frame = Frame { offset, bytes };
        self.offset = frame.start().saturating_add(bytes.len());
        Some(frame)
    }

    /// The error of the next frame if it is incomplete or exceeds the limit; `None` at the end of the bytes.
    pub(crate) fn fault(&self) -> Option<FrameError> {
        let offset = self.offset;
        let rest = self.bytes.get(offset..).filter(|rest| !rest.is_empty())?;
        let error = |part, needed, found| FrameError { part, offset, needed, found, max_len: None };
        let Some((word, rest)) = rest.split_first_chunk::<WORD>() else {
            return Some(error(FramePart::Length, 4, rest.len()));
        };
        let len = self.order.word(*word);
        let max_len = (len > self.max_len).then_some(self.max_len);
        Some(FrameError { max_len, ..error(FramePart::Value, len, rest.len()) })
    }

    /// Ends the iteration. This is a separate function because an error is larger than a frame and occurs at most once.
    #[cold]
    fn end(&mut self) -> Option<Result<Frame<'a>, FrameError>> {
        let is_first = !std::mem::replace(&mut self.ended, true);
        self.fault().filter(|_| is_first).map(Err)
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, FrameError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.complete() {
            Some(frame) => Some(Ok(frame)),
            None => self.end(),
        }
    }

    /// Skips `n` frames. If one of them has an error, `nth` returns this error, and the next call returns it again, so
    /// that `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.has_failed {
            return self.next();
        }
        let skipped = self.by_ref().take(n).find(Result::is_err);
        let item = skipped.or_else(|| self.next())?;
        if item.is_err() {
            (self.has_failed, self.ended) = (true, false);
        }
        Some(item)
    }
}

impl std::iter::FusedIterator for Frames<'_> {}

/// A frame that is incomplete or exceeds the limit; from [`Frames`].
///
/// ```
/// use variant_io::{ByteOrder, FramePart, frames};
///
/// // The prefix claims 256 bytes, and one has arrived.
/// let first = |max_len| frames(&[0, 1, 0, 0, 7], ByteOrder::Little).max_len(max_len).next();
/// let wait = first(1_000).expect("an error").unwrap_err();
/// assert_eq!((wait.is_incomplete(), wait.part(), wait.missing()), (true, FramePart::Value, 255));
/// let close = first(100).expect("an error").unwrap_err();
/// assert_eq!((close.is_incomplete(), close.max_len(), close.needed()), (false, Some(100), 256));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameError {
    part: FramePart,
    offset: usize,
    needed: u32,
    found: usize,
    max_len: Option<u32>,
}

/// The part of a frame that is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePart {
    /// The length prefix.
    Length,
    /// The bytes that the length prefix counts.
    Value,
}

impl FrameError {
    /// The incomplete part.
    pub const fn part(&self) -> FramePart {
        self.part
    }

    /// The offset of the length prefix.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The number of bytes that the part needs.
    pub const fn needed(&self) -> u32 {
        self.needed
    }

    /// The number of bytes found.
    pub const fn found(&self) -> usize {
        self.found
    }

    /// The number of missing bytes. If the length prefix is incomplete, the number of bytes that the prefix lacks.
    pub fn missing(&self) -> usize {
        usize::try_from(self.needed).unwrap_or(usize::MAX).saturating_sub(self.found)
    }

    /// The offset of the incomplete value; `None` if the length prefix itself is incomplete.
    pub const fn value_start(&self) -> Option<usize> {
        match self.part {
            FramePart::Length => None,
            FramePart::Value => Some(self.offset.saturating_add(WORD)),
        }
    }

    /// Whether more bytes can complete the frame. False for a frame that exceeds the limit.
    pub const fn is_incomplete(&self) -> bool {
        self.max_len.is_none()
    }

    /// The limit in bytes, if the frame exceeds it.
    pub const fn max_len(&self) -> Option<u32> {
        self.max_len
    }
}

impl FrameError {
    /// The message without the offset.
    pub(crate) const fn problem(&self) -> Problem<'_> {
        Problem(self)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'e>(&'e FrameError);

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &FrameError { part, needed, found, max_len, .. } = self.0;
        match (max_len, part) {
            (Some(max_len), _) => {
                write!(f, "the length prefix claims {needed} bytes, the limit is {max_len}")
            }
            (None, FramePart::Length) => {
                write!(f, "the length prefix needs {needed} bytes, {found} are left")
            }
            (None, FramePart::Value) => {
                let missing = self.0.missing();
                write!(
                    f,
                    "the length prefix claims {needed} bytes, {found} are left, {missing} are missing"
                )
            }
        }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.problem())
    }
}

impl std::error::Error for FrameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_frame_is_the_last() {
        let bytes = [0, 0, 0, 0, 5, 0, 0, 0, 1];
        let mut all = frames(&bytes, ByteOrder::Little);
        assert!(all.next().unwrap().is_ok());
        let error = all.next().unwrap().unwrap_err();
        assert_eq!((error.part(), error.offset(), error.missing()), (FramePart::Value, 4, 4));
        assert!(all.next().is_none() && all.next().is_none());
        assert_eq!(all.offset(), 4);
    }

    #[test]
    fn a_cut_length_prefix_is_told_apart() {
        let error = frames(&[1, 0], ByteOrder::Little).next().unwrap().unwrap_err();
        assert_eq!((error.part(), error.missing()), (FramePart::Length, 2));
        assert_eq!(error.to_string(), "byte 0: the length prefix needs 4 bytes, 2 are left");
    }

    #[test]
    fn a_frame_that_is_too_long_is_not_waited_for() {
        let bytes = [5, 0, 0, 0, 1, 2, 3, 4, 5];
        let of = |max| frames(&bytes, ByteOrder::Little).max_len(max).next().unwrap();
        assert!(of(5).is_ok());
        let error = of(4).unwrap_err();
        assert!(!error.is_incomplete());
        assert_eq!((error.max_len(), error.needed()), (Some(4), 5));
        let text = "byte 0: the length prefix claims 5 bytes, the limit is 4";
        assert_eq!(error.to_string(), text);
        // The error comes before the bytes of the frame arrive.
        let error = frames(&[0xff; 4], ByteOrder::Little).max_len(4).next().unwrap().unwrap_err();
        assert!(!error.is_incomplete());
    }

    #[test]
    fn the_largest_length_is_no_overflow() {
        let error = frames(&[0xff; 12], ByteOrder::Big).next().unwrap().unwrap_err();
        assert_eq!(error.missing(), 0xffff_ffff - 8);
        assert!(frames(&[], ByteOrder::Little).next().is_none());
    }
}
