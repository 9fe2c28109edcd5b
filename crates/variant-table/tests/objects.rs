//! Files in a store of objects: patterns, reading on several threads, errors.

#![cfg(feature = "object-store")]
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test may panic"
)]

use std::sync::Arc;

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use variant_io::OpenOptions;
use variant_table::{Columns, Files, Objects, ReadOptions, Reading, Table};
use variant_testkit::saves::save;
use variant_view::Dialect;

fn of_at_most(len: u64) -> ReadOptions {
    let layers = OpenOptions::new().max_len(len);
    ReadOptions::new().reading(Reading { layers, ..Reading::new() })
}

fn put(store: &dyn ObjectStore, name: &str, bytes: Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.put(&Path::from(name), bytes.into())).unwrap();
}

fn fill(store: &dyn ObjectStore) {
    for number in 0..20 {
        let name = format!("saves/{}/{number:02}.sav", number % 3);
        put(store, &name, save(number, 2_000, Dialect::Godot4));
    }
    put(store, "saves/0/notes.txt", b"no save".to_vec());
    put(store, "saves/empty.sav", Vec::new());
}

fn names(files: &Files) -> Vec<String> {
    files.sources.iter().map(variant_table::Source::name).collect()
}

fn holds(store: Arc<dyn ObjectStore>) {
    fill(store.as_ref());
    let objects = Objects::new(store).unwrap();
    let files = objects.find("saves/*/*.sav").unwrap();
    assert_eq!(names(&files).len(), 20);
    assert!(names(&files).is_sorted());
    for (pattern, count) in [
        ("saves/**/*.sav", 21),
        ("saves", 22),
        ("saves/0/00.sav", 1),
        ("saves/*.sav", 1),
        ("saves/[12]/*", 13),
        ("gone/*", 0),
        ("gone", 0),
    ] {
        let files = objects.find(pattern).unwrap();
        assert_eq!(
            (files.sources.len(), files.unmatched.len()),
            (count, usize::from(count == 0)),
            "{pattern}"
        );
    }
    let columns = Columns::parse(["_file", "player.hp:int", "_error"]).unwrap();
    let table = Table::new(columns, ReadOptions::new()).unwrap();
    let mut scan = table.scan(objects.find("saves/**/*.sav").unwrap().sources, 4);
    let (mut rows, mut numbers) = (0, 0);
    for batch in scan.by_ref() {
        let batch = batch.unwrap();
        rows += batch.num_rows();
        numbers += batch.column(1).as_primitive::<Int64Type>().iter().flatten().count();
    }
    let summary = scan.summary();
    assert_eq!((rows, numbers, summary.rows, summary.errors), (21, 20, 20, 1));
    // An object that is too long becomes a row with this error.
    let table = Table::new(Columns::parse(["_error"]).unwrap(), of_at_most(100)).unwrap();
    let mut scan = table.scan(objects.find("saves/0/00.sav").unwrap().sources, 1);
    let batch = scan.next().unwrap().unwrap();
    let text = batch.column(0).as_struct().column(2).as_string::<i32>().value(0).to_owned();
    assert!(text.contains("longer than 100 bytes"), "{text}");
}

#[test]
fn objects_in_memory() {
    holds(Arc::new(InMemory::new()));
}

/// A store also works in an asynchronous program with another runtime: a separate thread waits.
#[test]
fn objects_of_an_asynchronous_program() {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    put(store.as_ref(), "saves/one.sav", save(1, 2_000, Dialect::Godot4));
    for runtime in [
        tokio::runtime::Builder::new_current_thread().build().unwrap(),
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap(),
    ] {
        let store = Arc::clone(&store);
        let rows = runtime.block_on(async move {
            let objects = Objects::new(store).unwrap();
            let files = objects.find("saves/*.sav").unwrap();
            let table = Table::new(Columns::parse(["_file"]).unwrap(), ReadOptions::new()).unwrap();
            // The caller's runtime is blocked while the scan waits for the store.
            table.scan(files.sources, 1).map(|batch| batch.unwrap().num_rows()).sum::<usize>()
        });
        assert_eq!(rows, 1);
    }
}

/// A store that announces a length of one byte, and sends the whole object.
#[derive(Debug)]
struct Understating(InMemory);

impl std::fmt::Display for Understating {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "understating {}", self.0)
    }
}

#[async_trait::async_trait]
impl ObjectStore for Understating {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.0.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let mut found = self.0.get_opts(location, options).await?;
        found.meta.size = 1;
        Ok(found)
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.0.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.copy_opts(from, to, options).await
    }
}

#[test]
fn an_object_that_is_longer_than_its_store_announces_is_refused() {
    let store = Understating(InMemory::new());
    put(&store, "long.sav", save(1, 2_000, Dialect::Godot4));
    let objects = Objects::new(Arc::new(store)).unwrap();
    let error = |options| {
        let table = Table::new(Columns::parse(["_error"]).unwrap(), options).unwrap();
        let batch = table.scan(objects.find("long.sav").unwrap().sources, 1).next().unwrap();
        let batch = batch.unwrap();
        let errors = batch.column(0).as_struct();
        errors.is_valid(0).then(|| errors.column(2).as_string::<i32>().value(0).to_owned())
    };
    let text = error(of_at_most(100)).unwrap();
    assert!(text.contains("longer than 100 bytes"), "{text}");
    // The announced length alone is not a reason to refuse an object.
    assert_eq!(error(ReadOptions::new()), None);
}

#[test]
fn objects_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    holds(Arc::new(LocalFileSystem::new_with_prefix(folder.path()).unwrap()));
}

/// A file that a URL finds is named by the URL of the store and the object's name. A missing store is an error.
#[test]
fn a_url_names_objects() {
    let folder = tempfile::tempdir().unwrap();
    fill(&LocalFileSystem::new_with_prefix(folder.path()).unwrap());
    let url = format!("file://{}/saves", folder.path().display());
    let found = Files::find([format!("{url}/**/*.sav"), format!("{url}/0/00.sav")], 0).unwrap();
    assert_eq!((found.sources.len(), found.repeated), (21, 1));
    assert!(names(&found).iter().all(|name| name.starts_with(&url)), "{found:?}");
    let table = Table::new(Columns::parse(["player.hp:int"]).unwrap(), ReadOptions::new()).unwrap();
    let mut scan = table.scan(found.sources, 1);
    assert_eq!(scan.by_ref().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 20);
    let found = Files::find([format!("{url}/none/*")], 0).unwrap();
    assert_eq!(found.unmatched, [format!("{url}/none/*")]);
    let error = Files::find(["ftp://server/saves"], 0).unwrap_err().to_string();
    assert!(error.starts_with("ftp://server/saves: "), "{error}");
}

/// The path of a URL of a server is decoded, since the store encodes it again.
#[test]
fn a_url_of_a_server_is_encoded_once() {
    let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for name in ["in a/größe.sav", "in a/100%.sav", "in a/x*y.sav", "in a/xzy.sav"] {
        let bytes = save(1, 2_000, Dialect::Godot4);
        runtime.block_on(memory.put(&Path::parse(name).unwrap(), bytes.into())).unwrap();
    }
    for (url, found) in [
        ("https://h/in%20a/gr%C3%B6%C3%9Fe.sav", &["https://h/in a/größe.sav"][..]),
        ("https://h/in a/größe.sav", &["https://h/in a/größe.sav"]),
        ("http://h:8080/in%20a/100%25.sav", &["http://h:8080/in a/100%.sav"]),
        ("https://h/in%20a/x%2Ay.sav", &["https://h/in a/x*y.sav"]),
        ("https://h/in%20a/x*.sav", &["https://h/in a/x*y.sav", "https://h/in a/xzy.sav"]),
        ("https://h/in%2520a/x*.sav", &[]),
    ] {
        let files = Files::find_in([url], 0, |_| Ok(Arc::clone(&memory))).unwrap();
        assert_eq!(names(&files), found, "{url}");
        let table = Table::new(Columns::parse(["_error"]).unwrap(), ReadOptions::new()).unwrap();
        let mut scan = table.scan(files.sources, 1);
        assert!(scan.by_ref().all(|batch| batch.is_ok()), "{url}");
        assert_eq!(
            (scan.summary().rows, scan.summary().errors),
            (u64::try_from(found.len()).unwrap(), 0),
            "{url}"
        );
    }
}

/// A URL with parts that the store would not get is refused. The message has no secret.
#[test]
fn a_url_that_would_lose_a_part_is_refused() {
    let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let store = |_: &_| Ok(Arc::clone(&memory));
    for (url, start, why) in [
        ("https://h/a.sav?token=secret", "https://h/a.sav: ", "with `?` or `#`"),
        ("https://h/a.sav#secret", "https://h/a.sav: ", "with `?` or `#`"),
        ("https://user:secret@h/a.sav", "https://h/a.sav: ", "a name or a password"),
        ("HTTP://secret@h/a.sav?x", "HTTP://h/a.sav: ", "a name or a password"),
        ("s3://user:secret@bucket/a?.sav", "s3://bucket/a?.sav: ", "a password in a URL"),
        ("https://u:secret@h:99999/a.sav", "https://h:99999/a.sav: ", "port"),
        ("https://acc.blob.core.windows.net/box/a.sav", "https://acc", "az://CONTAINER/PATH"),
        ("https://acc.dfs.core.windows.net/box", "https://acc", "az://CONTAINER/PATH"),
        ("https://s3.eu-west-1.amazonaws.com/box/a.sav", "https://s3", "s3://BUCKET/PATH"),
        ("https://id.r2.cloudflarestorage.com/box/a.sav", "https://id", "s3://BUCKET/PATH"),
    ] {
        let error = Files::find_in([url], 0, store).unwrap_err().to_string();
        assert!(error.starts_with(start) && error.contains(why), "{url}: {error}");
        assert!(!error.contains("secret"), "{url}: {error}");
    }
    // This URL is accepted: its bucket is in the host, so the path contains only the name of the object.
    let files = Files::find_in(["https://box.s3.eu-west-1.amazonaws.com/a.sav"], 0, store).unwrap();
    assert_eq!(files.unmatched, ["https://box.s3.eu-west-1.amazonaws.com/a.sav"]);
}

/// Requests to an HTTP server contain the path as the URL has it.
#[cfg(feature = "buckets")]
#[test]
fn a_server_gets_the_path_as_it_was_written() {
    use std::io::{BufRead as _, BufReader, Write as _};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (sender, requests) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines.map_while(|line| line.ok().filter(|line| !line.is_empty()));
            let Some(first) = lines.collect::<Vec<_>>().into_iter().next() else { continue };
            let mut answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ".to_vec();
            let bytes = save(1, 2_000, Dialect::Godot4);
            answer.extend_from_slice(format!("{}\r\n\r\n", bytes.len()).as_bytes());
            if first.starts_with("GET") {
                answer.extend_from_slice(&bytes);
            }
            stream.write_all(&answer).unwrap();
            if sender.send(first).is_err() {
                return;
            }
        }
    });
    let files = Files::find([format!("{base}/in%20a/100%25%2Ab.sav")], 0).unwrap();
    assert_eq!(names(&files), [format!("{base}/in a/100%*b.sav")]);
    let table = Table::new(Columns::parse(["_error"]).unwrap(), ReadOptions::new()).unwrap();
    let mut scan = table.scan(files.sources, 1);
    assert!(scan.by_ref().all(|batch| batch.is_ok()));
    assert_eq!((scan.summary().rows, scan.summary().errors), (1, 0));
    let paths: Vec<_> = requests.try_iter().collect();
    // The store does not encode `*`, which means the same as `%2A`.
    let wanted = ["HEAD", "GET"].map(|method| format!("{method} /in%20a/100%25*b.sav HTTP/1.1"));
    assert_eq!(paths, wanted);
}
