//! Checks values against a [JSON Schema](https://json-schema.org). Feature `schema`.
//!
//! A schema describes values in the plain form of JSON ([`Form::Plain`](variant_owned::json::Form::Plain)). The command
//! `variant-inspect schema --json-schema` writes such schemas. The check makes no JSON: it reads the values of the
//! document.
//!
//! The keyword `x-godot-type` names the kinds that a value may have, because JSON does not distinguish them: `"int"`,
//! `"StringName"`, `["Vector2", "Nil"]`. A float `1.0` is an `integer` in JSON Schema, but is not an `int` of
//! `x-godot-type`. The names are those of [`Kind::name`](variant_view::Kind::name).
//!
//! ```
//! use variant_document::schema::Schema;
//! use variant_owned::{dictionary, encode};
//! use variant_view::{Dialect, Document};
//!
//! let schema = Schema::compile(r#"{"properties": {"hp": {"x-godot-type": "int"}}, "required": ["hp"]}"#)?;
//! let save = encode(&dictionary! { "hp" => 7.0 }.into(), Dialect::Godot4)?;
//! let breaches = schema.check(Document::new(&save, Dialect::Godot4), 10)?;
//! assert_eq!(breaches.list[0].to_string(), "hp: found float 7.0; expected int");
//! assert_eq!((breaches.list[0].offset, breaches.count), (20, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Bounds
//!
//! A schema may have at most 4 MiB, 64 levels, 2,000 different references, and 16 MiB of JSON pointers to its schemas and
//! keywords. `$ref` may refer only to parts of the same file, so nothing is fetched. A file with a `$ref` has no
//! `unevaluatedItems` and no `unevaluatedProperties`. Patterns take linear time, so look-around and back-references are not
//! supported. `format` is ignored. A deep schema is compiled, and a deep value is checked, on another thread with a larger
//! stack.

mod breach;
mod figure;
mod kind;
mod node;
mod place;
mod sheet;
mod stack;
mod survey;
#[cfg(test)]
mod tests;

use std::fmt;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;
use variant_view::{Document, Error, Tape};

pub use self::breach::{Breach, Breaches};
use self::node::{Godot, Node};
use self::sheet::Sheet;

/// The maximum size of a schema, in bytes.
const LARGEST: usize = 4 << 20;

/// The maximum number of levels of a document. Without a maximum, the check, which recurses, could exceed the stack.
const DEEPEST: u32 = 128;

/// The maximum size of a compiled pattern, in bytes.
const PATTERN: usize = 1 << 20;

/// The stack that one schema needs at one level of a value, in bytes, with a wide margin.
const FRAME: usize = if cfg!(debug_assertions) { 16 << 10 } else { RELEASED };
const RELEASED: usize = 4 << 10;

/// The stack that a schema inside another needs while it is compiled, in bytes, with a wide margin.
const INSIDE: usize = 32 << 10;
/// The stack that the schema of schemas needs, in schemas.
const META: usize = 8;

/// A compiled schema, for any number of documents and threads.
#[derive(Debug)]
pub struct Schema {
    validator: Validator<Godot>,
    /// The longest chain of schemas that apply to one value.
    chain: usize,
}

/// Why a schema is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// The place: a JSON pointer such as `#/properties/hp`, or a line and a column.
    pub place: String,
    /// What is wrong, and what to try.
    pub message: String,
}

impl SchemaError {
    fn at(place: &str, message: String) -> Self {
        Self { place: place.to_owned(), message }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for SchemaError {}

impl Schema {
    /// Compiles the text of a schema. O(size of the schema and of its patterns).
    ///
    /// # Errors
    ///
    /// The text is not JSON, is not a schema, or exceeds the [bounds](self#bounds).
    pub fn compile(text: &str) -> Result<Self, SchemaError> {
        if text.len() > LARGEST {
            let message =
                format!("the schema has {} bytes; at most {LARGEST} are read", text.len());
            return Err(SchemaError::at("#", message));
        }
        let schema = serde_json::from_str(text).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            SchemaError::at(&place, format!("this is not JSON: {error}"))
        })?;
        Self::of(&schema)
    }

    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// The value is not a schema, or exceeds the [bounds](self#bounds).
    pub fn of(schema: &Value) -> Result<Self, SchemaError> {
        if !schema.is_object() && !schema.is_boolean() {
            return Err(SchemaError::at(
                "#",
                "this is not a schema; expected an object".to_owned(),
            ));
        }
        let bounds = survey::survey(schema)?;
        let bytes = bounds.nested.saturating_add(META).saturating_mul(INSIDE);
        let validator = stack::run(bytes, || validator(schema)).unwrap_or_else(|| {
            let message = format!("no thread with {bytes} bytes of stack can be started");
            Err(SchemaError::at("#", message))
        })?;
        Ok(Self { validator, chain: bounds.chain })
    }

    /// The values of a document that break the schema. At most `limit` of them are listed. All are counted, unless
    /// their errors take too much memory.
    ///
    /// Time: O(values × schemas that apply to each). Memory: a list of all values, with 16 bytes for each; an index of
    /// the keys of large dictionaries; and the text of values such as paths and byte arrays.
    ///
    /// # Errors
    ///
    /// The first damage of the document.
    pub fn check(&self, document: Document<'_>, limit: usize) -> Result<Breaches, Error> {
        let mut tape = Tape::new();
        let root = tape.read(document)?;
        let depth = root.summary().depth;
        if depth > DEEPEST {
            return Ok(Breaches::too_deep(depth, DEEPEST));
        }
        let levels = usize::try_from(depth).unwrap_or(usize::MAX).saturating_add(3);
        let bytes = levels.saturating_mul(self.chain.saturating_add(1)).saturating_mul(FRAME);
        let found = stack::run(bytes, || self.breaches(&Sheet::new(root), limit));
        Ok(found.unwrap_or_else(|| Breaches::too_deep(depth, 0)))
    }

    fn breaches(&self, sheet: &Sheet<'_>, limit: usize) -> Breaches {
        let root = Node::root(sheet);
        if self.validator.is_valid(root) {
            return Breaches::default();
        }
        let errors: Vec<_> = self.validator.iter_errors(root).collect();
        Breaches::of(&errors, sheet, limit)
    }
}

/// Compiles a schema. [`survey`] bounds the recursion.
fn validator(schema: &Value) -> Result<Validator<Godot>, SchemaError> {
    let patterns = PatternOptions::regex().size_limit(PATTERN).dfa_size_limit(PATTERN);
    let options = jsonschema::options_for::<Godot>()
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(patterns)
        .with_keyword(kind::KEYWORD, kind::keyword);
    options.build(schema).map_err(|error| {
        let place = format!("#{}", error.instance_path());
        SchemaError::at(&place, breach::shortened(&error.to_string()))
    })
}
