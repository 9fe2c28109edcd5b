#![forbid(unsafe_code)]
//! Tables.

mod batch;
mod cells;
mod column;
mod column_type;
mod columns;
mod condition;
mod error;
mod files;
mod fold;
mod infer;
mod misfit;
mod options;
mod read;
mod scan;
mod source;
mod summary;
mod table;
mod write;

pub use column::{Column, Fold, Meta};
pub use column_type::{ColumnType, UnknownType};
pub use columns::Columns;
pub use condition::{Comparison, Condition, Literal};
pub use error::TableError;
pub use files::Files;
pub use infer::Inferred;
pub use misfit::MisfitPolicy;
pub use options::ReadOptions;
pub use scan::{Progress, Scan};
pub use source::{Source, Store};
pub use summary::Summary;
pub use table::Table;
pub use write::{Format, PartitionOutput, Partitions, TableWriter, UnknownFormat};
