//! [`Index`]: the offsets of the items of a container.

use pyo3::prelude::*;
use variant_view::{Error, Kind, Options, Reader};

use crate::place::{Place, detached};

/// The offsets of the items of a container, counted from its first byte.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The offsets of the keys of a dictionary or the names of an object; empty for an array.
    pub(crate) keys: Vec<usize>,
    pub(crate) values: Vec<usize>,
}

impl Index {
    /// Makes the index of the container at `place`. O(bytes of the container). It takes 8 bytes of memory for each
    /// element, 16 for each pair.
    pub(crate) fn new(py: Python<'_>, place: &Place) -> PyResult<Self> {
        let (bytes, options) = (place.bytes(py), place.options);
        let index = detached(py, bytes.len(), || Self::read(bytes, options));
        index.map_err(|error| place.failure(py, error))
    }

    fn read(bytes: &[u8], options: Options) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, options);
        let (view, items) = reader.next_value()?;
        let kind = view.kind();
        let mut index = Self::default();
        for item in 0..items.unwrap_or(0) {
            let is_key = kind == Kind::Dictionary && item.is_multiple_of(2);
            if kind == Kind::Object {
                index.keys.push(reader.offset());
                reader.name()?;
            }
            let list = if is_key { &mut index.keys } else { &mut index.values };
            list.push(reader.offset());
            reader.skip()?;
        }
        Ok(index)
    }

    pub(crate) const fn len(&self) -> usize {
        self.values.len()
    }
}
