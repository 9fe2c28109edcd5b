//! [`Collector`]: a value out of events, without recursion.

use std::convert::Infallible;
use std::{fmt, mem};

use variant_view::key::KeyPlace;
use variant_view::{ArrayHead, Consumer, DictionaryHead, Head, Input, Kind, Leaf, ShortText};

use crate::array::Array;
use crate::dictionary::{Dictionary, Known};
use crate::key::{Digest, Digests, KeyRule};
use crate::object::{Object, Properties};
use crate::text::Text;
use crate::variant::Variant;

/// Makes a [`Variant`] of events: a [`Consumer`] that never fails. [`Variant::from_producer`] is the short way.
///
/// Of a key that stands twice in a dictionary the last value is kept, in the place of the first, by the rule of
/// [`Head::Dictionary`](variant_view::Head). Memory grows with the values that are there, never with a count that is claimed.
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
    /// What is being put together.
    top: Open,
    /// What it stands in, from the outermost.
    around: Vec<Open>,
    /// Of what is being put together inside of a key, from the key on.
    digests: Digests,
    /// The rule of the dictionary whose key that is.
    rule: KeyRule,
    /// The rule of what comes without one.
    default_rule: KeyRule,
    /// Items for which room may still be reserved.
    budget: usize,
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
    pub(crate) fn object(class: Text, rule: KeyRule) -> Self {
        Self::Object(Box::new((class, Properties::with_rule(rule), Text::new())))
    }
}

impl From<Variant> for Open {
    /// Of a container without children.
    fn from(shell: Variant) -> Self {
        match shell {
            Variant::Array(array) => Self::Array(array, Variant::Array),
            Variant::TypedArray(array) => Self::Array(array, Variant::TypedArray),
            Variant::PackedTypedArray(array) => Self::Array(array, Variant::PackedTypedArray),
            Variant::Dictionary(dictionary) => Self::Dictionary(dictionary, None),
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

impl Default for Collector {
    /// What comes without a rule for its keys has that of Godot 4.
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
    /// What comes without a rule for its keys has this one.
    pub fn with_rule(rule: KeyRule) -> Self {
        Self { default_rule: rule, ..Self::default() }
    }

    /// By what a producer knows of its input: the rule for keys, and how much may be reserved.
    pub fn for_input(input: &Input) -> Self {
        let rule = input.dialect.map(KeyRule::of).unwrap_or_default();
        Self::with_budget(rule, input.max_values.unwrap_or(0))
    }

    /// So many values may be reserved in all.
    pub(crate) fn with_budget(rule: KeyRule, budget: usize) -> Self {
        Self { budget, ..Self::with_rule(rule) }
    }

    /// Whether there is no value that is complete.
    pub const fn is_empty(&self) -> bool {
        !matches!(self.top, Open::Root(Some(_)))
    }

    /// The value, once it is complete: that of the last events, if there were several.
    pub fn finish(self) -> Option<Variant> {
        match self.top {
            Open::Root(value) => value,
            _ => None,
        }
    }

    /// Room for what is claimed, which all containers together take from one budget.
    fn room_for(&mut self, items: Option<usize>) -> usize {
        let granted = items.unwrap_or(0).min(self.budget);
        self.budget = self.budget.saturating_sub(granted);
        granted
    }

    fn array(&mut self, head: &ArrayHead<'_>) -> Open {
        let mut array = Array::with_room(self.room_for(head.len));
        if !head.element_type.is_any() {
            array.set_element_type(head.element_type.map(Text::from_bytes));
        }
        if head.is_shared {
            array.set_shared(true);
        }
        let make = match head.kind {
            Kind::TypedArray => Variant::TypedArray,
            Kind::PackedTypedArray => Variant::PackedTypedArray,
            _ => Variant::Array,
        };
        Open::Array(array, make)
    }

    fn dictionary(&mut self, head: &DictionaryHead<'_>) -> Open {
        let rule = head.rule.unwrap_or(self.default_rule);
        let values = self.room_for(head.len.map(|len| len.saturating_mul(2)));
        let mut dictionary = Dictionary::with_room(rule, values / 2);
        let (key_type, value_type) = (head.key_type, head.value_type);
        if !key_type.is_any() || !value_type.is_any() {
            dictionary.set_types(key_type.map(Text::from_bytes), value_type.map(Text::from_bytes));
        }
        if head.is_shared {
            dictionary.set_shared(true);
        }
        Open::Dictionary(dictionary, None)
    }

    #[inline]
    pub(crate) fn open_head(&mut self, head: &Head<'_>) {
        let container = match head {
            Head::Array(head) => self.array(head),
            Head::Dictionary(head) => self.dictionary(head),
            Head::Object(head) => {
                Open::object(head.class.into(), head.rule.unwrap_or(self.default_rule))
            }
        };
        self.open(container);
    }

    pub(crate) fn open(&mut self, container: Open) {
        if !self.digests.is_empty() || matches!(self.top, Open::Dictionary(_, None)) {
            self.enter_in_key();
        }
        self.around.push(mem::replace(&mut self.top, container));
    }

    /// Whether an object is being put together.
    #[inline]
    pub(crate) const fn takes_names(&self) -> bool {
        matches!(self.top, Open::Object(..))
    }

    /// The name of the object's property that comes next.
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

    #[inline(always)]
    fn put(&mut self, value: Variant, digest: Known) {
        match &mut self.top {
            Open::Array(array, _) => array.as_mut_vec().push(value),
            Open::Dictionary(dictionary, place) => match place.take() {
                None => *place = Some(dictionary.open_pair(value, digest)),
                Some(place) => dictionary.close_pair(place, value),
            },
            Open::Object(object) => {
                let (_, properties, name) = &mut **object;
                properties.push(mem::take(name), value);
            }
            Open::Root(root) => *root = Some(value),
        }
    }

    /// A value without items inside of a key.
    #[cold]
    fn item_of_key(&mut self, value: Variant) {
        let digest = self.digests.leaf(&value, self.rule, self.next_place());
        self.put_in_key(value, digest);
    }

    #[cold]
    #[inline(never)]
    fn put_in_key(&mut self, value: Variant, digest: Option<Digest>) {
        let pending = match &self.top {
            Open::Dictionary(_, place) => *place,
            _ => None,
        };
        self.put(value, Some(digest));
        match (&self.top, pending) {
            (Open::Dictionary(..), Some(pair)) => self.digests.value(pair, digest),
            (Open::Dictionary(_, Some(pair)), None) => self.digests.key(*pair, digest),
            _ => self.digests.element(digest),
        }
    }

    /// What the next value is to the key that it stands in, or that it is.
    const fn next_place(&self) -> KeyPlace {
        match &self.top {
            Open::Dictionary(_, None) => KeyPlace::Key,
            _ => KeyPlace::Item,
        }
    }

    /// A container starts that is a key, or stands in one.
    #[cold]
    #[inline(never)]
    fn enter_in_key(&mut self) {
        if let Open::Dictionary(dictionary, _) = &self.top
            && self.digests.is_empty()
        {
            self.rule = dictionary.rule();
        }
        self.digests.open();
    }

    /// Where the next value goes, which is nil so far; none for a key, which has to be looked for, and inside of one.
    ///
    /// Measured: a value that is written piece by piece where it stays costs half of one that is moved there,
    /// since to move it the processor waits for the pieces.
    #[inline]
    pub(crate) fn room(&mut self) -> Option<&mut Variant> {
        if !self.digests.is_empty() {
            return None;
        }
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
        if !self.digests.is_empty() {
            self.item_of_key(Variant::of_text(Text::from_bytes(text), is_name));
        } else if let Open::Dictionary(dictionary, place) = &mut self.top {
            *place = Some(dictionary.open_new_text_pair(is_name, text));
        }
    }

    pub(crate) fn close(&mut self) {
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
        if self.digests.is_empty() {
            self.put(value, None);
        } else {
            self.exit_in_key(value);
        }
    }

    /// A container has ended that is a key, or stands in one.
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

    /// The number of pairs of the innermost container, if it is a dictionary.
    pub(crate) fn pairs(&self) -> Option<usize> {
        match &self.top {
            Open::Dictionary(dictionary, _) => Some(dictionary.len()),
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
