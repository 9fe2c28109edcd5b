//! [`PackedElements`], [`PackedTexts`]: packed arrays as sequences.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use variant_view::{Kind, Numbers, PackedStrings, Shape, Strings};

use super::leaf::text;
use super::math::{Math, step, wrong_length};
use super::number::NumberDeserializer;
use crate::error::Error;

/// The elements of a packed array of numbers.
pub(super) struct PackedElements<'de> {
    numbers: Numbers<'de>,
    shape: Shape,
    kind: Kind,
    offset: usize,
    index: usize,
    len: usize,
}

impl<'de> PackedElements<'de> {
    pub(super) fn new(numbers: Numbers<'de>, kind: Kind, offset: usize) -> Self {
        Self { numbers, shape: numbers.shape(), kind, offset, index: 0, len: numbers.elements() }
    }

    pub(super) fn visit<V: Visitor<'de>>(
        mut self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != self.len) {
            return Err(wrong_length(wanted, self.len));
        }
        let value = visitor.visit_seq(&mut self)?;
        if self.index < self.len { Err(wrong_length(self.index, self.len)) } else { Ok(value) }
    }
}

impl<'de> SeqAccess<'de> for &mut PackedElements<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let (index, kind, offset) = (self.index, self.kind, self.offset);
        if index == self.len {
            return Ok(None);
        }
        self.index = index.wrapping_add(1);
        let outcome = if self.shape.parts.is_empty() {
            let Some(number) = self.numbers.get(index) else { return Ok(None) };
            seed.deserialize(NumberDeserializer { number, kind, offset })
        } else {
            let all = Math::new(&self.numbers, &self.shape, offset);
            let len = self.shape.bytes(self.numbers.width());
            let bytes = self.numbers.as_wire_bytes().unwrap_or_default();
            let first = index.saturating_mul(len);
            let bytes = bytes.get(first..first.saturating_add(len)).unwrap_or_default();
            seed.deserialize(all.of_bytes(bytes))
        };
        outcome.map(Some).map_err(|error: Error| error.below(step(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.index))
    }
}

/// The texts of a packed array.
pub(super) struct PackedTexts<'de> {
    texts: Strings<'de>,
    index: usize,
}

impl<'de> PackedTexts<'de> {
    pub(super) fn new(texts: &PackedStrings<'de>) -> Self {
        Self { texts: texts.iter(), index: 0 }
    }

    pub(super) fn visit<V: Visitor<'de>>(
        mut self,
        wanted: Option<usize>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let len = self.texts.len();
        if let Some(wanted) = wanted.filter(|&wanted| wanted != len) {
            return Err(wrong_length(wanted, len));
        }
        let value = visitor.visit_seq(&mut self)?;
        if self.index < len { Err(wrong_length(self.index, len)) } else { Ok(value) }
    }
}

impl<'de> SeqAccess<'de> for &mut PackedTexts<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(view) = self.texts.next() else { return Ok(None) };
        let index = self.index;
        self.index = index.wrapping_add(1);
        let outcome = text(&view).and_then(|text| {
            let outcome = seed.deserialize(BorrowedStrDeserializer::new(text));
            outcome.map_err(|error: Error| error.at(view.offset(), Kind::String))
        });
        outcome.map(Some).map_err(|error: Error| error.below(step(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.texts.len())
    }
}
