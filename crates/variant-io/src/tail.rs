//! [`Framing::tail_len`]: the bytes after the values of a file.

use variant_view::{Dialect, Document, ErrorClass, Limits, Objects, Options};

use crate::frame::{ByteOrder, WORD, frames};
use crate::framing::Framing;

impl Framing {
    /// The number of bytes after the last value in `bytes`: a checksum, a picture, or the end of an older, longer file
    /// that was overwritten. Engines ignore these bytes.
    ///
    /// The bytes after the last valid frame are a tail, unless they begin a frame. They begin a frame if they are a
    /// length prefix, and then content that is valid as far as the file goes. A file without a valid value has no tail.
    ///
    /// O(frames) if the length prefixes lead to the end of the file, O(bytes) otherwise.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    /// use variant_view::Dialect;
    ///
    /// let frames = Framing::Frames(ByteOrder::Little);
    /// let save = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
    /// let hash = [0xa7, 0xee, 0x27, 0xfb, 0xae, 0x27, 0xbc, 0x40];
    /// assert_eq!(frames.tail_len(&[&save[..], &hash].concat(), Dialect::Godot4), 8);
    /// // An incomplete second frame is not a tail.
    /// assert_eq!(frames.tail_len(&[&save[..], &save[..8]].concat(), Dialect::Godot4), 0);
    /// ```
    pub fn tail_len(self, bytes: &[u8], options: impl Into<Options>) -> usize {
        let options = options.into().objects(Objects::Accept);
        match self {
            Self::Bare => {
                value_len(bytes, options).map_or(0, |len| bytes.len().saturating_sub(len))
            }
            Self::Frames(order) => match After::frames(bytes, order, options) {
                After::Tail(len) => len,
                After::Nothing | After::Frame => 0,
            },
            Self::Sequence(_) => 0,
            Self::Settings => {
                let mut all = self.values(bytes);
                let is_whole = all.by_ref().all(|value| value.is_ok());
                if is_whole { bytes.len().saturating_sub(all.offset()) } else { 0 }
            }
        }
    }

    /// [`Framing::tail_len`] for an unknown dialect. The dialects that read the most frames decide. `None` without a
    /// tail, or if one of these dialects reads the bytes as an incomplete frame.
    pub(crate) fn tail_of_any(self, bytes: &[u8]) -> Option<usize> {
        let Self::Frames(order) = self else { return None };
        let all = Dialect::LIKELIEST.iter().map(|dialect| {
            let options = Options::engine(*dialect).limits(Limits::FILE).objects(Objects::Accept);
            (end_of_valid(bytes, order, options), options)
        });
        let all: Vec<_> = all.collect();
        let most = all.iter().map(|(end, _)| *end).max()?;
        let mut best = all.iter().filter(|(end, _)| *end == most);
        let len = best.try_fold(0_usize, |most, (_, options)| {
            match After::frames(bytes, order, *options) {
                After::Frame => None,
                After::Tail(len) => Some(most.max(len)),
                After::Nothing => Some(most),
            }
        });
        len.filter(|len| *len > 0)
    }
}

/// The bytes after the frames of a file.
enum After {
    /// The file has no valid frame.
    Nothing,
    /// A frame that is cut or damaged.
    Frame,
    /// Bytes that are not a frame.
    Tail(usize),
}

impl After {
    fn frames(bytes: &[u8], order: ByteOrder, options: Options) -> Self {
        let mut all = frames(bytes, order);
        let mut end = 0;
        while let Some(frame) = all.complete() {
            if !frame.bytes().is_empty() {
                end = all.offset();
            }
        }
        // Engines do not write empty frames, so words of zeros at the end are a tail.
        let end =
            if all.offset() == bytes.len() { end } else { end_of_valid(bytes, order, options) };
        match bytes.get(end..) {
            _ if end == 0 => Self::Nothing,
            Some(rest) if all.offset() < bytes.len() && begins_frame(rest, order, options) => {
                Self::Frame
            }
            rest => Self::Tail(rest.map_or(0, <[u8]>::len)),
        }
    }
}

/// The end of the last frame that is exactly a value; 0 without such a frame.
fn end_of_valid(bytes: &[u8], order: ByteOrder, options: Options) -> usize {
    let mut all = frames(bytes, order);
    let mut end = 0;
    while let Some(frame) = all.complete() {
        if value_len(frame.bytes(), options) == Some(frame.bytes().len()) {
            end = all.offset();
        }
    }
    end
}

fn value_len(bytes: &[u8], options: Options) -> Option<usize> {
    Document::new(bytes, options).validate().ok().map(|summary| summary.consumed)
}

/// Other data may by chance be a value of up to this size, in bytes.
const SHORT: usize = 8;

/// The longest plausible frame in bytes, if fewer than `SHORT` bytes follow the length prefix.
const LONGEST: usize = 1 << 24;

/// Whether `rest`, which is not a valid frame, begins with an incomplete or damaged frame.
fn begins_frame(rest: &[u8], order: ByteOrder, options: Options) -> bool {
    let Some((word, content)) = rest.split_first_chunk::<WORD>() else {
        return is_start_of_word(rest, order);
    };
    let Ok(claimed) = usize::try_from(order.word(*word)) else { return false };
    match Document::new(content, options).validate() {
        Ok(summary) => {
            let end = summary.consumed;
            let after = content.get(end..).unwrap_or_default();
            // True if only the padding of the value is cut.
            let is_cut = after.is_empty()
                && claimed.checked_sub(end).is_some_and(|cut| (1..4).contains(&cut));
            // True if the length prefix is damaged. A single value at the end may be a coincidence, so it does not
            // count.
            let is_last = after.is_empty() && summary.values > 1;
            is_cut || is_last || starts_with_frame(after, order, options)
        }
        Err(error) if claimed > content.len() => {
            let is_cut = error.class() == ErrorClass::Truncated && is_plausible(claimed, content);
            is_cut || is_mostly_valid(content, options)
        }
        Err(_) => content.get(..claimed).is_some_and(|content| is_mostly_valid(content, options)),
    }
}

/// Whether an incomplete length prefix may come from an engine, which writes only frames of a multiple of four bytes.
fn is_start_of_word(bytes: &[u8], order: ByteOrder) -> bool {
    match order {
        ByteOrder::Little => {
            bytes.first().is_some_and(|low| low.is_multiple_of(4))
                && bytes.iter().any(|byte| *byte != 0)
        }
        ByteOrder::Big => bytes.first() == Some(&0),
    }
}

fn is_plausible(claimed: usize, content: &[u8]) -> bool {
    let is_header = match *content {
        [kind, zero, flags, last_zero, ..] => {
            kind < KINDS && zero == 0 && flags < FLAGS && last_zero == 0
        }
        [kind, zero, flags] => kind < KINDS && zero == 0 && flags < FLAGS,
        [kind, zero] => kind < KINDS && zero == 0,
        [kind] => kind < KINDS,
        [] => true,
    };
    let is_usual = claimed.is_multiple_of(4) && (1..=LONGEST).contains(&claimed);
    is_header && (is_usual || content.len() >= SHORT)
}

/// Bounds of the header bytes that engines write: a kind is less than `KINDS`, and flags are less than `FLAGS`.
const KINDS: u8 = 64;
const FLAGS: u8 = 16;

/// Whether a frame of the right length is damaged inside.
fn is_mostly_valid(content: &[u8], options: Options) -> bool {
    let read = match Document::new(content, options).validate() {
        Ok(summary) => summary.consumed,
        Err(error) => error.offset(),
    };
    read >= SHORT.saturating_mul(2) && read >= content.len() / 2
}

fn starts_with_frame(bytes: &[u8], order: ByteOrder, options: Options) -> bool {
    let frame = frames(bytes, order).complete();
    frame.is_some_and(|frame| value_len(frame.bytes(), options) == Some(frame.bytes().len()))
}
