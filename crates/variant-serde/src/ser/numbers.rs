//! [`Gather`]: the numbers of a mathematical value or of a packed array, in wire form.

use std::vec::Vec;

use serde::ser::{Serialize, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct};
use variant_view::{Kind, Leaf, Number, NumberType, Numbers, PathStep, Shape, Width};

use super::refuse::refuse;
use super::{Error, Result, error, too_large};

/// A store of numbers.
pub(super) trait Store: Default {
    /// Adds the bytes of a number; false if it is one too many.
    fn add(&mut self, bytes: &[u8]) -> bool;
    fn bytes(&self) -> &[u8];
}

impl Store for Vec<u8> {
    #[inline]
    fn add(&mut self, bytes: &[u8]) -> bool {
        self.extend_from_slice(bytes);
        true
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// The bytes of the largest mathematical value: 16 numbers of 8 bytes.
const MAX: usize = 128;

/// The numbers of one mathematical value, without an allocation.
pub(super) struct Few {
    bytes: [u8; MAX],
    len: usize,
}

impl Default for Few {
    #[inline]
    fn default() -> Self {
        Self { bytes: [0; MAX], len: 0 }
    }
}

impl Store for Few {
    #[inline]
    fn add(&mut self, bytes: &[u8]) -> bool {
        let end = self.len.saturating_add(bytes.len());
        let Some(place) = self.bytes.get_mut(self.len..end) else { return false };
        place.copy_from_slice(bytes);
        self.len = end;
        true
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// Takes numbers, however they are nested, and gives them as a leaf.
pub(super) struct Gather<S> {
    kind: Kind,
    shape: Shape,
    /// The width of reals: that of the widest so far.
    width: Width,
    store: S,
    /// The number of numbers.
    len: usize,
    /// The number of open sequences.
    level: u32,
    /// Whether the value is an option without a value.
    is_nil: bool,
}

impl<S: Store> Gather<S> {
    #[inline]
    pub(super) fn new(kind: Kind, shape: Shape) -> Self {
        Self {
            kind,
            shape,
            width: Width::W32,
            store: S::default(),
            len: 0,
            level: 0,
            is_nil: false,
        }
    }

    /// The value.
    pub(super) fn leaf(&self) -> Result<Leaf<'_>> {
        if self.is_nil {
            return Ok(Leaf::Nil);
        }
        let numbers = Numbers::from_wire(self.kind, self.width, self.store.bytes());
        numbers.map(Leaf::Numbers).ok_or_else(|| self.miscounted())
    }

    #[cold]
    fn miscounted(&self) -> Error {
        let Self { kind, len, shape: Shape { count, is_packed, .. }, .. } = self;
        let each = if *is_packed { "in each element of" } else { "in" };
        error(format_args!("there are {count} numbers {each} a {kind}, and not {len}"))
    }

    #[cold]
    fn unfit(&self, found: &str) -> Error {
        let made_of = if self.shape.number.is_integer() { "integers" } else { "floats" };
        error(format_args!("a {} is made of {made_of}, and not of {found}", self.kind))
    }

    #[inline]
    fn add(&mut self, bytes: &[u8]) -> Result {
        self.len = self.len.saturating_add(1);
        if self.store.add(bytes) { Ok(()) } else { Err(self.miscounted()) }
    }

    #[inline]
    fn int(&mut self, value: i64) -> Result {
        match self.shape.number {
            NumberType::Int32 => match i32::try_from(value) {
                Ok(value) => self.add(&value.to_le_bytes()),
                Err(_) => Err(self.out_of_range(value)),
            },
            NumberType::Byte => match u8::try_from(value) {
                Ok(value) => self.add(&[value]),
                Err(_) => Err(self.out_of_range(value)),
            },
            NumberType::Int64 => self.add(&value.to_le_bytes()),
            NumberType::Float32 | NumberType::Float64 | NumberType::Real => {
                Err(self.unfit("integers"))
            }
        }
    }

    #[cold]
    fn out_of_range(&self, value: i64) -> Error {
        error(format_args!("{value} is beyond what a number of a {} holds", self.kind))
    }

    #[inline]
    fn float(&mut self, value: Number) -> Result {
        let narrow = match self.shape.number {
            NumberType::Float32 => true,
            NumberType::Float64 => false,
            NumberType::Real => {
                if matches!(value, Number::Float64(_)) && self.width == Width::W32 {
                    self.widen();
                }
                self.width == Width::W32
            }
            NumberType::Byte | NumberType::Int32 | NumberType::Int64 => {
                return Err(self.unfit("floats"));
            }
        };
        if narrow {
            self.add(&value.to_f32().to_le_bytes())
        } else {
            self.add(&value.to_f64().to_le_bytes())
        }
    }

    /// Makes the reals so far wide, exactly.
    fn widen(&mut self) {
        self.width = Width::W64;
        let mut wide = S::default();
        for narrow in self.store.bytes().as_chunks().0 {
            wide.add(&f64::from(f32::from_le_bytes(*narrow)).to_le_bytes());
        }
        self.store = wide;
    }

    #[inline]
    fn open(&mut self) -> &mut Self {
        self.level = self.level.wrapping_add(1);
        self
    }

    #[inline]
    fn close(&mut self) -> Result {
        self.level = self.level.wrapping_sub(1);
        // An element of a packed array must be whole.
        self.check_element(1)
    }

    #[inline]
    fn check_element(&self, level: u32) -> Result {
        if !self.shape.is_packed || self.level != level {
            return Ok(());
        }
        let is_whole = self.len.is_multiple_of(self.shape.count.into());
        if is_whole { Ok(()) } else { Err(self.miscounted()) }
    }

    /// Checks that a field with the name of a part is in that part's place.
    #[inline]
    fn check_field(&self, name: &str) -> Result {
        // If each part is one number, the next part has the index of the next number.
        let Shape { parts, count, is_packed, .. } = self.shape;
        let is_plain = !is_packed && parts.len() == usize::from(count);
        match parts.get(self.len).filter(|_| is_plain) {
            Some(part) if part.name.as_bytes().iter().eq(name.as_bytes()) => Ok(()),
            _ => self.find_field(name),
        }
    }

    #[inline(never)]
    fn find_field(&self, name: &str) -> Result {
        let at = self.len.checked_rem(self.shape.count.into()).unwrap_or(0);
        let (mut place, mut is_known) = (0_usize, false);
        for part in self.shape.parts {
            let is_here = |own: &str, place: usize| own == name && place == at;
            if is_here(part.name, place) {
                return Ok(());
            }
            is_known |= part.name == name;
            for field in part.fields {
                if is_here(field, place) {
                    return Ok(());
                }
                is_known |= *field == name;
                place = place.saturating_add(1);
            }
            place = place.saturating_add(usize::from(part.fields.is_empty()));
        }
        if is_known {
            return Err(error(format_args!(
                "the field {name} is not where a {} has it",
                self.kind
            )));
        }
        Ok(())
    }
}

macro_rules! ints {
    ($($method:ident $type:ty)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result {
            match i64::try_from(value) {
                Ok(value) => self.int(value),
                Err(_) => Err(too_large(value)),
            }
        }
    )*};
}

impl<'g, S: Store> serde::Serializer for &'g mut Gather<S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = &'g mut Gather<S>;
    type SerializeTuple = &'g mut Gather<S>;
    type SerializeTupleStruct = &'g mut Gather<S>;
    type SerializeStruct = &'g mut Gather<S>;
    refuse!(impossible_variants bool str char unit unit_variant map variants wrappers_pass);

    ints! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_u128 u128
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result {
        self.float(value.into())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result {
        self.float(value.into())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result {
        bytes.iter().try_for_each(|&byte| self.int(byte.into()))
    }

    fn serialize_none(self) -> Result {
        if self.level > 0 {
            return Err(self.unfit("nothing"));
        }
        self.is_nil = true;
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<&'g mut Gather<S>> {
        Ok(self.open())
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<&'g mut Gather<S>> {
        Ok(self.open())
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<&'g mut Gather<S>> {
        Ok(self.open())
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<&'g mut Gather<S>> {
        Ok(self.open())
    }
}

macro_rules! sequences {
    ($($trait:ident $method:ident)*) => {$(
        impl<S: Store> $trait for &mut Gather<S> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                let before = self.len;
                value.serialize(&mut **self).map_err(|error| self.below(error, before))
            }

            #[inline]
            fn end(self) -> Result {
                self.close()
            }
        }
    )*};
}

impl<S: Store> Gather<S> {
    /// The error, with the element of a packed array that it is in.
    #[cold]
    fn below(&self, error: Error, before: usize) -> Error {
        if !self.shape.is_packed || self.level != 1 {
            return error;
        }
        let element = before.checked_div(self.shape.count.into()).unwrap_or(0);
        error.below(PathStep::Number(i64::try_from(element).unwrap_or(i64::MAX)))
    }
}

sequences! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

impl<S: Store> SerializeStruct for &mut Gather<S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
        self.check_field(name)?;
        value.serialize(&mut **self)
    }

    #[inline]
    fn end(self) -> Result {
        self.close()
    }
}
