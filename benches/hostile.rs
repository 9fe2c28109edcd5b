//! Documents from a fixed seed that are each hard for one part of the library, and two easy documents.
//!
//! Each document is in Godot 4's dialect and about 64 KiB long. It is a dictionary `{"data": ..., "last": null}`, so a
//! look-up of the last key must skip the data. Sizes that the processor must predict are random.

use std::iter;
use std::ops::Range;

use fastrand::Rng;
use variant_owned::{Array, Variant, encode};
use variant_testkit::builder::Builder;
use variant_testkit::table::sample;
use variant_view::{Dialect, Limits};

use crate::inputs::Input;
use crate::shapes::{ASCII, OTHER};

const DIALECT: Dialect = Dialect::Godot4;
const SEED: u64 = 0x5eed;
/// The approximate length of a document.
const BYTES: usize = 1 << 16;

/// All documents, easy documents first.
pub fn all() -> Vec<Input> {
    vec![
        wrapped("packed floats", packed_floats()),
        wrapped("long ASCII", texts(ASCII, 2_000..8_000)),
        wrapped("ints", many(28, 8, |all, rng| all.u32(2).u32(rng.u32(..)))),
        wrapped("doubles", many(28, 12, |all, rng| all.u32(0x1_0003).u64(rng.u64(..)))),
        wrapped("nulls", many(28, 4, |all, _| all.u32(0))),
        wrapped("empty containers", many(28, 8, |all, rng| all.u32(rng.u32(27..29)).u32(0))),
        wrapped("1,000 levels", deep()),
        wrapped("texts of random lengths", texts(ASCII, 0..40)),
        wrapped("short texts, not ASCII", texts(OTHER, 1..24)),
        wrapped("long texts, not ASCII", texts(OTHER, 200..2_000)),
        wrapped("empty packed texts", many(34, 8, |all, _| all.u32(1).u32(0))),
        wrapped("dirty padding", dirty_padding()),
        wrapped("paths of empty names", many(28, 48, path)),
        wrapped("all kinds mixed", mixed()),
        wrapped("records, last text differs", records(|rng, _| rng.usize(0..24))),
        wrapped("records, every fifth differs", records(|_, n| if n % 5 == 4 { 9 } else { 4 })),
        wrapped("records, keys in any order", shuffled()),
        wrapped("keys that end differently", keys()),
    ]
}

fn wrapped(name: &'static str, data: Builder) -> Input {
    let data = data.build().bytes;
    let all = Builder::new().u32(27).u32(2).u32(4).text("data").raw(&data);
    let bytes = all.u32(4).text("last").u32(0).build().bytes;
    Input { name, dialect: DIALECT, bytes }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or_default()
}

/// A document of values of at most `size` bytes, after header and count.
fn many(header: u32, size: usize, one: impl Fn(Builder, &mut Rng) -> Builder) -> Builder {
    let (mut rng, len) = (Rng::with_seed(SEED), BYTES.checked_div(size).unwrap_or_default());
    let all = Builder::new().u32(header).u32(count(len));
    (0..len).fold(all, |all, _| one(all, &mut rng))
}

fn packed_floats() -> Builder {
    Builder::new().u32(32).u32(count(BYTES / 4)).raw(&vec![0; BYTES])
}

/// Alternating arrays and dictionaries, as deep as an engine reads.
fn deep() -> Builder {
    let levels = Limits::ENGINE.depth.saturating_sub(24);
    let open = (0..levels).fold(Builder::new(), |all, level| match level % 2 {
        0 => all.u32(28).u32(1),
        _ => all.u32(27).u32(1).u32(4).text("in"),
    });
    open.u32(0)
}

fn word(rng: &mut Rng, letters: &[char], len: usize) -> String {
    iter::repeat_with(|| rng.choice(letters)).take(len).flatten().collect()
}

fn texts(letters: &str, lengths: Range<usize>) -> Builder {
    let letters: Vec<char> = letters.chars().collect();
    let mut rng = Rng::with_seed(SEED);
    let (mut all, mut texts, mut bytes) = (Builder::new(), 0, 0_usize);
    while bytes < BYTES {
        let len = rng.usize(lengths.clone());
        let text = word(&mut rng, &letters, len);
        bytes = bytes.saturating_add(text.len()).saturating_add(8);
        texts = u32::saturating_add(texts, 1);
        all = all.u32(4).text(text);
    }
    Builder::new().u32(28).u32(texts).raw(&all.build().bytes)
}

/// ASCII with nonzero padding. Such padding is legal.
fn dirty_padding() -> Builder {
    many(28, 20, |all, rng| {
        let len = rng.usize(1..16);
        let padding = len.next_multiple_of(4).saturating_sub(len);
        let text = [vec![b'x'; len], vec![0xff; padding]].concat();
        all.u32(4).u32(count(len)).raw(&text)
    })
}

fn path(all: Builder, _: &mut Rng) -> Builder {
    let all = all.u32(22).u32(0x8000_0008).u32(0).u32(0);
    (0..8).fold(all, |all, _| all.u32(0))
}

/// Values of all kinds in random order.
fn mixed() -> Builder {
    let samples: Vec<Variant> = DIALECT.kinds().iter().map(|kind| sample(*kind)).collect();
    let mut rng = Rng::with_seed(SEED);
    let any = iter::repeat_with(|| rng.choice(&samples).cloned()).flatten();
    let all: Array = any.take(BYTES / 24).collect();
    Builder::new().raw(&encode(&all.into(), DIALECT).expect("encodes"))
}

const KEYS: [&str; 8] = ["name", "level", "health", "x", "y", "gold", "age", "notes"];

/// Records with the same layout up to their last text, whose length `len` returns.
fn records(len: impl Fn(&mut Rng, usize) -> usize) -> Builder {
    let (mut rng, records) = (Rng::with_seed(SEED), BYTES / 180);
    let all = Builder::new().u32(28).u32(count(records));
    (0..records).fold(all, |all, n| {
        let all = all.u32(27).u32(8);
        let numbers = KEYS.iter().take(7);
        let all = numbers.fold(all, |all, key| all.u32(4).text(key).u32(2).u32(rng.u32(..)));
        let text = "n".repeat(len(&mut rng, n));
        all.u32(4).text("notes").u32(4).text(text)
    })
}

/// The same keys in changing order.
fn shuffled() -> Builder {
    many(28, 180, |all, rng| {
        let mut keys = KEYS;
        rng.shuffle(&mut keys);
        let all = all.u32(27).u32(8);
        keys.iter().fold(all, |all, key| all.u32(4).text(key).u32(2).u32(7))
    })
}

/// A dictionary whose keys differ in their last bytes.
fn keys() -> Builder {
    let len = BYTES / 60;
    let all = Builder::new().u32(27).u32(count(len));
    (0..len).fold(all, |all, n| {
        all.u32(4).text(format!("inventory/slots/equipment/{n:08}")).u32(2).u32(count(n))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_valid_and_as_long_as_the_others() {
        for input in all() {
            let summary = input.document().validate().expect(input.name);
            assert_eq!(summary.consumed, input.bytes.len(), "{}", input.name);
            let range = if input.name == "1,000 levels" { 8_000..20_000 } else { 40_000..90_000 };
            assert!(range.contains(&input.bytes.len()), "{}: {}", input.name, input.len());
            assert!(input.document().get("last").expect("valid").is_some(), "{}", input.name);
        }
    }
}
