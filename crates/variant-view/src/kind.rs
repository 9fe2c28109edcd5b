//! [`Kind`]: every type of every dialect, under one name each.

mod shape;
mod width;

use core::fmt;

pub(crate) use shape::by_shape;
pub use shape::{NumberType, Shape, ShapePart};
pub use width::Width;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a value is, whatever number its dialect gives it.
        ///
        /// Named after Godot 4's types; the older engines' names for the same bytes are given on each.
        /// The number on the wire is a matter of the [`Dialect`](crate::Dialect)
        /// (docs/format.md, section 1.1).
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// Every kind, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The place in [`Kind::ALL`]. Not a wire id, and not stable across versions. O(1).
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
        }
    };
}

/// Writes the same code once for each kind that documents are full of, with the kind as a constant, and once for
/// the others.
///
/// Measured: without it a walk takes 1.3 times as long and a tree 1.1 times (`benches/ablation.py by_kind`).
///
/// Measured: a size that is a constant where it is used leaves the processor free to start on the next value; one
/// that is looked up by kind makes it wait. A copy for every kind took a compiler four times as long, for nothing. A
/// build that does not optimise would keep a place on the stack for each copy, so there it is written once, unless
/// `--cfg variant_released` asks for the copies: fuzzing wants both them and debug assertions.
macro_rules! by_kind {
    ($kind:expr, |$constant:ident| $code:expr) => {
        $crate::kind::by_kind!(@match $kind, $constant, $code,
            Nil Bool Int Float String Vector2 Vector3 Color StringName Dictionary Array)
    };
    (@match $kind:expr, $constant:ident, $code:expr, $($name:ident)*) => {
        match $kind {
            $(#[cfg(any(not(debug_assertions), variant_released))]
            $crate::kind::Kind::$name => {
                let $constant = $crate::kind::Kind::$name;
                $code
            })*
            $constant => $code,
        }
    };
}
pub(crate) use by_kind;

kinds! {
    /// `null`.
    Nil = "Nil",
    /// `true` or `false`.
    Bool = "bool",
    /// A signed integer of 32 or 64 bits.
    Int = "int",
    /// A floating-point number of 32 or 64 bits.
    Float = "float",
    /// Text.
    String = "String",
    /// Two reals.
    Vector2 = "Vector2",
    /// Two 32-bit integers.
    Vector2i = "Vector2i",
    /// Position and size, in reals.
    Rect2 = "Rect2",
    /// Position and size, in 32-bit integers.
    Rect2i = "Rect2i",
    /// Three reals.
    Vector3 = "Vector3",
    /// Three 32-bit integers.
    Vector3i = "Vector3i",
    /// A 2D transform: three columns of two reals. Godot 2: `Matrix32`.
    Transform2D = "Transform2D",
    /// Four reals.
    Vector4 = "Vector4",
    /// Four 32-bit integers.
    Vector4i = "Vector4i",
    /// A plane: normal and distance.
    Plane = "Plane",
    /// A quaternion. Godot 2 and 3: `Quat`.
    Quaternion = "Quaternion",
    /// An axis-aligned box: position and size.
    Aabb = "AABB",
    /// A 3 by 3 matrix, row by row. Godot 2: `Matrix3`.
    Basis = "Basis",
    /// A basis and an origin. Godot 2, 3 and Pandemonium: `Transform`.
    Transform3D = "Transform3D",
    /// A 4 by 4 matrix, column by column.
    Projection = "Projection",
    /// Red, green, blue, alpha; always 32-bit floats.
    Color = "Color",
    /// Pixels; Godot 2 only.
    Image = "Image",
    /// Text that the engine interns.
    StringName = "StringName",
    /// A path to a node or a property.
    NodePath = "NodePath",
    /// A resource handle.
    Rid = "RID",
    /// An object: an instance id, or class and properties.
    Object = "Object",
    /// An input event; Godot 2 only.
    InputEvent = "InputEvent",
    /// A callable; the wire holds nothing of it.
    Callable = "Callable",
    /// A signal: a name and the id of its object.
    Signal = "Signal",
    /// Pairs of key and value, in order.
    Dictionary = "Dictionary",
    /// Values, in order.
    Array = "Array",
    /// An array of one element type; Pandemonium 5 only.
    TypedArray = "TypedArray",
    /// As [`Kind::TypedArray`], packed in the engine's memory; Pandemonium 5 only.
    PackedTypedArray = "PackedTypedArray",
    /// Bytes. Older: `RawArray`, `PoolByteArray`.
    PackedByteArray = "PackedByteArray",
    /// 32-bit integers. Older: `IntArray`, `PoolIntArray`.
    PackedInt32Array = "PackedInt32Array",
    /// 64-bit integers.
    PackedInt64Array = "PackedInt64Array",
    /// 32-bit floats. Older: `RealArray`, `PoolRealArray`.
    PackedFloat32Array = "PackedFloat32Array",
    /// 64-bit floats.
    PackedFloat64Array = "PackedFloat64Array",
    /// Texts. Older: `StringArray`, `PoolStringArray`.
    PackedStringArray = "PackedStringArray",
    /// [`Kind::Vector2`]s. Older: `PoolVector2Array`.
    PackedVector2Array = "PackedVector2Array",
    /// [`Kind::Vector2i`]s; Pandemonium's `PoolVector2iArray`.
    PackedVector2iArray = "PackedVector2iArray",
    /// [`Kind::Vector3`]s. Older: `PoolVector3Array`.
    PackedVector3Array = "PackedVector3Array",
    /// [`Kind::Vector3i`]s; Pandemonium's `PoolVector3iArray`.
    PackedVector3iArray = "PackedVector3iArray",
    /// [`Kind::Color`]s. Older: `PoolColorArray`.
    PackedColorArray = "PackedColorArray",
    /// [`Kind::Vector4`]s. Pandemonium: `PoolVector4Array`.
    PackedVector4Array = "PackedVector4Array",
    /// [`Kind::Vector4i`]s; Pandemonium's `PoolVector4iArray`.
    PackedVector4iArray = "PackedVector4iArray",
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
