//! Conversions of vectors from and to arrays, and the axes of a [`Basis`].

use super::{Basis, Color, Quaternion, Vector2, Vector3, Vector4};

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
    /// The image of the x axis: the first **column**. Its name in scripts is `basis.x`.
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
    fn axes_are_columns() {
        let row = |x, y, z| Vector3 { x, y, z };
        let basis = Basis { row0: row(1, 4, 7), row1: row(2, 5, 8), row2: row(3, 6, 9) };
        assert_eq!(basis.x_axis(), row(1, 2, 3));
        assert_eq!(basis.y_axis(), row(4, 5, 6));
        assert_eq!(basis.z_axis(), row(7, 8, 9));
    }
}
