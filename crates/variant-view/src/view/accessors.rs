//! `as_bool`, `as_str` and the like: what a value should be, or [`ErrorKind::WrongKind`].

use super::{
    Aabb, ArrayView, Basis, Color, DictionaryView, FixedView, ImageView, InputEventView, MathView,
    NodePathView, ObjectView, PackedReals, PackedSlice, PackedStrings, Plane, Projection,
    Quaternion, Real as _, Rect2, ScalarView, SignalView, StrView, Transform2D, Transform3D,
    VariantView, Vector2, Vector3, Vector4,
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

    /// The value of a `float`, or of an `int`, as the nearest `f32`; too large ones become infinite. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_f32(&self) -> Result<f32> {
        self.as_f64().map(f32::narrow)
    }

    /// The value of an `int` that fits into 32 bits. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`], [`ErrorKind::IntRange`].
    pub fn as_i32(&self) -> Result<i32> {
        self.int()
    }

    /// The value of an `int` that is not negative. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`], [`ErrorKind::IntRange`].
    pub fn as_u64(&self) -> Result<u64> {
        self.int()
    }

    /// The value of an `int` in any of Rust's types.
    pub(super) fn int<T: TryFrom<i64> + RustInt>(&self) -> Result<T> {
        let value = self.as_i64()?;
        let range = ErrorKind::IntRange { value, is_signed: T::IS_SIGNED, bits: T::BITS };
        T::try_from(value).map_err(|_| Error::new(range, self.offset()))
    }

    fn wrong_kind(&self, expected: Kind) -> Error {
        Error::new(ErrorKind::WrongKind { expected, found: self.kind() }, self.offset())
    }
}

/// What errors say of an integer type of Rust.
pub(super) trait RustInt {
    const IS_SIGNED: bool;
    const BITS: u8;
}

macro_rules! rust_ints {
    ($($type:ty = $is_signed:literal $bits:expr;)*) => {$(
        impl RustInt for $type {
            const IS_SIGNED: bool = $is_signed;
            const BITS: u8 = $bits;
        }
    )*};
}

rust_ints! {
    i8 = true 8; i16 = true 16; i32 = true 32; u8 = false 8; u16 = false 16; u32 = false 32; u64 = false 64;
    usize = false if size_of::<usize>() < 8 { 32 } else { 64 };
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
    as_bool = Bool -> bool { ScalarView::value }
    /// The value of an `int`.
    as_i64 = Int -> i64 { ScalarView::value }
    /// The view of a dictionary.
    as_dictionary = Dictionary -> DictionaryView<'a> { |v: &DictionaryView<'a>| *v }
    /// The view of an object.
    as_object = Object -> ObjectView<'a> { |v: &ObjectView<'a>| *v }
    /// The view of a node path.
    as_node_path = NodePath -> NodePathView<'a> { |v: &NodePathView<'a>| *v }
    /// A 2D vector, in `f32`: wider reals are rounded, and become infinite where too large.
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
    /// A rectangle, in `f32` as [`VariantView::as_vector2`].
    as_rect2 = Rect2 -> Rect2 { MathView::f32 }
    /// A rectangle of integers.
    as_rect2i = Rect2i -> Rect2<i32> { FixedView::value }
    /// A plane, in `f32` as [`VariantView::as_vector2`].
    as_plane = Plane -> Plane { MathView::f32 }
    /// A quaternion, in `f32` as [`VariantView::as_vector2`].
    as_quaternion = Quaternion -> Quaternion { MathView::f32 }
    /// A box, in `f32` as [`VariantView::as_vector2`].
    as_aabb = Aabb -> Aabb { MathView::f32 }
    /// A 3 by 3 matrix, in `f32` as [`VariantView::as_vector2`].
    as_basis = Basis -> Basis { MathView::f32 }
    /// A 2D transform, in `f32` as [`VariantView::as_vector2`].
    as_transform2d = Transform2D -> Transform2D { MathView::f32 }
    /// A 3D transform, in `f32` as [`VariantView::as_vector2`].
    as_transform3d = Transform3D -> Transform3D { MathView::f32 }
    /// A 4 by 4 matrix, in `f32` as [`VariantView::as_vector2`].
    as_projection = Projection -> Projection { MathView::f32 }
    /// A 2D vector, in `f64`, exact.
    as_vector2_f64 = Vector2 -> Vector2<f64> { MathView::f64 }
    /// A 3D vector, in `f64`, exact.
    as_vector3_f64 = Vector3 -> Vector3<f64> { MathView::f64 }
    /// A 4D vector, in `f64`, exact.
    as_vector4_f64 = Vector4 -> Vector4<f64> { MathView::f64 }
    /// A rectangle, in `f64`, exact.
    as_rect2_f64 = Rect2 -> Rect2<f64> { MathView::f64 }
    /// A plane, in `f64`, exact.
    as_plane_f64 = Plane -> Plane<f64> { MathView::f64 }
    /// A quaternion, in `f64`, exact.
    as_quaternion_f64 = Quaternion -> Quaternion<f64> { MathView::f64 }
    /// A box, in `f64`, exact.
    as_aabb_f64 = Aabb -> Aabb<f64> { MathView::f64 }
    /// A 3 by 3 matrix, in `f64`, exact.
    as_basis_f64 = Basis -> Basis<f64> { MathView::f64 }
    /// A 2D transform, in `f64`, exact.
    as_transform2d_f64 = Transform2D -> Transform2D<f64> { MathView::f64 }
    /// A 3D transform, in `f64`, exact.
    as_transform3d_f64 = Transform3D -> Transform3D<f64> { MathView::f64 }
    /// A 4 by 4 matrix, in `f64`, exact.
    as_projection_f64 = Projection -> Projection<f64> { MathView::f64 }
    /// An image of Godot 2.
    as_image = Image -> ImageView<'a> { |v: &ImageView<'a>| *v }
    /// An input event of Godot 2.
    as_input_event = InputEvent -> InputEventView<'a> { |v: &InputEventView<'a>| *v }
    /// A resource handle's id.
    as_rid = Rid -> u64 { ScalarView::value }
    /// A signal.
    as_signal = Signal -> SignalView<'a> { |v: &SignalView<'a>| *v }
    /// Bytes.
    as_bytes = PackedByteArray -> &'a [u8] { PackedSlice::as_bytes }
    /// 32-bit integers.
    as_int32s = PackedInt32Array -> PackedSlice<'a, i32> { |v: &PackedSlice<'a, i32>| *v }
    /// 64-bit integers.
    as_int64s = PackedInt64Array -> PackedSlice<'a, i64> { |v: &PackedSlice<'a, i64>| *v }
    /// 32-bit floats.
    as_float32s = PackedFloat32Array -> PackedSlice<'a, f32> { |v: &PackedSlice<'a, f32>| *v }
    /// 64-bit floats.
    as_float64s = PackedFloat64Array -> PackedSlice<'a, f64> { |v: &PackedSlice<'a, f64>| *v }
    /// Texts.
    as_strings = PackedStringArray -> PackedStrings<'a> { |v: &PackedStrings<'a>| *v }
    /// 2D vectors.
    as_vector2s = PackedVector2Array -> PackedReals<'a, Vector2> { |v: &PackedReals<'a, Vector2>| *v }
    /// 3D vectors.
    as_vector3s = PackedVector3Array -> PackedReals<'a, Vector3> { |v: &PackedReals<'a, Vector3>| *v }
    /// 4D vectors.
    as_vector4s = PackedVector4Array -> PackedReals<'a, Vector4> { |v: &PackedReals<'a, Vector4>| *v }
    /// 2D vectors of integers.
    as_vector2is = PackedVector2iArray -> PackedSlice<'a, Vector2<i32>> { |v: &PackedSlice<'a, Vector2<i32>>| *v }
    /// 3D vectors of integers.
    as_vector3is = PackedVector3iArray -> PackedSlice<'a, Vector3<i32>> { |v: &PackedSlice<'a, Vector3<i32>>| *v }
    /// 4D vectors of integers.
    as_vector4is = PackedVector4iArray -> PackedSlice<'a, Vector4<i32>> { |v: &PackedSlice<'a, Vector4<i32>>| *v }
    /// Colours.
    as_colors = PackedColorArray -> PackedSlice<'a, Color> { |v: &PackedSlice<'a, Color>| *v }
}
