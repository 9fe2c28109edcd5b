//! compatibility.md: the differences between engines, from their records, and those that are known only from sources.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::Value;
use variant_view::{Dialect, Document, Error, Options};

use crate::conformance::options;
use crate::corpus::{self, Case, Precision};
use crate::defects::Defects;

/// The engines that ran, as corpus/README.md names them.
const ENGINES: [(Dialect, &str); 5] = [
    (Dialect::Godot3, "Godot 3.2.3"),
    (Dialect::Godot4, "Godot 4.4"),
    (Dialect::Pandemonium3, "Pandemonium 3.7.0"),
    (Dialect::Pandemonium4, "Pandemonium 4.9.0"),
    (Dialect::Pandemonium5, "Pandemonium 5.3"),
];

/// The properties of a dialect in dialects.json, and their names on the page.
const PROPERTIES: [(&str, &str); 9] = [
    ("header", "bits of the header that name the type"),
    ("text_rule", "rule of texts"),
    ("key_rule", "rule of keys: column of [key identity](format.md#key-identity)"),
    ("wide_scalars", "Int and Float have a flag for 8 bytes"),
    ("wide_reals", "mathematical types have a flag for 8-byte reals"),
    ("typed_containers", "arrays and dictionaries declare types in flags"),
    ("rid_payload", "a Rid has its id"),
    ("object_payload", "an object has a payload"),
    ("old_node_path", "a NodePath may be one plain text"),
];

/// The page.
pub(super) fn page() -> io::Result<String> {
    let mut records = Vec::new();
    for (dialect, path) in corpus::record_files() {
        let precision = Precision::of_file(&path);
        records.push(Records { dialect, precision, cases: corpus::read_cases(&path)? });
    }
    let mut page = INTRODUCTION.to_owned();
    page.push_str(&engines(&records)?);
    page.push_str(&dialects(&records)?);
    page.push_str(&errors(&records));
    page.push_str(&readers(&records));
    page.push_str(SOURCES);
    Ok(page)
}

/// The records of a file.
struct Records {
    dialect: Dialect,
    precision: Precision,
    cases: Vec<Case>,
}

impl Records {
    /// The result of the decoder for a record, with the options of the engine.
    fn read(&self, case: &Case) -> Result<(usize, u32), Error> {
        let document = Document::new(&case.bytes, options(self.dialect, case.objects));
        document.validate().map(|summary| (summary.consumed, summary.depth))
    }
}

/// The records of the build of a dialect with reals of this width.
fn cases(
    records: &[Records],
    dialect: Dialect,
    precision: Precision,
) -> impl Iterator<Item = (&Records, &Case)> {
    let files = records.iter().filter(move |file| file.dialect == dialect);
    let files = files.filter(move |file| file.precision == precision);
    files.flat_map(|file| file.cases.iter().map(move |case| (file, case)))
}

fn row(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<_> = cells.into_iter().collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A table with a column for each engine.
fn head(first: &str) -> String {
    let names = ENGINES.iter().map(|(_, name)| (*name).to_owned());
    row([first.to_owned()].into_iter().chain(names)) + "|---|---|---|---|---|---|\n"
}

/// The records of each engine, and how it has judged them.
fn engines(records: &[Records]) -> io::Result<String> {
    let defects = Defects::of_corpus()?;
    let mut table = String::from(ENGINES_HEAD);
    let doubles = [(Dialect::Godot4, "Godot 4.4 with 8-byte reals", Precision::Double)];
    let builds = ENGINES.iter().map(|&(dialect, name)| (dialect, name, Precision::Single));
    for (dialect, name, precision) in builds.chain(doubles) {
        let (mut accepted, mut refused, mut crashed) = (0, 0, 0);
        let mut reasons = BTreeSet::new();
        for (_, case) in cases(records, dialect, precision) {
            match &*case.verdict {
                "ok" => accepted += 1,
                verdict if verdict.starts_with("crash") => crashed += 1,
                _ => refused += 1,
            }
            let known = defects.find(dialect, precision, case);
            reasons.extend(known.map(|known| known.reason.clone()));
        }
        let numbers = [accepted, refused, crashed, reasons.len()].map(|number| number.to_string());
        table += &row([name.to_owned(), dialect.to_string()].into_iter().chain(numbers));
    }
    Ok(table)
}

/// The rules in which dialects differ, and the deepest value that each engine has read.
fn dialects(records: &[Records]) -> io::Result<String> {
    let tables: Value = serde_json::from_str(&super::json::tables()?)?;
    let rows = tables["dialects"].as_array().cloned().unwrap_or_default();
    let of = |dialect: Dialect| rows.iter().find(|row| row["dialect"] == *dialect.to_string());
    let mut table = format!("{RULES_HEAD}{}", head("property"));
    let types = |dialect| of(dialect).and_then(|row| row["types"].as_array()).map_or(0, Vec::len);
    let numbers = ENGINES.iter().map(|&(dialect, _)| types(dialect).to_string());
    table += &row(["number of types".to_owned()].into_iter().chain(numbers));
    for (key, name) in PROPERTIES {
        let cells = ENGINES.iter().map(|&(dialect, _)| cell(of(dialect).map(|row| &row[key])));
        table += &row([name.to_owned()].into_iter().chain(cells));
    }
    let cells = ENGINES.iter().map(|&(dialect, _)| deepest(records, dialect).to_string());
    table += &row(["deepest value that the engine has read, in levels".to_owned()]
        .into_iter()
        .chain(cells));
    Ok(table)
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::Bool(false)) => "no".to_owned(),
        Some(Value::String(text)) => text.replace('_', " "),
        _ => String::new(),
    }
}

fn deepest(records: &[Records], dialect: Dialect) -> u32 {
    let accepted = cases(records, dialect, Precision::Single).filter(|(_, case)| case.accepted);
    let depths = accepted.filter_map(|(file, case)| file.read(case).ok());
    depths.map(|(_, depth)| depth).max().unwrap_or(0)
}

/// The engines' errors for each error of the decoder.
fn errors(records: &[Records]) -> String {
    let mut found: BTreeMap<String, [BTreeMap<String, usize>; 5]> = BTreeMap::new();
    for (column, &(dialect, _)) in ENGINES.iter().enumerate() {
        for (file, case) in
            cases(records, dialect, Precision::Single).filter(|(_, case)| !case.accepted)
        {
            let error = match file.read(case) {
                Ok(_) => "none: the reader has a defect, or lacks a class".to_owned(),
                Err(error) => name_of(error),
            };
            let verdicts = &mut found.entry(error).or_default()[column];
            *verdicts.entry(case.verdict.clone()).or_default() += 1;
        }
    }
    let mut table = format!("{ERRORS_HEAD}{}", head("error of `variant-view`"));
    for (error, columns) in found {
        let cells = columns.into_iter().map(|verdicts| {
            let verdicts = verdicts.into_iter().map(|(name, count)| format!("`{name}` {count}"));
            verdicts.collect::<Vec<_>>().join(", ")
        });
        table += &row([error].into_iter().chain(cells));
    }
    table
}

/// The name of an error without its details.
fn name_of(error: Error) -> String {
    let details = format!("{:?}", error.kind());
    let name = details.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    format!("`{name}`")
}

/// For the values that each engine wrote: how many are one whole value in each dialect.
fn readers(records: &[Records]) -> String {
    let mut table = format!("{READERS_HEAD}{}", head("written by"));
    for (writer, name) in ENGINES {
        let written = cases(records, writer, Precision::Single)
            .filter(|(_, case)| !case.has_keys && case.accepted);
        let written = written.filter(|(_, case)| case.rewritten.as_ref() == Some(&case.bytes));
        let written: BTreeSet<_> = written.map(|(_, case)| &case.bytes).collect();
        let mut line = vec![format!("{name}: {}", written.len())];
        for (reader, _) in ENGINES {
            let whole = |bytes: &&&Vec<u8>| {
                let read = Document::new(bytes, Options::engine(reader)).validate();
                read.is_ok_and(|summary| summary.consumed == bytes.len())
            };
            line.push(written.iter().filter(whole).count().to_string());
        }
        table += &row(line);
    }
    table
}

const INTRODUCTION: &str = "\
# Compatibility

<!-- Generated by `cargo run -p variant-testkit --bin spec` from the records in corpus/ and the tables of variant-view. -->

This page counts the differences between the engines that ran, and lists versions that are known only from sources.
[engines.md](engines.md) describes each difference.

| Contents | |
|---|---|
| [Engines that ran](#engines-that-ran) | their records in `corpus/`, and their verdicts |
| [Rules](#rules) | the properties in which dialects differ |
| [Errors](#errors) | the error of each engine for the same fault |
| [Foreign bytes](#foreign-bytes) | values of one engine in the reader of another |
| [Versions known from sources](#versions-known-from-sources) | Godot 4.2, 4.5 and 4.6 |

";

const ENGINES_HEAD: &str = "\
## Engines that ran

The last column counts the reasons in `corpus/engine-defects.json` that records of this engine have.

| engine | dialect | records: accepted | refused | crashed the engine | defects |
|---|---|--:|--:|--:|--:|
";

const RULES_HEAD: &str = "
## Rules

";

const ERRORS_HEAD: &str = "
## Errors

Each cell has the errors that the engine reports for inputs to which `variant-view` gives the error of the row, with the
number of records. Godot 3.2.3 was driven by scripts, which see only that an input is refused.

";

const READERS_HEAD: &str = "
## Foreign bytes

The first column has the number of different values that an engine wrote. The other columns have the number of these
that the reader's dialect reads as one whole value. A number that is lower than the first means refused values. An equal number
does not mean equal values: most ids have another type in another dialect.

";

const SOURCES: &str = "
## Versions known from sources

Godot 4.4 is the only version of Godot 4 that ran. The table has what changed from 4.2 to 4.6. *run*: seen in Godot 4.4.
*source*: read in sources or issues of the version, which did not run. An empty cell: the sources were not available.

| part | 4.2 | 4.4 | 4.5 | 4.6 (source of October 2025) |
|---|---|---|---|---|
| evidence | source | run; source | source | source |
| bytes of values | without PackedVector4Array and declared types | [format.md](format.md) | those of 4.4 | those of 4.4; from 4.6.3 on, the padding of NodePath names is zero (issue #116105) |
| accepted texts | well-formed UTF-8 | well-formed UTF-8 | the same, by another routine | the same, by another routine |
| text form: byte arrays | numbers; base64 is refused | base64; both are read | | base64; both are read |
| text form: typed dictionaries | refused | written and read | | written and read |
| text form: reals | | 6 digits | the shortest text that reads back | the shortest text that reads back |
| text form: negative infinity | | `inf_neg`; `-inf` is read as 0 or refused | | `inf_neg`, or `-inf` without compatibility; both are read |
| text form: exponents | | `e` only | | `e` and `E` |
| text form: resources with a UID | | the path | | the UID and the path |
| native JSON form | missing | present | as 4.4 | as 4.4 |
| compressed files | as 4.4 | [carriers.md](carriers.md) | | as 4.4 |
| IV of encrypted files | ordinary random numbers | cryptographic random numbers, or the caller's bytes | | as 4.4 |
| confirmation of a path in the multiplayer | 4.2.0 and 4.2.1: the path; 4.2.2: probably the id | the id, 6 bytes | | the id, 6 bytes |
| packets of the multiplayer | | [multiplayer.md](multiplayer.md) | | those of 4.4 |

The sources are those of forks. No engine of 4.2, 4.5 or 4.6 has confirmed a row.
";
