//! [`Bytes`]: bytes that the library allocates. [`Text`]: a text in the caller's bytes.

use std::ffi::c_char;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr;

use crate::border::{Result, list};
use crate::error::Failure;

/// Bytes that the library allocated. A zeroed struct has no bytes. The caller may change the bytes.
#[repr(C)]
#[derive(Debug)]
pub struct Bytes {
    /// The first byte.
    pub data: *mut u8,
    /// The number of bytes.
    pub len: usize,
    /// The number of allocated bytes.
    pub capacity: usize,
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        let mut bytes = ManuallyDrop::new(bytes);
        Self { data: bytes.as_mut_ptr(), len: bytes.len(), capacity: bytes.capacity() }
    }
}

/// Gives bytes to the caller, who frees them.
pub(crate) fn give<'a>(place: Option<&mut MaybeUninit<Bytes>>, bytes: Vec<u8>) -> Result<'a> {
    let null = Failure::argument("the pointer to the place for the bytes is null");
    place.ok_or(null)?.write(bytes.into());
    Ok(())
}

/// Frees bytes of this library, and zeroes the struct. Zeroed bytes and NULL are accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_bytes_free(bytes: Option<&mut Bytes>) {
    let Some(bytes) = bytes else { return };
    let Bytes { data, capacity, .. } = *bytes;
    *bytes = Bytes { data: ptr::null_mut(), len: 0, capacity: 0 };
    if !data.is_null() {
        // SAFETY: the caller promises that the bytes came from this library, which made them from a vector. Bytes have
        // no destructor, so the length 0 is also correct.
        drop(unsafe { Vec::from_raw_parts(data, 0, capacity) });
    }
}

/// A text in the caller's bytes. It does not end with a NUL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte.
    pub data: *const c_char,
    /// The number of bytes.
    pub len: usize,
}

impl Text {
    pub(crate) const NONE: Self = Self { data: ptr::null(), len: 0 };

    /// The bytes of the text.
    ///
    /// # Safety
    /// The rules in the section "Safety" of this crate's documentation apply.
    pub(crate) unsafe fn bytes<'a>(&self) -> Result<'a, &'a [u8]> {
        // SAFETY: the caller of this function makes the same promise.
        unsafe { list(self.data.cast(), self.len) }
    }
}

impl From<&[u8]> for Text {
    fn from(text: &[u8]) -> Self {
        Self { data: text.as_ptr().cast(), len: text.len() }
    }
}

/// The failure of a write to a vector. It does not happen, since a vector accepts every byte.
pub(crate) fn full<'a>(error: &std::io::Error) -> Failure<'a> {
    Failure::new(crate::code::VARIANT_ERROR_INTERNAL, error.to_string())
}
