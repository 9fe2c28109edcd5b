//! Inspects and edits files of Godot's and Pandemonium's binary Variants: lists, selects, searches, compares, edits and
//! salvages values. Unchanged values keep their bytes.
//!
//! | to | see |
//! |---|---|
//! | choose how a file is read, and detect what was not chosen | [`Reading`] |
//! | define how the bytes of a file are read | [`Plain`] |
//! | list its values, or those in a container, a page at a time | [`Plain::pieces`], [`tree::Children`] |
//! | select values by a path such as `party[*].hp` | [`query::select`] |
//! | read columns of many paths in one pass | [`rows::Rows`] |
//! | change values, and keep every other byte | [`edit::Draft`] |
//! | bring old saves to the newest version of a game | `migration::Migration`, of the feature `migration` |
//! | compare two files, value by value | [`diff::files`] |
//! | bring the changes of another copy into a file | [`merge::merge`] |
//! | write a file in another dialect | [`convert::convert`] |
//! | search keys and texts | [`search::Search`] |
//! | recover the valid parts of a damaged file | [`salvage::salvage`] |
//! | read and write values as a type of the program | `typed::TypedFile` (feature `serde`) |
//! | learn the shape of values: kinds, optional keys, ranges | [`shape::Shapes`] |
//! | check values against a JSON Schema | `schema` (feature `schema`) |
//! | find the meaning of each byte | [`fields::fields`], [`anatomy::parts`] |
//! | show a value in one short line | [`literal::write`] |
//!
//! The command `variant-inspect` and the page in the browser share this crate. The crate prints nothing: `variant-io`
//! opens files, and the caller shows the result.
//!
//! | feature | adds |
//! |---|---|
//! | `regex` (default) | filters with `=~` in paths |
//! | `files` | the files that names, folders and patterns select |
//! | `output` | files that are written so that an error or a crash does not lose the old bytes |
//! | `migration` | steps that bring old saves to the newest version of a game |
//! | `parallel` | jobs on several threads, with their results in order |
//! | `schema` | checks against a JSON Schema |
//! | `serde` | files of values of the program's own types |
//!
//! ```
//! use variant_document::Plain;
//! use variant_document::edit::{Action, Draft, Edit, literal};
//! use variant_io::Framing;
//! use variant_view::{Dialect, Options};
//!
//! // {"hp": 7}, as Godot 4 writes it
//! let bytes = [
//!     27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
//! ];
//! let mut draft = Draft::new(Plain::new(&bytes, Framing::Bare, Options::engine(Dialect::Godot4)));
//! let action = Action::Set(literal("10", Dialect::Godot4)?);
//! draft.make(&Edit { frame: None, path: "hp".to_owned(), action })?;
//! assert_eq!(draft.bytes()[24..], [10, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod anatomy;
pub mod backup;
pub mod convert;
pub mod count;
pub mod diff;
pub mod edit;
pub mod escape;
pub mod explain;
pub mod fields;
#[cfg(feature = "files")]
pub mod files;
pub mod literal;
pub mod lookup;
pub mod magic;
pub mod mangled;
pub mod merge;
#[cfg(feature = "migration")]
pub mod migration;
pub mod names;
pub mod nested;
#[cfg(feature = "output")]
pub mod output;
mod packed;
#[cfg(feature = "parallel")]
pub mod parallel;
mod patch;
mod path_text;
mod plain;
pub mod query;
mod reading;
pub mod rows;
pub mod salvage;
#[cfg(feature = "schema")]
pub mod schema;
pub mod search;
pub mod section;
pub mod seek;
pub mod shape;
pub mod texts;
pub mod tree;
mod trouble;
#[cfg(feature = "serde")]
pub mod typed;

pub use patch::{Patches, SHARED};
pub use plain::{Batch, Piece, Pieces, Plain, batches, unit};
pub use reading::{Chosen, Reading, TooShort, layer_notes};
pub use trouble::{EditError, Trouble};

/// Whether this is the published package, which does not contain the corpus. Cargo adds `Cargo.toml.orig` to packages.
#[cfg(test)]
fn is_packed() -> bool {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml.orig")).exists()
}
