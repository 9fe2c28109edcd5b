//! A change writes what the engine would write in its place, and is listed.

use variant_document::Plain;
use variant_document::edit::{Action, Draft, Edit, literal};
use variant_io::Framing;
use variant_owned::{EncodeOptions, Precision, encode};
use variant_testkit::corpus::{self, record_files};
use variant_testkit::table;
use variant_view::{Dialect, Document, NumberType, Options};

fn edit(path: &str, action: Action) -> Edit {
    Edit { frame: None, path: path.to_owned(), action }
}

fn value(text: &str) -> Vec<u8> {
    encode(&literal(text, Dialect::Godot4).unwrap(), Dialect::Godot4).unwrap()
}

fn set(text: &str) -> Action {
    Action::Set(literal(text, Dialect::Godot4).unwrap())
}

fn insert(text: &str) -> Action {
    Action::Insert(literal(text, Dialect::Godot4).unwrap())
}

fn rename(name: &str) -> Action {
    Action::RenameKey(name.to_owned())
}

fn draft(bytes: &[u8]) -> Draft<'_> {
    Draft::new(Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4)))
}

/// The engine wrote the values, in builds of single and of double precision.
#[test]
fn reals_keep_their_width() {
    let mut counts = [0, 0];
    for (dialect, path) in record_files() {
        if !path.to_string_lossy().contains("vectors") {
            continue;
        }
        for case in corpus::read_cases(&path).unwrap().into_iter().filter(|case| case.accepted) {
            let options = Options::engine(dialect);
            let Ok(old) = Document::new(&case.bytes, options).root() else { continue };
            let kind = old.kind();
            if kind.shape().is_none_or(|shape| shape.number != NumberType::Real) {
                continue;
            }
            let is_wide = case.bytes[2] & 1 != 0;
            let precision = if is_wide { Precision::Double } else { Precision::Single };
            let new = table::sample(kind);
            let expected = encode(&new, EncodeOptions::new(dialect).precision(precision)).unwrap();
            let mut draft = Draft::new(Plain::new(&case.bytes, Framing::Bare, options));
            draft.make(&edit("", Action::Set(new))).unwrap();
            assert_eq!(draft.bytes(), expected, "{dialect} {}", case.name);
            counts[usize::from(is_wide)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

#[test]
fn names_of_properties_are_written_as_the_engine_writes_them() {
    let object = |name: &str| format!("{{\"o\": Object(Node, \"{name}\": 1, \"last\": 2)}}");
    for name in ["a", "ab", "abc", "abcd", "abcde", "ä", "a b", "日本語"] {
        let before = value(&object("old"));
        let mut renamed = draft(&before);
        renamed.make(&edit("o.old", rename(name))).unwrap();
        assert_eq!(renamed.bytes(), value(&object(name)), "{name}");
        let before = value("Object(Node, \"first\": [1])");
        let mut inserted = draft(&before);
        inserted.make(&edit(&format!("[\"{name}\"]"), insert("2"))).unwrap();
        assert_eq!(
            inserted.bytes(),
            value(&format!("Object(Node, \"first\": [1], \"{name}\": 2)")),
            "{name}"
        );
        let path = format!("[\"{name}\"]");
        let bytes = inserted.bytes().to_vec();
        let mut set_again = draft(&bytes);
        set_again.make(&edit(&path, set("\"x\""))).unwrap();
        assert_eq!(
            set_again.bytes(),
            value(&format!("Object(Node, \"first\": [1], \"{name}\": \"x\")")),
            "{name}"
        );
    }
}

/// All changes are counted, and the first 100 are listed.
#[test]
fn the_first_changes_are_listed() {
    for count in [1, 99, 100, 101, 150] {
        let before = value(&format!("[{}]", vec!["{\"a\": 1}"; count].join(", ")));
        for action in [set("2"), set("\"text\""), rename("b"), Action::Delete] {
            let mut one = draft(&before);
            one.make(&edit("[*].a", action.clone())).unwrap();
            assert_eq!(one.changes.count, u64::try_from(count).unwrap(), "{action:?}");
            assert_eq!(one.changes.first.len(), count.min(100), "{action:?}");
            // The changes of two steps are one list.
            one.make(&edit("[-1]", set("null"))).unwrap();
            assert_eq!(one.changes.count, u64::try_from(count + 1).unwrap(), "{action:?}");
            assert_eq!(one.changes.first.len(), (count + 1).min(100), "{action:?}");
        }
    }
}
