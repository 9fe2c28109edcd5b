//! [`Table`]: many files as record batches of Arrow.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::{PyFileNotFoundError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString};
use variant_document::names::UnknownName;
use variant_io::OpenOptions;
use variant_table::{
    Column, Columns, Comparison, Condition, Files, Inferred, Literal, Meta, MisfitPolicy, Progress,
    ReadOptions, Reading, Source, TableError,
};

use crate::failure;
use crate::open;
use crate::options;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// Many files as record batches of Arrow. :func:`variant_view.table` returns it.
///
/// ``pyarrow.RecordBatchReader.from_stream(table)``, ``pandas.DataFrame.from_arrow(table)``,
/// ``polars.DataFrame(table)`` and DuckDB read the table without a copy, by the Arrow PyCapsule interface. Each reading
/// reads the files again, on separate threads; few batches are in memory at a time.
#[pyclass(frozen, module = "variant_view")]
pub(crate) struct Table {
    plan: variant_table::Table,
    files: Vec<Source>,
    threads: usize,
    /// The progress of the latest reading.
    progress: Mutex<Option<Progress>>,
}

#[pymethods]
impl Table {
    /// The columns, as :func:`variant_view.table` takes them.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.plan.columns().iter().map(ToString::to_string).collect()
    }

    /// The progress of the latest reading, with the numbers of rows and errors. ``None`` before the first reading.
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

    /// The record batches, as a capsule of the Arrow C stream interface. ``requested_schema`` is ignored, as the
    /// interface allows.
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

/// Many files as one table, which pandas, polars, pyarrow and DuckDB read without a copy.
///
/// ``files`` is a path, a folder, a pattern such as ``"saves/**/*.sav"``, a URL such as ``"s3://bucket/saves/*.sav"``, or a
/// sequence of these and of bytes-like objects. A file that is named twice is read once.
/// Credentials for buckets come from the environment. Dialect and framing are detected for each file if they are not given.
///
/// ``columns`` are ``NAME=EXPRESSION:TYPE``, such as ``"level=player.level:int"``, ``"items[*].id"`` (a row for each
/// item), ``"total=sum(..gold):int"``, ``"day=folder(day)"`` (the text of the folder ``day=TEXT``), and ``"_file"``, ``"_frame"``, ``"_offset"``, ``"_error"``, ``"_value"``.
/// Types that are not given are inferred from ``sample`` files (``infer``). If no columns are given, they are inferred,
/// with ``"_file"`` before and ``"_error"`` after them. ``filters`` are ``(column, comparison, value)`` with
/// ``== != < <= > >= in`` and ``not in``; rows that satisfy all filters are returned.
///
/// A broken file is a row with an ``_error``. Without that column it has no row, and is counted in ``Table.summary``. A
/// value that does not fit its column is null, and is reported in the same way. With ``misfits="strict"`` no column
/// accepts values of a narrower type.
///
/// This call lists the files and reads a sample. All files are read when the table is read, on ``threads`` threads; 0 means one
/// per core.
///
/// Raises FileNotFoundError for a pattern that matches nothing, and TableError for invalid columns and filters.
#[pyfunction]
#[pyo3(signature = (
    files, columns = None, *, filters = None, sample = 100, dialect = None, framing = None, reals = None, password = None, key = None,
    max_len = 1_073_741_824, mmap = false, misfits = "widen", validate = false, batch_rows = 8_192, threads = 0
))]
#[expect(clippy::too_many_arguments, reason = "the arguments are those of the Python function")]
pub(crate) fn table(
    py: Python<'_>,
    files: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    filters: Option<Vec<(String, String, Bound<'_, PyAny>)>>,
    sample: usize,
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
    let policy = misfits.parse::<MisfitPolicy>().map_err(options::unknown)?;
    let layers = open::layers(password, key, max_len, false)?.map(mmap);
    let reading = reading(dialect, framing, reals, layers)?;
    let reading = reading.misfits(policy).validate(validate).batch_rows(batch_rows);
    let refused = |error: TableError| failure::table(py, &error.to_string());
    let files = sources(py, files)?;
    let columns = columns.map(Columns::parse).transpose().map_err(refused)?;
    let columns = match columns {
        Some(columns) if columns.iter().all(is_typed) => columns,
        Some(columns) => {
            let inferred = py.detach(|| Inferred::of(&files, &reading, sample));
            // If all files are unreadable, each row has an error, and the types do not matter.
            inferred.map_or_else(|_| columns.clone(), |inferred| inferred.complete(&columns))
        }
        None => py.detach(|| inferred(&files, &reading, sample)).map_err(refused)?,
    };
    let conditions = filters.unwrap_or_default().iter().map(condition).collect::<PyResult<_>>()?;
    let asked = columns.clone();
    let plan = variant_table::Table::with_conditions(columns, reading, &asked, conditions);
    Ok(Table { plan: plan.map_err(refused)?, files, threads, progress: Mutex::new(None) })
}

/// The columns of files, inferred from ``sample`` of the files, for the argument ``columns`` of ``table``. Takes the same
/// arguments as ``table``. O(bytes of the sample).
///
/// Raises TableError if there are no files, or if no file of the sample can be read.
#[pyfunction]
#[pyo3(signature = (
    files, *, sample = 100, dialect = None, framing = None, reals = None, password = None, key = None, max_len = 1_073_741_824,
    mmap = false
))]
#[expect(clippy::too_many_arguments, reason = "the arguments are those of the Python function")]
pub(crate) fn infer(
    py: Python<'_>,
    files: &Bound<'_, PyAny>,
    sample: usize,
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    password: Option<&str>,
    key: Option<&[u8]>,
    max_len: u64,
    mmap: bool,
) -> PyResult<Vec<String>> {
    let layers = open::layers(password, key, max_len, false)?.map(mmap);
    let reading = reading(dialect, framing, reals, layers)?;
    let files = sources(py, files)?;
    let columns = py.detach(|| inferred(&files, &reading, sample));
    let columns = columns.map_err(|error| failure::table(py, &error.to_string()))?;
    Ok(columns.iter().map(ToString::to_string).collect())
}

fn inferred(files: &[Source], reading: &ReadOptions, sample: usize) -> Result<Columns, TableError> {
    // The columns `_file` and `_error` are added, since damaged files are rows with only these two values.
    Inferred::of(files, reading, sample)?.columns()?.with(&[Meta::File, Meta::Error])
}

/// Whether a column has a type, so that nothing must be inferred for it.
fn is_typed(column: &Column) -> bool {
    column.path().is_none() || column.column_type().is_some()
}

fn reading(
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    layers: OpenOptions,
) -> PyResult<ReadOptions> {
    let reading = options::reading(dialect, framing, reals, options::DEPTH)?;
    Ok(ReadOptions::new().reading(Reading { layers, ..reading }))
}

/// The files that the argument names: one path, or several paths and bytes-like objects.
fn sources(py: Python<'_>, named: &Bound<'_, PyAny>) -> PyResult<Vec<Source>> {
    let is_path = |named: &Bound<'_, PyAny>| {
        Ok::<_, PyErr>(named.is_instance_of::<PyString>() || named.hasattr("__fspath__")?)
    };
    let all = if is_path(named)? {
        vec![named.clone()]
    } else {
        named.try_iter()?.collect::<PyResult<_>>()?
    };
    let (mut sources, mut paths) = (Vec::new(), Vec::new());
    for (number, file) in all.iter().enumerate() {
        if is_path(file)? {
            paths.push(file.extract::<PathBuf>()?);
            continue;
        }
        let bytes = crate::source::Source::of(file)?;
        sources.push(Source::Bytes(format!("<bytes {number}>").into(), bytes.bytes(py).into()));
    }
    // The name "-" would mean standard input.
    let paths = paths
        .into_iter()
        .map(|path| if path == Path::new("-") { PathBuf::from("./-") } else { path });
    let found = py
        .detach(|| Files::find(paths, 0))
        .map_err(|error| failure::table(py, &error.to_string()))?;
    if let Some(pattern) = found.unmatched.first() {
        return Err(PyFileNotFoundError::new_err(format!("no file matches {pattern:?}")));
    }
    Ok(found.sources.into_iter().chain(sources).collect())
}

/// A filter: column, comparison, and the value to compare with.
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
            return Err(options::unknown(UnknownName::new("filters", comparison, known)));
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
