//! Writes a value to bytes, a buffer, a stream or an owned value.
//!
//! | type | is written as | because |
//! |---|---|---|
//! | `bool` | `bool` | |
//! | integers | `int`, in 32 bits if the number fits | the engine's writer does so |
//! | `u64`, `i128`, `u128` beyond an `i64` | an error | scripts have no wider integer, and a float would lose digits |
//! | `f32`, `f64` | `float` of the type's width; with [`Widths::Canonical`](variant_owned::Widths::Canonical), 32 bits for numbers that are exact in 32 bits | the type selects the width, unless the options do |
//! | `char`, `str`, `String` | `String` | scripts have no character |
//! | bytes (`serde_bytes`) | `PackedByteArray` | a sequence of `u8` is an `Array` like any other, unless [`as_packed`](crate::as_packed) selects a packed array |
//! | `()`, unit structs, `None` | nil | nil means that there is no value; `Some(())` is also nil |
//! | `Some(x)`, newtype structs | the value inside | scripts do not have such wrappers |
//! | types with a human-readable form: addresses, dates, UUIDs | that form, a `String` | scripts read it |
//! | sequences, tuples, tuple structs | `Array` | elements may differ in kind |
//! | maps | `Dictionary` | keys are of any kind, as in scripts |
//! | structs | `Dictionary` of names to fields | scripts read it as `player.name` and `player["name"]` |
//! | unit variants | the name as a `String` | scripts compare it |
//! | newtype, tuple and struct variants | `Dictionary` of one pair. The key is the name. The value is the content of a newtype variant, an `Array` for a tuple variant, a `Dictionary` for a struct variant | serde's default; in other representations serde itself makes maps and sequences |
//! | [`StringName`](crate::StringName), [`NodePath`](crate::NodePath), `as_string_name`, `as_node_path` | these kinds; for a `StringName` in Godot 2 and 3 a `String` | those engines have no `StringName` |
//! | [`PackedArray`](crate::PackedArray), [`Packed`](crate::Packed), [`as_packed`](crate::as_packed) | the packed array of the elements' type; an error in a dialect without it | another array would be another type to a script |
//! | [`TypedArray`](crate::TypedArray), [`as_typed_array`](crate::as_typed_array) | an array with a declared element type; a plain array in dialects without such arrays | scripts of these dialects only have plain arrays |
//! | [`RawValue`](crate::RawValue) | the value of the bytes, decoded and written again if the output has another dialect; an error if the bytes are invalid | a value may be forwarded to a peer of another engine |
//! | [`Variant`] | the same value: its kinds, widths, declared types and objects | a struct may have parts that serde cannot express |
//! | [`as_vector3`](crate::as_vector3) and the like | these kinds; an error in a dialect without the kind | to a script, a `Vector2` is another type than a `Vector2i` |
//!
//! [`EncodeOptions::depth`] bounds the nesting. Lengths that a type claims are not trusted: the writer counts the
//! items. If a map has two equal keys, both pairs are written, and readers keep the last.

use std::io;
use std::vec::Vec;

use serde::ser::Serialize;
use variant_owned::internal::Direct;
use variant_owned::{Collector, EncodeErrorKind, EncodeOptions, LimitError, Limited, Variant};
use variant_view::{KeyRule, Limits};

use crate::error::Error;
use crate::ser;

/// Encodes a value. O(bytes); allocates only the bytes.
///
/// `options` is an [`EncodeOptions`] or only a [`Dialect`](variant_view::Dialect). [`to`](crate::to) has the table of
/// types and their kinds.
///
/// ```
/// use variant_serde::to_vec;
/// use variant_view::{Dialect, Document};
///
/// #[derive(serde::Serialize)]
/// struct Hit<'a> {
///     by: &'a str,
///     damage: i32,
/// }
///
/// let bytes = to_vec(&Hit { by: "axe", damage: 7 }, Dialect::Godot4)?;
/// let hit = Document::new(&bytes, Dialect::Godot4);
/// assert_eq!(hit.at("damage").unwrap().as_i64(), Ok(7));
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// The first part that the dialect cannot hold or that is nested too deep, with its path; an error that the type
/// returns.
#[inline]
#[doc(alias("var_to_bytes", "var2bytes", "put_var", "store_var"))]
pub fn to_vec<T: Serialize + ?Sized>(
    value: &T,
    options: impl Into<EncodeOptions>,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    to_vec_into(value, options, &mut bytes)?;
    Ok(bytes)
}

/// Appends the bytes of a value, and returns their number. O(bytes). After an error `bytes` is unchanged.
///
/// Allocates nothing if `bytes` has room, except for packed arrays and node paths, whose parts are collected first.
///
/// ```
/// use variant_serde::to_vec_into;
/// use variant_view::Dialect;
///
/// let mut packet = vec![1];
/// assert_eq!(to_vec_into(&7, Dialect::Godot4, &mut packet)?, 8);
/// assert!(to_vec_into(&u64::MAX, Dialect::Godot4, &mut packet).is_err());
/// assert_eq!(packet, [1, 2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// Those of [`to_vec`].
#[inline]
pub fn to_vec_into<T: Serialize + ?Sized>(
    value: &T,
    options: impl Into<EncodeOptions>,
    bytes: &mut Vec<u8>,
) -> Result<usize, Error> {
    let options = options.into();
    match ser::write(value, options.dialect, Direct::new(bytes, options)) {
        Ok(written) => Ok(written.finish()),
        Err((error, Some(refused))) => Err(in_words(error, &refused, options)),
        Err((error, None)) => Err(error),
    }
}

/// `error`, which serde's calls returned. Its path is kept, and its message is replaced by the encoder's message for
/// `refused`.
#[cold]
fn in_words(error: Error, refused: &EncodeErrorKind, options: EncodeOptions) -> Error {
    error.in_words(format_args!("{refused} ({})", options.dialect))
}

/// Writes the bytes of a value to a stream, all at once, and returns their number. O(bytes). Allocates all bytes first,
/// because a count precedes the counted items.
///
/// ```
/// use variant_serde::to_writer;
/// use variant_view::Dialect;
///
/// let mut file = Vec::new();
/// to_writer(&["a", "b"], Dialect::Godot3, &mut file)?;
/// assert_eq!(file.len(), 8 + 12 + 12);
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// Those of [`to_vec`], before anything is written, and those of the stream.
pub fn to_writer<T: Serialize + ?Sized>(
    value: &T,
    options: impl Into<EncodeOptions>,
    mut writer: impl io::Write,
) -> Result<usize, Error> {
    let bytes = to_vec(value, options)?;
    writer.write_all(&bytes).map_err(ser::error)?;
    Ok(bytes.len())
}

/// The owned value that the bytes of [`to_vec`] would decode to. O(size of the value).
///
/// Kinds that the dialect lacks are kept, since [`encode`](variant_owned::encode()) and
/// [`convert`](variant_owned::convert()) report them. If keys are equal, the last pair is kept.
///
/// ```
/// use variant_owned::Variant;
/// use variant_serde::to_variant;
/// use variant_view::Dialect;
///
/// assert_eq!(to_variant(&(1, "two"), Dialect::Godot4)?, Variant::from(variant_owned::array![1, "two"]));
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// A part that is nested too deep or that no Variant holds, with its path; an error that the type returns.
pub fn to_variant<T: Serialize + ?Sized>(
    value: &T,
    options: impl Into<EncodeOptions>,
) -> Result<Variant, Error> {
    let EncodeOptions { dialect, depth, .. } = options.into();
    let collector = Collector::with_rule(KeyRule::of(dialect));
    let mut limited = Limited::new(collector, Limits::FILE.depth(depth).values(u64::MAX));
    match ser::write(value, dialect, ser::Events(&mut limited)) {
        Ok(_) => Ok(limited.into_inner().finish().unwrap_or_default()),
        Err((error, Some(LimitError::Depth(_)))) => {
            Err(error.in_words(format_args!("{} ({dialect})", EncodeErrorKind::TooDeep)))
        }
        Err((error, Some(refused))) => Err(error.in_words(refused)),
        Err((error, None)) => Err(error),
    }
}
