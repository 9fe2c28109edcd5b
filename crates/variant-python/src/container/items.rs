//! [`Items`]: an iterator of a container.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use variant_view::Reader;

use crate::index::Index;
use crate::place::Place;
use crate::text;

/// The items that an iterator returns.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// The elements of an array, or the values of a mapping.
    Values,
    Keys,
    Pairs,
    Names,
    /// The names of properties with their values.
    Properties,
}

/// An iterator over a container. Threads may share it; each item is returned to one of them.
#[pyclass(frozen, module = "variant_view._native")]
#[derive(Debug)]
pub(super) struct Items {
    place: Place,
    index: Arc<Index>,
    what: What,
    next: AtomicUsize,
    is_reversed: bool,
}

impl Items {
    pub(super) const fn new(place: Place, index: Arc<Index>, what: What) -> Self {
        Self { place, index, what, next: AtomicUsize::new(0), is_reversed: false }
    }

    /// The same items from the last to the first.
    pub(super) fn reversed(self) -> Self {
        Self { is_reversed: true, ..self }
    }

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    pub(super) fn at<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyAny>> {
        let key = self.index.keys.get(position).copied().unwrap_or_default();
        let value = self.index.values.get(position).copied().unwrap_or_default();
        let value = || self.place.inner(value, 1).read(py);
        let key_of = || self.place.inner(key, 1).to_key(py);
        Ok(match self.what {
            What::Values => value()?,
            What::Keys => key_of()?,
            What::Pairs => (key_of()?, value()?).into_pyobject(py)?.into_any(),
            What::Names => self.name(py, key)?,
            What::Properties => (self.name(py, key)?, value()?).into_pyobject(py)?.into_any(),
        })
    }

    fn name<'py>(&self, py: Python<'py>, offset: usize) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place.inner(offset, 1);
        let mut reader = Reader::new(place.bytes(py), place.options);
        let name = reader.name().map_err(|error| place.failure(py, error))?;
        Ok(text::read(py, name.as_bytes())?.into_any())
    }
}

#[pymethods]
impl Items {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let told = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(left) = self.len().checked_sub(told).and_then(|left| left.checked_sub(1)) else {
            // After the last item, the counter is set to the end, so that it never wraps around.
            self.next.store(self.len(), Ordering::Relaxed);
            return Ok(None);
        };
        self.at(py, if self.is_reversed { left } else { told }).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        self.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
