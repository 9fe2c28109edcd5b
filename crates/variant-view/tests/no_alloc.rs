//! Validating, walking and looking up in any file of the corpus, valid or damaged, allocates nothing. Neither does a
//! tape that has read a document with as many values before.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::{env, fs};

use peak_alloc::PeakAlloc;
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Key, Options, Tape, VariantView};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    // Test runners call this program with `--list` to get the list of its tests.
    let arguments: Vec<String> = env::args().collect();
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            println!("no_alloc: test");
        }
        return;
    }
    // The counter counts an allocation of one byte, even if the byte is freed at once.
    assert_ne!(allocated_by(|| drop(black_box(Box::new(1_u8)))), 0, "nothing is counted");

    let (mut documents, mut tape) = (0_usize, Tape::new());
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            assert_nothing_allocated(&case.bytes, dialect, &path, &mut tape);
            documents = documents.saturating_add(1);
        }
    }
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        for &dialect in Dialect::ALL {
            assert_nothing_allocated(&bytes, dialect, &path, &mut tape);
            documents = documents.saturating_add(1);
        }
    }
    assert!(documents > 10_000, "only {documents} documents");
    println!("nothing allocated for {documents} documents");
}

/// The files that are not records.
fn files() -> Vec<PathBuf> {
    let mut files = corpus::files().unwrap();
    files.retain(|path| {
        let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default();
        ["variant", "bin"].contains(&extension)
    });
    files
}

fn assert_nothing_allocated(bytes: &[u8], dialect: Dialect, path: &Path, tape: &mut Tape) {
    let document = Document::new(bytes, Options::engine(dialect));
    let bytes = allocated_by(|| use_it(&document));
    assert_eq!(bytes, 0, "bytes allocated for {} as {dialect}", path.display());
    // The first reading grows the tape, if it is too small.
    let _ = tape.read(document);
    let bytes = allocated_by(|| use_tape(&document, tape));
    assert_eq!(bytes, 0, "bytes allocated by a tape for {} as {dialect}", path.display());
}

fn use_tape(document: &Document<'_>, tape: &mut Tape) {
    let Ok(root) = black_box(tape.read(*document)) else { return };
    for value in root.values() {
        black_box((value.view(), value.raw_bytes(), value.items().last()));
    }
    for (key, _) in root.pairs() {
        if let Ok(key) = key.view().as_str() {
            let _ = black_box(root.get_many([Key::from(key), Key::Int(1)]));
        }
    }
    let _ = black_box(root.at("player.stats.hp"));
}

fn use_it(document: &Document<'_>) {
    let verdict = black_box(document.validate());
    if let Err(error) = verdict {
        let _ = black_box(document.path_to(error.offset()));
    }
    black_box(document.walk().flatten().count());
    if let Ok(VariantView::Dictionary(dictionary)) = document.root() {
        for (key, _) in dictionary.iter().flatten() {
            if let VariantView::String(key) = key {
                let _ = black_box(dictionary.get(key.as_bytes()));
            }
        }
        let _ = black_box(dictionary.get_many(["name", "version", "items"]));
    }
    let _ =
        black_box(document.validated_get_many(["name", "version", "a key of more than 16 bytes"]));
    let _ = black_box(document.at("player.stats.hp"));
}

/// The maximum number of bytes that `work` had allocated at a time.
fn allocated_by(work: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before)
}
