//! [`Dialect`]: which engine wrote the bytes. A dialect is a table of type ids and a few facts.

mod godot2;
mod godot3;
mod godot4;
mod pandemonium;

use core::fmt;
use core::str::FromStr;

use crate::kind::Kind;

/// The numbering and the rules of one family of engine versions.
///
/// Nothing in the bytes names their writer (docs/format.md, section 1), so the dialect is always
/// given; [`detect`](crate::detect) guesses it, with reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Dialect {
    /// Godot 1.0 to 2.1: 29 types.
    Godot2,
    /// Godot 3.0 to 3.6: 27 types.
    Godot3,
    /// Godot 4.0 and later: 38 types to 4.2, 39 from 4.3, same numbers.
    Godot4,
    /// Pandemonium v3.5 to v3.7: 33 types.
    Pandemonium3,
    /// Pandemonium v3.8 to v4.9: 38 types.
    Pandemonium4,
    /// Pandemonium v5.0 and later: 40 types.
    Pandemonium5,
}

/// Writes the same code once for every dialect, each with the dialect as a constant; as
/// [`by_kind`](crate::kind::by_kind).
macro_rules! by_dialect {
    ($dialect:expr, |$constant:ident| $code:expr) => {
        $crate::dialect::by_dialect!(@match $dialect, $constant, $code,
            Godot2 Godot3 Godot4 Pandemonium3 Pandemonium4 Pandemonium5)
    };
    (@match $dialect:expr, $constant:ident, $code:expr, $($name:ident)*) => {
        match $dialect {
            #[cfg(debug_assertions)]
            $constant => $code,
            $(#[cfg(not(debug_assertions))]
            $crate::dialect::Dialect::$name => {
                let $constant = $crate::dialect::Dialect::$name;
                $code
            })*
        }
    };
}
pub(crate) use by_dialect;

impl Dialect {
    /// Every dialect.
    pub const ALL: &'static [Self] = &[
        Self::Godot2,
        Self::Godot3,
        Self::Godot4,
        Self::Pandemonium3,
        Self::Pandemonium4,
        Self::Pandemonium5,
    ];

    /// The name in lower case, as [`FromStr`] reads it: `"godot3"`. O(1).
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name as people write it: `"Godot 3"`. O(1).
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// The engine versions that write it: `"Godot 3.0 to 3.6"`. O(1).
    pub const fn versions(self) -> &'static str {
        self.facts().versions
    }

    /// The kinds of this dialect in the order of their wire ids: `kinds()[18]` is what id 18 means. O(1).
    pub const fn kinds(self) -> &'static [Kind] {
        self.facts().kinds
    }

    /// What wire id `id` means here, if anything. O(1).
    pub fn kind(self, id: u8) -> Option<Kind> {
        self.kinds().get(usize::from(id)).copied()
    }

    /// The wire id of `kind` here, if this dialect has it. O(number of types).
    pub fn id(self, kind: Kind) -> Option<u8> {
        self.kinds().iter().position(|&own| own == kind).and_then(|id| u8::try_from(id).ok())
    }

    /// The rule by which this dialect's reader accepts text. O(1).
    pub const fn text_rule(self) -> TextRule {
        self.facts().text
    }

    /// Whether bit 16 of a header marks 64-bit integers and floats, and objects by id. O(1).
    pub const fn has_wide_scalars(self) -> bool {
        self.facts().wide_scalars
    }

    /// Whether bit 16 of a header marks mathematical types of 8-byte reals. O(1).
    pub const fn has_wide_reals(self) -> bool {
        self.facts().wide_reals
    }

    /// Whether arrays and dictionaries may declare the types of what is in them. O(1).
    pub const fn has_typed_containers(self) -> bool {
        self.facts().typed_containers
    }

    /// Whether a RID's id is written. O(1).
    pub const fn writes_rids(self) -> bool {
        self.facts().rid_payload
    }

    /// Whether anything of an object is written. O(1).
    pub const fn writes_objects(self) -> bool {
        self.facts().object_payload
    }

    /// Whether a `String` and a `StringName` of one text are one dictionary key. O(1).
    pub const fn has_one_text_key(self) -> bool {
        self.facts().one_text_key
    }

    /// Whether dictionaries that are keys compare by content, not by identity. O(1).
    pub const fn compares_dictionaries_by_content(self) -> bool {
        self.facts().dictionaries_by_content
    }

    /// Whether arrays of 32-bit floats that are keys compare bit by bit, and with a NaN in them not at all;
    /// else as the numbers do. O(1).
    pub const fn compares_packed_floats_by_bits(self) -> bool {
        self.facts().packed_floats_by_bits
    }

    /// Whether the engine reads a path of neither names nor subnames as absolute if it says so. O(1).
    pub const fn has_absolute_empty_path(self) -> bool {
        self.facts().absolute_empty_path
    }

    pub(crate) const fn facts(self) -> &'static Facts {
        match self {
            Self::Godot2 => &godot2::FACTS,
            Self::Godot3 => &godot3::FACTS,
            Self::Godot4 => &godot4::FACTS,
            Self::Pandemonium3 => &pandemonium::FACTS_3,
            Self::Pandemonium4 => &pandemonium::FACTS_4,
            Self::Pandemonium5 => &pandemonium::FACTS_5,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text given to [`Dialect::from_str`] names no dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such dialect; expected one of")?;
        Dialect::ALL.iter().try_for_each(|d| write!(f, " {d}"))
    }
}

impl core::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    /// Reads a name as [`Dialect::name`] writes it; letter case does not matter.
    ///
    /// # Errors
    /// [`UnknownDialect`] for any other text.
    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .iter()
            .copied()
            .find(|d| d.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownDialect)
    }
}

/// How strictly an engine's reader checks text (docs/format.md, section 2.3).
///
/// In every engine the text ends at its first NUL and what follows is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextRule {
    /// Not at all: a defect shortens the text but is no error (Godot 2).
    Unchecked,
    /// UTF-8 of the old kind, with surrogates, sequences of five and six bytes and most overlong
    /// forms (Godot 3, Pandemonium 3).
    Lenient,
    /// UTF-8 as the Unicode standard has it (Godot 4, Pandemonium 4 and 5).
    Strict,
}

impl TextRule {
    /// Holds `text` against the rule. O(bytes).
    ///
    /// # Errors
    /// The index of the byte at fault.
    pub fn check(self, text: &[u8]) -> Result<(), usize> {
        crate::text::check(self, text)
    }
}

/// A dialect: its table of ids, and where its rules differ from the others'.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one way in which dialects differ")]
pub(crate) struct Facts {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) versions: &'static str,
    /// Index = wire id.
    pub(crate) kinds: &'static [Kind],
    /// The bits of a header word that are the id: its low byte, or all of it.
    pub(crate) id_mask: u32,
    /// Bit 16 marks 64-bit ints and floats, and objects given by id.
    pub(crate) wide_scalars: bool,
    /// Bit 16 marks 8-byte reals in mathematical types.
    pub(crate) wide_reals: bool,
    /// Bits 16 to 19 mark typed arrays and dictionaries.
    pub(crate) typed_containers: bool,
    /// A RID has its id behind the header.
    pub(crate) rid_payload: bool,
    /// Objects carry something; else they are bare headers.
    pub(crate) object_payload: bool,
    /// Node paths may still be plain strings.
    pub(crate) old_node_path: bool,
    /// The padding of a string may be missing at the very end.
    pub(crate) open_string_end: bool,
    /// The writer sets bit 31 of container counts for shared containers.
    pub(crate) shared_bit: bool,
    /// A `String` and a `StringName` of equal text are the same dictionary key.
    pub(crate) one_text_key: bool,
    /// Dictionaries used as keys compare by content, not by identity.
    pub(crate) dictionaries_by_content: bool,
    /// Packed arrays of 32-bit floats used as keys compare bit by bit, and with a NaN in them not at all.
    pub(crate) packed_floats_by_bits: bool,
    /// A path of neither names nor subnames may be absolute.
    pub(crate) absolute_empty_path: bool,
    pub(crate) text: TextRule,
}
