//! In a validated document every access succeeds.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_validated_access(data));
