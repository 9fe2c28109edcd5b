//! Reads mathematical values and packed arrays.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use variant_view::{Consumer, Head, Leaf, Number, NumberType, Numbers, Producer as _};

use crate::border::{Result, call, places, put};
use crate::code::Code;
use crate::error::Error;
use crate::names;
use crate::place::Place;
use crate::value::{Value, other_kind};

/// The elements of a packed array, or the numbers of a mathematical value, in the caller's bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    /// The first number. Numbers are little-endian.
    pub data: *const c_void,
    /// The number of numbers.
    pub count: usize,
    /// The type of the numbers, VARIANT_NUMBER_*.
    pub number: u8,
    /// The number of numbers in an element: 1, or 2 for a Vector2, and so on.
    pub per_element: u8,
    /// 1 if `data` can be read as a C array of the type: this machine is little-endian, and the numbers are aligned for it.
    /// Otherwise memcpy, variant_as_doubles, variant_as_floats or variant_as_ints reads them.
    pub is_native: u8,
    /// Zero.
    pub reserved: [u8; 5],
}

/// Finds the numbers of a mathematical value or of a packed array, without a copy. O(1).
///
/// The numbers have the order of the bytes. A vector has x, y and so on; a colour r, g, b and a; a Basis its rows; a
/// Transform3D the rows of its basis and then its origin; a Transform2D x, y and its origin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_packed_of(
    value: Value,
    packed: Option<&mut MaybeUninit<Packed>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that the bytes of the value exist and do not change.
        let place = unsafe { Place::of(value) }?;
        put(packed, of_numbers(&place, |numbers| Packed::of(&numbers))?)
    })
}

impl Packed {
    fn of(numbers: &Numbers<'_>) -> Self {
        let (bytes, number) = (numbers.as_wire_bytes().unwrap_or_default(), numbers.number_type());
        let data = bytes.as_ptr();
        let align = match number {
            NumberType::Byte => 1,
            NumberType::Int32 => align_of::<i32>(),
            NumberType::Int64 => align_of::<i64>(),
            NumberType::Float32 | NumberType::Real => align_of::<f32>(),
            NumberType::Float64 => align_of::<f64>(),
        };
        let is_aligned = data.addr().is_multiple_of(align);
        let is_native =
            is_aligned && (cfg!(target_endian = "little") || number == NumberType::Byte);
        Self {
            data: data.cast(),
            count: numbers.len(),
            number: names::of_number(number),
            per_element: numbers.shape().count,
            is_native: u8::from(is_native),
            reserved: [0; 5],
        }
    }
}

/// Copies the numbers of a mathematical value or of a packed array to doubles, in the order of variant_packed_of. `numbers`
/// has room for `capacity` numbers. `count` receives the number of numbers in the value: if it exceeds `capacity`, only the
/// first ones were written. O(numbers).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_doubles(
    value: Value,
    numbers: *mut f64,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises the bytes of the value, and memory for `capacity` elements.
        let (place, room) = unsafe { (Place::of(value)?, places(numbers, capacity)?) };
        put(count, copy(&place, room, Number::to_f64)?)
    })
}

/// Copies numbers to floats, as variant_as_doubles does. A double becomes the nearest float.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_floats(
    value: Value,
    numbers: *mut f32,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises the bytes of the value, and memory for `capacity` elements.
        let (place, room) = unsafe { (Place::of(value)?, places(numbers, capacity)?) };
        put(count, copy(&place, room, Number::to_f32)?)
    })
}

/// Copies integers, as variant_as_doubles does. For values and arrays of floats, the call fails with
/// VARIANT_ERROR_KIND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_as_ints(
    value: Value,
    numbers: *mut i64,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises the bytes of the value, and memory for `capacity` elements.
        let (place, room) = unsafe { (Place::of(value)?, places(numbers, capacity)?) };
        let is_integer = of_numbers(&place, |numbers| numbers.number_type().is_integer())?;
        if !is_integer {
            return Err(other_kind(&place, "a vector or a packed array of integers"));
        }
        let int = |number| if let Number::Int(int) = number { int } else { 0 };
        put(count, copy(&place, room, int)?)
    })
}

/// Copies as many numbers as `room` holds. Returns the number of all numbers in the value.
fn copy<'a, T>(
    place: &Place<'a>,
    room: &mut [MaybeUninit<T>],
    as_type: impl Fn(Number) -> T,
) -> Result<'a, usize> {
    of_numbers(place, |numbers| {
        for (slot, number) in room.iter_mut().zip(numbers.iter()) {
            slot.write(as_type(number));
        }
        numbers.len()
    })
}

/// The result of `read` for the numbers of a mathematical value or of a packed array.
pub(crate) fn of_numbers<'a, T>(
    place: &Place<'a>,
    read: impl FnOnce(Numbers<'_>) -> T,
) -> Result<'a, T> {
    let mut leaf = OfNumbers { read: Some(read), result: None };
    // A value of another kind has no numbers for `leaf`, so the result stays `None`.
    let _ = place.view()?.feed(&mut leaf);
    leaf.result.ok_or_else(|| other_kind(place, "a vector, a matrix, a Color or a packed array"))
}

/// The result of `read` for the numbers of a packed array.
pub(crate) fn of_packed<'a, T>(
    place: &Place<'a>,
    read: impl FnOnce(Numbers<'_>) -> T,
) -> Result<'a, T> {
    let expected = "a container or a packed array";
    let kind = place.view()?.kind();
    if !kind.shape().is_some_and(|shape| shape.is_packed) {
        return Err(other_kind(place, expected));
    }
    of_numbers(place, read)
}

/// Calls `read` with the numbers of a value, and keeps the result.
struct OfNumbers<F, T> {
    read: Option<F>,
    result: Option<T>,
}

impl<F: FnOnce(Numbers<'_>) -> T, T> Consumer for OfNumbers<F, T> {
    type Error = ();

    fn leaf(&mut self, leaf: Leaf<'_>) -> std::result::Result<(), ()> {
        let Leaf::Numbers(numbers) = leaf else { return Err(()) };
        self.result = self.read.take().map(|read| read(numbers));
        Ok(())
    }

    fn enter(&mut self, _: Head<'_>) -> std::result::Result<(), ()> {
        Err(())
    }

    fn name(&mut self, _: &[u8]) -> std::result::Result<(), ()> {
        Err(())
    }

    fn exit(&mut self) -> std::result::Result<(), ()> {
        Err(())
    }
}
