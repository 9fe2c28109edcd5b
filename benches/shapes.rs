//! Documents generated from a fixed seed, with shapes that the files of the corpus do not have.

use std::iter;

use fastrand::Rng;
use variant_owned::{Array, Dictionary, Variant};
use variant_view::{Color, Limits, Vector2, Vector3};

use crate::inputs::Input;

/// The seed gives the same values in each run, so that runs can be compared.
const SEED: u64 = 0x5eed;

/// Letters of one byte each.
pub const ASCII: &str = "abcdefghijklmnopqrstuvwxyz_0123456789";
/// Letters of two to four bytes each; in random order the start of the next letter is unpredictable.
pub const OTHER: &str = "äößéñłαβγδжшяיאع日本語한국어😀🎲";

/// One of each shape.
pub fn all() -> [Input; 4] {
    [deep(), wide(), packed_arrays(), mixed()]
}

/// Alternating arrays and dictionaries, with the maximum number of levels.
pub fn deep() -> Input {
    let value = (0..Limits::FILE.depth).fold(Variant::Nil, |inner, level| {
        if level % 2 == 0 {
            iter::once(inner).collect::<Array>().into()
        } else {
            iter::once(("in", inner)).collect::<Dictionary>().into()
        }
    });
    Input::of_value("deep_1024", &value)
}

/// One array of 100,000 numbers.
pub fn wide() -> Input {
    let mut rng = Rng::with_seed(SEED);
    let numbers: Array = iter::repeat_with(|| rng.i32(..)).take(100_000).collect();
    Input::of_value("wide_100k_ints", &numbers.into())
}

/// A dictionary of packed arrays, each of 8 kinds in 8 lengths.
pub fn packed_arrays() -> Input {
    let mut rng = Rng::with_seed(SEED);
    let mut all = Dictionary::default();
    for len in [128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384] {
        for kind in 0..8 {
            all.insert(format!("pool_{kind}_{len}"), packed(&mut rng, kind, len));
        }
    }
    Input::of_value("packed_arrays", &all.into())
}

fn packed(rng: &mut Rng, kind: u8, len: usize) -> Variant {
    match kind {
        0 => many(len, || rng.u8(..)).into(),
        1 => many(len, || rng.i32(..)).into(),
        2 => many(len, || rng.i64(..)).into(),
        3 => many(len, || rng.f32()).into(),
        4 => many(len, || rng.f64()).into(),
        5 => many(len, || vector2(rng)).into(),
        6 => many(len, || vector3(rng)).into(),
        _ => texts(rng, ASCII, len).into(),
    }
}

/// A random tree of the values that games commonly write.
pub fn mixed() -> Input {
    let mut rng = Rng::with_seed(SEED);
    let branches: Array = (0..4_000).map(|_| tree(&mut rng, 5)).collect();
    Input::of_value("mixed", &branches.into())
}

fn tree(rng: &mut Rng, levels: u32) -> Variant {
    let Some(levels) = levels.checked_sub(1) else { return leaf(rng) };
    let len = rng.usize(..8);
    match rng.u8(..4) {
        0 => (0..len).map(|_| tree(rng, levels)).collect::<Array>().into(),
        1 => {
            let pairs = (0..len).map(|_| (text(rng, ASCII), tree(rng, levels)));
            pairs.collect::<Dictionary>().into()
        }
        _ => leaf(rng),
    }
}

fn leaf(rng: &mut Rng) -> Variant {
    match rng.u8(..12) {
        0 => Variant::Nil,
        1 => rng.bool().into(),
        2..=3 => rng.i32(..).into(),
        4 => rng.i64(..).into(),
        5 => rng.f32().into(),
        6 => rng.f64().into(),
        7 => text(rng, OTHER).into(),
        8 => vector2(rng).into(),
        9 => vector3(rng).into(),
        10 => Color { r: rng.f32(), g: rng.f32(), b: rng.f32(), a: 1.0 }.into(),
        _ => text(rng, ASCII).into(),
    }
}

/// Values of 8 to 64 bytes, each in a separate document.
pub fn tiny(count: usize) -> Vec<Input> {
    let mut rng = Rng::with_seed(SEED);
    let documents = iter::repeat_with(|| Input::of_value("tiny", &tree(&mut rng, 2)));
    documents.filter(|document| (8..=64).contains(&document.len())).take(count).collect()
}

/// `count` strings, in a packed array and in an array.
pub fn strings(count: usize, letters: &str) -> [Input; 2] {
    let texts = texts(&mut Rng::with_seed(SEED), letters, count);
    let array: Array = texts.iter().map(String::as_str).collect();
    [Input::of_value("packed", &texts.into()), Input::of_value("array", &array.into())]
}

/// `count` vectors, in a packed array.
pub fn vectors(count: usize) -> Input {
    let mut rng = Rng::with_seed(SEED);
    Input::of_value("vectors", &many(count, || vector3(&mut rng)).into())
}

fn many<T>(len: usize, make: impl FnMut() -> T) -> Vec<T> {
    iter::repeat_with(make).take(len).collect()
}

fn vector2(rng: &mut Rng) -> Vector2 {
    Vector2 { x: rng.f32(), y: rng.f32() }
}

fn vector3(rng: &mut Rng) -> Vector3 {
    Vector3 { x: rng.f32(), y: rng.f32(), z: rng.f32() }
}

fn texts(rng: &mut Rng, letters: &str, count: usize) -> Vec<String> {
    many(count, || text(rng, letters))
}

/// A text as long as a name or a short sentence.
fn text(rng: &mut Rng, letters: &str) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let len = rng.usize(4..32);
    iter::repeat_with(|| rng.choice(&letters)).take(len).flatten().collect()
}
