//! Owned Variants: create, change, compare and encode the values that `variant-view` reads.
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
//! [`Variant`] has the same arms as [`VariantView`](variant_view::VariantView). Creating one from a view,
//! cloning, comparing, printing and dropping do not recurse: nesting costs memory, never stack.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod accessors;
#[cfg(feature = "arbitrary")]
pub mod arbitrary;
mod array;
mod at;
mod base64;
mod clone;
pub mod compact;
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
pub use event::Collector;
pub use from::Element;
pub use key::KeyRule;
pub use leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
pub use object::{Object, Properties};
pub use reals::{MathValue, RealVec, RealVecIter};
pub use text::Text;
pub use text_form::{
    NumberStyle, ParseOptions, Shortest, TextError, TextOptions, TextPrinter, TextSource,
    TextStyle, from_text, from_text_at, from_text_with, to_text, write_text, write_text_to,
};
pub use try_from::FromVariantError;
pub use variant::Variant;
pub use writer::Writer;

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
