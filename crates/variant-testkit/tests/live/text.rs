//! The text and the JSON of running engines, in both directions. The engines print the same as this workspace, and each
//! side reads the other's output as the same value.

use std::collections::BTreeSet;
use std::thread;

use variant_owned::json::{Form, read, write};
use variant_owned::{
    EncodeOptions, KeyRule, NumberStyle, ParseOptions, TextOptions, TextStyle, Variant, Widths,
    encode, from_text_with, to_text,
};
use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_testkit::departures::{self, Classes, TextDeparture, TextOf};
use variant_testkit::live::{self, Answer, Ask, Input, Inputs, LiveEngine, Tally, engines};
use variant_view::{Dialect, Document, Event, Kind, ObjectForm, VariantView};

/// The number of inputs for the engine besides its records.
const VALUES: usize = 20_000;

/// The longest value that is printed.
const LONGEST: usize = 4_096;

/// Values as the engine writes them, from its records and from any bytes.
fn values(engine: &LiveEngine) -> Vec<Vec<u8>> {
    let dialect = engine.dialect();
    let mut inputs = Inputs::new(dialect, &Classes::of(engine).unwrap());
    let made = (0..VALUES).map(|_| Input::value(inputs.input().bytes));
    let vectors = live::vectors(dialect).into_iter().map(Input::value);
    let answers = engine.ask(&vectors.chain(made).collect::<Vec<_>>()).unwrap();
    let mut values: Vec<_> =
        answers.iter().filter_map(Answer::written).map(<[u8]>::to_vec).collect();
    values.retain(|bytes| bytes.len() <= LONGEST && is_plain(dialect, bytes));
    values.sort();
    values.dedup();
    assert!(values.len() > 2_000, "{}: {}", engine.name(), values.len());
    values
}

/// Whether the engine reads the value back, and the value has no objects. The text of an object has more than its id.
fn is_plain(dialect: Dialect, bytes: &[u8]) -> bool {
    let document = Document::new(bytes, options(dialect, false));
    // A byte order mark is written but not read.
    let has_mark = bytes.windows(3).any(|window| window == b"\xef\xbb\xbf");
    document.validate().is_ok()
        && !has_mark
        && document.walk().flatten().all(|event| match event {
            Event::Enter(node) | Event::Leaf(node) => match &node.view {
                VariantView::Object(object) => matches!(object.form(), ObjectForm::Null),
                view => !is_misread(dialect, view.kind()),
            },
            Event::Exit { .. } => true,
        })
}

/// Whether the text expresses the whole value. The text may lack a part of a path, an RID, a callable or a signal.
fn fits_in_text(dialect: Dialect, bytes: &[u8]) -> bool {
    let document = Document::new(bytes, options(dialect, false));
    !document.walk().flatten().any(|event| match event {
        Event::Leaf(node) => {
            matches!(node.view.kind(), Kind::NodePath | Kind::Rid | Kind::Callable | Kind::Signal)
        }
        _ => false,
    })
}

/// The kinds that the engine reads differently than it wrote them.
fn is_misread(dialect: Dialect, kind: Kind) -> bool {
    matches!(dialect, Dialect::Pandemonium4 | Dialect::Pandemonium5)
        && matches!(
            kind,
            Kind::Vector4
                | Kind::Vector4i
                | Kind::Projection
                | Kind::PackedVector4Array
                | Kind::PackedVector4iArray
        )
}

fn value_of(dialect: Dialect, bytes: &[u8]) -> Variant {
    Variant::from_document(&Document::new(bytes, options(dialect, false))).unwrap()
}

fn canonical(dialect: Dialect) -> EncodeOptions {
    EncodeOptions::new(dialect).widths(Widths::Canonical).depth(100_000)
}

/// The texts that the engine prints for values, or the bytes that it writes for texts that it has read.
fn answers(engine: &LiveEngine, ask: Ask, inputs: Vec<Vec<u8>>) -> Vec<Option<Vec<u8>>> {
    let input = |bytes| Input { ask, bytes, objects: false };
    let answers = engine.ask(&inputs.into_iter().map(input).collect::<Vec<_>>()).unwrap();
    answers.iter().map(|answer| answer.written().map(<[u8]>::to_vec)).collect()
}

/// Compares the texts of an engine with those of this workspace in one form, in both directions. Returns the number of
/// failures.
fn compare(
    engine: &LiveEngine,
    [print, read]: [Ask; 2],
    ours_of: impl Fn(&[u8]) -> (String, String),
    plain: impl Fn(&str) -> String,
    parse: impl Fn(&str) -> Result<Vec<u8>, String>,
) -> usize {
    let (name, dialect) = (engine.name(), engine.dialect());
    let values = values(engine);
    let theirs = answers(engine, print, values.clone());
    // Only an RID may be printed as an empty text.
    let theirs: Vec<_> = theirs.into_iter().map(Option::unwrap_or_default).collect();
    let (ours, exact): (Vec<_>, Vec<_>) = values.iter().map(|bytes| ours_of(bytes)).unzip();
    let of_theirs = answers(engine, read, theirs.clone());
    let of_exact = exact.iter().map(|text| text.clone().into_bytes()).collect();
    let of_exact = answers(engine, read, of_exact);
    let [mut printing, mut reading, mut being_read] = [(); 3].map(|()| Tally::default());
    let is_known = |departure: &_| departures::is_known(dialect, *departure);
    for (at, value) in values.iter().enumerate() {
        let (theirs, ours) = (String::from_utf8_lossy(&theirs[at]), &ours[at]);
        let is_printed = theirs == ours.as_str() || !theirs.is_empty();
        let reason = |of, text: &str| {
            // The reader of this workspace reports this error only for equal keys.
            let error = parse(text).err().filter(|error| error.contains("duplicate keys"));
            let same = error.map(|_| TextDeparture::SameKeys);
            same.or_else(|| departures::reason(dialect, of, text)).map(|reason| [reason].into())
        };
        let found = if is_printed {
            departures::between_texts(&plain(ours), &plain(&theirs))
        } else {
            Some([TextDeparture::NotPrinted].into())
        };
        // The engine's JSON omits a container whose elements are objects by id. Its text omits nil in a packed array.
        let is_of_objects = ours.contains("_type\":\"EncodedObjectAsID");
        let of_what = if is_of_objects { ours.as_str() } else { &*theirs };
        let may_be_nothing = is_of_objects || ours.contains("Nil");
        let found = found.or_else(|| reason(TextOf::Engine, of_what).filter(|_| may_be_nothing));
        printing.add(found, is_known, || {
            format!(
                "{name} prints {theirs:?}\nhere it is {ours:?}\nvalue {}\n",
                corpus::to_hex(value)
            )
        });
        let (parsed, of_theirs) = (parse(&theirs), &of_theirs[at]);
        let found = match (&parsed, of_theirs) {
            (Ok(ours), Some(theirs)) => departures::between_values(dialect, ours, theirs).unwrap(),
            (Ok(_), None) => None,
            // The engine must read null from a text that this workspace refuses.
            (Err(_), theirs) => {
                theirs.as_deref().is_none_or(|nil| nil == [0; 4]).then(BTreeSet::new)
            }
        };
        reading.add(found.or_else(|| reason(TextOf::Engine, &theirs)), is_known, || {
            let (parsed, of_theirs) =
                (parsed.as_deref().map(corpus::to_hex), of_theirs.as_deref().map(corpus::to_hex));
            format!("{name} reads {theirs:?}\nas         {of_theirs:?}\nhere it is {parsed:?}\n")
        });
        let of_exact = of_exact[at].as_ref();
        let found = of_exact.and_then(|read| {
            let found = departures::between_values(dialect, value, read).unwrap();
            let reparsed = parse(&exact[at]).ok().filter(|_| !fits_in_text(dialect, value));
            let is_agreed =
                |ours: Vec<u8>| departures::between_values(dialect, &ours, read).unwrap().is_some();
            let agreed = || reparsed.is_some_and(is_agreed).then_some(TextDeparture::NotInText);
            found.or_else(|| Some([agreed()?].into()))
        });
        being_read.add(found.or_else(|| reason(TextOf::Us, &exact[at])), is_known, || {
            let (exact, of_exact) = (&exact[at], of_exact.map(|bytes| corpus::to_hex(bytes)));
            format!(
                "{name} reads our {exact:?}\nas         {of_exact:?}\nvalue      {}\n",
                corpus::to_hex(value)
            )
        });
    }
    println!("{name}, {} values: printed alike {printing:?}", values.len());
    println!("{name}: its text read here {reading:?}");
    println!("{name}: text of ours read there {being_read:?}");
    printing.failures + reading.failures + being_read.failures
}

#[test]
#[ignore = "needs engines that run"]
fn text_both_ways() {
    let of = |engine: &LiveEngine| {
        let dialect = engine.dialect();
        let exact = TextOptions::new(TextStyle::from(dialect));
        let as_theirs = exact.numbers(NumberStyle::Engine).sorted_keys(true);
        let parsing = ParseOptions::new().key_rule(KeyRule::of(dialect));
        let print = |bytes: &[u8]| {
            let value = value_of(dialect, bytes);
            (to_text(&value, &as_theirs), to_text(&value, &exact))
        };
        let parse = |text: &str| {
            let value = from_text_with(text, &parsing).map_err(|error| error.to_string())?;
            encode(&value, canonical(dialect)).map_err(|error| error.to_string())
        };
        compare(engine, [Ask::Text, Ask::ValueOfText], print, str::to_owned, parse)
    };
    let failures: usize = thread::scope(|scope| {
        let of = &of;
        let asked = engines().iter().map(|engine| scope.spawn(move || of(engine)));
        asked.collect::<Vec<_>>().into_iter().map(|asked| asked.join().unwrap()).sum()
    });
    assert_eq!(failures, 0);
}

#[test]
#[ignore = "needs engines that run"]
fn native_json_both_ways() {
    let mut failures = 0;
    for engine in engines().iter().filter(|engine| engine.dialect() == Dialect::Godot4) {
        let dialect = engine.dialect();
        failures += compare(
            engine,
            [Ask::Json, Ask::ValueOfJson],
            |bytes| {
                let document = Document::new(bytes, options(dialect, false));
                let mut json = Vec::new();
                write(&document, Form::Native, &mut json, false).unwrap();
                let json = String::from_utf8(json).unwrap();
                (json.clone(), json)
            },
            unescaped,
            |text| read(text, Form::Native, canonical(dialect)).map_err(|error| error.to_string()),
        );
    }
    assert_eq!(failures, 0);
}

/// Removes the escapes of control characters from JSON, to compare it with the engine's JSON. This workspace escapes
/// all control characters, the engine only a few.
fn unescaped(json: &str) -> String {
    let mut plain = String::new();
    let mut rest = json.chars();
    while let Some(char) = rest.next() {
        let escape = if char == '\\' { rest.next() } else { None };
        match escape {
            None => plain.push(char),
            Some('b') => plain.push('\u{8}'),
            Some('v') => plain.push('\u{b}'),
            Some('f') => plain.push('\u{c}'),
            Some('u') => {
                let digits: String = rest.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).unwrap();
                plain.push(char::from_u32(code).unwrap_or('?'));
            }
            Some(other) => plain.extend(['\\', other]),
        }
    }
    plain
}
