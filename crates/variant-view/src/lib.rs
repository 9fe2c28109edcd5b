//! Borrowed views over the binary Variant serialization of Godot and Pandemonium: the bytes that
//! `var_to_bytes`, `store_var` and `PacketPeer.put_var` write.
//!
//! Views copy nothing and allocate nothing. A [`Document`] is a buffer and its [`Dialect`]. A [`VariantView`] is one
//! value in the buffer. Text, numbers and packed-array elements are borrowed from the buffer on access.
//!
//! A document is read by paths and by loops:
//!
//! ```
//! use variant_view::{Dialect, Document};
//!
//! // var_to_bytes({"hp": 7, "at": Vector3(1, 2, 3)}) of Godot 4
//! let packet = b"\x1b\0\0\0\x02\0\0\0\
//!     \x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0\
//!     \x04\0\0\0\x02\0\0\0at\0\0\x09\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40";
//!
//! let document = Document::new(packet, Dialect::Godot4);
//! assert_eq!(document.at("at")?.as_vector3()?.z, 3.0);
//! for pair in document.root()?.as_dictionary()? {
//!     let (key, value) = pair?;
//!     println!("{} is a {}", key.as_str()?, value.kind());
//! }
//! # Ok::<(), variant_view::Error>(())
//! ```
//!
//! Validate untrusted bytes first. An error has a class, an offset and a path:
//!
//! ```
//! use variant_view::{Dialect, Document, ErrorClass, Options};
//!
//! // [{"hp": 7}], cut off inside the 7
//! let packet = b"\x1c\0\0\0\x01\0\0\0\x1b\0\0\0\x01\0\0\0\
//!     \x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0";
//!
//! // Small limits, and objects refused.
//! let document = Document::new(packet, Options::server(Dialect::Godot4));
//! let error = document.validate().unwrap_err();
//! assert_eq!((error.class(), error.offset()), (ErrorClass::Truncated, 32));
//! assert_eq!(document.path_to(error.offset())?.to_string(), "[0].hp");
//! # Ok::<(), variant_view::Error>(())
//! ```
//!
//! Nothing is copied:
//!
//! ```
//! use variant_view::{Dialect, Document};
//!
//! // A PoolRealArray as store_var of Godot 3 writes it, without the length prefix.
//! let heights = b"\x16\0\0\0\x03\0\0\0\0\0\0\x3f\0\0\x80\x3f\0\0\0\x40";
//!
//! let floats = Document::new(heights, Dialect::Godot3).root()?.as_float32s()?;
//! assert_eq!(floats.iter().sum::<f32>(), 3.5);
//! assert!(std::ptr::eq(floats.as_bytes(), &heights[8..]), "the elements are those of the file");
//! # Ok::<(), variant_view::Error>(())
//! ```
//!
//! # Which type do I want
//!
//! | to | type |
//! |---|---|
//! | read a few values of bytes, once | [`Document`], [`VariantView`] |
//! | read many values of bytes, or the same ones again | `Tape` (feature `alloc`) |
//! | read the same keys of many documents of one type | `Lookup` (feature `alloc`) |
//! | keep a message and its values, to read and forward it | `OwnedDocument` (feature `alloc`) |
//! | look at every value | [`Walker`]; [`Visitor`], if speed counts |
//! | decode a type of the program, value by value | [`Reader`]; with serde, crate `variant-serde` |
//! | check bytes and pass them on | [`Document::validate`], [`VariantView::raw_bytes`] |
//! | turn values into another format, without a tree of them | [`Producer`] and [`Consumer`] |
//! | keep, change or write values | `Variant` of crate `variant-owned` |
//! | find the dialect of bytes; read files, frames, compression, encryption | crate `variant-io` |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (default) | `Tape`, results in a `Cow`, nesting beyond 1,056 levels, the duplicate-key check of [`Profile::Canonical`] |
//! | `bytes` | `OwnedDocument` over `bytes::Bytes` |
//! | `mint` | conversions from and to the vectors of other mathematics crates |
//! | `serde` | `Serialize` for views and leaves, in any format. Only `variant-serde` receives the kind of a value, as the name of a newtype struct, because RON would print the name |
//! | `simdutf8` | text that is not ASCII is checked with vector instructions |
//!
//! Without features the crate is `no_std` and does not allocate.
//!
//! # Costs
//!
//! A method is O(1) and allocates nothing, unless its documentation says otherwise.
//!
//! # Guarantees
//!
//! * **No panic, no overflow, no recursion**, on any bytes, in any build; `#![forbid(unsafe_code)]`.
//! * **No allocation**, with five exceptions that need the `alloc` feature: methods that return a `Cow`,
//!   nesting beyond 1,056 levels (the default limits refuse it), the duplicate-key check of [`Profile::Canonical`],
//!   `Tape`, and `OwnedDocument`. Lengths in the data never reserve memory. 128 KiB of stack suffice for every call.
//! * **Linear time** in the bytes read, unless a method's documentation says otherwise.
//! * **The engine's verdict**: acceptance, the number of bytes consumed and the value are those that running engines
//!   returned for the same bytes. If an engine is defective, the views read the bytes as written;
//!   docs/spec/engines.md#defects lists the defects.
//! * **Errors have a position**: [`Error::offset`], and [`Document::path_to`] for the path.
//! * **Objects are inert data.** Nothing is instantiated or loaded.
//!
//! # Unvalidated and validated documents
//!
//! Views work on unvalidated bytes: each access checks what it reads and returns a [`Result`]. [`Document::validate`]
//! checks everything in one pass. After validation, errors come only from the request: a wrong kind, a missing key, or
//! text that is not UTF-8. Engines accept invalid UTF-8 in older dialects ([`Dialect::check_text`]), and after a NUL.
//!
//! # Repeated look-ups
//!
//! A view skips all values before the requested one, on every access. For a document that is validated and read more
//! than once, use a `Tape`. A tape takes 16 bytes a value, is filled during validation, and skips a value in O(1).
//!
//! # Stability
//!
//! `zerocopy`'s traits and little-endian types ([`Wire::Le`], [`PackedSlice::as_wire`]) and `bytemuck`'s
//! `AnyBitPattern` ([`PackedSlice::cast`]) are part of the public interface. Both crates are re-exported,
//! so callers get the matching versions.
//!
//! # Guides
//!
//! In the repository: `docs/guides/which-type.md`, `docs/guides/server.md`, `docs/guides/no_std.md`,
//! `docs/guides/performance-model.md`, `docs/guides/limits.md`. The bytes: `docs/spec/format.md`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod bytes;
mod canonical;
mod compact;
mod contents;
mod dialect;
mod document;
mod element_type;
mod error;
mod event;
mod fold;
mod header;
mod key;
mod kind;
mod layout;
mod limits;
#[cfg(feature = "alloc")]
mod lookup;
mod options;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod owned_document;
mod path;
mod reader;
mod scan;
#[cfg(feature = "serde")]
mod serialize;
mod stack;
#[cfg(feature = "alloc")]
mod tape;
mod template;
mod text;
mod validate;
mod view;
mod walk;

pub use {bytemuck, zerocopy};

pub use dialect::{Dialect, Page};
pub use document::Document;
pub use element_type::ElementType;
pub use error::{Error, ErrorClass, ErrorKind, Limit, NotCanonical, Part, Result, UnknownName};
pub use event::{
    ArrayHead, Consumer, DictionaryHead, FeedError, Head, Input, Leaf, NodePathLeaf, Number,
    Numbers, Producer, Texts,
};
pub use key::KeyRule;
pub use kind::{Kind, NumberType, Shape, Width};
pub use limits::Limits;
#[cfg(feature = "alloc")]
pub use lookup::Lookup;
pub use options::{Objects, Options, Profile, Reals};
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub use owned_document::OwnedDocument;
#[cfg(feature = "alloc")]
pub use path::short_path;
pub use path::{PathStep, write_path};
pub use reader::Reader;
#[cfg(feature = "alloc")]
pub use tape::{Tape, TapeValue};
pub use text::{engine_bytes, is_invisible};
pub use validate::Summary;
pub use view::math::*;
pub use view::{
    ArrayView, DictionaryView, Elements, ImageView, InputEventView, Items, Key, MathView,
    NodePathView, ObjectForm, ObjectView, PackedReals, PackedSlice, PackedStrings, ScalarView,
    SignalView, StrView, VariantView,
};
pub use walk::{Event, Node, Role, Visitor, Walker};

/// Parts that the crates of this workspace share. They are not part of the stable interface.
#[doc(hidden)]
pub mod internal {
    pub use crate::compact::{read_compact, validate_compact};
    /// Consumers copy a short text as a block of fixed size, which is faster than copying a text of any length.
    pub use crate::event::ShortText;
    /// Owned dictionaries compare and hash keys with the code of views.
    pub use crate::key::{KeyBody, KeyPart, KeyPlace};
    /// Owned values write keys of maps as views do.
    #[cfg(feature = "serde")]
    pub use crate::serialize::serialize_key;
    pub use crate::view::is_compact_scalar;
}

const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Document<'_>>();
    is_send_and_sync::<VariantView<'_>>();
    is_send_and_sync::<Walker<'_>>();
    is_send_and_sync::<Error>();
};

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
