//! Decides which keys are equal for an engine. The values are in tagged JSON. This is a second implementation of
//! docs/spec/format.md#key-identity.

use serde_json::{Map, Value, json};
use variant_view::Dialect;

/// A key in a form that is equal for equal keys. `None` for a key that equals no other key.
pub(super) fn normal(dialect: Dialect, key: &Value) -> Option<Value> {
    form(dialect, key, false)
}

/// Whether the engine does not find the key again, and therefore shows no value for it.
pub(super) fn is_lost(dialect: Dialect, key: &Value) -> bool {
    dialect == Dialect::Pandemonium3
        && match key.get("t").and_then(Value::as_str) {
            Some("PoolRealArray") => has_nan(key.get("v")),
            Some("Array") => elements(key).any(|element| is_lost(dialect, element)),
            _ => false,
        }
}

fn form(dialect: Dialect, value: &Value, is_inside: bool) -> Option<Value> {
    let name = value.get("t")?.as_str()?;
    let content = value.get("v");
    let is_godot4 = dialect == Dialect::Godot4;
    let content = match name {
        // Texts, and arrays of texts, are compared by code points.
        "String" | "StringName" | "PackedStringArray" | "PoolStringArray" => {
            value.get("cps")?.clone()
        }
        "float" if is_inside && is_godot4 && has_nan(content) => return None,
        "Array" | "TypedArray" | "PackedTypedArray" => {
            elements(value).map(|element| form(dialect, element, true)).collect::<Option<_>>()?
        }
        "Dictionary" if is_godot4 => elements(value)
            .map(|pair| {
                let key = form(dialect, pair.get(0)?, false)?;
                Some(json!([key, form(dialect, pair.get(1)?, true)?]))
            })
            .collect::<Option<_>>()?,
        "Dictionary" | "EncodedObjectAsID" => return None,
        "Object" if content.is_some_and(|content| !content.is_null()) => return None,
        "PoolRealArray" if dialect == Dialect::Pandemonium3 => {
            // The engine compares these arrays as text, so 0.0 and -0.0 differ.
            return (!has_nan(content)).then(|| json!({"t": name, "bits": value.to_string()}));
        }
        _ => content.map_or(Value::Null, numbers),
    };
    let is_text = is_godot4 && !is_inside && name == "StringName";
    let mut form = Map::from_iter([("v".to_owned(), content)]);
    form.insert("t".to_owned(), json!(if is_text { "String" } else { name }));
    if name.ends_with("TypedArray") {
        form.insert("et".to_owned(), value.get("et").cloned().unwrap_or_default());
    }
    Some(form.into())
}

fn elements(value: &Value) -> impl Iterator<Item = &Value> {
    value.get("v").and_then(Value::as_array).into_iter().flatten()
}

fn has_nan(content: Option<&Value>) -> bool {
    match content {
        Some(Value::String(text)) => text.starts_with("nan"),
        Some(Value::Array(all)) => all.iter().any(|one| has_nan(Some(one))),
        _ => false,
    }
}

/// Replaces all NaNs by the same NaN, and both zeros by the same zero.
fn numbers(content: &Value) -> Value {
    match content {
        Value::Array(all) => all.iter().map(numbers).collect(),
        Value::String(text) if text.starts_with("nan:") => json!("nan"),
        Value::Number(number) if number.is_f64() && number.as_f64() == Some(0.0) => json!(0.0),
        other => other.clone(),
    }
}
