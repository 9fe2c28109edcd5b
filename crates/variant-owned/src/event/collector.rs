//! [`Collector`]: builds a value from events, without recursion.

use std::convert::Infallible;
use std::{fmt, mem};

use variant_view::internal::{KeyPlace, ShortText};
use variant_view::{ArrayHead, Consumer, DictionaryHead, Head, Input, Leaf};

use crate::array::{Array, array_of, make_room};
use crate::dictionary::{Dictionary, Known};
use crate::key::{Digest, Digests, KeyRule};
use crate::object::{Object, Properties};
use crate::text::Text;
use crate::variant::Variant;

/// Builds a [`Variant`] from events: a [`Consumer`] that never fails. See also [`Variant::from_producer`].
///
/// If a dictionary key occurs twice, its pair has the first position and the last value. The rule in
/// [`Head::Dictionary`](variant_view::Head) decides which keys are equal. Memory grows with the values received. A
/// claimed length reserves at most 16 items before the first item. Later it reserves at most as many items as were
/// received.
///
/// ```
/// use variant_owned::{Collector, array};
/// use variant_view::{ArrayHead, Consumer, Head, Leaf};
///
/// let mut collector = Collector::default();
/// collector.enter(Head::Array(ArrayHead::default()))?;
/// collector.leaf(Leaf::Bool(true))?;
/// assert!(collector.is_empty());
/// collector.exit()?;
/// assert_eq!(collector.finish(), Some(array![true].into()));
/// # Ok::<(), core::convert::Infallible>(())
/// ```
pub struct Collector {
    /// The innermost open container.
    top: Open,
    /// The containers around the innermost one, outermost first.
    around: Vec<Open>,
    /// Digests of the open containers of a key: the key itself, and containers inside it.
    digests: Digests,
    /// The rule of the dictionary to which the key belongs.
    rule: KeyRule,
    /// The rule for dictionaries whose heads have no rule.
    default_rule: KeyRule,
    /// The number of items for which memory may still be reserved.
    budget: usize,
}

pub(crate) enum Open {
    /// No container is open. Has the root value once this value is complete.
    Root(Option<Variant>),
    /// Elements, the constructor of the result, and the claimed number of elements.
    Array(Array, fn(Array) -> Variant, usize),
    /// Pairs, the position of the pair whose value is next, and the claimed number of pairs.
    Dictionary(Dictionary, Option<usize>, usize),
    /// Class, properties, and the name of the next property.
    Object(Box<(Text, Properties, Text)>),
}

impl Open {
    pub(crate) fn object(class: Text, rule: KeyRule) -> Self {
        Self::Object(Box::new((class, Properties::with_rule(rule), Text::new())))
    }
}

impl From<Variant> for Open {
    /// An open container to which children can be added. `shell` is the container without children.
    fn from(shell: Variant) -> Self {
        let make = array_of(shell.kind());
        match shell {
            Variant::Array(array)
            | Variant::TypedArray(array)
            | Variant::PackedTypedArray(array) => Self::Array(array, make, 0),
            Variant::Dictionary(dictionary) => Self::Dictionary(dictionary, None, 0),
            Variant::Object(object) => match *object {
                Object::Full { class, properties } => {
                    Self::Object(Box::new((class, properties, Text::new())))
                }
                Object::Null | Object::Id(_) => Self::Root(None),
            },
            _ => Self::Root(None),
        }
    }
}

/// The greatest number of items for which a container reserves memory before the first is received.
const FIRST: usize = 16;

impl Default for Collector {
    /// A collector that uses Godot 4's rule for dictionaries without a rule.
    fn default() -> Self {
        Self {
            top: Open::Root(None),
            around: Vec::new(),
            digests: Digests::default(),
            rule: KeyRule::default(),
            default_rule: KeyRule::default(),
            budget: 0,
        }
    }
}

impl Collector {
    /// A collector that uses this rule for dictionaries without a rule.
    pub fn with_rule(rule: KeyRule) -> Self {
        Self { default_rule: rule, ..Self::default() }
    }

    /// Takes the default key rule and the bound on memory from the producer's input.
    pub fn for_input(input: &Input) -> Self {
        let rule = input.dialect.map(KeyRule::of).unwrap_or_default();
        Self::with_budget(rule, input.max_values.unwrap_or(0))
    }

    /// Limits the memory reserved to `budget` values in all.
    pub(crate) fn with_budget(rule: KeyRule, budget: usize) -> Self {
        Self { budget, ..Self::with_rule(rule) }
    }

    /// Whether no value is complete.
    pub const fn is_empty(&self) -> bool {
        !matches!(self.top, Open::Root(Some(_)))
    }

    /// The value, if it is complete; after several values, the last.
    pub fn finish(self) -> Option<Variant> {
        match self.top {
            Open::Root(value) => value,
            _ => None,
        }
    }

    /// The number of items for which memory is reserved before the first item arrives; `items` is the claimed length.
    /// Subtracts the result from `budget`.
    fn room_for(&mut self, items: usize) -> usize {
        let granted = items.min(self.budget).min(FIRST);
        self.budget = self.budget.saturating_sub(granted);
        granted
    }

    fn array(&mut self, head: &ArrayHead<'_>) -> Open {
        let claim = head.len.unwrap_or(0);
        let mut array = Array::with_room(self.room_for(claim));
        if !head.element_type.is_any() {
            array.set_element_type(head.element_type.map(Text::from_bytes));
        }
        if head.is_shared {
            array.set_shared(true);
        }
        Open::Array(array, array_of(head.kind), claim)
    }

    fn dictionary(&mut self, head: &DictionaryHead<'_>) -> Open {
        let rule = head.rule.unwrap_or(self.default_rule);
        let claim = head.len.unwrap_or(0);
        let values = self.room_for(claim.saturating_mul(2));
        let mut dictionary = Dictionary::with_room(rule, values / 2);
        let (key_type, value_type) = (head.key_type, head.value_type);
        if !key_type.is_any() || !value_type.is_any() {
            dictionary.set_types(key_type.map(Text::from_bytes), value_type.map(Text::from_bytes));
        }
        if head.is_shared {
            dictionary.set_shared(true);
        }
        Open::Dictionary(dictionary, None, claim)
    }

    #[inline]
    pub(crate) fn open_head(&mut self, head: &Head<'_>) {
        let container = match head {
            Head::Array(head) => self.array(head),
            Head::Dictionary(head) => self.dictionary(head),
            &Head::Object { class, rule, .. } => {
                Open::object(class.into(), rule.unwrap_or(self.default_rule))
            }
        };
        self.open(container);
    }

    pub(crate) fn open(&mut self, container: Open) {
        if !self.digests.is_empty() || matches!(self.top, Open::Dictionary(_, None, _)) {
            self.enter_in_key();
        }
        self.around.push(mem::replace(&mut self.top, container));
    }

    /// Whether the innermost container is an object.
    #[inline]
    pub(crate) const fn takes_names(&self) -> bool {
        matches!(self.top, Open::Object(..))
    }

    /// Sets the name of the object's next property.
    pub(crate) fn take_name(&mut self, name: Text) {
        if let Open::Object(object) = &mut self.top {
            object.2 = name;
        }
    }

    #[inline]
    pub(crate) fn value(&mut self, value: Variant) {
        if self.digests.is_empty() {
            self.put(value, None);
        } else {
            self.item_of_key(value);
        }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn put(&mut self, value: Variant, digest: Known) {
        match &mut self.top {
            Open::Array(array, _, claim) => {
                let elements = array.as_mut_vec();
                make_room(elements, *claim);
                elements.push(value);
            }
            Open::Dictionary(dictionary, place, claim) => match place.take() {
                None => {
                    dictionary.make_room(*claim);
                    *place = Some(dictionary.open_pair(value, digest));
                }
                Some(place) => dictionary.close_pair(place, value),
            },
            Open::Object(object) => {
                let (_, properties, name) = &mut **object;
                properties.push(mem::take(name), value);
            }
            Open::Root(root) => *root = Some(value),
        }
    }

    /// Adds a leaf inside a key.
    #[cold]
    fn item_of_key(&mut self, value: Variant) {
        let digest = self.digests.leaf(&value, self.rule, self.next_place());
        self.put_in_key(value, digest);
    }

    #[cold]
    #[inline(never)]
    fn put_in_key(&mut self, value: Variant, digest: Option<Digest>) {
        let pending = match &self.top {
            Open::Dictionary(_, place, _) => *place,
            _ => None,
        };
        self.put(value, Some(digest));
        match (&self.top, pending) {
            (Open::Dictionary(..), Some(pair)) => self.digests.value(pair, digest),
            (Open::Dictionary(_, Some(pair), _), None) => self.digests.key(*pair, digest),
            _ => self.digests.element(digest),
        }
    }

    /// Whether the next value counts as a key, or as an item of a key. It counts as a key if it is a whole key, or a
    /// key of a dictionary inside a key.
    const fn next_place(&self) -> KeyPlace {
        match &self.top {
            Open::Dictionary(_, None, _) => KeyPlace::Key,
            _ => KeyPlace::Item,
        }
    }

    /// Enters a container that is a key or inside one.
    #[cold]
    #[inline(never)]
    fn enter_in_key(&mut self) {
        if let Open::Dictionary(dictionary, ..) = &self.top
            && self.digests.is_empty()
        {
            self.rule = dictionary.rule();
        }
        self.digests.open();
    }

    /// The memory into which the next value can be written; it holds nil until then. `None` if the next value is the
    /// root or a property. Also `None` if it is a key or inside a key, since a key must be looked up.
    ///
    /// Measured: writing a value in place costs half as much as building and moving it, because the
    /// move causes store-forwarding stalls.
    #[inline]
    pub(crate) fn room(&mut self) -> Option<&mut Variant> {
        if !self.digests.is_empty() {
            return None;
        }
        match &mut self.top {
            Open::Array(array, _, claim) => {
                let elements = array.as_mut_vec();
                make_room(elements, *claim);
                elements.push(Variant::Nil);
                elements.last_mut()
            }
            Open::Dictionary(dictionary, place, _) => dictionary.room(place.take()?),
            Open::Object(_) | Open::Root(_) => None,
        }
    }

    /// Whether the innermost container is a dictionary that clearly lacks this key. False does not mean that it has the
    /// key.
    #[inline]
    pub(crate) fn lacks_text_key(&self, text: &[u8]) -> bool {
        matches!(&self.top, Open::Dictionary(dictionary, None, _) if dictionary.lacks_text_key(text))
    }

    /// Adds a text key that the dictionary is known not to have.
    #[inline]
    pub(crate) fn new_text_key(&mut self, is_name: bool, text: &[u8]) {
        if !self.digests.is_empty() {
            self.item_of_key(Variant::of_text(Text::from_bytes(text), is_name));
        } else if let Open::Dictionary(dictionary, place, claim) = &mut self.top {
            dictionary.make_room(*claim);
            *place = Some(dictionary.open_new_text_pair(is_name, text));
        }
    }

    pub(crate) fn close(&mut self) {
        let Some(around) = self.around.pop() else { return };
        let value = match mem::replace(&mut self.top, around) {
            Open::Array(array, make, _) => make(array),
            Open::Dictionary(dictionary, ..) => Variant::Dictionary(dictionary),
            Open::Object(object) => {
                let (class, properties, _) = *object;
                Variant::Object(Box::new(Object::Full { class, properties }))
            }
            Open::Root(value) => value.unwrap_or_default(),
        };
        if self.digests.is_empty() {
            self.put(value, None);
        } else {
            self.exit_in_key(value);
        }
    }

    /// Leaves a container that is a key, or that is inside a key.
    #[cold]
    #[inline(never)]
    fn exit_in_key(&mut self, value: Variant) {
        let digest = self.digests.close(&value, self.rule, self.next_place());
        if self.digests.is_empty() {
            self.put(value, Some(digest));
        } else {
            self.put_in_key(value, digest);
        }
    }

    /// The number of pairs, if the innermost container is a dictionary.
    pub(crate) fn pairs(&self) -> Option<usize> {
        match &self.top {
            Open::Dictionary(dictionary, ..) => Some(dictionary.len()),
            _ => None,
        }
    }

    pub(crate) const fn innermost_dictionary(&mut self) -> Option<&mut Dictionary> {
        match &mut self.top {
            Open::Dictionary(dictionary, ..) => Some(dictionary),
            _ => None,
        }
    }
}

impl Consumer for Collector {
    type Error = Infallible;

    #[inline]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Infallible> {
        self.value(Variant::from_leaf(&leaf));
        Ok(())
    }

    #[inline]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Infallible> {
        self.value(Variant::of_text(Text::from_short(text), is_name));
        Ok(())
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Infallible> {
        self.open_head(&head);
        Ok(())
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Infallible> {
        self.take_name(name.into());
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Infallible> {
        self.close();
        Ok(())
    }
}

impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector").field("depth", &self.around.len()).finish_non_exhaustive()
    }
}
