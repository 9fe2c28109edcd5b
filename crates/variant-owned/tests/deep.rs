//! Values of 100,000 levels need no more than a stack of 128 KiB, even in a debug build. Miri tests 500 levels.

use std::thread;

use variant_owned::{
    Array, Dictionary, EncodeErrorKind, EncodeOptions, Object, ParseOptions, TextOptions,
    TextStyle, Variant, convert, encode, from_text_with, to_text,
};
use variant_view::{Dialect, Document, Limits, Options};

// Miri takes a thousand times as long per level.
const LEVELS: u32 = if cfg!(miri) { 500 } else { 100_000 };

/// `value` in a container: as an element, a value of a dictionary, a key, or a property.
fn wrapped(value: Variant, form: u32) -> Variant {
    match form {
        0 => Array::from_iter([value]).into(),
        1 => Dictionary::from_iter([(Variant::from("k"), value)]).into(),
        2 => Dictionary::from_iter([(value, Variant::Nil)]).into(),
        _ => {
            let mut object = Object::new("C");
            object.properties_mut().unwrap().push("p", value);
            object.into()
        }
    }
}

/// Nil in `LEVELS` nested containers: in turn an element, a value of a dictionary, a key, and a property.
fn nested() -> Variant {
    (0..LEVELS).fold(Variant::Nil, |value, level| wrapped(value, level % 4))
}

pub(crate) fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn everything_there_is_to_do_with_a_value() {
    on_a_small_stack(|| {
        let value = nested();
        let copy = value.clone();
        assert!(copy == value);
        let Ok(fed) = Variant::from_producer(&value);
        assert!(fed == value);
        assert!(format!("{value:?}").len() > usize::try_from(LEVELS).unwrap());
        let options = EncodeOptions::new(Dialect::Godot4);
        let error = encode(&value, options).unwrap_err();
        assert_eq!(error.kind(), &EncodeErrorKind::TooDeep);
        let bytes = encode(&value, options.depth(LEVELS)).unwrap();
        let limits = Limits::FILE.depth(LEVELS);
        let document = Document::new(&bytes, Options::engine(Dialect::Godot4).limits(limits));
        let read = Variant::from_document(&document).unwrap();
        assert!(read == value);
        let view = Variant::from_view(&document.root().unwrap()).unwrap();
        assert!(view == value);
        // The values are dropped one by one: whole values, and parts of values that are still in use.
        drop(copy);
        drop(value.as_object().unwrap().properties().unwrap().as_slice().to_vec());
        drop((value, read, view));
    });
}

/// Each kind of container is dropped by separate code, which the other kinds would hide in a mixed value.
#[test]
fn containers_of_one_kind_are_dropped() {
    on_a_small_stack(|| {
        for form in [0, 1, 3] {
            let value = (0..LEVELS).fold(Variant::Nil, |value, _| wrapped(value, form));
            assert!(value.head().is_some_and(|head| head.len() == Some(1)));
            drop(value);
        }
    });
}

#[test]
fn every_other_form_of_a_value() {
    on_a_small_stack(|| {
        let value = nested();
        let (converted, _) = convert(&value, Dialect::Godot3).unwrap();
        let text = to_text(&converted, &TextOptions::new(TextStyle::Godot3).sorted_keys(true));
        let parsing = ParseOptions::new().depth(usize::try_from(LEVELS).unwrap());
        assert!(from_text_with(&text, &parsing).is_ok());
    });
}

#[cfg(feature = "json")]
#[test]
fn json() {
    use variant_owned::json::{self, Form};

    on_a_small_stack(|| {
        let options = EncodeOptions::new(Dialect::Godot4).depth(LEVELS);
        let bytes = encode(&nested(), options).unwrap();
        let limits = Limits::FILE.depth(LEVELS);
        let document = Document::new(&bytes, Options::engine(Dialect::Godot4).limits(limits));
        for form in [Form::Exact, Form::Native, Form::Plain] {
            let mut text = Vec::new();
            json::write(&document, form, &mut text, true).unwrap();
            let text = String::from_utf8(text).unwrap();
            let read = json::read(&text, form, options.depth(4 * LEVELS));
            assert!(form != Form::Exact || read.unwrap() == bytes, "{form:?}");
        }
    });
}

/// Damage at the innermost level: the values built so far are dropped.
#[test]
fn damage_at_the_bottom() {
    on_a_small_stack(|| {
        let options = EncodeOptions::new(Dialect::Godot4).depth(LEVELS);
        let mut bytes = encode(&nested(), options).unwrap();
        bytes.truncate(bytes.len() / 2);
        let limits = Limits::FILE.depth(LEVELS);
        let document = Document::new(&bytes, Options::engine(Dialect::Godot4).limits(limits));
        assert!(Variant::from_document(&document).is_err());
    });
}
