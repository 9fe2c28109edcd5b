//! [`Packet`]: the shared bytes of one value.

use bytes::Bytes;
use variant_view::{Document, Options, VariantView};

/// The bytes of one value, reference-counted, and the options to read them with.
///
/// A [`Document`] borrows its bytes. A packet owns them, so that it can be stored, sent to other tasks and forwarded.
/// Cloning is O(1).
///
/// A UDP datagram, a `WebSocket` message or an `ENet` packet is one value and needs no framing:
///
/// ```
/// use bytes::Bytes;
/// use variant_io::Packet;
/// use variant_view::{Dialect, Options};
///
/// // {"to": 7, "body": null}, as PacketPeerUDP.put_var sends it
/// let datagram = Bytes::from_static(
///     b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0to\0\0\x02\0\0\0\x07\0\0\0\
///       \x04\0\0\0\x04\0\0\0body\0\0\0\0",
/// );
/// let packet = Packet::new(datagram, Options::server(Dialect::Godot4));
/// packet.view().validate()?;
/// let body = packet.view().get("body")?.expect("a body");
/// assert_eq!(packet.part(&body)?.as_deref(), Some(&[0; 4][..])); // shared, not copied
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Packet {
    bytes: Bytes,
    options: Options,
}

impl Packet {
    /// A packet of `bytes`, to be read with `options`. O(1); nothing is decoded.
    pub fn new(bytes: impl Into<Bytes>, options: impl Into<Options>) -> Self {
        Self { bytes: bytes.into(), options: options.into() }
    }

    /// The packet as a document. O(1); nothing is copied.
    pub fn view(&self) -> Document<'_> {
        Document::new(&self.bytes, self.options)
    }

    /// Decodes the value into a Rust type, which may borrow from the packet. O(bytes).
    ///
    /// Needs no validation before. Bytes after the value are ignored.
    ///
    /// ```
    /// use variant_io::Packet;
    /// use variant_view::{Dialect, Options};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Message<'a> {
    ///     to: &'a str,
    /// }
    ///
    /// // {"to": "all"}
    /// let datagram = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0to\0\0\x04\0\0\0\x03\0\0\0all\0";
    /// let packet = Packet::new(&datagram[..], Options::server(Dialect::Godot4));
    /// let message: Message<'_> = packet.decode()?;
    /// assert_eq!(message.to, "all");
    /// # Ok::<(), variant_serde::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`variant_serde::from_slice`].
    #[cfg(feature = "serde")]
    pub fn decode<'a, T: serde::Deserialize<'a>>(&'a self) -> Result<T, variant_serde::Error> {
        variant_serde::from_slice(&self.bytes, self.options)
    }

    /// The bytes of the value, without a length prefix.
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes of the value, without a length prefix. O(1).
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The options that [`Packet::view`] reads with.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Copies the bytes into a separate allocation. O(bytes).
    ///
    /// A packet from a stream shares the buffer that it arrived in. A packet of four bytes keeps 64 KiB allocated if the
    /// buffer has that size; the same holds for a [`Packet::part`]. Detach packets that outlive the next one.
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use variant_io::Packet;
    /// use variant_view::Dialect;
    ///
    /// let mut buffer = BytesMut::from(&[0; 1 << 16][..]);
    /// let packet = Packet::new(buffer.split_to(4), Dialect::Godot4); // keeps 64 KiB
    /// let kept = packet.clone().detach(); // keeps 4 bytes
    /// assert_eq!(kept.bytes(), packet.bytes());
    /// assert_ne!(kept.bytes().as_ptr(), packet.bytes().as_ptr());
    /// ```
    #[must_use]
    pub fn detach(self) -> Self {
        Self { bytes: Bytes::copy_from_slice(&self.bytes), ..self }
    }

    /// The bytes of a value inside this packet, shared and not copied. None if `value` is not from this packet.
    /// O(bytes of the value), to find its end.
    ///
    /// The bytes outlive the packet and keep its whole buffer allocated. Copy bytes that are kept for long
    /// (`Bytes::copy_from_slice`).
    ///
    /// # Errors
    /// A damaged value.
    pub fn part(&self, value: &VariantView<'_>) -> variant_view::Result<Option<Bytes>> {
        let part = value.raw_bytes()?;
        let start = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr());
        let range = start.and_then(|start| Some(start..start.checked_add(part.len())?));
        let range = range.filter(|range| range.end <= self.bytes.len());
        Ok(range.map(|range| self.bytes.slice(range)))
    }
}

impl AsRef<[u8]> for Packet {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use variant_view::Dialect;

    use super::*;

    #[test]
    fn a_detached_packet_keeps_nothing_but_its_bytes() {
        let mut buffer = bytes::BytesMut::with_capacity(1 << 16);
        buffer.extend_from_slice(&[2, 0, 0, 0, 7, 0, 0, 0]);
        let packet = Packet::new(buffer.split_to(8), Dialect::Godot4);
        let shared = packet.bytes().as_ptr();
        assert!(!buffer.try_reclaim(1 << 16), "the packet keeps the buffer");
        let packet = packet.detach();
        assert_ne!(packet.bytes().as_ptr(), shared);
        assert!(buffer.try_reclaim(1 << 16), "nobody keeps the buffer");
        assert_eq!(packet.view().root().unwrap().as_i64(), Ok(7));
        assert_eq!(packet.options(), &Options::new(Dialect::Godot4));
    }

    #[test]
    fn a_part_is_shared() {
        // [null, 7]
        let bytes = [28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
        let packet = Packet::new(bytes.to_vec(), Dialect::Godot4);
        let seven = packet.view().at("[1]").unwrap();
        let part = packet.part(&seven).unwrap().unwrap();
        assert_eq!(part.as_ptr(), seven.raw_bytes().unwrap().as_ptr());
        let other = Packet::new(bytes.to_vec(), Dialect::Godot4);
        assert_eq!(other.part(&seven), Ok(None));
        drop(packet);
        assert_eq!(*part, [2, 0, 0, 0, 7, 0, 0, 0]);
    }
}
