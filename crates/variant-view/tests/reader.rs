//! A reader reads what a document has, by every method, and refuses what validation refuses.

use variant_testkit::builder::words;
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, Error, ErrorKind, Kind, Limit, Number, Options, Reader, Reals, VariantView,
    Width,
};

/// The number of records that are tested in each file.
const RECORDS: usize = if cfg!(miri) { 2 } else { usize::MAX };
/// Every `STEP`th short record is tested.
const STEP: usize = 3;

/// Reads the next value; of a container, only the head. Returns the number of its items.
type Next = for<'a> fn(&mut Reader<'a>) -> Result<Option<u32>, Error>;

fn next_value(reader: &mut Reader<'_>) -> Result<Option<u32>, Error> {
    reader.next_value().map(|(_, items)| items)
}

/// Reads the next value by the short cuts for its kind. Short cuts for other kinds do not move the reader.
fn short_cut(reader: &mut Reader<'_>) -> Result<Option<u32>, Error> {
    let before = reader.clone();
    let value = reader.clone().next_value();
    let kind = reader.kind()?;
    let is_fine = value.is_ok();
    let view = value.ok().map(|(view, _)| view);
    let int = view.and_then(|view| view.as_i64().ok());
    let float = view.and_then(|view| view.as_f64().ok());
    let text = view.and_then(|view| Some(view.as_text().ok()?.as_bytes()));
    // Each short cut: whether it is for this kind, and whether it has read the right value.
    let cuts: [(bool, Option<bool>); 7] = [
        (kind == Kind::Nil, reader.clone().nil().map(|()| true)),
        (kind == Kind::Int, reader.clone().int().map(|read| Some(read) == int)),
        (
            kind == Kind::Bool,
            reader
                .clone()
                .bool()
                .map(|read| matches!(view, Some(VariantView::Bool(bool)) if bool.value() == read)),
        ),
        (
            kind == Kind::Float,
            reader
                .clone()
                .float()
                .map(|read| float.is_some_and(|float| float.to_bits() == read.to_bits())),
        ),
        (
            matches!(kind, Kind::String | Kind::StringName),
            reader.clone().text().map(|read| Some(read) == text),
        ),
        (
            kind.shape().is_some_and(|shape| !shape.is_packed),
            reader.clone().numbers().map(|(read, shape)| {
                let same = |own| format!("{own:?}") == format!("{read:?}");
                Some(*shape) == kind.shape()
                    && view.and_then(|view| view.numbers()).is_some_and(same)
            }),
        ),
        (matches!(kind, Kind::Array | Kind::Dictionary), reader.clone().enter(kind).map(|_| true)),
    ];
    // In Godot 2 a text may lack its last padding, and `enter` refuses declared types.
    let may_refuse = matches!(kind, Kind::Array | Kind::Dictionary)
        || kind == Kind::String && reader.dialect() == Dialect::Godot2;
    for (at, (is_for, read)) in cuts.into_iter().enumerate() {
        assert!(read.is_some() || !is_for || !is_fine || may_refuse, "{at}: {kind}");
        assert!(read.is_none() || is_for && is_fine && read == Some(true), "{at}: {kind} {read:?}");
    }
    assert_eq!(reader.clone().enter(Kind::Int), None);
    let items = match kind {
        Kind::Nil => reader.nil().map(|()| None),
        Kind::Int => reader.int().map(|_| None),
        Kind::Bool => reader.bool().map(|_| None),
        Kind::Float => reader.float().map(|_| None),
        Kind::String | Kind::StringName => reader.text().map(|_| None),
        Kind::Array | Kind::Dictionary => reader.enter(kind).map(Some),
        _ => reader.numbers().map(|_| None),
    };
    if let Some(items) = items {
        return Ok(items);
    }
    assert_eq!((reader.offset(), reader.level()), (before.offset(), before.level()), "{kind}");
    next_value(reader)
}

/// Reads a value with all values in it. Returns the number of values.
fn read_all(reader: &mut Reader<'_>, next: Next) -> Result<u64, Error> {
    let mut values = 0;
    // The kind of each open container, and the number of its items that are left.
    let mut open: Vec<(Kind, u32)> = Vec::new();
    loop {
        while let Some((_, 0)) = open.last() {
            open.pop();
            reader.exit();
        }
        match open.last_mut() {
            None if values > 0 => return Ok(values),
            None => {}
            Some((kind, left)) => {
                *left -= 1;
                if *kind == Kind::Object {
                    reader.name()?;
                }
            }
        }
        let kind = reader.kind()?;
        let items = next(reader)?;
        values += 1;
        open.extend(items.map(|items| (kind, items)));
    }
}

/// Reads a value by `next_value`, and skips each value in it.
fn skip_items(reader: &mut Reader<'_>) -> Result<(), Error> {
    let (view, items) = reader.next_value()?;
    for _ in 0..items.unwrap_or(0) {
        if view.kind() == Kind::Object {
            reader.name()?;
        }
        reader.skip()?;
    }
    if items.is_some() {
        reader.exit();
    }
    Ok(())
}

/// Reads a document by each method, and compares with the validation.
fn assert_as_validated(bytes: &[u8], options: Options, name: &str) {
    let expected = Document::new(bytes, options).validate();
    let end = expected.map(|summary| summary.consumed);
    for next in [next_value as Next, short_cut] {
        let mut reader = Reader::new(bytes, options);
        assert_eq!(reader.dialect(), options.dialect);
        let values = read_all(&mut reader, next);
        assert_eq!(values, expected.map(|summary| summary.values), "{name}: {options:?}");
        assert!(end.is_err() || end == Ok(reader.offset()) && reader.level() == 0, "{name}");
    }
    let mut reader = Reader::new(bytes, options);
    let skipped = reader.skip().map(<[u8]>::len);
    assert_eq!(skipped, end, "{name}: {options:?}");
    assert!(end.is_err() || end == Ok(reader.offset()), "{name}");
    let mut reader = Reader::new(bytes, options);
    assert_eq!(skip_items(&mut reader).map(|()| reader.offset()), end, "{name}: {options:?}");
}

/// Valid records with few values, under every limit that they exceed or just do not exceed.
#[test]
fn limits_end_a_reader_where_they_end_a_validation() {
    let mut refused = [0; 3];
    for (dialect, path) in corpus::record_files() {
        let cases = corpus::read_first_cases(&path, RECORDS).unwrap();
        for case in cases.iter().filter(|case| case.bytes.len() <= 160).step_by(STEP) {
            let options = options(dialect, true);
            let Ok(summary) = Document::new(&case.bytes, options).validate() else { continue };
            let with = |limits| options.limits(limits);
            let name = format!("{}:{} {}", path.display(), case.line, case.name);
            let len = u64::try_from(case.bytes.len()).unwrap();
            let values = (0..=summary.values).map(|values| options.limits.values(values));
            let bytes = (0..=len).step_by(4).map(|bytes| options.limits.bytes(bytes));
            let depth = (0..=summary.depth).map(|depth| options.limits.depth(depth));
            for limits in values.chain(bytes).chain(depth) {
                assert_as_validated(&case.bytes, with(limits), &name);
                let verdict = Document::new(&case.bytes, with(limits)).validate();
                let limits = [Limit::Values, Limit::Bytes, Limit::Depth];
                for (count, limit) in refused.iter_mut().zip(limits) {
                    let is_it = |error: Error| error.kind() == ErrorKind::LimitExceeded { limit };
                    *count += u32::from(verdict.is_err_and(is_it));
                }
            }
        }
    }
    assert!(cfg!(miri) || refused.iter().all(|count| *count > 100), "{refused:?}");
}

/// A path of one text has no padding in Godot 2, so the values after it start between words.
#[test]
fn values_between_words_are_skipped() {
    let options = options(Dialect::Godot2, true);
    let inner = words(&[21, 2, 16, 2]).raw(b"ab").words(&[2, 7]).build().bytes;
    let bytes = words(&[21, 2]).raw(&inner).words(&[2, 5]).build().bytes;
    let summary = Document::new(&bytes, options).validate().unwrap();
    assert_eq!((summary.consumed, summary.values), (42, 5));
    for values in 0..=summary.values {
        let limited = options.limits(options.limits.values(values));
        assert_as_validated(&bytes, limited, "a path without padding");
    }
    let mut reader = Reader::new(&bytes, options);
    assert_eq!(reader.enter(Kind::Array), Some(2));
    assert_eq!(reader.skip(), Ok(&inner[..]));
    assert_eq!((reader.int(), reader.offset()), (Some(5), bytes.len()));
}

/// The options may say that all reals have 64 bits. Then no header has a flag.
#[test]
fn reals_of_64_bits_are_read_without_a_flag() {
    let bytes = words(&[5]).f64s(&[0.1, -2.5]).build().bytes;
    for dialect in [Dialect::Godot3, Dialect::Godot4] {
        let options = Options::engine(dialect).reals(Reals::Always64);
        let mut reader = Reader::new(&bytes, options);
        let (numbers, shape) = reader.numbers().unwrap();
        assert_eq!((numbers.kind(), numbers.width()), (Kind::Vector2, Width::W64), "{dialect}");
        assert!(numbers.iter().map(Number::to_f64).eq([0.1, -2.5]), "{dialect}: {numbers:?}");
        assert_eq!((shape.count, reader.offset()), (2, bytes.len()), "{dialect}");
        assert_as_validated(&bytes, options, "reals of 64 bits");
    }
}

/// A short cut enters a container only if the container declares no types.
#[test]
fn containers_without_types_are_entered() {
    for (id, kind, items) in [(28, Kind::Array, 2), (27, Kind::Dictionary, 4)] {
        for flags in 0..16 {
            // The declared types are `int`, or have the name of a class or the path of a script.
            let types = words(&[id | flags << 16, 2, 2, 2]).words(&[0; 8]).build().bytes;
            let mut reader = Reader::new(&types, Dialect::Godot4);
            let entered = reader.enter(kind);
            assert_eq!(entered, (flags == 0).then_some(items), "{kind} {flags}");
            assert_eq!(reader.level(), u32::from(flags == 0), "{kind} {flags}");
        }
    }
}

/// Records that are cut at each byte.
#[test]
fn a_reader_ends_where_bytes_are_missing() {
    for (dialect, path) in corpus::record_files() {
        let cases = corpus::read_first_cases(&path, RECORDS).unwrap();
        for case in cases.iter().filter(|case| case.bytes.len() <= 100).step_by(STEP) {
            let options = options(dialect, true);
            if Document::new(&case.bytes, options).validate().is_err() {
                continue;
            }
            for end in 0..case.bytes.len() {
                let name = format!("{}:{} to {end}", path.display(), case.line);
                // A text that is cut may be damaged, which only validation finds. A limit is always found.
                let cut = &case.bytes[..end];
                if Document::new(cut, options).validate().is_err_and(|error| !is_text(error)) {
                    assert_as_validated(cut, options, &name);
                }
            }
        }
    }
}

const fn is_text(error: Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidText)
}
