//! The border between C and Rust: runs the body of a call, and turns the caller's pointers into references.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::code::{Code, VARIANT_OK};
use crate::error::{Error, Failure};

pub(crate) type Result<'a, T = ()> = std::result::Result<T, Failure<'a>>;

/// Runs the body of a call and reports its failure.
pub(crate) fn call<'a>(
    error: Option<&mut MaybeUninit<Error>>,
    body: impl FnOnce() -> Result<'a>,
) -> Code {
    let Err(failure) = attempt(body) else { return VARIANT_OK };
    // The end of an iteration is not a failure, so it does not overwrite the caller's `error`.
    if let (Some(error), false) = (error, matches!(failure, Failure::End)) {
        error.write(report(&failure));
    }
    failure.code()
}

/// Runs the body of a call. A panic does not reach C: it becomes a failure with VARIANT_ERROR_INTERNAL. A panic leaves
/// no half-made state: results are written last, and after a failure a writer can only end its value.
pub(crate) fn attempt<'a, T>(body: impl FnOnce() -> Result<'a, T>) -> Result<'a, T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(Failure::internal()))
}

/// The details of a failure.
pub(crate) fn report(failure: &Failure<'_>) -> Error {
    attempt(|| Ok(failure.report())).unwrap_or_else(|defect| defect.report())
}

/// Writes a result to the memory of the caller. A null pointer is a failure.
pub(crate) fn put<'a, T>(place: Option<&mut MaybeUninit<T>>, value: T) -> Result<'a> {
    let null = Failure::argument("the pointer to the place for the result is null");
    place.ok_or(null)?.write(value);
    Ok(())
}

/// A text that ends with a NUL.
///
/// # Safety
/// The rules in the section "Safety" of this crate's documentation apply.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Result<'a, &'a str> {
    if text.is_null() {
        return Err(Failure::argument("a text is a null pointer"));
    }
    // SAFETY: the caller promises a NUL at the end, and that the text does not change during the call.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::argument("a text is not UTF-8"))
}

/// A text with a length.
///
/// # Safety
/// The rules in the section "Safety" of this crate's documentation apply.
pub(crate) unsafe fn text_of<'a>(text: *const c_char, len: usize) -> Result<'a, &'a str> {
    // SAFETY: the caller of this function makes the same promise.
    let text = unsafe { list(text.cast(), len) }?;
    str::from_utf8(text).map_err(|_| Failure::argument("a text is not UTF-8"))
}

/// The elements at a pointer. A null pointer has no elements.
///
/// # Safety
/// The rules in the section "Safety" of this crate's documentation apply.
pub(crate) unsafe fn list<'a, T>(data: *const T, len: usize) -> Result<'a, &'a [T]> {
    check(data, len)?;
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: the caller promises `len` elements that do not change; `check` refused null and sizes beyond `isize`.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// Memory for `len` elements at a pointer, which a call fills. A null pointer has no memory.
///
/// # Safety
/// The rules in the section "Safety" of this crate's documentation apply.
pub(crate) unsafe fn places<'a, T>(
    data: *mut T,
    len: usize,
) -> Result<'a, &'a mut [MaybeUninit<T>]> {
    check(data, len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: the caller promises memory for `len` elements that nothing else uses; `check` refused null and sizes
    // beyond `isize`.
    Ok(unsafe { slice::from_raw_parts_mut(data.cast(), len) })
}

/// Refuses pointers that cannot have `len` elements.
fn check<'a, T>(data: *const T, len: usize) -> Result<'a> {
    if data.is_null() && len > 0 {
        return Err(Failure::argument("a null pointer has a length other than 0"));
    }
    if !data.is_aligned() && len > 0 {
        return Err(Failure::argument("a pointer to numbers is not aligned for them"));
    }
    let size = len.checked_mul(size_of::<T>()).and_then(|size| isize::try_from(size).ok());
    size.map(drop).ok_or(Failure::argument("a length exceeds the memory"))
}
