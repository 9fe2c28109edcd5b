//! JSON of values, in both directions. Feature `json`.
//!
//! There are three forms for three purposes ([`Form`]). [`JsonWriter`] is a consumer that writes them, [`Parsed`] a
//! producer that reads them. Each works with any producer or consumer of events, so no tree of values is needed. They
//! do not recurse: nesting costs memory, not stack.
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
//! This form restores the document byte for byte, if the engine accepts the document. Any tool preserves this form if
//! it keeps strings, structure and integers up to 2^53 - 1. The tool may have a single number type (`jq`,
//! `JSON.parse`), reorder fields or reformat numbers.
//!
//! A document is an object *around* the value. A file of several values has one such object per line.
//!
//! | Field | Content |
//! |---|---|
//! | `dialect` | the dialect of the bytes: [`Dialect::name`](variant_view::Dialect::name) |
//! | `reals` | `by-flag`, or `always64` where every real has 8 bytes |
//! | `framing` | the framing of the file's values: [`WriteOptions::framing`] |
//! | `name` | the name of the value, a text: [`WriteOptions::name`] |
//! | `value` | the value |
//! | `behind` | the bytes after the value, in hexadecimal digits |
//!
//! Only `dialect` and `value` are required. The value may also come without this object if the caller knows the
//! dialect. The value is written as follows:
//!
//! | Value | JSON |
//! |---|---|
//! | `null`, `true`, `false` | the same |
//! | `int` up to 2^53 - 1 | a number |
//! | `String` | a string |
//! | `Array`, undeclared | an array |
//! | everything else | an object, whose field `t` is the kind by its [name](variant_view::Kind::name) |
//!
//! These objects have the following fields. Fields in brackets are written only if they are needed:
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
//! A *text* is a string, or an object with the field `v` or `hex`. A *type* is the name of a kind, or
//! `{"class": text}`, `{"script": text}`, `{"unknown": number}`.
//!
//! Integers beyond 2^53 - 1 and all floats are strings. A float is written with the fewest digits that distinguish it
//! from all other floats: a `float` from all other `f64`, any other real from all others of its width. Infinities are
//! `"inf"` and `"-inf"`. A NaN is `"nan:"` and its bits in 8 or 16 hexadecimal digits. Where a string of digits is
//! expected, a number is accepted too. A number without `t` is an integer in any notation (`5.0`, `5e0`). If it is not
//! whole, it is refused: floats need a `t`, because a tool may turn the float 1.0 into 1. Fields may have any order;
//! unknown fields are errors.
//!
//! Each object with a `t`, and each property name, may have a field `raw`: the original bytes. The `raw` of a container
//! has the bytes before its first child. `raw` is written if the original bytes differ from the encoder's output for
//! the same value. They differ by nonzero or missing padding, header bits without a meaning, a `true` other than 1,
//! negative counts, and other bytes that readers ignore. The other fields take precedence: `raw` is ignored if it
//! disagrees with them, or if the dialect changes.
//!
//! # The native form
//!
//! This is the form of `JSON.from_native` in Godot 4.4 and later, with full objects. The form cannot hold: number
//! widths, 64-bit reals (read as 32-bit), the targets of `RID` and `Signal`, NaN in vectors (`null`), kinds of other
//! engines. A float that is not finite is written as the engine writes it. [`read`] restores it, but the engine reads
//! it as 0, so it counts as a loss. An element type that is not a kind is read as a class, or as a script if it starts
//! with `res://`. Strings may contain unescaped control characters, as the engine writes them, against the JSON
//! standard; the other forms refuse them.
//!
//! # The plain form
//!
//! This form is for `jq` and for people. Numbers, texts and arrays stay numbers, texts and arrays. Dictionaries and
//! objects become JSON objects. The JSON object of an `Object` has the key `@class` first, or only the key `@id`.
//! Mathematical values become objects of their parts (`x`, `row0`, `position`, ...). Packed arrays become arrays of
//! numbers or of such objects. Bytes become base64. NaN and infinities become null. Keys that are not text become text:
//! `5`, `1.5`, `(1, 2)`, or the name of their kind. A repeated key gets the suffix `#2`, `#3`, .... Losses of values
//! are reported, changes of kind are not.
//!
//! In the plain and the native form a value with a name is an object with that name as its only key;
//! [`Parsed::encode_fields`] reads it back.
//!
//! # All forms
//!
//! Control characters, invisible characters and those that change text direction
//! ([`is_invisible`](variant_view::is_invisible)) are escaped.

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
mod plain_keys;
mod raw;
mod read;
mod syntax;
mod tape;
mod write;

pub use error::{JsonError, JsonErrorKind};
pub use losses::{JsonLoss, LossKind, Losses};
pub use options::{Form, WriteOptions};
pub use parsed::{Documents, Envelope, Parsed, documents, parse};
pub use plain_keys::PlainKeys;
pub use write::JsonWriter;

use std::io::{self, Write};

use variant_view::{FeedError, Producer};

use crate::encode::EncodeOptions;

/// Writes the value of any [`Producer`] as JSON, indented if `is_pretty`. Returns the losses: the parts that the form
/// cannot hold. The exact form holds everything.
///
/// O(bytes). Memory: O(depth) and the largest leaf; in the plain form also O(keys of the open dictionaries).
/// Indentation stops at 64 levels. A document's limits apply, and in the exact form the bytes after its value are
/// written too. If the producer does not know its dialect, the exact form is the bare value.
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
/// The first error of the producer's input or of `to`. The text before the error has been written.
pub fn write<P: Producer>(
    producer: P,
    form: Form,
    to: impl Write,
    is_pretty: bool,
) -> Result<Losses, FeedError<P::Error, io::Error>> {
    write_with(producer, &WriteOptions::new(form).pretty(is_pretty), to)
}

/// [`write`](fn@write) with more options, such as the framing and the name of the value. O(bytes).
///
/// # Errors
/// Those of [`write`](fn@write).
pub fn write_with<P: Producer>(
    producer: P,
    options: &WriteOptions<'_>,
    to: impl Write,
) -> Result<Losses, FeedError<P::Error, io::Error>> {
    let mut writer = JsonWriter::new(options, producer.input(), to);
    producer.feed(&mut writer)?;
    writer.finish().map_err(FeedError::Consumer)
}

/// Reads JSON in the given form and encodes its value. The plain form accepts any JSON: integers, floats,
/// strings, arrays and dictionaries.
///
/// The dialect is that of `options`; a `dialect` field of the exact form is ignored. Use [`documents`] to
/// read several values, or to learn their dialect.
///
/// O(text), with 40 bytes of memory per value. The depth limit of `options` applies. Keys that the
/// dialect's reader treats as equal are refused. The exact form accepts such keys if `options` restore the
/// original bytes ([`Envelope::options`]), because these bytes may have them.
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
/// Invalid JSON, JSON that is not in this form, or a value that the dialect cannot hold. The error has line
/// and column.
pub fn read(
    text: &str,
    form: Form,
    options: impl Into<EncodeOptions>,
) -> Result<Vec<u8>, JsonError> {
    documents(text, form).only()?.encode(options)
}
