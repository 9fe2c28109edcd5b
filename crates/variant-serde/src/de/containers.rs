//! serde's access to containers on the wire, element by element.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer as _, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use variant_view::{Document, PathStep, Reader, StrView};

use super::key::FieldKey;
use super::leaf::{short, step, text};
use super::{Deserializer, Result};
use crate::error::Error;

/// A size hint: `left`, but at most the number of values that fit into the unread bytes. Counts in the data are not
/// trusted.
fn hint(left: u32, reader: &Reader<'_>) -> usize {
    let possible = reader.rest().len() / 4;
    usize::try_from(left).map_or(possible, |left| left.min(possible))
}

/// The elements of an array.
pub(super) struct Elements<'r, 'de> {
    de: &'r mut Deserializer<'de>,
    left: u32,
    items: u32,
}

impl<'r, 'de> Elements<'r, 'de> {
    pub(super) const fn new(de: &'r mut Deserializer<'de>, items: u32) -> Self {
        Self { de, left: items, items }
    }

    /// The number of elements read, and the number of all elements.
    pub(super) fn counts(&self) -> (usize, usize) {
        let read = self.items.wrapping_sub(self.left);
        let [read, all] =
            [read, self.items].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        (read, all)
    }
}

impl<'de> SeqAccess<'de> for &mut Elements<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let index = self.items.wrapping_sub(self.left);
        self.left = left;
        match seed.deserialize(&mut *self.de) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.below(PathStep::Number(index.into()))),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(hint(self.left, &self.de.reader))
    }
}

/// The pairs of a dictionary, or the fields of a struct.
pub(super) struct Pairs<'r, 'de> {
    de: &'r mut Deserializer<'de>,
    /// The number of unread keys and values.
    left: u32,
    items: u32,
    /// The bytes of the document from the start of the key that was read last.
    key: &'de [u8],
    fields: Option<&'static [&'static str]>,
    /// The position of the next expected field.
    next: usize,
}

impl<'r, 'de> Pairs<'r, 'de> {
    #[inline]
    pub(super) const fn new(
        de: &'r mut Deserializer<'de>,
        items: u32,
        fields: Option<&'static [&'static str]>,
    ) -> Self {
        Self { de, left: items, items, key: &[], fields, next: 0 }
    }

    /// Skips the items that the visitor has not read.
    #[inline]
    pub(super) fn finish(&mut self) -> Result<()> {
        for _ in 0..self.left {
            self.de.reader.skip()?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn value_failed(&self, error: Error) -> Error {
        error.below(step_of(self.key, &self.de.reader, self.position()))
    }

    #[cold]
    #[inline(never)]
    fn key_failed(&self, error: Error) -> Error {
        // serde reports an unknown field after its name is read, so the error has the path of the key.
        error.below(PathStep::PositionKey(self.position()))
    }

    const fn position(&self) -> u32 {
        self.items.wrapping_sub(self.left).wrapping_sub(1) / 2
    }
}

/// The step to the value of the key at the start of `bytes`.
fn step_of<'de>(bytes: &'de [u8], reader: &Reader<'_>, position: u32) -> PathStep<'de> {
    step(Document::new(bytes, reader.options()).root().ok().as_ref(), position)
}

impl<'de> MapAccess<'de> for &mut Pairs<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.key = self.de.reader.rest();
        let outcome = match self.fields {
            Some(fields) => {
                seed.deserialize(FieldKey { de: self.de, fields, next: &mut self.next })
            }
            None => seed.deserialize(&mut *self.de),
        };
        match outcome {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.key_failed(error)),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.left = self.left.saturating_sub(1);
        match seed.deserialize(&mut *self.de) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.value_failed(error)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(hint(self.left / 2, &self.de.reader))
    }
}

/// The properties of an object. If the type requests the class, the class comes first.
pub(super) struct Properties<'r, 'de> {
    de: &'r mut Deserializer<'de>,
    left: u32,
    items: u32,
    class: Option<StrView<'de>>,
    /// The name of the next value; `None` if the next value is the class.
    name: Option<StrView<'de>>,
    is_class: bool,
}

impl<'r, 'de> Properties<'r, 'de> {
    pub(super) const fn new(
        de: &'r mut Deserializer<'de>,
        items: u32,
        class: Option<StrView<'de>>,
    ) -> Self {
        Self { de, left: items, items, class, name: None, is_class: false }
    }

    /// Skips the properties that the visitor has not read.
    pub(super) fn finish(&mut self) -> Result<()> {
        if self.name.take().is_some() {
            self.de.reader.skip()?;
        }
        for _ in 0..self.left {
            self.de.reader.name()?;
            self.de.reader.skip()?;
        }
        Ok(())
    }

    #[cold]
    fn step(&self) -> PathStep<'de> {
        let name = self.name.and_then(|name| name.engine_text().ok());
        let position = self.items.wrapping_sub(self.left).wrapping_sub(1);
        short(name.map(PathStep::Name), position)
    }
}

impl<'de> MapAccess<'de> for &mut Properties<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.is_class = self.class.is_some() && self.items == self.left && !self.is_class;
        if self.is_class {
            return seed.deserialize(BorrowedStrDeserializer::new("@class")).map(Some);
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.class = None;
        let name = self.de.reader.name()?;
        self.name = Some(name);
        let outcome = seed.deserialize(BorrowedStrDeserializer::new(text(&name)?));
        match outcome {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(Error::below(error, self.step())),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        if let Some(class) = self.class.filter(|_| self.is_class) {
            self.class = None;
            return seed.deserialize(BorrowedStrDeserializer::new(text(&class)?));
        }
        let outcome =
            seed.deserialize(&mut *self.de).map_err(|error: Error| error.below(self.step()));
        self.name = None;
        outcome
    }

    fn size_hint(&self) -> Option<usize> {
        let class = usize::from(self.class.is_some() && !self.is_class);
        Some(hint(self.left, &self.de.reader).saturating_add(class))
    }
}

/// A dictionary of one pair as a variant of an enum. The key is the variant's name, the value is its content.
pub(super) struct OnePair<'r, 'de> {
    de: &'r mut Deserializer<'de>,
    key: &'de [u8],
}

impl<'r, 'de> OnePair<'r, 'de> {
    pub(super) const fn new(de: &'r mut Deserializer<'de>) -> Self {
        let key = de.reader.rest();
        Self { de, key }
    }

    fn content<T>(self, read: impl FnOnce(&mut Deserializer<'de>) -> Result<T>) -> Result<T> {
        let Self { de, key } = self;
        read(&mut *de).map_err(|error: Error| error.below(step_of(key, &de.reader, 0)))
    }
}

impl<'de> EnumAccess<'de> for OnePair<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self)> {
        match seed.deserialize(&mut *self.de) {
            Ok(name) => Ok((name, self)),
            Err(error) => Err(error.below(PathStep::PositionKey(0))),
        }
    }
}

impl<'de> VariantAccess<'de> for OnePair<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.content(|de| serde::Deserialize::deserialize(de))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        self.content(|de| seed.deserialize(de))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|de| de.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content(|de| de.deserialize_struct("", fields, visitor))
    }
}
