//! Tables as folders of files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use variant_owned::dictionary;
use variant_testkit::corpus::files_in;
use variant_view::Dialect;

use crate::common::{Folder, Run, name};
use crate::work::{json_rows, parquet, table};

/// The files in a folder, as paths in it.
fn files(folder: &Path) -> BTreeSet<String> {
    let inside = |path: PathBuf| name(path.strip_prefix(folder).unwrap()).to_owned();
    files_in(folder).unwrap().into_iter().map(inside).collect()
}

/// A save for each name of a player. One save has no name.
fn players(work: &Folder, names: &[&str]) {
    for (at, name) in names.iter().enumerate() {
        let hp = i64::try_from(at).unwrap();
        let save = dictionary! { "name" => *name, "hp" => hp };
        work.save(&format!("saves/{at}.sav"), Dialect::Godot4, save);
    }
    work.save("saves/none.sav", Dialect::Godot4, dictionary! { "hp" => 99 });
}

fn run(work: &Folder, arguments: &[&str]) -> Run {
    let target = work.path("out");
    let columns = ["--columns", "name:text, hp:int", "--format", "parquet"];
    let arguments = [&columns[..], &["-o", name(&target)], arguments].concat();
    table(&arguments, &[&work.path("saves")])
}

#[test]
fn no_value_leads_out_of_the_folder() {
    let work = Folder::new();
    let long = "long".repeat(50);
    let named = [
        ("Ada", "Ada"),
        ("../x", "..%2Fx"),
        ("..", ".."),
        ("/etc/passwd", "%2Fetc%2Fpasswd"),
        ("", ""),
        ("a/b", "a%2Fb"),
        ("C:\\x", "C%3A%5Cx"),
        ("\u{7}\n", "%07%0A"),
        ("__HIVE_DEFAULT_PARTITION__", "__HIVE_DEFAULT_PARTITION__"),
        ("Åsa", "%C3%85sa"),
        (&long, &long),
    ];
    players(&work, &named.map(|(name, _)| name));
    run(&work, &["--partition-by", "name"]).expect(0);
    assert_eq!(work.names(), ["out", "saves"]);
    let files = files(&work.path("out"));
    let expected = named.map(|(_, value)| format!("name={value}/part-0.parquet"));
    assert_eq!(files, expected.into_iter().collect());
    let rows = |file: &str| json_rows(&parquet(&work.path("out").join(file)));
    // A row without a name is in the same folder as the row with the name `__HIVE_DEFAULT_PARTITION__`.
    let without = rows("name=__HIVE_DEFAULT_PARTITION__/part-0.parquet");
    assert_eq!(without.iter().map(|row| row["hp"].as_i64().unwrap()).collect::<Vec<_>>(), [8, 99]);
    let all: usize = files.iter().map(|file| rows(file).len()).sum();
    assert_eq!(all, named.len() + 1);
    assert!(rows("name=Ada/part-0.parquet")[0].get("name").is_none());
}

#[test]
fn several_columns_are_folders_in_folders() {
    let work = Folder::new();
    players(&work, &["Ada", "Ada", "Bo"]);
    run(&work, &["--partition-by", "name,hp", "--json"]).expect(0);
    let expected =
        ["name=Ada/hp=0", "name=Ada/hp=1", "name=Bo/hp=2", "name=__HIVE_DEFAULT_PARTITION__/hp=99"];
    let expected = expected.map(|folder| format!("{folder}/part-0.parquet"));
    assert_eq!(files(&work.path("out")), expected.into_iter().collect());
}

#[test]
fn errors_have_a_partition_of_their_own() {
    let work = Folder::new();
    players(&work, &["Ada"]);
    work.file("saves/broken.sav", b"");
    run(&work, &["--partition-by", "name"]).expect(1);
    let rows =
        json_rows(&parquet(&work.path("out/name=__HIVE_DEFAULT_PARTITION__/part-0.parquet")));
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().any(|row| row["_error"]["text"].is_string()), "{rows:#?}");
}

#[test]
fn a_folder_is_new_or_empty_and_after_an_error_as_it_was() {
    let work = Folder::new();
    players(&work, &["Ada", "Bo", "Cy"]);
    fs::create_dir(work.path("out")).unwrap();
    run(&work, &["--partition-by", "name"]).expect(0);
    assert_eq!(files(&work.path("out")).len(), 4);
    let told = run(&work, &["--partition-by", "name"]).expect(2).err;
    assert!(told.contains("is not empty"), "{told}");
    fs::remove_dir_all(work.path("out")).unwrap();
    let too_long = "x".repeat(300);
    for (arguments, names) in [
        (&["--partition-by", "name", "--max-partitions", "3"][..], &["Ada", "Bo", "Cy"][..]),
        (&["--partition-by", "level"], &["Ada"]),
        (&["--partition-by", "name,hp,_file,_error"], &["Ada"]),
        (&["--partition-by", "name"], &[&too_long]),
    ] {
        players(&work, names);
        let run = run(&work, arguments);
        assert!(run.code.is_some_and(|code| code >= 2), "{arguments:?}");
        assert_eq!(work.names(), ["saves"], "{arguments:?}: {}", run.err);
    }
    fs::create_dir(work.path("out")).unwrap();
    run(&work, &["--partition-by", "level"]).expect(2);
    assert_eq!(files(&work.path("out")).len(), 0);
}
