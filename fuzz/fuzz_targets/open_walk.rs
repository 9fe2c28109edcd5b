//! Every entry point on any bytes, with the dialect and the options that the first three bytes select.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_open_walk(data));
