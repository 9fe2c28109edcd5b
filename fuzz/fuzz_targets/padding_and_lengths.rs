//! Compares the ends of texts, byte arrays and paths of every length with calculated ends.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_padding_and_lengths(data));
