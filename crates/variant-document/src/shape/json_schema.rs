//! Writes a type as a JSON Schema of the plain form of JSON.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use variant_owned::json::{Form, WriteOptions, write_with};
use variant_view::{Dialect, Document, Kind, Options};

use super::types::{Facts, Type};

impl Type {
    /// The text of a JSON Schema that the values of this type satisfy. It includes the ranges of the numbers in the
    /// sample only if `has_ranges` is set. O(size of the type).
    ///
    /// The schema describes the plain form of JSON, and [`Schema`](crate::schema::Schema) checks values against it.
    ///
    /// ```
    /// use variant_document::schema::Schema;
    /// use variant_document::shape::Shapes;
    /// use variant_owned::{dictionary, encode};
    /// use variant_view::{Dialect, Document};
    ///
    /// let save = encode(&dictionary! { "hp" => 7 }.into(), Dialect::Godot4)?;
    /// let mut shapes = Shapes::new();
    /// shapes.add(Document::new(&save, Dialect::Godot4))?;
    /// let schema = Schema::compile(&shapes.into_type().to_json_schema(false))?;
    /// let save = encode(&dictionary! { "hp" => "7" }.into(), Dialect::Godot4)?;
    /// let breaches = schema.check(Document::new(&save, Dialect::Godot4), 10)?;
    /// assert_eq!(breaches.list[0].to_string(), "hp: found String \"7\"; expected int");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json_schema(&self, has_ranges: bool) -> String {
        schema(self, has_ranges)
    }
}

fn schema(of: &Type, has_ranges: bool) -> String {
    let mut used = Used { kinds: BTreeSet::new(), has_ranges };
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    if let Value::Object(root) = any_of(of, &mut used) {
        schema.extend(root);
    }
    let definitions: Map<_, _> = used
        .kinds
        .into_iter()
        .map(|kind| (kind.name().to_owned(), with_kind(definition(kind), kind)))
        .collect();
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text + "\n"
}

/// The definitions that a schema refers to.
struct Used {
    /// The kinds that get a definition.
    kinds: BTreeSet<Kind>,
    has_ranges: bool,
}

fn any_of(of: &Type, used: &mut Used) -> Value {
    if of.is_open || of.kinds.is_empty() {
        return json!({});
    }
    let mut all: Vec<_> = of.kinds.iter().map(|facts| one(facts, used)).collect();
    match all.pop() {
        Some(only) if all.is_empty() => only,
        last => {
            all.extend(last);
            json!({"anyOf": all})
        }
    }
}

/// The schema of the values of one kind. `x-godot-type` names the kind, since JSON writes several kinds in the same
/// form.
fn one(facts: &Facts, used: &mut Used) -> Value {
    with_kind(form(facts, used), facts.kind)
}

/// Adds the kind to a schema, unless the JSON type determines the kind, or a definition already names it.
fn with_kind(mut schema: Value, kind: Kind) -> Value {
    if let Value::Object(keywords) = &mut schema
        && kind != Kind::Bool
        && !keywords.contains_key("$ref")
    {
        keywords.insert("x-godot-type".to_owned(), json!(kind.name()));
    }
    schema
}

fn form(facts: &Facts, used: &mut Used) -> Value {
    match facts.kind {
        Kind::Nil => json!({"type": "null"}),
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Int => with_range(
            json!({"type": "integer"}),
            facts.ints.filter(|_| used.has_ranges).map(|(low, high)| (json!(low), json!(high))),
        ),
        // The plain form writes an infinite number or NaN as null.
        Kind::Float => {
            let range = facts
                .floats
                .filter(|(low, high)| used.has_ranges && low.is_finite() && high.is_finite());
            with_range(
                json!({"type": ["number", "null"]}),
                range.map(|(low, high)| (json!(low), json!(high))),
            )
        }
        Kind::String | Kind::StringName | Kind::NodePath => json!({"type": "string"}),
        Kind::Rid => json!({"type": "integer"}),
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => {
            let items = facts.items.as_ref().map_or_else(|| json!({}), |items| any_of(items, used));
            json!({"type": "array", "items": items})
        }
        Kind::Dictionary => dictionary(facts, used),
        Kind::PackedByteArray => json!({"type": "string", "contentEncoding": "base64"}),
        Kind::PackedStringArray => json!({"type": "array", "items": {"type": "string"}}),
        // Plain JSON writes these kinds as null, a number or an object, so the schema allows anything.
        Kind::Object | Kind::Callable | Kind::Signal | Kind::Image | Kind::InputEvent => json!({}),
        kind => {
            used.kinds.insert(kind);
            json!({"$ref": format!("#/$defs/{}", kind.name())})
        }
    }
}

fn with_range(mut schema: Value, range: Option<(Value, Value)>) -> Value {
    if let (Some((low, high)), Value::Object(fields)) = (range, &mut schema) {
        fields.insert("minimum".to_owned(), low);
        fields.insert("maximum".to_owned(), high);
    }
    schema
}

fn dictionary(facts: &Facts, used: &mut Used) -> Value {
    let mut schema = json!({"type": "object"});
    let Value::Object(fields) = &mut schema else { return schema };
    if let Some(items) = &facts.items {
        fields.insert("additionalProperties".to_owned(), any_of(items, used));
    }
    if !facts.fields.is_empty() {
        let properties: Map<_, _> =
            facts.fields.iter().map(|(name, field)| (name.clone(), any_of(field, used))).collect();
        fields.insert("properties".to_owned(), Value::Object(properties));
        let required: Vec<_> = facts
            .fields
            .iter()
            .filter(|(_, field)| !facts.is_optional(field))
            .map(|(name, _)| name)
            .collect();
        fields.insert("required".to_owned(), json!(required));
    }
    schema
}

/// The schema of a kind that consists of numbers, derived from a sample in the plain form. A sample array has one
/// element.
fn definition(kind: Kind) -> Value {
    const ROOM: usize = 128;
    let dialect = Dialect::ALL.iter().find_map(|dialect| Some((*dialect, dialect.id(kind)?)));
    let Some((dialect, id)) = dialect else { return json!({}) };
    let mut bytes = vec![0; ROOM];
    for (byte, value) in bytes.iter_mut().zip([id, 0, 0, 0, 1]) {
        *byte = value;
    }
    let mut text = Vec::new();
    let document = Document::new(&bytes, Options::engine(dialect));
    let written = write_with(&document, &WriteOptions::new(Form::Plain), &mut text);
    let sample = written.ok().and_then(|_| serde_json::from_slice(&text).ok());
    sample.as_ref().map_or_else(|| json!({}), like)
}

/// The schema of values with the same structure as `sample`. The plain form writes an infinite number or NaN as null.
fn like(sample: &Value) -> Value {
    match sample {
        Value::Object(fields) => {
            let properties: Map<_, _> =
                fields.iter().map(|(name, field)| (name.clone(), like(field))).collect();
            let required: Vec<_> = fields.keys().collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
        Value::Array(items) => {
            let items = items.first().map_or_else(|| json!({}), like);
            json!({"type": "array", "items": items})
        }
        _ => json!({"type": ["number", "null"]}),
    }
}
