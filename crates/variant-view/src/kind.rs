//! [`Kind`]: all types of all dialects, each with one name, and with its shape if it consists of numbers.

mod shape;
mod width;

use core::fmt;

pub(crate) use shape::shape;
pub use shape::{NumberType, Shape};
pub use width::Width;

macro_rules! kinds {
    ($d:tt $($(#[$doc:meta])* $name:ident = $text:literal $(, $number:tt $parts:tt)?;)*) => {
        /// The type of a value, independent of the id that a dialect gives the type.
        ///
        /// Named after Godot 4's types; each kind lists the older engines' names for the same bytes. The id on the wire
        /// depends on the [`Dialect`](crate::Dialect) (docs/spec/format.md#type-ids).
        ///
        /// Sizes are those of the whole value, with its header of 4 bytes. If there are two sizes, the second is for an
        /// `int` or a `float` of 64 bits, or for reals of 64 bits ([`NumberType::Real`]).
        ///
        /// ```
        /// use variant_view::{Dialect, Kind};
        ///
        /// assert_eq!(Kind::Aabb.name(), "AABB");
        /// assert_eq!(Dialect::Godot4.id(Kind::Vector3), Some(9));
        /// assert_eq!(Dialect::Godot3.id(Kind::Vector3), Some(7));
        /// assert_eq!(Kind::ALL[Kind::Signal.index()], Kind::Signal);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// Every kind, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The index in [`Kind::ALL`]. Not a wire id, and not stable across versions. O(1).
            #[expect(clippy::as_conversions, reason = "a discriminant")]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The name, spelt as Godot 4 spells it (`"AABB"`, `"PackedByteArray"`). O(1).
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// The name of the newtype by which `variant-serde` writes a value of this kind. O(1).
            #[cfg(feature = "serde")]
            pub(crate) const fn mark(self) -> &'static str {
                match self {
                    $(Self::$name => concat!("$variant::", stringify!($name)),)*
                }
            }

            /// The shape of the kind, if it consists of numbers. O(1).
            #[cfg_attr(not(variant_small), inline(always))]
            pub const fn shape(self) -> Option<Shape> {
                match self {
                    $($(Self::$name => Some(const { shape!($number $parts) }),)?)*
                    _ => None,
                }
            }

            /// [`Kind::shape`] by reference: one look-up, for callers that use parts of the shape later.
            pub(crate) const fn shape_ref(self) -> Option<&'static Shape> {
                match self {
                    $($(Self::$name => Some(const { &shape!($number $parts) }),)?)*
                    _ => None,
                }
            }
        }

        /// Applies `$make` to the shape of a kind; each arm is a constant. Kinds without a shape use `$other`.
        ///
        /// Measured: for a kind that is not a constant, this macro takes one jump, and [`Kind::shape`] two. That saves
        /// up to 6 % (`benches/ablation.py by_shape`).
        macro_rules! by_shape {
            ($d kind:expr, $d make:path, $d other:expr) => {
                match $d kind {
                    $($($crate::kind::Kind::$name => const { $d make($crate::kind::shape!($number $parts)) },)?)*
                    _ => $d other,
                }
            };
        }
        pub(crate) use by_shape;
    };
}

/// Writes the same code once for each frequent kind, with the kind as a constant, and once for all other kinds.
///
/// Measured: without the copies walks take 1.3 times as long, owned values 1.1 times (`benches/ablation.py by_kind`).
/// With a constant size, the processor can start on the next value. A size that is looked up by kind makes the
/// processor wait. A copy for every kind takes the compiler four times as long, without a gain.
///
/// A build with debug assertions has the code once, because without optimisation each copy would reserve stack.
/// `--cfg variant_released` requests the copies in such a build: fuzzing needs both the copies and debug assertions.
/// `--cfg variant_small`, for small code, also removes the copies.
macro_rules! by_kind {
    ($kind:expr, |$constant:ident| $code:expr) => {
        $crate::kind::by_kind!(@match $kind, $constant, $code,
            Nil Bool Int Float String Vector2 Vector3 Color StringName Dictionary Array)
    };
    (@match $kind:expr, $constant:ident, $code:expr, $($name:ident)*) => {
        match $kind {
            $(#[cfg(all(not(variant_small), any(not(debug_assertions), variant_released)))]
            $crate::kind::Kind::$name => {
                let $constant = $crate::kind::Kind::$name;
                $code
            })*
            $constant => $code,
        }
    };
}
pub(crate) use by_kind;

// The row of a kind that consists of numbers also has their type, and the names of the fields in wire order. Brackets
// around the type mean a packed array.
kinds! { $
    /// `null`. 4 bytes.
    Nil = "Nil";
    /// `true` or `false`. 8 bytes.
    Bool = "bool";
    /// A signed integer of 32 or 64 bits. 8 or 12 bytes.
    Int = "int";
    /// A floating-point number of 32 or 64 bits. 8 or 12 bytes.
    Float = "float";
    /// Text. 8 bytes and the text, padded to a multiple of 4.
    String = "String";
    /// Two reals. 12 or 20 bytes.
    Vector2 = "Vector2", Real { x y };
    /// Two 32-bit integers. 12 bytes.
    Vector2i = "Vector2i", Int32 { x y };
    /// Position and size, in reals. 20 or 36 bytes.
    Rect2 = "Rect2", Real { position[x y] size[x y] };
    /// Position and size, in 32-bit integers. 20 bytes.
    Rect2i = "Rect2i", Int32 { position[x y] size[x y] };
    /// Three reals. 16 or 28 bytes.
    Vector3 = "Vector3", Real { x y z };
    /// Three 32-bit integers. 16 bytes.
    Vector3i = "Vector3i", Int32 { x y z };
    /// A 2D transform: three columns of two reals. 28 or 52 bytes. Godot 2: `Matrix32`.
    #[doc(alias = "Matrix32")]
    Transform2D = "Transform2D", Real { x[x y] y[x y] origin[x y] };
    /// Four reals. 20 or 36 bytes.
    Vector4 = "Vector4", Real { x y z w };
    /// Four 32-bit integers. 20 bytes.
    Vector4i = "Vector4i", Int32 { x y z w };
    /// A plane: normal and distance. 20 or 36 bytes.
    Plane = "Plane", Real { normal[x y z] d };
    /// A quaternion. 20 or 36 bytes. Godot 2 and 3: `Quat`.
    #[doc(alias = "Quat")]
    Quaternion = "Quaternion", Real { x y z w };
    /// An axis-aligned box: position and size. 28 or 52 bytes.
    #[doc(alias = "AABB")]
    Aabb = "AABB", Real { position[x y z] size[x y z] };
    /// A 3 by 3 matrix, row by row. 40 or 76 bytes. Godot 2: `Matrix3`.
    #[doc(alias = "Matrix3")]
    Basis = "Basis", Real { row0[x y z] row1[x y z] row2[x y z] };
    /// A basis and an origin. 52 or 100 bytes. Godot 2, 3 and Pandemonium: `Transform`.
    #[doc(alias = "Transform")]
    Transform3D = "Transform3D", Real { row0[x y z] row1[x y z] row2[x y z] origin[x y z] };
    /// A 4 by 4 matrix, column by column. 68 or 132 bytes.
    Projection = "Projection", Real { x[x y z w] y[x y z w] z[x y z w] w[x y z w] };
    /// Red, green, blue, alpha; always 32-bit floats. 20 bytes.
    Color = "Color", Float32 { r g b a };
    /// Pixels; Godot 2 only. 24 bytes and the pixels, padded to a multiple of 4.
    Image = "Image";
    /// Text that the engine interns. 8 bytes and the text, padded to a multiple of 4.
    StringName = "StringName";
    /// A path to a node or a property. 16 bytes and its texts, each with a length of 4 bytes and padding.
    NodePath = "NodePath";
    /// A resource handle. 12 bytes in Godot 4, which writes its id; 4 bytes elsewhere.
    #[doc(alias = "RID")]
    Rid = "RID";
    /// An object: an instance id (12 bytes), or a class and properties with their names.
    Object = "Object";
    /// An input event; Godot 2 only. 16 to 24 bytes.
    InputEvent = "InputEvent";
    /// A callable; the wire has only its header. 4 bytes.
    Callable = "Callable";
    /// A signal: a name and the id of its object. 16 bytes and the name, padded to a multiple of 4.
    Signal = "Signal";
    /// Pairs of key and value, in order. 8 bytes, declared types, and the pairs.
    Dictionary = "Dictionary";
    /// Values, in order. 8 bytes, a declared type, and the elements.
    Array = "Array";
    /// An array of one element type; Pandemonium 5 only. 12 bytes, the class of objects, and the elements.
    TypedArray = "TypedArray";
    /// As [`Kind::TypedArray`], packed in the engine's memory; Pandemonium 5 only. The same size.
    PackedTypedArray = "PackedTypedArray";
    /// Bytes: 8 bytes, and 1 for each element, padded to a multiple of 4. Older: `RawArray`, `PoolByteArray`.
    #[doc(alias("PoolByteArray", "RawArray"))]
    PackedByteArray = "PackedByteArray", [Byte] {};
    /// 32-bit integers: 8 bytes, and 4 for each element. Older: `IntArray`, `PoolIntArray`.
    #[doc(alias("PoolIntArray", "IntArray"))]
    PackedInt32Array = "PackedInt32Array", [Int32] {};
    /// 64-bit integers: 8 bytes, and 8 for each element.
    PackedInt64Array = "PackedInt64Array", [Int64] {};
    /// 32-bit floats: 8 bytes, and 4 for each element. Older: `RealArray`, `PoolRealArray`.
    #[doc(alias("PoolRealArray", "RealArray"))]
    PackedFloat32Array = "PackedFloat32Array", [Float32] {};
    /// 64-bit floats: 8 bytes, and 8 for each element.
    PackedFloat64Array = "PackedFloat64Array", [Float64] {};
    /// Texts: 8 bytes, and each text with a length of 4 bytes and padding. Older: `StringArray`, `PoolStringArray`.
    #[doc(alias("PoolStringArray", "StringArray"))]
    PackedStringArray = "PackedStringArray";
    /// [`Kind::Vector2`]s: 8 bytes, and 8 or 16 for each element. Older: `PoolVector2Array`.
    #[doc(alias("PoolVector2Array", "Vector2Array"))]
    PackedVector2Array = "PackedVector2Array", [Real] { x y };
    /// [`Kind::Vector2i`]s: 8 bytes, and 8 for each element; Pandemonium's `PoolVector2iArray`.
    #[doc(alias = "PoolVector2iArray")]
    PackedVector2iArray = "PackedVector2iArray", [Int32] { x y };
    /// [`Kind::Vector3`]s: 8 bytes, and 12 or 24 for each element. Older: `PoolVector3Array`.
    #[doc(alias("PoolVector3Array", "Vector3Array"))]
    PackedVector3Array = "PackedVector3Array", [Real] { x y z };
    /// [`Kind::Vector3i`]s: 8 bytes, and 12 for each element; Pandemonium's `PoolVector3iArray`.
    #[doc(alias = "PoolVector3iArray")]
    PackedVector3iArray = "PackedVector3iArray", [Int32] { x y z };
    /// [`Kind::Color`]s: 8 bytes, and 16 for each element. Older: `PoolColorArray`.
    #[doc(alias("PoolColorArray", "ColorArray"))]
    PackedColorArray = "PackedColorArray", [Float32] { r g b a };
    /// [`Kind::Vector4`]s: 8 bytes, and 16 or 32 for each element. Pandemonium: `PoolVector4Array`.
    #[doc(alias = "PoolVector4Array")]
    PackedVector4Array = "PackedVector4Array", [Real] { x y z w };
    /// [`Kind::Vector4i`]s: 8 bytes, and 16 for each element; Pandemonium's `PoolVector4iArray`.
    #[doc(alias = "PoolVector4iArray")]
    PackedVector4iArray = "PackedVector4iArray", [Int32] { x y z w };
}

impl Kind {
    /// The kind of the elements of a packed array. `None` for other kinds, also for arrays of any kind. O(1).
    ///
    /// ```
    /// use variant_view::Kind;
    ///
    /// assert_eq!(Kind::PackedByteArray.element(), Some(Kind::Int));
    /// assert_eq!(Kind::PackedColorArray.element(), Some(Kind::Color));
    /// assert_eq!(Kind::Array.element(), None);
    /// ```
    pub const fn element(self) -> Option<Self> {
        Some(match self {
            Self::PackedByteArray | Self::PackedInt32Array | Self::PackedInt64Array => Self::Int,
            Self::PackedFloat32Array | Self::PackedFloat64Array => Self::Float,
            Self::PackedStringArray => Self::String,
            Self::PackedVector2Array => Self::Vector2,
            Self::PackedVector2iArray => Self::Vector2i,
            Self::PackedVector3Array => Self::Vector3,
            Self::PackedVector3iArray => Self::Vector3i,
            Self::PackedVector4Array => Self::Vector4,
            Self::PackedVector4iArray => Self::Vector4i,
            Self::PackedColorArray => Self::Color,
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
