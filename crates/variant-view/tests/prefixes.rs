//! Every prefix of every test vector: truncated values are refused, and nothing panics.

use variant_testkit::conformance::options;
use variant_testkit::corpus;
use variant_testkit::exercise::exercise;
use variant_view::{Document, ErrorClass, Kind, Options, Profile, Reals};

#[test]
fn every_prefix_of_every_vector() {
    for (dialect, path) in corpus::every_record_file() {
        if !path.to_string_lossy().contains("vectors") {
            continue;
        }
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let options = options(dialect, true);
            let whole = Document::new(&case.bytes, options).validate().unwrap();
            // Every fifth prefix of a longer vector: these lengths have all remainders of a division by four.
            let step = if whole.consumed > 256 { 5 } else { 1 };
            for len in (0..whole.consumed).step_by(step) {
                let prefix = &case.bytes[..len];
                let name = format!("{}:{} cut to {len}", path.display(), case.line);
                match Document::new(prefix, options).validate() {
                    // Only padding may be missing, and only if the value ends in a byte array.
                    Ok(summary) => {
                        assert_eq!(summary.consumed, len, "{name}");
                        assert_eq!(summary.values, whole.values, "{name}");
                        assert!(
                            ends_with_bytes(prefix, options) && whole.consumed - len < 4,
                            "{name}"
                        );
                    }
                    Err(error) => {
                        assert_eq!(error.class(), ErrorClass::Truncated, "{name}: {error}");
                        assert!(error.offset() <= len, "{name}: {error}");
                    }
                }
            }
        }
    }
}

fn ends_with_bytes(bytes: &[u8], options: Options) -> bool {
    let mut last = None;
    for event in Document::new(bytes, options).walk().flatten() {
        if let variant_view::Event::Leaf(node) = event {
            last = Some(node.view.kind());
        }
    }
    last == Some(Kind::PackedByteArray)
}

/// No operation panics on a mutant or on a prefix of a short vector, with any profile and width. The engine accepts
/// some of the mutants and refuses others.
#[test]
fn nothing_panics_on_a_mutant() {
    for (dialect, path) in corpus::every_record_file() {
        let are_vectors = path.to_string_lossy().contains("vectors");
        for case in corpus::read_cases(&path).unwrap() {
            if case.bytes.len() <= 2_048 {
                let options = options(dialect, case.objects);
                exercise(&case.bytes, options);
                exercise(&case.bytes, options.profile(Profile::Canonical));
            }
            let is_cut = are_vectors && case.bytes.len() <= 96;
            let prefixes = if is_cut { case.bytes.len() + 1 } else { 0 };
            for len in 0..prefixes {
                let prefix = &case.bytes[..len];
                let plain = options(dialect, true);
                exercise(prefix, plain);
                exercise(prefix, plain.profile(Profile::Canonical));
                exercise(prefix, plain.reals(Reals::Always64));
                exercise(prefix, Options::server(dialect));
            }
        }
    }
}
