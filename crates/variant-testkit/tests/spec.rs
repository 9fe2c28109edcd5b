//! docs/spec: its examples are records, its tables agree with the code, and its links have targets.

mod page;

use std::collections::BTreeSet;

use page::{Example, examples, number_after, page, section, sections, table, tables};
use variant_testkit::corpus;
use variant_testkit::markdown::slug as anchor;
use variant_testkit::reference::{self, Rules};
use variant_testkit::spec::{field_names, kind_name as name};
use variant_view::{Dialect, Document, Kind, NumberType, Options, Width};

const FORMAT: &str = "format.md";

/// The id as the table shows it.
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
        let document = Document::new(&example.bytes, Options::engine(example.dialect()));
        let summary = document.validate();
        let length = summary.map(|summary| summary.consumed);
        assert_eq!(length.ok(), Some(example.bytes.len()), "{example:02x?}");
    }
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

/// Reads the example in each named dialect, with both decoders.
#[test]
fn every_short_vector_is_one_value_and_no_more() {
    let rows = table(&section(&page("writing.md"), "Short vectors"), "Value Dialect Bytes");
    let mut count = 0;
    for row in rows {
        let bytes = corpus::from_hex(&row[2].replace(['`', ' '], "")).unwrap();
        let without = row[1].strip_prefix("all but ");
        for &dialect in Dialect::ALL {
            let name = format!("`{dialect:?}`");
            if row[1] == "all" || row[1] == name || without.is_some_and(|other| other != name) {
                let summary = Document::new(&bytes, Options::engine(dialect)).validate().unwrap();
                assert_eq!(summary.consumed, bytes.len(), "{row:?}");
                let read = reference::read(&bytes, Rules::new(dialect)).outcome.unwrap();
                assert_eq!(read.consumed, bytes.len(), "{row:?}");
                count += 1;
            }
        }
    }
    assert!(count > 25, "{count}");
}

/// Only kinds that the engines' records lack have examples that no engine made.
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
        let names = field_names(shape).into_iter().chain(["end".to_owned()]);
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

/// Comments in the grammar such as `VECTOR2 n = 2, VECTOR3 3` give the count of numbers in each kind.
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
fn the_minimal_writer_knows_every_kind() {
    let section = section(&page("writing.md"), "A minimal writer");
    let code = section.split_once("```text\n").unwrap().1.split_once("\n```").unwrap().0;
    let words: BTreeSet<&str> = code.split(|sign: char| !sign.is_alphanumeric()).collect();
    for &kind in Kind::ALL {
        assert!(words.contains(name(kind)), "{kind} is not written");
    }
}
