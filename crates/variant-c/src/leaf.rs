//! Reads values without items: bool, int, float, texts, bytes, ids.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use variant_view::{ObjectForm, PackedStrings, VariantView};

use crate::border::{Result, call, places, put};
use crate::bytes::Text;
use crate::code::Code;
use crate::error::Error;
use crate::place::Place;
use crate::value::{Value, other_kind};

/// Reads a bool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_bool(
    value: Value,
    result: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        put(result, place.view()?.as_bool().map_err(|error| place.failure(error))?)
    })
}

/// Reads an int.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_int(
    value: Value,
    result: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        put(result, place.view()?.as_i64().map_err(|error| place.failure(error))?)
    })
}

/// Reads a float, or an int as the nearest float.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_double(
    value: Value,
    result: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        put(result, place.view()?.as_f64().map_err(|error| place.failure(error))?)
    })
}

/// Reads a String or a StringName: a pointer into the caller's bytes, and a length. No NUL follows the text. If the
/// value contains a NUL, the text ends before the first one, as in the engines. In Godot 4 and Pandemonium 4 and 5, a
/// text that variant_read or variant_file_validate accepted is UTF-8. Other dialects also accept other bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_text(
    value: Value,
    text: Option<&mut MaybeUninit<*const c_char>>,
    len: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let view = place.view()?.as_text().map_err(|error| place.failure(error))?;
        put_text(text, len, view.engine_bytes())
    })
}

/// Reads the class of an object with class and properties, as variant_as_text reads a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_class(
    value: Value,
    text: Option<&mut MaybeUninit<*const c_char>>,
    len: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let object = place.view()?.as_object().map_err(|error| place.failure(error))?;
        let class = object.class();
        let class = class.ok_or_else(|| other_kind(&place, "an object with a class"))?;
        put_text(text, len, class.engine_bytes())
    })
}

/// Reads a PackedByteArray: a pointer into the caller's bytes, and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_bytes(
    value: Value,
    bytes: Option<&mut MaybeUninit<*const u8>>,
    len: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let found = place.view()?.as_bytes().map_err(|error| place.failure(error))?;
        put(bytes, found.as_ptr())?;
        put(len, found.len())
    })
}

/// Reads the id of an RID, of an object without properties, or of the object in a Signal. The id of a null object is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_id(
    value: Value,
    id: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let found = match place.view()? {
            VariantView::Rid(rid) => Some(rid.value()),
            VariantView::Signal(signal) => Some(signal.object_id()),
            VariantView::Object(object) => match object.form() {
                ObjectForm::Null => Some(0),
                ObjectForm::Id(id) => Some(id),
                ObjectForm::Full(_) => None,
            },
            _ => None,
        };
        put(id, found.ok_or_else(|| other_kind(&place, "an RID, an object's id or a Signal"))?)
    })
}

/// Reads a PackedStringArray into an array of the caller, which has room for `capacity` texts. `count` receives the number
/// of texts in the value: if it exceeds `capacity`, only the first texts were written. `texts` may be NULL if `capacity` is
/// 0. O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_texts(
    value: Value,
    texts: *mut Text,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises the bytes of the value, and memory for `capacity` elements.
        let (place, room) = unsafe { (Place::of(value)?, places(texts, capacity)?) };
        let strings: PackedStrings<'_> =
            place.view()?.as_strings().map_err(|error| place.failure(error))?;
        for (slot, text) in room.iter_mut().zip(strings.iter()) {
            slot.write(Text::from(text.engine_bytes()));
        }
        put(count, strings.len())
    })
}

fn put_text<'a>(
    text: Option<&mut MaybeUninit<*const c_char>>,
    len: Option<&mut MaybeUninit<usize>>,
    found: &[u8],
) -> Result<'a> {
    put(text, found.as_ptr().cast())?;
    put(len, found.len())
}
