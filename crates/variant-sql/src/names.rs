//! [`names`]: the files of each partition, as rows in a plan.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, BinaryArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::cast::as_binary_array;
use datafusion::common::{Result, exec_err, not_impl_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::physical_plan::ExecutionPlan;
use variant_table::Source;

/// The name of each file; also the bytes of a file that is not on a disk.
fn schema() -> SchemaRef {
    let fields =
        [Field::new("file", DataType::Binary, false), Field::new("bytes", DataType::Binary, true)];
    Arc::new(Schema::new(fields.to_vec()))
}

/// A plan whose rows are files. Planners can split it into tasks, so each task has only its files.
pub(crate) fn names(parts: Vec<Vec<Source>>) -> Result<Arc<dyn ExecutionPlan>> {
    let parts =
        parts.into_iter().map(|part| Ok(vec![batch(&part)?])).collect::<Result<Vec<_>>>()?;
    Ok(MemorySourceConfig::try_new_exec(&parts, schema(), None)?)
}

fn batch(files: &[Source]) -> Result<RecordBatch> {
    let files = files.iter().map(|file| match file {
        Source::Path(path) => Ok((of_path(path)?, None)),
        Source::Bytes(name, bytes) => Ok((name.as_bytes(), Some(&**bytes))),
        other => not_impl_err!("{} is an object of a store", other.name()),
    });
    let (names, bytes): (Vec<_>, Vec<_>) = files.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let columns: [Arc<dyn datafusion::arrow::array::Array>; 2] = [
        Arc::new(BinaryArray::from_iter_values(names)),
        Arc::new(bytes.into_iter().collect::<BinaryArray>()),
    ];
    Ok(RecordBatch::try_new(schema(), columns.into())?)
}

/// The files that the rows name.
pub(crate) fn sources(batch: &RecordBatch) -> Result<Vec<Source>> {
    let [names, bytes] = batch.columns() else {
        return exec_err!(
            "{} columns of files, expected their names and bytes",
            batch.num_columns()
        );
    };
    let (names, bytes) = (as_binary_array(names)?, as_binary_array(bytes)?);
    let source = |row| {
        let name = names.value(row);
        if bytes.is_null(row) {
            return Ok(Source::Path(path_of(name)?));
        }
        let name = String::from_utf8_lossy(name);
        Ok(Source::Bytes(name.as_ref().into(), bytes.value(row).into()))
    };
    (0..batch.num_rows()).map(source).collect()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "names are text elsewhere")]
fn of_path(path: &std::path::Path) -> Result<&[u8]> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(path.as_os_str().as_bytes())
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "names are text elsewhere")]
fn path_of(name: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn of_path(path: &std::path::Path) -> Result<&[u8]> {
    path.to_str().map_or_else(
        || not_impl_err!("{}: the name is not text", path.display()),
        |name| Ok(name.as_bytes()),
    )
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Result<PathBuf> {
    str::from_utf8(name).map_or_else(
        |error| exec_err!("the name of a file is not text: {error}"),
        |name| Ok(name.into()),
    )
}
