//! [`Stretches`]: compares the start of a dictionary with the start of an earlier dictionary.
//!
//! A stretch is such a remembered start: the items of a dictionary up to the first container. A stretch consists of
//! pieces. A piece is some items of fixed layout, and then at most one item of variable length.

use super::mask::{BLOCK, BLOCKS, EQUAL, Mask};
use crate::bytes::{Cursor, Unfit, padded, size};
use crate::error::{Part, Result};
use crate::header::Header;
use crate::kind::Kind;
use crate::layout::{self, Extent, Payload};
use crate::options::Mode;
use crate::text;

/// The number of stretches that are kept.
const PLACES: usize = 4;
/// The maximum number of pieces in a stretch.
const PIECES: usize = 12;
/// In a dictionary with at most this number of items, a stretch saves no time.
const FEW: u32 = 4;
/// A stretch is replaced at the latest after this number of consecutive dictionaries that it does not match.
const PATIENCE: u32 = 256;
/// A stretch of which only the first pieces match is kept for at least this number of consecutive dictionaries.
const STUCK: u32 = 16;

/// Stretches: the bytes of the last dictionary of a level up to its first container. Two neighbouring levels share one
/// stretch: arrays usually alternate with dictionaries, so only one of the two levels has dictionaries. Very deep
/// levels also share stretches.
///
/// Dictionaries at one level are often records of one type whose texts, arrays and containers differ in length. Up to
/// the first container, the bytes between texts and arrays are the same in these dictionaries. These bytes are compared
/// under a mask, and only the lengths are read.
///
/// Measured: without stretches, records whose texts differ in length take 1.3 times as long to validate
/// (`benches/ablation.py stretches`).
#[derive(Clone, Debug)]
pub(crate) struct Stretches {
    /// For each stretch, the number of dictionaries seen before it, up to two. The third dictionary becomes the
    /// stretch.
    seen: [u8; PLACES],
    stretches: Option<[Stretch; PLACES]>,
}

impl Stretches {
    /// This is a function, since a `const` item would be copied whole, with the unused space of the `None`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn new() -> Self {
        Self { seen: [0; PLACES], stretches: None }
    }

    /// Skips the first items of a dictionary. `cursor` is at the first of its `left` items. Returns the number of
    /// skipped items.
    #[inline]
    pub(crate) fn skip(
        &mut self,
        cursor: &mut Cursor<'_, Unfit>,
        level: u32,
        left: u32,
        mode: Mode,
    ) -> u32 {
        if left <= FEW {
            return 0;
        }
        let place = size(level / 2) % PLACES;
        match self.seen.get_mut(place) {
            Some(2) => self.skip_known(cursor, place, left, mode),
            Some(seen) => {
                *seen = seen.wrapping_add(1);
                0
            }
            None => 0,
        }
    }

    #[inline(never)]
    fn skip_known(
        &mut self,
        cursor: &mut Cursor<'_, Unfit>,
        place: usize,
        left: u32,
        mode: Mode,
    ) -> u32 {
        // The stretches are assigned, not inserted: debug builds copy them fewer times.
        if self.stretches.is_none() {
            self.stretches = Some([Stretch::NONE; PLACES]);
        }
        let stretches = self.stretches.as_mut();
        let Some(stretch) = stretches.and_then(|all| all.get_mut(place)) else { return 0 };
        let start = *cursor;
        let items = stretch.skip(cursor, left);
        if items > 0 && items == stretch.items() {
            stretch.misses = 0;
            stretch.patience = 2;
            return items;
        }
        stretch.misses = stretch.misses.saturating_add(1);
        // A stretch that matches in part is kept longer.
        let patience = if items == 0 { stretch.patience } else { stretch.patience.max(STUCK) };
        if stretch.misses < patience {
            return items;
        }
        let patience = stretch.patience.saturating_mul(2).min(PATIENCE);
        *stretch = Stretch { patience, ..Stretch::of(start, left, mode) };
        *cursor = start;
        stretch.skip(cursor, left)
    }
}

#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Each piece starts at a block boundary.
    mask: Mask,
    pieces: [Piece; PIECES],
    len: usize,
    /// The number of consecutive dictionaries that did not match the whole stretch.
    misses: u32,
    /// The number of misses after which a new stretch is made.
    patience: u32,
}

/// Some items of fixed layout, and then an item of variable length.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The number of bytes compared.
    len: usize,
    /// The item of variable length after the compared bytes.
    then: PieceEnd,
    /// The number of items in this and all earlier pieces.
    items: u32,
}

#[derive(Clone, Copy, Debug)]
enum PieceEnd {
    Nothing,
    /// A length word and ASCII text.
    Text,
    /// A length word and bytes.
    Bytes,
    /// A count and elements of this size in bytes.
    Packed(Kind, usize),
}

impl Stretch {
    const NONE: Self = Self {
        mask: Mask::NONE,
        pieces: [Piece { len: 0, then: PieceEnd::Nothing, items: 0 }; PIECES],
        len: 0,
        misses: 0,
        patience: 1,
    };

    /// The stretch of the dictionary opened at `cursor`. Its items need not be valid.
    fn of(cursor: Cursor<'_, Unfit>, left: u32, mode: Mode) -> Self {
        let mut recorder = Recorder { stretch: Self::NONE, piece: cursor, blocks: 0 };
        // The first item that is invalid or does not fit ends the stretch.
        let (Ok(()) | Err(Unfit)) = recorder.items(left, mode);
        recorder.stretch
    }

    /// The number of items.
    fn items(&self) -> u32 {
        let last = self.len.checked_sub(1).and_then(|last| self.pieces.get(last));
        last.map_or(0, |piece| piece.items)
    }

    /// Skips the pieces that match; returns the number of skipped items, at most `left`.
    #[inline]
    fn skip(&self, cursor: &mut Cursor<'_, Unfit>, left: u32) -> u32 {
        let mut items = 0;
        let mut block = 0_usize;
        for piece in self.pieces.iter().take(self.len) {
            let mut behind = *cursor;
            if piece.items > left || !self.mask.fits(behind.rest(), block, piece.len) {
                break;
            }
            behind.take_up_to(piece.len);
            if piece.then.skip(&mut behind).is_err() {
                break;
            }
            *cursor = behind;
            items = piece.items;
            block = block.wrapping_add(piece.len.div_ceil(BLOCK));
        }
        items
    }
}

impl PieceEnd {
    #[cfg_attr(not(variant_small), inline(always))]
    fn skip(self, cursor: &mut Cursor<'_, Unfit>) -> Result<(), Unfit> {
        match self {
            Self::Nothing => Ok(()),
            Self::Text => ascii(cursor),
            Self::Bytes => layout::byte_array(cursor),
            Self::Packed(kind, element) => layout::packed(cursor, kind, element),
        }
    }
}

/// Skips the length and bytes of a text. The text must be ASCII, so it is valid by every rule.
#[cfg_attr(not(variant_small), inline(always))]
fn ascii(cursor: &mut Cursor<'_, Unfit>) -> Result<(), Unfit> {
    let length = cursor.length(Part::TextLength)?;
    // The check includes the padding, which may be any bytes, but is normally zero. Padding that is not ASCII ends the
    // match.
    let text = cursor.take(size(padded(length)), Part::Text)?;
    if text::is_ascii(text) { Ok(()) } else { Err(Unfit) }
}

/// Marks the bytes of a dictionary's items that must be equal in other dictionaries.
struct Recorder<'r> {
    stretch: Stretch,
    /// The start of the current piece.
    piece: Cursor<'r, Unfit>,
    /// The number of blocks of all earlier pieces.
    blocks: usize,
}

impl<'r> Recorder<'r> {
    /// Adds the items up to the first container, as far as they fit.
    fn items(&mut self, left: u32, mode: Mode) -> Result<(), Unfit> {
        let mut cursor = self.piece;
        for items in 1..=left {
            let start = cursor;
            let header = Header::read(&mut cursor, mode.dialect.rules())?;
            let payload = cursor;
            let (behind, extent) = layout::payload::<true, Unfit>(header, cursor, mode)?;
            if extent != Extent::Leaf {
                return self.end_piece(start, PieceEnd::Nothing, items.saturating_sub(1), start);
            }
            cursor = behind;
            let is_key = items % 2 == 1;
            let then = match header.kind.payload() {
                Payload::Text if !is_key => PieceEnd::Text,
                Payload::Bytes => PieceEnd::Bytes,
                Payload::Packed(bytes) => PieceEnd::Packed(header.kind, usize::from(bytes)),
                Payload::PackedReals(lanes) => {
                    let element =
                        usize::from(lanes).saturating_mul(layout::real_width(header, mode));
                    PieceEnd::Packed(header.kind, element)
                }
                _ => PieceEnd::Nothing,
            };
            let equal = match header.kind.payload() {
                Payload::Empty
                | Payload::Fixed(_)
                | Payload::Scalar
                | Payload::Reals(_)
                | Payload::Rid => payload,
                // Keys, and values of kinds with further lengths inside, must be equal as a whole.
                _ if matches!(then, PieceEnd::Nothing) => behind,
                _ => payload,
            };
            self.demand(start, equal)?;
            match then {
                PieceEnd::Nothing => {}
                then => self.end_piece(payload, then, items, behind)?,
            }
        }
        self.end_piece(cursor, PieceEnd::Nothing, left, cursor)
    }

    /// Requires other dictionaries to have the same bytes from `start` to `end`.
    fn demand(&mut self, start: Cursor<'r, Unfit>, end: Cursor<'r, Unfit>) -> Result<(), Unfit> {
        let first = self.blocks.saturating_mul(BLOCK);
        let at = first.saturating_add(length(self.piece, start));
        let bytes = start.rest().get(..length(start, end)).unwrap_or_default();
        if at.saturating_add(bytes.len()) > BLOCKS.saturating_mul(BLOCK) {
            return Err(Unfit);
        }
        self.stretch.mask.demand(at, bytes, EQUAL);
        Ok(())
    }

    /// Ends the piece at `end`; the next piece starts at `behind`.
    fn end_piece(
        &mut self,
        end: Cursor<'r, Unfit>,
        then: PieceEnd,
        items: u32,
        behind: Cursor<'r, Unfit>,
    ) -> Result<(), Unfit> {
        let len = length(self.piece, end);
        let blocks = self.blocks.saturating_add(len.div_ceil(BLOCK));
        let piece = self.stretch.pieces.get_mut(self.stretch.len).filter(|_| blocks <= BLOCKS);
        *piece.ok_or(Unfit)? = Piece { len, then, items };
        self.stretch.len = self.stretch.len.saturating_add(1);
        self.blocks = blocks;
        self.piece = behind;
        Ok(())
    }
}

/// The number of bytes between two cursors.
fn length(start: Cursor<'_, Unfit>, end: Cursor<'_, Unfit>) -> usize {
    start.rest().len().saturating_sub(end.rest().len())
}
