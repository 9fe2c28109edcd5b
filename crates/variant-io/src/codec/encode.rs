//! Encoding values and packets.

use bytes::{Bytes, BytesMut};
use tokio_util::codec::Encoder;
use variant_owned::{Variant, encode_into};

use super::{CodecError, VariantCodec};
use crate::append::{AppendError, length_prefix};
use crate::frame::WORD;
use crate::packet::Packet;

impl VariantCodec {
    /// Appends one frame, unless it exceeds the limits.
    fn put(&self, bytes: &[u8], to: &mut BytesMut) -> Result<(), CodecError> {
        let prefix = length_prefix(bytes.len(), self.order)?;
        if bytes.len() > usize::try_from(self.max_out).unwrap_or(usize::MAX) {
            return Err(CodecError::TooLong { len: bytes.len(), max_len: self.max_out });
        }
        to.reserve(bytes.len().saturating_add(WORD));
        to.extend_from_slice(&prefix);
        to.extend_from_slice(bytes);
        Ok(())
    }
}

impl Encoder<&Variant> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &Variant, to: &mut BytesMut) -> Result<(), CodecError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let written = encode_into(value, self.encoding, &mut scratch).map_err(AppendError::Value);
        let result = written.map_err(CodecError::from).and_then(|_| self.put(&scratch, to));
        // Frees the memory of an occasional long value.
        scratch.clear();
        scratch.shrink_to(self.capacity);
        self.scratch = scratch;
        result
    }
}

impl Encoder<Variant> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Variant, to: &mut BytesMut) -> Result<(), CodecError> {
        self.encode(&value, to)
    }
}

/// Sends the bytes of a value verbatim.
impl Encoder<&[u8]> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &[u8], to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(value, to)
    }
}

/// Sends the bytes of a value verbatim.
impl Encoder<Bytes> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Bytes, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(&value, to)
    }
}

/// Sends the packet verbatim.
impl Encoder<&Packet> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, packet: &Packet, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(packet.bytes(), to)
    }
}
