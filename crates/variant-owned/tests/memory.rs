//! What values take of the memory. One test, since the allocator that counts is that of the whole program.

#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test may stop")]

use peak_alloc::PeakAlloc;
use variant_owned::{EncodeOptions, Variant, encode_into};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most bytes that were taken while `work` ran, beyond those that were in use, and its result.
fn most_taken<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
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
    let before = MEMORY.current_usage();
    let (most, tree) = most_taken(|| Variant::from_document(&document(&bytes)).unwrap());
    let kept = MEMORY.current_usage().saturating_sub(before);
    println!("{} bytes of input, {kept} of tree, {most} at most", bytes.len());
    assert!(kept <= most && most <= 4 * bytes.len(), "{most} for {}", bytes.len());
    drop(tree);
    assert_eq!(MEMORY.current_usage(), before, "all of it is given back");
}

fn a_value_without_heap_data_takes_none() {
    let int = [2, 0, 0, 0, 7, 0, 0, 0];
    let text = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0];
    for bytes in [&int[..], &text] {
        let (most, value) = most_taken(|| Variant::from_document(&document(bytes)).unwrap());
        let (copied, copy) = most_taken(|| value.clone());
        assert_eq!((most, copied), (0, 0), "{value:?}");
        assert_eq!(value, copy);
    }
}

/// Arrays of 2³¹ - 1 elements, one in the other, of which each is the first of the one around it.
fn a_claim_takes_no_more_than_the_input_allows() {
    let bytes = [28, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f].repeat(60);
    let (most, result) = most_taken(|| Variant::from_document(&document(&bytes)));
    assert!(result.is_err());
    assert!(most <= 64 * bytes.len(), "{most} for {}", bytes.len());
}

fn a_warm_buffer_takes_no_more() {
    let bytes = corpus::bytes("godot4/saves/rpc.variant").unwrap();
    let value = Variant::from_document(&document(&bytes)).unwrap();
    let mut buffer = Vec::with_capacity(4 * bytes.len());
    let options = EncodeOptions::new(Dialect::Godot4);
    let (most, result) = most_taken(|| encode_into(&value, &options, &mut buffer));
    result.unwrap();
    assert_eq!(buffer, bytes);
    println!("{most} bytes beside a buffer that is large enough");
    assert!(most <= 4096, "{most}");
}
