//! [`Mark`]: the form that a newtype's name requests from the writer.

use variant_view::{Dialect, Kind, Reals};

use crate::token;

/// The form to write, which the name of a newtype selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Kind(Kind),
    /// An array with this declared element type.
    ArrayOf(Kind),
    /// The value that the newtype's bytes encode. The bytes have this dialect and these reals; `None` if they have
    /// those of the output.
    Raw(Option<(Dialect, Reals)>),
    /// A `Variant`, without a loss.
    Whole,
}

macro_rules! marks {
    ($($kind:ident)*) => {
        /// The name of a newtype that is written as `kind`; empty for kinds that do not need a newtype.
        pub(crate) const fn of(kind: Kind) -> &'static str {
            match kind {
                $(Kind::$kind => concat!("$variant::", stringify!($kind)),)*
                _ => "",
            }
        }

        /// The name of a newtype that is written as an array of this element type; empty for kinds that cannot be an
        /// element type.
        pub(crate) const fn array_of(kind: Kind) -> &'static str {
            match kind {
                $(Kind::$kind => concat!("$variant::Array[", stringify!($kind), "]"),)*
                _ => "",
            }
        }

        impl Mark {
            /// Reads the name of a newtype; `None` if the name selects no form. If the name is a constant, the compiler
            /// computes the result.
            #[inline(always)]
            pub(crate) fn read(name: &str) -> Option<Self> {
                let mark = name.strip_prefix("$variant::")?;
                if let Some(brackets) = mark.strip_prefix("Raw") {
                    let how = token::raw_from(brackets);
                    return (how.is_some() || brackets.is_empty()).then_some(Self::Raw(how));
                }
                if name == token::VARIANT {
                    return Some(Self::Whole);
                }
                match mark {
                    $(stringify!($kind) => Some(Self::Kind(Kind::$kind)),)*
                    $(concat!("Array[", stringify!($kind), "]") => Some(Self::ArrayOf(Kind::$kind)),)*
                    _ => None,
                }
            }
        }
    };
}

marks! {
    Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane Quaternion Aabb Basis Transform3D
    Projection Color StringName NodePath
    PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
    PackedVector2Array PackedVector2iArray PackedVector3Array PackedVector3iArray PackedColorArray PackedVector4Array
    PackedVector4iArray
    Bool Int Float String Dictionary Array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_back() {
        let mut marked = 0;
        for &kind in Kind::ALL.iter().filter(|&&kind| !of(kind).is_empty()) {
            assert_eq!(Mark::read(of(kind)), Some(Mark::Kind(kind)));
            assert_eq!(Mark::read(array_of(kind)), Some(Mark::ArrayOf(kind)));
            marked += 1;
        }
        for &kind in Kind::ALL {
            assert_eq!(of(kind).is_empty(), array_of(kind).is_empty(), "{kind}");
        }
        let made_of_numbers = Kind::ALL.iter().filter(|kind| kind.shape().is_some());
        assert!(made_of_numbers.clone().all(|&kind| !of(kind).is_empty()));
        assert_eq!(marked, made_of_numbers.count() + 9);
        assert_eq!(Mark::read(token::RAW), Some(Mark::Raw(None)));
        for (&dialect, reals) in
            Dialect::ALL.iter().flat_map(|d| Reals::ALL.map(|reals| (d, reals)))
        {
            let how = Some((dialect, reals));
            assert_eq!(Mark::read(token::raw_of(dialect, reals)), Some(Mark::Raw(how)));
        }
        for other in [
            "",
            "Vector3",
            "$variant::",
            "$variant::Vector5",
            "$variant::Raw[",
            "$serde_json::private::RawValue",
        ] {
            assert_eq!(Mark::read(other), None);
        }
    }
}
