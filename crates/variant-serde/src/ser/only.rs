//! [`Only`]: a serializer for values of one kind, such as the elements of a typed array.

use serde::ser::Serialize;
use variant_view::Kind;

use super::{Compound, Error, Result, Serializer, Target, error};

/// A serializer that accepts values that are written as `kind`, and refuses others.
pub(super) struct Only<'s, T: Target> {
    pub(super) to: &'s mut Serializer<T>,
    pub(super) kind: Kind,
}

impl<'s, T: Target> Only<'s, T> {
    fn of(self, found: Kind) -> Result<&'s mut Serializer<T>> {
        if self.kind == found {
            return Ok(self.to);
        }
        Err(error(format_args!("expected {}, found {found}", self.kind)))
    }
}

macro_rules! calls {
    ($($kind:ident $out:ty: $($method:ident($($argument:ident: $type:ty),*))*;)*) => {$($(
        fn $method(self, $($argument: $type),*) -> Result<$out> {
            self.of(Kind::$kind)?.$method($($argument),*)
        }
    )*)*};
}

impl<'s, T: Target> serde::Serializer for Only<'s, T> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, T>;
    type SerializeTuple = Compound<'s, T>;
    type SerializeTupleStruct = Compound<'s, T>;
    type SerializeTupleVariant = Compound<'s, T>;
    type SerializeMap = Compound<'s, T>;
    type SerializeStruct = Compound<'s, T>;
    type SerializeStructVariant = Compound<'s, T>;

    calls! {
        Bool (): serialize_bool(value: bool);
        Int (): serialize_i8(value: i8) serialize_i16(value: i16) serialize_i32(value: i32) serialize_i64(value: i64)
            serialize_i128(value: i128) serialize_u8(value: u8) serialize_u16(value: u16) serialize_u32(value: u32)
            serialize_u64(value: u64) serialize_u128(value: u128);
        Float (): serialize_f32(value: f32) serialize_f64(value: f64);
        String (): serialize_str(text: &str) serialize_char(text: char)
            serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
        PackedByteArray (): serialize_bytes(bytes: &[u8]);
        Nil (): serialize_none() serialize_unit() serialize_unit_struct(name: &'static str);
        Array Compound<'s, T>: serialize_seq(len: Option<usize>) serialize_tuple(len: usize)
            serialize_tuple_struct(name: &'static str, len: usize);
        Dictionary Compound<'s, T>: serialize_map(len: Option<usize>)
            serialize_struct(name: &'static str, len: usize)
            serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize);
    }

    fn serialize_some<V: Serialize + ?Sized>(self, value: &V) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_struct<V: Serialize + ?Sized>(self, _: &'static str, value: &V) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<V: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &V,
    ) -> Result {
        self.of(Kind::Dictionary)?.serialize_newtype_variant(name, index, variant, value)
    }
}
