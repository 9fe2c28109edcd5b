//! [`Any`]: accepts every value, and prints the argument of the visitor's method that was called. The printed type of
//! the argument shows which method it was. Borrowed text and bytes are printed without a type.

use std::fmt;

use serde::de::{Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

pub(crate) struct Any(String);

impl fmt::Debug for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(AnyVisitor)
    }
}

/// The methods for values without children.
macro_rules! visit {
    ($($method:ident $type:ty, $name:literal;)*) => {$(
        fn $method<E>(self, value: $type) -> Result<Any, E> {
            Ok(Any(format!(concat!($name, " {:?}"), value)))
        }
    )*};
}

pub(crate) struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visit! {
        visit_bool bool, "bool";
        visit_i8 i8, "i8";
        visit_i16 i16, "i16";
        visit_i32 i32, "i32";
        visit_i64 i64, "i64";
        visit_i128 i128, "i128";
        visit_u8 u8, "u8";
        visit_u16 u16, "u16";
        visit_u32 u32, "u32";
        visit_u64 u64, "u64";
        visit_u128 u128, "u128";
        visit_f32 f32, "f32";
        visit_f64 f64, "f64";
        visit_char char, "char";
        visit_str &str, "str";
        visit_string String, "String";
        visit_bytes &[u8], "bytes";
        visit_byte_buf Vec<u8>, "byte buf";
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Any, E> {
        Ok(Any(format!("{text:?}")))
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Any, E> {
        Ok(Any(format!("{bytes:?}")))
    }

    fn visit_none<E>(self) -> Result<Any, E> {
        Ok(Any("none".to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any("unit".to_owned()))
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<Any, D::Error> {
        Any::deserialize(input).map(|value| Any(format!("some {value:?}")))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, input: D) -> Result<Any, D::Error> {
        Any::deserialize(input).map(|value| Any(format!("newtype {value:?}")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Any, A::Error> {
        let mut elements: Vec<Any> = Vec::new();
        while let Some(element) = input.next_element()? {
            elements.push(element);
        }
        Ok(Any(format!("seq {elements:?}")))
    }

    fn visit_map<A: MapAccess<'de>>(self, input: A) -> Result<Any, A::Error> {
        Ok(Any(format!("map {:?}", Pairs::of(input)?)))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, input: A) -> Result<Any, A::Error> {
        let (name, _): (Any, _) = input.variant()?;
        Ok(Any(format!("enum {name:?}")))
    }
}

/// A map that keeps the order and every pair.
pub(crate) struct Pairs(Vec<(Any, Any)>);

impl Pairs {
    fn of<'de, A: MapAccess<'de>>(mut input: A) -> Result<Self, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = input.next_entry()? {
            pairs.push(pair);
        }
        Ok(Self(pairs))
    }
}

impl fmt::Debug for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(key, value)| (key, value))).finish()
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct PairsVisitor;

        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, input: A) -> Result<Pairs, A::Error> {
                Pairs::of(input)
            }
        }

        input.deserialize_map(PairsVisitor)
    }
}
