//! An index says of a document what the views say that have none.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    reason = "a test's body"
)]

use variant_view::{
    Document, Event, Index, IndexedDocument, IndexedValue, Key, Options, Result, VariantView,
    Walker,
};

/// Indexes the document, valid or not, and holds everything that the index offers against the walk and the views.
///
/// # Panics
/// Where they disagree.
pub fn exercise_index(document: &Document<'_>) {
    let mut index = Index::new();
    let verdict = document.validate();
    match (index.build_into(*document), verdict) {
        (Ok(indexed), Ok(summary)) => {
            assert_eq!(indexed.summary(), summary, "summary");
            assert_values(&indexed).expect("what was indexed can be read");
        }
        (Err(found), Err(wanted)) => assert_eq!(found, wanted, "error"),
        (indexed, verdict) => panic!("validated: {verdict:?}, indexed: {indexed:?}"),
    }
}

/// Every value is where the walk comes upon it.
fn assert_values(indexed: &IndexedDocument<'_, '_>) -> Result<()> {
    let mut walk = indexed.document().walk();
    for value in indexed.values() {
        let value = value?;
        let Some(view) = next_value(&mut walk)? else { panic!("{value:?} is not in the walk") };
        assert_eq!((value.offset(), value.kind()), (view.offset(), view.kind()), "value");
        assert_extent(&value, &view, *indexed.document().options())?;
        assert_items(&value, &view)?;
    }
    assert!(next_value(&mut walk)?.is_none(), "values that are not in the index");
    Ok(())
}

/// The next value that a walk comes upon.
fn next_value<'a>(walk: &mut Walker<'a>) -> Result<Option<VariantView<'a>>> {
    for event in walk {
        if let Event::Enter(node) | Event::Leaf(node) = event? {
            return Ok(Some(node.view));
        }
    }
    Ok(None)
}

/// How many values there are in a document; apart, since a walk takes room on the stack.
#[inline(never)]
fn count(document: &Document<'_>) -> Result<u32> {
    let (mut walk, mut values) = (document.walk(), 0_u32);
    while next_value(&mut walk)?.is_some() {
        values = values.saturating_add(1);
    }
    Ok(values)
}

/// Values longer than this are not measured again by the views, nor are those with more items gone through.
const LONG: usize = 256;

fn assert_extent(
    value: &IndexedValue<'_, '_>,
    view: &VariantView<'_>,
    options: Options,
) -> Result<()> {
    let bytes = value.raw_bytes()?;
    if bytes.len() <= LONG {
        assert_eq!(bytes, view.raw_bytes()?, "extent of the value at {}", view.offset());
        let values = count(&Document::new(bytes, options))?;
        assert_eq!(value.values(), values, "values in {}", view.offset());
    }
    Ok(())
}

fn assert_items(value: &IndexedValue<'_, '_>, view: &VariantView<'_>) -> Result<()> {
    if value.items().len() > LONG {
        return Ok(());
    }
    match view {
        VariantView::Dictionary(dictionary) => {
            assert_eq!(value.pairs().len() * 2, value.items().len());
            for (pair, own) in dictionary.iter().zip(value.pairs()) {
                let ((key, item), (own_key, own_item)) = (pair?, own?);
                assert_eq!(
                    (key.offset(), item.offset()),
                    (own_key.offset(), own_item.offset()),
                    "pair"
                );
                if let Some(key) = key_of(&key) {
                    let found = dictionary.get(key)?.map(|found| found.offset());
                    assert_eq!(value.get(key)?.map(|found| found.offset()), found, "{key:?}");
                }
            }
            assert!(value.index(0).is_err(), "elements of a dictionary");
        }
        VariantView::Object(object) => {
            for (property, own) in object.properties().zip(value.properties()) {
                let ((name, item), (own_name, own_item)) = (property?, own?);
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
            for ((element, own), index) in elements.zip(value.items()).zip(0..) {
                let offset = element?.offset();
                assert_eq!(offset, own?.offset(), "element");
                let found = value.index(index)?.map(|found| found.offset());
                assert_eq!(found, Some(offset), "element {index}");
            }
            assert!(value.get("key").is_err(), "keys of {:?}", view.kind());
        }
    }
    let len = u32::try_from(value.items().len()).unwrap_or(u32::MAX);
    assert!(value.items().nth(usize::try_from(len).unwrap_or(usize::MAX)).is_none());
    Ok(())
}

/// The key that this value is, where one can look for such.
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
