//! [`Object`] and [`Property`]: an inspected object.

use std::borrow::Cow;

use crate::list::List;
use crate::value::Value;

/// An inspected object.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// The id. In Godot 4, ids of `RefCounted` are negative.
    pub id: i64,
    /// The class.
    pub class: Cow<'a, str>,
    /// Its properties. Members of scripts come in the order of a hash: sort them.
    pub properties: List<'a, Property<'a>>,
}

/// A property of an object.
#[derive(Clone, Debug)]
pub struct Property<'a> {
    /// The name. `Members/` precedes variables of the script, `Constants/` constants, `Node/` the facts about a node.
    pub name: Cow<'a, str>,
    /// The engine's id of the type, in the numbering of the dialect.
    pub type_id: i64,
    /// How an editor shows it; the numbers differ by engine.
    pub hint: i64,
    /// The parameters of the hint.
    pub hint_text: Cow<'a, str>,
    /// Flags: `PROPERTY_USAGE_*`; the numbers differ by engine. A heading has 128 in Godot 4 and 256 in Godot 3 and
    /// Pandemonium.
    pub usage: i64,
    /// The value: `null` if it was too large. Objects are ids, resources with a path are that path.
    pub value: Value<'a>,
}
