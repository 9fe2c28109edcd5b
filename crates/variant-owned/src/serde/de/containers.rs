//! Containers as serde reads them, element by element.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde_core::forward_to_deserialize_any;
use variant_view::{Key, Kind, PathStep};

use super::fields::{out_of_turn, text};
use super::{Result, Value};
use crate::dictionary::Dictionary;
use crate::key::KeyRule;
use crate::object::Properties;
use crate::path::key_of;
use crate::serde::error::{DeserializeError, DeserializeErrorKind};
use crate::text::Text;
use crate::variant::Variant;

/// The number of levels that may still be entered inside `around`; an error if no level is left.
pub(super) fn inside(around: Value<'_>) -> Result<u32> {
    around.room.checked_sub(1).ok_or_else(|| {
        DeserializeError::new(
            DeserializeErrorKind::TooDeep,
            "more levels than the deserializer allows",
        )
    })
}

pub(super) trait Item<'de> {
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value>;
}

impl<'de, D: Deserializer<'de, Error = DeserializeError>> Item<'de> for D {
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self)
    }
}

impl<'de> Item<'de> for &'de Text {
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        let outcome =
            text(self).and_then(|text| seed.deserialize(BorrowedStrDeserializer::new(text)));
        outcome.map_err(|error: DeserializeError| error.of(Kind::String))
    }
}

pub(super) struct Sequence<I> {
    items: I,
    index: usize,
    /// The names of the items, if the items are fields; otherwise empty.
    names: &'static [&'static str],
}

impl<I: ExactSizeIterator> Sequence<I> {
    pub(super) const fn new(items: I) -> Self {
        Self { items, index: 0, names: &[] }
    }

    pub(super) const fn of_fields(items: I, names: &'static [&'static str]) -> Self {
        Self { items, index: 0, names }
    }

    /// Reads all items. `wanted` is the number that the type takes, if known.
    pub(super) fn visit<'de, V: Visitor<'de>>(
        mut self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value>
    where
        I::Item: Item<'de>,
    {
        let len = self.items.len();
        if let Some(wanted) = wanted.filter(|&wanted| wanted != len) {
            return Err(DeserializeError::wrong_length(wanted, len));
        }
        let value = visitor.visit_seq(&mut self)?;
        if self.index < len {
            Err(DeserializeError::wrong_length(self.index, len))
        } else {
            Ok(value)
        }
    }
}

impl<'de, I: ExactSizeIterator<Item: Item<'de>>> SeqAccess<'de> for &mut Sequence<I> {
    type Error = DeserializeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        item.read(seed).map(Some).map_err(|error| {
            let number = PathStep::Number(i64::try_from(index).unwrap_or(i64::MAX));
            error.below(self.names.get(index).map_or(number, |name| PathStep::Name(name)))
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The longest name in a path, in bytes. The length is limited because each level of nesting copies the path below it.
const LONGEST_NAME: usize = 256;

/// The step to the value of a key. If the key is not a name, or is a long name, the step is the position.
fn step(key: &Variant, rule: KeyRule, position: usize) -> PathStep<'_> {
    short(key_of(key, rule.has_one_text_key()), position)
}

fn short(key: Option<Key<'_>>, position: usize) -> PathStep<'_> {
    match key.and_then(PathStep::of_key) {
        Some(PathStep::Name(name) | PathStep::StringName(name)) if name.len() > LONGEST_NAME => {
            PathStep::Position(place(position))
        }
        step => step.unwrap_or(PathStep::Position(place(position))),
    }
}

fn place(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// The pairs of a dictionary, or the fields of a struct.
pub(super) struct Pairs<'de> {
    all: &'de [(Variant, Variant)],
    next: usize,
    fields: Option<&'static [&'static str]>,
    rule: KeyRule,
    room: u32,
}

impl<'de> Pairs<'de> {
    pub(super) fn new(
        dictionary: &'de Dictionary,
        fields: Option<&'static [&'static str]>,
        around: Value<'de>,
    ) -> Result<Self> {
        let (all, rule) = (dictionary.as_slice(), dictionary.rule());
        Ok(Self { all, next: 0, fields, rule, room: inside(around)? })
    }
}

impl<'de> MapAccess<'de> for Pairs<'de> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let position = self.next;
        let Some((key, _)) = self.all.get(position) else { return Ok(None) };
        self.next = position.saturating_add(1);
        let key = Value { value: key, room: self.room };
        let outcome = match self.fields {
            Some(_) => seed.deserialize(FieldKey(key)),
            None => seed.deserialize(key),
        };
        // The path of an unknown field is the path of its key.
        outcome.map(Some).map_err(|error| error.below(PathStep::PositionKey(place(position))))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let position = self.next.checked_sub(1).ok_or_else(out_of_turn)?;
        let (key, value) = self.all.get(position).ok_or_else(out_of_turn)?;
        let outcome = seed.deserialize(Value { value, room: self.room });
        outcome.map_err(|error| error.below(step(key, self.rule, position)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.all.len().saturating_sub(self.next))
    }
}

/// A key as the name of a struct's field. A key that is not text becomes a name such as `[3]`, since fields usually do
/// not have such names.
struct FieldKey<'de>(Value<'de>);

impl<'de> FieldKey<'de> {
    fn name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.value {
            Variant::String(text) | Variant::StringName(text) => match text.engine_text() {
                Some(text) => visitor.visit_borrowed_str(text),
                None => {
                    visitor.visit_string(String::from_utf8_lossy(text.engine_bytes()).into_owned())
                }
            },
            Variant::Int(int) => visitor.visit_string(format!("[{}]", int.value())),
            other => visitor.visit_string(format!("[{}]", other.kind())),
        }
    }
}

impl<'de> Deserializer<'de> for FieldKey<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let kind = self.0.value.kind();
        self.name(visitor).map_err(|error| error.of(kind))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_identifier(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_identifier(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}

/// The properties of an object, and its class if that is wanted.
#[expect(clippy::struct_field_names, reason = "one of the fields is the class of the object")]
pub(super) struct Class<'de> {
    class: Option<&'de Text>,
    all: &'de [(Text, Variant)],
    next: usize,
    /// The class, if its key was read and its value is next.
    value: Option<&'de Text>,
    room: u32,
}

impl<'de> Class<'de> {
    pub(super) fn new(
        class: &'de Text,
        properties: &'de Properties,
        fields: Option<&'static [&'static str]>,
        around: Value<'de>,
    ) -> Result<Self> {
        let is_wanted = fields.is_none_or(|fields| fields.contains(&"@class"));
        let class = is_wanted.then_some(class);
        Ok(Self { class, all: properties.as_slice(), next: 0, value: None, room: inside(around)? })
    }

    fn failed(name: &Text, position: usize, error: DeserializeError) -> DeserializeError {
        error.below(short(Some(Key::String(name.engine_bytes())), position))
    }
}

impl<'de> MapAccess<'de> for Class<'de> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.value = self.class.take();
        if self.value.is_some() {
            return seed.deserialize(BorrowedStrDeserializer::new("@class")).map(Some);
        }
        let position = self.next;
        let Some((name, _)) = self.all.get(position) else { return Ok(None) };
        self.next = position.saturating_add(1);
        let outcome = seed.deserialize(BorrowedStrDeserializer::new(text(name)?));
        outcome.map(Some).map_err(|error| Self::failed(name, position, error))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        if let Some(class) = self.value.take() {
            return seed.deserialize(BorrowedStrDeserializer::new(text(class)?));
        }
        let position = self.next.checked_sub(1).ok_or_else(out_of_turn)?;
        let (name, value) = self.all.get(position).ok_or_else(out_of_turn)?;
        let outcome = seed.deserialize(Value { value, room: self.room });
        outcome.map_err(|error| Self::failed(name, position, error))
    }

    fn size_hint(&self) -> Option<usize> {
        let class = usize::from(self.class.is_some());
        Some(self.all.len().saturating_sub(self.next).saturating_add(class))
    }
}

/// A dictionary of one pair as a variant of an enum. The key names the variant, and the value is the content.
pub(super) struct OnePair<'de> {
    key: &'de Variant,
    value: Value<'de>,
    rule: KeyRule,
}

impl<'de> OnePair<'de> {
    pub(super) fn new(dictionary: &'de Dictionary, around: Value<'de>) -> Result<Self> {
        let [(key, value)] = dictionary.as_slice() else {
            return Err(DeserializeError::new(
                DeserializeErrorKind::WrongLength,
                format_args!(
                    "expected a text or a dictionary of 1 pair, found {}",
                    dictionary.len()
                ),
            ));
        };
        let value = Value { value, room: inside(around)? };
        Ok(Self { key, value, rule: dictionary.rule() })
    }

    fn content<T>(self, read: impl FnOnce(Value<'de>) -> Result<T>) -> Result<T> {
        read(self.value).map_err(|error| error.below(step(self.key, self.rule, 0)))
    }
}

impl<'de> EnumAccess<'de> for OnePair<'de> {
    type Error = DeserializeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        match seed.deserialize(Value { value: self.key, ..self.value }) {
            Ok(name) => Ok((name, self)),
            Err(error) => Err(error.below(PathStep::PositionKey(0))),
        }
    }
}

impl<'de> VariantAccess<'de> for OnePair<'de> {
    type Error = DeserializeError;

    fn unit_variant(self) -> Result<()> {
        self.content(Deserialize::deserialize)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        self.content(|value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|value| value.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content(|value| value.deserialize_struct("", fields, visitor))
    }
}
