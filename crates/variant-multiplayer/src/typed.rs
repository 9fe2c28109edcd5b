//! Arguments as the program's own types, by serde.

use serde::de::value::{BorrowedBytesDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{
    self, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple,
    SerializeTupleStruct,
};
use variant_owned::compact;
use variant_serde::{Error, from_view_seed, to_vec_into};
use variant_view::{CompactValues, Dialect};

use crate::arguments::Arguments;

impl<'a> Arguments<'a> {
    /// The arguments as a tuple, a tuple struct, or a struct whose fields are in the order of the arguments; `()` if there
    /// are none. Text and bytes are borrowed from the packet. O(bytes).
    ///
    /// ```
    /// use variant_multiplayer::{Message, Packet};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Chat<'a> {
    ///     channel: u8,
    ///     text: &'a str,
    /// }
    ///
    /// let packet = Packet::parse(b"\0\x01\0\x02\x02\x05\x04\0\0\0\x02\0\0\0hi\0\0")?;
    /// let Message::Rpc(rpc) = packet.message else { panic!("not a call") };
    /// let chat: Chat<'_> = rpc.arguments.decode()?;
    /// assert_eq!((chat.channel, chat.text), (5, "hi"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first argument that is damaged or does not fit, and another number of arguments than `T` has.
    #[inline]
    pub fn decode<T: Deserialize<'a>>(&self) -> Result<T, Error> {
        match self {
            Self::Values(values) => T::deserialize(Row { values: *values }),
            Self::Bytes([]) => {
                let none = CompactValues::counted(&[], Dialect::Godot4, 0);
                T::deserialize(Row { values: none })
            }
            Self::Bytes(bytes) => T::deserialize(One { bytes }),
        }
    }
}

/// Values in a row in the compact form, such as the state of a synchronizer: a tuple, a struct, a sequence or `()`. O(bytes).
///
/// ```
/// assert_eq!(variant_multiplayer::to_row(&(5, true))?, [2, 5, 0x81]);
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// What is no row, and a value that Godot 4 cannot hold.
pub fn to_row<T: Serialize + ?Sized>(values: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    values.serialize(Writing(&mut bytes))?;
    Ok(bytes)
}

/// A row of values as a tuple, a struct or a sequence; the inverse of [`to_row`]. O(bytes).
///
/// # Errors
/// Those of [`Arguments::decode`].
pub fn from_row<'a, T: Deserialize<'a>>(values: CompactValues<'a>) -> Result<T, Error> {
    T::deserialize(Row { values })
}

fn wrong_count(expected: &dyn de::Expected, found: usize) -> Error {
    de::Error::invalid_length(found, expected)
}

/// Values in a row.
struct Row<'de> {
    values: CompactValues<'de>,
}

impl<'de> de::Deserializer<'de> for Row<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let all = self.values;
        let value = visitor.visit_seq(&mut self)?;
        if self.values.is_at_end() {
            return Ok(value);
        }
        let (all, left) = (size_of_row(&all), size_of_row(&self.values));
        Err(wrong_count(&Fewer(all.saturating_sub(left)), all))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match size_of_row(&self.values) {
            0 => visitor.visit_unit(),
            found => Err(wrong_count(&Fewer(0), found)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// How many values are to come; where only the end of the bytes tells, they are counted.
fn size_of_row(values: &CompactValues<'_>) -> usize {
    match values.remaining() {
        Some(left) => usize::try_from(left).unwrap_or(usize::MAX),
        None => values.count(),
    }
}

/// What a type takes that has been given more.
struct Fewer(usize);

impl de::Expected for Fewer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} arguments", self.0)
    }
}

impl<'de> SeqAccess<'de> for Row<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.values.next() {
            None => Ok(None),
            Some(Ok(view)) => from_view_seed(seed, view).map(Some),
            Some(Err(error)) => Err(error.into()),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.values.remaining().and_then(|left| usize::try_from(left).ok())
    }
}

/// One array of bytes, bare.
struct One<'de> {
    bytes: &'de [u8],
}

impl<'de> de::Deserializer<'de> for One<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut row = SeqDeserializer::new(core::iter::once(Bytes(self.bytes)));
        let value = visitor.visit_seq(&mut row)?;
        row.end()?;
        Ok(value)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option seq tuple
        tuple_struct map struct enum identifier ignored_any unit unit_struct
    }
}

/// The elements of an array of bytes: bytes for a type that takes bytes, numbers for one that takes a sequence.
struct Bytes<'de>(&'de [u8]);

impl<'de> de::IntoDeserializer<'de, Error> for Bytes<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> de::Deserializer<'de> for Bytes<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        BorrowedBytesDeserializer::new(self.0).deserialize_any(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut elements = SeqDeserializer::<_, Error>::new(self.0.iter().copied());
        let value = visitor.visit_seq(&mut elements)?;
        elements.end()?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        tuple_struct map struct enum identifier ignored_any unit unit_struct
    }
}

/// Writes each element of a sequence as an argument; gives their number.
pub(crate) struct Writing<'b>(pub(crate) &'b mut Vec<u8>);

/// Arguments that are being written.
pub(crate) struct Written<'b> {
    bytes: &'b mut Vec<u8>,
    count: usize,
}

impl Written<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let start = self.bytes.len();
        to_vec_into(value, Dialect::Godot4, self.bytes)?;
        compact::in_place(self.bytes, start, Dialect::Godot4);
        self.count = self.count.saturating_add(1);
        Ok(())
    }
}

fn no_list() -> Error {
    ser::Error::custom("arguments are a tuple, a struct, a sequence or ()")
}

macro_rules! no_lists {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method(self $(, _: $type)*) -> Result<usize, Error> {
            Err(no_list())
        }
    )*};
}

impl<'b> ser::Serializer for Writing<'b> {
    type Ok = usize;
    type Error = Error;
    type SerializeSeq = Written<'b>;
    type SerializeTuple = Written<'b>;
    type SerializeTupleStruct = Written<'b>;
    type SerializeTupleVariant = Impossible<usize, Error>;
    type SerializeMap = Impossible<usize, Error>;
    type SerializeStruct = Written<'b>;
    type SerializeStructVariant = Impossible<usize, Error>;

    no_lists! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_u8(u8)
        serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_f32(f32) serialize_f64(f64)
        serialize_char(char) serialize_str(&str) serialize_bytes(&[u8]) serialize_none()
        serialize_unit_variant(&'static str, u32, &'static str)
    }

    fn serialize_unit(self) -> Result<usize, Error> {
        Ok(0)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<usize, Error> {
        Ok(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<usize, Error> {
        value.serialize(self)
    }

    /// A tuple struct of one field is one argument.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<usize, Error> {
        let mut written = Written { bytes: self.0, count: 0 };
        written.add(value)?;
        Ok(written.count)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<usize, Error> {
        Err(no_list())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Written<'b>, Error> {
        Ok(Written { bytes: self.0, count: 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Written<'b>, Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Written<'b>, Error> {
        self.serialize_seq(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Written<'b>, Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<usize, Error>, Error> {
        Err(no_list())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Impossible<usize, Error>, Error> {
        Err(no_list())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<usize, Error>, Error> {
        Err(no_list())
    }
}

macro_rules! elements {
    ($($trait:ident::$method:ident($($name:ty)?))*) => {$(
        impl $trait for Written<'_> {
            type Ok = usize;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? value: &T) -> Result<(), Error> {
                self.add(value)
            }

            fn end(self) -> Result<usize, Error> {
                Ok(self.count)
            }
        }
    )*};
}

elements! {
    SerializeSeq::serialize_element()
    SerializeTuple::serialize_element()
    SerializeTupleStruct::serialize_field()
    SerializeStruct::serialize_field(&'static str)
}
