//! Fuzz target `io`.

use std::io::{Cursor, Read as _, Seek as _, SeekFrom};

use variant_io::{
    ByteOrder, Compression, Encryption, FrameError, FramePart, Framing, GCPF_MAGICS, GcpfOptions,
    GcpfReader, Guess, Key, OpenOptions, Verdict, append_frame, compress, decompress, decrypt,
    encrypt, frames, open_bytes, settings, validate_documents, validate_frames,
};
use variant_view::{Dialect, Document};

use super::codec::check_codec;

/// Checks any file. Its frames must match the length words, and end at the first frame that is incomplete or exceeds
/// the limit. Reading can resume at each frame. Frames are written again with the same bytes. A stream in pieces gives
/// the same packets. The detection gives a reason for each framing.
pub fn check_io(data: &[u8]) {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        check_frames(data, order);
        check_batch(data, order);
    }
    let detection = Framing::detect(data);
    for guess in detection.ranked() {
        assert!(!guess.reason().to_string().is_empty());
        std::hint::black_box(guess.score());
        std::hint::black_box(guess.dialects().values());
        check_verdict(guess);
    }
    check_compressed(data);
    check_encrypted(data);
    check_settings(data);
    check_open(data);
    check_codec(data);
    if let Some((&[choice, size], plain)) = data.split_first_chunk()
        && plain.len() <= 4_096
    {
        check_wrapping(plain, choice, size);
    }
}

/// A dialect in the verdict must fit the whole file, unless the verdict is `Likely`. The verdict must be `Tied` if and
/// only if another dialect reads other values and fits nearly as well.
fn check_verdict(guess: &Guess) {
    let (dialects, verdict) = (guess.dialects(), guess.verdict());
    let Some(fit) = verdict.fit() else { return };
    if matches!(verdict, Verdict::Likely(_)) {
        assert!(!fit.is_complete(), "{verdict:?}");
        return;
    }
    assert!(fit.is_complete(), "{verdict:?}");
    let has_rivals = dialects.rivals(fit).next().is_some();
    assert_eq!(has_rivals, matches!(verdict, Verdict::Tied(_)), "{verdict:?}");
}

/// The maximum number of unpacked bytes.
const ROOMY: u64 = 1 << 20;

/// Checks that reading a compressed file from its middle gives the second half of the whole contents.
fn check_compressed(data: &[u8]) {
    let whole = decompress(data, ROOMY);
    let reader = GcpfReader::new(Cursor::new(data), ROOMY);
    let (whole, mut reader) = match (whole, reader) {
        (Ok(whole), Ok(reader)) => (whole, reader),
        (Err(error), _) => {
            assert!(!error.to_string().is_empty());
            return;
        }
        (Ok(_), Err(error)) => panic!("read, but not opened: {error}"),
    };
    let half = whole.len() / 2;
    reader.seek(SeekFrom::Start(half.try_into().unwrap_or(u64::MAX))).expect("a place");
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).expect("what was read before");
    assert_eq!(Some(&*rest), whole.get(half..), "from the middle on");
}

/// Decrypts the file with the password with which some seeds are encrypted.
fn check_encrypted(data: &[u8]) {
    match decrypt(data, &Key::from_password("hunter2"), ROOMY) {
        Ok(plain) => assert!(plain.len() <= data.len(), "more than is there"),
        Err(error) => assert!(!error.to_string().is_empty() && error.offset() <= data.len()),
    }
}

fn check_settings(data: &[u8]) {
    let Ok(mut all) = settings(data) else { return };
    let most = data.len() / 8;
    let read = all.by_ref().take(most.saturating_add(2)).inspect(|setting| match setting {
        Ok(setting) => {
            let end = setting.start().saturating_add(setting.bytes().len());
            assert_eq!(data.get(setting.start()..end), Some(setting.bytes()), "{}", setting.name());
        }
        Err(error) => assert!(error.offset() <= data.len(), "{error}"),
    });
    assert!(read.flatten().count() <= most, "settings that no bytes pay for");
    assert!(all.next().is_none(), "settings without end");
    check_joined(data);
}

/// Splits a file into values and writes them again, in each framing. The result must have the same bytes, up to the
/// first incomplete value.
fn check_joined(data: &[u8]) {
    for framing in Framing::ALL {
        let mut values = framing.values(data);
        let mut writer = values.writer(Dialect::Pandemonium5);
        let mut is_whole = true;
        for value in values.by_ref() {
            match value {
                Ok(value) => writer.bytes(value.name, value.bytes).expect("as it was"),
                Err(_) => is_whole = false,
            }
        }
        let joined = writer.finish();
        let behind = data.get(values.offset()..).unwrap_or_default();
        match framing {
            Framing::Bare => assert_eq!(joined, data),
            // The new count does not include the missing settings, so the bytes differ.
            Framing::Settings if !is_whole => {}
            _ => assert_eq!([&joined, behind].concat(), data, "{framing}"),
        }
    }
}

/// Unwraps a file, and checks that its values do not overlap.
fn check_open(data: &[u8]) {
    let options = OpenOptions::new().key(Key::from_password("hunter2")).max_len(ROOMY);
    let opened = match open_bytes(data.to_vec(), &options) {
        Ok(opened) => opened,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(opened.layers().is_empty(), opened.bytes() == data, "layers");
    for framing in Framing::ALL {
        let mut end = 0;
        for value in opened.values(framing) {
            match value {
                Ok(value) => {
                    assert!(value.start >= end, "one after the other");
                    end = value.absolute(value.bytes.len());
                    assert_eq!(opened.get(value.start..end), Some(value.bytes), "{framing}");
                }
                Err(error) => assert!(error.offset() <= opened.len(), "{framing}: {error}"),
            }
        }
    }
}

/// Checks that compression and encryption restore the bytes.
fn check_wrapping(plain: &[u8], choice: u8, size: u8) {
    let written = Compression::ALL.into_iter().filter(|mode| *mode != Compression::Brotli);
    let compressions: Vec<_> = written.collect();
    let compression = compressions.iter().cycle().nth(usize::from(choice & 0x0f));
    let compression = compression.copied().unwrap_or(Compression::Zstd);
    // There are at most 32 blocks, since some compressors take long to start, and start again with each block.
    let least = u32::try_from(plain.len() / 32).unwrap_or(u32::MAX);
    let block_size = u32::from(size).saturating_mul(16).max(least).saturating_add(1);
    let [magic, ..] = GCPF_MAGICS;
    let options = GcpfOptions::new(compression).block_size(block_size).magic(magic);
    let packed = compress(plain, &options).expect("anything can be compressed");
    assert_eq!(decompress(&packed, ROOMY).expect("what was compressed"), plain, "{compression}");

    let encryption =
        if choice & 0x80 == 0 { Encryption::Ecb } else { Encryption::Cfb([choice; 16]) };
    let key = Key::from_bytes([size; 32]);
    let locked = encrypt(&packed, &key, encryption);
    assert_eq!(decrypt(&locked, &key, ROOMY).as_ref(), Ok(&packed), "{encryption}");
    check_rewrapped(plain, &locked, key);
}

/// Checks that the wrapping of a file can be applied to other bytes.
fn check_rewrapped(plain: &[u8], locked: &[u8], key: Key) {
    let options = OpenOptions::new().key(key).max_len(ROOMY);
    // The plain bytes may look like another wrapping that is damaged. Then opening fails.
    let Ok(opened) = open_bytes(locked.to_vec(), &options) else { return };
    let same = opened.wrapping().clone().keep_iv(true).wrap(opened.bytes());
    if opened.bytes() == plain {
        assert_eq!(same.expect("as it was"), locked, "the same again");
    }
    let Ok(other) = opened.rewrap(b"other") else { return };
    let again = open_bytes(other, &options).expect("what was wrapped");
    assert_eq!(again.bytes(), b"other");
    assert_eq!(again.layers().len(), opened.layers().len(), "layers");
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

/// Checks a batch. Each frame must get the verdict that it gets alone, and the batch must end where the frames end.
fn check_batch(data: &[u8], order: ByteOrder) {
    let max_len = data.first().map_or(0, |byte| u32::from(*byte).saturating_mul(64));
    let mut alone = frames(data, order).max_len(max_len);
    let mut batch = validate_frames(data, order, Dialect::Godot4).max_len(max_len);
    let mut documents = Vec::new();
    let mut verdicts = Vec::new();
    let end = loop {
        match alone.next() {
            Some(Ok(frame)) => {
                let verdict = Document::new(frame.bytes(), Dialect::Godot4).validate();
                let moved = verdict.map_err(|error| error.in_buffer(frame.start()));
                assert_eq!(batch.next(), Some((frame, moved)), "the same frame and verdict");
                assert_eq!(batch.consumed(), alone.offset(), "the next one");
                documents.push(frame.bytes());
                verdicts.push(verdict);
            }
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    assert!(batch.next().is_none() && batch.next().is_none(), "the end");
    let missing = end.filter(FrameError::is_incomplete).map_or(0, |error| error.missing());
    assert_eq!((batch.consumed(), batch.missing()), (alone.offset(), missing), "the rest");
    assert_eq!(batch.too_long(), end.filter(|error| !error.is_incomplete()), "too long");

    let mut many = validate_documents(&documents, Dialect::Godot4);
    assert!(many.by_ref().eq(verdicts.iter().copied()), "documents of the same bytes");
    assert_eq!(many.tally(), batch.tally(), "counted");
    let valid = verdicts.iter().flatten();
    let values = valid.clone().map(|summary| summary.values).sum::<u64>();
    assert_eq!((many.tally().valid, many.tally().values), (valid.count(), values), "counts");
    assert_eq!(many.tally().invalid, verdicts.iter().filter(|one| one.is_err()).count());
}

/// Checks that a frame is too long if the limit is one byte less than its length.
fn check_too_long(data: &[u8], offset: usize, len: usize, order: ByteOrder) {
    let len = u32::try_from(len).expect("what a length word says");
    let frames = frames(data, order).starting_at(offset);
    assert!(frames.clone().max_len(len).next().is_some_and(|frame| frame.is_ok()), "as long");
    if let Some(less) = len.checked_sub(1) {
        let error = frames.max_len(less).next().and_then(Result::err).expect("too long");
        assert_eq!((error.is_incomplete(), error.max_len()), (false, Some(less)), "{error}");
    }
}
