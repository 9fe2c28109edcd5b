//! A graft makes an old value equal to a new value, whatever the kinds of the two values.

use variant_document::Plain;
use variant_document::edit::{Draft, Graft};
use variant_io::Framing;
use variant_owned::{Variant, encode, from_text};
use variant_view::{Dialect, Document, Kind, Options};

const LITERALS: &str = r#"[null, true, 5, 1.5, "text", Vector2(1, 2), &"name",
    [], [1], [1, [2], {}], Array[int]([]), Array[int]([1, 2]), Array[Object]([]),
    {}, {"a": 1}, {"b": {"c": []}, 5: null},
    Dictionary[String, int]({}), Dictionary[String, int]({"a": 1}),
    PackedByteArray(), PackedByteArray(1, 2, 3), PackedStringArray("a", "b"),
    Object(Node), Object(Node, "a": 1), Object(Node, "a": {"b": 2}, "c": [3]),
    Object(Resource, "a": 1), Object(Node, "a": Object(Node))]"#;

/// Objects that literals cannot express: null objects, and two objects that are only an id.
const OBJECTS: [[u32; 3]; 3] =
    [[24, 0, 0], [0x0001_0018, 0x5566_7788, 0x1122_3344], [0x0001_0018, 7, 0]];

/// The bytes of all values that the dialect can hold.
fn values(dialect: Dialect) -> Vec<Vec<u8>> {
    let Variant::Array(literals) = from_text(LITERALS).unwrap() else { panic!("a list") };
    let literals = literals.into_iter().filter_map(|value| encode(&value, dialect).ok());
    let object = u32::from(dialect.id(Kind::Object).unwrap());
    let objects = OBJECTS.into_iter().map(|[head, low, high]| {
        let len = if head > 0xffff { 3 } else { 2 };
        let words = [head & 0xffff_0000 | object, low, high];
        words.into_iter().take(len).flat_map(u32::to_le_bytes).collect()
    });
    let is_valid = |bytes: &Vec<u8>| {
        let summary = Document::new(bytes, Options::engine(dialect)).validate();
        summary.is_ok_and(|summary| summary.consumed == bytes.len())
    };
    literals.chain(objects).filter(is_valid).collect()
}

/// An array that holds only this value.
fn in_array(dialect: Dialect, value: &[u8]) -> Vec<u8> {
    let mut bytes = encode(&from_text("[null]").unwrap(), dialect).unwrap();
    bytes.truncate(bytes.len() - 4);
    bytes.extend_from_slice(value);
    bytes
}

/// Grafts `new` on `old`, and returns the result. The `base` of a graft is the old value, read back from its text or
/// JSON before an edit. Here it equals `old`, because nothing was lost.
fn grafted(options: Options, old: &[u8], new: &[u8], is_merge: bool) -> Vec<u8> {
    let mut draft = Draft::new(Plain::new(old, Framing::Bare, options));
    let graft = Graft { base: old.to_vec(), new: new.to_vec(), is_merge };
    let mut graft = Some(graft);
    draft
        .graft(|_, _| Ok(graft.take()))
        .unwrap_or_else(|error| panic!("{error}: {old:x?} {new:x?}"));
    draft.bytes().to_vec()
}

#[test]
fn a_value_becomes_the_other_one() {
    for &dialect in Dialect::ALL {
        let options = Options::engine(dialect);
        let values = values(dialect);
        assert!(values.len() > 10, "{dialect}: {}", values.len());
        for old in &values {
            for new in &values {
                assert_eq!(grafted(options, old, new, false), *new, "{dialect}");
                let [old, new] = [old, new].map(|value| in_array(dialect, value));
                assert_eq!(grafted(options, &old, &new, false), new, "{dialect}");
            }
        }
    }
}

#[test]
fn a_merge_puts_any_other_value_in_place_of_the_old_one() {
    for &dialect in Dialect::ALL {
        let options = Options::engine(dialect);
        let kind = |bytes: &[u8]| Document::new(bytes, options).root().unwrap().kind();
        let has_pairs = |bytes: &Vec<u8>| kind(bytes) == Kind::Dictionary;
        let values = values(dialect);
        for old in values.iter().filter(|value| !has_pairs(value)) {
            for new in &values {
                assert_eq!(grafted(options, old, new, true), *new, "{dialect}");
            }
        }
    }
}
