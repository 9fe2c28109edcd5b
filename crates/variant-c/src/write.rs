//! Appends pieces to a [`Writer`]: values, and the begin and end of containers.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use variant_document::edit::literal;
use variant_owned::{
    ConvertOptions, ConverterError, EncodeError, Float, Report, Variant, convert_into, json,
};
use variant_view::{Consumer as _, FeedError, Leaf, Numbers, Producer as _, Texts, Width, Wire};

use crate::border::{Result, list, text, text_of};
use crate::bytes::{Bytes, Text};
use crate::code::{Code, VARIANT_ERROR_ARGUMENT, VARIANT_ERROR_TEXT, VARIANT_ERROR_WRITE};
use crate::error::Failure;
use crate::place::Place;
use crate::value::Value;
use crate::writer::Writer;
use crate::{kinds, names};

type Open = variant_owned::Writer<'static>;

/// Appends a piece, if there is a writer.
fn append<'a>(writer: Option<&mut Writer>, piece: impl FnOnce(&mut Open) -> Result<'a>) -> Code {
    writer.map_or(VARIANT_ERROR_ARGUMENT, |writer| writer.append(piece))
}

/// Appends a leaf, if there is a writer.
fn leaf(writer: Option<&mut Writer>, leaf: Leaf<'_>) -> Code {
    append(writer, |open| open.leaf(leaf).map_err(Failure::Write))
}

/// Appends null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_null(writer: Option<&mut Writer>) -> Code {
    leaf(writer, Leaf::Nil)
}

/// Appends a bool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_bool(writer: Option<&mut Writer>, value: bool) -> Code {
    leaf(writer, Leaf::Bool(value))
}

/// Appends an int. It is written with 32 bits if they can hold it, and otherwise with 64 bits, as the engines do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_int(writer: Option<&mut Writer>, value: i64) -> Code {
    leaf(writer, Leaf::Int { value, width: Width::W32 })
}

/// Appends a float. It is written with 32 bits if they hold it exactly, and otherwise with 64 bits, as the engines do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_double(writer: Option<&mut Writer>, value: f64) -> Code {
    append(writer, |open| open.value(&Variant::Float(Float::new(value))).map_err(Failure::Write))
}

/// Appends a String, in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_text(
    writer: Option<&mut Writer>,
    text: *const c_char,
    len: usize,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller promises `len` bytes of text that do not change.
        let text = unsafe { list(text.cast(), len) }?;
        open.leaf(Leaf::String(text)).map_err(Failure::Write)
    })
}

/// Appends a StringName, in UTF-8. Dialects before Godot 4 do not have this kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_string_name(
    writer: Option<&mut Writer>,
    text: *const c_char,
    len: usize,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller promises `len` bytes of text that do not change.
        let text = unsafe { list(text.cast(), len) }?;
        open.leaf(Leaf::StringName(text)).map_err(Failure::Write)
    })
}

/// Appends a String that ends with a NUL, such as a key of a dictionary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_key(
    writer: Option<&mut Writer>,
    key: *const c_char,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let key = unsafe { text(key) }?;
        open.leaf(Leaf::String(key.as_bytes())).map_err(Failure::Write)
    })
}

/// Appends a PackedByteArray.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_bytes(
    writer: Option<&mut Writer>,
    bytes: *const u8,
    len: usize,
) -> Code {
    // SAFETY: the caller promises as many elements as the count states.
    unsafe { numbers(writer, kinds::VARIANT_KIND_PACKED_BYTE_ARRAY, bytes, len) }
}

/// Appends a PackedStringArray.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_texts(
    writer: Option<&mut Writer>,
    texts: *const Text,
    count: usize,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller promises `count` texts, and the bytes of each text.
        let texts = unsafe { list(texts, count) }?.iter().map(|text| unsafe { text.bytes() });
        let texts = texts.collect::<Result<'_, Vec<&[u8]>>>()?;
        let texts = texts.as_slice();
        open.leaf(Leaf::Strings(Texts::of(&texts))).map_err(Failure::Write)
    })
}

/// Appends a value of this kind, which must consist of floats: a vector, a matrix, a Color, a PackedFloat32Array, or a
/// packed array of vectors or colours. `count` is the number of floats. They have the order of variant_packed_of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_floats(
    writer: Option<&mut Writer>,
    kind: u8,
    floats: *const f32,
    count: usize,
) -> Code {
    // SAFETY: the caller promises as many elements as the count states.
    unsafe { numbers(writer, kind, floats, count) }
}

/// Appends a PackedFloat64Array, or a value of a kind of variant_write_floats with reals of 64 bits. Only builds of
/// Godot 4 with double precision write such reals.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_doubles(
    writer: Option<&mut Writer>,
    kind: u8,
    doubles: *const f64,
    count: usize,
) -> Code {
    // SAFETY: the caller promises as many elements as the count states.
    unsafe { numbers(writer, kind, doubles, count) }
}

/// Appends a value of this kind, which must consist of integers of 32 bits: a Vector2i, Rect2i, Vector3i or Vector4i, a
/// PackedInt32Array, or a packed array of such vectors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_int32s(
    writer: Option<&mut Writer>,
    kind: u8,
    ints: *const i32,
    count: usize,
) -> Code {
    // SAFETY: the caller promises as many elements as the count states.
    unsafe { numbers(writer, kind, ints, count) }
}

/// Appends a PackedInt64Array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_int64s(
    writer: Option<&mut Writer>,
    ints: *const i64,
    count: usize,
) -> Code {
    // SAFETY: the caller promises as many elements as the count states.
    unsafe { numbers(writer, kinds::VARIANT_KIND_PACKED_INT64_ARRAY, ints, count) }
}

/// Appends a value of this kind that has these numbers.
///
/// # Safety
/// The rules in the section "Safety" of this crate's documentation apply.
unsafe fn numbers<T: Wire>(
    writer: Option<&mut Writer>,
    kind: u8,
    data: *const T,
    count: usize,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller of this function makes the same promise.
        let values = unsafe { list(data, count) }?;
        let kind = kinds::kind(kind)?;
        let unfit = || {
            let message = format!("a {kind} does not have {count} numbers of this type");
            Failure::new(VARIANT_ERROR_ARGUMENT, message)
        };
        let numbers = Numbers::of(kind, &values).ok_or_else(unfit)?;
        open.leaf(Leaf::Numbers(numbers)).map_err(Failure::Write)
    })
}

/// Appends a value that was read, with everything in it. O(bytes).
///
/// A value of another dialect is converted. If `losses` is NULL, the call fails with VARIANT_ERROR_WRITE if the
/// conversion would change the value. Otherwise `losses` receives a line for each change, and is empty if nothing
/// changes. variant_bytes_free frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_value(
    writer: Option<&mut Writer>,
    value: Value,
    losses: Option<&mut MaybeUninit<Bytes>>,
) -> Code {
    let Some(writer) = writer else { return VARIANT_ERROR_ARGUMENT };
    // `losses` is initialised first, because the caller may free it after any failure.
    let losses = losses.map(|losses| losses.write(Vec::new().into()));
    let (to, reals) = (writer.options.dialect, writer.options.reals);
    writer.append(|open| {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let document = place.document;
        let options = document.options();
        if (options.dialect, options.reals) == (to, reals) {
            let outcome = document.feed(open);
            return outcome
                .map_err(|error| error.either(|error| place.failure(error), Failure::Write));
        }
        let options = ConvertOptions::new(to).reals(reals).strict(losses.is_none());
        let outcome = convert_into(document, options, open);
        let report = outcome.map_err(|error| unconverted(&place, error))?;
        if let Some(losses) = losses {
            *losses = lines(&report).into();
        }
        Ok(())
    })
}

fn unconverted<'a>(
    place: &Place<'a>,
    error: FeedError<variant_view::Error, ConverterError<EncodeError>>,
) -> Failure<'a> {
    match error {
        FeedError::Producer(error) => place.failure(error),
        FeedError::Consumer(ConverterError::Consumer(error)) => Failure::Write(error),
        FeedError::Consumer(ConverterError::Change(error)) => {
            Failure::new(VARIANT_ERROR_WRITE, error.to_string())
        }
    }
}

/// A line for each change of a conversion.
fn lines(report: &Report) -> Vec<u8> {
    let lines = report.groups().iter().map(|group| format!("{group}\n"));
    lines.collect::<String>().into_bytes()
}

/// Appends the value of a JSON text, in one of the forms VARIANT_JSON_*. O(text).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_json(
    writer: Option<&mut Writer>,
    text: *const c_char,
    len: usize,
    form: u8,
) -> Code {
    let Some(writer) = writer else { return VARIANT_ERROR_ARGUMENT };
    let options = writer.options;
    writer.append(|open| {
        // SAFETY: the caller promises `len` bytes of text that do not change.
        let text = unsafe { text_of(text, len) }?;
        let bytes = json::read(text, names::form(form)?, options)
            .map_err(|error| Failure::new(VARIANT_ERROR_TEXT, error.to_string()))?;
        open.raw_bytes(&bytes).map_err(Failure::Write)
    })
}

/// Appends the value of a literal in the syntax of the engine's scripts, such as `Vector2(1, 2.5)` or
/// `^"Player:position"`. O(text).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_literal(
    writer: Option<&mut Writer>,
    source: *const c_char,
) -> Code {
    let Some(writer) = writer else { return VARIANT_ERROR_ARGUMENT };
    let dialect = writer.options.dialect;
    writer.append(|open| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let source = unsafe { text(source) }?;
        let value = literal(source, dialect);
        let value = value.map_err(|message| Failure::new(VARIANT_ERROR_TEXT, message))?;
        open.value(&value).map_err(Failure::Write)
    })
}

/// Begins an array. Its elements follow, and then variant_end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_begin_array(writer: Option<&mut Writer>) -> Code {
    append(writer, |open| open.begin_array().map_err(Failure::Write))
}

/// Begins a dictionary. The key and the value of each pair follow, and then variant_end. The library does not check
/// that the keys differ.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_begin_dictionary(writer: Option<&mut Writer>) -> Code {
    append(writer, |open| open.begin_dictionary().map_err(Failure::Write))
}

/// Begins an object of this class. For each property, variant_write_property and the value follow, and at the end
/// variant_end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_begin_object(
    writer: Option<&mut Writer>,
    class: *const c_char,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let class = unsafe { text(class) }?;
        open.begin_object(class).map_err(Failure::Write)
    })
}

/// Appends the name of a property of an object. Its value follows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_write_property(
    writer: Option<&mut Writer>,
    name: *const c_char,
) -> Code {
    append(writer, |open| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let name = unsafe { text(name) }?;
        open.name(name).map_err(Failure::Write)
    })
}

/// Ends the container that was begun last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_end(writer: Option<&mut Writer>) -> Code {
    append(writer, |open| open.end().map_err(Failure::Write))
}
