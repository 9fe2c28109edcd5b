//! The 4-byte header: kind and flags of a value (docs/spec/format.md#header).

use crate::bytes::{Cursor, Fault, size};
use crate::dialect::DialectRules;
use crate::error::{ErrorKind, Part, Result};
use crate::kind::Kind;

/// Bit 16, whose meaning depends on the kind.
pub(crate) const FLAG: u32 = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    word: u32,
    pub(crate) kind: Kind,
}

impl Header {
    #[inline]
    pub(crate) fn read<E: Fault>(
        cursor: &mut Cursor<'_, E>,
        rules: &DialectRules,
    ) -> Result<Self, E> {
        let start = *cursor;
        let word = cursor.u32(Part::Header)?;
        match Self::parse(word, rules) {
            Some(header) => Ok(header),
            None => Err(start.error(ErrorKind::UnknownType { header: word })),
        }
    }

    #[inline]
    pub(crate) fn parse(word: u32, rules: &DialectRules) -> Option<Self> {
        let kind = *rules.kinds.get(size(word & rules.id_mask))?;
        Some(Self { word, kind })
    }

    /// The header of a value whose kind is known, because the header was read before.
    #[inline]
    pub(crate) const fn known(word: u32, kind: Kind) -> Self {
        Self { word, kind }
    }

    /// This header with `kind` as a compile-time constant.
    #[inline]
    pub(crate) const fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub(crate) const fn word(self) -> u32 {
        self.word
    }

    /// Bit 16.
    #[inline]
    pub(crate) const fn flag(self) -> bool {
        self.word & FLAG != 0
    }

    /// Bits 16 to 19: the type declarations of an array or a dictionary.
    #[inline]
    pub(crate) const fn type_bits(self) -> u32 {
        self.word & 15 << 16
    }

    /// Bits 16 and 17: the element type of an array or the key type of a dictionary.
    #[inline]
    pub(crate) const fn first_type(self) -> TypeForm {
        TypeForm::from_bits(self.word >> 16)
    }

    /// Bits 18 and 19: the value type of a dictionary.
    #[inline]
    pub(crate) const fn second_type(self) -> TypeForm {
        TypeForm::from_bits(self.word >> 18)
    }
}

/// The form of a type declaration (docs/spec/format.md#typed-containers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeForm {
    None,
    Builtin,
    Class,
    Script,
}

impl TypeForm {
    const fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Builtin,
            2 => Self::Class,
            _ => Self::Script,
        }
    }
}
