//! Arguments as the program's own types, by serde.

use serde::de::value::SeqDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{
    self, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple,
    SerializeTupleStruct,
};
use variant_owned::compact;
use variant_serde::{Deserializer, Error, from_view_seed, to_vec_into};
use variant_view::{CompactIter, CompactValues, Dialect, PathStep};

use crate::arguments::Arguments;
use crate::bytes::size;

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
            Self::Values(values) => T::deserialize(Row::new(*values)),
            Self::Bytes([]) => {
                let none = CompactValues::counted(&[], Dialect::Godot4, 0);
                T::deserialize(Row::new(none))
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
    T::deserialize(Row::new(values))
}

fn wrong_count(expected: &dyn de::Expected, found: usize) -> Error {
    de::Error::invalid_length(found, expected)
}

/// Values in a row.
struct Row<'de> {
    values: CompactIter<'de>,
    /// How many have been read.
    read: u32,
}

impl<'de> Row<'de> {
    const fn new(values: CompactValues<'de>) -> Self {
        Self { values: values.iter(), read: 0 }
    }
}

impl<'de> Row<'de> {
    /// A value in the ordinary form, straight from its bytes: a view would have to be made first.
    #[inline]
    fn ordinary<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        bytes: &'de [u8],
    ) -> Result<S::Value, Error> {
        let rest = self.values.rest();
        let mut deserializer = Deserializer::new(bytes, *rest.options());
        let value = seed.deserialize(&mut deserializer);
        let value = value.map_err(|error| error.in_buffer(rest.offset()))?;
        match deserializer.offset() {
            // A type that takes a value without looking at it.
            0 => {
                self.values.next().transpose()?;
            }
            read => self.values.advance(read),
        }
        Ok(value)
    }
}

impl<'de> de::Deserializer<'de> for Row<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let value = visitor.visit_seq(&mut self)?;
        let rest = self.values.rest();
        if rest.is_empty() {
            return Ok(value);
        }
        let read = size(self.read);
        Err(wrong_count(&Fewer(read), read.saturating_add(size_of_row(&rest))))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match size_of_row(&self.values.rest()) {
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
    match values.count() {
        Some(left) => usize::try_from(left).unwrap_or(usize::MAX),
        None => values.iter().count(),
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
        let value = match self.values.ordinary() {
            Some(bytes) => self.ordinary(seed, bytes),
            None => match self.values.next() {
                Some(Ok(view)) => from_view_seed(seed, view),
                Some(Err(error)) => Err(error.into()),
                None => return Ok(None),
            },
        };
        let index = self.read;
        self.read = index.saturating_add(1);
        value.map(Some).map_err(|error| error.below(PathStep::Number(index.into())))
    }

    fn size_hint(&self) -> Option<usize> {
        self.values.rest().count().and_then(|left| usize::try_from(left).ok())
    }
}

/// One array of bytes, bare.
struct One<'de> {
    bytes: &'de [u8],
}

impl<'de> de::Deserializer<'de> for One<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut row = Some(Bytes(self.bytes));
        let value = visitor.visit_seq(OneElement(&mut row))?;
        match row {
            None => Ok(value),
            Some(_) => Err(wrong_count(&Fewer(0), 1)),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(wrong_count(&Fewer(0), 1))
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

/// A sequence of one element.
struct OneElement<'o, 'de>(&'o mut Option<Bytes<'de>>);

impl<'de> SeqAccess<'de> for OneElement<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(bytes) = self.0.take() else { return Ok(None) };
        seed.deserialize(bytes).map(Some).map_err(|error| error.below(PathStep::Number(0)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(usize::from(self.0.is_some()))
    }
}

/// An array of bytes: taken by what takes one with its header (`from_view_seed`).
struct Bytes<'de>(&'de [u8]);

impl Bytes<'_> {
    #[cold]
    fn wrong_kind<T>(&self, expected: &dyn de::Expected) -> Result<T, Error> {
        Err(de::Error::invalid_type(Unexpected::Bytes(self.0), expected))
    }
}

macro_rules! wrong_kind {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $(_: $type,)* visitor: V) -> Result<V::Value, Error> {
            self.wrong_kind(&visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Bytes<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut elements = SeqDeserializer::<_, Error>::new(self.0.iter().map(|&byte| Byte(byte)));
        let value = visitor.visit_seq(&mut elements)?;
        elements.end()?;
        Ok(value)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_bytes(self.0)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
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

    wrong_kind! {
        deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128() deserialize_f32()
        deserialize_f64() deserialize_char() deserialize_str() deserialize_string() deserialize_unit()
        deserialize_unit_struct(&'static str) deserialize_map()
        deserialize_enum(&'static str, &'static [&'static str]) deserialize_identifier()
    }

    forward_to_deserialize_any! { seq tuple tuple_struct struct }
}

/// An element of an array of bytes.
struct Byte(u8);

impl de::IntoDeserializer<'_, Error> for Byte {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> de::Deserializer<'de> for Byte {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64(self.0.into())
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
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
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
