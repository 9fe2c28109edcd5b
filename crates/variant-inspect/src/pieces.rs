//! [`Piece`]: the bytes of one value, and where in the file they are.

use variant_io::{Framing, Value, ValueError};

/// The bytes of one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// Which one it is, from 1.
    pub(crate) number: u64,
    /// Where in the file the bytes start.
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
    /// What a setting is called.
    pub(crate) name: Option<&'a [u8]>,
    /// What sets it apart from the others.
    pub(crate) framing: Framing,
}

/// Some values of a file, one behind the other; after an error there is none.
pub(crate) type Batch<'a> = Vec<Result<Piece<'a>, ValueError>>;

/// How many values are in a batch, and behind how many bytes no more are added: some ten microseconds of
/// work, beside which it costs little to hand it to another thread.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 1 << 20;

/// The values of a file. O(1) each; ends after the first error.
pub(crate) fn pieces(
    bytes: &[u8],
    framing: Framing,
) -> impl Iterator<Item = Result<Piece<'_>, ValueError>> {
    framing.values(bytes).map(move |value| {
        value.map(|value| {
            let Value { number, start, bytes, name } = value;
            Piece { number, start, bytes, name, framing }
        })
    })
}

/// Puts values together in batches.
pub(crate) fn batches<'a>(
    mut pieces: impl Iterator<Item = Result<Piece<'a>, ValueError>>,
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
    /// What there is of a value that is cut; none if it has not begun.
    pub(crate) fn of_cut(
        bytes: &'a [u8],
        error: &ValueError,
        number: u64,
        framing: Framing,
    ) -> Option<Self> {
        let start = error.value_start()?;
        let bytes = bytes.get(start..).unwrap_or_default();
        Some(Self { number, start, bytes, name: None, framing })
    }

    /// Where in the file byte `offset` of the value is.
    pub(crate) const fn absolute(&self, offset: usize) -> usize {
        self.start.saturating_add(offset)
    }
}

/// What one of several values of a file is called; none if there is only one.
pub(crate) const fn unit(framing: Framing) -> Option<&'static str> {
    match framing {
        Framing::Bare => None,
        Framing::Frames(_) => Some("frame"),
        Framing::Settings => Some("setting"),
    }
}
