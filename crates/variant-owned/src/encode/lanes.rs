//! [`Lanes`]: the numbers of a structure, in wire order.

use variant_view::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D, Vector2,
    Vector3, Vector4,
};

/// Numbers in wire order.
pub(super) trait Lanes {
    fn write(&self, bytes: &mut Vec<u8>);
}

macro_rules! scalar_lanes {
    ($($type:ty)*) => {$(
        impl Lanes for $type {
            #[inline]
            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

scalar_lanes! { i32 i64 f32 f64 }

macro_rules! lanes {
    ($($type:ident { $($field:ident)* })*) => {$(
        impl<T: Lanes> Lanes for $type<T> {
            #[inline]
            fn write(&self, bytes: &mut Vec<u8>) {
                $(self.$field.write(bytes);)*
            }
        }
    )*};
}

lanes! {
    Vector2 { x y }
    Vector3 { x y z }
    Vector4 { x y z w }
    Rect2 { position size }
    Plane { normal d }
    Quaternion { x y z w }
    Aabb { position size }
    Transform2D { x y origin }
    Basis { row0 row1 row2 }
    Transform3D { basis origin }
    Projection { x y z w }
    Color { r g b a }
}
