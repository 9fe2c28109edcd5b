//! The classes of `python/variant_view`, looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use variant_view::{ElementType, Kind};

use crate::text;

macro_rules! classes {
    ($($module:literal $(($field:ident, $name:literal))*;)*) => {
        /// The classes that values are made of.
        #[derive(Debug)]
        pub(crate) struct Classes {
            $($(pub(crate) $field: Py<PyType>,)*)*
            /// The classes of mathematical values, at the index of their kind.
            math: Vec<Option<Py<PyType>>>,
            /// `tuple.__new__`, which makes a mathematical value of its parts without checking them.
            tuple_new: Py<PyAny>,
            /// The return types of `keys`, `values` and `items` of a mapping.
            pub(crate) keys_view: Py<PyAny>,
            pub(crate) values_view: Py<PyAny>,
            pub(crate) items_view: Py<PyAny>,
        }

        impl Classes {
            fn import(py: Python<'_>) -> PyResult<Self> {
                let class = |module: &str, name: &str| -> PyResult<Py<PyType>> {
                    Ok(py.import(module)?.getattr(name)?.cast_into::<PyType>()?.unbind())
                };
                let math_class = |kind: &Kind| {
                    let is_math = kind.shape().is_some_and(|shape| !shape.is_packed);
                    is_math.then(|| class("variant_view.math", kind.name())).transpose()
                };
                let views = py.import("variant_view._views")?;
                Ok(Self {
                    $($($field: class($module, $name)?,)*)*
                    math: Kind::ALL.iter().map(math_class).collect::<PyResult<_>>()?,
                    tuple_new: py.get_type::<PyTuple>().getattr("__new__")?.unbind(),
                    keys_view: views.getattr("Keys")?.unbind(),
                    values_view: views.getattr("Values")?.unbind(),
                    items_view: views.getattr("Items")?.unbind(),
                })
            }
        }
    };
}

classes! {
    "variant_view.values"
        (string_name, "StringName") (int64, "Int64") (float32, "Float32") (float64, "Float64")
        (packed_strings, "PackedStringArray") (node_path, "NodePath") (rid, "RID") (callable, "Callable")
        (signal, "Signal") (object_id, "ObjectId") (null_object, "NullObject") (object, "Object")
        (image, "Image") (input_event, "InputEvent") (element_type, "ElementType") (array, "Array")
        (dictionary, "Dictionary");
    "variant_view.math" (math_base, "Math");
    "variant_view.found" (found, "Found");
    "variant_view.errors"
        (decode_error, "DecodeError") (path_error, "PathError") (encode_error, "EncodeError")
        (open_error, "OpenError") (table_error, "TableError")
        (migration_error, "MigrationError") (edit_error, "EditError")
        (merge_error, "MergeError") (debug_error, "DebugError");
}

/// The classes, looked up at the first call.
pub(crate) fn classes(py: Python<'_>) -> PyResult<&Classes> {
    static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || Classes::import(py))
}

impl Classes {
    /// Makes a mathematical value of its parts. The parts must have the right types.
    pub(crate) fn math<'py>(
        &self,
        py: Python<'py>,
        kind: Kind,
        is_wide: bool,
        parts: Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.math.get(kind.index()).and_then(Option::as_ref);
        let Some(class) = class else { return Ok(parts.into_any()) };
        let value = self.tuple_new.bind(py).call1((class, parts))?;
        if is_wide {
            value.getattr("__dict__")?.set_item("width", 64)?;
        }
        Ok(value)
    }

    /// The declared type of a container, as an `ElementType`; `None` if no type is declared.
    pub(crate) fn declared<'py>(
        &self,
        py: Python<'py>,
        element_type: ElementType<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (form, name) = match element_type {
            ElementType::Any => return Ok(py.None().into_bound(py)),
            ElementType::Builtin(kind) => ("builtin", kind.name().into_pyobject(py)?.into_any()),
            ElementType::Class(name) => ("class", text::read(py, name)?.into_any()),
            ElementType::Script(name) => ("script", text::read(py, name)?.into_any()),
            ElementType::Unknown(id) => ("unknown", id.into_pyobject(py)?.into_any()),
        };
        self.element_type.bind(py).call1((form, name))
    }
}

/// Keyword arguments.
pub(crate) fn named<'py>(
    py: Python<'py>,
    pairs: impl IntoIterator<Item = (&'static str, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (name, value) in pairs {
        named.set_item(name, value)?;
    }
    Ok(named)
}
