//! Dropping, without deep recursion.

use std::cell::Cell;
use std::mem;

use crate::variant::Variant;

/// The nesting up to which containers are dropped recursively, as Rust does by default. Recursion is the fastest way,
/// and the stack suffices up to this nesting.
const NEAR: u32 = 24;

thread_local! {
    /// The current nesting of drops.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

/// Drops the items of a container. In deep nesting, `dismantle` first takes the containers out of the items.
pub(crate) fn drop_in_levels<T>(items: &mut Vec<T>, dismantle: impl FnOnce(&mut [T])) {
    let mut items = mem::take(items);
    let level = LEVEL.get();
    if level < NEAR {
        LEVEL.set(level.saturating_add(1));
        drop(items);
        LEVEL.set(level);
    } else {
        dismantle(&mut items);
    }
}

/// Takes all nested containers out of a container that is about to be dropped, so that none of them drops recursively.
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
    let is_nested = |child: &&mut Variant| {
        child.head().is_some_and(|head| head.len().is_some_and(|len| len > 0))
    };
    pending.extend(children.filter(is_nested).map(mem::take));
}
