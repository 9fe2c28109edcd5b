//! Prints values as JSON and as text.

use std::mem::MaybeUninit;

use variant_owned::json;
use variant_owned::{TextOptions, TextStyle, write_text_to};

use crate::border::call;
use crate::bytes::{self, Bytes};
use crate::code::Code;
use crate::error::Error;
use crate::names;
use crate::place::Place;
use crate::value::Value;

/// Prints a value with everything in it as JSON, in one of the forms VARIANT_JSON_*. The text is UTF-8 without a NUL, and is
/// freed by variant_bytes_free. O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_to_json(
    value: Value,
    form: u8,
    is_pretty: bool,
    text: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let mut json = Vec::new();
        // A write to a vector does not fail, so only the value can cause an error.
        let outcome = json::write(place.document, names::form(form)?, &mut json, is_pretty);
        outcome.map_err(|error| {
            error.either(|error| place.failure(error), |full| bytes::full(&full))
        })?;
        bytes::give(text, json)
    })
}

/// Prints a value with everything in it as var_to_str of its engine does. The text is UTF-8 without a NUL, and is freed by
/// variant_bytes_free. O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_to_text(
    value: Value,
    text: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        let style = TextStyle::from(place.document.options().dialect);
        let mut printed = Vec::new();
        let outcome = write_text_to(place.document, &TextOptions::new(style), &mut printed);
        outcome.map_err(|error| {
            error.either(|error| place.failure(error), |full| bytes::full(&full))
        })?;
        bytes::give(text, printed)
    })
}
