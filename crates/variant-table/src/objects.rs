//! [`Objects`]: files in a store of objects, such as a bucket.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use futures_util::TryStreamExt as _;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use tokio::runtime::{Builder, Runtime};

use crate::error::TableError;
use crate::files::Files;
use crate::source::{Source, Store};

/// Files in a store of the crate `object_store`: a bucket of Amazon, Google or Azure, an HTTP server, a folder. The
/// features of that crate decide which stores exist; this crate enables folders and memory.
///
/// ```
/// use std::sync::Arc;
///
/// use object_store::memory::InMemory;
/// use variant_table::{Columns, Objects, ReadOptions, Table};
///
/// let objects = Objects::new(Arc::new(InMemory::new()))?;
/// let files = objects.find("saves/**/*.sav")?;
/// assert_eq!(files.unmatched, ["saves/**/*.sav"]);
/// let table = Table::new(Columns::parse(["hp:int"])?, ReadOptions::new())?;
/// assert!(table.scan(files.sources, 8).next().is_none());
/// # Ok::<(), variant_table::TableError>(())
/// ```
#[derive(Debug)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    /// Waits for answers of the store. Taken out on drop, since dropping it must not block.
    runtime: Option<Runtime>,
}

impl Objects {
    /// The objects of a store, with a separate thread that waits for its answers. Threads of a scan block meanwhile:
    /// give a scan as many threads as there should be concurrent requests.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn new(store: Arc<dyn ObjectStore>) -> Result<Arc<Self>, TableError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| io_error(&store, error))?;
        Ok(Arc::new(Self { store, runtime: Some(runtime) }))
    }

    /// The objects whose names match a pattern, sorted. A name without `*`, `?` and `[...]` is one object, or all
    /// objects below it. Lists the objects below the part of the pattern before the first of these characters.
    ///
    /// # Errors
    /// Those of the store; an invalid pattern.
    pub fn find(self: &Arc<Self>, pattern: &str) -> Result<Files, TableError> {
        let wild = pattern.find(['*', '?', '[']);
        let fixed = pattern.get(..wild.unwrap_or(pattern.len())).unwrap_or_default();
        let folder = match wild {
            Some(_) => fixed.rsplit_once('/').map_or("", |(folder, _)| folder),
            None => fixed,
        };
        let glob = wild.map(|_| glob::Pattern::new(pattern)).transpose().map_err(|error| {
            io_error(&pattern, io::Error::new(io::ErrorKind::InvalidInput, error))
        })?;
        let mut names = self.list(folder)?;
        // A glob's `*` stays within its folder, as for files.
        let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
        names.retain(|name| glob.as_ref().is_none_or(|glob| glob.matches_with(name, options)));
        names.sort_unstable();
        let mut files = Files::default();
        if names.is_empty() {
            files.unmatched.push(pattern.to_owned());
        }
        let store: Arc<dyn Store> = Arc::<Self>::clone(self);
        let source = |name: String| Source::Object(Arc::clone(&store), name.into());
        files.sources = names.into_iter().map(source).collect();
        Ok(files)
    }

    /// The names below a folder, or of the one object.
    fn list(&self, folder: &str) -> Result<Vec<String>, TableError> {
        let (store, path) = (Arc::clone(&self.store), Path::from(folder));
        let is_all = folder.is_empty();
        let names = async move {
            let found: Vec<ObjectMeta> = store.list(Some(&path)).try_collect().await?;
            if !found.is_empty() || is_all {
                return Ok(found);
            }
            match store.head(&path).await {
                Ok(one) => Ok(vec![one]),
                Err(object_store::Error::NotFound { .. }) => Ok(found),
                Err(error) => Err(error),
            }
        };
        let found = self.wait(names).map_err(|error| io_error(&folder, error))?;
        Ok(found.into_iter().map(|object| object.location.to_string()).collect())
    }

    /// Waits for an answer on the thread of the store: the caller's thread may belong to another runtime.
    fn wait<T: Send + 'static>(
        &self,
        answer: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        let runtime = self.runtime.as_ref();
        let runtime = runtime.ok_or_else(|| io::Error::other("the store is closed"))?;
        let (sender, receiver) = sync_channel(1);
        runtime.spawn(async move {
            // The caller waits until it comes.
            let _ = sender.send(answer.await);
        });
        let answered = receiver.recv();
        Ok(answered.map_err(|_| io::Error::other("the store gave no answer"))??)
    }
}

impl Store for Objects {
    fn get(&self, name: &str, max_len: u64) -> io::Result<Vec<u8>> {
        let store = Arc::clone(&self.store);
        let path = Path::parse(name).map_err(object_store::Error::from)?;
        let bytes = async move {
            let found = store.get(&path).await?;
            if found.meta.size > max_len {
                return Ok(None);
            }
            let (mut parts, mut bytes) = (found.into_stream(), Vec::new());
            // A store may send more bytes than it announced.
            while let Some(part) = parts.try_next().await? {
                let len = bytes.len().saturating_add(part.len());
                if u64::try_from(len).map_or(true, |len| len > max_len) {
                    return Ok(None);
                }
                bytes.extend_from_slice(&part);
            }
            Ok::<_, object_store::Error>(Some(bytes))
        };
        self.wait(bytes)?.ok_or_else(|| {
            io::Error::new(io::ErrorKind::FileTooLarge, format!("longer than {max_len} bytes"))
        })
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn io_error(name: &dyn std::fmt::Display, error: io::Error) -> TableError {
    TableError::Io { name: name.to_string(), error }
}
