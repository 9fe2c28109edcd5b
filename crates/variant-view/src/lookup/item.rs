//! [`Item`]: a part of variable length in a document.

use crate::header::FLAG;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    /// The offset of the variable part in the document from which the shape was made.
    pub(super) at: usize,
    pub(super) form: Form,
    /// The length word of the item; for a number, the header flag of its width.
    pub(super) size: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Text, whose length is in bytes.
    Text,
    /// Elements of this many bytes.
    Elements(u32),
    /// A number of 4 or 8 bytes.
    Number,
}

impl Form {
    /// The size in bytes of the item. `last` is the word before the item. `None` if this word is invalid in every
    /// document.
    #[inline(always)]
    pub(super) fn size(self, last: u32) -> Option<usize> {
        let bytes = match self {
            Self::Number => {
                if last & FLAG == 0 {
                    4
                } else {
                    8
                }
            }
            // A count has 31 bits.
            Self::Text => i32::try_from(last).ok()?.cast_unsigned().wrapping_add(3) & !3,
            Self::Elements(size) => {
                let bytes = i32::try_from(last).ok()?.cast_unsigned().checked_mul(size)?;
                bytes.checked_add(3)? & !3
            }
        };
        Some(crate::bytes::size(bytes))
    }

    /// The bits of the word before the item that must be equal in all documents of a shape.
    pub(super) const fn mask(self) -> u32 {
        match self {
            Self::Number => !FLAG,
            Self::Text | Self::Elements(_) => 0,
        }
    }
}
