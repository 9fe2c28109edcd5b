//! Borrowed views over the binary Variant serialization of Godot and Pandemonium: the bytes that
//! `var_to_bytes`, `store_var` and `PacketPeer.put_var` write.
//!
//! Views copy nothing and allocate nothing. A [`Document`] is a buffer and its [`Dialect`]. A
//! [`VariantView`] is one value in it. Text, numbers and packed-array elements are borrowed from the buffer
//! on access.
//!
//! ```
//! use variant_view::{Dialect, Document};
//!
//! # let packet = [
//! #     27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, b'p', b'o', b's', 0,
//! #     9, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40,
//! # ];
//! let document = Document::new(&packet, Dialect::Godot4);
//! let position = document.at("pos")?.as_vector3()?;
//! assert_eq!(position.y, 2.0);
//! # Ok::<(), variant_view::Error>(())
//! ```
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
//! A view skips all values in front of the one asked for, on every access. For a document that is validated
//! and read more than once use a `Tape`: it costs 16 bytes a value, is filled during validation, and makes
//! skipping a value O(1).
//!
//! # Stability
//!
//! `zerocopy`'s traits and little-endian types ([`Wire::Le`], [`PackedSlice::as_wire`]) and `bytemuck`'s
//! `AnyBitPattern` ([`PackedSlice::cast`]) are part of the public interface. Both crates are re-exported,
//! so callers get the matching versions.

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
