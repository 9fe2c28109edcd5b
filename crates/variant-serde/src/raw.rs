//! [`RawValue`]: a value as its bytes. [`Packed`]: the elements of a packed array, borrowed.

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::EnumAccessDeserializer;
use serde::de::{
    Deserialize, Deserializer, EnumAccess, Error as _, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};
use serde::ser::{Serialize, Serializer};
use variant_view::zerocopy::FromBytes as _;
use variant_view::{Dialect, Document, NumberType, Objects, Options, Reals, VariantView, Wire};

use crate::de::{Field, Handed};
use crate::error::Error;
use crate::token;

/// Whether a newtype of this name receives a value as its bytes.
pub(crate) fn is_token(name: &str) -> bool {
    name == token::RAW || name == token::VARIANT
}

/// The borrowed bytes of a value, to be forwarded verbatim or decoded later. Reading costs as much as skipping the
/// value.
///
/// ```
/// use variant_serde::RawValue;
/// use variant_view::Dialect;
///
/// #[derive(serde::Deserialize)]
/// struct Message<'a> {
///     to: i32,
///     #[serde(borrow)]
///     body: RawValue<'a>,
/// }
///
/// # let bytes = [
/// #     18, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b't', b'o', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// #     4, 0, 0, 0, 4, 0, 0, 0, b'b', b'o', b'd', b'y', 2, 0, 0, 0, 9, 0, 0, 0,
/// # ];
/// // {"to": 7, "body": 9}, as Godot 3 writes it
/// let message: Message<'_> = variant_serde::from_slice(&bytes, Dialect::Godot3)?;
/// assert_eq!(message.to, 7);
/// assert_eq!(message.body.bytes(), [2, 0, 0, 0, 9, 0, 0, 0]);
/// assert_eq!(message.body.get::<u8>()?, 9);
/// # Ok::<(), variant_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawValue<'a> {
    bytes: &'a [u8],
    options: Options,
}

impl<'a> RawValue<'a> {
    /// The value at the start of `bytes`, without the bytes after it. O(bytes).
    ///
    /// ```
    /// use variant_serde::RawValue;
    /// use variant_view::{Dialect, Kind};
    ///
    /// let buffer = [2, 0, 0, 0, 9, 0, 0, 0, 0xff, 0xff]; // 9, then other bytes
    /// let value = RawValue::new(&buffer, Dialect::Godot4)?;
    /// assert_eq!(value.bytes(), &buffer[..8]);
    /// assert_eq!(value.document().root()?.kind(), Kind::Int);
    /// assert!(RawValue::new(&buffer[..5], Dialect::Godot4).is_err());
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error of the bytes.
    pub fn new(bytes: &'a [u8], options: impl Into<Options>) -> Result<Self, Error> {
        let options = options.into();
        let bytes = Document::new(bytes, options).root()?.raw_bytes()?;
        Ok(Self { bytes, options })
    }

    /// The bytes, including the header. A value at the end of a document may lack its padding; see
    /// [`VariantView::raw_bytes`]. O(1).
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The options for reading the bytes. Offsets of errors count from the start of the value. O(1).
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The value as a document. O(1).
    pub fn document(&self) -> Document<'a> {
        Document::new(self.bytes, self.options)
    }

    /// Decodes the value. O(bytes).
    ///
    /// # Errors
    /// Those of [`from_slice`](crate::from_slice).
    pub fn get<T: Deserialize<'a>>(&self) -> Result<T, Error> {
        crate::from_slice(self.bytes, self.options)
    }
}

/// Passes the bytes of a value to a visitor. The visitor's type requested them by the name of a newtype.
pub(crate) fn hand_over<'de, V: Visitor<'de>>(
    bytes: &'de [u8],
    options: &Options,
    visitor: V,
) -> Result<V::Value, Error> {
    let parts = [
        Field::Bytes(bytes),
        Field::Text(options.dialect.name()),
        Field::Text(options.reals.name()),
        Field::Int((options.objects == Objects::Refuse).into()),
        Field::Int(options.limits.depth.into()),
    ];
    let handed = Handed { name: token::RAW, parts: &parts };
    visitor.visit_newtype_struct(EnumAccessDeserializer::new(handed))
}

impl<'de: 'a, 'a> Deserialize<'de> for RawValue<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(token::RAW, RawVisitor)
    }
}

/// Defines the methods of a visitor that receives a value in `$count` parts. [`Handed`] passes the parts as an enum
/// variant with the name `$name`.
macro_rules! takes_parts {
    ($name:expr, $count:literal) => {
        fn visit_newtype_struct<D: Deserializer<'de>>(
            self,
            deserializer: D,
        ) -> Result<Self::Value, D::Error> {
            deserializer.deserialize_any(self)
        }

        fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
            let (name, parts) = access.variant::<&str>()?;
            if name != $name {
                return Err(A::Error::invalid_type(Unexpected::Enum, &self));
            }
            parts.tuple_variant($count, self)
        }
    };
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in the binary form of Variant")
    }

    takes_parts!(token::RAW, 5);

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let missing = || A::Error::custom("expected the parts of a value");
        let bytes = parts.next_element::<&'de [u8]>()?.ok_or_else(missing)?;
        let dialect = parts.next_element::<&str>()?.ok_or_else(missing)?;
        let reals = parts.next_element::<&str>()?.ok_or_else(missing)?;
        let refuses = parts.next_element::<u8>()?.ok_or_else(missing)?;
        let depth = parts.next_element::<u32>()?.ok_or_else(missing)?;
        let dialect: Dialect = dialect.parse().map_err(A::Error::custom)?;
        let reals: Reals = reals.parse().map_err(A::Error::custom)?;
        let objects = if refuses == 0 { Objects::Accept } else { Objects::Refuse };
        let mut options = Options::engine(dialect).reals(reals).objects(objects);
        options.limits.depth = depth;
        Ok(RawValue { bytes, options })
    }
}

impl Serialize for RawValue<'_> {
    /// In this crate's format, writes the value itself, in any dialect that has its kinds. In other formats, writes the
    /// bytes of the value.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = token::raw_of(self.options.dialect, self.options.reals);
        serializer.serialize_newtype_struct(name, &Bytes(self.bytes))
    }
}

struct Bytes<'b>(&'b [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// The borrowed elements of a packed array, at any alignment.
///
/// `T` is `u8`, `i32`, `i64`, `f32`, `f64`, or a vector or colour of [`variant_view`]. Arrays of the same layout are
/// accepted: a [`Vector4`](variant_view::Vector4) takes colours.
///
/// ```
/// use variant_serde::Packed;
/// use variant_view::Dialect;
///
/// // PackedFloat32Array [1.0, 2.0], as Godot 4 writes it
/// let bytes = [32, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
/// let heights: Packed<'_, f32> = variant_serde::from_slice(&bytes, Dialect::Godot4)?;
/// assert_eq!(heights.iter().sum::<f32>(), 3.0);
/// # Ok::<(), variant_serde::Error>(())
/// ```
pub struct Packed<'a, T: Wire> {
    wire: &'a [T::Le],
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derive would require `T: Clone`")]
impl<T: Wire> Clone for Packed<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Wire> Copy for Packed<'_, T> {}

impl<T: Wire> fmt::Debug for Packed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Wire> PartialEq for Packed<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: Wire> Packed<'a, T> {
    /// The number of elements. O(1).
    pub const fn len(&self) -> usize {
        self.wire.len()
    }

    /// Whether there are no elements. O(1).
    pub const fn is_empty(&self) -> bool {
        self.wire.is_empty()
    }

    /// Element `index`. O(1).
    pub fn get(&self, index: usize) -> Option<T> {
        self.wire.get(index).copied().map(T::from_le)
    }

    /// The elements by value. O(1) each.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + use<'a, T> {
        self.wire.iter().copied().map(T::from_le)
    }

    /// The elements as little-endian structures of alignment 1. O(1).
    pub const fn as_wire(&self) -> &'a [T::Le] {
        self.wire
    }

    /// The elements as a native slice. `None` if the bytes are not aligned. On a big-endian host also `None`, except
    /// for elements of one byte. O(1).
    ///
    /// ```
    /// use variant_serde::Packed;
    /// use variant_view::Dialect;
    ///
    /// // PackedByteArray [1, 2, 3], as Godot 4 writes it
    /// let bytes = [29, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 0];
    /// let data: Packed<'_, u8> = variant_serde::from_slice(&bytes, Dialect::Godot4)?;
    /// assert_eq!(data.as_native(), Some(&[1, 2, 3][..])); // bytes are always aligned
    /// assert_eq!((data.len(), data.get(2), data.get(3)), (3, Some(3), None));
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    pub fn as_native(&self) -> Option<&'a [T]> {
        use variant_view::zerocopy::IntoBytes as _;
        if self.is_empty() {
            return Some(&[]);
        }
        if cfg!(target_endian = "big") && size_of::<T::Le>() > 1 {
            return None;
        }
        bytemuck::try_cast_slice(self.wire.as_bytes()).ok()
    }

    /// Passes a packed array to a type that requested it; any other value is an error.
    pub(crate) fn hand_over<'de, V: Visitor<'de>>(
        view: VariantView<'de>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (offset, kind) = (view.offset(), view.kind());
        let numbers = view.numbers().filter(|numbers| numbers.shape().is_packed);
        let Some(numbers) = numbers else { return Err(Error::wrong_kind(&visitor, kind, offset)) };
        let parts = [
            Field::Int(code(numbers.number_type())),
            Field::Int(numbers.shape().count.into()),
            Field::Bytes(numbers.as_wire_bytes().unwrap_or_default()),
        ];
        let handed = Handed { name: token::PACKED_VIEW, parts: &parts };
        let outcome = visitor.visit_newtype_struct(EnumAccessDeserializer::new(handed));
        outcome.map_err(|error| error.at(offset, kind))
    }
}

/// Encodes a number type as an integer, which is one of the parts that [`Packed`] receives.
const fn code(number: NumberType) -> u64 {
    match number {
        NumberType::Byte => 0,
        NumberType::Int32 => 1,
        NumberType::Int64 => 2,
        NumberType::Float32 => 3,
        NumberType::Float64 => 4,
        NumberType::Real => 5,
    }
}

impl<'de: 'a, 'a, T: Wire> Deserialize<'de> for Packed<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(token::PACKED_VIEW, PackedVisitor(PhantomData))
    }
}

struct PackedVisitor<T>(PhantomData<T>);

impl<'de, T: Wire> Visitor<'de> for PackedVisitor<T> {
    type Value = Packed<'de, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a packed array of elements of {:?} x {}", T::NUMBER, T::COUNT)
    }

    takes_parts!(token::PACKED_VIEW, 3);

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let missing = || A::Error::custom("expected the parts of a packed array");
        let number = parts.next_element::<u64>()?.ok_or_else(missing)?;
        let count = parts.next_element::<usize>()?.ok_or_else(missing)?;
        let bytes = parts.next_element::<&'de [u8]>()?.ok_or_else(missing)?;
        let is_same = number == code(T::NUMBER) && count == T::COUNT;
        let wire = is_same.then(|| <[T::Le]>::ref_from_bytes(bytes).ok()).flatten();
        match wire {
            Some(wire) => Ok(Packed { wire }),
            None => Err(A::Error::invalid_type(Unexpected::Other("another array"), &self)),
        }
    }
}
