//! Converts a path inside an owned value from positions to names. A name does not select a value if a later
//! item has the same name.

use variant_view::{Key, PathStep, engine_bytes};

use crate::dictionary::Dictionary;
use crate::text::Text;
use crate::variant::Variant;

/// The steps of a path from `root`, given by positions. A position becomes a name if the name selects the same value.
/// `one_text_key` is whether a `String` finds a pair whose key is a `StringName`; if it is `None`, the rule of each
/// dictionary decides. O(steps + properties of the objects on the path).
pub(crate) fn path_in(
    root: &Variant,
    positions: impl Iterator<Item = PathStep<'static>>,
    one_text_key: Option<bool>,
) -> impl Iterator<Item = PathStep<'_>> {
    let mut value = Some(root);
    positions.map(move |position| {
        let Some(container) = value else { return position };
        value = container.at_step(position);
        let PathStep::Position(at) = position else { return position };
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let name = match (container, value) {
            (Variant::Dictionary(dictionary), Some(value)) => {
                step_of_pair(dictionary, at, value, one_text_key)
            }
            (Variant::Object(object), _) => object
                .properties()
                .and_then(|properties| step_of_property(properties.as_slice(), at)),
            _ => None,
        };
        name.unwrap_or(position)
    })
}

/// The key, if a path can name it. `is_one`: whether a `String` finds a pair whose key is a `StringName`.
pub(crate) fn key_of(key: &Variant, is_one: bool) -> Option<Key<'_>> {
    match key {
        Variant::Int(number) => Some(Key::Int(number.value())),
        Variant::StringName(text) if !is_one => Some(Key::StringName(text.engine_bytes())),
        Variant::String(text) | Variant::StringName(text) => Some(Key::String(text.engine_bytes())),
        _ => None,
    }
}

/// The step to a pair by its key; `None` unless a look-up of the key finds this pair.
fn step_of_pair<'v>(
    dictionary: &'v Dictionary,
    pair: usize,
    value: &Variant,
    one_text_key: Option<bool>,
) -> Option<PathStep<'v>> {
    let (key, _) = dictionary.as_slice().get(pair)?;
    let key = key_of(key, one_text_key.unwrap_or(dictionary.rule().has_one_text_key()))?;
    let leads_there = dictionary.get(key).is_some_and(|found| std::ptr::eq(found, value));
    PathStep::of_key(key).filter(|_| leads_there)
}

/// The step to a property by its name; `None` if a later property has, or may have, the same name.
fn step_of_property(properties: &[(Text, Variant)], index: usize) -> Option<PathStep<'_>> {
    let (name, _) = properties.get(index)?;
    let name = engine_bytes(name.as_bytes());
    let step = PathStep::of_key(Key::String(name))?;
    let is_hidden = properties.iter().skip(index.saturating_add(1)).any(|(other, _)| {
        let other = engine_bytes(other.as_bytes());
        // Older engines may read different bytes as the same name.
        other == name || std::str::from_utf8(other).is_err()
    });
    (!is_hidden).then_some(step)
}
