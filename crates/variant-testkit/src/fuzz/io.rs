//! Fuzz target `io`.

use variant_io::{ByteOrder, FramePart, Framing, frames};

/// Any file: its frames are what the length words say, end at the first that is not whole, and can be resumed
/// from there; what it is wrapped in is guessed, with reasons.
pub fn check_io(data: &[u8]) {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        check_frames(data, order);
    }
    let detection = Framing::detect(data);
    for guess in detection.ranked() {
        assert!(!guess.reason().to_string().is_empty());
        std::hint::black_box(guess.score());
        std::hint::black_box(guess.dialects().values());
    }
}

fn check_frames(data: &[u8], order: ByteOrder) {
    let mut all = frames(data, order);
    let mut end = 0_usize;
    while let Some(frame) = all.next() {
        match frame {
            Ok(frame) => {
                assert_eq!((frame.offset(), frame.start()), (end, end.saturating_add(4)), "place");
                end = frame.start().saturating_add(frame.bytes().len());
                assert_eq!(data.get(frame.start()..end), Some(frame.bytes()), "bytes");
                assert_eq!(all.offset(), end, "the next one");
            }
            Err(error) => {
                assert_eq!((error.offset(), all.offset()), (end, end), "place of the error");
                let left = data.len().saturating_sub(end);
                assert!(error.missing() > 0 && error.found() <= left, "{error}");
                assert_eq!(error.part() == FramePart::Length, left < 4, "{error}");
                assert!(all.next().is_none() && all.next().is_none(), "an error is the last");
                return;
            }
        }
    }
    assert_eq!(end, data.len(), "all of it");
}
