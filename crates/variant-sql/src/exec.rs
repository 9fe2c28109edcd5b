//! [`VariantExec`]: reads the files of each partition.

use std::fmt;
use std::sync::Arc;

use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{
    BaselineMetrics, Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet, RecordOutput as _,
};
use datafusion::physical_plan::statistics::ChildStats;
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning,
    PhysicalExpr, PlanProperties, StatisticsArgs,
};
use futures_util::TryStreamExt as _;
use tokio::runtime::Handle;
use variant_table::{Comparison, Condition, Literal, Summary};

use crate::names::sources;
use crate::scan::Scan;

/// Reads the files that the rows of another plan name. The metric `decoded` counts the values that were decoded for
/// columns and filters; all others are skipped.
#[derive(Clone, Debug)]
pub struct VariantExec {
    scan: Scan,
    files: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl VariantExec {
    /// `files` is a plan of [`names`](crate::names::names).
    pub(crate) fn new(scan: Scan, files: Arc<dyn ExecutionPlan>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(scan.schema()),
            Partitioning::UnknownPartitioning(files.output_partitioning().partition_count()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Self { scan, files, properties: Arc::new(properties), metrics }
    }

    pub(crate) const fn scan(&self) -> &Scan {
        &self.scan
    }

    /// The counts so far, of all partitions.
    pub fn summary(&self) -> Summary {
        let metrics = self.metrics.clone_inner();
        let count = |name| metrics.sum_by_name(name).map_or(0, |value| value.as_usize());
        let mut summary = Summary::default();
        for (name, field) in fields(&mut summary) {
            *field = u64::try_from(count(name)).unwrap_or(u64::MAX);
        }
        summary
    }
}

/// Each count of a summary, with the name of its metric.
fn fields(summary: &mut Summary) -> [(&'static str, &mut u64); 8] {
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

/// The metrics of a partition, which grow as its summary does.
struct Counts {
    counts: Vec<Count>,
    told: Summary,
}

impl Counts {
    fn new(metrics: &ExecutionPlanMetricsSet, partition: usize) -> Self {
        let mut told = Summary::default();
        let count = |(name, _): (&'static str, &mut u64)| {
            MetricBuilder::new(metrics).counter(name, partition)
        };
        let counts = fields(&mut told).map(count).into();
        Self { counts, told }
    }

    fn tell(&mut self, mut summary: Summary) {
        let pairs = fields(&mut summary).into_iter().zip(fields(&mut self.told));
        for (count, ((_, new), (_, told))) in self.counts.iter().zip(pairs) {
            count.add(usize::try_from(new.saturating_sub(*told)).unwrap_or(usize::MAX));
            *told = *new;
        }
    }
}

impl ExecutionPlan for VariantExec {
    fn name(&self) -> &'static str {
        "VariantExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.files]
    }

    /// Files are already partitioned by their sizes.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [files] = children.as_slice() else {
            return internal_err!(
                "VariantExec reads the files of one plan, not of {}",
                children.len()
            );
        };
        Ok(Arc::new(Self::new(self.scan.clone(), Arc::clone(files))))
    }

    /// Starts a thread that reads and decodes, and that ends when the stream is dropped.
    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let table = self.scan.table(context.session_config().batch_size())?;
        let files = self.files.execute(partition, context)?;
        let runtime = Handle::current();
        let mut counts = Counts::new(&self.metrics, partition);
        let baseline = BaselineMetrics::new(&self.metrics, partition);
        let wanted: Vec<_> = (0..self.scan.projection.len()).collect();
        let mut left = self.scan.limit.unwrap_or(usize::MAX);
        let mut stream = RecordBatchReceiverStream::builder(self.schema(), AHEAD);
        let batches = stream.tx();
        stream.spawn_blocking(move || {
            let _timer = baseline.elapsed_compute().timer();
            let files = runtime.block_on(files.try_collect::<Vec<_>>())?;
            let files = files.iter().map(sources).collect::<Result<Vec<_>>>()?;
            let mut scan = table.scan(files.into_iter().flatten().collect(), 1);
            while left > 0
                && let Some(batch) = scan.next()
            {
                counts.tell(scan.summary());
                let batch = batch?.project(&wanted)?;
                let batch = batch.slice(0, batch.num_rows().min(left)).record_output(&baseline);
                left = left.saturating_sub(batch.num_rows());
                if batches.blocking_send(Ok(batch)).is_err() {
                    return Ok(());
                }
            }
            counts.tell(scan.summary());
            Ok(())
        });
        Ok(stream.build())
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    /// Most files have one value.
    fn statistics_from_inputs(
        &self,
        files: &[Arc<Statistics>],
        _: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.schema());
        let files = files.first().and_then(|files| files.num_rows.get_value());
        if let Some(files) = files
            && !self.scan.makes_rows()
            && self.scan.conditions.is_empty()
        {
            let rows = self.scan.limit.map_or(*files, |limit| limit.min(*files));
            statistics.num_rows = Precision::Inexact(rows);
        }
        Ok(Arc::new(statistics))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn fetch(&self) -> Option<usize> {
        self.scan.limit
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        let scan = Scan { limit, ..self.scan.clone() };
        Some(Arc::new(Self::new(scan, Arc::clone(&self.files))))
    }
}

/// The number of batches that are read ahead.
const AHEAD: usize = 2;

impl DisplayAs for VariantExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VariantExec: columns=[")?;
        separated(f, ", ", &self.scan.wanted(), |f, column| write!(f, "{column}"))?;
        f.write_str("]")?;
        if !self.scan.conditions.is_empty() {
            f.write_str(", conditions=[")?;
            separated(f, " AND ", &self.scan.conditions, write_condition)?;
            f.write_str("]")?;
        }
        self.scan.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
    }
}

fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    separator: &str,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            f.write_str(separator)?;
        }
        write(f, item)?;
    }
    Ok(())
}

fn write_condition(f: &mut fmt::Formatter<'_>, condition: &Condition) -> fmt::Result {
    let op = match condition.comparison {
        Comparison::In => "IN",
        Comparison::NotIn => "NOT IN",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::More => ">",
        Comparison::AtLeast => ">=",
        Comparison::IsNull => "IS NULL",
        Comparison::IsNotNull => "IS NOT NULL",
        _ => "?",
    };
    write!(f, "{} {op}", condition.column)?;
    if condition.literals.is_empty() {
        return Ok(());
    }
    f.write_str(" ")?;
    separated(f, " or ", &condition.literals, |f, literal| match literal {
        Literal::Bool(value) => write!(f, "{value}"),
        Literal::Int(value) => write!(f, "{value}"),
        Literal::Float(value) => write!(f, "{value}"),
        Literal::Text(value) => write!(f, "'{}'", value.replace('\'', "''")),
        _ => f.write_str("?"),
    })
}
