//! `refuse!`: a serializer's methods for types that it does not accept. `sequences!`: its methods for sequences.

/// Defines methods of `serde::Serializer` that return the error of the method `unfit`.
macro_rules! refuse {
    ($($what:ident)*) => { $($crate::ser::refuse::refuse!(@$what);)* };
    (@scalars) => { $crate::ser::refuse::refuse!(bool ints floats str char); };
    (@compounds) => { $crate::ser::refuse::refuse!(sequences map structs variants); };
    (@bool) => { $crate::ser::refuse::refuse!(@leaf "a bool": serialize_bool bool); };
    (@ints) => {
        $crate::ser::refuse::refuse!(@leaf "an integer":
            serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
            serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128);
    };
    (@floats) => { $crate::ser::refuse::refuse!(@leaf "a float": serialize_f32 f32, serialize_f64 f64); };
    (@str) => { $crate::ser::refuse::refuse!(@leaf "text": serialize_str &str); };
    (@char) => { $crate::ser::refuse::refuse!(@leaf "a character": serialize_char char); };
    (@bytes) => { $crate::ser::refuse::refuse!(@leaf "bytes": serialize_bytes &[u8]); };
    (@none) => {
        fn serialize_none(self) -> Result {
            Err(self.unfit("nothing"))
        }
    };
    (@unit) => {
        fn serialize_unit(self) -> Result {
            Err(self.unfit("a unit"))
        }

        fn serialize_unit_struct(self, _: &'static str) -> Result {
            Err(self.unfit("a unit"))
        }
    };
    (@unit_variant) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result {
            Err(self.unfit("a variant"))
        }
    };
    (@sequences) => {
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
            Err(self.unfit("a sequence"))
        }

        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
            Err(self.unfit("a tuple"))
        }

        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
            Err(self.unfit("a tuple"))
        }
    };
    // The method `open` accepts sequences of every type.
    (@opens) => {
        #[inline]
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
            self.open()
        }

        #[inline]
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
            self.open()
        }

        #[inline]
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
            self.open()
        }
    };
    (@map) => {
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
            Err(self.unfit("a map"))
        }
    };
    (@structs) => {
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
            Err(self.unfit("a struct"))
        }
    };
    (@variants) => {
        fn serialize_newtype_variant<V: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &V,
        ) -> Result {
            Err(self.unfit("a variant"))
        }

        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant> {
            Err(self.unfit("a variant"))
        }

        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant> {
            Err(self.unfit("a variant"))
        }
    };
    // Wrappers serialize the value inside.
    (@wrappers_pass) => {
        #[inline]
        fn serialize_some<V: serde::Serialize + ?Sized>(self, value: &V) -> Result {
            value.serialize(self)
        }

        #[inline]
        fn serialize_newtype_struct<V: serde::Serialize + ?Sized>(self, _: &'static str, value: &V) -> Result {
            value.serialize(self)
        }
    };
    (@impossible_variants) => {
        type SerializeTupleVariant = serde::ser::Impossible<(), Error>;
        type SerializeMap = serde::ser::Impossible<(), Error>;
        type SerializeStructVariant = serde::ser::Impossible<(), Error>;
    };
    (@impossible) => {
        type SerializeSeq = serde::ser::Impossible<(), Error>;
        type SerializeTuple = serde::ser::Impossible<(), Error>;
        type SerializeTupleStruct = serde::ser::Impossible<(), Error>;
        type SerializeStruct = serde::ser::Impossible<(), Error>;
        $crate::ser::refuse::refuse!(@impossible_variants);
    };
    (@leaf $what:literal: $($method:ident $type:ty),*) => {$(
        fn $method(self, _: $type) -> Result {
            Err(self.unfit($what))
        }
    )*};
}

/// Implements serde's traits for the sequences of a type: `$add` adds an element, `$close` ends the sequence.
macro_rules! sequences {
    ([$($generics:tt)*] $type:ty: |$own:ident, $value:ident| $add:expr, |$end:ident| $close:expr) => {
        $crate::ser::refuse::sequences! {
            [$($generics)*] $type: |$own, $value| $add, |$end| $close;
            SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field
        }
    };
    (
        $generics:tt $type:ty: |$own:ident, $value:ident| $add:expr, |$end:ident| $close:expr;
        $($trait:ident $method:ident),*
    ) => {$(
        $crate::ser::refuse::sequences! { @one $generics $type: |$own, $value| $add, |$end| $close; $trait $method }
    )*};
    (
        @one [$($generics:tt)*] $type:ty: |$own:ident, $value:ident| $add:expr, |$end:ident| $close:expr;
        $trait:ident $method:ident
    ) => {
        impl<$($generics)*> serde::ser::$trait for $type {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<V: serde::Serialize + ?Sized>(&mut self, $value: &V) -> Result {
                let $own = self;
                $add
            }

            #[inline]
            fn end(self) -> Result {
                let $end = self;
                $close
            }
        }
    };
}

pub(super) use {refuse, sequences};
