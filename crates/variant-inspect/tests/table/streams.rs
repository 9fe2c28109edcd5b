//! Standard input and output, passwords, and exit statuses.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use variant_io::{Compression, Encryption, GcpfOptions, Key, compress, encrypt};
use variant_testkit::saves::save;
use variant_view::Dialect;

use crate::common::{Folder, Run, inspect_with, name, text};
use crate::work::{json_rows, lines, parquet, table};

fn pipe(arguments: &[&str], input: &[u8]) -> Output {
    inspect_with(&[&["table"], arguments].concat(), input)
}

#[test]
fn a_save_from_a_pipe_is_a_row_to_a_pipe() {
    let work = Folder::new();
    let bytes = save(1, 5_000, Dialect::Godot3);
    for format in ["jsonl", "parquet"] {
        let arguments = ["-", "--columns", "hp=player.hp:int", "--format", format, "-o", "-"];
        let run = pipe(&arguments, &bytes);
        let told = text(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{told}");
        assert!(told.contains("1 file, 1 value: 1 row + 0 errors"), "{told}");
        let rows = match format {
            "jsonl" => lines(&run.stdout),
            _ => json_rows(&parquet(&work.file("out.parquet", &run.stdout))),
        };
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0]["_file"], "standard input");
        assert!(rows[0]["hp"].is_i64());
    }
    // `--infer` finds the columns in the bytes that were already read from the pipe.
    let run = Run::from(pipe(&["-", "--infer"], &bytes));
    assert!(run.out.contains("player.hp:int"), "{run:?}");
}

#[test]
fn input_beyond_the_limit_is_an_error_and_not_a_part_of_it() {
    let bytes = save(1, 5_000, Dialect::Godot3);
    let arguments = ["-", "--max-input", "4000", "--format", "csv", "-o", "-"];
    let run = Run::from(pipe(&arguments, &bytes)).expect(3);
    assert!(run.out.is_empty() && run.err.contains("longer than 4,000 bytes"), "{}", run.err);
}

#[test]
fn encrypted_and_compressed_saves_are_rows() {
    let work = Folder::new();
    let key = Key::from_password("hunter2");
    let plain = save(1, 5_000, Dialect::Godot4);
    let packed = compress(&plain, &GcpfOptions::new(Compression::Zstd)).unwrap();
    work.file("saves/1.sav", &plain);
    work.file("saves/2.sav", &packed);
    work.file("saves/3.sav", &encrypt(&plain, &key, Encryption::Ecb));
    work.file("saves/4.sav", &encrypt(&packed, &key, Encryption::cfb().unwrap()));
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_variant-inspect"))
            .args(["table", "--columns", "hp=player.hp:int", "--format", "jsonl", "-o", "-"])
            .args(arguments)
            .arg(work.path("saves"))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        (output.status.code().unwrap(), lines(&output.stdout), text(&output.stderr))
    };
    let (status, rows, told) = run(&[("SECRET", "hunter2")], &["--password-env", "SECRET"]);
    assert_eq!((status, rows.len()), (0, 4), "{told}");
    assert!(rows.iter().all(|row| row["hp"] == rows[0]["hp"] && row["hp"].is_i64()), "{rows:#?}");
    // Without the key, or with a wrong one, encrypted files are errors.
    for (variables, arguments) in
        [(&[][..], &[][..]), (&[("SECRET", "wrong")], &["--password-env", "SECRET"])]
    {
        let (status, rows, told) = run(variables, arguments);
        assert_eq!((status, rows.len()), (1, 4), "{told}");
        let are_read: Vec<_> = rows.iter().map(|row| row["hp"].is_i64()).collect();
        assert_eq!(are_read, [true, true, false, false]);
        assert!(
            !told.contains("wrong") && !rows.iter().any(|row| row.to_string().contains("hunter2"))
        );
    }
    let (status, _, told) = run(&[], &["--password-env", "NOT_SET_ANYWHERE"]);
    assert_eq!(status, 2, "{told}");
}

#[test]
fn the_summary_is_json_on_request() {
    let work = Folder::new();
    work.saves(20, 10);
    let output = work.path("out.csv");
    let arguments = ["--columns", "player.hp:int", "--json", "-o", name(&output)];
    let run = table(&arguments, &[&work.path("saves"), &work.path("*.none")]).expect(1);
    let summary: Value = serde_json::from_str(&run.out).unwrap();
    for (name, number) in
        [("files", 20), ("values", 20), ("rows", 18), ("errors", 2), ("misfits", 0)]
    {
        assert_eq!(summary[name], number, "{name}");
    }
    assert_eq!(summary["unmatched"].as_array().map(Vec::len), Some(1));
    // Two outputs cannot share a stream.
    let arguments = ["--columns", "player.hp", "--json", "--format", "csv", "-o", "-"];
    table(&arguments, &[&work.path("saves")]).expect(2);
}

#[test]
fn what_contradicts_itself_is_refused() {
    let work = Folder::new();
    work.saves(1, 0);
    for arguments in [
        &["--columns", "a", "--schema", "b", "-o", "c.csv"][..],
        &["--columns", "a"],
        &["--infer", "--format", "csv"],
        &["--columns", "a", "-o", "-"],
        &["--columns", "a", "-o", "-", "--format", "csv", "--partition-by", "a"],
        &["--columns", "a", "-o", "a.csv", "--max-partitions", "3"],
        &["--columns", "a", "-o", "a.csv", "--batch-rows", "0"],
        &["--columns", "a", "-o", "a.csv", "--sample", "0"],
    ] {
        table(arguments, &[&work.path("saves")]).expect(2);
    }
    assert_eq!(fs::read_dir(work.path("saves")).unwrap().count(), 1);
}

/// A reader that closes the output ends the command without a message.
#[cfg(unix)]
#[test]
fn a_reader_that_closes_the_output_ends_the_command() {
    let work = Folder::new();
    work.saves(300, 0);
    let program = env!("CARGO_BIN_EXE_variant-inspect");
    let saves = work.path("saves");
    let line = format!(
        "{{ '{program}' table '{}' --columns 'id=inventory[*].id, name=inventory[*].name' --format csv -o - 2> '{}'; echo $? > '{}'; }} | head -n 1",
        saves.display(),
        work.path("told").display(),
        work.path("status").display()
    );
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert_eq!(text(&output.stdout), "_file,id,name,_error.offset,_error.path,_error.text\n");
    let status = fs::read_to_string(work.path("status")).unwrap();
    assert_eq!(status.trim(), "141", "{}", fs::read_to_string(work.path("told")).unwrap());
    assert_eq!(fs::read_to_string(work.path("told")).unwrap(), "");
}

/// Binary output on a terminal is useless, and may change the settings of the terminal.
#[cfg(target_os = "linux")]
#[test]
fn no_bytes_go_to_a_terminal() {
    use std::fs::File;
    use std::io::Read as _;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let work = Folder::new();
    let file =
        work.save("a.sav", Dialect::Godot4, variant_owned::dictionary! { "name" => "\u{1b}[2J" });
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let run = |format: &str| {
        let screen = File::options().read(true).write(true).open(&name).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
        command.args(["table", "--columns", "name:text", "--with", "none", "--format", format]);
        Run::from(command.args(["-o", "-"]).arg(&file).stdout(screen).output().unwrap())
    };
    for format in ["parquet", "arrow"] {
        let told = run(format).expect(2).err;
        assert!(told.contains("is not text for a terminal"), "{told}");
    }
    // Text may be written to a terminal.
    let screen = File::options().read(true).write(true).open(&name).unwrap();
    run("csv").expect(0);
    let mut said = vec![0; 1 << 12];
    let len = File::from(terminal).read(&mut said).unwrap();
    let said = String::from_utf8_lossy(&said[..len]).into_owned();
    assert!(said.contains("name") && !said.contains('\u{1b}'), "{said:?}");
    drop(screen);
}
