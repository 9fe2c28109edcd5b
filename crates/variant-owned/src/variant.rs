//! [`Variant`]: one owned value.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use variant_view::{
    Aabb, Basis, Color, Key, Kind, Leaf, Plane, Projection, Quaternion, Rect2, Transform2D,
    Transform3D, Vector2, Vector3, Vector4,
};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::payload::Payload;
use crate::reals::{RealVec, Reals};
use crate::text::Text;
use crate::text_form::{TextError, TextOptions, TextStyle, from_text, write_text};

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

            #[inline(always)]
            pub(crate) fn payload_leaf<R>(&self, take: impl FnOnce(Leaf<'_>) -> R) -> R {
                match self {
                    $(variant!(@held held $kind $($type)?) => variant!(@leaf held take $kind $($type)?),)*
                }
            }

            #[inline(always)]
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

            /// Whether it is the same but for its children.
            pub(crate) fn is_same_shell(&self, other: &Self) -> bool {
                match (self, other) {
                    $((variant!(@held held $kind $($type)?), variant!(@held other $kind $($type)?)) => {
                        variant!(@is_same held other $($type)?)
                    })*
                    _ => false,
                }
            }

            /// As `Debug` has it; nothing of containers.
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

    /// The value of `key` of a dictionary, or of the property of that name of an object. O(1) expected,
    /// O(properties) for objects.
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

    /// The value of `key`, as [`Variant::get`], to change it.
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

impl fmt::Display for Variant {
    /// As scripts of Godot 4 write it: [`to_text`](crate::to_text) by the default options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_text(self, &TextOptions::new(TextStyle::Godot4), f).map_err(|_| fmt::Error)
    }
}

impl FromStr for Variant {
    type Err = TextError;

    /// What scripts write, as [`from_text`] reads it.
    ///
    /// ```
    /// use variant_owned::Variant;
    ///
    /// let item: Variant = r#"{"name": "axe", "at": Vector2(1, 2.5)}"#.parse()?;
    /// assert_eq!(item["at"].to_string(), "Vector2(1, 2.5)");
    /// # Ok::<(), variant_owned::TextError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, TextError> {
        from_text(text)
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
    /// If there is none; see [`Variant::index`](fn@Variant::index).
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
