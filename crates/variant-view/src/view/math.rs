//! Vectors, rectangles, matrices: the types (docs/spec/format.md#mathematical-types).
//!
//! Every type is `#[repr(C)]` with its fields in wire order and without padding. So on a little-endian host
//! [`PackedSlice::as_native`](crate::PackedSlice::as_native) borrows a slice of the type from the wire.

mod arrays;
mod scalars;

use core::fmt;

use bytemuck::AnyBitPattern;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::kind::{NumberType, Width};

mod sealed {
    /// Restricts [`super::Wire`] to the types of the format.
    pub trait Sealed {}
}

/// A type with a fixed layout on the wire.
///
/// Implemented for the element types of packed arrays and for all mathematical types; sealed.
///
/// ```
/// use variant_view::{Vector3, Wire, zerocopy::IntoBytes};
///
/// let wire = Vector3::new(1_i32, 2, 3).to_le();
/// assert_eq!(wire.as_bytes(), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
/// assert_eq!(Vector3::<i32>::from_le(wire).y, 2);
/// ```
///
/// Double-precision builds write reals in twice the width:
///
/// ```
/// use variant_view::{Vector2, Wire};
///
/// assert_eq!(Vector2::narrow(Vector2::new(0.1, 1e300)), Vector2::new(0.1_f32, f32::INFINITY));
/// ```
pub trait Wire: sealed::Sealed + Copy + PartialEq + fmt::Debug + AnyBitPattern {
    /// The type in wire form: little-endian, aligned to 1 byte.
    type Le: Copy + FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + fmt::Debug;

    /// The same type with each `f32` as an `f64`.
    type Double: Wire;

    /// The type of the numbers in the value.
    const NUMBER: NumberType;

    /// The count of these numbers, at least 1.
    const COUNT: usize = size_of::<Self::Le>() / Self::NUMBER.bytes(Width::W32);

    /// Converts to the host's byte order.
    fn from_le(le: Self::Le) -> Self;

    /// Converts to the byte order of the wire.
    fn to_le(self) -> Self::Le;

    /// Converts each `f32` to `f64`, exactly.
    fn widen(self) -> Self::Double;

    /// If the type has `f32` reals, rounds each real to the nearest `f32`. A real that is too large becomes infinite.
    fn narrow(double: Self::Double) -> Self;

    /// Values in wire form, if that needs no copy. O(1).
    #[inline]
    fn as_wire_bytes(values: &[Self]) -> Option<&[u8]> {
        let _ = values;
        None
    }
}

macro_rules! math {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $how:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, AnyBitPattern,
            FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
        )]
        #[repr(C)]
        pub struct $name<T = f32> {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl<T> $name<T> {
            /// Creates the value from its fields, in wire order.
            #[allow(clippy::too_many_arguments, reason = "one argument for each field")]
            pub const fn new($($field: $type),*) -> Self {
                Self { $($field),* }
            }

            /// Applies `f` to every number.
            #[inline]
            pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> $name<U> {
                let f = &mut f;
                $name { $($field: math!(@$how self.$field, f),)* }
            }
        }

        impl<T: Wire> sealed::Sealed for $name<T> {}

        impl<T: Wire> Wire for $name<T> {
            type Le = $name<T::Le>;
            type Double = $name<T::Double>;

            const NUMBER: NumberType = T::NUMBER;

            #[inline]
            fn from_le(le: Self::Le) -> Self {
                le.map(T::from_le)
            }

            #[inline]
            fn to_le(self) -> Self::Le {
                self.map(T::to_le)
            }

            #[inline]
            fn widen(self) -> Self::Double {
                self.map(T::widen)
            }

            #[inline]
            fn narrow(double: Self::Double) -> Self {
                double.map(T::narrow)
            }
        }
    )*};
    (@number $value:expr, $f:ident) => { $f($value) };
    (@nested $value:expr, $f:ident) => { $value.map(&mut *$f) };
}

math! {
    /// Two numbers.
    ///
    /// ```
    /// use variant_view::Vector2;
    /// let step = Vector2::from([3.0, 4.0]);
    /// assert_eq!((step.x, step.y), (3.0, 4.0));
    /// assert_eq!(step.map(|number| number * 2.0), Vector2::new(6.0, 8.0));
    /// ```
    Vector2 {
        /// First.
        x: T = number,
        /// Second.
        y: T = number,
    }
    /// Three numbers.
    ///
    /// ```
    /// use variant_view::Vector3;
    /// let cell: Vector3<i32> = Vector3::new(1, 2, 3); // the type that `as_vector3i` returns
    /// assert_eq!(<[i32; 3]>::from(cell), [1, 2, 3]);
    /// assert_eq!(cell.map(f64::from).z, 3.0);
    /// ```
    Vector3 {
        /// First.
        x: T = number,
        /// Second.
        y: T = number,
        /// Third.
        z: T = number,
    }
    /// Four numbers.
    ///
    /// ```
    /// use variant_view::Vector4;
    /// let weights = Vector4::from([0.5, 0.25, 0.25, 0.0]);
    /// assert_eq!((weights.x, weights.w), (0.5, 0.0));
    /// assert_eq!(<[f64; 4]>::from(weights).iter().sum::<f64>(), 1.0);
    /// ```
    Vector4 {
        /// First.
        x: T = number,
        /// Second.
        y: T = number,
        /// Third.
        z: T = number,
        /// Fourth.
        w: T = number,
    }
    /// A rectangle along the axes. The size may be negative.
    ///
    /// ```
    /// use variant_view::{Rect2, Vector2};
    /// let view = Rect2::new(Vector2::new(10, 20), Vector2::new(64, 32));
    /// assert_eq!((view.position.x + view.size.x, view.position.y + view.size.y), (74, 52));
    /// ```
    Rect2 {
        /// A corner.
        position: Vector2<T> = nested,
        /// The vector from `position` to the opposite corner.
        size: Vector2<T> = nested,
    }
    /// The points `p` with `normal . p = d`. The normal need not have length 1.
    ///
    /// ```
    /// use variant_view::{Plane, Vector3};
    /// let floor = Plane::new(Vector3::from([0.0, 1.0, 0.0]), 2.0); // y = 2
    /// let height = 3.0; // the y of a point
    /// assert_eq!(floor.normal.y * height - floor.d, 1.0);
    /// ```
    Plane {
        /// Perpendicular to the plane.
        normal: Vector3<T> = nested,
        /// The distance from the origin along the normal, if the normal has length 1.
        d: T = number,
    }
    /// A rotation. Its length need not be 1.
    ///
    /// ```
    /// use variant_view::Quaternion;
    /// let half_turn = Quaternion::from([0.0, 1.0, 0.0, 0.0]); // about the y axis
    /// assert_eq!((half_turn.y, half_turn.w), (1.0, 0.0));
    /// ```
    #[doc(alias = "Quat")]
    Quaternion {
        /// The coefficient of i.
        x: T = number,
        /// The coefficient of j.
        y: T = number,
        /// The coefficient of k.
        z: T = number,
        /// The real part.
        w: T = number,
    }
    /// A box along the axes. The size may be negative.
    ///
    /// ```
    /// use variant_view::{Aabb, Vector3};
    /// let room = Aabb::new(Vector3::from([0, 0, 0]), Vector3::from([4, 3, 5]));
    /// assert_eq!(room.size.x * room.size.y * room.size.z, 60);
    /// ```
    #[doc(alias = "AABB")]
    Aabb {
        /// A corner.
        position: Vector3<T> = nested,
        /// The vector from `position` to the opposite corner.
        size: Vector3<T> = nested,
    }
    /// A 2D transform, **column by column**: the images of the x axis, the y axis and the origin.
    ///
    /// ```
    /// use variant_view::{Transform2D, Vector2};
    /// let [x, y, origin] = [[0, 1], [-1, 0], [10, 0]].map(Vector2::from); // a quarter turn, then 10 to the right
    /// let turn = Transform2D::new(x, y, origin);
    /// assert_eq!((turn.x.x * 2 + turn.origin.x, turn.x.y * 2 + turn.origin.y), (10, 2)); // image of (2, 0)
    /// ```
    #[doc(alias = "Matrix32")]
    Transform2D {
        /// The image of the x axis.
        x: Vector2<T> = nested,
        /// The image of the y axis.
        y: Vector2<T> = nested,
        /// The image of the origin.
        origin: Vector2<T> = nested,
    }
    /// A 3 by 3 matrix, **row by row**, as on the wire. The official documentation describes its transpose
    /// (docs/spec/errata.md#godot-4): [`Dialect::has_basis_columns`](crate::Dialect::has_basis_columns) returns which
    /// layout applies. [`Basis::x_axis`] and the other axes are for the layout in rows.
    ///
    /// ```
    /// use variant_view::{Basis, Vector3};
    /// let [row0, row1, row2] = [[1, 2, 3], [4, 5, 6], [7, 8, 9]].map(Vector3::from);
    /// let basis = Basis::new(row0, row1, row2);
    /// assert_eq!((basis.row0.y, basis.x_axis()), (2, Vector3::new(1, 4, 7)));
    /// ```
    #[doc(alias = "Matrix3")]
    Basis {
        /// The x components of the three axes.
        row0: Vector3<T> = nested,
        /// The y components of the three axes.
        row1: Vector3<T> = nested,
        /// The z components of the three axes.
        row2: Vector3<T> = nested,
    }
    /// A 3D transform.
    ///
    /// ```
    /// use variant_view::{Basis, Transform3D, Vector3};
    /// let [x, y, z, origin] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [5, 0, -2]].map(Vector3::from);
    /// let moved = Transform3D::new(Basis::new(x, y, z), origin);
    /// assert_eq!((moved.basis.z_axis(), moved.origin.z), (z, -2));
    /// ```
    #[doc(alias = "Transform")]
    Transform3D {
        /// Rotation, scale and shear, in **rows**.
        basis: Basis<T> = nested,
        /// The image of the origin.
        origin: Vector3<T> = nested,
    }
    /// A 4 by 4 matrix, **column by column**.
    ///
    /// ```
    /// use variant_view::{Projection, Vector4};
    /// let [x, y, z, w] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [5, 6, 7, 1]].map(Vector4::from);
    /// assert_eq!(Projection::new(x, y, z, w).w.y, 6); // the last column moves
    /// ```
    Projection {
        /// First column.
        x: Vector4<T> = nested,
        /// Second column.
        y: Vector4<T> = nested,
        /// Third column.
        z: Vector4<T> = nested,
        /// Fourth column.
        w: Vector4<T> = nested,
    }
    /// A colour, not clamped. On the wire always `f32`, in double-precision builds too.
    ///
    /// ```
    /// use variant_view::Color;
    /// let tint = Color::from([1.0_f32, 0.5, 0.0, 1.0]);
    /// let bytes = tint.map(|part| (part * 255.0).round() as u8);
    /// assert_eq!(<[u8; 4]>::from(bytes), [255, 128, 0, 255]);
    /// ```
    Color {
        /// Red, normally 0 to 1.
        r: T = number,
        /// Green.
        g: T = number,
        /// Blue.
        b: T = number,
        /// Alpha: 0 transparent, 1 opaque.
        a: T = number,
    }
}

/// Calls `$make!` with a row for each mathematical type, to make accessors and conversions of views and of owned
/// values.
///
/// A row of reals makes an accessor in `f32` and a conversion in `f64`. Other rows name the structure and the type of
/// its numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! math_types {
    ($make:ident) => {
        $make! {
            reals {
                Vector2: as_vector2 "A 2D vector";
                Vector3: as_vector3 "A 3D vector";
                Vector4: as_vector4 "A 4D vector";
                Rect2: as_rect2 "A rectangle";
                Plane: as_plane "A plane";
                Quaternion: as_quaternion "A quaternion";
                Aabb: as_aabb "A box";
                Basis: as_basis "A 3 by 3 matrix";
                Transform2D: as_transform2d "A 2D transform";
                Transform3D: as_transform3d "A 3D transform";
                Projection: as_projection "A 4 by 4 matrix";
            }
            others {
                Vector2i = Vector2<i32>: as_vector2i "A 2D vector of integers";
                Vector3i = Vector3<i32>: as_vector3i "A 3D vector of integers";
                Vector4i = Vector4<i32>: as_vector4i "A 4D vector of integers";
                Rect2i = Rect2<i32>: as_rect2i "A rectangle of integers";
                Color = Color: as_color "A colour";
            }
        }
    };
}
pub(crate) use math_types;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_the_wire_s() {
        assert_eq!(size_of::<Vector3>(), 12);
        assert_eq!(size_of::<Transform2D>(), 24);
        assert_eq!(size_of::<Basis>(), 36);
        assert_eq!(size_of::<Transform3D>(), 48);
        assert_eq!(size_of::<Projection<f64>>(), 128);
        assert_eq!(align_of::<<Transform3D<f64> as Wire>::Le>(), 1);
    }
}
