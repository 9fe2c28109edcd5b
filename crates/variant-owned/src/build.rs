//! [`Builder`]: values out of a sequence of steps, without recursion.

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::object::{Object, Properties};
use crate::text::Text;
use crate::variant::Variant;

/// Puts a value together from front to back.
#[derive(Default)]
pub(crate) struct Builder {
    open: Vec<Open>,
    root: Option<Variant>,
}

/// A container that is not complete.
pub(crate) enum Open {
    /// Elements, and what becomes of them in the end.
    Array(Array, fn(Array) -> Variant),
    /// Pairs, and a key whose value has not come.
    Dictionary(Dictionary, Option<Variant>),
    /// Class, properties, and the name whose value has not come.
    Object(Text, Properties, Text),
}

impl Builder {
    pub(crate) fn enter(&mut self, container: Open) {
        self.open.push(container);
    }

    /// The name of the object's property that comes next.
    pub(crate) fn name(&mut self, name: Text) {
        if let Some(Open::Object(_, _, place)) = self.open.last_mut() {
            *place = name;
        }
    }

    #[inline]
    pub(crate) fn value(&mut self, value: Variant) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::Array(array, _)) => array.as_mut_vec().push(value),
            Some(Open::Dictionary(dictionary, key)) => match key.take() {
                None => *key = Some(value),
                Some(key) => drop(dictionary.insert(key, value)),
            },
            Some(Open::Object(_, properties, name)) => {
                properties.push(std::mem::take(name), value);
            }
        }
    }

    pub(crate) fn exit(&mut self) {
        let value = match self.open.pop() {
            None => return,
            Some(Open::Array(array, make)) => make(array),
            Some(Open::Dictionary(dictionary, _)) => Variant::Dictionary(dictionary),
            Some(Open::Object(class, properties, _)) => {
                Variant::Object(Box::new(Object::Full { class, properties }))
            }
        };
        self.value(value);
    }

    /// The number of pairs of the innermost container, if it is a dictionary.
    pub(crate) fn pairs(&self) -> Option<usize> {
        match self.open.last() {
            Some(Open::Dictionary(dictionary, _)) => Some(dictionary.len()),
            _ => None,
        }
    }

    /// The value, once it is complete.
    pub(crate) fn finish(self) -> Option<Variant> {
        self.root
    }
}

impl Open {
    /// What `value` is without its children; none for a leaf.
    pub(crate) fn shell_of(value: &Variant) -> Option<Self> {
        Some(match value {
            Variant::Array(array) => Self::Array(array.without_elements(), Variant::Array),
            Variant::TypedArray(array) => {
                Self::Array(array.without_elements(), Variant::TypedArray)
            }
            Variant::PackedTypedArray(array) => {
                Self::Array(array.without_elements(), Variant::PackedTypedArray)
            }
            Variant::Dictionary(dictionary) => Self::Dictionary(dictionary.without_pairs(), None),
            Variant::Object(object) => match &**object {
                Object::Full { class, .. } => {
                    Self::Object(class.clone(), Properties::new(), Text::new())
                }
                Object::Null | Object::Id(_) => return None,
            },
            _ => return None,
        })
    }
}
