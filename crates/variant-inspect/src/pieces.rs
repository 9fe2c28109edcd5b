//! [`Piece`]: the bytes of one value, and where in the file they are.

use variant_io::{Frame, FrameError, Framing, frames};

/// The bytes of one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// Which one it is, from 1.
    pub(crate) number: u64,
    /// Where in the file the bytes start.
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
    /// Whether a length word stands in front.
    pub(crate) is_framed: bool,
}

/// Some values of a file, one behind the other; after an error there is none.
pub(crate) type Batch<'a> = Vec<Result<Piece<'a>, FrameError>>;

/// How many values are in a batch, and behind how many bytes no more are added: some ten microseconds of
/// work, beside which it costs little to hand it to another thread.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 1 << 20;

/// The values of a file. O(1) each; ends after the first error.
pub(crate) fn pieces<'a>(
    bytes: &'a [u8],
    framing: Framing,
) -> Box<dyn Iterator<Item = Result<Piece<'a>, FrameError>> + 'a> {
    match framing {
        Framing::Bare => {
            let piece = Piece { number: 1, start: 0, bytes, is_framed: false };
            Box::new(std::iter::once(Ok(piece)))
        }
        Framing::Frames(order) => {
            Box::new((1..).zip(frames(bytes, order)).map(|(number, frame)| {
                frame.map(|frame: Frame<'a>| {
                    let (start, bytes) = (frame.start(), frame.bytes());
                    Piece { number, start, bytes, is_framed: true }
                })
            }))
        }
    }
}

/// Puts values together in batches.
pub(crate) fn batches<'a>(
    mut pieces: impl Iterator<Item = Result<Piece<'a>, FrameError>>,
) -> impl Iterator<Item = Batch<'a>> {
    std::iter::from_fn(move || {
        let (mut batch, mut bytes) = (Vec::new(), 0_usize);
        while batch.len() < BATCH && bytes < BATCH_BYTES {
            let Some(piece) = pieces.next() else { break };
            bytes = bytes.saturating_add(piece.map_or(0, |piece| piece.bytes.len()));
            batch.push(piece);
        }
        (!batch.is_empty()).then_some(batch)
    })
}

impl<'a> Piece<'a> {
    /// What there is of the value of a frame that is cut.
    pub(crate) fn of_cut(bytes: &'a [u8], error: &FrameError, number: u64) -> Self {
        let start = error.offset().saturating_add(4).min(bytes.len());
        Self { number, start, bytes: bytes.get(start..).unwrap_or_default(), is_framed: true }
    }

    /// Where in the file byte `offset` of the value is.
    pub(crate) const fn absolute(&self, offset: usize) -> usize {
        self.start.saturating_add(offset)
    }
}
