//! Arguments and states as Rust types, by serde.

mod bare;
mod list;
mod row;
mod writing;

use serde::{Deserialize, Serialize};
use variant_serde::Error;
use variant_view::Dialect;

use self::bare::Bare;
use self::list::read;
use self::row::Row;
pub(crate) use self::writing::Writing;
use crate::arguments::Arguments;
use crate::values::CompactValues;

impl<'a> Arguments<'a> {
    /// Decodes the arguments as a tuple, a tuple struct, or a struct with the fields in the order of the arguments.
    /// `()` for no arguments. Text and bytes are borrowed from the packet. O(bytes).
    ///
    /// ```
    /// use variant_multiplayer::{Message, Packet};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Chat<'a> {
    ///     channel: u8,
    ///     text: &'a str,
    /// }
    ///
    /// let packet = Packet::parse(b"\0\x01\0\x02\x02\x05\x04\0\0\0\x02\0\0\0hi\0\0")?;
    /// let Message::Rpc(rpc) = packet.message else { panic!("not a call") };
    /// let chat: Chat<'_> = rpc.arguments.decode()?;
    /// assert_eq!((chat.channel, chat.text), (5, "hi"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first argument that is damaged or does not fit, or a wrong number of arguments for `T`.
    #[inline]
    pub fn decode<T: Deserialize<'a>>(&self) -> Result<T, Error> {
        match self {
            Self::Values(values) => read(Row::new(*values)),
            Self::Bytes([]) => {
                let none = CompactValues::counted(&[], Dialect::Godot4, 0);
                read(Row::new(none))
            }
            Self::Bytes(bytes) => read(Bare::new(bytes)),
        }
    }
}

/// Encodes a tuple, a struct, a sequence or `()` as a row: consecutive values in the compact form, as in the state of a
/// synchronizer. O(bytes).
///
/// ```
/// assert_eq!(variant_multiplayer::to_row(&(5, true))?, [2, 5, 0x81]);
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// `values` is none of these types, or Godot 4 cannot hold a value.
pub fn to_row<T: Serialize + ?Sized>(values: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    values.serialize(Writing(&mut bytes))?;
    Ok(bytes)
}

/// Decodes a row of values as a tuple, a struct or a sequence. This is the inverse of [`to_row`]. O(bytes).
///
/// ```
/// use variant_multiplayer::{from_row, to_row};
/// use variant_multiplayer::CompactValues;
/// use variant_view::Dialect;
///
/// let row = to_row(&(5, "orc"))?;
/// let values = CompactValues::new(&row, Dialect::Godot4);
/// assert_eq!(from_row::<(u8, &str)>(values)?, (5, "orc"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Arguments::decode`].
pub fn from_row<'a, T: Deserialize<'a>>(values: CompactValues<'a>) -> Result<T, Error> {
    read(Row::new(values))
}
