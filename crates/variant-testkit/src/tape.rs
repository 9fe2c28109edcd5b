//! Compares a tape with the walk and views of its document.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    reason = "a test's body"
)]

use std::fmt::Debug;

use variant_view::{
    Document, Error, Event, Key, Options, Result, Tape, TapeDocument, TapeValue, VariantView,
    Walker, math_types,
};

/// Reads the document, valid or not, onto a tape, and compares everything that the tape offers with the walk and the
/// views.
///
/// # Panics
/// If they disagree.
pub fn exercise_tape(document: &Document<'_>) {
    let mut tape = Tape::new();
    let verdict = document.validate();
    match (tape.read(*document), verdict) {
        (Ok(document), Ok(summary)) => {
            assert_eq!(document.summary(), summary, "summary");
            assert_values(&document).expect("what is on a tape can be read");
        }
        (Err(found), Err(wanted)) => assert_eq!(found, wanted, "error"),
        (found, verdict) => panic!("validated: {verdict:?}, read: {found:?}"),
    }
}

/// Every value is at the place where the walk finds it.
fn assert_values(document: &TapeDocument<'_, '_>) -> Result<()> {
    let source = document.document();
    let mut walk = source.walk();
    for (value, number) in document.values().zip(0..) {
        let Some(view) = next_value(&mut walk)? else { panic!("{value:?} is not in the walk") };
        assert_eq!((value.offset(), value.kind()), (view.offset(), view.kind()), "value");
        assert_eq!(value.number(), number, "number");
        assert_same(&value.view(), &view);
        assert_accessors(&value, &view);
        assert_extent(&value, &view, *source.options())?;
        assert_items(&value, &view)?;
    }
    assert!(next_value(&mut walk)?.is_none(), "values that are not on the tape");
    Ok(())
}

/// The next value of a walk.
fn next_value<'a>(walk: &mut Walker<'a>) -> Result<Option<VariantView<'a>>> {
    for event in walk {
        if let Event::Enter(node) | Event::Leaf(node) = event? {
            return Ok(Some(node.view));
        }
    }
    Ok(None)
}

/// The number of values in a document; a separate function, since a walk takes room on the stack.
#[inline(never)]
fn count(document: &Document<'_>) -> Result<u32> {
    let (mut walk, mut values) = (document.walk(), 0_u32);
    while next_value(&mut walk)?.is_some() {
        values = values.saturating_add(1);
    }
    Ok(values)
}

/// Longer values are not measured again by the views, and values with more items are not iterated over.
const LONG: usize = 256;

/// Compares offset and head bytes, which determine a view, except for texts of packed arrays and node paths.
fn assert_same(found: &VariantView<'_>, wanted: &VariantView<'_>) {
    assert_eq!(found.offset(), wanted.offset(), "offset of a view");
    let (found, wanted) = (found.head_bytes(), wanted.head_bytes());
    assert_eq!(found, wanted, "bytes of a view");
}

fn assert_extent(
    value: &TapeValue<'_, '_>,
    view: &VariantView<'_>,
    options: Options,
) -> Result<()> {
    let bytes = value.raw_bytes();
    if bytes.len() <= LONG {
        assert_eq!(bytes, view.raw_bytes()?, "extent of the value at {}", view.offset());
        let values = count(&Document::new(bytes, options))?;
        assert_eq!(value.value_count(), values, "values in {}", view.offset());
    }
    Ok(())
}

fn assert_items(value: &TapeValue<'_, '_>, view: &VariantView<'_>) -> Result<()> {
    let items = value.items().len();
    assert_eq!(value.items().count(), items, "items");
    assert_eq!(value.is_empty(), items == 0, "empty");
    assert!(value.items().nth(items).is_none(), "past the last item");
    if items > LONG {
        assert_far(value);
        return Ok(());
    }
    match view {
        VariantView::Dictionary(dictionary) => {
            assert_eq!((value.len(), value.pairs().len() * 2), (dictionary.len(), items));
            for (pair, (own_key, own_item)) in dictionary.iter().zip(value.pairs()) {
                let (key, item) = pair?;
                let places = [key, item].map(|view| view.offset());
                assert_eq!([own_key, own_item].map(|own| own.offset()), places, "pair");
                if let Some(key) = key_of(&key) {
                    let found = dictionary.get(key)?.map(|found| found.offset());
                    assert_eq!(value.get(key)?.map(|found| found.offset()), found, "{key:?}");
                    let many = value.get_many([key, Key::Nil, Key::Int(0)])?;
                    let wanted = dictionary.get_many([key, Key::Nil, Key::Int(0)])?;
                    assert_eq!(
                        many.map(|found| found.map(|found| found.offset())),
                        wanted.map(|found| found.map(|found| found.offset())),
                        "{key:?} and others"
                    );
                }
            }
            assert!(value.index(0).is_err(), "elements of a dictionary");
        }
        VariantView::Object(object) => {
            assert_eq!((value.len(), value.properties().len()), (object.len(), items));
            for (property, (own_name, own_item)) in object.properties().zip(value.properties()) {
                let (name, item) = property?;
                assert_eq!(
                    (name.as_bytes(), name.offset()),
                    (own_name.as_bytes(), own_name.offset())
                );
                assert_eq!(item.offset(), own_item.offset(), "property");
                let found = object.get(name.engine_bytes())?.map(|found| found.offset());
                let own = value.get(name.engine_bytes())?.map(|found| found.offset());
                assert_eq!(own, found, "{name:?}");
            }
        }
        _ => {
            let elements = view.as_array().into_iter().flatten();
            assert_eq!(value.len(), view.as_array().map_or(0, |array| array.len()), "length");
            for ((element, own), index) in elements.zip(value.items()).zip(0..) {
                let offset = element?.offset();
                assert_eq!(offset, own.offset(), "element");
                let found = value.index(index)?.map(|found| found.offset());
                assert_eq!(found, Some(offset), "element {index}");
            }
            assert!(value.get("key").is_err(), "keys of {:?}", view.kind());
        }
    }
    Ok(())
}

/// With many items, skipping finds the same items as iterating.
fn assert_far(value: &TapeValue<'_, '_>) {
    let numbers: Vec<_> = value.items().map(|item| item.number()).collect();
    let mut items = value.items();
    let mut place = 0_usize;
    for step in [0, 1, 7, 8, 9, 30, 31, 100].into_iter().cycle() {
        let Some(item) = items.nth(step) else { break };
        place = place.saturating_add(step);
        assert_eq!(Some(&item.number()), numbers.get(place), "item {place}");
        place = place.saturating_add(1);
    }
}

/// Whether both give the same, or the same error. Floats are compared by their text, since a NaN equals nothing.
#[track_caller]
fn assert_alike<T: Debug>(found: Result<T>, wanted: Result<T>, name: &str) {
    match (found, wanted) {
        (Ok(found), Ok(wanted)) => {
            assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{name}");
        }
        (found, wanted) => assert_eq!(found.err(), wanted.err(), "{name}"),
    }
}

macro_rules! accessors {
    ($value:ident, $view:ident: $($name:ident)*) => {$(
        assert_alike($value.$name(), $view.$name(), stringify!($name));
    )*};
}

macro_rules! conversions {
    ($value:ident, $view:ident: $($type:ty)*) => {$(
        let found: Result<$type, Error> = (*$value).try_into();
        assert_alike(found, (*$view).try_into(), stringify!($type));
    )*};
}

macro_rules! mathematical {
    (
        reals { $($kind:ident: $narrow:ident $wide:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        fn assert_mathematical(value: &TapeValue<'_, '_>, view: &VariantView<'_>) {
            accessors!(value, view: $($narrow $wide)* $($as)*);
        }
    };
}

math_types!(mathematical);

/// Every accessor and every conversion gives the result of the view's, or its error.
fn assert_accessors(value: &TapeValue<'_, '_>, view: &VariantView<'_>) {
    accessors!(value, view:
        as_bool as_i64 as_i32 as_u64 as_f64 as_f32 as_str as_text as_array as_dictionary as_object as_node_path
        as_image as_input_event as_rid as_signal as_bytes as_int32s as_int64s as_float32s as_float64s as_strings
        as_vector2s as_vector3s as_vector4s as_vector2is as_vector3is as_vector4is as_colors);
    assert_mathematical(value, view);
    assert_eq!(value.is_nil(), view.is_nil(), "is_nil");
    conversions!(value, view: bool i8 i16 i32 i64 u8 u16 u32 u64 usize f32 f64 &str &[u8]);
    assert_eq!(*value == "a", *view == "a", "comparison with text");
    assert_eq!(*value == 1_i64, *view == 1_i64, "comparison with an integer");
    assert_eq!(*value == 1.0, *view == 1.0, "comparison with a float");
    assert_eq!(*value == true, *view == true, "comparison with a bool");
}

/// The key of this value, if its kind can be looked up.
pub(crate) fn key_of<'a>(view: &VariantView<'a>) -> Option<Key<'a>> {
    Some(match view {
        VariantView::Nil(_) => Key::Nil,
        VariantView::Bool(value) => Key::Bool(value.value()),
        VariantView::Int(value) => Key::Int(value.value()),
        VariantView::Float(value) => Key::Float(value.value()),
        VariantView::String(text) => Key::String(text.engine_bytes()),
        VariantView::StringName(text) => Key::StringName(text.engine_bytes()),
        _ => return None,
    })
}
