//! [`VariantOpener`]: reads the files of a partition.

use std::collections::VecDeque;
use std::fs;
use std::iter;
use std::path::Path as FilePath;
use std::sync::Arc;

use async_stream::try_stream;
use datafusion::arrow::array::{ArrayRef, AsArray as _, RecordBatch, StringArray};
use datafusion::common::Result;
use datafusion::common::runtime::SpawnedTask;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener};
use datafusion::physical_plan::PhysicalExpr;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use variant_table::{Column, Columns, OpenFile, Source, Table};

use crate::chunk;
use crate::format::external;
use crate::source::Counts;

/// Opens the files of a partition, and decodes their batches on request.
pub(crate) struct VariantOpener {
    pub(crate) table: Table,
    /// The number of wanted columns. They are the first columns of the table.
    pub(crate) columns: usize,
    pub(crate) of_file: Option<OfFile>,
    pub(crate) store: Arc<dyn ObjectStore>,
    /// The URL of the store. The names of the store's files start with this URL.
    pub(crate) url: String,
    pub(crate) counts: Counts,
}

/// A filter on columns that are the same in all rows of a file.
pub(crate) struct OfFile {
    pub(crate) columns: Columns,
    pub(crate) filter: Arc<dyn PhysicalExpr>,
}

impl OfFile {
    fn passes(&self, file: &str) -> Result<bool> {
        let value = |column: &Column| -> ArrayRef {
            Arc::new(iter::once(column.text_of_file(file)).collect::<StringArray>())
        };
        let values = self.columns.iter().map(value).collect();
        let row = RecordBatch::try_new(self.columns.schema(), values)?;
        let verdict = self.filter.evaluate(&row)?.into_array(1)?;
        Ok(verdict.as_boolean().iter().next().flatten() == Some(true))
    }
}

impl VariantOpener {
    /// Whether the files of the store are those of this machine.
    fn is_local(&self) -> bool {
        self.store.to_string() == LocalFileSystem::new().to_string()
    }
}

/// The file, if it is on this machine or in memory.
fn source(file: &PartitionedFile, is_local: bool) -> Option<Source> {
    // The path is made without `LocalFileSystem`, because `LocalFileSystem` refuses names such as `slot#1`.
    let on_disk = || Source::Path(FilePath::new("/").join(file.path().as_ref()));
    file.extension::<Source>().cloned().or_else(|| is_local.then(on_disk))
}

/// The files to open: files on this machine or in memory, or objects of the store.
#[derive(Default)]
struct Openings {
    sources: VecDeque<Source>,
    objects: Vec<(Path, String)>,
}

/// The maximum number of small files that are opened together, since waiting for a thread takes longer than opening a
/// small file.
const TOGETHER: usize = 16;

/// The maximum size of a small file on disk, in bytes.
const SMALL: u64 = 64 << 10;

/// The number of objects that are fetched ahead.
const AHEAD: usize = 4;

impl FileOpener for VariantOpener {
    fn open(&self, chunk: PartitionedFile) -> Result<FileOpenFuture> {
        let mut openings = Openings::default();
        let is_local = self.is_local();
        for file in chunk::files(&chunk) {
            let source = source(file, is_local);
            let of_store = || format!("{}{}", self.url, file.path());
            let name = source.as_ref().map_or_else(of_store, Source::name);
            if !self.of_file.as_ref().map_or(Ok(true), |of_file| of_file.passes(&name))? {
                continue;
            }
            match source {
                Some(source) => openings.sources.push_back(source),
                None => openings.objects.push((file.path().clone(), name)),
            }
        }
        let (table, store, counts) =
            (self.table.clone(), Arc::clone(&self.store), self.counts.clone());
        let wanted: Vec<_> = (0..self.columns).collect();
        let rows = try_stream! {
            let mut files = of_sources(table.clone(), openings.sources)
                .chain(of_objects(table.clone(), store, openings.objects));
            let mut batches = table.batches();
            while let Some(file) = files.next().await {
                let file = file?;
                let mut full = batches.of(&file);
                loop {
                    let batch = full.next();
                    counts.add(full.take_summary());
                    let Some(batch) = batch else { break };
                    yield batch?.project(&wanted)?;
                }
            }
            if let Some(batch) = batches.finish() {
                yield batch?.project(&wanted)?;
            }
        };
        Ok(Box::pin(async { Ok(rows.boxed()) }))
    }
}

/// Opens files. While a group of small files or a large file is read, the next group or file is opened.
fn of_sources(table: Table, sources: VecDeque<Source>) -> BoxStream<'static, Result<OpenFile>> {
    let open = move |mut left: VecDeque<Source>| {
        let table = table.clone();
        SpawnedTask::spawn_blocking(move || {
            let count = together(&left);
            let files: Vec<_> = left.drain(..count).map(|file| table.open(&file)).collect();
            (files, left)
        })
    };
    let files = try_stream! {
        let mut next = (!sources.is_empty()).then(|| open(sources));
        while let Some(opened) = next.take() {
            let (files, left) = opened.join().await.map_err(external)?;
            next = (!left.is_empty()).then(|| open(left));
            for file in files {
                yield file;
            }
        }
    };
    files.boxed()
}

/// The number of files at the front that are opened together: small files, or one file.
fn together(files: &VecDeque<Source>) -> usize {
    let small = files.iter().take(TOGETHER).take_while(|file| is_small(file)).count();
    small.max(1).min(files.len())
}

/// Whether the file is known to be small. The length of a pipe is not known.
fn is_small(file: &Source) -> bool {
    match file {
        Source::Path(path) => {
            fs::metadata(path).map_or(true, |found| found.is_file() && found.len() <= SMALL)
        }
        other => other.size().is_some_and(|len| len <= SMALL),
    }
}

/// Fetches objects. They are not grouped, since they may be large.
fn of_objects(
    table: Table,
    store: Arc<dyn ObjectStore>,
    objects: Vec<(Path, String)>,
) -> BoxStream<'static, Result<OpenFile>> {
    let fetch = move |(path, name): (Path, String)| {
        let (table, store) = (table.clone(), Arc::clone(&store));
        async move { Ok(table.fetch(store.as_ref(), &path, name).await) }
    };
    stream::iter(objects).map(fetch).buffered(AHEAD).boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_files_are_opened_together() {
        let of = |len| Source::Bytes("a".into(), vec![0; len].into());
        let (small, large) = (of(1), of(70_000));
        for (files, count) in [
            (vec![], 0),
            (vec![&small; 3], 3),
            (vec![&small; 40], 16),
            (vec![&large; 3], 1),
            (vec![&small, &small, &large, &small], 2),
            (vec![&large, &small], 1),
        ] {
            assert_eq!(together(&files.into_iter().cloned().collect()), count);
        }
    }
}
