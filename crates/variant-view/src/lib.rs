//! Borrowed views over the binary Variant serialization of Godot and Pandemonium: the bytes that
//! `var_to_bytes`, `store_var` and `PacketPeer.put_var` write.
//!
//! Views copy nothing and allocate nothing. A [`Document`] is a buffer and its [`Dialect`]. A
//! [`VariantView`] is one value in it. Text, numbers and packed-array elements are borrowed from the buffer
//! on access.
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
//! Bytes of a stranger are validated first. An error has a class, an offset and a path:
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
//! Nothing is copied, and the dialect of a file need not be known:
//!
//! ```
//! use variant_view::{Document, detect};
//!
//! // A PoolRealArray, by store_var of Godot 3 or Pandemonium, without its length prefix.
//! let heights = b"\x16\0\0\0\x03\0\0\0\0\0\0\x3f\0\0\x80\x3f\0\0\0\x40";
//!
//! let candidates = detect(heights);
//! let best = candidates.best().expect("some dialect fits");
//! let floats = Document::new(heights, best.dialect()).root()?.as_float32s()?;
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
//! | look at every value | [`Walker`]; [`Visitor`], if speed counts |
//! | decode a type of the program, value by value | [`Reader`]; with serde, crate `variant-serde` |
//! | check bytes and pass them on | [`Document::validate`], [`VariantView::raw_bytes`] |
//! | turn values into another format, without a tree of them | [`Producer`] and [`Consumer`] |
//! | keep, change or write values | `Variant` of crate `variant-owned` |
//! | find the dialect of bytes | [`detect`] |
//! | read files, frames, compression, encryption | crate `variant-io` |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (default) | `Tape`, results in a `Cow`, nesting beyond 1,056 levels, the duplicate-key check of [`Profile::Canonical`] |
//! | `mint` | conversions from and to the vectors of other mathematics crates |
//! | `serde` | `Serialize` for views and leaves, in any format. Names of newtypes, which RON does not ignore, are for `variant-serde` alone |
//! | `simdutf8` | text that is not ASCII is checked with vector instructions |
//!
//! Without features the crate is `no_std` and has no allocator.
//!
//! # Costs
//!
//! A method is O(1) and allocates nothing, unless its documentation says otherwise.
//!
//! # Guarantees
//!
//! * **No panic, no overflow, no recursion**, on any bytes, in any build; `#![forbid(unsafe_code)]`.
//! * **No allocation**, with four exceptions that need the `alloc` feature: methods that return a `Cow`,
//!   nesting beyond 1,056 levels (the default limits refuse it), the duplicate-key check of
//!   [`Profile::Canonical`], and `Tape`. A length in the data never decides how much memory is reserved.
//!   128 KiB of stack suffice for every call.
//! * **Linear time** in the bytes read; methods that cost more say so.
//! * **The engine's verdict**: accepted or refused, bytes consumed, value, as observed on the engines themselves.
//!   Where an engine is defective the views read the bytes as written; docs/spec/engines.md#defects lists the
//!   defects.
//! * **Errors have a position**: [`Error::offset`], and [`Document::path_to`] for the path.
//! * **Objects are inert data.** Nothing is instantiated or loaded.
//!
//! # Unvalidated and validated documents
//!
//! Views work on unvalidated bytes: each access checks what it reads and returns a [`Result`].
//! [`Document::validate`] checks everything in one pass. After it only caller mistakes remain, such as a
//! wrong kind, a missing key or non-UTF-8 text. Text may be non-UTF-8 where the engine accepts it: in older
//! dialects ([`TextRule`]), and after a NUL.
//!
//! # Repeated look-ups
//!
//! A view skips all values before the requested one, on every access. For a document that is validated and read more
//! than once use a `Tape`: it costs 16 bytes a value, is filled during validation, and makes skipping a value O(1).
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
mod detect;
mod dialect;
mod document;
mod element_type;
mod error;
mod event;
mod fold;
mod header;
pub mod key;
mod kind;
mod layout;
mod limits;
mod options;
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

pub use compact::{CompactIter, CompactValues};
pub use detect::{Candidate, Candidates, Reason, detect};
pub use dialect::{BasisOrder, Dialect, OldNodePath, Page, UnknownDialect, UnknownPage};
pub use document::Document;
pub use element_type::ElementType;
pub use error::{Error, ErrorClass, ErrorKind, Limit, NotCanonical, Part, Result};
pub use event::{
    ArrayHead, Consumer, DictionaryHead, FeedError, Head, ImageLeaf, Input, Leaf, LimitError,
    Limited, NodePathLeaf, Number, Numbers, NumbersIter, ObjectHead, Origin, Producer, ShortText,
    Texts, TextsIter,
};
pub use key::KeyRule;
pub use kind::{Kind, NumberType, Shape, ShapePart, Width};
pub use limits::Limits;
pub use options::{Objects, Options, Profile, Reals, UnknownReals};
#[cfg(feature = "alloc")]
pub use path::short_path;
pub use path::{Path, PathStep, PathSteps, write_path};
pub use reader::{Next, Reader};
#[cfg(feature = "serde")]
pub use serialize::LeafKey;
#[cfg(feature = "alloc")]
pub use tape::{Tape, TapeDocument, TapeItems, TapePairs, TapeProperties, TapeValue};
pub use text::{TextRule, engine_bytes, is_invisible};
pub use validate::Summary;
pub use view::math::*;
pub use view::{
    ArrayView, CastError, CodePoints, DictionaryView, Elements, FixedView, ImageView,
    InputEventView, Key, MathView, Names, NodePathView, ObjectForm, ObjectView, PackedIter,
    PackedReals, PackedRealsIter, PackedSlice, PackedStrings, Pairs, Properties, ScalarView,
    SignalView, StrView, Strings, VariantView,
};
pub use walk::{Event, Node, Role, Visitor, Walker};

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
