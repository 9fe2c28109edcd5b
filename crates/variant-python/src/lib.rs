//! The module `variant_view._native` of the Python package `variant-view`: the part of `python/variant_view` in Rust.
//!
//! Bytes stay in Rust ([`source`]). [`builder`] makes values of Python from bytes; [`given`] reads values of Python.

// `packed/buffer.rs` gives Python access to memory, which requires `unsafe`.
#![deny(unsafe_code)]

mod builder;
mod classes;
mod container;
mod convert;
mod debug;
mod diff;
mod document;
mod edit;
mod encode;
mod failure;
mod file;
mod frames;
mod given;
mod how;
mod html;
mod index;
mod key;
mod migration;
mod open;
mod options;
mod origin;
mod packed;
mod place;
mod schema;
mod source;
mod table;
mod text;

/// Godot's and Pandemonium's binary Variants.
#[pyo3::pymodule(name = "_native", gil_used = false)]
mod native {
    use pyo3::prelude::*;
    use variant_io::Framing;
    use variant_view::{Dialect, Kind};

    #[pymodule_export]
    use crate::container::{ArrayView, DictionaryView, MappingView, ObjectView, View};
    #[pymodule_export]
    use crate::convert::{Hole, Salvaged};
    #[pymodule_export]
    use crate::debug::{Game, Session};
    #[pymodule_export]
    use crate::diff::{Conflict, Difference};
    #[pymodule_export]
    use crate::document::{Document, Summary};
    #[pymodule_export]
    use crate::edit::{Change, Edit};
    #[pymodule_export]
    use crate::encode::encode;
    #[pymodule_export]
    use crate::file::File;
    #[pymodule_export]
    use crate::key::Key;
    #[pymodule_export]
    use crate::migration::Migration;
    #[pymodule_export]
    use crate::open::{Candidate, detect, loads, open, open_bytes, validate};
    #[pymodule_export]
    use crate::packed::PackedArray;
    #[pymodule_export]
    use crate::schema::Breach;
    #[pymodule_export]
    use crate::table::{Table, infer, table};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add(
            "DIALECTS",
            tuple(module.py(), Dialect::ALL.iter().map(|dialect| dialect.name()))?,
        )?;
        module.add("COMMANDS", tuple(module.py(), crate::debug::commands())?)?;
        module.add("FRAMINGS", tuple(module.py(), Framing::NAMES.into_iter())?)?;
        module.add("KINDS", tuple(module.py(), Kind::ALL.iter().map(|kind| kind.name()))?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    fn tuple(
        py: Python<'_>,
        names: impl Iterator<Item = &'static str>,
    ) -> PyResult<Bound<'_, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, names.collect::<Vec<_>>())
    }
}
