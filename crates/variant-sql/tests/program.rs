//! The program `variant-sql`: forms of results, exit statuses, messages.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use datafusion::prelude::{ParquetReadOptions, SessionContext};
use tempfile::TempDir;
use variant_io::{Encryption, Key, encrypt};
use variant_owned::json::{self, Form};
use variant_view::Dialect;

fn save(text: &str) -> Vec<u8> {
    json::read(text, Form::Plain, Dialect::Godot4).unwrap()
}

/// Two saves, and a file that is not a save.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("a.sav", &save(r#"{"hp": 7, "name": "Ann", "at": [1, 2]}"#));
    write("b.sav", &save(r#"{"hp": 9, "name": "B\u001b[31mo", "at": [3]}"#));
    write("c.sav", b"damaged");
    folder
}

const COLUMNS: &str = "--columns=hp:int, name:text, at:list<int>";

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-sql"));
    command.current_dir(folder).args(["--dialect", "godot4"]);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder).args(arguments).output().unwrap()
}

/// Standard output of a query that succeeds.
fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn results_have_forms() {
    let folder = folder();
    let sql = "SELECT hp, name, at, _value FROM saves WHERE hp > 0 ORDER BY hp";
    let form = |form| text(folder.path(), &["--format", form, COLUMNS, sql, "*.sav"]);
    let pretty = form("pretty");
    // The table for people escapes terminal codes and shortens long bytes.
    assert!(pretty.contains(r"B\u{1b}[31mo") && !pretty.contains('\u{1b}'), "{pretty}");
    assert!(
        pretty.contains("1b00000003000000040000000200000068... ") || pretty.contains("... "),
        "{pretty}"
    );
    assert!(pretty.contains("bytes |"), "{pretty}");
    let csv = form("csv");
    assert!(csv.starts_with("hp,name,at,_value\n7,Ann,\"[1, 2]\",1b000000"), "{csv}");
    let json = form("json");
    assert!(
        json.starts_with("{\"hp\":7,\"name\":\"Ann\",\"at\":[1,2],\"_value\":\"1b000000"),
        "{json}"
    );
    assert_eq!(json.lines().count(), 2);
    assert_eq!(form("jsonl"), json);
    for form in ["parquet", "arrow"] {
        let file = folder.path().join(format!("result.{form}"));
        text(folder.path(), &["-o", file.to_str().unwrap(), COLUMNS, sql, "*.sav"]);
        let bytes = fs::read(&file).unwrap();
        let magic: &[u8] = if form == "parquet" { b"PAR1" } else { b"ARROW1" };
        assert!(bytes.starts_with(magic) && bytes.ends_with(magic), "{form}");
    }
    // A result without rows has the names of its columns.
    let none = text(
        folder.path(),
        &["--format=csv", COLUMNS, "SELECT hp FROM saves WHERE hp > 99", "*.sav"],
    );
    assert_eq!(none, "hp\n");
    let none = text(folder.path(), &[COLUMNS, "SELECT hp FROM saves WHERE hp > 99", "*.sav"]);
    assert!(none.contains("| hp |"), "{none}");
}

#[tokio::test]
async fn parquet_is_read_back() {
    let folder = folder();
    text(
        folder.path(),
        &["-o", "all.parquet", COLUMNS, "SELECT hp, name FROM saves ORDER BY hp", "*.sav"],
    );
    let file = folder.path().join("all.parquet");
    let context = SessionContext::new();
    let frame =
        context.read_parquet(file.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
    assert_eq!(frame.count().await.unwrap(), 3);
}

#[test]
fn what_was_read_is_told() {
    let folder = folder();
    let output = run(folder.path(), &[COLUMNS, "SELECT hp FROM saves WHERE hp > 7", "*.sav"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        told,
        "3 files, 3 values: 1 row + 1 error; 1 row left out by conditions\n1 row in the result\n"
    );
}

#[test]
fn input_comes_from_pipes() {
    let folder = folder();
    let piped = |arguments: &[&str], input: &[u8]| {
        let mut child = command(folder.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let sql = b"SELECT count(*) AS n FROM saves;\n";
    assert_eq!(piped(&["--format=csv", COLUMNS, "-", "*.sav"], sql), "n\n3\n");
    let columns = ["--format=csv", COLUMNS, "SELECT hp, _file FROM saves", "-"];
    assert_eq!(piped(&columns, &save(r#"{"hp": 5}"#)), "hp,_file\n5,standard input\n");
    // A pipe can be read only once, so its columns are inferred during that reading.
    let inferred = ["--format=csv", "SELECT hp FROM saves", "-"];
    assert_eq!(piped(&inferred, &save(r#"{"hp": 5}"#)), "hp\n5\n");
}

#[test]
fn exit_statuses_tell_what_failed() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("folder")).unwrap();
    for (arguments, status, why) in [
        (&["SELECT 1"][..], 0, "1 row in the result"),
        (&[COLUMNS, "SELECT * FROM saves", "c.sav"], 0, "1 file, 1 value: 0 rows + 1 error"),
        (&["SELEC 1"], 2, "SELEC"),
        (&["SELECT mp FROM saves", COLUMNS, "*.sav"], 2, "No field named mp"),
        (&["SELECT * FROM saves"], 2, "table 'datafusion.public.saves' not found"),
        (&["SELECT * FROM saves", "*.nothing"], 2, "'*.nothing' matches no file"),
        (&["SELECT * FROM saves", "c.sav"], 1, "columns cannot be inferred"),
        (&["SELECT * FROM saves", "--columns=hp:integer", "*.sav"], 2, "column `hp:integer`"),
        (&["SELECT 1", "-o", "result"], 2, "no format has the extension"),
        (&["SELECT 1", "-o", "nowhere/result.csv"], 3, "nowhere/result.csv: "),
        (&["SELECT 1", "-o", "folder", "--format=csv"], 3, "folder: "),
        (&["-", "-"], 2, "not both"),
        (&["SELECT 1/0"], 1, "Divide by zero"),
        (&["SELECT * FROM saves", COLUMNS, "--password-env=NONE_SUCH", "*.sav"], 1, "is not set"),
        (&["--cluster=df://127.0.0.1:1", "SELECT 1"], 1, "127.0.0.1"),
        (&["--cluster=nonsense", "SELECT 1"], 2, ""),
    ] {
        let output = command(path).args(arguments).stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        assert!(told.contains(why), "{arguments:?}: {told}");
    }
}

#[test]
fn a_failed_query_leaves_the_old_result() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("old.csv"), "old").unwrap();
    let sql = "SELECT 1 / (hp - 9) FROM saves";
    assert_eq!(run(path, &["-o", "old.csv", COLUMNS, sql, "*.sav"]).status.code(), Some(1));
    assert_eq!(fs::read_to_string(path.join("old.csv")).unwrap(), "old");
    assert_eq!(fs::read_dir(path).unwrap().count(), 4, "nothing else is left");
}

#[test]
fn a_closed_output_is_no_error() {
    let folder = folder();
    let sql = "SELECT * FROM range(3000000)";
    let mut child = command(folder.path())
        .args(["--format=csv", sql])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn passwords_are_read_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let bytes =
        encrypt(&save(r#"{"hp": 7}"#), &Key::from_password("secret"), Encryption::cfb().unwrap());
    fs::write(folder.path().join("a.sav"), bytes).unwrap();
    let run = |password: &str| {
        let sql = [
            "--password-env=SAVE_KEY",
            "--columns=hp:int",
            "--format=csv",
            "SELECT hp, _error IS NULL FROM saves",
            "a.sav",
        ];
        let output = command(folder.path()).args(sql).env("SAVE_KEY", password).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run("secret").ends_with("\n7,true\n"));
    assert!(run("wrong").ends_with("\n,false\n"));
}

/// Data that does not fit into memory goes to files. Data that cannot go to files is an error.
#[test]
fn memory_is_limited() {
    let folder = folder();
    let sql = "SELECT count(*) FROM (SELECT value, repeat('x', 100) AS text FROM range(300000) ORDER BY text, value DESC)";
    let sorted = "SELECT max(n) AS n FROM (SELECT row_number() OVER (ORDER BY repeat('x', 200), value DESC) AS n FROM range(200000))";
    assert_eq!(text(folder.path(), &["--format=csv", "--memory=20000000", sorted]), "n\n200000\n");
    let output = run(folder.path(), &["--memory=1000", sorted]);
    assert_eq!(output.status.code(), Some(1), "{sql}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("Resources exhausted"));
}
