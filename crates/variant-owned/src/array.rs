//! [`Array`]: values in order, and the type they are declared to have.

use crate::drop::{dismantle, drop_in_levels};
use crate::text::Text;
use crate::variant::Variant;

/// An array. 24 bytes; what is rare stands on the heap.
///
/// Nothing holds the elements against the declared type: this is data, as it is on the wire.
#[derive(Clone, Default)]
pub struct Array(Repr);

#[derive(Clone)]
enum Repr {
    Plain(Vec<Variant>),
    Declared(Box<Declared>),
}

#[derive(Clone, Default)]
struct Declared {
    elements: Vec<Variant>,
    element_type: ElementType,
    is_shared: bool,
}

impl Default for Repr {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

/// The declared type of a container's elements, keys or values.
pub type ElementType = variant_view::ElementType<Text>;

impl Array {
    /// Without elements.
    pub const fn new() -> Self {
        Self(Repr::Plain(Vec::new()))
    }

    /// Without elements, with room for some.
    pub(crate) fn with_room(elements: usize) -> Self {
        Self(Repr::Plain(Vec::with_capacity(elements)))
    }

    /// Without elements, which are declared to be of `element_type`.
    pub fn with_type(element_type: ElementType) -> Self {
        let mut array = Self::new();
        array.set_element_type(element_type);
        array
    }

    /// The elements.
    pub fn as_slice(&self) -> &[Variant] {
        match &self.0 {
            Repr::Plain(elements) => elements,
            Repr::Declared(declared) => &declared.elements,
        }
    }

    /// The elements, to change, add and remove them.
    pub fn as_mut_vec(&mut self) -> &mut Vec<Variant> {
        match &mut self.0 {
            Repr::Plain(elements) => elements,
            Repr::Declared(declared) => &mut declared.elements,
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Element `index`.
    pub fn get(&self, index: usize) -> Option<&Variant> {
        self.as_slice().get(index)
    }

    /// Element `index`, to change it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Variant> {
        self.as_mut_vec().get_mut(index)
    }

    /// Adds an element behind the others.
    pub fn push(&mut self, element: impl Into<Variant>) {
        self.as_mut_vec().push(element.into());
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Variant> {
        self.as_slice().iter()
    }

    /// The elements in order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Variant> {
        self.as_mut_vec().iter_mut()
    }

    /// The declared type of the elements.
    pub fn element_type(&self) -> &ElementType {
        match &self.0 {
            Repr::Plain(_) => &ElementType::Any,
            Repr::Declared(declared) => &declared.element_type,
        }
    }

    /// Declares the type of the elements; none of them is looked at.
    pub fn set_element_type(&mut self, element_type: ElementType) {
        if matches!(self.0, Repr::Declared(_)) || !matches!(element_type, ElementType::Any) {
            self.declare(|declared| declared.element_type = element_type);
        }
    }

    /// Whether Godot 2 marked it as shared with other places.
    pub fn is_shared(&self) -> bool {
        matches!(&self.0, Repr::Declared(declared) if declared.is_shared)
    }

    /// Marks it as shared; only Godot 2 writes that.
    pub fn set_shared(&mut self, is_shared: bool) {
        if is_shared != self.is_shared() {
            self.declare(|declared| declared.is_shared = is_shared);
        }
    }

    fn declare(&mut self, change: impl FnOnce(&mut Declared)) {
        let mut declared = match std::mem::take(&mut self.0) {
            Repr::Plain(elements) => Box::new(Declared { elements, ..Declared::default() }),
            Repr::Declared(declared) => declared,
        };
        change(&mut declared);
        self.0 = Repr::Declared(declared);
    }

    /// The same type and marks, without the elements.
    pub(crate) fn without_elements(&self) -> Self {
        let mut array = Self::with_type(self.element_type().clone());
        array.set_shared(self.is_shared());
        array
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        drop_in_levels(self.as_mut_vec(), |elements| dismantle(elements.iter_mut()));
    }
}

impl PartialEq for Array {
    /// By declared type and elements.
    fn eq(&self, other: &Self) -> bool {
        self.element_type() == other.element_type() && self.as_slice() == other.as_slice()
    }
}

impl<V: Into<Variant>> FromIterator<V> for Array {
    fn from_iter<I: IntoIterator<Item = V>>(elements: I) -> Self {
        Self(Repr::Plain(elements.into_iter().map(Into::into).collect()))
    }
}

impl<V: Into<Variant>> Extend<V> for Array {
    fn extend<I: IntoIterator<Item = V>>(&mut self, elements: I) {
        self.as_mut_vec().extend(elements.into_iter().map(Into::into));
    }
}

impl<'v> IntoIterator for &'v Array {
    type Item = &'v Variant;
    type IntoIter = std::slice::Iter<'v, Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'v> IntoIterator for &'v mut Array {
    type Item = &'v mut Variant;
    type IntoIter = std::slice::IterMut<'v, Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl IntoIterator for Array {
    type Item = Variant;
    type IntoIter = std::vec::IntoIter<Variant>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.as_mut_vec()).into_iter()
    }
}

/// Makes an [`Array`] of anything that is [`Into<Variant>`].
///
/// ```
/// use variant_owned::array;
///
/// let items = array![1, "two", 3.0, array![]];
/// assert_eq!(items.len(), 4);
/// ```
#[macro_export]
macro_rules! array {
    ($($element:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "there may be no elements")]
        let mut array = $crate::Array::new();
        $(array.push($element);)*
        array
    }};
}
