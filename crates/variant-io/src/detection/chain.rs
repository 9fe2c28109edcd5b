//! [`Chain`]: the first frames or settings of a file.

use crate::framing::Framing;
use crate::value::ValueError;

/// The most values that are read to detect a framing.
const MAX_FRAMES: usize = 64;
/// Values that start after this many bytes are not read.
const MAX_BYTES: usize = 1 << 20;

/// The first frames or settings of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// The number of complete values.
    pub(super) whole: usize,
    /// The length of the first value in bytes.
    pub(super) first_len: usize,
    pub(super) end: End,
}

/// How a [`Chain`] ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// At the end of the file.
    File,
    /// At a limit of this module; more values follow.
    More,
    /// At an incomplete value.
    Cut(ValueError),
}

impl Chain {
    /// Reads the first values of `bytes`, and the chain that they form. An incomplete last value is
    /// included.
    pub(super) fn read(bytes: &[u8], framing: Framing) -> (Vec<&[u8]>, Self) {
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
        let whole = values.len();
        match end {
            End::Cut(error) => {
                values.extend(error.value_start().and_then(|start| bytes.get(start..)));
            }
            End::File if all.next().is_some() => end = End::More,
            _ => {}
        }
        (values, Self { whole, first_len, end })
    }
}
