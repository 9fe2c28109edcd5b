//! SQL.
#![forbid(unsafe_code)]
pub mod cluster;
mod codec;
mod condition;
mod exec;
mod functions;
mod named;
mod reading;
mod scan;
mod table;
mod variants;

use std::sync::Arc;

use datafusion::prelude::SessionContext;

pub use codec::{LogicalCodec, PhysicalCodec};
pub use exec::VariantExec;
pub use functions::functions;
pub use named::NamedArguments;
pub use reading::Reading;
pub use table::{SAMPLE, VariantTable};
pub use variants::Variants;

/// Registers all functions and the table function `variants`, whose arguments may have names.
///
/// # Errors
/// The context takes no planners.
pub fn register(context: &SessionContext) -> datafusion::common::Result<()> {
    for function in functions() {
        context.register_udf(Arc::unwrap_or_clone(function));
    }
    context.register_udtf("variants", Arc::new(Variants));
    context.register_relation_planner(Arc::new(NamedArguments))
}
