//! Fuzz target `validated_access`.

use variant_view::{
    Dialect, Document, Error, Event, Key, KeyRule, Kind, Lookup, Result, StrView, VariantView,
};

use super::choice::choose;
use crate::exercise::{check_paths, touch};
use crate::tape::key_of;

/// Checks that in a validated document every accessor of every value succeeds.
pub fn check_validated_access(data: &[u8]) {
    let Some((options, bytes)) = choose(data) else { return };
    let document = Document::new(bytes, options);
    let verdict = document.validate();
    check_look_ups(&document, verdict.err());
    check_lookup(&document);
    let Ok(summary) = verdict else { return };
    let taken = document.root().and_then(|root| root.raw_bytes()).expect("the root");
    assert_eq!(taken.len(), summary.consumed, "bytes of the root");
    assert_eq!(Document::new(taken, options).validate(), Ok(summary), "of these bytes alone");

    let mut values = 0_u64;
    for event in document.walk() {
        let (Event::Enter(node) | Event::Leaf(node)) = event.expect("a walk") else { continue };
        values += 1;
        touch(&node.view);
        check_view(&node.view, options.dialect).expect("a value");
    }
    assert_eq!(values, summary.values, "values");
    check_paths(&document, 50);
}

/// Checks that validation and look-up in one call give the same result as in two calls.
fn check_look_ups(document: &Document<'_>, wrong: Option<Error>) {
    let mut keys = [Key::from("hp"), Key::Nil, Key::Int(1), Key::from("a key of some length")];
    if let Ok(VariantView::Dictionary(dictionary)) = document.root() {
        let found = dictionary.iter().flatten().filter_map(|(key, _)| key_of(&key));
        keys.iter_mut().zip(found).for_each(|(place, key)| *place = key);
    }
    let offsets = |values: [Option<VariantView<'_>>; 4]| values.map(|v| v.map(|v| v.offset()));
    let together = document.validated_get_many(keys).map(offsets);
    let apart = wrong.map_or_else(|| document.get_many(keys).map(offsets), Err);
    assert_eq!(together, apart, "{keys:?}");
    if let (Ok(found), Ok(root)) = (together, document.root()) {
        for (key, found) in keys.into_iter().zip(found) {
            assert_eq!(found, last_of(&root, key), "{key:?}");
        }
    }
}

/// Checks a lookup that has learnt the layout of the document. For changed copies of the document, it must give the
/// results of `validated_get_many`.
fn check_lookup(document: &Document<'_>) {
    const KEYS: [&str; 2] = ["hp", "id"];
    let offsets = |values: [Option<VariantView<'_>>; 2]| values.map(|v| v.map(|v| v.offset()));
    let (options, bytes) = (*document.options(), document.bytes());
    let mut lookup = Lookup::new(KEYS, options);
    let mut copy = bytes.to_vec();
    // The changed positions depend on the bytes, so that a fuzzer chooses them.
    for position in bytes.iter().take(16).map(|&byte| usize::from(byte)) {
        for bytes in [bytes, &copy] {
            let expected = Document::new(bytes, options).validated_get_many(KEYS).map(offsets);
            assert_eq!(lookup.validated(bytes).map(offsets), expected, "by a lookup");
        }
        if let Some(byte) = copy.get_mut(position) {
            *byte = byte.wrapping_add(1);
        }
    }
}

/// The offset of the last value with this key. For a text key, compares the keys pair by pair. For other keys, uses
/// `get` of the view.
fn last_of(root: &VariantView<'_>, key: Key<'_>) -> Option<usize> {
    let (VariantView::Dictionary(dictionary), Key::String(wanted) | Key::StringName(wanted)) =
        (root, key)
    else {
        return root.get(key).ok()?.map(|value| value.offset());
    };
    let rule = KeyRule::of(dictionary.dialect());
    let wanted = wanted.split(|&byte| byte == 0).next().unwrap_or_default();
    let pairs = dictionary.iter().flatten().filter(|(own, _)| match own {
        VariantView::String(text) | VariantView::StringName(text) => {
            let is_alike = matches!(key, Key::String(_)) == (own.kind() == Kind::String);
            (is_alike || rule.has_one_text_key()) && rule.is_text(text.as_bytes(), wanted)
        }
        _ => false,
    });
    pairs.last().map(|(_, value)| value.offset())
}

/// The maximum number of pairs of a dictionary whose keys are looked up.
const LOOKED_UP: usize = 16;

fn check_view(view: &VariantView<'_>, dialect: Dialect) -> Result<()> {
    assert!(!view.raw_bytes()?.is_empty(), "no value is without bytes");
    match view {
        VariantView::Array(array)
        | VariantView::TypedArray(array)
        | VariantView::PackedTypedArray(array) => {
            let elements = array.iter().collect::<Result<Vec<_>>>()?;
            assert_eq!(elements.len(), array.len(), "elements");
            let last = array.len().saturating_sub(1);
            let found = array.get(last)?.map(|view| view.offset());
            assert_eq!(found, elements.last().map(VariantView::offset), "the last element");
            assert!(array.get(array.len())?.is_none(), "nothing is after the last");
        }
        VariantView::Dictionary(dictionary) => {
            let pairs = dictionary.iter().collect::<Result<Vec<_>>>()?;
            assert_eq!(pairs.len(), dictionary.len(), "pairs");
            for (key, _) in pairs.iter().take(LOOKED_UP) {
                if let Some(key) = key_of(key) {
                    assert!(dictionary.get(key)?.is_some(), "{key:?} is there");
                }
            }
            let [first, again] = dictionary.get_many([Key::Nil, Key::Nil])?;
            assert_eq!(first.map(|v| v.offset()), again.map(|v| v.offset()), "asked for twice");
        }
        VariantView::Object(object) => {
            object.class().into_iter().for_each(|class| check_text(class, dialect));
            for property in object.properties() {
                let (name, _) = property?;
                check_text(name, dialect);
                assert!(object.get(name.engine_bytes())?.is_some(), "{name:?} is there");
            }
        }
        VariantView::String(text) | VariantView::StringName(text) => check_text(*text, dialect),
        VariantView::NodePath(path) => {
            path.names().chain(path.subnames()).for_each(|name| check_text(name, dialect));
        }
        VariantView::Signal(signal) => check_text(signal.name(), dialect),
        VariantView::PackedStringArray(strings) => {
            strings.iter().for_each(|text| check_text(text, dialect));
        }
        _ => {}
    }
    Ok(())
}

/// Checks that the text as the engine reads it is UTF-8, if the dialect's rule is as strict as Rust's.
fn check_text(text: StrView<'_>, dialect: Dialect) {
    if dialect.has_strict_text() {
        assert!(text.engine_text().is_ok(), "{text:?}");
    }
}
