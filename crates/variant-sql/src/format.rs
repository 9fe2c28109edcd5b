//! [`VariantFormat`]: files of Variants as a format of DataFusion.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::stats::Precision;
use datafusion::common::{DataFusionError, GetExt, Result, Statistics, not_impl_err, plan_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore};
use serde::{Deserialize, Serialize};
use variant_document::names::UnknownName;
use variant_table::{Column, Columns, Inferred, Meta, MisfitPolicy, Objects, Source, Table};

use crate::chunk::chunked;
use crate::reading::Reading;
use crate::source::VariantSource;

/// The conversion of files to rows. Each value is a row or, if a column has a path such as `items[*].id`, each item is
/// a row. A damaged file or value is a row of nulls, whose `_error` has the reason.
///
/// Besides its columns, a table has `_file`, `_frame`, `_offset`, `_error` and `_value`. Columns that a query does not
/// name are not read.
///
/// | option | is |
/// |---|---|
/// | `columns` | columns between commas, as [`Column`] reads them; inferred if not given |
/// | `sample` | the number of files from which missing parts of the columns are inferred; 100 |
/// | `dialect`, `framing`, `reals` | the settings for reading files; detected for each file if not given |
/// | `password_env` | the environment variable with the password |
/// | `max_unpacked` | the maximum size of a decompressed and decrypted file, in bytes; 1 GiB |
/// | `misfits` | `widen` or `strict`: whether a column of floats takes ints |
/// | `validate` | whether each value is validated as a whole; false |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariantFormat {
    /// The options for reading files.
    pub reading: Reading,
    /// The columns; inferred if not given.
    pub columns: Option<Columns>,
    /// The number of files from which missing columns and types are inferred.
    pub sample: usize,
}

/// The default number of files from which missing columns are inferred.
pub const SAMPLE: usize = 100;

const OPTIONS: [&str; 9] = [
    "columns",
    "sample",
    "dialect",
    "framing",
    "reals",
    "password_env",
    "max_unpacked",
    "misfits",
    "validate",
];

impl Default for VariantFormat {
    fn default() -> Self {
        Self { reading: Reading::default(), columns: None, sample: SAMPLE }
    }
}

impl VariantFormat {
    /// Sets an option.
    ///
    /// # Errors
    /// The option does not exist, or does not have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let reading = &mut self.reading;
        let text = || Some(value.to_owned());
        match name {
            "columns" => self.columns = Some(Columns::parse_list(value).map_err(external)?),
            "sample" => self.sample = number(name, value)?,
            "dialect" => reading.dialect = text(),
            "framing" => reading.framing = text(),
            "reals" => reading.reals = text(),
            "password_env" => reading.password_env = text(),
            "max_unpacked" => reading.max_unpacked = Some(number(name, value)?),
            "misfits" => reading.misfits = value.parse::<MisfitPolicy>().map_err(external)?,
            "validate" => match value {
                "true" | "false" => reading.validate = value == "true",
                _ => return plan_err!("{name} is {value}, expected true or false"),
            },
            _ => return plan_err!("{}", UnknownName::new("argument of variants", name, OPTIONS)),
        }
        Ok(())
    }

    pub(crate) fn of_options(options: &HashMap<String, String>) -> Result<Self> {
        let mut format = Self::default();
        for (name, value) in options {
            format.set(name.strip_prefix("format.").unwrap_or(name), value)?;
        }
        Ok(format)
    }

    /// The columns of a table of these files. Reads a sample of the files, unless all types are given. Blocks the
    /// thread.
    pub(crate) fn columns_of(
        &self,
        files: impl FnOnce() -> Result<Vec<Source>>,
    ) -> Result<Columns> {
        let is_typed = |column: &Column| column.path().is_none() || column.column_type().is_some();
        let columns = match &self.columns {
            Some(columns) if columns.iter().all(is_typed) => columns.clone(),
            columns => {
                let options = self.reading.options().map_err(DataFusionError::Plan)?;
                let inferred = Inferred::of(&files()?, &options, self.sample).map_err(external)?;
                match columns {
                    Some(columns) => inferred.complete(columns),
                    None => inferred.columns().map_err(external)?,
                }
            }
        };
        let columns = with_metas(columns)?;
        // A table is prepared only to report conflicting options early.
        let options = self.reading.without_key().map_err(DataFusionError::Plan)?;
        Table::new(columns.clone(), options).map_err(external)?;
        Ok(columns)
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T> {
    value.parse().or_else(|_| plan_err!("{name} is {value}, expected a number from 0"))
}

/// The columns, followed by each column about a row (such as `_file` and `_error`) that is not among them.
fn with_metas(columns: Columns) -> Result<Columns> {
    let mut columns: Vec<Column> = columns.into();
    let names: HashSet<_> = columns.iter().map(|column| column.name().to_owned()).collect();
    let metas = Meta::ALL.into_iter().filter(|meta| !names.contains(meta.name()));
    columns.extend(metas.map(Column::of_meta));
    Columns::new(columns).map_err(external)
}

#[async_trait]
impl FileFormat for VariantFormat {
    fn get_ext(&self) -> String {
        EXTENSION.to_owned()
    }

    fn get_ext_with_compression(&self, _: &FileCompressionType) -> Result<String> {
        not_impl_err!("files are decompressed as they are found")
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let (format, store) = (self.clone(), Arc::clone(store));
        let paths: Vec<_> = objects.iter().map(|object| object.location.clone()).collect();
        let columns = SpawnedTask::spawn_blocking(move || {
            format.columns_of(|| {
                let store = Objects::new(store).map_err(external)?;
                Ok(paths.iter().map(|path| store.source(path)).collect())
            })
        });
        let columns = columns.join().await.map_err(external)??;
        if self.columns.is_some() {
            return Ok(columns.schema());
        }
        // Columns of folders are left out, since DataFusion has its own columns for folders.
        let is_folder = |column: &Column| column.is_of_file() && column.meta().is_none();
        let columns = columns.iter().filter(|column| !is_folder(column)).cloned().collect();
        Ok(Columns::new(columns).map_err(external)?.schema())
    }

    /// The number of rows is estimated as one for each file, since most files have one value.
    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&schema).with_num_rows(Precision::Inexact(1)))
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(DataSourceExec::from_data_source(chunked(config)))
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(VariantSource::new(self.reading.clone(), schema))
    }
}

/// Makes a [`VariantFormat`] of the options of a statement.
#[derive(Debug)]
pub struct VariantFormatFactory;

/// The extension of files in `SELECT * FROM 'save.variant'`.
const EXTENSION: &str = "variant";

impl GetExt for VariantFormatFactory {
    fn get_ext(&self) -> String {
        EXTENSION.to_owned()
    }
}

impl FileFormatFactory for VariantFormatFactory {
    fn create(
        &self,
        _: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(VariantFormat::of_options(options)?))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(VariantFormat::default())
    }
}

pub(crate) fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
