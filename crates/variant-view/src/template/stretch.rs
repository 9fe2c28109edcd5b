//! [`Stretches`]: how the last dictionaries started.

use super::mask::{BLOCK, BLOCKS, EQUAL, Mask};
use crate::bytes::{Cursor, Unfit, padded, size};
use crate::error::{Part, Result};
use crate::header::Header;
use crate::kind::Kind;
use crate::layout::{self, Extent, Payload};
use crate::options::Mode;
use crate::text;

/// How many dictionaries are remembered.
const PLACES: usize = 4;
/// So many pieces may a stretch have.
const PIECES: usize = 12;
/// So few items are read as fast without a stretch.
const FEW: u32 = 4;
/// For how many dictionaries, at most, a stretch may be of no use before the next one is made.
const PATIENCE: u32 = 256;
/// For how many at least it may be of some use, but not of all.
const STUCK: u32 = 16;

/// How the last dictionary at each level started; two levels have one place, since arrays stand between dictionaries
/// as a rule, and very deep ones share theirs.
///
/// Dictionaries at one level are often records of one kind, with text, arrays and containers in them that differ in
/// length. Up to the first container, what stands between the texts and arrays is the same: it is compared under a
/// mask, and nothing but the lengths is read.
#[derive(Clone, Debug)]
pub(crate) struct Stretches {
    /// How many dictionaries there were for each place, up to two: one alone is not worth to be remembered.
    seen: [u8; PLACES],
    stretches: Option<[Stretch; PLACES]>,
}

impl Stretches {
    /// A function, since a constant would be copied whole, with the room for what is not there.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { seen: [0; PLACES], stretches: None }
    }

    /// Steps over the first items of a dictionary that has been opened, of which `left` are left; how many they are.
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
        // Assigned rather than inserted: in a debug build that copies it fewer times.
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
        // One of which something is of use is kept for longer.
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
    /// Each piece starts with a block of its own.
    mask: Mask,
    pieces: [Piece; PIECES],
    len: usize,
    /// How many dictionaries in a row did not start so.
    misses: u32,
    /// After how many of them another one is made.
    patience: u32,
}

/// Some items that are as long as those before, and one that may not be.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The bytes that are compared.
    len: usize,
    /// What stands behind them.
    then: PieceEnd,
    /// How many items have ended with that, in all.
    items: u32,
}

#[derive(Clone, Copy, Debug)]
enum PieceEnd {
    Nothing,
    /// A length and ASCII.
    Text,
    /// A length and bytes.
    Bytes,
    /// A count and elements of so many bytes.
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

    /// The first items of the dictionary that has been opened at `cursor`, whether they are sound or not.
    fn of(cursor: Cursor<'_, Unfit>, left: u32, mode: Mode) -> Self {
        let mut recorder = Recorder { stretch: Self::NONE, piece: cursor, blocks: 0 };
        // What cannot be read or does not fit in ends it.
        let (Ok(()) | Err(Unfit)) = recorder.items(left, mode);
        recorder.stretch
    }

    /// How many items it has.
    fn items(&self) -> u32 {
        let last = self.len.checked_sub(1).and_then(|last| self.pieces.get(last));
        last.map_or(0, |piece| piece.items)
    }

    /// Steps over the pieces that are there; how many of the `left` items they make.
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
    #[inline(always)]
    fn skip(self, cursor: &mut Cursor<'_, Unfit>) -> Result<(), Unfit> {
        match self {
            Self::Nothing => Ok(()),
            Self::Text => ascii(cursor),
            Self::Bytes => layout::byte_array(cursor),
            Self::Packed(kind, element) => layout::packed(cursor, kind, element),
        }
    }
}

/// Steps over the length and the bytes of a text, which must be ASCII: that is valid by every rule.
#[inline(always)]
fn ascii(cursor: &mut Cursor<'_, Unfit>) -> Result<(), Unfit> {
    let length = cursor.length(Part::TextLength)?;
    // In words: what fills the text up may not be ASCII, but is as a rule.
    let text = cursor.take(size(padded(length)), Part::Text)?;
    if text::is_ascii(text) { Ok(()) } else { Err(Unfit) }
}

/// Takes down what about the items of a dictionary must be equal.
struct Recorder<'r> {
    stretch: Stretch,
    /// Where the current piece starts.
    piece: Cursor<'r, Unfit>,
    /// How many blocks there are of those before.
    blocks: usize,
}

impl<'r> Recorder<'r> {
    /// As many items as fit in, up to the first container.
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
                // Keys, and what holds further lengths.
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

    /// The bytes between must be equal.
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

    /// Ends the piece at `end`, and starts the next one at `behind`.
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

/// How many bytes stand between.
fn length(start: Cursor<'_, Unfit>, end: Cursor<'_, Unfit>) -> usize {
    start.rest().len().saturating_sub(end.rest().len())
}
