//! [`Wire`] for single numbers.

use core::convert::identity;

use zerocopy::IntoBytes as _;
use zerocopy::little_endian::{F32, F64, I32, I64};

use super::{Wire, sealed};
use crate::kind::NumberType;

macro_rules! scalars {
    ($($native:ty = $number:ident $le:ty, $from:expr, $to:expr, $double:ty, $widen:expr, $narrow:expr;)*) => {$(
        impl sealed::Sealed for $native {}
        impl Wire for $native {
            type Le = $le;
            type Double = $double;

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
            fn widen(self) -> $double {
                $widen(self)
            }

            #[inline]
            fn narrow(double: $double) -> Self {
                $narrow(double)
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
    u8 = Byte u8, identity, identity, u8, identity, identity;
    i32 = Int32 I32, I32::get, I32::new, i32, identity, identity;
    i64 = Int64 I64, I64::get, I64::new, i64, identity, identity;
    f32 = Float32 F32, F32::get, F32::new, f64, f64::from, nearest;
    f64 = Float64 F64, F64::get, F64::new, f64, identity, identity;
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the number is rounded on purpose"
)]
const fn nearest(double: f64) -> f32 {
    double as f32
}
