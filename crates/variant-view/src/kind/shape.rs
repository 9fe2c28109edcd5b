//! [`Shape`]: the numbers of a kind.

use super::Width;

/// The numbers of a mathematical type or of a packed array, in wire order.
///
/// Returned by [`Kind::shape`](crate::Kind::shape). `bool`, `int` and `float` are scalars and have no shape.
///
/// ```
/// use variant_view::{Kind, NumberType};
///
/// let shape = Kind::Plane.shape().unwrap();
/// assert_eq!((shape.number, shape.count, shape.is_packed), (NumberType::Real, 4, false));
/// let names: Vec<_> = shape.parts.iter().map(|(name, _)| *name).collect();
/// assert_eq!(names, ["normal", "d"]);
/// assert_eq!(Kind::Rect2.shape().unwrap().parts[1], ("size", &["x", "y"][..]));
/// assert!(Kind::Dictionary.shape().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The type of every number.
    pub number: NumberType,
    /// The count of numbers in one value, or in one element of a packed array. At least 1.
    pub count: u8,
    /// Whether the kind is a packed array. If so, each element has `count` numbers and the fields `parts`.
    pub is_packed: bool,
    /// The fields of one value or element, in wire order, each with the names of its numbers. A field that is a number
    /// has an empty list of names. Empty for packed arrays of single numbers. The fields of a
    /// [`Kind::Transform3D`](crate::Kind::Transform3D) are `row0`, `row1`, `row2` and `origin`.
    pub parts: &'static [(&'static str, &'static [&'static str])],
}

/// The type of the numbers of a [`Shape`].
///
/// ```
/// use variant_view::{NumberType, Width};
///
/// assert_eq!(NumberType::Real.bytes(Width::W64), 8);
/// assert_eq!(NumberType::Int32.bytes(Width::W64), 4);
/// assert_eq!(NumberType::Real.with_reals(Width::W32), NumberType::Float32);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberType {
    /// An unsigned byte.
    Byte,
    /// A signed integer of 32 bits.
    Int32,
    /// A signed integer of 64 bits.
    Int64,
    /// A float of 32 bits, in every build of the engine.
    Float32,
    /// A float of 64 bits, in every build of the engine.
    Float64,
    /// A float of 32 or 64 bits: each value has its own [`Width`].
    Real,
}

impl NumberType {
    /// The size of one number in bytes; `reals` is the width of [`NumberType::Real`]. O(1).
    pub const fn bytes(self, reals: Width) -> usize {
        match self {
            Self::Byte => 1,
            Self::Int32 | Self::Float32 => 4,
            Self::Int64 | Self::Float64 => 8,
            Self::Real => reals.bytes(),
        }
    }

    /// [`NumberType::Real`] as the float of that width; other types unchanged. O(1).
    #[must_use]
    pub const fn with_reals(self, width: Width) -> Self {
        match (self, width) {
            (Self::Real, Width::W32) => Self::Float32,
            (Self::Real, Width::W64) => Self::Float64,
            (other, _) => other,
        }
    }

    /// Whether the type is an integer type.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Byte | Self::Int32 | Self::Int64)
    }
}

impl Shape {
    /// The size in bytes of one value, or of one element of a packed array. O(1).
    #[inline]
    #[expect(
        clippy::as_conversions,
        reason = "a `u8` fits into a `usize`, and `From` is not constant"
    )]
    pub const fn bytes(&self, reals: Width) -> usize {
        (self.count as usize).saturating_mul(self.number.bytes(reals))
    }

    /// Whether `numbers` numbers make one value, or whole elements of a packed array. O(1).
    ///
    /// ```
    /// use variant_view::Kind;
    ///
    /// let points = Kind::PackedVector3Array.shape().unwrap();
    /// assert!(points.fits(6) && !points.fits(7));
    /// ```
    pub fn fits(&self, numbers: usize) -> bool {
        let count = usize::from(self.count);
        if self.is_packed { numbers.is_multiple_of(count) } else { numbers == count }
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the value is at most 16"
    )]
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated at build time"
    )]
    pub(crate) const fn new(
        number: NumberType,
        is_packed: bool,
        parts: &'static [(&'static str, &'static [&'static str])],
    ) -> Self {
        let (mut count, mut part) = (0, 0);
        while part < parts.len() {
            let fields = parts[part].1.len();
            count += if fields == 0 { 1 } else { fields };
            part += 1;
        }
        let count = if count == 0 { 1 } else { count as u8 };
        Self { number, count, is_packed, parts }
    }
}

/// Makes a [`Shape`] from `Real { normal[x y z] d }`. Brackets as in `[Real] { x y }` mean a packed array.
macro_rules! shape {
    ($number:tt { $($part:ident $([$($field:ident)*])?)* }) => {
        $crate::kind::Shape::new(
            $crate::kind::shape!(@number $number),
            $crate::kind::shape!(@is_packed $number),
            &[$((stringify!($part), &[$($(stringify!($field)),*)?])),*],
        )
    };
    (@number [$number:ident]) => { $crate::kind::NumberType::$number };
    (@number $number:ident) => { $crate::kind::NumberType::$number };
    (@is_packed [$number:ident]) => { true };
    (@is_packed $number:ident) => { false };
}
pub(crate) use shape;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;

    #[test]
    fn counts_are_those_of_the_fields() {
        let count = |kind: Kind| kind.shape().map(|shape| (shape.count, shape.is_packed));
        assert_eq!(count(Kind::Transform3D), Some((12, false)));
        assert_eq!(count(Kind::Projection), Some((16, false)));
        assert_eq!(count(Kind::Plane), Some((4, false)));
        assert_eq!(count(Kind::PackedByteArray), Some((1, true)));
        assert_eq!(count(Kind::PackedColorArray), Some((4, true)));
        assert_eq!(count(Kind::Int), None);
        // A part without names is one number.
        let count = |parts| Shape::new(NumberType::Real, false, parts).count;
        assert_eq!(count(&[("x", &[]), ("rest", &["a", "b", "c"])]), 4);
        assert_eq!((count(&[("x", &[])]), count(&[])), (1, 1));
    }

    #[test]
    fn sizes_depend_on_the_width_of_reals_only_where_there_are_reals() {
        for shape in Kind::ALL.iter().filter_map(|kind| kind.shape()) {
            let [narrow, wide] = [Width::W32, Width::W64].map(|width| shape.bytes(width));
            assert_eq!(narrow != wide, shape.number == NumberType::Real);
            assert!(shape.fits(shape.count.into()));
            assert_eq!(shape.fits(usize::from(shape.count) * 2), shape.is_packed);
        }
    }
}
