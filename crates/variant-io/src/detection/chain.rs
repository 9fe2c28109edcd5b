//! [`Chain`]: the first frames or settings of a file.

use crate::framing::Framing;
use crate::value::ValueError;

/// The maximum number of values that are read to detect a framing.
const MAX_FRAMES: usize = 64;
/// Values that start after this many bytes are not read.
const MAX_BYTES: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// The number of complete values.
    pub(super) whole: usize,
    /// The length of the first value in bytes.
    pub(super) first_len: usize,
    /// The length of the shortest value in bytes.
    pub(super) shortest: usize,
    pub(super) end: End,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// The chain ends at the end of the file.
    File,
    /// The chain ends at a limit of this module; more values follow.
    More,
    /// The chain ends at an incomplete value.
    Cut(ValueError),
    /// The chain ends before the end of the file: the last bytes are not a frame. The field is the number of these
    /// bytes.
    Tail(usize),
}

impl Chain {
    /// Reads the first values of `bytes`, and the chain that they form. Includes an incomplete last value, but not
    /// bytes after the last frame that are not a frame.
    pub(super) fn read(bytes: &[u8], framing: Framing) -> (Vec<&[u8]>, Self) {
        let (values, chain) = Self::follow(bytes, framing);
        let may_have_tail = match chain.end {
            End::Cut(_) => chain.whole > 0,
            _ => chain.whole > 1 && values.last().is_some_and(|last| last.is_empty()),
        };
        let tail = may_have_tail.then(|| framing.tail_of_any(bytes)).flatten();
        let before = tail.and_then(|len| Some((len, bytes.get(..bytes.len().checked_sub(len)?)?)));
        let Some((len, before)) = before else { return (values, chain) };
        let (values, chain) = Self::follow(before, framing);
        (values, Self { end: End::Tail(len), ..chain })
    }

    /// Follows the length prefixes up to an incomplete value, which is included.
    fn follow(bytes: &[u8], framing: Framing) -> (Vec<&[u8]>, Self) {
        let mut all = framing.values(bytes);
        let mut values = Vec::new();
        let mut end = End::File;
        while values.len() < MAX_FRAMES && all.offset() < MAX_BYTES {
            match all.next() {
                None => break,
                Some(Ok(value)) => values.push(value.bytes),
                Some(Err(error)) => {
                    end = End::Cut(error);
                    break;
                }
            }
        }
        let first_len = values.first().map_or(0, |value| value.len());
        let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
        let whole = values.len();
        match end {
            End::Cut(error) => {
                values.extend(error.value_start().and_then(|start| bytes.get(start..)));
            }
            End::File if all.next().is_some() => end = End::More,
            _ => {}
        }
        (values, Self { whole, first_len, shortest, end })
    }
}
