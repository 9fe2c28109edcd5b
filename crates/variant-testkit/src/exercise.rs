//! Calls every function on a document, valid or not.

use std::fmt::Write as _;

use variant_view::{
    Document, ErrorClass, ErrorKind, Event, Kind, Options, PackedReals, PackedSlice, Real, Role,
    StrView, VariantView, Wire, detect,
};

/// Calls every entry point on `bytes` and on all its results. Returns the number of values that the walk found.
///
/// # Panics
/// If the decoder panics or contradicts itself.
#[expect(clippy::panic, reason = "a test's body")]
pub fn exercise(bytes: &[u8], options: Options) -> usize {
    let document = Document::new(bytes, options);
    let verdict = document.validate();
    let walked = walk(&document);
    if let (Ok(summary), Err(error)) = (verdict, &walked) {
        panic!("validated ({summary:?}), but the walk fails: {error}");
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
    if bytes.len() <= AGREEMENT {
        agree(&document);
        #[cfg(feature = "alloc")]
        crate::tape::exercise_tape(&document);
    }
    walked.unwrap_or_else(|error| {
        assert!(error.offset() <= bytes.len(), "{error} of {} bytes", bytes.len());
        sink(&error.to_string());
        0
    })
}

/// Longer documents are not compared value by value.
const AGREEMENT: usize = 4_096;

/// Checks that lazy views, the walk and validation agree on a document, and that each value is found by its path.
fn agree(document: &Document<'_>) {
    let mut walked = Vec::new();
    let mut error = None;
    let mut depth = 0;
    for event in document.walk() {
        match event {
            Ok(Event::Enter(node) | Event::Leaf(node)) => {
                walked.push((node.view.offset(), node.view.kind()));
                depth = depth.max(node.depth);
            }
            Ok(Event::Exit { .. }) => {}
            Err(found) => error = Some(found),
        }
    }
    // This function recurses into lazy views, and the stack may be small.
    if depth > 16 {
        return;
    }
    let is_bounded = error.is_some_and(|e| matches!(e.kind(), ErrorKind::LimitExceeded { .. }));
    let mut lazy = Vec::new();
    let lazy_error = document.root().and_then(|root| collect(&root, &mut lazy)).err();
    if !is_bounded {
        assert_eq!(lazy_error, error, "lazy iteration and walk");
    }
    match document.validate() {
        Ok(summary) => {
            assert_eq!(error, None, "validated");
            assert_eq!(lazy, walked, "lazy iteration and walk");
            assert_eq!(u64::try_from(walked.len()), Ok(summary.values), "values");
        }
        Err(found) if found.class() == ErrorClass::Malformed => {}
        Err(found) => assert_eq!(Some(found), error, "walk and validation"),
    }
    if error.is_none() {
        for (offset, kind) in walked.into_iter().take(200) {
            let path = document.path_to(offset).map(|path| path.to_string()).unwrap_or_default();
            let found = document.at(&path).map(|view| (view.offset(), view.kind()));
            assert_eq!(found, Ok((offset, kind)), "{path}");
        }
    } else if let Some(error) = error {
        assert!(document.path_to(error.offset()).is_ok(), "no path to {error}");
    }
}

fn collect(view: &VariantView<'_>, all: &mut Vec<(usize, Kind)>) -> variant_view::Result<()> {
    all.push((view.offset(), view.kind()));
    if let Ok(array) = view.as_array() {
        for element in array {
            collect(&element?, all)?;
        }
    } else if let Ok(dictionary) = view.as_dictionary() {
        for pair in dictionary {
            let (key, value) = pair?;
            collect(&key, all)?;
            collect(&value, all)?;
        }
    } else if let Ok(object) = view.as_object() {
        for property in object.properties() {
            collect(&property?.1, all)?;
        }
    }
    Ok(())
}

/// Calls the guesser, which reads the bytes in every dialect.
pub fn exercise_detect(bytes: &[u8]) {
    let candidates = detect(bytes);
    for candidate in candidates.iter() {
        for reason in candidate.reasons() {
            sink(&reason.to_string());
        }
    }
    used(candidates.clear_winner().copied());
}

fn walk(document: &Document<'_>) -> variant_view::Result<usize> {
    let mut values = 0_usize;
    let mut open = 0_u32;
    let mut last = 0;
    // Every leaf takes at least a word, and every container takes at least two for its two events.
    for (steps, event) in document.walk().enumerate() {
        assert!(steps <= document.bytes().len() / 4, "as many steps as bytes can pay for");
        match event? {
            Event::Enter(node) | Event::Leaf(node) if node.view.offset() < last => {
                unreachable_order(node.view.offset(), last);
            }
            Event::Enter(node) => {
                assert_eq!(node.depth, open, "depth of a container");
                open = open.saturating_add(1);
                last = node.view.offset();
                values = values.saturating_add(1);
                touch(&node.view);
            }
            Event::Leaf(node) => {
                assert_eq!(node.depth, open, "depth of a leaf");
                last = node.view.offset();
                values = values.saturating_add(1);
                touch(&node.view);
                if let Role::Property(_, name) = node.role() {
                    text(name);
                }
            }
            Event::Exit { end, depth } => {
                open = open.saturating_sub(1);
                assert_eq!(depth, open, "depth of an end");
                assert!(end >= last, "a container ends behind its last value");
            }
        }
    }
    assert_eq!(open, 0, "everything entered was left");
    Ok(values)
}

#[expect(clippy::panic, reason = "a test's body")]
fn unreachable_order(offset: usize, last: usize) -> ! {
    panic!("value at {offset} comes after the one at {last}")
}

/// Goes a few levels down by the lazy iterators, which must end with the bytes of the document.
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

/// `items`, limited to what `len` bytes can hold and an error: each item takes at least a word.
fn bounded<I: Iterator>(items: I, len: usize) -> impl Iterator<Item = I::Item> {
    let most = (len / 4).saturating_add(1);
    items.enumerate().map(move |(number, item)| {
        assert!(number < most, "item {number} of {len} bytes");
        item
    })
}

/// Calls every accessor of one value, except those that go down into it.
///
/// # Panics
/// If accessors contradict each other.
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

fn packed_reals<T: Real>(view: PackedReals<'_, T>) {
    assert_eq!(view.iter().count(), view.len(), "elements of a packed array");
    assert_eq!(view.iter_f64().count(), view.len(), "elements in f64");
    match (view.as_f32(), view.as_f64()) {
        (Some(narrow), None) => packed(narrow),
        (None, Some(wide)) => packed(wide),
        _ => unreachable_width(),
    }
}

#[expect(clippy::panic, reason = "a test's body")]
fn unreachable_width() -> ! {
    panic!("elements have one width")
}

/// Makes sure that a text is formatted.
fn sink(text: &str) {
    let mut out = String::new();
    used(write!(out, "{text}"));
    used(out);
}

/// Makes sure that a value is computed.
fn used<T>(value: T) {
    std::hint::black_box(value);
}
