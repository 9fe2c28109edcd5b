//! [`MathView`]: mathematical values, borrowed (docs/spec/format.md#mathematical-types).

use core::fmt;
use core::marker::PhantomData;

use bytemuck::Zeroable as _;
use zerocopy::FromBytes as _;

use super::math::Wire;
use super::{Raw, raw_methods};
use crate::kind::Width;

/// A mathematical value. A value made of reals has either width on the wire (docs/spec/format.md#double-precision).
/// Colours and values of 32-bit integers have one width.
///
/// ```
/// use variant_view::{Dialect, Document, VariantView, Vector2};
///
/// let bytes = [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
/// let VariantView::Vector2(v) = Document::new(&bytes, Dialect::Godot3).root()? else { panic!() };
/// assert_eq!(v.f32(), Vector2 { x: 1.0, y: 2.0 });
/// assert_eq!(v.f64(), Vector2 { x: 1.0, y: 2.0 });
///
/// let cell = Document::new(b"\x06\0\0\0\x03\0\0\0\x04\0\0\0", Dialect::Godot4).root()?;
/// let VariantView::Vector2i(cell) = cell else { panic!("not a Vector2i") };
/// assert_eq!(cell.value(), Vector2::new(3, 4));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct MathView<'a, T> {
    pub(super) raw: Raw<'a>,
    pub(super) width: Width,
    pub(super) marker: PhantomData<T>,
}

impl<T: Wire> MathView<'_, T> {
    /// The width of the reals on the wire; 32 bits if the value has none.
    pub const fn width(&self) -> Width {
        self.width
    }

    /// The value, if its type has one width; otherwise the same as [`MathView::f32`]. O(1).
    #[inline]
    pub fn value(&self) -> T {
        self.f32()
    }

    /// The value with its reals in `f32`. 64-bit reals are rounded; reals that are too large become infinite. O(1).
    #[inline]
    pub fn f32(&self) -> T {
        match self.width {
            Width::W32 => self.read::<T>().unwrap_or(T::zeroed()),
            Width::W64 => T::narrow(self.f64()),
        }
    }

    /// The value with its reals in `f64`, exact. O(1).
    #[inline]
    pub fn f64(&self) -> T::Double {
        match self.width {
            Width::W32 => self.f32().widen(),
            Width::W64 => self.read::<T::Double>().unwrap_or(T::Double::zeroed()),
        }
    }

    #[inline]
    fn read<V: Wire>(&self) -> Option<V> {
        read_payload(self.raw)
    }
}

/// Reads the payload. `None` if the payload is too short. `layout.rs` excludes this case.
#[inline]
fn read_payload<V: Wire>(raw: Raw<'_>) -> Option<V> {
    let payload = raw.bytes.get(4..)?;
    let (le, _) = V::Le::read_from_prefix(payload).ok()?;
    Some(V::from_le(le))
}

impl<T: Wire> fmt::Debug for MathView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width {
            Width::W32 => self.f32().fmt(f),
            Width::W64 => self.f64().fmt(f),
        }
    }
}

raw_methods!([T] MathView<'a, T>);
