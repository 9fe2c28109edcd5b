//! Scalars in the compact form of Godot 4's multiplayer: 1 to 9 bytes.

use super::{Raw, ScalarView, VariantView};
use crate::bytes::Cursor;
use crate::error::{NotCanonical, Part, Result};
use crate::kind::Kind;

/// The bits of the first byte that hold the type's id. The two bits above them are the mode.
const ID: u8 = 0x3f;
/// The ids of `bool` and `int`, the same in every dialect.
const BOOL: u8 = 1;
const INT: u8 = 2;
/// The upper bit of the mode: the value of a `bool`.
const TRUE: u8 = 0x80;
/// The lower bit of the mode. A `bool` does not use it.
const LOWER: u8 = 0x40;

impl<'a> VariantView<'a> {
    /// Reads the `bool` or `int` at the cursor. For another kind, returns `None` and does not move.
    #[inline]
    pub(crate) fn compact_scalar(cursor: &mut Cursor<'a>) -> Result<Option<Self>> {
        let start = *cursor;
        let [first] = cursor.array(Part::Header)?;
        let value = match first & ID {
            BOOL => Self::Bool(scalar(start, *cursor, first & TRUE != 0)),
            INT => {
                let value = compact_int(cursor, first >> 6)?;
                Self::Int(scalar(start, *cursor, value))
            }
            _ => {
                *cursor = start;
                return Ok(None);
            }
        };
        Ok(Some(value))
    }
}

/// Whether a value that starts with this byte is a `bool` or an `int`.
#[inline]
pub const fn is_compact_scalar(first: u8) -> bool {
    matches!(first & ID, BOOL | INT)
}

/// A signed integer of 1, 2, 4 or 8 bytes.
#[inline]
fn compact_int(cursor: &mut Cursor<'_>, mode: u8) -> Result<i64> {
    let part = Part::Payload(Kind::Int);
    Ok(match mode {
        0 => i8::from_le_bytes(cursor.array(part)?).into(),
        1 => i16::from_le_bytes(cursor.array(part)?).into(),
        2 => i32::from_le_bytes(cursor.array(part)?).into(),
        _ => i64::from_le_bytes(cursor.array(part)?),
    })
}

/// The view of a scalar whose bytes are those between two positions.
#[inline]
fn scalar<'a, T>(start: Cursor<'a>, behind: Cursor<'a>, value: T) -> ScalarView<'a, T> {
    let len = start.rest().len().wrapping_sub(behind.rest().len());
    let bytes = start.rest().get(..len).unwrap_or_default();
    ScalarView { raw: Raw { bytes, offset: start.offset() }, value }
}

/// How the compact `bytes` of a `bool` or an `int` deviate from what the engine writes; `None` if they do not.
pub(crate) fn compact_deviation(scalar: &VariantView<'_>, bytes: &[u8]) -> Option<NotCanonical> {
    match scalar {
        VariantView::Bool(_) => {
            let first = bytes.first().copied().unwrap_or_default();
            (first & LOWER != 0).then_some(NotCanonical::HeaderBits)
        }
        VariantView::Int(int) => {
            (bytes.len() > compact_len(int.value())).then_some(NotCanonical::WideCompactInt)
        }
        _ => None,
    }
}

/// The smallest number of bytes for an integer, with its header.
fn compact_len(value: i64) -> usize {
    if i8::try_from(value).is_ok() {
        2
    } else if i16::try_from(value).is_ok() {
        3
    } else if i32::try_from(value).is_ok() {
        5
    } else {
        9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn both_ids_are_those_of_every_dialect() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.kind(BOOL), Some(Kind::Bool), "{dialect}");
            assert_eq!(dialect.kind(INT), Some(Kind::Int), "{dialect}");
        }
    }
}
