//! [`Writing`]: writes a tuple, a struct or a sequence as arguments.

use serde::ser::{
    self, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple,
    SerializeTupleStruct,
};
use variant_serde::{Error, to_vec_into};
use variant_view::Dialect;

use crate::compact;

/// Writes each element or field as an argument. Returns the number of arguments.
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
    ($($out:ty: $($method:ident($($type:ty),*))*;)*) => {$($(
        fn $method(self $(, _: $type)*) -> Result<$out, Error> {
            Err(no_list())
        }
    )*)*};
}

macro_rules! lists {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method(self $(, _: $type)*) -> Result<Written<'b>, Error> {
            Ok(Written { bytes: self.0, count: 0 })
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
        usize: serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
            serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_f32(f32)
            serialize_f64(f64) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8]) serialize_none()
            serialize_unit_variant(&'static str, u32, &'static str);
        Impossible<usize, Error>: serialize_map(Option<usize>)
            serialize_tuple_variant(&'static str, u32, &'static str, usize)
            serialize_struct_variant(&'static str, u32, &'static str, usize);
    }

    lists! {
        serialize_seq(Option<usize>) serialize_tuple(usize) serialize_tuple_struct(&'static str, usize)
        serialize_struct(&'static str, usize)
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

    /// A tuple struct with one field is one argument.
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
