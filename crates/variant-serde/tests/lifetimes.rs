//! Borrowed parts outlive the call that read them. `src/lifetimes.rs` has programs that the compiler refuses.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use variant_serde::{
    Deserializer, Error, Packed, PackedArray, RawValue, from_document, from_slice, from_view,
    to_vec,
};
use variant_view::{Dialect, Document, Vector2};

#[derive(Serialize)]
struct Written {
    name: &'static str,
    title: &'static str,
    data: PackedArray<[u8; 3]>,
    heights: PackedArray<[f32; 2]>,
    path: PackedArray<[[f32; 2]; 1]>,
    rest: (i32, &'static str),
}

#[derive(Deserialize)]
struct Save<'a> {
    name: &'a str,
    #[serde(borrow)]
    title: Cow<'a, str>,
    data: &'a [u8],
    #[serde(borrow)]
    heights: Packed<'a, f32>,
    #[serde(borrow)]
    path: Packed<'a, Vector2>,
    #[serde(borrow)]
    rest: RawValue<'a>,
}

fn read(bytes: &[u8]) -> Result<Save<'_>, Error> {
    let save: Save<'_> = from_slice(bytes, Dialect::Godot4)?;
    // `save` borrows from `bytes` and from no local, so it can be returned.
    Ok(save)
}

fn name(bytes: &[u8]) -> Result<&str, Error> {
    let document = Document::new(bytes, Dialect::Godot4);
    from_view(document.at("name")?)
}

fn of_document(bytes: &[u8]) -> Result<Save<'_>, Error> {
    from_document(&Document::new(bytes, Dialect::Godot4))
}

fn of_deserializer(bytes: &[u8]) -> Result<Save<'_>, Error> {
    let mut deserializer = Deserializer::new(bytes, Dialect::Godot4);
    Save::deserialize(&mut deserializer)
}

/// Borrows from a borrowed part.
fn word<'a>(save: &Save<'a>) -> Result<&'a str, Error> {
    let rest: RawValue<'a> = save.rest;
    let (_, word): (i32, &'a str) = rest.get()?;
    Ok(word)
}

#[expect(clippy::needless_pass_by_value, reason = "the parts outlive it")]
fn parts(save: Save<'_>) -> (&str, &[u8], impl Iterator<Item = f32> + '_, &[u8]) {
    (save.name, save.data, save.heights.iter(), save.rest.bytes())
}

/// A function can return every borrowing type that it reads; the type outlives the reader.
#[test]
fn parts_outlive_the_call() -> Result<(), Error> {
    let written = Written {
        name: "Ada",
        title: "count",
        data: PackedArray([1, 2, 3]),
        heights: PackedArray([0.5, 1.5]),
        path: PackedArray([[1.0, 2.0]]),
        rest: (7, "axe"),
    };
    let bytes = to_vec(&written, Dialect::Godot4)?;
    for read in [read, of_document, of_deserializer] {
        let save = read(&bytes)?;
        let word = word(&save)?;
        assert!(matches!(save.title, Cow::Borrowed("count")));
        assert_eq!(save.path.get(0), Some(Vector2::new(1.0, 2.0)));
        let (name, data, heights, rest) = parts(save);
        assert_eq!((name, data, word), ("Ada", &[1, 2, 3][..], "axe"));
        assert!(heights.eq([0.5, 1.5]));
        assert!(bytes.ends_with(rest));
    }
    assert_eq!(name(&bytes)?, "Ada");
    Ok(())
}
