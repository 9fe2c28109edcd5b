//! Compares owned values with the events of the reference.

use variant_owned::{Object, Variant};
use variant_view::Kind;

use crate::reference::{Content, Event, Node};
use crate::values;

struct Tree<'e, 'a> {
    node: &'e Node<'a>,
    children: Vec<Self>,
}

/// Checks that `value` is the value that was read. If a dictionary repeats keys, only its number of pairs is checked.
///
/// # Errors
/// The offset of the first value that differs.
pub(super) fn check(events: &[Event<'_>], value: &Variant) -> Result<(), usize> {
    match tree(&mut events.iter()) {
        Some(tree) => tree.check(value),
        None => Err(0),
    }
}

/// The next value with the values in it. `None` at the end of the container.
fn tree<'e, 'a>(events: &mut std::slice::Iter<'e, Event<'a>>) -> Option<Tree<'e, 'a>> {
    match events.next()? {
        Event::Leaf(node, _) => Some(Tree { node, children: Vec::new() }),
        Event::Enter(node) => {
            let children = std::iter::from_fn(|| tree(events)).collect();
            Some(Tree { node, children })
        }
        Event::Exit { .. } => None,
    }
}

impl Tree<'_, '_> {
    fn check(&self, value: &Variant) -> Result<(), usize> {
        let here = Err(self.node.offset);
        if value.kind() != self.node.kind || !is_same_leaf(&self.node.content, value) {
            return here;
        }
        let children = values::inside(value);
        if children.len() != self.children.len() {
            let is_shorter = children.len() < self.children.len() && !children.is_empty();
            return if self.node.kind == Kind::Dictionary && is_shorter { Ok(()) } else { here };
        }
        self.children.iter().zip(children).try_for_each(|(child, value)| child.check(value))
    }
}

fn is_same_leaf(content: &Content<'_>, value: &Variant) -> bool {
    match *content {
        Content::Bool(bool) => value.as_bool() == Some(bool),
        Content::Int(int, _) => value.as_i64() == Some(int),
        Content::Float(bits, true) => is_same_float(f64::from_bits(bits), value),
        Content::Float(bits, false) => {
            let bits = u32::try_from(bits).unwrap_or(0);
            is_same_float(f32::from_bits(bits).into(), value)
        }
        Content::Text(text) => value.as_text().is_some_and(|own| own.as_bytes() == text),
        Content::Id(id) => matches!(value.as_object(), Some(Object::Id(own)) if *own == id),
        Content::Null => matches!(value.as_object(), Some(Object::Null)),
        _ => true,
    }
}

/// Whether two floats are the same. All NaNs count as equal, since the conversion of a 32-bit NaN may make it quiet.
fn is_same_float(float: f64, value: &Variant) -> bool {
    value
        .as_f64()
        .is_some_and(|own| own.to_bits() == float.to_bits() || own.is_nan() && float.is_nan())
}
