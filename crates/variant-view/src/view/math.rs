//! Vectors, rectangles, matrices: the types (docs/spec/format.md#mathematical-types).
//!
//! Every type is `#[repr(C)]` with its fields in wire order and no padding, so on a little-endian host
//! a slice of them can be borrowed from the wire ([`PackedSlice::as_native`](crate::PackedSlice::as_native)).

use core::fmt;

use bytemuck::AnyBitPattern;
use zerocopy::little_endian::{F32, F64, I32, I64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::kind::{NumberType, Width};

mod sealed {
    /// Keeps [`super::Wire`] to the types of the format.
    pub trait Sealed {}
}

/// A type with a fixed layout on the wire.
///
/// Implemented for the element types of packed arrays and for all mathematical types; sealed.
pub trait Wire: sealed::Sealed + Copy + PartialEq + fmt::Debug + AnyBitPattern {
    /// The same as it stands on the wire: little-endian, aligned to 1 byte.
    type Le: Copy + FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + fmt::Debug;

    /// The type of the numbers that it is made of.
    const NUMBER: NumberType;

    /// How many there are, at least 1.
    const COUNT: usize = size_of::<Self::Le>() / Self::NUMBER.bytes(Width::W32);

    /// Turns the bytes' order into the host's.
    fn from_le(le: Self::Le) -> Self;

    /// Turns the bytes' order into that of the wire.
    fn to_le(self) -> Self::Le;

    /// Values as they stand on the wire, where that needs no copy. O(1).
    #[inline]
    fn as_wire_bytes(values: &[Self]) -> Option<&[u8]> {
        let _ = values;
        None
    }
}

/// A [`Wire`] type made of reals, which double-precision builds write in twice the width.
pub trait Real: Wire {
    /// The same made of `f64`.
    type Double: Wire;

    /// Exact.
    fn widen(self) -> Self::Double;

    /// Each real to the nearest `f32`; too large ones become infinite.
    fn narrow(double: Self::Double) -> Self;
}

macro_rules! scalars {
    ($($native:ty = $number:ident $le:ty, $from:expr, $to:expr;)*) => {$(
        impl sealed::Sealed for $native {}
        impl Wire for $native {
            type Le = $le;

            const NUMBER: NumberType = NumberType::$number;

            #[inline]
            fn from_le(le: $le) -> Self {
                $from(le)
            }

            #[inline]
            fn to_le(self) -> $le {
                $to(self)
            }

            #[inline]
            fn as_wire_bytes(values: &[Self]) -> Option<&[u8]> {
                let is_wire = cfg!(target_endian = "little") || size_of::<Self>() == 1;
                is_wire.then(|| values.as_bytes())
            }
        }
    )*};
}

scalars! {
    u8 = Byte u8, core::convert::identity, core::convert::identity;
    i32 = Int32 I32, I32::get, I32::new;
    i64 = Int64 I64, I64::get, I64::new;
    f32 = Float32 F32, F32::get, F32::new;
    f64 = Float64 F64, F64::get, F64::new;
}

impl Real for f32 {
    type Double = f64;

    #[inline]
    fn widen(self) -> f64 {
        f64::from(self)
    }

    #[inline]
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "rounding is the purpose"
    )]
    fn narrow(double: f64) -> Self {
        double as Self
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
            /// Of its fields, in wire order.
            #[allow(clippy::too_many_arguments, reason = "a field each")]
            pub const fn new($($field: $type),*) -> Self {
                Self { $($field),* }
            }

            /// The same with every number put through `f`.
            #[inline]
            pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> $name<U> {
                let f = &mut f;
                $name { $($field: math!(@$how self.$field, f),)* }
            }
        }

        impl<T: Wire> sealed::Sealed for $name<T> {}

        impl<T: Wire> Wire for $name<T> {
            type Le = $name<T::Le>;

            const NUMBER: NumberType = T::NUMBER;

            #[inline]
            fn from_le(le: Self::Le) -> Self {
                le.map(T::from_le)
            }

            #[inline]
            fn to_le(self) -> Self::Le {
                self.map(T::to_le)
            }
        }

        impl Real for $name<f32> {
            type Double = $name<f64>;

            #[inline]
            fn widen(self) -> Self::Double {
                self.map(f64::from)
            }

            #[inline]
            fn narrow(double: Self::Double) -> Self {
                double.map(f32::narrow)
            }
        }
    )*};
    (@number $value:expr, $f:ident) => { $f($value) };
    (@nested $value:expr, $f:ident) => { $value.map(&mut *$f) };
}

math! {
    /// Two numbers.
    Vector2 {
        /// First.
        x: T = number,
        /// Second.
        y: T = number,
    }
    /// Three numbers.
    Vector3 {
        /// First.
        x: T = number,
        /// Second.
        y: T = number,
        /// Third.
        z: T = number,
    }
    /// Four numbers.
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
    Rect2 {
        /// A corner.
        position: Vector2<T> = nested,
        /// From that corner to the opposite one.
        size: Vector2<T> = nested,
    }
    /// The points `p` with `normal . p = d`. The normal need not have length 1.
    Plane {
        /// Perpendicular to the plane.
        normal: Vector3<T> = nested,
        /// Distance from the origin along the normal, in lengths of the normal.
        d: T = number,
    }
    /// A rotation; need not have length 1.
    Quaternion {
        /// Of i.
        x: T = number,
        /// Of j.
        y: T = number,
        /// Of k.
        z: T = number,
        /// The real part.
        w: T = number,
    }
    /// A box along the axes. The size may be negative.
    Aabb {
        /// A corner.
        position: Vector3<T> = nested,
        /// From that corner to the opposite one.
        size: Vector3<T> = nested,
    }
    /// A 2D transform, **column by column**: where the x axis, the y axis and the origin go.
    Transform2D {
        /// The image of the x axis.
        x: Vector2<T> = nested,
        /// The image of the y axis.
        y: Vector2<T> = nested,
        /// The image of the origin.
        origin: Vector2<T> = nested,
    }
    /// A 3 by 3 matrix, **row by row**, as on the wire. The official documentation describes its transpose
    /// (docs/spec/errata.md#godot-4): [`Dialect::basis_order`](crate::Dialect::basis_order) says which reading
    /// applies. For the images of the axes, in rows, see [`Basis::x_axis`].
    Basis {
        /// The x components of the three axes.
        row0: Vector3<T> = nested,
        /// The y components of the three axes.
        row1: Vector3<T> = nested,
        /// The z components of the three axes.
        row2: Vector3<T> = nested,
    }
    /// A 3D transform.
    Transform3D {
        /// Rotation, scale and shear; **rows**.
        basis: Basis<T> = nested,
        /// The image of the origin.
        origin: Vector3<T> = nested,
    }
    /// A 4 by 4 matrix, **column by column**.
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
    Color {
        /// Red, 0 to 1 as a rule.
        r: T = number,
        /// Green.
        g: T = number,
        /// Blue.
        b: T = number,
        /// Alpha: 0 transparent, 1 opaque.
        a: T = number,
    }
}

/// Gives `$make!` a row for each mathematical type: accessors and conversions of views and of owned values are made of it.
///
/// A type of reals has an accessor in `f32` and one in `f64`; the others name the structure and what it is made of.
#[doc(hidden)]
#[macro_export]
macro_rules! math_types {
    ($make:ident) => {
        $make! {
            reals {
                Vector2: as_vector2 as_vector2_f64 "A 2D vector";
                Vector3: as_vector3 as_vector3_f64 "A 3D vector";
                Vector4: as_vector4 as_vector4_f64 "A 4D vector";
                Rect2: as_rect2 as_rect2_f64 "A rectangle";
                Plane: as_plane as_plane_f64 "A plane";
                Quaternion: as_quaternion as_quaternion_f64 "A quaternion";
                Aabb: as_aabb as_aabb_f64 "A box";
                Basis: as_basis as_basis_f64 "A 3 by 3 matrix";
                Transform2D: as_transform2d as_transform2d_f64 "A 2D transform";
                Transform3D: as_transform3d as_transform3d_f64 "A 3D transform";
                Projection: as_projection as_projection_f64 "A 4 by 4 matrix";
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

macro_rules! of_numbers {
    ($($name:ident[$len:literal]: $($field:ident)*;)*) => {$(
        impl<T> From<[T; $len]> for $name<T> {
            /// The numbers in wire order.
            fn from([$($field),*]: [T; $len]) -> Self {
                Self { $($field),* }
            }
        }

        impl<T> From<$name<T>> for [T; $len] {
            /// The numbers in wire order.
            fn from(value: $name<T>) -> Self {
                let $name { $($field),* } = value;
                [$($field),*]
            }
        }
    )*};
}

of_numbers! {
    Vector2[2]: x y;
    Vector3[3]: x y z;
    Vector4[4]: x y z w;
    Quaternion[4]: x y z w;
    Color[4]: r g b a;
}

impl<T: Copy> Basis<T> {
    /// The image of the x axis: the first **column**. What scripts call `basis.x`.
    pub const fn x_axis(&self) -> Vector3<T> {
        Vector3 { x: self.row0.x, y: self.row1.x, z: self.row2.x }
    }

    /// The image of the y axis: the second **column**.
    pub const fn y_axis(&self) -> Vector3<T> {
        Vector3 { x: self.row0.y, y: self.row1.y, z: self.row2.y }
    }

    /// The image of the z axis: the third **column**.
    pub const fn z_axis(&self) -> Vector3<T> {
        Vector3 { x: self.row0.z, y: self.row1.z, z: self.row2.z }
    }
}

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

    #[test]
    fn axes_are_columns() {
        let row = |x, y, z| Vector3 { x, y, z };
        let basis = Basis { row0: row(1, 4, 7), row1: row(2, 5, 8), row2: row(3, 6, 9) };
        assert_eq!(basis.x_axis(), row(1, 2, 3));
        assert_eq!(basis.y_axis(), row(4, 5, 6));
        assert_eq!(basis.z_axis(), row(7, 8, 9));
    }
}
