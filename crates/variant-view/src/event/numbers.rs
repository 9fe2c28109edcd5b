//! [`Numbers`]: the numbers of a mathematical value or of a packed array, from the wire or from memory.

use core::fmt;

use zerocopy::{FromBytes as _, IntoBytes as _};

use super::Number;
use crate::bytes::size;
use crate::kind::{Kind, NumberType, Shape, Width};
use crate::view::{VariantView, Wire};

/// The numbers of a mathematical value or of a packed array, in wire order, borrowed. `Copy`, 32 bytes on 64-bit hosts.
///
/// The numbers are stored as little-endian bytes at any address, or as Rust values in memory. Both forms give the same
/// numbers.
///
/// ```
/// use variant_view::{Kind, Number, Numbers, Vector2};
///
/// let points: &[Vector2] = &[Vector2::new(1.0, 2.0)];
/// let numbers = Numbers::of(Kind::PackedVector2Array, &points).unwrap();
/// assert_eq!((numbers.len(), numbers.elements()), (2, 1));
/// assert!(numbers.iter().eq([1.0_f32, 2.0].map(Number::from)));
/// assert!(Numbers::of(Kind::Vector3, &points).is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Numbers<'a> {
    kind: Kind,
    /// The type of the numbers. Reals have the float type of their width.
    number: NumberType,
    source: Source<'a>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    /// Wire bytes. Their length fits the kind, so no number is cut short.
    Wire(&'a [u8]),
    Native(&'a dyn Native),
}

/// The number of bytes that are converted to wire order at a time. It is a multiple of every element's size.
const CHUNK: usize = 960;

/// Rust values in memory, of any type.
trait Native {
    /// The count of numbers.
    fn count(&self) -> usize;
    fn number(&self, index: usize) -> Option<Number>;
    /// Writes as many values as fit, in wire form, from number `first` on. Returns the number of bytes written.
    fn write(&self, first: usize, bytes: &mut [u8]) -> usize;
    /// All values in wire form, if they are stored that way.
    fn wire(&self) -> Option<&[u8]>;
}

impl<T: Wire> Native for &[T] {
    fn count(&self) -> usize {
        self.len().saturating_mul(T::COUNT)
    }

    fn number(&self, index: usize) -> Option<Number> {
        let value = self.get(index.checked_div(T::COUNT)?)?.to_le();
        let size = T::NUMBER.bytes(Width::W32);
        let at = index.checked_rem(T::COUNT)?.saturating_mul(size);
        value.as_bytes().get(at..).map(|bytes| Number::read(bytes, T::NUMBER))
    }

    fn write(&self, first: usize, bytes: &mut [u8]) -> usize {
        let values = first.checked_div(T::COUNT).and_then(|first| self.get(first..));
        let places = bytes.chunks_exact_mut(size_of::<T::Le>());
        let pairs = places.zip(values.unwrap_or_default());
        pairs.fold(0_usize, |written, (place, value)| {
            place.copy_from_slice(value.to_le().as_bytes());
            written.saturating_add(size_of::<T::Le>())
        })
    }

    fn wire(&self) -> Option<&[u8]> {
        T::as_wire_bytes(self)
    }
}

impl<'a> Numbers<'a> {
    /// Numbers in wire form: little-endian, without header, count or padding. `width` is the width of reals. O(1).
    ///
    /// `None` if the kind is not made of numbers, or if `bytes` has the wrong length.
    #[inline]
    pub fn from_wire(kind: Kind, width: Width, bytes: &'a [u8]) -> Option<Self> {
        let shape = kind.shape()?;
        let whole = shape.bytes(width);
        let fits =
            if shape.is_packed { bytes.len().is_multiple_of(whole) } else { bytes.len() == whole };
        fits.then(|| Self::of_whole(kind, shape, width, bytes))
    }

    /// [`Numbers::from_wire`] for bytes of a checked length.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn of_whole(kind: Kind, shape: Shape, width: Width, bytes: &'a [u8]) -> Self {
        Self { kind, number: shape.number.with_reals(width), source: Source::Wire(bytes) }
    }

    /// The numbers of a view, if its kind consists of numbers. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn of_view(view: &VariantView<'a>) -> Option<Self> {
        let kind = view.kind();
        let shape = kind.shape()?;
        let raw = view.raw();
        let narrow = shape.bytes(Width::W32);
        let width = match view {
            // The view has the width, since the size of an empty array does not show the width.
            VariantView::PackedVector2Array(v) => v.width(),
            VariantView::PackedVector3Array(v) => v.width(),
            VariantView::PackedVector4Array(v) => v.width(),
            _ if !shape.is_packed && raw.bytes.len() > narrow.saturating_add(4) => Width::W64,
            _ => Width::W32,
        };
        if !shape.is_packed {
            return Some(Self::of_whole(kind, shape, width, raw.bytes.get(4..)?));
        }
        let len = size(raw.word(4)).saturating_mul(shape.bytes(width));
        Some(Self::of_whole(kind, shape, width, raw.bytes.get(8..)?.get(..len)?))
    }

    /// Borrows a slice in memory: of vectors and the like (`[Vector2]`), or of single numbers (`[f32]`). O(1).
    ///
    /// `None` if `kind` does not consist of numbers of this type, or if `values` has too few or too many numbers.
    #[inline]
    pub fn of<T: Wire>(kind: Kind, values: &'a &'a [T]) -> Option<Self> {
        let shape = kind.shape()?;
        let is_type = shape.number == T::NUMBER
            || (shape.number == NumberType::Real
                && matches!(T::NUMBER, NumberType::Float32 | NumberType::Float64));
        let fits = is_type && shape.fits(values.len().saturating_mul(T::COUNT));
        fits.then_some(Self { kind, number: T::NUMBER, source: Source::Native(values) })
    }

    /// The kind of the value.
    #[inline]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The shape of the kind. O(1).
    #[inline]
    pub fn shape(&self) -> Shape {
        const NONE: Shape =
            Shape { number: NumberType::Byte, count: 1, is_packed: true, parts: &[] };
        // Constructors accept only kinds that have a shape.
        self.kind.shape().unwrap_or(NONE)
    }

    /// The type of each number. Reals have the float type of their width, never [`NumberType::Real`].
    #[inline]
    pub const fn number_type(&self) -> NumberType {
        self.number
    }

    /// The width of the reals; 32 bits if the kind has none. O(1).
    #[inline]
    pub fn width(&self) -> Width {
        match (self.shape().number, self.number) {
            (NumberType::Real, NumberType::Float64) => Width::W64,
            _ => Width::W32,
        }
    }

    /// The number of single numbers: a `Vector2` has 2. O(1).
    pub fn len(&self) -> usize {
        match self.source {
            Source::Wire(bytes) => bytes.len().checked_div(self.number_bytes()).unwrap_or(0),
            Source::Native(values) => values.count(),
        }
    }

    /// Whether there are no numbers, as in an empty packed array. O(1).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of elements of a packed array; 1 for a mathematical value. O(1).
    pub fn elements(&self) -> usize {
        self.len().checked_div(self.shape().count.into()).unwrap_or(0)
    }

    /// The size of the numbers on the wire, in bytes. O(1).
    pub fn wire_len(&self) -> usize {
        self.len().saturating_mul(self.number_bytes())
    }

    /// Number `index`. O(1).
    pub fn get(&self, index: usize) -> Option<Number> {
        match self.source {
            Source::Wire(bytes) => {
                let bytes = bytes.get(index.checked_mul(self.number_bytes())?..)?;
                (!bytes.is_empty()).then(|| Number::read(bytes, self.number))
            }
            Source::Native(values) => values.number(index),
        }
    }

    /// The numbers in wire order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Number> + Clone + use<'a> {
        Iter { numbers: *self, next: 0, len: self.len() }
    }

    /// The numbers in wire form, if that needs no copy. Numbers of a document never need a copy. Numbers in memory need
    /// none if they are single numbers and the host is little-endian. O(1).
    #[inline]
    pub fn as_wire_bytes(&self) -> Option<&'a [u8]> {
        match self.source {
            Source::Wire(bytes) => Some(bytes),
            Source::Native(values) => values.wire(),
        }
    }

    /// Passes the numbers in wire form to `f`, in pieces of whole elements. O(bytes).
    ///
    /// # Errors
    /// The first error of `f`, which ends the loop.
    #[inline]
    pub fn try_for_each_piece<E>(
        &self,
        mut f: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(bytes) = self.as_wire_bytes() {
            return f(bytes);
        }
        let Source::Native(values) = self.source else { return Ok(()) };
        let (mut first, mut buffer) = (0_usize, [0; CHUNK]);
        loop {
            let written = values.write(first, &mut buffer);
            if written == 0 {
                return Ok(());
            }
            f(buffer.get(..written).unwrap_or_default())?;
            let numbers = written.checked_div(self.number_bytes()).unwrap_or(0);
            first = first.saturating_add(numbers);
        }
    }

    /// The numbers as one `T`, if they have the count and the exact width of `T`. O(1).
    ///
    /// ```
    /// use variant_view::{Color, Kind, Numbers};
    ///
    /// let red = Color::new(1.0, 0.0, 0.0, 1.0);
    /// let numbers = Numbers::of(Kind::Color, &[red].as_slice()).and_then(|numbers| numbers.value::<Color>());
    /// assert_eq!(numbers, Some(red));
    /// ```
    #[inline]
    pub fn value<T: Wire>(&self) -> Option<T> {
        if T::NUMBER != self.number {
            return None;
        }
        let read = |bytes: &[u8]| T::Le::read_from_bytes(bytes).ok().map(T::from_le);
        if let Some(bytes) = self.as_wire_bytes() {
            return read(bytes);
        }
        let Source::Native(values) = self.source else { return None };
        // The buffer has room for one number more than the largest value has, to detect excess numbers.
        let mut buffer = [0; 17 * 8];
        let written = values.write(0, &mut buffer);
        read(buffer.get(..written)?)
    }

    /// The elements as `T`s, if they have the exact width of `T`. O(elements), one allocation.
    #[cfg(feature = "alloc")]
    pub fn to_vec<T: Wire>(&self) -> Option<alloc::vec::Vec<T>> {
        if T::NUMBER != self.number || !self.len().is_multiple_of(T::COUNT) {
            return None;
        }
        let mut all = alloc::vec::Vec::with_capacity(self.len().checked_div(T::COUNT)?);
        let outcome = self.try_for_each_piece(|piece| {
            let elements = <[T::Le]>::ref_from_bytes(piece).map_err(drop)?;
            all.extend(elements.iter().copied().map(T::from_le));
            Ok::<_, ()>(())
        });
        outcome.is_ok().then_some(all)
    }

    /// The size of one number in bytes; never 0.
    #[inline]
    const fn number_bytes(&self) -> usize {
        self.number.bytes(Width::W32)
    }
}

impl fmt::Debug for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Iterator of [`Numbers::iter`]. O(1) each.
#[derive(Clone)]
struct Iter<'a> {
    numbers: Numbers<'a>,
    next: usize,
    len: usize,
}

impl Iterator for Iter<'_> {
    type Item = Number;

    #[inline]
    fn next(&mut self) -> Option<Number> {
        let number = self.numbers.get(self.next)?;
        self.next = self.next.saturating_add(1);
        Some(number)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.len.saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

#[cfg(test)]
mod tests;
