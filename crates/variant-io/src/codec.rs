//! [`VariantCodec`]: values on a stream, for tokio.

use std::fmt;
use std::io;

use bytes::{Buf as _, Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_view::{Dialect, Options};

use crate::append::{AppendError, length_word};
use crate::frame::{ByteOrder, FrameError, WORD, frames};
use crate::packet::Packet;

/// Values behind length words, as `StreamPeer.put_var` and `PacketPeerStream` send them.
///
/// Reads [`Packet`]s, of which nothing but the length is looked at: whoever gets one validates it, or not.
/// Writes values, and bytes of values verbatim.
///
/// ```no_run
/// use futures_util::{SinkExt, StreamExt};
/// use tokio_util::codec::Framed;
/// use variant_io::VariantCodec;
/// use variant_view::Dialect;
///
/// # async fn serve(stream: tokio::net::TcpStream) -> Result<(), Box<dyn std::error::Error>> {
/// let mut peer = Framed::new(stream, VariantCodec::server(Dialect::Godot4).max_len(1 << 16));
/// while let Some(packet) = peer.next().await {
///     let packet = packet?;
///     packet.view().validate()?;
///     peer.send(&packet).await?; // verbatim
/// }
/// # Ok(())
/// # }
/// ```
///
/// # What a peer can do
///
/// A frame takes memory as its bytes arrive, 64 KiB ahead of them at most and never by what its length word
/// claims, and no more than [`VariantCodec::max_len`]. What is longer ends the stream with an error or is
/// skipped unread ([`Oversize`]). A peer that sends nothing is the business of a time limit around it.
#[derive(Clone, Debug)]
pub struct VariantCodec {
    order: ByteOrder,
    max_len: u32,
    oversize: Oversize,
    options: Options,
    encoding: EncodeOptions,
    /// Where in the stream the buffer starts.
    position: u64,
    /// The bytes of a frame that are still to be thrown away.
    to_skip: u32,
    skipped: u64,
    /// What values are written into first.
    scratch: Vec<u8>,
}

/// What becomes of a frame that is too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Oversize {
    /// An error, with which the stream ends.
    #[default]
    Close,
    /// Its bytes are thrown away as they arrive; the stream goes on behind them, and
    /// [`VariantCodec::skipped`] counts it.
    Skip,
}

/// The engine's own limit to what it writes, unless told otherwise: 8 MiB (docs/format.md, section 4.1).
const MAX_LEN: u32 = 8 << 20;
/// So many bytes are made room for ahead of their arrival.
const READ_AHEAD: usize = 64 << 10;

impl VariantCodec {
    /// Packets that are read in this way, and values that are written in their dialect. Frames have at most
    /// 8 MiB, the engines' own limit.
    pub fn new(options: impl Into<Options>) -> Self {
        let options = options.into();
        Self {
            order: ByteOrder::Little,
            max_len: MAX_LEN,
            oversize: Oversize::Close,
            options,
            encoding: EncodeOptions::new(options.dialect).reals(options.reals),
            position: 0,
            to_skip: 0,
            skipped: 0,
            scratch: Vec::new(),
        }
    }

    /// For peers that may be anyone: [`Options::server`].
    pub fn server(dialect: Dialect) -> Self {
        Self::new(Options::server(dialect))
    }

    /// With length words of this order, as the stream's `big_endian` has it.
    #[must_use]
    pub const fn order(mut self, order: ByteOrder) -> Self {
        self.order = order;
        self
    }

    /// With frames of at most so many bytes, read or written. The engine's `PacketPeerStream` stalls for good
    /// at more than its buffer, 65,536 bytes unless told otherwise.
    #[must_use]
    pub const fn max_len(mut self, max_len: u32) -> Self {
        self.max_len = max_len;
        self
    }

    /// What becomes of frames that are longer.
    #[must_use]
    pub const fn oversize(mut self, oversize: Oversize) -> Self {
        self.oversize = oversize;
        self
    }

    /// Writes values so.
    #[must_use]
    pub const fn encoding(mut self, encoding: EncodeOptions) -> Self {
        self.encoding = encoding;
        self
    }

    /// How many frames were skipped because they were too long.
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Where in the stream the next byte stands that has not been given out or skipped.
    pub const fn position(&self) -> u64 {
        self.position
    }

    fn advance(&mut self, from: &mut BytesMut, count: usize) {
        from.advance(count);
        self.position = self.position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// Throws away what is left of a frame that is too long. False if there is more to come.
    fn skip(&mut self, from: &mut BytesMut) -> bool {
        let count = usize::try_from(self.to_skip).unwrap_or(usize::MAX).min(from.len());
        self.advance(from, count);
        self.to_skip = self.to_skip.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX));
        self.to_skip == 0
    }

    fn error(&self, frame: FrameError) -> CodecError {
        CodecError::Frame { position: self.position, error: frame }
    }

    /// Appends a frame of these bytes, which may not be too long.
    fn put(&self, bytes: &[u8], to: &mut BytesMut) -> Result<(), CodecError> {
        let word = length_word(bytes.len(), self.order)?;
        if bytes.len() > usize::try_from(self.max_len).unwrap_or(usize::MAX) {
            return Err(CodecError::TooLong { len: bytes.len(), max_len: self.max_len });
        }
        to.reserve(bytes.len().saturating_add(WORD));
        to.extend_from_slice(&word);
        to.extend_from_slice(bytes);
        Ok(())
    }
}

impl Decoder for VariantCodec {
    type Item = Packet;
    type Error = CodecError;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<Packet>, CodecError> {
        while self.skip(from) {
            let Some(frame) = frames(from, self.order).max_len(self.max_len).next() else { break };
            match frame.map(|frame| frame.bytes().len()) {
                Ok(len) => {
                    self.advance(from, WORD);
                    self.position =
                        self.position.saturating_add(u64::try_from(len).unwrap_or(u64::MAX));
                    return Ok(Some(Packet::new(from.split_to(len), self.options)));
                }
                Err(error) if error.is_incomplete() => {
                    from.reserve(error.missing().min(READ_AHEAD));
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

    fn decode_eof(&mut self, from: &mut BytesMut) -> Result<Option<Packet>, CodecError> {
        if let Some(packet) = self.decode(from)? {
            return Ok(Some(packet));
        }
        if self.to_skip > 0 {
            return Err(CodecError::CutWhileSkipping {
                position: self.position,
                missing: self.to_skip,
            });
        }
        // What is left is a frame that the peer did not send the rest of.
        match frames(from, self.order).next() {
            Some(Err(error)) => Err(self.error(error)),
            _ => Ok(None),
        }
    }
}

impl Encoder<&Variant> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &Variant, to: &mut BytesMut) -> Result<(), CodecError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let written = encode_into(value, &self.encoding, &mut scratch).map_err(AppendError::Value);
        let result = written.map_err(CodecError::from).and_then(|_| self.put(&scratch, to));
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

/// The bytes of a value, verbatim.
impl Encoder<&[u8]> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: &[u8], to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(value, to)
    }
}

/// The bytes of a value, verbatim.
impl Encoder<Bytes> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Bytes, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(&value, to)
    }
}

/// The packet, verbatim.
impl Encoder<&Packet> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, packet: &Packet, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put(packet.bytes(), to)
    }
}

/// What ends a stream, or keeps a value from being sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum CodecError {
    /// A frame that is too long, or that the peer did not send the rest of.
    Frame {
        /// Where in the stream its length word starts.
        position: u64,
        /// What is wrong with it, counted from there.
        error: FrameError,
    },
    /// The stream ended in a frame that was being skipped.
    CutWhileSkipping {
        /// Where.
        position: u64,
        /// How many bytes of the frame were to come.
        missing: u32,
    },
    /// The value to be sent is longer than a frame may be.
    TooLong {
        /// The bytes that it has.
        len: usize,
        /// The bytes that it may have.
        max_len: u32,
    },
    /// The value to be sent cannot be written.
    Append(AppendError),
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<io::Error> for CodecError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<AppendError> for CodecError {
    fn from(error: AppendError) -> Self {
        Self::Append(error)
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frame { position, error } => {
                write!(f, "the frame at byte {position} of the stream: {error}")
            }
            Self::CutWhileSkipping { position, missing } => write!(
                f,
                "the stream ended at byte {position}, {missing} bytes short of the end of a frame \
                 that was too long and being skipped"
            ),
            Self::TooLong { len, max_len } => {
                write!(
                    f,
                    "a value of {len} bytes is longer than the {max_len} that a frame may have"
                )
            }
            Self::Append(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CodecError {
    // Display has said what the error inside says.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Frame { error, .. } => error.source(),
            Self::Append(error) => error.source(),
            Self::Io(error) => error.source(),
            Self::CutWhileSkipping { .. } | Self::TooLong { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use variant_view::Limits;

    use super::*;

    /// `[null, "å"]` and 7, as Godot 4 writes them.
    const FIRST: &[u8] =
        &[28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 0xc3, 0xa5, 0, 0];
    const SECOND: &[u8] = &[2, 0, 0, 0, 7, 0, 0, 0];

    fn codec() -> VariantCodec {
        VariantCodec::new(Dialect::Godot4)
    }

    fn stream(order: ByteOrder, values: &[&[u8]]) -> Vec<u8> {
        let mut stream = Vec::new();
        for value in values {
            crate::append_frame(&mut stream, value, order).unwrap();
        }
        stream
    }

    /// All that comes of a stream that arrives in pieces.
    fn decode(
        codec: &mut VariantCodec,
        stream: &[u8],
        piece: usize,
    ) -> Result<Vec<Packet>, CodecError> {
        let (mut buffer, mut packets) = (BytesMut::new(), Vec::new());
        for piece in stream.chunks(piece) {
            buffer.extend_from_slice(piece);
            while let Some(packet) = codec.decode(&mut buffer)? {
                packets.push(packet);
            }
        }
        while let Some(packet) = codec.decode_eof(&mut buffer)? {
            packets.push(packet);
        }
        Ok(packets)
    }

    #[test]
    fn pieces_of_any_length() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let stream = stream(order, &[FIRST, &[], SECOND]);
            for piece in 1..=stream.len() {
                let mut codec = codec().order(order);
                let packets = decode(&mut codec, &stream, piece).unwrap();
                let bytes: Vec<_> = packets.iter().map(|packet| &**packet.bytes()).collect();
                assert_eq!(bytes, [FIRST, &[], SECOND], "in pieces of {piece}");
                assert_eq!(codec.position(), u64::try_from(stream.len()).unwrap());
                assert_eq!(packets[2].view().root().unwrap().as_i64(), Ok(7));
            }
        }
    }

    #[test]
    fn a_claim_takes_no_memory() {
        let mut buffer = BytesMut::from(&[0xff, 0xff, 0xff, 0x7f][..]);
        let mut codec = codec().max_len(u32::MAX);
        assert!(codec.decode(&mut buffer).unwrap().is_none());
        assert!(buffer.capacity() <= 2 * READ_AHEAD, "{}", buffer.capacity());
    }

    #[test]
    fn too_long_closes() {
        let stream = stream(ByteOrder::Little, &[SECOND, FIRST]);
        let error = decode(&mut codec().max_len(8), &stream, 5).unwrap_err();
        let text = "the frame at byte 12 of the stream: length word at byte 0 asks for 24 bytes, more than \
                    the 8 that a frame may have";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn too_long_is_skipped() {
        let stream = stream(ByteOrder::Little, &[SECOND, FIRST, SECOND]);
        for piece in 1..=stream.len() {
            let mut codec = codec().max_len(8).oversize(Oversize::Skip);
            let packets = decode(&mut codec, &stream, piece).unwrap();
            assert_eq!((packets.len(), codec.skipped()), (2, 1), "in pieces of {piece}");
        }
        let mut codec = codec().max_len(8).oversize(Oversize::Skip);
        let error = decode(&mut codec, &stream[..30], 7).unwrap_err();
        assert!(
            matches!(error, CodecError::CutWhileSkipping { position: 30, missing: 10 }),
            "{error}"
        );
    }

    #[test]
    fn a_stream_that_ends_early() {
        let stream = stream(ByteOrder::Little, &[SECOND, FIRST]);
        for len in 0..=stream.len() {
            let result = decode(&mut codec(), &stream[..len], 9);
            match len {
                0 | 12 | 40 => assert!(result.is_ok(), "{len}"),
                _ => assert!(matches!(result, Err(CodecError::Frame { .. })), "{len}"),
            }
        }
    }

    #[test]
    fn what_is_sent_arrives() {
        let mut codec = codec();
        let mut buffer = BytesMut::new();
        let packet = Packet::new(FIRST.to_vec(), Dialect::Godot4);
        codec.encode(&packet, &mut buffer).unwrap();
        codec.encode(Variant::from(7), &mut buffer).unwrap();
        codec.encode(SECOND, &mut buffer).unwrap();
        codec.encode(Bytes::from_static(FIRST), &mut buffer).unwrap();
        assert_eq!(buffer, stream(ByteOrder::Little, &[FIRST, SECOND, SECOND, FIRST]));
    }

    #[test]
    fn what_cannot_be_sent_leaves_nothing() {
        let mut codec = VariantCodec::new(Options::new(Dialect::Godot3).limits(Limits::SERVER));
        let mut codec_8 = codec.clone().max_len(7);
        let mut buffer = BytesMut::new();
        let error = codec.encode(&Variant::from((1, 2)), &mut buffer).unwrap_err();
        assert!(matches!(error, CodecError::Append(_)), "{error}");
        let error = codec_8.encode(&Variant::from(7), &mut buffer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a value of 8 bytes is longer than the 7 that a frame may have"
        );
        assert!(buffer.is_empty());
    }
}
