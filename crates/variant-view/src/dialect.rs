//! [`Dialect`]: which engine wrote the bytes, or which page they were written by. A dialect is a table of type ids
//! and a few facts.

mod godot2;
mod godot3;
mod godot4;
mod key_rule;
mod page;
mod pandemonium;
mod rules;

use core::fmt;
use core::str::FromStr;

pub use key_rule::KeyRule;
pub use page::{Page, UnknownPage};
pub(crate) use rules::{DialectRules, PropertyFlag, ScalarWidth};

use crate::kind::{Kind, Width};
use crate::text::TextRule;

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
    /// No engine: [`Page::Godot30`].
    // The pages are variants of their own and hidden, rather than one that holds a page: so a table is found in one
    // step, and what is listed are the engines.
    #[doc(hidden)]
    DocumentedGodot30,
    /// No engine: [`Page::Godot31`].
    #[doc(hidden)]
    DocumentedGodot31,
    /// No engine: [`Page::Pandemonium27`].
    #[doc(hidden)]
    DocumentedPandemonium27,
    /// No engine: [`Page::Pandemonium38`].
    #[doc(hidden)]
    DocumentedPandemonium38,
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
            $(#[cfg(any(not(debug_assertions), variant_released))]
            $crate::dialect::Dialect::$name => {
                let $constant = $crate::dialect::Dialect::$name;
                $code
            })*
            // Pages of the documentation, too: they are rare, and have their table looked up.
            $constant => $code,
        }
    };
}
pub(crate) use by_dialect;

impl Dialect {
    /// Every engine's dialect. The pages of the documentation are in [`Page::ALL`].
    pub const ALL: &'static [Self] = &[
        Self::Godot2,
        Self::Godot3,
        Self::Godot4,
        Self::Pandemonium3,
        Self::Pandemonium4,
        Self::Pandemonium5,
    ];

    /// Every dialect, the likeliest first where nothing in the bytes tells them apart: Godot's, the newest first, since most
    /// files are of its games, then Pandemonium's; last the one that nobody has written since 2018.
    pub const LIKELIEST: &'static [Self] = &[
        Self::Godot4,
        Self::Godot3,
        Self::Pandemonium5,
        Self::Pandemonium4,
        Self::Pandemonium3,
        Self::Godot2,
    ];

    /// The name in lower case, as [`FromStr`] reads it: `"godot3"`. O(1).
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// The name as people write it: `"Godot 3"`. O(1).
    pub const fn title(self) -> &'static str {
        self.rules().title
    }

    /// The engine versions that write it: `"Godot 3.0 to 3.6"`. O(1).
    pub const fn versions(self) -> &'static str {
        self.rules().versions
    }

    /// The kinds of this dialect in the order of their wire ids: `kinds()[18]` is what id 18 means. O(1).
    pub const fn kinds(self) -> &'static [Kind] {
        self.rules().kinds
    }

    /// What wire id `id` means here, if anything. O(1).
    pub fn kind(self, id: u8) -> Option<Kind> {
        self.kinds().get(usize::from(id)).copied()
    }

    /// The wire id of `kind` here, if values of that kind can be written. O(number of types).
    pub fn id(self, kind: Kind) -> Option<u8> {
        if self.unsupported().contains(&kind) {
            return None;
        }
        self.kinds().iter().position(|&own| own == kind).and_then(|id| u8::try_from(id).ok())
    }

    /// The kinds that have a number here and no layout, so that they are neither read nor written; of no engine's
    /// dialect. O(1).
    pub const fn unsupported(self) -> &'static [Kind] {
        self.rules().unsupported
    }

    /// The page of the documentation, if that is what the dialect is. O(1).
    pub const fn page(self) -> Option<Page> {
        match self {
            Self::DocumentedGodot30 => Some(Page::Godot30),
            Self::DocumentedGodot31 => Some(Page::Godot31),
            Self::DocumentedPandemonium27 => Some(Page::Pandemonium27),
            Self::DocumentedPandemonium38 => Some(Page::Pandemonium38),
            _ => None,
        }
    }

    /// The engine's dialect, of a page that of the engine nearest to it. O(1).
    ///
    /// What the pages do not speak of is as it is there: how values print, and which keys are one.
    #[must_use]
    pub const fn engine(self) -> Self {
        match self.page() {
            Some(page) => page.engine(),
            None => self,
        }
    }

    /// The rule by which this dialect's reader accepts text. O(1).
    pub const fn text_rule(self) -> TextRule {
        self.rules().text
    }

    /// Whether bit 16 of a header marks 64-bit integers and floats, and objects by id. O(1).
    pub const fn has_wide_scalars(self) -> bool {
        self.int_width().is_none()
    }

    /// The width of every integer; none if bit 16 of its header says. O(1).
    pub const fn int_width(self) -> Option<Width> {
        self.rules().int.only()
    }

    /// The width of every float; none if bit 16 of its header says. O(1).
    pub const fn float_width(self) -> Option<Width> {
        self.rules().float.only()
    }

    /// Whether bit 16 of a header marks mathematical types of 8-byte reals. O(1).
    pub const fn has_wide_reals(self) -> bool {
        self.rules().wide_reals
    }

    /// Whether arrays and dictionaries may declare the types of what is in them. O(1).
    pub const fn has_typed_containers(self) -> bool {
        self.rules().typed_containers
    }

    /// Whether a RID's id is written. O(1).
    pub const fn writes_rids(self) -> bool {
        self.rules().rid_payload
    }

    /// Whether anything of an object is written. O(1).
    pub const fn writes_objects(self) -> bool {
        self.rules().object_payload
    }

    /// Whether node paths may be one plain string, with padding or without. O(1).
    pub const fn old_node_path(self) -> OldNodePath {
        self.rules().old_node_path
    }

    /// Whether bit 31 of a container's count is written. O(1).
    pub const fn has_shared_bit(self) -> bool {
        self.rules().shared_bit
    }

    /// Whether the strings of a packed array end in a NUL that their lengths count. O(1).
    pub const fn terminates_strings(self) -> bool {
        self.rules().terminated_strings
    }

    /// How the nine numbers of a basis are to be read. O(1).
    pub const fn basis_order(self) -> BasisOrder {
        match self.page() {
            Some(_) => BasisOrder::Columns,
            None => BasisOrder::Rows,
        }
    }

    pub(crate) const fn rules(self) -> &'static DialectRules {
        match self {
            Self::Godot2 => &godot2::RULES,
            Self::Godot3 => &godot3::RULES,
            Self::Godot4 => &godot4::RULES,
            Self::Pandemonium3 => &pandemonium::RULES_3,
            Self::Pandemonium4 => &pandemonium::RULES_4,
            Self::Pandemonium5 => &pandemonium::RULES_5,
            Self::DocumentedGodot30 => &page::GODOT_30,
            Self::DocumentedGodot31 => &page::GODOT_31,
            Self::DocumentedPandemonium27 => &page::PANDEMONIUM_27,
            Self::DocumentedPandemonium38 => &page::PANDEMONIUM_38,
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
        Dialect::ALL.iter().try_for_each(|d| write!(f, " {d}"))?;
        f.write_str(", or of the documentation's pages")?;
        Page::ALL.iter().try_for_each(|page| write!(f, " {}", page.dialect()))
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
        let pages = Page::ALL.iter().copied().map(Page::dialect);
        let mut all = Self::ALL.iter().copied().chain(pages);
        all.find(|d| d.name().eq_ignore_ascii_case(text)).ok_or(UnknownDialect)
    }
}

/// Whether a node path may be one plain string, in the old form (docs/format.md, section 2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OldNodePath {
    /// No: an error.
    Refused,
    /// Yes, and the next value starts where the string ends (Godot 2).
    Unpadded,
    /// Yes, with padding as behind any other text (the documentation).
    Padded,
}

/// What the nine numbers of a `Basis`, or those that a `Transform3D` starts with, are said to be.
///
/// The numbers are given in wire order whatever this says: [`Basis`](crate::Basis) calls them rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BasisOrder {
    /// Rows, which is what engines write: `row0` holds the x components of the three axes.
    Rows,
    /// Columns, which is what the documentation says: `row0` is the x axis.
    Columns,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_a_table_of_its_own() {
        let types = Dialect::ALL.iter().map(|dialect| dialect.kinds().len());
        assert!(types.eq([29, 27, 39, 33, 38, 40]), "docs/format.md, section 1.1");
        for (place, &dialect) in Dialect::ALL.iter().enumerate() {
            assert_eq!(dialect.name().parse(), Ok(dialect));
            for (id, &kind) in (0..).zip(dialect.kinds()) {
                assert_eq!(dialect.id(kind), Some(id), "{dialect}: {kind} stands twice");
            }
            let others = Dialect::ALL.iter().take(place);
            assert!(others.clone().all(|other| other.kinds() != dialect.kinds()), "{dialect}");
        }
    }

    #[test]
    fn the_likeliest_are_all() {
        let mut likeliest = Dialect::LIKELIEST.to_vec();
        likeliest.sort_unstable();
        assert_eq!(likeliest, Dialect::ALL);
    }
}
