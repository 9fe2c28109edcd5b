//! JSON of values, and back. Feature `json`.
//!
//! Three forms, for three purposes ([`Form`]). [`JsonWriter`] is the consumer that writes them, [`Parsed`] the producer that
//! reads them: what stands on the other side is any producer or consumer of events, so there is no tree of values between
//! bytes and JSON. Neither recurses, so nesting costs memory and never the stack.
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
//!     concat!(
//!         r#"{"dialect":"godot4","reals":"by-flag","value":"#,
//!         r#"{"t":"Dictionary","v":[["name","Åsa"],["at",{"t":"Vector2","v":["1","2.5"]}]]}}"#,
//!     ),
//! );
//! let parsed = json::documents(&text, Form::Exact).next().unwrap()?;
//! let envelope = parsed.envelope().unwrap();
//! assert_eq!(parsed.encode(&envelope.options())?, bytes);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # The exact form
//!
//! To come back byte for byte, whatever bytes they are that the engine accepts, and through any tool that keeps
//! strings, structure and integers up to 2^53 - 1 as they are: one with a single kind of number does no harm (`jq`,
//! `JSON.parse`), nor one that puts fields in another order or writes a number in another way.
//!
//! A document is an object *around* the value. Others follow on lines of their own, one for each value of a file.
//!
//! | Field | |
//! |---|---|
//! | `dialect` | whose bytes these are: [`Dialect::name`](variant_view::Dialect::name) |
//! | `reals` | `by-flag`, or `always64` where every real has 8 bytes |
//! | `framing` | how values are set apart in the file: [`WriteOptions::framing`] |
//! | `name` | what the value is called: [`WriteOptions::name`], a text |
//! | `value` | the value |
//! | `behind` | the bytes that follow the value's, in hexadecimal digits |
//!
//! Only `dialect` and `value` must be there; and a value may stand alone, if the dialect is known otherwise. The value:
//!
//! | Value | JSON |
//! |---|---|
//! | `null`, `true`, `false` | the same |
//! | `int` up to 2^53 - 1 | a number |
//! | `String` | a string |
//! | `Array`, undeclared | an array |
//! | everything else | an object, whose field `t` is the kind by its [name](variant_view::Kind::name) |
//!
//! The fields of these objects, those in brackets only where they are needed:
//!
//! | `t` | Fields |
//! |---|---|
//! | `Nil`, `Callable` | none |
//! | `bool` | `v` |
//! | `int`, `float` | \[`w` 64 where the engine's writer would have picked 32\], `v` the number |
//! | `String`, `StringName` | `v` text; or `hex`, bytes that are not UTF-8 |
//! | mathematical and packed types | \[`w` 64 where reals are `f64`\], `v` their numbers in wire order, flat |
//! | `PackedByteArray` | `hex` |
//! | `PackedStringArray` | `v` array of texts |
//! | `NodePath` | \[`absolute` true\], \[`property` true\], `names`, `subnames`; or `plain` text |
//! | `RID` | `v` the id |
//! | `Signal` | `v` text, `id` of the object |
//! | `Object` | none for null; `id`; or `class` text and `v` array of `[name, value]` |
//! | `Array`, `TypedArray`, `PackedTypedArray` | \[`of` type\], \[`shared` true\], `v` array of values |
//! | `Dictionary` | \[`key` type\], \[`value` type\], \[`shared` true\], `v` array of `[key, value]` |
//! | `Image` | `format`, `mipmaps`, `width`, `height`, `hex` |
//! | `InputEvent` | `event`, `device`, `hex` |
//!
//! A *text* is a string, or an object of `v` or of `hex`. A *type* is the name of a kind, or `{"class": text}`,
//! `{"script": text}`, `{"unknown": number}`.
//!
//! Integers beyond 2^53 - 1 and all floats are strings: of their digits, the fewest that tell a `float` apart from
//! other `f64`, and of others each in its own width; `"inf"`, `"-inf"`; or `"nan:"` and the bits in 8 or 16 hexadecimal digits. Where a string of digits is
//! due the reader takes a number as well. A number that stands alone is an integer, however it is written (`5.0`,
//! `5e0`), and one that is none is refused, since a tool may have made 1 of the float 1.0. The order of fields does
//! not matter; others than these are errors.
//!
//! Each of these objects, and the name of a property, may also have a field `raw`: the bytes as they stood, of a
//! container those before its first child. It is there where the encoder would write others for the same value:
//! padding that is not zero or not there, bits of headers that mean nothing, a `true` other than 1, counts that are
//! negative, and whatever else readers do not look at. The other fields come first: if they are changed and `raw`
//! does not say the same any more, or the dialect is another, it does not count.
//!
//! # The native form
//!
//! That of `JSON.from_native` in Godot 4.4 and later, with full objects. Not in it: whether a number is
//! narrow or wide, reals of 64 bits (read as 32), what a `RID` or `Signal` refers to, NaN in vectors
//! (`null`), kinds of other engines. A float that is not finite is written as the engine writes it, but the
//! engine reads it as 0, so it counts as lost; [`read`] reads it as it was. A type of elements that is no kind is
//! read as a class, and as a script if it starts with `res://`. Strings may hold bare control characters, against
//! the rules of JSON, for the engine leaves them as they are; the other forms refuse them.
//!
//! # The plain form
//!
//! For `jq` and people. Numbers, texts and arrays as such; dictionaries and objects (with `@class` first, or
//! `@id` only) as objects; vectors, colours and the like as objects of their parts (`x`, `row0`,
//! `position`, ...), packed arrays as arrays of numbers or of such objects; bytes as base64; NaN and
//! infinities as null. Keys that are no text become one: `5`, `1.5`, `(1, 2)`, or the name of their kind. A
//! key that was there already gets the suffix `#2`, `#3` and so on. What is lost beyond kinds is reported.
//!
//! A value with a name is, in the plain and the native form, an object of that name alone; [`Parsed::encode_fields`]
//! reads it back.
//!
//! # In all forms
//!
//! Control characters and those that nobody sees or that turn the order of others around
//! ([`is_invisible`](variant_view::is_invisible)) are written as escapes.

mod encode;
mod error;
mod exact;
mod exact_in;
mod fields;
mod losses;
mod native;
mod native_in;
mod numbers_in;
mod options;
mod out;
mod parsed;
mod plain;
mod plain_in;
mod raw;
mod read;
mod syntax;
mod tape;
mod way;
mod write;

pub use error::{JsonError, JsonErrorKind};
pub use losses::{JsonLoss, LossKind, Losses};
pub use options::{Form, WriteOptions};
pub use parsed::{Documents, Envelope, Parsed, documents, parse};
pub use write::JsonWriter;

use std::io::{self, Write};

use variant_view::{FeedError, Producer};

use crate::encode::EncodeOptions;

/// Writes a value as JSON, in lines if `is_pretty`, and says what the form could not hold; of the exact form that is
/// nothing. The value is that of any [`Producer`]: a document or a view, a [`Variant`](crate::Variant), parsed text or JSON.
///
/// O(bytes), memory O(depth) and the largest leaf; in the plain form also O(keys of the open dictionaries). Indented lines
/// stop at 64 levels. Of a document, its limits apply, and the exact form has the bytes behind the value as well.
/// Where the producer knows no dialect, the exact form is the value alone, without anything around it.
///
/// ```
/// use variant_owned::json::{self, Form, LossKind};
/// use variant_owned::{Variant, array, encode};
/// use variant_view::{Dialect, Document};
///
/// let value = Variant::from(array![1, f64::NAN, f64::NAN]);
/// let mut text = Vec::new();
/// json::write(&value, Form::Plain, &mut text, false)?;
/// assert_eq!(text, b"[1,null,null]");
///
/// let bytes = encode(&value, Dialect::Godot4)?;
/// let document = Document::new(&bytes, Dialect::Godot4);
/// let losses = json::write(&document, Form::Plain, std::io::sink(), false)?;
/// assert_eq!(losses.list()[0].kind, LossKind::NotFinite);
/// assert_eq!(losses.list()[0].path, "[1]");
/// assert_eq!(losses.list()[0].to_string(), "[*]: a number that is not finite (x2, first at [1])");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Whatever is wrong with the producer's input, and what `to` says; some of the text has then been written.
pub fn write<P: Producer>(
    producer: P,
    form: Form,
    to: impl Write,
    is_pretty: bool,
) -> Result<Losses, FeedError<P::Error, io::Error>> {
    write_with(producer, &WriteOptions::new(form).pretty(is_pretty), to)
}

/// The same with what is to be known about the value from outside of it: how it is set apart from others in its file,
/// and what it is called.
///
/// # Errors
/// As [`write`](fn@write).
pub fn write_with<P: Producer>(
    producer: P,
    options: &WriteOptions<'_>,
    to: impl Write,
) -> Result<Losses, FeedError<P::Error, io::Error>> {
    let mut writer = JsonWriter::new(options, producer.input(), to);
    producer.feed(&mut writer)?;
    writer.finish().map_err(FeedError::Consumer)
}

/// The bytes of the value that a text of JSON in this form stands for. Plain JSON is any: integers, floats,
/// strings, arrays and dictionaries.
///
/// What the exact form says about the dialect counts for [`Parsed::encode`] only; here it is that of `options`.
/// [`documents`] reads several, and first says in which dialect they were.
///
/// O(text), and 40 bytes of memory for each value in it. Values may stand as deep as the options allow.
/// Keys that the reader takes for one are refused; in the exact form they may stand twice as they did in the bytes, as
/// long as it is read in the same dialect ([`Parsed::encode`]).
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
pub fn read(
    text: &str,
    form: Form,
    options: impl Into<EncodeOptions>,
) -> Result<Vec<u8>, JsonError> {
    documents(text, form).only()?.encode(options)
}
