//! [`Frames`]: the frames of a damaged file.

use variant_io::{ByteOrder, Framing};
use variant_view::{Document, Options};

use super::hole::{Hole, Holes};
use super::value::recover;
use crate::seek::{Seeker, WORD};

/// Reads the frames of a file. Broken frames do not end the iteration.
///
/// A length prefix is trusted if another frame, or the end of the file, follows the bytes that it counts. Otherwise the
/// value after the prefix may determine the end of the frame. If this value is also broken, the search continues at the
/// next frame. Such a frame must have a length and a content that agree, and another frame must follow it.
pub(super) struct Frames<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
    options: Options,
    seeker: Seeker<'a>,
    at: usize,
    number: u64,
}

/// The bytes of a frame; fewer than its length if the file is cut.
struct Part<'a> {
    start: usize,
    bytes: &'a [u8],
    is_whole: bool,
    /// The fault of the length prefix, if the prefix is wrong. `is_cut` is whether only bytes at the end of the frame
    /// are missing.
    fault: Option<String>,
    is_cut: bool,
}

impl<'a> Frames<'a> {
    pub(super) fn new(bytes: &'a [u8], order: ByteOrder, options: Options) -> Self {
        let seeker = Seeker::new(bytes, options, Some(Framing::Frames(order)));
        Self { bytes, order, options, seeker, at: 0, number: 0 }
    }

    /// The recovered value of the next frame; empty if nothing of the value is valid. `None` at the end of the file.
    pub(super) fn next(&mut self, holes: &mut Holes) -> Option<Vec<u8>> {
        let from = self.at;
        let Some(part) = self.part() else {
            // Zeros up to the end are not frames: they are the result of a crash.
            let end = self.bytes.len();
            if from < end {
                holes.add(Hole::new(from, end, "zeros to the end".to_owned()));
                self.at = end;
            }
            return None;
        };
        self.number = self.number.saturating_add(1);
        let called = format!("frame {}: ", self.number);
        let recovered = recover(part.bytes, self.options, part.is_whole);
        if let Some(reason) = part.fault {
            let end = self.bytes.len();
            let (start, end) = if part.is_cut { (end, end) } else { (from, part.start) };
            holes.add(Hole::new(start, end, format!("{called}{reason}")));
        }
        holes.add_all(recovered.holes, part.start, &called);
        Some(recovered.bytes)
    }

    fn part(&mut self) -> Option<Part<'a>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        if rest.iter().all(|byte| *byte == 0) {
            return None;
        }
        let start = self.at.saturating_add(WORD).min(self.bytes.len());
        let (word, value) = rest.split_at(WORD.min(rest.len()));
        let claimed = self.claimed(word);
        let part = |bytes, is_whole, fault| Part { start, bytes, is_whole, fault, is_cut: false };
        if let Some(bytes) = claimed.and_then(|len| value.get(..len)) {
            let end = start.saturating_add(bytes.len());
            if self.len(bytes) == Some(bytes.len()) || self.is_end(end) {
                self.at = end;
                return Some(part(bytes, true, None));
            }
        }
        let claimed = claimed.map_or("is cut".to_owned(), |len| format!("claims {len} bytes"));
        let told = |len: usize| format!("length prefix {claimed}, found {len}");
        let sound = self.len(value).map(|len| (len, start.saturating_add(len)));
        if let Some((len, end)) = sound.filter(|(_, end)| self.is_end(*end)) {
            self.at = end;
            return Some(part(value.get(..len).unwrap_or_default(), true, Some(told(len))));
        }
        let next = self.next_frame(self.at.saturating_add(1)).unwrap_or(self.bytes.len());
        let is_cut = next == self.bytes.len();
        self.at = next;
        let bytes = self.bytes.get(start..next).unwrap_or_default();
        let len = bytes.len();
        let fault =
            if is_cut { format!("length prefix {claimed}, cut to {len}") } else { told(len) };
        Some(Part { is_cut, ..part(bytes, false, Some(fault)) })
    }

    fn claimed(&self, word: &[u8]) -> Option<usize> {
        let word = *word.first_chunk()?;
        let len = match self.order {
            ByteOrder::Little => u32::from_le_bytes(word),
            ByteOrder::Big => u32::from_be_bytes(word),
        };
        usize::try_from(len).ok()
    }

    /// The length of the value at the start of `bytes`, if it is valid.
    fn len(&self, bytes: &[u8]) -> Option<usize> {
        Document::new(bytes, self.options).validate().ok().map(|summary| summary.consumed)
    }

    /// Whether a frame may end here: another frame follows, or this is the end of the file.
    fn is_end(&mut self, at: usize) -> bool {
        at == self.bytes.len() || self.seeker.hit(at, true).is_some()
    }

    /// The next frame that is followed by another frame or by the end of the file. If the frame is short, the same must
    /// hold for the frame after it.
    fn next_frame(&mut self, from: usize) -> Option<usize> {
        let mut from = from;
        while let Some((start, _)) = self.seeker.next_start(from, None) {
            if self.seeker.is_tired() {
                return None;
            }
            if let Some(end) = self.end_of(start) {
                let is_long = end.saturating_sub(start) >= SHORT;
                let behind = if is_long { Some(end) } else { self.end_of(end) };
                if behind.is_some_and(|behind| self.is_end(behind)) {
                    return Some(start);
                }
            }
            from = start.saturating_add(1);
        }
        None
    }

    /// The end of the frame at `at`, if its length and content agree.
    fn end_of(&mut self, at: usize) -> Option<usize> {
        self.seeker.hit(at, true).map(|hit| hit.start.saturating_add(hit.len))
    }
}

/// Frames of at least this size in bytes, including the length prefix, are unlikely to be there by chance.
const SHORT: usize = 16;
