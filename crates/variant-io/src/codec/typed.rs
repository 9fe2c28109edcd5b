//! [`TypedCodec`]: Rust types on a stream. [`Typed`]: a Rust value for a codec of packets.

use std::fmt;
use std::marker::PhantomData;

use bytes::{Bytes, BytesMut};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_util::codec::{Decoder, Encoder};

use super::{CodecError, VariantCodec};

/// A [`VariantCodec`] that yields values of type `T` and takes values of type `U`, by serde.
///
/// A value that is not a `T` ends the stream, as an invalid frame does. To continue after such a value, to borrow from
/// the frame, or to send several types, use the [`VariantCodec`] with [`variant_serde::from_slice`] and [`Typed`].
///
/// ```
/// use futures_util::{SinkExt, StreamExt};
/// use tokio_util::codec::Framed;
/// use variant_io::{TypedCodec, VariantCodec};
/// use variant_view::Dialect;
///
/// #[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
/// enum Message {
///     Join { name: String },
///     Say(String),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (client, server) = tokio::io::duplex(1 << 10);
/// let codec = || TypedCodec::<Message>::new(VariantCodec::server(Dialect::Godot4));
/// let (mut client, mut server) = (Framed::new(client, codec()), Framed::new(server, codec()));
/// let join = Message::Join { name: "Ada".to_owned() };
/// client.send(&join).await?;
/// assert_eq!(server.next().await.expect("a message")?, join);
/// # Ok(())
/// # }
/// ```
pub struct TypedCodec<T, U = T> {
    codec: VariantCodec,
    types: PhantomData<fn(U) -> T>,
}

impl<T, U> TypedCodec<T, U> {
    /// A codec of Rust values over `codec`, whose settings and limits apply. O(1).
    pub const fn new(codec: VariantCodec) -> Self {
        Self { codec, types: PhantomData }
    }

    /// The inner codec of packets. O(1).
    pub const fn codec(&self) -> &VariantCodec {
        &self.codec
    }

    /// The inner codec of packets, at its position in the stream. O(1).
    pub fn into_codec(self) -> VariantCodec {
        self.codec
    }
}

impl<T, U> Clone for TypedCodec<T, U> {
    fn clone(&self) -> Self {
        Self::new(self.codec.clone())
    }
}

impl<T, U> fmt::Debug for TypedCodec<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedCodec").field(&self.codec).finish()
    }
}

impl<T: DeserializeOwned, U> TypedCodec<T, U> {
    fn value(&self, packet: Option<Bytes>) -> Result<Option<T>, CodecError> {
        let options = self.codec.options;
        let value = packet.map(|packet| variant_serde::from_slice(&packet, options)).transpose();
        value.map_err(|error| CodecError::Decode { position: self.codec.position(), error })
    }
}

impl<T: DeserializeOwned, U> Decoder for TypedCodec<T, U> {
    type Item = T;
    type Error = CodecError;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<T>, CodecError> {
        let packet = self.codec.decode(from)?;
        self.value(packet)
    }

    fn decode_eof(&mut self, from: &mut BytesMut) -> Result<Option<T>, CodecError> {
        let packet = self.codec.decode_eof(from)?;
        self.value(packet)
    }
}

impl<T, U: Serialize> Encoder<&U> for TypedCodec<T, U> {
    type Error = CodecError;

    fn encode(&mut self, value: &U, to: &mut BytesMut) -> Result<(), CodecError> {
        self.codec.encode(Typed(value), to)
    }
}

impl<T, U: Serialize> Encoder<U> for TypedCodec<T, U> {
    type Error = CodecError;

    fn encode(&mut self, value: U, to: &mut BytesMut) -> Result<(), CodecError> {
        self.codec.encode(Typed(&value), to)
    }
}

/// A Rust value that a [`VariantCodec`] encodes by serde. The value is borrowed: `Typed(&message)`.
///
/// ```
/// use bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use variant_io::{Typed, VariantCodec};
/// use variant_view::Dialect;
///
/// let (mut codec, mut sent) = (VariantCodec::server(Dialect::Godot4), BytesMut::new());
/// let name = String::from("Ada");
/// codec.encode(Typed(&("join", name.as_str())), &mut sent)?;
/// let packet = codec.decode(&mut sent)?.expect("a whole frame");
/// let (what, name): (&str, &str) = variant_serde::from_slice(&packet, Dialect::Godot4)?;
/// assert_eq!((what, name), ("join", "Ada"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Typed<'v, T: ?Sized>(pub &'v T);

impl<T: Serialize + ?Sized> Encoder<Typed<'_, T>> for VariantCodec {
    type Error = CodecError;

    fn encode(&mut self, value: Typed<'_, T>, to: &mut BytesMut) -> Result<(), CodecError> {
        self.put_by(to, |options, bytes| {
            variant_serde::to_vec_into(value.0, options, bytes).map_err(CodecError::Encode)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use variant_view::Dialect;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Hit {
        by: String,
        damage: u64,
    }

    fn hit(damage: u64) -> Hit {
        Hit { by: "axe".to_owned(), damage }
    }

    fn codec() -> TypedCodec<Hit> {
        TypedCodec::new(VariantCodec::server(Dialect::Godot3))
    }

    #[test]
    fn values_come_back_however_they_arrive() {
        let (mut codec, mut sent, mut arrived) = (codec(), BytesMut::new(), BytesMut::new());
        codec.encode(hit(1), &mut sent).unwrap();
        codec.encode(&hit(2), &mut sent).unwrap();
        let mut received = Vec::new();
        for &byte in &sent {
            arrived.extend_from_slice(&[byte]);
            received.extend(codec.decode(&mut arrived).unwrap());
        }
        assert_eq!(codec.decode_eof(&mut arrived).unwrap(), None);
        assert_eq!(received, [hit(1), hit(2)]);
    }

    #[test]
    fn errors_say_where_and_leave_nothing_behind() {
        let (mut codec, mut sent) = (codec(), BytesMut::new());
        let refused = codec.encode(hit(u64::MAX), &mut sent).unwrap_err();
        assert!(refused.to_string().starts_with("damage: "), "{refused}");
        assert!(sent.is_empty());
        codec.encode(hit(1), &mut sent).unwrap();
        let mut packets = codec.into_codec();
        packets.encode(Typed("axe"), &mut sent).unwrap();
        let len = u64::try_from(sent.len()).unwrap();
        let mut codec = TypedCodec::<Hit>::new(packets);
        assert_eq!(codec.decode(&mut sent).unwrap(), Some(hit(1)));
        let refused = codec.decode(&mut sent).unwrap_err();
        assert!(matches!(refused, CodecError::Decode { position, .. } if position == len));
    }

    #[test]
    fn a_value_beyond_the_limit_is_not_sent() {
        let mut codec = TypedCodec::<Hit>::new(VariantCodec::server(Dialect::Godot3).max_out(16));
        let mut sent = BytesMut::new();
        let refused = codec.encode(hit(1), &mut sent).unwrap_err();
        assert!(matches!(refused, CodecError::TooLong { max_len: 16, .. }));
        assert!(sent.is_empty());
    }

    /// Values that arrive with the end of the stream are not lost.
    #[test]
    fn the_end_of_a_stream_has_values() {
        let mut sent = BytesMut::new();
        for damage in 1..4 {
            codec().encode(hit(damage), &mut sent).unwrap();
        }
        let len = sent.len();
        for cut in [0, 1, len / 3 - 1] {
            let (mut codec, mut left) = (codec(), BytesMut::from(&sent[..len - cut]));
            for damage in 1..4 - u64::from(cut > 0) {
                assert_eq!(codec.decode_eof(&mut left).unwrap(), Some(hit(damage)));
            }
            match codec.decode_eof(&mut left) {
                Ok(None) => assert_eq!(cut, 0),
                Err(CodecError::Frame { .. }) => assert_ne!(cut, 0),
                other => panic!("{other:?}"),
            }
        }
    }

    /// A clone continues at the same position.
    #[test]
    fn a_clone_is_at_the_same_position() {
        let (mut codec, mut sent) = (codec(), BytesMut::new());
        codec.encode(hit(1), &mut sent).unwrap();
        let len = u64::try_from(sent.len()).unwrap();
        codec.decode(&mut sent).unwrap();
        assert_eq!(codec.codec().position(), len);
        assert_eq!(codec.clone().into_codec().position(), len);
        let shown = format!("{codec:?}");
        assert!(shown.starts_with("TypedCodec(VariantCodec {"), "{shown}");
    }
}
