//! [`RpcWriter`]: writes a remote call, argument by argument.

use core::fmt;

use variant_owned::{EncodeError, Variant, encode_into};
use variant_view::{Dialect, VariantView};

use crate::arguments::BYTE_ONLY;
use crate::bytes::{size, word};
use crate::compact;
use crate::rpc::{MethodId, NodeRef, write_head, write_path};

/// Writes a remote call, argument by argument, as engines send it.
///
/// Calls without arguments or with a single array of bytes get a shorter form. A single empty array of bytes has the
/// long form, since its shorter form would equal a call without arguments.
///
/// ```
/// use variant_multiplayer::{MethodId, NodeRef, RpcWriter};
///
/// let mut packet = Vec::new();
/// RpcWriter::new(NodeRef::id(1), MethodId::new(8), &mut packet).int(5).finish()?;
/// assert_eq!(packet, [0, 1, 8, 1, 2, 5]);
/// # Ok::<(), variant_multiplayer::WriteError>(())
/// ```
#[derive(Debug)]
pub struct RpcWriter<'b, 'n> {
    bytes: &'b mut Vec<u8>,
    /// The offset at which the packet starts.
    start: usize,
    /// The offset of the count of arguments.
    count_at: usize,
    count: usize,
    node: NodeRef<'n>,
}

/// The reason why a call cannot be written.
///
/// ```
/// use variant_multiplayer::{MethodId, NodeRef, RpcWriter, WriteError};
///
/// let mut packet = Vec::new();
/// let call = RpcWriter::new(NodeRef::id(1), MethodId::new(8), &mut packet);
/// let call = (0..256).fold(call, |call, number| call.int(number));
/// assert!(matches!(call.finish(), Err(WriteError::TooManyArguments)));
/// assert!(packet.is_empty());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// A call has at most 255 arguments.
    TooManyArguments,
    /// Godot 4 cannot hold the value of an argument.
    Value(EncodeError),
    /// A view's bytes are damaged.
    View(variant_view::Error),
    /// An argument of a Rust type cannot be written.
    #[cfg(feature = "serde")]
    Serde(variant_serde::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyArguments => f.write_str("a remote call has at most 255 arguments"),
            Self::Value(error) => error.fmt(f),
            Self::View(error) => error.fmt(f),
            #[cfg(feature = "serde")]
            Self::Serde(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::TooManyArguments => None,
            Self::Value(error) => Some(error),
            Self::View(error) => Some(error),
            #[cfg(feature = "serde")]
            Self::Serde(error) => Some(error),
        }
    }
}

impl From<EncodeError> for WriteError {
    fn from(error: EncodeError) -> Self {
        Self::Value(error)
    }
}

/// Ids of kinds in Godot 4, as header words.
const FLOAT: u32 = 3;
const FLOAT_64: u32 = 3 | 1 << 16;
const STRING: u32 = 4;
const VECTOR2: u32 = 5;
const VECTOR3: u32 = 9;
const STRING_NAME: u32 = 21;
const BYTES: u32 = 29;

impl<'b, 'n> RpcWriter<'b, 'n> {
    /// Starts a packet at the end of `bytes`. [`RpcWriter::finish`] completes it.
    pub fn new(node: NodeRef<'n>, method: MethodId, bytes: &'b mut Vec<u8>) -> Self {
        let start = bytes.len();
        write_head(node, method, bytes);
        let count_at = bytes.len();
        bytes.push(0);
        Self { bytes, start, count_at, count: 0, node }
    }

    fn counted(mut self) -> Self {
        self.count = self.count.saturating_add(1);
        self
    }

    /// An `int`. O(1).
    #[must_use]
    #[inline]
    pub fn int(self, value: i64) -> Self {
        compact::push_int(value, self.bytes);
        self.counted()
    }

    /// A `bool`. O(1).
    #[must_use]
    #[inline]
    pub fn bool(self, value: bool) -> Self {
        compact::push_bool(value, self.bytes);
        self.counted()
    }

    /// A `float`, in 32 bits if they represent the value exactly. O(1).
    #[must_use]
    #[inline]
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "compared after it"
    )]
    pub fn float(self, value: f64) -> Self {
        let narrow = value as f32;
        if f64::from(narrow).to_bits() == value.to_bits() {
            self.words([FLOAT, narrow.to_bits()])
        } else {
            self.bytes.extend_from_slice(&FLOAT_64.to_le_bytes());
            self.bytes.extend_from_slice(&value.to_le_bytes());
            self.counted()
        }
    }

    /// A `String`. O(bytes).
    #[must_use]
    #[inline]
    pub fn string(self, value: &str) -> Self {
        self.text(STRING, value.as_bytes())
    }

    /// A `StringName`. O(bytes).
    #[must_use]
    #[inline]
    pub fn string_name(self, value: &str) -> Self {
        self.text(STRING_NAME, value.as_bytes())
    }

    /// A `Vector2` of single precision. O(1).
    #[must_use]
    #[inline]
    pub fn vector2(self, [x, y]: [f32; 2]) -> Self {
        self.words([VECTOR2, x.to_bits(), y.to_bits()])
    }

    /// A `Vector3` of single precision. O(1).
    #[must_use]
    #[inline]
    pub fn vector3(self, [x, y, z]: [f32; 3]) -> Self {
        self.words([VECTOR3, x.to_bits(), y.to_bits(), z.to_bits()])
    }

    /// A `PackedByteArray`. O(bytes).
    ///
    /// ```
    /// use variant_multiplayer::{MethodId, NodeRef, RpcWriter};
    ///
    /// let mut packet = Vec::new();
    /// RpcWriter::new(NodeRef::id(1), MethodId::new(8), &mut packet).byte_array(b"data").finish()?;
    /// assert_eq!(packet, b"\x80\x01\x08data"); // the short form of a single array
    /// # Ok::<(), variant_multiplayer::WriteError>(())
    /// ```
    #[must_use]
    pub fn byte_array(self, value: &[u8]) -> Self {
        self.text(BYTES, value)
    }

    #[inline]
    fn words<const N: usize>(self, words: [u32; N]) -> Self {
        self.bytes.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
        self.counted()
    }

    /// Appends a header, a length, bytes and padding.
    #[inline]
    fn text(self, header: u32, value: &[u8]) -> Self {
        let len = word(value.len());
        self.bytes.extend_from_slice([header, len].map(u32::to_le_bytes).as_flattened());
        self.bytes.extend_from_slice(value);
        let padding = value.len().wrapping_neg() & 3;
        self.bytes.extend_from_slice([0; 3].get(..padding).unwrap_or_default());
        self.counted()
    }

    /// Any owned value. O(bytes).
    ///
    /// A full object is written in full. Unless engines are configured to decode objects, they refuse it and call the
    /// method with null.
    ///
    /// ```
    /// use variant_multiplayer::{Message, MethodId, NodeRef, Packet, RpcWriter};
    /// use variant_owned::{Variant, array};
    ///
    /// let (mut packet, items) = (Vec::new(), Variant::from(array!["axe", 2]));
    /// RpcWriter::new(NodeRef::id(1), MethodId::new(8), &mut packet).value(&items)?.finish()?;
    /// let Message::Rpc(rpc) = Packet::parse(&packet)?.message else { panic!("not a call") };
    /// assert_eq!(rpc.arguments.to_variants()?, [items]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Value`]. The packet is removed from the buffer.
    pub fn value(self, value: &Variant) -> Result<Self, WriteError> {
        self.ordinary(|bytes| Ok(encode_into(value, Dialect::Godot4, bytes)?))
    }

    /// The value of a view of Godot 4. The bytes of the view are copied, except for an `int` or a `bool`. O(bytes).
    ///
    /// # Errors
    /// [`WriteError::View`] if the view is damaged. The packet is removed from the buffer.
    pub fn view(self, view: &VariantView<'_>) -> Result<Self, WriteError> {
        match view {
            VariantView::Int(int) => Ok(self.int(int.value())),
            VariantView::Bool(bool) => Ok(self.bool(bool.value())),
            other => self.ordinary(|bytes| {
                let start = bytes.len();
                bytes.extend_from_slice(other.raw_bytes().map_err(WriteError::View)?);
                // The last value of a document may lack its padding.
                let len = bytes.len().saturating_sub(start);
                bytes.resize(bytes.len().saturating_add(len.wrapping_neg() & 3), 0);
                Ok(len)
            }),
        }
    }

    /// A value of a Rust type, as `variant_serde` writes it. O(bytes).
    ///
    /// ```
    /// use variant_multiplayer::{MethodId, NodeRef, RpcWriter};
    ///
    /// let mut packet = Vec::new();
    /// RpcWriter::new(NodeRef::id(1), MethodId::new(8), &mut packet).serialize(&5_u8)?.finish()?;
    /// assert_eq!(packet, [0, 1, 8, 1, 2, 5]);
    /// # Ok::<(), variant_multiplayer::WriteError>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Serde`]. The packet is removed from the buffer.
    #[cfg(feature = "serde")]
    pub fn serialize<T: serde::Serialize + ?Sized>(self, value: &T) -> Result<Self, WriteError> {
        self.ordinary(|bytes| {
            variant_serde::to_vec_into(value, Dialect::Godot4, bytes).map_err(WriteError::Serde)
        })
    }

    /// All arguments at once: a tuple, a tuple struct, or the fields of a struct in their order; `()` for none. O(bytes).
    ///
    /// ```
    /// use variant_multiplayer::{MethodId, NodeRef, RpcWriter};
    ///
    /// let mut packet = Vec::new();
    /// let call = RpcWriter::new(NodeRef::id(1), MethodId::new(2), &mut packet);
    /// call.arguments(&(5, true, "orc"))?.finish()?;
    /// assert_eq!(packet, [0, 1, 2, 3, 2, 5, 0x81, 4, 0, 0, 0, 3, 0, 0, 0, b'o', b'r', b'c', 0]);
    /// # Ok::<(), variant_multiplayer::WriteError>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Serde`] if the value is not a list of arguments, or an argument cannot be written. The packet is
    /// removed from the buffer.
    #[cfg(feature = "serde")]
    pub fn arguments<T: serde::Serialize + ?Sized>(
        mut self,
        values: &T,
    ) -> Result<Self, WriteError> {
        match values.serialize(crate::typed::Writing(self.bytes)) {
            Ok(count) => {
                self.count = self.count.saturating_add(count);
                Ok(self)
            }
            Err(error) => {
                self.bytes.truncate(self.start);
                Err(WriteError::Serde(error))
            }
        }
    }

    /// Adds an argument. `write` appends the value in the ordinary form. This method then makes the value compact.
    /// After an error, the packet is removed from the buffer.
    fn ordinary(
        self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<usize, WriteError>,
    ) -> Result<Self, WriteError> {
        let at = self.bytes.len();
        match write(self.bytes) {
            Ok(_) => {
                compact::in_place(self.bytes, at, Dialect::Godot4);
                Ok(self.counted())
            }
            Err(error) => {
                self.bytes.truncate(self.start);
                Err(error)
            }
        }
    }

    /// Ends the packet. Returns the number of its bytes. O(1), and O(bytes) for a single array of bytes.
    ///
    /// # Errors
    /// [`WriteError::TooManyArguments`]. The packet is removed from the buffer.
    pub fn finish(mut self) -> Result<usize, WriteError> {
        let Ok(count) = u8::try_from(self.count) else {
            self.bytes.truncate(self.start);
            return Err(WriteError::TooManyArguments);
        };
        match self.single_bytes() {
            Some(len) => self.bare(len),
            None => {
                if let Some(place) = self.bytes.get_mut(self.count_at) {
                    *place = count;
                }
            }
        }
        write_path(self.node, self.start, self.bytes);
        if matches!(self.node, NodeRef::Path(_)) {
            self.bytes.push(0);
        }
        Ok(self.bytes.len().saturating_sub(self.start))
    }

    /// The length of the only argument if it is a non-empty array of bytes; 0 if there are no arguments. `None` for
    /// all other calls.
    fn single_bytes(&self) -> Option<usize> {
        if self.count != 1 {
            return (self.count == 0).then_some(0);
        }
        let argument = self.bytes.get(self.count_at.saturating_add(1)..)?;
        let (header, rest) = argument.split_first_chunk::<4>()?;
        let len = u32::from_le_bytes(*rest.first_chunk::<4>()?);
        (u32::from_le_bytes(*header) == BYTES && len > 0).then_some(size(len))
    }

    /// Removes the bytes around the `len` bytes of a single array: the count, the header, the length, and the padding.
    fn bare(&mut self, len: usize) {
        let head = if len == 0 { 1 } else { 9 };
        let behind = self.count_at.saturating_add(head);
        self.bytes.drain(self.count_at..behind.min(self.bytes.len()));
        self.bytes.truncate(self.count_at.saturating_add(len));
        if let Some(header) = self.bytes.get_mut(self.start) {
            *header |= BYTE_ONLY;
        }
    }
}
