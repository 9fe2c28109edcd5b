//! Makes any value of a dialect from any bytes, and lists the values in a value.

use variant_owned::{Object, Properties, Variant};

pub use variant_owned::arbitrary::{leaf, variant};

/// The values in a value, in their order: elements, keys and values of pairs, values of properties.
pub fn inside(value: &Variant) -> Vec<&Variant> {
    let elements = value.as_array().into_iter().flatten();
    let pairs = value.as_dictionary().into_iter().flatten().flat_map(|(key, value)| [key, value]);
    let properties = value.as_object().and_then(Object::properties).map(Properties::as_slice);
    let properties = properties.unwrap_or_default().iter().map(|(_, value)| value);
    elements.chain(pairs).chain(properties).collect()
}
