//! [`Objects`]: files in a store of objects, such as a bucket.

use std::env;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use futures_util::TryStreamExt as _;
use object_store::path::Path;
use object_store::{
    ObjectMeta, ObjectStore, ObjectStoreExt as _, ObjectStoreScheme, parse_url_opts,
};
use tokio::runtime::{Builder, Runtime};
use url::{Position, Url};
use variant_document::files::WILD;

use crate::batches::OpenFile;
use crate::error::TableError;
use crate::files::{Files, without_secrets};
use crate::source::{Source, Store};
use crate::table::Table;

/// Files in a store of the crate `object_store`: a bucket of Amazon, Google or Azure, an HTTP server, a folder. The
/// features of that crate decide which stores exist. This crate enables folders and memory; with the feature `buckets`,
/// it also enables the other stores.
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
    /// The start of the names of the store's files, such as `s3://bucket/`.
    base: String,
    /// The runtime that waits for the answers of the store. `Drop` ends it without blocking.
    runtime: Option<Runtime>,
}

impl Objects {
    /// The objects of a store, with a separate thread that waits for the answers of the store. The threads of a scan
    /// block while they wait. So the number of concurrent requests is the number of the scan's threads.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn new(store: Arc<dyn ObjectStore>) -> Result<Arc<Self>, TableError> {
        Self::with_base(store, String::new())
    }

    /// Works as [`Objects::new`], for names that begin with the URL of the store.
    fn with_base(store: Arc<dyn ObjectStore>, base: String) -> Result<Arc<Self>, TableError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| io_error(&store, error))?;
        Ok(Arc::new(Self { store, base, runtime: Some(runtime) }))
    }

    /// An object as a file. The name of the file begins with the URL of the store, if [`Files::find`] made the store.
    pub fn source(self: &Arc<Self>, path: &Path) -> Source {
        let store: Arc<dyn Store> = Arc::<Self>::clone(self);
        Source::Object(store, format!("{}{path}", self.base).into())
    }

    /// The objects whose names match a pattern, sorted. A pattern without `*`, `?` and `[...]` is the name of one
    /// object or of a folder. A folder selects all objects below it. For any other pattern, all objects below one
    /// folder are listed: the last folder before the first of these characters.
    ///
    /// # Errors
    /// The store fails, or the pattern is invalid.
    pub fn find(self: &Arc<Self>, pattern: &str) -> Result<Files, TableError> {
        self.select(pattern, pattern.find(WILD))
    }

    /// Works as [`Objects::find`]. `wild` is the position of the first pattern character.
    fn select(self: &Arc<Self>, pattern: &str, wild: Option<usize>) -> Result<Files, TableError> {
        let fixed = pattern.get(..wild.unwrap_or(pattern.len())).unwrap_or_default();
        let folder = match wild {
            Some(_) => fixed.rsplit_once('/').map_or("", |(folder, _)| folder),
            None => fixed,
        };
        let glob = wild.map(|_| glob::Pattern::new(pattern)).transpose().map_err(|error| {
            io_error(&pattern, io::Error::new(io::ErrorKind::InvalidInput, error))
        })?;
        let mut paths = self.list(folder, wild.is_none())?;
        // A `*` in a pattern matches names within one folder, as in patterns of files.
        let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
        let matches = |path: &Path| {
            glob.as_ref().is_none_or(|glob| glob.matches_with(path.as_ref(), options))
        };
        paths.retain(matches);
        paths.sort_unstable();
        let mut files = Files::default();
        if paths.is_empty() {
            files.unmatched.push(format!("{}{pattern}", self.base));
        }
        files.sources = paths.iter().map(|path| self.source(path)).collect();
        Ok(files)
    }

    /// The objects below a folder, or the one object with this name. The object is looked up first: an HTTP server may
    /// refuse to list.
    fn list(&self, folder: &str, is_name: bool) -> Result<Vec<Path>, TableError> {
        let named = |error| io_error(&format!("{}{folder}", self.base), error);
        let path = Path::parse(folder).map_err(|error| named(io::Error::other(error)))?;
        let (store, is_name) = (Arc::clone(&self.store), is_name && !folder.is_empty());
        let found = async move {
            if is_name {
                match store.head(&path).await {
                    Ok(one) => return Ok(vec![one.location]),
                    Err(object_store::Error::NotFound { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            let found: Vec<ObjectMeta> = store.list(Some(&path)).try_collect().await?;
            Ok(found.into_iter().map(|object| object.location).collect())
        };
        self.wait(found).map_err(named)
    }

    /// Waits for an answer. The thread of the store makes the request, since the caller's thread may belong to another
    /// runtime.
    fn wait<T: Send + 'static>(
        &self,
        answer: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        let runtime = self.runtime.as_ref();
        let runtime = runtime.ok_or_else(|| io::Error::other("the store is closed"))?;
        let (sender, receiver) = sync_channel(1);
        runtime.spawn(async move {
            // The caller waits for the answer, so sending does not fail.
            let _ = sender.send(answer.await);
        });
        let answered = receiver.recv();
        Ok(answered.map_err(|_| io::Error::other("the store gave no answer"))??)
    }
}

impl Store for Objects {
    fn get(&self, name: &str, max_len: u64) -> io::Result<Vec<u8>> {
        let path = name.strip_prefix(&self.base).unwrap_or(name);
        let path = Path::parse(path).map_err(object_store::Error::from)?;
        let store = Arc::clone(&self.store);
        self.wait(async move { Ok(bytes(store.as_ref(), &path, max_len).await) })?
    }
}

/// All bytes of an object that has at most `max_len` bytes.
async fn bytes(store: &dyn ObjectStore, path: &Path, max_len: u64) -> io::Result<Vec<u8>> {
    let too_long =
        || io::Error::new(io::ErrorKind::FileTooLarge, format!("longer than {max_len} bytes"));
    let found = store.get(path).await?;
    if found.meta.size > max_len {
        return Err(too_long());
    }
    let (mut parts, mut bytes) = (found.into_stream(), Vec::new());
    // A store may send more bytes than it announced.
    while let Some(part) = parts.try_next().await? {
        let len = bytes.len().saturating_add(part.len());
        if u64::try_from(len).map_or(true, |len| len > max_len) {
            return Err(too_long());
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

impl Table {
    /// Reads an object for [`Table::batches`]. It is read as a whole, up to the limit of bytes. An error of the store
    /// becomes a row.
    pub async fn fetch(&self, store: &dyn ObjectStore, path: &Path, name: String) -> OpenFile {
        let layers = &self.0.options.reading.layers;
        OpenFile::of_bytes(name, bytes(store, path, layers.limit()).await, layers)
    }
}

impl Files {
    /// Works as [`Files::find`], with other stores for URLs. `store` is called with the start of a URL, such as
    /// `s3://bucket/`.
    ///
    /// # Errors
    /// Those of [`Files::find`] and of `store`.
    pub fn find_in<T: AsRef<std::path::Path>>(
        names: impl IntoIterator<Item = T>,
        max_len: u64,
        store: impl Fn(&Url) -> io::Result<Arc<dyn ObjectStore>>,
    ) -> Result<Self, TableError> {
        Self::with_urls(names, max_len, |name| in_store(name, &store))
    }
}

/// The files of a URL in a store whose settings come from the environment.
pub(crate) fn of_url(name: &str) -> Result<Files, TableError> {
    in_store(name, store_of)
}

fn in_store(
    name: &str,
    store: impl Fn(&Url) -> io::Result<Arc<dyn ObjectStore>>,
) -> Result<Files, TableError> {
    let failed = |error| io_error(&without_secrets(name), error);
    let parsed = |url: &str| Url::parse(url).map_err(|error| failed(io::Error::other(error)));
    let url = parsed(name)?;
    let path = if matches!(url.scheme(), "http" | "https") {
        Some(path_of(&url).map_err(failed)?)
    } else if url.password().is_some() {
        return Err(failed(invalid("a password in a URL is not supported; use the environment")));
    } else {
        None
    };
    let base = parsed(&format!("{}/", &url[..Position::BeforePath]))?;
    let objects = Objects::with_base(store(&base).map_err(failed)?, base.into())?;
    match path {
        Some(path) => {
            // Percent-encoded characters do not make a pattern.
            let is_pattern = url.path().contains(WILD);
            objects.select(path.as_ref(), path.as_ref().find(WILD).filter(|_| is_pattern))
        }
        // The path in the store is without percent-encoding.
        None => objects.find(name.splitn(4, '/').nth(3).unwrap_or_default()),
    }
}

/// The path of an `https://` URL in its store. The store encodes it again.
///
/// # Errors
/// The URL has parts that the store would not receive.
fn path_of(url: &Url) -> io::Result<Path> {
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("a name or a password in a URL is not supported"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        let why = "a URL with `?` or `#` is not supported; write %3F or %23 for them in a name";
        return Err(invalid(why));
    }
    let path = Path::from_url_path(url.path()).map_err(io::Error::other)?;
    // The store is opened without the path, so a container or a bucket in the path would be lost.
    let (scheme, inner) = ObjectStoreScheme::parse(url).map_err(io::Error::other)?;
    if inner != path {
        return Err(invalid(match scheme {
            ObjectStoreScheme::MicrosoftAzure => {
                "write az://CONTAINER/PATH, and the account in AZURE_STORAGE_ACCOUNT_NAME"
            }
            _ => "write s3://BUCKET/PATH, and the server in AWS_ENDPOINT or AWS_REGION",
        }));
    }
    Ok(path)
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// The store of a URL such as `s3://bucket/`. Credentials and settings come from the environment: `AWS_ACCESS_KEY_ID`,
/// `AWS_ENDPOINT` and others, as the crate `object_store` names them.
///
/// # Errors
/// There is no such store, or a setting is missing.
pub fn store_of(url: &Url) -> io::Result<Arc<dyn ObjectStore>> {
    let settings = env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        let is_setting = ["AWS_", "AZURE_", "GOOGLE_"].iter().any(|start| name.starts_with(start));
        value.into_string().ok().filter(|_| is_setting).map(|value| (name, value))
    });
    let is_http = url.scheme() == "http";
    let settings = settings.chain(is_http.then(|| ("allow_http".to_owned(), "true".to_owned())));
    Ok(parse_url_opts(url, settings)?.0.into())
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
