//! [`Gather`]: the numbers of a mathematical value or of a packed array, in wire form.

use std::vec::Vec;

use serde::ser::{Serialize, SerializeStruct};
use variant_view::{Kind, Leaf, Number, NumberType, Numbers, PathStep, Shape, Width};

use super::refuse::{refuse, sequences};
use super::{Error, Result, error, too_large};

/// Whether two names are equal. Most names have one letter, so this case has a fast path.
#[inline(always)]
fn is_same(one: &str, other: &str) -> bool {
    match (one.as_bytes(), other.as_bytes()) {
        ([one], [other]) => one == other,
        _ => one == other,
    }
}

/// A store of numbers of equal size.
pub(super) trait Store: Default {
    /// Stores the bytes of number `at`. Returns false if the store is full.
    fn add<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> bool;
    /// The first `len` bytes.
    fn bytes(&self, len: usize) -> &[u8];
}

impl Store for Vec<u8> {
    #[inline]
    fn add<const N: usize>(&mut self, _: usize, bytes: [u8; N]) -> bool {
        self.extend_from_slice(&bytes);
        true
    }

    #[inline]
    fn bytes(&self, _: usize) -> &[u8] {
        self
    }
}

/// The numbers of one mathematical value, without an allocation: at most 16 of 8 bytes.
pub(super) struct Few([u8; 128]);

impl Default for Few {
    #[inline]
    fn default() -> Self {
        Self([0; 128])
    }
}

impl Store for Few {
    #[inline(always)]
    fn add<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> bool {
        let Some(place) = self.0.as_chunks_mut().0.get_mut(at) else { return false };
        *place = bytes;
        true
    }

    #[inline]
    fn bytes(&self, len: usize) -> &[u8] {
        self.0.get(..len).unwrap_or_default()
    }
}

/// Collects numbers, in any nesting, into a leaf.
pub(super) struct Gather<S> {
    kind: Kind,
    shape: Shape,
    /// The fields of a value, if each field is a number; otherwise empty.
    plain: &'static [(&'static str, &'static [&'static str])],
    /// The width of the widest real so far.
    width: Width,
    store: S,
    /// The count of numbers.
    len: usize,
    /// The number of open sequences.
    level: u32,
    /// Whether the value is an option without a value.
    is_nil: bool,
}

impl Gather<Few> {
    /// The bytes of the value, if it has `shape` and at most four numbers of 4 bytes.
    #[inline(always)]
    pub(super) fn words(&self, shape: Shape) -> Option<[u8; 16]> {
        let are_words = match shape.number {
            NumberType::Real => self.width == Width::W32,
            number => number.bytes(Width::W32) == 4,
        };
        let count = usize::from(shape.count);
        let is_whole = count <= 4 && self.len == count;
        if are_words && is_whole { self.store.0.first_chunk().copied() } else { None }
    }
}

impl<S: Store> Gather<S> {
    #[inline]
    pub(super) fn new(kind: Kind, shape: Shape) -> Self {
        let is_plain = !shape.is_packed && shape.parts.len() == usize::from(shape.count);
        Self {
            kind,
            shape,
            plain: if is_plain { shape.parts } else { &[] },
            width: Width::W32,
            store: S::default(),
            len: 0,
            level: 0,
            is_nil: false,
        }
    }

    pub(super) fn leaf(&self) -> Result<Leaf<'_>> {
        if self.is_nil {
            return Ok(Leaf::Nil);
        }
        let len = self.len.saturating_mul(self.shape.number.bytes(self.width));
        let numbers = Numbers::from_wire(self.kind, self.width, self.store.bytes(len));
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

    #[inline(always)]
    fn add<const N: usize>(&mut self, bytes: [u8; N]) -> Result {
        let at = self.len;
        self.len = at.wrapping_add(1);
        if self.store.add(at, bytes) { Ok(()) } else { Err(self.miscounted()) }
    }

    #[inline]
    fn int(&mut self, value: i64) -> Result {
        match self.shape.number {
            NumberType::Int32 => match i32::try_from(value) {
                Ok(value) => self.add(value.to_le_bytes()),
                Err(_) => Err(self.out_of_range(value)),
            },
            NumberType::Byte => match u8::try_from(value) {
                Ok(value) => self.add([value]),
                Err(_) => Err(self.out_of_range(value)),
            },
            NumberType::Int64 => self.add(value.to_le_bytes()),
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
            self.add(value.to_f32().to_le_bytes())
        } else {
            self.add(value.to_f64().to_le_bytes())
        }
    }

    /// Widens the collected reals to 64 bits, without rounding.
    fn widen(&mut self) {
        self.width = Width::W64;
        let mut wide = S::default();
        let narrow = self.store.bytes(self.len.saturating_mul(4)).as_chunks().0;
        for (at, narrow) in narrow.iter().enumerate() {
            wide.add(at, f64::from(f32::from_le_bytes(*narrow)).to_le_bytes());
        }
        self.store = wide;
    }

    #[expect(clippy::unnecessary_wraps, reason = "`refuse!` calls it")]
    #[inline]
    fn open(&mut self) -> Result<&mut Self> {
        self.level = self.level.wrapping_add(1);
        Ok(self)
    }

    #[inline]
    fn close(&mut self) -> Result {
        self.level = self.level.wrapping_sub(1);
        // An element of a packed array must be complete.
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

    /// If the shape has a part with this name, checks that the field is written at the position of this part.
    #[inline(always)]
    fn check_field(&self, name: &str) -> Result {
        match self.plain.get(self.len) {
            Some((own, _)) if is_same(own, name) => Ok(()),
            _ => self.find_field(name),
        }
    }

    #[inline(never)]
    fn find_field(&self, name: &str) -> Result {
        let at = self.len.checked_rem(self.shape.count.into()).unwrap_or(0);
        let (mut place, mut is_known) = (0_usize, false);
        for (part, fields) in self.shape.parts {
            let is_here = |own: &str, place: usize| own == name && place == at;
            if is_here(part, place) {
                return Ok(());
            }
            is_known |= *part == name;
            for field in *fields {
                if is_here(field, place) {
                    return Ok(());
                }
                is_known |= *field == name;
                place = place.saturating_add(1);
            }
            place = place.saturating_add(usize::from(fields.is_empty()));
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
    refuse!(impossible_variants bool str char unit unit_variant opens map variants wrappers_pass);

    ints! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_u128 u128
    }

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result {
        // The usual case: the number is stored without a conversion.
        if self.shape.number == NumberType::Real && self.width == Width::W32 {
            return self.add(value.to_le_bytes());
        }
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
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<&'g mut Gather<S>> {
        self.open()
    }
}

impl<S: Store> Gather<S> {
    /// Adds the index of the packed array's element to the error.
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
    ['g, S: Store] &'g mut Gather<S>: |own, value| {
        let before = own.len;
        value.serialize(&mut **own).map_err(|error| own.below(error, before))
    },
    |own| own.close()
}

impl<S: Store> SerializeStruct for &mut Gather<S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
        self.check_field(name)?;
        value.serialize(&mut **self)
    }

    #[inline]
    fn end(self) -> Result {
        self.close()
    }
}
