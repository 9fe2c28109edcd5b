//! A running Godot 3 at the other end: it opens the files that are written here, and is sent back what it sends.

#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use tokio::net::{TcpListener, UdpSocket};
use tokio_util::sync::CancellationToken;
use variant_io::{
    ByteOrder, Compression, Encryption, GcpfOptions, Key, append_frame, compress, decompress,
    decrypt, encrypt, frames, settings,
};
use variant_owned::Variant;
use variant_testkit::conformance::options;
use variant_testkit::live::{Input, LiveEngine, Script};
use variant_testkit::{corpus, departures};
use variant_view::{Dialect, Document, Event, Kind, Limits, Options};

use chopped::Chopped;

#[path = "../../variant-io/tests/common/chopped.rs"]
mod chopped;
#[allow(dead_code, reason = "the example has a program around it")]
#[path = "../../variant-io/examples/echo_server.rs"]
mod echo_server;

const GODOT3: Dialect = Dialect::Godot3;
const PASSWORD: &str = "a password with spaces, and å";
const LENGTHS: [usize; 11] = [0, 1, 15, 16, 17, 4095, 4096, 4097, 8192, 20_000, 100_000];
const MODES: [Compression; 4] =
    [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];
const ROOMY: u64 = 1 << 24;

/// What Godot 3 writes for a value, of every record that the engine reads again.
fn vectors() -> Vec<Vec<u8>> {
    let mut vectors = Vec::new();
    for (dialect, path) in corpus::record_files() {
        if dialect == GODOT3 && path.to_string_lossy().contains("vectors") {
            let cases = corpus::read_cases(&path).unwrap();
            vectors.extend(cases.into_iter().map(|case| case.bytes));
        }
    }
    assert!(vectors.len() > 200, "{}", vectors.len());
    vectors
}

/// Whether there are objects, which get another id with each reading.
fn has_objects(bytes: &[u8]) -> bool {
    let document = Document::new(bytes, options(GODOT3, true));
    document.walk().flatten().any(|event| match event {
        Event::Enter(node) | Event::Leaf(node) => node.view.kind() == Kind::Object,
        Event::Exit { .. } => false,
    })
}

/// The value, of which the engine leaves some of the padding to chance.
fn value(bytes: &[u8]) -> String {
    let value = Variant::from_document(&Document::new(bytes, options(GODOT3, true)));
    format!("{:?}", value.unwrap())
}

/// The vectors without objects, and a file with each in a frame.
fn framed_vectors() -> (Vec<Vec<u8>>, Vec<u8>) {
    let vectors: Vec<_> = vectors().into_iter().filter(|bytes| !has_objects(bytes)).collect();
    let mut file = Vec::new();
    for bytes in &vectors {
        append_frame(&mut file, bytes, ByteOrder::Little).unwrap();
    }
    (vectors, file)
}

fn plain(len: usize) -> Vec<u8> {
    (0..).flat_map(|n: u32| n.to_string().into_bytes()).take(len).collect()
}

fn number(mode: Compression) -> usize {
    MODES.iter().position(|other| *other == mode).unwrap()
}

/// Runs tasks in a folder, to the last one.
fn run(tasks: &[String], folder: &Path) {
    fs::write(folder.join("tasks"), tasks.join("\n")).unwrap();
    let engine = LiveEngine::godot3();
    engine.run(Script::Carriers, folder, &[], Duration::from_secs(120)).unwrap();
    assert!(folder.join("done").exists(), "the engine has not gone through all tasks");
}

#[test]
#[ignore = "needs godot3-server"]
fn the_engine_opens_what_is_written_here() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = Key::from_password(PASSWORD);
    let mut tasks = Vec::new();
    for len in LENGTHS {
        for mode in MODES {
            let name = format!("{mode}_{len}");
            let file = compress(&plain(len), &GcpfOptions::new(mode)).unwrap();
            fs::write(folder.join(&name), file).unwrap();
            tasks.push(format!("read|gcpf|{}|{name}", number(mode)));
        }
        let name = format!("pass_{len}");
        fs::write(folder.join(&name), encrypt(&plain(len), &key, Encryption::Ecb)).unwrap();
        tasks.push(format!("read|pass|{PASSWORD}|{name}"));
    }
    // Blocks of another size than the engine's own.
    let file =
        compress(&plain(10_000), &GcpfOptions::new(Compression::Zstd).block_size(1000)).unwrap();
    fs::write(folder.join("blocks_10000"), file).unwrap();
    tasks.push("read|gcpf|2|blocks_10000".to_owned());
    run(&tasks, folder);
    for task in &tasks {
        let name = task.rsplit('|').next().unwrap();
        let len = name.rsplit('_').next().unwrap().parse().unwrap();
        let read = fs::read(folder.join(format!("{name}.read")));
        assert!(read.unwrap_or_else(|error| panic!("{task}: {error}")) == plain(len), "{task}");
    }
    println!("{} files of ours were opened", tasks.len());
}

#[test]
#[ignore = "needs godot3-server"]
fn what_the_engine_writes_is_opened_here() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut tasks = Vec::new();
    for len in LENGTHS {
        for mode in MODES {
            tasks.push(format!("write|gcpf|{}|{mode}_{len}", number(mode)));
        }
        tasks.push(format!("write|pass|{PASSWORD}|pass_{len}"));
    }
    for task in &tasks {
        let name = task.rsplit('|').next().unwrap();
        let len = name.rsplit('_').next().unwrap().parse().unwrap();
        fs::write(folder.join(format!("{name}.plain")), plain(len)).unwrap();
    }
    run(&tasks, folder);
    for task in &tasks {
        let name = task.rsplit('|').next().unwrap();
        let len = name.rsplit('_').next().unwrap().parse().unwrap();
        let file = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{task}: {error}"));
        let read = if name.starts_with("pass") {
            let key = Key::from_password(PASSWORD);
            decrypt(&file, &key, ROOMY).unwrap_or_else(|error| panic!("{task}: {error}"))
        } else {
            decompress(&file, ROOMY).unwrap_or_else(|error| panic!("{task}: {error}"))
        };
        assert!(read == plain(len), "{task}");
    }
    println!("{} files of the engine's were opened", tasks.len());
}

/// Each vector in a frame: bare, compressed, and encrypted.
#[test]
#[ignore = "needs godot3-server"]
fn the_engine_reads_frames_that_are_written_here() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (vectors, file) = framed_vectors();
    fs::write(folder.join("raw"), &file).unwrap();
    let zstd = compress(&file, &GcpfOptions::new(Compression::Zstd)).unwrap();
    fs::write(folder.join("gcpf"), zstd).unwrap();
    let locked = encrypt(&file, &Key::from_password(PASSWORD), Encryption::Ecb);
    fs::write(folder.join("pass"), locked).unwrap();
    let tasks = [
        "vars|raw||raw".to_owned(),
        "vars|gcpf|2|gcpf".to_owned(),
        format!("vars|pass|{PASSWORD}|pass"),
    ];
    run(&tasks, folder);
    for name in ["raw", "gcpf", "pass"] {
        let file = fs::read(folder.join(format!("{name}.read"))).unwrap();
        let mut count = 0_usize;
        for (frame, expected) in frames(&file, ByteOrder::Little).zip(&vectors) {
            let departures = departures::between(expected, frame.unwrap().bytes()).unwrap();
            assert!(
                departures.is_some(),
                "{name}: {expected:02x?} as {:02x?}",
                frame.unwrap().bytes()
            );
            count = count.saturating_add(1);
        }
        assert_eq!(count, vectors.len(), "{name}");
    }
    println!("{} values in 3 files were read", vectors.len());
}

/// Each vector as a setting; to set one to null is to have none.
#[test]
#[ignore = "needs godot3-server"]
fn settings_that_the_engine_compiles_are_read_here() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (vectors, file) = framed_vectors();
    fs::write(folder.join("vectors"), &file).unwrap();
    run(&["settings|raw||vectors".to_owned()], folder);
    let file = fs::read(folder.join("vectors.binary")).unwrap();
    let mut read = Vec::new();
    for setting in settings(&file).unwrap() {
        let setting = setting.unwrap();
        let name = setting.name();
        let Some(number) = name.strip_prefix("values/") else { continue };
        let number: usize = number.parse().unwrap();
        let Some(vector) = vectors.get(number) else { panic!("{name} was not given") };
        let departures = departures::between(vector, setting.bytes()).unwrap();
        assert!(departures.is_some(), "{name}: {:02x?}", setting.bytes());
        read.push(number);
    }
    let is_null = |(_, bytes): &(usize, &Vec<u8>)| bytes.as_slice() == [0; 4];
    let expected = vectors.iter().enumerate().filter(|vector| !is_null(vector));
    assert_eq!(read, expected.map(|(number, _)| number).collect::<Vec<_>>());
    println!("{} settings in 1 file were read", read.len());
}

/// Answers one peer, in pieces.
async fn echo_in_pieces(listener: TcpListener, most: usize) {
    let (stream, _) = listener.accept().await.unwrap();
    stream.set_nodelay(true).unwrap();
    let stop = CancellationToken::new();
    echo_server::serve_peer(Chopped(stream, most), GODOT3, stop).await.unwrap();
}

/// Sends every vector, and compares what comes back.
fn echo(kind: &str, port: u16) {
    // Some nest deeper than the server takes from strangers.
    let options = Options::new(GODOT3).limits(Limits::SERVER);
    let is_fit = |bytes: &Vec<u8>| Document::new(bytes, options).validate().is_ok();
    let inputs = vectors().into_iter().filter(is_fit);
    let inputs: Vec<_> = inputs.map(|bytes| Input { bytes, objects: true }).collect();
    assert!(inputs.len() > 200, "{}", inputs.len());
    let answers = LiveEngine::godot3().echo(kind, port, &inputs).unwrap();
    for (sent, came) in &answers {
        if has_objects(sent) {
            assert_eq!(sent.len(), came.len(), "{kind}: {sent:02x?}");
        } else {
            assert_eq!(value(sent), value(came), "{kind}");
        }
    }
    println!("{} values there and back by {kind}", answers.len());
}

#[tokio::test]
#[ignore = "needs godot3-server"]
async fn the_engine_as_a_peer_on_a_stream() {
    for most in [1, 7, 1000, usize::MAX] {
        for kind in ["stream", "packets"] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let port = listener.local_addr().unwrap().port();
            let server = tokio::spawn(echo_in_pieces(listener, most));
            tokio::task::spawn_blocking(move || echo(kind, port)).await.unwrap();
            server.await.unwrap();
        }
    }
}

#[tokio::test]
#[ignore = "needs godot3-server"]
async fn the_engine_as_a_peer_by_datagrams() {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let port = socket.local_addr().unwrap().port();
    let stop = CancellationToken::new();
    let server = tokio::spawn(echo_server::serve_datagrams(socket, GODOT3, stop.clone()));
    tokio::task::spawn_blocking(move || echo("udp", port)).await.unwrap();
    stop.cancel();
    server.await.unwrap();
}
