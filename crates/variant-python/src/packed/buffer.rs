//! The buffer protocol, which gives Python access to memory. This module has all `unsafe` code of this crate, except
//! the call of [`fill`].

use std::ffi::{CStr, c_int};
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use variant_view::NumberType;

/// The layout of numbers in the form of the buffer protocol. It does not move while its array exists.
#[derive(Debug)]
pub(super) struct Layout {
    format: &'static CStr,
    item_bytes: ffi::Py_ssize_t,
    dimensions: c_int,
    shape: [ffi::Py_ssize_t; 2],
    strides: [ffi::Py_ssize_t; 2],
}

impl Layout {
    /// The layout of `len` bytes that consist of elements with `count` numbers each.
    pub(super) fn new(number: NumberType, count: u8, len: usize) -> Self {
        let size = |size: usize| ffi::Py_ssize_t::try_from(size).unwrap_or(ffi::Py_ssize_t::MAX);
        let item_bytes = number.bytes(variant_view::Width::W32);
        let element_bytes = item_bytes.saturating_mul(count.into());
        let elements = size(len.checked_div(element_bytes).unwrap_or(0));
        let dimensions = if count == 1 { 1 } else { 2 };
        Self {
            format: format(number),
            item_bytes: size(item_bytes),
            dimensions,
            shape: [elements, count.into()],
            strides: [size(element_bytes), size(item_bytes)],
        }
    }

    /// Whether the layout is also in Fortran order (first index fastest).
    fn is_fortran(&self) -> bool {
        let [elements, _] = self.shape;
        self.dimensions == 1 || elements <= 1
    }
}

/// The format of the numbers, which are little-endian in a document. On a big-endian machine the format states the byte
/// order.
const fn format(number: NumberType) -> &'static CStr {
    match (number, cfg!(target_endian = "little")) {
        (NumberType::Byte, _) => c"B",
        (NumberType::Int32, true) => c"i",
        (NumberType::Int32, false) => c"<i",
        (NumberType::Int64, true) => c"q",
        (NumberType::Int64, false) => c"<q",
        (NumberType::Float64, true) => c"d",
        (NumberType::Float64, false) => c"<d",
        (_, true) => c"f",
        (_, false) => c"<f",
    }
}

/// Gives Python access to `bytes` of `owner`, with this `layout`. O(1).
///
/// # Errors
/// Python requests writable memory, or Fortran order when the numbers do not have this order.
///
/// # Safety
/// `view` is null, or valid for writes. `bytes` and `layout` are parts of `owner`: they neither move nor change while
/// `owner` exists.
#[expect(unsafe_code, reason = "a `Py_buffer` consists of raw pointers")]
pub(super) unsafe fn fill(
    owner: &Bound<'_, PyAny>,
    bytes: &[u8],
    layout: &Layout,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    let asks = |flag: c_int| flags & flag == flag;
    if view.is_null() {
        return Err(PyBufferError::new_err("there is no view to fill"));
    }
    let refusal = if asks(ffi::PyBUF_WRITABLE) {
        Some("a packed array is immutable")
    } else if asks(ffi::PyBUF_F_CONTIGUOUS)
        && !asks(ffi::PyBUF_ANY_CONTIGUOUS)
        && !layout.is_fortran()
    {
        Some("the numbers are in C order")
    } else {
        None
    };
    if let Some(refusal) = refusal {
        // SAFETY: `view` is valid for writes. After an error the view has no owner, as the protocol requires.
        unsafe { (*view).obj = ptr::null_mut() };
        return Err(PyBufferError::new_err(refusal));
    }
    let is_asked = |flag: c_int, pointer: *const ffi::Py_ssize_t| {
        if asks(flag) { pointer.cast_mut() } else { ptr::null_mut() }
    };
    let has_shape = asks(ffi::PyBUF_ND);
    // SAFETY: `view` is valid for writes, so its fields may be set. Its pointers point into `owner`, to which the view
    // holds a reference until Python releases the view. The exposed memory is only read: `readonly` is set, and
    // requests for a writable buffer were refused. Numbers may be unaligned: the protocol does not require alignment.
    unsafe {
        (*view).obj = owner.clone().into_ptr();
        (*view).buf = bytes.as_ptr().cast_mut().cast();
        (*view).len = ffi::Py_ssize_t::try_from(bytes.len()).unwrap_or(ffi::Py_ssize_t::MAX);
        (*view).readonly = 1;
        (*view).itemsize = layout.item_bytes;
        (*view).format = if asks(ffi::PyBUF_FORMAT) {
            layout.format.as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).ndim = if has_shape { layout.dimensions } else { 1 };
        (*view).shape = is_asked(ffi::PyBUF_ND, layout.shape.as_ptr());
        (*view).strides = is_asked(ffi::PyBUF_STRIDES, layout.strides.as_ptr());
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
    }
    Ok(())
}
