//! The properties of each dialect that the writer needs, as constant tables.

use variant_view::{Dialect, Kind, Width};

/// The wire ids of a dialect, and the widths of its scalars.
pub(super) struct Table {
    /// The wire id of each kind; [`NO_ID`] if the dialect cannot write it.
    pub(super) ids: [u8; Kind::ALL.len()],
    /// Whether integers always take 8 bytes without a flag.
    pub(super) has_wide_ints: bool,
    /// Whether floats always take 4 bytes.
    pub(super) has_narrow_floats: bool,
    /// Whether bit 16 of a header marks 8-byte reals.
    pub(super) has_wide_reals: bool,
}

/// No kind has this id.
pub(super) const NO_ID: u8 = u8::MAX;

/// The table of a dialect without kinds.
static NOTHING: Table = Table {
    ids: [NO_ID; Kind::ALL.len()],
    has_wide_ints: false,
    has_narrow_floats: false,
    has_wide_reals: false,
};

macro_rules! tables {
    ($($dialect:ident)*) => {
        pub(super) const fn of(dialect: Dialect) -> &'static Table {
            match dialect {
                $(Dialect::$dialect => {
                    static TABLE: Table = table(Dialect::$dialect);
                    &TABLE
                })*
                _ => &NOTHING,
            }
        }
    };
}

tables! {
    Godot2 Godot3 Godot4 Pandemonium3 Pandemonium4 Pandemonium5
    DocumentedGodot30 DocumentedGodot31 DocumentedPandemonium27 DocumentedPandemonium38
}

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "evaluated at compile time, so a mistake does not compile"
)]
const fn table(dialect: Dialect) -> Table {
    let mut ids = [NO_ID; Kind::ALL.len()];
    let mut kinds = dialect.kinds();
    let mut id = 0;
    while let [kind, rest @ ..] = kinds {
        ids[kind.index()] = id;
        id += 1;
        kinds = rest;
    }
    let mut unsupported = dialect.unsupported();
    while let [kind, rest @ ..] = unsupported {
        ids[kind.index()] = NO_ID;
        unsupported = rest;
    }
    Table {
        ids,
        has_wide_ints: matches!(dialect.int_width(), Some(Width::W64)),
        has_narrow_floats: matches!(dialect.float_width(), Some(Width::W32)),
        has_wide_reals: dialect.has_wide_reals(),
    }
}

#[cfg(test)]
mod tests {
    use variant_view::Page;

    use super::*;

    #[test]
    fn every_dialect_has_its_table() {
        let pages = Page::ALL.iter().map(|page| page.dialect());
        for dialect in Dialect::ALL.iter().copied().chain(pages) {
            for (kind, id) in Kind::ALL.iter().zip(of(dialect).ids) {
                let written = dialect.id(*kind).filter(|_| !dialect.unsupported().contains(kind));
                assert_eq!(id, written.unwrap_or(NO_ID), "{dialect}: {kind}");
            }
            // A table that is made now is the table that was made at compile time.
            let (own, now) = (of(dialect), table(dialect));
            assert_eq!(own.ids, now.ids, "{dialect}");
            let widths =
                |all: &Table| [all.has_wide_ints, all.has_narrow_floats, all.has_wide_reals];
            assert_eq!(widths(own), widths(&now), "{dialect}");
        }
    }
}
