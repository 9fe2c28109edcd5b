//! [`VariantTable`]: files as a table of DataFusion.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::thread;

use async_trait::async_trait;
use datafusion::arrow::array::{AsArray as _, RecordBatch, StringArray};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{DFSchema, DataFusionError, Result, plan_datafusion_err};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use serde::{Deserialize, Serialize};
use variant_table::{Column, Columns, Files, Inferred, Meta, Source, Table};

use crate::condition::condition;
use crate::exec::VariantExec;
use crate::names::names;
use crate::reading::Reading;
use crate::scan::{Scan, external};

/// Files as a table. Each value is a row, or one row for each item of a column such as `items[*].id`. A damaged file or
/// value is a row of nulls whose `_error` says why.
///
/// Besides its columns it has `_file`, `_frame`, `_offset`, `_error` and `_value`. Columns that a query does not name
/// are not read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VariantTable {
    files: Vec<String>,
    reading: Reading,
    columns: Columns,
    /// The files, if standard input is one of them: it is read once.
    #[serde(skip)]
    read: Arc<OnceLock<Vec<Source>>>,
}

/// The default number of files from which missing columns are inferred.
pub const SAMPLE: usize = 100;

impl VariantTable {
    /// The table of files, folders and patterns of files. Infers the types that `columns` lack, or all columns if it is
    /// `None`, from a sample of the files. Finds the files and reads the sample on this thread.
    ///
    /// # Errors
    /// An unknown name in `reading`; a name without a file; columns that cannot be inferred.
    pub fn new(
        files: Vec<String>,
        reading: Reading,
        columns: Option<&Columns>,
        sample: usize,
    ) -> Result<Self> {
        let mut table = Self { files, reading, columns: Columns::default(), read: Arc::default() };
        let is_typed = |column: &Column| column.meta().is_some() || column.column_type().is_some();
        let columns = match columns {
            Some(columns) if columns.iter().all(is_typed) => columns.clone(),
            columns => {
                let options = table.reading.options().map_err(DataFusionError::Plan)?;
                let inferred =
                    Inferred::of(&table.sources()?, &options, sample).map_err(external)?;
                match columns {
                    Some(columns) => inferred.complete(columns),
                    None => inferred.columns().map_err(external)?,
                }
            }
        };
        table.columns = with_metas(columns)?;
        // Reports conflicting options early.
        let options = table.reading.without_key().map_err(DataFusionError::Plan)?;
        Table::new(table.columns.clone(), options).map_err(external)?;
        Ok(table)
    }

    /// The names of the files, as given.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The same files by names that do not depend on the working folder of this process.
    pub(crate) fn absolute(&self) -> Result<Self> {
        let absolute = |name: &String| {
            let path = std::path::absolute(name)?;
            let not_utf8 =
                || plan_datafusion_err!("the folder of '{name}' has a name that is not UTF-8");
            path.to_str().map(str::to_owned).ok_or_else(not_utf8)
        };
        let files = self.files.iter().map(absolute).collect::<Result<_>>()?;
        let (reading, columns) = (self.reading.clone(), self.columns.clone());
        Ok(Self { files, reading, columns, read: Arc::default() })
    }

    /// The current files: a query sees files that were added since the previous one.
    fn sources(&self) -> Result<Vec<Source>> {
        if let Some(read) = self.read.get() {
            return Ok(read.clone());
        }
        let most = self.reading.max_unpacked.unwrap_or(MOST);
        let found = Files::find(&self.files, most).map_err(external)?;
        if let Some(name) = found.unmatched.first() {
            return Err(plan_datafusion_err!(
                "'{name}' matches no file; try a folder, or ** for folders in it"
            ));
        }
        if self.files.iter().any(|name| name == STANDARD_INPUT) {
            return Ok(self.read.get_or_init(|| found.sources).clone());
        }
        Ok(found.sources)
    }

    /// The files whose names pass a filter, split into parts. Blocks.
    fn parts(&self, passes: Option<&dyn PhysicalExpr>, most: usize) -> Result<Vec<Vec<Source>>> {
        let sources = self.sources()?;
        let Some(passes) = passes else { return Ok(parts(sources, most)) };
        let names: StringArray = sources.iter().map(|source| Some(source.name())).collect();
        let batch = RecordBatch::try_new(names_schema()?, vec![Arc::new(names)])?;
        let verdicts = passes.evaluate(&batch)?.into_array(batch.num_rows())?;
        let passes = verdicts.as_boolean().iter().map(|verdict| verdict == Some(true));
        let wanted = sources.into_iter().zip(passes).filter(|(_, passes)| *passes);
        Ok(parts(wanted.map(|(source, _)| source).collect(), most))
    }
}

/// The schema for filters of names.
fn names_schema() -> Result<SchemaRef> {
    Ok(Columns::new(vec![Column::of_meta(Meta::File)]).map_err(external)?.schema())
}

/// The filters on the names of files.
fn names_filter(filters: &[Expr], state: &dyn Session) -> Result<Option<Arc<dyn PhysicalExpr>>> {
    let filters = filters.iter().filter(|filter| is_about_names(filter)).cloned();
    let filters = filters.map(unqualified).collect::<Result<Vec<_>>>()?;
    let schema = DFSchema::try_from(names_schema()?)?;
    conjunction(filters).map(|filter| state.create_physical_expr(filter, &schema)).transpose()
}

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

/// The most bytes of standard input.
const MOST: u64 = 1 << 30;

/// The columns, and after them the other columns about a row.
fn with_metas(columns: Columns) -> Result<Columns> {
    let mut columns: Vec<Column> = columns.into();
    let names: HashSet<_> = columns.iter().map(|column| column.name().to_owned()).collect();
    let metas = Meta::ALL.into_iter().filter(|meta| !names.contains(meta.name()));
    columns.extend(metas.map(Column::of_meta));
    Columns::new(columns).map_err(external)
}

/// Whether the filter depends only on `_file`, so that it selects the files to read.
fn is_about_names(filter: &Expr) -> bool {
    let columns = filter.column_refs();
    !filter.is_volatile()
        && !columns.is_empty()
        && columns.iter().all(|column| column.name == Meta::File.name())
}

/// The filter without table names.
fn unqualified(filter: Expr) -> Result<Expr> {
    let strip = |expr| match expr {
        Expr::Column(column) => Ok(Transformed::yes(Expr::Column(column.name.into()))),
        other => Ok(Transformed::no(other)),
    };
    Ok(filter.transform(strip)?.data)
}

#[async_trait]
impl TableProvider for VariantTable {
    fn schema(&self) -> SchemaRef {
        self.columns.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| {
            let is_exact = is_about_names(filter) || condition(filter, &self.columns).is_some();
            if is_exact {
                TableProviderFilterPushDown::Exact
            } else {
                TableProviderFilterPushDown::Unsupported
            }
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = || (0..self.columns.len()).collect();
        let scan = Scan {
            reading: self.reading.clone(),
            columns: self.columns.clone(),
            projection: projection.cloned().unwrap_or_else(all),
            conditions: filters
                .iter()
                .filter_map(|filter| condition(filter, &self.columns))
                .collect(),
            limit,
        };
        let (table, passes) = (self.clone(), names_filter(filters, state)?);
        let most = state.config().target_partitions();
        let parts = SpawnedTask::spawn_blocking(move || table.parts(passes.as_deref(), most));
        let parts = parts.join().await.map_err(external)??;
        Ok(Arc::new(VariantExec::new(scan, names(parts)?)))
    }
}

/// Consecutive files, about the same number of bytes in each part.
fn parts(files: Vec<Source>, most: usize) -> Vec<Vec<Source>> {
    // Opening a file takes as long as reading this many bytes.
    const OPENING: u64 = 1 << 14;
    let sizes: Vec<_> =
        sizes(&files).into_iter().map(|size| size.saturating_add(OPENING)).collect();
    let all = sizes.iter().fold(0, |all: u64, size| all.saturating_add(*size));
    let count = u64::try_from(most.clamp(1, files.len().max(1))).unwrap_or(1);
    let share = all.div_ceil(count).max(1);
    let (mut parts, mut part, mut read) = (Vec::new(), Vec::new(), 0_u64);
    for (file, size) in files.into_iter().zip(sizes) {
        part.push(file);
        read = read.saturating_add(size);
        if read >= share {
            parts.push(std::mem::take(&mut part));
            read = 0;
        }
    }
    if !part.is_empty() || parts.is_empty() {
        parts.push(part);
    }
    parts
}

/// The sizes of files, requested on all cores: a shared disk may answer slowly.
fn sizes(files: &[Source]) -> Vec<u64> {
    /// The number of files that are worth a thread.
    const SHARE: usize = 64;
    let of = |files: &[Source]| -> Vec<u64> {
        files.iter().map(|file| file.size().unwrap_or(0)).collect()
    };
    let most = thread::available_parallelism().map_or(1, NonZero::get);
    let share = files.len().div_ceil(most).max(SHARE);
    if files.len() <= share {
        return of(files);
    }
    thread::scope(|scope| {
        let parts = files.chunks(share).map(|part| (part.len(), scope.spawn(move || of(part))));
        let parts: Vec<_> = parts.collect();
        // An unknown size counts as zero.
        let sizes = parts.into_iter().map(|(len, part)| part.join().unwrap_or(vec![0; len]));
        sizes.flatten().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_the_order_of_the_files() {
        let file = |len: usize| Source::Bytes("a".into(), vec![0; len].into());
        for len in [0, 1, 63, 64, 65, 1_000] {
            let files: Vec<_> = (0..len).map(|at| file(at % 17)).collect();
            let expected: Vec<_> = (0..len).map(|at| u64::try_from(at % 17).unwrap()).collect();
            assert_eq!(sizes(&files), expected);
        }
    }
}
