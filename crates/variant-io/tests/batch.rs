//! Compares batches with single frames and documents: every cut, invalid frames among valid frames, and limits.

use proptest::prelude::*;
use variant_io::{ByteOrder, Tally, append_frame, frames, validate_documents, validate_frames};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, ErrorClass, Limits, Options, Result, Summary};

const DIALECT: Dialect = Dialect::Godot3;

/// 200 packets of some 100 bytes, as an engine recorded them.
fn recording() -> Vec<u8> {
    corpus::bytes("godot3/saves/replay_200.bin").unwrap()
}

fn verdict(document: &[u8], options: &Options) -> Result<Summary> {
    Document::new(document, options).validate()
}

/// The verdicts of single frames.
fn one_by_one(bytes: &[u8], order: ByteOrder, options: &Options) -> Vec<(usize, Result<Summary>)> {
    let complete = frames(bytes, order).map_while(Result::ok);
    let judged = complete.map(|frame| {
        let moved = verdict(frame.bytes(), options).map_err(|e| e.in_buffer(frame.start()));
        (frame.offset(), moved)
    });
    judged.collect()
}

fn batch(bytes: &[u8], order: ByteOrder, options: &Options) -> Vec<(usize, Result<Summary>)> {
    let batch = validate_frames(bytes, order, options);
    batch.map(|(frame, verdict)| (frame.offset(), verdict)).collect()
}

fn tally_of(verdicts: &[(usize, Result<Summary>)]) -> (usize, usize, u64) {
    let valid = verdicts.iter().filter_map(|(_, verdict)| verdict.ok());
    let values = valid.clone().map(|summary| summary.values).sum();
    let count = valid.count();
    (count, verdicts.len().saturating_sub(count), values)
}

const fn parts(tally: Tally) -> (usize, usize, u64) {
    (tally.valid, tally.invalid, tally.values)
}

#[test]
fn every_cut_leaves_a_rest() {
    let (recording, options) = (recording(), Options::engine(DIALECT));
    let bytes = &recording[..1_000];
    for cut in 0..=bytes.len() {
        let bytes = &bytes[..cut];
        assert_eq!(
            batch(bytes, ByteOrder::Little, &options),
            one_by_one(bytes, ByteOrder::Little, &options)
        );
        let mut all = validate_frames(bytes, ByteOrder::Little, options);
        let tally = all.finish();
        let mut alone = frames(bytes, ByteOrder::Little);
        let error = alone.find_map(Result::err);
        assert_eq!(all.consumed(), alone.offset(), "the rest starts where the frames end");
        assert_eq!(tally.invalid, 0, "a cut frame is not a bad one");
        assert_eq!(all.missing(), error.map_or(0, |error| error.missing()));
        assert!(all.too_long().is_none() && all.next().is_none());
        // Later bytes begin where the batch has ended.
        let rest = &recording[all.consumed()..];
        let (frame, verdict) = validate_frames(rest, ByteOrder::Little, options).next().unwrap();
        assert!(frame.offset() == 0 && verdict.is_ok(), "cut at {cut}");
    }
}

#[test]
fn a_bad_frame_does_not_end_the_batch() {
    let good = [2, 0, 0, 0, 7, 0, 0, 0];
    let mut bytes = Vec::new();
    for frame in [&good[..], &good[..6], &[0xff; 4], &good, &[], &good] {
        append_frame(&mut bytes, frame, ByteOrder::Big).unwrap();
    }
    let mut all = validate_frames(&bytes, ByteOrder::Big, DIALECT);
    let bad: Vec<_> = all
        .by_ref()
        .filter_map(|(frame, verdict)| verdict.err().map(|e| (frame.offset(), e)))
        .map(|(offset, error)| (offset, error.offset(), error.class()))
        .collect();
    let expected = [
        (12, 20, ErrorClass::Truncated),
        (22, 26, ErrorClass::Malformed),
        (42, 46, ErrorClass::Truncated),
    ];
    assert_eq!(bad, expected);
    assert_eq!((parts(all.tally()), all.consumed()), ((3, 3, 3), bytes.len()));
}

#[test]
fn a_frame_that_is_too_long_ends_the_batch() {
    let mut bytes = Vec::new();
    for len in [4, 4, 12, 4] {
        append_frame(&mut bytes, &vec![0; len], ByteOrder::Little).unwrap();
    }
    let mut all = validate_frames(&bytes, ByteOrder::Little, DIALECT).max_len(8);
    assert_eq!((all.finish().valid, all.consumed(), all.missing()), (2, 16, 0));
    let error = all.too_long().unwrap();
    assert_eq!((error.offset(), error.needed(), error.max_len()), (16, 12, Some(8)));
    assert!(all.next().is_none());
    // The batch does not wait for the bytes of a frame that is too long.
    let all = validate_frames(&[0xff; 4], ByteOrder::Little, DIALECT).max_len(8);
    assert!(all.too_long().is_some() && all.missing() == 0);
}

#[test]
fn limits_hold_for_each_frame() {
    let bytes = recording();
    let least = |limits| {
        let options = Options::engine(DIALECT).limits(limits);
        assert_eq!(
            batch(&bytes, ByteOrder::Little, &options),
            one_by_one(&bytes, ByteOrder::Little, &options)
        );
        validate_frames(&bytes, ByteOrder::Little, options).finish()
    };
    assert_eq!(least(Limits::ENGINE.values(1)).invalid, 200);
    assert_eq!(least(Limits::ENGINE.depth(0)).invalid, 200);
    assert_eq!(least(Limits::ENGINE.bytes(8)).invalid, 200);
}

#[test]
fn an_empty_batch_is_valid() {
    let mut all = validate_frames(&[], ByteOrder::Little, DIALECT);
    assert!(all.next().is_none());
    assert_eq!((all.consumed(), all.missing(), all.tally()), (0, 0, Tally::default()));
    let mut none = validate_documents::<[&[u8]; 0]>([], DIALECT);
    assert_eq!(none.finish(), Tally::default());
    // An empty document has no value, so it is invalid.
    assert_eq!(validate_documents([b""], DIALECT).finish().invalid, 1);
}

#[test]
fn a_batch_can_be_taken_in_parts() {
    let bytes = recording();
    let mut all = validate_frames(&bytes, ByteOrder::Little, DIALECT);
    assert_eq!(all.by_ref().take(50).count(), 50);
    assert_eq!((all.tally().valid, all.missing()), (50, 0));
    let rest = validate_frames(&bytes[all.consumed()..], ByteOrder::Little, DIALECT).finish();
    assert_eq!(rest.valid, 150);
    assert_eq!(all.finish().valid, 200);
}

#[test]
fn documents_keep_their_own_offsets() {
    let documents: [&[u8]; 3] = [&[0; 4], &[2, 0, 0, 0, 7], &[2, 0, 0, 0, 7, 0, 0, 0]];
    let mut all = validate_documents(documents, DIALECT);
    assert_eq!(all.len(), 3);
    let errors: Vec<_> = all.by_ref().map(|verdict| verdict.err().map(|e| e.offset())).collect();
    assert_eq!(errors, [None, Some(4), None]);
    assert_eq!(parts(all.tally()), (2, 1, 2));
}

proptest! {
    #[test]
    fn any_bytes_are_judged_as_one_by_one(
        documents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..24), 0..8),
        cut in 0_usize..8,
        big in any::<bool>(),
    ) {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let mut bytes = Vec::new();
        for document in &documents {
            append_frame(&mut bytes, document, order).unwrap();
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        for &dialect in Dialect::ALL {
            let options = Options::server(dialect);
            let expected = one_by_one(&bytes, order, &options);
            prop_assert_eq!(&batch(&bytes, order, &options), &expected);
            let verdicts: Vec<_> = validate_documents(&documents, options).collect();
            let alone: Vec<_> = documents.iter().map(|one| verdict(one, &options)).collect();
            prop_assert_eq!(verdicts, alone);
            let tally = validate_frames(&bytes, order, options).finish();
            prop_assert_eq!(parts(tally), tally_of(&expected));
        }
    }
}
