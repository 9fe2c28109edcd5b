//! [`Scan`]: the columns to read from files, and the filters of their rows.

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result};
use serde::{Deserialize, Serialize};
use variant_table::{Column, Columns, Condition, Meta, Table};

use crate::reading::Reading;

/// The columns to read from files, and the filters of their rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Scan {
    pub(crate) reading: Reading,
    /// All columns of the table.
    pub(crate) columns: Columns,
    /// The positions of the wanted columns.
    pub(crate) projection: Vec<usize>,
    /// The conditions that each row must fulfil.
    pub(crate) conditions: Vec<Condition>,
    /// The most rows to return.
    pub(crate) limit: Option<usize>,
}

impl Scan {
    /// The wanted columns.
    pub(crate) fn wanted(&self) -> Columns {
        self.columns.project(&self.projection)
    }

    /// The schema of the wanted columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        self.wanted().schema()
    }

    /// Whether a value may have several rows.
    pub(crate) fn makes_rows(&self) -> bool {
        self.columns.iter().any(Column::makes_rows)
    }

    /// The table to read. After the wanted columns it has the columns that affect rows and errors. Whatever a query
    /// names, the items of the table make rows, errors are rows, and `_error` reports misfits of all columns.
    pub(crate) fn table(&self, batch_rows: usize) -> Result<Table> {
        let mut columns: Vec<_> = self.wanted().into();
        let wants_error = columns.iter().any(|column| column.meta() == Some(Meta::Error));
        let deepest = self.columns.iter().map(Column::levels).max().unwrap_or(0);
        let mut reached = columns.iter().map(Column::levels).max().unwrap_or(0);
        for (position, column) in self.columns.iter().enumerate() {
            let is_told = wants_error && column.meta().is_none();
            let decides = column.levels() == deepest && reached < deepest;
            if (is_told || decides) && !self.projection.contains(&position) {
                reached = reached.max(column.levels());
                columns.push(column.clone());
            }
        }
        if !wants_error {
            columns.push(Column::of_meta(Meta::Error));
        }
        let columns = Columns::new(columns).map_err(external)?;
        let options =
            self.reading.options().map_err(DataFusionError::Execution)?.batch_rows(batch_rows);
        Table::with_conditions(columns, options, &self.columns, self.conditions.clone())
            .map_err(external)
    }
}

/// Converts an error of `variant-table` for DataFusion.
pub(crate) fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
