//! Decoding packets.

use bytes::{Buf as _, Bytes, BytesMut};
use tokio_util::codec::Decoder;

use super::{CodecError, Oversize, VariantCodec};
use crate::frame::{FrameError, WORD, frames};

impl VariantCodec {
    fn advance(&mut self, from: &mut BytesMut, count: usize) {
        from.advance(count);
        self.position = self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// Discards the rest of an oversized frame. Returns false if a part of the frame has not arrived yet.
    fn skip(&mut self, from: &mut BytesMut) -> bool {
        let count = usize::try_from(self.to_skip).unwrap_or(usize::MAX).min(from.len());
        self.advance(from, count);
        self.to_skip = self.to_skip.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX));
        self.to_skip == 0
    }

    fn error(&self, frame: FrameError) -> CodecError {
        CodecError::Frame { position: self.position, error: frame }
    }
}

impl Decoder for VariantCodec {
    type Item = Bytes;
    type Error = CodecError;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        while self.skip(from) {
            let Some(frame) = frames(from, self.order).max_len(self.max_in).next() else { break };
            match frame.map(|frame| frame.bytes().len()) {
                Ok(len) => {
                    self.advance(from, WORD);
                    self.position =
                        self.position.saturating_add(u64::try_from(len).unwrap_or(u64::MAX));
                    return Ok(Some(from.split_to(len).freeze()));
                }
                Err(error) if error.is_incomplete() => {
                    let ahead = self.capacity.max(from.len());
                    from.reserve(error.missing().min(ahead));
                    break;
                }
                Err(error) if self.oversize == Oversize::Close => return Err(self.error(error)),
                Err(error) => {
                    self.advance(from, WORD);
                    self.to_skip = error.needed();
                    self.skipped = self.skipped.saturating_add(1);
                }
            }
        }
        Ok(None)
    }

    fn decode_eof(&mut self, from: &mut BytesMut) -> Result<Option<Bytes>, CodecError> {
        if let Some(packet) = self.decode(from)? {
            return Ok(Some(packet));
        }
        if self.to_skip > 0 {
            return Err(CodecError::CutWhileSkipping {
                position: self.position,
                missing: self.to_skip,
            });
        }
        // Bytes that are left in the buffer are an incomplete frame, which is an error at the end of the stream.
        match frames(from, self.order).next() {
            Some(Err(error)) => Err(self.error(error)),
            _ => Ok(None),
        }
    }
}
