//! [`Wire`] and [`Real`] of single numbers.

use zerocopy::IntoBytes as _;
use zerocopy::little_endian::{F32, F64, I32, I64};

use super::{Real, Wire, sealed};
use crate::kind::NumberType;

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
