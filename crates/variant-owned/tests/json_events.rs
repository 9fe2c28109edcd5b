//! JSON with other producers and consumers.

use variant_owned::json::{self, Form, JsonWriter, WriteOptions};
use variant_owned::{Object, Variant, array, dictionary, encode};
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_view::{
    ArrayHead, Consumer as _, Dialect, Document, FeedError, Head, Input, Leaf, Options, Producer,
    Reals, Vector3,
};

const FORMS: [Form; 3] = [Form::Exact, Form::Native, Form::Plain];

fn written<P: Producer<Error: std::fmt::Debug>>(producer: P, form: Form) -> String {
    crate::json::text(producer, form, false)
}

fn sample() -> Variant {
    let mut object = Object::new("Node");
    object.properties_mut().unwrap().push("at", Vector3 { x: 1.0, y: -0.0, z: 0.5_f32 });
    dictionary! { "list" => array![1, 2.5, true, "é"], 7 => object }.into()
}

/// A document, its root as a view, and an owned value give the same text, except for facts that only a document has.
#[test]
fn any_producer_is_written_alike() {
    let value = sample();
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
    for form in FORMS {
        let alone = written(&value, form);
        let of_document = written(&document, form);
        let expected = match form {
            Form::Exact => {
                format!(r#"{{"dialect":"godot4","reals":"by-flag","value":{alone}}}"#)
            }
            _ => alone,
        };
        assert_eq!(of_document, expected);
        assert_eq!(written(document.root().unwrap(), form), expected);
    }
}

/// An owned value has no dialect, so the program that writes it names the dialect of the envelope.
#[test]
fn a_program_says_what_its_values_are() {
    let input =
        Input { dialect: Some(Dialect::Godot3), reals: Some(Reals::ByFlag), ..Input::default() };
    let mut text = Vec::new();
    let mut writer = JsonWriter::new(&WriteOptions::new(Form::Exact), input, &mut text);
    (&Variant::from(5)).feed(&mut writer).unwrap();
    assert!(writer.finish().unwrap().is_empty());
    assert_eq!(text, br#"{"dialect":"godot3","reals":"by-flag","value":5}"#);
}

/// A program may call a writer out of turn. An end of nothing and a name outside of an object are ignored, a property
/// without a name has an empty name, and a second value follows without a comma.
#[test]
fn events_out_of_turn_are_written_as_they_come() {
    let mut text = Vec::new();
    let mut writer = JsonWriter::new(&WriteOptions::new(Form::Plain), Input::default(), &mut text);
    writer.exit().unwrap();
    writer.name(b"none").unwrap();
    writer.enter(Head::object(b"Node")).unwrap();
    writer.leaf(Leaf::Bool(true)).unwrap();
    writer.exit().unwrap();
    writer.enter(Head::Array(ArrayHead::default())).unwrap();
    writer.exit().unwrap();
    assert!(writer.finish().unwrap().is_empty());
    assert_eq!(text, br#"{"@class":"Node","":true}[]"#);
}

/// JSON becomes an owned value or JSON of another form directly, without encoded bytes as an intermediate step.
#[test]
fn json_is_a_producer() {
    let value = sample();
    for form in [Form::Exact, Form::Native] {
        let text = written(&value, form);
        let parsed = json::parse(&text, form).unwrap();
        assert_eq!(Variant::from_producer(&parsed).unwrap(), value);
        // Ten values, keys included. The bound on their number is at most the number of bytes.
        let bound = (&parsed).input().max_values.unwrap();
        assert!((10..=text.len()).contains(&bound), "{bound}: {text}");
        for other in FORMS {
            assert_eq!(written(&parsed, other), written(&value, other));
        }
    }
    let error = Variant::from_producer(&json::parse("[\"i:5\", 5]", Form::Native).unwrap());
    let error = error.unwrap_err();
    assert_eq!((error.line(), error.column(), error.pointer()), (1, 9, "/1"));
    let parsed = json::parse("[5]", Form::Native).unwrap();
    let outcome = json::write(&parsed, Form::Plain, std::io::sink(), false);
    assert!(matches!(outcome, Err(FeedError::Producer(_))), "{outcome:?}");
}

/// The exact JSON of every record is read as the value of the record. If that value is written as exact JSON again, the
/// text is the same, including bytes that readers ignore.
#[test]
fn exact_json_of_every_record_is_its_value() {
    let mut count = 0;
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let document = Document::new(&case.bytes, options(dialect, case.objects));
            let Ok(value) = Variant::from_document(&document) else { continue };
            if document.validate().is_err() {
                continue;
            }
            let text = written(&document, Form::Exact);
            let parsed = json::documents(&text, Form::Exact).next().unwrap().unwrap();
            let read = Variant::from_producer(&parsed).unwrap();
            // The texts are compared, since a vector with a NaN is not equal to itself.
            assert_eq!(format!("{read:?}"), format!("{value:?}"), "{}: {text:.300}", case.name);
            let again = written(&parsed, Form::Exact);
            let (text, _) = text.split_once(",\"behind\"").unwrap_or((&text, ""));
            assert_eq!(again.trim_end_matches('}'), text.trim_end_matches('}'), "{}", case.name);
            count += 1;
        }
    }
    assert!(count > 10_000, "{count}");
}
