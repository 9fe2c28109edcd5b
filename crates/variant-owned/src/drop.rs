//! Dropping without recursion.

use std::mem;

use crate::variant::Variant;

/// Takes the containers out of a container that is about to be dropped, and the containers out of those, so
/// that none of them is dropped with another inside.
pub(crate) fn dismantle<'v>(children: impl Iterator<Item = &'v mut Variant>) {
    let mut pending = Vec::new();
    take_containers(children, &mut pending);
    while let Some(mut container) = pending.pop() {
        match &mut container {
            Variant::Array(array)
            | Variant::TypedArray(array)
            | Variant::PackedTypedArray(array) => {
                take_containers(array.as_mut_vec().iter_mut(), &mut pending);
            }
            Variant::Dictionary(dictionary) => {
                take_containers(dictionary.children_mut(), &mut pending);
            }
            Variant::Object(object) => {
                let properties = object.properties_mut().into_iter();
                let values = properties
                    .flat_map(super::object::Properties::as_mut_vec)
                    .map(|(_, value)| value);
                take_containers(values, &mut pending);
            }
            _ => {}
        }
    }
}

fn take_containers<'v>(
    children: impl Iterator<Item = &'v mut Variant>,
    pending: &mut Vec<Variant>,
) {
    pending.extend(children.filter(|child| is_nested(child)).map(mem::take));
}

/// Whether there is something inside.
fn is_nested(value: &Variant) -> bool {
    match value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            !array.is_empty()
        }
        Variant::Dictionary(dictionary) => !dictionary.is_empty(),
        Variant::Object(object) => {
            object.properties().is_some_and(|all| !all.as_slice().is_empty())
        }
        _ => false,
    }
}
