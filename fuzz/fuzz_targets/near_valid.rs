//! Valid documents with damage in their counts, flags, types, lengths and padding.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_near_valid(data));
