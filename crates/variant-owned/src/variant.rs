//! [`Variant`]: one owned value.

use std::fmt;
use std::ops::{Index, IndexMut};

use variant_view::{
    Aabb, Basis, Color, Key, Kind, Leaf, Plane, Projection, Quaternion, Rect2, Transform2D,
    Transform3D, Vector2, Vector3, Vector4,
};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::payload::Payload;
use crate::reals::{MathValue, RealVec};
use crate::text::Text;

macro_rules! variant {
    ($($(#[$doc:meta])* $kind:ident $(($type:ty))?,)*) => {
        /// One owned value. It has an arm for each [`Kind`], as [`VariantView`](variant_view::VariantView) has.
        /// [`Kind`] explains the sizes on the wire. A value takes at most 32 bytes of memory, and exactly 32 on 64-bit
        /// hosts.
        ///
        /// Equality is by value. The width of a number does not matter, but the order of the pairs of a dictionary
        /// does. Contents of more than 24 bytes are on the heap.
        ///
        /// ```
        /// use variant_owned::{Variant, array};
        ///
        /// let value = Variant::from(array![7, "axe"]);
        /// let parts: Vec<_> = value.as_array().into_iter().flatten().collect();
        /// let count = match parts[0] {
        ///     Variant::Int(count) => count.value(),
        ///     _ => 0,
        /// };
        /// assert_eq!((count, parts[1].as_str()), (7, Some("axe")));
        /// ```
        #[non_exhaustive]
        pub enum Variant {
            $(
                $(#[$doc])*
                $kind $(($type))?,
            )*
        }

        impl Variant {
            /// The kind of the value. O(1).
            pub const fn kind(&self) -> Kind {
                match self {
                    $(variant!(@pattern $kind $($type)?) => Kind::$kind,)*
                }
            }

            #[cfg_attr(not(variant_small), inline(always))]
            pub(crate) fn payload_leaf<R>(&self, take: impl FnOnce(Leaf<'_>) -> R) -> R {
                match self {
                    $(variant!(@held held $kind $($type)?) => variant!(@leaf held take $kind $($type)?),)*
                }
            }

            #[cfg_attr(not(variant_small), inline(always))]
            pub(crate) fn try_from_leaf(leaf: &Leaf<'_>) -> Option<Self> {
                match leaf.kind() {
                    $(Kind::$kind => variant!(@from_leaf leaf $kind $($type)?),)*
                    _ => None,
                }
            }

            /// A copy without children.
            pub(crate) fn shell(&self) -> Self {
                match self {
                    $(variant!(@held held $kind $($type)?) => variant!(@shell held $kind $($type)?),)*
                }
            }

            /// Whether both values are equal except for their children.
            pub(crate) fn is_same_shell(&self, other: &Self) -> bool {
                match (self, other) {
                    $((variant!(@held held $kind $($type)?), variant!(@held other $kind $($type)?)) => {
                        variant!(@is_same held other $($type)?)
                    })*
                    _ => false,
                }
            }

            /// Writes the value for `Debug`; nothing for containers.
            pub(crate) fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(variant!(@held held $kind $($type)?) => variant!(@show held f $kind $($type)?),)*
                }
            }
        }
    };
    (@pattern $kind:ident $type:ty) => { Self::$kind(_) };
    (@pattern $kind:ident) => { Self::$kind };
    (@held $held:ident $kind:ident $type:ty) => { Self::$kind($held) };
    (@held $held:ident $kind:ident) => { Self::$kind };
    (@leaf $held:ident $take:ident $kind:ident $type:ty) => { $held.with_leaf(Kind::$kind, $take) };
    (@leaf $held:ident $take:ident $kind:ident) => { $take(Leaf::$kind) };
    (@from_leaf $leaf:ident $kind:ident $type:ty) => {
        <$type as Payload>::from_leaf($leaf).map(Self::$kind)
    };
    (@from_leaf $leaf:ident $kind:ident) => { Some(Self::$kind) };
    (@shell $held:ident $kind:ident $type:ty) => { Self::$kind(Payload::shell($held)) };
    (@shell $held:ident $kind:ident) => { Self::$kind };
    (@is_same $held:ident $other:ident $type:ty) => { Payload::is_same_shell($held, $other) };
    (@is_same $held:ident $other:ident) => { true };
    (@show $held:ident $f:ident $kind:ident $type:ty) => { $held.show(Kind::$kind, $f) };
    (@show $held:ident $f:ident Nil) => { $f.write_str("null") };
    (@show $held:ident $f:ident $kind:ident) => { write!($f, "{}()", Kind::$kind) };
}

variant! {
    /// `null`. 4 bytes. `value.is_nil()`
    Nil,
    /// `true` or `false`. 8 bytes. `value.as_bool()?`
    Bool(bool),
    /// An integer. 8 or 12 bytes. `value.as_i64()?`
    Int(Int),
    /// A float. 8 or 12 bytes. `value.as_f64()?`
    Float(Float),
    /// Text. 8 bytes and the text. `value.as_str()?`
    String(Text),
    /// Two reals. 12 or 20 bytes. `value.as_vector2()?.x`
    Vector2(MathValue<Vector2>),
    /// Two integers. 12 bytes. `value.as_vector2i()?.x`
    Vector2i(Vector2<i32>),
    /// Position and size. 20 or 36 bytes. `value.as_rect2()?.size`
    Rect2(MathValue<Rect2>),
    /// Position and size in integers. 20 bytes. `value.as_rect2i()?.size`
    Rect2i(Rect2<i32>),
    /// Three reals. 16 or 28 bytes. `value.as_vector3()?.x`
    Vector3(MathValue<Vector3>),
    /// Three integers. 16 bytes. `value.as_vector3i()?.x`
    Vector3i(Vector3<i32>),
    /// A 2D transform. 28 or 52 bytes. `value.as_transform2d()?.origin`
    Transform2D(Box<MathValue<Transform2D>>),
    /// Four reals. 20 or 36 bytes. `value.as_vector4()?.x`
    Vector4(MathValue<Vector4>),
    /// Four integers. 20 bytes. `value.as_vector4i()?.x`
    Vector4i(Vector4<i32>),
    /// Normal and distance. 20 or 36 bytes. `value.as_plane()?.d`
    Plane(MathValue<Plane>),
    /// A rotation. 20 or 36 bytes. `value.as_quaternion()?.w`
    Quaternion(MathValue<Quaternion>),
    /// A box: position and size. 28 or 52 bytes. `value.as_aabb()?.size`
    Aabb(Box<MathValue<Aabb>>),
    /// A 3 by 3 matrix. 40 or 76 bytes. `value.as_basis()?.x_axis()`
    Basis(Box<MathValue<Basis>>),
    /// A basis and an origin. 52 or 100 bytes. `value.as_transform3d()?.origin`
    Transform3D(Box<MathValue<Transform3D>>),
    /// A 4 by 4 matrix. 68 or 132 bytes. `value.as_projection()?.w`
    Projection(Box<MathValue<Projection>>),
    /// Red, green, blue, alpha. 20 bytes. `value.as_color()?.r`
    Color(Color),
    /// Pixels (Godot 2). 24 bytes and the pixels. `value.as_image()?.data`
    Image(Box<Image>),
    /// Interned text. 8 bytes and the text. `value.as_str()?`
    StringName(Text),
    /// A path to a node or a property. 16 bytes and its texts. `value.as_node_path()?.names`
    NodePath(Box<NodePath>),
    /// A resource handle. 4 or 12 bytes. `value.as_rid()?`
    Rid(u64),
    /// An instance id, or class and properties. 12 bytes by id. `value.get("name")?`
    Object(Box<Object>),
    /// An input event (Godot 2). 16 to 24 bytes. `value.as_input_event()?.event`
    InputEvent(Box<InputEvent>),
    /// A callable; the wire has only its header. 4 bytes. `value.kind() == Kind::Callable`
    Callable,
    /// A name and the id of its object. 16 bytes and the name. `value.as_signal()?.name`
    Signal(Box<Signal>),
    /// Pairs of key and value. 8 bytes and the pairs. `value.get("hp")?`
    Dictionary(Dictionary),
    /// Values. 8 bytes and the elements. `value.index(0)?`
    Array(Array),
    /// Values of one type (Pandemonium 5). 12 bytes and the elements. `value.as_array()?.element_type()`
    TypedArray(Array),
    /// Values of one type (Pandemonium 5), packed in the engine's memory. 12 bytes and the elements.
    /// `value.as_array()?.element_type()`
    PackedTypedArray(Array),
    /// Bytes. 8 bytes, and 1 for each element. `value.as_bytes()?`
    PackedByteArray(Vec<u8>),
    /// 32-bit integers. 8 bytes, and 4 for each element. `value.as_int32s()?`
    PackedInt32Array(Vec<i32>),
    /// 64-bit integers. 8 bytes, and 8 for each element. `value.as_int64s()?`
    PackedInt64Array(Vec<i64>),
    /// 32-bit floats. 8 bytes, and 4 for each element. `value.as_float32s()?`
    PackedFloat32Array(Vec<f32>),
    /// 64-bit floats. 8 bytes, and 8 for each element. `value.as_float64s()?`
    PackedFloat64Array(Vec<f64>),
    /// Texts. 8 bytes and the texts. `value.as_strings()?`
    PackedStringArray(Vec<Text>),
    /// Vectors of two reals. 8 bytes, and 8 or 16 for each element. `value.as_vector2s()?`
    PackedVector2Array(RealVec<Vector2>),
    /// Vectors of two integers. 8 bytes, and 8 for each element. `value.as_vector2is()?`
    PackedVector2iArray(Vec<Vector2<i32>>),
    /// Vectors of three reals. 8 bytes, and 12 or 24 for each element. `value.as_vector3s()?`
    PackedVector3Array(RealVec<Vector3>),
    /// Vectors of three integers. 8 bytes, and 12 for each element. `value.as_vector3is()?`
    PackedVector3iArray(Vec<Vector3<i32>>),
    /// Colours. 8 bytes, and 16 for each element. `value.as_colors()?`
    PackedColorArray(Vec<Color>),
    /// Vectors of four reals. 8 bytes, and 16 or 32 for each element. `value.as_vector4s()?`
    PackedVector4Array(RealVec<Vector4>),
    /// Vectors of four integers. 8 bytes, and 16 for each element. `value.as_vector4is()?`
    PackedVector4iArray(Vec<Vector4<i32>>),
}

const _: () = assert!(size_of::<Variant>() <= 32, "values are moved around");

impl Default for Variant {
    /// `null`.
    fn default() -> Self {
        Self::Nil
    }
}

impl Variant {
    /// A `StringName` if `is_name`, otherwise a `String`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) const fn of_text(text: Text, is_name: bool) -> Self {
        if is_name { Self::StringName(text) } else { Self::String(text) }
    }

    /// The value of `key` in a dictionary, or of the property of that name in an object. O(1) expected, O(properties)
    /// for objects.
    ///
    /// ```
    /// use variant_owned::{Object, Variant, dictionary};
    ///
    /// let player = Variant::from(dictionary! { "hp" => 7, 3 => true });
    /// assert_eq!(player.get("hp"), Some(&7.into()));
    /// assert_eq!(player.get(3), Some(&true.into()));
    /// assert_eq!(Variant::from(Object::new("Node")).get("hp"), None);
    /// ```
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<&Self> {
        match (self, key.into()) {
            (Self::Dictionary(dictionary), key) => dictionary.get(key),
            (Self::Object(object), Key::String(name) | Key::StringName(name)) => object.get(name),
            _ => None,
        }
    }

    /// Element `index` of an array. O(1).
    pub fn index(&self, index: usize) -> Option<&Self> {
        self.as_array()?.get(index)
    }

    /// The mutable value of `key`. Costs as much as [`Variant::get`].
    pub fn get_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<&mut Self> {
        match (self, key.into()) {
            (Self::Dictionary(dictionary), key) => dictionary.get_mut(key),
            (Self::Object(object), Key::String(name) | Key::StringName(name)) => {
                object.get_mut(name)
            }
            _ => None,
        }
    }
}

impl Index<&str> for Variant {
    type Output = Self;

    /// The value of a text key, or of a property.
    ///
    /// # Panics
    /// If there is none; see [`Variant::get`].
    #[expect(clippy::expect_used, reason = "indexing panics if there is no value")]
    fn index(&self, key: &str) -> &Self {
        self.get(key).expect("no such key")
    }
}

impl IndexMut<&str> for Variant {
    /// # Panics
    /// If there is none; see [`Variant::get_mut`].
    #[expect(clippy::expect_used, reason = "indexing panics if there is no value")]
    fn index_mut(&mut self, key: &str) -> &mut Self {
        self.get_mut(key).expect("no such key")
    }
}

impl Index<usize> for Variant {
    type Output = Self;

    /// An element of an array.
    ///
    /// # Panics
    /// If there is none; see [`Variant::index`](fn@Variant::index).
    #[expect(clippy::expect_used, reason = "indexing panics if there is no value")]
    fn index(&self, index: usize) -> &Self {
        self.as_array().and_then(|array| array.get(index)).expect("no such element")
    }
}

impl IndexMut<usize> for Variant {
    /// # Panics
    /// If there is none; see [`Variant::as_array_mut`].
    #[expect(clippy::expect_used, reason = "indexing panics if there is no value")]
    fn index_mut(&mut self, index: usize) -> &mut Self {
        self.as_array_mut().and_then(|array| array.get_mut(index)).expect("no such element")
    }
}
