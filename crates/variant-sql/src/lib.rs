//! SQL over the saves and packets of Godot and Pandemonium: tables for DataFusion, and for Ballista on several machines.
//!
//! | to | see |
//! |---|---|
//! | read files as a table | `variants('saves/**/*.sav', columns => 'level = player.level:int')`, [`Variants`] |
//! | name such a table | `CREATE EXTERNAL TABLE saves STORED AS VARIANT LOCATION 's3://bucket/saves'`, [`VariantTableFactory`] |
//! | read the values in a binary column | `variant_f64(bytes, 'player.level')` and others, [`functions()`] |
//! | register tables and functions in a context of DataFusion | [`register`] |
//! | make a table without SQL | [`VariantTable`], or DataFusion's `ListingTable` of a [`VariantFormat`] |
//! | read buckets by their URLs | [`Stores`] |
//! | run queries on several machines | [`cluster`] |
//!
//! [`variant_table`] defines columns, types and the treatment of damaged files; this crate adds them to DataFusion.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::common::Result<()> {
//! let context = SessionContext::new();
//! variant_sql::register(&context)?;
//! // {"hp": 7}, as Godot 4 writes it
//! let hp = "SELECT variant_i64(X'1b000000010000000400000002000000687000000200000007000000', 'hp') AS hp";
//! let rows = context.sql(hp).await?.to_string().await?;
//! assert!(rows.contains("| 7  |"), "{rows}");
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
mod chunk;
pub mod cluster;
mod codec;
mod condition;
mod format;
mod functions;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod named;
mod opener;
mod reading;
mod source;
mod stores;
mod table;
mod variants;

use std::sync::Arc;

use datafusion::prelude::SessionContext;

pub use codec::{LogicalCodec, PhysicalCodec};
pub use format::{SAMPLE, VariantFormat, VariantFormatFactory};
pub use functions::functions;
pub use named::NamedArguments;
pub use reading::Reading;
pub use source::VariantSource;
pub use stores::Stores;
pub use table::{VariantTable, VariantTableFactory};
pub use variants::Variants;

/// Registers all functions, the table function `variants`, which accepts named arguments, and the format `VARIANT` of
/// external tables.
///
/// # Errors
/// The context does not accept planners.
pub fn register(context: &SessionContext) -> datafusion::common::Result<()> {
    for function in functions() {
        context.register_udf(Arc::unwrap_or_clone(function));
    }
    context.register_udtf("variants", Arc::new(Variants));
    let state = context.state_ref();
    let mut state = state.write();
    state.register_file_format(Arc::new(VariantFormatFactory), true)?;
    state.table_factories_mut().insert("VARIANT".to_owned(), Arc::new(VariantTableFactory));
    drop(state);
    context.register_relation_planner(Arc::new(NamedArguments))
}
