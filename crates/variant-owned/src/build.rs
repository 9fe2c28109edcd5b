//! [`Builder`]: values out of a sequence of steps, without recursion.

use std::mem;

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::object::{Object, Properties};
use crate::text::Text;
use crate::variant::Variant;

/// Puts a value together from front to back.
pub(crate) struct Builder {
    /// What is being put together.
    top: Open,
    /// What it stands in, from the outermost.
    around: Vec<Open>,
}

/// A container that is not complete.
pub(crate) enum Open {
    /// Nothing stands around the value.
    Root(Option<Variant>),
    /// Elements, and what becomes of them in the end.
    Array(Array, fn(Array) -> Variant),
    /// Pairs, and the place of the one whose value has not come.
    Dictionary(Dictionary, Option<usize>),
    /// Class, properties, and the name whose value has not come.
    Object(Box<(Text, Properties, Text)>),
}

impl Open {
    /// An object without properties.
    pub(crate) fn object(class: Text) -> Self {
        Self::Object(Box::new((class, Properties::new(), Text::new())))
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self { top: Open::Root(None), around: Vec::new() }
    }
}

impl Builder {
    pub(crate) fn enter(&mut self, container: Open) {
        self.around.push(mem::replace(&mut self.top, container));
    }

    /// Whether an object is being put together.
    #[inline]
    pub(crate) const fn takes_names(&self) -> bool {
        matches!(self.top, Open::Object(..))
    }

    /// The name of the object's property that comes next.
    pub(crate) fn name(&mut self, name: Text) {
        if let Open::Object(object) = &mut self.top {
            object.2 = name;
        }
    }

    #[inline]
    pub(crate) fn value(&mut self, value: Variant) {
        match &mut self.top {
            Open::Array(array, _) => array.as_mut_vec().push(value),
            Open::Dictionary(dictionary, place) => match place.take() {
                None => *place = Some(dictionary.open_pair(value)),
                Some(place) => dictionary.close_pair(place, value),
            },
            Open::Object(object) => {
                let (_, properties, name) = &mut **object;
                properties.push(mem::take(name), value);
            }
            Open::Root(root) => *root = Some(value),
        }
    }

    /// Where the next value goes, which is nil so far; none for a key, which has to be looked for.
    ///
    /// Measured: a value that is written piece by piece where it stays costs half of one that is moved there,
    /// since to move it the processor waits for the pieces.
    #[inline]
    pub(crate) fn room(&mut self) -> Option<&mut Variant> {
        match &mut self.top {
            Open::Array(array, _) => {
                let elements = array.as_mut_vec();
                elements.push(Variant::Nil);
                elements.last_mut()
            }
            Open::Dictionary(dictionary, place) => dictionary.room(place.take()?),
            Open::Object(_) | Open::Root(_) => None,
        }
    }

    /// A key of text that the dictionary is known not to have.
    #[inline]
    pub(crate) fn new_text_key(&mut self, is_name: bool, text: &[u8]) {
        if let Open::Dictionary(dictionary, place) = &mut self.top {
            *place = Some(dictionary.open_new_text_pair(is_name, text));
        }
    }

    pub(crate) fn exit(&mut self) {
        let Some(around) = self.around.pop() else { return };
        let value = match mem::replace(&mut self.top, around) {
            Open::Array(array, make) => make(array),
            Open::Dictionary(dictionary, _) => Variant::Dictionary(dictionary),
            Open::Object(object) => {
                let (class, properties, _) = *object;
                Variant::Object(Box::new(Object::Full { class, properties }))
            }
            Open::Root(value) => value.unwrap_or_default(),
        };
        self.value(value);
    }

    /// The number of pairs of the innermost container, if it is a dictionary.
    pub(crate) fn pairs(&self) -> Option<usize> {
        match &self.top {
            Open::Dictionary(dictionary, _) => Some(dictionary.len()),
            _ => None,
        }
    }

    /// The value, once it is complete.
    pub(crate) fn finish(self) -> Option<Variant> {
        match self.top {
            Open::Root(value) => value,
            _ => None,
        }
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
                Object::Full { class, .. } => Self::object(class.clone()),
                Object::Null | Object::Id(_) => return None,
            },
            _ => return None,
        })
    }
}
