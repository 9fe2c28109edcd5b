//! [`Math`] and [`PackedNumbers`]: vectors and packed arrays as structs, tuples and sequences.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use variant_view::{Number, Numbers, PathStep, ShapePart};

use super::Result;
use super::fields::{element, out_of_turn};
use super::number::NumberDeserializer;
use crate::serde::error::DeserializeError;

/// The numbers of a mathematical value, of an element of a packed array, or of a field of either.
#[derive(Clone, Copy)]
pub(super) struct Math<'n> {
    numbers: Numbers<'n>,
    /// The first number and the end of the numbers.
    first: usize,
    end: usize,
    fields: Fields,
}

/// The names of fields.
#[derive(Clone, Copy)]
enum Fields {
    /// Of numbers or of groups of them.
    Parts(&'static [ShapePart]),
    /// Of numbers.
    Numbers(&'static [&'static str]),
}

/// The parts that a visitor receives one by one.
pub(super) enum Turn<'n> {
    Numbers(InTurn<'n>),
    Groups(Groups<'n>),
}

impl Turn<'_> {
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Numbers(numbers) => visitor.visit_seq(numbers),
            Self::Groups(groups) => visitor.visit_seq(groups),
        }
    }
}

impl<'n> Math<'n> {
    pub(super) fn new(numbers: Numbers<'n>) -> Self {
        let fields = Fields::Parts(numbers.shape().parts);
        Self { numbers, first: 0, end: numbers.len(), fields }
    }

    const fn count(&self) -> usize {
        self.end.saturating_sub(self.first)
    }

    const fn len(&self) -> usize {
        match self.fields {
            Fields::Parts(parts) => parts.len(),
            Fields::Numbers(names) => names.len(),
        }
    }

    fn has_groups(&self) -> bool {
        matches!(self.fields, Fields::Parts(parts) if parts.iter().any(|part| !part.fields.is_empty()))
    }

    /// The number, if there is only one.
    fn number(&self) -> Option<NumberDeserializer> {
        let number = self.numbers.get(self.first)?;
        (self.len() == 0 && self.count() == 1).then_some(NumberDeserializer(number))
    }

    /// Takes the first field away.
    fn split(&mut self) -> Option<(&'static str, Self)> {
        let (name, len, fields) = match &mut self.fields {
            Fields::Parts(parts) => {
                let (first, rest) = parts.split_first()?;
                *parts = rest;
                (first.name, first.fields.len().max(1), Fields::Numbers(first.fields))
            }
            Fields::Numbers(names) => {
                let (first, rest) = names.split_first()?;
                *names = rest;
                (*first, 1, Fields::Numbers(&[]))
            }
        };
        let first = self.first;
        self.first = first.saturating_add(len);
        Some((name, Self { first, end: self.first, fields, ..*self }))
    }

    const fn in_turn(self, names: Option<&'static [&'static str]>) -> Turn<'n> {
        Turn::Numbers(InTurn { rest: self, names, index: 0 })
    }

    /// For a type that takes anything: the fields, or all numbers if each field is one.
    pub(super) fn any(self) -> Turn<'n> {
        if self.has_groups() {
            Turn::Groups(Groups { rest: self, index: 0 })
        } else {
            self.in_turn(None)
        }
    }

    /// For a type that takes a sequence of `wanted` elements: all numbers, or the fields if there are that many.
    pub(super) fn of_len(self, wanted: Option<usize>) -> Result<Turn<'n>> {
        if self.has_groups() && wanted == Some(self.len()) {
            return Ok(self.any());
        }
        match wanted.filter(|&wanted| wanted != self.count()) {
            Some(wanted) => Err(DeserializeError::wrong_length(wanted, self.count())),
            None => Ok(self.in_turn(None)),
        }
    }

    /// For a type that takes a struct, or a map.
    pub(super) fn record<'de, V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(number) = self.number() {
            return number.deserialize_any(visitor);
        }
        match (fields, self.fields) {
            (Some(fields), Fields::Parts(parts)) if are(fields, parts) => {
                self.in_turn(Some(fields)).visit(visitor)
            }
            _ => visitor.visit_map(Named { rest: self, value: None }),
        }
    }
}

/// Whether these are the names of the parts, in order, and each part is one number.
fn are(fields: &[&str], parts: &[ShapePart]) -> bool {
    let names = parts.iter().map(|part| part.fields.is_empty().then_some(part.name));
    names.eq(fields.iter().map(|field| Some(*field)))
}

macro_rules! if_number {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.number() {
                Some(number) => number.$method(visitor),
                None => Err(DeserializeError::wrong_kind(&visitor, self.numbers.kind())),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Math<'_> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number() {
            Some(number) => number.deserialize_any(visitor),
            None => self.any().visit(visitor),
        }
    }

    if_number! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
        deserialize_bool deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_unit
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.in_turn(None).visit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.of_len(Some(len))?.visit(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.of_len(Some(len))?.visit(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.record(Some(fields), visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.record(None, visitor)
    }

    forward_to_deserialize_any! { unit_struct enum identifier ignored_any }
}

/// Field after field, with names.
struct Named<'n> {
    rest: Math<'n>,
    value: Option<(&'static str, Math<'n>)>,
}

impl<'de> MapAccess<'de> for Named<'_> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(field) = self.rest.split() else { return Ok(None) };
        self.value = Some(field);
        seed.deserialize(BorrowedStrDeserializer::new(field.0)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let (name, value) = self.value.take().ok_or_else(out_of_turn)?;
        seed.deserialize(value).map_err(|error| error.below(PathStep::Name(name)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// Single numbers one by one, with the names of fields if they are fields.
pub(super) struct InTurn<'n> {
    rest: Math<'n>,
    names: Option<&'static [&'static str]>,
    index: usize,
}

impl InTurn<'_> {
    fn next_number(&mut self) -> Option<Number> {
        let place =
            self.rest.first.checked_add(self.index).filter(|&place| place < self.rest.end)?;
        self.index = self.index.saturating_add(1);
        self.rest.numbers.get(place)
    }
}

impl<'de> SeqAccess<'de> for InTurn<'_> {
    type Error = DeserializeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let index = self.index;
        let Some(number) = self.next_number() else { return Ok(None) };
        let name = self.names.and_then(|names| names.get(index));
        seed.deserialize(NumberDeserializer(number)).map(Some).map_err(|error| {
            error.below(name.map_or_else(|| element(index), |name| PathStep::Name(name)))
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.count().saturating_sub(self.index))
    }
}

/// Fields one by one.
pub(super) struct Groups<'n> {
    rest: Math<'n>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Groups<'_> {
    type Error = DeserializeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((_, field)) = self.rest.split() else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        seed.deserialize(field).map(Some).map_err(|error| error.below(element(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The elements of a packed array of numbers.
pub(super) struct PackedNumbers<'n> {
    numbers: Numbers<'n>,
    index: usize,
    len: usize,
}

impl<'n> PackedNumbers<'n> {
    pub(super) fn new(numbers: Numbers<'n>) -> Self {
        Self { numbers, index: 0, len: numbers.elements() }
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(
        mut self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != self.len) {
            return Err(DeserializeError::wrong_length(wanted, self.len));
        }
        let value = visitor.visit_seq(&mut self)?;
        if self.index < self.len {
            return Err(DeserializeError::wrong_length(self.index, self.len));
        }
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for &mut PackedNumbers<'_> {
    type Error = DeserializeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let index = self.index;
        if index == self.len {
            return Ok(None);
        }
        self.index = index.saturating_add(1);
        let shape = self.numbers.shape();
        let count = usize::from(shape.count);
        let first = index.saturating_mul(count);
        let one = Math {
            numbers: self.numbers,
            first,
            end: first.saturating_add(count),
            fields: Fields::Parts(shape.parts),
        };
        let outcome = match one.number() {
            Some(number) => seed.deserialize(number),
            None => seed.deserialize(one),
        };
        outcome.map(Some).map_err(|error| error.below(element(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.index))
    }
}
