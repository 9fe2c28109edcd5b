//! Borrowed and owned values have the same accessors, names and results.

mod listing;
mod values;

use std::collections::BTreeSet;

use listing::Listing;
use values::assert_same;
use variant_owned::Variant;
use variant_testkit::corpus;
use variant_view::{Dialect, Document};

/// A view and the owned types with the same content.
const PAIRS: &[(&str, &[&str])] = &[
    ("VariantView", &["Variant"]),
    ("ArrayView", &["Array"]),
    ("DictionaryView", &["Dictionary"]),
    ("ObjectView", &["Object"]),
    ("StrView", &["Text"]),
    ("NodePathView", &["NodePath"]),
    ("SignalView", &["Signal"]),
    ("ImageView", &["Image"]),
    ("InputEventView", &["InputEvent"]),
    ("ScalarView", &["Int", "Float"]),
    ("MathView", &["MathValue"]),
    ("PackedReals", &["RealVec"]),
];

/// The functions that only views have, and the reason. A row without the name of a view is for every view.
const VIEWS_ALONE: &[(&str, &[&str], &str)] = &[
    ("", &["offset", "raw_bytes", "head_bytes", "dialect"], "the place of the view in a document"),
    ("", &["reader", "walk"], "a pass over the bytes; an owned value is a tree"),
    ("VariantView", &["numbers"], "borrowed from the bytes; an owned value has `with_numbers`"),
    (
        "VariantView",
        &["elements"],
        "values of the bytes; an owned array is a `Vec` of numbers or texts",
    ),
    (
        "DictionaryView",
        &["get_many"],
        "a pass over the bytes for all keys; an owned value finds each key in O(1)",
    ),
    ("ObjectView", &["form"], "an `Object` is an enum of the forms"),
    ("StrView", &["code_points"], "depends on the dialect, which owned text lacks"),
    ("MathView", &["value"], "of types of one width, which owned values hold as they are"),
    ("InputEventView", &["takes_payload"], "about the layout, not about a value"),
    (
        "PackedReals",
        &["as_native", "cast", "copy_to"],
        "the byte order of the host may differ; owned elements have it",
    ),
];

/// The functions that only owned types have, and the reason. Constructors and setters come first.
const OWNED_ALONE: &[(&str, &[&str], &str)] = &[
    (
        "Variant",
        &["from_bits", "from_document", "from_view", "from_producer", "from_leaf", "from_numbers"],
        "makes one",
    ),
    (
        "Variant",
        &[
            "at_mut",
            "get_mut",
            "insert",
            "remove",
            "as_array_mut",
            "as_dictionary_mut",
            "as_object_mut",
        ],
        "changes it",
    ),
    ("Variant", &["with_leaf", "with_numbers"], "events; a view has `numbers`"),
    ("Array", &["new", "with_type"], "makes one"),
    (
        "Array",
        &["as_mut_vec", "get_mut", "iter_mut", "push", "set_element_type", "set_shared"],
        "changes it",
    ),
    ("Array", &["as_slice"], "the elements are consecutive"),
    ("Dictionary", &["new", "with_rule"], "makes one"),
    (
        "Dictionary",
        &[
            "get_mut",
            "insert",
            "entry",
            "remove",
            "retain",
            "set_types",
            "set_shared",
            "iter_mut",
            "values_mut",
        ],
        "changes it",
    ),
    ("Dictionary", &["as_slice"], "the pairs are consecutive"),
    ("Dictionary", &["rule"], "stored here; a view uses the rule of the dialect"),
    ("Dictionary", &["get_variant", "contains_key", "keys", "values"], "costs O(1) here"),
    ("Object", &["new", "with_rule", "properties_mut", "get_mut"], "makes and changes one"),
    ("Text", &["new", "from_bytes"], "makes one"),
    ("NodePath", &["parse"], "makes one"),
    ("Int", &["new", "with_width"], "makes one"),
    ("Float", &["new", "wide"], "makes one"),
    ("MathValue", &["double"], "makes one"),
    ("RealVec", &["into_f32"], "takes it apart"),
];

/// The reasons for functions that only one side has. Each reason must be needed.
#[derive(Default)]
struct Excused(BTreeSet<(String, String)>);

impl Excused {
    fn take(&mut self, table: &[(&str, &[&str], &str)], of: &str, name: &str) -> bool {
        let is_in = |row: &&(&str, &[&str], &str)| {
            (row.0 == of || row.0.is_empty()) && row.1.contains(&name)
        };
        let Some(row) = table.iter().find(is_in) else { return false };
        assert!(!row.2.is_empty(), "a reason for {of}::{name}");
        self.0.insert((row.0.to_owned(), name.to_owned()))
            || row.0.is_empty()
            || self.0.contains(&(row.0.to_owned(), name.to_owned()))
    }

    fn assert_needed(&self, table: &[(&str, &[&str], &str)]) {
        for (of, names, _) in table {
            for name in *names {
                let row = ((*of).to_owned(), (*name).to_owned());
                assert!(self.0.contains(&row), "no need to excuse {of}::{name}");
            }
        }
    }
}

#[test]
fn both_sides_have_the_same_accessors() {
    let views = Listing::of_crate("variant-view");
    let owned = Listing::of_crate("variant-owned");
    let (mut of_views, mut of_owned) = (Excused::default(), Excused::default());
    let mut lacking = Vec::new();
    let mut count = 0;
    for (view, others) in PAIRS {
        let all_of_view = views.of(view);
        for other in *others {
            let all_of_other = owned.of(other);
            for name in all_of_other.difference(&all_of_view) {
                if !of_owned.take(OWNED_ALONE, other, name) {
                    lacking.push(format!("{view} lacks {name}, which {other} has"));
                }
            }
        }
        let all: BTreeSet<String> = others.iter().flat_map(|other| owned.of(other)).collect();
        for name in all_of_view.difference(&all) {
            if !of_views.take(VIEWS_ALONE, view, name) {
                lacking.push(format!("{others:?} lacks {name}, which {view} has"));
            }
        }
        count += all_of_view.intersection(&all).count();
    }
    assert!(lacking.is_empty(), "{lacking:#?}");
    assert!(count > 100, "only {count} accessors in common");
    of_views.assert_needed(VIEWS_ALONE);
    of_owned.assert_needed(OWNED_ALONE);
}

#[test]
fn lengths_are_sizes() {
    for package in ["variant-view", "variant-owned"] {
        let listing = Listing::of_crate(package);
        for (of, result) in listing.lengths() {
            // `Head`, the start of a container in events, has an optional length: `None` means an unknown length.
            let is_event = of == "Head";
            assert!(result == "usize" || is_event, "{package}: {of}::len() is {result}");
            assert!(is_event || listing.of(of).contains("is_empty"), "{package}: {of}::is_empty");
        }
    }
}

/// For every record of the engines, each accessor returns the same result for the view and for the owned value.
#[test]
fn both_sides_say_the_same_of_every_record() {
    let mut count = 0_u32;
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            let document = Document::new(&case.bytes, dialect);
            if document.validate().is_err() {
                continue;
            }
            let owned = Variant::from_document(&document).unwrap();
            let place = format!("{}:{}: {}", path.display(), case.line, case.name);
            assert_same(&document.root().unwrap(), &owned, &place);
            count = count.saturating_add(1);
        }
    }
    assert!(count > 10_000, "only {count} records");
}

/// A width in a format string pads a text as it pads a `str`. A view has no buffer, so it ignores the width for text
/// that is not UTF-8.
#[test]
fn texts_fill_the_same_width() {
    for text in ["", "ab", "\u{e9}\u{65e5}\u{1f600}", "longer than a width"] {
        let bytes = variant_owned::encode(&text.into(), Dialect::Godot4).unwrap();
        let view = Document::new(&bytes, Dialect::Godot4).root().unwrap().as_text().unwrap();
        let own = variant_owned::Text::from(text);
        macro_rules! assert_same_as_str {
            ($($format:literal)*) => {$(
                let expected = format!($format, text);
                assert_eq!((format!($format, view), format!($format, own)), (expected.clone(), expected));
            )*};
        }
        assert_same_as_str!("{}" "{:6}" "{:>6}" "{:^7}" "{:*<6}" "{:.2}" "{:.0}" "{:-^8.3}");
    }
}
