//! [`Table`]: many files as record batches of Arrow.

use std::ffi::CStr;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};
use variant_table::{
    Columns, Comparison, Condition, Literal, MisfitPolicy, Progress, ReadOptions, Source,
    TableError,
};

use crate::failure;
use crate::open;
use crate::options;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// Many files as record batches of Arrow; from :func:`variant_view.table`.
///
/// ``pyarrow.RecordBatchReader.from_stream(table)``, ``pandas.DataFrame.from_arrow(table)``, ``polars.DataFrame(table)`` and DuckDB
/// read it without a copy, by the Arrow PyCapsule interface. Each of them reads the files anew, on threads of its own; few batches are
/// in memory at a time.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct Table {
    plan: variant_table::Table,
    files: Vec<Source>,
    threads: usize,
    /// What is known of the reading that began last.
    progress: Mutex<Option<Progress>>,
}

#[pymethods]
impl Table {
    /// The columns, as :func:`variant_view.table` takes them.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.plan.columns().iter().map(ToString::to_string).collect()
    }

    /// How much was read so far by the reading that began last, and what became of it: rows and errors. ``None`` before the first.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(summary) = progress.map(|progress| progress.summary()) else { return Ok(None) };
        let told = PyDict::new(py);
        for (name, count) in [
            ("files", summary.files),
            ("bytes", summary.bytes),
            ("values", summary.values),
            ("rows", summary.rows),
            ("filtered", summary.filtered),
            ("errors", summary.errors),
            ("misfits", summary.misfits),
            ("decoded", summary.decoded),
        ] {
            told.set_item(name, count)?;
        }
        Ok(Some(told))
    }

    /// The schema, as a capsule of the Arrow C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.plan.schema().as_ref());
        let schema = schema.map_err(|error| failure::table(py, &error.to_string()))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    /// The record batches, as a capsule of the Arrow C stream interface. ``requested_schema`` is not looked at, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let scan = self.plan.scan(self.files.clone(), self.threads);
        let progress = scan.progress();
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(scan)), STREAM)
    }

    fn __repr__(&self) -> String {
        let (files, columns) = (self.files.len(), self.columns().join(", "));
        format!("<Table of {files} files: {columns}>")
    }
}

/// Prepares a table; `variant_view.table` has listed the files.
#[pyfunction]
#[pyo3(signature = (
    files, columns, *, filters = None, dialect = None, framing = None, reals = None, password = None, key = None,
    max_len = 1_073_741_824, mmap = false, misfits = "widen", validate = false, batch_rows = 8_192, threads = 0
))]
#[expect(clippy::too_many_arguments, reason = "as Python gives them")]
pub(crate) fn prepare(
    py: Python<'_>,
    files: &Bound<'_, PyList>,
    columns: Vec<String>,
    filters: Option<Vec<(String, String, Bound<'_, PyAny>)>>,
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    password: Option<&str>,
    key: Option<&[u8]>,
    max_len: u64,
    mmap: bool,
    misfits: &str,
    validate: bool,
    batch_rows: usize,
    threads: usize,
) -> PyResult<Table> {
    let policy = match misfits {
        "widen" => MisfitPolicy::Widen,
        "strict" => MisfitPolicy::Strict,
        _ => return Err(options::unknown("misfits", misfits, ["widen", "strict"].into_iter())),
    };
    let reading = ReadOptions::new()
        .dialect(dialect.map(options::dialect).transpose()?)
        .framing(framing.map(options::framing).transpose()?)
        .reals(reals.map(options::reals).transpose()?)
        .max_len(max_len)
        .map(mmap)
        .misfits(policy)
        .validate(validate)
        .batch_rows(batch_rows);
    let reading = match open::key(password, key)? {
        Some(key) => reading.key(key),
        None => reading,
    };
    let refused = |error: TableError| failure::table(py, &error.to_string());
    let columns = Columns::parse(columns).map_err(refused)?;
    let conditions = filters.unwrap_or_default().iter().map(condition).collect::<PyResult<_>>()?;
    let asked = columns.clone();
    let plan = variant_table::Table::with_conditions(columns, reading, &asked, conditions);
    let files = files.iter().enumerate().map(|(number, file)| source(py, number, &file));
    Ok(Table {
        plan: plan.map_err(refused)?,
        files: files.collect::<PyResult<_>>()?,
        threads,
        progress: Mutex::new(None),
    })
}

/// A file by its path, or bytes, whose name is their number.
fn source(py: Python<'_>, number: usize, file: &Bound<'_, PyAny>) -> PyResult<Source> {
    if file.is_instance_of::<PyString>() || file.hasattr("__fspath__")? {
        return Ok(Source::Path(file.extract::<PathBuf>()?));
    }
    let bytes = crate::source::Source::of(file)?;
    Ok(Source::Bytes(format!("<bytes {number}>").into(), bytes.bytes(py).into()))
}

/// A filter: column, comparison, and what is compared with.
fn condition(
    (column, comparison, value): &(String, String, Bound<'_, PyAny>),
) -> PyResult<Condition> {
    let (comparison, literals) = match comparison.as_str() {
        "==" | "!=" if value.is_none() => {
            let is_null = comparison == "==";
            (if is_null { Comparison::IsNull } else { Comparison::IsNotNull }, Vec::new())
        }
        "==" => (Comparison::In, vec![literal(value)?]),
        "!=" => (Comparison::NotIn, vec![literal(value)?]),
        "<" => (Comparison::Less, vec![literal(value)?]),
        "<=" => (Comparison::AtMost, vec![literal(value)?]),
        ">" => (Comparison::More, vec![literal(value)?]),
        ">=" => (Comparison::AtLeast, vec![literal(value)?]),
        "in" | "not in" => {
            let literals =
                value.try_iter()?.map(|value| literal(&value?)).collect::<PyResult<_>>()?;
            (if comparison == "in" { Comparison::In } else { Comparison::NotIn }, literals)
        }
        _ => {
            let known = ["==", "!=", "<", "<=", ">", ">=", "in", "not in"];
            return Err(options::unknown("filters", comparison, known.into_iter()));
        }
    };
    Ok(Condition { column: column.clone(), comparison, literals })
}

fn literal(value: &Bound<'_, PyAny>) -> PyResult<Literal> {
    if let Ok(value) = value.extract::<bool>() {
        return Ok(Literal::Bool(value));
    }
    if let Ok(value) = value.extract::<i64>() {
        return Ok(Literal::Int(value));
    }
    if let Ok(value) = value.extract::<String>() {
        return Ok(Literal::Text(value));
    }
    value.extract().map(Literal::Float).map_err(|_| {
        PyTypeError::new_err("filters: a value is compared with a bool, an int, a float or a str")
    })
}
