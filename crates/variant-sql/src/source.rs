//! [`VariantSource`]: the columns and conditions of a scan.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{
    Transformed, TransformedResult as _, TreeNode as _, TreeNodeRecursion,
};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::physical_plan::{FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::functions::core::input_file_name::InputFileNameFunc;
use datafusion::physical_expr::ScalarFunctionExpr;
use datafusion::physical_expr::expressions::{self, CastExpr};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::utils::{conjunction_opt, reassign_expr_columns};
use datafusion::physical_expr_common::physical_expr::fmt_sql;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};
use datafusion::physical_plan::proto::ExecutionPlanEncodeCtx;
use datafusion::physical_plan::{DisplayFormatType, ExecutionPlan, PhysicalExpr};
use datafusion_proto::protobuf::PhysicalPlanNode;
use object_store::ObjectStore;
use variant_table::{Column, Columns, Meta, Summary, Table};

use crate::codec;
use crate::condition::{condition, is_of_file};
use crate::format::external;
use crate::opener::{OfFile, VariantOpener};
use crate::reading::Reading;

/// Reads files. The metric `decoded` counts the values that were decoded for columns and filters. All other values are
/// skipped.
#[derive(Clone, Debug)]
pub struct VariantSource {
    reading: Reading,
    /// The schema. The metadata of its fields has the columns.
    schema: TableSchema,
    projection: SplitProjection,
    /// The filters that are checked before other columns are read.
    filters: Vec<Arc<dyn PhysicalExpr>>,
    batch_size: usize,
    metrics: ExecutionPlanMetricsSet,
}

impl VariantSource {
    pub(crate) fn new(reading: Reading, schema: TableSchema) -> Self {
        let projection = SplitProjection::unprojected(&schema);
        let metrics = ExecutionPlanMetricsSet::new();
        Self { reading, schema, projection, filters: Vec::new(), batch_size: 8_192, metrics }
    }

    pub(crate) const fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The counts of each scan in a plan, summed over the partitions of the scan.
    pub fn summaries(plan: &Arc<dyn ExecutionPlan>) -> Vec<Summary> {
        let (mut all, mut left) = (Vec::new(), vec![plan]);
        while let Some(plan) = left.pop() {
            let scan = plan.downcast_ref::<DataSourceExec>();
            if let Some((_, source)) = scan.and_then(DataSourceExec::downcast_to_file_source) {
                let Self { metrics, .. } = source;
                let metrics = metrics.clone_inner();
                let mut summary = Summary::default();
                for (name, field) in fields(&mut summary) {
                    let count = metrics.sum_by_name(name).map_or(0, |value| value.as_usize());
                    *field = u64::try_from(count).unwrap_or(u64::MAX);
                }
                all.push(summary);
            }
            left.extend(plan.children());
        }
        all
    }

    fn columns(&self) -> Result<Columns> {
        Columns::of_schema(self.schema.file_schema()).map_err(external)
    }

    /// The table to read. The wanted columns come first. Then come the columns on which the rows depend: a column that
    /// makes rows of items, and `_error`. If `_error` is wanted, all columns of values are added, since `_error`
    /// reports their misfits. So the rows do not depend on the columns that a query names.
    fn table(&self, all: &Columns) -> Result<Table> {
        let wanted = &self.projection.file_indices;
        let mut columns: Vec<_> = all.project(wanted).into();
        let wants_error = columns.iter().any(|column| column.meta() == Some(Meta::Error));
        let deepest = all.iter().map(Column::levels).max().unwrap_or(0);
        let mut reached = columns.iter().map(Column::levels).max().unwrap_or(0);
        for (position, column) in all.iter().enumerate() {
            let is_told = wants_error && column.meta().is_none();
            let decides = column.levels() == deepest && reached < deepest;
            if (is_told || decides) && !wanted.contains(&position) {
                reached = reached.max(column.levels());
                columns.push(column.clone());
            }
        }
        if !wants_error {
            columns.push(Column::of_meta(Meta::Error));
        }
        let columns = Columns::new(columns).map_err(external)?;
        let options = self.reading.options().map_err(DataFusionError::Execution)?;
        let conditions = self.filters.iter().filter_map(|filter| condition(filter, all)).collect();
        Table::with_conditions(columns, options.batch_rows(self.batch_size), all, conditions)
            .map_err(external)
    }

    /// The projection with `_file` instead of `input_file_name()`, since DataFusion has one name for all files of a
    /// chunk. `None` if the function is called and the column does not exist.
    fn without_input_file_name(
        &self,
        projection: ProjectionExprs,
    ) -> Result<Option<ProjectionExprs>> {
        let columns = self.columns()?;
        let mut files = columns.iter().enumerate();
        let file = files.find(|(_, column)| column.meta() == Some(Meta::File));
        let mut is_complete = true;
        let mut named = |expr: Arc<dyn PhysicalExpr>| {
            if ScalarFunctionExpr::try_downcast_func::<InputFileNameFunc>(expr.as_ref()).is_none() {
                return Ok(Transformed::no(expr));
            }
            let Some((position, column)) = file else {
                is_complete = false;
                return Ok(Transformed::no(expr));
            };
            let column = Arc::new(expressions::Column::new(column.name(), position));
            // The result of the function must not have the metadata of the column.
            let field = Arc::new(Field::new("input_file_name", DataType::Utf8, true));
            let cast = CastExpr::new_with_target_field(column, field, None);
            let cast: Arc<dyn PhysicalExpr> = Arc::new(cast);
            Ok(Transformed::yes(cast))
        };
        let projection = projection.try_map_exprs(|expr| expr.transform(&mut named).data())?;
        Ok(is_complete.then_some(projection))
    }

    /// The filters that select files; `None` without such filters.
    fn of_file(&self, columns: &Columns) -> Result<Option<OfFile>> {
        let filters = self.filters.iter().filter(|filter| is_of_file(filter, columns)).cloned();
        let Some(filter) = conjunction_opt(filters) else { return Ok(None) };
        let columns = columns.iter().filter(|column| column.is_of_file()).cloned();
        let columns = Columns::new(columns.collect()).map_err(external)?;
        let filter = reassign_expr_columns(filter, &columns.schema())?;
        Ok(Some(OfFile { columns, filter }))
    }
}

/// Each count of a summary, and the name of its metric.
const fn fields(summary: &mut Summary) -> [(&'static str, &mut u64); 8] {
    [
        ("files", &mut summary.files),
        ("bytes", &mut summary.bytes),
        ("values", &mut summary.values),
        ("rows", &mut summary.rows),
        ("filtered", &mut summary.filtered),
        ("errors", &mut summary.errors),
        ("misfits", &mut summary.misfits),
        ("decoded", &mut summary.decoded),
    ]
}

#[derive(Clone)]
pub(crate) struct Counts(Vec<Count>);

impl Counts {
    fn new(metrics: &ExecutionPlanMetricsSet, partition: usize) -> Self {
        let count = |(name, _)| MetricBuilder::new(metrics).counter(name, partition);
        Self(fields(&mut Summary::default()).map(count).into())
    }

    pub(crate) fn add(&self, mut summary: Summary) {
        for (count, (_, new)) in self.0.iter().zip(fields(&mut summary)) {
            count.add(usize::try_from(*new).unwrap_or(usize::MAX));
        }
    }
}

impl FileSource for VariantSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let columns = self.columns()?;
        let opener = VariantOpener {
            table: self.table(&columns)?,
            columns: self.projection.file_indices.len(),
            of_file: self.of_file(&columns)?,
            store,
            url: config.object_store_url.to_string(),
            counts: Counts::new(&self.metrics, partition),
        };
        let projection = self.projection.clone();
        ProjectionOpener::try_new(projection, Arc::new(opener), self.schema.file_schema())
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(Self { batch_size, ..self.clone() })
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        conjunction_opt(self.filters.iter().cloned())
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &'static str {
        "variant"
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.filter().map_or(Ok(()), |all| write!(f, ", conditions={}", fmt_sql(all.as_ref())))
    }

    /// A file cannot be split, since a value can be read only from its start.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let (columns, mut source) = (self.columns()?, self.clone());
        let mut push = |filter: Arc<dyn PhysicalExpr>| {
            if condition(&filter, &columns).is_none() && !is_of_file(&filter, &columns) {
                return PushedDown::No;
            }
            source.filters.push(filter);
            PushedDown::Yes
        };
        let filters = filters.into_iter().map(&mut push).collect();
        let pushed = FilterPushdownPropagation::with_parent_pushdown_result(filters);
        Ok(pushed.with_updated_node(Arc::new(source)))
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        let Some(merged) = self.without_input_file_name(merged)? else { return Ok(None) };
        let projection = SplitProjection::new(self.schema.file_schema(), &merged);
        Ok(Some(Arc::new(Self { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        apply: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.source.iter().map(|projected| &projected.expr);
        for expr in projected.chain(&self.filters) {
            if apply(expr)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }

    fn try_to_proto(
        &self,
        config: &FileScanConfig,
        context: &ExecutionPlanEncodeCtx<'_>,
    ) -> Result<Option<PhysicalPlanNode>> {
        codec::encode_scan(self, config, context).map(Some)
    }
}
