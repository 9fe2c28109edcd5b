//! [`Type`]: the shape of values, and the merge of two shapes.

use std::collections::{BTreeSet, HashMap};
use std::mem;

use variant_view::Kind;

use super::order::Order;

/// The shape of values at one place. Types are nested in at most 48 levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Type {
    /// The number of values.
    pub values: u64,
    /// The facts of each kind, in the order of appearance.
    pub kinds: Vec<Facts>,
    /// Whether a limit has left out some values or levels.
    pub is_open: bool,
}

/// The maximum number of levels of types.
pub(super) const DEEPEST: usize = 48;

/// The maximum number of fields of a dictionary. Further keys are data.
pub(super) const MOST_FIELDS: usize = 128;

/// The maximum number of different texts of a place, and the maximum length of each in bytes.
const MOST_TEXTS: usize = 8;
const LONGEST_TEXT: usize = 32;

/// The facts about the values of one kind.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "the facts do not depend on each other")]
pub struct Facts {
    /// The kind.
    pub kind: Kind,
    /// The number of values.
    pub values: u64,
    /// The least and the greatest integer.
    pub ints: Option<(i64, i64)>,
    /// The least and the greatest float, without NaN.
    pub floats: Option<(f64, f64)>,
    /// The least and the greatest length: bytes of texts, elements of arrays, pairs of dictionaries.
    pub lens: Option<(u64, u64)>,
    /// The different texts, if there are at most 8 of them, and each has at most 32 bytes; otherwise `None`.
    pub texts: Option<BTreeSet<String>>,
    /// The class of the objects, if it is always the same.
    pub class: Option<String>,
    /// Whether some mathematical values or packed arrays of vectors have reals of 32 bits. Values of the kind `Float`
    /// do not count.
    pub has_narrow: bool,
    /// Whether some values have reals of 64 bits, as builds with double precision write them.
    pub has_wide: bool,
    /// The elements of an array, or the values of a dictionary whose keys are data.
    pub items: Option<Box<Type>>,
    /// The values of keys that are names, or the properties of an object, in the order of appearance.
    pub fields: Vec<(String, Type)>,
    /// The kinds of keys that are not text.
    pub keys: Vec<Kind>,
    /// The kinds of keys that are text: `String`, `StringName` or both.
    pub names: Vec<Kind>,
    /// Whether all dictionaries have their keys in the order of `fields`. False before [`Type::settle`].
    pub is_ordered: bool,
    /// Whether the values have the form that engines write: numbers have their usual width, the engine reads texts and
    /// paths back unchanged, and all containers declare the same built-in types, or none.
    pub is_plain: bool,
    /// The declared types of typed arrays (elements) and typed dictionaries (keys and values), if all values declare
    /// the same built-in types.
    pub declared: Declared,
    /// The order of the keys, until [`Type::settle`] sorts the fields by it.
    pub(super) order: Order,
}

/// The kinds that a container declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Declared {
    /// The kind of elements or values.
    pub items: Option<Kind>,
    /// The kind of keys.
    pub keys: Option<Kind>,
}

impl Facts {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            values: 0,
            ints: None,
            floats: None,
            lens: None,
            texts: Some(BTreeSet::new()),
            class: None,
            has_narrow: false,
            has_wide: false,
            items: None,
            fields: Vec::new(),
            keys: Vec::new(),
            names: Vec::new(),
            is_ordered: false,
            is_plain: true,
            declared: Declared::default(),
            order: Order::default(),
        }
    }

    /// The shape of the values to which a step of this name leads, in dictionaries and objects. Without a name, the
    /// shape of the items. O(fields).
    pub fn child(&self, name: Option<&str>) -> Option<&Type> {
        let Some(name) = name else { return self.items.as_deref() };
        let field = self.fields.iter().find(|(field, _)| field == name);
        let items = self.items.as_deref().filter(|_| self.kind == Kind::Dictionary);
        field.map(|(_, field)| field).or(items)
    }

    /// Whether some of the values do not have this field.
    pub const fn is_optional(&self, field: &Type) -> bool {
        field.values < self.values
    }

    fn merge(&mut self, other: Self) {
        let is_first = self.values == 0;
        self.values = self.values.saturating_add(other.values);
        self.ints = wider(self.ints, other.ints);
        self.floats = wider(self.floats, other.floats);
        self.lens = wider(self.lens, other.lens);
        self.merge_texts(other.texts);
        if is_first {
            (self.class, self.declared) = (other.class, other.declared);
        } else {
            self.class = self.class.take().filter(|class| other.class.as_ref() == Some(class));
            if self.declared != other.declared {
                self.declared = Declared::default();
                self.is_plain = false;
            }
        }
        self.is_plain &= other.is_plain;
        self.has_narrow |= other.has_narrow;
        self.has_wide |= other.has_wide;
        match (&mut self.items, other.items) {
            (Some(items), Some(other)) => items.merge(*other),
            (items @ None, other) => *items = other,
            (Some(_), None) => {}
        }
        add_new(&mut self.keys, &other.keys);
        add_new(&mut self.names, &other.names);
        let numbers = self.merge_fields(other.fields);
        self.order.merge(&other.order, &numbers);
    }

    fn merge_texts(&mut self, others: Option<BTreeSet<String>>) {
        self.texts = self.texts.take().zip(others).and_then(|(mut texts, others)| {
            texts.extend(others);
            (texts.len() <= MOST_TEXTS).then_some(texts)
        });
    }

    /// Adds a text to the different texts.
    pub(super) fn note_text(&mut self, text: Option<&str>) {
        let text = text.filter(|text| text.len() <= LONGEST_TEXT);
        let (Some(texts), Some(text)) = (&mut self.texts, text) else {
            self.texts = None;
            return;
        };
        if !texts.contains(text) {
            texts.insert(text.to_owned());
            self.texts = self.texts.take().filter(|texts| texts.len() <= MOST_TEXTS);
        }
    }

    /// Adds fields. If the dictionary already has the maximum number of fields, the values of further names become
    /// items. Returns the number that each field now has, if it is not an item.
    fn merge_fields(&mut self, others: Vec<(String, Type)>) -> Vec<Option<usize>> {
        let mut given = Vec::new();
        let numbers: HashMap<_, _> =
            (0_usize..).zip(&self.fields).map(|(at, (name, _))| (name.clone(), at)).collect();
        for (name, field) in others {
            let number = numbers.get(&name).copied();
            if let Some((_, own)) = number.and_then(|at| self.fields.get_mut(at)) {
                own.merge(field);
                given.push(number);
            } else if self.kind == Kind::Dictionary && self.fields.len() >= MOST_FIELDS {
                self.items.get_or_insert_default().merge(field);
                given.push(None);
            } else {
                given.push(Some(self.fields.len()));
                self.fields.push((name, field));
            }
        }
        given
    }

    /// Sorts the fields in the order of the keys, if all dictionaries have the same order.
    fn sort_fields(&mut self) {
        let sorted = mem::take(&mut self.order).sorted(self.fields.len());
        self.is_ordered = sorted.is_some();
        let mut fields: Vec<_> = mem::take(&mut self.fields).into_iter().map(Some).collect();
        let sorted = sorted.unwrap_or_else(|| (0..fields.len()).collect());
        self.fields = sorted.into_iter().filter_map(|at| fields.get_mut(at)?.take()).collect();
    }

    /// Treats keys as data if their values are of one kind, and there are many keys or many keys look generated. The
    /// values become items.
    fn settle(&mut self) {
        if self.kind == Kind::Dictionary && self.has_made_keys() {
            let mut items = self.items.take().map_or_else(Type::default, |items| *items);
            for (_, field) in mem::take(&mut self.fields) {
                items.merge(field);
            }
            self.keys.push(Kind::String);
            self.items = Some(Box::new(items));
        }
        if self.kind == Kind::Dictionary {
            self.sort_fields();
        }
        for (_, field) in &mut self.fields {
            field.settle();
        }
        if let Some(items) = &mut self.items {
            items.settle();
        }
    }

    fn has_made_keys(&self) -> bool {
        let count = self.fields.len();
        let mut kinds = self.fields.iter().map(|(_, field)| field.kinds_only());
        let first = kinds.next();
        let is_same = kinds.all(|kinds| Some(kinds) == first);
        let is_made = |name: &&(String, Type)| {
            !names_a_field(&name.0) || name.0.chars().any(|c| c.is_ascii_digit())
        };
        let made = self.fields.iter().filter(is_made).count();
        let has_items = self.items.is_some();
        let is_many = count >= MANY || count >= SOME && made > count / 2;
        count > 0 && (has_items || is_same && is_many)
    }
}

/// `MANY` keys whose values have one kind are data. `SOME` such keys are data if more than half of them look generated.
const MANY: usize = 64;
const SOME: usize = 8;

/// Adds the kinds that are not in the list.
fn add_new(kinds: &mut Vec<Kind>, others: &[Kind]) {
    for kind in others {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
}

fn names_a_field(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn wider<T: PartialOrd + Copy>(one: Option<(T, T)>, other: Option<(T, T)>) -> Option<(T, T)> {
    let (Some((low, high)), Some((least, most))) = (one, other) else { return one.or(other) };
    let low = if least < low { least } else { low };
    Some((low, if most > high { most } else { high }))
}

impl Type {
    pub(super) fn of(&mut self, kind: Kind) -> &mut Facts {
        let place = self.kinds.iter().position(|facts| facts.kind == kind);
        let place = place.unwrap_or(self.kinds.len());
        if place == self.kinds.len() {
            self.kinds.push(Facts::new(kind));
        }
        // The index is valid: the facts of this kind were found or added.
        #[expect(clippy::indexing_slicing, reason = "the place exists")]
        &mut self.kinds[place]
    }

    /// Adds the values of another type. O(both).
    pub fn merge(&mut self, other: Self) {
        self.values = self.values.saturating_add(other.values);
        self.is_open |= other.is_open;
        for facts in other.kinds {
            self.of(facts.kind).merge(facts);
        }
    }

    /// Treats the keys of dictionaries as data if there are many keys with values of one kind, such as names of
    /// players. Their values become [`Facts::items`]. Sorts fields in the order of the keys. Call this once, after all
    /// values were added. O(places).
    pub fn settle(&mut self) {
        for facts in &mut self.kinds {
            facts.settle();
        }
    }

    fn kinds_only(&self) -> Vec<Kind> {
        let mut kinds: Vec<_> = self.kinds.iter().map(|facts| facts.kind).collect();
        kinds.sort();
        kinds
    }

    /// Whether some values are null, and the facts about the values of other kinds.
    pub fn without_null(&self) -> (bool, Vec<&Facts>) {
        let others: Vec<_> = self.kinds.iter().filter(|facts| facts.kind != Kind::Nil).collect();
        (others.len() < self.kinds.len(), others)
    }
}
