//! Any bytes as structs of a program, and back.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_serde(data));
