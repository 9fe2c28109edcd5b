//! [`Arguments`]: the arguments of a remote call, decoded on request.

use variant_owned::Variant;
use variant_view::Options;

use crate::bytes::Cursor;
use crate::error::{Error, Part};
use crate::values::CompactValues;

/// The header bit of a call without a count of arguments. Such a call has no arguments, or only an array of bytes.
pub(crate) const BYTE_ONLY: u8 = 0x80;

/// The arguments of a remote call. A packet has them in one of two forms.
///
/// ```
/// use variant_multiplayer::{Message, Packet};
/// use variant_owned::Variant;
///
/// let packet = Packet::parse(b"\0\x01\0\x02\x02\x05\x81")?; // two arguments: 5, true
/// let Message::Rpc(rpc) = packet.message else { panic!("not a call") };
/// assert_eq!(rpc.arguments.len(), 2);
/// assert_eq!(rpc.arguments.to_variants()?, [Variant::from(5), true.into()]);
/// assert_eq!(rpc.arguments.decode::<(u8, bool)>()?, (5, true)); // with the feature `serde`
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Arguments<'a> {
    /// Counted values. Each value is decoded on access. Engines ignore bytes after the last value.
    Values(CompactValues<'a>),
    /// The bytes of a single `PackedByteArray`. Without bytes, the call has no arguments, so this form cannot express
    /// an empty array.
    Bytes(&'a [u8]),
}

impl<'a> Arguments<'a> {
    #[inline]
    pub(crate) fn parse(
        byte_only: bool,
        cursor: &mut Cursor<'a>,
        options: &Options,
    ) -> Result<Self, Error> {
        if byte_only {
            return Ok(Self::Bytes(cursor.take_rest()));
        }
        let count = cursor.u8(Part::ArgumentCount)?;
        let values = CompactValues::counted(cursor.rest(), *options, count.into());
        Ok(Self::Values(values.in_buffer(cursor.offset())))
    }

    /// The number of arguments, 0 to 255. O(1).
    pub fn len(&self) -> usize {
        match self {
            Self::Values(values) => usize::from(count(values)),
            Self::Bytes(bytes) => usize::from(!bytes.is_empty()),
        }
    }

    /// Whether there are no arguments. O(1).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values. `None` for [`Arguments::Bytes`]: a view needs the array's header, which the packet lacks. O(1).
    pub const fn values(&self) -> Option<CompactValues<'a>> {
        match self {
            Self::Values(values) => Some(*values),
            Self::Bytes(_) => None,
        }
    }

    /// Validates all arguments: structure, limits and text. One pass, O(bytes), no allocation.
    ///
    /// # Errors
    /// The first violation. An engine would pass null for the wrong argument.
    pub fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Values(values) => validate_values(values),
            Self::Bytes(_) => Ok(()),
        }
    }

    /// The arguments as owned values, from either form. O(bytes) of time and memory.
    ///
    /// # Errors
    /// The first argument that is damaged or exceeds limits.
    pub fn to_variants(&self) -> Result<Vec<Variant>, Error> {
        match self {
            Self::Values(values) => {
                values.iter().map(|value| Ok(Variant::from_view(&value?)?)).collect()
            }
            Self::Bytes([]) => Ok(Vec::new()),
            Self::Bytes(bytes) => Ok(vec![Variant::PackedByteArray(bytes.to_vec())]),
        }
    }

    pub(crate) const fn bits(&self) -> u8 {
        match self {
            Self::Values(_) => 0,
            Self::Bytes(_) => BYTE_ONLY,
        }
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Values(values) => {
                bytes.push(count(values));
                bytes.extend_from_slice(values.bytes());
            }
            Self::Bytes(argument) => bytes.extend_from_slice(argument),
        }
    }
}

/// Validates values: structure, limits and text.
pub(crate) fn validate_values(values: &CompactValues<'_>) -> Result<(), Error> {
    Ok(values.validate().map(drop)?)
}

/// The number of values, at most 255.
fn count(values: &CompactValues<'_>) -> u8 {
    let count = match values.count() {
        Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
        None => values.iter().take(255).count(),
    };
    u8::try_from(count).unwrap_or(u8::MAX)
}
