//! Fuzz target `io`.

use variant_io::{ByteOrder, FramePart, Framing, append_frame, frames};

/// Any file: its frames are what the length words say, end at the first that is not whole or too long, can be
/// resumed from there and written again; what it is wrapped in is guessed, with reasons.
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
    let mut again = Vec::new();
    while let Some(frame) = all.next() {
        match frame {
            Ok(frame) => {
                assert_eq!((frame.offset(), frame.start()), (end, end.saturating_add(4)), "place");
                end = frame.start().saturating_add(frame.bytes().len());
                assert_eq!(data.get(frame.start()..end), Some(frame.bytes()), "bytes");
                assert_eq!(all.offset(), end, "the next one");
                append_frame(&mut again, frame.bytes(), order)
                    .expect("a frame of a frame's length");
                let resumed = frames(data, order).starting_at(frame.offset()).next();
                assert_eq!(resumed, Some(Ok(frame)), "from there");
                check_too_long(data, frame.offset(), frame.bytes().len(), order);
            }
            Err(error) => {
                assert_eq!((error.offset(), all.offset()), (end, end), "place of the error");
                let left = data.len().saturating_sub(end);
                assert!(error.missing() > 0 && error.found() <= left, "{error}");
                assert_eq!(error.part() == FramePart::Length, left < 4, "{error}");
                assert!(error.is_incomplete() && data.starts_with(&again), "{error}");
                assert!(all.next().is_none() && all.next().is_none(), "an error is the last");
                return;
            }
        }
    }
    assert_eq!(end, data.len(), "all of it");
    assert_eq!(again, data, "written again");
}

/// A frame is too long where one byte less is allowed than it has.
fn check_too_long(data: &[u8], offset: usize, len: usize, order: ByteOrder) {
    let len = u32::try_from(len).expect("what a length word says");
    let frames = frames(data, order).starting_at(offset);
    assert!(frames.clone().max_len(len).next().is_some_and(|frame| frame.is_ok()), "as long");
    if let Some(less) = len.checked_sub(1) {
        let error = frames.max_len(less).next().and_then(Result::err).expect("too long");
        assert_eq!((error.is_incomplete(), error.max_len()), (false, Some(less)), "{error}");
    }
}
