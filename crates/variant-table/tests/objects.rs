//! Files in a store of objects: patterns, reading on several threads, errors.

#![cfg(feature = "object-store")]
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test may stop"
)]

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};
use variant_table::{Columns, Files, Objects, ReadOptions, Table};
use variant_testkit::saves::save;
use variant_view::Dialect;

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
    // An object that is too long becomes a row that says so.
    let table =
        Table::new(Columns::parse(["_error"]).unwrap(), ReadOptions::new().max_len(100)).unwrap();
    let mut scan = table.scan(objects.find("saves/0/00.sav").unwrap().sources, 1);
    let batch = scan.next().unwrap().unwrap();
    let text = batch.column(0).as_struct().column(2).as_string::<i32>().value(0).to_owned();
    assert!(text.contains("longer than 100 bytes"), "{text}");
}

#[test]
fn objects_in_memory() {
    holds(Arc::new(InMemory::new()));
}

/// Works in an asynchronous program with another runtime too: a separate thread waits.
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
            // One thread reads where the caller is.
            table.scan(files.sources, 1).map(|batch| batch.unwrap().num_rows()).sum::<usize>()
        });
        assert_eq!(rows, 1);
    }
}

#[test]
fn objects_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    holds(Arc::new(LocalFileSystem::new_with_prefix(folder.path()).unwrap()));
}
