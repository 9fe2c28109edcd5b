//! The keyword `x-godot-type`: the kinds that a value may have.

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};
use variant_view::Kind;

use super::node::{Godot, Node};

/// The name of the keyword.
pub(super) const KEYWORD: &str = "x-godot-type";

/// The kinds that the keyword names.
struct Kinds(Vec<Kind>);

/// Reads the keyword: the name of a kind, or an array of names.
pub(super) fn keyword<'a>(
    _: &'a Map<String, Value>,
    value: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i, Godot>>, ValidationError<'a>> {
    let names = match value {
        Value::Array(names) => names.as_slice(),
        one => std::slice::from_ref(one),
    };
    let kinds: Result<Vec<_>, _> = names.iter().map(kind).collect();
    Ok(Box::new(Kinds(kinds?)))
}

fn kind(name: &Value) -> Result<Kind, ValidationError<'static>> {
    let named = |text: &str| Kind::ALL.iter().copied().find(|kind| kind.name() == text);
    name.as_str().and_then(named).ok_or_else(|| {
        ValidationError::schema(format!(
            "{name} is not a type; expected a name of Godot such as \"int\" or \"Vector2\", or an array of names"
        ))
    })
}

impl<'i> Keyword<'i, Godot> for Kinds {
    fn validate(&self, node: Node<'i>) -> Result<(), ValidationError<'i>> {
        if Keyword::<Godot>::is_valid(self, node) {
            return Ok(());
        }
        let names: Vec<_> = self.0.iter().map(|kind| kind.name()).collect();
        Err(ValidationError::custom(names.join(" or ")))
    }

    /// A node that is the name of a member has no kind, and is always valid.
    fn is_valid(&self, node: Node<'i>) -> bool {
        node.kind().is_none_or(|kind| self.0.contains(&kind))
    }
}
