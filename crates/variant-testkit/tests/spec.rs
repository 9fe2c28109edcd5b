//! docs/spec: its examples are records, its tables are those of the code, its links lead somewhere.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may stop"
)]
#![allow(clippy::float_cmp, reason = "integers, mostly")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Kind, NumberType, Options, Shape, Width};

fn folder() -> PathBuf {
    corpus::root().join("../docs/spec")
}

fn page(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

const FORMAT: &str = "format.md";

/// The name under which the document has a kind: that of the table of type ids.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "Bool",
        Kind::Int => "Int",
        Kind::Float => "Float",
        Kind::Aabb => "Aabb",
        Kind::Rid => "Rid",
        other => other.name(),
    }
}

/// A fenced block whose info string begins with `bytes`.
#[derive(Debug)]
struct Example {
    info: String,
    bytes: Vec<u8>,
    /// The bytes of each line, and what it says of them.
    lines: Vec<(Vec<u8>, String)>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut all = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```bytes ") else { continue };
        let mut noted = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            let (hex, note) = line.split_once("  ").unwrap_or((line, ""));
            assert!(!note.trim().is_empty(), "{info}: no note: {line}");
            let is_byte = |pair: &str| pair.len() == 2 && pair == pair.to_lowercase();
            assert!(hex.split(' ').all(is_byte), "{info}: no bytes: {line}");
            noted.push((corpus::from_hex(&hex.replace(' ', "")).unwrap(), note.trim().to_owned()));
        }
        let bytes = noted.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        all.push(Example { info: info.to_owned(), bytes, lines: noted });
    }
    all
}

impl Example {
    /// The records of that name, of which a file may have several.
    fn records(&self) -> Vec<Vec<u8>> {
        let (file, name) = self.info.split_once(' ').unwrap();
        let lines = fs::read_to_string(corpus::root().join(format!("{file}.jsonl"))).expect(file);
        let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let named = records.filter(|record| {
            ["name", "tag", "base"].iter().any(|key| record[key] == name)
                && record["hex"].is_string()
        });
        named.map(|record| corpus::from_hex(record["hex"].as_str().unwrap()).unwrap()).collect()
    }

    /// No engine made it.
    fn is_made(&self) -> bool {
        self.info == "made"
    }

    fn dialect(&self) -> Dialect {
        if self.is_made() {
            return Dialect::Godot2;
        }
        self.info.split('/').next().unwrap().parse().unwrap()
    }

    fn kind(&self) -> Option<Kind> {
        self.dialect().kind(*self.bytes.first()?)
    }
}

/// The heading, and what is below it up to the next heading, in the order of the page.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        match line.split_once("# ") {
            Some((level, title)) if !is_code && level.chars().all(|sign| sign == '#') => {
                all.push((title.to_owned(), String::new()));
            }
            _ => {
                if let Some((_, body)) = all.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    all
}

fn section(text: &str, title: &str) -> String {
    let found = sections(text).into_iter().find(|(own, _)| own == title);
    assert!(found.is_some(), "no section {title}");
    found.unwrap().1
}

/// The anchor that code hosts and the book give a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The cells of each row of the tables of a section, tables apart; the row below the heads left out.
fn tables(section: &str) -> Vec<Vec<Vec<String>>> {
    let mut all = vec![Vec::new()];
    for line in section.lines() {
        match line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            Some(row) if row.chars().all(|sign| "-:|".contains(sign)) => {}
            Some(row) => {
                let cells = row.split('|').map(|cell| cell.trim().to_owned()).collect();
                all.last_mut().unwrap().push(cells);
            }
            None => all.push(Vec::new()),
        }
    }
    all.retain(|table| !table.is_empty());
    all
}

fn table(section: &str, head: &str) -> Vec<Vec<String>> {
    let found = tables(section).into_iter().find(|table| table.first().unwrap().join(" ") == head);
    assert!(found.is_some(), "no table {head} in {section}");
    found.unwrap().split_off(1)
}

/// As a table has it.
fn id(dialect: Dialect, kind: Kind) -> String {
    dialect.id(kind).map_or("-".to_owned(), |id| id.to_string())
}

fn head_of_ids() -> String {
    let dialects = Dialect::ALL.iter().map(|dialect| format!("`{dialect:?}` "));
    format!("Kind {}Elsewhere called", dialects.collect::<String>())
}

fn link(kind: Kind) -> String {
    format!("[{0}](#{1})", name(kind), anchor(name(kind)))
}

#[test]
fn every_example_is_a_record() {
    let mut count = 0;
    for name in ["format.md", "writing.md", "engines.md", "text.md", "errata.md"] {
        for example in examples(&page(name)) {
            assert!(!example.bytes.is_empty());
            if !example.is_made() {
                let records = example.records();
                assert!(records.contains(&example.bytes), "{name}: {example:02x?} {records:02x?}");
            }
            count += 1;
        }
    }
    assert!(count >= 55, "{count}");
}

#[test]
fn every_example_is_one_value_and_no_more() {
    for example in examples(&page(FORMAT)) {
        let document = Document::new(&example.bytes, Options::new(example.dialect()));
        let summary = document.validate();
        let length = summary.map(|summary| summary.consumed);
        assert_eq!(length.ok(), Some(example.bytes.len()), "{example:02x?}");
    }
}

/// The number that stands in a note behind some words.
fn number_after(note: &str, words: &str) -> Option<f64> {
    let rest = note.split_once(words)?.1;
    let is_digit = |sign: char| sign.is_ascii_digit() || "-.".contains(sign);
    rest.split(|sign| !is_digit(sign)).next()?.trim_end_matches('.').parse().ok()
}

#[test]
fn notes_say_what_the_bytes_are() {
    let lines = examples(&page(FORMAT)).into_iter().flat_map(|example| example.lines);
    let mut count = 0;
    for (bytes, note) in lines {
        let Ok(word) = <[u8; 4]>::try_from(bytes) else { continue };
        let (int, float) =
            (f64::from(i32::from_le_bytes(word)), f64::from(f32::from_le_bytes(word)));
        let ways = [("id ", f64::from(word[0])), ("length: ", int), ("count: ", int), (" = ", int)];
        for (words, found) in ways {
            let Some(said) = number_after(&note, words) else { continue };
            let is_float = words == " = " && (float - said).abs() < 1e-6;
            assert!(found == said || is_float, "{word:02x?}: {note}");
            count += 1;
        }
    }
    assert!(count > 250, "{count}");
}

/// What no engine made is made because no engine's record has it.
#[test]
fn only_kinds_without_records_are_made() {
    let made = examples(&page(FORMAT)).into_iter().filter(Example::is_made);
    let kinds: BTreeSet<_> = made.map(|example| example.kind()).collect();
    assert_eq!(kinds, BTreeSet::from([Some(Kind::Image), Some(Kind::InputEvent)]));
}

#[test]
fn every_kind_has_a_section_with_its_ids_and_an_example() {
    let text = page(FORMAT);
    let heads = Dialect::ALL.iter().map(|dialect| format!("{dialect:?}")).collect::<Vec<_>>();
    for &kind in Kind::ALL {
        let section = section(&text, name(kind));
        let ids = Dialect::ALL.iter().map(|&dialect| id(dialect, kind)).collect::<Vec<_>>();
        assert_eq!(table(&section, &heads.join(" ")), [ids], "{kind}");
        let examples = examples(&section);
        assert!(!examples.is_empty(), "{kind} has no example");
        for example in examples {
            assert_eq!(example.kind(), Some(kind), "{example:02x?}");
        }
    }
}

#[test]
fn the_tables_of_type_ids_are_those_of_the_code() {
    let ids = section(&page(FORMAT), "Type ids");
    let rows = table(&ids, &head_of_ids());
    let expected = Kind::ALL.iter().map(|&kind| {
        let ids = Dialect::ALL.iter().map(|&dialect| id(dialect, kind));
        std::iter::once(link(kind)).chain(ids).collect::<Vec<_>>()
    });
    let numbers = Dialect::ALL.iter().map(|dialect| dialect.kinds().len().to_string());
    let numbers = std::iter::once("*number of types*".to_owned()).chain(numbers).collect();
    let expected: BTreeSet<Vec<String>> = expected.chain([numbers]).collect();
    assert_eq!(rows.len(), expected.len());
    let found = rows.iter().map(|row| row[..row.len() - 1].to_vec());
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);

    let head = head_of_ids().replace("Kind", "Id").replace(" Elsewhere called", "");
    let rows = table(&ids, &head);
    assert_eq!(rows.len(), Dialect::ALL.iter().map(|dialect| dialect.kinds().len()).max().unwrap());
    for (id, row) in (0..).zip(rows) {
        let kind = |dialect: &Dialect| dialect.kind(id).map_or("-".to_owned(), link);
        let kinds = Dialect::ALL.iter().map(kind);
        assert_eq!(row, std::iter::once(id.to_string()).chain(kinds).collect::<Vec<_>>());
    }
}

/// The names of the numbers of a shape, in wire order.
fn fields(shape: Shape) -> Vec<String> {
    let parts = shape.parts.iter().flat_map(|part| {
        let fields = part.fields.iter().map(|field| format!("{}.{field}", part.name));
        if part.fields.is_empty() { vec![part.name.to_owned()] } else { fields.collect() }
    });
    parts.collect()
}

#[test]
fn offsets_of_mathematical_types_are_those_of_the_code() {
    let text = page(FORMAT);
    let mathematical = Kind::ALL.iter().filter_map(|&kind| Some((kind, kind.shape()?)));
    for (kind, shape) in mathematical.filter(|(_, shape)| !shape.is_packed) {
        let is_real = shape.number == NumberType::Real;
        let tables = tables(&section(&text, name(kind)));
        let table = tables.iter().find(|table| table.iter().any(|row| row.contains(&"end".into())));
        let rows = table.unwrap().iter().skip(1);
        let widths = [Width::W32, Width::W64].map(|width| shape.number.bytes(width));
        let names = fields(shape).into_iter().chain(["end".to_owned()]);
        let expected = names.enumerate().map(|(place, name)| {
            let offset = |width: &usize| (4 + place * width).to_string();
            let offsets = widths.iter().take(if is_real { 2 } else { 1 }).map(offset);
            offsets.chain([name]).collect::<Vec<_>>()
        });
        let length = if is_real { 3 } else { 2 };
        let found = rows.map(|row| row.iter().take(length).cloned().collect::<Vec<_>>());
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{kind}");
    }
}

#[test]
fn element_sizes_of_packed_arrays_are_those_of_the_code() {
    let text = page(FORMAT);
    let packed = Kind::ALL.iter().filter_map(|&kind| Some((kind, kind.shape()?)));
    for (kind, shape) in packed.filter(|(_, shape)| shape.is_packed) {
        let section = section(&text, name(kind));
        let [narrow, wide] = [Width::W32, Width::W64].map(|width| shape.bytes(width));
        let plural = if narrow == 1 { "byte" } else { "bytes" };
        assert!(section.contains(&format!("Elements of {narrow} {plural},")), "{kind}: {section}");
        let says = format!("; {wide} bytes with flag 16.");
        assert_eq!(section.contains(&says), narrow != wide, "{kind}: {section}");
    }
}

/// `VECTOR2 n = 2, VECTOR3 3`: the numbers of the grammar.
#[test]
fn the_grammar_counts_numbers_as_the_code_does() {
    let grammar = section(&page(FORMAT), "Grammar");
    let of = |kind: &Kind| format!("{} ", name(*kind).to_uppercase());
    let mut count = 0;
    for kind in Kind::ALL.iter().filter(|&&kind| kind != Kind::Color) {
        let Some(shape) = kind.shape().filter(|shape| !shape.is_packed) else { continue };
        let comments = grammar.lines().filter_map(|line| line.trim().strip_prefix("; "));
        let terms = comments.flat_map(|line| line.split([',', ':'])).map(str::trim);
        let term = terms.clone().find_map(|term| term.strip_prefix(&of(kind)));
        let number = term.map(|term| term.trim_start_matches("n = ").to_owned());
        assert_eq!(number, Some(shape.count.to_string()), "{kind}");
        count += 1;
    }
    assert_eq!(count, 15);
}

#[test]
fn the_kinds_of_double_precision_are_those_of_the_code() {
    let section = section(&page(FORMAT), "Double precision");
    let sentence = section.split_once(" on ").unwrap().1.split_once(", also").unwrap().0;
    let named: BTreeSet<&str> = sentence.split([' ', ',', '\n']).collect();
    let godot4 = Kind::ALL.iter().filter(|&&kind| Dialect::Godot4.id(kind).is_some());
    let reals =
        godot4.filter(|kind| kind.shape().is_some_and(|shape| shape.number == NumberType::Real));
    let expected = reals.map(|&kind| name(kind)).chain(["", "and"]).collect();
    assert_eq!(named, expected);
}

#[test]
fn links_within_a_page_lead_to_its_headings() {
    for page_name in ["format.md", "writing.md"] {
        let text = page(page_name);
        let titles = sections(&text);
        let anchors: BTreeSet<String> = titles.iter().map(|(title, _)| anchor(title)).collect();
        assert_eq!(anchors.len(), titles.len(), "{page_name}: two headings are one anchor");
        let links = text.split("](#").skip(1).map(|rest| rest.split_once(')').unwrap().0);
        assert!(links.clone().count() > 3, "{page_name}");
        for link in links {
            assert!(anchors.contains(link), "{page_name}: #{link}");
        }
    }
}

#[test]
fn the_index_has_every_name_in_order() {
    let text = page(FORMAT);
    let rows = table(&section(&text, "Index"), "Name See");
    let entry = |row: &Vec<String>| row.first().unwrap().clone();
    let names: Vec<String> = rows.iter().map(entry).collect();
    let sorted = names.is_sorted_by_key(|name| name.trim_start_matches('_').to_lowercase());
    assert!(sorted, "{names:?}");
    assert!(rows.iter().all(|row| row.last().unwrap().contains("](")), "{rows:?}");
    let ids = table(&section(&text, "Type ids"), &head_of_ids());
    let older = ids.iter().map(|row| row.last().unwrap().clone()).collect::<Vec<_>>().join(" ");
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) && word.len() > 3;
    let older = older.split(|sign: char| !sign.is_alphanumeric()).filter(is_name);
    let older = older.filter(|word| !["Godot", "Pandemonium"].contains(word) && *word != "VARIANT");
    for wanted in older.chain(Kind::ALL.iter().map(|&kind| name(kind))) {
        assert!(names.iter().any(|name| name == wanted), "{wanted} is not in the index");
    }
}

#[test]
fn the_version_is_that_of_the_last_change() {
    let text = page(FORMAT);
    let title = sections(&text).first().unwrap().1.clone();
    let head = tables(&title).first().unwrap().clone();
    let of = |key: &str| head.iter().find(|row| row.first().unwrap() == key).unwrap()[1].clone();
    let changes = table(&section(&text, "Changes"), "Version Date Change");
    assert_eq!(changes.last().unwrap()[..2], [of("Version"), of("Date")]);
}

#[test]
fn the_minimal_writer_is_at_most_40_lines_and_knows_every_kind() {
    let section = section(&page("writing.md"), "A minimal writer");
    let code = section.split_once("```text\n").unwrap().1.split_once("\n```").unwrap().0;
    let count = code.lines().count();
    assert!((20..=40).contains(&count), "{count}");
    let words: BTreeSet<&str> = code.split(|sign: char| !sign.is_alphanumeric()).collect();
    for &kind in Kind::ALL {
        assert!(words.contains(name(kind)), "{kind} is not written");
    }
}
