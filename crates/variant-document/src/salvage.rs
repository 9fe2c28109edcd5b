//! [`salvage`]: recovers the valid parts of a damaged file.

mod frames;
mod hole;
mod run;
mod value;

use variant_io::{AppendError, Damage, Framing, ValuesWriter};

pub use hole::{Hole, Holes};

use crate::plain::Plain;
use crate::seek::Seeker;
use frames::Frames;
use value::recover;

/// The valid parts of a file.
#[derive(Debug)]
pub struct Salvaged {
    /// The valid values.
    pub values: ValuesWriter,
    /// The number of values.
    pub count: u64,
    /// The size of the values in bytes.
    pub bytes: usize,
    /// The lost bytes.
    pub holes: Holes,
}

/// Recovers the valid parts of a file into `values`. `damage` lists the bytes that are missing in the layers of the
/// file. These bytes also become holes. O(bytes), with a large constant if much fails to decode.
///
/// # Errors
/// `values` cannot store a recovered value.
pub fn salvage(
    file: Plain<'_>,
    damage: &[Damage],
    values: ValuesWriter,
) -> Result<Salvaged, AppendError> {
    let mut salvaged = Salvaged { values, count: 0, bytes: 0, holes: Holes::default() };
    salvaged.layers(damage);
    match file.framing {
        Framing::Bare => salvaged.bare(file)?,
        Framing::Frames(order) => {
            let mut holes = Holes::default();
            let mut frames = Frames::new(file.body(), order, file.options);
            while let Some(bytes) = frames.next(&mut holes) {
                salvaged.add(None, &bytes)?;
            }
            salvaged.holes.add_all(holes, file.absolute(0), "");
        }
        Framing::Settings | Framing::Sequence(_) => salvaged.settings(file)?,
    }
    Ok(salvaged)
}

/// Adds the tail to the body of a file, if the tail has frames: a damaged length prefix may have ended the body early.
/// Bytes after a bare value are always added, because they may belong to the value. O(bytes), with a large constant if
/// much fails to decode.
pub fn with_lost_frames(file: Plain<'_>, declared: usize) -> Plain<'_> {
    let all = file.without_tail(declared);
    if !matches!(file.framing, Framing::Frames(_)) {
        return all;
    }
    let tail = all.body().get(file.body().len()..).unwrap_or_default();
    let mut seeker = Seeker::new(tail, file.options, Some(file.framing));
    let mut at = 0;
    while let Some(hit) = seeker.first_hit(at) {
        if hit.len >= LONG {
            return all;
        }
        at = hit.start.saturating_add(hit.len);
    }
    file
}

/// Frames of at least this size in bytes are unlikely to be there by chance.
const LONG: usize = 32;

impl Salvaged {
    fn layers(&mut self, damage: &[Damage]) {
        let mut holes = Holes::default();
        for damage in damage {
            let start = usize::try_from(damage.start).unwrap_or(usize::MAX);
            let len = usize::try_from(damage.len).unwrap_or(usize::MAX);
            holes.add(Hole::new(start, start.saturating_add(len), damage.reason.clone()));
        }
        self.holes.add_all(holes, 0, "layer: ");
    }

    /// Recovers one value. If nothing of the value is left, recovers the first container after it.
    fn bare(&mut self, file: Plain<'_>) -> Result<(), AppendError> {
        let (body, options) = (file.body(), file.options);
        let mut recovered = recover(body, options, false);
        let mut start = 0;
        if recovered.bytes.is_empty()
            && let Some(hit) = Seeker::new(body, options, Some(Framing::Bare)).first_hit(1)
        {
            start = hit.start;
            recovered = recover(body.get(start..).unwrap_or_default(), options, false);
            let (from, end) = (file.absolute(0), file.absolute(start));
            self.holes.add(Hole::new(from, end, "no value starts here".to_owned()));
        }
        self.holes.add_all(recovered.holes, file.absolute(start), "");
        self.add(None, &recovered.bytes)
    }

    /// Recovers settings, up to the first setting whose name or length is broken.
    fn settings(&mut self, file: Plain<'_>) -> Result<(), AppendError> {
        let mut number = 0_u64;
        for piece in file.pieces() {
            number = number.saturating_add(1);
            match piece {
                Ok(piece) => {
                    let recovered = recover(piece.bytes, file.options, true);
                    let called = piece.called().unwrap_or_default();
                    self.holes.add_all(recovered.holes, piece.start, &format!("{called}: "));
                    self.add(piece.name, &recovered.bytes)?;
                }
                Err(error) => {
                    let cut = file.cut_piece(&error, number);
                    let start = cut.map_or(file.absolute(error.offset()), |piece| piece.start);
                    let end = file.absolute(file.body().len());
                    self.holes.add(Hole::new(start, end, error.to_string()));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: Option<&[u8]>, bytes: &[u8]) -> Result<(), AppendError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes.len());
        self.values.bytes(name, bytes)
    }
}
