//! Calls every function on a document, valid or not.

use std::fmt::Write as _;

use variant_view::{
    Document, Event, Kind, Options, PackedReals, PackedSlice, Role, StrView, VariantView, Wire,
};

/// Calls every entry point on `bytes`, and on all results.
pub fn exercise(bytes: &[u8], options: Options) {
    let document = Document::new(bytes, options);
    let verdict = document.validate();
    let walked = walk(&document);
    if let Ok(summary) = verdict {
        let values = walked.map(u64::try_from);
        assert_eq!(values, Ok(Ok(summary.values)), "validation and walk");
    }
    if let Ok(root) = document.root() {
        touch(&root);
        lazily(&root, 3, bytes.len());
    }
    for offset in [0, bytes.len() / 2, bytes.len()] {
        if let Ok(path) = document.path_to(offset) {
            used(document.at(&path.to_string()));
        }
    }
    for path in ["", "a", "[0]", "{0:key}", "a.b[3].c", "["] {
        used(document.at(path));
    }
    if bytes.len() <= SHORT {
        check_paths(&document, 200);
        #[cfg(feature = "alloc")]
        crate::tape::exercise_tape(&document);
    }
    if let Err(error) = walked {
        assert!(error.offset() <= bytes.len(), "{error} of {} bytes", bytes.len());
        sink(&error.to_string());
    }
}

/// The maximum size of a document whose values are examined one by one.
const SHORT: usize = 4_096;

/// Checks that the first values are found by their paths. In a damaged document, the error must also have a path.
pub(crate) fn check_paths(document: &Document<'_>, most: usize) {
    let places = places(document);
    if let Err(error) = &places {
        assert!(document.path_to(error.offset()).is_ok(), "no path to {error}");
    }
    for place in places.into_iter().flatten().take(most) {
        let path = document.path_to(place.0).expect("a path").to_string();
        let found = document.at(&path).map(|found| (found.offset(), found.kind()));
        assert_eq!(found, Ok(place), "{path}");
    }
}

/// The offsets and kinds of all values. The function is separate, since a walk uses much of the stack.
#[inline(never)]
fn places(document: &Document<'_>) -> variant_view::Result<Vec<(usize, Kind)>> {
    let mut places = Vec::new();
    for event in document.walk() {
        if let Event::Enter(node) | Event::Leaf(node) = event? {
            places.push((node.view.offset(), node.view.kind()));
        }
    }
    Ok(places)
}

fn walk(document: &Document<'_>) -> variant_view::Result<usize> {
    let mut values = 0_usize;
    let mut open = 0_u32;
    let mut last = 0;
    // A document has at most as many events as words of 4 bytes. A leaf takes at least one word. A container takes at
    // least two words for its two events.
    for (steps, event) in document.walk().enumerate() {
        assert!(steps <= document.bytes().len() / 4, "as many steps as bytes can pay for");
        let event = event?;
        match event {
            Event::Enter(node) | Event::Leaf(node) => {
                assert_eq!(node.depth, open, "depth of a value");
                open += u32::from(matches!(event, Event::Enter(_)));
                assert!(node.view.offset() >= last, "a value comes after the one before");
                last = node.view.offset();
                values += 1;
                touch(&node.view);
                if let Role::Property(_, name) = node.role() {
                    text(name);
                }
            }
            Event::Exit { end, depth } => {
                open -= 1;
                assert_eq!(depth, open, "depth of an end");
                assert!(end >= last, "a container ends after its last value");
            }
        }
    }
    assert_eq!(open, 0, "everything entered was left");
    Ok(values)
}

/// Reads a few levels with the lazy iterators. They must not return more items than fit into `len` bytes.
fn lazily(view: &VariantView<'_>, levels: u32, len: usize) {
    let Some(levels) = levels.checked_sub(1) else { return };
    used(view.raw_bytes());
    used(view.get("a"));
    used(view.get(1));
    used(view.get(0.5));
    used(view.get(true));
    used(view.index(1));
    match view {
        VariantView::Array(array)
        | VariantView::TypedArray(array)
        | VariantView::PackedTypedArray(array) => {
            for element in bounded(array.iter(), len).flatten() {
                lazily(&element, levels, len);
            }
        }
        VariantView::Dictionary(dictionary) => {
            for (key, value) in bounded(dictionary.iter(), len).flatten() {
                lazily(&key, levels, len);
                lazily(&value, levels, len);
            }
        }
        VariantView::Object(object) => {
            for (name, value) in bounded(object.properties(), len).flatten() {
                text(name);
                used(object.get(name.as_bytes()));
                lazily(&value, levels, len);
            }
        }
        _ => {}
    }
}

/// Checks that the number of `items` is at most the number of 4-byte words in `len` bytes, plus one error. Each item
/// takes at least a word.
fn bounded<I: Iterator>(items: I, len: usize) -> impl Iterator<Item = I::Item> {
    let most = (len / 4).saturating_add(1);
    items.enumerate().map(move |(number, item)| {
        assert!(number < most, "item {number} of {len} bytes");
        item
    })
}

/// Calls every accessor of one value, except accessors of the values inside it.
pub fn touch(view: &VariantView<'_>) {
    sink(&format!("{:?} {} {}", view.kind(), view.offset(), view.is_nil()));
    used((view.as_str(), view.as_f64(), view.as_i64(), view.as_bool(), view.as_bytes()));
    match view {
        VariantView::String(v) | VariantView::StringName(v) => text(*v),
        VariantView::NodePath(v) => {
            bounded(v.names().chain(v.subnames()), v.raw_bytes().len()).for_each(text);
            sink(&format!("{v} {}", v.is_absolute()));
        }
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            sink(&format!("{v:?} {}", v.is_empty()));
        }
        VariantView::Dictionary(v) => sink(&format!("{v:?} {}", v.is_empty())),
        VariantView::Object(v) => sink(&format!("{v:?} {:?} {:?}", v.class(), v.id())),
        VariantView::PackedByteArray(v) => packed(*v),
        VariantView::PackedInt32Array(v) => packed(*v),
        VariantView::PackedInt64Array(v) => packed(*v),
        VariantView::PackedFloat32Array(v) => packed(*v),
        VariantView::PackedFloat64Array(v) => packed(*v),
        VariantView::PackedVector2iArray(v) => packed(*v),
        VariantView::PackedVector3iArray(v) => packed(*v),
        VariantView::PackedVector4iArray(v) => packed(*v),
        VariantView::PackedColorArray(v) => packed(*v),
        VariantView::PackedVector2Array(v) => packed_reals(*v),
        VariantView::PackedVector3Array(v) => packed_reals(*v),
        VariantView::PackedVector4Array(v) => packed_reals(*v),
        VariantView::PackedStringArray(v) => {
            assert_eq!(v.iter().count(), v.len(), "strings of a packed array");
            bounded(v.iter(), v.raw_bytes().len()).for_each(text);
            used(v.get(1));
        }
        leaf => sink(&format!("{leaf:?}")),
    }
}

fn text(view: StrView<'_>) {
    used((view.to_str(), view.engine_text()));
    #[cfg(feature = "alloc")]
    used(view.to_str_lossy());
    assert!(view.engine_bytes().len() <= view.as_bytes().len(), "the engine sees no more");
    sink(&format!("{view} {view:?} {}", view.code_points().count()));
}

fn packed<T: Wire>(view: PackedSlice<'_, T>) {
    assert_eq!(view.iter().count(), view.len(), "elements of a packed array");
    assert_eq!(view.as_wire().len(), view.len(), "elements on the wire");
    if let Some(native) = view.as_native() {
        assert_eq!(native.len(), view.len(), "borrowed elements");
    }
    used((view.get(0), view.get(view.len())));
    #[cfg(feature = "alloc")]
    assert_eq!(view.to_cow().len(), view.len(), "elements, borrowed or copied");
}

fn packed_reals<T: Wire>(view: PackedReals<'_, T>) {
    assert_eq!(view.iter().count(), view.len(), "elements of a packed array");
    assert_eq!(view.iter_f64().count(), view.len(), "elements in f64");
    match (view.as_f32(), view.as_f64()) {
        (Some(narrow), None) => packed(narrow),
        (None, Some(wide)) => packed(wide),
        _ => panic!("elements have one width"),
    }
}

/// Formats a text, in such a way that the optimiser cannot remove the formatting.
fn sink(text: &str) {
    let mut out = String::new();
    used(write!(out, "{text}"));
    used(out);
}

/// Prevents the optimiser from removing a value.
fn used<T>(value: T) {
    std::hint::black_box(value);
}
