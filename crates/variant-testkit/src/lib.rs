//! Corpus, builders and oracles for the tests of this workspace.
//!
//! * [`adapters`]: holds `nth`, `skip` and `step_by` of an iterator against its `next`.
//! * [`corpus`]: the engine-made records, wherever the workspace is checked out.
//! * [`builder`]: bytes put together by hand, with labels on positions.
//! * [`engine`]: what an engine would hold after reading a value, in the tagged JSON of the records.
//! * [`var2str`]: the same as Godot 3's text.
//! * `table`: all kinds in all dialects, for the documentation.
//! * `spec`: the generated files of docs/spec.
//! * `values`: any value a dialect can hold, out of any bytes.
//! * `hostile`: any value that somebody may build by hand.
//! * `made`: the bytes of such values.
//! * `texts`: holds the text form against the engines' own.
//! * `live`: asks an engine that runs.
//! * `departures`: how what an engine writes of a value differs from what is written here.
//! * [`mutate`](mod@mutate): damage to bytes, by the numbers of [`random`].
//! * [`one_number`](mod@one_number): a tool for JSON with one kind of number.
//! * [`conformance`]: holds the decoder against the records.
//! * [`defects`]: where the engines are known to be wrong, as data.
//! * [`exercise`]: calls everything there is.
//! * [`agree`]: holds everything that reads bytes against the reference.
//! * `fuzz`: the bodies of the fuzz targets, their seeds and their dictionary.
//! * [`markdown`](mod@markdown): what pages can be linked by, and what they link to.
//! * `saves`: many saves such as games write.
//! * [`seeded`]: faults made on purpose.
//! * [`reference`](mod@reference): a second decoder, which is docs/spec/format.md as a program.

pub mod adapters;
pub mod agree;
pub mod builder;
pub mod conformance;
pub mod corpus;
pub mod defects;
#[cfg(feature = "alloc")]
pub mod departures;
pub mod engine;
pub mod exercise;
#[cfg(feature = "alloc")]
pub mod fuzz;
#[cfg(feature = "alloc")]
pub mod hostile;
#[cfg(feature = "alloc")]
pub mod keys;
#[cfg(feature = "alloc")]
pub mod live;
#[cfg(feature = "alloc")]
pub mod made;
pub mod markdown;
pub mod mutate;
pub mod one_number;
pub mod random;
pub mod reference;
#[cfg(feature = "alloc")]
pub mod saves;
pub mod seeded;
#[cfg(feature = "alloc")]
pub mod spec;
#[cfg(feature = "alloc")]
pub mod table;
#[cfg(feature = "alloc")]
pub mod tape;
#[cfg(feature = "alloc")]
pub mod texts;
#[cfg(feature = "alloc")]
pub mod values;
pub mod var2str;

/// Compiles the programs of pages that no published package has.
#[cfg(all(doctest, feature = "fuzz"))]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/multiplayer-server.md")]
    struct MultiplayerServer;
}
