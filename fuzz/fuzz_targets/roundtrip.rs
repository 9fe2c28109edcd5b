//! Values that can be read can be written, converted, and read again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_roundtrip(data));
