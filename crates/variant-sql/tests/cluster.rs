//! A scheduler and two executors on the loopback return the same rows as one process, even when an executor is killed.
//!
//! `CLUSTER_SAVES=20000 cargo test --release cluster::` sets the number of saves.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use variant_io::{Encryption, Key, encrypt};
use variant_owned::json::{self, Form};
use variant_view::Dialect;

use crate::programs::{Cluster, Program};

/// The variable with the password of encrypted saves, which only executors have.
const PASSWORD: (&str, &str) = ("CLUSTER_TEST_KEY", "secret");

fn password() -> [(&'static str, String); 1] {
    [(PASSWORD.0, PASSWORD.1.to_owned())]
}

fn save(number: usize) -> Vec<u8> {
    let items = (0..number % 4)
        .map(|id| format!(r#"{{"id": {}}}"#, number + id))
        .collect::<Vec<_>>()
        .join(",");
    let text = format!(
        r#"{{"player": {{"hp": {}, "name": "player {}", "gold": {}.5}}, "items": [{items}]}}"#,
        number % 100,
        number % 7,
        number * 3
    );
    json::read(&text, Form::Plain, Dialect::Godot4).unwrap()
}

/// Makes `count` saves; every hundredth is damaged.
fn saves(count: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..count {
        let file = folder.path().join(format!("{:03}/{number:06}.sav", number / 256));
        if number % 256 == 0 {
            fs::create_dir(file.parent().unwrap()).unwrap();
        }
        let mut bytes = save(number);
        if number % 100 == 99 {
            bytes.truncate(bytes.len() / 2);
        }
        fs::write(file, bytes).unwrap();
    }
    folder
}

fn query(folder: &Path, cluster: Option<&str>, sql: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-sql"));
    command.current_dir(folder).args(["--dialect=godot4", "--format=csv", "--jobs=8"]);
    command.args(cluster.map(|url| format!("--cluster={url}")));
    command.args(["--columns", "hp = player.hp:int, name = player.name:text, gold = player.gold:float, id = items[*].id:int"]);
    command.args([sql, "*/*.sav"]).stdin(Stdio::null());
    command
}

/// The lines that a query prints, sorted: the order of a cluster's rows is undefined.
fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut lines: Vec<_> =
        String::from_utf8(output.stdout.clone()).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

const QUERIES: [&str; 6] = [
    "SELECT count(*), count(hp), sum(hp), min(gold), max(id) FROM saves",
    "SELECT name, count(*) AS n, avg(gold) AS gold FROM saves WHERE hp > 50 GROUP BY name ORDER BY name",
    "SELECT hp, id, right(_file, 10) AS file FROM saves WHERE hp < 5 AND id IS NOT NULL",
    "SELECT right(_file, 10) AS file, _error.text AS error FROM saves WHERE _error IS NOT NULL",
    "SELECT a.hp, count(*) AS n FROM saves a JOIN saves b ON a.id = b.id WHERE a.hp < 10 GROUP BY a.hp",
    "SELECT variant_text(_value, 'player.name') AS name, max(variant_f64(_value, 'player.gold')) AS gold, \
     bool_and(variant_valid(_value)) AS valid FROM saves WHERE variant_i64(_value, 'player.hp') = 7 GROUP BY 1",
];

#[test]
fn a_cluster_gives_the_rows_of_one_process() {
    let count = env::var("CLUSTER_SAVES").map_or(1_000, |count| count.parse().unwrap());
    let folder = saves(count);
    for executors in [1, 2] {
        let cluster = Cluster::start(executors, &[], &password());
        for sql in QUERIES {
            let here = lines(&query(folder.path(), None, sql).output().unwrap());
            let started = Instant::now();
            let there = lines(&query(folder.path(), Some(&cluster.url), sql).output().unwrap());
            println!("{executors} executors: {:.2} s: {sql}", started.elapsed().as_secs_f64());
            assert!(here.len() > 1, "{sql}");
            assert_eq!(here, there, "{executors} executors: {sql}");
        }
    }
}

/// A save that is a pipe: its reader waits until the test writes.
struct Pipe(PathBuf);

impl Pipe {
    fn new(path: PathBuf) -> Self {
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Self(path)
    }

    /// The pipe, if it has a reader.
    fn reader(&self) -> Option<File> {
        const O_NONBLOCK: i32 = 0o4000;
        OpenOptions::new().write(true).custom_flags(O_NONBLOCK).open(&self.0).ok()
    }
}

/// Each executor waits at a pipe in the middle of a task when one of them is killed.
#[test]
fn a_killed_executor_costs_no_rows() {
    let folder = saves(1_000);
    let sql =
        "SELECT name, count(*) AS n, count(id) AS ids, sum(hp) AS hp FROM saves GROUP BY name";
    let paths = ["000/000001.sav", "003/000901.sav"].map(|name| folder.path().join(name));
    let bytes = paths.each_ref().map(|path| fs::read(path).unwrap());
    let here = lines(&query(folder.path(), None, sql).output().unwrap());
    for path in &paths {
        fs::remove_file(path).unwrap();
    }
    let pipes = paths.map(Pipe::new);
    let mut cluster = Cluster::start(2, &[], &password());
    let mut client = query(folder.path(), Some(&cluster.url), sql);
    let client = client.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut client = Program(client);
    let is_running = |client: &mut Program| client.0.try_wait().unwrap().is_none();
    let mut held = [None, None];
    while held.iter().any(Option::is_none) {
        assert!(is_running(&mut client), "the query waits for the pipes");
        for (held, pipe) in held.iter_mut().zip(&pipes) {
            *held = held.take().or_else(|| pipe.reader());
        }
        sleep(Duration::from_millis(20));
    }
    let killed = cluster.executors.remove(0);
    drop(killed);
    // The other executor must read the pipe of the killed executor from its start. So the bytes are written again, but
    // only after the reader that got them is gone.
    let mut has_bytes = [false; 2];
    for ((held, bytes), has) in held.iter_mut().zip(&bytes).zip(&mut has_bytes) {
        *has = held.take().unwrap().write_all(bytes).is_ok();
    }
    while is_running(&mut client) {
        for ((pipe, bytes), has) in pipes.iter().zip(&bytes).zip(&mut has_bytes) {
            match pipe.reader() {
                None => *has = false,
                Some(mut reader) if !*has => *has = reader.write_all(bytes).is_ok(),
                Some(_) => {}
            }
        }
        sleep(Duration::from_millis(20));
    }
    let mut output = Vec::new();
    std::io::Read::read_to_end(&mut client.0.stdout.take().unwrap(), &mut output).unwrap();
    let mut told = String::new();
    std::io::Read::read_to_string(&mut client.0.stderr.take().unwrap(), &mut told).unwrap();
    let status = client.0.wait().unwrap();
    let there = lines(&Output { status, stdout: output, stderr: told.into_bytes() });
    assert_eq!(here, there);
}

/// Neither the client nor the scheduler has the password.
#[test]
fn executors_read_passwords_from_their_environment() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("0")).unwrap();
    let bytes = encrypt(&save(7), &Key::from_password(PASSWORD.1), Encryption::cfb().unwrap());
    fs::write(folder.path().join("0/0.sav"), bytes).unwrap();
    let cluster = Cluster::start(1, &[], &password());
    let mut query = query(folder.path(), Some(&cluster.url), "SELECT max(hp) AS hp FROM saves");
    assert_eq!(lines(&query.args(["--password-env", PASSWORD.0]).output().unwrap()), ["7", "hp"]);
}
