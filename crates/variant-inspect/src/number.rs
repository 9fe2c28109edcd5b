//! Numbers, and what is made of numbers, as text.

use std::fmt::Write as _;

use variant_view::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D, Vector2,
    Vector3, Vector4,
};

/// A number.
pub(crate) trait Number {
    /// Appends it in the fewest digits that read back the same; whole floats without a point.
    fn write(&self, out: &mut String);
}

macro_rules! ints {
    ($($int:ty)*) => {$(
        impl Number for $int {
            fn write(&self, out: &mut String) {
                let _ = write!(out, "{self}");
            }
        }

        impl Element for $int {
            fn write_element(self, out: &mut String) {
                self.write(out);
            }
        }
    )*};
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl Number for $float {
            fn write(&self, out: &mut String) {
                if self.is_nan() {
                    return out.push_str("nan");
                }
                // As opposed to `Display`, `Debug` has exponents.
                let _ = write!(out, "{self:?}");
                if out.ends_with(".0") {
                    out.truncate(out.len().saturating_sub(2));
                }
            }
        }

        impl Element for $float {
            fn write_element(self, out: &mut String) {
                self.write(out);
            }
        }
    )*};
}

/// An element of a packed array.
pub(crate) trait Element {
    /// Appends it: a number as it is, several of them in parentheses.
    fn write_element(self, out: &mut String);
}

macro_rules! groups {
    ($($group:ident)*) => {$(
        impl<T: Number> Element for $group<T> {
            fn write_element(self, out: &mut String) {
                let mut separator = "(";
                let _ = self.map(|number| {
                    out.push_str(separator);
                    separator = ", ";
                    number.write(out);
                });
                out.push(')');
            }
        }
    )*};
}

ints! { u8 i32 i64 }
floats! { f32 f64 }
groups! {
    Aabb Basis Color Plane Projection Quaternion Rect2 Transform2D Transform3D Vector2 Vector3 Vector4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(element: impl Element) -> String {
        let mut out = String::new();
        element.write_element(&mut out);
        out
    }

    #[test]
    fn floats_are_as_short_as_can_be() {
        for (float, expected) in
            [(1.0, "1"), (-0.0, "-0"), (0.1, "0.1"), (1e30, "1e30"), (f32::NEG_INFINITY, "-inf")]
        {
            assert_eq!(text(float), expected);
        }
        assert_eq!(text(f64::NAN), "nan");
        assert_eq!(text(0.1_f64 + 0.2), "0.30000000000000004");
    }

    #[test]
    fn groups_are_flat() {
        let corner = Vector2 { x: 1.5, y: -2.0 };
        let rect = Rect2 { position: corner, size: Vector2 { x: 0.0, y: 4.0 } };
        assert_eq!(text(rect), "(1.5, -2, 0, 4)");
        assert_eq!(text(Vector3 { x: 1, y: 2, z: 3 }), "(1, 2, 3)");
    }
}
