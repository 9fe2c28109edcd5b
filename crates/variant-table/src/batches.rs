//! [`Batches`]: record batches without threads.

use std::fmt;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use variant_io::{OpenError, OpenOptions, Opened};

use crate::read::{FileRows, Reader};
use crate::source::Source;
use crate::summary::Summary;
use crate::table::Table;

/// An opened file, without its compression and encryption. For an unreadable file, the error, which becomes a row.
#[derive(Debug)]
pub struct OpenFile {
    name: String,
    opened: Result<Opened, String>,
}

impl OpenFile {
    /// Opens a file. `spare` is memory for its bytes, which [`OpenFile::into_spare`] returns.
    pub(crate) fn open(file: &Source, layers: &OpenOptions, spare: &mut Vec<u8>) -> Self {
        Self::new(file.name(), file.open(layers, spare))
    }

    #[cfg(feature = "object-store")]
    pub(crate) fn of_bytes(
        name: String,
        bytes: std::io::Result<Vec<u8>>,
        layers: &OpenOptions,
    ) -> Self {
        Self::new(
            name,
            bytes.map_err(Into::into).and_then(|bytes| variant_io::open_bytes(bytes, layers)),
        )
    }

    fn new(name: String, opened: Result<Opened, OpenError>) -> Self {
        Self { name, opened: opened.map_err(|error| error.to_string()) }
    }

    pub(crate) fn start<'p>(&self, reader: &mut Reader<'p>) -> Option<FileRows<'p, '_>> {
        reader.start(&self.name, self.opened.as_ref().map(Opened::bytes).map_err(String::as_str))
    }

    pub(crate) fn into_spare(self) -> Option<Vec<u8>> {
        self.opened.ok().filter(|opened| !opened.is_mapped()).map(Opened::into_bytes)
    }
}

/// Record batches that are read on the thread of the caller, from [`Table::batches`]. The rows of several files share a
/// batch.
pub struct Batches<'t> {
    reader: Reader<'t>,
}

impl<'t> Batches<'t> {
    pub(crate) fn new(table: &'t Table) -> Self {
        Self { reader: Reader::new(&table.0) }
    }

    /// The batches that become full with the rows of a file. Each batch is read on request.
    pub fn of<'b, 'f>(&'b mut self, file: &'f OpenFile) -> Full<'b, 't, 'f> {
        let rows = file.start(&mut self.reader);
        Full { reader: &mut self.reader, rows }
    }

    /// The remaining rows after the last full batch, if there are any.
    pub fn finish(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        self.reader.finish()
    }
}

/// The full batches of a file, from [`Batches::of`].
pub struct Full<'b, 't, 'f> {
    reader: &'b mut Reader<'t>,
    rows: Option<FileRows<'t, 'f>>,
}

impl Full<'_, '_, '_> {
    /// The counts since the previous call.
    pub fn take_summary(&mut self) -> Summary {
        std::mem::take(&mut self.reader.summary)
    }
}

impl Iterator for Full<'_, '_, '_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rows.as_mut().is_some_and(|rows| !rows.fill(self.reader)) {
            self.rows = None;
        }
        if self.reader.is_full() { self.reader.finish() } else { None }
    }
}

impl fmt::Debug for Batches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("summary", &self.reader.summary).finish_non_exhaustive()
    }
}

impl fmt::Debug for Full<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Full").field("summary", &self.reader.summary).finish_non_exhaustive()
    }
}
