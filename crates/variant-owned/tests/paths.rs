//! `Document::at` accepts every printed path and finds the same value.

use proptest::prelude::*;
use variant_owned::{
    Array, ConvertOptions, Dictionary, ElementType, EncodeError, EncodeOptions, KeyRule, Object,
    ParseOptions, Text, Variant, Writer, array, convert, dictionary, encode, from_text_with,
};
use variant_testkit::builder::ODD_TEXTS;
use variant_testkit::conformance::options;
use variant_testkit::{corpus, hostile, values};
use variant_view::{Dialect, Document, ErrorKind, Key, Kind, PathStep, Tape};

/// A value that no dialect can hold: an array of a type that cannot be declared.
fn unwritable() -> Variant {
    Array::with_type(ElementType::Unknown(u32::MAX)).into()
}

/// Follows `choices` down into `value`, and makes the value found there unwritable. Returns its path by positions.
fn spoil(value: &mut Variant, choices: impl IntoIterator<Item = u8>) -> String {
    let mut way = String::new();
    for choice in choices {
        let (children, open, close) = match value.at(&way).unwrap() {
            Variant::Dictionary(dictionary) => (dictionary.len(), '{', '}'),
            Variant::Object(object) => (object.len(), '{', '}'),
            other => (other.as_array().map_or(0, Array::len), '[', ']'),
        };
        let Some(slot) = usize::from(choice).checked_rem(children) else { break };
        way.push_str(&format!("{open}{slot}{close}"));
    }
    *value.at_mut(&way).unwrap() = unwritable();
    way
}

/// Asserts that the error's path and `way`, the path by positions, lead to the same value in the original `bytes`.
fn assert_leads_there(error: &EncodeError, bytes: &[u8], way: &str, dialect: Dialect) {
    let document = Document::new(bytes, options(dialect, true));
    let wanted = document.at(way).unwrap().offset();
    let found = document.at(error.path()).unwrap_or_else(|wrong| panic!("{error}: {wrong}"));
    assert_eq!(found.offset(), wanted, "{error}: {way}");
}

/// Keys and names that need quotes, cannot be shown, have ignored parts, or occur twice.
fn odd(dialect: Dialect) -> Variant {
    let mut object = Object::new("C");
    let mut all = Dictionary::with_rule(KeyRule::of(dialect));
    for text in ODD_TEXTS.iter().filter(|text| dialect.check_text(text).is_ok()) {
        let text = Text::from_bytes(text);
        object.properties_mut().unwrap().push(text.clone(), array![text.clone()]);
        if dialect.id(Kind::StringName).is_some() {
            let _ = all.insert(Variant::StringName(text.clone()), array![text.clone()]);
        }
        let _ = all.insert(text.clone(), array![text]);
    }
    for number in [1, -1, i32::MAX] {
        let _ = all.insert(number, array![number]);
        let _ = all.insert(f64::from(number), array![number]);
    }
    let _ = all.insert(array![1], array![1]);
    let _ = all.insert(true, array![1]);
    let _ = all.insert(Variant::Nil, array![1]);
    if dialect.writes_objects() {
        let _ = all.insert("object", object);
    }
    all.into()
}

#[test]
fn every_path_of_an_error_leads_to_its_value() {
    for &dialect in Dialect::ALL {
        let value = odd(dialect);
        let encoding = EncodeOptions::new(dialect);
        let bytes = encode(&value, encoding).unwrap();
        for first in 0..80 {
            for second in 0..8 {
                let mut spoilt = value.clone();
                let way = spoil(&mut spoilt, [first, second]);
                let error = encode(&spoilt, encoding).unwrap_err();
                assert_leads_there(&error, &bytes, &way, dialect);
            }
        }
    }
}

#[test]
fn string_name_keys_are_marked_where_they_differ() {
    for (dialect, path) in [(Dialect::Godot4, "k"), (Dialect::Pandemonium5, "[&\"k\"]")] {
        let mut all = Dictionary::with_rule(KeyRule::of(dialect));
        let _ = all.insert(Variant::StringName("k".into()), unwritable());
        let error = encode(&all.into(), dialect).unwrap_err();
        assert_eq!(error.path(), path);
    }
}

/// The path of an error inside a written value starts with the writer's open containers.
#[test]
fn a_writer_keeps_the_inner_path() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    writer.begin_array().unwrap();
    writer.value(&1.into()).unwrap();
    let mut inner = Dictionary::new();
    let _ = inner.insert("name", array![1, unwritable()]);
    let error = writer.value(&inner.clone().into()).unwrap_err();
    assert_eq!(error.path(), "[1].name[1]");
    assert!(error.to_string().starts_with("[1].name[1]: "), "{error}");
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    assert_eq!(writer.value(&inner.into()).unwrap_err().path(), "name[1]");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_of_any_value(
        seed in prop::collection::vec(any::<u8>(), 0..500),
        choices in prop::collection::vec(any::<u8>(), 0..6),
        dialect in prop::sample::select(Dialect::ALL),
        is_hostile: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = if is_hostile {
            hostile::variant(&mut seed, dialect).unwrap()
        } else {
            values::variant(&mut seed, dialect, false).unwrap()
        };
        let encoding = EncodeOptions::new(dialect);
        let Ok(bytes) = encode(&value, encoding) else { return Ok(()) };
        let mut spoilt = value.clone();
        let way = spoil(&mut spoilt, choices);
        if let Err(error) = encode(&spoilt, encoding) {
            assert_leads_there(&error, &bytes, &way, dialect);
        }
    }

    /// The paths of a report on a document lead back into it.
    #[test]
    fn paths_of_a_report(
        seed in prop::collection::vec(any::<u8>(), 0..500),
        from in prop::sample::select(Dialect::ALL),
        to in prop::sample::select(Dialect::ALL),
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, from, false).unwrap();
        let bytes = encode(&value, from).unwrap();
        let document = Document::new(&bytes, options(from, true));
        let read = Variant::from_document(&document).unwrap();
        let (_, report) = convert(&read, to).unwrap();
        for change in report.changes() {
            prop_assert_eq!(document.at(&change.path).map(|found| found.kind()), Ok(change.from));
        }
    }
}

/// An owned value and its bytes agree on a path: both lead to the same value, or both fail for the same reason.
#[track_caller]
fn assert_same_way(value: &mut Variant, document: &Document<'_>, path: &str) {
    match (document.at(path), value.at(path).cloned()) {
        (Ok(found), Ok(owned)) => {
            let found = Variant::from_view(&found).unwrap();
            assert_eq!(format!("{found:?}"), format!("{owned:?}"), "{path}");
            match value.at_mut(path) {
                Ok(at_mut) => assert_eq!(format!("{at_mut:?}"), format!("{owned:?}"), "{path}"),
                Err(error) => assert!(path.contains(":key}"), "{path}: {error}"),
            }
        }
        (Err(found), Err(owned)) => {
            assert_eq!(found.kind(), owned.kind(), "{path}");
            if let ErrorKind::KeyNotFound { column }
            | ErrorKind::IndexOutOfRange { column, .. }
            | ErrorKind::PathSyntax { column } = owned.kind()
            {
                assert_eq!(column, owned.column(), "{path}");
            }
            let column = value.at_mut(path).unwrap_err().column();
            assert!(column == owned.column() || path.contains(":key}"), "{path}: {column}");
        }
        (found, owned) => panic!("{path}: {found:?}, {owned:?}"),
    }
}

/// Valid and invalid steps.
const STEPS: [&str; 16] = [
    "[0]",
    "[1]",
    "[-1]",
    "[3]",
    "[4294967296]",
    "{0}",
    "{1}",
    "{9}",
    "{0:key}",
    "{9:key}",
    "a",
    ".a.b",
    "[&\"a\"]",
    "[&\"none\"]",
    "[",
    "{x}",
];

fn assert_all_ways(bytes: &[u8], dialect: Dialect) {
    let document = Document::new(bytes, options(dialect, true));
    let Ok(mut value) = Variant::from_document(&document) else { return };
    // A document with equal keys is skipped: an owned dictionary keeps only one of them, so positions differ.
    if encode(&value, dialect).ok().as_deref() != Some(bytes) {
        return;
    }
    for offset in (0..bytes.len()).step_by(4).take(20) {
        let Ok(way) = document.path_to(offset).map(|path| path.to_string()) else { continue };
        assert_same_way(&mut value, &document, &way);
        for step in STEPS {
            assert_same_way(&mut value, &document, &format!("{way}{step}"));
            assert_same_way(&mut value, &document, &format!("{way}{step}[0]"));
        }
    }
}

#[test]
fn paths_through_the_corpus_lead_to_the_same_on_both_sides() {
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().step_by(29) {
            assert_all_ways(&case.bytes, dialect);
        }
    }
    for &dialect in Dialect::ALL {
        assert_all_ways(&encode(&odd(dialect), dialect).unwrap(), dialect);
    }
}

#[test]
fn errors_about_other_values_than_containers_are_alike() {
    let object = Object::new("C");
    for (value, path, expected) in [
        (Variant::from(object), "{0:key}", "nothing can be looked up in Object at path column 0"),
        (Object::new("C").into(), "[3]", "nothing can be looked up in Object at path column 0"),
        (Object::new("C").into(), "[-3]", "nothing can be looked up in Object at path column 0"),
        (7.into(), "[-3]", "nothing can be looked up in int at path column 0"),
        (array![1].into(), "[-3]", "no such index in an array of length 1 at path column 0"),
        (array![1].into(), "[0].a", "nothing can be looked up in int at path column 3"),
    ] {
        let bytes = encode(&value, Dialect::Godot4).unwrap();
        assert_eq!(value.at(path).unwrap_err().to_string(), expected);
        let document = Document::new(&bytes, options(Dialect::Godot4, true));
        assert_same_way(&mut value.clone(), &document, path);
    }
}

/// Properties cannot be added to an object by id or to a null object.
#[test]
fn an_object_without_properties_takes_nothing_in() {
    for object in [Object::Id(5), Object::Null] {
        let mut value = Variant::from(array![object.clone()]);
        for path in ["[0].hp", "[0][&\"hp\"]", "[0]{0}", "[0][0]", "[0]{0:key}"] {
            let error = value.insert(path, 7).unwrap_err();
            let kind = ErrorKind::NotAContainer { found: Kind::Object };
            assert_eq!((error.kind(), error.column()), (kind, 3), "{path}");
        }
        assert_eq!(value, Variant::from(array![object]));
    }
    let mut full = Variant::from(Object::new("Node"));
    assert_eq!(full.insert("hp", 7), Ok(None));
}

/// A `Vector2i`, which Godot 3 cannot hold, inside as many containers as the limit allows.
fn far_down() -> Variant {
    let innermost = Variant::from(array![Variant::from((3, 4))]);
    (1..1_024).fold(innermost, |inner, level| {
        if level % 2 == 0 { array![inner].into() } else { dictionary! { "key" => inner }.into() }
    })
}

/// A path of a thousand steps is whole in the error, but its message omits the middle of the path.
#[test]
fn messages_have_no_more_than_the_ends_of_a_path() {
    let value = far_down();
    let error = encode(&value, Dialect::Godot3).unwrap_err();
    let strict = convert(&value, ConvertOptions::new(Dialect::Godot3).strict(true)).unwrap_err();
    let (_, report) = convert(&value, Dialect::Godot3).unwrap();
    let change = &report.changes()[0];
    assert_eq!(change.path, error.path());
    assert!(report.groups()[0].to_string().len() < 600);
    assert!(error.path().len() > 3_000, "{}", error.path().len());
    for message in [error.to_string(), strict.to_string(), change.to_string()] {
        assert!(message.len() < 600, "{} bytes", message.len());
        assert!(message.contains("key[0].key") && message.contains(" bytes ... "), "{message}");
        assert!(message.contains("[0].key[0]: "), "{message}");
    }
}

/// A key cannot be changed, and the error has the position of its step in the path.
#[test]
fn a_path_through_a_key_is_refused_where_the_key_is() {
    let mut all = Dictionary::new();
    let _ = all.insert(array![1], 2);
    let mut value: Variant = array![all].into();
    assert_eq!(value.at("[0]{0:key}[0]").unwrap().as_i64(), Some(1));
    for path in ["[0]{0:key}[0]", "[0]{0:key}"] {
        let error = value.at_mut(path).unwrap_err();
        assert_eq!(error.to_string(), "nothing can be looked up in Dictionary at path column 3");
    }
}

/// Checks that all readers find the same property of this name.
#[track_caller]
fn assert_same_property(bytes: &[u8], dialect: Dialect, name: &str, is_there: bool) {
    let document = Document::new(bytes, options(dialect, true));
    let view = document.root().unwrap().as_object().unwrap();
    let found = view.get(name).unwrap();
    assert_eq!(found.is_some(), is_there, "{dialect:?} {name:?}");
    let mut tape = Tape::new();
    let read = tape.read(document).unwrap();
    assert_eq!(read.get(name).unwrap().is_some(), is_there, "{name:?}");
    let mut value = Variant::from_document(&document).unwrap();
    for value in [value.clone(), Variant::from_view(&document.root().unwrap()).unwrap()] {
        let own = value.as_object().unwrap().get(name);
        assert_eq!(own.is_some(), is_there, "{dialect:?} {name:?}");
        let Some((found, own)) = found.zip(own) else { continue };
        assert_eq!(found.as_str().ok(), own.as_str());
        let text = found.as_text().ok().map(|text| text.to_str().unwrap());
        assert_eq!(text, own.as_text().and_then(Text::to_str));
    }
    let object = value.as_object_mut().unwrap();
    assert_eq!(object.get_mut(name).is_some(), is_there, "{dialect:?} {name:?}");
}

#[test]
fn a_view_and_a_value_read_text_alike() {
    for &dialect in Dialect::ALL.iter().filter(|dialect| dialect.writes_objects()) {
        let mut object = Object::new("C");
        object.properties_mut().unwrap().push("a\0b", "\u{feff}x\0y");
        let bytes = encode(&object.into(), dialect).unwrap();
        for (name, is_there) in
            [("a", true), ("a\0b", true), ("a\0c", true), ("b", false), ("\u{feff}a", false)]
        {
            assert_same_property(&bytes, dialect, name, is_there);
        }
    }
}

/// The older engines read overlong characters.
#[test]
fn a_view_and_a_value_find_long_spellings_alike() {
    for &dialect in Dialect::ALL.iter().filter(|dialect| dialect.writes_objects()) {
        let mut object = Object::new("C");
        let long = Text::from_bytes(b"\xe0\x81\xa1");
        object.properties_mut().unwrap().push(long, 1);
        let Ok(bytes) = encode(&object.into(), dialect) else {
            assert!(dialect.has_strict_text(), "{dialect:?}");
            continue;
        };
        let is_lenient = !dialect.has_strict_text();
        assert_same_property(&bytes, dialect, "a", is_lenient);
        // The look-up also agrees after a conversion.
        let read = Variant::from_document(&Document::new(&bytes, options(dialect, true))).unwrap();
        let (converted, _) = convert(&read, dialect).unwrap();
        assert_eq!(converted.get("a").is_some(), is_lenient, "{dialect:?}");
    }
    // The text form cannot express overlong characters, so the property is added to a value that was read from text.
    // The value has the key rule of the options.
    let options = ParseOptions::new().key_rule(KeyRule::of(Dialect::Godot3));
    let mut value = from_text_with("Object(C, \"b\": 1)", &options).unwrap();
    let properties = value.as_object_mut().and_then(Object::properties_mut).unwrap();
    properties.push(Text::from_bytes(b"\xe0\x81\xa1"), 1);
    assert!(value.clone().get("a").is_some());
}

/// The steps from `value` to child `slot`: by position, by index, and by key or name.
fn steps_to(value: &Variant, slot: usize) -> Vec<String> {
    let text = |key: Key<'_>| PathStep::of_key(key).map(|step| step.to_string());
    match value {
        Variant::Dictionary(all) => {
            let by_key = match &all.as_slice()[slot].0 {
                Variant::String(name) => text(Key::String(name.as_bytes())),
                Variant::StringName(name) => text(Key::StringName(name.as_bytes())),
                Variant::Int(number) => Some(format!("[{}]", number.value())),
                _ => None,
            };
            by_key.into_iter().chain([format!("{{{slot}}}")]).collect()
        }
        Variant::Object(object) => {
            let name = object.properties().unwrap().as_slice()[slot].0.as_bytes();
            let names = [Key::String(name), Key::StringName(name)].into_iter().filter_map(text);
            names.chain([format!("{{{slot}}}")]).collect()
        }
        other => {
            let len = other.as_array().unwrap().len();
            vec![format!("[{slot}]"), format!("[-{}]", len - slot), format!("{{{slot}}}")]
        }
    }
}

fn child(value: &Variant, slot: usize) -> Option<&Variant> {
    match value {
        Variant::Dictionary(all) => all.as_slice().get(slot).map(|(_, value)| value),
        Variant::Object(object) => {
            object.properties()?.as_slice().get(slot).map(|(_, value)| value)
        }
        other => other.as_array()?.get(slot),
    }
}

/// The same container without one child, by the methods of the container.
fn without(value: &Variant, slot: usize) -> Variant {
    let mut value = value.clone();
    match &mut value {
        Variant::Dictionary(all) => {
            let mut place = 0..;
            all.retain(|_, _| place.next() != Some(slot));
        }
        Variant::Object(object) => drop(object.properties_mut().unwrap().as_mut_vec().remove(slot)),
        other => drop(other.as_array_mut().unwrap().as_mut_vec().remove(slot)),
    }
    value
}

fn shown(value: &Variant) -> String {
    format!("{value:?}")
}

/// Removes and inserts by each path to each child of the value at `way`.
fn assert_changes(root: &Variant, way: &str) {
    let container = root.at(way).unwrap();
    for slot in (0..).take_while(|&slot| child(container, slot).is_some()) {
        let old = child(container, slot).unwrap();
        for step in steps_to(container, slot) {
            let path = format!("{way}{step}");
            // Only the last of properties with one name is found by it.
            if !root.at(&path).is_ok_and(|found| std::ptr::eq(found, old)) {
                continue;
            }
            let mut changed = root.clone();
            assert_eq!(shown(&changed.remove(&path).unwrap()), shown(old), "{path}");
            assert_eq!(shown(changed.at(way).unwrap()), shown(&without(container, slot)), "{path}");
            // The index of the last element counts from the end of the shorter array.
            if container.as_array().is_some() {
                changed.insert(&format!("{way}[{slot}]"), old.clone()).unwrap();
                assert_eq!(shown(&changed), shown(root), "{path}");
                continue;
            }
            let mut set = root.clone();
            assert_eq!(set.insert(&path, "new").unwrap().map(|old| shown(&old)), Some(shown(old)));
            assert_eq!(set.at(&path).unwrap().as_str(), Some("new"), "{path}");
            if !step.starts_with('{') && changed.at(&path).is_err() {
                assert!(changed.insert(&path, "new").unwrap().is_none(), "{path}");
                assert_eq!(changed.at(&path).unwrap().as_str(), Some("new"), "{path}");
                let all = changed.at(way).unwrap();
                assert!(child(all, slot).is_some(), "{path}: nothing was added");
            }
        }
    }
}

/// What is removed by a path is what the path leads to, and nothing else is removed; what is inserted is found by the
/// path.
#[test]
fn paths_remove_and_insert_one_child() {
    for &dialect in Dialect::ALL {
        let value = odd(dialect);
        assert_changes(&value, "");
        for slot in 0..4 {
            assert_changes(&value, &format!("{{{slot}}}"));
        }
        let mut object = Object::new("C");
        let properties = object.properties_mut().unwrap();
        for (at, text) in ODD_TEXTS.iter().enumerate() {
            properties.push(Text::from_bytes(text), i64::try_from(at).unwrap());
        }
        assert_changes(&array![object].into(), "[0]");
    }
}

#[test]
fn the_empty_path_is_the_whole_value() {
    let value: Variant = array![1, 2].into();
    let mut own = value.clone();
    assert_eq!(own.remove(""), Ok(value.clone()));
    assert_eq!(own, Variant::Nil);
    assert_eq!(own.insert("", value.clone()), Ok(Some(Variant::Nil)));
    assert_eq!(own, value);
}

/// A step that leads nowhere is refused with its column, and the value is unchanged.
#[test]
fn a_change_that_fails_changes_nothing() {
    let mut object = Object::new("C");
    object.properties_mut().unwrap().push("hp", 7);
    let inner = dictionary! { "list" => array![1, 2], "object" => object, 5 => true };
    let value: Variant = array![inner].into();
    for (path, column, insert, remove) in [
        ("[0]", 0, None, None),
        ("[1]", 0, None, Some("no such index")),
        ("[2]", 0, Some("no such index"), Some("no such index")),
        ("[-2]", 0, Some("no such index"), Some("no such index")),
        ("[9].list", 0, Some("no such index"), Some("no such index")),
        ("{1}", 0, None, Some("no such key")),
        ("name", 0, Some("nothing can be looked up"), Some("nothing can be looked up")),
        ("[&\"name\"]", 0, Some("nothing can be looked up"), Some("nothing can be looked up")),
        ("[0].none", 3, None, Some("no such key")),
        ("[0][&\"none\"]", 3, None, Some("no such key")),
        ("[0][6]", 3, None, Some("no such key")),
        ("[0]{3}", 3, Some("no such key"), Some("no such key")),
        ("[0]{9}", 3, Some("no such key"), Some("no such key")),
        ("[0]{0:key}", 3, Some("nothing can be looked up"), Some("nothing can be looked up")),
        ("[0].object[3]", 10, Some("nothing can be looked up"), Some("nothing can be looked up")),
        ("[0].object.mp", 10, None, Some("no such key")),
        ("[0].object{1}", 10, Some("no such key"), Some("no such key")),
        ("[0].object{7}", 10, Some("no such key"), Some("no such key")),
        ("[0].list[0][0]", 11, Some("nothing can be looked up"), Some("nothing can be looked up")),
        ("[0].list[", 8, Some("invalid path"), Some("invalid path")),
    ] {
        let (mut inserted, mut removed) = (value.clone(), value.clone());
        let outcomes = [
            (inserted.insert(path, "new").map(drop), insert, inserted),
            (removed.remove(path).map(drop), remove, removed),
        ];
        for (outcome, expected, changed) in outcomes {
            match (outcome, expected) {
                (Ok(()), None) => assert_ne!(changed, value, "{path}"),
                (Err(error), Some(expected)) => {
                    assert!(error.to_string().starts_with(expected), "{path}: {error}");
                    assert!(
                        error.to_string().contains(&format!("column {column}")),
                        "{path}: {error}"
                    );
                    assert_eq!((error.column(), &changed), (column, &value), "{path}");
                }
                (outcome, expected) => panic!("{path}: {outcome:?}, {expected:?}"),
            }
        }
    }
}
