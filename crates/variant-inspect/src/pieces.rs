//! [`Piece`]: the bytes of one value, and their place in the file.

use variant_io::{Framing, Value, ValueError};

use crate::count::grouped;
use crate::escape::escape;
use crate::open::Source;

/// The bytes of one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// The position among the values of the file, from 1.
    pub(crate) number: u64,
    /// The offset of the value in the file.
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
    /// The name of a setting.
    pub(crate) name: Option<&'a [u8]>,
    /// The framing of the file.
    pub(crate) framing: Framing,
}

/// Consecutive values of a file. An error is the last item.
pub(crate) type Batch<'a> = Vec<Result<Piece<'a>, ValueError>>;

/// The limits of a batch, in values and bytes: some ten microseconds of work, which is long compared with the cost of handing
/// the batch to another thread.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 1 << 20;

/// The values of a file. O(1) per value; ends after the first error.
pub(crate) fn pieces(
    source: &Source,
    framing: Framing,
) -> impl Iterator<Item = Result<Piece<'_>, ValueError>> {
    framing.values(source).map(move |value| {
        value.map(|value| {
            let Value { number, start, bytes, name } = value;
            let start = source.absolute(start);
            Piece { number, start, bytes, name, framing }
        })
    })
}

/// Groups values into batches.
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
    /// The present bytes of an incomplete value; none if the file ends before it.
    pub(crate) fn of_cut(
        source: &'a Source,
        error: &ValueError,
        number: u64,
        framing: Framing,
    ) -> Option<Self> {
        let start = error.value_start()?;
        let bytes = source.get(start..).unwrap_or_default();
        let start = source.absolute(start);
        Some(Self { number, start, bytes, name: None, framing })
    }

    /// The offset in the file of byte `offset` of the value.
    pub(crate) const fn absolute(&self, offset: usize) -> usize {
        self.start.saturating_add(offset)
    }

    /// The name of the value in messages, such as `frame 2` or `setting 3, run/main_scene`; none in a bare file.
    pub(crate) fn called(&self) -> Option<String> {
        let mut called = format!("{} {}", unit(self.framing)?, grouped(self.number));
        if let Some(name) = self.name {
            called.push_str(", ");
            escape(&mut called, name, 100);
        }
        Some(called)
    }
}

/// The number of bytes after the last setting; 0 in other framings, where every byte belongs to a value.
pub(crate) fn behind_all(source: &Source, framing: Framing) -> usize {
    if framing != Framing::Settings {
        return 0;
    }
    let mut all = framing.values(source);
    all.by_ref().for_each(drop);
    source.len().saturating_sub(all.offset())
}

/// The noun for one value of a file; none in a bare file.
pub(crate) const fn unit(framing: Framing) -> Option<&'static str> {
    match framing {
        Framing::Bare => None,
        Framing::Frames(_) => Some("frame"),
        Framing::Settings => Some("setting"),
    }
}
