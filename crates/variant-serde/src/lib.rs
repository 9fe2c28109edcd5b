//! serde for Godot's and Pandemonium's binary Variant serialization.
//!
//! Derive a type, read it from bytes in one pass with borrowed text and arrays, and write it back:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use variant_serde::{Packed, as_string_name, as_vector3, from_slice, to_vec};
//! use variant_view::{Dialect, Options};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Player<'a> {
//!     name: &'a str,                      // borrowed from the bytes
//!     #[serde(with = "as_vector3")]
//!     at: [f32; 3],                       // a Vector3 to scripts; a struct or glam::Vec3 also works
//!     #[serde(with = "as_string_name")]
//!     state: &'a str,                     // a StringName
//!     #[serde(borrow)]
//!     heights: Packed<'a, f32>,           // a PackedFloat32Array, not copied
//!     level: Option<u8>,                  // null, or an int that fits; else an error with its path
//! }
//!
//! fn level_up(packet: &[u8]) -> Result<Vec<u8>, variant_serde::Error> {
//!     // Tight limits, and objects are refused. Passing only `Dialect::Godot4` gives the same options.
//!     let mut player: Player<'_> = from_slice(packet, Options::server(Dialect::Godot4))?;
//!     player.level = player.level.map(|level| level + 1);
//!     to_vec(&player, Dialect::Godot4)
//! }
//!
//! let save: variant_owned::Variant = r#"{"name": "Ada", "at": Vector3(1, 2, 3), "state": &"idle",
//!     "heights": PackedFloat32Array(1, 2), "level": 7}"#.parse()?;
//! let after = level_up(&variant_owned::encode(&save, Dialect::Godot4)?)?;
//! assert_eq!(from_slice::<Player<'_>>(&after, Dialect::Godot4)?.level, Some(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An error in untrusted bytes has the path, the offset, and the expected and found values:
//!
//! ```
//! use serde::Deserialize;
//! use variant_serde::from_slice;
//! use variant_view::{Dialect, Options};
//!
//! #[derive(Debug, Deserialize)]
//! struct Hit {
//!     #[expect(dead_code)]
//!     damage: u8,
//! }
//!
//! // [{"damage": -1}]
//! let packet = b"\x1c\0\0\0\x01\0\0\0\x1b\0\0\0\x01\0\0\0\
//!     \x04\0\0\0\x06\0\0\0damage\0\0\x02\0\0\0\xff\xff\xff\xff";
//! let error = from_slice::<Vec<Hit>>(packet, Options::server(Dialect::Godot4)).unwrap_err();
//! assert_eq!(error.to_string(), "[0].damage: expected u8, found int -1 at byte 32");
//! ```
//!
//! This envelope keeps its body as bytes until the body is needed:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use variant_serde::{RawValue, from_slice, to_vec};
//! use variant_view::Dialect;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Envelope<'a> {
//!     to: u32,
//!     #[serde(borrow)]
//!     body: RawValue<'a>,
//! }
//!
//! let sent = to_vec(&(7, ["a", "b"]), Dialect::Godot4)?; // a struct may be an array: [7, ["a", "b"]]
//! let envelope: Envelope<'_> = from_slice(&sent, Dialect::Godot4)?;
//! let forwarded = to_vec(&envelope, Dialect::Godot4)?; // {"to": 7, "body": ["a", "b"]}; the body is copied as bytes
//! assert!(forwarded.ends_with(envelope.body.bytes()));
//! # Ok::<(), variant_serde::Error>(())
//! ```
//!
//! # Which call to use
//!
//! | to | call |
//! |---|---|
//! | read bytes, a document, a part of one, an owned value | [`from_slice`], [`from_document`], [`from_view`], [`from_variant`] |
//! | write bytes, into a reused buffer, a stream, an owned value | [`to_vec`], [`to_vec_into`], [`to_writer`], [`to_variant`] |
//! | keep a value as its bytes, to forward or to decode later | [`RawValue`] |
//! | read some fields of many | a struct of those fields: all other fields are skipped |
//! | choose the kind that is written | `as_vector3`, `as_packed` and others; [`StringName`], [`NodePath`], [`PackedArray`], [`TypedArray`] |
//! | use tokio | `TypedCodec` of `variant-io` |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `std` (default) | writing, and owned values. Without it the crate only reads, is `no_std` and needs an allocator |
//!
//! # How values are read
//!
//! | on the wire | in Rust | reason |
//! |---|---|---|
//! | `Dictionary` | struct, map with keys of any type | |
//! | key that is not a field | skipped, at the cost of [`Reader::skip`] | newer peers send more keys |
//! | key that is not text, for a struct | a field with a name such as `[3]`, which structs rarely have | `3` and `"3"` are different keys |
//! | key that occurs twice | struct: an error; map: the last one wins | no engine writes such a dictionary, so it is an attack or damage; the `insert` of a map keeps the last value, as engines do |
//! | `Array`, typed arrays | sequence, tuple, array, struct by the order of its fields | a tuple is an array of known length, which must match |
//! | packed arrays | as `Array`; [`Packed`] borrows the elements | a type need not know how GDScript stores numbers |
//! | `PackedByteArray` | also bytes: `&[u8]`, `Cow<[u8]>` | borrowed; a type that accepts any value gets a sequence, since JSON has no bytes |
//! | `Vector3` and the like | struct by the names of [`Kind::shape`], tuple and array of all numbers in wire order | vectors of `glam` and `mint` have these forms |
//! | `Vector3` and the like, for a type that accepts any value | a sequence; a sequence of sequences, if fields have fields | serde buffers the content of tagged enums before it knows the type; structs accept sequences, arrays do not accept maps |
//! | `Rect2` and the like | also a tuple with an element for each field | `(position, size)` |
//! | `String`, `StringName`, `NodePath` | text, as the engine reads it: without byte order mark, up to a NUL | GDScript treats them alike; paths of more than one name are not borrowed |
//! | text of one character | `char` | |
//! | text | enum: a variant without content | as in JSON |
//! | `Dictionary` of one pair | enum: a variant and its content | as in JSON |
//! | `int` | every integer that holds it; floats that hold it exactly; `serde_repr`'s enums | no number is changed silently |
//! | `float` | integers that hold it exactly | JSON in GDScript makes floats of all numbers |
//! | `float` | `f32` rounded to the nearest; an error if finite and too large | GDScript has 64 bits, and 0.1 does not fit an `f32` |
//! | `bool` | only `bool` | 0 and 1 are numbers |
//! | `null`, null object | `None`, `()`, unit struct | |
//! | full object | struct or map of its properties; the class under `@class`, for a struct only if it has that field | objects are inert data |
//! | object by id | struct or map with `@id` | as in plain JSON |
//! | `RID` | integer | its id; 0 if the dialect writes none |
//! | `Callable` | `()` | the wire has only its header |
//! | `Signal` | struct or map with `signal`, `object_id` | as in plain JSON |
//! | image, input event | struct or map: an image has `format`, `mipmaps`, `width`, `height`, `data`; an input event has `event`, `device`, `data` | as in plain JSON |
//! | any value | [`RawValue`] | its bytes |
//!
//! # How values are written
//!
//! [`to_vec`], [`to_vec_into`], [`to_writer`] and [`to_variant`] write; the module [`to`] has a table of types and kinds.
//! Newtypes ([`StringName`], [`NodePath`], [`PackedArray`], [`TypedArray`]) select other kinds, as do modules for a field:
//! `#[serde(with = "variant_serde::as_vector3")]`.
//!
//! These newtypes and modules serialize as newtype structs with names that only this crate knows. JSON, `MessagePack`
//! and most other formats ignore the names of newtypes, and write the content. RON refuses the names, since they are
//! not identifiers.
//!
//! # Bounds
//!
//! All [`Limits`](variant_view::Limits) of the options apply to the whole document, including skipped values. Decoded
//! values may be nested 128 levels deep ([`Deserializer::max_depth`]); skipping does not recurse. Lengths in the data
//! never reserve memory: the remaining bytes bound all size hints.
//!
//! # Costs
//!
//! Reading and writing cost O(bytes). Reading allocates only the owned parts of the type; writing grows the buffer. Every
//! other method is O(1) and allocates nothing, unless its documentation says otherwise.
//!
//! # Guides
//!
//! In the repository: `docs/guides/server.md`, `docs/guides/which-type.md`, `docs/guides/performance-model.md`,
//! `docs/guides/limits.md`. The bytes: `docs/spec/format.md`.
//!
//! [`Reader::skip`]: variant_view::Reader::skip
//! [`Kind::shape`]: variant_view::Kind::shape

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]
// Some links in the crate's documentation need `std`.
#![cfg_attr(not(feature = "std"), allow(rustdoc::broken_intra_doc_links))]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(feature = "std")]
mod arrays;
mod de;
mod error;
#[cfg(all(doctest, feature = "std"))]
mod lifetimes;
#[cfg(feature = "std")]
mod mark;
#[cfg(feature = "std")]
mod names;
mod raw;
#[cfg(feature = "std")]
mod ser;
#[cfg(feature = "std")]
pub mod to;
mod token;
#[cfg(feature = "std")]
mod typed;
#[cfg(feature = "std")]
mod with;

#[cfg(feature = "std")]
pub use arrays::{PackedArray, TypedArray};
#[cfg(feature = "std")]
pub use de::from_variant;
pub use de::{Deserializer, from_document, from_slice, from_view, from_view_seed};
pub use error::{Error, ErrorKind};
#[cfg(feature = "std")]
pub use names::{NodePath, StringName};
pub use raw::{Packed, RawValue};
#[cfg(feature = "std")]
pub use ser::Source;
#[cfg(feature = "std")]
pub use to::{to_variant, to_vec, to_vec_into, to_writer};
#[cfg(feature = "std")]
pub use typed::{Items, PackedItem, TypedItem};
#[cfg(feature = "std")]
pub use with::*;

/// Compiles the programs of the README.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
