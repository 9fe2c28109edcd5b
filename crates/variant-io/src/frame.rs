//! [`Frames`]: values behind length words, as `store_var` and `put_var` write them
//! (docs/format.md, section 4.1).

use std::fmt;

/// The order of the bytes of a length word.
///
/// It follows the file's or the stream's `big_endian` setting; the value behind it is little-endian
/// whatever that says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ByteOrder {
    /// Low byte first, as the engines do unless told otherwise.
    #[default]
    Little,
    /// High byte first.
    Big,
}

impl ByteOrder {
    fn word(self, bytes: [u8; 4]) -> u32 {
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

/// The frames of `bytes`, of which nothing but the length words is read. O(1).
///
/// ```
/// use variant_io::{ByteOrder, frames};
///
/// let cut = [8, 0, 0, 0, 2, 0, 0, 0];
/// let error = frames(&cut, ByteOrder::Little).next().unwrap().unwrap_err();
/// assert_eq!(error.missing(), 4);
/// ```
///
/// Of bytes that are still arriving, as many frames as are whole; the error behind them says how many bytes
/// are missing at least, and [`Frames::starting_at`] goes on from there:
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
    Frames { bytes, order, offset: 0, max_len: u32::MAX, ended: false }
}

/// Iterator of [`frames`]: ends after the first error. O(1) each.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
    offset: usize,
    max_len: u32,
    ended: bool,
}

/// The bytes of one value, behind its length word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    offset: usize,
    bytes: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The byte at which the length word starts.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The byte at which the value starts.
    pub const fn start(&self) -> usize {
        self.offset.saturating_add(WORD)
    }

    /// The value, and whatever else the length word counts.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

/// The bytes of a length word.
pub(crate) const WORD: usize = 4;

impl<'a> Frames<'a> {
    /// With frames of at most so many bytes, not counting the length word. A longer one is an error whether it
    /// is there or not, so that nobody waits for it.
    #[must_use]
    pub const fn max_len(mut self, max_len: u32) -> Self {
        self.max_len = max_len;
        self
    }

    /// From byte `offset` on, which a length word starts at.
    #[must_use]
    pub const fn starting_at(mut self, offset: usize) -> Self {
        self.offset = offset;
        self.ended = false;
        self
    }

    /// The byte at which the next frame starts; after an error, the one that is broken.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    fn frame(&self, rest: &'a [u8]) -> Result<Frame<'a>, FrameError> {
        let offset = self.offset;
        let error = |part, needed, found| FrameError { part, offset, needed, found, max_len: None };
        let Some((word, rest)) = rest.split_first_chunk::<WORD>() else {
            return Err(error(FramePart::Length, 4, rest.len()));
        };
        let len = self.order.word(*word);
        let error = error(FramePart::Value, len, rest.len());
        if len > self.max_len {
            return Err(FrameError { max_len: Some(self.max_len), ..error });
        }
        let bytes = usize::try_from(len).ok().and_then(|len| rest.get(..len));
        bytes.map(|bytes| Frame { offset, bytes }).ok_or(error)
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, FrameError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.offset..).filter(|rest| !rest.is_empty() && !self.ended)?;
        let frame = self.frame(rest);
        match &frame {
            Ok(frame) => self.offset = frame.start().saturating_add(frame.bytes.len()),
            Err(_) => self.ended = true,
        }
        Some(frame)
    }
}

impl std::iter::FusedIterator for Frames<'_> {}

/// A frame that ends too early, or is longer than it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameError {
    part: FramePart,
    offset: usize,
    needed: u32,
    found: usize,
    max_len: Option<u32>,
}

/// What of a frame is missing bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePart {
    /// The length word itself.
    Length,
    /// What it counts.
    Value,
}

impl FrameError {
    /// What is missing bytes.
    pub const fn part(&self) -> FramePart {
        self.part
    }

    /// The byte at which the length word starts.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The bytes it takes.
    pub const fn needed(&self) -> u32 {
        self.needed
    }

    /// The bytes there are.
    pub const fn found(&self) -> usize {
        self.found
    }

    /// How many more bytes it takes; of a length word that is cut, to the end of the word.
    pub fn missing(&self) -> usize {
        usize::try_from(self.needed).unwrap_or(usize::MAX).saturating_sub(self.found)
    }

    /// The byte at which the value starts, of which not all is there; none if its length word is cut.
    pub const fn value_start(&self) -> Option<usize> {
        match self.part {
            FramePart::Length => None,
            FramePart::Value => Some(self.offset.saturating_add(WORD)),
        }
    }

    /// Whether more bytes would mend it; no number of them mends a frame that is too long.
    pub const fn is_incomplete(&self) -> bool {
        self.max_len.is_none()
    }

    /// The bytes that it may take, if it takes more.
    pub const fn max_len(&self) -> Option<u32> {
        self.max_len
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, needed, found, .. } = self;
        if let Some(max_len) = self.max_len {
            return write!(
                f,
                "length word at byte {offset} asks for {needed} bytes, more than the {max_len} that a \
                 frame may have"
            );
        }
        match self.part {
            FramePart::Length => {
                write!(f, "length word at byte {offset} needs {needed} bytes, {found} are left")
            }
            FramePart::Value => write!(
                f,
                "length word at byte {offset} asks for {needed} bytes, {found} are left, {} more \
                 are needed",
                self.missing()
            ),
        }
    }
}

impl std::error::Error for FrameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_stand_one_behind_the_other() {
        let bytes = [4, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 9];
        let all: Result<Vec<_>, _> = frames(&bytes, ByteOrder::Little).collect();
        let all: Vec<_> = all.unwrap().iter().map(|f| (f.offset(), f.start(), f.bytes())).collect();
        assert_eq!(all, [(0, 4, &[1, 2, 3, 4][..]), (8, 12, &[]), (12, 16, &[9])]);
    }

    #[test]
    fn the_length_word_has_an_order() {
        let bytes = [0, 0, 0, 2, 7, 8];
        assert_eq!(frames(&bytes, ByteOrder::Big).next().unwrap().unwrap().bytes(), [7, 8]);
        let error = frames(&bytes, ByteOrder::Little).next().unwrap().unwrap_err();
        assert_eq!((error.needed(), error.found()), (0x0200_0000, 2));
    }

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
    fn a_cut_length_word_is_told_apart() {
        let error = frames(&[1, 0], ByteOrder::Little).next().unwrap().unwrap_err();
        assert_eq!((error.part(), error.missing()), (FramePart::Length, 2));
        assert_eq!(error.to_string(), "length word at byte 0 needs 4 bytes, 2 are left");
    }

    #[test]
    fn a_frame_that_is_too_long_is_not_waited_for() {
        let bytes = [5, 0, 0, 0, 1, 2, 3, 4, 5];
        let of = |max| frames(&bytes, ByteOrder::Little).max_len(max).next().unwrap();
        assert!(of(5).is_ok());
        let error = of(4).unwrap_err();
        assert!(!error.is_incomplete());
        assert_eq!((error.max_len(), error.needed()), (Some(4), 5));
        let text = "length word at byte 0 asks for 5 bytes, more than the 4 that a frame may have";
        assert_eq!(error.to_string(), text);
        // Neither is one that is not there.
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
