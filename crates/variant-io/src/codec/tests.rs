use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder as _, Encoder as _};
use variant_owned::Variant;
use variant_view::{Document, Limits, OwnedDocument};

use super::*;
use crate::append::framed;

/// `[null, "å"]` and 7, as Godot 4 writes them.
const FIRST: &[u8] =
    &[28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 0xc3, 0xa5, 0, 0];
const SECOND: &[u8] = &[2, 0, 0, 0, 7, 0, 0, 0];

fn codec() -> VariantCodec {
    VariantCodec::new(Dialect::Godot4)
}

/// The packets of a stream that arrives in pieces.
fn decode(codec: &mut VariantCodec, stream: &[u8], piece: usize) -> Result<Vec<Bytes>, CodecError> {
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
fn a_claim_takes_no_memory() {
    let mut buffer = BytesMut::from(&[0xff, 0xff, 0xff, 0x7f][..]);
    let mut codec = codec().max_len(u32::MAX);
    assert!(codec.decode(&mut buffer).unwrap().is_none());
    assert!(buffer.capacity() <= 2 * CAPACITY, "{}", buffer.capacity());
}

#[test]
fn a_peer_that_waits_takes_its_capacity() {
    for capacity in [64, 512, CAPACITY] {
        let mut codec = codec().capacity(capacity);
        // The buffer grows with the bytes sent, not with the claimed length.
        let mut buffer = BytesMut::with_capacity(capacity);
        for sent in [4_usize, 64, 1_000, 100_000] {
            let claim = (1_u32 << 20).to_le_bytes();
            buffer.clear();
            buffer.extend_from_slice(&claim);
            buffer.resize(sent, 0);
            assert!(codec.decode(&mut buffer).unwrap().is_none());
            assert!(buffer.capacity() <= 4 * sent.max(capacity), "{} of {sent}", buffer.capacity());
        }
    }
}

#[test]
fn what_was_sent_takes_no_more_than_the_capacity() {
    let (small, large) = (Variant::from("a"), Variant::from("a".repeat(1 << 20)));
    for capacity in [512, CAPACITY] {
        let mut codec = codec().capacity(capacity);
        let (mut buffer, mut expected) = (BytesMut::new(), 0);
        for (value, len) in [(&small, 16), (&large, 12 + (1 << 20)), (&small, 16)] {
            codec.encode(value, &mut buffer).unwrap();
            expected += len;
            assert_eq!(buffer.len(), expected);
            assert!(codec.scratch.capacity() <= capacity, "{}", codec.scratch.capacity());
        }
        // The codec keeps at most its capacity, even after a value that exceeds the limit.
        let mut codec = codec.max_out(8);
        assert!(codec.encode(&large, &mut buffer).is_err());
        assert!(codec.scratch.capacity() <= capacity, "{}", codec.scratch.capacity());
    }
}

/// A small limit for received frames does not apply to sent frames.
#[test]
fn each_direction_has_a_limit() {
    let mut codec = codec().max_in(8).max_out(24);
    let mut buffer = BytesMut::new();
    codec.encode(FIRST, &mut buffer).unwrap();
    let error = decode(&mut codec, &buffer, 5).unwrap_err();
    assert!(matches!(error, CodecError::Frame { .. }), "{error}");

    let mut codec = self::codec().max_in(24).max_out(8);
    assert_eq!(decode(&mut codec, &buffer, 5).unwrap().len(), 1);
    let error = codec.encode(FIRST, &mut buffer).unwrap_err();
    assert!(matches!(error, CodecError::TooLong { len: 24, max_len: 8 }), "{error}");
}

#[test]
fn a_server_that_takes_little_sends_its_snapshot() {
    let mut codec = VariantCodec::server(Dialect::Godot4).max_in(1 << 16);
    let mut buffer = BytesMut::new();
    let snapshot = vec![7_u8; 200_000];
    codec.encode(Variant::from(&snapshot), &mut buffer).unwrap();
    assert_eq!(buffer.len(), 4 + 8 + 200_000);
    let error = decode(&mut codec, &buffer, 50_000).unwrap_err();
    assert!(matches!(error, CodecError::Frame { .. }), "{error}");
    // A peer with a larger limit reads the snapshot.
    let packets = decode(&mut self::codec(), &buffer, 50_000).unwrap();
    let value = Variant::from_document(&Document::new(&packets[0], Dialect::Godot4)).unwrap();
    assert_eq!(value.as_bytes(), Some(&snapshot[..]));
}

#[test]
fn too_long_closes() {
    let stream = framed(&[SECOND, FIRST]);
    let error = decode(&mut codec().max_len(8), &stream, 5).unwrap_err();
    let text = "byte 12 of the stream: the length prefix claims 24 bytes, the limit is 8";
    assert_eq!(error.to_string(), text);
}

#[test]
fn what_is_sent_arrives() {
    let mut codec = codec();
    let mut buffer = BytesMut::new();
    let message = OwnedDocument::new(FIRST, Dialect::Godot4).unwrap();
    codec.encode(message.bytes(), &mut buffer).unwrap();
    codec.encode(Variant::from(7), &mut buffer).unwrap();
    codec.encode(SECOND, &mut buffer).unwrap();
    codec.encode(Bytes::from_static(FIRST), &mut buffer).unwrap();
    assert_eq!(buffer, framed(&[FIRST, SECOND, SECOND, FIRST]));
}

#[test]
fn what_cannot_be_sent_leaves_nothing() {
    let mut codec = VariantCodec::new(Options::engine(Dialect::Godot3).limits(Limits::SERVER));
    let mut codec_8 = codec.clone().max_len(7);
    let mut buffer = BytesMut::new();
    let error = codec.encode(&Variant::from((1, 2)), &mut buffer).unwrap_err();
    assert!(matches!(error, CodecError::Append(_)), "{error}");
    let error = codec_8.encode(&Variant::from(7), &mut buffer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a value of 8 bytes exceeds the limit of 7 bytes for a sent frame"
    );
    assert!(buffer.is_empty());
}

/// Frames that exceed the limit are discarded and counted, however the stream arrives.
#[test]
fn frames_that_are_too_long_are_skipped() {
    let stream = framed(&[SECOND, FIRST, SECOND, FIRST, FIRST, SECOND]);
    let len = u64::try_from(stream.len()).unwrap();
    for piece in 1..=stream.len() {
        let mut codec = codec().max_in(8).oversize(Oversize::Skip);
        assert_eq!(decode(&mut codec, &stream, piece).unwrap(), [SECOND; 3]);
        assert_eq!((codec.skipped(), codec.position()), (3, len), "{piece}");
        let mut codec = self::codec().max_in(24).oversize(Oversize::Skip);
        assert_eq!(decode(&mut codec, &stream, piece).unwrap().len(), 6);
        assert_eq!((codec.skipped(), codec.position()), (0, len), "{piece}");
    }
}

/// At the end of a stream, an incomplete frame is an error, which says how much is missing.
#[test]
fn a_stream_ends_between_frames() {
    let stream = framed(&[SECOND, FIRST, SECOND]);
    let starts = [0, 12, 40, 52_u64];
    for oversize in [Oversize::Close, Oversize::Skip] {
        for len in 0..=stream.len() {
            let max_in = if oversize == Oversize::Skip { 8 } else { 24 };
            let mut codec = codec().max_in(max_in).oversize(oversize);
            let read = decode(&mut codec, &stream[..len], 5);
            let len = u64::try_from(len).unwrap();
            let start = starts.into_iter().rfind(|start| *start <= len).unwrap();
            match read {
                Ok(_) => assert_eq!((start, codec.position()), (len, len)),
                Err(CodecError::Frame { position, error }) => {
                    assert!(position == start && error.is_incomplete(), "{len}: {error}");
                    assert!(len < start + 4 || start != 12 || oversize == Oversize::Close);
                }
                Err(CodecError::CutWhileSkipping { position, missing }) => {
                    assert_eq!((position, position + u64::from(missing)), (len, 40));
                    assert!(oversize == Oversize::Skip && (16..40).contains(&len));
                }
                Err(other) => panic!("{len}: {other}"),
            }
        }
    }
}

#[test]
fn either_order_of_length_prefixes() {
    let mut buffer = BytesMut::new();
    let mut codec = codec().order(ByteOrder::Big);
    codec.encode(SECOND, &mut buffer).unwrap();
    assert_eq!(buffer[..4], [0, 0, 0, 8]);
    assert_eq!(decode(&mut codec, &buffer, 3).unwrap(), [SECOND]);
}

/// The engine's limit is 8 MiB.
#[test]
fn the_default_limit_is_8_mib() {
    for (len, fits) in [(8_u32 << 20, true), ((8 << 20) + 1, false)] {
        let mut buffer = BytesMut::from(&len.to_le_bytes()[..]);
        assert_eq!(codec().decode(&mut buffer).is_ok(), fits);
        let bytes = vec![0; usize::try_from(len).unwrap()];
        let mut sent = BytesMut::new();
        assert_eq!(codec().encode(&bytes[..], &mut sent).is_ok(), fits);
        assert_eq!(sent.is_empty(), !fits);
    }
}

/// The default capacity is that of tokio's codecs, 8 KiB.
#[test]
fn a_frame_has_room_before_it_arrives() {
    for (claim, room) in [(100, 96), (1 << 20, 8 << 10)] {
        let mut buffer = BytesMut::from(&u32::to_le_bytes(claim)[..]);
        assert!(codec().decode(&mut buffer).unwrap().is_none());
        assert!(buffer.capacity() >= room, "{}", buffer.capacity());
    }
}

/// Values are encoded with the options of the codec.
#[test]
fn options_are_those_of_the_codec() {
    let options = Options::server(Dialect::Godot3);
    let codec = VariantCodec::server(Dialect::Godot3);
    assert_eq!(codec.options(), &options);
    let mut buffer = BytesMut::new();
    let mut codec = codec.encoding(EncodeOptions::new(Dialect::Godot4));
    codec.encode(Variant::Dictionary(variant_owned::Dictionary::new()), &mut buffer).unwrap();
    assert_eq!(buffer[4], 27);
    let mut buffer = BytesMut::new();
    let mut codec = VariantCodec::server(Dialect::Godot3);
    codec.encode(Variant::Dictionary(variant_owned::Dictionary::new()), &mut buffer).unwrap();
    assert_eq!(buffer[4], 18);
}

#[test]
fn errors_say_where_and_what() {
    let text = |stream: &[u8], codec: VariantCodec| {
        decode(&mut codec.max_in(8), stream, 5).unwrap_err().to_string()
    };
    let stream = framed(&[SECOND, FIRST]);
    assert_eq!(
        text(&stream[..20], codec().oversize(Oversize::Skip)),
        "byte 20 of the stream: the stream ended inside a skipped frame, 20 bytes are missing"
    );
    assert_eq!(
        text(&stream[..14], codec()),
        "byte 12 of the stream: the length prefix needs 4 bytes, 2 are left"
    );
    let unknown = codec().encode(&Variant::from("a"), &mut BytesMut::new());
    assert!(unknown.is_ok());
    let error = CodecError::from(std::io::Error::other("it failed"));
    assert_eq!(error.to_string(), "it failed");
}
