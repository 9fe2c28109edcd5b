//! [`Table`]: columns and read options, prepared.

use std::sync::Arc;

use arrow_schema::SchemaRef;
use variant_document::query::Query;
use variant_document::rows::RowPlan;

use crate::batches::{Batches, OpenFile};
use crate::column::{Column, Fold, Meta, What};
use crate::column_type::ColumnType;
use crate::columns::Columns;
use crate::condition::Condition;
use crate::error::TableError;
use crate::options::ReadOptions;
use crate::scan::Scan;
use crate::source::Source;

/// Columns and read options, prepared for reading. Cheap to clone.
///
/// ```
/// use arrow_array::cast::AsArray as _;
/// use arrow_array::types::Int64Type;
/// use variant_table::{Columns, ReadOptions, Source, Table};
///
/// # let bytes = [
/// #     18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// // {"hp": 7}, as Godot 3 writes it
/// let table = Table::new(Columns::parse(["_file", "hp:int"])?, ReadOptions::new())?;
/// let mut scan = table.scan(vec![Source::Bytes("a.sav".into(), bytes.into())], 1);
/// let batch = scan.next().unwrap()?;
/// assert_eq!(batch.column(1).as_primitive::<Int64Type>().value(0), 7);
/// assert_eq!(scan.summary().to_string(), "1 file, 1 value: 1 row + 0 errors");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table(pub(crate) Arc<Plan>);

/// The prepared state of a table.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) columns: Columns,
    pub(crate) schema: SchemaRef,
    pub(crate) options: ReadOptions,
    pub(crate) rows: RowPlan,
    pub(crate) cells: Vec<Cell>,
    pub(crate) has_folds: bool,
    pub(crate) conditions: Vec<Wanted>,
}

/// The source of a column's cells.
#[derive(Debug)]
pub(crate) enum Cell {
    Meta(Meta),
    /// The value of a folder `KEY=VALUE`.
    Folder(String),
    /// A value in the row.
    Value {
        of: ColumnType,
        at: usize,
    },
    /// The key of the item that makes the row.
    Key {
        of: ColumnType,
        at: usize,
    },
    /// A value that is folded from several values of the document.
    Fold {
        of: ColumnType,
        fold: Fold,
        query: Query,
    },
}

/// A condition, and the position of its value among the values of the row.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) condition: Condition,
    pub(crate) of: ColumnType,
    pub(crate) at: usize,
}

impl Table {
    /// Prepares a table.
    ///
    /// # Errors
    /// Two columns make rows from the items of different containers. Or a column makes rows from items, and another
    /// column is a `list`, which each of these rows would repeat.
    pub fn new(columns: Columns, options: ReadOptions) -> Result<Self, TableError> {
        Self::with_conditions(columns, options, &Columns::default(), Vec::new())
    }

    /// Prepares a table of the rows that fulfil the conditions. The conditions are on the columns of `asked`, which
    /// need not be columns of the table. Rows that report errors count as rows of nulls, since they do not have values.
    ///
    /// # Errors
    /// Those of [`Table::new`]. Or the column of a condition is missing, or the condition does not fit the column's
    /// type.
    pub fn with_conditions(
        columns: Columns,
        options: ReadOptions,
        asked: &Columns,
        conditions: Vec<Condition>,
    ) -> Result<Self, TableError> {
        let mut paths = Vec::new();
        let mut path = |query: &Query| {
            paths.push(query.clone());
            paths.len().saturating_sub(1)
        };
        let mut cells = Vec::new();
        for column in &columns {
            let of = column.resolved_type();
            cells.push(match column.what() {
                What::Meta(meta) => Cell::Meta(*meta),
                What::Folder(key) => Cell::Folder(key.clone()),
                What::Value(text) => Cell::Value { of, at: path(&text.query) },
                What::Fold(Fold::Key, text) => Cell::Key { of, at: path(&text.query) },
                What::Fold(fold, text) => Cell::Fold { of, fold: *fold, query: text.query.clone() },
            });
        }
        let mut all = Vec::new();
        for condition in conditions {
            let column = asked.iter().find(|column| column.name() == condition.column);
            let found = column.and_then(|column| match column.what() {
                What::Value(text) if condition.fits(&column.resolved_type()) => {
                    Some((column.resolved_type(), &text.query))
                }
                _ => None,
            });
            let Some((of, query)) = found else {
                let why = "a condition needs a column of type bool, int, float or text, and literals of that type".to_owned();
                return Err(TableError::Column { column: condition.column, why });
            };
            all.push(Wanted { of, at: path(query), condition });
        }
        let names: Vec<_> =
            columns.iter().filter(|column| column.reads_rows()).map(Column::name).collect();
        let rows = RowPlan::new(&paths).map_err(|error| TableError::Column {
            column: names.get(error.path()).map_or("a condition", |name| *name).to_owned(),
            why: format!("{error}; list(PATH) makes a list of the values instead"),
        })?;
        let makes_rows = columns.iter().any(Column::makes_rows);
        let list = columns.iter().find(|column| column.fold() == Some(Fold::List));
        if let (true, Some(list)) = (makes_rows, list) {
            let why = "a list of all values would be repeated in the row of each item; leave out the list or the items".to_owned();
            return Err(TableError::Column { column: list.name().to_owned(), why });
        }
        let schema = columns.schema();
        let has_folds = cells.iter().any(|cell| matches!(cell, Cell::Fold { .. }));
        let conditions = all;
        Ok(Self(Arc::new(Plan { columns, schema, options, rows, cells, has_folds, conditions })))
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.0.columns
    }

    /// The schema of Arrow.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.0.schema)
    }

    /// Reads files on separate threads; 0 is one for each core. Batches come in the order of the files, and few of them
    /// are in memory at a time. The scan ends when it is dropped.
    pub fn scan(&self, files: Vec<Source>, threads: usize) -> Scan {
        Scan::start(&self.0, files, threads)
    }

    /// Opens a file for [`Table::batches`]. Blocks the thread.
    pub fn open(&self, file: &Source) -> OpenFile {
        OpenFile::open(file, &self.0.options.reading.layers, &mut Vec::new())
    }

    /// Reads files on the thread of the caller, one batch at a time, for programs that already have threads or
    /// asynchronous tasks.
    pub fn batches(&self) -> Batches<'_> {
        Batches::new(self)
    }
}
