//! [`Page`]: the layouts of the official documentation (docs/spec/errata.md).

use core::fmt;
use core::str::FromStr;

use super::{Dialect, DialectRules, KeyRule, OldNodePath, PropertyFlag, ScalarWidth};
use super::{godot3, pandemonium};
use crate::error::UnknownName;
use crate::kind::{Kind, Width};
use crate::text::TextRule;

/// The literal layout of a page of the official documentation of this format.
///
/// No engine follows the pages exactly (docs/spec/errata.md), but programs have been written from them.
/// [`Options::documented`](crate::Options::documented) reads the output of such programs, and
/// `EncodeOptions::documented` of `variant-owned` writes input for them. Each page is a [`Dialect`] with its own table
/// (docs/spec/errata.md#the-pages-as-layouts):
///
/// * the lower half of the header is the type id, and the upper half has flags; in the first page, the whole header
///   is the type id;
/// * in the first page integers always take 8 bytes and floats 4;
/// * a node path can be one plain string, with padding;
/// * bit 31 of a container's count marks a shared container;
/// * strings of packed arrays have no terminating NUL;
/// * the pages call `RID` and `Object` "unsupported": these kinds are an error here;
/// * text is UTF-8 as Unicode defines it; all other rules are the nearest engine's.
///
/// [`Reals::Always64`](crate::Reals::Always64) selects the pages' layout for double precision.
///
/// ```
/// use variant_view::{Document, ErrorKind, Options, Page};
///
/// // 7, as the page of Godot 3.0 has it
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
/// let document = Document::new(&bytes, Options::documented(Page::Godot30));
/// assert_eq!(document.root()?.as_i64()?, 7);
/// assert_eq!(document.validate()?.consumed, 12);
///
/// let object = [17, 0, 0, 0];
/// let error = Document::new(&object, Options::documented(Page::Godot31)).validate().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Page {
    /// Godot 3.0: no flags, integers of 8 bytes, floats of 4.
    Godot30,
    /// Godot 3.1 to 3.6.
    Godot31,
    /// Pandemonium, with the 27 types of Godot 3. No release of Pandemonium has these ids.
    Pandemonium27,
    /// Pandemonium, with the 38 types of v3.8 to v4.9.
    Pandemonium38,
}

impl Page {
    /// All pages.
    pub const ALL: &'static [Self] =
        &[Self::Godot30, Self::Godot31, Self::Pandemonium27, Self::Pandemonium38];

    /// The name in lower case, as [`FromStr`] reads it: `"godot-3.0"`. O(1).
    ///
    /// The dialect of the page is named `"documented-godot-3.0"`, since Godot 3.0 writes other bytes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Godot30 => "godot-3.0",
            Self::Godot31 => "godot-3.1",
            Self::Pandemonium27 => "pandemonium-27",
            Self::Pandemonium38 => "pandemonium-38",
        }
    }

    /// The dialect of the nearest engine, which has the same type ids. O(1).
    pub const fn engine(self) -> Dialect {
        match self {
            Self::Godot30 | Self::Godot31 | Self::Pandemonium27 => Dialect::Godot3,
            Self::Pandemonium38 => Dialect::Pandemonium4,
        }
    }

    /// The page as a dialect, for the encoder, conversions and codecs. O(1).
    pub const fn dialect(self) -> Dialect {
        match self {
            Self::Godot30 => Dialect::DocumentedGodot30,
            Self::Godot31 => Dialect::DocumentedGodot31,
            Self::Pandemonium27 => Dialect::DocumentedPandemonium27,
            Self::Pandemonium38 => Dialect::DocumentedPandemonium38,
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Page> for Dialect {
    fn from(page: Page) -> Self {
        page.dialect()
    }
}

const NAMES: &[&str] = &[
    Page::Godot30.name(),
    Page::Godot31.name(),
    Page::Pandemonium27.name(),
    Page::Pandemonium38.name(),
];

impl FromStr for Page {
    type Err = UnknownName;

    /// Parses a name of [`Page::name`], ignoring case.
    ///
    /// # Errors
    /// Any other text.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.iter().copied();
        all.find(|page| page.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownName::new("page", NAMES))
    }
}

/// The rules that all pages except the first share, and the ids of Godot 3.
pub(super) const GODOT_31: DialectRules = DialectRules {
    name: "documented-godot-3.1",
    title: "Godot 3.1's documentation",
    versions: "the documentation of Godot 3.1 to 3.6",
    unsupported: &[Kind::Rid, Kind::Object],
    id_mask: 0xffff,
    object_payload: false,
    old_node_path: OldNodePath::Padded,
    property_flag: PropertyFlag::Ignored,
    shared_bit: true,
    terminated_strings: false,
    keys: KeyRule { text: TextRule::Strict, absolute_empty_path: true, ..godot3::RULES.keys },
    text: TextRule::Strict,
    ..godot3::RULES
};

pub(super) const GODOT_30: DialectRules = DialectRules {
    name: "documented-godot-3.0",
    title: "Godot 3.0's documentation",
    versions: "the documentation of Godot 3.0",
    id_mask: u32::MAX,
    int: ScalarWidth::always(Width::W64),
    float: ScalarWidth::always(Width::W32),
    ..GODOT_31
};

pub(super) const PANDEMONIUM_27: DialectRules = DialectRules {
    name: "documented-pandemonium-27",
    title: "Pandemonium's documentation, 27 types",
    versions: "the documentation of Pandemonium with 27 types",
    ..GODOT_31
};

pub(super) const PANDEMONIUM_38: DialectRules = DialectRules {
    name: "documented-pandemonium-38",
    title: "Pandemonium's documentation, 38 types",
    versions: "the documentation of Pandemonium with 38 types",
    kinds: pandemonium::RULES_4.kinds,
    keys: KeyRule {
        packed_floats_by_bits: pandemonium::RULES_4.keys.packed_floats_by_bits,
        ..GODOT_31.keys
    },
    ..GODOT_31
};

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn names_come_back() {
        for &page in Page::ALL {
            assert_eq!(page.to_string().parse(), Ok(page));
            let dialect = Dialect::from(page);
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
            assert_eq!(dialect.page(), Some(page));
            assert_eq!(dialect.engine(), page.engine());
            assert!(!Dialect::ALL.contains(&dialect));
            // Engines and pages do not share names.
            assert!(page.name().parse::<Dialect>().is_err());
        }
        assert!("godot3".parse::<Page>().is_err());
    }

    /// Pages have the ids of the engine, including ids of unsupported kinds.
    #[test]
    fn tables_are_the_engine_s() {
        for &page in Page::ALL {
            assert_eq!(Dialect::from(page).kinds(), page.engine().kinds());
            assert!(
                page.dialect().rules().unsupported.iter().all(|kind| page
                    .dialect()
                    .rules()
                    .kinds
                    .contains(kind))
            );
        }
    }
}
