//! Streams that arrive in pieces, as a part of the target `io`.

use bytes::BytesMut;
use tokio_util::codec::{Decoder as _, Encoder as _};
use variant_io::{ByteOrder, CodecError, Oversize, VariantCodec};
use variant_view::Dialect;

/// Checks that a stream gives the same packets and the same end in any pieces. Packets and end must match the length
/// words of the stream.
pub(super) fn check_codec(data: &[u8]) {
    let Some((&[piece, max_len], stream)) = data.split_first_chunk() else { return };
    let (piece, max_len) = (usize::from(piece).saturating_add(1), u32::from(max_len) << 2);
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for oversize in [Oversize::Close, Oversize::Skip] {
            let codec = VariantCodec::new(Dialect::Godot4).order(order);
            let received = receive(codec.max_len(max_len).oversize(oversize), stream, piece);
            let expected = read_by_words(stream, order, max_len, oversize);
            assert_eq!(received, expected, "{order:?}, {oversize:?}, in pieces of {piece}");
            if expected.skipped == 0 {
                check_sent(&received.packets, stream, order);
            }
        }
    }
}

/// The packets that are received from a stream, and its end.
#[derive(Debug, Default, PartialEq)]
struct Received {
    packets: Vec<Vec<u8>>,
    skipped: u64,
    end: End,
}

/// How a stream ends, and at which offset.
#[derive(Debug, Default, PartialEq)]
enum End {
    #[default]
    Whole,
    Frame(u64),
    CutWhileSkipping(u64, u32),
}

fn receive(mut codec: VariantCodec, stream: &[u8], piece: usize) -> Received {
    let (mut buffer, mut received) = (BytesMut::new(), Received::default());
    let mut pieces = stream.chunks(piece);
    received.end = loop {
        let piece = pieces.next();
        buffer.extend_from_slice(piece.unwrap_or_default());
        match take_packets(&mut codec, &mut buffer, piece.is_none(), &mut received.packets) {
            Ok(()) if piece.is_none() => break End::Whole,
            Ok(()) => {}
            Err(CodecError::Frame { position, .. }) => break End::Frame(position),
            Err(CodecError::CutWhileSkipping { position, missing }) => {
                break End::CutWhileSkipping(position, missing);
            }
            Err(error) => panic!("reading: {error}"),
        }
    };
    received.skipped = codec.skipped();
    let end = match received.end {
        End::Whole => stream.len().try_into().unwrap_or(u64::MAX),
        End::Frame(position) | End::CutWhileSkipping(position, _) => position,
    };
    assert_eq!(codec.position(), end, "where the stream has come to");
    received
}

/// Takes all complete packets from the buffer.
fn take_packets(
    codec: &mut VariantCodec,
    buffer: &mut BytesMut,
    is_end: bool,
    packets: &mut Vec<Vec<u8>>,
) -> Result<(), CodecError> {
    let mut next = || if is_end { codec.decode_eof(buffer) } else { codec.decode(buffer) };
    while let Some(packet) = next()? {
        packets.push(packet.to_vec());
    }
    Ok(())
}

/// Checks that received packets are sent with the same bytes.
fn check_sent(packets: &[Vec<u8>], stream: &[u8], order: ByteOrder) {
    let mut codec = VariantCodec::new(Dialect::Godot4).order(order);
    let mut sent = BytesMut::new();
    for packet in packets {
        codec.encode(packet.as_slice(), &mut sent).expect("no longer than it was received");
    }
    assert!(stream.starts_with(&sent), "sent again");
}

/// Computes the packets and the end of a stream from its length words alone, for comparison.
fn read_by_words(stream: &[u8], order: ByteOrder, max_len: u32, oversize: Oversize) -> Received {
    let mut received = Received::default();
    let mut at = 0_usize;
    let position = |at: usize| at.try_into().unwrap_or(u64::MAX);
    received.end = loop {
        let rest = stream.get(at..).unwrap_or_default();
        if rest.is_empty() {
            break End::Whole;
        }
        let Some(len) = rest.first_chunk().map(|word| match order {
            ByteOrder::Little => u32::from_le_bytes(*word),
            ByteOrder::Big => u32::from_be_bytes(*word),
        }) else {
            break End::Frame(position(at));
        };
        let start = at.saturating_add(4);
        let end = start.saturating_add(len.try_into().unwrap_or(usize::MAX));
        let is_skipped = len > max_len && oversize == Oversize::Skip;
        received.skipped = received.skipped.saturating_add(is_skipped.into());
        match stream.get(start..end) {
            Some(frame) if len <= max_len => received.packets.push(frame.to_vec()),
            Some(_) if is_skipped => {}
            None if is_skipped => {
                let missing = end.saturating_sub(stream.len()).try_into().unwrap_or(u32::MAX);
                break End::CutWhileSkipping(position(stream.len()), missing);
            }
            _ => break End::Frame(position(at)),
        }
        at = end;
    };
    received
}
