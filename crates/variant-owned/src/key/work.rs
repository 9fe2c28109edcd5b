//! Tests the cost of keys: counts the parts of keys that are compared or hashed.

#![allow(clippy::arithmetic_side_effects, reason = "a test may panic")]

use std::cell::Cell;

use variant_view::{Dialect, Document, Limits, Options};

use crate::{Dictionary, Variant, array, dictionary};

thread_local! {
    static PARTS: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn count() {
    PARTS.set(PARTS.get() + 1);
}

/// The number of parts that `work` compares or hashes.
fn parts(work: impl FnOnce()) -> usize {
    let before = PARTS.get();
    work();
    PARTS.get() - before
}

fn read(bytes: &[u8], dialect: Dialect) -> Variant {
    let options = Options::engine(dialect).limits(Limits::FILE.depth(u32::MAX));
    Variant::from_document(&Document::new(bytes, options)).unwrap()
}

/// Builds bytes by hand. The test kit's builder is not used, since this package is also tested without the workspace.
#[derive(Default)]
struct Builder(Vec<u8>);

impl Builder {
    fn new() -> Self {
        Self::default()
    }

    fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u32(self, number: u32) -> Self {
        self.raw(&number.to_le_bytes())
    }

    fn u64(self, number: u64) -> Self {
        self.raw(&number.to_le_bytes())
    }

    /// A length, the bytes of the text, and zeros up to a multiple of four.
    fn text(self, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let padding = text.len().next_multiple_of(4) - text.len();
        self.u32(u32::try_from(text.len()).unwrap()).raw(text).raw(&[0; 3][..padding])
    }
}

const NIL: u32 = 0;
const INT: u32 = 2;
const DICTIONARY: u32 = 27;
const ARRAY: u32 = 28;
const ARRAY_OF_CLASS: u32 = 0x2_001c;
const FLOATS: u32 = 32;
const NODE_PATH: u32 = 22;
const OBJECT_BY_ID: u32 = 0x1_0018;

/// A dictionary of Godot 4 with `count` pairs: `key` writes the key from a number, which is also the value.
fn keys(count: u32, key: impl Fn(Builder, u32) -> Builder) -> Vec<u8> {
    let start = Builder::new().u32(DICTIONARY).u32(count);
    (0..count).fold(start, |all, at| key(all, at).u32(INT).u32(at)).0
}

/// Asserts that twice the keys cost twice the work. Asserts that each key is hashed once, and compared once if the
/// dictionary already has the key.
#[track_caller]
fn assert_linear(count: u32, key: impl Fn(Builder, u32) -> Builder) {
    let [few, many] = [count, 2 * count].map(|count| {
        let bytes = keys(count, &key);
        parts(|| drop(read(&bytes, Dialect::Godot4)))
    });
    let most = 16 * usize::try_from(count).unwrap();
    assert!(many <= 2 * few + few / 4 && few <= most, "{few} parts for {count} keys, {many}");
}

#[test]
fn keys_that_differ_in_their_class_alone_are_one() {
    let key = |all: Builder, at: u32| all.u32(ARRAY_OF_CLASS).text(format!("{at:x}")).u32(0);
    assert_eq!(read(&keys(4_000, key), Dialect::Godot4).as_dictionary().unwrap().len(), 1);
    assert_linear(4_000, key);
}

#[test]
fn no_kind_of_key_floods() {
    let dictionary = |all: Builder, at| all.u32(DICTIONARY).u32(1).u32(INT).u32(at).u32(NIL);
    assert_linear(4_000, dictionary);
    assert_linear(4_000, |all, at| all.u32(ARRAY).u32(1).u32(INT).u32(at));
    assert_linear(4_000, |all, at| {
        let nil = [0; 4];
        let inner = all.u32(ARRAY).u32(1).u32(ARRAY).u32(at % 2);
        inner.raw(if at % 2 == 0 { &[] } else { &nil })
    });
    assert_linear(4_000, |all, _| all.u32(ARRAY).u32(1).u32(3).u32(f32::NAN.to_bits()));
    assert_linear(4_000, |all, at| all.u32(OBJECT_BY_ID).u64(u64::from(at) + 1));
    assert_linear(4_000, |all, _| all.u32(24).text("Node").u32(0));
    assert_linear(4_000, |all, at| all.u32(FLOATS).u32(2).u32(0).u32(at));
    assert_linear(4_000, |all, at| {
        all.u32(NODE_PATH).u32(0x8000_0001).u32(0).u32(0).text(at.to_string())
    });
}

/// A dictionary whose first key is again such a dictionary, for `levels` levels; the innermost key is 1.
fn nested(levels: u32) -> Vec<u8> {
    let open = (0..levels).fold(Builder::new(), |all, _| all.u32(DICTIONARY).u32(2));
    let all = (0..levels).fold(open.u32(INT).u32(1), |all, at| {
        all.u32(NIL).u32(ARRAY).u32(1).u32(INT).u32(at).u32(NIL)
    });
    all.0
}

#[test]
fn keys_in_keys_cost_what_they_hold() {
    let bytes = [400, 800].map(nested);
    let [few, many] = bytes.each_ref().map(|bytes| parts(|| drop(read(bytes, Dialect::Godot4))));
    assert!(many <= 2 * few + few / 4 && few <= 16 * 400, "{few} parts for 400 levels, {many}");
    let values = bytes.each_ref().map(|bytes| read(bytes, Dialect::Godot4));
    let [few, many] = values.each_ref().map(|value| parts(|| drop(value.clone())));
    assert!(many <= 2 * few + few / 4 && few <= 16 * 400, "{few} parts to copy, {many}");
}

#[test]
fn the_digest_is_the_same_from_inside_and_from_outside() {
    let key = || Variant::from(dictionary! { array![1, "a"] => 2, 3 => dictionary! { 4 => 5 } });
    // The key is built item by item, and then looked up as a whole.
    let bytes = crate::encode(
        &dictionary! { key() => 6, 7 => 8 }.into(),
        crate::EncodeOptions::new(Dialect::Godot4),
    );
    let value = read(&bytes.unwrap(), Dialect::Godot4);
    let found = value.as_dictionary().unwrap().get_variant(&key());
    assert_eq!(found.and_then(Variant::as_i64), Some(6));
    // If a key is repeated, its last value counts.
    let twice = |all: Builder| all.u32(DICTIONARY).u32(2).u32(INT).u32(1).u32(INT).u32(5);
    let start = twice(Builder::new().u32(DICTIONARY).u32(1)).u32(INT).u32(1).u32(INT).u32(6);
    let value = read(&start.u32(INT).u32(9).0, Dialect::Godot4);
    let found = value.as_dictionary().unwrap().get_variant(&dictionary! { 1 => 6 }.into());
    assert_eq!(found.and_then(Variant::as_i64), Some(9));
}

#[test]
fn removing_looks_at_no_other_key() {
    let mut all: Dictionary = (0..3_000).map(|at| (at, at)).collect();
    let taken = parts(|| {
        for at in 0..3_000 {
            assert_eq!(all.remove(at).and_then(|value| value.as_i64()), Some(i64::from(at)));
            let next = (at < 2_999).then_some(i64::from(at) + 1);
            assert_eq!(all.get(at + 1).and_then(Variant::as_i64), next);
        }
    });
    assert!(all.is_empty());
    assert!(taken <= 2 * 3_000, "{taken} keys looked at");
}
