//! Names of newtypes. Each name selects a form that this crate writes or reads.
//!
//! serde passes the name of a newtype struct to the format. Most formats ignore the name and write only the content.
//! RON refuses a name that is not an identifier.

#![allow(dead_code, reason = "some names are only used for writing")]

use variant_view::{Dialect, Reals};

/// Selects the bytes of a value.
pub(crate) const RAW: &str = "$variant::Raw";
/// Selects the layout and the borrowed bytes of a packed array.
pub(crate) const PACKED_VIEW: &str = "$variant::PackedView";
/// Selects the bytes of any value. `Variant` of `variant-owned` requests values by this name, to keep details that
/// serde cannot express.
pub(crate) const VARIANT: &str = "$variant::Variant, without a loss";

macro_rules! raws {
    ($($dialect:ident $name:literal)*) => {
        /// [`RAW`] with the dialect and the reals of the bytes, for a writer of another dialect. For layouts of
        /// documentation pages, the name is only [`RAW`].
        pub(crate) const fn raw_of(dialect: Dialect, reals: Reals) -> &'static str {
            match (dialect, reals) {
                $((Dialect::$dialect, Reals::ByFlag) => concat!("$variant::Raw[", $name, "]"),
                (Dialect::$dialect, Reals::Always64) => concat!("$variant::Raw[", $name, ", always64]"),)*
                _ => RAW,
            }
        }

        /// The dialect and the reals in `brackets`, the end of a name that [`raw_of`] returned.
        pub(crate) fn raw_from(brackets: &str) -> Option<(Dialect, Reals)> {
            match brackets {
                $(concat!("[", $name, "]") => Some((Dialect::$dialect, Reals::ByFlag)),
                concat!("[", $name, ", always64]") => Some((Dialect::$dialect, Reals::Always64)),)*
                _ => None,
            }
        }
    };
}

raws! {
    Godot2 "godot2" Godot3 "godot3" Godot4 "godot4"
    Pandemonium3 "pandemonium3" Pandemonium4 "pandemonium4" Pandemonium5 "pandemonium5"
}
