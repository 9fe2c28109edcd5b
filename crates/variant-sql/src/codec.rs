//! [`LogicalCodec`], [`PhysicalCodec`]: encode plans that are sent between processes. They encode tables, and the
//! reading options of scans, as JSON. The codecs that they wrap encode all other parts.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, TableReference, plan_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::datasource::physical_plan::{
    FileScanConfig, FileScanConfigBuilder, FileSource, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_expr::utils::split_conjunction;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::proto::ExecutionPlanEncodeCtx;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use datafusion_proto::protobuf::physical_plan_node::PhysicalPlanType;
use datafusion_proto::protobuf::{ParquetScanExecNode, PhysicalExtensionNode, PhysicalPlanNode};
use serde::{Deserialize, Serialize};

use crate::chunk::{chunked, unchunked};
use crate::format::external;
use crate::reading::Reading;
use crate::source::VariantSource;
use crate::table::VariantTable;

/// The start of an encoded part, by which the part is recognised. The version, a line feed and the JSON follow.
const MARK: &str = "variant-sql ";
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn write(value: &impl Serialize, buf: &mut Vec<u8>) -> Result<()> {
    buf.extend_from_slice(format!("{MARK}{VERSION}\n").as_bytes());
    serde_json::to_writer(buf, value).map_err(external)
}

/// The value in the bytes; `None` if another codec wrote the bytes.
fn read<'b, T: Deserialize<'b>>(buf: &'b [u8]) -> Option<Result<T>> {
    let ours = buf.strip_prefix(MARK.as_bytes())?;
    let Some(json) =
        ours.strip_prefix(VERSION.as_bytes()).and_then(|ours| ours.strip_prefix(b"\n"))
    else {
        let version =
            String::from_utf8_lossy(ours.split(|byte| *byte == b'\n').next().unwrap_or_default());
        return Some(plan_err!(
            "the plan is of variant-sql {version}, this program is {VERSION}; run one version in a cluster"
        ));
    };
    Some(serde_json::from_slice(json).map_err(external))
}

/// A codec of logical plans whose tables may be [`VariantTable`]s. It makes file names absolute, since another process
/// has another working folder.
#[derive(Debug)]
pub struct LogicalCodec(pub Arc<dyn LogicalExtensionCodec>);

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.0.try_decode(buf, inputs, context)
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, buf)
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match read::<VariantTable>(buf) {
            Some(table) => Ok(Arc::new(table?)),
            None => self.0.try_decode_table_provider(buf, name, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        match table.downcast_ref::<VariantTable>() {
            Some(table) => write(&table.absolute()?, buf),
            None => self.0.try_encode_table_provider(name, table, buf),
        }
    }

    fn try_decode_file_format(
        &self,
        buf: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(buf, context)
    }

    fn try_encode_file_format(
        &self,
        buf: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.0.try_encode_file_format(buf, format)
    }
}

/// A codec of physical plans that may read files by a [`VariantSource`].
#[derive(Debug)]
pub struct PhysicalCodec(pub Arc<dyn PhysicalExtensionCodec>);

/// Encodes a scan: first the reading options as JSON, then the files, columns and filters in the form of a scan of
/// Parquet.
pub(crate) fn encode_scan(
    source: &VariantSource,
    config: &FileScanConfig,
    context: &ExecutionPlanEncodeCtx<'_>,
) -> Result<PhysicalPlanNode> {
    let of = |kind| PhysicalPlanNode { physical_plan_type: Some(kind) };
    let scan = of(PhysicalPlanType::ParquetScan(ParquetScanExecNode {
        base_conf: Some(unchunked(config).try_to_proto(context)?),
        predicate: source.filter().map(|filter| context.encode_expr(&filter)).transpose()?,
        parquet_options: None,
    }));
    let mut node = Vec::new();
    write(source.reading(), &mut node)?;
    Ok(of(PhysicalPlanType::Extension(PhysicalExtensionNode { node, inputs: vec![scan] })))
}

fn decode_scan(reading: Reading, scan: &DataSourceExec) -> Option<Result<Arc<dyn ExecutionPlan>>> {
    let (config, parquet) = scan.downcast_to_file_source::<ParquetSource>()?;
    let decoded = || {
        let mut source: Arc<dyn FileSource> =
            Arc::new(VariantSource::new(reading, parquet.table_schema().clone()));
        if let Some(filter) = parquet.filter() {
            let filters = split_conjunction(&filter).into_iter().cloned().collect();
            let pushed = source.try_pushdown_filters(filters, &ConfigOptions::default())?;
            source = pushed.updated_node.unwrap_or(source);
        }
        if let Some(projection) = parquet.projection() {
            source = source.try_pushdown_projection(projection)?.unwrap_or(source);
        }
        let config = FileScanConfigBuilder::from(config.clone()).with_source(source).build();
        let plan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(chunked(config));
        Ok(plan)
    };
    Some(decoded())
}

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(reading) = read::<Reading>(buf) else {
            return self.0.try_decode(buf, inputs, context, converter);
        };
        let scan = inputs.first().and_then(|plan| plan.downcast_ref::<DataSourceExec>());
        let reading = reading?;
        scan.and_then(|scan| decode_scan(reading, scan))
            .unwrap_or_else(|| plan_err!("a scan of {} plans, expected files", inputs.len()))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.0.try_encode(node, buf, converter)
    }
}
