//! Modules for `#[serde(with = "...")]`: each selects the kind that a field is written as.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Visitor};
use variant_view::Kind;

use crate::mark;

/// Reads the content of a newtype with this name.
pub(crate) fn content<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    name: &'static str,
    input: D,
) -> Result<T, D::Error> {
    struct Content<T>(&'static str, PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Content<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a {}", self.0.trim_start_matches("$variant::"))
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, content: D) -> Result<T, D::Error> {
            T::deserialize(content)
        }
    }

    input.deserialize_newtype_struct(name, Content(name, PhantomData))
}

macro_rules! modules {
    ($($(#[$doc:meta])* $module:ident = $kind:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Most other formats ignore the module; RON refuses the field. No allocation, except for node paths. An
        /// `Option` without a value is nil.
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            use super::{Kind, content, mark};

            /// Writes the field.
            ///
            /// # Errors
            /// A field that does not have the parts of the kind; a dialect without the kind.
            #[inline]
            pub fn serialize<T: Serialize + ?Sized, S: Serializer>(value: &T, output: S) -> Result<S::Ok, S::Error> {
                output.serialize_newtype_struct(const { mark::of(Kind::$kind) }, value)
            }

            /// Reads the field in the same way as without this module.
            ///
            /// # Errors
            /// Those of the field's type.
            #[inline]
            pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(input: D) -> Result<T, D::Error> {
                content(const { mark::of(Kind::$kind) }, input)
            }
        }
    )*};
}

modules! {
    /// Writes text as a `StringName`, or as a `String` in a dialect without `StringName`.
    as_string_name = StringName;
    /// Parses text as the engine does, and writes it as a `NodePath`.
    as_node_path = NodePath;
    /// Writes two floats, such as `[f32; 2]` or a struct with `x` and `y`, as a `Vector2`.
    ///
    /// `f64` numbers stay `f64` if the dialect has wide reals; otherwise the encoder rounds them to `f32`.
    as_vector2 = Vector2;
    /// Writes two integers as a `Vector2i`.
    as_vector2i = Vector2i;
    /// Writes three floats, such as `[f32; 3]` or a struct with `x`, `y` and `z`, as a `Vector3`.
    ///
    /// ```
    /// use variant_view::Dialect;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Node {
    ///     #[serde(with = "variant_serde::as_vector3")]
    ///     field: [f32; 3],
    /// }
    ///
    /// let node = variant_serde::to_variant(&Node { field: [1.0, 2.0, 3.0] }, Dialect::Godot4)?;
    /// assert_eq!(node["field"].as_vector3().map(|at| at.z), Some(3.0));
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    as_vector3 = Vector3;
    /// Writes three integers as a `Vector3i`.
    as_vector3i = Vector3i;
    /// Writes four floats as a `Vector4`.
    as_vector4 = Vector4;
    /// Writes four integers as a `Vector4i`.
    as_vector4i = Vector4i;
    /// Writes four floats, position and size, as a `Rect2`. The field may be a `[f32; 4]`, a `[[f32; 2]; 2]` or a
    /// struct.
    as_rect2 = Rect2;
    /// Writes four integers, position and size, as a `Rect2i`.
    as_rect2i = Rect2i;
    /// Writes four floats, normal and distance, as a `Plane`.
    as_plane = Plane;
    /// Writes four floats, `x`, `y`, `z` and `w`, as a `Quaternion`.
    as_quaternion = Quaternion;
    /// Writes six floats, position and size, as an `AABB`.
    as_aabb = Aabb;
    /// Writes nine floats, row by row, as a `Basis`.
    as_basis = Basis;
    /// Writes six floats, column by column, as a `Transform2D`.
    as_transform2d = Transform2D;
    /// Writes twelve floats as a `Transform3D`: the basis, row by row, and then the origin. The field may be a
    /// `[[f32; 3]; 4]` or a struct.
    as_transform3d = Transform3D;
    /// Writes sixteen floats, column by column, as a `Projection`.
    as_projection = Projection;
    /// Writes four floats, red, green, blue and alpha, as a `Color`. `f64` is rounded: a `Color` has `f32` in every
    /// dialect.
    as_color = Color;
}

macro_rules! item_modules {
    ($($(#[$doc:meta])* $module:ident: $item:ident, $mark:ident;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            use super::{content, mark};
            use crate::typed::{Items, $item};

            /// Writes the field.
            ///
            /// # Errors
            /// Elements that do not have the parts of the kind; a dialect without the kind.
            #[inline]
            pub fn serialize<T, S>(value: &T, output: S) -> Result<S::Ok, S::Error>
            where
                T: Serialize + Items<Item: $item> + ?Sized,
                S: Serializer,
            {
                output.serialize_newtype_struct(const { mark::$mark(<T::Item as $item>::KIND) }, value)
            }

            /// Reads the field in the same way as without this module.
            ///
            /// # Errors
            /// Those of the field's type.
            #[inline]
            pub fn deserialize<'de, T, D>(input: D) -> Result<T, D::Error>
            where
                T: Deserialize<'de> + Items<Item: $item>,
                D: Deserializer<'de>,
            {
                content(const { mark::$mark(<T::Item as $item>::KIND) }, input)
            }
        }
    )*};
}

item_modules! {
    /// Writes a sequence as the packed array of its elements' type ([`PackedItem`](crate::PackedItem)).
    ///
    /// In other formats the field is a plain sequence. O(bytes): the elements are collected before they are written.
    ///
    /// ```
    /// use variant_view::{Dialect, Kind};
    ///
    /// #[derive(serde::Serialize, serde::Deserialize)]
    /// struct Terrain {
    ///     #[serde(with = "variant_serde::as_packed")]
    ///     heights: Vec<f32>,
    /// }
    ///
    /// let terrain = variant_serde::to_variant(&Terrain { heights: vec![] }, Dialect::Godot3)?;
    /// assert_eq!(terrain["heights"].kind(), Kind::PackedFloat32Array);
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    as_packed: PackedItem, of;
    /// Writes a sequence as an array that declares its elements' type ([`TypedItem`](crate::TypedItem)), such as
    /// `Array[int]`.
    ///
    /// Typed arrays exist in Godot 4 and in Pandemonium 5. Other dialects get a plain array. In other formats the field
    /// is a plain sequence. No allocation.
    ///
    /// ```
    /// use variant_view::{Dialect, ElementType, Kind};
    ///
    /// #[derive(serde::Serialize, serde::Deserialize)]
    /// struct Scores {
    ///     #[serde(with = "variant_serde::as_typed_array")]
    ///     best: Vec<i32>,
    /// }
    ///
    /// let scores = variant_serde::to_variant(&Scores { best: vec![3] }, Dialect::Godot4)?;
    /// assert_eq!(scores["best"].as_array().unwrap().element_type(), &ElementType::Builtin(Kind::Int));
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    as_typed_array: TypedItem, array_of;
}
