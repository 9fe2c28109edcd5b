//! [`LogicalCodec`], [`PhysicalCodec`]: encode plans between processes. Tables and scans are JSON; another codec
//! handles the rest.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference, plan_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use serde::{Deserialize, Serialize};

use crate::exec::VariantExec;
use crate::scan::{Scan, external};
use crate::table::VariantTable;

/// Before the JSON, to recognise it; the version and a line feed follow.
const MARK: &str = "variant-sql ";
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn write(value: &impl Serialize, buf: &mut Vec<u8>) -> Result<()> {
    buf.extend_from_slice(format!("{MARK}{VERSION}\n").as_bytes());
    serde_json::to_writer(buf, value).map_err(external)
}

/// `None` if another codec wrote the bytes.
fn read<'b, T: Deserialize<'b>>(buf: &'b [u8]) -> Option<Result<T>> {
    let ours = buf.strip_prefix(MARK.as_bytes())?;
    let Some(json) =
        ours.strip_prefix(VERSION.as_bytes()).and_then(|ours| ours.strip_prefix(b"\n"))
    else {
        let version =
            String::from_utf8_lossy(ours.split(|byte| *byte == b'\n').next().unwrap_or_default());
        return Some(plan_err!(
            "the plan is of variant-sql {version}, this is {VERSION}; run one version in a cluster"
        ));
    };
    Some(serde_json::from_slice(json).map_err(external))
}

/// A codec of logical plans whose tables may be [`VariantTable`]s. File names become absolute, since another process
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

/// A codec of physical plans that may read files with [`VariantExec`].
#[derive(Debug)]
pub struct PhysicalCodec(pub Arc<dyn PhysicalExtensionCodec>);

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(scan) = read::<Scan>(buf) else {
            return self.0.try_decode(buf, inputs, context, converter);
        };
        let [files] = inputs else {
            return plan_err!("a scan reads the files of one plan, not of {}", inputs.len());
        };
        Ok(Arc::new(VariantExec::new(scan?, Arc::clone(files))))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match node.downcast_ref::<VariantExec>() {
            Some(exec) => write(exec.scan(), buf),
            None => self.0.try_encode(node, buf, converter),
        }
    }
}
