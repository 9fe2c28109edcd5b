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

/// The maximum number of different references. While a schema is compiled, a reference to a schema with another reference
/// takes time and memory for each reference before it.
const REFERENCES: usize = 2_000;

/// The number of references inside each other that are compiled one inside the other.
const DEFERRED: usize = 8;

/// The keywords for which each reference is compiled once for each way that leads to it, one inside the other.
const UNEVALUATED: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// The maximum number of bytes of the JSON pointers of all schemas and keywords. Each of them keeps its pointer.
const POINTERS: usize = 16 << 20;

/// The bounds of a schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The longest chain of schemas that apply to one value.
    pub(super) chain: usize,
    /// The greatest number of schemas inside each other while the schema is compiled, with those of references.
    pub(super) nested: usize,
}

/// The cost of checking one value against a schema.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// The longest chain of schemas that apply to the value.
    chain: usize,
    /// The number of schemas that apply to the value.
    weight: u64,
}

/// Checks a schema, and returns its bounds. O(size of the schema).
pub(super) fn survey(root: &Value) -> Result<Bounds, SchemaError> {
    let found = Collection::of(root)?;
    let nested = found.nested()?;
    let all = found.all;
    let mut survey = Survey { root, anchors: HashMap::new(), costs: HashMap::new() };
    for (schema, at) in &all {
        for name in ["$anchor", "$dynamicAnchor"] {
            if let Some(Value::String(anchor)) = schema.get(name) {
                survey.anchors.insert(anchor, schema);
            }
        }
        refuse(schema, at)?;
    }
    let mut most = Cost { chain: 0, weight: 0 };
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
    Ok(Bounds { chain: most.chain, nested })
}

/// The schemas in a schema.
#[derive(Debug, Default)]
struct Collection<'s> {
    /// Each schema with its JSON pointer.
    all: Vec<(&'s Map<String, Value>, String)>,
    /// The addresses of the schemas.
    known: HashSet<*const Map<String, Value>>,
    /// The number of bytes of the pointers.
    pointers: usize,
    /// The deepest level.
    levels: usize,
}

impl<'s> Collection<'s> {
    /// The schemas in a schema, and those that only references name, such as `#/default`.
    fn of(root: &'s Value) -> Result<Self, SchemaError> {
        let mut found = Self::default();
        found.collect(root, &mut String::from("#"), 0)?;
        let mut done = 0_usize;
        while let Some((schema, _)) = found.all.get(done) {
            done = done.saturating_add(1);
            let reference = schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
            let part = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
            if let Some(schema) = part {
                found.collect(schema, &mut reference.to_owned(), 0)?;
            }
        }
        Ok(found)
    }

    /// Adds a schema and the schemas in it. The recursion ends at [`DEEPEST`] levels.
    fn collect(
        &mut self,
        schema: &'s Value,
        at: &mut String,
        level: usize,
    ) -> Result<(), SchemaError> {
        let keywords = schema.as_object();
        if keywords.is_some_and(|keywords| !self.known.insert(std::ptr::from_ref(keywords))) {
            return Ok(());
        }
        let fail =
            |message| Err(SchemaError::at(&at.chars().take(200).collect::<String>(), message));
        let pointers = keywords.map_or(1, |keywords| keywords.len().saturating_add(1));
        self.pointers = self.pointers.saturating_add(at.len().saturating_mul(pointers));
        if self.pointers > POINTERS {
            return fail(format!(
                "the JSON pointers of the schemas have more than {POINTERS} bytes; expected shorter names"
            ));
        }
        let Some(keywords) = keywords else { return Ok(()) };
        if level > DEEPEST {
            return fail(format!("the schema has more than {DEEPEST} levels"));
        }
        self.levels = self.levels.max(level);
        self.all.push((keywords, at.clone()));
        let len = at.len();
        for (keyword, value) in keywords {
            at.push('/');
            at.push_str(keyword);
            children(keyword, value, |name, child| {
                let len = at.len();
                if let Some(name) = name {
                    at.push('/');
                    at.push_str(&name);
                }
                let outcome = self.collect(child, at, level.saturating_add(1));
                at.truncate(len);
                outcome
            })?;
            at.truncate(len);
        }
        Ok(())
    }

    /// The greatest number of schemas inside each other while the schema is compiled.
    fn nested(&self) -> Result<usize, SchemaError> {
        let schemas = || self.all.iter().map(|(schema, _)| *schema);
        let references: HashSet<_> = schemas().filter_map(|schema| schema.get("$ref")).collect();
        if references.len() > REFERENCES {
            let message = format!("more than {REFERENCES} different references; expected fewer");
            return Err(SchemaError::at("#", message));
        }
        let has = |name: &&&str| schemas().any(|schema| schema.contains_key(**name));
        if let (false, Some(name)) = (references.is_empty(), UNEVALUATED.iter().find(has)) {
            let message = format!("{name} is not supported in a file with a $ref");
            return Err(SchemaError::at("#", message));
        }
        let inside = references.len().min(DEFERRED).saturating_add(1);
        Ok(self.levels.saturating_add(1).saturating_mul(inside))
    }
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
            Some(Value::Bool(_)) => Ok(None),
            Some(Value::Object(schema)) => Ok(Some(schema)),
            Some(_) => fail("names a part that is not a schema"),
            None => fail("names no part of the file"),
        }
    }
}
