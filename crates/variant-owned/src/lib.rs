//! Owned Variants: create, change, compare and encode the values that `variant-view` reads.
//!
//! A value is made, changed, written and read:
//!
//! ```
//! use variant_owned::{Variant, array, dictionary, encode};
//! use variant_view::{Dialect, Document};
//!
//! let mut save = dictionary! {
//!     "name" => "Åsa",
//!     "level" => 37,
//!     "items" => array!["sword", "shield"],
//! };
//! save.insert("level", 38);
//!
//! let bytes = encode(&save.into(), Dialect::Godot4)?;
//! let read = Variant::from_document(&Document::new(&bytes, Dialect::Godot4))?;
//! assert_eq!(read["level"], 38);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! A part of a document is changed by its path:
//!
//! ```
//! use variant_owned::{TextOptions, TextStyle, Variant, to_text};
//!
//! let mut save: Variant = r#"{"party": [{"name": "Åsa", "at": Vector2(1, 2.5)}]}"#.parse()?;
//! *save.at_mut("party[0].name")? = "Bo".into();
//! save.insert("party[0].hp", 10)?;
//! assert!(save.at("party[1].name").is_err()); // the error names the missing step
//! assert_eq!(
//!     to_text(save.at("party[0]")?, &TextOptions::new(TextStyle::Godot4)), // var_to_str
//!     "{\n\"name\": \"Bo\",\n\"at\": Vector2(1, 2.5),\n\"hp\": 10\n}",
//! );
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! A value is converted from one engine's dialect to another's, and losses are reported:
//!
//! ```
//! use variant_owned::{Variant, convert, encode};
//! use variant_view::{Dialect, Vector2};
//!
//! let save: Variant = Vector2::<i32>::new(3, 4).into(); // Godot 3 has no Vector2i
//! let (converted, report) = convert(&save, Dialect::Godot3)?;
//! assert!(!report.is_empty());
//! for change in report.changes() {
//!     println!("{change}");
//! }
//! let bytes = encode(&converted, Dialect::Godot3)?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Which type do I want
//!
//! | to | type |
//! |---|---|
//! | hold any value | [`Variant`]: the same arms as [`VariantView`](variant_view::VariantView) |
//! | build a value | [`array!`], [`dictionary!`], `From` of Rust's types, a text in GDScript's notation |
//! | hold text of any bytes, ordered pairs, elements | [`Text`], [`Dictionary`], [`Array`] |
//! | write bytes | [`encode`]; [`encode_into`] a buffer that is kept; [`Writer`] does not need a [`Variant`] |
//! | go to another dialect | [`convert`]; [`convert_into`] does not need a [`Variant`] |
//! | print or parse `var_to_str` | [`to_text`], [`from_text`], [`write_text`] |
//! | print or parse JSON | module `json` |
//! | collect the events of a producer | [`Collector`], [`Variant::from_producer`] |
//! | read without copies | crate `variant-view` |
//! | the program's own types | crate `variant-serde` |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `arbitrary` | any value, made from the bytes of a fuzzer |
//! | `bytes` | `bytes::Bytes` as a `PackedByteArray` |
//! | `json` | module `json` |
//! | `mint` | conversions from and to the vectors of other mathematics crates |
//! | `serde` | `Serialize` and `Deserialize` for [`Variant`], and `Deserializer` for `&Variant` |
//!
//! # Costs and guarantees
//!
//! * A method is O(1) and allocates nothing, unless its documentation says otherwise. Conversions `From` a Rust value
//!   move its contents if possible.
//! * Nothing recurses: nesting costs heap memory, not stack, in creating, cloning, comparing, printing and dropping.
//! * [`encode`] writes the normal form of the engine (`docs/spec/writing.md`).
//! * No `unsafe`.
//!
//! # Guides
//!
//! In the repository: `docs/guides/saves.md`, `docs/guides/migrating.md`, `docs/guides/fuzzing.md`,
//! `docs/guides/which-type.md`. The bytes: `docs/spec/format.md`; the text: `docs/spec/text.md`.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod accessors;
#[cfg(feature = "arbitrary")]
pub mod arbitrary;
mod array;
mod at;
mod base64;
mod clone;
mod convert;
mod debug;
mod dictionary;
mod drop;
mod encode;
mod eq;
mod event;
mod from;
mod from_view;
#[cfg(feature = "json")]
pub mod json;
mod key;
mod key_cache;
mod leaf;
mod levels;
mod object;
mod path;
mod payload;
mod reals;
#[cfg(feature = "serde")]
mod serde;
mod text;
mod text_form;
mod tree;
mod try_from;
mod variant;
mod writer;

pub use array::{Array, ElementType};
pub use at::PathError;
pub use convert::{
    Change, ConvertError, ConvertOptions, ConverterError, Group, Loss, Report, convert,
    convert_into,
};
pub use dictionary::{
    Dictionary, Entry, IntoPairs, Keys, OccupiedEntry, Pairs, PairsMut, VacantEntry, Values,
    ValuesMut,
};
pub use encode::{
    EncodeError, EncodeErrorKind, EncodeOptions, Precision, Widths, encode, encode_into,
    encoded_len,
};
pub use event::{Collector, LimitError, Limited};
pub use from::Element;
pub use key::KeyRule;
pub use leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
pub use object::{Object, Properties};
pub use reals::{MathValue, RealVec, RealVecIter};
#[cfg(feature = "serde")]
pub use serde::{DeserializeError, DeserializeErrorKind};
pub use text::Text;
pub use text_form::{
    NumberStyle, ParseOptions, Shortest, TextError, TextOptions, TextPrinter, TextSource,
    TextStyle, from_text, from_text_at, from_text_with, to_text, write_text, write_text_to,
};
pub use try_from::FromVariantError;
pub use variant::Variant;
pub use writer::Writer;

/// For other packages of this project, such as `variant-serde`. Their calls must nest correctly, as the calls of
/// serde's traits do. This module is not covered by the stability of the interface.
#[doc(hidden)]
pub mod internal {
    pub use crate::encode::{Direct, Place};
    pub use crate::leaf::{narrowed, widened};
    #[cfg(feature = "serde")]
    pub use crate::serde::given;
}

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
