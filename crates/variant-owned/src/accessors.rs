//! Accessors (`as_bool`, `as_str`, ...): the value as the expected type, or `None`. The names are those of
//! [`VariantView`](variant_view::VariantView).

use variant_view::{Color, Vector2, Vector3, Vector4, Wire, math_types};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Image, InputEvent, NodePath, Signal};
use crate::object::Object;
use crate::reals::RealVec;
use crate::text::Text;
use crate::variant::Variant;

/// The value as the expected type, or `None` if it is of another kind. O(1), no allocation, except for
/// [`as_str`](Variant::as_str).
///
/// ```
/// use variant_owned::Variant;
///
/// let hp = Variant::from(300);
/// assert_eq!((hp.as_i64(), hp.as_i32()), (Some(300), Some(300)));
/// assert_eq!(hp.as_f64(), Some(300.0)); // an int is also a number
/// assert_eq!(Variant::from(1.5).as_i64(), None); // a float is not an int
/// assert_eq!(Variant::from(-1).as_u64(), None);
/// assert!(Variant::from(1).as_bool().is_none());
/// ```
impl Variant {
    /// Whether the value is `null`.
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil)
    }

    /// The value of a `float`, or of an `int` as the nearest `f64`.
    #[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "documented")]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(value.value()),
            Self::Int(value) => Some(value.value() as f64),
            _ => None,
        }
    }

    /// The value of a `float` as the nearest `f32`. A value that is too large for `f32` becomes infinite. An `int` is
    /// rounded to `f64` first.
    pub fn as_f32(&self) -> Option<f32> {
        self.as_f64().map(Wire::narrow)
    }

    /// The value of an `int` that fits into 32 bits.
    pub fn as_i32(&self) -> Option<i32> {
        self.as_i64()?.try_into().ok()
    }

    /// The value of an `int` that is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_i64()?.try_into().ok()
    }

    /// The text of a `String` or `StringName` as the engine reads it: without a byte order mark, up to the first NUL.
    /// `None` if this text is not UTF-8. O(bytes). See [`Variant::as_text`] for the bytes.
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().and_then(Text::engine_text)
    }

    /// The object, mutable.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }
}

macro_rules! held {
    (impl Variant { $($(#[$doc:meta])* $name:ident($($mut:ident)?) -> $type:ty { $pattern:pat => $take:expr })* }) => {
        impl Variant {$(
            $(#[$doc])*
            pub const fn $name(&$($mut)? self) -> Option<$type> {
                match self {
                    $pattern => Some($take),
                    _ => None,
                }
            }
        )*}
    };
}

held! {
    impl Variant {
        /// The value of a `bool`.
        as_bool() -> bool { Self::Bool(value) => *value }
        /// The value of an `int`.
        as_i64() -> i64 { Self::Int(value) => value.value() }
        /// The text of a `String` or `StringName`.
        ///
        /// ```
        /// use variant_owned::{Text, Variant};
        ///
        /// let name = Variant::from(Text::from_bytes(b"hp\xff")); // as older engines write it
        /// assert_eq!(name.as_str(), None);
        /// assert_eq!(name.as_text().map(Text::as_bytes), Some(&b"hp\xff"[..]));
        /// ```
        as_text() -> &Text { Self::String(text) | Self::StringName(text) => text }
        /// The elements of an array of any of the three kinds.
        as_array() -> &Array {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => array
        }
        /// The elements of an array of any of the three kinds, mutable.
        as_array_mut(mut) -> &mut Array {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => array
        }
        /// The dictionary.
        as_dictionary() -> &Dictionary { Self::Dictionary(dictionary) => dictionary }
        /// The dictionary, mutable.
        as_dictionary_mut(mut) -> &mut Dictionary { Self::Dictionary(dictionary) => dictionary }
    }
}

macro_rules! accessors {
    ($(#[$group:meta])* impl Variant { $($(#[$doc:meta])* $name:ident = $kind:ident -> $type:ty { |$held:ident| $take:expr })* }) => {
        $(#[$group])*
        impl Variant {$(
            $(#[$doc])*
            /// O(1).
            pub fn $name(&self) -> Option<$type> {
                match self {
                    Self::$kind($held) => Some($take),
                    _ => None,
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
            /// Mathematical types. Reals are returned as `f32`, even if they are wider on the wire. `TryFrom` returns
            /// them as `f64`.
            ///
            /// ```
            /// use variant_owned::Variant;
            /// use variant_view::{Plane, Vector3};
            ///
            /// let value = Variant::from(Plane::new(Vector3::new(0.0_f32, 1.0, 0.0), 2.0));
            /// assert_eq!(value.as_plane().map(|plane| plane.normal.y), Some(1.0));
            /// assert_eq!(Plane::<f64>::try_from(&value).map(|plane| plane.d), Ok(2.0));
            /// assert!(value.as_vector3().is_none());
            /// ```
            impl Variant {
                $(
                    #[doc = concat!($what, " in `f32`. Wider reals are rounded; reals that are too large become infinite.")]
                    #[doc = concat!("`", stringify!($kind), "::<f64>::try_from` returns the exact value in `f64`.")]
                    $as_real = $kind -> variant_view::$kind { |value| value.f32() }
                )*
                $(
                    #[doc = concat!($other_what, ".")]
                    $as = $other -> variant_view::$of $(<$number>)? { |value| *value }
                )*
            }
        }
    };
}

math_types!(math_accessors);

accessors! {
    /// Accessors that borrow leaves, and packed arrays as slices.
    ///
    /// ```
    /// use variant_owned::Variant;
    ///
    /// let bytes = Variant::from([1_u8, 2]);
    /// assert_eq!(bytes.as_bytes(), Some(&[1, 2][..]));
    /// assert_eq!(bytes.as_int32s(), None); // another kind of packed array
    /// let names = Variant::from(["a", "b"]);
    /// assert_eq!(names.as_strings().map(<[_]>::len), Some(2));
    /// ```
    impl Variant {
        /// A resource handle's id.
        #[doc(alias = "RID")]
        as_rid = Rid -> u64 { |v| *v }
        /// The object.
        as_object = Object -> &Object { |v| v }
        /// The node path.
        as_node_path = NodePath -> &NodePath { |v| v }
        /// The signal.
        as_signal = Signal -> &Signal { |v| v }
        /// The image of Godot 2.
        as_image = Image -> &Image { |v| v }
        /// The input event of Godot 2.
        as_input_event = InputEvent -> &InputEvent { |v| v }
        /// Bytes.
        #[doc(alias("PackedByteArray", "PoolByteArray"))]
        as_bytes = PackedByteArray -> &[u8] { |v| v }
        /// 32-bit integers.
        #[doc(alias("PackedInt32Array", "PoolIntArray"))]
        as_int32s = PackedInt32Array -> &[i32] { |v| v }
        /// 64-bit integers.
        #[doc(alias = "PackedInt64Array")]
        as_int64s = PackedInt64Array -> &[i64] { |v| v }
        /// 32-bit floats.
        #[doc(alias("PackedFloat32Array", "PoolRealArray"))]
        as_float32s = PackedFloat32Array -> &[f32] { |v| v }
        /// 64-bit floats.
        #[doc(alias = "PackedFloat64Array")]
        as_float64s = PackedFloat64Array -> &[f64] { |v| v }
        /// Texts.
        #[doc(alias("PackedStringArray", "PoolStringArray"))]
        as_strings = PackedStringArray -> &[Text] { |v| v }
        /// 2D vectors of integers.
        #[doc(alias("PackedVector2iArray", "PoolVector2iArray"))]
        as_vector2is = PackedVector2iArray -> &[Vector2<i32>] { |v| v }
        /// 3D vectors of integers.
        #[doc(alias("PackedVector3iArray", "PoolVector3iArray"))]
        as_vector3is = PackedVector3iArray -> &[Vector3<i32>] { |v| v }
        /// 4D vectors of integers.
        #[doc(alias("PackedVector4iArray", "PoolVector4iArray"))]
        as_vector4is = PackedVector4iArray -> &[Vector4<i32>] { |v| v }
        /// Colours.
        #[doc(alias("PackedColorArray", "PoolColorArray"))]
        as_colors = PackedColorArray -> &[Color] { |v| v }
        /// 2D vectors.
        #[doc(alias("PackedVector2Array", "PoolVector2Array"))]
        as_vector2s = PackedVector2Array -> &RealVec<Vector2> { |v| v }
        /// 3D vectors.
        #[doc(alias("PackedVector3Array", "PoolVector3Array"))]
        as_vector3s = PackedVector3Array -> &RealVec<Vector3> { |v| v }
        /// 4D vectors.
        #[doc(alias("PackedVector4Array", "PoolVector4Array"))]
        as_vector4s = PackedVector4Array -> &RealVec<Vector4> { |v| v }
    }
}
