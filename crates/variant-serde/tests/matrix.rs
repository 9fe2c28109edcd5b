//! Reads each type of serde's data model from every kind, and writes each type. `tests/matrix.txt` has the outcomes,
//! for people to review.
//!
//! `MATRIX=overwrite cargo test -p variant-serde --all-features --test all matrix` rewrites that file.

mod any;
mod types;
mod values;
mod written;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use types::{COLUMNS, Column, Way};
use values::{Row, rows};
use variant_owned::{Array, Variant, encode};
use variant_view::Kind;
use written::written;

const HEAD: &str = "\
The data model of serde against every kind; tests/matrix.rs compares.

Part 1: what each type takes of each value
==========================================

A heading has the kind and the value; Godot 4 wrote it unless a dialect is named. A line has types, and the value they
read, as Debug prints it, or the error. Where a type takes anything, a word in front of a value is what it was handed
as; text without such a word was borrowed. Types around one value are printed as that value.

Types that stand together have one name:

";

const EXPECTED: &str = "
In errors \"expected ...\" stands for what the type expects:

";

const SECOND: &str = "
Part 2: what each type is written as
====================================

A heading has the type and the value. A line has dialects, and what is read back: the kind, the value as a script has
it, and its size. DIALECT in an error stands for the name of the dialect.
";

/// Outcomes, each with the names of all types that have it, in the order in which they were added.
#[derive(Default)]
pub(crate) struct Groups(Vec<(Vec<&'static str>, String)>);

impl Groups {
    pub(crate) fn add(&mut self, name: &'static str, outcome: String) {
        match self.0.iter_mut().find(|(_, found)| *found == outcome) {
            Some((names, _)) => names.push(name),
            None => self.0.push((vec![name], outcome)),
        }
    }

    /// Writes one line for each outcome, errors last. An entry of `short` is a word and a list of names. If a line has
    /// all these names, the word replaces them.
    pub(crate) fn write(&self, short: &[(&str, &[&str])], output: &mut String) {
        let (errors, values): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|(_, outcome)| outcome.starts_with("error"));
        for (names, outcome) in values.into_iter().chain(errors) {
            let mut names = format!(", {}", names.join(", "));
            for (word, all) in short {
                names = names.replace(&format!(", {}", all.join(", ")), &format!(", {word}"));
            }
            writeln!(output, "{}: {outcome}", names.trim_start_matches(", ")).unwrap();
        }
    }
}

const SHORT: &[(&str, &[&str])] = &[
    ("integers", &["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128"]),
    ("signed", &["i8", "i16", "i32", "i64", "i128"]),
    ("unsigned", &["u8", "u16", "u32", "u64", "u128"]),
    ("floats", &["f32", "f64"]),
    ("texts", &["char", "&str", "String"]),
    ("all bytes", &["&[u8]", "bytes", "byte buf"]),
    ("units", &["unit", "unit struct"]),
    ("sequences", &["seq", "tuple", "tuple struct"]),
    ("maps", &["map", "struct", "struct by any name"]),
    ("elements", &["[option]", "[newtype struct]", "[enum]", "[Variant]"]),
    ("Packed", &["Packed<u8>", "Packed<f32>"]),
    ("anyone", &["option", "newtype struct", "identifier", "any"]),
];

/// The outcome of reading a row's value as a column's type. `...` replaces the name of the type that the column
/// expects.
fn outcome(column: &Column, row: &Row) -> String {
    let found = (column.read)(&row.bytes, row.dialect, Way::Whole);
    let expected = format!("expected {}", column.expected);
    found.text.replace(&expected, "expected ...")
}

fn all() -> String {
    let mut text = HEAD.to_owned();
    for (word, types) in SHORT {
        writeln!(text, "{word}: {}", types.join(", ")).unwrap();
    }
    text.push_str(EXPECTED);
    for column in COLUMNS {
        writeln!(text, "{}: {}", column.name, column.expected).unwrap();
    }
    for row in rows() {
        writeln!(text, "\n-- {}", row.title).unwrap();
        let mut groups = Groups::default();
        for column in COLUMNS {
            groups.add(column.name, outcome(column, &row));
        }
        groups.write(SHORT, &mut text);
    }
    text.push_str(SECOND);
    written(&mut text);
    text
}

/// Each line with its heading.
fn lines(text: &str) -> Vec<(&str, &str)> {
    let mut heading = "";
    let under = text.lines().map(|line| {
        if line.starts_with("-- ") {
            heading = line;
        }
        (heading, line)
    });
    under.collect()
}

/// The lines of `text` that `other` lacks, each with its heading.
fn only_in(text: &str, other: &str, mark: &str) -> String {
    let known: BTreeSet<_> = lines(other).into_iter().collect();
    let mut found = String::new();
    for (heading, line) in lines(text).into_iter().filter(|line| !known.contains(line)) {
        writeln!(found, "{mark} {heading} | {line}").unwrap();
    }
    found
}

#[test]
fn each_outcome_is_the_reviewed_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matrix.txt");
    let found = all();
    if std::env::var("MATRIX").is_ok_and(|word| word == "overwrite") {
        fs::write(&path, &found).unwrap();
    }
    let reviewed = fs::read_to_string(&path).unwrap_or_default();
    let lacking = only_in(&reviewed, &found, "-");
    assert!(found == reviewed, "\n{lacking}{}", only_in(&found, &reviewed, "+"));
}

#[test]
fn every_kind_is_among_the_values() {
    let kinds: BTreeSet<Kind> =
        rows().iter().filter_map(|row| Some(row.value.as_ref()?.kind())).collect();
    assert_eq!(kinds, Kind::ALL.iter().copied().collect());
}

/// A type has the same outcome for the bytes of a value, for its view, for the owned value, and for the value in an
/// array.
#[test]
fn each_way_in_has_the_same_outcome() {
    for row in rows() {
        let Some(value) = &row.value else { continue };
        let array: Array = [value.clone()].into_iter().collect();
        let inside = encode(&Variant::from(array), row.dialect).unwrap();
        for column in COLUMNS {
            let whole = (column.read)(&row.bytes, row.dialect, Way::Whole);
            let place = format!("{} as {}", row.title, column.name);
            // These types borrow the bytes of a value, and an owned value has no bytes.
            if column.name != "RawValue" && !column.name.starts_with("Packed") {
                let owned = (column.read)(&row.bytes, row.dialect, Way::Owned);
                let expected = (column.read)(&row.bytes, row.dialect, Way::Whole).without_offset();
                assert_eq!(owned, expected, "{place}");
            }
            // These types need the options of a value, which the view of a leaf does not have.
            if column.name != "RawValue" && column.name != "Variant" {
                assert_eq!((column.read)(&row.bytes, row.dialect, Way::View), whole, "{place}");
            }
            assert_eq!(
                (column.read)(&inside, row.dialect, Way::Element),
                whole.within(),
                "{place}"
            );
        }
    }
}
