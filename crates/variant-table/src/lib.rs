#![forbid(unsafe_code)]
//! Tables.

mod column;
mod column_type;
mod columns;
mod error;

pub use column::{Column, Fold, Meta};
pub use column_type::{ColumnType, UnknownType};
pub use columns::Columns;
pub use error::TableError;
