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
pub const fn frames(bytes: &[u8], order: ByteOrder) -> Frames<'_> {
    Frames { bytes, order, offset: 0, ended: false }
}

/// Iterator of [`frames`]: ends after the first error. O(1) each.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
    offset: usize,
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

const WORD: usize = 4;

impl<'a> Frames<'a> {
    /// The byte at which the next frame starts; after an error, the one that is broken.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    fn frame(&self, rest: &'a [u8]) -> Result<Frame<'a>, FrameError> {
        let offset = self.offset;
        let Some((word, rest)) = rest.split_first_chunk::<WORD>() else {
            let found = rest.len();
            return Err(FrameError { part: FramePart::Length, offset, needed: 4, found });
        };
        let needed = self.order.word(*word);
        let bytes = usize::try_from(needed).ok().and_then(|len| rest.get(..len));
        let found = rest.len();
        let error = FrameError { part: FramePart::Value, offset, needed, found };
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

/// A frame that ends too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameError {
    part: FramePart,
    offset: usize,
    needed: u32,
    found: usize,
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

    /// How many more bytes it takes.
    pub fn missing(&self) -> usize {
        usize::try_from(self.needed).unwrap_or(usize::MAX).saturating_sub(self.found)
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, needed, found, .. } = self;
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
    fn the_largest_length_is_no_overflow() {
        let error = frames(&[0xff; 12], ByteOrder::Big).next().unwrap().unwrap_err();
        assert_eq!(error.missing(), 0xffff_ffff - 8);
        assert!(frames(&[], ByteOrder::Little).next().is_none());
    }
}
