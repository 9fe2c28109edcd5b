//! A tool for JSON that knows one kind of number, as `JSON.parse` and `JSON.stringify` of JavaScript do, and jq.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

/// How such a tool prints its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Print {
    /// As JavaScript: `1.0` becomes `1`, and `-0.0` becomes `0`.
    Shortest,
    /// Each with a point: `1` becomes `1.0`.
    Point,
    /// Each with an exponent, and no more than 17 digits.
    Exponent,
}

/// `text` as the tool prints it again; `None` if it refuses the text. Fields come out in the order of their names,
/// the last first.
pub fn one_number(text: &str, print: Print) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    serde_json::to_string(&Printed(&value, print)).ok()
}

/// A document as the tool holds it.
enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "that is the tool's fault"
    )]
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "that is the tool's fault"
    )]
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = all.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> Result<Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = all.next_entry()? {
            fields.push(field);
        }
        Ok(Value::Object(fields))
    }
}

struct Printed<'v>(&'v Value, Print);

impl Serialize for Printed<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(value, print) = *self;
        match value {
            Value::Null => to.serialize_unit(),
            Value::Bool(value) => to.serialize_bool(*value),
            Value::Number(value) => {
                let text = number(*value, print);
                RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(to)
            }
            Value::String(text) => to.serialize_str(text),
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
        }
    }
}

fn number(value: f64, print: Print) -> String {
    // An integer has one zero.
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
    fn what_it_does_to_numbers() {
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
