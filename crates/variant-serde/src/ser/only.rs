//! [`Only`]: values of one kind, for elements of declared type.

use serde::ser::Serialize;
use variant_view::{Consumer, Kind};

use super::{Compound, Error, Result, Serializer, error};

/// Takes values that are written as `kind`, and refuses others.
pub(super) struct Only<'s, 'c, C: Consumer> {
    pub(super) to: &'s mut Serializer<'c, C>,
    pub(super) kind: Kind,
}

impl<'s, 'c, C: Consumer> Only<'s, 'c, C> {
    fn of(self, found: Kind) -> Result<&'s mut Serializer<'c, C>> {
        if self.kind == found {
            return Ok(self.to);
        }
        Err(error(format_args!("expected {}, found {found}", self.kind)))
    }
}

macro_rules! leaves {
    ($($kind:ident: $($method:ident $type:ty),*;)*) => {$($(
        fn $method(self, value: $type) -> Result {
            self.of(Kind::$kind)?.$method(value)
        }
    )*)*};
}

macro_rules! containers {
    ($($kind:ident: $method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<Compound<'s, 'c, C>> {
            self.of(Kind::$kind)?.$method($($argument),*)
        }
    )*};
}

impl<'s, 'c, C: Consumer> serde::Serializer for Only<'s, 'c, C> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, 'c, C>;
    type SerializeTuple = Compound<'s, 'c, C>;
    type SerializeTupleStruct = Compound<'s, 'c, C>;
    type SerializeTupleVariant = Compound<'s, 'c, C>;
    type SerializeMap = Compound<'s, 'c, C>;
    type SerializeStruct = Compound<'s, 'c, C>;
    type SerializeStructVariant = Compound<'s, 'c, C>;

    leaves! {
        Bool: serialize_bool bool;
        Int: serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
            serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128;
        Float: serialize_f32 f32, serialize_f64 f64;
        String: serialize_str &str, serialize_char char;
        PackedByteArray: serialize_bytes &[u8];
        Nil: serialize_unit_struct &'static str;
    }

    fn serialize_none(self) -> Result {
        self.of(Kind::Nil)?.serialize_none()
    }

    fn serialize_unit(self) -> Result {
        self.of(Kind::Nil)?.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result {
        self.of(Kind::String)?.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        self.of(Kind::Dictionary)?.serialize_newtype_variant(name, index, variant, value)
    }

    containers! {
        Array: serialize_seq(len: Option<usize>);
        Array: serialize_tuple(len: usize);
        Array: serialize_tuple_struct(name: &'static str, len: usize);
        Dictionary: serialize_map(len: Option<usize>);
        Dictionary: serialize_struct(name: &'static str, len: usize);
        Dictionary: serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize);
        Dictionary: serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize);
    }
}
