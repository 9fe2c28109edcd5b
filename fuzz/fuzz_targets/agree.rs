//! Compares everything that reads bytes with the reference decoder.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_agree(data));
