//! Errors of JavaScript.

use js_sys::{Error as JsError, Reflect};
use variant_owned::EncodeError;
use variant_view::{Document, Error, ErrorClass};
use wasm_bindgen::JsValue;

/// An error of reading, with the offset of the error and the path of the value there.
pub(crate) fn read(document: &Document<'_>, error: &Error) -> JsValue {
    let thrown = named("VariantError", &format!("{error}: {}", error.hint()));
    set(&thrown, "class", &JsValue::from_str(class(error.class())));
    set(&thrown, "offset", &JsValue::from(u32::try_from(error.offset()).unwrap_or(u32::MAX)));
    if let Ok(path) = document.path_to(error.offset()) {
        set(&thrown, "path", &JsValue::from_str(&path.to_string()));
    }
    set(&thrown, "found", &JsValue::from_str(&error.kind().to_string()));
    set(&thrown, "expected", &JsValue::from_str(error.hint()));
    thrown.into()
}

/// An error of writing, with the path of the value.
pub(crate) fn write(error: &EncodeError) -> JsValue {
    let thrown = named("VariantError", &error.to_string());
    set(&thrown, "class", &JsValue::from_str("encode"));
    set(&thrown, "path", &JsValue::from_str(error.path()));
    set(&thrown, "found", &JsValue::from_str(&error.kind().to_string()));
    thrown.into()
}

#[cfg(any(feature = "files", feature = "migration"))]
pub(crate) fn plain(class: &str, message: &str) -> JsValue {
    let thrown = named("VariantError", message);
    set(&thrown, "class", &JsValue::from_str(class));
    thrown.into()
}

/// An error of reading a value of a file. `document` is the value, `start` the offset of its first byte in the file, and
/// `frame` its number.
#[cfg(feature = "files")]
pub(crate) fn damaged(
    document: &Document<'_>,
    error: &Error,
    offset: usize,
    start: usize,
    frame: u64,
) -> JsValue {
    let path = variant_document::query::path_to(document, offset).unwrap_or_default();
    let at = start.saturating_add(offset);
    let message = format!("{} at byte {at}: {}", error.kind(), error.hint());
    let thrown = named("VariantError", &message);
    set(&thrown, "class", &JsValue::from_str(class(error.class())));
    set(&thrown, "found", &JsValue::from_str(&error.kind().to_string()));
    set(&thrown, "expected", &JsValue::from_str(error.hint()));
    set(&thrown, "offset", &JsValue::from(at));
    set(&thrown, "frame", &crate::object::count(frame));
    set(&thrown, "path", &JsValue::from_str(&path));
    thrown.into()
}

/// The error for a refused change. `offset` is that of the damage in the file, if any, and `path` that of the change.
#[cfg(any(feature = "files", feature = "migration"))]
pub(crate) fn refused(
    class: &str,
    message: &str,
    offset: Option<usize>,
    path: Option<&str>,
) -> JsValue {
    let thrown = plain(class, message);
    if let Some(path) = path {
        set(&thrown, "path", &JsValue::from_str(path));
    }
    if let Some(offset) = offset {
        set(&thrown, "offset", &JsValue::from(offset));
    }
    thrown
}

fn named(name: &str, message: &str) -> JsError {
    let error = JsError::new(message);
    error.set_name(name);
    error
}

/// Sets a property of an error. This cannot fail, since a new error accepts every property.
pub(crate) fn set(error: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(error, &JsValue::from_str(name), value);
}

pub(crate) const fn class(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Truncated => "truncated",
        ErrorClass::Malformed => "malformed",
        ErrorClass::Limit => "limit",
        ErrorClass::Mismatch => "mismatch",
        _ => "other",
    }
}
