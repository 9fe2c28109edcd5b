//! Texts, byte arrays and paths of every length against arithmetic.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_padding_and_lengths(data));
