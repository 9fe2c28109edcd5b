//! The wire ids of kinds, as constant tables: none is made at run time.

use variant_view::{Dialect, Kind};

/// The wire id of each kind; [`NO_ID`] if the dialect cannot write it.
pub(super) type Ids = [u8; Kind::ALL.len()];

/// No kind has this id.
pub(super) const NO_ID: u8 = u8::MAX;

macro_rules! tables {
    ($($dialect:ident)*) => {
        /// The table of a dialect. O(1).
        pub(super) const fn of(dialect: Dialect) -> &'static Ids {
            match dialect {
                $(Dialect::$dialect => {
                    static TABLE: Ids = table(Dialect::$dialect);
                    &TABLE
                })*
                _ => &[NO_ID; Kind::ALL.len()],
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
    reason = "at compile time, where a mistake does not compile"
)]
const fn table(dialect: Dialect) -> Ids {
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
    ids
}

#[cfg(test)]
mod tests {
    use variant_view::Page;

    use super::*;

    #[test]
    fn every_dialect_has_its_table() {
        let pages = Page::ALL.iter().map(|page| page.dialect());
        for dialect in Dialect::ALL.iter().copied().chain(pages) {
            for (kind, id) in Kind::ALL.iter().zip(of(dialect)) {
                let written = dialect.id(*kind).filter(|_| !dialect.unsupported().contains(kind));
                assert_eq!(*id, written.unwrap_or(NO_ID), "{dialect}: {kind}");
            }
        }
    }
}
