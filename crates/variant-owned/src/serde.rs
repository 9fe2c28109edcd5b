//! serde: owned values to and from any format (feature `serde`).

mod de;
mod error;
mod read;

pub use error::{DeserializeError, DeserializeErrorKind};

use core::any::type_name;
use core::cell::{Cell, RefCell};

use serde_core::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use variant_view::internal::serialize_key;

use crate::dictionary::Dictionary;
use crate::object::{Object, Properties};
use crate::text::Text;
use crate::variant::Variant;

/// The maximum depth. Serde recurses over the data, and each level takes stack.
const MAX_DEPTH: u32 = 128;

/// Whether `T` is a type of `variant-serde`, or wraps one. Only that crate reads the names of newtypes; other formats
/// ignore or show them.
fn is_own<T>() -> bool {
    type_name::<T>().contains("variant_serde::")
}

/// Whether `S` is the serializer of `variant-serde`, and not a wrapper of it.
fn is_writer<S>() -> bool {
    type_name::<S>().starts_with("&mut variant_serde::ser::Serializer<")
}

thread_local! {
    /// The number of values around the value that is being serialized.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The value that is passed to `variant-serde`. A variable passes it, because serde has no method that takes a
    /// whole [`Variant`].
    static GIVEN: RefCell<Option<Variant>> = const { RefCell::new(None) };
}

/// Takes the value that `Whole` has passed.
pub fn given() -> Option<Variant> {
    GIVEN.with_borrow_mut(Option::take)
}

/// A guard. The depth is one greater until the guard is dropped.
struct Level;

impl Level {
    fn enter<E: serde_core::ser::Error>() -> Result<Self, E> {
        let depth = DEPTH.get().saturating_add(1);
        if depth > MAX_DEPTH {
            return Err(E::custom(format_args!("more than {MAX_DEPTH} levels of nesting")));
        }
        DEPTH.set(depth);
        Ok(Self)
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

impl Serialize for Variant {
    /// Writes any value in any format. O(size).
    ///
    /// To `variant-serde` the value is exact, and nothing recurses; the value is copied once. In other formats nothing
    /// is allocated, and values that the format cannot hold are written as in the plain form of JSON; the documentation
    /// of `VariantView` has the table. This recurses: values nested more than 128 levels deep are an error.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if is_writer::<S>() {
            return to.serialize_newtype_struct(read::VARIANT, &Whole(self));
        }
        self.serialize_parts(to)
    }
}

/// The content of the newtype [`read::VARIANT`]. The writer of `variant-serde` recognises the newtype's name. It then
/// serializes this content to receive the value.
struct Whole<'v>(&'v Variant);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !type_name::<S>().starts_with("variant_serde::ser::marked::Whole<") {
            return self.0.serialize_parts(to);
        }
        GIVEN.set(Some(self.0.clone()));
        to.serialize_unit()
    }
}

impl Variant {
    fn serialize_parts<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => {
                let _level = Level::enter()?;
                let mut all = to.serialize_seq(Some(array.len()))?;
                array.iter().try_for_each(|element| all.serialize_element(element))?;
                all.end()
            }
            Self::Dictionary(dictionary) => {
                let _level = Level::enter()?;
                pairs(dictionary, to)
            }
            Self::Object(object) => match &**object {
                Object::Full { class, properties } => {
                    let _level = Level::enter()?;
                    full(class, properties, to)
                }
                Object::Null | Object::Id(_) => self.with_leaf(|leaf| leaf.serialize(to)),
            },
            leaf => leaf.with_leaf(|leaf| leaf.serialize(to)),
        }
    }
}

fn pairs<S: Serializer>(dictionary: &Dictionary, to: S) -> Result<S::Ok, S::Error> {
    let as_text = to.is_human_readable() && !is_own::<S>();
    let mut all = to.serialize_map(Some(dictionary.len()))?;
    for (key, value) in dictionary {
        if as_text {
            all.serialize_entry(&KeyText(key), value)?;
        } else {
            all.serialize_entry(key, value)?;
        }
    }
    all.end()
}

fn full<S: Serializer>(class: &Text, properties: &Properties, to: S) -> Result<S::Ok, S::Error> {
    let properties = properties.as_slice();
    let mut all = to.serialize_map(Some(properties.len().saturating_add(1)))?;
    all.serialize_entry("@class", &*class.to_str_lossy())?;
    for (name, value) in properties {
        all.serialize_entry(&*name.to_str_lossy(), value)?;
    }
    all.end()
}

/// A key as text. A container is written as the name of its kind.
struct KeyText<'k>(&'k Variant);

impl Serialize for KeyText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.head().is_some() {
            return to.serialize_str(self.0.kind().name());
        }
        self.0.with_leaf(|leaf| serialize_key(&leaf, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only `variant-serde` takes given values, so its tests cover the rest.
    #[test]
    fn a_given_value_is_taken_once() {
        GIVEN.set(Some(7.into()));
        assert_eq!((given(), given()), (Some(7.into()), None));
    }
}
