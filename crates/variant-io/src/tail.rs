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
        // Only a known kind is cut.
        [_, zero, flags, last_zero, ..] => zero == 0 && flags < FLAGS && last_zero == 0,
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

#[cfg(test)]
mod tests {
    use super::*;

    const LITTLE: Framing = Framing::Frames(ByteOrder::Little);
    /// `store_var({7: null})`, as Godot 4 writes it.
    const FRAME: [u8; 24] =
        [20, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];

    /// Whether bytes after a frame are a tail.
    #[track_caller]
    fn is_tail(rest: &[u8], order: ByteOrder) -> bool {
        let frame = match order {
            ByteOrder::Little => FRAME,
            ByteOrder::Big => {
                let mut frame = FRAME;
                frame[..WORD].reverse();
                frame
            }
        };
        let file = [&frame, rest].concat();
        let len = Framing::Frames(order).tail_len(&file, Dialect::Godot4);
        assert!(len == 0 || len == rest.len(), "{rest:?}: {len}");
        len > 0
    }

    /// A prefix of 8, and the first bytes of the value.
    fn cut(content: &[u8]) -> Vec<u8> {
        [&[8, 0, 0, 0], content].concat()
    }

    #[test]
    fn the_start_of_a_length_prefix_is_no_tail() {
        for (rest, of_little, of_big) in [
            (&[8][..], false, true),
            (&[8, 0, 0], false, true),
            (&[9], true, true),
            (&[6, 0, 0], true, true),
            (&[0], true, false),
            (&[0, 0, 0], true, false),
            (&[0, 1], false, false),
            (&[4, 7], false, true),
        ] {
            assert_eq!(is_tail(rest, ByteOrder::Little), of_little, "{rest:?}");
            assert_eq!(is_tail(rest, ByteOrder::Big), of_big, "{rest:?}");
        }
    }

    #[test]
    fn the_start_of_a_header_is_no_tail() {
        for (content, is_right) in [
            (&[][..], false),
            (&[0], false),
            (&[63], false),
            (&[64], true),
            (&[65], true),
            (&[2, 0], false),
            (&[64, 0], true),
            (&[2, 1], true),
            (&[2, 0, 15], false),
            (&[2, 0, 16], true),
            (&[2, 1, 0], true),
            (&[64, 0, 0], true),
            (&[2, 0, 0, 0], false),
            (&[2, 0, 0, 0, 7], false),
            (&[2, 0, 15, 0], false),
            (&[2, 0, 16, 0], true),
            (&[2, 1, 0, 0], true),
            (&[2, 0, 0, 1], true),
            (&[64, 0, 0, 0], true),
        ] {
            assert_eq!(is_tail(&cut(content), ByteOrder::Little), is_right, "{content:?}");
        }
    }

    /// Engines write frames of a multiple of four bytes, up to 16 MiB. More bytes of a value are other evidence.
    #[test]
    fn an_unusual_length_needs_a_value() {
        for (claimed, is_usual) in [
            (8_u32, true),
            (12, true),
            (9, false),
            (10, false),
            (1 << 24, true),
            ((1 << 24) + 4, false),
            (u32::MAX - 3, false),
        ] {
            let prefix = claimed.to_le_bytes();
            let starting = |content: &[u8]| [&prefix[..], content].concat();
            let int = [2, 0, 0, 0, 7, 0, 0];
            assert_eq!(is_tail(&starting(&int), ByteOrder::Little), !is_usual, "{claimed}");
            // 8 bytes of a value that is not at its end.
            let text = [4, 0, 0, 0, 99, 0, 0, 0];
            assert_eq!(is_tail(&starting(&text[..7]), ByteOrder::Little), !is_usual, "{claimed}");
            assert!(!is_tail(&starting(&text), ByteOrder::Little), "{claimed}");
        }
    }

    /// The last bytes are a value, but the prefix counts more bytes.
    #[test]
    fn a_whole_value_with_another_length_is_a_frame_if_it_is_evidence() {
        let dictionary = &FRAME[WORD..];
        let int = [2, 0, 0, 0, 7, 0, 0, 0];
        for (claimed, content, is_right) in [
            // Up to three bytes of padding are missing.
            (9_u8, &int[..], false),
            (11, &int, false),
            (12, &int, true),
            (99, &int, true),
            // A value of several values is not a coincidence.
            (99, dictionary, false),
            (3, dictionary, false),
            // Neither is a frame after the value.
            (99, &[&int[..], &FRAME].concat(), false),
            (99, &[&int[..], &[1; 9]].concat(), true),
        ] {
            let rest = [&[claimed, 0, 0, 0], content].concat();
            assert_eq!(is_tail(&rest, ByteOrder::Little), is_right, "{claimed} {content:?}");
        }
    }

    /// At least 16 bytes, and at least a half, are valid.
    #[test]
    fn a_frame_that_is_mostly_valid_is_no_tail() {
        // An array of ints that ends in bytes of no kind.
        let damaged = |ints: usize, len: usize| {
            let int = [2, 0, 0, 0, 7, 0, 0, 0];
            let mut content = [&[28, 0, 0, 0, 99, 0, 0, 0], &int.repeat(ints)[..]].concat();
            content.resize(len, 0xee);
            content
        };
        for (ints, len, is_right) in [
            (1, 24, false),
            (1, 32, false),
            (1, 33, false),
            (1, 34, true),
            (1, 48, true),
            (0, 16, true),
            (3, 64, false),
            (3, 66, true),
        ] {
            let content = damaged(ints, len);
            // The frame is cut, or a tail follows it.
            for (claimed, after) in [(len + 100, &[][..]), (len, &[0xee; 2])] {
                let prefix = u32::try_from(claimed).unwrap().to_le_bytes();
                let rest = [&prefix[..], &content, after].concat();
                assert_eq!(is_tail(&rest, ByteOrder::Little), is_right, "{ints} {len} {claimed}");
            }
        }
    }

    #[test]
    fn files_without_a_value_have_no_tail() {
        for bytes in [&[][..], &[0; 4], &[0; 64], &[0xff; 64], &FRAME[..23]] {
            assert_eq!(LITTLE.tail_len(bytes, Dialect::Godot4), 0, "{bytes:?}");
            assert_eq!(LITTLE.tail_of_any(bytes), None, "{bytes:?}");
        }
        for framing in [Framing::Bare, Framing::Settings, Framing::Sequence(Dialect::Godot4)] {
            assert_eq!(framing.tail_of_any(&[&FRAME[..], b"more"].concat()), None);
        }
        assert_eq!(Framing::Sequence(Dialect::Godot4).tail_len(&[0xff; 9], Dialect::Godot4), 0);
        assert_eq!(Framing::Bare.tail_len(&[0xff; 9], Dialect::Godot4), 0);
        assert_eq!(Framing::Bare.tail_len(&FRAME[WORD..], Dialect::Godot4), 0);
        assert_eq!(Framing::Bare.tail_len(&[&FRAME[WORD..], &[1]].concat(), Dialect::Godot4), 1);
    }

    #[test]
    fn bytes_after_whole_settings_are_a_tail() {
        let file = b"ECFG\x01\0\0\0\x01\0\0\0a\x04\0\0\0\0\0\0\0";
        for len in 0..5 {
            let longer = [&file[..], &[1; 5][..len]].concat();
            assert_eq!(Framing::Settings.tail_len(&longer, Dialect::Godot4), len);
        }
        assert_eq!(Framing::Settings.tail_len(&file[..20], Dialect::Godot4), 0);
    }

    /// The dialects that read most of the frames decide.
    #[test]
    fn an_unknown_dialect_has_a_tail_if_its_readers_agree() {
        assert_eq!(LITTLE.tail_of_any(&FRAME.repeat(2)), None);
        // Godot 2 also reads the first frame, and would read the second as a packed array that is cut.
        let cut = [&FRAME[..], &[99, 0, 0, 0, 28, 0, 0, 0, 99, 0, 0, 0], &[0xee; 8]].concat();
        assert_eq!(LITTLE.tail_len(&cut, Dialect::Godot4), 20);
        assert_eq!(LITTLE.tail_len(&cut, Dialect::Godot2), 0);
        assert_eq!(LITTLE.tail_of_any(&cut), None);
        let of_godot3 = [&[20, 0, 0, 0, 18], &FRAME[5..]].concat();
        for frame in [&FRAME[..], &of_godot3] {
            let tail = b"\xa7\xee\x27\xfb\xae\x27\xbc\x40";
            for count in 1..4 {
                let bytes = [&frame.repeat(count)[..], tail].concat();
                assert_eq!(LITTLE.tail_of_any(&bytes), Some(8));
                let cut = [&frame.repeat(count)[..], &frame[..20]].concat();
                assert_eq!(LITTLE.tail_of_any(&cut), None);
            }
        }
    }
}
