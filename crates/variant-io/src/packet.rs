//! [`Packet`]: a document that owns its bytes.

use bytes::Bytes;
use variant_view::{Document, Options, VariantView};

/// The bytes of one value, shared and counted, and how to read them: what a [`Document`] borrows, to be kept,
/// sent to other tasks and forwarded.
///
/// A datagram of UDP, a message of a `WebSocket` or a packet of `ENet` is one as it is:
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
    /// These bytes, to be read so. O(1); nothing is looked at.
    pub fn new(bytes: impl Into<Bytes>, options: impl Into<Options>) -> Self {
        Self { bytes: bytes.into(), options: options.into() }
    }

    /// The document. O(1), nothing is copied.
    pub fn view(&self) -> Document<'_> {
        Document::new(&self.bytes, self.options)
    }

    /// The bytes, length word not included.
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// How they are read.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The bytes of a value of this packet, verbatim and shared, to be kept or forwarded after the packet is
    /// gone. As long as they are kept, so is all of the buffer that they came in; copy what is kept for long.
    /// None of a value of anything else. O(bytes of the value), to find its end.
    ///
    /// # Errors
    /// Whatever is wrong inside the value.
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
