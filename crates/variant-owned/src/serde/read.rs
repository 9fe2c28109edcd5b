//! Owned values from any format.

use std::fmt;

use serde_core::de::{
    Deserialize, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};
use variant_view::{Dialect, Document, Objects, Options, Reals};

use super::{de, is_own};
use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::variant::Variant;

/// The name of the newtype that a [`Variant`] requests. `variant-serde` then passes any value as its bytes.
pub(super) const VARIANT: &str = "$variant::Variant, without a loss";
/// The name of the newtype in which `variant-serde` passes these bytes.
pub(super) const RAW: &str = "$variant::Raw";

impl<'de> Deserialize<'de> for Variant {
    /// Any value of any self-describing format. From `variant-serde` and from a `&Variant` the value is exact, and
    /// nothing recurses. From other formats the value is one of: nil, booleans, integers, floats, text, bytes, arrays,
    /// dictionaries. Of equal keys the last value wins.
    ///
    /// # Errors
    /// Those of the format; an integer beyond `i64`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if is_own::<D>() || de::is_own::<D>() {
            deserializer.deserialize_newtype_struct(VARIANT, AnyValue)
        } else {
            deserializer.deserialize_any(AnyValue)
        }
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Variant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Variant, E> {
        Ok(Variant::Nil)
    }

    fn visit_none<E: Error>(self) -> Result<Variant, E> {
        Ok(Variant::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Variant, D::Error> {
        Variant::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Variant, E> {
        Variant::try_from(value).map_err(|_| {
            E::invalid_value(Unexpected::Unsigned(value), &"an integer of 64 bits with sign")
        })
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Variant, E> {
        int(value)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Variant, E> {
        int(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Variant, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Variant, E> {
        Ok(text.into())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Variant, E> {
        Ok(Variant::PackedByteArray(bytes.to_vec()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Variant, E> {
        Ok(Variant::PackedByteArray(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Variant, A::Error> {
        let mut array = Array::new();
        while let Some(element) = elements.next_element::<Variant>()? {
            array.push(element);
        }
        Ok(Variant::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Variant, A::Error> {
        let mut dictionary = Dictionary::new();
        while let Some((key, value)) = pairs.next_entry::<Variant, Variant>()? {
            dictionary.insert(key, value);
        }
        Ok(Variant::Dictionary(dictionary))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Variant, D::Error> {
        match de::handed() {
            Some(value) => Ok(value),
            None => deserializer.deserialize_any(self),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, value: A) -> Result<Variant, A::Error> {
        let (name, content) = value.variant::<String>()?;
        if name == RAW {
            return content.tuple_variant(5, Parts);
        }
        // An enum of another format is accepted if it is a name without content, as serde writes a unit variant.
        content.unit_variant()?;
        Ok(name.into())
    }
}

/// An integer of a type that holds more than `i64` does.
fn int<E: Error>(value: impl TryInto<i64> + Copy + fmt::Display) -> Result<Variant, E> {
    value.try_into().map(Variant::from).map_err(|_| {
        E::custom(format_args!("{value} does not fit into an integer of 64 bits with sign"))
    })
}

/// The bytes of a value, and how to read them.
struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Variant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the parts of a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Variant, A::Error> {
        let missing = || A::Error::custom("expected the parts of a value");
        let bytes = parts.next_element::<&'de [u8]>()?.ok_or_else(missing)?;
        let dialect = parts.next_element::<&str>()?.ok_or_else(missing)?;
        let reals = parts.next_element::<&str>()?.ok_or_else(missing)?;
        let refuses = parts.next_element::<u8>()?.ok_or_else(missing)?;
        let depth = parts.next_element::<u32>()?.ok_or_else(missing)?;
        let dialect: Dialect = dialect.parse().map_err(A::Error::custom)?;
        let reals: Reals = reals.parse().map_err(A::Error::custom)?;
        let objects = if refuses == 0 { Objects::Accept } else { Objects::Refuse };
        let mut options = Options::engine(dialect).reals(reals).objects(objects);
        options.limits.depth = depth;
        Variant::from_document(&Document::new(bytes, options)).map_err(A::Error::custom)
    }
}
