//! Values, lines and places of messages as text and as JSON.

use serde_json::Value as Json;
use variant_debugger::{Error, ErrorReport, StackFrame, Value};
use variant_owned::json::{Form, WriteOptions, write_with};
use variant_owned::{TextOptions, TextStyle, to_text};
use variant_view::Dialect;

use super::finding::{Place, clipped};
use variant_document::literal;

/// A value in a bounded number of characters.
pub(super) fn short(value: &Value<'_>) -> String {
    match value {
        Value::View(view) => literal::text(view),
        Value::Variant(value) => to_text(value, &TextOptions::new(TextStyle::Godot4)),
    }
}

/// A value as scripts of the dialect write it.
pub(super) fn whole(value: &Value<'_>, dialect: Dialect) -> String {
    match value.to_variant() {
        Ok(value) => to_text(&value, &TextOptions::new(TextStyle::from(dialect))),
        Err(error) => format!("damaged: {error}"),
    }
}

/// A value as plain JSON. What JSON cannot hold is null.
pub(super) fn json(value: &Value<'_>) -> Json {
    let mut text = Vec::new();
    match write_with(*value, &WriteOptions::new(Form::Plain), &mut text) {
        Ok(_) => serde_json::from_slice(&text).unwrap_or(Json::Null),
        Err(_) => Json::Null,
    }
}

/// The items that can be read. A list ends after the first damage.
pub(super) fn sound<T>(list: impl Iterator<Item = Result<T, Error>>) -> impl Iterator<Item = T> {
    list.map_while(Result::ok)
}

/// The longest name of a file or a function, in characters.
const NAME: usize = 512;

pub(super) fn place(frame: &StackFrame<'_>) -> Place {
    let StackFrame { file, line, function } = frame;
    let [file, function] = [file, function].map(|text| clipped(text, NAME));
    Place { file, line: *line, function }
}

/// The text of an error: its description, or else the condition that failed.
pub(super) fn error_text<'e>(report: &'e ErrorReport<'_>) -> &'e str {
    if report.description.is_empty() { &report.error } else { &report.description }
}

/// The places of an error: its stack, and the place in the engine's source.
pub(super) fn error_stack(report: &ErrorReport<'_>) -> Vec<Place> {
    let ErrorReport { file, line, function, .. } = report;
    let native = StackFrame { file: file.clone(), line: *line, function: function.clone() };
    let native = place(&native);
    let stack = sound(report.stack.clone()).map(|frame| place(&frame));
    stack.chain(Some(native).filter(|native| !native.file.is_empty())).collect()
}

/// The lines of a text. Godot 4 joins the lines of one frame.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}
