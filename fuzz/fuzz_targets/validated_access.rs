//! What was validated can be read, whatever is asked for.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_validated_access(data));
