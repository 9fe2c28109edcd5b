//! [`Declared`]: element types from Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use variant_view::{ElementType, Kind};

use super::leaf::text_of;
use crate::{packed, text};

/// The declared type of a container. It exists while the head of the container is fed.
pub(super) enum Declared {
    Any,
    Builtin(Kind),
    Class(Vec<u8>),
    Script(Vec<u8>),
    Unknown(u32),
}

impl Declared {
    pub(super) fn of(element_type: &Bound<'_, PyAny>) -> PyResult<Self> {
        if element_type.is_none() {
            return Ok(Self::Any);
        }
        let form: String = element_type.getattr("form")?.extract()?;
        let name = element_type.getattr("name")?;
        let bytes = || Ok::<_, PyErr>(text::written(&text_of(&name)?)?.into_owned());
        match form.as_str() {
            "builtin" => Ok(Self::Builtin(packed::kind(&name.extract::<String>()?)?)),
            "class" => Ok(Self::Class(bytes()?)),
            "script" => Ok(Self::Script(bytes()?)),
            "unknown" => Ok(Self::Unknown(name.extract()?)),
            _ => Err(PyValueError::new_err(format!(
                "element type: unknown form {form:?}, expected builtin, class, script or unknown"
            ))),
        }
    }

    pub(super) fn get(&self) -> ElementType<&[u8]> {
        match self {
            Self::Any => ElementType::Any,
            Self::Builtin(kind) => ElementType::Builtin(*kind),
            Self::Class(name) => ElementType::Class(name),
            Self::Script(name) => ElementType::Script(name),
            Self::Unknown(id) => ElementType::Unknown(*id),
        }
    }
}
