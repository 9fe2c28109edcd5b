//! The layouts of the documentation pages: every reader and writer handles every record of `corpus/documented`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use variant_owned::json::{self, Form};
use variant_owned::{
    ConvertOptions, EncodeErrorKind, EncodeOptions, Object, ParseOptions, TextOptions, TextStyle,
    Variant, Widths, convert, encode, from_text_with, to_text,
};
use variant_testkit::agree::kind_of;
use variant_testkit::conformance::{compare, compare_value};
use variant_testkit::corpus::{self, Case, Expected, Precision};
use variant_testkit::reference::{self, Rules};
use variant_view::{
    Dialect, Document, ErrorKind, Kind, NotCanonical, NumberType, Options, Page, Profile, Reals,
    Vector3,
};

fn file(page: Page, stem: &str) -> PathBuf {
    corpus::root().join(format!("documented/{page}.{stem}.jsonl"))
}

fn cases(page: Page, stem: &str) -> Vec<Case> {
    corpus::read_cases(&file(page, stem)).unwrap()
}

/// The vectors, including double precision, with their options.
fn vectors() -> Vec<(Page, Case, Options, EncodeOptions)> {
    let mut all = Vec::new();
    for &page in Page::ALL {
        let (options, encoding) = (Options::documented(page), EncodeOptions::documented(page));
        for case in cases(page, "vectors") {
            all.push((page, case, options, encoding));
        }
        for case in cases(page, "double") {
            let reals = Reals::Always64;
            all.push((page, case, options.reals(reals), encoding.reals(reals)));
        }
    }
    assert!(all.len() > 500, "{}", all.len());
    all
}

fn owned(bytes: &[u8], options: Options) -> Variant {
    Variant::from_document(&Document::new(bytes, options)).unwrap()
}

#[test]
fn every_type_of_every_page_has_a_record() {
    for &page in Page::ALL {
        let dialect = page.dialect();
        for stem in ["vectors", "double"] {
            let mut found: BTreeSet<Kind> = BTreeSet::new();
            for case in cases(page, stem) {
                let options = Options::documented(page).reals(match stem {
                    "double" => Reals::Always64,
                    _ => Reals::ByFlag,
                });
                found.insert(Document::new(&case.bytes, options).root().unwrap().kind());
            }
            let missing: Vec<_> = dialect
                .kinds()
                .iter()
                .filter(|kind| stem == "vectors" || is_made_of_reals(**kind))
                .filter(|kind| !found.contains(kind) && !dialect.unsupported().contains(kind))
                .collect();
            assert!(missing.is_empty(), "{page} {stem}: {missing:?}");
        }
    }
}

fn is_made_of_reals(kind: Kind) -> bool {
    kind.shape().is_some_and(|shape| shape.number == NumberType::Real)
}

/// Compares the bytes consumed, the value, and the bytes written again.
#[test]
fn every_record_is_read_and_written() {
    for (page, case, options, encoding) in vectors() {
        let name = format!("{page}:{} {}", case.line, case.name);
        let document = Document::new(&case.bytes, options);
        assert_eq!(document.validate().unwrap().consumed, case.bytes.len(), "{name}");
        assert!(matches!(case.value, Expected::Tagged(_)), "{name}");
        let is_double = options.reals == Reals::Always64;
        let precision = if is_double { Precision::Double } else { Precision::Single };
        compare_value(page.into(), precision, &case, &document.root().unwrap()).unwrap();
        let value = owned(&case.bytes, options);
        let again = encode(&value, encoding.widths(Widths::Canonical)).unwrap();
        assert_eq!(Some(again), case.rewritten, "{name}");
        assert_eq!(encode(&value, encoding).unwrap(), case.bytes, "{name}");
    }
}

/// Readers accept these bytes, but writers do not write them. The category of a record determines the deviation.
#[test]
fn other_forms_are_read_and_reported() {
    let canonical = |bytes: &[u8], page| {
        let options = Options::documented(page).profile(Profile::Canonical);
        Document::new(bytes, options).validate().map_err(|error| error.kind())
    };
    for &page in Page::ALL {
        for case in cases(page, "mutants").iter().filter(|case| case.accepted) {
            let name = format!("{page}:{} {}", case.line, case.name);
            let why = match case.name.split(' ').next().unwrap() {
                "flags" => NotCanonical::HeaderBits,
                "wide" if case.name.ends_with("int") => NotCanonical::WideInt,
                "wide" => NotCanonical::FloatWidth,
                "bool" => NotCanonical::Bool,
                "trailing" => NotCanonical::TrailingBytes,
                "padding" if case.name.ends_with("Array") => NotCanonical::NoPadding,
                "padding" => NotCanonical::Padding,
                "path" => NotCanonical::NodePath,
                // A text may end in a NUL.
                "terminator" => {
                    assert!(canonical(&case.bytes, page).is_ok(), "{name}");
                    continue;
                }
                _ => panic!("{name}"),
            };
            let found = canonical(&case.bytes, page);
            assert_eq!(found, Err(ErrorKind::NotCanonical(why)), "{name}");
        }
    }
}

/// Both decoders refuse the bytes at the offset and for the reason of the record.
#[test]
fn every_refusal_has_its_reason() {
    let mut count = 0;
    for &page in Page::ALL {
        let text = fs::read_to_string(file(page, "mutants")).unwrap();
        for (case, line) in cases(page, "mutants").iter().zip(text.lines()) {
            let name = format!("{page}:{} {}", case.line, case.name);
            let record: Value = serde_json::from_str(line).unwrap();
            let verdict = Document::new(&case.bytes, Options::documented(page)).validate();
            let theirs = reference::read(&case.bytes, Rules::new(page.into())).outcome;
            if let Err(disagreement) = compare(page.into(), Precision::Single, case) {
                panic!("{name}: {disagreement}");
            }
            let Err(error) = verdict else { continue };
            assert_eq!(theirs.map_err(|e| kind_of(e.fault)), Err(Some(error.kind())), "{name}");
            assert_eq!(record["offset"], error.offset(), "{name}: {error}");
            assert_eq!(record["error"], word_for(error.kind()), "{name}: {error}");
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}

fn word_for(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Unsupported { .. } => "unsupported",
        ErrorKind::UnknownType { .. } => "unknown type",
        ErrorKind::Truncated { .. } => "truncated",
        ErrorKind::NegativeLength { .. } => "negative length",
        ErrorKind::InvalidText => "text",
        _ => "another",
    }
}

#[test]
fn unsupported_values_say_so() {
    let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0];
    let document = Document::new(&bytes, Options::documented(Page::Godot31));
    let error = document.validate().unwrap_err();
    let text = "RID is unsupported by this page of the documentation at byte 12";
    assert_eq!(error.to_string(), text);
    assert_eq!(document.root().unwrap().as_array().unwrap().get(0).unwrap_err(), error);

    let value: Variant =
        variant_owned::array![1, Variant::Object(Box::new(Object::new("A")))].into();
    let error = encode(&value, EncodeOptions::documented(Page::Pandemonium38)).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::Unsupported(Kind::Object));
    assert_eq!(error.path(), "[1]");
}

/// JSON keeps the whole value. Text keeps the parts that it can express.
#[test]
fn json_and_text_come_back() {
    for (page, case, options, encoding) in vectors() {
        let name = format!("{page}:{} {}", case.line, case.name);
        let document = Document::new(&case.bytes, options);
        let mut exact = Vec::new();
        json::write(&document, Form::Exact, &mut exact, false).unwrap();
        let exact = String::from_utf8(exact).unwrap();
        let value = owned(&case.bytes, options);
        let written = encode(&value, encoding).unwrap();
        assert_eq!(json::read(&exact, Form::Exact, encoding).unwrap(), written, "{name}: {exact}");

        let text = to_text(&value, &TextOptions::new(TextStyle::Godot4));
        let parsed = from_text_with(&text, &ParseOptions::new());
        assert!(parsed.is_ok(), "{name}: {text}");
    }
}

/// Bytes in a page's layout are converted to bytes for an engine, and back.
#[test]
fn every_record_converts() {
    for (page, case, options, _) in vectors() {
        let value = owned(&case.bytes, options);
        for to in corpus::dialects() {
            let name = format!("{page}:{} {} to {to}", case.line, case.name);
            let (converted, report) = convert(&value, to).unwrap();
            let bytes = encode(&converted, to).unwrap();
            let verdict = Document::new(&bytes, Options::engine(to)).validate();
            assert_eq!(verdict.map(|summary| summary.consumed), Ok(bytes.len()), "{name}");
            if to == Dialect::Godot4 && options.reals == Reals::ByFlag && !has_plain(&case) {
                assert!(report.is_lossless(), "{name}: {report:?}");
            }
        }
    }
}

fn has_plain(case: &Case) -> bool {
    format!("{:?}", case.value).contains("plain")
}

#[test]
fn values_that_a_page_lacks_are_converted() {
    let object = Object::new("Node");
    let value: Variant = variant_owned::array![
        Variant::Rid(5),
        Variant::Object(Box::new(Object::Id(7))),
        Variant::Object(Box::new(Object::Null)),
        Variant::Object(Box::new(object)),
        1i64 << 40,
        0.1
    ]
    .into();
    for &page in Page::ALL {
        let (converted, report) = convert(&value, ConvertOptions::new(page.into())).unwrap();
        let bytes = encode(&converted, EncodeOptions::documented(page)).unwrap();
        assert!(Document::new(&bytes, Options::documented(page)).validate().is_ok());
        let changes = report.changes().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(changes[0], "[0]: RID became Nil, its id was lost");
        assert_eq!(changes[1], "[1]: Object became Nil, its id was lost");
        assert_eq!(converted[4].as_i64(), Some(1 << 40));
        let loses_digits = changes.iter().any(|change| change == "[5]: float, digits were lost");
        assert_eq!(loses_digits, page == Page::Godot30);
    }
}

#[test]
fn numbers_stay_in_wire_order() {
    let bytes: Vec<u8> = [12_u32.to_le_bytes()]
        .into_iter()
        .chain((1..=9).map(|n: u8| f32::from(n).to_le_bytes()))
        .flatten()
        .collect();
    for (options, has_columns) in
        [(Options::engine(Dialect::Godot3), false), (Options::documented(Page::Godot31), true)]
    {
        let basis = Document::new(&bytes, options).root().unwrap().as_basis().unwrap();
        assert_eq!(basis.row0, Vector3 { x: 1.0, y: 2.0, z: 3.0 });
        assert_eq!(options.dialect.has_basis_columns(), has_columns);
    }
}
