//! [`Frames`]: the places of the values of a file.

use variant_document::{Piece, Plain};
use variant_io::ValueError;

use crate::place::Frame;

/// The offsets and names of the values of a file.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) all: Vec<(Frame, Option<Vec<u8>>)>,
    /// The error after the last whole value.
    pub(crate) broken: Option<ValueError>,
}

impl Frames {
    pub(crate) fn of(plain: Plain<'_>) -> Self {
        let mut frames = Self::default();
        for piece in plain.pieces() {
            match piece {
                Ok(Piece { number, start, bytes, name, .. }) => {
                    let end = start.saturating_add(bytes.len());
                    let frame = Frame { start, end, number: number.checked_sub(1) };
                    frames.all.push((frame, name.map(Vec::from)));
                }
                Err(error) => frames.broken = Some(error),
            }
        }
        frames
    }
}
