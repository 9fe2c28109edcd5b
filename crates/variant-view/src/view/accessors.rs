//! `as_bool`, `as_str` and the like: the value as the expected type, or [`ErrorKind::WrongKind`].

use super::{
    ArrayView, Color, DictionaryView, ImageView, InputEventView, MathView, NodePathView,
    ObjectView, PackedReals, PackedSlice, PackedStrings, ScalarView, SignalView, StrView,
    VariantView, Vector2, Vector3, Vector4, Wire as _, math, math_types,
};
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;

impl<'a> VariantView<'a> {
    /// Whether the value is `null`. O(1).
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil(_))
    }

    /// The text of a `String` or `StringName` as the engine reads it: without a byte order mark, up to the
    /// first NUL. O(bytes of the text): the text is checked to be UTF-8. See [`StrView`] for the bytes.
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let text = Document::new(b"\x04\0\0\0\x02\0\0\0hp\0\0", Dialect::Godot4).root()?;
    /// assert_eq!(text.as_str()?, "hp");
    /// # Ok::<(), variant_view::Error>(())
    /// ```
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
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let array = Document::new(bytes, Dialect::Godot4).root()?.as_array()?; // [5, 7]
    /// let ints = array.iter().map(|element| element?.as_i64()).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(ints, [5, 7]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
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
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let latin1 = Document::new(b"\x04\0\0\0\x02\0\0\0h\xe9\0\0", Dialect::Godot2).root()?;
    /// assert_eq!(latin1.as_text()?.as_bytes(), b"h\xe9");
    /// assert!(latin1.as_str().is_err());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    #[inline]
    pub fn as_text(&self) -> Result<StrView<'a>> {
        match self {
            Self::String(v) | Self::StringName(v) => Ok(*v),
            other => Err(other.wrong_kind(Kind::String)),
        }
    }

    /// The value of a `float`, or of an `int` as the nearest `f64`. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let float = Document::new(b"\x03\0\0\0\0\0\0\x3f", Dialect::Godot4).root()?;
    /// let int = Document::new(b"\x02\0\0\0\x07\0\0\0", Dialect::Godot4).root()?;
    /// assert_eq!((float.as_f64()?, int.as_f64()?), (0.5, 7.0));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "rounding is documented"
    )]
    #[inline]
    pub fn as_f64(&self) -> Result<f64> {
        match self {
            Self::Float(float) => Ok(float.value()),
            Self::Int(int) => Ok(int.value() as f64),
            other => Err(other.wrong_kind(Kind::Float)),
        }
    }

    /// The value of a `float` as the nearest `f32`. A value that is too large becomes infinite. An `int` is rounded to
    /// `f64` first. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    #[inline]
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
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let minus_one = Document::new(b"\x02\0\0\0\xff\xff\xff\xff", Dialect::Godot4).root()?;
    /// assert_eq!(minus_one.as_i32()?, -1);
    /// assert!(minus_one.as_u64().is_err());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
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

    pub(super) fn wrong_kind(&self, expected: Kind) -> Error {
        Error::new(ErrorKind::WrongKind { expected, found: self.kind() }, self.offset())
    }
}

/// The properties of a Rust integer type that errors report.
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
    ($(#[$group:meta])* impl VariantView { $($(#[$doc:meta])* $name:ident = $kind:ident -> $type:ty { $take:expr })* }) => {
        $(#[$group])*
        impl<'a> VariantView<'a> {$(
            $(#[$doc])*
            /// O(1).
            ///
            /// # Errors
            /// [`ErrorKind::WrongKind`].
            #[inline]
            pub fn $name(&self) -> Result<$type> {
                match self {
                    Self::$kind(view) => Ok(($take)(view)),
                    other => Err(other.wrong_kind(Kind::$kind)),
                }
            }
        )*}
    };
}

macro_rules! math_accessors {
    (
        reals { $($kind:ident: $as_real:ident $what:literal;)* }
        others { $($other:ident = $of:ident $(<$number:ident>)?: $as:ident $other_what:literal;)* }
    ) => {
        accessors! {
            /// Mathematical types. Reals of either width are returned in `f32`; `TryFrom` returns them in `f64`.
            ///
            /// ```
            /// use variant_view::{Dialect, Document, Plane, Vector3};
            ///
            /// // Plane(0, 1, 0, 2), as Godot 4 writes it
            /// let bytes = [14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40];
            /// let view = Document::new(&bytes, Dialect::Godot4).root()?;
            /// assert_eq!(view.as_plane()?, Plane::new(Vector3::new(0.0, 1.0, 0.0), 2.0));
            /// assert_eq!(Plane::<f64>::try_from(view)?.d, 2.0);
            /// assert!(view.as_vector3().is_err());
            /// let at = Document::new(b"\x09\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", Dialect::Godot4);
            /// assert_eq!(at.root()?.as_vector3()?, Vector3::from([1.0, 2.0, 3.0]));
            /// # Ok::<(), variant_view::Error>(())
            /// ```
            impl VariantView {
                $(
                    #[doc = concat!($what, ", in `f32`: wider reals are rounded, and become infinite where too large.")]
                    #[doc = concat!("`", stringify!($kind), "::<f64>::try_from` returns the exact value in `f64`.")]
                    $as_real = $kind -> math::$kind { MathView::f32 }
                )*
                $(
                    #[doc = concat!($other_what, ".")]
                    $as = $other -> math::$of $(<$number>)? { MathView::value }
                )*
            }
        }
    };
}

math_types!(math_accessors);

accessors! {
    impl VariantView {
        /// The value of a `bool`.
        as_bool = Bool -> bool { ScalarView::value }
        /// The value of an `int`.
        ///
        /// ```
        /// use variant_view::{Dialect, Document};
        ///
        /// let value = Document::new(b"\x02\0\0\0\x07\0\0\0", Dialect::Godot4).root()?;
        /// assert_eq!(value.as_i64()?, 7);
        /// assert!(value.as_bool().is_err());
        /// # Ok::<(), variant_view::Error>(())
        /// ```
        ///
        as_i64 = Int -> i64 { ScalarView::value }
        /// The view of a dictionary.
        ///
        /// ```
        /// use variant_view::{Dialect, Document, Kind};
        ///
        /// let value = Document::new(b"\x1b\0\0\0\0\0\0\0", Dialect::Godot4).root()?; // {}
        /// assert!(value.as_dictionary()?.is_empty());
        /// assert_eq!(value.kind(), Kind::Dictionary);
        /// # Ok::<(), variant_view::Error>(())
        /// ```
        ///
        as_dictionary = Dictionary -> DictionaryView<'a> { |v: &DictionaryView<'a>| *v }
        /// The view of an object.
        as_object = Object -> ObjectView<'a> { |v: &ObjectView<'a>| *v }
        /// The view of a node path.
        as_node_path = NodePath -> NodePathView<'a> { |v: &NodePathView<'a>| *v }
        /// An image of Godot 2.
        as_image = Image -> ImageView<'a> { |v: &ImageView<'a>| *v }
        /// An input event of Godot 2.
        as_input_event = InputEvent -> InputEventView<'a> { |v: &InputEventView<'a>| *v }
        /// A resource handle's id.
        #[doc(alias = "RID")]
        as_rid = Rid -> u64 { ScalarView::value }
        /// A signal.
        as_signal = Signal -> SignalView<'a> { |v: &SignalView<'a>| *v }
        /// Bytes.
        #[doc(alias("PackedByteArray", "PoolByteArray"))]
        as_bytes = PackedByteArray -> &'a [u8] { PackedSlice::as_bytes }
        /// 32-bit integers.
        #[doc(alias("PackedInt32Array", "PoolIntArray"))]
        as_int32s = PackedInt32Array -> PackedSlice<'a, i32> { |v: &PackedSlice<'a, i32>| *v }
        /// 64-bit integers.
        #[doc(alias = "PackedInt64Array")]
        as_int64s = PackedInt64Array -> PackedSlice<'a, i64> { |v: &PackedSlice<'a, i64>| *v }
        /// 32-bit floats.
        #[doc(alias("PackedFloat32Array", "PoolRealArray"))]
        as_float32s = PackedFloat32Array -> PackedSlice<'a, f32> { |v: &PackedSlice<'a, f32>| *v }
        /// 64-bit floats.
        #[doc(alias = "PackedFloat64Array")]
        as_float64s = PackedFloat64Array -> PackedSlice<'a, f64> { |v: &PackedSlice<'a, f64>| *v }
        /// Texts.
        #[doc(alias("PackedStringArray", "PoolStringArray"))]
        as_strings = PackedStringArray -> PackedStrings<'a> { |v: &PackedStrings<'a>| *v }
        /// 2D vectors.
        #[doc(alias("PackedVector2Array", "PoolVector2Array"))]
        as_vector2s = PackedVector2Array -> PackedReals<'a, Vector2> { |v: &PackedReals<'a, Vector2>| *v }
        /// 3D vectors.
        #[doc(alias("PackedVector3Array", "PoolVector3Array"))]
        as_vector3s = PackedVector3Array -> PackedReals<'a, Vector3> { |v: &PackedReals<'a, Vector3>| *v }
        /// 4D vectors.
        #[doc(alias("PackedVector4Array", "PoolVector4Array"))]
        as_vector4s = PackedVector4Array -> PackedReals<'a, Vector4> { |v: &PackedReals<'a, Vector4>| *v }
        /// 2D vectors of integers.
        #[doc(alias("PackedVector2iArray", "PoolVector2iArray"))]
        as_vector2is = PackedVector2iArray -> PackedSlice<'a, Vector2<i32>> { |v: &PackedSlice<'a, Vector2<i32>>| *v }
        /// 3D vectors of integers.
        #[doc(alias("PackedVector3iArray", "PoolVector3iArray"))]
        as_vector3is = PackedVector3iArray -> PackedSlice<'a, Vector3<i32>> { |v: &PackedSlice<'a, Vector3<i32>>| *v }
        /// 4D vectors of integers.
        #[doc(alias("PackedVector4iArray", "PoolVector4iArray"))]
        as_vector4is = PackedVector4iArray -> PackedSlice<'a, Vector4<i32>> { |v: &PackedSlice<'a, Vector4<i32>>| *v }
        /// Colours.
        #[doc(alias("PackedColorArray", "PoolColorArray"))]
        as_colors = PackedColorArray -> PackedSlice<'a, Color> { |v: &PackedSlice<'a, Color>| *v }
    }
}
