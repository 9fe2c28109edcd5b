//! `as_bool`, `as_str` and the like: what a value should be, or [`ErrorKind::WrongKind`].

use super::{
    Aabb, ArrayView, Basis, Color, DictionaryView, FixedView, Leaf, MathView, NodePathView,
    ObjectView, Plane, PoolSlice, Projection, Quaternion, RealPool, Rect2, SignalView, StrView,
    StringPool, Transform2D, Transform3D, VariantView, Vector2, Vector3, Vector4,
};
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;

impl<'a> VariantView<'a> {
    /// Whether it is `null`. O(1).
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil(_))
    }

    /// The text of a `String` or `StringName` as the engine reads it: without a byte order mark, up to the
    /// first NUL. O(bytes of the text), which is checked to be UTF-8. See [`StrView`] for the bytes.
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`], [`ErrorKind::InvalidText`].
    pub fn as_str(&self) -> Result<&'a str> {
        match self {
            Self::String(text) | Self::StringName(text) => text.engine_text(),
            other => Err(other.wrong_kind(Kind::String)),
        }
    }

    /// The view of an array of any of the three kinds. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_array(&self) -> Result<ArrayView<'a>> {
        match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => Ok(*v),
            other => Err(other.wrong_kind(Kind::Array)),
        }
    }

    /// The view of the text of a `String` or `StringName`. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_text(&self) -> Result<StrView<'a>> {
        match self {
            Self::String(v) | Self::StringName(v) => Ok(*v),
            other => Err(other.wrong_kind(Kind::String)),
        }
    }

    /// The value of a `float`, or of an `int` as the nearest `f64`. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "rounding is documented"
    )]
    pub fn as_f64(&self) -> Result<f64> {
        match self {
            Self::Float(float) => Ok(float.value()),
            Self::Int(int) => Ok(int.value() as f64),
            other => Err(other.wrong_kind(Kind::Float)),
        }
    }

    fn wrong_kind(&self, expected: Kind) -> Error {
        Error::new(ErrorKind::WrongKind { expected, found: self.kind() }, self.offset())
    }
}

macro_rules! accessors {
    ($($(#[$doc:meta])* $name:ident = $kind:ident -> $type:ty { $take:expr })*) => {
        impl<'a> VariantView<'a> {$(
            $(#[$doc])*
            /// O(1).
            ///
            /// # Errors
            /// [`ErrorKind::WrongKind`].
            pub fn $name(&self) -> Result<$type> {
                match self {
                    Self::$kind(view) => Ok(($take)(view)),
                    other => Err(other.wrong_kind(Kind::$kind)),
                }
            }
        )*}
    };
}

accessors! {
    /// The value of a `bool`.
    as_bool = Bool -> bool { Leaf::value }
    /// The value of an `int`.
    as_i64 = Int -> i64 { Leaf::value }
    /// The view of a dictionary.
    as_dictionary = Dictionary -> DictionaryView<'a> { |v: &DictionaryView<'a>| *v }
    /// The view of an object.
    as_object = Object -> ObjectView<'a> { |v: &ObjectView<'a>| *v }
    /// The view of a node path.
    as_node_path = NodePath -> NodePathView<'a> { |v: &NodePathView<'a>| *v }
    /// A 2D vector in `f32`; wider reals are rounded, and become infinite where too large.
    as_vector2 = Vector2 -> Vector2 { MathView::f32 }
    /// A 3D vector, in `f32` as [`VariantView::as_vector2`].
    as_vector3 = Vector3 -> Vector3 { MathView::f32 }
    /// A 4D vector, in `f32` as [`VariantView::as_vector2`].
    as_vector4 = Vector4 -> Vector4 { MathView::f32 }
    /// A colour.
    as_color = Color -> Color { FixedView::value }
    /// A 2D vector of integers.
    as_vector2i = Vector2i -> Vector2<i32> { FixedView::value }
    /// A 3D vector of integers.
    as_vector3i = Vector3i -> Vector3<i32> { FixedView::value }
    /// A 4D vector of integers.
    as_vector4i = Vector4i -> Vector4<i32> { FixedView::value }
    /// A rectangle.
    as_rect2 = Rect2 -> MathView<'a, Rect2> { |v: &MathView<'a, Rect2>| *v }
    /// A rectangle of integers.
    as_rect2i = Rect2i -> Rect2<i32> { FixedView::value }
    /// A plane.
    as_plane = Plane -> MathView<'a, Plane> { |v: &MathView<'a, Plane>| *v }
    /// A quaternion.
    as_quaternion = Quaternion -> MathView<'a, Quaternion> { |v: &MathView<'a, Quaternion>| *v }
    /// A box.
    as_aabb = Aabb -> MathView<'a, Aabb> { |v: &MathView<'a, Aabb>| *v }
    /// A 3 by 3 matrix.
    as_basis = Basis -> MathView<'a, Basis> { |v: &MathView<'a, Basis>| *v }
    /// A 2D transform.
    as_transform2d = Transform2D -> MathView<'a, Transform2D> { |v: &MathView<'a, Transform2D>| *v }
    /// A 3D transform.
    as_transform3d = Transform3D -> MathView<'a, Transform3D> { |v: &MathView<'a, Transform3D>| *v }
    /// A 4 by 4 matrix.
    as_projection = Projection -> MathView<'a, Projection> { |v: &MathView<'a, Projection>| *v }
    /// A resource handle's id.
    as_rid = Rid -> u64 { Leaf::value }
    /// A signal.
    as_signal = Signal -> SignalView<'a> { |v: &SignalView<'a>| *v }
    /// Bytes.
    as_bytes = PackedByteArray -> &'a [u8] { PoolSlice::as_bytes }
    /// 32-bit integers.
    as_int32s = PackedInt32Array -> PoolSlice<'a, i32> { |v: &PoolSlice<'a, i32>| *v }
    /// 64-bit integers.
    as_int64s = PackedInt64Array -> PoolSlice<'a, i64> { |v: &PoolSlice<'a, i64>| *v }
    /// 32-bit floats.
    as_float32s = PackedFloat32Array -> PoolSlice<'a, f32> { |v: &PoolSlice<'a, f32>| *v }
    /// 64-bit floats.
    as_float64s = PackedFloat64Array -> PoolSlice<'a, f64> { |v: &PoolSlice<'a, f64>| *v }
    /// Texts.
    as_strings = PackedStringArray -> StringPool<'a> { |v: &StringPool<'a>| *v }
    /// 2D vectors.
    as_vector2s = PackedVector2Array -> RealPool<'a, Vector2> { |v: &RealPool<'a, Vector2>| *v }
    /// 3D vectors.
    as_vector3s = PackedVector3Array -> RealPool<'a, Vector3> { |v: &RealPool<'a, Vector3>| *v }
    /// 4D vectors.
    as_vector4s = PackedVector4Array -> RealPool<'a, Vector4> { |v: &RealPool<'a, Vector4>| *v }
    /// Colours.
    as_colors = PackedColorArray -> PoolSlice<'a, Color> { |v: &PoolSlice<'a, Color>| *v }
}
