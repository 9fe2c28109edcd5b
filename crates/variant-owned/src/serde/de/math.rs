//! [`Math`] and [`elements`]: vectors and packed arrays as structs, tuples and sequences.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use variant_view::{Number, Numbers, PathStep};

use super::Result;
use super::containers::{Item, Sequence};
use super::fields::out_of_turn;
use super::number::NumberDeserializer;
use crate::serde::error::DeserializeError;

/// The numbers of a mathematical value, of an element of a packed array, or of a field of either.
pub(super) struct Math<'n> {
    numbers: Numbers<'n>,
    /// The index of the first number, and the index after the last.
    first: usize,
    end: usize,
    fields: Fields,
}

enum Fields {
    /// Each field is a number or a group of numbers.
    Parts(&'static [(&'static str, &'static [&'static str])]),
    /// Each field is a number.
    Numbers(&'static [&'static str]),
}

impl<'n> Math<'n> {
    pub(super) fn new(numbers: Numbers<'n>) -> Self {
        let fields = Fields::Parts(numbers.shape().parts);
        Self { numbers, first: 0, end: numbers.len(), fields }
    }

    const fn width(&self) -> usize {
        self.end.saturating_sub(self.first)
    }

    const fn len(&self) -> usize {
        match self.fields {
            Fields::Parts(parts) => parts.len(),
            Fields::Numbers(names) => names.len(),
        }
    }

    fn has_groups(&self) -> bool {
        matches!(self.fields, Fields::Parts(parts) if parts.iter().any(|(_, names)| !names.is_empty()))
    }

    /// The number, if there is only one.
    fn number(&self) -> Option<NumberDeserializer> {
        let number = self.numbers.get(self.first)?;
        (self.len() == 0 && self.width() == 1).then_some(NumberDeserializer(number))
    }

    /// Reads all numbers one by one. `names` are the names of the numbers in errors; empty if the numbers are not
    /// fields.
    fn in_turn<'de, V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let all = (self.first..self.end)
            .map(|place| NumberDeserializer(self.numbers.get(place).unwrap_or(Number::Int(0))));
        visitor.visit_seq(&mut Sequence::of_fields(all, names))
    }

    /// Reads the value for a type that accepts anything: the fields, or all numbers if each field is a number.
    pub(super) fn any<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.has_groups() {
            visitor.visit_seq(&mut Sequence::new(self.map(|(_, field)| field)))
        } else {
            self.in_turn(&[], visitor)
        }
    }

    /// Reads the value for a type that expects a sequence of `wanted` elements. If some fields are groups of numbers,
    /// and there are `wanted` fields, the elements are the fields. Otherwise the elements are all numbers.
    pub(super) fn seq<'de, V: Visitor<'de>>(
        self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value> {
        if self.has_groups() && wanted == Some(self.len()) {
            return self.any(visitor);
        }
        match wanted.filter(|&wanted| wanted != self.width()) {
            Some(wanted) => Err(DeserializeError::wrong_length(wanted, self.width())),
            None => self.in_turn(&[], visitor),
        }
    }

    /// Reads the value for a type that expects a struct or a map.
    pub(super) fn record<'de, V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(number) = self.number() {
            return number.deserialize_any(visitor);
        }
        match (fields, &self.fields) {
            (Some(fields), Fields::Parts(parts)) if are(fields, parts) => {
                self.in_turn(fields, visitor)
            }
            _ => visitor.visit_map(Named { rest: self, value: None }),
        }
    }
}

impl Iterator for Math<'_> {
    type Item = (&'static str, Self);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, len, fields) = match &mut self.fields {
            Fields::Parts(parts) => {
                let ((name, names), rest) = parts.split_first()?;
                *parts = rest;
                (*name, names.len().max(1), Fields::Numbers(names))
            }
            Fields::Numbers(names) => {
                let (first, rest) = names.split_first()?;
                *names = rest;
                (*first, 1, Fields::Numbers(&[]))
            }
        };
        let first = self.first;
        self.first = first.saturating_add(len);
        Some((name, Self { numbers: self.numbers, first, end: self.first, fields }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for Math<'_> {}

/// Whether `fields` are the names of `parts` in order, and each part is one number.
fn are(fields: &[&str], parts: &[(&str, &[&str])]) -> bool {
    let names = parts.iter().map(|(name, names)| names.is_empty().then_some(*name));
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
            None => self.any(visitor),
        }
    }

    if_number! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
        deserialize_bool deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_unit
    }

    wrappers_pass!();

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.seq(None, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.seq(Some(len), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.seq(Some(len), visitor)
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

/// Passes the fields one by one, with their names.
struct Named<'n> {
    rest: Math<'n>,
    value: Option<(&'static str, Math<'n>)>,
}

impl<'de> MapAccess<'de> for Named<'_> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.value = self.rest.next();
        let Some((name, _)) = &self.value else { return Ok(None) };
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let (name, value) = self.value.take().ok_or_else(out_of_turn)?;
        seed.deserialize(value).map_err(|error| error.below(PathStep::Name(name)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

pub(super) enum Element<'n> {
    Number(NumberDeserializer),
    Math(Math<'n>),
}

impl<'de> Item<'de> for Element<'_> {
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        match self {
            Self::Number(number) => seed.deserialize(number),
            Self::Math(math) => seed.deserialize(math),
        }
    }
}

pub(super) fn elements(
    numbers: Numbers<'_>,
) -> Sequence<impl ExactSizeIterator<Item = Element<'_>>> {
    let shape = numbers.shape();
    let count = usize::from(shape.count);
    Sequence::new((0..numbers.elements()).map(move |index| {
        let first = index.saturating_mul(count);
        let (end, fields) = (first.saturating_add(count), Fields::Parts(shape.parts));
        let one = Math { numbers, first, end, fields };
        one.number().map_or_else(|| Element::Math(one), Element::Number)
    }))
}
