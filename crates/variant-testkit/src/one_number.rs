//! A tool for JSON with only one kind of number, such as jq, or `JSON.parse` and `JSON.stringify` of JavaScript.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// The tool's form of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Print {
    /// As JavaScript prints them: `1.0` becomes `1`, and `-0.0` becomes `0`.
    Shortest,
    /// With a point: `1` becomes `1.0`.
    Point,
    /// With an exponent, and with at most 17 digits.
    Exponent,
}

/// `text` as the tool prints it again. `None` if the tool refuses the text. Fields are printed in reverse order of
/// their names.
pub fn one_number(text: &str, print: Print) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    serde_json::to_string(&Printed(&value, print)).ok()
}

struct Printed<'v>(&'v Value, Print);

impl Serialize for Printed<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(value, print) = *self;
        match value {
            Value::Number(value) => {
                let text = number(value.as_f64().unwrap_or_default(), print);
                RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(to)
            }
            Value::Array(values) => {
                to.collect_seq(values.iter().map(|value| Printed(value, print)))
            }
            Value::Object(fields) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by(|(a, _), (b, _)| b.cmp(a));
                let mut map = to.serialize_map(Some(sorted.len()))?;
                for (name, value) in sorted {
                    map.serialize_entry(name, &Printed(value, print))?;
                }
                map.end()
            }
            other => other.serialize(to),
        }
    }
}

fn number(value: f64, print: Print) -> String {
    // The tool does not have a negative zero.
    let value = if value == 0.0 { 0.0 } else { value };
    match print {
        Print::Shortest if value.abs() < 1e21 => format!("{value}"),
        Print::Shortest => format!("{value:e}"),
        Print::Point => format!("{value:?}"),
        Print::Exponent => format!("{value:.16e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_in_one_way() {
        let text = r#"{"a":[1.0,-0.0,9007199254740993],"b":"1.0"}"#;
        let through = |print| one_number(text, print);
        assert_eq!(
            through(Print::Shortest).as_deref(),
            Some(r#"{"b":"1.0","a":[1,0,9007199254740992]}"#)
        );
        assert_eq!(
            through(Print::Point).as_deref(),
            Some(r#"{"b":"1.0","a":[1.0,0.0,9007199254740992.0]}"#)
        );
        assert!(one_number("[1", Print::Point).is_none());
    }
}
