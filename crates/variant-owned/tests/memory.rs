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
    no_file_takes_more_than_its_share();
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

/// What reading may take of the memory for each byte of input. The worst is 27: a thousand dictionaries in one
/// another, each of a single pair.
const SHARE: usize = 32;
/// And what it may take whatever the input: the first pieces of lists that grow.
const START: usize = 1 << 10;

/// Every record in its dialect, every file and every regression in all.
fn no_file_takes_more_than_its_share() {
    let mut worst = (0, 0, 0, String::new());
    let mut check = |bytes: &[u8], dialect: Dialect, name: &str| {
        let document = Document::new(bytes, Options::new(dialect).limits(Limits::FILE));
        let most = [most_of(&document), most_of_index(&document)].into_iter().max().unwrap_or(0);
        assert!(most <= SHARE * bytes.len() + START, "{most} for {} of {name}", bytes.len());
        let share = most.saturating_sub(START) * 100 / bytes.len().max(1);
        if share > worst.0 {
            worst = (share, most, bytes.len(), format!("{name} as {dialect}"));
        }
    };
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap() {
            check(&case.bytes, dialect, &format!("{}:{}", path.display(), case.line));
        }
    }
    for path in corpus::files().unwrap() {
        let bytes = std::fs::read(&path).unwrap();
        for &dialect in Dialect::ALL {
            check(&bytes, dialect, &path.display().to_string());
        }
    }
    let (_, most, len, name) = worst;
    println!("at most {most} bytes for {len}, of {name}");
}

/// Once, for there are many; a harness that takes some meanwhile takes less than [`START`].
fn most_of(document: &Document<'_>) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    drop(Variant::from_document(document));
    MEMORY.peak_usage().saturating_sub(before)
}

fn most_of_index(document: &Document<'_>) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut index = variant_view::Index::new();
    let verdict = index.build_into(*document).map(|indexed| indexed.summary());
    assert_eq!(verdict, document.validate());
    MEMORY.peak_usage().saturating_sub(before)
}
