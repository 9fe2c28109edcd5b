//! JSON out of documents, and back into bytes. Feature `json`.
//!
//! Three forms, for three purposes ([`Form`]). Written straight out of the views and read without a tree of
//! values; neither recurses, so nesting costs memory and never the stack.
//!
//! ```
//! use variant_owned::json::{self, Form};
//! use variant_owned::{EncodeOptions, dictionary, encode};
//! use variant_view::{Dialect, Document, Vector2};
//!
//! let options = EncodeOptions::new(Dialect::Godot4);
//! let player = dictionary! { "name" => "Åsa", "at" => Vector2 { x: 1.0, y: 2.5_f32 } };
//! let bytes = encode(&player.into(), &options)?;
//! let document = Document::new(&bytes, Dialect::Godot4);
//!
//! let mut text = Vec::new();
//! json::write(&document, Form::Plain, &mut text, false)?;
//! assert_eq!(text, r#"{"name":"Åsa","at":{"x":1,"y":2.5}}"#.as_bytes());
//!
//! text.clear();
//! json::write(&document, Form::Exact, &mut text, false)?;
//! let text = String::from_utf8(text)?;
//! assert_eq!(
//!     text,
//!     r#"{"t":"Dictionary","v":[["name","Åsa"],["at",{"t":"Vector2","v":[1,2.5]}]]}"#,
//! );
//! assert_eq!(json::read(&text, Form::Exact, &options)?, bytes);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # The exact form
//!
//! | Value | JSON |
//! |---|---|
//! | `null`, `true`, `false` | the same |
//! | `int` up to 2^53 - 1 | a number without point and exponent |
//! | `float`, finite | a number with a point or an exponent: the `f64`, in the fewest digits that tell it apart |
//! | `String` | a string |
//! | `Array`, undeclared | an array |
//! | everything else | an object, whose field `t` is the kind by its [name](variant_view::Kind::name) |
//!
//! The fields of these objects, those in brackets only where they are needed:
//!
//! | `t` | Fields |
//! |---|---|
//! | `int`, `float` | `v` the number, \[`w` 64 where the engine's writer would have picked 32\] |
//! | `String` | `hex`: bytes that are not UTF-8 |
//! | `StringName` | `v` text |
//! | mathematical and packed types | `v` their numbers in wire order, flat; \[`w` 64 where reals are `f64`\] |
//! | `PackedByteArray` | `hex` |
//! | `PackedStringArray` | `v` array of texts |
//! | `NodePath` | \[`absolute` true\], \[`property` true\], `names`, `subnames`; or `plain` text |
//! | `RID` | `v` the id |
//! | `Callable` | none |
//! | `Signal` | `v` text, `id` of the object |
//! | `Object` | none for null; `id`; or `class` text and `v` array of `[name, value]` |
//! | `Array`, `TypedArray`, `PackedTypedArray` | \[`of` type\], \[`shared` true\], `v` array of values |
//! | `Dictionary` | \[`key` type\], \[`value` type\], \[`shared` true\], `v` array of `[key, value]` |
//! | `Image` | `format`, `mipmaps`, `width`, `height`, `hex` |
//! | `InputEvent` | `event`, `device`, `hex` |
//!
//! A *text* is a string, or `{"hex": ...}` where it is not UTF-8. A *type* is the name of a kind, or
//! `{"class": text}`, `{"script": text}`, `{"unknown": number}`. An integer beyond 2^53 - 1 is a string of its
//! digits. A float that is not finite is `"inf"`, `"-inf"` or `"nan:"` and its bits in 8 or 16 hexadecimal
//! digits; reals and packed floats are in the fewest digits that tell them apart in their own width. The
//! order of fields does not matter to the reader; others than these are errors.
//!
//! Reading gives the same bytes if they are canonical
//! ([`Profile::Canonical`](variant_view::Profile::Canonical)), and also if only keys or properties stand
//! twice or numbers are wider than need be. What the encoder writes in one way only comes back in that way:
//! padding, bits of headers that mean nothing, a `true` other than 1, counts that are negative, bytes behind
//! the value.
//!
//! # The native form
//!
//! That of `JSON.from_native` in Godot 4.4 and later, with full objects. Not in it: whether a number is
//! narrow or wide, reals of 64 bits (read as 32), what a `RID` or `Signal` refers to, NaN in vectors
//! (`null`), kinds of other engines. A float that is not finite is written as the engine writes it, but the
//! engine reads it as 0, so it counts as lost; [`read`] reads it as it was. A type of elements that is no kind is read as a class, and as a script if
//! it starts with `res://`.
//!
//! # The plain form
//!
//! For `jq` and people. Numbers, texts and arrays as such; dictionaries and objects (with `@class` first, or
//! `@id` only) as objects; vectors, colours and the like as objects of their parts (`x`, `row0`,
//! `position`, ...), packed arrays as arrays of numbers or of such objects; bytes as base64; NaN and
//! infinities as null. Keys that are no text become one: `5`, `1.5`, `(1, 2)`, or the name of their kind. A
//! key that was there already gets the suffix `#2`, `#3` and so on. What is lost beyond kinds is reported.

mod error;
mod exact;
mod exact_in;
mod lanes;
mod losses;
mod native;
mod out;
mod plain;
mod read;
mod tape;
mod write;

pub use error::{JsonError, JsonErrorKind};
pub use losses::{Loss, LossKind, Losses};

use std::io::Write;

use variant_view::Document;

use crate::encode::EncodeOptions;

/// What the JSON is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// To come back byte for byte.
    #[default]
    Exact,
    /// For Godot's `JSON.to_native`.
    Native,
    /// For everything else; what it cannot hold is reported.
    Plain,
}

/// Writes a document as JSON, in lines if `is_pretty`, and says what the form could not hold; of the exact
/// form that is nothing. The limits of the document's options apply.
///
/// O(bytes), memory O(depth) and, in the plain form, O(keys of the open dictionaries). Indented lines stop
/// at 64 levels.
///
/// ```
/// use variant_owned::json::{self, Form, LossKind};
/// use variant_owned::{EncodeOptions, array, encode};
/// use variant_view::{Dialect, Document};
///
/// let bytes = encode(&array![1, f64::NAN].into(), &EncodeOptions::new(Dialect::Godot4))?;
/// let mut text = Vec::new();
/// let document = Document::new(&bytes, Dialect::Godot4);
/// let losses = json::write(&document, Form::Plain, &mut text, false)?;
/// assert_eq!(text, b"[1,null]");
/// assert_eq!(losses.list()[0].kind, LossKind::NotFinite);
/// assert_eq!(losses.list()[0].path, "[1]");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Whatever is wrong in the document, and what `to` says; some of the text has then been written.
pub fn write(
    document: &Document<'_>,
    form: Form,
    to: impl Write,
    is_pretty: bool,
) -> Result<Losses, JsonError> {
    match form {
        Form::Exact => write::write(document, exact::Exact, to, is_pretty),
        Form::Native => write::write(document, native::Native, to, is_pretty),
        Form::Plain => write::write(document, plain::Plain::default(), to, is_pretty),
    }
}

/// The bytes of the value that a text of JSON in this form stands for. Plain JSON is any: integers, floats,
/// strings, arrays and dictionaries.
///
/// O(text), and 40 bytes of memory for each value in it. Values may stand as deep as the options allow.
/// Of keys that stand twice both are written.
///
/// ```
/// use variant_owned::json::{self, Form};
/// use variant_owned::{EncodeOptions, array, encode};
/// use variant_view::Dialect;
///
/// let options = EncodeOptions::new(Dialect::Godot4);
/// let bytes = json::read(r#"["i:5", "s:five"]"#, Form::Native, &options)?;
/// assert_eq!(bytes, encode(&array![5, "five"].into(), &options)?);
///
/// let error = json::read(r#"["i:5", 5]"#, Form::Native, &options).unwrap_err();
/// assert_eq!((error.line(), error.column(), error.pointer()), (1, 9, "/1"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// What is no JSON, is not in this form, or cannot be written in this dialect; with line and column.
pub fn read(text: &str, form: Form, options: &EncodeOptions) -> Result<Vec<u8>, JsonError> {
    match form {
        Form::Exact => read::read(text, &exact_in::ExactIn, *options),
        Form::Native => read::read(text, &native::Native, *options),
        Form::Plain => read::read(text, &plain::PlainIn, *options),
    }
}
