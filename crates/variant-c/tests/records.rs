//! Reads and writes the records of engines through C.

use std::ffi::CStr;

use variant::code::VARIANT_OK;
use variant::kinds::variant_kind_name;
use variant::names::*;
use variant::options::Options;
use variant::value::Value;
use variant::write::variant_write_value;
use variant_testkit::corpus::{self, Case};
use variant_view::{Dialect, Document, Event, Limits, Objects, Producer as _};

use crate::calls::*;

fn number(dialect: Dialect) -> u8 {
    let numbers = [2, 3, 4, 13, 14, 15];
    let name = |number| unsafe { CStr::from_ptr(variant_dialect_name(number)) };
    numbers.into_iter().find(|known| name(*known).to_str() == Ok(dialect.name())).unwrap()
}

/// The records of engines. Miri is slow, so it reads only a few records of each file.
fn records() -> impl Iterator<Item = (Dialect, Case)> {
    corpus::record_files().into_iter().flat_map(|(dialect, path)| {
        let cases = corpus::read_cases(&path).unwrap().into_iter();
        cases.step_by(if cfg!(miri) { 997 } else { 1 }).map(move |case| (dialect, case))
    })
}

fn options_of(dialect: Dialect, case: &Case) -> (Options, variant_view::Options) {
    let objects = if case.objects { Objects::Accept } else { Objects::Refuse };
    let own = variant_view::Options::engine(dialect).objects(objects).limits(Limits::FILE);
    (Options { refuse_objects: u8::from(!case.objects), ..of_dialect(number(dialect)) }, own)
}

/// The kinds and offsets of all values, in the order of the bytes.
fn walked(root: Value) -> Vec<(&'static str, u64)> {
    let mut found = Vec::new();
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        let kind = unsafe { CStr::from_ptr(variant_kind_name(value.kind)) };
        found.push((kind.to_str().unwrap(), value.offset));
        let Ok(items) = items(value) else { continue };
        for item in items.iter().rev() {
            left.push(item.value);
            if !item.key.bytes.is_null() {
                left.push(item.key);
            }
        }
    }
    found
}

#[test]
fn items_of_items_are_the_values_of_the_record() {
    let mut count = 0;
    for (dialect, case) in records() {
        let (options, own) = options_of(dialect, &case);
        let document = Document::new(&case.bytes, own);
        match (read(&case.bytes, &options), document.validate()) {
            (Ok(root), Ok(summary)) => {
                let nodes = document.walk().filter_map(|event| match event.unwrap() {
                    Event::Enter(node) | Event::Leaf(node) => Some(node.view),
                    Event::Exit { .. } => None,
                });
                let expected: Vec<_> = nodes
                    .map(|view| (view.kind().name(), u64::try_from(view.offset()).unwrap()))
                    .collect();
                assert_eq!(walked(root), expected, "{dialect} {}", case.name);
                assert_eq!(root.len, summary.consumed);
                count += 1;
            }
            (Err(failed), Err(error)) => {
                assert_eq!(failed.offset, u64::try_from(error.offset()).unwrap());
                assert!(failed.message.starts_with(&error.to_string()), "{failed:?}");
            }
            (through_c, direct) => panic!("{dialect} {}: {through_c:?}, {direct:?}", case.name),
        }
    }
    assert!(count > 10);
}

/// The bytes that the writer of Rust writes for the events of a document.
fn fed(document: &Document<'_>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = variant_owned::Writer::new(&mut bytes, document.options().dialect);
    document.feed(&mut writer).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

#[test]
fn a_record_is_written_as_the_encoder_writes_it() {
    let mut count = 0;
    for (dialect, case) in records().filter(|(_, case)| case.accepted) {
        let (options, own) = options_of(dialect, &case);
        let Ok(root) = read(&case.bytes, &options) else { continue };
        let expected = fed(&Document::new(&case.bytes, own));
        let mut write = Write::new(&of_dialect(number(dialect))).unwrap();
        let code = unsafe { variant_write_value(write.handle(), root, None) };
        assert_eq!(code == VARIANT_OK, expected.is_some(), "{dialect} {}", case.name);
        assert_eq!(write.finish().ok(), expected, "{dialect} {}", case.name);
        count += 1;
    }
    assert!(count > 10);
}
