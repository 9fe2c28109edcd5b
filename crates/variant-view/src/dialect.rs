//! [`Dialect`]: the engine family, or documentation page, whose format the bytes have. A dialect is a table of type ids
//! and a few rules.

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
pub use page::Page;
pub(crate) use rules::{DialectRules, PropertyFlag, ScalarWidth};

use crate::error::UnknownName;
use crate::kind::{Kind, Width};
use crate::text::TextRule;

/// The type ids and rules of one family of engine versions.
///
/// The bytes do not name their writer (docs/spec/engines.md#telling-dialects-apart), so the caller gives the dialect;
/// `Framing::detect` of `variant-io` guesses it.
///
/// ```
/// use variant_view::{Dialect, Kind};
///
/// let dialect: Dialect = "godot3".parse()?;
/// assert_eq!((dialect.title(), dialect.versions()), ("Godot 3", "Godot 3.0 to 3.6"));
/// assert_eq!(dialect.kind(18), Some(Kind::Dictionary));
/// assert_eq!(dialect.id(Kind::Dictionary), Some(18));
/// assert_eq!(dialect.id(Kind::StringName), None);
/// # Ok::<(), variant_view::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Dialect {
    /// Godot 1.0 to 2.1: 29 types.
    Godot2,
    /// Godot 3.0 to 3.6: 27 types.
    Godot3,
    /// Godot 4.0 and later: 38 types up to 4.2, 39 from 4.3 on, with the same ids.
    Godot4,
    /// Pandemonium v3.5 to v3.7: 33 types.
    Pandemonium3,
    /// Pandemonium v3.8 to v4.9: 38 types.
    Pandemonium4,
    /// Pandemonium v5.0 and later: 40 types.
    Pandemonium5,
    /// Not an engine, but the page [`Page::Godot30`], taken literally.
    // Each page is a separate variant, so that a walk finds the table of any dialect with one look-up.
    DocumentedGodot30,
    /// Not an engine, but the page [`Page::Godot31`], taken literally.
    DocumentedGodot31,
    /// Not an engine, but the page [`Page::Pandemonium27`], taken literally.
    DocumentedPandemonium27,
    /// Not an engine, but the page [`Page::Pandemonium38`], taken literally.
    DocumentedPandemonium38,
}

/// Compiles the code once per dialect, with the dialect as a constant; like [`by_kind`](crate::kind::by_kind).
///
/// Measured: without the copies, look-ups and reading records of different layouts take 1.15 times as long
/// (`benches/ablation.py by_dialect`).
macro_rules! by_dialect {
    ($dialect:expr, |$constant:ident| $code:expr) => {
        $crate::dialect::by_dialect!(@match $dialect, $constant, $code,
            Godot2 Godot3 Godot4 Pandemonium3 Pandemonium4 Pandemonium5)
    };
    (@match $dialect:expr, $constant:ident, $code:expr, $($name:ident)*) => {
        match $dialect {
            $(#[cfg(all(not(variant_small), any(not(debug_assertions), variant_released)))]
            $crate::dialect::Dialect::$name => {
                let $constant = $crate::dialect::Dialect::$name;
                $code
            })*
            // The documentation pages are rare, so this arm looks up their table at run time.
            $constant => $code,
        }
    };
}
pub(crate) use by_dialect;

impl Dialect {
    /// The dialects of all engines. [`Page::ALL`] has the documentation pages.
    pub const ALL: &'static [Self] = &[
        Self::Godot2,
        Self::Godot3,
        Self::Godot4,
        Self::Pandemonium3,
        Self::Pandemonium4,
        Self::Pandemonium5,
    ];

    /// All engine dialects, the likeliest first. If several of them fit the same bytes, prefer the first that fits. The
    /// last is Godot 2, which has not been written since 2018.
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

    /// The display name: `"Godot 3"`. O(1).
    pub const fn title(self) -> &'static str {
        self.rules().title
    }

    /// The engine versions that write this dialect: `"Godot 3.0 to 3.6"`. O(1).
    pub const fn versions(self) -> &'static str {
        self.rules().versions
    }

    /// The kinds by wire id: `kinds()[18]` is the kind of id 18. O(1).
    pub const fn kinds(self) -> &'static [Kind] {
        self.rules().kinds
    }

    /// The kind of wire id `id`. O(1).
    pub fn kind(self, id: u8) -> Option<Kind> {
        self.kinds().get(usize::from(id)).copied()
    }

    /// The wire id of `kind`, if the dialect can write that kind. O(number of types).
    pub fn id(self, kind: Kind) -> Option<u8> {
        if self.unsupported().contains(&kind) {
            return None;
        }
        self.kinds().iter().position(|&own| own == kind).and_then(|id| u8::try_from(id).ok())
    }

    /// The kinds that have an id but no layout, and can be neither read nor written. Empty for engines. O(1).
    pub const fn unsupported(self) -> &'static [Kind] {
        self.rules().unsupported
    }

    /// The documentation page, if this dialect is a page. O(1).
    pub const fn page(self) -> Option<Page> {
        match self {
            Self::DocumentedGodot30 => Some(Page::Godot30),
            Self::DocumentedGodot31 => Some(Page::Godot31),
            Self::DocumentedPandemonium27 => Some(Page::Pandemonium27),
            Self::DocumentedPandemonium38 => Some(Page::Pandemonium38),
            _ => None,
        }
    }

    /// This dialect, if it is that of an engine; for a page, the dialect of the nearest engine. O(1).
    ///
    /// The pages define neither the printed form of values nor the equality of keys. The engine's dialect defines both.
    ///
    /// ```
    /// use variant_view::{Dialect, Page};
    ///
    /// assert_eq!(Page::Godot31.dialect().engine(), Dialect::Godot3);
    /// assert_eq!(Dialect::Godot4.engine(), Dialect::Godot4);
    /// ```
    #[must_use]
    pub const fn engine(self) -> Self {
        match self.page() {
            Some(page) => page.engine(),
            None => self,
        }
    }

    /// Validates `text` by the rule of this dialect's readers (docs/spec/format.md#text). O(bytes).
    ///
    /// Godot 2 accepts all bytes; invalid bytes shorten the text. Godot 3 and Pandemonium 3 accept old-style UTF-8,
    /// with surrogates, sequences of five and six bytes, and most overlong forms. Other dialects accept UTF-8 as
    /// Unicode defines it.
    ///
    /// ```
    /// use variant_view::Dialect;
    ///
    /// let surrogate = b"ab\xed\xa0\x80";
    /// assert_eq!(Dialect::Godot3.check_text(surrogate), Ok(()));
    /// assert_eq!(Dialect::Godot4.check_text(surrogate), Err(2));
    /// ```
    ///
    /// # Errors
    /// The index of the first invalid byte.
    pub fn check_text(self, text: &[u8]) -> Result<(), usize> {
        crate::text::check(self.rules().text, text)
    }

    /// Whether text is validated at all: [`Dialect::check_text`]. O(1).
    pub const fn checks_text(self) -> bool {
        !matches!(self.rules().text, TextRule::Unchecked)
    }

    /// Whether text is UTF-8 as Unicode defines it: [`Dialect::check_text`]. O(1).
    pub const fn has_strict_text(self) -> bool {
        matches!(self.rules().text, TextRule::Strict)
    }

    /// Whether bit 16 of a header marks 64-bit integers and floats, and objects by id. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Width};
    ///
    /// assert!(Dialect::Godot4.has_wide_scalars());
    /// assert_eq!(Dialect::Godot2.int_width(), Some(Width::W32));
    /// ```
    pub const fn has_wide_scalars(self) -> bool {
        self.int_width().is_none()
    }

    /// The width of every `int`; `None` if bit 16 of the header decides. O(1).
    pub const fn int_width(self) -> Option<Width> {
        self.rules().int.only()
    }

    /// The width of every `float`; `None` if bit 16 of the header decides. O(1).
    pub const fn float_width(self) -> Option<Width> {
        self.rules().float.only()
    }

    /// Whether bit 16 of a header marks 8-byte reals in mathematical types. O(1).
    pub const fn has_wide_reals(self) -> bool {
        self.rules().wide_reals
    }

    /// Whether arrays and dictionaries can declare types as in Godot 4 (docs/spec/format.md#typed-containers). O(1).
    pub const fn has_typed_containers(self) -> bool {
        self.rules().typed_containers
    }

    /// Whether the id of a `RID` is written. O(1).
    pub const fn writes_rids(self) -> bool {
        self.rules().rid_payload
    }

    /// Whether objects have a payload. O(1).
    pub const fn writes_objects(self) -> bool {
        self.rules().object_payload
    }

    /// Whether a node path can be one plain string, the old form (docs/spec/format.md#nodepath). O(1).
    ///
    /// ```
    /// use variant_view::Dialect;
    ///
    /// assert!(Dialect::Godot2.has_plain_node_paths() && !Dialect::Godot4.has_plain_node_paths());
    /// ```
    pub const fn has_plain_node_paths(self) -> bool {
        !matches!(self.rules().old_node_path, OldNodePath::Refused)
    }

    /// Whether a node path that is one plain string has padding. True for the documentation's pages; Godot 2 writes no
    /// padding. O(1).
    pub const fn pads_plain_node_paths(self) -> bool {
        matches!(self.rules().old_node_path, OldNodePath::Padded)
    }

    /// Whether bit 31 of a container's count marks a shared container. O(1).
    pub const fn has_shared_bit(self) -> bool {
        self.rules().shared_bit
    }

    /// Whether strings of packed arrays end in a NUL that their lengths count. O(1).
    pub const fn terminates_strings(self) -> bool {
        self.rules().terminated_strings
    }

    /// Whether the nine numbers of a `Basis`, and the first nine of a `Transform3D`, are columns, as the documentation
    /// says. Engines write rows. O(1).
    ///
    /// This crate returns the numbers in wire order. The fields of [`Basis`](crate::Basis) have the names of rows in
    /// any case.
    ///
    /// ```
    /// use variant_view::{Dialect, Page};
    ///
    /// assert!(!Dialect::Godot4.has_basis_columns());
    /// assert!(Page::Godot31.dialect().has_basis_columns());
    /// ```
    pub const fn has_basis_columns(self) -> bool {
        self.page().is_some()
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

/// The names of all dialects, the documentation's pages last.
const NAMES: &[&str] = &[
    Dialect::Godot2.name(),
    Dialect::Godot3.name(),
    Dialect::Godot4.name(),
    Dialect::Pandemonium3.name(),
    Dialect::Pandemonium4.name(),
    Dialect::Pandemonium5.name(),
    Dialect::DocumentedGodot30.name(),
    Dialect::DocumentedGodot31.name(),
    Dialect::DocumentedPandemonium27.name(),
    Dialect::DocumentedPandemonium38.name(),
];

impl FromStr for Dialect {
    type Err = UnknownName;

    /// Parses a name of [`Dialect::name`], ignoring case.
    ///
    /// # Errors
    /// Any other text.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let pages = Page::ALL.iter().copied().map(Page::dialect);
        let mut all = Self::ALL.iter().copied().chain(pages);
        let found = all.find(|dialect| dialect.name().eq_ignore_ascii_case(text));
        found.ok_or(UnknownName::new("dialect", NAMES))
    }
}

/// Whether a dialect has the old form of a node path, one plain string (docs/spec/format.md#nodepath).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldNodePath {
    /// The dialect lacks it; such a path is an error.
    Refused,
    /// The dialect has it; the next value follows without padding (Godot 2).
    Unpadded,
    /// The dialect has it, with padding, like other texts (the pages of the documentation).
    Padded,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_a_table_of_its_own() {
        for (place, &dialect) in Dialect::ALL.iter().enumerate() {
            assert_eq!(dialect.name().parse(), Ok(dialect));
            for (id, &kind) in (0..).zip(dialect.kinds()) {
                assert_eq!(dialect.id(kind), Some(id), "{dialect}: {kind} is there twice");
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
