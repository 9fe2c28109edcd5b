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
    grafted_from(options, old, old, new, is_merge)
}

fn grafted_from(options: Options, old: &[u8], base: &[u8], new: &[u8], is_merge: bool) -> Vec<u8> {
    let mut draft = Draft::new(Plain::new(old, Framing::Bare, options));
    let graft = Graft { base: base.to_vec(), new: new.to_vec(), is_merge };
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

/// The items of an old value and of a base of another kind do not correspond. So the new value replaces the old one as
/// a whole if it differs from the base.
#[test]
fn a_base_of_another_kind_keeps_no_items_of_the_old_value() {
    let options = Options::engine(Dialect::Godot4);
    // An object with a class is another kind than one that is null or only an id.
    let kind = |bytes: &[u8]| {
        let root = Document::new(bytes, options).root().unwrap();
        (root.kind(), root.as_object().is_ok_and(|object| object.class().is_some()))
    };
    let values = values(Dialect::Godot4);
    for old in &values {
        for base in values.iter().filter(|base| kind(base) != kind(old)) {
            for new in values.iter().filter(|new| *new == base || kind(new) == kind(old)) {
                let expected = if new == base { old } else { new };
                let found = grafted_from(options, old, base, new, false);
                assert_eq!(found, *expected, "{old:x?} {base:x?} {new:x?}");
            }
        }
    }
}

/// The pairs of a dictionary, with keys of several kinds.
type Pairs = Vec<(&'static str, String)>;

fn pairs(keys: &[&'static str], number: u32) -> Vec<Pairs> {
    let has = |set: usize, at: usize| set >> at & 1 == 1;
    let subset = |set| {
        let keys = keys.iter().enumerate().filter(move |(at, _)| has(set, *at));
        keys.map(|(at, key)| (*key, format!("[{}]", number * 10 + u32::try_from(at).unwrap())))
    };
    (0..1 << keys.len()).map(|set| subset(set).collect()).collect()
}

fn dictionary(pairs: &Pairs) -> Vec<u8> {
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    encode(&from_text(&format!("{{{}}}", pairs.join(", "))).unwrap(), Dialect::Godot4).unwrap()
}

/// A merge keeps the pairs of the old dictionary, in its order, with the values of the new dictionary. The pairs that
/// only the new dictionary has follow. Without a merge, the result is the new dictionary.
#[test]
fn a_merge_keeps_the_pairs_that_the_new_dictionary_lacks() {
    let options = Options::engine(Dialect::Godot4);
    let keys = ["\"a\"", "5", "Vector2(1, 2)", "\"long key\""];
    let mut backwards = keys;
    backwards.reverse();
    for old in pairs(&keys, 1) {
        for new in [pairs(&keys, 2), pairs(&backwards, 2)].concat() {
            let of = |pairs: &Pairs, key: &str| pairs.iter().find(|pair| pair.0 == key).cloned();
            let kept = old.iter().map(|pair| of(&new, pair.0).unwrap_or_else(|| pair.clone()));
            let added = new.iter().filter(|pair| of(&old, pair.0).is_none()).cloned();
            let merged = dictionary(&kept.chain(added).collect());
            let [old, new] = [&old, &new].map(dictionary);
            assert_eq!(grafted(options, &old, &new, true), merged, "{old:x?} {new:x?}");
            assert_eq!(grafted(options, &old, &new, false), new, "{old:x?} {new:x?}");
        }
    }
}

/// An array of these integers, in 64 bits as the engine writes only large integers, or in 32 bits.
fn integers(all: impl Iterator<Item = (u32, bool)> + Clone) -> Vec<u8> {
    let int = |(int, is_wide): (u32, bool)| {
        if is_wide { vec![(1 << 16) + 2, int, 0] } else { vec![2, int] }
    };
    let head = [28, u32::try_from(all.clone().count()).unwrap()];
    head.into_iter().chain(all.flat_map(int)).flat_map(u32::to_le_bytes).collect()
}

/// The edited form of an integer does not show its width. The integers before and after the edited elements keep
/// theirs.
#[test]
fn elements_around_an_edit_keep_their_bytes() {
    let options = Options::engine(Dialect::Godot4);
    for len in 0..5_u32 {
        let old: Vec<u32> = (0..len).collect();
        let bytes = integers(old.iter().map(|int| (*int, true)));
        let base = integers(old.iter().map(|int| (*int, false)));
        for (from, to) in (0..=old.len()).flat_map(|to| (0..=to).map(move |from| (from, to))) {
            for put in [&[][..], &[90], &[91, 92], &[93, 94, 95]] {
                let with = |is_wide| {
                    let [before, after] = [&old[..from], &old[to..]]
                        .map(|part| part.iter().map(move |int| (*int, is_wide)));
                    before.chain(put.iter().map(|int| (*int, false))).chain(after)
                };
                let graft =
                    Graft { base: base.clone(), new: integers(with(false)), is_merge: false };
                let mut draft = Draft::new(Plain::new(&bytes, Framing::Bare, options));
                let mut graft = Some(graft);
                draft.graft(|_, _| Ok(graft.take())).unwrap();
                assert_eq!(draft.bytes(), integers(with(true)), "{from}..{to} of {len}: {put:?}");
            }
        }
    }
}

/// An edited form cannot keep a key twice. So the new value replaces the dictionary if the value was edited.
#[test]
fn a_dictionary_with_a_key_twice_is_replaced_as_a_whole() {
    let options = Options::engine(Dialect::Godot4);
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let old = words(&[27, 3, 2, 1, 2, 7, 2, 5, 2, 8, 2, 1, 2, 9]); // {1: 7, 5: 8, 1: 9}
    let base = words(&[27, 2, 2, 1, 2, 9, 2, 5, 2, 8]);
    let new = words(&[27, 2, 2, 1, 2, 9, 2, 5, 2, 6]);
    // Alone, and in an array after another element.
    for before in [vec![], words(&[28, 2, 2, 0])] {
        let [old, base, new] = [&old, &base, &new].map(|value| [&before[..], value].concat());
        let graft = |new: &[u8], is_merge| {
            let mut graft = Some(Graft { base: base.clone(), new: new.to_vec(), is_merge });
            let mut draft = Draft::new(Plain::new(&old, Framing::Bare, options));
            draft.graft(|_, _| Ok(graft.take())).map(|()| draft.into_bytes())
        };
        assert_eq!(graft(&base, false).unwrap(), old, "without an edit");
        assert_eq!(graft(&new, false).unwrap(), new);
    }
    let mut graft = Some(Graft { base, new, is_merge: true });
    let mut draft = Draft::new(Plain::new(&old, Framing::Bare, options));
    let refused = draft.graft(|_, _| Ok(graft.take())).unwrap_err().to_string();
    assert!(refused.contains("has a key twice"), "{refused}");
    assert_eq!(draft.bytes(), old);
}
