//! [`Cursor`]: reads the input, and compares each length that it reads with the bytes that remain. Views hold only
//! bytes that a cursor has checked.

use core::marker::PhantomData;

use crate::error::{Error, ErrorKind, Part, Result};

/// Converts a 32-bit length to `usize`; saturates where `usize` is smaller.
#[inline]
pub(crate) fn size(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// Converts a size to a 32-bit count; saturates.
pub(crate) fn count(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// The unread bytes, and the document offset of their end.
///
/// Reading only shortens the slice, so a position can neither pass the end nor overflow.
#[derive(Debug)]
pub(crate) struct Cursor<'a, E = Error> {
    rest: &'a [u8],
    end: usize,
    fault: PhantomData<fn() -> E>,
}

impl<E> Clone for Cursor<'_, E> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Cursor<'_, E> {}

impl<'a, E: Fault> Cursor<'a, E> {
    /// A cursor over `bytes`, which start at `offset` of the document.
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self { rest: bytes, end: offset.wrapping_add(bytes.len()), fault: PhantomData }
    }

    /// The same position with another error type.
    #[inline]
    pub(crate) const fn with_fault<F>(self) -> Cursor<'a, F> {
        Cursor { rest: self.rest, end: self.end, fault: PhantomData }
    }

    /// The document offset of the next byte.
    #[inline]
    pub(crate) const fn offset(&self) -> usize {
        // No underflow: `rest` never grows.
        self.end.wrapping_sub(self.rest.len())
    }

    #[inline]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The cursor moved forward to `rest`, which must be a suffix of the unread bytes.
    #[inline]
    pub(crate) const fn with_rest(self, rest: &'a [u8]) -> Self {
        Self { rest, ..self }
    }

    /// A cursor `len` bytes further on, or at the end if fewer bytes remain.
    #[inline]
    pub(crate) fn behind(mut self, len: usize) -> Self {
        self.take_up_to(len);
        self
    }

    #[inline]
    pub(crate) fn error(&self, kind: ErrorKind) -> E {
        E::new(kind, self.offset())
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize, part: Part) -> Result<&'a [u8], E> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.truncated(len, part));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// The next `len` bytes, or all unread bytes if fewer remain.
    #[inline]
    pub(crate) fn take_up_to(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, part: Part) -> Result<[u8; N], E> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.truncated(N, part));
        };
        self.rest = rest;
        Ok(*taken)
    }

    /// The next `u32`, little-endian.
    #[inline]
    pub(crate) fn u32(&mut self, part: Part) -> Result<u32, E> {
        self.array(part).map(u32::from_le_bytes)
    }

    /// The next `u64`, little-endian.
    #[inline]
    pub(crate) fn u64(&mut self, part: Part) -> Result<u64, E> {
        self.array(part).map(u64::from_le_bytes)
    }

    /// The next `u32` as a length; an error if engines would read it as negative.
    #[inline]
    pub(crate) fn length(&mut self, part: Part) -> Result<u32, E> {
        let start = *self;
        let value = self.u32(part)?;
        if value > 0x7fff_ffff {
            return Err(start.error(ErrorKind::NegativeLength { part, value }));
        }
        Ok(value)
    }

    #[inline]
    pub(crate) fn truncated(&self, needed: usize, part: Part) -> E {
        E::truncated(part, needed, self.rest.len(), self.offset())
    }
}

/// The error type of a pass: [`Error`], which has details, or [`Unfit`], which has none.
pub(crate) trait Fault: Copy {
    /// Whether errors have details. If so, a pass counts each value when it reads the value. If not, a pass counts all
    /// items of a container when it enters the container.
    const IS_EXACT: bool;

    fn new(kind: ErrorKind, offset: usize) -> Self;

    fn truncated(part: Part, needed: usize, available: usize, offset: usize) -> Self;
}

impl Fault for Error {
    const IS_EXACT: bool = true;

    #[inline]
    fn new(kind: ErrorKind, offset: usize) -> Self {
        Self::new(kind, offset)
    }

    #[cold]
    fn truncated(part: Part, needed: usize, available: usize, offset: usize) -> Self {
        let (needed, available) = (count(needed), count(available));
        Self::new(ErrorKind::Truncated { part, needed, available }, offset)
    }
}

/// An error without details. A second pass, with the error type [`Error`], finds the details.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unfit;

impl Fault for Unfit {
    const IS_EXACT: bool = false;

    #[inline]
    fn new(_: ErrorKind, _: usize) -> Self {
        Self
    }

    #[inline]
    fn truncated(_: Part, _: usize, _: usize, _: usize) -> Self {
        Self
    }
}

/// The padding of `length` to a multiple of 4, in bytes.
#[inline]
pub(crate) const fn padding(length: u32) -> u32 {
    length.wrapping_neg() & 3
}

/// `length` plus its padding; `length` must be less than 2^31.
#[inline]
pub(crate) const fn padded(length: u32) -> u32 {
    length.wrapping_add(3) & !3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_follow_the_reading() {
        let mut cursor = Cursor::<'_, Error>::new(&[1, 0, 0, 0, 9, 9], 10);
        assert_eq!(cursor.u32(Part::Header), Ok(1));
        assert_eq!(cursor.offset(), 14);
        let error = cursor.u32(Part::Header).unwrap_err();
        assert_eq!(error.offset(), 14);
        assert_eq!(
            error.kind(),
            ErrorKind::Truncated { part: Part::Header, needed: 4, available: 2 }
        );
        assert_eq!(cursor.take_up_to(9), [9, 9]);
        assert_eq!(cursor.offset(), 16);
    }

    #[test]
    fn padding_fills_to_four() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(padding), [0, 3, 2, 1, 0, 3]);
        assert_eq!(padding(u32::MAX), 1);
    }
}
