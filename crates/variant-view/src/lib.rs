//! Borrowed views over Godot's and Pandemonium's binary Variant serialization: what `var_to_bytes`,
//! `store_var` and `PacketPeer.put_var` write.
//!
//! Nothing is copied and nothing is allocated: a [`Document`] is a buffer and a [`Dialect`], a
//! [`VariantView`] is one value of it, and text, numbers and the elements of packed arrays are borrowed
//! from the buffer when they are asked for.
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
//! # What to rely on
//!
//! * **No panic, no overflow, no recursion**, on any bytes, in any build; `#![forbid(unsafe_code)]`.
//! * **No allocation**, with four exceptions that need the `alloc` feature: what returns a `Cow`,
//!   nesting beyond 1,056 levels (which the default limits refuse), [`Profile::Canonical`]'s search for
//!   duplicate keys, and the `Index` that one asks for. A length in the data is never a size to
//!   reserve. Any call does with 128 KiB of stack.
//! * **Time linear in the bytes looked at**; what costs more says so.
//! * **The engine's verdict**: accepted or refused, bytes consumed, value, as observed on the engines
//!   themselves. Where an engine is broken the views read the bytes as written; the list is in
//!   docs/format.md, section 2.14.
//! * **Errors say where**: [`Error::offset`], and [`Document::path_to`] for the path.
//! * **Objects are inert data.** Nothing is instantiated or loaded.
//!
//! # Valid and validated
//!
//! Views work on bytes that nobody has checked; each access checks what it touches and returns a
//! [`Result`]. [`Document::validate`] checks everything in one pass. After it has succeeded no access
//! fails but for what the caller asks in vain: another kind, a key that is not there, UTF-8 of a text
//! that only an older engine calls valid.
//!
//! # Often, and far behind
//!
//! A view steps over what stands in front of the value that is asked for, each time anew. Of a document that is
//! looked into many times an `Index` is worth its 8 bytes a value: it is filled while the document is checked, and
//! its values know where the next one starts.
//!
//! # Stability
//!
//! `zerocopy`'s traits and little-endian types ([`Wire::Le`], [`PackedSlice::as_wire`]) and `bytemuck`'s
//! `AnyBitPattern` ([`PackedSlice::cast`]) are part of the interface; both crates are re-exported, so that one
//! need not guess their versions.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod bytes;
mod canonical;
mod contents;
mod detect;
mod dialect;
mod document;
mod element_type;
mod error;
mod event;
mod header;
#[cfg(feature = "alloc")]
mod index;
pub mod key;
mod kind;
mod layout;
mod limits;
mod options;
mod path;
mod scan;
mod stack;
mod template;
mod text;
mod validate;
mod view;
mod walk;

pub use {bytemuck, zerocopy};

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
#[cfg(feature = "alloc")]
pub use index::{
    Index, IndexedDocument, IndexedItems, IndexedPairs, IndexedProperties, IndexedValue,
};
pub use key::KeyRule;
pub use kind::{Kind, NumberType, Shape, ShapePart, Width};
pub use limits::Limits;
pub use options::{Objects, Options, Profile, Reals, UnknownReals};
pub use path::{Path, PathStep, PathSteps, write_path};
pub use text::{TextRule, engine_bytes, is_invisible};
pub use validate::Summary;
pub use view::{
    Aabb, ArrayView, Basis, CastError, CodePoints, Color, DictionaryView, Elements, FixedView,
    ImageView, InputEventView, Key, MathView, Names, NodePathView, ObjectForm, ObjectView,
    PackedIter, PackedReals, PackedRealsIter, PackedSlice, PackedStrings, Pairs, Plane, Projection,
    Properties, Quaternion, Real, Rect2, ScalarView, SignalView, StrView, Strings, Transform2D,
    Transform3D, VariantView, Vector2, Vector3, Vector4, Wire,
};
pub use walk::{Event, Node, Role, Visitor, Walker};

const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Document<'_>>();
    is_send_and_sync::<VariantView<'_>>();
    is_send_and_sync::<Walker<'_>>();
    is_send_and_sync::<Error>();
};
