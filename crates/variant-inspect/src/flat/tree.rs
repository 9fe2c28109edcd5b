//! [`Tree`]: values that are built from paths.

use std::collections::HashMap;
use std::mem;

use variant_owned::{Array, Dictionary, Properties, Variant};
use variant_view::{KeyRule, PathStep};

/// The name of an item in its container.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::enum_variant_names, reason = "each variant is a kind of key")]
pub(super) enum Name {
    String(Box<str>),
    StringName(Box<str>),
    Number(i64),
    /// The position of a pair whose path does not contain the key. [`Tree::set_key`] sets the key.
    Position(u32),
    /// The literal of a key that is neither text nor an integer.
    Key(Box<str>),
}

impl Name {
    /// Returns the name for a step; `None` for the step to a key.
    pub(super) fn of(step: PathStep<'_>) -> Option<Self> {
        Some(match step {
            PathStep::Name(name) => Self::String(name.into()),
            PathStep::StringName(name) => Self::StringName(name.into()),
            PathStep::Number(number) => Self::Number(number),
            PathStep::Position(position) => Self::Position(position),
            PathStep::PositionKey(_) => return None,
        })
    }

    /// The name of a key that is neither text nor an integer.
    fn of_literal(key: &Variant) -> Self {
        Self::Key(key.to_string().into())
    }
}

/// A value that is built from paths, without recursion.
#[derive(Debug)]
pub(super) struct Tree {
    /// All nodes. A container comes before its items.
    nodes: Vec<Node>,
    rule: KeyRule,
}

#[derive(Debug, Default)]
struct Node {
    /// The value; `None` if only its items were set. [`Tree::open`] moves the items of a container to `items`.
    value: Option<Variant>,
    items: Vec<(Name, usize)>,
    numbers: HashMap<Name, usize>,
    /// The keys of pairs by their positions or literals.
    keys: HashMap<Name, Variant>,
}

impl Tree {
    pub(super) const ROOT: usize = 0;

    pub(super) fn new(rule: KeyRule) -> Self {
        Self { nodes: vec![Node::default()], rule }
    }

    /// Sets a value. If the value is an empty container, the node keeps the items that it already has.
    pub(super) fn set(&mut self, node: usize, value: Variant) {
        let Some(node) = self.nodes.get_mut(node) else { return };
        if !is_empty_container(&value) {
            // New maps are faster: clearing a map takes time in proportion to its capacity.
            (node.items, node.numbers, node.keys) = (Vec::new(), HashMap::new(), HashMap::new());
        }
        node.value = Some(value);
    }

    /// Sets the key of a pair. O(1) expected.
    pub(super) fn set_key(
        &mut self,
        node: usize,
        position: u32,
        key: Variant,
    ) -> Result<(), String> {
        let node = self.nodes.get_mut(node).ok_or("no such value")?;
        node.keys.insert(Name::Position(position), key);
        Ok(())
    }

    /// Returns the node of the value for a key that is neither text nor an integer. O(bytes of the key) expected.
    pub(super) fn child_of(&mut self, parent: usize, key: Variant) -> Result<usize, String> {
        let name = Name::of_literal(&key);
        let child = self.child(parent, name.clone())?;
        if let Some(node) = self.nodes.get_mut(parent) {
            node.keys.insert(name, key);
        }
        Ok(child)
    }

    /// Returns the item of this name in a container, and adds the item if it is missing. O(1) expected.
    pub(super) fn child(&mut self, parent: usize, name: Name) -> Result<usize, String> {
        self.open(parent)?;
        let next = self.nodes.len();
        let node = self.nodes.get_mut(parent).ok_or("no such value")?;
        let empty = || match name {
            Name::Number(_) => Variant::Array(Array::new()),
            _ => Variant::Dictionary(Dictionary::with_rule(self.rule)),
        };
        let value = node.value.get_or_insert_with(empty);
        fit(value, &name)?;
        let found = *node.numbers.entry(name.clone()).or_insert(next);
        if found == next {
            node.items.push((name, next));
            self.nodes.push(Node::default());
        }
        Ok(found)
    }

    /// Creates nodes for the items of a container that was set as a whole.
    fn open(&mut self, parent: usize) -> Result<(), String> {
        let mut next = self.nodes.len();
        let Some(node) = self.nodes.get_mut(parent) else { return Ok(()) };
        let Some(value) = &mut node.value else { return Ok(()) };
        if is_empty_container(value) {
            return Ok(());
        }
        let items = taken(value).ok_or_else(|| format!("{} is not a container", value.kind()))?;
        let mut added = Vec::new();
        for (position, (key, value)) in (0..).zip(items) {
            let name = match key {
                None => Name::Number(position.into()),
                Some(key) => named(key, position, &mut node.keys),
            };
            if let Some(key) = node.keys.get(&name) {
                // A line may also name the pair by the literal of its key, so this name leads to the same item.
                node.numbers.insert(Name::of_literal(key), next);
            }
            node.numbers.insert(name.clone(), next);
            node.items.push((name, next));
            added.push(Node { value: Some(value), ..Node::default() });
            next = next.saturating_add(1);
        }
        self.nodes.append(&mut added);
        Ok(())
    }

    /// Returns the value, and the number of array elements without a line. O(items x log items).
    pub(super) fn finish(mut self) -> Result<(Variant, u64), String> {
        let mut gaps = 0_u64;
        let mut done: Vec<Option<Variant>> = Vec::new();
        done.resize_with(self.nodes.len(), || None);
        while let Some(mut node) = self.nodes.pop() {
            let mut value = node.value.take().unwrap_or_default();
            if let Variant::Array(_) | Variant::TypedArray(_) | Variant::PackedTypedArray(_) = value
            {
                node.items.sort_by_key(|(name, _)| number(name));
                let last = node.items.last().map_or(0, |(name, _)| number(name).saturating_add(1));
                let named = i64::try_from(node.items.len()).unwrap_or(i64::MAX);
                let missing = u64::try_from(last.saturating_sub(named)).unwrap_or(0);
                gaps = gaps.saturating_add(missing);
            }
            for (name, item) in mem::take(&mut node.items) {
                let item = done.get_mut(item).and_then(Option::take).unwrap_or_default();
                add(&mut value, &name, item, &mut node)?;
            }
            if let Some(place) = done.get_mut(self.nodes.len()) {
                *place = Some(value);
            }
        }
        Ok((done.first_mut().and_then(Option::take).unwrap_or_default(), gaps))
    }
}

fn number(name: &Name) -> i64 {
    if let Name::Number(number) = name { *number } else { 0 }
}

fn is_empty_container(value: &Variant) -> bool {
    match value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.is_empty()
        }
        Variant::Dictionary(dictionary) => dictionary.is_empty(),
        Variant::Object(object) => object.properties().is_some_and(Properties::is_empty),
        _ => false,
    }
}

/// Whether a container can have an item of this name.
fn fit(container: &Variant, name: &Name) -> Result<(), String> {
    match (container, name) {
        (Variant::Dictionary(_), _) | (Variant::Object(_), Name::String(_) | Name::Position(_)) => {
            Ok(())
        }
        (Variant::Object(_), _) => Err("a property has a name of text".to_owned()),
        (_, Name::Number(0..)) => Ok(()),
        _ => Err("an element of an array has a number from 0 on".to_owned()),
    }
}

/// Takes the items out of a container. Returns `None` for a leaf.
fn taken(value: &mut Variant) -> Option<Vec<(Option<Variant>, Variant)>> {
    Some(match value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.as_mut_vec().drain(..).map(|element| (None, element)).collect()
        }
        Variant::Dictionary(dictionary) => {
            let mut pairs = Vec::new();
            dictionary.retain(|key, value| {
                pairs.push((Some(key.clone()), mem::take(value)));
                false
            });
            pairs
        }
        Variant::Object(object) => {
            let properties = object.properties_mut()?.as_mut_vec().drain(..);
            properties.map(|(name, value)| (Some(Variant::String(name)), value)).collect()
        }
        _ => return None,
    })
}

/// Returns the name of a pair. `keys` gets each key that is not a name, by its position.
fn named(key: Variant, position: u32, keys: &mut HashMap<Name, Variant>) -> Name {
    let name = match &key {
        Variant::Int(number) => Some(Name::Number(number.value())),
        Variant::String(name) => name.to_str().map(|name| Name::String(name.into())),
        Variant::StringName(name) => name.to_str().map(|name| Name::StringName(name.into())),
        _ => None,
    };
    name.unwrap_or_else(|| {
        keys.insert(Name::Position(position), key);
        Name::Position(position)
    })
}

fn add(container: &mut Variant, name: &Name, item: Variant, node: &mut Node) -> Result<(), String> {
    match container {
        Variant::Dictionary(dictionary) => {
            let key = key(name, node)?;
            if dictionary.get_variant(&key).is_some() {
                return Err(format!(
                    "two lines name one pair by equal keys of the kind {}",
                    key.kind()
                ));
            }
            dictionary.insert(key, item);
        }
        Variant::Object(object) => {
            let name = match key(name, node)? {
                Variant::String(name) => name,
                other => {
                    return Err(format!("the name of a property is {}, not text", other.kind()));
                }
            };
            if let Some(properties) = object.properties_mut() {
                properties.push(name, item);
            }
        }
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.push(item);
        }
        _ => {}
    }
    Ok(())
}

fn key(name: &Name, node: &mut Node) -> Result<Variant, String> {
    Ok(match name {
        Name::String(name) => Variant::from(&**name),
        Name::StringName(name) => Variant::StringName((&**name).into()),
        Name::Number(number) => Variant::from(*number),
        Name::Position(position) => {
            let how = format!("{{{position}:key}} = literal");
            let why = || {
                format!(
                    "a pair is named only by its position, and needs a line with its key: {how}"
                )
            };
            node.keys.remove(name).ok_or_else(why)?
        }
        Name::Key(_) => {
            node.keys.remove(name).ok_or_else(|| "two lines name one pair".to_owned())?
        }
    })
}
