//! Reads any bytes as structs of a program, and writes them again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_serde(data));
