//! Exact JSON is exact: any bytes that an engine accepts come back, also through other tools.

use std::io::{Seek as _, Write as _};
use std::process::Command;

use variant_owned::json::{self, Form, WriteOptions};
use variant_owned::{ElementType, EncodeOptions, Precision, Text, Widths, dictionary, encode};
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_testkit::one_number::{Print, one_number};
use variant_view::{Dialect, Document, Kind, Options, Profile, Reals, Vector2};

use crate::json::{GODOT4, text};

/// The bytes of exact JSON, which contains its dialect.
fn back(text: &str) -> Vec<u8> {
    let parsed = json::documents(text, Form::Exact).next().unwrap();
    let parsed = parsed.unwrap_or_else(|error| panic!("{error} in {text:.300}"));
    let options = parsed.envelope().unwrap().options().depth(100_000);
    parsed.encode(options).unwrap_or_else(|error| panic!("{error} in {text:.300}"))
}

/// Every record that an engine accepts, of every dialect: its name, its bytes and its options.
fn accepted() -> impl Iterator<Item = (String, Vec<u8>, Options)> {
    corpus::record_files().into_iter().flat_map(|(dialect, path)| {
        let cases = corpus::read_cases(&path).unwrap().into_iter().filter(|case| case.accepted);
        cases.map(move |case| {
            let name = format!("{}:{} {}", path.display(), case.line, case.name);
            (name, case.bytes, options(dialect, case.objects))
        })
    })
}

/// The bytes of each record, canonical or not, come back from its exact JSON. So do any bytes after the value. They
/// also come back from the output of a tool with one kind of number. The tool prints other notations of numbers, and
/// reorders fields.
#[test]
fn exact_records_come_back() {
    let (mut canonical, mut other, mut passed) = (0, 0, 0);
    let prints = [Print::Point, Print::Exponent].into_iter().cycle();
    for ((name, bytes, options), print) in accepted().zip(prints) {
        let document = Document::new(&bytes, options);
        if document.validate().is_err() {
            continue;
        }
        let profile = options.profile(Profile::Canonical);
        match Document::new(&bytes, profile).validate() {
            Ok(_) => canonical += 1,
            Err(_) => other += 1,
        }
        let exact = text(&document, Form::Exact, false);
        // The tool refuses deeply nested values, so some records have no output of the tool.
        let printed = [Print::Shortest, print].map(|print| one_number(&exact, print));
        let printed: Vec<_> = printed.into_iter().flatten().collect();
        passed += printed.len();
        for text in printed.iter().chain([&exact, &text(&document, Form::Exact, true)]) {
            assert_eq!(back(text), bytes, "{name}: {text:.300}");
        }
    }
    println!("{canonical} canonical, {other} others, {passed} through the tool");
    assert!(canonical > 1_000 && other > 1_000 && passed > 10_000);
}

/// Every eighth record, to save time: the original bytes of the records, and one text with a line of exact JSON each.
fn some_exact_lines() -> (Vec<Vec<u8>>, String) {
    let (mut expected, mut lines) = (Vec::new(), String::new());
    for (_, bytes, options) in accepted().step_by(8) {
        let document = Document::new(&bytes, options);
        // Tools limit nesting. Some tools accept only 256 brackets.
        if document.validate().is_ok_and(|summary| summary.depth < 60) {
            lines.push_str(&text(&document, Form::Exact, false));
            lines.push('\n');
            expected.push(bytes);
        }
    }
    (expected, lines)
}

/// The records also come back through installed programs.
#[test]
fn exact_records_come_back_through_jq_and_node() {
    let script = "require('fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean)\
                  .forEach(line => console.log(JSON.stringify(JSON.parse(line))))";
    let (expected, lines) = some_exact_lines();
    let mut input = tempfile::tempfile().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    for (program, arguments) in
        [("jq", &["."][..]), ("jq", &["-c", "-S", "."]), ("node", &["-e", script])]
    {
        input.rewind().unwrap();
        let file = input.try_clone().unwrap();
        let Ok(output) = Command::new(program).args(arguments).stdin(file).output() else {
            println!("{program} is not there, so it is not asked");
            continue;
        };
        assert!(output.status.success(), "{program}: {:?}", output.stderr);
        let printed = String::from_utf8(output.stdout).unwrap();
        let found: Vec<_> = json::documents(&printed, Form::Exact)
            .map(|parsed| {
                let parsed = parsed.unwrap();
                parsed.encode(parsed.envelope().unwrap().options()).unwrap()
            })
            .collect();
        println!("{} records through {program}", found.len());
        assert!(found == expected, "{program}");
    }
}

/// Bytes that readers ignore come back. Each case has one kind of such bytes.
#[test]
fn ignored_bytes_come_back() {
    use Dialect::{Godot2, Godot3, Godot4, Pandemonium5};
    // `RAW` is replaced by all bytes of the value.
    for (dialect, hex, value) in [
        (Godot4, "00090000", r#"{"t":"Nil","raw":"RAW"}"#),
        (Godot3, "0100000002000000", r#"{"t":"bool","v":true,"raw":"RAW"}"#),
        (Godot3, "040000000100000061010203", r#"{"t":"String","v":"a","raw":"RAW"}"#),
        // Padding may be missing after a byte array in every dialect, and after text in Godot 2.
        (Godot4, "1d0000000100000007", r#"{"t":"PackedByteArray","hex":"07","raw":"RAW"}"#),
        (Godot2, "040000000100000061", r#"{"t":"String","v":"a","raw":"RAW"}"#),
        // A path whose counts wrap, with meaningless flags.
        (
            Godot3,
            "0f00000001000080fffffffff0000000",
            r#"{"t":"NodePath","names":[],"subnames":[],"raw":"RAW"}"#,
        ),
        (
            Godot2,
            "1000000000000080ffffffff02000000",
            r#"{"t":"NodePath","names":[],"subnames":[],"raw":"RAW"}"#,
        ),
        // Strings without their NUL, and a negative count of strings.
        (
            Godot3,
            "17000000010000000100000061000000",
            r#"{"t":"PackedStringArray","v":["a"],"raw":"RAW"}"#,
        ),
        (Godot3, "1700000000000080", r#"{"t":"PackedStringArray","v":[],"raw":"RAW"}"#),
        // An object is null if its class name reads as empty.
        (Godot3, "110000000200000000780000", r#"{"t":"Object","raw":"RAW"}"#),
        // A negative count, and a count with the bit of shared containers.
        (
            Godot3,
            "110000000100000041000000ffffffff",
            r#"{"t":"Object","class":"A","raw":"RAW","v":[]}"#,
        ),
        (
            Godot3,
            "130000000100008000000000",
            r#"{"t":"Array","raw":"1300000001000080","v":[null]}"#,
        ),
        // A name of a property, with padding that is not zero.
        (
            Godot3,
            "11000000010000004100000001000000010000007000000500000000",
            r#"{"t":"Object","class":"A","v":[[{"v":"p","raw":"0100000070000005"},null]]}"#,
        ),
        // The declared type Nil, which means untyped, and a declared type with bit 31.
        (Godot4, "1c0001000000000000000000", r#"{"t":"Array","raw":"RAW","v":[]}"#),
        (
            Pandemonium5,
            "1b0000000200008000000000",
            r#"{"t":"TypedArray","of":"int","raw":"RAW","v":[]}"#,
        ),
        // Bytes after the value.
        (Godot3, "000000000102", "null"),
    ] {
        let bytes = corpus::from_hex(hex).unwrap();
        let document = Document::new(&bytes, Options::engine(dialect));
        let consumed = document.validate().unwrap().consumed;
        let exact = text(&document, Form::Exact, false);
        let value = value.replace("RAW", hex);
        let behind = if consumed < bytes.len() { ",\"behind\":\"0102\"" } else { "" };
        let expected = format!(
            "{{\"dialect\":\"{dialect}\",\"reals\":\"by-flag\",\"value\":{value}{behind}}}"
        );
        assert_eq!(exact, expected);
        assert_eq!(back(&exact), bytes, "{exact}");
    }
}

/// Changed fields take precedence, and raw bytes that disagree with them are dropped.
#[test]
fn changed_fields_take_precedence_over_raw_bytes() {
    let read = |text: &str, dialect| json::read(text, Form::Exact, dialect);
    let dirty = r#"{"t":"String","v":"b","raw":"040000000100000061010203"}"#;
    let clean = encode(&"b".into(), GODOT4).unwrap();
    assert_eq!(read(dirty, Dialect::Godot4).unwrap(), clean);
    // The array has two elements, but the count in the raw bytes of its head is one.
    let more = r#"{"t":"Array","raw":"1300000001000080","v":[null,null]}"#;
    let expected = [19, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(read(more, Dialect::Godot3).unwrap(), expected);
    // Padding may be missing only at the end.
    let short = r#"{"t":"PackedByteArray","hex":"07","raw":"1d0000000100000007"}"#;
    let both = read(&format!("[{short},{short}]"), Dialect::Godot4).unwrap();
    assert_eq!(
        both,
        [
            &[28, 0, 0, 0, 2, 0, 0, 0][..],
            &[29, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0],
            &[29, 0, 0, 0, 1, 0, 0, 0, 7]
        ]
        .concat()
    );
    let behind = format!(r#"{{"dialect":"godot4","value":{short},"behind":"ff"}}"#);
    assert_eq!(back(&behind), [29, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0xff]);
    // Raw bytes are ignored if they are not this value, are of another dialect, or are to be written in another width.
    for raw in ["", "00", "04000000", "0400000001000000620000000000", "0400000002000000"] {
        let text = format!(r#"{{"t":"String","v":"b","raw":"{raw}"}}"#);
        assert_eq!(read(&text, Dialect::Godot4).unwrap(), clean, "{raw}");
    }
    // The same holds for the raw bytes of a name: they have another length, another text, or a length beyond their end.
    let object = |name: &str| format!(r#"{{"t":"Object","class":"A","v":[[{name},null]]}}"#);
    let clean = read(&object("\"p\""), Dialect::Godot4).unwrap();
    for raw in
        ["01", "01000000", "010000007000000000000000", "0100000071000000", "ffffffff70000000"]
    {
        let named = object(&format!(r#"{{"v":"p","raw":"{raw}"}}"#));
        assert_eq!(read(&named, Dialect::Godot4).unwrap(), clean, "{raw}");
    }
    let text =
        r#"{"dialect":"godot3","value":{"t":"int","w":64,"v":5,"raw":"020009000500000000000000"}}"#;
    let parsed = json::documents(text, Form::Exact).next().unwrap().unwrap();
    let godot3 = EncodeOptions::new(Dialect::Godot3);
    assert_eq!(parsed.encode(godot3).unwrap()[..4], [2, 0, 9, 0]);
    assert_eq!(parsed.encode(GODOT4).unwrap()[..4], [2, 0, 1, 0]);
    let single = godot3.precision(Precision::Single);
    assert_eq!(parsed.encode(single).unwrap()[..4], [2, 0, 1, 0]);
    assert_eq!(parsed.encode(godot3.widths(Widths::Canonical)).unwrap(), [2, 0, 0, 0, 5, 0, 0, 0]);
}

/// A dictionary with a declared type of its values has the field `value`, as an envelope has. Its tag distinguishes it.
#[test]
fn a_typed_dictionary_is_not_an_envelope() {
    let mut typed = dictionary! { "a" => 1 };
    typed.set_types(ElementType::Any, ElementType::Builtin(Kind::Int));
    let text = r#"{"t":"Dictionary","value":"int","v":[["a",1]]}"#;
    let parsed = json::parse(text, Form::Exact).unwrap();
    assert_eq!(parsed.envelope(), None);
    assert_eq!(parsed.encode(GODOT4).unwrap(), encode(&typed.into(), GODOT4).unwrap());
}

/// The reader returns the envelope's data, such as the dialect, so that the caller need not know it.
#[test]
fn the_envelope_is_read() {
    let bytes =
        encode(&Vector2 { x: 1.0_f32, y: 2.0 }.into(), GODOT4.reals(Reals::Always64)).unwrap();
    let document = Document::new(&bytes, Options::engine(Dialect::Godot4).reals(Reals::Always64));
    let options = WriteOptions::new(Form::Exact).framing("frames-be").name(b"a\xff");
    let mut text = Vec::new();
    json::write_with(&document, &options, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let expected = concat!(
        r#"{"dialect":"godot4","reals":"always64","framing":"frames-be","name":{"hex":"61ff"},"#,
        r#""value":{"t":"Vector2","w":64,"v":["1","2"]}}"#
    );
    assert_eq!(text, expected);
    let parsed = json::documents(&text, Form::Exact).next().unwrap().unwrap();
    let envelope = parsed.envelope().unwrap();
    assert_eq!((envelope.dialect, envelope.reals), (Dialect::Godot4, Reals::Always64));
    assert_eq!(envelope.framing.as_deref(), Some("frames-be"));
    assert_eq!(envelope.name.as_ref().map(Text::as_bytes), Some(&b"a\xff"[..]));
    assert_eq!(parsed.encode(envelope.options()).unwrap(), bytes);
    for (text, message) in [
        (
            r#"{"value":1}"#,
            "line 1 column 1: expected the field \"dialect\", found an object of 1 field",
        ),
        (r#"{"dialect":"godot9","value":1}"#, "(/dialect): expected a dialect (godot2, godot3, "),
        (
            r#"{"dialect":"godot4","reals":"x","value":1}"#,
            "(/reals): expected by-flag or always64, found \"x\"",
        ),
        (
            r#"{"dialect":"godot4","value":1,"x":1}"#,
            "unknown field \"x\", expected one of value, dialect, ",
        ),
        (r#"{"dialect":"godot4"}"#, "expected the field \"t\""),
    ] {
        let error = json::read(text, Form::Exact, GODOT4).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
