//! Compares a tape with the walk and views of its document.

use variant_view::{
    Document, Event, Key, Options, OwnedDocument, Result, Tape, TapeValue, VariantView, Walker,
};

/// Reads the document, which may be damaged, onto a tape. Compares all results of the tape with the walk and the views.
pub fn exercise_tape(document: &Document<'_>) {
    let mut tape = Tape::new();
    let verdict = document.validate();
    let owned = OwnedDocument::new(document.bytes(), *document.options());
    assert_eq!(owned.as_ref().map(OwnedDocument::summary), verdict.as_ref().copied(), "owned");
    match (tape.read(*document), verdict) {
        (Ok(root), Ok(summary)) => {
            assert_eq!(root.summary(), summary, "summary");
            let place =
                |value: TapeValue<'_, '_>| (value.offset(), value.raw_bytes().len(), value.kind());
            let owned = owned.expect("valid");
            assert!(owned.root().values().map(place).eq(root.values().map(place)), "owned values");
            assert_values(&root).expect("what is on a tape can be read");
        }
        (Err(found), Err(wanted)) => assert_eq!(found, wanted, "error"),
        (found, verdict) => panic!("validated: {verdict:?}, read: {found:?}"),
    }
}

/// Checks that the tape and the walk find every value at the same offset.
fn assert_values(root: &TapeValue<'_, '_>) -> Result<()> {
    let source = root.document();
    let mut walk = source.walk();
    for (value, number) in root.values().zip(0..) {
        let Some(view) = next_value(&mut walk)? else { panic!("{value:?} is not in the walk") };
        assert_eq!((value.offset(), value.kind()), (view.offset(), view.kind()), "value");
        assert_eq!(value.number(), number, "number");
        assert_same(&value.view(), &view);
        assert_extent(&value, &view, *source.options())?;
        assert_items(&value, &view)?;
    }
    assert!(next_value(&mut walk)?.is_none(), "values that are not on the tape");
    Ok(())
}

fn next_value<'a>(walk: &mut Walker<'a>) -> Result<Option<VariantView<'a>>> {
    for event in walk {
        if let Event::Enter(node) | Event::Leaf(node) = event? {
            return Ok(Some(node.view));
        }
    }
    Ok(None)
}

/// The number of values in a document. The function is separate, since a walk uses much of the stack.
#[inline(never)]
fn count(document: &Document<'_>) -> Result<u32> {
    let (mut walk, mut values) = (document.walk(), 0_u32);
    while next_value(&mut walk)?.is_some() {
        values = values.saturating_add(1);
    }
    Ok(values)
}

/// If a value has more bytes than this, its view does not compute its length. If a value has more items than this, its
/// items are not compared one by one with those of its view. Both would take too long.
const LONG: usize = 256;

/// Compares the offset, the bytes of the head and the `Debug` form, which together determine a view.
fn assert_same(found: &VariantView<'_>, wanted: &VariantView<'_>) {
    assert_eq!(found.offset(), wanted.offset(), "offset of a view");
    assert_eq!(found.head_bytes(), wanted.head_bytes(), "bytes of a view");
    assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "a view");
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

/// Checks that skipping many items finds the same items as iterating.
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

/// The key for this value. `None` if keys cannot have its kind.
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
