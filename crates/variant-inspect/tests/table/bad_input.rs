//! Each row of the input is a row of the output or an error.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use variant_owned::{Array, Variant, dictionary};
use variant_view::Dialect;

use crate::common::{Folder, corpus, name, run};
use crate::work::{count, rows, table};

fn hp(row: &Value) -> &Value {
    &row["hp"]
}

#[test]
fn an_error_has_the_offset_and_the_path_of_validate() {
    let work = Folder::new();
    for name in ["bad_utf8.variant", "cut_short.variant"] {
        let file = corpus(&format!("damaged/{name}"));
        let arguments = ["check", "--json", "--dialect", "godot4", "--framing", "bare"];
        let told: Value = serde_json::from_str(&run(&arguments, &[&file]).out).unwrap();
        assert_eq!(told["status"], "invalid");
        let arguments =
            ["--validate", "--dialect", "godot4", "--framing", "bare", "--columns", "hp:int"];
        let (rows, _) = rows(&work, &arguments, &[&file]);
        assert_eq!(rows[0]["_error"]["offset"], told["offset"], "{name}");
    }
}

#[test]
fn a_type_that_changes_between_saves_is_widened_or_told() {
    let work = Folder::new();
    let dialect = Dialect::Godot4;
    let files = [
        work.save("1.sav", dialect, dictionary! { "hp" => 1 }),
        work.save("2.sav", dialect, dictionary! { "hp" => 2.5 }),
        work.save("3.sav", dialect, dictionary! { "hp" => "three" }),
        work.save("4.sav", dialect, dictionary! { "other" => 4 }),
        work.save("5.sav", dialect, dictionary! { "hp" => 1_i64 << 60 | 1 }),
    ];
    let files: Vec<&Path> = files.iter().map(|file| &**file).collect();
    let run = |arguments: &[&str]| {
        let (rows, summary) = rows(&work, arguments, &files);
        assert_eq!((count(&summary, "rows"), count(&summary, "errors")), (5, 0), "{summary}");
        let misfits = rows.iter().filter(|row| !row["_error"].is_null()).count();
        assert_eq!(count(&summary, "misfits"), misfits);
        (rows.iter().map(|row| hp(row).clone()).collect::<Value>(), misfits)
    };
    // A value is also reported if a float of 64 bits cannot represent it exactly.
    let widened = json!([1.0, 2.5, null, null, null]);
    assert_eq!(run(&["--columns", "hp:float", "--misfit", "widen"]), (widened, 2));
    let strict = json!([null, 2.5, null, null, null]);
    assert_eq!(run(&["--columns", "hp:float", "--misfit", "strict"]), (strict, 3));
    // A sample of all values finds a type that fits all.
    let (all, misfits) = run(&["--columns", "hp"]);
    assert_eq!(misfits, 0);
    assert!((0..3).all(|at| all[at].is_string()) && all[3].is_null(), "{all:?}");
    // If all values are read, the run succeeds, even with misfits.
    let output = work.path("told.csv");
    let run = table(&["--columns", "hp:int", "-o", name(&output)], &files);
    let told = run.expect(0).err;
    let all = "5 files, 5 values: 5 rows + 0 errors; 2 rows with a value that does not fit";
    assert!(told.contains(all), "{told}");
}

#[test]
fn a_file_that_is_named_twice_is_read_once_and_told() {
    let work = Folder::new();
    work.saves(3, 0);
    let one = work.path("saves/000/00001.variant");
    let output = work.path("out.csv");
    let run = table(
        &["--columns", "player.hp", "-o", name(&output)],
        &[&one, &work.path("saves"), &work.path("saves/*/*.variant"), &one],
    );
    let told = run.expect(0).err;
    assert!(told.contains("5 files named more than once"), "{told}");
    assert!(told.contains("3 files, 3 values: 3 rows + 0 errors"), "{told}");
    assert_eq!(fs::read_to_string(output).unwrap().lines().count(), 4);
}

#[test]
fn a_pattern_of_no_file_is_told_and_no_file_at_all_is_an_error() {
    let work = Folder::new();
    work.saves(2, 0);
    let (saves, none) = (work.path("saves/**/*.variant"), work.path("saves/**/*.none"));
    let output = work.path("out.csv");
    let arguments = ["--columns", "player.hp", "-o", name(&output)];
    let told = table(&arguments, &[&none]).expect(3).err;
    assert!(told.contains("there are no files in ") && told.contains("*.none"), "{told}");
    assert_eq!(work.names(), ["saves"]);
    let told = table(&arguments, &[&none, &saves]).expect(0).err;
    assert!(told.contains("*.none: matches no file"), "{told}");
    assert!(told.contains("2 files, 2 values: 2 rows + 0 errors"), "{told}");
}

/// Only the parts of a 32 MiB value with columns are copied.
#[test]
fn a_large_file_is_mapped() {
    let work = Folder::new();
    let large = vec![7_u8; 32 << 20];
    let file = work.save("large.sav", Dialect::Godot4, dictionary! { "blob" => large, "hp" => 9 });
    for arguments in [&["--columns", "hp:int"][..], &["--columns", "hp:int", "--no-mmap"]] {
        let (rows, summary) = rows(&work, arguments, &[&file]);
        assert_eq!(hp(&rows[0]), 9);
        assert!(count(&summary, "bytes") > 32 << 20);
    }
    assert!(fs::metadata(work.path("out.parquet")).unwrap().len() < 1 << 16);
}

/// A small file must not become a large table.
#[test]
fn what_items_repeat_is_bounded() {
    let work = Folder::new();
    let note = "x".repeat(10_000);
    let items = (0..2_000).map(|id| Variant::from(dictionary! { "id" => id }));
    let items = items.collect::<Array>();
    let file =
        work.save("a.sav", Dialect::Godot4, dictionary! { "note" => note, "items" => items });
    let columns = ["--columns", "note:text, id=items[*].id:int"];
    let (_, summary) = rows(&work, &[&columns[..], &["--max-repeat", "2"]].concat(), &[&file]);
    assert_eq!(count(&summary, "errors"), 1);
    let (_, summary) = rows(&work, &[&columns[..], &["--max-repeat", "5000"]].concat(), &[&file]);
    assert_eq!((count(&summary, "rows"), count(&summary, "errors")), (2_000, 0));
}

#[test]
fn an_output_among_the_files_is_refused() {
    let work = Folder::new();
    work.saves(1, 0);
    let file = work.path("saves/000/00000.variant");
    let before = fs::read(&file).unwrap();
    let arguments = ["--columns", "player.hp", "--format", "csv", "-o", name(&file)];
    table(&arguments, &[&work.path("saves")]).expect(2);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn after_an_error_everything_is_as_it_was() {
    let work = Folder::new();
    work.saves(2, 0);
    let folder = work.path("saves");
    let old = work.file("old.csv", b"old");
    for columns in ["hp:integer", "a=x[*].id, b=y[*].id", "hp, hp", "["] {
        table(&["--columns", columns, "-o", name(&old)], &[&folder]).expect(2);
        assert_eq!(fs::read(&old).unwrap(), b"old");
    }
    let inside = work.path("no folder/out.csv");
    table(&["--columns", "player.hp", "-o", name(&inside)], &[&folder]).expect(3);
    assert_eq!(work.names(), ["old.csv", "saves"]);
}
