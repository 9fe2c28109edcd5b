//! Corpus, builders and oracles for the tests of this workspace.
//!
//! * [`adapters`]: compares `nth`, `skip` and `step_by` of an iterator with its `next`.
//! * [`corpus`]: the engine-made records, wherever the workspace is checked out.
//! * [`builder`]: bytes put together by hand, with labels on positions.
//! * [`engine`]: the value that an engine holds after reading, in the tagged JSON of the records.
//! * [`var2str`]: the same as Godot 3's text.
//! * `table`: all kinds in all dialects, for the documentation.
//! * `spec`: the generated files of docs/spec.
//! * `values`: any value a dialect can hold, made from any bytes.
//! * `hostile`: any value that a program may build.
//! * `made`: the bytes of such values.
//! * `texts`: compares the text form with the engines' own.
//! * `live`: asks a running engine.
//! * `departures`: how what an engine writes of a value differs from what is written here.
//! * [`mutate`](mod@mutate): damage to bytes, by the numbers of [`random`].
//! * [`one_number`](mod@one_number): a tool for JSON with one kind of number.
//! * [`conformance`]: compares the decoder with the records.
//! * [`defects`]: known engine defects, as data.
//! * [`exercise`]: calls every function.
//! * [`agree`]: compares everything that reads bytes with the reference.
//! * `fuzz`: the bodies of the fuzz targets, their seeds and their dictionary.
//! * [`markdown`](mod@markdown): the anchors and links of pages.
//! * `saves`: many saves such as games write.
//! * [`seeded`]: faults made on purpose.
//! * [`reference`](mod@reference): a second decoder, docs/spec/format.md as a program.

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

/// Compiles the programs of pages that are not in a published package.
#[cfg(all(doctest, feature = "fuzz"))]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/multiplayer-server.md")]
    struct MultiplayerServer;
}
