//! [`PoolSlice`]: the elements of packed arrays, borrowed (docs/format.md, section 2.11).

use core::fmt;
use core::marker::PhantomData;

use bytemuck::{AnyBitPattern, PodCastError};
use zerocopy::FromBytes as _;

use super::node_path::next_text;
use super::{Raw, Real, StrView, Width, Wire, raw_methods};
use crate::bytes::{Cursor, size};
use crate::dialect::Dialect;

/// The elements of a packed array, at any address and on any host.
///
/// * [`PoolSlice::as_wire`]: a slice of little-endian elements, which always exists.
/// * [`PoolSlice::as_native`]: a slice such as `&[f32]`, where the host is little-endian and the bytes
///   happen to be aligned. Values are aligned to 4 bytes from the start of their document at best, so
///   `&[f64]` and `&[i64]` depend on luck.
/// * [`PoolSlice::get`], [`PoolSlice::iter`], [`PoolSlice::copy_to`]: by value, always.
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
pub struct PoolSlice<'a, T> {
    raw: Raw<'a>,
    marker: PhantomData<T>,
}

impl<T> Clone for PoolSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PoolSlice<'_, T> {}

raw_methods!([T] PoolSlice<'a, T>);

/// Bytes of header and count.
const HEAD: usize = 8;

impl<'a, T: Wire> PoolSlice<'a, T> {
    pub(super) const fn new(raw: Raw<'a>) -> Self {
        Self { raw, marker: PhantomData }
    }

    /// The number of elements; they are all there. O(1).
    #[inline]
    pub fn len(&self) -> usize {
        size(self.raw.word(4))
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements as they stand on the wire, without padding. O(1).
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        let len = self.len().saturating_mul(size_of::<T::Le>());
        self.raw.bytes.get(HEAD..).and_then(|bytes| bytes.get(..len)).unwrap_or_default()
    }

    /// The elements as little-endian structures of alignment 1. O(1).
    #[inline]
    pub fn as_wire(&self) -> &'a [T::Le] {
        <[T::Le]>::ref_from_bytes(self.as_bytes()).unwrap_or_default()
    }

    /// The elements as a slice of the host's own type; none on a big-endian host (but of bytes) and
    /// where the address is not aligned. An empty array is always there. O(1).
    #[inline]
    pub fn as_native(&self) -> Option<&'a [T]> {
        self.cast::<T>().ok()
    }

    /// The elements as a slice of your own type, which must have the same size and the same layout:
    /// `cast::<MyVec3>()` of `PoolSlice<Vector3>`. O(1).
    ///
    /// # Errors
    /// [`CastError`] says what is in the way; then read by [`PoolSlice::iter`].
    #[inline]
    pub fn cast<U: AnyBitPattern>(&self) -> Result<&'a [U], CastError> {
        if size_of::<U>() != size_of::<T::Le>() {
            return Err(CastError::Size { expected: size_of::<T::Le>(), found: size_of::<U>() });
        }
        if cfg!(target_endian = "big") && size_of::<U>() > 1 {
            return Err(CastError::BigEndianHost);
        }
        let bytes = self.as_bytes();
        // Both crates refuse an empty slice at an odd address.
        if bytes.is_empty() {
            return Ok(&[]);
        }
        bytemuck::try_cast_slice(bytes).map_err(|error| match error {
            PodCastError::TargetAlignmentGreaterAndInputNotAligned => CastError::Alignment,
            _ => CastError::Size { expected: size_of::<T::Le>(), found: size_of::<U>() },
        })
    }

    /// Element `index`. O(1).
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        self.as_wire().get(index).copied().map(T::from_le)
    }

    /// The elements by value.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + use<'a, T> {
        self.as_wire().iter().copied().map(T::from_le)
    }

    /// Copies the first elements into `target`, as many as fit, and says how many. O(elements).
    pub fn copy_to(&self, target: &mut [T]) -> usize {
        let count = self.len().min(target.len());
        for (place, element) in target.iter_mut().zip(self.iter()) {
            *place = element;
        }
        count
    }

    /// The elements, borrowed where [`PoolSlice::as_native`] is there and copied elsewhere.
    #[cfg(feature = "alloc")]
    pub fn to_cow(&self) -> alloc::borrow::Cow<'a, [T]> {
        match self.as_native() {
            Some(slice) => slice.into(),
            None => self.iter().collect(),
        }
    }
}

impl<T: Wire> fmt::Debug for PoolSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// What keeps elements from being borrowed as the type asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CastError {
    /// The type has not the size of an element.
    Size {
        /// The bytes of an element.
        expected: usize,
        /// The bytes of the type.
        found: usize,
    },
    /// The first element does not stand at a multiple of the type's alignment.
    Alignment,
    /// The host keeps the high byte first.
    BigEndianHost,
}

impl fmt::Display for CastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { expected, found } => {
                write!(f, "type of {found} bytes for elements of {expected}")
            }
            Self::Alignment => f.write_str("elements are not aligned for the type"),
            Self::BigEndianHost => f.write_str("elements are little-endian, the host is not"),
        }
    }
}

impl core::error::Error for CastError {}

/// The elements of a packed array of real vectors, which may be `f32` or `f64` (docs/format.md,
/// section 2.12).
#[derive(Clone, Copy)]
pub struct RealPool<'a, T> {
    /// Its elements are `T` only if the width says so.
    pub(super) pool: PoolSlice<'a, T>,
    pub(super) width: Width,
}

impl<'a, T> RealPool<'a, T> {
    /// The byte of the document at which the value starts.
    pub const fn offset(&self) -> usize {
        self.pool.offset()
    }

    /// The value as it stands on the wire, header included. O(1).
    pub const fn raw_bytes(&self) -> &'a [u8] {
        self.pool.raw_bytes()
    }

    pub(crate) const fn raw(&self) -> Raw<'a> {
        self.pool.raw
    }
}

impl<'a, T: Real> RealPool<'a, T> {
    /// The width of the reals on the wire.
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The number of elements; they are all there. O(1).
    pub fn len(&self) -> usize {
        self.pool.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    /// The elements, if they are `f32`. O(1).
    pub const fn as_f32(&self) -> Option<PoolSlice<'a, T>> {
        match self.width {
            Width::W32 => Some(self.pool),
            Width::W64 => None,
        }
    }

    /// The elements, if they are `f64`. O(1).
    pub const fn as_f64(&self) -> Option<PoolSlice<'a, T::Double>> {
        match self.width {
            Width::W32 => None,
            Width::W64 => Some(PoolSlice::new(self.pool.raw)),
        }
    }

    /// The elements as a slice of the host's own type, if they are `f32` and
    /// [`PoolSlice::as_native`] is there. O(1).
    #[inline]
    pub fn as_native(&self) -> Option<&'a [T]> {
        self.as_f32()?.as_native()
    }

    /// Element `index` in `f32`, rounded where it is wider. O(1).
    pub fn get(&self, index: usize) -> Option<T> {
        match self.as_f64() {
            None => self.pool.get(index),
            Some(wide) => wide.get(index).map(T::narrow),
        }
    }

    /// Element `index` in `f64`, exact. O(1).
    pub fn get_f64(&self, index: usize) -> Option<T::Double> {
        match self.as_f64() {
            None => self.pool.get(index).map(T::widen),
            Some(wide) => wide.get(index),
        }
    }

    /// The elements in `f32`, rounded where they are wider.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone + use<'a, T> {
        let pool = *self;
        (0..self.len()).map(move |i| pool.get(i).unwrap_or(T::zeroed()))
    }

    /// The elements in `f64`, exact.
    pub fn iter_f64(&self) -> impl ExactSizeIterator<Item = T::Double> + Clone + use<'a, T> {
        let pool = *self;
        (0..self.len()).map(move |i| pool.get_f64(i).unwrap_or(bytemuck::Zeroable::zeroed()))
    }
}

impl<T: Real> fmt::Debug for RealPool<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_f64() {
            None => self.pool.fmt(f),
            Some(wide) => wide.fmt(f),
        }
    }
}

/// The strings of a packed array.
#[derive(Clone, Copy)]
pub struct StringPool<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) dialect: Dialect,
}

raw_methods!([] StringPool<'a>);

impl<'a> StringPool<'a> {
    /// The number of strings; they are all there. A negative count reads as none. O(1).
    pub fn len(&self) -> usize {
        match self.raw.word(4) {
            count @ 0..=0x7fff_ffff => size(count),
            _ => 0,
        }
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The strings in order, each without the NUL that its length counts.
    pub fn iter(&self) -> Strings<'a> {
        let bytes = self.raw.bytes.get(HEAD..).unwrap_or_default();
        Strings {
            cursor: Cursor::new(bytes, self.raw.offset.saturating_add(HEAD)),
            remaining: self.len(),
            dialect: self.dialect,
        }
    }

    /// String `index`. O(bytes before it).
    pub fn get(&self, index: usize) -> Option<StrView<'a>> {
        self.iter().nth(index)
    }
}

impl<'a> IntoIterator for StringPool<'a> {
    type Item = StrView<'a>;
    type IntoIter = Strings<'a>;

    fn into_iter(self) -> Strings<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &StringPool<'a> {
    type Item = StrView<'a>;
    type IntoIter = Strings<'a>;

    fn into_iter(self) -> Strings<'a> {
        self.iter()
    }
}

impl fmt::Debug for StringPool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Iterator of [`StringPool::iter`]. O(1) each.
#[derive(Clone, Debug)]
pub struct Strings<'a> {
    cursor: Cursor<'a>,
    remaining: usize,
    dialect: Dialect,
}

impl<'a> Iterator for Strings<'a> {
    type Item = StrView<'a>;

    fn next(&mut self) -> Option<StrView<'a>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let (text, offset) = next_text(&mut self.cursor)?;
        Some(StrView::of_element(text, offset, self.dialect))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for Strings<'_> {}
impl core::iter::FusedIterator for Strings<'_> {}
