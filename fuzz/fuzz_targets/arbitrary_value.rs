//! Writes and reads any value of any dialect.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_arbitrary_value(data));
