//! [`VariantTable`]: files as a table of DataFusion.

use std::fs;
use std::io;
use std::path::{self, Path as FilePath};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::stats::Precision;
use datafusion::common::{Result, Statistics, plan_datafusion_err, plan_err, project_schema};
use datafusion::datasource::file_format::FileFormat as _;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::object_store::ObjectStoreUrl;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::{CreateExternalTable, Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::union::UnionExec;
use object_store::path::Path;
use serde::{Deserialize, Serialize};
use variant_table::{Column, Columns, Files, Source};

use crate::format::{VariantFormat, external};

/// Files, folders, patterns of files, and URLs of stores as a table. In contrast to a `ListingTable` of DataFusion, the
/// table has rows for empty and for missing files. Each query finds the files again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VariantTable {
    files: Vec<String>,
    format: VariantFormat,
    columns: Columns,
    /// The files, kept only if they include standard input, which can be read only once.
    #[serde(skip)]
    read: Arc<OnceLock<Vec<Source>>>,
}

impl VariantTable {
    /// The table of files. Infers the types and columns that `format` does not have. Finds the files and reads the
    /// sample on this thread.
    ///
    /// # Errors
    /// A name in `format` is unknown, a name matches no file, columns cannot be inferred, or `runtime` does not know a
    /// store.
    pub fn new(files: Vec<String>, format: VariantFormat, runtime: &RuntimeEnv) -> Result<Self> {
        let mut table = Self { files, format, columns: Columns::default(), read: Arc::default() };
        table.columns = table.format.columns_of(|| table.sources(runtime))?;
        Ok(table)
    }

    /// The same table, with file names that do not depend on the working folder of this process.
    pub(crate) fn absolute(&self) -> Result<Self> {
        let absolute = |name: &String| {
            if name.contains("://") {
                return Ok(name.clone());
            }
            let path = path::absolute(name)?;
            let not_utf8 =
                || plan_datafusion_err!("the folder of '{name}' has a name that is not UTF-8");
            path.to_str().map(str::to_owned).ok_or_else(not_utf8)
        };
        let files = self.files.iter().map(absolute).collect::<Result<_>>()?;
        Ok(Self { files, read: Arc::default(), ..self.clone() })
    }

    /// The current files. They include files that were added since the previous query.
    fn sources(&self, runtime: &RuntimeEnv) -> Result<Vec<Source>> {
        if let Some(read) = self.read.get() {
            return Ok(read.clone());
        }
        let most = self.format.reading.max_unpacked.unwrap_or(MOST);
        let stores = &runtime.object_store_registry;
        let store = |url: &url::Url| stores.get_store(url).map_err(io::Error::other);
        let found = Files::find_in(&self.files, most, store).map_err(external)?;
        if let Some(name) = found.unmatched.first() {
            return plan_err!("'{name}' matches no file; try a folder, or ** for folders in it");
        }
        if self.files.iter().any(|name| name == STANDARD_INPUT) {
            return Ok(self.read.get_or_init(|| found.sources).clone());
        }
        Ok(found.sources)
    }
}

const STANDARD_INPUT: &str = "-";

/// The maximum number of bytes of standard input.
const MOST: u64 = 1 << 30;

/// The files of each store.
fn by_store(sources: Vec<Source>) -> Result<Vec<(ObjectStoreUrl, Vec<PartitionedFile>)>> {
    let mut stores: Vec<(ObjectStoreUrl, Vec<PartitionedFile>)> = Vec::new();
    for source in sources {
        let (url, file) = located(source)?;
        match stores.iter_mut().find(|(known, _)| *known == url) {
            Some((_, files)) => files.push(file),
            None => stores.push((url, vec![file])),
        }
    }
    Ok(stores)
}

/// The store of a file, and the file in this store. In this process, the file keeps the name by which it was found.
fn located(source: Source) -> Result<(ObjectStoreUrl, PartitionedFile)> {
    let mut file = PartitionedFile::new("", 0);
    if let Source::Object(_, name) = &source {
        let start = name.match_indices('/').nth(2).map_or(name.len(), |(at, _)| at);
        let (url, path) = name.split_at_checked(start).unwrap_or((name, ""));
        file.object_meta.location = Path::parse(path).map_err(external)?;
        return Ok((ObjectStoreUrl::parse(url)?, file));
    }
    file.object_meta.location = match &source {
        Source::Path(path) => location(path),
        other => Path::from(other.name()),
    };
    Ok((ObjectStoreUrl::local_filesystem(), file.with_extension(source)))
}

/// The absolute name of a file, for other processes. If the name is not UTF-8, other processes do not find the file.
fn location(path: &FilePath) -> Path {
    let of = |path: &FilePath| Path::from_absolute_path(path).ok();
    let absolute = path::absolute(path).ok().and_then(|path| of(&path));
    let canonical = || fs::canonicalize(path).ok().and_then(|path| of(&path));
    absolute.or_else(canonical).unwrap_or_else(|| Path::from(path.to_string_lossy().as_ref()))
}

#[async_trait]
impl TableProvider for VariantTable {
    fn schema(&self) -> SchemaRef {
        self.columns.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    /// Scans check the filters that they support, and DataFusion checks all filters again.
    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (table, runtime) = (self.clone(), Arc::clone(state.runtime_env()));
        let files = SpawnedTask::spawn_blocking(move || by_store(table.sources(&runtime)?));
        let schema = self.schema();
        let mut plans = Vec::new();
        for (url, files) in files.join().await.map_err(external)?? {
            let source = self.format.file_source(TableSchema::from(Arc::clone(&schema)));
            let mut statistics = Statistics::new_unknown(&schema);
            if !self.columns.iter().any(Column::makes_rows) {
                // The number of rows is estimated as one for each file, since most files have one value.
                statistics.num_rows = Precision::Inexact(files.len());
            }
            let groups = FileGroup::new(files).split_files(state.config().target_partitions());
            let config = FileScanConfigBuilder::new(url, source)
                .with_file_groups(groups)
                .with_statistics(statistics)
                .with_projection_indices(projection.cloned())?
                .with_limit(limit);
            plans.push(self.format.create_physical_plan(state, config.build()).await?);
        }
        match plans.len() {
            0 => Ok(Arc::new(EmptyExec::new(project_schema(&schema, projection)?))),
            1 => Ok(plans.remove(0)),
            _ => UnionExec::try_new(plans),
        }
    }
}

/// Makes the tables of `CREATE EXTERNAL TABLE saves STORED AS VARIANT LOCATION 'saves/*.sav' OPTIONS (columns 'hp:int')`.
#[derive(Debug)]
pub struct VariantTableFactory;

#[async_trait]
impl TableProviderFactory for VariantTableFactory {
    async fn create(
        &self,
        state: &dyn Session,
        command: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        if !command.schema.fields().is_empty() {
            return plan_err!("name the columns in OPTIONS (columns '...'), not in the table");
        }
        let format = VariantFormat::of_options(&command.options)?;
        let (files, runtime) = (command.locations.clone(), Arc::clone(state.runtime_env()));
        let table = SpawnedTask::spawn_blocking(move || VariantTable::new(files, format, &runtime));
        let mut table = table.join().await.map_err(external)??;
        let mut columns: Vec<Column> = table.columns.into();
        for key in &command.table_partition_cols {
            if columns.iter().all(|column| column.name() != key) {
                columns.push(Column::of_folder(key));
            }
        }
        table.columns = Columns::new(columns).map_err(external)?;
        Ok(Arc::new(table))
    }
}
