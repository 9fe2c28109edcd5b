//! [`Batch`]: the rows of the next record batch.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::ArrowError;

use crate::cells::Cells;
use crate::column::Meta;
use crate::columns::error_fields;
use crate::misfit::MisfitPolicy;
use crate::table::{Cell, Plan};

#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) columns: Vec<Stored>,
    rows: usize,
    bytes: usize,
}

/// The cells of one column.
#[derive(Debug)]
pub(crate) enum Stored {
    Cells(Box<Cells>),
    File(StringBuilder),
    Folder(String, StringBuilder),
    Number(Meta, Int64Builder),
    Value(BinaryBuilder),
    Error(Box<ErrorCells>),
}

/// The cells of `_error`.
#[derive(Debug, Default)]
pub(crate) struct ErrorCells {
    offsets: Int64Builder,
    paths: StringBuilder,
    texts: StringBuilder,
    are_there: BooleanBuilder,
}

/// The error of a row, which becomes the row's `_error`.
#[derive(Debug, Default)]
pub(crate) struct RowError {
    /// The offset in the file.
    pub(crate) offset: Option<usize>,
    pub(crate) path: Option<String>,
    pub(crate) text: String,
}

impl RowError {
    /// The number of bytes of its texts.
    pub(crate) fn len(&self) -> usize {
        self.path.as_ref().map_or(0, String::len).saturating_add(self.text.len())
    }
}

/// The number of bytes of texts and arrays at which a batch is full.
const FULL: usize = 8 << 20;

impl Batch {
    pub(crate) fn new(plan: &Plan) -> Self {
        let policy = plan.options.policy;
        let columns = plan.cells.iter().map(|cell| Stored::new(cell, policy)).collect();
        Self { columns, rows: 0, bytes: 0 }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) const fn is_full(&self, most: usize) -> bool {
        self.rows >= most || self.bytes >= FULL
    }

    /// Counts a row whose cells have been appended.
    pub(crate) const fn end_row(&mut self, bytes: usize) {
        self.rows = self.rows.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// All rows as a record batch. Leaves the batch empty.
    pub(crate) fn finish(&mut self, plan: &Plan) -> Result<RecordBatch, ArrowError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        (self.rows, self.bytes) = (0, 0);
        let columns: Result<_, _> = self.columns.iter_mut().map(Stored::finish).collect();
        RecordBatch::try_new_with_options(Arc::clone(&plan.schema), columns?, &options)
    }
}

impl Stored {
    fn new(cell: &Cell, policy: MisfitPolicy) -> Self {
        match cell {
            Cell::Meta(Meta::File) => Self::File(StringBuilder::new()),
            Cell::Folder(key) => Self::Folder(key.clone(), StringBuilder::new()),
            Cell::Meta(Meta::Value) => Self::Value(BinaryBuilder::new()),
            Cell::Meta(Meta::Error) => Self::Error(Box::default()),
            Cell::Meta(meta @ (Meta::Frame | Meta::Offset)) => {
                Self::Number(*meta, Int64Builder::new())
            }
            Cell::Value { of, .. } | Cell::Key { of, .. } | Cell::Fold { of, .. } => {
                Self::Cells(Box::new(Cells::new(of, policy)))
            }
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Cells(cells) => cells.finish()?,
            Self::File(cells) | Self::Folder(_, cells) => Arc::new(cells.finish()),
            Self::Number(_, cells) => Arc::new(cells.finish()),
            Self::Value(cells) => Arc::new(cells.finish()),
            Self::Error(cells) => cells.finish()?,
        })
    }
}

impl ErrorCells {
    pub(crate) fn append(&mut self, error: Option<&RowError>) {
        let offset = error.and_then(|error| error.offset).and_then(|at| i64::try_from(at).ok());
        self.offsets.append_option(offset);
        self.paths.append_option(error.and_then(|error| error.path.as_deref()));
        self.texts.append_value(error.map_or("", |error| error.text.as_str()));
        self.are_there.append_value(error.is_some());
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let are_there = NullBuffer::new(self.are_there.finish().values().clone());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.offsets.finish()),
            Arc::new(self.paths.finish()),
            Arc::new(self.texts.finish()),
        ];
        Ok(Arc::new(StructArray::try_new(error_fields(), columns, Some(are_there))?))
    }
}
