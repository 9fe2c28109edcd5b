//! [`VariantCodec`]: length-prefixed values on a stream, for tokio.

mod decode;
mod encode;
mod error;
#[cfg(test)]
mod tests;
#[cfg(feature = "serde")]
mod typed;

pub use error::CodecError;
#[cfg(feature = "serde")]
pub use typed::{Typed, TypedCodec};
use variant_owned::EncodeOptions;
use variant_view::{Dialect, Options};

use crate::frame::ByteOrder;

/// A tokio codec for length-prefixed values, as `StreamPeer.put_var` and `PacketPeerStream` send them.
///
/// The decoder reads only the length prefix of a frame, and yields the bytes after it. A [`Document`] or an
/// [`OwnedDocument`] validates them. The encoder takes values and the bytes of values; bytes are sent verbatim.
///
/// ```no_run
/// use futures_util::{SinkExt, StreamExt};
/// use tokio_util::codec::Framed;
/// use variant_io::VariantCodec;
/// use variant_view::{Dialect, Document, Options};
///
/// # async fn serve(stream: tokio::net::TcpStream) -> Result<(), Box<dyn std::error::Error>> {
/// let mut peer = Framed::new(stream, VariantCodec::server(Dialect::Godot4).max_in(1 << 16));
/// while let Some(packet) = peer.next().await {
///     let packet = packet?;
///     Document::new(&packet, Options::server(Dialect::Godot4)).validate()?;
///     peer.send(packet).await?; // verbatim
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Memory and hostile peers
///
/// * The memory of a frame grows with the bytes that arrive, not with its length prefix. The codec reserves as many
///   bytes as have arrived, at least [`VariantCodec::capacity`], and at most [`VariantCodec::max_in`] in all.
/// * The codec has no time limits. Wrap reads in a time limit, because peers may be silent. Wrap writes in a time
///   limit, because unsent frames stay in memory if a peer stops reading.
/// * The bytes of a frame share the buffer in which they arrived, and keep the whole buffer allocated. Call
///   [`OwnedDocument::detach`] on messages that are kept.
///
/// [`Document`]: variant_view::Document
/// [`OwnedDocument`]: variant_view::OwnedDocument
/// [`OwnedDocument::detach`]: variant_view::OwnedDocument::detach
#[derive(Clone, Debug)]
pub struct VariantCodec {
    order: ByteOrder,
    max_in: u32,
    max_out: u32,
    capacity: usize,
    oversize: Oversize,
    options: Options,
    encoding: EncodeOptions,
    /// The offset in the stream of the first byte of the buffer.
    position: u64,
    /// The number of bytes of an oversized frame that are still to be discarded.
    to_skip: u32,
    skipped: u64,
    /// The buffer of an encoded value, until its length is known.
    scratch: Vec<u8>,
}

/// The reaction of the decoder to a frame longer than [`VariantCodec::max_in`].
///
/// ```
/// use bytes::BytesMut;
/// use tokio_util::codec::Decoder;
/// use variant_io::{Oversize, VariantCodec};
/// use variant_view::Dialect;
///
/// let mut codec = VariantCodec::server(Dialect::Godot4).max_in(4).oversize(Oversize::Skip);
/// // 7, which has 8 bytes, and null, which has 4
/// let mut received = BytesMut::from(&b"\x08\0\0\0\x02\0\0\0\x07\0\0\0\x04\0\0\0\0\0\0\0"[..]);
/// let packet = codec.decode(&mut received)?.expect("a whole frame");
/// assert_eq!((packet.len(), codec.skipped()), (4, 1));
/// # Ok::<(), variant_io::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Oversize {
    /// Returns an error, which ends the stream.
    #[default]
    Close,
    /// Discards the bytes of the frame as they arrive and continues after it. [`VariantCodec::skipped`] counts such
    /// frames.
    Skip,
}

/// The default limit of frames: the engine's default for writing, 8 MiB (docs/spec/carriers.md#frames).
const MAX_LEN: u32 = 8 << 20;
/// The default of [`VariantCodec::capacity`], as in tokio's codecs.
const CAPACITY: usize = 8 << 10;

impl VariantCodec {
    /// A codec that encodes values in the dialect of `options`. [`TypedCodec`](crate::TypedCodec) decodes values with
    /// `options`.
    ///
    /// Defaults: little-endian length prefixes, frames of at most 8 MiB in each direction, 8 KiB of
    /// [`VariantCodec::capacity`], [`Oversize::Close`].
    ///
    /// ```
    /// use bytes::BytesMut;
    /// use tokio_util::codec::{Decoder, Encoder};
    /// use variant_io::VariantCodec;
    /// use variant_owned::Variant;
    /// use variant_view::{Dialect, Document};
    ///
    /// let (mut codec, mut stream) = (VariantCodec::new(Dialect::Godot3), BytesMut::new());
    /// codec.encode(&Variant::from(7), &mut stream)?;
    /// let packet = codec.decode(&mut stream)?.expect("a whole frame");
    /// assert_eq!(Document::new(&packet, Dialect::Godot3).root()?.as_i64()?, 7);
    /// assert_eq!(codec.position(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(options: impl Into<Options>) -> Self {
        let options = options.into();
        Self {
            order: ByteOrder::Little,
            max_in: MAX_LEN,
            max_out: MAX_LEN,
            capacity: CAPACITY,
            oversize: Oversize::Close,
            options,
            encoding: EncodeOptions::new(options.dialect).reals(options.reals),
            position: 0,
            to_skip: 0,
            skipped: 0,
            scratch: Vec::new(),
        }
    }

    /// A codec for untrusted peers: as [`VariantCodec::new`], with [`Options::server`].
    pub fn server(dialect: Dialect) -> Self {
        Self::new(Options::server(dialect))
    }

    /// Sets the byte order of length prefixes: `big_endian` of the engine's stream.
    #[must_use]
    pub const fn order(mut self, order: ByteOrder) -> Self {
        self.order = order;
        self
    }

    /// Sets the limit of frames in both directions, in bytes: [`VariantCodec::max_in`] and [`VariantCodec::max_out`].
    #[must_use]
    pub const fn max_len(self, max_len: u32) -> Self {
        self.max_in(max_len).max_out(max_len)
    }

    /// Sets the limit of received frames, in bytes without the length prefix. 8 MiB by default.
    #[must_use]
    pub const fn max_in(mut self, max_in: u32) -> Self {
        self.max_in = max_in;
        self
    }

    /// Sets the limit of sent frames, in bytes without the length prefix. 8 MiB by default.
    ///
    /// Choose at most the limit of the peer. The engine's `PacketPeerStream` stops forever at a frame longer than its
    /// buffer, 65,536 bytes by default.
    #[must_use]
    pub const fn max_out(mut self, max_out: u32) -> Self {
        self.max_out = max_out;
        self
    }

    /// Sets the number of bytes that are reserved for a frame before they arrive. 8 KiB by default.
    ///
    /// An idle peer holds the initial read and write buffers of `Framed::new`, 8 KiB each. For thousands of idle peers
    /// with short packets, 512 bytes are enough for each buffer and for the capacity:
    ///
    /// ```
    /// # use tokio_util::codec::Framed;
    /// # use variant_io::VariantCodec;
    /// # use variant_view::Dialect;
    /// # let (stream, _peer) = tokio::io::duplex(64);
    /// let codec = VariantCodec::server(Dialect::Godot4).max_in(1 << 12).capacity(512);
    /// let peer = Framed::with_capacity(stream, codec, 512);
    /// # assert_eq!(peer.read_buffer().capacity(), 512);
    /// ```
    #[must_use]
    pub const fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// Sets the reaction to frames longer than [`VariantCodec::max_in`].
    #[must_use]
    pub const fn oversize(mut self, oversize: Oversize) -> Self {
        self.oversize = oversize;
        self
    }

    /// Sets the options for encoding values. The default has the dialect and the reals of [`VariantCodec::options`].
    #[must_use]
    pub const fn encoding(mut self, encoding: EncodeOptions) -> Self {
        self.encoding = encoding;
        self
    }

    /// The options for received values, for example for the [`Document`](variant_view::Document) of a frame.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The number of frames skipped because of their length.
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The offset in the stream of the next byte that is neither decoded nor skipped.
    pub const fn position(&self) -> u64 {
        self.position
    }
}
