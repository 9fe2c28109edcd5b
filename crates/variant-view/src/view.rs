//! [`VariantView`]: one borrowed value, decoded up to its header.

mod accessors;
mod array;
mod compact;
mod convert;
mod dictionary;
mod elements;
mod items;
mod iter;
mod key;
mod look_up;
#[allow(missing_debug_implementations, reason = "zerocopy's derives make helper types")]
pub(crate) mod math;
mod math_view;
#[cfg(feature = "mint")]
mod mint;
mod node_path;
mod object;
mod packed_reals;
mod packed_slice;
mod parts;
mod raw;
mod scalar;
mod signal;
mod string;
mod strings;
mod wanted;
mod wire_texts;

pub use array::ArrayView;
pub(crate) use compact::compact_deviation;
pub use compact::is_compact_scalar;
pub use dictionary::DictionaryView;
pub use elements::Elements;
pub use iter::Items;
pub use key::Key;
pub(crate) use look_up::{forget, in_place, look_up, look_up_validated};
pub(crate) use math::*;
pub use math_view::MathView;
pub use node_path::NodePathView;
pub use object::{ObjectForm, ObjectView};
pub use packed_reals::PackedReals;
pub use packed_slice::PackedSlice;
pub use scalar::{ImageView, InputEventView, ScalarView};
pub use signal::SignalView;
pub use string::StrView;
pub use strings::PackedStrings;
pub(crate) use wanted::Wanted;
pub(crate) use wire_texts::WireTexts;

use parts::Parts;
pub(crate) use raw::{Raw, Source};
use raw::{raw_methods, source_methods};

use crate::bytes::{Cursor, Unfit};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind, Result};
use crate::header::Header;
use crate::kind::{Kind, Width, by_kind};
use crate::layout::{self, Extent};
use crate::options::Mode;

macro_rules! variant_view {
    ($($(#[$doc:meta])* $kind:ident: $type:ty = $make:expr,)*) => {
        /// One value, borrowed from its document. Each [`Kind`] has a variant. [`Kind`] explains the sizes.
        ///
        /// `Copy`, 40 bytes. Scalars are decoded; everything else is read on access. O(1) to create, except for string
        /// arrays and node paths: their texts are measured, O(bytes).
        ///
        /// ```
        /// use variant_view::{Dialect, Document, VariantView};
        ///
        /// // [1, "a"], as Godot 4 writes it
        /// let bytes = [
        ///     28, 0, 0, 0, 2, 0, 0, 0,
        ///     2, 0, 0, 0, 1, 0, 0, 0,
        ///     4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0,
        /// ];
        /// let VariantView::Array(array) = Document::new(&bytes, Dialect::Godot4).root()? else {
        ///     panic!("not an array")
        /// };
        /// for element in array {
        ///     match element? {
        ///         VariantView::Int(int) => assert_eq!(int.value(), 1),
        ///         VariantView::String(text) => assert_eq!(text.to_str()?, "a"),
        ///         other => panic!("unexpected {}", other.kind()),
        ///     }
        /// }
        /// # Ok::<(), variant_view::Error>(())
        /// ```
        ///
        /// If the kind is known, `as_` methods and look-ups are shorter than a `match`. Another kind is an error, with
        /// the offset of the value:
        ///
        /// ```
        /// use variant_view::{Dialect, Document};
        ///
        /// // {"hp": 7}, as Godot 4 writes it
        /// let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
        /// let root = Document::new(bytes, Dialect::Godot4).root()?;
        /// let hp = root.at("hp")?;
        /// assert_eq!((hp.as_i64()?, hp.as_f64()?, u8::try_from(hp)?), (7, 7.0, 7));
        /// assert_eq!(root.as_dictionary()?.len(), 1);
        /// assert_eq!(hp.as_str().unwrap_err().offset(), 20);
        /// # Ok::<(), variant_view::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum VariantView<'a> {
            $(
                $(#[$doc])*
                $kind($type),
            )*
        }

        impl<'a> VariantView<'a> {
            /// The kind of the value. O(1).
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                }
            }

            /// The byte offset of the value in the document. O(1).
            pub const fn offset(&self) -> usize {
                self.raw().offset
            }

            /// The bytes from the header on; for a container, to the end of the document.
            pub(crate) const fn raw(&self) -> Raw<'a> {
                match self {
                    $(Self::$kind(view) => view.raw(),)*
                }
            }

            /// A measured value: the first `len` bytes of `bytes`; for a container, only the part before its items.
            #[cfg_attr(not(variant_small), inline(always))]
            pub(crate) fn new(kind: Kind, bytes: &'a [u8], len: usize, offset: usize, mode: Mode) -> Self {
                let parts = Parts { kind, bytes, len, offset, mode };
                match kind {
                    $(Kind::$kind => Self::$kind(($make)(parts)),)*
                }
            }
        }
    };
}

variant_view! {
    /// `null`. 4 bytes. `view.is_nil()`
    Nil: ScalarView<'a, ()> = |p: Parts<'a>| p.leaf(|_| ()),
    /// `true` or `false`. 8 bytes. `view.as_bool()?`
    Bool: ScalarView<'a, bool> = |p: Parts<'a>| p.leaf(|raw| raw.word(4) != 0),
    /// An integer. 8 or 12 bytes. `view.as_i64()?`
    Int: ScalarView<'a, i64> = Parts::int,
    /// A float. 8 or 12 bytes. `view.as_f64()?`
    Float: ScalarView<'a, f64> = Parts::float,
    /// Text. 8 bytes and the text. `view.as_str()?`
    String: StrView<'a> = Parts::text,
    /// Two reals. 12 or 20 bytes. `view.as_vector2()?.x`
    Vector2: MathView<'a, Vector2> = Parts::math,
    /// Two integers. 12 bytes. `view.as_vector2i()?.x`
    Vector2i: MathView<'a, Vector2<i32>> = Parts::fixed,
    /// Position and size. 20 or 36 bytes. `view.as_rect2()?.size`
    Rect2: MathView<'a, Rect2> = Parts::math,
    /// Position and size in integers. 20 bytes. `view.as_rect2i()?.size`
    Rect2i: MathView<'a, Rect2<i32>> = Parts::fixed,
    /// Three reals. 16 or 28 bytes. `view.as_vector3()?.x`
    Vector3: MathView<'a, Vector3> = Parts::math,
    /// Three integers. 16 bytes. `view.as_vector3i()?.x`
    Vector3i: MathView<'a, Vector3<i32>> = Parts::fixed,
    /// A 2D transform. 28 or 52 bytes. `view.as_transform2d()?.origin`
    Transform2D: MathView<'a, Transform2D> = Parts::math,
    /// Four reals. 20 or 36 bytes. `view.as_vector4()?.x`
    Vector4: MathView<'a, Vector4> = Parts::math,
    /// Four integers. 20 bytes. `view.as_vector4i()?.x`
    Vector4i: MathView<'a, Vector4<i32>> = Parts::fixed,
    /// Normal and distance. 20 or 36 bytes. `view.as_plane()?.d`
    Plane: MathView<'a, Plane> = Parts::math,
    /// A rotation. 20 or 36 bytes. `view.as_quaternion()?.w`
    Quaternion: MathView<'a, Quaternion> = Parts::math,
    /// A box: position and size. 28 or 52 bytes. `view.as_aabb()?.size`
    Aabb: MathView<'a, Aabb> = Parts::math,
    /// A 3 by 3 matrix. 40 or 76 bytes. `view.as_basis()?.x_axis()`
    Basis: MathView<'a, Basis> = Parts::math,
    /// A basis and an origin. 52 or 100 bytes. `view.as_transform3d()?.origin`
    Transform3D: MathView<'a, Transform3D> = Parts::math,
    /// A 4 by 4 matrix. 68 or 132 bytes. `view.as_projection()?.w`
    Projection: MathView<'a, Projection> = Parts::math,
    /// Red, green, blue, alpha. 20 bytes. `view.as_color()?.r`
    Color: MathView<'a, Color> = Parts::fixed,
    /// Pixels (Godot 2). 24 bytes and the pixels. `view.as_image()?.data()`
    Image: ImageView<'a> = |p: Parts<'a>| ImageView { raw: p.raw() },
    /// Interned text. 8 bytes and the text. `view.as_str()?`
    StringName: StrView<'a> = Parts::text,
    /// A path to a node or a property. 16 bytes and its texts. `view.as_node_path()?.names()`
    NodePath: NodePathView<'a> = |p: Parts<'a>| NodePathView { raw: p.raw(), dialect: p.mode.dialect },
    /// A resource handle. 4 or 12 bytes. `view.as_rid()?`
    Rid: ScalarView<'a, u64> = |p: Parts<'a>| p.leaf(|raw| raw.double_word(4)),
    /// An instance id (12 bytes), or class and properties. `view.get("name")?`
    Object: ObjectView<'a> = |p: Parts<'a>| ObjectView { source: p.source() },
    /// An input event (Godot 2). 16 to 24 bytes. `view.as_input_event()?.event()`
    InputEvent: InputEventView<'a> = |p: Parts<'a>| InputEventView { raw: p.raw() },
    /// A callable; the wire has only its header. 4 bytes. `view.kind() == Kind::Callable`
    Callable: ScalarView<'a, ()> = |p: Parts<'a>| p.leaf(|_| ()),
    /// A name and the id of its object. 16 bytes and the name. `view.as_signal()?.name()`
    Signal: SignalView<'a> = |p: Parts<'a>| SignalView { raw: p.raw(), dialect: p.mode.dialect },
    /// Pairs of key and value. 8 bytes and the pairs. `view.get("hp")?`
    Dictionary: DictionaryView<'a> = |p: Parts<'a>| DictionaryView { source: p.source() },
    /// Values. 8 bytes and the elements. `view.index(0)?`
    Array: ArrayView<'a> = Parts::array,
    /// Values of one type (Pandemonium 5). 12 bytes and the elements. `view.as_array()?.element_type()`
    TypedArray: ArrayView<'a> = Parts::array,
    /// Values of one type (Pandemonium 5), packed in the engine's memory. 12 bytes and the elements.
    /// `view.as_array()?.element_type()`
    PackedTypedArray: ArrayView<'a> = Parts::array,
    /// Bytes. 8 bytes, and 1 for each element. `view.as_bytes()?`
    PackedByteArray: PackedSlice<'a, u8> = Parts::packed,
    /// 32-bit integers. 8 bytes, and 4 for each element. `view.as_int32s()?`
    PackedInt32Array: PackedSlice<'a, i32> = Parts::packed,
    /// 64-bit integers. 8 bytes, and 8 for each element. `view.as_int64s()?`
    PackedInt64Array: PackedSlice<'a, i64> = Parts::packed,
    /// 32-bit floats. 8 bytes, and 4 for each element. `view.as_float32s()?`
    PackedFloat32Array: PackedSlice<'a, f32> = Parts::packed,
    /// 64-bit floats. 8 bytes, and 8 for each element. `view.as_float64s()?`
    PackedFloat64Array: PackedSlice<'a, f64> = Parts::packed,
    /// Texts. 8 bytes and the texts. `view.as_strings()?`
    PackedStringArray: PackedStrings<'a> = |p: Parts<'a>| PackedStrings { raw: p.raw(), dialect: p.mode.dialect },
    /// Vectors of two reals. 8 bytes, and 8 or 16 for each element. `view.as_vector2s()?`
    PackedVector2Array: PackedReals<'a, Vector2> = Parts::packed_reals,
    /// Vectors of two integers. 8 bytes, and 8 for each element. `view.as_vector2is()?`
    PackedVector2iArray: PackedSlice<'a, Vector2<i32>> = Parts::packed,
    /// Vectors of three reals. 8 bytes, and 12 or 24 for each element. `view.as_vector3s()?`
    PackedVector3Array: PackedReals<'a, Vector3> = Parts::packed_reals,
    /// Vectors of three integers. 8 bytes, and 12 for each element. `view.as_vector3is()?`
    PackedVector3iArray: PackedSlice<'a, Vector3<i32>> = Parts::packed,
    /// Colours. 8 bytes, and 16 for each element. `view.as_colors()?`
    PackedColorArray: PackedSlice<'a, Color> = Parts::packed,
    /// Vectors of four reals. 8 bytes, and 16 or 32 for each element. `view.as_vector4s()?`
    PackedVector4Array: PackedReals<'a, Vector4> = Parts::packed_reals,
    /// Vectors of four integers. 8 bytes, and 16 for each element. `view.as_vector4is()?`
    PackedVector4iArray: PackedSlice<'a, Vector4<i32>> = Parts::packed,
}

const _: () = assert!(size_of::<VariantView<'_>>() <= 40, "views are passed by value");

impl<'a> VariantView<'a> {
    /// Reads the value at the start of `bytes`, whose document offset is `offset`.
    ///
    /// Takes a slice and returns only the view: a cursor or an extent that is moved to the caller causes
    /// store-forwarding stalls.
    #[inline(never)]
    pub(crate) fn starting(bytes: &'a [u8], offset: usize, mode: Mode) -> Result<Self> {
        Self::parse(bytes, offset, mode, |_, _| ())
    }

    /// Writes the view of the value at the start of `bytes` to `place`, without error details.
    #[inline(never)]
    pub(crate) fn put(
        bytes: &'a [u8],
        offset: usize,
        mode: Mode,
        place: &mut Option<Self>,
    ) -> Result<(), Unfit> {
        let mut cursor = Cursor::<Unfit>::new(bytes, offset);
        let header = Header::read(&mut cursor, mode.dialect.rules())?;
        by_kind!(header.kind, |kind| {
            let header = header.of_kind(kind);
            let (behind, _) = layout::payload::<false, _>(header, cursor, mode)?;
            let len = bytes.len().wrapping_sub(behind.rest().len());
            *place = Some(Self::new(kind, bytes, len, offset, mode));
        });
        Ok(())
    }

    /// Reads the value at `cursor` and moves the cursor past it; for a container, to its first item.
    #[inline(never)]
    pub(crate) fn read(cursor: &mut Cursor<'a>, mode: Mode) -> Result<(Self, Extent)> {
        let mut found = Extent::Leaf;
        let start = *cursor;
        let view = Self::parse(start.rest(), start.offset(), mode, |behind, extent| {
            *cursor = behind;
            found = extent;
        })?;
        Ok((view, found))
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn parse(
        bytes: &'a [u8],
        offset: usize,
        mode: Mode,
        mut tell: impl FnMut(Cursor<'a>, Extent),
    ) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, offset);
        let header = Header::read(&mut cursor, mode.dialect.rules())?;
        by_kind!(header.kind, |kind| {
            let header = header.of_kind(kind);
            let (behind, extent) = layout::payload::<false, _>(header, cursor, mode)?;
            tell(behind, extent);
            let len = bytes.len().wrapping_sub(behind.rest().len());
            Ok(Self::new(kind, bytes, len, offset, mode))
        })
    }

    /// The bytes of the value, header and padding included, to be forwarded verbatim.
    ///
    /// At the very end of a document, a byte array, an image, or a text of Godot 2 may lack its padding
    /// (docs/spec/format.md#packedbytearray). Pad the bytes to a multiple of 4 before appending anything.
    ///
    /// O(1); for containers and objects O(bytes of the value).
    ///
    /// # Errors
    /// For containers and objects: the first error inside.
    pub fn raw_bytes(&self) -> Result<&'a [u8]> {
        match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.raw_bytes(),
            Self::Dictionary(v) => v.raw_bytes(),
            Self::Object(v) => v.raw_bytes(),
            leaf => Ok(leaf.raw().bytes),
        }
    }

    /// The value of `key` in a dictionary, or of the property named `key` in an object. If a key occurs
    /// twice, the last value wins, as in the engines. O(bytes of the container), no allocation.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let root = Document::new(&bytes, Dialect::Godot3).root()?;
    /// let hp = root.get("hp")?.map(|hp| hp.as_i64()).transpose()?;
    /// assert_eq!(hp, Some(7));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`] for other kinds; the first error inside the container.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<Self>> {
        match (self, key.into()) {
            (Self::Dictionary(dictionary), key) => dictionary.get(key),
            (Self::Object(object), Key::String(name) | Key::StringName(name)) => object.get(name),
            (Self::Object(_), _) => Ok(None),
            _ => Err(self.mismatch()),
        }
    }

    /// Element `index` of an array, or `None` past its end. O(bytes before it).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let root = Document::new(bytes, Dialect::Godot4).root()?; // [5, 7]
    /// assert_eq!(root.index(1)?.unwrap().as_i64()?, 7);
    /// assert!(root.index(2)?.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`] for other kinds; the first error before the element.
    pub fn index(&self, index: usize) -> Result<Option<Self>> {
        match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.get(index),
            _ => Err(self.mismatch()),
        }
    }

    /// Item `slot` of a container; in a dictionary keys and values both count.
    pub(crate) fn child(&self, slot: u32) -> Result<Option<Self>> {
        self.items().ok_or(self.mismatch())?.nth(slot)
    }

    pub(crate) fn child_count(&self) -> u32 {
        self.items().map_or(0, |items| items.remaining())
    }

    fn items(&self) -> Option<items::ItemCursor<'a>> {
        let source = match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.source,
            Self::Dictionary(v) => v.source,
            Self::Object(v) => v.source,
            _ => return None,
        };
        Some(items::ItemCursor::new(source))
    }

    fn mismatch(&self) -> Error {
        Error::new(ErrorKind::NotAContainer { found: self.kind() }, self.offset())
    }
}
