//! [`View`]: an array, dictionary or object that is read lazily.

mod items;
mod lookup;

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PySlice, PyString};
use variant_owned::json::Form;
use variant_view::{ElementType, Kind, StrView, VariantView};

use self::items::{Items, What};
use self::lookup::Lookup;
use crate::classes::classes;
use crate::document::{self, Document};
use crate::html;
use crate::index::Index;
use crate::place::Place;
use crate::text;

/// A container that is read from its bytes on access: an :class:`ArrayView`, a :class:`DictionaryView` or an :class:`ObjectView`.
///
/// The first access to an item locates all items: O(bytes of the container). Later accesses are O(1). A view keeps the
/// bytes of its file in memory.
#[pyclass(frozen, subclass, module = "variant_view")]
pub(crate) struct View {
    place: Place,
    index: PyOnceLock<Arc<Index>>,
    lookup: Lookup,
}

/// The view of the container at `place`.
pub(crate) fn view(py: Python<'_>, kind: Kind, place: Place) -> PyResult<Bound<'_, PyAny>> {
    let view = View { place, index: PyOnceLock::new(), lookup: Lookup::default() };
    let base = PyClassInitializer::from(view);
    Ok(match kind {
        Kind::Dictionary => {
            Bound::new(py, base.add_subclass(MappingView).add_subclass(DictionaryView))?.into_any()
        }
        Kind::Object => {
            Bound::new(py, base.add_subclass(MappingView).add_subclass(ObjectView))?.into_any()
        }
        _ => Bound::new(py, base.add_subclass(ArrayView))?.into_any(),
    })
}

/// The [`Place`] of a view or of a document; `None` for any other object.
pub(crate) fn place_of(value: &Bound<'_, PyAny>) -> Option<Place> {
    if let Ok(view) = value.cast::<View>() {
        return Some(view.get().place.clone());
    }
    value.cast::<Document>().ok().map(|document| document.get().place().clone())
}

/// The position for an index. A negative index counts from the end.
pub(crate) fn position(index: isize, len: usize) -> PyResult<usize> {
    let from_end = || len.checked_sub(index.unsigned_abs());
    let position = usize::try_from(index).ok().or_else(from_end).filter(|position| *position < len);
    position.ok_or_else(|| PyIndexError::new_err(format!("index {index} of {len} items")))
}

/// The positions that a slice selects.
pub(crate) fn positions(
    slice: &Bound<'_, PySlice>,
    len: usize,
) -> PyResult<impl Iterator<Item = usize>> {
    let indices = slice.indices(isize::try_from(len)?)?;
    Ok((0..indices.slicelength).filter_map(move |step| {
        let step = isize::try_from(step).ok()?.checked_mul(indices.step)?;
        usize::try_from(indices.start.checked_add(step)?).ok()
    }))
}

impl View {
    fn index(&self, py: Python<'_>) -> PyResult<&Arc<Index>> {
        self.index.get_or_try_init(py, || Ok(Arc::new(Index::new(py, &self.place)?)))
    }

    fn items(&self, py: Python<'_>, what: What) -> PyResult<Items> {
        Ok(Items::new(self.place.clone(), Arc::clone(self.index(py)?), what))
    }

    /// The container, with its head read. O(1).
    fn head<'a>(&'a self, py: Python<'a>) -> PyResult<VariantView<'a>> {
        self.place.document(py).root().map_err(|error| self.place.failure(py, error))
    }

    fn is_same(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let other = match place_of(other) {
            Some(place) => place.to_python(py)?,
            None => other.clone(),
        };
        self.place.to_python(py)?.eq(other)
    }

    fn shown(&self, py: Python<'_>, class: &str) -> PyResult<String> {
        let len = match self.head(py)? {
            VariantView::Dictionary(dictionary) => dictionary.len(),
            VariantView::Object(object) => object.len(),
            head => head.as_array().map_or(0, |array| array.len()),
        };
        Ok(format!("<{class} of {len} at byte {}>", self.place.offset))
    }
}

#[pymethods]
impl View {
    /// The name of the container's type, such as ``"Array"``.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.place.kind(py)?.name())
    }

    /// The offset of the container in the plain bytes of the file.
    #[getter]
    const fn offset(&self) -> usize {
        self.place.offset
    }

    /// The name of the dialect in which the container is read.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.place.options.dialect.name()
    }

    /// The bytes of the container, which are a complete value. O(bytes of the container).
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        document::bytes(py, &self.place)
    }

    /// The value at a path that starts at the container, like ``Document.at``.
    fn at<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        self.place.at(py, path)?.read(py)
    }

    /// The values that a path selects in the container, like ``Document.select``.
    fn select<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyList>> {
        document::select(py, &self.place, query)
    }

    /// The whole container as values of Python. O(bytes of the container).
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.place.to_python(py)
    }

    /// A table of the first items, for notebooks.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        html::of_place(slf.py(), &slf.repr()?.to_string(), &slf.get().place)
    }

    /// The whole container as JSON, as ``Document.to_json``.
    #[pyo3(signature = (*, exact = false, pretty = false))]
    fn to_json(&self, py: Python<'_>, exact: bool, pretty: bool) -> PyResult<String> {
        self.place.to_json(py, if exact { Form::Exact } else { Form::Plain }, pretty)
    }
}

/// A sequence of the elements of an array. Containers in it are views, other elements are values of Python.
#[pyclass(frozen, extends = View, module = "variant_view")]
pub(crate) struct ArrayView;

#[pymethods]
impl ArrayView {
    /// The declared type of the elements.
    #[getter]
    fn element_type<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, view) = (slf.py(), slf.as_super().get());
        let array = view.head(py)?.as_array().map_err(|error| view.place.failure(py, error))?;
        classes(py)?.declared(py, array.element_type().map(|name| name.as_bytes()))
    }

    /// The number of elements. The first call is O(bytes of the array), later calls are O(1).
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(slf.as_super().get().index(slf.py())?.len())
    }

    /// An element, or a list of the elements of a slice.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, view) = (slf.py(), slf.as_super().get());
        let items = view.items(py, What::Values)?;
        let Ok(slice) = index.cast::<PySlice>() else {
            return items.at(py, position(index.extract()?, items.len())?);
        };
        let values = positions(slice, items.len())?.map(|at| items.at(py, at));
        Ok(PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_any())
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Items> {
        slf.as_super().get().items(slf.py(), What::Values)
    }

    fn __reversed__(slf: &Bound<'_, Self>) -> PyResult<Items> {
        Ok(slf.as_super().get().items(slf.py(), What::Values)?.reversed())
    }

    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(Self::first(slf, value)?.is_some())
    }

    /// The position of the first element that is equal to ``value``. O(bytes of the array).
    fn index(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let missing = || {
            Ok(pyo3::exceptions::PyValueError::new_err(format!(
                "{} is not in the array",
                value.repr()?
            )))
        };
        Self::first(slf, value)?.map_or_else(|| Err(missing().unwrap_or_else(|error| error)), Ok)
    }

    /// The number of elements that are equal to ``value``. O(bytes of the array).
    fn count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let equal = slf.try_iter()?.map(|element| value.eq(element?));
        Ok(equal.collect::<PyResult<Vec<_>>>()?.into_iter().filter(|is_equal| *is_equal).count())
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        slf.as_super().get().is_same(slf.py(), other)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.as_super().get().shown(slf.py(), "ArrayView")
    }
}

impl ArrayView {
    fn first(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        for (position, element) in slf.try_iter()?.enumerate() {
            if value.eq(element?)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// A mapping: a dictionary, or the properties of an object. Containers among the values are views, other values are values of
/// Python.
#[pyclass(frozen, subclass, extends = View, module = "variant_view")]
pub(crate) struct MappingView;

#[pymethods]
impl MappingView {
    /// The number of pairs. The first call is O(bytes of the container), later calls are O(1).
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(slf.as_super().get().index(slf.py())?.len())
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::find(slf, key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __contains__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(Self::find(slf, key)?.is_some())
    }

    /// The value of a key, or ``default``. O(bytes of the container) for the first few keys, then O(1) for each key.
    #[pyo3(signature = (key, default = None))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Self::find(slf, key)?.or(default))
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Items> {
        Self::told(slf, What::Names, What::Keys)
    }

    fn __reversed__(slf: &Bound<'_, Self>) -> PyResult<Items> {
        Ok(Self::told(slf, What::Names, What::Keys)?.reversed())
    }

    /// The keys, or the names of the properties.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        classes(slf.py())?.keys_view.bind(slf.py()).call1((slf,))
    }

    /// The values.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        classes(slf.py())?.values_view.bind(slf.py()).call1((slf,))
    }

    /// The pairs of key and value.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        classes(slf.py())?.items_view.bind(slf.py()).call1((slf,))
    }

    fn _pairs(slf: &Bound<'_, Self>) -> PyResult<Items> {
        Self::told(slf, What::Properties, What::Pairs)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        slf.as_super().get().is_same(slf.py(), other)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?.to_string();
        slf.as_super().get().shown(slf.py(), &class)
    }
}

impl MappingView {
    fn find<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, view) = (slf.py(), slf.as_super().get());
        view.lookup.find(py, view, key)?.map(|place| place.read(py)).transpose()
    }

    fn told(slf: &Bound<'_, Self>, of_object: What, of_dictionary: What) -> PyResult<Items> {
        let what = if slf.is_instance_of::<ObjectView>() { of_object } else { of_dictionary };
        slf.as_super().get().items(slf.py(), what)
    }
}

/// A mapping of the pairs of a dictionary.
///
/// Keys are equal if the engine treats them as equal: ``1``, ``1.0`` and ``True`` are three keys. A key that occurs twice is
/// iterated twice; a look-up returns the last value of the key.
#[pyclass(frozen, extends = MappingView, module = "variant_view")]
pub(crate) struct DictionaryView;

#[pymethods]
impl DictionaryView {
    /// The declared type of the keys.
    #[getter]
    fn key_type<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::declared(slf, |dictionary| dictionary.key_type())
    }

    /// The declared type of the values.
    #[getter]
    fn value_type<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::declared(slf, |dictionary| dictionary.value_type())
    }
}

impl DictionaryView {
    fn declared<'py>(
        slf: &Bound<'py, Self>,
        declared: impl for<'a> FnOnce(&variant_view::DictionaryView<'a>) -> ElementType<StrView<'a>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, view) = (slf.py(), slf.as_super().as_super().get());
        let dictionary =
            view.head(py)?.as_dictionary().map_err(|error| view.place.failure(py, error))?;
        classes(py)?.declared(py, declared(&dictionary).map(|name| name.as_bytes()))
    }
}

/// A mapping of the properties of an object, and the name of its class. A view is only data: no object is created.
#[pyclass(frozen, extends = MappingView, module = "variant_view")]
pub(crate) struct ObjectView;

#[pymethods]
impl ObjectView {
    /// The name of the object's class.
    #[getter]
    fn class_name<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyString>> {
        let (py, view) = (slf.py(), slf.as_super().as_super().get());
        let object = view.head(py)?.as_object().map_err(|error| view.place.failure(py, error))?;
        text::read(py, object.class().map_or(&[], |class| class.as_bytes()))
    }
}
