//! Detection of dialects, which reads the same bytes in every dialect.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_dialects(data));
