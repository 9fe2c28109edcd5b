//! The outputs of a table: a file, or the files of a folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use variant_document::escape::neutral_lines;
use variant_table::{Format, PartitionOutput, Partitions, TableWriter};

use super::failure;
use crate::cli::TableArgs;
use crate::failure::Failure;

/// Writes a table to an output that only this thread may use. A `TableWriter` needs a writer that any thread may use,
/// so it writes to a buffer.
pub(super) struct Sink<'o> {
    writer: TableWriter<Buffer>,
    buffer: Buffer,
    /// Whether the output is a terminal, which obeys control characters.
    is_neutral: bool,
    out: &'o mut dyn Write,
}

/// Bytes that the writer of the format has written, and that the output does not have yet.
#[derive(Clone, Debug, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    fn take(&self) -> Vec<u8> {
        take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'o> Sink<'o> {
    pub(super) fn new(
        format: Format,
        schema: &Schema,
        is_neutral: bool,
        out: &'o mut dyn Write,
    ) -> Result<Self, Failure> {
        let buffer = Buffer::default();
        let writer = TableWriter::new(format, schema, buffer.clone());
        Ok(Self { writer: writer.map_err(|error| failure(&error))?, buffer, is_neutral, out })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        self.writer.write(batch).map_err(|error| failure(&error))?;
        // Each batch ends at the end of a line, so lines stay whole.
        hand_on(&self.buffer, self.is_neutral, self.out)
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.writer.finish().map_err(|error| failure(&error))?;
        hand_on(&self.buffer, self.is_neutral, self.out)
    }
}

fn hand_on(buffer: &Buffer, is_neutral: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let bytes = buffer.take();
    if is_neutral {
        out.write_all(neutral_lines(&String::from_utf8_lossy(&bytes)).as_bytes())?;
    } else {
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Writes a table to the files of a folder.
pub(super) struct Folder(Partitions<Files>);

struct Files {
    folder: PathBuf,
    name: String,
}

impl PartitionOutput for Files {
    type File = BufWriter<File>;

    fn create(&mut self, folder: &str) -> io::Result<Self::File> {
        let folder = self.folder.join(folder);
        fs::create_dir_all(&folder)?;
        // If the file system ignores case, two values may have the same file name. This is an error.
        File::create_new(folder.join(&self.name)).map(BufWriter::new)
    }
}

impl Folder {
    pub(super) fn new(
        folder: &Path,
        format: Format,
        args: &TableArgs,
        schema: &Schema,
    ) -> Result<Self, Failure> {
        let by: Vec<_> = args.partition_by.iter().map(String::as_str).collect();
        let files = Files { folder: folder.to_owned(), name: format!("part-0.{format}") };
        let most = usize::try_from(args.max_partitions.get()).unwrap_or(usize::MAX);
        let partitions = Partitions::new(format, schema, &by, most, files);
        partitions.map(Self).map_err(|error| failure(&error))
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        self.0.write(batch).map_err(|error| failure(&error))
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        for (_, file) in self.0.finish().map_err(|error| failure(&error))? {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        }
        Ok(())
    }
}
