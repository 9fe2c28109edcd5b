//! [`PackedSlice`]: the elements of packed arrays, borrowed (docs/spec/format.md#packed-arrays).

use core::fmt;
use core::marker::PhantomData;

use bytemuck::AnyBitPattern;
use zerocopy::FromBytes as _;

use super::{Raw, Wire, raw_methods};
use crate::bytes::size;

/// The elements of a packed array, at any alignment, on any host.
///
/// * [`PackedSlice::as_wire`]: a slice of little-endian elements; always available.
/// * [`PackedSlice::as_native`]: a slice such as `&[f32]`; only on little-endian hosts and if the bytes are
///   aligned. Documents align values to 4 bytes at most, so `&[f64]` and `&[i64]` are aligned by chance.
/// * [`PackedSlice::get`], [`PackedSlice::iter`], [`PackedSlice::copy_to`]: elements by value; always available.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // PackedFloat32Array [1.0, 2.0], as Godot 4 writes it
/// let bytes = [32, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
/// let floats = Document::new(&bytes, Dialect::Godot4).root()?.as_float32s()?;
/// assert_eq!(floats.iter().sum::<f32>(), 3.0);
/// if let Some(slice) = floats.as_native() {
///     assert_eq!(slice, [1.0, 2.0]);
/// }
/// # Ok::<(), variant_view::Error>(())
/// ```
pub struct PackedSlice<'a, T> {
    raw: Raw<'a>,
    marker: PhantomData<T>,
}

impl<T> Clone for PackedSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PackedSlice<'_, T> {}

raw_methods!([T] PackedSlice<'a, T>);

/// The size of header and count in bytes.
pub(super) const HEAD: usize = 8;

impl<'a, T: Wire> PackedSlice<'a, T> {
    pub(super) const fn new(raw: Raw<'a>) -> Self {
        Self { raw, marker: PhantomData }
    }

    /// The number of elements; all are present. O(1).
    #[inline]
    pub fn len(&self) -> usize {
        size(self.raw.word(4))
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements in wire form, without padding. O(1).
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        let len = self.len().saturating_mul(size_of::<T::Le>());
        self.raw.bytes.get(HEAD..).and_then(|bytes| bytes.get(..len)).unwrap_or_default()
    }

    /// The elements as little-endian structures of alignment 1. O(1).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x20\0\0\0\x02\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let floats = Document::new(bytes, Dialect::Godot4).root()?.as_float32s()?; // [1.0, 2.0]
    /// assert_eq!(floats.as_wire()[1].get(), 2.0);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn as_wire(&self) -> &'a [T::Le] {
        <[T::Le]>::ref_from_bytes(self.as_bytes()).unwrap_or_default()
    }

    /// The elements as a native slice. `None` if the bytes are not aligned; an empty array needs no alignment. On a
    /// big-endian host also `None`, except for elements of one byte. O(1).
    #[inline]
    pub fn as_native(&self) -> Option<&'a [T]> {
        self.cast::<T>()
    }

    /// The elements as a slice of another type, which must have the same size and layout. For example,
    /// `cast::<MyVec3>()` for `PackedSlice<Vector3>`. O(1).
    ///
    /// `None` if the type has another size, or if the bytes are not aligned for it. On a big-endian host also `None`,
    /// except for elements of one byte. In these cases use [`PackedSlice::iter`].
    #[inline]
    pub fn cast<U: AnyBitPattern>(&self) -> Option<&'a [U]> {
        let is_native = cfg!(target_endian = "little") || size_of::<U>() == 1;
        if size_of::<U>() != size_of::<T::Le>() || !is_native {
            return None;
        }
        let bytes = self.as_bytes();
        // `bytemuck` refuses an empty slice at an unaligned address.
        if bytes.is_empty() {
            return Some(&[]);
        }
        bytemuck::try_cast_slice(bytes).ok()
    }

    /// Element `index`. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        self.as_wire().get(index).copied().map(T::from_le)
    }

    /// The elements by value. O(1) each.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x20\0\0\0\x02\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let floats = Document::new(bytes, Dialect::Godot4).root()?.as_float32s()?; // [1.0, 2.0]
    /// assert_eq!(floats.iter().len(), 2);
    /// assert!(floats.iter().rev().eq([2.0, 1.0]));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + use<'a, T> {
        self.elements()
    }

    pub(super) fn elements(&self) -> PackedIter<'a, T> {
        PackedIter(self.as_wire().iter())
    }

    /// Copies elements to `target` until either ends; returns the number copied. O(elements).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x20\0\0\0\x02\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let floats = Document::new(bytes, Dialect::Godot4).root()?.as_float32s()?; // [1.0, 2.0]
    /// let mut target = [0.0; 3];
    /// assert_eq!(floats.copy_to(&mut target), 2);
    /// assert_eq!(target, [1.0, 2.0, 0.0]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn copy_to(&self, target: &mut [T]) -> usize {
        let count = self.len().min(target.len());
        for (place, element) in target.iter_mut().zip(self.iter()) {
            *place = element;
        }
        count
    }

    /// The elements: borrowed if [`PackedSlice::as_native`] succeeds, else copied. O(1), or O(elements) and
    /// one allocation.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x20\0\0\0\x02\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let floats = Document::new(bytes, Dialect::Godot4).root()?.as_float32s()?; // [1.0, 2.0]
    /// assert_eq!(floats.to_cow()[..], [1.0, 2.0]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_cow(&self) -> alloc::borrow::Cow<'a, [T]> {
        match self.as_native() {
            Some(slice) => slice.into(),
            None => self.iter().collect(),
        }
    }
}

/// Iterator of [`PackedSlice::iter`].
pub(super) struct PackedIter<'a, T: Wire>(core::slice::Iter<'a, T::Le>);

impl<T: Wire> Clone for PackedIter<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Wire> Iterator for PackedIter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.0.next().copied().map(T::from_le)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        self.0.nth(n).copied().map(T::from_le)
    }

    // A loop over the slice is faster than repeated calls of `next`.
    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, mut f: F) -> B {
        self.0.fold(init, |all, &element| f(all, T::from_le(element)))
    }
}

impl<T: Wire> DoubleEndedIterator for PackedIter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.0.next_back().copied().map(T::from_le)
    }
}

impl<T: Wire> ExactSizeIterator for PackedIter<'_, T> {}

impl<T: Wire> fmt::Debug for PackedSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
