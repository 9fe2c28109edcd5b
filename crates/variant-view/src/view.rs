//! [`VariantView`]: one borrowed value, decoded no further than its header.

mod array;
mod dictionary;
mod items;
mod leaf;
#[allow(missing_debug_implementations, reason = "zerocopy's derives make helper types")]
mod math;
#[cfg(feature = "mint")]
mod mint;
mod node_path;
mod object;
mod pool;
mod signal;
mod string;

use core::marker::PhantomData;

pub use array::{ArrayView, ElementType, Elements};
pub use dictionary::{DictionaryView, Key, Pairs};
pub use leaf::{ImageView, InputEventView, Leaf};
pub use math::{
    Aabb, Basis, Color, FixedView, MathView, Plane, Projection, Quaternion, Real, Rect2,
    Transform2D, Transform3D, Vector2, Vector3, Vector4, Width, Wire,
};
pub use node_path::{Names, NodePathView};
pub use object::{ObjectForm, ObjectView, Properties};
pub use pool::{CastError, PoolSlice, RealPool, StringPool, Strings};
pub use signal::SignalView;
pub use string::{CodePoints, StrView};

use crate::bytes::Cursor;
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind, Result};
use crate::header::Header;
use crate::kind::{Kind, by_kind};
use crate::layout::{self, Extent};
use crate::options::Mode;
use crate::scan;
use crate::walk::Walker;

/// Bytes of the document, the first of which stands at `offset`.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: usize,
}

impl<'a> Raw<'a> {
    pub(crate) const fn cursor(self) -> Cursor<'a> {
        Cursor::new(self.bytes, self.offset)
    }

    #[inline(always)]
    pub(crate) fn word(self, at: usize) -> u32 {
        self.bytes
            .get(at..)
            .and_then(|bytes| bytes.first_chunk())
            .map_or(0, |word| u32::from_le_bytes(*word))
    }

    #[inline(always)]
    pub(crate) fn double_word(self, at: usize) -> u64 {
        self.bytes
            .get(at..)
            .and_then(|bytes| bytes.first_chunk())
            .map_or(0, |word| u64::from_le_bytes(*word))
    }
}

/// `offset()` and `raw_bytes()` of a view that holds the bytes of exactly one value.
macro_rules! raw_methods {
    ([$($generic:ident)?] $type:ty) => {
        impl<'a $(, $generic)?> $type {
            /// The byte of the document at which the value starts.
            pub const fn offset(&self) -> usize {
                self.raw.offset
            }

            /// The value as it stands on the wire, header and padding included. O(1).
            pub const fn raw_bytes(&self) -> &'a [u8] {
                self.raw.bytes
            }

            pub(crate) const fn raw(&self) -> Raw<'a> {
                self.raw
            }
        }
    };
}
use raw_methods;

/// `offset()` and `raw_bytes()` of a view of a container.
macro_rules! source_methods {
    ($name:ident) => {
        impl<'a> $name<'a> {
            /// The byte of the document at which the value starts.
            pub const fn offset(&self) -> usize {
                self.source.raw.offset
            }

            /// The value as it stands on the wire, to be forwarded verbatim. O(bytes of the value).
            ///
            /// # Errors
            /// Whatever is wrong inside.
            pub fn raw_bytes(&self) -> Result<&'a [u8]> {
                self.source.extent()
            }

            /// The dialect by which it is read.
            pub const fn dialect(&self) -> Dialect {
                self.source.mode.dialect
            }

            /// Goes through the value and everything in it. Of the limits only the depth applies, which
            /// counts from here. O(bytes), nothing allocated.
            pub fn walk(&self) -> Walker<'a> {
                Walker::of_value(self.source.raw.cursor(), self.source.mode)
            }

            pub(crate) const fn raw(&self) -> Raw<'a> {
                self.source.raw
            }
        }
    };
}
use source_methods;

/// A container: its bytes from the header to the end of the document, and how to read them.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) raw: Raw<'a>,
    pub(crate) mode: Mode,
}

impl<'a> Source<'a> {
    /// The count of an array or a dictionary, if it stands right behind the header, as it does unless
    /// types are declared there.
    #[inline]
    pub(crate) fn plain_count(self) -> Option<u32> {
        let facts = self.mode.dialect.facts();
        let header = Header::parse(self.raw.word(0), facts)?;
        let is_plain = match header.kind {
            Kind::Array | Kind::Dictionary => !layout::has_types(header, facts),
            _ => false,
        };
        is_plain.then(|| self.raw.word(4))
    }

    /// The bytes of the whole value. O(bytes of the value).
    pub(crate) fn extent(self) -> Result<&'a [u8]> {
        let mut cursor = self.raw.cursor();
        scan::skip(&mut cursor, self.mode)?;
        let len = self.raw.bytes.len().saturating_sub(cursor.rest().len());
        Ok(self.raw.bytes.get(..len).unwrap_or(self.raw.bytes))
    }
}

macro_rules! variant_view {
    ($($kind:ident: $type:ty = $make:expr,)*) => {
        /// One value, borrowed from its document: an arm for each [`Kind`].
        ///
        /// `Copy`, 40 bytes. Numbers are decoded, everything else is read when asked for. To make one
        /// costs O(1), but for string arrays and node paths, whose texts are stepped over.
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
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum VariantView<'a> {
            $(
                #[doc = concat!("See [`Kind::", stringify!($kind), "`].")]
                $kind($type),
            )*
        }

        impl<'a> VariantView<'a> {
            /// What it is. O(1).
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                }
            }

            /// The byte of the document at which it starts. O(1).
            pub const fn offset(&self) -> usize {
                self.raw().offset
            }

            /// Of a container, to the end of the document.
            pub(crate) const fn raw(&self) -> Raw<'a> {
                match self {
                    $(Self::$kind(view) => view.raw(),)*
                }
            }

            /// A measured value: `len` bytes of `bytes`, of a container only what precedes its items.
            #[inline(always)]
            pub(crate) fn new(header: Header, bytes: &'a [u8], len: usize, offset: usize, mode: Mode) -> Self {
                let parts = Parts { header, bytes, len, offset, mode };
                match header.kind {
                    $(Kind::$kind => Self::$kind(($make)(parts)),)*
                }
            }
        }
    };
}

/// What a view is made of.
#[derive(Clone, Copy)]
struct Parts<'a> {
    header: Header,
    bytes: &'a [u8],
    len: usize,
    offset: usize,
    mode: Mode,
}

impl<'a> Parts<'a> {
    /// The value's own bytes.
    #[inline(always)]
    fn raw(self) -> Raw<'a> {
        Raw { bytes: self.bytes.get(..self.len).unwrap_or(self.bytes), offset: self.offset }
    }

    #[inline(always)]
    fn source(self) -> Source<'a> {
        Source { raw: Raw { bytes: self.bytes, offset: self.offset }, mode: self.mode }
    }

    #[inline(always)]
    fn leaf<T>(self, value: impl FnOnce(Raw<'a>) -> T) -> Leaf<'a, T> {
        let raw = self.raw();
        Leaf { raw, value: value(raw) }
    }

    #[inline(always)]
    fn math<T>(self) -> MathView<'a, T> {
        MathView { raw: self.raw(), width: self.real_width(), marker: PhantomData }
    }

    #[inline(always)]
    fn fixed<T>(self) -> FixedView<'a, T> {
        FixedView { raw: self.raw(), marker: PhantomData }
    }

    #[inline(always)]
    fn real_width(self) -> Width {
        match layout::real_width(self.header, self.mode) {
            8 => Width::W64,
            _ => Width::W32,
        }
    }

    #[inline(always)]
    fn scalar_width(self) -> Width {
        match layout::scalar_width(self.header, self.mode.dialect.facts()) {
            8 => Width::W64,
            _ => Width::W32,
        }
    }

    #[inline(always)]
    fn int(self) -> Leaf<'a, i64> {
        let width = self.scalar_width();
        self.leaf(|raw| match width {
            Width::W32 => i64::from(raw.word(4).cast_signed()),
            Width::W64 => raw.double_word(4).cast_signed(),
        })
    }

    #[inline(always)]
    fn float(self) -> Leaf<'a, f64> {
        let width = self.scalar_width();
        self.leaf(|raw| match width {
            Width::W32 => f64::from(f32::from_bits(raw.word(4))),
            Width::W64 => f64::from_bits(raw.double_word(4)),
        })
    }

    #[inline(always)]
    fn pool<T: Wire>(self) -> PoolSlice<'a, T> {
        PoolSlice::new(self.raw())
    }

    #[inline(always)]
    fn real_pool<T: Real>(self) -> RealPool<'a, T> {
        RealPool { pool: PoolSlice::new(self.raw()), width: self.real_width() }
    }

    #[inline(always)]
    fn text(self) -> StrView<'a> {
        StrView::of_variant(self.raw(), self.mode.dialect)
    }

    #[inline(always)]
    fn array(self) -> ArrayView<'a> {
        ArrayView { source: self.source() }
    }
}

variant_view! {
    Nil: Leaf<'a, ()> = |p: Parts<'a>| p.leaf(|_| ()),
    Bool: Leaf<'a, bool> = |p: Parts<'a>| p.leaf(|raw| raw.word(4) != 0),
    Int: Leaf<'a, i64> = Parts::int,
    Float: Leaf<'a, f64> = Parts::float,
    String: StrView<'a> = Parts::text,
    Vector2: MathView<'a, Vector2> = Parts::math,
    Vector2i: FixedView<'a, Vector2<i32>> = Parts::fixed,
    Rect2: MathView<'a, Rect2> = Parts::math,
    Rect2i: FixedView<'a, Rect2<i32>> = Parts::fixed,
    Vector3: MathView<'a, Vector3> = Parts::math,
    Vector3i: FixedView<'a, Vector3<i32>> = Parts::fixed,
    Transform2D: MathView<'a, Transform2D> = Parts::math,
    Vector4: MathView<'a, Vector4> = Parts::math,
    Vector4i: FixedView<'a, Vector4<i32>> = Parts::fixed,
    Plane: MathView<'a, Plane> = Parts::math,
    Quaternion: MathView<'a, Quaternion> = Parts::math,
    Aabb: MathView<'a, Aabb> = Parts::math,
    Basis: MathView<'a, Basis> = Parts::math,
    Transform3D: MathView<'a, Transform3D> = Parts::math,
    Projection: MathView<'a, Projection> = Parts::math,
    Color: FixedView<'a, Color> = Parts::fixed,
    Image: ImageView<'a> = |p: Parts<'a>| ImageView { raw: p.raw() },
    StringName: StrView<'a> = Parts::text,
    NodePath: NodePathView<'a> = |p: Parts<'a>| NodePathView { raw: p.raw(), dialect: p.mode.dialect },
    Rid: Leaf<'a, u64> = |p: Parts<'a>| p.leaf(|raw| raw.double_word(4)),
    Object: ObjectView<'a> = |p: Parts<'a>| ObjectView { source: p.source() },
    InputEvent: InputEventView<'a> = |p: Parts<'a>| InputEventView { raw: p.raw() },
    Callable: Leaf<'a, ()> = |p: Parts<'a>| p.leaf(|_| ()),
    Signal: SignalView<'a> = |p: Parts<'a>| SignalView { raw: p.raw(), dialect: p.mode.dialect },
    Dictionary: DictionaryView<'a> = |p: Parts<'a>| DictionaryView { source: p.source() },
    Array: ArrayView<'a> = Parts::array,
    TypedArray: ArrayView<'a> = Parts::array,
    PackedTypedArray: ArrayView<'a> = Parts::array,
    PackedByteArray: PoolSlice<'a, u8> = Parts::pool,
    PackedInt32Array: PoolSlice<'a, i32> = Parts::pool,
    PackedInt64Array: PoolSlice<'a, i64> = Parts::pool,
    PackedFloat32Array: PoolSlice<'a, f32> = Parts::pool,
    PackedFloat64Array: PoolSlice<'a, f64> = Parts::pool,
    PackedStringArray: StringPool<'a> = |p: Parts<'a>| StringPool { raw: p.raw(), dialect: p.mode.dialect },
    PackedVector2Array: RealPool<'a, Vector2> = Parts::real_pool,
    PackedVector2iArray: PoolSlice<'a, Vector2<i32>> = Parts::pool,
    PackedVector3Array: RealPool<'a, Vector3> = Parts::real_pool,
    PackedVector3iArray: PoolSlice<'a, Vector3<i32>> = Parts::pool,
    PackedColorArray: PoolSlice<'a, Color> = Parts::pool,
    PackedVector4Array: RealPool<'a, Vector4> = Parts::real_pool,
    PackedVector4iArray: PoolSlice<'a, Vector4<i32>> = Parts::pool,
}

const _: () = assert!(size_of::<VariantView<'_>>() <= 40, "views are passed by value");

impl<'a> VariantView<'a> {
    /// The value at the start of `bytes`, which start at `offset` in their document.
    ///
    /// Takes bytes and gives nothing but the view, so that neither is put together here and moved elsewhere, which
    /// would make the processor wait for the pieces.
    #[inline(never)]
    pub(crate) fn at(bytes: &'a [u8], offset: usize, mode: Mode) -> Result<Self> {
        Self::parse(bytes, offset, mode, |_, _| ())
    }

    /// Reads the value at `cursor` and moves behind it; of a container, to its first item.
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

    #[inline(always)]
    fn parse(
        bytes: &'a [u8],
        offset: usize,
        mode: Mode,
        mut tell: impl FnMut(Cursor<'a>, Extent),
    ) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, offset);
        let header = Header::read(&mut cursor, mode.dialect.facts())?;
        by_kind!(header.kind, |kind| {
            let header = header.of_kind(kind);
            let (behind, extent) = layout::payload::<false, _>(header, cursor, mode)?;
            tell(behind, extent);
            let len = bytes.len().wrapping_sub(behind.rest().len());
            Ok(Self::new(header, bytes, len, offset, mode))
        })
    }

    /// The value as it stands on the wire, header and padding included, to be forwarded verbatim.
    ///
    /// A byte array at the very end of a document may lack its padding; whoever puts something behind it
    /// must fill it up to a multiple of 4 bytes.
    ///
    /// O(1), but O(bytes of the value) for containers and objects.
    ///
    /// # Errors
    /// Whatever is wrong inside a container.
    pub fn raw_bytes(&self) -> Result<&'a [u8]> {
        match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.raw_bytes(),
            Self::Dictionary(v) => v.raw_bytes(),
            Self::Object(v) => v.raw_bytes(),
            leaf => Ok(leaf.raw().bytes),
        }
    }

    /// The value of key `key`, of a dictionary or, by name, of an object. The last one where a key
    /// stands twice, as the engine has it. O(bytes of the container), nothing allocated.
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
    /// [`ErrorKind::NotAContainer`] for other kinds; whatever is wrong inside.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<Self>> {
        match (self, key.into()) {
            (Self::Dictionary(dictionary), key) => dictionary.get(key),
            (Self::Object(object), Key::String(name) | Key::StringName(name)) => object.get(name),
            (Self::Object(_), _) => Ok(None),
            _ => Err(self.mismatch()),
        }
    }

    /// Element `index` of an array. O(bytes before it).
    ///
    /// # Errors
    /// [`ErrorKind::NotAContainer`] for other kinds; whatever is wrong before it.
    pub fn index(&self, index: u32) -> Result<Option<Self>> {
        match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.get(index),
            _ => Err(self.mismatch()),
        }
    }

    /// Item `slot` of a container; of a dictionary, keys and values count both.
    pub(crate) fn child(&self, slot: u32) -> Result<Option<Self>> {
        self.items().ok_or(self.mismatch())?.nth(slot)
    }

    /// The name of property `slot`.
    pub(crate) fn child_name(&self, slot: u32) -> Option<StrView<'a>> {
        self.items()?.nth_name(slot)
    }

    pub(crate) fn child_count(&self) -> u32 {
        self.items().map_or(0, |items| items.remaining())
    }

    fn items(&self) -> Option<items::Items<'a>> {
        let source = match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.source,
            Self::Dictionary(v) => v.source,
            Self::Object(v) => v.source,
            _ => return None,
        };
        Some(items::Items::new(source))
    }

    fn mismatch(&self) -> Error {
        Error::new(ErrorKind::NotAContainer { found: self.kind() }, self.offset())
    }

    fn wrong_kind(&self, expected: Kind) -> Error {
        Error::new(ErrorKind::WrongKind { expected, found: self.kind() }, self.offset())
    }

    /// Whether it is `null`. O(1).
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil(_))
    }

    /// The text of a `String` or `StringName` as the engine reads it: without a byte order mark, up to the
    /// first NUL. O(bytes of the text), which is checked to be UTF-8. See [`StrView`] for the bytes.
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
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    pub fn as_text(&self) -> Result<StrView<'a>> {
        match self {
            Self::String(v) | Self::StringName(v) => Ok(*v),
            other => Err(other.wrong_kind(Kind::String)),
        }
    }

    /// The value of a `float`, or of an `int` as the nearest `f64`. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::WrongKind`].
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "rounding is documented"
    )]
    pub fn as_f64(&self) -> Result<f64> {
        match self {
            Self::Float(float) => Ok(float.value()),
            Self::Int(int) => Ok(int.value() as f64),
            other => Err(other.wrong_kind(Kind::Float)),
        }
    }
}

macro_rules! accessors {
    ($($(#[$doc:meta])* $name:ident = $kind:ident -> $type:ty { $take:expr })*) => {
        impl<'a> VariantView<'a> {$(
            $(#[$doc])*
            /// O(1).
            ///
            /// # Errors
            /// [`ErrorKind::WrongKind`].
            pub fn $name(&self) -> Result<$type> {
                match self {
                    Self::$kind(view) => Ok(($take)(view)),
                    other => Err(other.wrong_kind(Kind::$kind)),
                }
            }
        )*}
    };
}

accessors! {
    /// The value of a `bool`.
    as_bool = Bool -> bool { Leaf::value }
    /// The value of an `int`.
    as_i64 = Int -> i64 { Leaf::value }
    /// The view of a dictionary.
    as_dictionary = Dictionary -> DictionaryView<'a> { |v: &DictionaryView<'a>| *v }
    /// The view of an object.
    as_object = Object -> ObjectView<'a> { |v: &ObjectView<'a>| *v }
    /// The view of a node path.
    as_node_path = NodePath -> NodePathView<'a> { |v: &NodePathView<'a>| *v }
    /// A 2D vector in `f32`; wider reals are rounded, and become infinite where too large.
    as_vector2 = Vector2 -> Vector2 { MathView::f32 }
    /// A 3D vector, in `f32` as [`VariantView::as_vector2`].
    as_vector3 = Vector3 -> Vector3 { MathView::f32 }
    /// A 4D vector, in `f32` as [`VariantView::as_vector2`].
    as_vector4 = Vector4 -> Vector4 { MathView::f32 }
    /// A colour.
    as_color = Color -> Color { FixedView::value }
    /// A 2D vector of integers.
    as_vector2i = Vector2i -> Vector2<i32> { FixedView::value }
    /// A 3D vector of integers.
    as_vector3i = Vector3i -> Vector3<i32> { FixedView::value }
    /// A 4D vector of integers.
    as_vector4i = Vector4i -> Vector4<i32> { FixedView::value }
    /// A rectangle.
    as_rect2 = Rect2 -> MathView<'a, Rect2> { |v: &MathView<'a, Rect2>| *v }
    /// A rectangle of integers.
    as_rect2i = Rect2i -> Rect2<i32> { FixedView::value }
    /// A plane.
    as_plane = Plane -> MathView<'a, Plane> { |v: &MathView<'a, Plane>| *v }
    /// A quaternion.
    as_quaternion = Quaternion -> MathView<'a, Quaternion> { |v: &MathView<'a, Quaternion>| *v }
    /// A box.
    as_aabb = Aabb -> MathView<'a, Aabb> { |v: &MathView<'a, Aabb>| *v }
    /// A 3 by 3 matrix.
    as_basis = Basis -> MathView<'a, Basis> { |v: &MathView<'a, Basis>| *v }
    /// A 2D transform.
    as_transform2d = Transform2D -> MathView<'a, Transform2D> { |v: &MathView<'a, Transform2D>| *v }
    /// A 3D transform.
    as_transform3d = Transform3D -> MathView<'a, Transform3D> { |v: &MathView<'a, Transform3D>| *v }
    /// A 4 by 4 matrix.
    as_projection = Projection -> MathView<'a, Projection> { |v: &MathView<'a, Projection>| *v }
    /// A resource handle's id.
    as_rid = Rid -> u64 { Leaf::value }
    /// A signal.
    as_signal = Signal -> SignalView<'a> { |v: &SignalView<'a>| *v }
    /// Bytes.
    as_bytes = PackedByteArray -> &'a [u8] { PoolSlice::as_bytes }
    /// 32-bit integers.
    as_int32s = PackedInt32Array -> PoolSlice<'a, i32> { |v: &PoolSlice<'a, i32>| *v }
    /// 64-bit integers.
    as_int64s = PackedInt64Array -> PoolSlice<'a, i64> { |v: &PoolSlice<'a, i64>| *v }
    /// 32-bit floats.
    as_float32s = PackedFloat32Array -> PoolSlice<'a, f32> { |v: &PoolSlice<'a, f32>| *v }
    /// 64-bit floats.
    as_float64s = PackedFloat64Array -> PoolSlice<'a, f64> { |v: &PoolSlice<'a, f64>| *v }
    /// Texts.
    as_strings = PackedStringArray -> StringPool<'a> { |v: &StringPool<'a>| *v }
    /// 2D vectors.
    as_vector2s = PackedVector2Array -> RealPool<'a, Vector2> { |v: &RealPool<'a, Vector2>| *v }
    /// 3D vectors.
    as_vector3s = PackedVector3Array -> RealPool<'a, Vector3> { |v: &RealPool<'a, Vector3>| *v }
    /// 4D vectors.
    as_vector4s = PackedVector4Array -> RealPool<'a, Vector4> { |v: &RealPool<'a, Vector4>| *v }
    /// Colours.
    as_colors = PackedColorArray -> PoolSlice<'a, Color> { |v: &PoolSlice<'a, Color>| *v }
}
