//! Laws for every value: decoding, encoding and comparing agree.

use proptest::prelude::*;
use variant_owned::{EncodeErrorKind, EncodeOptions, Precision, Variant, encode, encode_into};
use variant_testkit::conformance::options;
use variant_testkit::fuzz::{check_arbitrary_value, check_hostile_value};
use variant_testkit::{corpus, values};
use variant_view::{Dialect, Document, Options, Profile};

fn dialects() -> impl Strategy<Value = Dialect> {
    prop::sample::select(Dialect::ALL)
}

fn decode(bytes: &[u8], options: Options) -> Variant {
    Variant::from_document(&Document::new(bytes, options)).unwrap()
}

/// 2,000 cases, or the number in `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 2_000 };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    /// Any value built by hand is read back whole, or is refused with reason and path.
    #[test]
    fn written_values_are_read_back_whole(seed in prop::collection::vec(any::<u8>(), 0..600)) {
        check_hostile_value(&seed);
    }

    /// A value is written canonically, read back as the same value, and written again with the same bytes, also in the
    /// documented layout of double-precision builds.
    #[test]
    fn there_and_back(seed in prop::collection::vec(any::<u8>(), 0..600)) {
        check_arbitrary_value(&seed);
    }

    /// A build of either precision reads the output of the other.
    #[test]
    fn both_precisions(seed in prop::collection::vec(any::<u8>(), 0..300), is_double: bool) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, Dialect::Godot4, is_double).unwrap();
        let encoding = EncodeOptions::new(Dialect::Godot4);
        for precision in [Precision::Single, Precision::Double] {
            let bytes = match encode(&value, encoding.precision(precision)) {
                Ok(bytes) => bytes,
                // Two keys that differ in 64 bits can be equal in 32 bits.
                Err(error) => {
                    let merged = matches!(error.kind(), EncodeErrorKind::SameKeys { .. });
                    prop_assert!(is_double && merged, "{}", error);
                    prop_assert_eq!(precision, Precision::Single);
                    continue;
                }
            };
            let canonical = options(Dialect::Godot4, true).profile(Profile::Canonical);
            let verdict = Document::new(&bytes, canonical).validate();
            prop_assert!(verdict.is_ok(), "{:?}", verdict);
            let read = decode(&bytes, options(Dialect::Godot4, true));
            prop_assert_eq!(encode(&read, encoding).unwrap(), bytes);
        }
    }

    /// A kind that the dialect lacks is an error with the kind and the path, and the buffer is unchanged.
    #[test]
    fn no_such_kind(seed in prop::collection::vec(any::<u8>(), 0..300), dialect in dialects()) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, Dialect::Godot4, true).unwrap();
        let mut bytes = vec![1, 2, 3];
        match encode_into(&value, dialect, &mut bytes) {
            Ok(len) => prop_assert_eq!(bytes.len() - 3, len),
            Err(error) => {
                prop_assert_eq!(bytes, [1, 2, 3]);
                if let EncodeErrorKind::Kind(kind) = error.kind() {
                    prop_assert!(dialect.id(*kind).is_none());
                    // Godot 4 has the refused kind, so the path finds the value in the bytes of Godot 4.
                    let full = encode(&value, Dialect::Godot4).unwrap();
                    let document = Document::new(&full, Options::engine(Dialect::Godot4));
                    let found = document.at(error.path()).map(|view| view.kind());
                    prop_assert_eq!(found, Ok(*kind), "{}", error);
                }
            }
        }
    }
}

/// Every record that the engines accept is written back, including all test vectors of each engine.
#[test]
fn records_are_written_back() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap().iter().filter(|case| case.accepted) {
            let options = options(dialect, case.objects);
            let Ok(summary) = Document::new(&case.bytes, options).validate() else { continue };
            let name = format!("{}:{} {}", path.display(), case.line, case.name);
            let value = decode(&case.bytes, options);
            let encoding = EncodeOptions::new(dialect).depth(100_000);
            let bytes = encode(&value, encoding).unwrap();
            let canonical =
                Document::new(&case.bytes[..summary.consumed], options.profile(Profile::Canonical));
            // Two RIDs are two keys for a writer and one key for a reader, since their ids are not written.
            let is_many = ["Rid", "keys Rid | Rid"].contains(&case.name.as_str());
            if canonical.validate().is_ok() && !is_many {
                assert_eq!(bytes, case.bytes[..summary.consumed], "{name}");
            }
            let again = decode(&bytes, options);
            assert_eq!(format!("{again:?}"), format!("{value:?}"), "{name}");
            assert_eq!(encode(&again, encoding).unwrap(), bytes, "{name}");
        }
    }
}
