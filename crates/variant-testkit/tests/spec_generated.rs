//! The generated files of docs/spec are current. The decoder and the encoder give the results of every conformance
//! level.

use std::collections::BTreeSet;
use std::fs;
use std::thread;

use serde_json::Value;
use variant_testkit::corpus;
use variant_testkit::spec::{self, Level, Record};
use variant_view::{Dialect, Kind};

/// Runs the test on a stack that is large enough for records of a thousand levels.
fn deep(test: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(1 << 29).spawn(test).unwrap().join().unwrap();
}

fn read(name: &str) -> String {
    fs::read_to_string(corpus::root().join("../docs/spec").join(name)).unwrap()
}

fn records(level: Level) -> Vec<Record> {
    read(level.file()).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn they_are_current() {
    deep(|| {
        let old: Vec<_> =
            spec::files().unwrap().into_iter().filter(|file| !file.is_current()).collect();
        let names: Vec<_> = old.iter().map(|file| file.name).collect();
        assert!(names.is_empty(), "{names:?}: cargo run -p variant-testkit --bin spec");
    });
}

#[test]
fn every_level_is_met() {
    deep(|| {
        for &level in Level::ALL {
            let records = records(level);
            assert!(records.len() > 1000, "{}: {} records", level.file(), records.len());
            for record in records {
                assert_eq!(spec::met(&record), Ok(()), "{}: {record:?}", level.file());
            }
        }
    });
}

#[test]
fn other_records_are_not_met() {
    deep(|| {
        for &level in Level::ALL {
            let mut record = records(level).pop().unwrap();
            record.verdict = record.verdict.map(|_| "ERR_BUG".to_owned());
            record.consumed = record.consumed.map(|consumed| consumed + 1);
            record.value = record.value.map(|_| Value::Null);
            record.canonical = record.canonical.map(|canonical| canonical + "00");
            assert!(spec::met(&record).is_err(), "{}", level.file());
        }
    });
}

/// Cases that must be among the chosen records.
#[test]
fn every_kind_and_error_is_in_them() {
    let verdicts = records(Level::Verdict);
    let engines = Dialect::ALL.iter().filter(|&&dialect| dialect != Dialect::Godot2);
    for &dialect in engines {
        let own: Vec<_> =
            verdicts.iter().filter(|record| record.dialect == dialect.name()).collect();
        let said: BTreeSet<_> = own.iter().filter_map(|record| record.verdict.as_deref()).collect();
        // Godot 3.2.3 has no depth limit.
        let depth = (dialect != Dialect::Godot3).then_some("ERR_OUT_OF_MEMORY");
        let errors = ["ok", "ERR_INVALID_DATA", "ERR_FILE_EOF", "ERR_UNAUTHORIZED"];
        assert_eq!(said, errors.into_iter().chain(depth).collect(), "{dialect}");
        for &level in Level::ALL {
            let own: Vec<_> = records(level);
            let ids: BTreeSet<Kind> = own
                .iter()
                .filter(|record| record.dialect == dialect.name())
                .filter(|record| level != Level::Verdict || record.verdict.as_deref() == Some("ok"))
                .filter_map(|record| dialect.kind(corpus::from_hex(&record.hex).unwrap()[0]))
                .collect();
            // Pandemonium misreads these kinds: docs/spec/engines.md#defects.
            let is_defect = |kind: Kind| {
                matches!(dialect, Dialect::Pandemonium4 | Dialect::Pandemonium5)
                    && [
                        Kind::Vector4,
                        Kind::Vector4i,
                        Kind::Projection,
                        Kind::PackedVector4Array,
                        Kind::PackedVector4iArray,
                    ]
                    .contains(&kind)
            };
            let missing: Vec<_> = dialect
                .kinds()
                .iter()
                .filter(|&&kind| !ids.contains(&kind) && !is_defect(kind))
                .collect();
            assert!(missing.is_empty(), "{}, {dialect}: {missing:?}", level.file());
        }
    }
}

/// The names of types are the engines' names.
#[test]
fn the_table_has_the_engines_own_names() {
    let tables: Value = serde_json::from_str(&read("dialects.json")).unwrap();
    let mut count = 0;
    for dialect in tables["dialects"].as_array().unwrap() {
        let name = dialect["dialect"].as_str().unwrap();
        let path = corpus::root().join(name).join("single.vectors.jsonl");
        // The corpus has no records of Godot 2. The records of Godot 3 do not name types.
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let Some(expected) = record["type_name"].as_str() else { continue };
            let id = usize::try_from(record["type"].as_u64().unwrap()).unwrap();
            assert_eq!(dialect["types"][id]["engine_name"], expected, "{name}");
            count += 1;
        }
    }
    assert!(count > 700, "{count}");
}
