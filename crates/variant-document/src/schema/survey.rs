//! [`survey`]: refuses schemas that need unbounded time or stack, and schemas that refer to other files.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::SchemaError;

/// The maximum number of levels of a schema.
const DEEPEST: usize = 64;

/// The maximum length of a chain of nested schemas that apply to one value. Each of them takes stack.
const LONGEST: usize = 64;

/// The maximum total number of schemas that apply to one value. Each of them takes time.
const MOST: u64 = 10_000;

/// The maximum number of different references. A reference to a schema with another reference takes time for each
/// reference before it, while the schema is compiled.
const REFERENCES: usize = 10_000;

/// The cost of checking one value against the schemas of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// The longest chain of schemas that apply to one value.
    pub(super) chain: usize,
    /// The number of schemas that apply to one value.
    weight: u64,
}

/// Checks a schema, and returns its deepest level and its greatest cost. O(size of the schema).
pub(super) fn survey(root: &Value) -> Result<(usize, Cost), SchemaError> {
    let mut survey = Survey { root, anchors: HashMap::new(), costs: HashMap::new() };
    let mut all = Vec::new();
    let levels = collect(root, &mut String::from("#"), 0, &mut all)?;
    let mut references = HashSet::new();
    for (schema, at) in &all {
        for name in ["$anchor", "$dynamicAnchor"] {
            if let Some(Value::String(anchor)) = schema.get(name) {
                survey.anchors.insert(anchor, schema);
            }
        }
        references.extend(schema.get("$ref").and_then(Value::as_str));
        refuse(schema, at)?;
    }
    if references.len() > REFERENCES {
        let message = format!("more than {REFERENCES} different references; expected fewer");
        return Err(SchemaError::at("#", message));
    }
    let mut most = Cost::default();
    for (schema, at) in &all {
        let cost = survey.cost(schema, at, 0)?;
        most.chain = most.chain.max(cost.chain);
        most.weight = most.weight.max(cost.weight);
    }
    if most.weight > MOST {
        let message =
            format!("more than {MOST} schemas apply to one value; expected fewer alternatives");
        return Err(SchemaError::at("#", message));
    }
    Ok((levels, most))
}

/// The schemas in a schema, each with its JSON pointer. Returns the deepest level. The recursion ends at [`DEEPEST`]
/// levels.
fn collect<'s>(
    schema: &'s Value,
    at: &mut String,
    level: usize,
    all: &mut Vec<(&'s Map<String, Value>, String)>,
) -> Result<usize, SchemaError> {
    let Value::Object(keywords) = schema else { return Ok(level) };
    if level > DEEPEST {
        let message = format!("the schema has more than {DEEPEST} levels");
        return Err(SchemaError::at(&at.chars().take(200).collect::<String>(), message));
    }
    all.push((keywords, at.clone()));
    let len = at.len();
    let mut deepest = level;
    for (keyword, value) in keywords {
        at.push('/');
        at.push_str(keyword);
        children(keyword, value, |name, child| {
            let len = at.len();
            if let Some(name) = name {
                at.push('/');
                at.push_str(&name);
            }
            let found = collect(child, at, level.saturating_add(1), all);
            at.truncate(len);
            deepest = deepest.max(found?);
            Ok(())
        })?;
        at.truncate(len);
    }
    Ok(deepest)
}

/// Calls `f` with each schema that a keyword holds, and its name or position in the keyword.
fn children<'s>(
    keyword: &str,
    value: &'s Value,
    mut f: impl FnMut(Option<String>, &'s Value) -> Result<(), SchemaError>,
) -> Result<(), SchemaError> {
    match (keyword, value) {
        // The values of these keywords are data, not schemas.
        ("const" | "enum" | "default" | "examples", _) => Ok(()),
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependencies",
            Value::Object(named),
        ) => named.iter().try_for_each(|(name, schema)| f(Some(name.clone()), schema)),
        (_, Value::Array(items)) => {
            items.iter().enumerate().try_for_each(|(at, schema)| f(Some(at.to_string()), schema))
        }
        (_, schema) => f(None, schema),
    }
}

/// Refuses references whose target depends on the value, and schemas inside the file that have an `$id`.
fn refuse(schema: &Map<String, Value>, at: &str) -> Result<(), SchemaError> {
    for keyword in ["$dynamicRef", "$recursiveRef"] {
        if schema.contains_key(keyword) {
            let message = format!("{keyword} is not supported; use $ref");
            return Err(SchemaError::at(at, message));
        }
    }
    let is_inner = at != "#";
    match schema.get("$id") {
        Some(Value::String(id)) if is_inner => {
            let message = format!(
                "the $id {id:?} inside the file is not supported; move the schema to $defs, and name it by #/$defs/NAME"
            );
            Err(SchemaError::at(at, message))
        }
        _ => Ok(()),
    }
}

struct Survey<'s> {
    root: &'s Value,
    anchors: HashMap<&'s str, &'s Map<String, Value>>,
    /// The cost of each schema, by its address. `None` while the cost is computed.
    costs: HashMap<*const Map<String, Value>, Option<Cost>>,
}

impl<'s> Survey<'s> {
    /// The cost of a schema for one value. The recursion ends after [`LONGEST`] schemas.
    fn cost(
        &mut self,
        schema: &'s Map<String, Value>,
        at: &str,
        level: usize,
    ) -> Result<Cost, SchemaError> {
        let address = std::ptr::from_ref(schema);
        match self.costs.get(&address) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => {
                let message = "the $ref leads back to itself, without a step into the value";
                return Err(SchemaError::at(at, message.to_owned()));
            }
            None if level > LONGEST => {
                let message = format!(
                    "more than {LONGEST} schemas apply to one value, each inside the one before"
                );
                return Err(SchemaError::at(at, message));
            }
            None => {}
        }
        self.costs.insert(address, None);
        let mut cost = Cost { chain: 1, weight: 1 };
        for inner in self.in_place(schema, at)? {
            let inner = self.cost(inner, at, level.saturating_add(1))?;
            cost.chain = cost.chain.max(inner.chain.saturating_add(1));
            cost.weight = cost.weight.saturating_add(inner.weight);
        }
        self.costs.insert(address, Some(cost));
        Ok(cost)
    }

    /// The schemas that apply to the same value as this schema.
    fn in_place(
        &self,
        schema: &'s Map<String, Value>,
        at: &str,
    ) -> Result<Vec<&'s Map<String, Value>>, SchemaError> {
        let mut found: Vec<&Value> = Vec::new();
        for keyword in ["allOf", "anyOf", "oneOf"] {
            found.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
        for keyword in ["not", "if", "then", "else"] {
            found.extend(schema.get(keyword));
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            found.extend(
                schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::values),
            );
        }
        let mut found: Vec<_> = found.into_iter().filter_map(Value::as_object).collect();
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            found.extend(self.target(reference, at)?);
        }
        Ok(found)
    }

    /// The schema that a reference names; `None` for `true` and `false`.
    fn target(
        &self,
        reference: &str,
        at: &str,
    ) -> Result<Option<&'s Map<String, Value>>, SchemaError> {
        let fail = |why: &str| Err(SchemaError::at(at, format!("the $ref {reference:?} {why}")));
        let Some(fragment) = reference.strip_prefix('#') else {
            return fail(
                "leads out of the file; expected a part of the file, such as \"#/$defs/item\"",
            );
        };
        if fragment.contains('%') {
            return fail("has an escape; rename the schema");
        }
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return match self.anchors.get(fragment) {
                Some(schema) => Ok(Some(schema)),
                None => fail("names no $anchor of the file"),
            };
        }
        match self.root.pointer(fragment) {
            Some(schema) => Ok(schema.as_object()),
            None => fail("names no part of the file"),
        }
    }
}
