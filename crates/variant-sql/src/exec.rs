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
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PhysicalExpr, PlanProperties,
    StatisticsArgs,
};
use variant_table::{Comparison, Condition, Literal, Source, Summary};

use crate::scan::Scan;

/// Reads files as rows; each partition has files of its own. Metrics count what was read: `decoded` has the values that were
/// decoded for columns and filters, all others are skipped.
#[derive(Clone, Debug)]
pub struct VariantExec {
    scan: Scan,
    parts: Vec<Vec<Source>>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl VariantExec {
    pub(crate) fn new(scan: Scan, parts: Vec<Vec<Source>>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(scan.schema()),
            Partitioning::UnknownPartitioning(parts.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Self { scan, parts, properties: Arc::new(properties), metrics }
    }

    pub(crate) const fn scan(&self) -> &Scan {
        &self.scan
    }

    /// The files of each partition.
    pub(crate) fn parts(&self) -> &[Vec<Source>] {
        &self.parts
    }

    /// What was read so far, in all partitions.
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

/// Each number of a summary, by the name of its metric.
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
        vec![]
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
        if children.is_empty() {
            Ok(self)
        } else {
            internal_err!("VariantExec reads files and has no children")
        }
    }

    /// A thread reads and decodes, which ends when the stream is dropped.
    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let Some(files) = self.parts.get(partition).cloned() else {
            return internal_err!(
                "VariantExec has {} partitions, not {partition}",
                self.parts.len()
            );
        };
        let table = self.scan.table(context.session_config().batch_size())?;
        let mut counts = Counts::new(&self.metrics, partition);
        let baseline = BaselineMetrics::new(&self.metrics, partition);
        let wanted: Vec<_> = (0..self.scan.projection.len()).collect();
        let mut left = self.scan.limit.unwrap_or(usize::MAX);
        let mut stream = RecordBatchReceiverStream::builder(self.schema(), AHEAD);
        let batches = stream.tx();
        stream.spawn_blocking(move || {
            let _timer = baseline.elapsed_compute().timer();
            let mut scan = table.scan(files, 1);
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
        _: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let files = match args.partition() {
            None => self.parts.iter().map(Vec::len).sum(),
            Some(partition) => self.parts.get(partition).map_or(0, Vec::len),
        };
        let mut statistics = Statistics::new_unknown(&self.schema());
        if !self.scan.makes_rows() && self.scan.conditions.is_empty() {
            let rows = files.min(self.scan.limit.unwrap_or(usize::MAX));
            statistics.num_rows = Precision::Inexact(rows);
        }
        Ok(Arc::new(statistics))
    }

    fn fetch(&self) -> Option<usize> {
        self.scan.limit
    }

    fn with_fetch(&self, limit: Option<usize>) -> Option<Arc<dyn ExecutionPlan>> {
        let scan = Scan { limit, ..self.scan.clone() };
        Some(Arc::new(Self::new(scan, self.parts.clone())))
    }
}

/// How many batches are read before they are asked for.
const AHEAD: usize = 2;

impl DisplayAs for VariantExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: usize = self.parts.iter().map(Vec::len).sum();
        write!(f, "VariantExec: files={files}, partitions={}, columns=[", self.parts.len())?;
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
