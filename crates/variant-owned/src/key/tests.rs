//! Keys of all kinds, by the rules of all dialects.

use variant_view::Dialect;

use super::*;
use crate::object::Object;
use crate::text::Text;
use crate::{Dictionary, ParseOptions, from_text_with};

/// Keys that a rule treats as equal, and keys that only look alike.
const KEYS: &str = r#"[1, 1.0, 0.0, -0.0, nan, "1", &"1", true, null, "a", "a\u0000b", "\ufeffa", ^"a", ^"/a", ^"/", ^"",
    [], [1], [1.0], ["a"], [&"a"], [nan], [-0.0], [{}], [[]], Array[int]([]), Array[Node]([]), Array[int]([1]),
    {}, {1: 2}, {"a": 1}, {&"a": 1}, {1: nan}, {nan: 1}, {1: 1, "a": 2}, {"a": 2, 1: 1}, [{1: 2}],
    Dictionary[int, int]({}), Dictionary[Node, Node]({1: 2}), [Dictionary[int, Node]({})],
    Object(EncodedObjectAsID, "object_id": 5), [Object(EncodedObjectAsID, "object_id": 5)],
    Vector2(nan, 1), Vector2(0, 1), Vector2(-0.0, 1), [Vector2(nan, 1)], PackedVector2Array(nan, 1),
    PackedVector2Array(-0.0, 1), PackedVector2Array(0, 1), PackedFloat32Array(nan), PackedFloat32Array(0),
    PackedFloat32Array(-0.0), PackedFloat32Array(1.5), PackedStringArray("a"), PackedStringArray("\ufeffa")]"#;

/// A dictionary of few keys finds keys by comparison, and a dictionary of many keys by digests. Both must treat the
/// same keys as equal. Other tests compare with the records of engines.
#[test]
fn many_keys_are_found_as_few_are() {
    for &dialect in Dialect::ALL {
        let rule = KeyRule::of(dialect);
        let keys = from_text_with(KEYS, &ParseOptions::new().key_rule(rule)).unwrap();
        let mut keys: Vec<_> = keys.as_array().unwrap().iter().cloned().collect();
        keys.extend([Object::Null.into(), Object::Id(0).into(), (-f64::NAN).into()]);
        keys.push(Variant::String(Text::from_bytes(b"\xe0\x81\xa1")));
        for (a, b) in keys.iter().flat_map(|a| keys.iter().map(move |b| (a, b))) {
            let [few, many] = [0, 100].map(|others| {
                let mut all = Dictionary::with_rule(rule);
                all.extend((1_000..1_000 + others).map(|i| (i, i)));
                assert!(all.insert(a.clone(), 1).is_none());
                all.insert(b.clone(), 2).is_some()
            });
            assert_eq!(few, many, "{dialect}: {a:?} {b:?}");
            assert_eq!(few, are_same(a, b, rule) && digest_of(a, rule).is_some(), "{a:?} {b:?}");
        }
    }
}

#[test]
fn texts_that_clearly_differ_are_different_keys() {
    let texts: [&[u8]; 12] = [
        b"",
        b"a",
        b"b",
        b"ab",
        b"a\0b",
        b"a\0c",
        b"\xef\xbb\xbfa",
        b"\xef\xbb\xbfb",
        b"a\xc3\xa9",
        b"a\xc3",
        b"a\x80",
        b"ac",
    ];
    for (a, b) in texts.iter().flat_map(|a| texts.map(|b| (*a, b))) {
        let keys = [a, b].map(|text| Variant::String(Text::from_bytes(text)));
        for &dialect in Dialect::ALL {
            let is_same = are_same(&keys[0], &keys[1], KeyRule::of(dialect));
            assert!(!is_same || !are_clearly_different(a, b), "{a:?} {b:?}");
        }
    }
    assert!(are_clearly_different(b"ab", b"ac") && !are_clearly_different(b"a", b"ab"));
}
