//! Tests the cost of keys that are texts: the number of bytes that are compared, or searched for a NUL.

#![allow(clippy::arithmetic_side_effects, reason = "a test may panic")]

use std::cell::Cell;
use std::string::ToString;
use std::vec::Vec;

use crate::{Dialect, Document, Limits, Options};

std::thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Adds to the number of bytes read.
pub(crate) fn count(bytes: usize) {
    BYTES.set(BYTES.get() + bytes);
}

/// The number of bytes that `work` reads.
fn bytes(work: impl FnOnce()) -> usize {
    let before = BYTES.get();
    work();
    BYTES.get() - before
}

/// A builder of bytes. It is separate from other builders, since this package is also tested without the workspace.
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

    /// A length, the bytes of the text, and zeros up to a multiple of four.
    fn text(self, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let padding = text.len().next_multiple_of(4) - text.len();
        self.u32(u32::try_from(text.len()).unwrap()).raw(text).raw(&[0; 3][..padding])
    }
}

const SHORT: usize = 8;

/// A dictionary with one long key, then short keys of the same total length.
struct Keys {
    dialect: Dialect,
    bytes: Vec<u8>,
    long: Vec<u8>,
}

impl Keys {
    /// `first` is the start of the long key, `other` the start of the short keys.
    fn new(dialect: Dialect, len: usize, first: &[u8], other: &[u8]) -> Self {
        let dictionary = if dialect == Dialect::Godot4 { 27 } else { 18 };
        let short = len / SHORT;
        let long = [first, &b"m".repeat(len)].concat();
        let start = Builder::new().u32(dictionary).u32(u32::try_from(short + 1).unwrap());
        let all = start.u32(4).text(&long).u32(3).u32(f32::NAN.to_bits());
        let key = |all: Builder, at| {
            let key = [other, std::format!("{at:07}").as_bytes()].concat();
            all.u32(4).text(key).u32(0)
        };
        let bytes = (0..short).fold(all, key).0;
        Self { dialect, bytes, long }
    }

    fn document(&self) -> Document<'_> {
        Document::new(&self.bytes, Options::engine(self.dialect).limits(Limits::FILE))
    }
}

/// Asserts that `work` reads few bytes of a dictionary, and about twice as many bytes of one that is twice as long.
#[track_caller]
fn assert_linear(work: impl Fn(&Keys)) {
    const LEN: usize = if cfg!(miri) { 1 << 8 } else { 8 << 10 };
    let starts: [(_, &[u8], &[u8]); 4] = [
        (Dialect::Godot4, b"", b"n"),
        (Dialect::Godot4, b"\xef\xbb\xbf", b"m"),
        (Dialect::Godot3, b"", b"n"),
        // The first byte of an overlong sequence does not decide the comparison.
        (Dialect::Godot3, b"", b"\xe0\x81\xad"),
    ];
    for (dialect, first, other) in starts {
        let [few, many] = [LEN, 2 * LEN].map(|len| {
            let keys = Keys::new(dialect, len, first, other);
            bytes(|| work(&keys))
        });
        let most = 16 * LEN;
        assert!(many <= 2 * few + few / 4 && few <= most, "{dialect}, {first:x?}: {few}, {many}");
    }
}

/// Printing the path of a value compares the value's key with all later keys.
#[test]
fn a_path_costs_no_more_than_the_bytes() {
    assert_linear(|keys| {
        let value = keys.bytes.windows(4).position(|word| word == f32::NAN.to_le_bytes());
        let path = keys.document().path_to(value.unwrap()).unwrap();
        assert_eq!(path.to_string().as_bytes(), crate::engine_bytes(&keys.long));
    });
}

#[test]
fn a_long_key_is_looked_up_in_no_more_than_the_bytes() {
    assert_linear(|keys| {
        let key = crate::engine_bytes(&keys.long);
        assert!(matches!(keys.document().root().unwrap().get(key), Ok(Some(_))));
    });
}

#[cfg(feature = "alloc")]
#[test]
fn a_long_key_is_found_on_a_tape_in_no_more_than_the_bytes() {
    assert_linear(|keys| {
        let mut tape = crate::Tape::new();
        let document = tape.read(keys.document()).unwrap();
        let key = crate::engine_bytes(&keys.long);
        assert!(matches!(document.get(key), Ok(Some(_))));
    });
}
