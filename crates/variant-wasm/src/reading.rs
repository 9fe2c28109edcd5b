//! The settings for reading a file, from the options of JavaScript.

use variant_document::names::UnknownName;
use variant_document::{Reading, TooShort};
use wasm_bindgen::JsValue;

use crate::failure;

/// The settings from the names of the dialect and the framing. An empty name means that the option is omitted.
pub(crate) fn reading(dialect: &str, framing: &str, skipped: usize) -> Result<Reading, JsValue> {
    let reading = Reading::named(given(dialect), given(framing), None).map_err(unknown)?;
    Ok(Reading { skip: u64::try_from(skipped).unwrap_or(u64::MAX), ..reading })
}

/// The name; `None` if it is empty.
pub(crate) fn given(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
pub(crate) fn too_short(error: TooShort) -> JsValue {
    failure::plain("format", &error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
pub(crate) fn unknown(error: UnknownName) -> JsValue {
    failure::plain("option", &error.to_string())
}
