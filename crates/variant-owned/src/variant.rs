//! [`Variant`]: one owned value.

use std::ops::{Index, IndexMut};

use variant_view::{
    Aabb, Basis, Color, Key, Kind, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
    Vector2, Vector3, Vector4,
};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::reals::{RealVec, Reals};
use crate::text::Text;

macro_rules! variant {
    ($($kind:ident $(($type:ty))?,)*) => {
        /// One owned value: an arm for each [`Kind`], the same as
        /// [`VariantView`](variant_view::VariantView)'s. 32 bytes at most, and on 64-bit hosts.
        ///
        /// Equality is by value: numbers regardless of their width, dictionaries with their pairs in
        /// order. What more than 24 bytes need stands on the heap.
        #[non_exhaustive]
        pub enum Variant {
            $(
                #[doc = concat!("See [`Kind::", stringify!($kind), "`].")]
                $kind $(($type))?,
            )*
        }

        impl Variant {
            /// What it is. O(1).
            pub const fn kind(&self) -> Kind {
                match self {
                    $(variant!(@pattern $kind $($type)?) => Kind::$kind,)*
                }
            }
        }
    };
    (@pattern $kind:ident $type:ty) => { Self::$kind(_) };
    (@pattern $kind:ident) => { Self::$kind };
}

variant! {
    Nil,
    Bool(bool),
    Int(Int),
    Float(Float),
    String(Text),
    Vector2(Reals<Vector2>),
    Vector2i(Vector2<i32>),
    Rect2(Reals<Rect2>),
    Rect2i(Rect2<i32>),
    Vector3(Reals<Vector3>),
    Vector3i(Vector3<i32>),
    Transform2D(Box<Reals<Transform2D>>),
    Vector4(Reals<Vector4>),
    Vector4i(Vector4<i32>),
    Plane(Reals<Plane>),
    Quaternion(Reals<Quaternion>),
    Aabb(Box<Reals<Aabb>>),
    Basis(Box<Reals<Basis>>),
    Transform3D(Box<Reals<Transform3D>>),
    Projection(Box<Reals<Projection>>),
    Color(Color),
    Image(Box<Image>),
    StringName(Text),
    NodePath(Box<NodePath>),
    Rid(u64),
    Object(Box<Object>),
    InputEvent(Box<InputEvent>),
    Callable,
    Signal(Box<Signal>),
    Dictionary(Dictionary),
    Array(Array),
    TypedArray(Array),
    PackedTypedArray(Array),
    PackedByteArray(Vec<u8>),
    PackedInt32Array(Vec<i32>),
    PackedInt64Array(Vec<i64>),
    PackedFloat32Array(Vec<f32>),
    PackedFloat64Array(Vec<f64>),
    PackedStringArray(Vec<Text>),
    PackedVector2Array(RealVec<Vector2>),
    PackedVector2iArray(Vec<Vector2<i32>>),
    PackedVector3Array(RealVec<Vector3>),
    PackedVector3iArray(Vec<Vector3<i32>>),
    PackedColorArray(Vec<Color>),
    PackedVector4Array(RealVec<Vector4>),
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
    /// A `StringName`, or else a `String`.
    #[inline(always)]
    pub(crate) const fn of_text(text: Text, is_name: bool) -> Self {
        if is_name { Self::StringName(text) } else { Self::String(text) }
    }

    /// Whether it is `null`.
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil)
    }

    /// The value of a `bool`.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of an `int`.
    pub const fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(value.value()),
            _ => None,
        }
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

    /// The text of a `String` or `StringName`, if it is UTF-8. O(bytes).
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().and_then(Text::as_str)
    }

    /// The text of a `String` or `StringName`.
    pub const fn as_text(&self) -> Option<&Text> {
        match self {
            Self::String(text) | Self::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array of any of the three kinds.
    pub const fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => {
                Some(array)
            }
            _ => None,
        }
    }

    /// The same, to change them.
    pub const fn as_array_mut(&mut self) -> Option<&mut Array> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => {
                Some(array)
            }
            _ => None,
        }
    }

    /// The dictionary.
    pub const fn as_dictionary(&self) -> Option<&Dictionary> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    /// The same, to change it.
    pub const fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary> {
        match self {
            Self::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    /// The object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// A 2D vector, in `f32`.
    pub fn as_vector2(&self) -> Option<Vector2> {
        match self {
            Self::Vector2(value) => Some(value.f32()),
            _ => None,
        }
    }

    /// A 3D vector, in `f32`.
    pub fn as_vector3(&self) -> Option<Vector3> {
        match self {
            Self::Vector3(value) => Some(value.f32()),
            _ => None,
        }
    }

    /// A colour.
    pub const fn as_color(&self) -> Option<Color> {
        match self {
            Self::Color(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of `key` of a dictionary, or of the property of that name of an object. O(1) expected,
    /// O(properties) for objects.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<&Self> {
        match (self, key.into()) {
            (Self::Dictionary(dictionary), key) => dictionary.get(key),
            (Self::Object(object), Key::String(name) | Key::StringName(name)) => object.get(name),
            _ => None,
        }
    }

    /// The same, to change it.
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

    /// The value of a key of text, or a property.
    ///
    /// # Panics
    /// If there is none; see [`Variant::get`].
    #[expect(clippy::expect_used, reason = "what indexing means")]
    fn index(&self, key: &str) -> &Self {
        self.get(key).expect("no such key")
    }
}

impl IndexMut<&str> for Variant {
    /// # Panics
    /// If there is none; see [`Variant::get_mut`].
    #[expect(clippy::expect_used, reason = "what indexing means")]
    fn index_mut(&mut self, key: &str) -> &mut Self {
        self.get_mut(key).expect("no such key")
    }
}

impl Index<usize> for Variant {
    type Output = Self;

    /// An element of an array.
    ///
    /// # Panics
    /// If there is none; see [`Variant::as_array`].
    #[expect(clippy::expect_used, reason = "what indexing means")]
    fn index(&self, index: usize) -> &Self {
        self.as_array().and_then(|array| array.get(index)).expect("no such element")
    }
}

impl IndexMut<usize> for Variant {
    /// # Panics
    /// If there is none; see [`Variant::as_array_mut`].
    #[expect(clippy::expect_used, reason = "what indexing means")]
    fn index_mut(&mut self, index: usize) -> &mut Self {
        self.as_array_mut().and_then(|array| array.get_mut(index)).expect("no such element")
    }
}
