//! Tables of objects in a bucket.

#[path = "../../../variant-table/tests/moto/mod.rs"]
mod moto;

use std::process::Command;

use variant_owned::{dictionary, encode};
use variant_view::Dialect;

use self::moto::Moto;
use crate::common::text;

#[test]
fn a_bucket_is_a_table() {
    let Some(moto) = Moto::start() else { return };
    for day in 1..3 {
        let save = encode(&dictionary! { "hp" => day }.into(), Dialect::Godot4).unwrap();
        moto.put(&format!("saves/of/day={day}/a.sav"), &save);
    }
    moto.put("saves/of/day=2/b.sav", b"damaged");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
        command.arg("table").args(arguments).envs(moto.settings()).output().unwrap()
    };
    // Without given columns, the folders are also columns.
    let output = run(&["s3://saves/of/**/*.sav", "--format", "csv", "-o", "-"]);
    let rows = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(rows.starts_with("_file,hp,day,_error.offset"), "{rows}");
    for row in ["s3://saves/of/day=1/a.sav,1,1,", "s3://saves/of/day=2/b.sav,,2,"] {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    let output = run(&["s3://saves/none/*", "--columns", "hp:int", "--format", "csv", "-o", "-"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("there are no files in s3://saves/none/*"));
}
