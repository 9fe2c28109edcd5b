//! Conversions from and to the types of other mathematics crates through `mint`. Feature `mint`.

use super::math::{Basis, Quaternion, Transform2D, Vector2, Vector3, Vector4};

macro_rules! vectors {
    ($($own:ident = $other:ident { $($field:ident)* })*) => {$(
        impl<T> From<mint::$other<T>> for $own<T> {
            fn from(other: mint::$other<T>) -> Self {
                Self { $($field: other.$field,)* }
            }
        }

        impl<T> From<$own<T>> for mint::$other<T> {
            fn from(own: $own<T>) -> Self {
                Self { $($field: own.$field,)* }
            }
        }
    )*};
}

vectors! {
    Vector2 = Vector2 { x y }
    Vector3 = Vector3 { x y z }
    Vector4 = Vector4 { x y z w }
    Vector2 = Point2 { x y }
    Vector3 = Point3 { x y z }
}

impl<T> From<mint::Quaternion<T>> for Quaternion<T> {
    fn from(other: mint::Quaternion<T>) -> Self {
        let mint::Vector3 { x, y, z } = other.v;
        Self { x, y, z, w: other.s }
    }
}

impl<T> From<Quaternion<T>> for mint::Quaternion<T> {
    fn from(own: Quaternion<T>) -> Self {
        Self { v: mint::Vector3 { x: own.x, y: own.y, z: own.z }, s: own.w }
    }
}

/// Converts row by row.
impl<T> From<mint::RowMatrix3<T>> for Basis<T> {
    fn from(other: mint::RowMatrix3<T>) -> Self {
        Self { row0: other.x.into(), row1: other.y.into(), row2: other.z.into() }
    }
}

/// Converts row by row.
impl<T> From<Basis<T>> for mint::RowMatrix3<T> {
    fn from(own: Basis<T>) -> Self {
        Self { x: own.row0.into(), y: own.row1.into(), z: own.row2.into() }
    }
}

/// Converts column by column: the x axis, the y axis, the origin.
impl<T> From<Transform2D<T>> for mint::ColumnMatrix2x3<T> {
    fn from(own: Transform2D<T>) -> Self {
        Self { x: own.x.into(), y: own.y.into(), z: own.origin.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let vector = Vector3 { x: 1.0_f64, y: 2.0, z: 3.0 };
        assert_eq!(Vector3::from(mint::Vector3::from(vector)), vector);
        let rotation = Quaternion { x: 1.0_f64, y: 2.0, z: 3.0, w: 4.0 };
        assert_eq!(mint::Quaternion::from(rotation).s.to_bits(), 4.0_f64.to_bits());
        assert_eq!(Quaternion::from(mint::Quaternion::from(rotation)), rotation);
        let basis = Basis { row0: vector, row1: vector, row2: vector };
        assert_eq!(mint::RowMatrix3::from(basis).x.y.to_bits(), 2.0_f64.to_bits());
        assert_eq!(Basis::from(mint::RowMatrix3::from(basis)), basis);
        let point = |x: f64, y| Vector2 { x, y };
        let (x, y, origin) = (point(1.0, 2.0), point(3.0, 4.0), point(5.0, 6.0));
        let columns = mint::ColumnMatrix2x3::from(Transform2D { x, y, origin });
        assert_eq!([columns.x, columns.y, columns.z].map(Vector2::from), [x, y, origin]);
    }
}
