//! The C interface of this project: `variant.h` and `libvariant`.
//!
//! With it, C and each language that can call C read packets and saves of Godot and Pandemonium, and write values. The
//! functions call `variant-document`, `variant-io`, `variant-owned` and `variant-view`, so that all languages have the
//! same decoder. `include/variant.h` describes the functions, and `docs/guides/c.md` has programs.
//!
//! | to | see |
//! |---|---|
//! | read a packet | [`value::variant_read`] |
//! | open a save | [`file::variant_file_open`] |
//! | select a value by its path | [`value::variant_at`], [`file::variant_file_at`] |
//! | read a value | [`leaf`], [`numbers`] |
//! | iterate over a container | [`items::variant_items_of`] |
//! | write a value, convert it, read JSON | [`writer::variant_writer_new`], [`write`](mod@write) |
//! | change a file, and write it | [`edit::variant_file_edit`], [`save::variant_save`] |
//! | select many values, or read them as rows | [`select::variant_file_select`], [`rows::variant_file_rows`] |
//! | compare, merge, convert, migrate, check, salvage files | [`diff`], [`merge`], [`convert`], [`migrate`], [`schema`], [`salvage`] |
//! | print a value as JSON or as text | [`print`](mod@print) |
//!
//! # Safety
//!
//! A function is `unsafe` if it reads memory that its caller describes. The caller promises, for each call:
//!
//! * a text without a length ends with a NUL, and does not change during the call;
//! * a pointer with a length has that many elements, or is null with the length 0;
//! * the bytes of a [`value::Value`], of [`items::Items`] and of a [`file::File`] made of bytes exist and do not change while
//!   the value, the items or the file is used;
//! * a handle, or [`bytes::Bytes`], came from this library, was not freed, and is used by one thread at a time if it is
//!   changed.
//!
//! If the pointer for a result is null, the call fails with [`code::VARIANT_ERROR_ARGUMENT`].

#![allow(
    unsafe_code,
    reason = "callers in C describe memory by pointers; each use states its reason"
)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]
#![allow(clippy::doc_markdown, reason = "the comments are also those of the header")]
#![allow(clippy::missing_safety_doc, reason = "the section above has the rules of all functions")]

mod border;
pub mod bytes;
pub mod code;
pub mod convert;
pub mod diff;
pub mod edit;
pub mod error;
pub mod file;
#[cfg(feature = "fuzz")]
pub mod fuzz;
pub mod items;
pub mod kinds;
pub mod leaf;
pub mod merge;
pub mod migrate;
pub mod names;
pub mod numbers;
pub mod options;
mod place;
pub mod print;
mod report;
pub mod rows;
pub mod salvage;
pub mod save;
pub mod schema;
pub mod select;
mod source;
pub mod value;
pub mod write;
pub mod writer;
