//! [`Row`]: consecutive values in the compact form.

use serde::de::{DeserializeSeed, SeqAccess};
use variant_serde::{Deserializer, Error, from_view_seed};
use variant_view::PathStep;

use super::list::List;
use crate::bytes::size;
use crate::values::{CompactIter, CompactValues};

pub(super) struct Row<'de> {
    values: CompactIter<'de>,
    /// The number of values that were read.
    read: u32,
}

impl<'de> Row<'de> {
    pub(super) const fn new(values: CompactValues<'de>) -> Self {
        Self { values: values.iter(), read: 0 }
    }
}

impl<'de> Row<'de> {
    /// Deserializes a value in the ordinary form directly from its bytes, without creating a view.
    #[inline]
    fn ordinary<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        bytes: &'de [u8],
    ) -> Result<S::Value, Error> {
        let rest = self.values.rest();
        let mut deserializer = Deserializer::new(bytes, *rest.options());
        let value = seed.deserialize(&mut deserializer);
        let value = value.map_err(|error| error.in_buffer(rest.offset()))?;
        match deserializer.offset() {
            // The type did not read the value, so it is skipped.
            0 => {
                self.values.next().transpose()?;
            }
            read => self.values.advance(read),
        }
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for Row<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let value = match self.values.ordinary() {
            Some(bytes) => self.ordinary(seed, bytes),
            None => match self.values.next() {
                Some(Ok(view)) => from_view_seed(seed, view),
                Some(Err(error)) => Err(error.into()),
                None => return Ok(None),
            },
        };
        let index = self.read;
        self.read = index.saturating_add(1);
        value.map(Some).map_err(|error| error.below(PathStep::Number(index.into())))
    }

    fn size_hint(&self) -> Option<usize> {
        self.values.rest().count().and_then(|left| usize::try_from(left).ok())
    }
}

impl<'de> List<'de> for Row<'de> {
    fn taken(&self) -> usize {
        size(self.read)
    }

    /// Counts the values if their number is not given.
    fn left(&self) -> usize {
        let rest = self.values.rest();
        if rest.is_empty() { 0 } else { rest.count().map_or_else(|| rest.iter().count(), size) }
    }
}
