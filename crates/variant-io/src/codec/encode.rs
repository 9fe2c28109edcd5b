//! Encoding values and packets.

use bytes::{Bytes, BytesMut};
use tokio_util::codec::Encoder;
use variant_owned::{EncodeOptions, Variant, encode_into};

use super::{CodecError, VariantCodec};
use crate::append::{AppendError, length_prefix};
use crate::frame::WORD;

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

    /// Appends a frame with the bytes that `write` puts into a reused buffer.
    pub(super) fn put_by<E: Into<CodecError>>(
        &mut self,
        to: &mut BytesMut,
        write: impl FnOnce(EncodeOptions, &mut Vec<u8>) -> Result<usize, E>,
    ) -> Result<(), CodecError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let written = write(self.encoding, &mut scratch);
        let result = written.map_err(E::into).and_then(|_| self.put(&scratch, to));
        // Frees the memory of an occasional long value.
        scratch.clear();
        scratch.shrink_to(self.capacity);
        self.scratch = scratch;
        result
    }
}

impl Encoder<&Variant> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &Variant, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put_by(to, |options, bytes| {
            encode_into(value, options, bytes).map_err(AppendError::Value)
        })
    }
}

impl Encoder<Variant> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Variant, to: &mut BytesMut) -> Result<(), CodecError> {
        self.encode(&value, to)
    }
}

impl Encoder<&[u8]> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &[u8], to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(value, to)
    }
}

impl Encoder<Bytes> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Bytes, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(&value, to)
    }
}
