//! [`KeyPart`]: one part of a key, compared and hashed.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use super::{KeyRule, text};
use crate::kind::Kind;
use crate::kind::Width;
use crate::text::engine_bytes;
use crate::text::{before_nul, without_bom};

/// A part of a dictionary key: a leaf, or the head of a container. The items of a container are separate parts.
///
/// A key is the sequence of its parts. Two keys are equal if all their parts are equal, and none of the parts is
/// [unlike any](KeyPart::is_unlike_any) other.
///
/// ```
/// use variant_view::internal::{KeyBody, KeyPart, KeyPlace};
/// use variant_view::{Key, KeyRule, Kind};
///
/// let three = KeyPart { kind: Kind::Int, body: KeyBody::Int(3) };
/// assert!(three.is_same(&Key::Int(3).part(), KeyRule::GODOT_4, KeyPlace::Key));
/// assert!(!three.is_same(&Key::Float(3.0).part(), KeyRule::GODOT_4, KeyPlace::Key));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KeyPart<'a> {
    /// The kind of the value.
    pub kind: Kind,
    /// The content that is compared.
    pub body: KeyBody<'a>,
}

/// The content of a [`KeyPart`].
///
/// ```
/// use variant_view::internal::KeyBody;
/// use variant_view::{Key, Kind};
///
/// let part = Key::from("hp").part();
/// assert!(part.kind == Kind::String && matches!(part.body, KeyBody::Held(b"hp")));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum KeyBody<'a> {
    /// Nothing: nil, or a null object.
    Empty,
    /// A bool, an integer or an id.
    Int(i64),
    /// A float.
    Float(f64),
    /// Text on the wire: a leading byte order mark, and everything from the first NUL on, are ignored.
    Text(&'a [u8]),
    /// Text as the engine reads it. Everything from the first NUL on is ignored.
    Held(&'a [u8]),
    /// Integers or bytes, little-endian, without their count.
    Bytes(&'a [u8]),
    /// Reals of this width, little-endian, without their count.
    Reals(Width, &'a [u8]),
    /// This number of texts, each with its length word and padding. The slice may extend past the texts.
    Texts(u32, &'a [u8]),
    /// A node path.
    Path {
        /// Whether the absolute flag is set.
        is_absolute: bool,
        /// Whether the property flag is set.
        has_property: bool,
        /// The number of names.
        names: u32,
        /// The number of subnames.
        subnames: u32,
        /// Names, then subnames, laid out like [`KeyBody::Texts`].
        texts: &'a [u8],
    },
    /// A signal: name and object id.
    Signal(&'a [u8], u64),
    /// A container with this number of items, which follow as parts. A pair counts as two items.
    Items(u32),
    /// A typed array: the number of items, the element kind, the type id, and the class of objects. The id is 0 if the
    /// element kind is known; otherwise the kind is `None`.
    Typed(u32, Option<Kind>, u32, &'a [u8]),
    /// A value that compares by identity, unequal to any other value.
    Unlike,
}

/// The position of a part in its key.
///
/// ```
/// use variant_view::internal::KeyPlace;
/// use variant_view::{Key, KeyRule};
///
/// let (string, name) = (Key::String(b"hp").part(), Key::StringName(b"hp").part());
/// assert!(string.is_same(&name, KeyRule::GODOT_4, KeyPlace::Key));
/// assert!(!string.is_same(&name, KeyRule::GODOT_4, KeyPlace::Item));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// The key itself, or a key of a dictionary inside the key.
    Key,
    /// An element or a value inside the key.
    Item,
}

impl KeyPart<'_> {
    /// Whether two parts are equal. O(bytes of the shorter part).
    pub fn is_same(&self, other: &Self, rule: KeyRule, place: KeyPlace) -> bool {
        match (self.body, other.body) {
            (KeyBody::Int(a), KeyBody::Int(b)) => self.kind == other.kind && a == b,
            _ => self.compare(other, rule, place) == Some(Ordering::Equal),
        }
    }

    /// Compares two parts in a total order. `None` if the parts have equal content, but [are not
    /// equal](KeyPart::is_unlike_any). O(bytes of the shorter part).
    ///
    /// ```
    /// use variant_view::internal::KeyPlace;
    /// use variant_view::{Key, KeyRule};
    ///
    /// let order = Key::Int(1).part().compare(&Key::Int(2).part(), KeyRule::GODOT_4, KeyPlace::Key);
    /// assert!(order.is_some_and(|order| order.is_lt()));
    /// ```
    pub fn compare(&self, other: &Self, rule: KeyRule, place: KeyPlace) -> Option<Ordering> {
        let kinds = self.kind(rule, place).cmp(&other.kind(rule, place));
        let order = kinds.then_with(|| self.compare_bodies(other, rule));
        if order.is_eq() && self.is_unlike_any(rule, place) { None } else { Some(order) }
    }

    /// Whether the part differs from every other part, even from one of equal content: it compares by identity, or has
    /// a NaN. O(1), except for packed floats that compare by bits.
    pub fn is_unlike_any(&self, rule: KeyRule, place: KeyPlace) -> bool {
        match self.body {
            KeyBody::Unlike => true,
            KeyBody::Items(_) => self.kind == Kind::Dictionary && !rule.dictionaries_by_content,
            KeyBody::Float(value) => {
                place == KeyPlace::Item && rule.nan_items_differ && value.is_nan()
            }
            KeyBody::Reals(width, bytes) if self.is_by_bits(rule) => {
                reals(width, bytes).any(f64::is_nan)
            }
            _ => false,
        }
    }

    /// Hashes the part; equal parts have equal hashes. O(bytes).
    ///
    /// ```
    /// use std::hash::{DefaultHasher, Hasher};
    /// use variant_view::{Key, KeyRule, internal::KeyPlace};
    ///
    /// let [plus, minus] = [0.0, -0.0].map(|zero| {
    ///     let mut hasher = DefaultHasher::new();
    ///     Key::Float(zero).part().hash(KeyRule::GODOT_4, KeyPlace::Key, &mut hasher);
    ///     hasher.finish()
    /// });
    /// assert_eq!(plus, minus); // one key
    /// ```
    pub fn hash(&self, rule: KeyRule, place: KeyPlace, hasher: &mut impl Hasher) {
        self.kind(rule, place).hash(hasher);
        match self.body {
            KeyBody::Empty | KeyBody::Unlike => {}
            KeyBody::Int(value) => hasher.write_i64(value),
            KeyBody::Float(value) => hasher.write_u64(float_bits(value)),
            KeyBody::Text(text) => text::hash(without_bom(text), rule.text, hasher),
            KeyBody::Held(text) => text::hash(text, rule.text, hasher),
            KeyBody::Bytes(bytes) => text::hash_bytes(bytes, hasher),
            KeyBody::Reals(_, bytes) if self.is_by_bits(rule) => text::hash_bytes(bytes, hasher),
            KeyBody::Reals(width, bytes) => {
                let mut count = 0_usize;
                for real in reals(width, bytes) {
                    hasher.write_u64(float_bits(real));
                    count = count.wrapping_add(1);
                }
                hasher.write_usize(count);
            }
            KeyBody::Texts(count, texts) => hash_texts(count, texts, rule, hasher),
            KeyBody::Path { names, subnames, texts, .. } => {
                hasher.write_u32(names);
                hash_texts(names.wrapping_add(subnames), texts, rule, hasher);
            }
            KeyBody::Signal(name, object) => {
                text::hash(without_bom(name), rule.text, hasher);
                hasher.write_u64(object);
            }
            KeyBody::Items(items) => hasher.write_u32(items),
            KeyBody::Typed(items, kind, number, class) => {
                (items, kind, number).hash(hasher);
                text::hash(without_bom(class), rule.text, hasher);
            }
        }
    }

    /// The text of a `String` or `StringName`, as the engine reads it. O(bytes).
    #[inline]
    pub fn text(&self) -> Option<&[u8]> {
        if self.kind == Kind::NodePath { None } else { self.body.read_text() }
    }

    /// The kind. `StringName` becomes `String` if the rule treats both as one key.
    fn kind(&self, rule: KeyRule, place: KeyPlace) -> Kind {
        match self.kind {
            Kind::StringName if rule.one_text_key && place == KeyPlace::Key => Kind::String,
            kind => kind,
        }
    }

    fn is_by_bits(&self, rule: KeyRule) -> bool {
        rule.packed_floats_by_bits && self.kind == Kind::PackedFloat32Array
    }

    /// The order of two parts of one kind.
    fn compare_bodies(&self, other: &Self, rule: KeyRule) -> Ordering {
        match (self.body, other.body) {
            (KeyBody::Int(a), KeyBody::Int(b)) => a.cmp(&b),
            (KeyBody::Float(a), KeyBody::Float(b)) => float_bits(a).cmp(&float_bits(b)),
            (KeyBody::Text(a), KeyBody::Text(b)) => compare_raw(a, b, rule),
            (KeyBody::Text(a), KeyBody::Held(b)) => text::compare(without_bom(a), b, rule.text),
            (KeyBody::Held(a), KeyBody::Text(b)) => text::compare(a, without_bom(b), rule.text),
            (KeyBody::Held(a), KeyBody::Held(b)) => text::compare(a, b, rule.text),
            (KeyBody::Bytes(a), KeyBody::Bytes(b)) => a.cmp(b),
            (KeyBody::Reals(_, a), KeyBody::Reals(_, b)) if self.is_by_bits(rule) => a.cmp(b),
            (KeyBody::Reals(x, a), KeyBody::Reals(y, b)) => {
                reals(x, a).map(float_bits).cmp(reals(y, b).map(float_bits))
            }
            (KeyBody::Texts(x, a), KeyBody::Texts(y, b)) => {
                x.cmp(&y).then_with(|| compare_texts(x, a, b, rule))
            }
            (a @ KeyBody::Path { .. }, b @ KeyBody::Path { .. }) => compare_paths(a, b, rule),
            (KeyBody::Signal(a, x), KeyBody::Signal(b, y)) => {
                compare_raw(a, b, rule).then(x.cmp(&y))
            }
            (KeyBody::Items(a), KeyBody::Items(b)) => a.cmp(&b),
            (KeyBody::Typed(x, kind, number, class), KeyBody::Typed(y, other, second, name)) => {
                (x, kind, number)
                    .cmp(&(y, other, second))
                    .then_with(|| compare_raw(class, name, rule))
            }
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl<'a> KeyBody<'a> {
    #[inline]
    fn read_text(&self) -> Option<&'a [u8]> {
        match *self {
            Self::Text(text) => Some(engine_bytes(text)),
            Self::Held(text) => Some(before_nul(text)),
            _ => None,
        }
    }

    /// Numbers the variants of the body, to order values of one kind that have different variants.
    const fn rank(&self) -> u8 {
        match self {
            Self::Empty => 0,
            Self::Text(_) | Self::Held(_) => 1,
            Self::Path { .. } => 2,
            Self::Items(_) => 3,
            Self::Typed(..) => 4,
            Self::Unlike => 5,
            _ => 6,
        }
    }
}

/// The bits of a float, for keys: floats that are one key give the same bits.
fn float_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

fn reals(width: Width, bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
    let (narrow, wide): (&[[u8; 4]], &[[u8; 8]]) = match width {
        Width::W32 => (bytes.as_chunks().0, &[]),
        Width::W64 => (&[], bytes.as_chunks().0),
    };
    let narrow = narrow.iter().map(|&real| f64::from(f32::from_le_bytes(real)));
    narrow.chain(wide.iter().map(|&real| f64::from_le_bytes(real)))
}

fn compare_raw(a: &[u8], b: &[u8], rule: KeyRule) -> Ordering {
    text::compare(without_bom(a), without_bom(b), rule.text)
}

/// The fields of a [`KeyBody::Path`] in the order in which they are compared, then its texts.
type PathHead<'a> = (u32, u32, bool, bool, &'a [u8]);

fn path_head(body: KeyBody<'_>, rule: KeyRule) -> PathHead<'_> {
    match body {
        KeyBody::Path { is_absolute, has_property, names, subnames, texts } => {
            let is_empty = names == 0 && subnames == 0;
            let is_absolute = is_absolute && (rule.absolute_empty_path || !is_empty);
            (names, subnames, is_absolute, has_property && rule.path_properties, texts)
        }
        _ => (0, 0, false, false, &[]),
    }
}

fn compare_paths(a: KeyBody<'_>, b: KeyBody<'_>, rule: KeyRule) -> Ordering {
    let (names, subnames, is_absolute, has_property, texts) = path_head(a, rule);
    let (other_names, other_subnames, other_absolute, other_property, others) = path_head(b, rule);
    (names, subnames, is_absolute, has_property)
        .cmp(&(other_names, other_subnames, other_absolute, other_property))
        .then_with(|| compare_texts(names.wrapping_add(subnames), texts, others, rule))
}

/// The order of two lists of `count` texts each.
fn compare_texts(count: u32, mut a: &[u8], mut b: &[u8], rule: KeyRule) -> Ordering {
    for _ in 0..count {
        let (Some(a), Some(b)) = (take_text(&mut a), take_text(&mut b)) else { break };
        let order = compare_raw(a, b, rule);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

fn hash_texts(count: u32, mut texts: &[u8], rule: KeyRule, hasher: &mut impl Hasher) {
    hasher.write_u32(count);
    for _ in 0..count {
        let Some(text) = take_text(&mut texts) else { break };
        text::hash(without_bom(text), rule.text, hasher);
    }
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    use crate::bytes::{padded, size};
    let (length, texts) = rest.split_first_chunk()?;
    let length = u32::from_le_bytes(*length);
    *rest = texts.get(size(padded(length))..).unwrap_or_default();
    texts.get(..size(length))
}
