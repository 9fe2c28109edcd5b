//! Many files of Godot's and Pandemonium's binary Variants as one table: Arrow record batches, and files of Parquet, Arrow, CSV and
//! JSON lines.
//!
//! | to | see |
//! |---|---|
//! | define a column | [`Column`], [`ColumnType`] |
//! | define the columns of a table, in text or in a file | [`Columns`] |
//! | infer the columns of files | [`Inferred`] |
//! | set the options for reading files | [`ReadOptions`], [`Reading`], [`MisfitPolicy`] |
//! | find files, or name bytes and objects of a store | [`Files`], [`Source`], [`Store`] |
//! | read them | [`Table::scan`], a [`RecordBatchReader`](arrow_array::RecordBatchReader) |
//! | read files without threads | [`Table::open`], [`Table::batches`] |
//! | leave out rows before their other columns are read | [`Table::with_conditions`], [`Condition`] |
//! | count the values, rows and errors of a scan | [`Scan::summary`], [`Summary`] |
//! | write a file, or a folder of them | [`TableWriter`], [`Partitions`] |
//!
//! Each value is a row or, if a path goes through all items of an array, each item is a row. A broken file does not end
//! the job: it becomes a row, whose column `_error` has the reason. Each file is read in the dialect and framing that
//! fit it.
//!
//! Memory is bounded by a few batches for each thread. The time is O(bytes), plus O(bytes) for each column that
//! combines the values of a path (such as by `sum`).
//!
//! ```
//! use variant_table::{Columns, Format, ReadOptions, Source, Table, TableWriter};
//!
//! // {"hp": 7}, as Godot 4 writes it
//! let bytes = [
//!     27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
//! ];
//! let table = Table::new(Columns::parse_list("_file, hp:int")?, ReadOptions::new())?;
//! let mut out = TableWriter::new(Format::Csv, &table.schema(), Vec::new())?;
//! let mut scan = table.scan(vec![Source::Bytes("a.sav".into(), bytes.into())], 1);
//! for batch in scan.by_ref() {
//!     out.write(&batch?)?;
//! }
//! assert_eq!(out.finish()?, b"_file,hp\na.sav,7\n");
//! assert_eq!(scan.summary().errors, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod batch;
mod batches;
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
#[cfg(feature = "object-store")]
mod objects;
mod options;
mod read;
mod scan;
mod source;
mod summary;
mod table;
mod write;

pub use batches::{Batches, Full, OpenFile};
pub use column::{Column, Fold, Meta};
pub use column_type::{ColumnType, UnknownType};
pub use columns::Columns;
pub use condition::{Comparison, Condition, Literal};
pub use error::TableError;
pub use files::Files;
pub use infer::Inferred;
pub use misfit::MisfitPolicy;
#[cfg(feature = "object-store")]
pub use objects::{Objects, store_of};
pub use options::ReadOptions;
pub use scan::{Progress, Scan};
pub use source::{Source, Store};
pub use summary::Summary;
pub use table::Table;
pub use variant_document::Reading;
pub use write::{Format, PartitionOutput, Partitions, TableWriter, UnknownFormat};

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
