//! [`Sequence`]: the items of packed arrays.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use variant_view::{Kind, Number, Numbers, StrView};

use super::leaf::text;
use super::math::{Math, step, wrong_length};
use super::number::NumberDeserializer;
use crate::error::Error;

pub(super) trait Item<'de> {
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error>;
}

/// An element of a packed array of numbers.
pub(super) enum Element<'n> {
    Number(NumberDeserializer),
    Math(Math<'n>),
}

impl<'de> Item<'de> for Element<'_> {
    #[inline]
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        match self {
            Self::Number(number) => seed.deserialize(number),
            Self::Math(math) => seed.deserialize(math),
        }
    }
}

impl<'de> Item<'de> for StrView<'de> {
    fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let outcome = seed.deserialize(BorrowedStrDeserializer::new(text(&self)?));
        outcome.map_err(|error: Error| error.at(self.offset(), Kind::String))
    }
}

/// The elements of a packed array of numbers.
pub(super) fn elements(
    numbers: Numbers<'_>,
    offset: usize,
) -> Sequence<impl ExactSizeIterator<Item = Element<'_>>> {
    let (kind, shape) = (numbers.kind(), numbers.shape());
    let all = Math::new(&numbers, &shape, offset);
    let (bytes, len) = (numbers.as_wire_bytes().unwrap_or_default(), shape.bytes(numbers.width()));
    Sequence::new((0..numbers.elements()).map(move |index| {
        if shape.parts.is_empty() {
            let number = numbers.get(index).unwrap_or(Number::Int(0));
            return Element::Number(NumberDeserializer { number, kind, offset });
        }
        let first = index.saturating_mul(len);
        let bytes = bytes.get(first..first.saturating_add(len)).unwrap_or_default();
        Element::Math(all.of_bytes(bytes))
    }))
}

pub(super) struct Sequence<I> {
    items: I,
    index: usize,
}

impl<I: ExactSizeIterator> Sequence<I> {
    pub(super) const fn new(items: I) -> Self {
        Self { items, index: 0 }
    }

    /// Reads all items. `wanted` is the number that the type expects, if known.
    pub(super) fn visit<'de, V: Visitor<'de>>(
        mut self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value, Error>
    where
        I::Item: Item<'de>,
    {
        let len = self.items.len();
        if let Some(wanted) = wanted.filter(|&wanted| wanted != len) {
            return Err(wrong_length(wanted, len));
        }
        let value = visitor.visit_seq(&mut self)?;
        if self.index < len { Err(wrong_length(self.index, len)) } else { Ok(value) }
    }
}

impl<'de, I: ExactSizeIterator<Item: Item<'de>>> SeqAccess<'de> for &mut Sequence<I> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index = index.wrapping_add(1);
        item.read(seed).map(Some).map_err(|error: Error| error.below(step(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}
