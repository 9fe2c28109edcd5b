//! What values take of the memory. One test, since the allocator that counts is that of the whole program.

#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test may stop")]

use std::cell::RefCell;

use peak_alloc::PeakAlloc;
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most bytes that were taken while `work` ran, beyond those that were in use. The least of many runs,
/// since the test's own harness may take some meanwhile.
fn most_taken<T>(work: impl Fn() -> T) -> usize {
    let run = |_| {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        drop(work());
        MEMORY.peak_usage().saturating_sub(before)
    };
    (0..16).map(run).min().unwrap()
}

fn document(bytes: &[u8]) -> Document<'_> {
    Document::new(bytes, Options::new(Dialect::Godot4).limits(Limits::FILE))
}

#[test]
fn memory_follows_the_input() {
    a_tree_takes_at_most_four_times_its_input();
    a_value_without_heap_data_takes_none();
    a_claim_takes_no_more_than_the_input_allows();
    a_warm_buffer_takes_no_more();
}

fn a_tree_takes_at_most_four_times_its_input() {
    let bytes = corpus::bytes("godot4/saves/save_10k.variant").unwrap();
    let most = most_taken(|| Variant::from_document(&document(&bytes)).unwrap());
    println!("{} bytes of input, {most} of tree", bytes.len());
    assert!(bytes.len() < most && most <= 4 * bytes.len(), "{most} for {}", bytes.len());
}

fn a_value_without_heap_data_takes_none() {
    let int = [2, 0, 0, 0, 7, 0, 0, 0];
    let text = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0];
    for bytes in [&int[..], &text] {
        let value = Variant::from_document(&document(bytes)).unwrap();
        let decoded = most_taken(|| Variant::from_document(&document(bytes)).unwrap());
        let copied = most_taken(|| value.clone());
        assert_eq!((decoded, copied), (0, 0), "{value:?}");
    }
}

/// Arrays of 2³¹ - 1 elements, one in the other, of which each is the first of the one around it.
fn a_claim_takes_no_more_than_the_input_allows() {
    let bytes = [28, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f].repeat(60);
    assert!(Variant::from_document(&document(&bytes)).is_err());
    let most = most_taken(|| Variant::from_document(&document(&bytes)));
    assert!(most <= 64 * bytes.len(), "{most} for {}", bytes.len());
}

fn a_warm_buffer_takes_no_more() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let value = Variant::from_document(&document(&bytes)).unwrap();
    let options = EncodeOptions::new(Dialect::Godot4);
    let buffer = RefCell::new(Vec::with_capacity(bytes.len()));
    let most = most_taken(|| {
        buffer.borrow_mut().clear();
        encode_into(&value, &options, &mut buffer.borrow_mut()).unwrap();
    });
    assert_eq!(*buffer.borrow(), bytes);
    println!("{most} bytes beside the buffer");
    assert!(most < 1024, "{most}");
}
