//! The columns: a type for each part of serde's data model, and the crate's types.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use variant_owned::Variant;
use variant_serde::{
    Deserializer, Error, ErrorKind, Packed, RawValue, from_slice, from_variant, from_view,
};
use variant_view::{Dialect, Document, Options};

use super::any::{Any, AnyVisitor, Pairs};

pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// The name of the type in errors, after the word `expected`.
    pub(crate) expected: &'static str,
    pub(crate) read: fn(&[u8], Dialect, Way) -> Found,
}

/// The source of a value.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// The whole document.
    Whole,
    /// The view of the whole document.
    View,
    /// The only element of a document that is an array.
    Element,
    /// The owned value of the whole document.
    Owned,
}

/// The outcome: a value or an error.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) text: String,
    error: Option<Place>,
}

#[derive(Debug, PartialEq)]
struct Place {
    kind: ErrorKind,
    offset: Option<usize>,
    path: String,
    /// The text without path and offset.
    message: String,
}

impl Place {
    /// The parts of an error's text around the message: the path before it, and the offset after it.
    fn around(&self) -> (String, String) {
        let before = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        (before, self.offset.map(|offset| format!(" at byte {offset}")).unwrap_or_default())
    }
}

/// The size of the header and the count of an array, the same in all dialects.
const HEADER: usize = 8;

impl Found {
    fn new<T: fmt::Debug>(outcome: Result<T, Error>) -> Self {
        let error = match outcome {
            Ok(value) => return Self { text: format!("{value:?}"), error: None },
            Err(error) => error,
        };
        let (text, path, offset) = (error.to_string(), error.path().to_owned(), error.offset());
        let place = Place { kind: error.kind(), offset, path, message: String::new() };
        let (before, behind) = place.around();
        let message = text.strip_prefix(&before).and_then(|text| text.strip_suffix(&behind));
        let place = Place { message: message.unwrap().to_owned(), ..place };
        Self { text: format!("error: {text}"), error: Some(place) }
    }

    /// The same error without an offset, for sources without offsets.
    pub(crate) fn without_offset(self) -> Self {
        let Some(mut place) = self.error else { return self };
        place.offset = None;
        let (before, _) = place.around();
        Self { text: format!("error: {before}{}", place.message), error: Some(place) }
    }

    /// The same error for the value inside an array.
    pub(crate) fn within(self) -> Self {
        let Some(mut place) = self.error else { return self };
        let dot =
            if place.path.is_empty() || place.path.starts_with(['[', '{']) { "" } else { "." };
        place.path = format!("[0]{dot}{}", place.path);
        place.offset = place.offset.and_then(|offset| offset.checked_add(HEADER));
        let (before, behind) = place.around();
        Self { text: format!("error: {before}{}{behind}", place.message), error: Some(place) }
    }
}

fn read<'de, T: Deserialize<'de> + fmt::Debug>(
    bytes: &'de [u8],
    dialect: Dialect,
    way: Way,
) -> Found {
    let options = Options::engine(dialect);
    match way {
        Way::Whole => {
            let mut input = Deserializer::new(bytes, options);
            let value = T::deserialize(&mut input);
            assert!(value.is_err() || input.offset() == bytes.len(), "stops at the end");
            Found::new(value)
        }
        Way::View => Found::new(match Document::new(bytes, options).root() {
            Ok(view) => from_view::<T>(view),
            Err(error) => Err(error.into()),
        }),
        Way::Owned => {
            let value = Variant::from_document(&Document::new(bytes, options)).unwrap();
            // The type may borrow from the value, so the value is leaked.
            Found::new(from_variant::<T>(Box::leak(Box::new(value))))
        }
        Way::Element => Found::new(from_slice::<(T,)>(bytes, options).map(|(value,)| value)),
    }
}

macro_rules! columns {
    ($($name:literal: $type:ty, $expected:literal;)*) => {
        pub(crate) const COLUMNS: &[Column] = &[$(Column {
            name: $name,
            expected: $expected,
            read: |bytes, dialect, way| read::<$type>(bytes, dialect, way),
        },)*];
    };
}

columns! {
    "bool": bool, "a boolean";
    "i8": i8, "i8";
    "i16": i16, "i16";
    "i32": i32, "i32";
    "i64": i64, "i64";
    "i128": i128, "i128";
    "u8": u8, "u8";
    "u16": u16, "u16";
    "u32": u32, "u32";
    "u64": u64, "u64";
    "u128": u128, "u128";
    "f32": f32, "f32";
    "f64": f64, "f64";
    "char": char, "a character";
    "&str": &str, "a borrowed string";
    "String": String, "a string";
    "&[u8]": &[u8], "a borrowed byte array";
    "bytes": Bytes, "bytes";
    "byte buf": ByteBuf, "a buffer of bytes";
    "unit": (), "unit";
    "unit struct": Unit, "unit struct Unit";
    "seq": Vec<Any>, "a sequence";
    "tuple": (Any, Any), "a tuple of size 2";
    "tuple struct": Pair, "tuple struct Pair";
    "map": Pairs, "a map";
    "struct": Point, "struct Point";
    "struct by any name": Loose, "struct Loose";
    "enum": Choice, "enum Choice";
    "ignored any": IgnoredAny, "anything at all";
    "option": Optional, "option";
    "newtype struct": New, "tuple struct New";
    "identifier": Identifier, "an identifier";
    "any": Any, "anything";
    "[option]": Vec<Option<Any>>, "a sequence";
    "[newtype struct]": Vec<New>, "a sequence";
    "[enum]": Vec<Choice>, "a sequence";
    "[Variant]": Vec<Variant>, "a sequence";
    "{newtype struct}": BTreeMap<Name, Any>, "a map";
    "Packed<u8>": Packed<'_, u8>, "a packed array of elements of Byte x 1";
    "Packed<f32>": Packed<'_, f32>, "a packed array of elements of Float32 x 1";
    "RawValue": Raw<'_>, "a value in the binary form of Variant";
    "Variant": Variant, "any Variant";
}

#[derive(Debug, Deserialize)]
struct Unit;

/// Wrappers of one value. `Debug` prints only the value, so that types with equal outcomes are grouped.
macro_rules! transparent {
    ($($(#[$attribute:meta])* $name:ident$(<$a:lifetime>)?($type:ty), |$value:ident| $shown:expr;)*) => {$(
        $(#[$attribute])*
        struct $name$(<$a>)?($type);

        impl$(<$a>)? fmt::Debug for $name$(<$a>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Self($value) = self;
                f.write_str(&$shown)
            }
        }
    )*};
}

transparent! {
    #[derive(Deserialize)]
    New(Any), |value| format!("{value:?}");
    Optional(Option<Any>), |value| value.as_ref().map_or("None".to_owned(), |value| format!("{value:?}"));
    /// Requests an identifier.
    Identifier(Any), |value| format!("{value:?}");
    Bytes(Vec<u8>), |bytes| format!("{bytes:?}");
    ByteBuf(Vec<u8>), |bytes| format!("{bytes:?}");
    Raw<'a>(RawValue<'a>), |raw| format!("{} bytes", raw.bytes().len());
}

impl<'de> Deserialize<'de> for Optional {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Option::deserialize(input).map(Self)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        RawValue::deserialize(input).map(Self)
    }
}

impl<'de> Deserialize<'de> for Identifier {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_identifier(AnyVisitor).map(Self)
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "`Debug` prints the field")]
struct Pair(Any, Any);

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "`Debug` prints the field")]
struct Point {
    x: Any,
    y: Any,
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[allow(dead_code, reason = "`Debug` prints the field")]
struct Name(String);

/// A struct with the field names of several kinds: `@class` and `@id` of objects, `position` of rectangles, and others.
#[derive(Deserialize)]
struct Loose {
    #[serde(rename = "@class")]
    class: Option<Any>,
    #[serde(rename = "@id")]
    id: Option<Any>,
    signal: Option<Any>,
    data: Option<Bytes>,
    position: Option<Any>,
    name: Option<Any>,
}

impl fmt::Debug for Loose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, id, signal, data, position, name } = self;
        let mut parts = f.debug_struct("Loose");
        for (field, value) in [
            ("@class", class),
            ("@id", id),
            ("signal", signal),
            ("position", position),
            ("name", name),
        ] {
            if let Some(value) = value {
                parts.field(field, value);
            }
        }
        if let Some(data) = data {
            parts.field("data", data);
        }
        parts.finish()
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "`Debug` prints the field")]
enum Choice {
    Unit,
    Newtype(Any),
    Tuple(Any, Any),
    Struct { x: Any, y: Any },
}

/// Bytes, which are also read from text and from sequences, like the types of `serde_bytes`.
macro_rules! bytes {
    ($($name:ident: $method:ident, $expected:literal;)*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                input.$method(BytesVisitor($expected)).map(Self)
            }
        }
    )*};
}

bytes! {
    Bytes: deserialize_bytes, "bytes";
    ByteBuf: deserialize_byte_buf, "a buffer of bytes";
}

struct BytesVisitor(&'static str);

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_str<E>(self, text: &str) -> Result<Vec<u8>, E> {
        Ok(text.as_bytes().to_vec())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = input.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes)
    }
}
