//! Every entry point on any bytes, in the dialect and under the options that the first three pick.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_open_walk(data));
