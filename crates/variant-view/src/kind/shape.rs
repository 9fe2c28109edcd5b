//! [`Shape`]: how a kind is made of numbers. The one table of that, a row a kind.

use super::{Kind, Width};

/// How a mathematical type or a packed array of numbers is made of numbers, in wire order.
///
/// Returned by [`Kind::shape`]. `bool`, `int` and `float` are scalars and have no shape.
///
/// ```
/// use variant_view::{Kind, NumberType};
///
/// let shape = Kind::Plane.shape().unwrap();
/// assert_eq!((shape.number, shape.count, shape.is_packed), (NumberType::Real, 4, false));
/// let names: Vec<_> = shape.parts.iter().map(|part| part.name).collect();
/// assert_eq!(names, ["normal", "d"]);
/// assert!(Kind::Dictionary.shape().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The type of every number.
    pub number: NumberType,
    /// The numbers of one value; of a packed array, of one element. At least 1.
    pub count: u8,
    /// Whether it is a packed array, whose elements repeat `count` and `parts`.
    pub is_packed: bool,
    /// The fields of one value or element, in wire order. Empty for packed arrays of single numbers.
    pub parts: &'static [ShapePart],
}

/// One field of a [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapePart {
    /// The name of the field. Of a [`Kind::Transform3D`] they are `row0`, `row1`, `row2` and `origin`.
    pub name: &'static str,
    /// The names of the field's numbers. Empty where the field itself is one number.
    pub fields: &'static [&'static str],
}

/// The type of the numbers of a [`Shape`].
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
    /// The bytes of one number; `reals` is the width of [`NumberType::Real`]. O(1).
    pub const fn bytes(self, reals: Width) -> usize {
        match self {
            Self::Byte => 1,
            Self::Int32 | Self::Float32 => 4,
            Self::Int64 | Self::Float64 => 8,
            Self::Real => reals.bytes(),
        }
    }

    /// [`NumberType::Real`] as the float of that width; the others unchanged. O(1).
    #[must_use]
    pub const fn with_reals(self, width: Width) -> Self {
        match (self, width) {
            (Self::Real, Width::W32) => Self::Float32,
            (Self::Real, Width::W64) => Self::Float64,
            (other, _) => other,
        }
    }

    /// Whether it is an integer type.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Byte | Self::Int32 | Self::Int64)
    }
}

impl Shape {
    /// The bytes of one value, or of one element of a packed array. O(1).
    #[inline]
    #[expect(
        clippy::as_conversions,
        reason = "a byte fits into a size, and this is a constant function"
    )]
    pub const fn bytes(&self, reals: Width) -> usize {
        (self.count as usize).saturating_mul(self.number.bytes(reals))
    }

    /// Whether so many numbers make one value, or whole elements of a packed array. O(1).
    pub fn fits(&self, numbers: usize) -> bool {
        let count = usize::from(self.count);
        if self.is_packed { numbers.is_multiple_of(count) } else { numbers == count }
    }

    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "16 at most")]
    #[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at build time")]
    const fn new(number: NumberType, is_packed: bool, parts: &'static [ShapePart]) -> Self {
        let (mut count, mut part) = (0, 0);
        while part < parts.len() {
            let fields = parts[part].fields.len();
            count += if fields == 0 { 1 } else { fields };
            part += 1;
        }
        let count = if count == 0 { 1 } else { count as u8 };
        Self { number, count, is_packed, parts }
    }
}

macro_rules! shapes {
    ($d:tt $($kind:ident: $number:tt { $($part:ident $([$($field:ident)*])?)* })*) => {
        impl Kind {
            /// How the kind is made of numbers, if it is. O(1).
            #[inline(always)]
            pub const fn shape(self) -> Option<Shape> {
                match self {
                    $(Self::$kind => Some(const {
                        Shape::new(shapes!(@number $number), shapes!(@is_packed $number), &[$(ShapePart {
                            name: stringify!($part),
                            fields: &[$($(stringify!($field)),*)?],
                        }),*])
                    }),)*
                    _ => None,
                }
            }
        }

        /// What `$make` makes of the shape of a kind, as a constant of each arm; `$other` for kinds without a shape.
        ///
        /// Measured: where the kind is not known before, that is one jump, where [`Kind::shape`] would be two,
        /// and saves up to 6 % (`benches/ablation.py by_shape`).
        macro_rules! by_shape {
            ($d kind:expr, $d make:path, $d other:expr) => {
                match $d kind {
                    $($crate::kind::Kind::$kind => const {
                        match $crate::kind::Kind::$kind.shape() {
                            Some(shape) => $d make(shape),
                            None => $d other,
                        }
                    },)*
                    _ => $d other,
                }
            };
        }
        pub(crate) use by_shape;
    };
    (@number [$number:ident]) => { NumberType::$number };
    (@number $number:ident) => { NumberType::$number };
    (@is_packed [$number:ident]) => { true };
    (@is_packed $number:ident) => { false };
}

// In brackets: the numbers of a packed array.
shapes! { $
    Vector2: Real { x y }
    Vector2i: Int32 { x y }
    Rect2: Real { position[x y] size[x y] }
    Rect2i: Int32 { position[x y] size[x y] }
    Vector3: Real { x y z }
    Vector3i: Int32 { x y z }
    Transform2D: Real { x[x y] y[x y] origin[x y] }
    Vector4: Real { x y z w }
    Vector4i: Int32 { x y z w }
    Plane: Real { normal[x y z] d }
    Quaternion: Real { x y z w }
    Aabb: Real { position[x y z] size[x y z] }
    Basis: Real { row0[x y z] row1[x y z] row2[x y z] }
    Transform3D: Real { row0[x y z] row1[x y z] row2[x y z] origin[x y z] }
    Projection: Real { x[x y z w] y[x y z w] z[x y z w] w[x y z w] }
    Color: Float32 { r g b a }
    PackedByteArray: [Byte] {}
    PackedInt32Array: [Int32] {}
    PackedInt64Array: [Int64] {}
    PackedFloat32Array: [Float32] {}
    PackedFloat64Array: [Float64] {}
    PackedVector2Array: [Real] { x y }
    PackedVector2iArray: [Int32] { x y }
    PackedVector3Array: [Real] { x y z }
    PackedVector3iArray: [Int32] { x y z }
    PackedColorArray: [Float32] { r g b a }
    PackedVector4Array: [Real] { x y z w }
    PackedVector4iArray: [Int32] { x y z w }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_fields() {
        let count = |kind: Kind| kind.shape().map(|shape| (shape.count, shape.is_packed));
        assert_eq!(count(Kind::Transform3D), Some((12, false)));
        assert_eq!(count(Kind::Projection), Some((16, false)));
        assert_eq!(count(Kind::Plane), Some((4, false)));
        assert_eq!(count(Kind::PackedByteArray), Some((1, true)));
        assert_eq!(count(Kind::PackedColorArray), Some((4, true)));
        assert_eq!(count(Kind::Int), None);
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
