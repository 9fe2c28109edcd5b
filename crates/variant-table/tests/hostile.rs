//! For any bytes: no panic, a row or an error for every value, and memory bounded by the input.

#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test may panic")]

use variant_table::{Columns, Inferred, MisfitPolicy, ReadOptions, Reading, Source, Table};
use variant_testkit::mutate::mutate;
use variant_testkit::random::Random;
use variant_testkit::saves::save;
use variant_view::Dialect;

/// Every type of a column, at paths that saves have: most values do not fit.
const TYPES: [&str; 16] = [
    "bool",
    "int",
    "float",
    "text",
    "bytes",
    "RID",
    "json",
    "plain-json",
    "Vector3",
    "Color",
    "PackedFloat32Array",
    "PackedVector2Array(double)",
    "list<int>",
    "list<list<json>>",
    "map<text>",
    "map<map<float>>",
];

const PATHS: [&str; 7] =
    ["player.hp", "player", "player.position", "inventory", "quests", "map", ""];

fn columns(random: &mut Random, makes_rows: bool) -> Columns {
    let mut all =
        vec!["_file".to_owned(), "_offset".to_owned(), "_value".to_owned(), "_error".to_owned()];
    for number in 0..6 {
        let of = random.pick(&TYPES);
        let path = random.pick(&PATHS);
        all.push(format!("c{number}={path}:{of}"));
    }
    if makes_rows {
        all.extend(
            ["id=inventory[*].id:int", "key=key(inventory[*])", "item=inventory[*]:json"]
                .map(str::to_owned),
        );
    } else {
        all.extend(
            ["n=count(..*)", "sum=sum(..gold):int", "all=list(..name):list<text>"]
                .map(str::to_owned),
        );
    }
    Columns::parse(all).unwrap()
}

#[test]
fn mutated_saves() {
    let mut random = Random::new(20);
    for round in 0..400_u64 {
        let dialect = random.pick(Dialect::ALL);
        let mut bytes = save(round, 1_500, dialect);
        mutate(&mut random, &mut bytes);
        let len = bytes.len();
        let makes_rows = round.is_multiple_of(2);
        let policy =
            if round.is_multiple_of(3) { MisfitPolicy::Strict } else { MisfitPolicy::Widen };
        let dialect = Some(dialect).filter(|_| !round.is_multiple_of(5));
        let reading = Reading { dialect, ..Reading::new() };
        let options = ReadOptions::new().reading(reading).misfits(policy);
        let options = options.validate(round.is_multiple_of(7));
        let files = vec![Source::Bytes("m".into(), bytes.into())];
        // Inferred columns can be read.
        let mut tables = vec![columns(&mut random, makes_rows)];
        tables.extend(Inferred::of(&files, &options, 10).and_then(|inferred| inferred.columns()));
        for columns in tables {
            let table = Table::new(columns, options.clone()).unwrap();
            let mut scan = table.scan(files.clone(), 1);
            let (mut rows, mut memory) = (0, 0);
            for batch in scan.by_ref() {
                let batch = batch.unwrap();
                rows += batch.num_rows();
                memory += batch.get_array_memory_size();
            }
            let summary = scan.summary();
            assert_eq!(summary.files, 1);
            assert!(summary.rows + summary.errors >= summary.values, "{summary}");
            if !makes_rows {
                assert_eq!(summary.rows + summary.errors, summary.values, "{summary}");
            }
            let has_errors = table.columns().position("_error").is_some();
            let told = if has_errors { summary.errors } else { 0 };
            assert_eq!(u64::try_from(rows).unwrap(), summary.rows + told);
            assert!(memory < 2_000 * len + (1 << 20), "{memory} bytes of {len}");
        }
    }
}
