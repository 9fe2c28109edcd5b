//! What values are wrapped in.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_io(data));
