//! [`Plain`]: the bytes of a file without its layers, and the settings for reading them. [`Piece`]: the bytes of one
//! value.

use variant_io::{Framing, Value, ValueError, Values};
use variant_view::{Document, Event, NumberType, Objects, Options, VariantView};

use crate::count::{counted, grouped};
use crate::escape::escape;

/// The bytes of a file without compression and encryption, and the settings for reading them.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'f> {
    /// All bytes of the file, including the skipped ones.
    pub bytes: &'f [u8],
    /// The number of bytes before the values.
    pub skipped: usize,
    /// The number of bytes at the end that belong to no value.
    pub tail: usize,
    /// The framing of the values.
    pub framing: Framing,
    /// The options for reading the values.
    pub options: Options,
}

impl<'f> Plain<'f> {
    /// Bytes without a head: the first value is at offset 0. Objects are accepted, because a file is shown as it is.
    /// The values of a sequence are read in the dialect of the options.
    pub const fn new(bytes: &'f [u8], framing: Framing, options: Options) -> Self {
        let framing = framing.of_dialect(options.dialect);
        let options = options.objects(Objects::Accept);
        Self { bytes, skipped: 0, tail: 0, framing, options }
    }

    /// The same file with values that begin after the first `skipped` bytes.
    #[must_use]
    pub const fn skip(self, skipped: usize) -> Self {
        Self { skipped, ..self }
    }

    /// The same file with values that end before the last `tail` bytes.
    #[must_use]
    pub const fn without_tail(self, tail: usize) -> Self {
        Self { tail, ..self }
    }

    /// The same file, without trailing bytes that are not a frame. O(frames) if there are no such bytes, O(bytes)
    /// otherwise. A file of settings and a bare value are not changed: [`Plain::after`] finds the bytes after them.
    #[must_use]
    pub fn find_tail(self) -> Self {
        match self.framing {
            Framing::Frames(_) => {
                let found = self.framing.tail_len(self.body(), self.options);
                self.without_tail(self.tail.saturating_add(found))
            }
            Framing::Bare | Framing::Settings | Framing::Sequence(_) => self,
        }
    }

    /// Other bytes, read the same way.
    #[must_use]
    pub const fn with_bytes(self, bytes: &[u8]) -> Plain<'_> {
        let Self { skipped, tail, framing, options, .. } = self;
        Plain { bytes, skipped, tail, framing, options }
    }

    /// The bytes before the values.
    pub fn head(&self) -> &'f [u8] {
        self.bytes.get(..self.skipped).unwrap_or_default()
    }

    /// The bytes of the values.
    pub fn body(&self) -> &'f [u8] {
        let end = self.bytes.len().saturating_sub(self.tail);
        self.bytes.get(self.skipped..end).unwrap_or_default()
    }

    /// The bytes after the values: the tail, and the bytes after the last setting or after the bare value. O(settings);
    /// O(bytes) for a bare value; O(1) for frames.
    pub fn after(&self) -> &'f [u8] {
        let more = match self.framing {
            Framing::Frames(_) => 0,
            Framing::Bare | Framing::Settings | Framing::Sequence(_) => {
                self.framing.tail_len(self.body(), self.options)
            }
        };
        let start = self.bytes.len().saturating_sub(self.tail).saturating_sub(more);
        self.bytes.get(start.max(self.skipped)..).unwrap_or_default()
    }

    /// A line about the bytes at the end that belong to no value. Does not count the `declared` bytes, which the user
    /// named. `None` if only declared bytes follow the values.
    pub fn tail_note(&self, declared: usize) -> Option<String> {
        let found = self.tail.saturating_sub(declared);
        let from = grouped(self.bytes.len().saturating_sub(self.tail));
        let bytes = counted(found, "byte");
        let note = || format!("{bytes} from byte {from} belong to no value, and are not read");
        (found > 0).then(note)
    }

    /// The offset in the file of byte `offset` of the body.
    pub const fn absolute(&self, offset: usize) -> usize {
        self.skipped.saturating_add(offset)
    }

    /// Whether a value has reals of 64 bits, as builds with double precision write them. Stops at damage. O(bytes).
    pub fn has_wide_reals(self) -> bool {
        let is_wide = |view: &VariantView<'_>| {
            let is_of_reals = view.kind().shape().is_some_and(|of| of.number == NumberType::Real);
            is_of_reals && view.raw_bytes().is_ok_and(has_wide_flag)
        };
        let has_wide = |piece: Piece<'_>| {
            let mut events = self.document(piece.bytes).walk().flatten();
            events.any(|event| matches!(event, Event::Leaf(node) if is_wide(&node.view)))
        };
        let is_possible = self.options.dialect.has_wide_reals();
        is_possible && self.pieces().map_while(Result::ok).any(has_wide)
    }

    /// The bytes of a value as a document.
    pub fn document<'a>(&self, bytes: &'a [u8]) -> Document<'a> {
        Document::new(bytes, self.options)
    }

    /// The values of the file. O(1) for each; ends after the first error.
    pub fn pieces(self) -> Pieces<'f> {
        Pieces { file: self, values: self.framing.values(self.body()) }
    }

    /// Whether the file has more than one value, or damage after the first.
    pub fn has_several(self) -> bool {
        self.pieces().take(2).count() > 1
    }

    /// A value of the body.
    pub const fn piece(&self, value: &Value<'f>) -> Piece<'f> {
        let Value { number, start, bytes, name } = *value;
        Piece { number, start: self.absolute(start), bytes, name, framing: self.framing }
    }

    /// The existing bytes of an incomplete value; `None` if the file ends before the value.
    pub fn cut_piece(self, error: &ValueError, number: u64) -> Option<Piece<'f>> {
        let start = error.value_start()?;
        let bytes = self.body().get(start..).unwrap_or_default();
        let start = self.absolute(start);
        Some(Piece { number, start, bytes, name: None, framing: self.framing })
    }

    /// The message for an incomplete value.
    pub fn cut(&self, error: &ValueError) -> String {
        match self.skipped {
            0 => error.to_string(),
            skipped => format!("{error}; offsets count from byte {skipped} of the file"),
        }
    }

    /// The number of bytes after the last setting; 0 in other framings, where every byte belongs to a value.
    pub fn behind_all(&self) -> usize {
        if self.framing != Framing::Settings {
            return 0;
        }
        let mut all = self.framing.values(self.body());
        all.by_ref().for_each(drop);
        self.body().len().saturating_sub(all.offset())
    }
}

/// The values of a file, from [`Plain::pieces`]. Ends after the first error.
#[derive(Clone, Debug)]
pub struct Pieces<'f> {
    file: Plain<'f>,
    values: Values<'f>,
}

impl<'f> Iterator for Pieces<'f> {
    type Item = Result<Piece<'f>, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.values.next()?.map(|value| self.file.piece(&value)))
    }

    /// Skips `n` values, as [`Values`] does, so that `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        Some(self.values.nth(n)?.map(|value| self.file.piece(&value)))
    }
}

impl std::iter::FusedIterator for Pieces<'_> {}

/// The bytes of one value.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The position among the values of the file, from 1.
    pub number: u64,
    /// The offset of the value in the file.
    pub start: usize,
    /// The bytes, up to the end of the value or of its frame.
    pub bytes: &'a [u8],
    /// The name of a setting; `None` in other files.
    pub name: Option<&'a [u8]>,
    /// The framing of the file.
    pub framing: Framing,
}

/// A batch of consecutive values of a file. An error is the last item.
pub type Batch<'a> = Vec<Result<Piece<'a>, ValueError>>;

/// The limits of a batch, in values and in bytes. The work on a full batch takes much longer than its transfer to another
/// thread.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 1 << 20;

/// Groups values into batches.
pub fn batches<'a>(
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

impl Piece<'_> {
    /// The offset in the file of byte `offset` of the value.
    pub const fn absolute(&self, offset: usize) -> usize {
        self.start.saturating_add(offset)
    }

    /// The name of the value in messages, such as `frame 2` or `setting 3, run/main_scene`; `None` in a bare file.
    pub fn called(&self) -> Option<String> {
        let mut called = format!("{} {}", unit(self.framing)?, grouped(self.number));
        if let Some(name) = self.name {
            called.push_str(", ");
            escape(&mut called, name, 100);
        }
        Some(called)
    }
}

/// The noun for one value of a file; `None` in a bare file.
pub const fn unit(framing: Framing) -> Option<&'static str> {
    match framing {
        Framing::Bare => None,
        Framing::Frames(_) => Some("frame"),
        Framing::Settings => Some("setting"),
        Framing::Sequence(_) => Some("value"),
    }
}

/// Whether the flag of a value means that its numbers have 64 bits (docs/spec/format.md#double-precision).
pub(crate) fn has_wide_flag(bytes: &[u8]) -> bool {
    bytes.get(2).is_some_and(|flags| flags & 1 != 0)
}

#[cfg(test)]
mod tests {
    use variant_io::ByteOrder;
    use variant_view::Dialect;

    use super::*;

    #[test]
    fn skipped_pieces_hide_no_damage() {
        // Three frames: 1, 2, and one whose end is missing.
        let frame = |int| [[8, 0, 0, 0], [2, 0, 0, 0], [int, 0, 0, 0]].concat();
        let bytes = [frame(1), frame(2), vec![8, 0, 0, 0, 2]].concat();
        let framing = Framing::Frames(ByteOrder::Little);
        let file = Plain::new(&bytes, framing, Options::engine(Dialect::Godot4));
        let error = file.pieces().find_map(Result::err).unwrap();
        for n in 0..9 {
            assert_eq!(file.pieces().skip(n).find_map(Result::err), Some(error), "{n}");
            assert_eq!(file.pieces().step_by(n + 1).find_map(Result::err), Some(error), "{n}");
            let mut errors = Vec::new();
            file.pieces().skip(n).for_each(|piece| errors.extend(piece.err()));
            assert_eq!(errors.first(), Some(&error), "{n}");
        }
    }
}
