//! [`Array`]: ordered values, and their declared type.

use variant_view::Kind;

use crate::drop::{dismantle, drop_in_levels};
use crate::text::Text;
use crate::variant::Variant;

/// An array. It takes 24 bytes; a declared type is boxed.
///
/// As on the wire, elements are not checked against the declared type.
///
/// ```
/// use variant_owned::{Array, ElementType, array};
/// use variant_view::Kind;
///
/// let mut party = array!["Ada", 7];
/// party.push(true);
/// assert_eq!((party.len(), party.get(1)), (3, Some(&7.into())));
///
/// let mut numbers = Array::with_type(ElementType::Builtin(Kind::Int)); // Array[int] of Godot 4
/// numbers.extend([1, 2, 3]);
/// assert_eq!(numbers.iter().count(), 3);
/// ```
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
///
/// ```
/// use variant_owned::{Array, ElementType};
///
/// let mut party = Array::new();
/// assert!(party.element_type().is_any());
/// party.set_element_type(ElementType::Class("Node2D".into())); // Array[Node2D] of Godot 4
/// assert_eq!(party.element_type(), &ElementType::Class("Node2D".into()));
/// ```
pub type ElementType = variant_view::ElementType<Text>;

impl Array {
    /// An empty array. O(1), no allocation.
    pub const fn new() -> Self {
        Self(Repr::Plain(Vec::new()))
    }

    pub(crate) fn with_room(elements: usize) -> Self {
        Self(Repr::Plain(Vec::with_capacity(elements)))
    }

    /// An empty array with a declared element type, which allocates.
    pub fn with_type(element_type: ElementType) -> Self {
        let mut array = Self::new();
        array.set_element_type(element_type);
        array
    }

    /// The elements. O(1).
    pub fn as_slice(&self) -> &[Variant] {
        match &self.0 {
            Repr::Plain(elements) => elements,
            Repr::Declared(declared) => &declared.elements,
        }
    }

    /// Whether the array has the plain representation. An array with a declared type or the shared flag has the other
    /// representation. An array with neither may have either representation.
    #[inline]
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.0, Repr::Plain(_))
    }

    /// The elements as a `Vec`, to change, add and remove them. O(1).
    pub fn as_mut_vec(&mut self) -> &mut Vec<Variant> {
        match &mut self.0 {
            Repr::Plain(elements) => elements,
            Repr::Declared(declared) => &mut declared.elements,
        }
    }

    /// The number of elements. O(1).
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Element `index`. O(1).
    pub fn get(&self, index: usize) -> Option<&Variant> {
        self.as_slice().get(index)
    }

    /// Element `index`, mutable. O(1).
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Variant> {
        self.as_mut_vec().get_mut(index)
    }

    /// Appends an element. O(1) amortized.
    pub fn push(&mut self, element: impl Into<Variant>) {
        self.as_mut_vec().push(element.into());
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Variant> {
        self.as_slice().iter()
    }

    /// The elements in order, mutable.
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

    /// Declares the type of the elements; the first declaration allocates. Existing elements are not checked.
    pub fn set_element_type(&mut self, element_type: ElementType) {
        if matches!(self.0, Repr::Declared(_)) || !matches!(element_type, ElementType::Any) {
            self.declare(|declared| declared.element_type = element_type);
        }
    }

    /// Whether Godot 2 marked the array as shared.
    pub fn is_shared(&self) -> bool {
        matches!(&self.0, Repr::Declared(declared) if declared.is_shared)
    }

    /// Sets the shared flag, which only Godot 2 writes. The first change may allocate.
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

    /// A copy without elements, with the same element type and shared flag.
    pub(crate) fn without_elements(&self) -> Self {
        let mut array = Self::with_type(self.element_type().clone());
        array.set_shared(self.is_shared());
        array
    }
}

/// Makes room for one more item. `claim` is the number of items that the input announces. A claim reserves memory for
/// at most as many items as have been received, so a false claim takes no more memory than the received items.
#[inline]
pub(crate) fn make_room<T>(items: &mut Vec<T>, claim: usize) {
    if items.len() == items.capacity() {
        let left = claim.saturating_sub(items.len());
        items.reserve_exact(left.min(items.len()));
    }
}

/// The constructor of array values of this kind.
pub(crate) fn array_of(kind: Kind) -> fn(Array) -> Variant {
    match kind {
        Kind::TypedArray => Variant::TypedArray,
        Kind::PackedTypedArray => Variant::PackedTypedArray,
        _ => Variant::Array,
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        drop_in_levels(self.as_mut_vec(), |elements| dismantle(elements.iter_mut()));
    }
}

impl PartialEq for Array {
    /// Equal types and equal elements. O(bytes).
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

/// Creates an [`Array`] from elements of any type that is [`Into<Variant>`].
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
        #[allow(unused_mut, reason = "the macro may have no elements")]
        let mut array = $crate::Array::new();
        $(array.push($element);)*
        array
    }};
}
