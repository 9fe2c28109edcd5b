//! Engines run as peers of this workspace. They open the files of these tests, and receive the values of these tests.

use std::fs;
use std::path::Path;

use tokio::net::{TcpListener, UdpSocket};
use tokio_util::sync::CancellationToken;
use variant_inspect::{ChangeArgs, CommonArgs, FrameArgs, SetArgs, Terminal, Verb};
use variant_io::{
    ByteOrder, Compression, Encryption, GcpfOptions, Key, append_frame, compress, decompress,
    decrypt, encrypt, frames, settings,
};
use variant_owned::{Dictionary, KeyRule, Variant, encode};
use variant_testkit::conformance::options;
use variant_testkit::departures::{self, Asked, Classes, Expected};
use variant_testkit::live::{self, Ask, Input, LiveEngine, engines};
use variant_view::{Dialect, Document, Event, Kind, Limits, Options};

use chopped::Chopped;

#[path = "../../../variant-io/tests/common/chopped.rs"]
mod chopped;
#[allow(dead_code, reason = "the example has a program around it")]
#[path = "../../../variant-io/examples/echo_server.rs"]
mod echo_server;
#[allow(dead_code, reason = "the example has a program around it")]
#[path = "../../../variant-io/examples/websocket_server.rs"]
mod websocket_server;

const PASSWORD: &str = "a password with spaces, and å";
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";
const LENGTHS: [usize; 11] = [0, 1, 15, 16, 17, 4095, 4096, 4097, 8192, 20_000, 100_000];
const MODES: [Compression; 4] =
    [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];
const ROOMY: u64 = 1 << 24;

/// The compression or encryption of a file.
#[derive(Clone, Copy, Debug)]
enum How {
    Raw,
    Gcpf(Compression),
    Pass,
    Key,
}

impl How {
    fn all() -> impl Iterator<Item = Self> {
        MODES.into_iter().map(Self::Gcpf).chain([Self::Raw, Self::Pass, Self::Key])
    }

    /// The compression or encryption as `HOW|ARGUMENT`, two fields of a line of the file `tasks`, which the script in
    /// the engine reads.
    fn task(self) -> String {
        match self {
            Self::Raw => "raw|".to_owned(),
            Self::Gcpf(mode) => {
                format!("gcpf|{}", MODES.iter().position(|other| *other == mode).unwrap())
            }
            Self::Pass => format!("pass|{PASSWORD}"),
            Self::Key => format!("key|{KEY}"),
        }
    }

    fn key(self) -> Key {
        match self {
            Self::Key => Key::from_hex(KEY).unwrap(),
            _ => Key::from_password(PASSWORD),
        }
    }

    fn wrap(self, plain: &[u8], dialect: Dialect) -> Vec<u8> {
        match self {
            Self::Raw => plain.to_vec(),
            Self::Gcpf(mode) => compress(plain, &GcpfOptions::new(mode)).unwrap(),
            Self::Pass | Self::Key => {
                let encryption = match dialect {
                    Dialect::Godot4 => Encryption::cfb().unwrap(),
                    _ => Encryption::Ecb,
                };
                encrypt(plain, &self.key(), encryption)
            }
        }
    }

    fn unwrap(self, file: Vec<u8>) -> Vec<u8> {
        match self {
            Self::Raw => file,
            Self::Gcpf(_) => decompress(&file, ROOMY).unwrap_or_else(|e| panic!("{self:?}: {e}")),
            Self::Pass | Self::Key => {
                decrypt(&file, &self.key(), ROOMY).unwrap_or_else(|e| panic!("{self:?}: {e}"))
            }
        }
    }
}

/// Kinds of compression or encryption, and lengths, with a file name for each combination.
fn files() -> Vec<(How, usize, String)> {
    let all = How::all().enumerate();
    let with_lengths = |(at, how)| LENGTHS.map(|len| (how, len, format!("file_{at}_{len}")));
    all.flat_map(with_lengths).collect()
}

fn plain(len: usize) -> Vec<u8> {
    (0..).flat_map(|n: u32| n.to_string().into_bytes()).take(len).collect()
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether the value has objects. An object gets another id each time the engine reads it.
fn has_objects(dialect: Dialect, bytes: &[u8]) -> bool {
    let document = Document::new(bytes, options(dialect, true));
    document.walk().flatten().any(|event| match event {
        Event::Enter(node) | Event::Leaf(node) => node.view.kind() == Kind::Object,
        Event::Exit { .. } => false,
    })
}

/// The bytes that the engine has written for values without objects, from its records. Values deeper than
/// [`Limits::FILE`] allows are left out.
fn vectors(dialect: Dialect) -> Vec<Vec<u8>> {
    let is_sound = |bytes: &Vec<u8>| {
        let document = Document::new(bytes, Options::engine(dialect).limits(Limits::FILE));
        document.validate().is_ok() && !has_objects(dialect, bytes)
    };
    let vectors: Vec<_> = live::vectors(dialect).into_iter().filter(is_sound).collect();
    assert!(vectors.len() > 100, "{dialect}: {}", vectors.len());
    vectors
}

/// The vectors, and a file with a frame for each.
fn framed_vectors(dialect: Dialect) -> (Vec<Vec<u8>>, Vec<u8>) {
    let vectors = vectors(dialect);
    let mut file = Vec::new();
    for bytes in &vectors {
        append_frame(&mut file, bytes, ByteOrder::Little).unwrap();
    }
    (vectors, file)
}

/// Whether the engine should write the bytes `written` after it has read `value`.
fn is_expected(dialect: Dialect, classes: &Classes, value: &[u8], written: &[u8]) -> bool {
    let asked = Asked { dialect, objects: false, classes };
    match asked.expect(value).0 {
        Expected::Accepted { written: ours, .. } => {
            departures::between(dialect, &ours, written).unwrap().is_some()
        }
        // The engine reads null if the value is refused.
        Expected::Refused(_) => written == [0; 4],
        _ => false,
    }
}

#[test]
#[ignore = "needs engines that run"]
fn engines_open_what_is_written_here() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut tasks = Vec::new();
        for (how, len, name) in files() {
            fs::write(folder.join(&name), how.wrap(&plain(len), engine.dialect())).unwrap();
            tasks.push(format!("read|{}|{name}", how.task()));
        }
        // Blocks of another size than the engine's.
        let blocks = GcpfOptions::new(Compression::Zstd).block_size(1000);
        fs::write(folder.join("blocks"), compress(&plain(10_000), &blocks).unwrap()).unwrap();
        tasks.push("read|gcpf|2|blocks".to_owned());
        engine.carry(&tasks, folder).unwrap();
        for (how, len, name) in files() {
            let read = read(folder, &format!("{name}.read"));
            assert!(read == plain(len), "{}: {how:?} of {len}", engine.name());
        }
        assert!(read(folder, "blocks.read") == plain(10_000), "{}", engine.name());
        println!("{}: {} files of ours were opened", engine.name(), tasks.len());
    }
}

#[test]
#[ignore = "needs engines that run"]
fn files_of_engines_are_opened_here() {
    for engine in engines() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut tasks = Vec::new();
        for (how, len, name) in files() {
            fs::write(folder.join(format!("{name}.plain")), plain(len)).unwrap();
            tasks.push(format!("write|{}|{name}", how.task()));
        }
        engine.carry(&tasks, folder).unwrap();
        for (how, len, name) in files() {
            let opened = how.unwrap(read(folder, &name));
            assert!(opened == plain(len), "{}: {how:?} of {len}", engine.name());
        }
        println!("{}: {} files of the engine's were opened", engine.name(), tasks.len());
    }
}

/// The engine reads files of every kind that have each vector in a frame. It writes the values to files of the same
/// kinds.
#[test]
#[ignore = "needs engines that run"]
fn engines_read_frames_that_are_written_here_and_write_others() {
    for engine in engines() {
        let dialect = engine.dialect();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let classes = Classes::of(engine).unwrap();
        let (vectors, mut file) = framed_vectors(dialect);
        // Pandemonium 4 and 5 do not read the last byte of a compressed file. So the last value is a null, which they
        // read correctly without that byte.
        append_frame(&mut file, &[0; 4], ByteOrder::Little).unwrap();
        let mut tasks = Vec::new();
        for (at, how) in How::all().enumerate() {
            fs::write(folder.join(format!("vars_{at}")), how.wrap(&file, dialect)).unwrap();
            tasks.push(format!("vars|{}|vars_{at}", how.task()));
        }
        engine.carry(&tasks, folder).unwrap();
        for (at, how) in How::all().enumerate() {
            let file = how.unwrap(read(folder, &format!("vars_{at}.read")));
            let written: Vec<_> = frames(&file, ByteOrder::Little).map(Result::unwrap).collect();
            assert_eq!(written.len(), vectors.len() + 1, "{} {how:?}", engine.name());
            for (vector, frame) in vectors.iter().zip(&written) {
                let found = frame.bytes();
                let is_expected = is_expected(dialect, &classes, vector, found);
                assert!(is_expected, "{} {how:?}: {vector:02x?} as {found:02x?}", engine.name());
            }
        }
        println!("{}: {} values in {} files", engine.name(), vectors.len(), tasks.len());
    }
}

/// `set` changes a value in files of every kind. Engines read the new value, and unchanged other values.
#[test]
#[ignore = "needs engines that run"]
fn engines_read_files_that_were_edited() {
    for engine in engines() {
        let dialect = engine.dialect();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let save = |hp: i64, name: &str| {
            let mut player = Dictionary::with_rule(KeyRule::of(dialect));
            player.insert("hp", hp);
            player.insert("name", name);
            let mut pairs = Dictionary::with_rule(KeyRule::of(dialect));
            pairs.insert("before", Variant::PackedByteArray(vec![1, 2, 3]));
            pairs.insert("player", player);
            pairs.insert("after", "x");
            let mut file = Vec::new();
            let bytes = encode(&Variant::Dictionary(pairs), dialect).unwrap();
            append_frame(&mut file, &bytes, ByteOrder::Little).unwrap();
            // Pandemonium 4 and 5 do not read the last byte of a compressed file. So the last value is a null, which
            // they read correctly without that byte.
            append_frame(&mut file, &[0; 4], ByteOrder::Little).unwrap();
            file
        };
        let (old, new) = (save(5, "ann"), save(70_000, "a longer name"));
        let mut tasks = Vec::new();
        for (at, how) in How::all().enumerate() {
            let file = folder.join(format!("edited_{at}"));
            fs::write(&file, how.wrap(&old, dialect)).unwrap();
            let said = set(
                &file,
                how,
                dialect,
                &[("player.hp", "70000"), ("player.name", "\"a longer name\"")],
            );
            assert!(file.with_file_name(format!("edited_{at}~")).exists(), "{said}");
            assert!(
                how.unwrap(fs::read(&file).unwrap()) == new,
                "{} {how:?}: {said}",
                engine.name()
            );
            tasks.push(format!("vars|{}|edited_{at}", how.task()));
        }
        engine.carry(&tasks, folder).unwrap();
        for (at, how) in How::all().enumerate() {
            let file = how.unwrap(read(folder, &format!("edited_{at}.read")));
            assert!(file == new, "{} {how:?}: {file:02x?}", engine.name());
        }
        println!("{}: {} edited files were read", engine.name(), tasks.len());
    }
}

/// Runs `set`. Returns its output.
fn set(file: &Path, how: How, dialect: Dialect, pairs: &[(&str, &str)]) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::of(&mut out, &mut err);
    let pairs = pairs.iter().flat_map(|(path, literal)| [path.to_string(), literal.to_string()]);
    let verb = Verb::Set(SetArgs {
        file: file.to_owned(),
        pairs: pairs.collect(),
        string: false,
        frame: FrameArgs { frame: Some(1), all_frames: false },
        change: ChangeArgs::default(),
    });
    let common =
        CommonArgs { dialect: Some(dialect), key: Some(how.key()), ..CommonArgs::default() };
    let status = variant_inspect::run(&verb, &common, &mut terminal);
    let said = String::from_utf8([out, err].concat()).unwrap();
    assert_eq!(status, 0, "{how:?}: {said}");
    said
}

/// Each vector as a setting. Setting a setting to null removes it.
#[test]
#[ignore = "needs engines that run"]
fn settings_that_engines_compile_are_read_here() {
    for engine in engines() {
        let dialect = engine.dialect();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let classes = Classes::of(engine).unwrap();
        let (vectors, file) = framed_vectors(dialect);
        fs::write(folder.join("vectors"), &file).unwrap();
        engine.carry(&["settings|raw||vectors".to_owned()], folder).unwrap();
        let file = read(folder, "vectors.binary");
        let mut found = Vec::new();
        for setting in settings(&file).unwrap() {
            let setting = setting.unwrap();
            let name = setting.name();
            let Some(number) = name.strip_prefix("values/") else { continue };
            let number: usize = number.parse().unwrap();
            let Some(vector) = vectors.get(number) else { panic!("{name} was not given") };
            let is_expected = is_expected(dialect, &classes, vector, setting.bytes())
                || is_retyped(dialect, vector, setting.bytes());
            assert!(is_expected, "{name}: {vector:02x?} as {:02x?}", setting.bytes());
            found.push(number);
        }
        let is_null =
            |bytes: &[u8]| bytes == [0; 4] || is_expected(dialect, &classes, bytes, &[0; 4]);
        let given = (0..).zip(&vectors).filter(|(_, bytes)| !is_null(bytes));
        assert_eq!(found, given.map(|(number, _)| number).collect::<Vec<_>>(), "{}", engine.name());
        println!("{}: {} settings in 1 file were read", engine.name(), found.len());
    }
}

/// Whether both values are typed arrays of one kind. Pandemonium 5 compiles a typed array as another typed array.
fn is_retyped(dialect: Dialect, ours: &[u8], theirs: &[u8]) -> bool {
    let are_typed = |kind: u8| [ours, theirs].iter().all(|bytes| bytes.starts_with(&[kind, 0]));
    dialect == Dialect::Pandemonium5 && (are_typed(0x1b) || are_typed(0x1c))
}

/// Echoes the values of one peer, in pieces of at most `most` bytes.
async fn echo_in_pieces(listener: TcpListener, dialect: Dialect, most: usize) {
    let (stream, _) = listener.accept().await.unwrap();
    stream.set_nodelay(true).unwrap();
    let stop = CancellationToken::new();
    echo_server::serve_peer(Chopped(stream, most), dialect, stop).await.unwrap();
}

/// Sends every vector that is within [`Limits::SERVER`], and compares each answer with the value that was sent.
fn echo(engine: &LiveEngine, kind: &str, port: u16) {
    let dialect = engine.dialect();
    let classes = Classes::of(engine).unwrap();
    // The engine sends the value that it holds after reading, so these inputs are the bytes that it writes for the
    // vectors.
    let inputs: Vec<_> = live::vectors(dialect).into_iter().map(Input::value).collect();
    let held = engine.ask(&inputs).unwrap();
    let options = Options::engine(dialect).limits(Limits::SERVER);
    let is_fit = |bytes: &&[u8]| Document::new(bytes, options).validate().is_ok();
    let held = held.iter().filter_map(|answer| answer.written().filter(is_fit));
    let input = |bytes: &[u8]| Input { ask: Ask::Value, bytes: bytes.to_vec(), objects: true };
    let inputs: Vec<_> = held.map(input).collect();
    assert!(inputs.len() > 100, "{}: {}", engine.name(), inputs.len());
    let echoes = engine.echo(kind, port, &inputs);
    let echoes = echoes.unwrap_or_else(|error| panic!("{} by {kind}: {error}", engine.name()));
    for (sent, came) in &echoes {
        assert!(is_expected(dialect, &classes, sent, came), "{kind}: {sent:02x?} as {came:02x?}");
    }
    println!("{}: {} values there and back by {kind}", engine.name(), echoes.len());
}

#[tokio::test]
#[ignore = "needs engines that run"]
async fn engines_as_peers_on_a_stream() {
    for engine in engines() {
        for most in [7, usize::MAX] {
            for kind in ["stream", "packets"] {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                let port = listener.local_addr().unwrap().port();
                let server = tokio::spawn(echo_in_pieces(listener, engine.dialect(), most));
                tokio::task::spawn_blocking(move || echo(engine, kind, port)).await.unwrap();
                server.await.unwrap();
            }
        }
    }
}

#[tokio::test]
#[ignore = "needs engines that run"]
async fn engines_as_peers_by_datagrams() {
    for engine in engines() {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let port = socket.local_addr().unwrap().port();
        let stop = CancellationToken::new();
        let serve = echo_server::serve_datagrams(socket, engine.dialect(), stop.clone());
        let server = tokio::spawn(serve);
        tokio::task::spawn_blocking(move || echo(engine, "udp", port)).await.unwrap();
        stop.cancel();
        server.await.unwrap();
    }
}

#[tokio::test]
#[ignore = "needs engines that run"]
async fn engines_as_peers_by_websocket() {
    for engine in engines() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let stop = CancellationToken::new();
        let serve = websocket_server::serve(listener, engine.dialect(), stop.clone());
        let server = tokio::spawn(serve);
        tokio::task::spawn_blocking(move || echo(engine, "websocket", port)).await.unwrap();
        stop.cancel();
        server.await.unwrap().unwrap();
    }
}
