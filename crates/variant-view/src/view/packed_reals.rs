//! [`PackedReals`]: packed arrays of real vectors, of either width (docs/spec/format.md#double-precision).

use core::fmt;

use bytemuck::AnyBitPattern;

use super::packed_slice::PackedIter;
use super::{PackedSlice, Raw, Width, Wire};

/// The elements of a packed array of real vectors, in `f32` or `f64` (docs/spec/format.md#double-precision).
///
/// ```
/// use variant_view::{Dialect, Document, VariantView, Vector2};
///
/// // PackedVector2Array [(1, 2)], as Godot 4 writes it
/// let bytes = [35, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
/// let VariantView::PackedVector2Array(points) = Document::new(&bytes, Dialect::Godot4).root()? else {
///     panic!("not an array of Vector2")
/// };
/// assert_eq!(points.get(0), Some(Vector2 { x: 1.0, y: 2.0 }));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct PackedReals<'a, T> {
    /// The array. Its elements are `T` only if `width` is 32 bits.
    pub(super) packed: PackedSlice<'a, T>,
    pub(super) width: Width,
}

impl<'a, T> PackedReals<'a, T> {
    /// The byte offset of the value in the document.
    pub const fn offset(&self) -> usize {
        self.packed.offset()
    }

    /// The bytes of the value, header included. O(1).
    pub const fn raw_bytes(&self) -> &'a [u8] {
        self.packed.raw_bytes()
    }

    pub(crate) const fn raw(&self) -> Raw<'a> {
        self.packed.raw()
    }
}

impl<'a, T: Wire> PackedReals<'a, T> {
    /// The width of the reals on the wire.
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The number of elements; all are present. O(1).
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The elements, if they are `f32` on the wire. O(1).
    pub const fn as_f32(&self) -> Option<PackedSlice<'a, T>> {
        match self.width {
            Width::W32 => Some(self.packed),
            Width::W64 => None,
        }
    }

    /// The elements, if they are `f64` on the wire. O(1).
    pub const fn as_f64(&self) -> Option<PackedSlice<'a, T::Double>> {
        match self.width {
            Width::W32 => None,
            Width::W64 => Some(PackedSlice::new(self.packed.raw())),
        }
    }

    /// The elements as a native slice, if they are `f32` and [`PackedSlice::as_native`] succeeds. O(1).
    #[inline]
    pub fn as_native(&self) -> Option<&'a [T]> {
        self.as_f32()?.as_native()
    }

    /// Element `index` in `f32`; wider reals are rounded. O(1).
    pub fn get(&self, index: usize) -> Option<T> {
        match self.as_f64() {
            None => self.packed.get(index),
            Some(wide) => wide.get(index).map(T::narrow),
        }
    }

    /// Element `index` in `f64`, exact. O(1).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Vector2, Width};
    /// # let bytes = b"\x23\0\0\0\x01\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let points = Document::new(bytes, Dialect::Godot4).root()?.as_vector2s()?; // [(1, 2)], in `f32`
    /// assert_eq!(points.get_f64(0), Some(Vector2::new(1.0_f64, 2.0)));
    /// assert_eq!(points.width(), Width::W32);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn get_f64(&self, index: usize) -> Option<T::Double> {
        match self.as_f64() {
            None => self.packed.get(index).map(T::widen),
            Some(wide) => wide.get(index),
        }
    }

    /// The elements as a slice of another type, which must have the size and layout of the elements on the wire. For
    /// example, `cast::<glam::Vec3>()` for [`Vector3`](super::Vector3)s in `f32`. O(1).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x23\0\0\0\x01\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let points = Document::new(bytes, Dialect::Godot4).root()?.as_vector2s()?; // [(1, 2)]
    /// match points.cast::<[f32; 2]>() {
    ///     Some(pairs) => assert_eq!(pairs, [[1.0, 2.0]]),
    ///     None => assert!(points.iter().map(<[f32; 2]>::from).eq([[1.0, 2.0]])),
    /// }
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// `None` in the cases of [`PackedSlice::cast`]; use [`PackedReals::iter`] then.
    pub fn cast<U: AnyBitPattern>(&self) -> Option<&'a [U]> {
        match self.as_f64() {
            None => self.packed.cast(),
            Some(wide) => wide.cast(),
        }
    }

    /// Copies elements to `target` in `f32` until either ends; returns the number copied. O(elements).
    pub fn copy_to(&self, target: &mut [T]) -> usize {
        let count = self.len().min(target.len());
        for (place, element) in target.iter_mut().zip(self.iter()) {
            *place = element;
        }
        count
    }

    /// The elements in `f32`; wider reals are rounded. O(1) each.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + use<'a, T> {
        match self.as_f64() {
            None => Iter::Single(self.packed.elements()),
            Some(wide) => Iter::Double(wide.elements()),
        }
    }

    /// The elements in `f64`, exact.
    pub fn iter_f64(
        &self,
    ) -> impl ExactSizeIterator<Item = T::Double> + DoubleEndedIterator + Clone + use<'a, T> {
        let packed = *self;
        (0..self.len()).map(move |i| packed.get_f64(i).unwrap_or(bytemuck::Zeroable::zeroed()))
    }
}

/// Iterator of [`PackedReals::iter`].
#[derive(Clone)]
enum Iter<'a, T: Wire> {
    Single(PackedIter<'a, T>),
    Double(PackedIter<'a, T::Double>),
}

impl<T: Wire> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Self::Single(elements) => elements.next(),
            Self::Double(elements) => elements.next().map(T::narrow),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Single(elements) => elements.size_hint(),
            Self::Double(elements) => elements.size_hint(),
        }
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        match self {
            Self::Single(elements) => elements.nth(n),
            Self::Double(elements) => elements.nth(n).map(T::narrow),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(self, init: B, mut f: F) -> B {
        match self {
            Self::Single(elements) => elements.fold(init, f),
            Self::Double(elements) => elements.fold(init, |all, wide| f(all, T::narrow(wide))),
        }
    }
}

impl<T: Wire> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        match self {
            Self::Single(elements) => elements.next_back(),
            Self::Double(elements) => elements.next_back().map(T::narrow),
        }
    }
}

impl<T: Wire> ExactSizeIterator for Iter<'_, T> {}

impl<T: Wire> fmt::Debug for PackedReals<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_f64() {
            None => self.packed.fmt(f),
            Some(wide) => wide.fmt(f),
        }
    }
}
