//! The numbers of mathematical values and packed arrays, in wire order.

use variant_view::zerocopy::FromBytes as _;
use variant_view::{Kind, Real, VariantView, Width, Wire};

use crate::reals::{RealVec, Reals};
use crate::variant::Variant;

/// What the numbers of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Byte,
    Int32,
    Int64,
    Float32,
    Float64,
    /// `Float32` or `Float64`, as the value has it.
    Real,
}

impl Lane {
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Int32 | Self::Float32 | Self::Real => 4,
            Self::Int64 | Self::Float64 => 8,
        }
    }

    /// What reals of a width are.
    pub(super) const fn of_width(self, width: Width) -> Self {
        match (self, width) {
            (Self::Real, Width::W32) => Self::Float32,
            (Self::Real, Width::W64) => Self::Float64,
            (other, _) => other,
        }
    }
}

/// How a kind is made of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) lane: Lane,
    /// Numbers of a value, or of an element of a packed array.
    pub(super) count: usize,
    pub(super) is_pool: bool,
}

/// How a kind is made of numbers, if it is.
pub(super) const fn layout(kind: Kind) -> Option<Layout> {
    use Lane::{Byte, Float32, Float64, Int32, Int64, Real};
    let (lane, count, is_pool) = match kind {
        Kind::Vector2 => (Real, 2, false),
        Kind::Vector2i => (Int32, 2, false),
        Kind::Rect2i | Kind::Vector4i => (Int32, 4, false),
        Kind::Vector3 => (Real, 3, false),
        Kind::Vector3i => (Int32, 3, false),
        Kind::Transform2D | Kind::Aabb => (Real, 6, false),
        Kind::Rect2 | Kind::Vector4 | Kind::Plane | Kind::Quaternion => (Real, 4, false),
        Kind::Basis => (Real, 9, false),
        Kind::Transform3D => (Real, 12, false),
        Kind::Projection => (Real, 16, false),
        Kind::Color => (Float32, 4, false),
        Kind::PackedByteArray => (Byte, 1, true),
        Kind::PackedInt32Array => (Int32, 1, true),
        Kind::PackedInt64Array => (Int64, 1, true),
        Kind::PackedFloat32Array => (Float32, 1, true),
        Kind::PackedFloat64Array => (Float64, 1, true),
        Kind::PackedVector2Array => (Real, 2, true),
        Kind::PackedVector2iArray => (Int32, 2, true),
        Kind::PackedVector3Array => (Real, 3, true),
        Kind::PackedVector3iArray => (Int32, 3, true),
        Kind::PackedColorArray => (Float32, 4, true),
        Kind::PackedVector4Array => (Real, 4, true),
        Kind::PackedVector4iArray => (Int32, 4, true),
        _ => return None,
    };
    Some(Layout { lane, count, is_pool })
}

/// The numbers of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes<'a> {
    bytes: &'a [u8],
    pub(super) lane: Lane,
    pub(super) layout: Layout,
}

/// One of them. Floats by their bits, which arithmetic might change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Int(i64),
    Float32(u32),
    Float64(u64),
}

impl Number {
    pub(super) fn is_finite(self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float32(bits) => f32::from_bits(bits).is_finite(),
            Self::Float64(bits) => f64::from_bits(bits).is_finite(),
        }
    }

    pub(super) fn is_nan(self) -> bool {
        match self {
            Self::Int(_) => false,
            Self::Float32(bits) => f32::from_bits(bits).is_nan(),
            Self::Float64(bits) => f64::from_bits(bits).is_nan(),
        }
    }

    pub(super) fn is_negative(self) -> bool {
        match self {
            Self::Int(value) => value < 0,
            Self::Float32(bits) => f32::from_bits(bits).is_sign_negative(),
            Self::Float64(bits) => f64::from_bits(bits).is_sign_negative(),
        }
    }
}

impl<'a> Lanes<'a> {
    /// The numbers of a view, if it is made of them. O(1).
    pub(super) fn of(view: &VariantView<'a>) -> Option<Self> {
        let layout = layout(view.kind())?;
        let bytes = view.raw_bytes().ok()?;
        let lane = layout.lane.of_width(width(view, bytes.len()));
        let payload = bytes.get(if layout.is_pool { 8 } else { 4 }..)?;
        let count = if layout.is_pool { usize::try_from(word(bytes, 4)?).ok()? } else { 1 };
        let size = lane.size().saturating_mul(layout.count).saturating_mul(count);
        Some(Self { bytes: payload.get(..size)?, lane, layout })
    }

    pub(super) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether its reals are wider than those of a single-precision build.
    pub(super) fn is_wide(&self) -> bool {
        self.layout.lane == Lane::Real && self.lane == Lane::Float64
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Number> + use<'a> {
        let lane = self.lane;
        self.bytes.chunks_exact(lane.size()).map(move |bytes| number(bytes, lane))
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

fn number(bytes: &[u8], lane: Lane) -> Number {
    let half = bytes.first_chunk().copied().map_or(0, u32::from_le_bytes);
    let whole = bytes.first_chunk().copied().map_or(0, u64::from_le_bytes);
    match lane {
        Lane::Byte => Number::Int(bytes.first().copied().unwrap_or(0).into()),
        Lane::Int32 => Number::Int(half.cast_signed().into()),
        Lane::Int64 => Number::Int(whole.cast_signed()),
        Lane::Float32 | Lane::Real => Number::Float32(half),
        Lane::Float64 => Number::Float64(whole),
    }
}

/// An empty packed array has a width too; everything else shows it by its length.
fn width(view: &VariantView<'_>, len: usize) -> Width {
    match view {
        VariantView::PackedVector2Array(view) => view.width(),
        VariantView::PackedVector3Array(view) => view.width(),
        VariantView::PackedVector4Array(view) => view.width(),
        _ => {
            let count = layout(view.kind()).map_or(0, |layout| layout.count);
            if len > count.saturating_mul(4).saturating_add(4) { Width::W64 } else { Width::W32 }
        }
    }
}

/// The value that is made of numbers on the wire. O(bytes).
pub(super) fn value(kind: Kind, width: Width, bytes: &[u8]) -> Option<Variant> {
    Some(match kind {
        Kind::Vector2 => Variant::Vector2(reals(bytes, width)?),
        Kind::Rect2 => Variant::Rect2(reals(bytes, width)?),
        Kind::Vector3 => Variant::Vector3(reals(bytes, width)?),
        Kind::Transform2D => Variant::Transform2D(Box::new(reals(bytes, width)?)),
        Kind::Vector4 => Variant::Vector4(reals(bytes, width)?),
        Kind::Plane => Variant::Plane(reals(bytes, width)?),
        Kind::Quaternion => Variant::Quaternion(reals(bytes, width)?),
        Kind::Aabb => Variant::Aabb(Box::new(reals(bytes, width)?)),
        Kind::Basis => Variant::Basis(Box::new(reals(bytes, width)?)),
        Kind::Transform3D => Variant::Transform3D(Box::new(reals(bytes, width)?)),
        Kind::Projection => Variant::Projection(Box::new(reals(bytes, width)?)),
        Kind::Vector2i => Variant::Vector2i(fixed(bytes)?),
        Kind::Rect2i => Variant::Rect2i(fixed(bytes)?),
        Kind::Vector3i => Variant::Vector3i(fixed(bytes)?),
        Kind::Vector4i => Variant::Vector4i(fixed(bytes)?),
        Kind::Color => Variant::Color(fixed(bytes)?),
        Kind::PackedByteArray => Variant::PackedByteArray(bytes.to_vec()),
        Kind::PackedInt32Array => Variant::PackedInt32Array(pool(bytes)?),
        Kind::PackedInt64Array => Variant::PackedInt64Array(pool(bytes)?),
        Kind::PackedFloat32Array => Variant::PackedFloat32Array(pool(bytes)?),
        Kind::PackedFloat64Array => Variant::PackedFloat64Array(pool(bytes)?),
        Kind::PackedVector2Array => Variant::PackedVector2Array(real_pool(bytes, width)?),
        Kind::PackedVector2iArray => Variant::PackedVector2iArray(pool(bytes)?),
        Kind::PackedVector3Array => Variant::PackedVector3Array(real_pool(bytes, width)?),
        Kind::PackedVector3iArray => Variant::PackedVector3iArray(pool(bytes)?),
        Kind::PackedColorArray => Variant::PackedColorArray(pool(bytes)?),
        Kind::PackedVector4Array => Variant::PackedVector4Array(real_pool(bytes, width)?),
        Kind::PackedVector4iArray => Variant::PackedVector4iArray(pool(bytes)?),
        _ => return None,
    })
}

fn fixed<T: Wire>(bytes: &[u8]) -> Option<T> {
    T::Le::read_from_bytes(bytes).ok().map(T::from_le)
}

fn reals<T: Real>(bytes: &[u8], width: Width) -> Option<Reals<T>> {
    Some(match width {
        Width::W32 => Reals::Single(fixed(bytes)?),
        Width::W64 => Reals::double(fixed(bytes)?),
    })
}

fn pool<T: Wire>(bytes: &[u8]) -> Option<Vec<T>> {
    let elements = <[T::Le]>::ref_from_bytes(bytes).ok()?;
    Some(elements.iter().copied().map(T::from_le).collect())
}

fn real_pool<T: Real>(bytes: &[u8], width: Width) -> Option<RealVec<T>> {
    Some(match width {
        Width::W32 => RealVec::Single(pool(bytes)?),
        Width::W64 => RealVec::Double(Box::new(pool(bytes)?)),
    })
}
