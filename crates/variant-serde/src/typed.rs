//! Rust types as elements of packed and typed arrays.

use std::borrow::Cow;
use std::boxed::Box;
use std::collections::{BTreeMap, HashMap};
use std::string::String;
use std::vec::Vec;

use variant_view::{
    Aabb, Basis, Color, Kind, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
    Vector2, Vector3, Vector4,
};

use crate::names::{NodePath, StringName};

/// A sequence whose type determines the type of the elements, even if the sequence is empty.
///
/// Implemented for `Vec`, slices, arrays, `Cow` and `Box` of slices, and for an `Option` of these, which may be nil.
///
/// ```
/// use variant_serde::{Items, as_packed};
/// use variant_view::{Dialect, Kind};
///
/// #[derive(serde::Serialize)]
/// struct Grid(Vec<u8>);
///
/// impl Items for Grid {
///     type Item = u8;
/// }
///
/// #[derive(serde::Serialize)]
/// struct Level {
///     #[serde(serialize_with = "as_packed::serialize")]
///     grid: Grid,
/// }
///
/// let level = variant_serde::to_variant(&Level { grid: Grid(vec![1, 2]) }, Dialect::Godot4)?;
/// assert_eq!(level["grid"].kind(), Kind::PackedByteArray);
/// # Ok::<(), variant_serde::Error>(())
/// ```
pub trait Items {
    /// The type of the elements.
    type Item;
}

macro_rules! items {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> Items for $type {
            type Item = T;
        }
    )*};
}

items! {
    [T] Vec<T>;
    [T] [T];
    [T, const N: usize] [T; N];
    [T: Clone] Cow<'_, [T]>;
}

impl<C: Items + ?Sized> Items for &C {
    type Item = C::Item;
}

impl<C: Items + ?Sized> Items for Box<C> {
    type Item = C::Item;
}

impl<C: Items> Items for Option<C> {
    type Item = C::Item;
}

/// An element of a packed array. Its type selects the array ([`as_packed`](crate::as_packed)).
///
/// | element | packed array | because |
/// |---|---|---|
/// | `u8`, `i32`, `i64`, `f32`, `f64` | of bytes, of these integers, of these floats | the widths are the same |
/// | texts | `PackedStringArray` | |
/// | `[f32; 2]`, `[f32; 3]`, `[f32; 4]`, and the same of `f64` | of vectors | four numbers are a colour only if their type is `Color` |
/// | `[i32; 2]`, `[i32; 3]`, `[i32; 4]` | of vectors of integers (Pandemonium) | |
/// | `Vector2`, `Vector3`, `Vector4`, `Color` of `variant_view` | of these | |
///
/// Implement it for your tuples and structs of numbers in wire order.
///
/// ```
/// use variant_serde::{PackedItem, as_packed};
/// use variant_view::Kind;
///
/// #[derive(serde::Serialize)]
/// struct Tint {
///     r: f32,
///     g: f32,
///     b: f32,
///     a: f32,
/// }
///
/// impl PackedItem for Tint {
///     const KIND: Kind = Kind::PackedColorArray;
/// }
///
/// #[derive(serde::Serialize)]
/// struct Palette {
///     #[serde(serialize_with = "as_packed::serialize")]
///     tints: Vec<Tint>,
/// }
///
/// let palette = Palette { tints: vec![Tint { r: 1.0, g: 0.0, b: 0.0, a: 1.0 }] };
/// let palette = variant_serde::to_variant(&palette, variant_view::Dialect::Godot4)?;
/// assert_eq!(palette["tints"].kind(), Kind::PackedColorArray);
/// # Ok::<(), variant_serde::Error>(())
/// ```
pub trait PackedItem {
    /// The kind of the array.
    const KIND: Kind;
}

/// An element of a typed array. Its type selects the declared type ([`as_typed_array`](crate::as_typed_array)).
///
/// Numbers, texts, vectors and packed arrays implement the trait. Implement it for your types, with the kind that they
/// are written as: `Dictionary` for a struct, a map or an enum with contents. An element that is written as another
/// kind is an error.
///
/// ```
/// use variant_serde::{TypedItem, as_typed_array};
/// use variant_view::Kind;
///
/// #[derive(serde::Serialize)]
/// struct Item {
///     name: String,
/// }
///
/// impl TypedItem for Item {
///     const KIND: Kind = Kind::Dictionary;
/// }
///
/// #[derive(serde::Serialize)]
/// struct Bag {
///     #[serde(serialize_with = "as_typed_array::serialize")]
///     items: Vec<Item>,
/// }
///
/// let bag = Bag { items: vec![Item { name: "axe".to_owned() }] };
/// let bag = variant_serde::to_variant(&bag, variant_view::Dialect::Godot4)?;
/// let element_type = bag["items"].as_array().expect("an array").element_type();
/// assert_eq!(element_type, &variant_view::ElementType::Builtin(Kind::Dictionary));
/// # Ok::<(), variant_serde::Error>(())
/// ```
pub trait TypedItem {
    /// The kind of each element.
    const KIND: Kind;
}

macro_rules! kinds {
    ($trait:ident: $($kind:ident: $($type:ty),*;)*) => {$($(
        impl $trait for $type {
            const KIND: Kind = Kind::$kind;
        }
    )*)*};
}

kinds! { PackedItem:
    PackedByteArray: u8;
    PackedInt32Array: i32;
    PackedInt64Array: i64;
    PackedFloat32Array: f32;
    PackedFloat64Array: f64;
    PackedStringArray: String, &str, Cow<'_, str>, Box<str>;
    PackedVector2Array: [f32; 2], [f64; 2], Vector2, Vector2<f64>;
    PackedVector2iArray: [i32; 2], Vector2<i32>;
    PackedVector3Array: [f32; 3], [f64; 3], Vector3, Vector3<f64>;
    PackedVector3iArray: [i32; 3], Vector3<i32>;
    PackedVector4Array: [f32; 4], [f64; 4], Vector4, Vector4<f64>;
    PackedVector4iArray: [i32; 4], Vector4<i32>;
    PackedColorArray: Color;
}

kinds! { TypedItem:
    Bool: bool;
    Int: i8, i16, i32, i64, u8, u16, u32, u64;
    Float: f32, f64;
    String: String, &str, Cow<'_, str>, Box<str>, char;
    Vector2: [f32; 2], [f64; 2], Vector2, Vector2<f64>;
    Vector2i: [i32; 2], Vector2<i32>;
    Vector3: [f32; 3], [f64; 3], Vector3, Vector3<f64>;
    Vector3i: [i32; 3], Vector3<i32>;
    Vector4: [f32; 4], [f64; 4], Vector4, Vector4<f64>;
    Vector4i: [i32; 4], Vector4<i32>;
    Rect2: Rect2, Rect2<f64>;
    Rect2i: Rect2<i32>;
    Plane: Plane, Plane<f64>;
    Quaternion: Quaternion, Quaternion<f64>;
    Aabb: Aabb, Aabb<f64>;
    Basis: Basis, Basis<f64>;
    Transform2D: Transform2D, Transform2D<f64>;
    Transform3D: Transform3D, Transform3D<f64>;
    Projection: Projection, Projection<f64>;
    Color: Color;
}

impl<T> TypedItem for StringName<T> {
    const KIND: Kind = Kind::StringName;
}

impl<T> TypedItem for NodePath<T> {
    const KIND: Kind = Kind::NodePath;
}

impl<T> TypedItem for Vec<T> {
    const KIND: Kind = Kind::Array;
}

impl<K, V> TypedItem for BTreeMap<K, V> {
    const KIND: Kind = Kind::Dictionary;
}

impl<K, V, S> TypedItem for HashMap<K, V, S> {
    const KIND: Kind = Kind::Dictionary;
}
