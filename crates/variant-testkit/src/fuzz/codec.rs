//! Streams that arrive in pieces, as a part of the target `io`.

use bytes::BytesMut;
use tokio_util::codec::Decoder as _;
use variant_io::{ByteOrder, CodecError, Oversize, VariantCodec};
use variant_view::Dialect;

/// Whatever the pieces in which a stream arrives, it gives the same packets and ends at the same place: those
/// that its length words tell of.
pub(super) fn check_codec(data: &[u8]) {
    let Some((&[piece, max_len], stream)) = data.split_first_chunk() else { return };
    let (piece, max_len) = (usize::from(piece).saturating_add(1), u32::from(max_len) << 2);
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for oversize in [Oversize::Close, Oversize::Skip] {
            let codec = VariantCodec::new(Dialect::Godot4).order(order);
            let received = receive(codec.max_len(max_len).oversize(oversize), stream, piece);
            let expected = read_by_words(stream, order, max_len, oversize);
            assert_eq!(received, expected, "{order:?}, {oversize:?}, in pieces of {piece}");
        }
    }
}

/// What comes of a stream.
#[derive(Debug, Default, PartialEq)]
struct Received {
    packets: Vec<Vec<u8>>,
    skipped: u64,
    /// Where the error is with which it ends.
    error: Option<u64>,
}

fn receive(mut codec: VariantCodec, stream: &[u8], piece: usize) -> Received {
    let (mut buffer, mut received) = (BytesMut::new(), Received::default());
    let mut pieces = stream.chunks(piece);
    received.error = loop {
        let piece = pieces.next();
        buffer.extend_from_slice(piece.unwrap_or_default());
        match take_packets(&mut codec, &mut buffer, piece.is_none(), &mut received.packets) {
            Ok(()) if piece.is_none() => break None,
            Ok(()) => {}
            Err(
                CodecError::Frame { position, .. } | CodecError::CutWhileSkipping { position, .. },
            ) => break Some(position),
            Err(error) => panic!("reading: {error}"),
        }
    };
    received.skipped = codec.skipped();
    received
}

/// All that are whole by now.
fn take_packets(
    codec: &mut VariantCodec,
    buffer: &mut BytesMut,
    is_end: bool,
    packets: &mut Vec<Vec<u8>>,
) -> Result<(), CodecError> {
    let mut next = || if is_end { codec.decode_eof(buffer) } else { codec.decode(buffer) };
    while let Some(packet) = next()? {
        packets.push(packet.bytes().to_vec());
    }
    Ok(())
}

/// The same in the arithmetic of length words.
fn read_by_words(stream: &[u8], order: ByteOrder, max_len: u32, oversize: Oversize) -> Received {
    let mut received = Received::default();
    let mut at = 0_usize;
    received.error = loop {
        let rest = stream.get(at..).unwrap_or_default();
        if rest.is_empty() {
            break None;
        }
        let Some(len) = rest.first_chunk().map(|word| match order {
            ByteOrder::Little => u32::from_le_bytes(*word),
            ByteOrder::Big => u32::from_be_bytes(*word),
        }) else {
            break Some(at);
        };
        let start = at.saturating_add(4);
        let end = start.saturating_add(len.try_into().unwrap_or(usize::MAX));
        let is_skipped = len > max_len && oversize == Oversize::Skip;
        received.skipped = received.skipped.saturating_add(is_skipped.into());
        match stream.get(start..end) {
            Some(frame) if len <= max_len => received.packets.push(frame.to_vec()),
            Some(_) if is_skipped => {}
            None if is_skipped => break Some(stream.len()),
            _ => break Some(at),
        }
        at = end;
    }
    .map(|at| at.try_into().unwrap_or(u64::MAX));
    received
}
