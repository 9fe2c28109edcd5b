//! Reads any bytes as structs of a program, and writes them again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use variant_owned::EncodeOptions;
use variant_serde::{
    Deserializer, Packed, RawValue, as_packed, as_string_name, as_vector3, from_slice, to_vec,
};
use variant_view::{Limits, Options, Profile, Reader, Width};

use super::choice::choose;

/// Reads the bytes as each of several types, which must not panic. An accepted value is written, and read from the
/// written bytes. This second value must be written as the same bytes. A skipped value must end where a [`Reader`]
/// ends.
pub fn check_serde(data: &[u8]) {
    let Some((options, bytes)) = choose(data) else { return };
    check::<Message>(bytes, options);
    check::<Tagged>(bytes, options);
    check::<Adjacent>(bytes, options);
    check::<Untagged>(bytes, options);
    check::<Record>(bytes, options);
    check::<Flat>(bytes, options);
    check::<Strict>(bytes, options);
    check::<Nested>(bytes, options);
    check::<Vec<f32>>(bytes, options);
    check::<Vec<Option<i64>>>(bytes, options);
    check::<BTreeMap<String, Vec<u8>>>(bytes, options);
    check::<BTreeMap<i64, (bool, f64)>>(bytes, options);
    check::<[[f32; 3]; 3]>(bytes, options);
    check::<(u8, i16, char, Option<u64>)>(bytes, options);
    check::<String>(bytes, options);
    check::<serde_json::Value>(bytes, options);
    check_borrowed(bytes, options);
}

/// Checks types that borrow from the bytes. A raw value must be the start of the bytes.
fn check_borrowed(bytes: &[u8], options: Options) {
    let _ = from_slice::<&str>(bytes, options);
    let _ = from_slice::<Cow<'_, str>>(bytes, options);
    let _ = from_slice::<Packed<'_, f32>>(bytes, options);
    let _ = from_slice::<BTreeMap<Cow<'_, str>, RawValue<'_>>>(bytes, options);
    if let Ok(raw) = from_slice::<RawValue<'_>>(bytes, options) {
        assert!(bytes.starts_with(raw.bytes()), "a raw value is the start of the bytes");
    }
    if options.profile == Profile::Engine {
        let skipped = from_slice::<IgnoredAny>(bytes, options).is_ok();
        assert_eq!(skipped, Reader::new(bytes, options).skip().is_ok(), "skipping");
    }
}

/// The depth of a [`Deserializer`] by default, and the levels of a mathematical value that is written as arrays.
const DEEPEST: u32 = 128 + 4;

fn check<T: DeserializeOwned + Serialize + Debug>(bytes: &[u8], options: Options) {
    let Ok(value) = from_slice::<T>(bytes, options) else { return };
    let writing = EncodeOptions::new(options.dialect);
    // A page of the documentation may lack the kind of a value to write.
    let Ok(written) = to_vec(&value, writing) else { return };
    // Some texts change when they are read again. Text is read without a byte order mark and up to a NUL. A mark after
    // another mark, or after a NUL in a node path, remains. The bits of a NaN may also change, since the conversion of
    // a signalling NaN to another width makes it quiet.
    let printed = format!("{value:?}");
    if ["\\u{feff}", "\\0", "NaN"].iter().any(|changed| printed.contains(changed)) {
        return;
    }
    let reading = Options::engine(options.dialect).limits(Limits::FILE);
    // A type of any values writes a mathematical value, which is not a level, as arrays in each other.
    let mut deeper = Deserializer::new(&written, reading).max_depth(DEEPEST);
    let again = T::deserialize(&mut deeper)
        .unwrap_or_else(|error| panic!("{error} in what was written of {value:?}: {written:?}"));
    // If all floats of the dialect have 32 bits, wider floats change: they are rounded, or become infinite.
    if options.dialect.float_width() == Some(Width::W32) {
        return;
    }
    let twice = to_vec(&again, writing).map_err(|error| error.to_string());
    assert_eq!(twice.as_deref(), Ok(&*written), "{value:?} became {again:?}");
}

#[derive(Debug, Serialize, Deserialize)]
enum Message {
    Ping,
    Say(String),
    Move(f32, f64, i8),
    Join { name: String, team: Option<u8> },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Ping,
    Join { name: String, team: Option<u8> },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
enum Adjacent {
    Ping,
    Say(String),
    Move(f32, f64),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Text(String),
    Many(Vec<Self>),
    Named(BTreeMap<String, Self>),
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    id: u32,
    #[serde(with = "as_string_name")]
    name: String,
    #[serde(default)]
    hp: f64,
    #[serde(with = "as_vector3")]
    pos: [f32; 3],
    #[serde(alias = "on", rename = "is_on")]
    on: bool,
    #[serde(default, with = "as_packed")]
    heights: Vec<f32>,
    #[serde(skip)]
    _cache: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Flat {
    id: i64,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    x: i32,
    y: Option<i32>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Nested {
    inner: Option<Box<Self>>,
}
