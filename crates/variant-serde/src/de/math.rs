//! [`Math`]: vectors, matrices and the like, as structs, tuples or flat sequences of numbers.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use variant_view::{Kind, Number, NumberType, Numbers, PathStep, Shape, Width};

use super::number::NumberDeserializer;
use super::text;
use crate::error::{Error, ErrorKind};

/// The numbers of a mathematical value, of an element of a packed array, or of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Math<'n> {
    fields: Fields,
    /// The numbers in wire form, and their type.
    bytes: &'n [u8],
    number: NumberType,
    /// The kind of the whole value.
    kind: Kind,
    offset: usize,
}

#[derive(Clone, Copy, Debug)]
enum Fields {
    /// Fields with their names. Each is one number, or a group of named numbers.
    Parts(&'static [(&'static str, &'static [&'static str])]),
    /// The names of fields, each of which is one number. Empty for a number without fields.
    Numbers(&'static [&'static str]),
}

impl<'n> Math<'n> {
    /// A mathematical value, or all elements of a packed array.
    #[inline]
    pub(super) fn new(numbers: &Numbers<'n>, shape: &Shape, offset: usize) -> Self {
        Self {
            fields: Fields::Parts(shape.parts),
            bytes: numbers.as_wire_bytes().unwrap_or_default(),
            number: numbers.number_type(),
            kind: numbers.kind(),
            offset,
        }
    }

    /// The same value with only the numbers in `bytes`.
    #[inline]
    pub(super) const fn of_bytes(self, bytes: &'n [u8]) -> Self {
        Self { bytes, ..self }
    }

    /// The size of a number in bytes.
    #[inline]
    fn size(&self) -> usize {
        self.number.bytes(Width::W32)
    }

    /// The count of numbers.
    #[inline]
    fn count(&self) -> usize {
        self.bytes.len().checked_div(self.size()).unwrap_or(0)
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

    /// Removes the first field.
    #[inline]
    fn split(&mut self) -> Option<(&'static str, Self)> {
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
        let (bytes, rest) = self.bytes.split_at_checked(len.checked_mul(self.size())?)?;
        self.bytes = rest;
        Some((name, Self { fields, bytes, ..*self }))
    }

    /// The number, if there is only one.
    #[inline]
    fn number(&self) -> Option<NumberDeserializer> {
        if self.bytes.len() > self.size() {
            return None;
        }
        let number = Number::from_wire(self.number, self.bytes)?;
        Some(NumberDeserializer { number, kind: self.kind, offset: self.offset })
    }

    /// Reads a struct of these fields. If the fields are the numbers in wire order, the struct is read as a sequence.
    #[inline]
    pub(super) fn record<'de, V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.fields {
            Fields::Parts(parts) if are(fields, parts) => self.in_turn(Some(fields), visitor),
            _ => self.map(visitor),
        }
    }

    /// Reads all numbers one by one. If each number is a field, `names` are the names of the fields. `f32` is the most
    /// frequent type and has a separate copy of the code.
    #[inline]
    fn in_turn<'de, V: Visitor<'de>>(
        self,
        names: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let outcome = match self.number {
            NumberType::Float32 => {
                visitor.visit_seq(InTurn::<true> { rest: self, names, index: 0 })
            }
            _ => visitor.visit_seq(InTurn::<false> { rest: self, names, index: 0 }),
        };
        outcome.map_err(|error: Error| error.at(self.offset, self.kind))
    }

    #[inline]
    fn map<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Some(number) = self.number() {
            return number.deserialize_any(visitor);
        }
        let outcome = visitor.visit_map(Named { rest: self, value: None });
        outcome.map_err(|error: Error| error.at(self.offset, self.kind))
    }

    /// `wanted` is the number of elements that the type expects, if known.
    fn seq<'de, V: Visitor<'de>>(
        self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let by_fields = self.has_groups() && wanted == Some(self.len());
        let len = if by_fields { self.len() } else { self.count() };
        if let Some(wanted) = wanted.filter(|&wanted| wanted != len) {
            return Err(wrong_length(wanted, len).at(self.offset, self.kind));
        }
        if by_fields { self.groups(visitor) } else { self.in_turn(None, visitor) }
    }

    fn groups<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let outcome = visitor.visit_seq(Groups { rest: self, index: 0 });
        outcome.map_err(|error: Error| error.at(self.offset, self.kind))
    }
}

/// Whether `fields` are the names of `parts`, in order, and each part is one number.
#[inline]
fn are(fields: &[&str], parts: &[(&str, &[&str])]) -> bool {
    let same = |(field, (name, names)): (&&str, &(&str, &[&str]))| {
        names.is_empty() && text::same(field.as_bytes(), name.as_bytes())
    };
    fields.len() == parts.len() && fields.iter().zip(parts).all(same)
}

/// The error for a sequence of `found` elements if the type expects `wanted`.
#[cold]
pub(super) fn wrong_length(wanted: usize, found: usize) -> Error {
    Error::new(ErrorKind::WrongLength, format_args!("expected {wanted} elements, found {found}"))
}

macro_rules! if_number {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.number() {
                Some(number) => number.$method(visitor),
                None => Err(Error::wrong_kind(&visitor, self.kind, self.offset)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Math<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // The visitor receives a sequence and not a map, because serde may buffer the value (for a tagged enum) before
        // the type is known. A struct accepts a sequence, but an array does not accept a map.
        match self.number() {
            Some(number) => number.deserialize_any(visitor),
            None if self.has_groups() => self.groups(visitor),
            None => self.in_turn(None, visitor),
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

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.seq(None, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.seq(Some(len), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.seq(Some(len), visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.record(fields, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.map(visitor)
    }

    forward_to_deserialize_any! { unit_struct enum identifier ignored_any }
}

/// The fields as a map, one by one.
struct Named<'n> {
    rest: Math<'n>,
    value: Option<(&'static str, Math<'n>)>,
}

impl<'de> MapAccess<'de> for Named<'_> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(field) = self.rest.split() else { return Ok(None) };
        self.value = Some(field);
        seed.deserialize(BorrowedStrDeserializer::new(field.0)).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Some((name, value)) = self.value.take() else { return Err(out_of_turn()) };
        seed.deserialize(value).map_err(|error: Error| error.below(PathStep::Name(name)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

#[cold]
pub(super) fn out_of_turn() -> Error {
    Error::new(ErrorKind::Message, "a value was asked for before its key")
}

/// Single numbers one by one.
struct InTurn<'n, const FLOAT32: bool> {
    rest: Math<'n>,
    names: Option<&'static [&'static str]>,
    index: usize,
}

impl<const FLOAT32: bool> InTurn<'_, FLOAT32> {
    #[inline(always)]
    fn next_number(&mut self) -> Option<Number> {
        let number = if FLOAT32 { NumberType::Float32 } else { self.rest.number };
        let (bytes, rest) = self.rest.bytes.split_at_checked(number.bytes(Width::W32))?;
        self.rest.bytes = rest;
        self.index = self.index.wrapping_add(1);
        Number::from_wire(number, bytes)
    }

    /// Prepends the step to the number that was read last to the error's path.
    #[cold]
    #[inline(never)]
    fn failed(&self, error: Error) -> Error {
        let index = self.index.wrapping_sub(1);
        let name = self.names.and_then(|names| names.get(index));
        error.below(name.map_or_else(|| step(index), |name| PathStep::Name(name)))
    }
}

impl<'de, const FLOAT32: bool> SeqAccess<'de> for InTurn<'_, FLOAT32> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(number) = self.next_number() else { return Ok(None) };
        let Math { kind, offset, .. } = self.rest;
        match seed.deserialize(NumberDeserializer { number, kind, offset }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.count())
    }
}

/// The fields as a sequence, one by one.
struct Groups<'n> {
    rest: Math<'n>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Groups<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((_, field)) = self.rest.split() else { return Ok(None) };
        let index = self.index;
        self.index = index.wrapping_add(1);
        seed.deserialize(field).map(Some).map_err(|error: Error| error.below(step(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The step to an element.
pub(super) fn step(index: usize) -> PathStep<'static> {
    PathStep::Number(i64::try_from(index).unwrap_or(i64::MAX))
}
